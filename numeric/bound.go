package numeric

import (
	"math/big"
)

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
