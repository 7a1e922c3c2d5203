package lexical

import (
	"strings"

	"github.com/kgeval/kgeval/nlp/slot"
)

// quoted puts text between quotation marks, its white space folded.
func quoted(text string) string {
	return "\"" + strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ") + "\""
}

func exchanged(x, y string) string {
	return quoted(x) + " and " + quoted(y) + " have changed roles"
}

// versus says that slot i of h stands against slot j of the passage.
func (a *alignment) versus(i, j int) string {
	return quoted(a.h.told(i)) + " against " + quoted(a.c.told(j))
}

// bounding are words before a number that say how it bounds what is meant.
var bounding = wordSet("more fewer less greater higher lower than at least most over under above below about around nearly almost up to no not exactly only some roughly approximately")

// told is the text of slot i with the words before it that bound a number:
// "fewer than 500".
func (x *analysis) told(i int) string {
	s := x.slots[i]
	switch s.Kind {
	case slot.Number, slot.Percent, slot.Quantity:
	default:
		return s.Text
	}
	k := x.first[i]
	for k > 0 && x.first[i]-k < 4 && bounding[x.words[k-1].lower] {
		k--
	}
	switch f := x.first[i]; {
	case k < 0 || k == f, x.words[f-1].lower == "to" && x.words[max(f-2, 0)].lower != "up",
		x.words[f-1].lower == "at", x.words[f-1].lower == "most":
		if f < 2 || x.words[f-1].lower != "most" || x.words[f-2].lower != "at" {
			return s.Text
		}
	}
	return x.text[x.words[k].Start:s.Span.End]
}
