package numeric

import (
	"math/big"
	"slices"
	"strings"
)

// operation is one way to compute a number from two.
type operation struct {
	kind string
	// of computes the value from x, the first or larger, and y; nil where it cannot.
	of  func(x, y *big.Rat) *big.Rat
	how func(x, y, r string) string
}

var hundred = big.NewRat(100, 1)

var (
	change = operation{"change", func(from, to *big.Rat) *big.Rat {
		if from.Sign() == 0 {
			return nil
		}
		r := new(big.Rat).Sub(to, from)
		return r.Mul(r.Quo(r, new(big.Rat).Abs(from)), hundred)
	}, func(x, y, r string) string { return "(" + y + " - " + x + ") / " + x + " = " + r + "%" }}
	difference = operation{"difference", func(from, to *big.Rat) *big.Rat { return new(big.Rat).Sub(to, from) },
		func(x, y, r string) string { return y + " - " + x + " = " + r }}
	ratio = operation{"ratio", func(from, to *big.Rat) *big.Rat {
		if from.Sign() == 0 {
			return nil
		}
		return new(big.Rat).Quo(to, from)
	}, func(x, y, r string) string { return y + " / " + x + " = " + r }}
	part = operation{"part", func(whole, some *big.Rat) *big.Rat {
		if whole.Sign() <= 0 || some.Sign() < 0 || some.Cmp(whole) > 0 {
			return nil
		}
		return new(big.Rat).Mul(hundred, new(big.Rat).Quo(some, whole))
	}, func(x, y, r string) string { return y + " / " + x + " = " + r + "%" }}
)

// pair computes q from two numbers.
func (c *claimed) pair(q *Quantity, ops []candidate, up, down, changed bool) (derived, bool) {
	var op operation
	switch {
	case q.Kind == Share && (changed && !c.partOf(q)):
		op = change
	case q.Kind == Share:
		op = part
	case q.Kind == Factor:
		op = ratio
	case changed:
		op = difference
	default:
		return derived{}, false
	}
	intended := c.intended(q)
	type found struct {
		from, to *candidate
		value    *big.Rat
	}
	var all []found
	for i := range ops {
		for j := range ops {
			x, y := &ops[i], &ops[j]
			if i == j || !addable(x.q, y.q) || x.q.Bound != Exactly && x.q.Bound != About || y.q.Bound != Exactly && y.q.Bound != About {
				continue
			}
			switch {
			case op.kind == "difference":
				points := q.Kind == Points && x.q.Kind == Share
				if !points && (x.q.Kind != q.Kind || q.unit != nil && !sameMeasure(q.unit, x.q.unit)) {
					continue
				}
				if q.Kind == Count && (c.heads(x.q, y.q) < 0 || c.heads(q, x.q) < 0 || c.heads(q, y.q) < 0) {
					continue
				}
			case op.kind == "part":
				if x.q.Kind == Share || x.q.Kind == Clock || x.q.Kind == Count && (x.near != y.near || !x.q.Value.IsInt() || !y.q.Value.IsInt()) {
					continue
				}
				of := c.oneOf(y, x)
				if !of && !(c.partOf(q) || c.cue(q, shares)) {
					continue
				}
			case x.q.Kind == Clock || x.q.Kind == Share && op.kind == "ratio" && x.q.pair != 1 || x.q.Kind == Count && c.heads(x.q, y.q) < 0:
				continue
			}
			// The order: told by "from … to", else by what the claim says.
			if x.q.pair == -1 && y.q.pair == 1 && adjacent(y.q, x.q) {
				continue
			}
			b := in(x.q, y.q)
			if b == nil {
				continue
			}
			told := x.q.pair == 1 && y.q.pair == -1 && adjacent(x.q, y.q)
			if op.kind == "difference" && !told && !intended {
				continue
			}
			if !told && op.kind != "part" {
				switch {
				case up && !down && b.Cmp(x.q.Value) < 0, down && !up && b.Cmp(x.q.Value) > 0:
					continue
				}
			}
			v := op.of(x.q.Value, b)
			if v == nil || v.Sign() == 0 && op.kind != "part" {
				continue
			}
			if op.kind == "difference" && q.unit != nil && x.q.unit != q.unit && x.q.unit != nil {
				// A difference of temperatures has no zero point.
				v = new(big.Rat).Quo(new(big.Rat).Mul(v, x.q.unit.factor), q.unit.factor)
			}
			all = append(all, found{x, y, v})
		}
	}
	if op.kind == "part" {
		// What the source itself calls a part of a whole goes first.
		of := slices.DeleteFunc(slices.Clone(all), func(f found) bool {
			return f.from.cover < 0.5 || f.to.local < 0.3 || !c.oneOf(f.to, f.from)
		})
		if len(of) > 0 {
			all = of
		}
	}
	var best *found
	for k := range all {
		f := &all[k]
		v := f.value
		if down && !up && op.kind != "part" && op.kind != "ratio" {
			v = new(big.Rat).Neg(v)
		} else if !(up && !down) && (op.kind == "change" || op.kind == "difference") {
			v = new(big.Rat).Abs(v)
		}
		if c.fits(q, v, op) && (best == nil || f.from.cover+f.to.cover+f.from.local+f.to.local > best.from.cover+best.to.cover+best.from.local+best.to.local) {
			best = f
		}
	}
	say := func(f *found) string {
		r := decimal(f.value)
		if op.kind == "difference" && q.Unit != "" {
			r += " " + q.Unit
		}
		return op.how(plainText(f.from.q.Text), plainText(f.to.q.Text), r)
	}
	if best != nil {
		told := best.from.q.pair == 1 && best.to.q.pair == -1 || op.kind == "part" && c.oneOf(best.to, best.from)
		return derived{Supported, say(best), []candidate{*best.to, *best.from}, told}, true
	}
	if op.kind == "part" {
		// "8 of 19", and nothing else like it, gives another share.
		if len(all) != 1 || !c.oneOf(all[0].to, all[0].from) {
			return derived{}, false
		}
		only := &all[0]
		return derived{Contradicted, say(only) + ", not " + plainText(q.Text), []candidate{*only.to, *only.from}, true}, true
	}
	// One pair alone, and it gives something else.
	if !changed && op.kind != "ratio" {
		return derived{}, false
	}
	var only, told *found
	several := false
	for k := range all {
		f := &all[k]
		if f.from.cover < 0.5 || f.to.cover < 0.5 {
			continue
		}
		if f.from.q.pair == 1 && f.to.q.pair == -1 && adjacent(f.from.q, f.to.q) {
			if told == nil || f.from.local > told.from.local {
				told = f
			}
			continue
		}
		if c.heads(f.from.q, f.to.q) <= 0 && f.from.q.unit == nil {
			continue
		}
		if only != nil && !(only.from.q == f.to.q && only.to.q == f.from.q) {
			several = true
		}
		if only == nil || (f.value.Sign() > 0) == up {
			only = f
		}
	}
	switch {
	case told != nil:
		only = told
	case only == nil || several:
		return derived{}, false
	}
	return derived{Contradicted, say(only) + ", not " + plainText(q.Text), []candidate{*only.to, *only.from}, true}, true
}

// oneOf reports whether the source says some "of" whole: "8 of 19 trees".
func (c *claimed) oneOf(some, whole *candidate) bool {
	if some.near != whole.near || whole.q.first < some.q.last || whole.q.first-some.q.last > 4 {
		return false
	}
	between := c.e.texts[c.e.sentences[c.near[some.near]].source][some.q.Span.End:whole.q.Span.Start]
	return strings.Contains(" "+strings.ToLower(between)+" ", " of ")
}

// adjacent reports whether b is the quantity behind a in the same sentence.
func adjacent(a, b *Quantity) bool { return b.first >= a.last && b.first-a.last <= 3 }

// partOf reports whether q is told as a part of something: "20% of", "half of".
func (c *claimed) partOf(q *Quantity) bool { return c.p.word(q.last) == "of" }

// fits reports whether a computed value rounds to q.
func (c *claimed) fits(q *Quantity, v *big.Rat, op operation) bool {
	low, high := q.Low, q.High
	if op.kind == "ratio" && q.Bound == Exactly {
		slack := new(big.Rat).Mul(q.Value, big.NewRat(1, 20))
		low, high = new(big.Rat).Sub(q.Value, slack), new(big.Rat).Add(q.Value, slack)
	}
	return (low == nil || v.Cmp(low) >= 0) && (high == nil || v.Cmp(high) <= 0)
}
