package segment

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// InvalidUTF8Error says where a text stops being UTF-8.
type InvalidUTF8Error struct {
	// Offset is the byte offset of the first byte that belongs to no rune.
	Offset int
}

// Error implements error.
func (e *InvalidUTF8Error) Error() string {
	return fmt.Sprintf("segment: text is not UTF-8 at byte %d", e.Offset)
}

// CheckUTF8 returns nil if text is valid UTF-8, else an *InvalidUTF8Error with
// the offset of the first bad byte. NUL bytes and U+FFFD written out are valid.
func CheckUTF8(text string) error {
	if utf8.ValidString(text) {
		return nil
	}
	for i, r := range text {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(text[i:]); n == 1 {
				return &InvalidUTF8Error{Offset: i}
			}
		}
	}
	return nil
}

// RepairUTF8 returns text with each run of bad bytes replaced by one U+FFFD.
// Valid text is returned as it is; offsets into repaired text are not offsets
// into the original.
func RepairUTF8(text string) string {
	return strings.ToValidUTF8(text, "\uFFFD")
}
