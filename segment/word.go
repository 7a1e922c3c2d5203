package segment

import (
	"unicode"
	"unicode/utf8"
)

// Words returns the words of text in order: runs of letters, marks and digits.
// Punctuation, symbols and white space lie between them.
//
//   - An apostrophe between letters belongs to the word ("didn't", "O’Hara"), a
//     hyphen does not ("well-known" is two words).
//   - A full stop between digits belongs to the number ("3.14", "30.11.2026"),
//     a comma only as a thousands separator ("1,000,000" is one word, "1,2,3"
//     three).
//   - Full stops between single letters belong to the abbreviation ("U.S"; the
//     last stop does not).
//   - In scripts that are written without blanks (Han, Hiragana, Katakana,
//     Thai, Lao, Khmer, Myanmar, Tibetan) each rune with its marks is a word.
//
// The time is linear in the length of text.
func Words(text string) []Span {
	var out []Span
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !wordRune(r) {
			i += n
			continue
		}
		end := wordEnd(text, i)
		out = append(out, Span{i, end})
		i = end
	}
	return out
}

// wordEnd returns the end of the word that starts at i, where a word rune is.
func wordEnd(text string, i int) int {
	r, n := utf8.DecodeRuneInString(text[i:])
	if unspaced(r) {
		return marksEnd(text, i+n)
	}
	start, group, prev := i, i, r // group: where the present run of digits starts
	for i += n; i < len(text); {
		r, n = utf8.DecodeRuneInString(text[i:])
		switch {
		case unspaced(r):
			return i
		case unicode.Is(unicode.M, r) || wordRune(r):
			if digit(r) != digit(prev) {
				group = i
			}
		default:
			next, _ := utf8.DecodeRuneInString(text[i+n:])
			if !joins(text, start, group, i, n, prev, r, next) {
				return i
			}
			group = i + n
		}
		prev = r
		i += n
	}
	return i
}

// joins reports whether the punctuation mark r of n bytes at i, between prev
// and next, belongs to the word that begins at start.
func joins(text string, start, group, i, n int, prev, r, next rune) bool {
	switch r {
	case '\'', '’':
		return unicode.IsLetter(prev) && unicode.IsLetter(next) && !unspaced(next)
	case '.':
		if digit(prev) && digit(next) {
			return true
		}
		// U.S.A: single letters on both sides.
		if !unicode.IsLetter(prev) || !unicode.IsLetter(next) {
			return false
		}
		if i-utf8.RuneLen(prev) != start && text[i-utf8.RuneLen(prev)-1] != '.' {
			return false
		}
		after, _ := utf8.DecodeRuneInString(text[i+n+utf8.RuneLen(next):])
		return !wordRune(after)
	case ',':
		return digit(prev) && i-group <= 3 && threeDigits(text[i+n:])
	case '_':
		return wordRune(next) || next == '_'
	}
	return false
}

func digit(r rune) bool { return '0' <= r && r <= '9' }

// threeDigits reports whether s starts with exactly three digits.
func threeDigits(s string) bool {
	n := 0
	for n < len(s) && n < 4 && digit(rune(s[n])) {
		n++
	}
	return n == 3
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

func marksEnd(text string, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !unicode.Is(unicode.M, r) {
			break
		}
		i += n
	}
	return i
}

// unspaced reports whether r is a letter of a script that puts no blanks
// between words.
func unspaced(r rune) bool {
	if r < 0x0E00 {
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai,
		unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan) && unicode.IsLetter(r)
}
