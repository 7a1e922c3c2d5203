package nlp

import (
	"strings"

	"github.com/kgeval/kgeval/segment"
)

// question is a question without its mark, in parts:
//
//	[lead] [preposition] [wh [noun]] aux subject rest
type question struct {
	a    *Analyzer
	text string
	ts   []Token
	// lead is what stands before the question proper ("In 1990,").
	lead string
	// prep is the preposition before the question word ("in which year").
	prep string
	// wh is the question word in lower case, "" in a yes/no question; noun is
	// what it asks of ("which country", "how many people", "how old").
	wh, noun string
	// at is the position of the auxiliary or verb.
	at int
}

var whWords = set(`who whom what which where when why how whose`)

func (a *Analyzer) newQuestion(s string) (*question, bool) {
	ss := segment.Sentences(s)
	if len(ss) == 0 {
		return nil, false
	}
	// The last sentence is the question; what stands before sets the scene.
	s = ss[len(ss)-1].Of(s)
	s = strings.TrimSpace(strings.TrimRight(s, "? !."))
	if s == "" {
		return nil, false
	}
	q := &question{a: a, text: s}
	q.ts = a.tokens(s)
	// "Which is larger, Jupiter or Saturn?": the choice is no part of the answer.
	if k := strings.LastIndex(s, ", "); k > 0 && strings.Contains(s[k:], " or ") && whWords[strings.ToLower(q.ts[0].Text)] {
		q.text = s[:k]
		q.ts = a.tokens(q.text)
	}
	ts := q.ts
	if len(ts) < 2 || len(ts) > 60 {
		return nil, false
	}
	i := 0
	// "Fever in children: does aspirin lower it?"
	for j := 1; j < len(ts)-2; j++ {
		if ts[j].Text == ":" && q.starts(j+1) {
			if t := at(ts, j+2).Tag; t == "PRP" || t == "PRP$" || strings.EqualFold(at(ts, j+2).Text, "there") {
				return nil, false // the pronoun means what stands before
			}
			i = j + 1
			break
		}
	}
	if lw := strings.ToLower(ts[i].Text); i > 0 {
	} else if lw == "so" || lw == "and" || lw == "but" || lw == "well" || lw == "then" || lw == "ok" || lw == "now" {
		i++
		if ts[i].Text == "," {
			i++
		}
	}
	if i < len(ts) && !q.starts(i) {
		// "In the book, who …", "According to the text, does …"
		for j := i; j < len(ts)-2; j++ {
			if ts[j].Text == "," && q.starts(j+1) {
				if lead := s[ts[i].Start:ts[j].End]; !hasPrefixFold(lead, "according to the ") && !hasPrefixFold(lead, "based on the ") {
					q.lead = lead
				}
				i = j + 1
				break
			}
		}
	}
	if i >= len(ts) || !q.starts(i) {
		return nil, false
	}
	if ts[i].Tag == "IN" || ts[i].Tag == "TO" {
		q.prep = strings.ToLower(ts[i].Text)
		i++
	}
	lw := strings.ToLower(ts[i].Text)
	if !whWords[lw] {
		q.at = i
		return q, true
	}
	q.wh = lw
	i++
	// what year, which of the two, how many people, how old
	start := i
	switch lw {
	case "what", "which", "whose":
		for i < len(ts) && !auxiliary(strings.ToLower(ts[i].Text)) && !finite(ts[i].Tag) {
			i++
		}
	case "how":
		for i < len(ts) && !auxiliary(strings.ToLower(ts[i].Text)) && !finite(ts[i].Tag) {
			i++
		}
	}
	if i >= len(ts) {
		return nil, false
	}
	if i > start {
		q.noun = s[ts[start].Start:ts[i-1].End]
	}
	q.at = i
	return q, true
}

// starts reports whether a question can start at token i: with an auxiliary, a
// question word, or a preposition before one.
func (q *question) starts(i int) bool {
	lw := strings.ToLower(q.ts[i].Text)
	if whWords[lw] || auxiliary(lw) {
		return true
	}
	return (q.ts[i].Tag == "IN" || q.ts[i].Tag == "TO") && i+2 < len(q.ts) && whWords[strings.ToLower(q.ts[i+1].Text)]
}

// between returns the words [i, j) as written.
func (q *question) between(i, j int) string {
	if i >= j || i >= len(q.ts) {
		return ""
	}
	return q.text[q.ts[i].Start:q.ts[min(j, len(q.ts))-1].End]
}

// aux returns the auxiliary at q.at in plain form, its negation, and where the
// subject starts.
func (q *question) aux() (aux string, neg bool, next int) {
	aux = strings.ToLower(q.ts[q.at].Text)
	next = q.at + 1
	if next < len(q.ts) {
		if lw := strings.ToLower(q.ts[next].Text); lw == "n't" {
			neg = true
			next++
			switch aux {
			case "ca":
				aux = "can"
			case "wo":
				aux = "will"
			case "sha":
				aux = "shall"
			case "ai":
				return "", true, next
			}
		}
	}
	return aux, neg, next
}
