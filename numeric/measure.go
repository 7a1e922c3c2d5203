package numeric

import (
	"math/big"
)

// unitFollows reports whether a unit stands at token i.
func (p *parser) unitFollows(i int) bool {
	u, _ := p.unit(i)
	return u != nil
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
