package grapheval

import (
	"regexp"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

// Forms of short answers that say something only with their question, over folded
// text.
var (
	// assent and denial answer a question of yes or no in other words.
	assent = regexp.MustCompile(`^(?:(?:yes,? )?(?:it|that|this)(?: is|'s) |(?:yes|yeah),? )?(?:correct|true|right|exactly|indeed|affirmative|absolutely|definitely|certainly|so)$`)
	denial = regexp.MustCompile(`^(?:(?:no,? )?(?:it|that|this)(?: is|'s) |no,? )?(?:false|incorrect|wrong|not true|untrue|not correct|not right|negative|not so|not at all|definitely not|certainly not|absolutely not)$`)
	// polarQuestion is a question of yes or no.
	polarQuestion = regexp.MustCompile(`^(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|isn't|aren't|wasn't|weren't|doesn't|didn't|hasn't|haven't)\b|^(?:true or false|correct or incorrect)\b|,? (?:true or false|right or wrong|yes or no)\?$`)
	// placeholder is the beginning of an answer that stands for what was asked:
	// "It was 1991."
	placeholder   = regexp.MustCompile(`(?i)^(?:(?:it|that|this|he|she|they|those|these) (?:was|is|were|are)|(?:it|that|he|she)['’]s|the answer(?: is| was|:))\s+(\S.*)$`)
	openQuestion  = regexp.MustCompile(`^(?:(?:in|on|at|to|from|by|for|since|until) )?(?:who|whom|whose|what|which|when|where|how (?:many|much|old|long|far|tall|often))\b`)
	whereQuestion = regexp.MustCompile(`^(?:where|(?:in|at|from|to) (?:what|which) (?:city|town|country|place|state|region|village)|(?:what|which) (?:city|town|place|country))\b`)
	// letter is an answer that names an option of the question.
	letter = regexp.MustCompile(`(?i)^(?:(?:the )?(?:answer|option|choice)(?: is|:)? )?\(?([A-Ha-h])[).:]?$`)
	option = regexp.MustCompile(`(?:^|[\s,;])\(?([A-H])(?:\)|[.:]\s)\s*`)
)

// reply handles answers that must be rewritten before an Answerer can make a
// statement of them: assent and denial in other words, "It was …", places with
// the place around them, and the letter of an option.
func (p *Prepared) reply(question, text string, at segment.Span) (answered, bool) {
	answer := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), ".!。！"))
	low, asked := fold(text), fold(question)
	state := func(q, a string) (claim.Claim, bool) {
		st, ok := p.checker.opts.Answerer.Statement(q, a)
		return claim.Claim{Text: st, Whole: true, Spans: []segment.Span{at}, Sentence: at}, ok && !claim.Blank(st)
	}
	made := func(c ...claim.Claim) (answered, bool) {
		var texts []string
		for _, k := range c {
			texts = append(texts, k.Text)
		}
		return answered{c, claim.Note{Kind: claim.NoteAnswer, Detail: "checked as the statement that question and answer make: " + strings.Join(texts, " ")}}, true
	}

	if m := letter.FindStringSubmatch(answer); m != nil {
		if stem, said, ok := chosen(question, strings.ToUpper(m[1])); ok {
			if c, ok := state(stem, said); ok {
				return made(c)
			}
			c, _ := state("", "")
			c.Text = said
			if !Checkable(said) {
				return answered{}, false
			}
			return made(c)
		}
	}
	if polarQuestion.MatchString(asked) {
		a := ""
		switch {
		case assent.MatchString(low):
			a = "Yes"
		case denial.MatchString(low):
			a = "No"
		}
		if a != "" {
			if c, ok := state(question, a); ok {
				return made(c)
			}
			c, _ := state("", "")
			c.Text, c.Verdict, c.PInconsistent, c.Err = text, claim.Unknown, 1, ErrNoStatement
			return answered{[]claim.Claim{c}, claim.Note{Kind: claim.NoteAnswer, Detail: ErrNoStatement.Error()}}, true
		}
	}
	if !openQuestion.MatchString(asked) || len(segment.Words(answer)) > maxAnswerWords {
		return answered{}, false
	}
	rest := answer
	if m := placeholder.FindStringSubmatch(answer); m != nil {
		rest = m[1]
	}
	if parts := strings.Split(rest, ", "); len(parts) > 1 && len(parts) <= 4 && whereQuestion.MatchString(asked) && placeNames(parts) {
		var all []claim.Claim
		for _, part := range parts {
			c, ok := state(question, part)
			if !ok {
				return answered{}, false
			}
			if k := strings.Index(text, part); k >= 0 {
				c.Spans = []segment.Span{{Start: at.Start + k, End: at.Start + k + len(part)}}
			}
			all = append(all, c)
		}
		return made(all...)
	}
	if rest != answer && len(segment.Words(rest)) <= maxMentionWords {
		if c, ok := state(question, rest); ok {
			return made(c)
		}
	}
	return answered{}, false
}

// placeNames reports whether all parts are written like names of places.
func placeNames(parts []string) bool {
	for i, part := range parts {
		words := strings.Fields(part)
		if i == 0 && len(words) > 1 && strings.ToLower(words[0]) == words[0] {
			words = words[1:] // "in Oslo"
		}
		if len(words) == 0 || len(words) > 3 {
			return false
		}
		if first := words[0]; strings.ToLower(first[:1]) == first[:1] && strings.ToLower(first) == first {
			return false
		}
	}
	return true
}

// chosen returns a question without its options and the option with the letter.
func chosen(question, which string) (stem, text string, ok bool) {
	at := option.FindAllStringSubmatchIndex(question, -1)
	if len(at) < 2 {
		return "", "", false
	}
	for i, m := range at {
		if question[m[2]:m[3]] != which {
			continue
		}
		end := len(question)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		text = strings.Trim(question[m[1]:end], " \t\r\n,;.")
		return strings.TrimRight(strings.TrimSpace(question[:at[0][0]]), ":("), text, text != ""
	}
	return "", "", false
}
