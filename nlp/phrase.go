package nlp

import (
	"strings"

	"github.com/kgeval/kgeval/segment"
)

// Phrase is a base noun phrase: the tokens [First, End) of the document, from
// the determiner to the head noun, without what follows the head ("the new
// mayor" of "the new mayor of Graz").
type Phrase struct {
	segment.Span
	First, End int
	// Head is the position of the head noun's token; for a name its last word.
	Head int
}

// NounPhrases returns the base noun phrases of the sentence in order. They do
// not overlap. A phrase holds its possessor ("Ana's old car"), numbers and
// adjectives; names are never cut, and hold their "of" ("Bank of Ghana").
// Personal pronouns are phrases of one token; possessive ones are not, since
// they belong to the noun that follows.
func (d *Document) NounPhrases(s Sentence) []Phrase {
	var out []Phrase
	inName := d.namesIn(s)
	for i := s.First; i < s.End; {
		end, head := d.phraseAt(i, s.End, inName)
		if end <= i {
			i++
			continue
		}
		out = append(out, Phrase{
			Span:  segment.Span{Start: d.Tokens[i].Start, End: d.Tokens[end-1].End},
			First: i, End: end, Head: head,
		})
		i = end
	}
	return out
}

// namesIn returns the names of the sentence.
func (d *Document) namesIn(s Sentence) []Name {
	lo := d.nameFrom(s.First)
	hi := lo
	for hi < len(d.Names) && d.Names[hi].First < s.End {
		hi++
	}
	return d.Names[lo:hi]
}

// nameFrom returns the position of the first name that starts at token i or
// later.
func (d *Document) nameFrom(i int) int {
	lo, hi := 0, len(d.Names)
	for lo < hi {
		if m := (lo + hi) / 2; d.Names[m].First < i {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

func nameStarting(names []Name, i int) (Name, bool) {
	lo, hi := 0, len(names)
	for lo < hi {
		if m := (lo + hi) / 2; names[m].First < i {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(names) && names[lo].First == i {
		return names[lo], true
	}
	return Name{}, false
}

// phraseAt returns the end and the head of the phrase that starts at i, or 0.
func (d *Document) phraseAt(i, limit int, names []Name) (end, head int) {
	ts := d.Tokens
	if t := ts[i]; t.Tag == "PRP" {
		return i + 1, i
	}
	head = -1
	open := false // a determiner, possessive or adjective wants its noun
	j := i
loop:
	for j < limit {
		if n, ok := nameStarting(names, j); ok {
			if head >= 0 && (isYear(ts[head].Text) || ts[head].Tag == "NNS" && finite(at(ts, n.End).Tag)) {
				break // "in 1930 Hatton", "the leaves Bob left"
			}
			head, j, open = n.End-1, n.End, false
			continue
		}
		t := ts[j]
		next := at(ts, j+1)
		switch {
		case isNoun(t.Tag) || t.Tag == "FW":
			if head >= 0 && pronounLike(ts, j) {
				break loop
			}
			head, open = j, false
		case t.Tag == "POS" && head >= 0 && j+1 < limit && beginsNoun(ts, j+1):
			head, open = -1, true
		case t.Tag == "POS" && j > i && ts[j-1].Tag == "POS":
		case t.Tag == "DT" || t.Tag == "PRP$" || t.Tag == "PDT" || t.Tag == "WP$":
			if j > i && !(ts[j-1].Tag == "PDT" || strings.EqualFold(ts[j-1].Text, "all")) {
				break loop
			}
			open = true
		case t.Tag == "CD" || t.Tag == "$" || t.Tag == "#":
			if head >= 0 && t.Tag == "CD" && !calendar[strings.ToLower(ts[j-1].Text)] && ts[j-1].Tag != "CD" {
				break loop
			}
			if head < 0 {
				open = true
			}
			if t.Tag == "CD" && (j == i || head < 0) && (!nounFollows(ts, j+1, limit) || j == i && isYear(t.Text) && isName(next.Tag)) {
				head = j
			} else if t.Tag == "CD" && head >= 0 {
				head = j
			}
		case strings.HasPrefix(t.Tag, "JJ"):
			if head >= 0 {
				break loop
			}
			open = true
		case (t.Tag == "VBG" || t.Tag == "VBN") && head < 0 && (open || j == i) && (isNoun(next.Tag) || strings.HasPrefix(next.Tag, "JJ") && open):
			if j == i && (t.Tag == "VBG" || at(ts, j-1).Tag != "IN") {
				break loop // "playing golf", "trained dogs" are verb and object
			}
			open = true
		case strings.HasPrefix(t.Tag, "RB") && head < 0 && (strings.HasPrefix(next.Tag, "JJ") || next.Tag == "CD" || next.Tag == "VBN" && open) && nounFollows(ts, j+1, limit):
			open = true
		case (t.Tag == "CC" || t.Tag == ",") && open && head < 0 && j > i && strings.HasPrefix(ts[j-1].Tag, "JJ") && (strings.HasPrefix(next.Tag, "JJ") || next.Tag == "RB") && nounFollows(ts, j+1, limit):
			// "old and tired men"
		default:
			break loop
		}
		j++
	}
	if head < 0 {
		// "this", "the rich", "those": a determiner or adjective as head.
		first := ts[i]
		if first.Tag == "DT" && (j == i+1 && demonstrative[strings.ToLower(first.Text)] || j == i+2 && strings.EqualFold(first.Text, "the") && strings.HasPrefix(ts[j-1].Tag, "JJ")) {
			return j, j - 1
		}
		return 0, -1
	}
	// What was taken after the head wants a noun that did not come.
	return head + 1, head
}

var demonstrative = set(`this that these those each all both some any another none`)

func pronounLike(ts []Token, j int) bool {
	w := strings.ToLower(ts[j].Text)
	return w == "today" || w == "yesterday" || w == "tomorrow"
}

// nounFollows reports whether a noun comes after adjectives and numbers only.
func nounFollows(ts []Token, j, limit int) bool {
	for n := 0; n < 6 && j < limit; n, j = n+1, j+1 {
		switch t := ts[j]; {
		case isNoun(t.Tag):
			return true
		case strings.HasPrefix(t.Tag, "JJ"), t.Tag == "CD", t.Tag == "VBN", t.Tag == "VBG", strings.HasPrefix(t.Tag, "RB"), t.Tag == "CC", t.Tag == ",":
		default:
			return false
		}
	}
	return false
}

// isYear reports whether w is a year in four figures.
func isYear(w string) bool {
	return len(w) == 4 && (w[0] == '1' || w[0] == '2') && digitRun(w) == 4
}
