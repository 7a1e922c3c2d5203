package s3kg

import (
	"strings"
	"unicode"
)

// token is a word, a number or a sign of a label, or what stands between two.
type token struct {
	text string
	kind tokenKind
}

type tokenKind byte

const (
	wordToken tokenKind = iota
	numberToken
	signToken // a mark that changes a value; see signs
	listToken // a comma, "and", "or", the end of a sentence
)

// maxMarked bounds the tokens that are looked at, as a label may be a whole text.
const maxMarked = 200

// readTokens splits a label into its first maxMarked tokens. Words are runs of
// letters and marks with the apostrophes inside, and the digits that follow
// letters; of scripts without blanks between words each character is a word.
// Numbers keep the points and commas inside, and a minus sign in front.
//
// Signs are: currency signs; % ‰ ° # + ^ and all mathematical symbols but arrows;
// a hyphen that ends a word of up to three letters ("A-", "Na-"), but not that of
// "pre- and post-war"; ' and " after a digit, if no such quote was opened. A plus
// in front of a number and # in front of one are none, nor is any mark not named
// here. A currency sign in front of a number is put behind it.
func readTokens(label string) []token {
	runes := []rune(label)
	at := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return ' '
		}
		return runes[i]
	}
	var tokens []token
	var currency string // waits for its number
	quoted := map[rune]bool{}
	for i := 0; i < len(runes) && len(tokens) < maxMarked; {
		r := runes[i]
		if !insideToken(at, i) {
			switch {
			case unicode.Is(unicode.Sc, r):
				if unicode.IsDigit(at(i+1)) || unicode.IsSpace(at(i+1)) && unicode.IsDigit(at(i+2)) {
					currency = string(r)
				} else {
					tokens = append(tokens, token{string(r), signToken})
				}
			case r == '.' && unicode.IsLetter(at(i-1)) && !unicode.IsLetter(at(i-2)) && i+1 < len(runes):
				// "U.S.", "J. Roe"
			case isListMark(r):
				tokens = append(tokens, token{",", listToken})
			case isSign(at, i, quoted):
				tokens = append(tokens, token{string(r), signToken})
			}
			if r == '"' || r == '\'' && !unicode.IsLetter(at(i-1)) {
				quoted[r] = !quoted[r]
			}
			i++
			continue
		}
		from := i
		for i++; i < len(runes) && insideToken(at, i) && !unspaced(r) && !unspaced(runes[i]); i++ {
		}
		text := string(runes[from:i])
		kind := wordToken
		if r == '-' || r == '\u2212' || unicode.IsDigit(r) {
			kind = numberToken
		}
		tokens = append(tokens, token{text, kind})
		if currency != "" {
			tokens = append(tokens, token{currency, signToken})
			currency = ""
		}
	}
	return tokens
}

// insideToken reports whether the character at i is part of a word or number.
func insideToken(at func(int) rune, i int) bool {
	r, before, after := at(i), at(i-1), at(i+1)
	switch r {
	case '-', '\u2212':
		// "-5" and "to -5", but not "3-1".
		return unicode.IsDigit(after) && !unicode.IsLetter(before) && !unicode.IsDigit(before) && before != '-' && before != ')'
	case '\'', '’':
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	case '.', ',':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

func isListMark(r rune) bool {
	switch r {
	case ',', ';', '.', '!', '?', '、', '，', '。', '；', '،', '&':
		return true
	}
	return false
}

// isSign reports whether the character at i, which is no currency sign and not
// inside a token, changes what it stands beside.
func isSign(at func(int) rune, i int, quoted map[rune]bool) bool {
	r, before, after := at(i), at(i-1), at(i+1)
	attached := unicode.IsLetter(before) || unicode.IsDigit(before)
	switch r {
	case '+':
		return attached || before == '+' || unicode.IsSpace(before) && unicode.IsSpace(after)
	case '-', '\u2212', '–', '⁻':
		if !attached || unicode.IsLetter(after) || unicode.IsDigit(after) {
			return false
		}
		if unicode.IsSpace(after) && unicode.IsLetter(at(i+2)) {
			return false // "pre- and post-war"
		}
		n := 0
		for n <= 3 && (unicode.IsLetter(at(i-1-n)) || unicode.IsDigit(at(i-1-n))) {
			n++
		}
		return n <= 3
	case '#', '♯', '♭':
		return attached
	case '%', '‰', '°', '^', '⁺':
		return true
	case '\'', '"', '′', '″', '’', '”':
		return unicode.IsDigit(before) && !quoted[r] && !unicode.IsLetter(after)
	case '>', '<', '=':
		// not an arrow
		return before != '-' && before != '=' && after != '-' && !(r == '=' && after == '>')
	case '|', '~', '×':
		return false
	}
	return unicode.Is(unicode.Sm, r) && !(r >= 0x2190 && r <= 0x21ff)
}

// unspaced reports whether r is of a script that puts no blanks between words.
func unspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// signWords are words that stand for a sign.
var signWords = pairs(`percent %, dollar $, dollars $, euro €, euros €, pound £, pounds £, yen ¥, degree °, degrees °, plus +, minus -`)

// rewriteNumbers writes numerals in words as digits, signs that have a word as the
// word, numbers in plain form, and contractions of "not" in full: labels that
// differ in nothing else are equal. Its input is a normalised label.
func rewriteNumbers(key string) string {
	if strings.Contains(key, "%") {
		key = strings.ReplaceAll(key, "%", " percent")
	}
	key = strings.ReplaceAll(key, "per cent", "percent")
	in := strings.Fields(key)
	out := in[:0:0]
	for i, w := range in {
		switch {
		case number.MatchString(w):
			w = plainNumber(w)
		case w == "one" && (i > 0 && !startsNumber[in[i-1]] || i+1 < len(in) && in[i+1] == "of"):
		case cardinals[w] != "":
			w = cardinals[w]
		case w == "can't" || w == "cannot":
			w = "can not"
		case w == "won't":
			w = "will not"
		case w != "n't" && strings.HasSuffix(w, "n't"):
			w = strings.TrimSuffix(w, "n't") + " not"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

var (
	cardinals = pairs(`zero 0, one 1, two 2, three 3, four 4, five 5, six 6, seven 7, eight 8, nine 9, ten 10,
		eleven 11, twelve 12, thirteen 13, fourteen 14, fifteen 15, sixteen 16, seventeen 17, eighteen 18, nineteen 19,
		twenty 20, thirty 30, forty 40, fifty 50, sixty 60, seventy 70, eighty 80, ninety 90`)
	startsNumber = words(`about around nearly almost exactly at least in has have had is was are were by for after`)
)

func plainNumber(s string) string {
	s = strings.TrimPrefix(strings.ReplaceAll(s, ",", ""), "+")
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}
