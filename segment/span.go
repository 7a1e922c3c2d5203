package segment

import (
	"encoding/json"
	"fmt"
)

// Span is a half-open range [Start, End) of UTF-8 byte offsets into one
// text. A Span made by this module always lies on rune borders. In JSON it is
// the array [Start, End].
type Span struct {
	Start, End int
}

// Len returns the length of s in bytes.
func (s Span) Len() int { return s.End - s.Start }

// Of returns the part of text that s covers. The span must lie inside text.
func (s Span) Of(text string) string { return text[s.Start:s.End] }

// Empty reports whether s covers no byte.
func (s Span) Empty() bool { return s.End <= s.Start }

// Overlaps reports whether s and t share at least one byte.
func (s Span) Overlaps(t Span) bool { return s.Start < t.End && t.Start < s.End }

// Contains reports whether every byte of t lies in s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Shift returns s moved by n bytes, as from a sentence to the text that holds it.
func (s Span) Shift(n int) Span { return Span{s.Start + n, s.End + n} }

// Union returns the smallest span that contains both s and t.
func (s Span) Union(t Span) Span {
	return Span{min(s.Start, t.Start), max(s.End, t.End)}
}

// String returns s as "[start:end)".
func (s Span) String() string { return fmt.Sprintf("[%d:%d)", s.Start, s.End) }

// MarshalJSON writes s as [Start, End].
func (s Span) MarshalJSON() ([]byte, error) {
	return json.Marshal([2]int{s.Start, s.End})
}

// UnmarshalJSON reads [Start, End]; anything else, a negative offset or an end
// before its start is an error.
func (s *Span) UnmarshalJSON(b []byte) error {
	var v []int
	if err := json.Unmarshal(b, &v); err != nil {
		return fmt.Errorf("segment: span: %w", err)
	}
	if len(v) != 2 || v[0] < 0 || v[1] < v[0] {
		return fmt.Errorf("segment: span must be [start, end] with 0 <= start <= end, not %s", b)
	}
	s.Start, s.End = v[0], v[1]
	return nil
}
