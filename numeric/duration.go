package numeric

import (
	"math/big"
	"time"
)

// duration finds q, a length of time, between two dates or times of day.
func (c *claimed) duration(q *Quantity, ops []candidate) (derived, bool) {
	if q.Kind != Measure || q.unit == nil || q.unit.dimension != timeDimension && q.unit.dimension != monthsDimension || !c.cue(q, lasting) && q.Of != "old" {
		return derived{}, false
	}
	fits := func(low, high *big.Rat) bool {
		return (q.High == nil || low.Cmp(q.High) <= 0) && (q.Low == nil || high.Cmp(q.Low) >= 0)
	}
	var only, toldPair, right *derived
	pairs := 0
	for i := range ops {
		for j := range ops {
			a, b := &ops[i], &ops[j]
			if i == j || a.q.Kind != b.q.Kind {
				continue
			}
			low, high, ok := c.elapsed(q, a.q, b.q)
			if !ok {
				continue
			}
			text := plainText(b.q.Text) + " - " + plainText(a.q.Text) + " = "
			if low.Cmp(high) == 0 {
				text += decimal(low)
			} else {
				text += decimal(low) + " to " + decimal(high)
			}
			text += " " + q.Unit
			told := a.near == b.near && a.q.pair == 1 && b.q.pair == -1 && adjacent(a.q, b.q)
			if fits(low, high) {
				d := derived{Supported, text, []candidate{*b, *a}, told}
				if told {
					return d, true
				}
				if right == nil {
					right = &d
				}
				continue
			}
			if a.cover >= 0.5 && b.cover >= 0.5 && q.Bound == Exactly {
				pairs++
				only = &derived{Contradicted, text + ", not " + plainText(q.Text), []candidate{*b, *a}, true}
				if told && a.local >= 0.4 {
					toldPair = only
				}
			}
		}
	}
	switch {
	case toldPair != nil:
		return *toldPair, true
	case right != nil:
		return *right, true
	case pairs == 1:
		return *only, true
	}
	return derived{}, false
}

// elapsed returns how much time lies between the dates or times a and b, in q's
// unit: least and most, since a year is no day.
func (c *claimed) elapsed(q, a, b *Quantity) (low, high *big.Rat, ok bool) {
	in := func(seconds *big.Rat) *big.Rat {
		if q.unit.dimension == monthsDimension {
			seconds = new(big.Rat).Quo(seconds, meanMonth)
		}
		return new(big.Rat).Quo(seconds, q.unit.factor)
	}
	if a.Kind == Clock {
		d := new(big.Rat).Sub(b.Value, a.Value)
		if d.Sign() <= 0 || q.unit.dimension != timeDimension {
			return nil, nil, false
		}
		v := in(d.Mul(d, big.NewRat(60, 1)))
		return v, v, true
	}
	if a.Kind != Date {
		return nil, nil, false
	}
	x, y := a.Day, b.Day
	if x.Year == 0 && y.Year == 0 && x.Month > 0 && y.Month > 0 && x.Day > 0 && y.Day > 0 {
		x.Year, y.Year = 2001, 2001 // no leap year
	}
	_, at, ok1 := x.span()
	bf, _, ok2 := y.span()
	if !ok1 || !ok2 || bf <= at || x.Last != 0 || y.Last != 0 {
		return nil, nil, false
	}
	// In years both are told as years, or counted exactly.
	if q.unit.dimension == monthsDimension {
		per := new(big.Rat).Quo(big.NewRat(1, 1), q.unit.factor)
		m := func(months int) *big.Rat { return new(big.Rat).Mul(big.NewRat(int64(months), 1), per) }
		switch {
		case x.Month == 0 || y.Month == 0:
			years := (y.Year - x.Year) * 12
			if x.Year < 0 && y.Year > 0 {
				years -= 12
			}
			if q.Of == "old" {
				return m(years - 12), m(years), true
			}
			return m(years), m(years), true
		default:
			months := (y.Year-x.Year)*12 + y.Month - x.Month
			if x.Day > 0 && y.Day > 0 && y.Day < x.Day {
				months--
			}
			if q.unit.factor.Cmp(big.NewRat(12, 1)) == 0 {
				if q.Of == "old" {
					months -= months % 12
				}
				return m(months), m(months), true
			}
			return m(months), m(months), true
		}
	}
	day := func(n int) *big.Rat { return in(big.NewRat(int64(n)*86400, 1)) }
	if x.Day == 0 || y.Day == 0 {
		return nil, nil, false
	}
	// From the third to the fifth are two days, or three with both.
	return day(bf - at), day(bf - at + 1), true
}

// deriveDate finds a year as another one and some years more or less.
func (c *claimed) deriveDate(q *Quantity, ops []candidate) (derived, bool) {
	if q.Day.Year == 0 || q.Day.Last != 0 {
		return derived{}, false
	}
	var only *derived
	ways := 0
	for i := range ops {
		for j := range ops {
			a, b := &ops[i], &ops[j]
			if i == j || a.q.Kind != Date || b.q.Kind != Measure || a.q.Day.Year == 0 || a.q.Day.Last != 0 || b.q.unit == nil || b.q.Bound != Exactly || b.q.Of == "old" {
				continue
			}
			sign, mark := 0, ""
			switch {
			case c.said(b, later):
				sign, mark = 1, " + "
			case c.said(b, earlier):
				sign, mark = -1, " - "
			default:
				continue
			}
			to, ok := shifted(a.q.Day, b.q, sign)
			if !ok {
				continue
			}
			text := plainText(a.q.Text) + mark + plainText(b.q.Text) + " = " + to.String()
			if compareDays(q.Day, to) == entails {
				return derived{Supported, text, []candidate{*a, *b}, true}, true
			}
			if a.near == b.near && a.q.last <= b.q.first && a.cover >= 0.6 && b.local >= 0.5 && compareDays(q.Day, to) == differs {
				ways++
				only = &derived{Contradicted, text + ", not " + plainText(q.Text), []candidate{*a, *b}, true}
			}
		}
	}
	if ways == 1 {
		return *only, true
	}
	return derived{}, false
}

// said reports whether one of the words stands next to k in its source.
func (c *claimed) said(k *candidate, list map[string]bool) bool {
	s := &c.e.sentences[c.near[k.near]]
	text := c.e.texts[s.source]
	toks := scan(text[k.q.Span.End:min(s.span.End, k.q.Span.End+24)], c.e.style)
	for i, t := range toks {
		if i > 1 {
			break
		}
		if list[t.lower] {
			return true
		}
	}
	return false
}

// shifted returns d moved by the duration q.
func shifted(d Day, q *Quantity, sign int) (Day, bool) {
	if !q.Value.IsInt() || !q.unit.factor.IsInt() || q.Value.Num().BitLen() > 20 {
		return Day{}, false
	}
	n := sign * int(q.Value.Num().Int64()) * int(q.unit.factor.Num().Int64())
	switch q.unit.dimension {
	case monthsDimension:
		if n%12 == 0 {
			return Day{Year: d.Year + n/12, Month: d.Month, Day: d.Day}, d.Year+n/12 > 0
		}
		if d.Month == 0 {
			return Day{}, false
		}
		m := d.Year*12 + d.Month - 1 + n
		return Day{Year: m / 12, Month: m%12 + 1}, m > 0
	case timeDimension:
		if d.Day == 0 || n%86400 != 0 {
			return Day{}, false
		}
		t := time.Date(d.Year, time.Month(d.Month), d.Day, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n/86400)
		return Day{Year: t.Year(), Month: int(t.Month()), Day: t.Day()}, true
	}
	return Day{}, false
}
