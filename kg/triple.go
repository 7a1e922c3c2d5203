package kg

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Triple is one fact: the directed edge from Head to Tail labelled Relation.
// Labels are any UTF-8 text; nothing in this module splits a label at
// punctuation. Two triples are the same fact to the kg package when all three
// labels are equal byte for byte; apply a Normalizer first for a looser sense.
type Triple struct {
	Head, Relation, Tail string
}

// Part names one of the three labels of a Triple.
type Part string

// The parts of a Triple.
const (
	Head     Part = "head"
	Relation Part = "relation"
	Tail     Part = "tail"
)

// LabelError says which label of a triple cannot be used, and why. Encode and
// the MarshalJSON methods return it for a label that is not UTF-8.
type LabelError struct {
	Triple Triple
	Part   Part
	// Offset is the byte of the label at which the fault lies.
	Offset int
	Msg    string
}

func (e *LabelError) Error() string {
	return fmt.Sprintf("kg: %s of %v: %s at byte %d", e.Part, e.Triple, e.Msg, e.Offset)
}

// Validate returns a *LabelError when a label of t is not valid UTF-8, and nil
// otherwise. An empty label is valid.
func (t Triple) Validate() error {
	for _, l := range [...]struct {
		part  Part
		label string
	}{{Head, t.Head}, {Relation, t.Relation}, {Tail, t.Tail}} {
		if at := invalidUTF8(l.label); at >= 0 {
			return &LabelError{Triple: t, Part: l.part, Offset: at, Msg: "invalid UTF-8"}
		}
	}
	return nil
}

// invalidUTF8 returns the offset of the first byte of s that is not UTF-8, or -1.
func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return -1
}

// Reverse returns the triple with head and tail exchanged.
func (t Triple) Reverse() Triple { return Triple{t.Tail, t.Relation, t.Head} }

// Compare orders triples by head, then relation, then tail, each by its bytes.
// It returns -1, 0 or +1.
func (t Triple) Compare(u Triple) int {
	return cmp.Or(
		strings.Compare(t.Head, u.Head),
		strings.Compare(t.Relation, u.Relation),
		strings.Compare(t.Tail, u.Tail))
}

// String returns t for a log or a failure message: (head, relation, tail).
// A label that could be misread there (it holds a comma, a parenthesis, a
// double quote or something unprintable, is empty, or begins or ends with white
// space) is quoted as Go does, so that different triples read differently.
func (t Triple) String() string {
	return "(" + quoteLabel(t.Head) + ", " + quoteLabel(t.Relation) + ", " + quoteLabel(t.Tail) + ")"
}

func quoteLabel(s string) string {
	plain := s != "" && s == strings.TrimSpace(s) && utf8.ValidString(s) &&
		strings.IndexFunc(s, func(r rune) bool {
			return r == ',' || r == '(' || r == ')' || r == '"' || !unicode.IsPrint(r)
		}) < 0
	if plain {
		return s
	}
	return strconv.Quote(s)
}
