package rules

import (
	"regexp"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// cut reports whether the place begins or ends inside a number of text.
func cut(text string, s segment.Span) bool {
	digit := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9' }
	point := func(i int) bool { return i >= 0 && i < len(text) && (text[i] == '.' || text[i] == ',') }
	return digit(s.Start) && (digit(s.Start-1) || point(s.Start-1) && digit(s.Start-2)) ||
		digit(s.End-1) && (digit(s.End) || point(s.End) && digit(s.End+1))
}

var (
	joinedAfter  = regexp.MustCompile(`^-\pL+`)
	joinedBefore = regexp.MustCompile(`\pL+-$`)
)

// compound returns the words that are joined to a value with hyphens, in small
// letters: a value inside such a word is no other word's value.
func compound(text string, s segment.Span) string {
	return strings.ToLower(joinedBefore.FindString(text[max(0, s.Start-40):s.Start]) + joinedAfter.FindString(text[s.End:min(len(text), s.End+40)]))
}

// between is what joins the two ends of a range.
var between = regexp.MustCompile(`^\s*(?:to|-|–|—|or|and)\s*$`)

// ranging returns the whole range that a value is an end of, or the value's own
// place.
func ranging(text string, slots []slot.Slot, v slot.Slot) (segment.Span, bool) {
	for _, s := range slots {
		if !numeric(s) || s.Span == v.Span {
			continue
		}
		lo, hi := s.Span, v.Span
		if hi.Start < lo.Start {
			lo, hi = hi, lo
		}
		if lo.End > hi.Start {
			continue
		}
		mid := text[lo.End:hi.Start]
		if !between.MatchString(mid) {
			continue
		}
		if strings.TrimSpace(mid) == "and" && !strings.HasSuffix(strings.ToLower(text[max(0, lo.Start-8):lo.Start]), "between ") {
			continue
		}
		return lo.Union(hi), true
	}
	return v.Span, len(figure.FindAllString(v.Text, 2)) == 2
}

// wholeRange replaces the range at a of the output by that at b of the source,
// with the "between" that one with "and" needs.
func (k *reading) wholeRange(a, b segment.Span) claim.Edit {
	a, b = withBetween(k.output, a), withBetween(k.source, b)
	text := oneLine(b.Of(k.source))
	if properName(a.Of(k.output)) {
		text = capital(text)
	}
	return claim.Edit{Span: a, New: text}
}

// withBetween widens a place to the word "between" right before it.
func withBetween(text string, s segment.Span) segment.Span {
	const word = "between "
	if s.Start >= len(word) && strings.EqualFold(text[s.Start-len(word):s.Start], word) {
		s.Start -= len(word)
	}
	return s
}

// bound is a word that makes a number a limit.
var bound = regexp.MustCompile(`(?i)\b(?:at least|at most|no more than|no fewer than|no less than|not more than|more than|fewer than|less than|over|under|up to|a maximum of|a minimum of)\s+$`)

// bounds puts the word of a limit right where the two sides name one number with
// different limits: "at most 8 GB" for "at least 8 GB".
func (k *reading) bounds(old, now slot.Slot) []claim.Edit {
	if old.Value != now.Value {
		return nil
	}
	a := boundBefore(k.output, old.Span.Start)
	b := boundBefore(k.source, now.Span.Start)
	if a.Empty() || b.Empty() || strings.EqualFold(a.Of(k.output), b.Of(k.source)) {
		return nil
	}
	text := strings.ToLower(oneLine(b.Of(k.source)))
	if properName(a.Of(k.output)) {
		text = capital(text)
	}
	return []claim.Edit{{Span: a, New: text}}
}

// boundBefore returns the place of the word of a limit that ends right before
// at, without the blank.
func boundBefore(text string, at int) segment.Span {
	from := max(0, at-24)
	m := bound.FindStringIndex(text[from:at])
	if m == nil {
		return segment.Span{}
	}
	return segment.Span{Start: from + m[0], End: from + m[0] + len(strings.TrimRight(text[from+m[0]:from+m[1]], " \t\n"))}
}
