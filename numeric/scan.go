package numeric

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

type tokenKind uint8

const (
	wordToken   tokenKind = iota + 1 // letters, with apostrophes inside
	numberToken                      // digits in a form that has a value
	codeToken                        // letters and digits mixed, or digits without a value
	markToken                        // one other character
)

// token is one token of a text.
type token struct {
	segment.Span
	kind    tokenKind
	text    string // as written
	lower   string // lower case, apostrophes alike
	glued   bool   // no white space before it
	newline bool   // a line break before it

	// Of a number: its value, how many digits stand behind the decimal mark, and
	// with how many zeros a whole one ends.
	value         *big.Rat
	places, zeros int
	plain         bool // digits alone, without marks
}

// A number beyond these is a code: nobody counts so far.
const (
	maxDigits   = 40
	maxExponent = 30
)

// scan cuts text into tokens, in one pass.
func scan(text string, style Style) []token {
	out := make([]token, 0, len(text)/5+1)
	space, newline := true, false
	emit := func(t token) {
		t.text = t.Of(text)
		t.lower = strings.ReplaceAll(strings.ToLower(t.text), "’", "'")
		t.glued, t.newline = !space, newline
		space, newline = false, false
		out = append(out, t)
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r):
			space, newline = true, newline || r == '\n'
			i += n
		case digitValue(r) >= 0:
			t, ok := literal(text, i, style)
			k := wordEnd(text, t.End)
			suffix := text[t.End:k]
			switch {
			case !ok:
				t.End = k
				t.kind = codeToken
				emit(t)
			case suffix == "":
				t.kind = numberToken
				emit(t)
			case gluedSuffix(suffix):
				t.kind = numberToken
				end := t.End
				emit(t)
				emit(token{Span: segment.Span{Start: end, End: k}, kind: wordToken})
			default:
				t.End = k
				t.kind, t.value = codeToken, nil
				emit(t)
			}
			i = k
		case isLetter(r):
			j := wordEnd(text, i)
			kind := wordToken
			if strings.ContainsAny(text[i:j], "0123456789") && !isUnitName(text[i:j]) {
				kind = codeToken
				// "â50,000" is one thing, whatever it is.
				for j+3 < len(text) && text[j] == ',' && allDigits(text[j+1:j+4]) {
					j += 4
				}
			}
			emit(token{Span: segment.Span{Start: i, End: j}, kind: kind})
			i = j
		default:
			t := token{Span: segment.Span{Start: i, End: i + n}, kind: markToken}
			if v := vulgar(r); v != nil {
				t.kind, t.value = numberToken, v
				t.places = 2
			}
			emit(t)
			i += n
		}
	}
	return out
}

func isLetter(r rune) bool {
	return unicode.IsLetter(r) || unicode.Is(unicode.M, r) || r == '°' || r == '²' || r == '³'
}

// wordEnd returns the end of the run of letters, digits, inner apostrophes and
// the points of initials ("U.S.") that starts at i.
func wordEnd(text string, i int) int {
	j := i
	for j < len(text) {
		r, n := utf8.DecodeRuneInString(text[j:])
		switch {
		case isLetter(r) || digitValue(r) >= 0 && j > i:
			j += n
			continue
		case (r == '\'' || r == '’') && j > i:
			if next, _ := utf8.DecodeRuneInString(text[j+n:]); unicode.IsLetter(next) {
				j += n
				continue
			}
		case r == '.' && initial(text, i, j):
			j++
			continue
		}
		break
	}
	return j
}

// initial reports whether the point at j belongs to initials: single capitals,
// at least two of them, each with its point.
func initial(text string, i, j int) bool {
	capital := func(k int) bool { return k >= i && k < len(text) && text[k] >= 'A' && text[k] <= 'Z' }
	if !capital(j - 1) {
		return false
	}
	if j-2 >= i && text[j-2] == '.' {
		return true
	}
	return j-1 == i && capital(j+1) && j+2 < len(text) && text[j+2] == '.'
}

// digitValue returns the value of a decimal digit of the Latin, full-width,
// Arabic and Devanagari scripts, -1 for another rune.
func digitValue(r rune) int {
	for _, zero := range [...]rune{'0', 0xFF10, 0x0660, 0x06F0, 0x0966} {
		if r >= zero && r <= zero+9 {
			return int(r - zero)
		}
	}
	return -1
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// vulgar returns the value of a fraction written as one character, nil for
// another rune.
func vulgar(r rune) *big.Rat {
	for _, f := range [...]struct {
		sign     rune
		num, den int64
	}{
		{'½', 1, 2}, {'¼', 1, 4}, {'¾', 3, 4}, {'⅓', 1, 3}, {'⅔', 2, 3}, {'⅕', 1, 5}, {'⅖', 2, 5}, {'⅗', 3, 5}, {'⅘', 4, 5},
		{'⅙', 1, 6}, {'⅚', 5, 6}, {'⅛', 1, 8}, {'⅜', 3, 8}, {'⅝', 5, 8}, {'⅞', 7, 8},
	} {
		if r == f.sign {
			return big.NewRat(f.num, f.den)
		}
	}
	return nil
}

// literal reads the number in digits that starts at i. ok is false where the
// digits have no single value ("1.2.3", forty-one digits).
func literal(text string, i int, style Style) (t token, ok bool) {
	point, group := ".", ","
	if style == CommaDecimal {
		point, group = ",", "."
	}
	digits := func(j int) (string, int) {
		var b strings.Builder
		for j < len(text) {
			r, n := utf8.DecodeRuneInString(text[j:])
			d := digitValue(r)
			if d < 0 {
				break
			}
			if b.Len() <= maxDigits {
				b.WriteByte(byte('0' + d))
			}
			j += n
		}
		return b.String(), j
	}
	whole, j := digits(i)
	t.Span = segment.Span{Start: i, End: j}
	t.plain = true
	fits := len(whole) <= maxDigits
	// Groups of three, or of two and a last of three (lakh and crore).
	if len(whole) <= 3 {
		var parts []string
		ends := []int{j}
		k := j
		for len(parts) < maxDigits/3 {
			n := separator(text, k, group)
			if n == 0 {
				break
			}
			d, e := digits(k + n)
			if len(d) != 3 && len(d) != 2 {
				break
			}
			if text[k:k+n] == group+" " && d[0] != '0' {
				break // "13, 000" of tokenised text, but no list "13, 140"
			}
			parts, ends, k = append(parts, d), append(ends, e), e
			if n == 1 && text[k-len(d)-1] == ' ' && d != "000" {
				parts, ends = parts[:len(parts)-1], ends[:len(ends)-1]
				break
			}
		}
		if n := grouped(parts, len(whole)); n > 0 {
			whole += strings.Join(parts[:n], "")
			t.End = ends[n]
			t.plain = false
		}
	}
	fraction := ""
	if d, e := digits(t.End + 1); d != "" && strings.HasPrefix(text[t.End:], point) {
		fraction, t.End, t.plain = d, e, false
	} else if style == PointDecimal && t.plain && strings.HasPrefix(text[t.End:], ". ") && len(whole) <= 3 {
		// "98. 7 per cent" of tokenised text.
		if d, e := digits(t.End + 2); d != "" && len(d) <= 2 && measureFollows(text[e:]) {
			fraction, t.End, t.plain = d, e, false
		}
	}
	exponent := 0
	if e, k := exponentAt(text, t.End); k > t.End {
		exponent, t.End, t.plain = e, k, false
	}
	// More points or groups behind it: a version, an address, a date.
	if r := text[t.End:]; len(r) > 1 && (strings.HasPrefix(r, point) || strings.HasPrefix(r, group)) {
		if d, e := digits(t.End + 1); d != "" && (r[0] == '.' || fraction != "" && r[0] == ',' && len(d) == 3) {
			t.End = e
			for t.End < len(text) && (text[t.End] == '.' || text[t.End] == ',') {
				d, e := digits(t.End + 1)
				if d == "" {
					break
				}
				t.End = e
			}
			return t, false
		}
	}
	if !fits || len(whole)+len(fraction) > maxDigits {
		return t, false
	}
	v, ok := new(big.Rat).SetString(whole + "." + fraction + "0")
	if !ok {
		return t, false
	}
	t.value = v.Mul(v, power(10, exponent))
	t.places = len(fraction)
	if fraction == "" {
		t.zeros = len(whole) - len(strings.TrimRight(whole, "0"))
	}
	t.places -= exponent
	if t.places < 0 {
		t.zeros, t.places = t.zeros-t.places, 0
	}
	return t, true
}

// separator returns the length of what stands between two groups of digits at k,
// 0 for nothing that does.
func separator(text string, k int, group string) int {
	rest := text[k:]
	for _, s := range [...]string{group + " ", group, "'", "’", "\u00a0", "\u202f", "\u2009", " "} {
		if strings.HasPrefix(rest, s) && len(rest) > len(s) && digitValue(rune(rest[len(s)])) >= 0 {
			return len(s)
		}
	}
	return 0
}

// grouped returns how many of the groups behind the leading digits belong to one
// number.
func grouped(parts []string, lead int) int {
	threes := 0
	for threes < len(parts) && len(parts[threes]) == 3 {
		threes++
	}
	if threes > 0 {
		return threes
	}
	// 12,34,567
	twos := 0
	for twos < len(parts) && len(parts[twos]) == 2 {
		twos++
	}
	if twos > 0 && lead <= 2 && twos < len(parts) && len(parts[twos]) == 3 {
		return twos + 1
	}
	return 0
}

// exponentAt reads the exponent of scientific notation at k: "e6", "×10^6".
func exponentAt(text string, k int) (exponent, end int) {
	rest := text[k:]
	n := 0
	switch {
	case len(rest) > 1 && (rest[0] == 'e' || rest[0] == 'E'):
		n = 1
	default:
		for _, s := range [...]string{"×10^", " × 10^", "x10^", " x 10^", "*10^"} {
			if strings.HasPrefix(rest, s) {
				n = len(s)
			}
		}
		if n == 0 {
			return 0, k
		}
	}
	j := k + n
	negative := false
	if j < len(text) && (text[j] == '-' || text[j] == '+') {
		negative = text[j] == '-'
		j++
	}
	b := j
	for j < len(text) && text[j] >= '0' && text[j] <= '9' && j-b < 3 {
		exponent = 10*exponent + int(text[j]-'0')
		j++
	}
	if j == b || exponent > maxExponent || wordEnd(text, j) > j {
		return 0, k
	}
	if negative {
		exponent = -exponent
	}
	return exponent, j
}

// measureFollows reports whether what follows a number parted by a blank shows
// that both parts are one: a sign or word of a measure.
func measureFollows(rest string) bool {
	rest = strings.TrimLeft(rest[:min(len(rest), 32)], " ")
	if strings.HasPrefix(rest, "%") {
		return true
	}
	w := rest[:wordEnd(rest, 0)]
	lower := strings.ToLower(w)
	return lower == "per" || lower == "percent" || scaleOf(lower) != nil || isUnitName(w)
}

// gluedSuffix reports whether letters that follow digits without a blank are a
// token of their own.
func gluedSuffix(s string) bool {
	switch strings.ToLower(s) {
	case "st", "nd", "rd", "th", "s", "am", "pm", "k", "m", "x", "bn", "mn", "tn", "b", "p":
		return true
	}
	return isUnitName(s)
}

// power returns base to the n.
func power(base int64, n int) *big.Rat {
	negative := n < 0
	if negative {
		n = -n
	}
	v := new(big.Int).Exp(big.NewInt(base), big.NewInt(int64(n)), nil)
	if negative {
		return new(big.Rat).SetFrac(big.NewInt(1), v)
	}
	return new(big.Rat).SetInt(v)
}
