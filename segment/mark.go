package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func closing(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return strings.ContainsRune(")]}”’\"'»,;:.!?」』）", r)
}

// footnote returns the length of a reference such as "[12]" at the start of
// rest, or 0.
func footnote(rest string) int {
	for i := 1; i < len(rest) && i < 16; i++ {
		switch c := rest[i]; {
		case c == ']' && i > 1:
			return i + 1
		case c >= '0' && c <= '9' || c == ',' || c == ' ' || c == '-':
		default:
			return 0
		}
	}
	return 0
}

// isFullStop reports whether r ends a sentence in a script other than Latin.
func isFullStop(r rune) bool {
	return r > 0x580 && strings.ContainsRune("。！？｡．؟۔।॥։።፧፨။៕។᠃᠉།༎꓿‼⁇⁈⁉", r)
}

// wide reports whether the mark ends a sentence without a blank after it.
func wide(r rune) bool {
	return strings.ContainsRune("。！？｡．।॥።፧፨။។៕།༎", r)
}

// spaceAt reports whether i is the end of text or white space stands there.
func spaceAt(text string, i int) bool {
	if i >= len(text) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsSpace(r)
}

// spaceBefore reports whether i is the start of text or white space stands
// before it.
func spaceBefore(text string, i int) bool {
	if i <= 0 {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return unicode.IsSpace(r)
}

func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

// firstWord returns the letters, digits and apostrophes that s starts with.
func firstWord(s string) string {
	for i, r := range s {
		if !wordRune(r) && !(i > 0 && (r == '\'' || r == '’')) {
			return strings.TrimRight(s[:i], "'’")
		}
	}
	return s
}

func lower(s string) string { return strings.ToLower(s) }

// initial reports whether w is a single capital letter, alone or after others
// ("J", "J.R").
func initial(w string) bool {
	r, n := utf8.DecodeRuneInString(w)
	return n > 0 && n == len(w) && unicode.IsUpper(r)
}

// acronym reports whether w is letters with stops between: U.S, e.g, a.m, Ph.D.
func acronym(w string) bool {
	k := strings.IndexByte(w, '.')
	if k <= 0 || k > 4 || len(w) > 16 {
		return false
	}
	for _, part := range strings.Split(w, ".") {
		if n := utf8.RuneCountInString(part); n == 0 || n > 3 || !unicode.IsLetter(firstRune(part)) {
			return false
		}
	}
	return true
}

func allDigits(w string) bool {
	for i := 0; i < len(w); i++ {
		if !digit(rune(w[i])) {
			return false
		}
	}
	return w != ""
}

func romanNumeral(w string) bool {
	return w != "" && strings.Trim(w, "IVXLC") == ""
}
