package slot

import (
	"math"
	"strconv"
	"strings"
)

var smallNumbers = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
	"seventeen": 17, "eighteen": 18, "nineteen": 19,
}

var tens = map[string]float64{
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

var scales = map[string]float64{
	"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
	"mn": 1e6, "bn": 1e9, "tn": 1e12, "mln": 1e6,
}

var ordinals = map[string]float64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
	"tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15,
	"sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
	"fortieth": 40, "fiftieth": 50, "hundredth": 100,
}

var fractions = map[string]float64{
	"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourths": 4,
	"fifth": 5, "fifths": 5, "sixths": 6, "eighths": 8, "tenth": 10, "tenths": 10,
}

// ungrouped takes the marks between groups of digits out.
var ungrouped = strings.NewReplacer(",", "", " ", "")

// amount is a number as read, before its unit.
type amount struct {
	value float64
	slack float64 // half a unit of the last place that the writer gave
	whole bool    // plain digits without point or scale word
	words bool    // spelled out
}

// spelled reads a number in words at i: "twenty-one", "a hundred and five",
// "two million".
func (f *finder) spelled(i int) (amount, int, bool) {
	j := i
	if w := f.word(i); w == "a" || w == "an" {
		switch f.word(i + 1) {
		case "hundred", "thousand", "million", "billion", "trillion", "dozen":
			j++
		default:
			return amount{}, 0, false
		}
	}
	var total, cur, slack float64
	seen, big := false, false
	for j < len(f.toks) && f.toks[j].kind == wordTok {
		w := f.toks[j].lower
		if n, ok := smallNumbers[w]; ok {
			if seen && (math.Mod(cur, 10) != 0 || cur == 0 && !big || n == 0 || math.Mod(cur, 100) != 0 && n > 9) {
				break
			}
			cur += n
		} else if n, ok := tens[w]; ok {
			if seen && (math.Mod(cur, 100) != 0 || cur == 0 && !big) {
				break
			}
			cur += n
			if m, ok := smallNumbers[f.word(j+2)]; ok && m > 0 && m < 10 && f.word(j+1) == "-" && f.glued(j+1) == f.glued(j+2) {
				// Glued on both sides, or set apart on both ("twenty - five").
				cur += m
				j += 2
			}
		} else if w == "hundred" {
			if cur >= 100 {
				break
			}
			cur, big = max(cur, 1)*100, true
		} else if w == "dozen" {
			cur = max(cur, 1) * 12
			j++
			seen = true
			break
		} else if n, ok := scales[w]; ok && (seen || j > i || cur > 0) {
			if total > 0 && n >= 1e3 && total < n {
				break
			}
			lead := max(cur, 1)
			total += lead * n
			if n >= 1e6 {
				slack = scaleSlack(lead, n)
			}
			cur, big = 0, true
		} else if w == "and" && seen && big {
			_, small := smallNumbers[f.word(j+1)]
			_, ten := tens[f.word(j+1)]
			if !small && !ten {
				break
			}
			slack = 0
			j++
			continue
		} else {
			break
		}
		seen = true
		j++
	}
	if !seen {
		return amount{}, 0, false
	}
	v := total + cur
	if v > 1e15 {
		return amount{}, 0, false
	}
	if j == i+1 && f.word(i) == "one" {
		switch f.word(j) {
		case "of", "another", "who", "that", "could", "should", "can", "day":
			return amount{}, 0, false
		}
		switch f.word(i - 1) {
		case "no", "every", "any", "this", "that", "each", "the", "which", "some":
			return amount{}, 0, false
		}
	}
	return amount{value: v, slack: slack, words: true}, j, true
}

// scaleSlack is how far a number written as lead times a scale word may stand
// from the exact one: a tenth of the scale for one digit, else half of it.
func scaleSlack(lead, scale float64) float64 {
	if lead < 10 {
		return 0.1 * scale
	}
	return 0.5 * scale
}

// amount reads a number in digits or words at i.
func (f *finder) amount(i int, money bool) (amount, int, bool) {
	if v := vulgar[f.word(i)]; v > 0 {
		return amount{value: v}, i + 1, true
	}
	if f.kind(i) != numTok {
		a, j, ok := f.spelled(i)
		if ok && f.andHalf(j) {
			a.value += 0.5
			j += 3
		}
		return a, j, ok
	}
	text := ungrouped.Replace(f.word(i))
	if strings.Count(text, ".") > 1 {
		text = strings.ReplaceAll(text, ".", "") // groups of thousands
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return amount{}, 0, false
	}
	a := amount{value: v, whole: true}
	if p := strings.IndexByte(text, '.'); p >= 0 {
		a.slack = 0.5 * math.Pow(10, -float64(len(text)-p-1))
		a.whole = false
	}
	j := i + 1
	w := f.word(j)
	scale := scales[w]
	switch {
	case vulgar[w] > 0 && a.whole:
		a.value += vulgar[w]
		a.whole = false
		return a, j + 1, true
	case f.andHalf(j) && a.whole:
		a.value += 0.5
		a.whole = false
		return a, j + 3, true
	case w == "dozen" && v < 1e6:
		a.value *= 12
		return a, j + 1, true
	case w == "hundred" && v < 100:
		scale = 100
	case w == "k" && f.glued(j):
		scale = 1e3
	case w == "m" && f.glued(j) && money:
		scale = 1e6
	}
	if scale > 0 && v < 1e6 {
		if a.whole && scale >= 1e6 {
			a.slack = scaleSlack(v, scale)
		} else {
			a.slack *= scale
		}
		a.value *= scale
		a.whole = false
		j++
	}
	return a, j, true
}

// ranging are words after which "from 10 to 15" is a range.
var ranging = set("range ranges ranged ranging vary varies varied varying anywhere aged ages anything")

func isDash(s string) bool { return s == "-" || s == "–" || s == "—" || s == "‑" }

// quantity reads a number with all that belongs to it at i: currency, range,
// percent sign or unit. It returns the tokens [b, j) that it covers.
func (f *finder) quantity(i int) (s Slot, b, j int, ok bool) {
	b = i
	if s, j, ok = f.fraction(i); ok {
		return s, b, j, true
	}
	if s, j, ok = f.ordinal(i); ok {
		return s, b, j, true
	}
	if f.kind(i) == numTok && isDash(f.word(i-1)) && f.glued(i) && f.glued(i-1) && f.kind(i-2) == wordTok && !functionWords[f.word(i-2)] {
		return Slot{}, 0, 0, false // "Covid-19", "top-10"
	}
	if s, j, ok := f.someUnit(i); ok {
		return s, b, j, true
	}
	money := ""
	k := i
	if w := f.word(k); (w == "us" || w == "u.s" || w == "a" || w == "c") && f.word(k+1) == "$" && f.glued(k+1) {
		k++
	}
	if c := currencySign(f.word(k)); c != "" {
		money = c
		k++
	}
	a, j, ok := f.amount(k, money != "")
	if !ok {
		return Slot{}, 0, 0, false
	}
	s = Slot{Kind: Number, Value: a.value, Low: a.value - a.slack, High: a.value + a.slack}
	if w := f.word(k - 1); money == "" && (w == "-" || w == "−") && f.glued(k) && !f.glued(k-1) && a.whole {
		s.Value, s.Low, s.High = -s.Value, -s.High, -s.Low
		b = k - 1
	}

	// A second number: a range or a score.
	sep := j
	second := sep + 1
	// Tokenised text puts blanks on both sides of a hyphen, or none.
	tight := isDash(f.word(sep)) && f.glued(sep) && f.glued(sep+1)
	spaced := f.word(sep) == "-" && !f.glued(sep) && !f.glued(sep+1) && f.kind(sep+1) == numTok && a.whole && money == ""
	dash := tight || spaced
	link := f.word(sep) == "to" || f.word(sep) == "and" && f.word(b-1) == "between"
	if dash && currencySign(f.word(second)) == money {
		if money != "" {
			second++
		}
	} else if link && money != "" && currencySign(f.word(second)) == money {
		second++
	}
	// "fell from 10 to 15 tons" tells two numbers, "ranges from 10 to 15" a range.
	if f.word(sep) == "to" && f.word(b-1) == "from" && !ranging[f.word(b-2)] {
		if a2, j2, ok := f.amount(second, money != ""); ok && a2.words == a.words && !isDash(f.word(j2)) {
			end := j2
			s = f.measure(s, j2, money, &end)
			return s, b, j, true
		}
	}
	if (dash || link) && (!a.words || link) {
		if a2, j2, ok := f.amount(second, money != ""); ok && a2.words == a.words && !isDash(f.word(j2)) {
			if a.whole && !a2.whole && a2.value >= 1e3 && a.value < 1e3 && a2.slack > 0 {
				// "2 to 3 million": the scale word serves both.
				for _, sc := range []float64{1e12, 1e9, 1e6} {
					if a2.value >= sc {
						a.value *= sc
						break
					}
				}
			}
			switch {
			case dash && a.whole && a2.whole && a.value >= a2.value && a.value < 200 && money == "":
				if _, isUnit := unitOf(f.word(j2)); !isUnit && f.word(j2) != "%" {
					return Slot{Kind: Score, Value: a.value, Low: a.value, High: a2.value}, b, j2, true
				}
			case a2.value > a.value:
				s.Value, s.Low, s.High = a.value, a.value, a2.value
				j = j2
				s = f.measure(s, j, money, &j)
				return s, b, j, true
			}
		}
	}
	s = f.measure(s, j, money, &j)
	s.Low, s.High = f.bounds(b, j, s)
	return s, b, j, true
}

// measure reads the percent sign, unit or counted noun at j and moves *end
// behind what belongs to the value.
func (f *finder) measure(s Slot, j int, money string, end *int) Slot {
	if money != "" {
		s.Kind, s.Unit = Quantity, money
		return s
	}
	k := j
	if isDash(f.word(k)) && f.glued(k) == f.glued(k+1) {
		if _, isUnit := unitOf(f.word(k + 1)); isUnit || f.glued(k) {
			k++
		}
	}
	w := f.word(k)
	switch {
	case w == "%" || w == "percent" || w == "pc":
		k++
		s.Kind = Percent
	case w == "per" && f.word(k+1) == "cent":
		k += 2
		s.Kind = Percent
	case w == "percentage" && strings.HasPrefix(f.word(k+1), "point"):
		s.Kind, s.Unit = Quantity, "pp"
		*end = k + 2
		return s
	}
	if s.Kind == Percent {
		*end = k
		if strings.HasPrefix(f.word(k), "point") || f.word(k) == "percentage" {
			s.Kind, s.Unit = Quantity, "pp"
		}
		return s
	}
	if w == "°" || w == "degrees" || w == "degree" {
		n := f.word(k + 1)
		switch n {
		case "c", "celsius":
			s.Unit = "°C"
		case "f", "fahrenheit":
			s.Unit = "°F"
		}
		if s.Unit != "" {
			s.Kind = Quantity
			*end = k + 2
			return s
		}
	}
	if w == "square" || w == "cubic" || w == "sq" {
		if u, ok := unitOf(f.word(k + 1)); ok && u.dimension == "length" {
			s.Kind, s.Unit = Quantity, w[:2]+" "+u.symbol
			*end = k + 2
			return s
		}
	}
	if w == "nautical" && strings.HasPrefix(f.word(k+1), "mile") {
		s.Kind, s.Unit = Quantity, "nmi"
		*end = k + 2
		return s
	}
	if u, ok := unitOf(w); ok && (k == j || !f.toks[k].newline) {
		// Letters that are also words ("5 in", "7 a") count only when glued.
		if len(w) > 1 || f.glued(k) || w == "m" || w == "g" {
			s.Kind, s.Unit = Quantity, u.symbol
			k++
			if n := f.word(k); (u.symbol == "km" || u.symbol == "mi" || u.symbol == "m") &&
				(n == "/" || n == "per" || n == "an") && (f.word(k+1) == "h" || f.word(k+1) == "hour" || f.word(k+1) == "hr") {
				s.Unit = map[string]string{"km": "km/h", "mi": "mph", "m": "m/h"}[u.symbol]
				k += 2
			}
			if p := f.word(k); u.dimension == "length" && f.glued(k) && (p == "²" || p == "³") {
				s.Unit = map[string]string{"²": "sq ", "³": "cu "}[p] + u.symbol
				k++
			}
			if f.andHalf(k) && s.Value == math.Trunc(s.Value) {
				s.Value, s.Low, s.High = s.Value+0.5, s.Low+0.5, s.High+0.5
				k += 3
			}
			*end = k
			return s
		}
	}
	if f.kind(k) == wordTok && !functionWords[w] {
		s.Of = w
	}
	return s
}

// fraction reads a share at i: "half of", "two thirds", "a quarter of".
func (f *finder) fraction(i int) (Slot, int, bool) {
	share := func(v float64) Slot {
		v *= 100
		return Slot{Kind: Percent, Value: v, Low: math.Floor(v), High: math.Ceil(v)}
	}
	if f.word(i) == "half" && (f.word(i+1) == "of" || f.word(i+1) == "the" || f.word(i+1) == "its" || f.word(i+1) == "their") {
		return share(0.5), i + 1, true
	}
	num, j := 0.0, i
	if w := f.word(i); w == "a" || w == "an" {
		num, j = 1, i+1
	} else if n, ok := smallNumbers[w]; ok && n > 0 {
		num, j = n, i+1
	} else {
		return Slot{}, 0, false
	}
	if isDash(f.word(j)) {
		j++
	}
	d, ok := fractions[f.word(j)]
	if !ok || num >= d || strings.HasSuffix(f.word(j), "s") != (num > 1) {
		return Slot{}, 0, false
	}
	if num == 1 && f.word(j+1) != "of" {
		return Slot{}, 0, false
	}
	return share(num / d), j + 1, true
}

// ordinal reads a rank at i: "3rd", "twenty-first".
func (f *finder) ordinal(i int) (Slot, int, bool) {
	rank := func(v float64) Slot { return Slot{Kind: Ordinal, Value: v, Low: v, High: v} }
	if f.kind(i) == numTok && f.glued(i+1) {
		switch f.word(i + 1) {
		case "st", "nd", "rd", "th":
			v, err := strconv.ParseFloat(strings.ReplaceAll(f.word(i), ",", ""), 64)
			if err == nil && v == math.Trunc(v) {
				return rank(v), i + 2, true
			}
		}
		return Slot{}, 0, false
	}
	if f.kind(i) != wordTok {
		return Slot{}, 0, false
	}
	if t, ok := tens[f.word(i)]; ok && f.word(i+1) == "-" {
		if n, ok := ordinals[f.word(i+2)]; ok && n < 10 {
			return rank(t + n), i + 3, true
		}
	}
	n, ok := ordinals[f.word(i)]
	if !ok {
		return Slot{}, 0, false
	}
	if n == 2 {
		// "a second later" is a time.
		switch f.word(i - 1) {
		case "a", "per", "each", "every":
			return Slot{}, 0, false
		}
	}
	return rank(n), i + 1, true
}

// bounds returns what the words around the number at tokens [b, j) allow.
func (f *finder) bounds(b, j int, s Slot) (low, high float64) {
	v := s.Value
	near := 0.1 * math.Abs(v)
	w1, w2, w3 := f.word(b-1), f.word(b-2), f.word(b-3)
	switch w1 {
	case "about", "around", "approximately", "roughly", "circa", "some", "~", "≈", "approx":
		return v - near, v + near
	case "nearly", "almost":
		return v - near, v
	case "over", "above", "exceeding", "exceeds", "exceeded", ">", "≥", "minimum":
		return v, math.MaxFloat64
	case "under", "below", "<", "≤", "maximum":
		return -math.MaxFloat64, v
	case "least":
		if w2 == "at" {
			return v, math.MaxFloat64
		}
	case "most":
		if w2 == "at" {
			return -math.MaxFloat64, v
		}
	case "to":
		if w2 == "up" {
			return -math.MaxFloat64, v
		}
		if w2 == "close" {
			return v - near, v + near
		}
	case "of":
		switch w2 {
		case "upwards", "excess", "minimum":
			return v, math.MaxFloat64
		case "maximum":
			return -math.MaxFloat64, v
		}
	case "than":
		no := w3 == "no" || w3 == "not"
		switch w2 {
		case "more", "greater", "higher", "larger", "longer", "older", "better":
			if no {
				return -math.MaxFloat64, v
			}
			return v, math.MaxFloat64
		case "less", "fewer", "lower", "smaller", "shorter", "younger":
			if no {
				return v, math.MaxFloat64
			}
			return -math.MaxFloat64, v
		}
	}
	if w := f.word(j); w == "+" && f.glued(j) {
		return v, math.MaxFloat64
	} else if w == "or" {
		switch f.word(j + 1) {
		case "more", "above", "over", "older":
			return v, math.MaxFloat64
		case "less", "fewer", "under", "younger":
			return -math.MaxFloat64, v
		case "so":
			return v - near, v + near
		}
	}
	return s.Low, s.High
}

// vulgar are the fractions of one character.
var vulgar = map[string]float64{"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1.0 / 3, "⅔": 2.0 / 3, "⅛": 0.125, "⅜": 0.375, "⅝": 0.625, "⅞": 0.875}

// andHalf reports whether "and a half" stands at i.
func (f *finder) andHalf(i int) bool {
	return f.word(i) == "and" && f.word(i+1) == "a" && f.word(i+2) == "half"
}

// someUnit reads a measure told by an article at i: "a fortnight", "an hour and
// a half", "a couple of days". An article before another unit is no number.
func (f *finder) someUnit(i int) (Slot, int, bool) {
	if w := f.word(i); w != "a" && w != "an" {
		return Slot{}, 0, false
	}
	if f.word(i+1) == "couple" && f.word(i+2) == "of" {
		s := Slot{Kind: Number, Value: 2, Low: 2, High: 3}
		end := i + 3
		s = f.measure(s, i+3, "", &end)
		if s.Kind == Number && s.Of == "" {
			return Slot{}, 0, false
		}
		return s, end, true
	}
	u, ok := unitOf(f.word(i + 1))
	if !ok || len(f.word(i+1)) < 3 {
		return Slot{}, 0, false
	}
	switch {
	case f.andHalf(i + 2):
		return Slot{Kind: Quantity, Unit: u.symbol, Value: 1.5, Low: 1.5, High: 1.5}, i + 5, true
	case u.symbol == "fortnight":
		return Slot{Kind: Quantity, Unit: u.symbol, Value: 1, Low: 1, High: 1}, i + 2, true
	}
	return Slot{}, 0, false
}
