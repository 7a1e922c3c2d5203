package nlp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

// polarity is what kind of answer one is.
type polarity uint8

const (
	other polarity = iota // names a thing, a place, a time …
	yes
	no
	noAnswer
)

var (
	yesWords = set(`yes yeah yep yup correct true right indeed certainly definitely absolutely`)
	noWords  = set(`no nope false incorrect wrong never`)
	nothings = set(`unknown unclear unsure unspecified maybe perhaps possibly n/a none idk sometimes`)
)

// readAnswer tells yes from no, and cleans an answer that names something.
func (a *Analyzer) readAnswer(s string) (string, polarity) {
	s = strings.TrimSpace(s)
	s = strings.TrimSpace(strings.TrimRight(s, "!"))
	if n := len(segment.Sentences(s)); n != 1 {
		return "", noAnswer
	}
	if t := strings.TrimSuffix(s, "."); t != s && !strings.HasSuffix(t, ".") && !keepsStop(lastWord(t), strings.Contains(lastWord(t), "."), false) {
		s = t
	}
	s = strings.Trim(s, "\"“” ")
	if s == "" || strings.HasSuffix(s, "?") {
		return "", noAnswer
	}
	ts := a.tokens(s)
	first := strings.ToLower(ts[0].Text)
	if nothings[first] && len(ts) < 3 {
		return "", noAnswer
	}
	pol := other
	switch {
	case yesWords[first]:
		pol = yes
	case noWords[first] && (len(ts) == 1 || ts[1].Text == "," || ts[1].Text == ";"):
		pol = no
	}
	if pol != other {
		if len(ts) == 1 {
			return "", pol
		}
		// "Yes, it does." says no more than "Yes."
		rest := ts[1:]
		if rest[0].Text == "," || rest[0].Text == ";" {
			rest = rest[1:]
		}
		if echo(rest) {
			return "", pol
		}
		return "", noAnswer
	}
	if len(ts) <= 4 && echo(ts) {
		// "It does." "They aren't."
		if negated(ts) {
			return "", no
		}
		return "", yes
	}
	if len(ts) > 24 {
		return "", noAnswer
	}
	if len(ts) >= 4 || ts[0].Tag == "PRP" {
		// A sentence of its own, or "I don't know".
		for i, t := range ts {
			if finite(t.Tag) && i > 0 && at(ts, i-1).Tag != "WP" && at(ts, i-1).Tag != "WDT" && first != "because" && first != "when" {
				return "", noAnswer
			}
		}
	}
	if first == "not" {
		return "", noAnswer
	}
	// Inside a sentence only a name keeps its capital.
	if r, n := utf8.DecodeRuneInString(s); unicode.IsUpper(r) && !isName(ts[0].Tag) && len(ts[0].Text) > 1 && function[first] {
		s = string(unicode.ToLower(r)) + s[n:]
	}
	return s, other
}

func lastWord(s string) string {
	return s[strings.LastIndexAny(s, " \t\n")+1:]
}

// echo reports whether the tokens are only a pronoun with an auxiliary.
func echo(ts []Token) bool {
	if len(ts) < 2 || len(ts) > 4 || ts[0].Tag != "PRP" && !strings.EqualFold(ts[0].Text, "that") && !strings.EqualFold(ts[0].Text, "there") {
		return false
	}
	for _, t := range ts[1:] {
		lw := strings.ToLower(t.Text)
		if !auxiliary(lw) && lw != "not" && lw != "n't" && lw != "." {
			return false
		}
	}
	return true
}

func negated(ts []Token) bool {
	for _, t := range ts {
		if lw := strings.ToLower(t.Text); lw == "not" || lw == "n't" {
			return true
		}
	}
	return false
}

func auxiliary(w string) bool {
	return doForms[w] || beForms[w] && w != "be" && w != "been" && w != "being" || haveForms[w] && w != "having" || modals[w]
}

// quantity joins an amount with what was counted.
func (q *question) quantity(ans string) (string, bool) {
	n := strings.ToLower(q.noun)
	for _, p := range [...]string{"many ", "much "} {
		if strings.HasPrefix(n, p) {
			noun := q.noun[len(p):]
			if strings.Contains(strings.ToLower(ans), strings.ToLower(lastWord(noun))) {
				return ans, true
			}
			if ts := q.a.tokens(ans); ts[len(ts)-1].Tag == "CD" || len(ts) == 1 {
				return ans + " " + noun, true
			}
			return ans, true
		}
	}
	return ans, n == "many" || n == "much"
}

func startsWith(s string, words ...string) bool {
	first := strings.ToLower(strings.SplitN(s, " ", 2)[0])
	for _, w := range words {
		if first == w {
			return true
		}
	}
	return false
}

// placed gives the answer to "where" its preposition.
func placed(a *Analyzer, ans string) string {
	ts := a.tokens(ans)
	lw := strings.ToLower(ts[0].Text)
	if ts[0].Tag == "IN" || ts[0].Tag == "TO" || ts[0].Tag == "RB" || lw == "near" || lw == "home" || lw == "abroad" || lw == "outside" || lw == "inside" {
		return ans
	}
	return "in " + ans
}

// timed gives the answer to "when" its preposition.
func timed(a *Analyzer, ans string) string {
	ts := a.tokens(ans)
	lw := strings.ToLower(ts[0].Text)
	if ts[0].Tag == "IN" || ts[0].Tag == "RB" || ts[0].Tag == "WRB" || lw == "yesterday" || lw == "today" || lw == "tomorrow" || lw == "last" || lw == "next" ||
		lw == "this" || lw == "every" || lw == "around" || lw == "about" || lw == "before" || lw == "after" || lw == "during" || lw == "since" || lw == "between" {
		return ans
	}
	month, day, clock := false, false, false
	for _, t := range ts {
		w := strings.ToLower(t.Text)
		switch {
		case strings.Contains(w, ":"), w == "noon", w == "midnight", w == "o'clock", w == "a.m.", w == "p.m.", w == "am", w == "pm":
			clock = true
		case calendar[w] && strings.HasSuffix(w, "day"):
			return "on " + ans
		case calendar[w]:
			month = true
		case ordinal(w), numeric(w) && len(w) <= 2:
			day = true
		}
		if strings.Count(w, "-") == 2 || strings.Count(w, "/") == 2 {
			return "on " + ans
		}
	}
	switch {
	case clock:
		return "at " + ans
	case month && day:
		return "on " + ans
	}
	return "in " + ans
}
