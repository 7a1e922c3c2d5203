package nlp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

// Declarative turns a question with its short answer into one sentence that
// can be checked by itself:
//
//	"Does aspirin lower fever?", "Yes."        Aspirin lowers fever.
//	"Does aspirin lower fever?", "No."         Aspirin does not lower fever.
//	"Who wrote it?", "Mary Shelley"            Mary Shelley wrote it.
//	"When was the bridge built?", "1932"       The bridge was built in 1932.
//
// It knows yes/no questions and the common kinds with who, what, which, whom,
// where, when, why and how. ok is false where it is not sure: the answer is a
// sentence of its own, says nothing ("I don't know"), or the question is of
// another kind. Pronouns stay as they are. It is safe for concurrent use.
func Declarative(question, answer string) (statement string, ok bool) {
	a, err := New()
	if err != nil {
		return "", false
	}
	return a.Declarative(question, answer)
}

// Declarative is the function of that name with the receiver's models.
func (a *Analyzer) Declarative(question, answer string) (statement string, ok bool) {
	if len(question) > 2000 || len(answer) > 400 {
		return "", false
	}
	q, ok := a.newQuestion(question)
	if !ok {
		return "", false
	}
	ans, pol := a.readAnswer(answer)
	if pol == noAnswer {
		return "", false
	}
	var s string
	if q.wh == "" {
		if pol != yes && pol != no {
			return "", false
		}
		s = q.polar(pol == no)
	} else {
		if pol != other {
			return "", false
		}
		s = q.filled(ans)
	}
	if s == "" {
		return "", false
	}
	if q.lead != "" {
		s = q.lead + " " + s
	}
	return sentenceCase(strings.TrimSuffix(s, ".")) + ".", true
}

func sentenceCase(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// tokens returns the tagged tokens of s as one sentence, with lemmas.
func (a *Analyzer) tokens(s string) []Token {
	var ts []Token
	for _, sp := range tokenize(nil, s, segment.Span{Start: 0, End: len(s)}) {
		ts = append(ts, Token{Span: sp, Text: sp.Of(s)})
	}
	if len(ts) == 0 {
		return []Token{{}}
	}
	a.tagWords(ts, true)
	for i := range ts {
		ts[i].Lemma = a.Lemma(ts[i].Text, ts[i].Tag)
	}
	return ts
}

// clause puts a question with an auxiliary into the order of a statement. It
// returns the subject, the verb group in its right form and where the rest of
// the question starts.
func (q *question) clause(negative bool) (subj, verb string, rest int, ok bool) {
	aux, _, i := q.aux()
	if aux == "" {
		return "", "", 0, false
	}
	k, ok := q.subjectEnd(i, aux)
	if !ok {
		return "", "", 0, false
	}
	subj = q.between(i, k)
	ts := q.ts
	if !doForms[aux] {
		verb = aux
		if negative {
			if aux == "can" {
				verb = "cannot"
			} else {
				verb += " not"
			}
		}
		return subj, verb, k, true
	}
	// do, does, did: the verb takes their form.
	v := k
	for v < len(ts)-1 && strings.HasPrefix(ts[v].Tag, "RB") && !q.a.dict.verbs[strings.ToLower(ts[v].Text)] {
		v++
	}
	if v >= len(ts) {
		return "", "", 0, false
	}
	base := strings.ToLower(ts[v].Text)
	adverbs := q.between(k, v)
	switch {
	case negative:
		verb = aux + " not " + join(adverbs, base)
	case aux == "does":
		verb = join(adverbs, thirdPersonForm(base))
	case aux == "did":
		verb = join(adverbs, q.a.dict.pastForm(base))
	default:
		verb = join(adverbs, base)
	}
	return subj, verb, v + 1, true
}

func join(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

// polar answers a yes/no question.
func (q *question) polar(negative bool) string {
	subj, verb, rest, ok := q.clause(negative)
	if !ok {
		return ""
	}
	aux, _, _ := q.aux()
	tail := q.between(rest, len(q.ts))
	if tail == "" && beForms[aux] {
		return "" // "Is Graz Austria" does not part
	}
	if strings.Contains(" "+strings.ToLower(tail)+" ", " or ") && !negative {
		return "" // "Is it red or blue?" asks for a choice
	}
	if strings.EqualFold(subj, "there") && negative {
		// There is not any -> reads well enough.
		return join(subj, verb, tail)
	}
	return join(subj, verb, strings.Replace(tail, "any ", anyTo(negative), 1))
}

func anyTo(negative bool) string {
	if negative {
		return "any "
	}
	return "some "
}

// filled answers a question with a question word.
func (q *question) filled(ans string) string {
	ts := q.ts
	aux := strings.ToLower(ts[q.at].Text)
	asksSubject := !auxiliary(aux)
	switch q.wh {
	case "who", "what", "which", "whose", "how":
		if beForms[aux] && q.prep == "" {
			if s, done := q.copula(ans, aux); done {
				return s
			}
		}
		if !asksSubject && !doForms[aux] {
			// Who has won? Which team will play? Verb right after the auxiliary.
			if n := q.at + 1; n < len(ts) && (ts[n].Tag == "VB" || ts[n].Tag == "VBN" || ts[n].Tag == "VBG" || ts[n].Tag == "RB") {
				asksSubject = true
			}
		}
		if asksSubject {
			if q.prep != "" || q.wh == "whose" {
				return ""
			}
			if q.wh == "how" {
				many, ok := q.quantity(ans)
				if !ok {
					return ""
				}
				ans = many
			}
			return join(ans, q.between(q.at, len(ts)))
		}
	}
	subj, verb, rest, ok := q.clause(false)
	if !ok {
		return ""
	}
	tail := q.between(rest, len(ts))
	switch q.wh {
	case "where":
		return join(subj, verb, tail, placed(q.a, ans))
	case "when":
		return join(subj, verb, tail, timed(q.a, ans))
	case "why":
		if !startsWith(ans, "because", "to", "due", "since", "for", "so", "as") {
			return ""
		}
		return join(subj, verb, tail, ans)
	case "whose":
		return ""
	case "how":
		if q.noun == "" {
			if !startsWith(ans, "by", "with", "through", "via", "from", "using", "on", "in") {
				return ""
			}
			return join(subj, verb, tail, ans)
		}
		switch n := strings.ToLower(q.noun); n {
		case "long", "far", "often", "fast", "soon", "high", "deep":
			return join(subj, verb, tail, ans)
		case "old", "tall", "big", "wide", "large", "heavy":
			return join(subj, verb, ans)
		}
		many, ok := q.quantity(ans)
		if !ok {
			return ""
		}
		ans = many
	}
	if q.prep != "" {
		if startsWith(ans, q.prep) {
			return join(subj, verb, tail, ans)
		}
		return join(subj, verb, tail, q.prep, ans)
	}
	noun := strings.ToLower(lastWord(q.noun))
	switch noun {
	case "year", "month", "day", "date", "century", "decade", "time":
		return join(subj, verb, tail, timed(q.a, ans))
	case "city", "country", "town", "state", "village", "place", "region", "continent":
		if tail != "" || rest >= len(ts) && beForms[aux] {
			if t := ts[len(ts)-1]; t.Tag != "IN" && t.Tag != "TO" {
				return join(subj, verb, tail, placed(q.a, ans))
			}
		}
	}
	if q.wh == "what" && strings.HasSuffix(verb, "do") || strings.HasSuffix(verb, "does") || strings.HasSuffix(verb, " did") || verb == "did" {
		return "" // "What does it do?" wants a verb
	}
	// The object stands after the verb, or where a preposition was left.
	if rest < len(ts) {
		last := ts[len(ts)-1]
		if last.Tag == "IN" || last.Tag == "TO" || last.Tag == "RP" {
			return join(subj, verb, tail, ans)
		}
		if t := ts[rest]; t.Tag == "IN" || t.Tag == "TO" && ts[rest].Text == "to" && !nextIsVerb(ts, rest) {
			return join(subj, verb, ans, tail)
		} else if t.Tag == "TO" {
			return join(subj, verb, tail, ans)
		} else if strings.HasPrefix(t.Tag, "VB") {
			// "What was X awarded in 1990?"
			return join(subj, verb, t.Text, ans, q.between(rest+1, len(ts)))
		} else if isNoun(t.Tag) || t.Tag == "DT" || t.Tag == "PRP" {
			return ""
		}
	}
	return join(subj, verb, ans, tail)
}

func nextIsVerb(ts []Token, i int) bool {
	return i+1 < len(ts) && strings.HasPrefix(ts[i+1].Tag, "VB")
}

// copula answers "Who is the mayor?", "What was the name of …?", "How old is
// Ida?", "What colour is it?".
func (q *question) copula(ans, aux string) (string, bool) {
	ts := q.ts
	n := q.at + 1
	if n >= len(ts) {
		return "", true
	}
	neg := strings.EqualFold(ts[n].Text, "not") || strings.EqualFold(ts[n].Text, "n't")
	if neg {
		return "", true
	}
	next := ts[n]
	if next.Tag == "VBN" || next.Tag == "VBG" || next.Tag == "IN" || strings.HasPrefix(next.Tag, "JJ") || next.Tag == "RB" {
		// Who was elected? Which is older?
		if q.wh == "how" {
			many, ok := q.quantity(ans)
			if !ok {
				return "", true
			}
			ans = many
		}
		return join(ans, q.between(q.at, len(ts))), true
	}
	k, ok := q.subjectEnd(n, aux)
	if !ok {
		return "", true
	}
	subj, tail := q.between(n, k), q.between(k, len(ts))
	if k < len(ts) && (ts[k].Tag == "VBN" || ts[k].Tag == "VBG" || strings.HasPrefix(ts[k].Tag, "VB")) {
		return "", false // a passive or progressive with its subject: see filled
	}
	if strings.EqualFold(subj, "there") {
		return "", true
	}
	switch q.wh {
	case "how":
		if q.noun == "" {
			return "", true
		}
		last := strings.ToLower(lastWord(ans))
		measure := strings.ToLower(q.noun)
		if measure == "many" || measure == "much" {
			return join(subj, aux, tail, ans), measure == "much"
		}
		if measure == "old" && numeric(ans) {
			ans += " years"
		}
		if last == measure {
			measure = ""
		}
		return join(subj, aux, ans, measure, tail), true
	case "who":
		// The answer is the subject unless it describes.
		lead := strings.ToLower(strings.SplitN(ans, " ", 2)[0])
		if isName(next.Tag) && (lead == "a" || lead == "an" || lead == "the" || lead == "one") || next.Tag == "PRP" {
			return join(subj, tail, aux, ans), true
		}
		return join(ans, aux, subj, tail), true
	case "whose":
		return "", true
	}
	return join(subj, tail, aux, ans), true
}
