package hashed

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// word is one word of a text, ready for its features.
type word struct {
	stem     string
	function bool // an English function word
	// joined says that the word is of a script without blanks between words.
	joined bool
}

// maxWord bounds a word, in characters: a megabyte without blanks is cut into
// many words.
const maxWord = 64

// eachWord calls f for each word of text in order; see Embedder. If there is no
// letter, digit or sign in it, the characters other than white space are one word.
func eachWord(text string, f func(word)) {
	var current []rune
	found, initials := false, false
	flush := func() {
		if len(current) > 0 {
			found = true
			f(newWord(current))
			current = current[:0]
		}
		initials = false
	}
	var last rune
	quoted := map[rune]bool{}
	for r, next := range lookahead(text) {
		if sign := signWord(last, r, next, len(current), quoted); sign != "" {
			flush()
			found = true
			f(word{stem: sign})
			last = r
			continue
		}
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) {
			switch {
			case r == '\'' || r == '’':
				// "Curie's" and "D’Arcy" are one word.
				if len(current) > 0 && len(current) < maxWord {
					current = append(current, '\'')
				}
			case r == '.' && (initials || len(current) == 1) && unicode.IsLetter(last):
				initials = true // so is "U.S.A."
			default:
				flush()
			}
			last = r
			continue
		}
		if len(current) > 0 && border(last, r) || len(current) == maxWord {
			flush()
		}
		current = append(current, r)
		last = r
	}
	flush()
	if found {
		return
	}
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		if unicode.IsSpace(r) {
			continue
		}
		if current = append(current, r); len(current) == maxWord {
			flush()
		}
	}
	flush()
}

// folded yields the characters of text in compatibility form, composed again
// only so far as its accents are dropped, not yet in small letters: capitals tell
// where "hasTarget" is to be split.
func folded(text string) func(yield func(int, rune) bool) {
	return func(yield func(int, rune) bool) {
		var it norm.Iter
		it.InitString(norm.NFKD, strings.ToValidUTF8(text, "\uFFFD"))
		at := 0
		for !it.Done() {
			part := it.Next()
			for len(part) > 0 {
				r, size := utf8.DecodeRune(part)
				part = part[size:]
				if r >= 0x300 && r <= 0x36f {
					continue // combining diacritical marks
				}
				if !yield(at, r) {
					return
				}
				at++
			}
		}
	}
}

// lookahead yields the characters of folded with the two that follow, blanks
// behind the end.
func lookahead(text string) func(yield func(r rune, next [2]rune) bool) {
	return func(yield func(r rune, next [2]rune) bool) {
		var window [2]rune
		n := 0
		for _, r := range folded(text) {
			if n < 2 {
				window[n] = r
				n++
				continue
			}
			if !yield(window[0], [2]rune{window[1], r}) {
				return
			}
			window[0], window[1] = window[1], r
		}
		if n == 2 && !yield(window[0], [2]rune{window[1], ' '}) {
			return
		}
		if n > 0 {
			yield(window[n-1], [2]rune{' ', ' '})
		}
	}
}

// signNames are the words for the signs that have one.
var signNames = map[rune]string{'%': "percent", '$': "dollar", '€': "euro", '£': "pound", '¥': "yen", '+': "plus", '<': "less", '>': "greater"}

// signWord returns the word that the character r stands for if it is a sign (see
// Embedder), else "". in is the length of the word before it, if it is attached.
func signWord(last, r rune, following [2]rune, in int, quoted map[rune]bool) string {
	next := following[0]
	attached := in > 0 && (unicode.IsLetter(last) || unicode.IsNumber(last))
	alnum := unicode.IsLetter(next) || unicode.IsNumber(next)
	name := signNames[r]
	if name == "" {
		name = string(r)
	}
	switch r {
	case '+':
		if attached || last == '+' || unicode.IsSpace(last) && unicode.IsSpace(next) {
			return name
		}
		return ""
	case '-', '\u2212', '\u2010':
		if attached && !alnum && in <= 3 && !(unicode.IsSpace(next) && unicode.IsLetter(following[1])) {
			return "minus"
		}
		if !attached && unicode.IsNumber(next) && (last == 0 || unicode.IsSpace(last)) {
			return "minus"
		}
		return ""
	case '#':
		if attached {
			return "sharp"
		}
		return ""
	case '\'', '"':
		open := quoted[r]
		if r == '"' || !unicode.IsLetter(last) {
			quoted[r] = !open
		}
		if !open && unicode.IsNumber(last) && !unicode.IsLetter(next) {
			return name
		}
		return ""
	case '%', '°', '′', '″':
		return name
	case '<', '>', '=':
		if last != '-' && last != '=' && next != '-' && !(r == '=' && next == '>') {
			return name
		}
		return ""
	case '|', '~', '×', '^', '`':
		return ""
	}
	if unicode.Is(unicode.Sc, r) || unicode.Is(unicode.Sm, r) && !(r >= 0x2190 && r <= 0x21ff) {
		return name
	}
	return ""
}

// border reports whether a word ends between two of its characters.
func border(a, b rune) bool {
	switch {
	case unicode.IsLower(a) && unicode.IsUpper(b):
		return true
	case unicode.IsNumber(a) != unicode.IsNumber(b):
		return !unicode.IsMark(b)
	}
	return joined(a) != joined(b) && !unicode.IsMark(b)
}

// joined reports whether r is of a script that puts no blanks between words.
func joined(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func newWord(runes []rune) word {
	small := make([]rune, len(runes))
	for i, r := range runes {
		small[i] = unicode.ToLower(unicode.ToUpper(r)) // also ſ, ς and their like
	}
	s := string(small)
	if n := strings.TrimSuffix(strings.TrimRight(s, "'"), "'s"); n != "" {
		s = strings.ReplaceAll(n, "'", "")
	}
	if functionWords[s] {
		return word{stem: s, function: true}
	}
	return word{stem: stem(s), joined: joined(runes[0])}
}

// pieces calls f for each piece of the word and returns their number.
func (w word) pieces(f func(string)) int {
	n := 0
	each := func(s string, size int) {
		// starts holds the offsets of the last size characters.
		starts := make([]int, 0, len(s))
		for i := range s {
			starts = append(starts, i)
		}
		starts = append(starts, len(s))
		for i := 0; i+size < len(starts); i++ {
			n++
			f(s[starts[i]:starts[i+size]])
		}
	}
	if w.joined {
		each(w.stem, 1)
		each(w.stem, 2)
		return n
	}
	marked := "<" + w.stem + ">"
	each(marked, 3)
	each(marked, 4)
	return n
}

// functionWords weigh little: they say more about grammar than about the thing.
var functionWords = set(`a an the of in on at to for from by with as into onto and or its his her their
	is are was were be been being am has have had do does did will would shall that which who this these those it`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// stem cuts common endings of English words. It is meant to bring inflections of
// a word together and never to be read: "studies", "studied" and "studying" are
// "study"; "located", "locates" and "locating" are "locat".
func stem(s string) string {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return s // not a plain Latin word
		}
	}
	if len(s) < 4 {
		return s
	}
	switch {
	case strings.HasSuffix(s, "ies") && len(s) > 4, strings.HasSuffix(s, "ied") && len(s) > 4:
		return s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "sses"), strings.HasSuffix(s, "shes"), strings.HasSuffix(s, "ches"), strings.HasSuffix(s, "xes"):
		return s[:len(s)-2]
	case strings.HasSuffix(s, "ss"), strings.HasSuffix(s, "us"), strings.HasSuffix(s, "is"):
		return s
	case strings.HasSuffix(s, "ing") && vowelBefore(s, 3):
		return undouble(s[:len(s)-3])
	case strings.HasSuffix(s, "ed") && !strings.HasSuffix(s, "eed") && vowelBefore(s, 2):
		return undouble(s[:len(s)-2])
	case strings.HasSuffix(s, "s"):
		s = s[:len(s)-1]
	}
	if len(s) > 3 && strings.HasSuffix(s, "e") && s != "note" { // not "not"
		return s[:len(s)-1]
	}
	return s
}

// vowelBefore reports whether s without its last n bytes is long enough for a
// word and has a vowel: "bring" and "bed" keep their ending.
func vowelBefore(s string, n int) bool {
	s = s[:len(s)-n]
	return len(s) >= 3 && strings.ContainsAny(s, "aeiouy")
}

// undouble undoes the doubled consonant of "stopped", not that of "called".
func undouble(s string) string {
	n := len(s)
	if n > 3 && s[n-1] == s[n-2] && !strings.ContainsRune("lsz", rune(s[n-1])) {
		return s[:n-1]
	}
	if n > 4 && s[n-1] == 'e' {
		return s[:n-1]
	}
	return s
}
