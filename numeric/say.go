package numeric

import (
	"math/big"
	"strings"
)

// told says how q follows from what k states.
func told(q *Quantity, k *candidate) string {
	a, b := plainText(q.Text), plainText(k.q.Text)
	switch {
	case k.match.converted != nil:
		return b + " = " + decimal(k.match.converted) + " " + q.Unit + ", stated as " + a
	case a == b:
		return a + " is stated"
	case k.match.same:
		return b + " = " + a
	case q.Kind == Date:
		return b + " lies in " + a
	}
	switch q.Bound {
	case AtLeast, MoreThan, AtMost, LessThan:
		return b + " is " + string(q.Bound) + " " + a
	case Between:
		return b + " lies in " + a
	}
	return b + " rounds to " + a
}

// quote returns q with the words that bound it.
func quote(e *Evidence, at int, q *Quantity) string {
	text := e.texts[e.sentences[at].source]
	b := q.Span.Start
	if q.Bound != Exactly && q.Bound != Between {
		// At most three words before it.
		for range 3 {
			k := strings.LastIndexByte(strings.TrimRight(text[max(0, b-24):b], " "), ' ')
			if k < 0 {
				break
			}
			b = max(0, b-24) + k + 1
			if strings.HasPrefix(string(q.Bound), strings.ToLower(firstWord(text[b:]))) {
				break
			}
		}
	}
	return "\"" + plainText(text[max(b, e.sentences[at].span.Start):q.Span.End]) + "\""
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(s, " ")
	return w
}

// plainText folds white space and repairs what is not UTF-8.
func plainText(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
}

// decimal writes r with at most four decimals.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	s := strings.TrimRight(r.FloatString(4), "0")
	return strings.TrimSuffix(s, ".")
}
