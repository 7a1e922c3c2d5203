package graphcorrect

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

// ErrBadEdit says that an edit cannot be applied: its span is not a place in the
// text, its new text is not UTF-8, or it overlaps another.
var ErrBadEdit = errors.New("edit cannot be applied")

// Apply returns text with edits applied, and the edits in ascending order with
// Old and NewSpan filled in. Only Span and New are read. Whatever lies outside
// the spans is kept byte for byte. It fails with ErrBadEdit, and applies
// nothing, when a span is not a place in text on rune borders, New is not UTF-8,
// or two edits overlap; two insertions at one place, or one at the edge of a
// replacement, count as overlapping, since their order would be arbitrary.
func Apply(text string, edits []claim.Edit) (string, []claim.Edit, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b claim.Edit) int {
		if a.Span.Start != b.Span.Start {
			return a.Span.Start - b.Span.Start
		}
		return a.Span.End - b.Span.End
	})
	var out strings.Builder
	at := 0
	for i := range sorted {
		e := &sorted[i]
		if err := valid(text, *e); err != nil {
			return "", nil, err
		}
		if i > 0 && clash(sorted[i-1].Span, e.Span) {
			return "", nil, fmt.Errorf("graphcorrect: %w: %v overlaps %v", ErrBadEdit, e.Span, sorted[i-1].Span)
		}
		out.WriteString(text[at:e.Span.Start])
		e.Old = e.Span.Of(text)
		e.NewSpan = segment.Span{Start: out.Len(), End: out.Len() + len(e.New)}
		out.WriteString(e.New)
		at = e.Span.End
	}
	out.WriteString(text[at:])
	return out.String(), sorted, nil
}

// valid reports why e cannot be applied to text on its own.
func valid(text string, e claim.Edit) error {
	s := e.Span
	switch {
	case s.Start < 0 || s.End < s.Start || s.End > len(text):
		return fmt.Errorf("graphcorrect: %w: %v is outside a text of %d bytes", ErrBadEdit, s, len(text))
	case cutsRune(text, s.Start) || cutsRune(text, s.End):
		return fmt.Errorf("graphcorrect: %w: %v cuts a character", ErrBadEdit, s)
	case !utf8.ValidString(e.New):
		return fmt.Errorf("graphcorrect: %w: the new text is not UTF-8", ErrBadEdit)
	}
	return nil
}

// cutsRune reports whether at lies inside a rune of text. A byte that belongs to
// no rune is one of its own.
func cutsRune(text string, at int) bool {
	if at <= 0 || at >= len(text) || utf8.RuneStart(text[at]) {
		return false
	}
	for from := at - 1; from >= 0 && from > at-utf8.UTFMax; from-- {
		if utf8.RuneStart(text[from]) {
			_, n := utf8.DecodeRuneInString(text[from:])
			return from+n > at
		}
	}
	return false
}

// clash reports whether two edits cannot both be applied.
func clash(a, b segment.Span) bool {
	if a.Empty() || b.Empty() {
		return a.Start <= b.End && b.Start <= a.End
	}
	return a.Overlaps(b)
}

// moved returns where the part s of the old text stands after edits (ascending,
// with NewSpan): what lies in an edited place grows to the whole new place.
func moved(s segment.Span, edits []claim.Edit) segment.Span {
	start, end := s.Start, s.End
	shift := 0
	startDone, endDone := false, false
	for _, e := range edits {
		if !startDone && s.Start < e.Span.End {
			startDone = true
			if s.Start >= e.Span.Start {
				start = e.NewSpan.Start
			} else {
				start = s.Start + shift
			}
		}
		if !endDone && s.End <= e.Span.End {
			endDone = true
			if s.End > e.Span.Start {
				end = e.NewSpan.End
			} else {
				end = s.End + shift
			}
		}
		if startDone && endDone {
			break
		}
		shift = e.NewSpan.End - e.Span.End
	}
	if !startDone {
		start = s.Start + shift
	}
	if !endDone {
		end = s.End + shift
	}
	return segment.Span{Start: start, End: max(start, end)}
}
