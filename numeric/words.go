package numeric

import "math/big"

var smallNumbers = map[string]int64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
	"seventeen": 17, "eighteen": 18, "nineteen": 19,
}

var tens = map[string]int64{
	"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

var ordinals = map[string]int64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
	"tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15,
	"sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
	"fortieth": 40, "fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90, "hundredth": 100,
}

// denominators name the parts of a whole.
var denominators = map[string]int64{
	"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
	"fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8, "ninth": 9, "ninths": 9,
	"tenth": 10, "tenths": 10, "twelfth": 12, "twelfths": 12,
}

// multiples are words for a multiple of something, and the verbs that make one.
var multiples = map[string]int64{
	"twice": 2, "thrice": 3, "double": 2, "doubled": 2, "doubles": 2, "doubling": 2, "triple": 3, "tripled": 3, "triples": 3, "tripling": 3,
	"treble": 3, "trebled": 3, "quadruple": 4, "quadrupled": 4, "quadrupling": 4, "quintupled": 5,
	"twofold": 2, "threefold": 3, "fourfold": 4, "fivefold": 5, "sixfold": 6, "sevenfold": 7, "eightfold": 8, "tenfold": 10, "hundredfold": 100,
}

var scales = map[string]*big.Rat{
	"hundred": power(10, 2), "thousand": power(10, 3), "million": power(10, 6), "billion": power(10, 9), "trillion": power(10, 12),
	"mn": power(10, 6), "mln": power(10, 6), "bn": power(10, 9), "tn": power(10, 12), "lakh": power(10, 5), "lakhs": power(10, 5),
	"crore": power(10, 7), "crores": power(10, 7), "quadrillion": power(10, 15), "dozen": big.NewRat(12, 1),
}

// scaleOf returns the factor of a word of magnitude in lower case, nil for another
// word.
func scaleOf(w string) *big.Rat { return scales[w] }

// isScale reports whether a spelled number can begin with w after "a".
func isScale(w string) bool { return scales[w] != nil && len(w) > 3 }

// spelled reads a number in words at token i: "twenty-one", "a hundred and
// five", "two million", "two and a half". It returns the position behind it; ok
// is false where there is none.
func (p *parser) spelled(i int) (a amount, end int, ok bool) {
	j := i
	if w := p.word(j); (w == "a" || w == "an") && isScale(p.word(j+1)) {
		j++
	} else if (w == "couple" || w == "pair") && p.word(j+1) == "of" {
		return amount{value: big.NewRat(2, 1), half: big.NewRat(1, 2), words: true, loose: w == "couple"}, j + 2, true
	} else if w == "half" && (p.word(j+1) == "a" || p.word(j+1) == "an") && isScale(p.word(j+2)) {
		v := new(big.Rat).Mul(big.NewRat(1, 2), scaleOf(p.word(j+2)))
		return amount{value: v, half: new(big.Rat).Mul(v, big.NewRat(1, 10)), words: true}, j + 3, true
	}
	total, part := new(big.Rat), new(big.Rat)
	least := (*big.Rat)(nil) // the last scale, which says how exact the number is
	read := false            // part holds something
	last := int64(-1)        // the last small number, to keep "two three" apart
	words := 0
	for words < 24 {
		w := p.word(j)
		switch {
		case p.tokens.kind(j) != wordToken:
		case (last < 0 || last >= 20 && last%10 == 0) && has(smallNumbers, w) && (last < 0 || smallNumbers[w] > 0 && smallNumbers[w] < 10):
			v := smallNumbers[w]
			part.Add(part, big.NewRat(v, 1))
			last, read = 1, true
			least = nil
			j, words = j+1, words+1
			if p.word(j) == "-" && p.glued(j) && p.glued(j+1) && scaleOf(p.word(j+1)) != nil {
				j++
			}
			continue
		case last < 0 && has(tens, w):
			part.Add(part, big.NewRat(tens[w], 1))
			last, read = tens[w], true
			least = nil
			j, words = j+1, words+1
			if p.word(j) == "-" && p.glued(j) && has(smallNumbers, p.word(j+1)) && smallNumbers[p.word(j+1)] > 0 && smallNumbers[p.word(j+1)] < 10 {
				j++
			}
			continue
		case isScale(w) && (read || words == 0 && j > i):
			s := scaleOf(w)
			if !read {
				part.SetInt64(1)
			}
			part.Mul(part, s)
			if w != "hundred" && w != "dozen" {
				total.Add(total, part)
				part.SetInt64(0)
			}
			least, read, last = s, true, -1
			j, words = j+1, words+1
			// "a hundred and five", but no "two hundred and then"
			if w != "dozen" && p.word(j) == "and" && (has(smallNumbers, p.word(j+1)) || has(tens, p.word(j+1))) {
				j++
			}
			continue
		}
		break
	}
	if words == 0 {
		return amount{}, i, false
	}
	total.Add(total, part)
	a = amount{value: total, half: big.NewRat(1, 2), words: true}
	if least != nil {
		a.half = new(big.Rat).Mul(least, big.NewRat(1, 2))
		a.scaled = least.Cmp(power(10, 6)) >= 0
		a.rounded = true
	}
	// "two and a half", "two and a half million", "a million and a half"
	if p.word(j) == "and" && (p.word(j+1) == "a" && p.word(j+2) == "half" || p.word(j+1) == "one" && p.word(j+2) == "half") {
		unit := one
		k := j + 3
		if least != nil {
			unit = least
		} else if s := scaleOf(p.word(k)); s != nil {
			a.value = new(big.Rat).Mul(a.value, s)
			unit = s
			k++
		}
		a.value = new(big.Rat).Add(a.value, new(big.Rat).Mul(unit, big.NewRat(1, 2)))
		a.half = new(big.Rat).Mul(unit, big.NewRat(1, 4))
		j = k
	}
	return a, j, true
}

func has[V any](m map[string]V, k string) bool {
	_, ok := m[k]
	return ok
}
