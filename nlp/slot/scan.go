package slot

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

type tokKind byte

const (
	wordTok tokKind = iota + 1 // letters, with apostrophes inside
	numTok                     // digits, with grouping commas and a decimal point
	codeTok                    // letters and digits mixed: "B12", "1.2.3"
	markTok                    // one other character
)

// tok is one token of the scan.
type tok struct {
	segment.Span
	kind  tokKind
	lower string
	// newline says that a line break lies between the token and the one before.
	newline bool
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.M, r) }

// gluedSuffix are the letters that may follow a number without a blank and are
// a token of their own.
func gluedSuffix(s string) bool {
	switch s {
	case "st", "nd", "rd", "th", "s", "am", "pm", "bn", "tn", "mn", "k", "m":
		return true
	}
	_, ok := unitOf(s)
	return ok
}

// scan cuts text into tokens, in one pass.
func scan(text string) []tok {
	out := make([]tok, 0, len(text)/5+1)
	newline := false
	emit := func(b, e int, k tokKind) {
		out = append(out, tok{segment.Span{Start: b, End: e}, k, lowerWord(text[b:e]), newline})
		newline = false
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r):
			newline = newline || r == '\n'
			i += n
		case r >= '0' && r <= '9':
			j, plain := scanNumber(text, i)
			if k := exponent(text, i, j); k > 0 {
				emit(i, k, numTok)
				i = k
				continue
			}
			k := scanWord(text, j)
			switch {
			case !plain:
				k = max(k, j)
				emit(i, k, codeTok)
			case k == j:
				emit(i, j, numTok)
			case gluedSuffix(lowerWord(text[j:k])):
				emit(i, j, numTok)
				emit(j, k, wordTok)
			default:
				emit(i, k, codeTok)
			}
			i = k
		case digitOf(r) >= 0:
			// Digits of another script stand for ours.
			j := i
			var plain []byte
			for j < len(text) && len(plain) < 18 {
				r, n := utf8.DecodeRuneInString(text[j:])
				d := digitOf(r)
				if d < 0 {
					break
				}
				plain = append(plain, byte('0'+d))
				j += n
			}
			emit(i, j, numTok)
			out[len(out)-1].lower = string(plain)
			i = j
		case isLetter(r):
			j := scanWord(text, i)
			kind := wordTok
			if strings.ContainsAny(text[i:j], "0123456789") {
				kind = codeTok
			}
			emit(i, j, kind)
			i = j
		default:
			emit(i, i+n, markTok)
			i += n
		}
	}
	return out
}

// scanNumber returns the end of the number that starts at i, and whether it is
// a plain one: at most one decimal point, groups of three behind commas, and
// no more digits than a float64 holds exactly.
func scanNumber(text string, i int) (end int, plain bool) {
	digits := func(j int) int {
		for j < len(text) && text[j] >= '0' && text[j] <= '9' {
			j++
		}
		return j
	}
	j := digits(i)
	total := j - i
	first := total
	if first <= 3 {
		for j < len(text) && text[j] == ',' && digits(j+1) == j+4 {
			j += 4
			total += 3
		}
	}
	// Tokenised text writes "13, 000". A group that starts with 0 is no item of a
	// list.
	for total <= 12 && j-i <= 16 && j+2 < len(text) && text[j] == ',' && text[j+1] == ' ' && text[j+2] == '0' && digits(j+2) == j+5 && first <= 3 {
		j += 5
		total += 3
	}
	points := 0
	// Tokenised text writes "98. 7 per cent", too.
	if total <= 3 && j+2 < len(text) && text[j] == '.' && text[j+1] == ' ' {
		if k := digits(j + 2); k > j+2 && k <= j+4 && splitDecimal(text[k:]) {
			return k, true
		}
	}
	// Groups of three behind points, at least two of them: "1.000.000".
	if k := j; first <= 3 && k == i+first {
		for k < len(text) && text[k] == '.' && digits(k+1) == k+4 {
			k += 4
		}
		if k >= j+8 && k-i <= 19 && text[i] != '0' && !(k < len(text) && text[k] == '.' && digits(k+1) > k+1) {
			return k, true
		}
	}
	for j+1 < len(text) && text[j] == '.' && digits(j+1) > j+1 {
		k := digits(j + 1)
		total += k - j - 1
		j = k
		points++
	}
	return j, points <= 1 && total <= 15
}

// scanWord returns the end of the run of letters, digits and inner apostrophes
// at i.
func scanWord(text string, i int) int {
	j := i
	for j < len(text) {
		r, n := utf8.DecodeRuneInString(text[j:])
		if isLetter(r) || r >= '0' && r <= '9' && j > i {
			j += n
			continue
		}
		if (r == '\'' || r == '’') && j > i {
			next, _ := utf8.DecodeRuneInString(text[j+n:])
			if isLetter(next) {
				j += n
				continue
			}
		}
		// Initials: "U.S.", "J.R.R." keep their inner points.
		if r == '.' && initials(text, i, j) {
			j++
			continue
		}
		break
	}
	return j
}

// initials reports whether the point at j follows a single capital that begins
// the word at i or stands behind another point, and another capital or point
// pair follows or preceded it.
func initials(text string, i, j int) bool {
	if j < 1 || text[j-1] < 'A' || text[j-1] > 'Z' {
		return false
	}
	first := j-1 == i
	chained := j-2 > i && text[j-2] == '.'
	if !first && !chained {
		return false
	}
	if chained {
		return true
	}
	return j+2 < len(text) && text[j+1] >= 'A' && text[j+1] <= 'Z' && text[j+2] == '.'
}

// lowerWord lowers s and writes apostrophes alike.
func lowerWord(s string) string {
	s = strings.ToLower(s)
	if strings.Contains(s, "’") {
		s = strings.ReplaceAll(s, "’", "'")
	}
	return s
}

// afterNumber are words that go on after a number and hardly ever follow a number
// that begins a sentence.
var afterNumber = set("in from to at on for by and while compared versus against since last this")

// splitDecimal reports whether what follows a number after a point and a blank
// shows that the three are one decimal number: a sign or word of a measure.
func splitDecimal(rest string) bool {
	rest = strings.TrimLeft(rest[:min(len(rest), 24)], " ")
	if strings.HasPrefix(rest, "%") {
		return true
	}
	j := scanWord(rest, 0)
	w := lowerWord(rest[:j])
	if w == "per" || w == "percent" || w == "points" || scales[w] > 0 || afterNumber[w] {
		return true
	}
	_, ok := unitOf(w)
	return ok
}

// digitOf returns the value of a decimal digit of the full-width, Arabic and
// Devanagari scripts, -1 for another rune.
func digitOf(r rune) int {
	for _, zero := range [...]rune{0xFF10, 0x0660, 0x06F0, 0x0966} {
		if r >= zero && r <= zero+9 {
			return int(r - zero)
		}
	}
	return -1
}

// exponent returns the end of a number in scientific notation ("1e6") whose
// digits are text[i:j], 0 where there is none.
func exponent(text string, i, j int) int {
	if j-i > 5 || j+1 >= len(text) || text[j] != 'e' && text[j] != 'E' {
		return 0
	}
	k := j + 1
	if text[k] == '-' || text[k] == '+' {
		k++
	}
	b := k
	for k < len(text) && text[k] >= '0' && text[k] <= '9' {
		k++
	}
	if k == b || k > b+2 || k == b+2 && text[b] > '1' || scanWord(text, k) > k {
		return 0
	}
	return k
}
