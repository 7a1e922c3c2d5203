package numeric

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

type tokens []token

// kind returns the kind of token i, 0 outside the text.
func (t tokens) kind(i int) tokenKind {
	if i < 0 || i >= len(t) {
		return 0
	}
	return t[i].kind
}

// parser finds the quantities of one text.
type parser struct {
	text   string
	style  Style
	tokens tokens
	out    []Quantity
}

// Find returns the quantities of text in the order of their places; no two
// overlap. Text may be any bytes. Time is linear in its length.
func Find(text string, style Style) []Quantity {
	return parse(text, style).out
}

func parse(text string, style Style) *parser {
	p := &parser{text: text, style: style, tokens: scan(text, style)}
	for i := 0; i < len(p.tokens); {
		if end := p.next(i); end > i {
			i = end
			continue
		}
		i++
	}
	p.pairs()
	return p
}

// next reads the quantity at token i and returns the position behind it, i where
// there is none.
func (p *parser) next(i int) int {
	if p.tokens[i].kind == markToken && currencySign(p.tokens[i].text) == nil && !isDash(p.word(i)) && p.word(i) != "#" {
		return i
	}
	if p.tokens[i].kind == numberToken && p.word(i+1) == ")" && p.tokens[i].plain && (i == 0 || p.tokens[i].newline) {
		return i // the number of an item in a list
	}
	if m, half, end, ok := p.clock(i); ok {
		q := Quantity{Kind: Clock, Value: big.NewRat(int64(m), 1)}
		q.Low, q.High = q.Value, q.Value
		if half {
			q.Unit = "of 24 hours"
		}
		return p.add(i, end, q)
	}
	if d, end, ok := p.date(i); ok {
		return p.add(i, end, Quantity{Kind: Date, Day: d})
	}
	return p.quantity(i)
}

// add appends a quantity that covers the tokens [i, end).
func (p *parser) add(i, end int, q Quantity) int {
	q.Span = segment.Span{Start: p.tokens[i].Start, End: p.tokens[end-1].End}
	q.Text = q.Span.Of(p.text)
	q.first, q.last = i, end
	p.out = append(p.out, q)
	return end
}

func (p *parser) word(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return p.tokens[i].lower
}

func (p *parser) glued(i int) bool { return i > 0 && i < len(p.tokens) && p.tokens[i].glued }

func (p *parser) capital(i int) bool {
	if i < 0 || i >= len(p.tokens) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(p.tokens[i].text)
	return unicode.IsUpper(r)
}

// pluralFollows reports whether the token at i is a noun that can be counted.
func (p *parser) pluralFollows(i int) bool {
	for k := i; k < i+2; k++ {
		w := p.word(k)
		if p.tokens.kind(k) != wordToken || function[w] {
			return false
		}
		if plural(w) {
			return true
		}
	}
	return false
}

func plural(w string) bool {
	switch w {
	case "people", "men", "women", "children", "police", "sheep", "fish", "cattle", "staff", "personnel", "feet", "mice", "teeth", "species", "aircraft":
		return true
	}
	return len(w) > 3 && w[len(w)-1] == 's' && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "'s") && !strings.HasSuffix(w, "is")
}

// unitFollows reports whether a unit stands at token i.
func (p *parser) unitFollows(i int) bool {
	u, _ := p.unit(i)
	return u != nil
}

// amount reads a number at token i. money says that a currency stands before it.
func (p *parser) amount(i int, money bool) (a amount, end int, ok bool) {
	if p.tokens.kind(i) != numberToken {
		a, end, ok = p.spelled(i)
		a.token = -1
		return a, end, ok
	}
	t := &p.tokens[i]
	a = amount{value: t.value, plain: t.plain, token: i}
	switch {
	case t.places > 0:
		a.half = new(big.Rat).Mul(big.NewRat(1, 2), power(10, -t.places))
	case t.zeros >= 2:
		a.half = new(big.Rat).Mul(big.NewRat(1, 2), power(10, t.zeros))
		a.rounded = true
	default:
		a.half = big.NewRat(1, 2)
	}
	j := i + 1
	// 3½, 3 1/2, 1/2
	if p.tokens.kind(j) == numberToken && p.glued(j) && vulgarToken(p.tokens[j]) && t.plain {
		a.value = new(big.Rat).Add(a.value, p.tokens[j].value)
		a.half = big.NewRat(1, 8)
		j++
	} else if v := p.slash(j); v != nil && t.plain && !p.glued(j) {
		a.value = new(big.Rat).Add(a.value, v)
		a.half = big.NewRat(1, 16)
		j += 3
	} else if v := p.slash(i); v != nil {
		a.value, a.half, a.plain = v, big.NewRat(1, 100), false
		j = i + 3
	}
	for range 2 {
		k := j
		if isDash(p.word(k)) && p.glued(k) && p.glued(k+1) {
			k++
		}
		s := scaleOf(p.word(k))
		if s == nil {
			s = p.letterScale(k, money)
		}
		if s == nil {
			break
		}
		a.value = new(big.Rat).Mul(a.value, s)
		a.half = new(big.Rat).Mul(a.half, s)
		a.rounded, a.scaled = true, s.Cmp(power(10, 6)) >= 0
		a.plain = false
		if t.places > 0 {
			a.rounded = false
		}
		j = k + 1
	}
	// "two and a half", in digits
	if p.word(j) == "and" && p.word(j+1) == "a" && p.word(j+2) == "half" && t.plain {
		a.value = new(big.Rat).Add(a.value, big.NewRat(1, 2))
		a.half = big.NewRat(1, 4)
		j += 3
		if s := scaleOf(p.word(j)); s != nil {
			a.value, a.half = new(big.Rat).Mul(a.value, s), new(big.Rat).Mul(a.half, s)
			j++
		}
	}
	return a, j, true
}

func vulgarToken(t token) bool {
	r, _ := utf8.DecodeRuneInString(t.text)
	return vulgar(r) != nil
}

// slash returns the fraction at token i, nil for none: "3/4".
func (p *parser) slash(i int) *big.Rat {
	n, ok1 := p.small(i, 1, 15)
	d, ok2 := p.small(i+2, 2, 16)
	if !ok1 || !ok2 || n >= d || p.word(i+1) != "/" || !p.glued(i+1) || !p.glued(i+2) || p.word(i+3) == "/" && p.glued(i+3) {
		return nil
	}
	return big.NewRat(int64(n), int64(d))
}

// letterScale reads a letter of magnitude glued to its number: "5k", "$3m".
func (p *parser) letterScale(i int, money bool) *big.Rat {
	if p.tokens.kind(i) != wordToken || !p.glued(i) && !money {
		return nil
	}
	switch w := p.word(i); {
	case w == "k" && p.glued(i):
		return power(10, 3)
	case w == "m" && (money || p.pluralFollows(i+1) || p.tokens[i].text == "M"):
		return power(10, 6)
	case w == "b" && (money || p.pluralFollows(i+1)):
		return power(10, 9)
	case w == "tn" || w == "t" && money && p.glued(i):
		return power(10, 12)
	}
	return nil
}

// unit reads a unit at token i and returns the position behind it, nil where there
// is none.
func (p *parser) unit(i int) (*unit, int) {
	u, j := p.plainUnit(i)
	if u == nil {
		return nil, i
	}
	if u.dimension == "length" {
		switch p.word(j) {
		case "squared":
			return raised(u, 2), j + 1
		case "cubed":
			return raised(u, 3), j + 1
		}
	}
	if u.money() {
		return u, j // "$5 per hour" is compared by its dollars
	}
	// per
	k := j
	switch w := p.word(k); {
	case w == "per" || w == "/" && p.glued(k):
		k++
	case (w == "a" || w == "an") && u.dimension == "length" && (p.word(k+1) == "hour" || p.word(k+1) == "second" || p.word(k+1) == "minute"):
		k++
	default:
		return u, j
	}
	v, e := p.plainUnit(k)
	if v == nil && (p.word(k) == "h" || p.word(k) == "s") {
		v, e = unitNamed(p.word(k)), k+1 // km/h, m/s
	}
	if v != nil {
		return compound(u, v), e
	}
	return u, j
}

// plainUnit reads a unit without "per".
func (p *parser) plainUnit(i int) (*unit, int) {
	if p.tokens.kind(i) == markToken {
		switch p.word(i) {
		case "€":
			return units["EUR"], i + 1
		case "£":
			return units["GBP"], i + 1
		case "$":
			if !(p.tokens.kind(i+1) == numberToken) {
				return units["$"], i + 1
			}
		}
		return nil, i
	}
	if i >= len(p.tokens) || p.tokens.kind(i) == numberToken {
		return nil, i
	}
	w := p.word(i)
	power := 0
	switch w {
	case "square", "sq":
		power = 2
	case "cubic", "cu":
		power = 3
	}
	if power > 0 {
		k := i + 1
		if p.word(k) == "." || p.word(k) == "-" {
			k++
		}
		if u := unitNamed(p.textAt(k)); u != nil {
			if r := raised(u, power); r != nil {
				return r, k + 1
			}
		}
		return nil, i
	}
	// Two words: "fluid ounces", "degrees Celsius".
	if u := units[w+" "+p.word(i+1)]; u != nil {
		return u, i + 2
	}
	if w == "us" || w == "u.s" || w == "u.s." || w == "american" || w == "australian" || w == "canadian" {
		if d := p.word(i + 1); d == "dollars" || d == "dollar" {
			return units[map[string]string{"us": "USD", "u.s": "USD", "u.s.": "USD", "american": "USD", "australian": "AUD", "canadian": "CAD"}[w]], i + 2
		}
		return nil, i
	}
	// Hyphenated: "watt-hours", "light-years", "acre-feet".
	if isDash(p.word(i+1)) && p.glued(i+1) && p.glued(i+2) {
		if u := units[w+"-"+p.word(i+2)]; u != nil {
			return u, i + 3
		}
	}
	u := unitNamed(p.tokens[i].text)
	if u == nil {
		return nil, i
	}
	if len(w) <= 3 || w == "second" || w == "cent" || w == "stone" || w == "bar" {
		if !p.shortUnit(i) {
			return nil, i
		}
	}
	return u, i + 1
}

// shortUnit reports whether the short word at i is a unit where it stands.
func (p *parser) shortUnit(i int) bool {
	t := p.tokens[i].text
	number := p.tokens.kind(i-1) == numberToken
	if !number && p.tokens.kind(i-1) == wordToken && len(t) <= 2 && scaleOf(p.word(i-1)) == nil {
		return false // "five in", "two m"
	}
	switch t {
	case "in":
		next := p.word(i + 1)
		return number && (next == ")" || next == "×" || next == "x" || next == "") && !p.glued(i) || p.glued(i)
	case "second":
		return isDash(p.word(i - 1))
	case "cent", "stone", "bar":
		return true
	case "s", "m", "h", "g", "l", "t", "B", "V", "W", "J", "L":
		if t == "m" && p.glued(i) && p.pluralFollows(i+1) {
			return false
		}
		return number
	case "p", "c", "C", "A":
		return false
	}
	return true
}

// percent reads a sign or word of percent at token i.
func (p *parser) percent(i int) (kind Kind, factor *big.Rat, end int) {
	k := i
	if isDash(p.word(k)) && p.glued(k) {
		k++
	}
	switch p.word(k) {
	case "%", "percent", "pct", "٪":
		if w := p.word(k + 1); (w == "point" || w == "points") && p.word(k+2) != "of" {
			return Points, one, k + 2
		}
		return Share, one, k + 1
	case "per":
		if p.word(k+1) == "cent" {
			if w := p.word(k + 2); w == "point" || w == "points" {
				return Points, one, k + 3
			}
			return Share, one, k + 2
		}
	case "percentage":
		if w := p.word(k + 1); w == "point" || w == "points" {
			return Points, one, k + 2
		}
	case "basis":
		if w := p.word(k + 1); w == "point" || w == "points" {
			return Points, big.NewRat(1, 100), k + 2
		}
	case "pp", "ppt":
		return Points, one, k + 1
	}
	return "", nil, i
}

// quantity reads a number that is no date at token i.
func (p *parser) quantity(i int) int {
	j := i
	negative := false
	if w := p.word(j); (isDash(w) && w != "—" && !p.glued(j) && p.glued(j+1)) || w == "minus" {
		if p.tokens.kind(j+1) == numberToken || currencySign(p.textAt(j+1)) != nil {
			negative = true
			j++
		}
	}
	currency, j := p.currency(j)
	if currency == nil && !negative {
		if end := p.worded(i); end > i {
			return end
		}
	}
	a, end, ok := p.amount(j, currency != nil)
	if !ok {
		return i
	}
	if negative {
		a.value = new(big.Rat).Neg(a.value)
	}
	if a.words && p.noNumber(i, end) {
		return end
	}
	q, end := p.tail(a, end, currency)
	b, after, hasRange := p.second(i, end, currency)
	if !hasRange {
		p.finish(&q, a, i, end)
		if q.Kind == Count {
			p.counted(&q, i, end, a)
		}
		return p.add(i, end, q)
	}
	// A range, a pair, or a result.
	r, rend := p.tail(b, after, currency)
	if q.Kind == Count && r.Kind != Count {
		// "5 to 10 miles", "$5-10 million"
		q.Kind, q.unit, q.Unit = r.Kind, r.unit, r.Unit
		if q.Kind == Points && r.unit == nil {
			q.Value = new(big.Rat).Set(a.value)
		}
	}
	if q.Kind == r.Kind && a.plain && !b.plain && b.scaled && a.value.Cmp(power(10, 3)) < 0 && q.Value.Cmp(r.Value) < 0 && p.word(end) != "to" {
		// "3-4 million"
		s := scaleOf(p.word(after - 1))
		if s != nil {
			a.value, a.half = new(big.Rat).Mul(a.value, s), new(big.Rat).Mul(a.half, s)
			q.Value = a.value
		}
	}
	if isDash(p.word(end)) && q.Kind == Count && a.plain && b.plain && r.Kind == Count && (a.value.Cmp(b.value) >= 0 || !p.pluralFollows(rend)) && a.value.Cmp(big.NewRat(200, 1)) < 0 {
		q.Kind, q.High, q.Low = Score, b.value, a.value
		return p.add(i, rend, q)
	}
	if q.Kind != r.Kind || !comparableUnits(q.unit, r.unit) || p.pairBefore(i) || q.Value.Cmp(r.Value) >= 0 {
		// Each for itself; pairs joins "from 5 to 10".
		p.finish(&q, a, i, end)
		if q.Kind == Count {
			p.counted(&q, i, end, a)
			if q.Of == "" || q.Of == "to" {
				p.counted(&q, i, rend, b)
			}
		}
		return p.add(i, end, q)
	}
	q.Bound = Between
	q.Low = q.Value
	q.High = r.Value
	if q.unit != nil && r.unit != nil && q.unit != r.unit {
		q.High = convert(r.Value, r.unit, q.unit)
	}
	q.exact = a.half.Cmp(big.NewRat(1, 2)) == 0 && q.Kind == Count
	if q.Kind == Count {
		p.counted(&q, i, rend, b)
	}
	return p.add(i, rend, q)
}

// textAt returns token i as written.
func (p *parser) textAt(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return p.tokens[i].text
}

// currency reads a sign or code of a currency at token i.
func (p *parser) currency(i int) (*unit, int) {
	t := p.textAt(i)
	if p.tokens.kind(i) == wordToken {
		next := p.textAt(i + 1)
		if next == "$" && p.glued(i+1) {
			code := map[string]string{"US": "USD", "U.S.": "USD", "A": "AUD", "AU": "AUD", "C": "CAD", "CA": "CAD", "NZ": "NZD", "HK": "HKD", "S": "SGD"}[t]
			if code != "" {
				return units[code], i + 2
			}
			return nil, i
		}
		if (t == "Rs" || t == "RM") && p.tokens.kind(i+1) != wordToken {
			k := i + 1
			if p.word(k) == "." {
				k++
			}
			if p.tokens.kind(k) == numberToken && t == "Rs" {
				return units["INR"], k
			}
			return nil, i
		}
		if t == "US" || t == "U.S." {
			return nil, i
		}
		if u := currencySign(t); u != nil && p.tokens.kind(i+1) == numberToken {
			return u, i + 1
		}
		return nil, i
	}
	if p.tokens.kind(i) != markToken {
		return nil, i
	}
	if t == "#" && !p.glued(i+1) && p.tokens.kind(i+1) == numberToken {
		return units["GBP"], i + 1 // tokenised text writes "# 299" for £299
	}
	if u := currencySign(t); u != nil && (p.tokens.kind(i+1) == numberToken || p.tokens.kind(i+1) == wordToken && (has(smallNumbers, p.word(i+1)))) {
		return u, i + 1
	}
	return nil, i
}

// tail reads what follows an amount and makes a quantity of both.
func (p *parser) tail(a amount, j int, currency *unit) (Quantity, int) {
	q := Quantity{Kind: Count, Value: a.value}
	if currency != nil {
		q.Kind, q.unit, q.Unit = Money, currency, currency.symbol
		// "$5 million US dollars" says it twice.
		if u, e := p.unit(j); u != nil && u.money() {
			j = e
		}
		return q, j
	}
	if kind, factor, e := p.percent(j); kind != "" {
		q.Kind = kind
		if factor != one {
			q.Value = new(big.Rat).Mul(q.Value, factor)
		}
		return q, e
	}
	if p.word(j) == "x" && p.glued(j) || isDash(p.word(j)) && p.word(j+1) == "fold" || p.word(j) == "fold" {
		q.Kind = Factor
		if isDash(p.word(j)) {
			j++
		}
		return q, j + 1
	}
	if p.word(j) == "times" {
		switch p.word(j + 1) {
		case "as", "more", "the", "higher", "larger", "greater", "its", "faster", "bigger", "longer", "less", "lower", "fewer", "that", "smaller", "their", "his", "her":
			q.Kind = Factor
			return q, j + 1
		}
	}
	k := j
	if isDash(p.word(k)) && (p.glued(k) && p.glued(k+1) || p.spacedUnit(k)) {
		k++
	}
	u, e := p.unit(k)
	if u == nil {
		return q, j
	}
	q.unit, q.Unit, q.Kind = u, u.symbol, Measure
	if u.money() {
		q.Kind = Money
	}
	j = e
	// "5 feet 10 inches", "2 hours and 30 minutes"
	for range 3 {
		k := j
		if p.word(k) == "," || p.word(k) == "and" {
			k++
		}
		b, bend, ok := p.amount(k, false)
		if !ok || b.value.Sign() < 0 {
			break
		}
		if isDash(p.word(bend)) {
			break
		}
		v, e := p.unit(bend)
		if v == nil || !sameMeasure(u, v) || v.factor.Cmp(u.factor) >= 0 || u.offset != nil || p.word(j) == "," && u.dimension != timeDimension && u.dimension != monthsDimension {
			break
		}
		c := convert(b.value, v, q.unit)
		if c == nil || c.Cmp(one) >= 0 {
			break
		}
		q.Value = new(big.Rat).Add(q.Value, c)
		u, j = v, e
	}
	if isDash(p.word(j)) && p.glued(j) == p.glued(j+1) && (p.word(j+1) == "old" || p.word(j+1) == "olds") {
		q.Of = "old"
		j += 2
	} else if p.word(j) == "old" {
		q.Of = "old"
		j++
	}
	return q, j
}

// spacedUnit reports whether the dash at k, with blanks around it, joins a number
// and its unit, as tokenised text writes "26 - year - old".
func (p *parser) spacedUnit(k int) bool {
	if p.glued(k) || p.glued(k+1) {
		return false
	}
	switch p.word(k + 1) {
	case "year", "month", "week", "day", "hour", "minute", "mile", "metre", "meter", "foot", "inch", "pound", "point":
		return true
	}
	return false
}

// second reads the other end of a range whose first ends before token j.
func (p *parser) second(i, j int, currency *unit) (amount, int, bool) {
	k := j
	switch w := p.word(k); {
	case isDash(w):
		if p.glued(k) != p.glued(k+1) {
			return amount{}, j, false
		}
		k++
	case w == "to":
		k++
	case w == "and" && p.beforeBound(i) == "between":
		k++
	default:
		return amount{}, j, false
	}
	if _, e := p.currency(k); e > k {
		k = e
	}
	if _, _, ok := p.date(k); ok && p.word(j) == "to" {
		return amount{}, j, false
	}
	b, e, ok := p.amount(k, currency != nil)
	return b, e, ok
}

// beforeBound returns the word before token i, words of approximation aside.
func (p *parser) beforeBound(i int) string {
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		switch w := p.word(k); w {
		case "about", "around", "approximately", "roughly", "$", "£", "€":
		default:
			return w
		}
	}
	return ""
}

// pairBefore reports whether "from" stands before token i: both numbers are told
// apart then, as the ends of a change.
func (p *parser) pairBefore(i int) bool { return p.beforeBound(i) == "from" }

// finish sets the bounds of q by its precision and the words around it.
func (p *parser) finish(q *Quantity, a amount, i, end int) {
	half := a.half
	if q.Kind == Points && a.value.Cmp(q.Value) != 0 {
		half = new(big.Rat).Mul(half, big.NewRat(1, 100))
	}
	magnitude := new(big.Rat).Abs(q.Value)
	limit := func(percent int64) {
		if m := new(big.Rat).Mul(magnitude, big.NewRat(percent, 100)); a.rounded && half.Cmp(m) > 0 {
			half = m
		}
	}
	if a.scaled {
		limit(10)
	} else {
		limit(2)
	}
	q.exact = q.Kind == Count && !a.rounded && half.Cmp(big.NewRat(1, 2)) == 0
	q.Bound = p.bound(i, end)
	if a.loose && q.Bound == Exactly {
		q.Bound = About
	}
	q.Low, q.High = new(big.Rat).Sub(q.Value, half), new(big.Rat).Add(q.Value, half)
	switch q.Bound {
	case About:
		wide := new(big.Rat).Mul(magnitude, big.NewRat(1, 20))
		if wide.Cmp(half) > 0 {
			q.Low, q.High = new(big.Rat).Sub(q.Value, wide), new(big.Rat).Add(q.Value, wide)
		}
	case AtLeast, MoreThan:
		q.Low, q.High = q.Value, nil
	case AtMost, LessThan:
		q.Low, q.High = nil, q.Value
	}
}

// bound reads the words around the tokens [i, end) that say how a number is meant.
func (p *parser) bound(i, end int) Bound {
	switch w := p.word(end); {
	case w == "or":
		switch p.word(end + 1) {
		case "more", "above", "over", "older", "higher", "greater", "longer", "better":
			return AtLeast
		case "less", "fewer", "under", "below", "younger", "lower":
			return AtMost
		case "so", "thereabouts":
			return About
		}
	case w == "plus" || w == "+" && p.glued(end):
		return AtLeast
	}
	b := p.word(i - 1)
	switch b {
	case "about", "around", "approximately", "roughly", "some", "nearly", "almost", "approx", "circa", "~", "≈", "estimated", "c":
		if b == "some" && p.word(i-2) == "and" {
			return About
		}
		return About
	case "over", "above", "exceeding", "exceeded", "exceeds", "past", "beyond", ">":
		return MoreThan
	case "under", "below", "<":
		return LessThan
	case "≥", "minimum":
		return AtLeast
	case "≤", "maximum":
		return AtMost
	case "least":
		return AtLeast
	case "most":
		return AtMost
	case "to":
		if p.word(i-2) == "up" {
			return AtMost
		}
		if p.word(i-2) == "close" {
			return About
		}
	case "than":
		switch p.word(i - 2) {
		case "more", "greater", "higher", "longer", "larger", "better", "bigger", "older", "further", "later":
			if p.word(i-3) == "no" || p.word(i-3) == "not" {
				return AtMost
			}
			return MoreThan
		case "less", "fewer", "lower", "smaller", "shorter", "younger":
			if p.word(i-3) == "no" || p.word(i-3) == "not" {
				return AtLeast
			}
			return LessThan
		}
	case "as":
		switch p.word(i - 2) {
		case "many", "much", "high", "long", "large":
			return AtMost
		case "few", "little", "low":
			return AtLeast
		}
	case "of":
		if w := p.word(i - 2); w == "minimum" || w == "maximum" {
			if w == "minimum" {
				return AtLeast
			}
			return AtMost
		}
	}
	return Exactly
}

// pairs joins the ends of changes: "from 5 to 10", "between 1990 and 1995",
// "1990-1995".
func (p *parser) pairs() {
	for k := 1; k < len(p.out); k++ {
		a, b := &p.out[k-1], &p.out[k]
		if a.Kind != b.Kind || a.Kind == Label || a.Kind == Rank && b.first-a.last > 1 {
			continue
		}
		gap := b.first - a.last
		from := p.beforeBound(a.first)
		switch {
		case gap < 1 || gap > 2:
			continue
		case p.word(a.last) == "to" || p.word(a.last) == "until" || p.word(a.last) == "till" || p.word(a.last) == "through":
			if from != "from" && a.Kind != Date {
				continue
			}
		case p.word(a.last) == "and" && from == "between" && a.Kind == Date:
		case isDash(p.word(a.last)) && a.Kind == Date:
		default:
			continue
		}
		if a.unit == nil && b.unit != nil {
			continue
		}
		a.pair, b.pair = 1, -1
		// "from 5 to 10 May 2020" gives its month and year to both.
		if a.Kind == Date && a.Day.Year == 0 && b.Day.Year != 0 && a.Day.Month != 0 {
			a.Day.Year = b.Day.Year
		}
	}
}
