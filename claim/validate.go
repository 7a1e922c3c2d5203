package claim

import (
	"errors"
	"fmt"
	"strconv"
	"unicode"

	"github.com/kgeval/kgeval/segment"
)

// ErrNoContext says that a sample has no source with any text in it: nothing
// can be checked against an empty context, and no verdict is given.
var ErrNoContext = errors.New("empty context: there is no source with text to check against")

// InvalidUTF8Error says that a text of a sample is not UTF-8.
type InvalidUTF8Error struct {
	// Part is "output", "question" or "source".
	Part string
	// Source and Index name the source when Part is "source": its ID (its
	// position where it has none) and its position in Sample.Sources.
	Source string
	Index  int
	// Offset is the byte offset of the first byte that is not UTF-8.
	Offset int
}

func (e *InvalidUTF8Error) Error() string {
	if e.Part == "source" {
		return fmt.Sprintf("source %q is not UTF-8 at byte %d", e.Source, e.Offset)
	}
	return fmt.Sprintf("%s is not UTF-8 at byte %d", e.Part, e.Offset)
}

// Validate reports what makes s impossible to check: ErrNoContext when no
// source has any text (ID-only, empty and blank sources count as none), or an
// *InvalidUTF8Error for the first text that is not UTF-8 (output, then
// question, then sources in order). An empty output is no error: its outcome
// is NoClaims. Empty sources among good ones are no error either; they keep
// their position, so that evidence names the same index as the caller does.
func Validate(s Sample) error {
	if i := invalidAt(s.Output); i >= 0 {
		return &InvalidUTF8Error{Part: "output", Offset: i}
	}
	if i := invalidAt(s.Question); i >= 0 {
		return &InvalidUTF8Error{Part: "question", Offset: i}
	}
	return ValidateSources(s.Sources)
}

// ValidateSources is Validate for sources alone.
func ValidateSources(sources []Source) error {
	for i, src := range sources {
		if k := invalidAt(src.Text); k >= 0 {
			return &InvalidUTF8Error{Part: "source", Source: src.Name(i), Index: i, Offset: k}
		}
	}
	for _, src := range sources {
		if !Blank(src.Text) {
			return nil
		}
	}
	return ErrNoContext
}

// invalidAt returns the offset of the first byte of text that is not UTF-8, or
// -1.
func invalidAt(text string) int {
	var bad *segment.InvalidUTF8Error
	if errors.As(segment.CheckUTF8(text), &bad) {
		return bad.Offset
	}
	return -1
}

// Repair returns s with each run of bytes that is not UTF-8 replaced by one
// U+FFFD, and whether anything was replaced. Spans of a result then refer to the
// repaired text. The argument is not changed.
func Repair(s Sample) (Sample, bool) {
	changed := false
	fix := func(text string) string {
		fixed := segment.RepairUTF8(text)
		changed = changed || fixed != text
		return fixed
	}
	s.Output = fix(s.Output)
	s.Question = fix(s.Question)
	sources := make([]Source, len(s.Sources))
	for i, src := range s.Sources {
		sources[i] = Source{ID: src.ID, Text: fix(src.Text)}
	}
	if s.Sources != nil {
		s.Sources = sources
	}
	return s, changed
}

// Name returns what evidence calls the source at the given position: its ID,
// or the position where it has none.
func (s Source) Name(position int) string {
	if s.ID != "" {
		return s.ID
	}
	return strconv.Itoa(position)
}

// Blank reports whether text holds nothing that a reader would see: white
// space, control characters and invisible format characters only.
func Blank(text string) bool {
	for _, r := range text {
		if !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) {
			return false
		}
	}
	return true
}
