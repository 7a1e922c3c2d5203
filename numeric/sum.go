package numeric

import (
	"math/big"
	"slices"
)

// compoundCount computes q where the claim says that it joins two counts of the
// source: nothing that the source states by itself can stand for it then.
func (c *claimed) compoundCount(q *Quantity) (derived, bool) {
	if q.Kind != Count {
		return derived{}, false
	}
	if w := c.p.word(q.last); w == "more" || w == "fewer" || w == "less" {
		return c.compared(q, c.operands(q))
	}
	if c.several(q) && c.cue(q, totals) {
		return c.sums(q, c.operands(q))
	}
	return derived{}, false
}

// sums finds q as a sum or mean of numbers in one sentence.
func (c *claimed) sums(q *Quantity, ops []candidate) (derived, bool) {
	total, mean := c.cue(q, totals), c.mean(q)
	if !total && !mean || q.Kind == Factor || q.Kind == Points {
		return derived{}, false
	}
	several, most := c.several(q), 8
	if several {
		most = 2
	}
	var whole *derived
	for i := range ops {
		sum := new(big.Rat)
		text := ""
		var run []candidate
		for j := i; j < len(ops) && len(run) < most; j++ {
			x := &ops[j]
			if !addable(q, x.q) || q.Kind == Count && len(run) > 0 && c.heads(run[0].q, x.q) < 0 && c.heads(q, x.q) < 0 && !c.names(q, x.q.Of) {
				continue
			}
			if q.Kind == Count && c.heads(q, x.q) <= 0 && !c.names(q, x.q.Of) && x.q.Of != "" && plural(q.Of) && !generic[q.Of] {
				continue
			}
			if q.Kind == Count && x.q.Of == "" && !x.q.Value.IsInt() {
				continue
			}
			if q.Kind == Count && several && !(x.q.Of != "" && c.names(q, x.q.Of)) {
				continue
			}
			v := in(q, x.q)
			if v == nil {
				continue
			}
			sum = new(big.Rat).Add(sum, v)
			if text != "" {
				text += " + "
			}
			text += plainText(x.q.Text)
			run = append(run, *x)
			if len(run) < 2 {
				continue
			}
			if total && c.fits(q, sum, difference) {
				return derived{Supported, text + " = " + decimal(sum) + unitSuffix(q), run, true}, true
			}
			if m := new(big.Rat).Quo(sum, big.NewRat(int64(len(run)), 1)); mean && c.fits(q, m, difference) {
				return derived{Supported, "(" + text + ") / " + decimal(big.NewRat(int64(len(run)), 1)) + " = " + decimal(m) + unitSuffix(q), run, true}, true
			}
			if total && !mean && allOneSentence(run) && run[0].cover >= 0.5 && (i == 0 && alikeNouns(c, run) || several && len(run) == 2 && c.names(q, run[0].q.Of) && c.names(q, run[1].q.Of)) {
				whole = &derived{Contradicted, text + " = " + decimal(sum) + unitSuffix(q) + ", not " + plainText(q.Text), slices.Clone(run), true}
			}
		}
	}
	if whole != nil && (len(whole.operands) == countable(q, ops) || several) {
		return *whole, true
	}
	return derived{}, false
}

// compared finds q in "2 more vans than cars".
func (c *claimed) compared(q *Quantity, ops []candidate) (derived, bool) {
	w := c.p.word(q.last)
	if q.Kind != Count || w != "more" && w != "fewer" && w != "less" {
		return derived{}, false
	}
	x, y := q.last+1, -1
	for k := x; k < min(x+5, len(c.p.tokens)); k++ {
		if c.p.word(k) == "than" {
			y = k + 1
			break
		}
	}
	if y < 0 {
		return derived{}, false
	}
	first, second := stem(c.p.word(y-2)), stem(c.p.word(y))
	// Of several, the two that stand closest together.
	var a, b *candidate
	for i := range ops {
		for j := range ops {
			x, y := &ops[i], &ops[j]
			if x.near != y.near || x.q.Kind != Count || y.q.Kind != Count || stem(x.q.Of) != first || stem(y.q.Of) != second {
				continue
			}
			if a == nil || abs(x.q.first-y.q.first) < abs(a.q.first-b.q.first) {
				a, b = x, y
			}
		}
	}
	if a == nil {
		return derived{}, false
	}
	d := new(big.Rat).Sub(a.q.Value, b.q.Value)
	text := plainText(a.q.Text) + " - " + plainText(b.q.Text)
	if w != "more" {
		d.Neg(d)
		text = plainText(b.q.Text) + " - " + plainText(a.q.Text)
	}
	text += " = " + decimal(d)
	if c.fits(q, d, difference) {
		return derived{Supported, text, []candidate{*a, *b}, true}, true
	}
	return derived{Contradicted, text + ", not " + plainText(q.Text), []candidate{*a, *b}, true}, true
}

// names reports whether the claim says the noun within six words behind q: "a
// total of 21 vans and cars".
func (c *claimed) names(q *Quantity, noun string) bool {
	want := stem(noun)
	for k := q.last; k < min(q.last+6, len(c.p.tokens)); k++ {
		if stem(c.p.word(k)) == want {
			return true
		}
	}
	return false
}

// several reports whether q counts more than one noun: "21 vans and cars".
func (c *claimed) several(q *Quantity) bool {
	for k := q.last; k+2 < min(q.last+5, len(c.p.tokens)); k++ {
		if plural(c.p.word(k)) && (c.p.word(k+1) == "and" || c.p.word(k+1) == "or") && (plural(c.p.word(k+2)) || k+3 < len(c.p.tokens) && plural(c.p.word(k+3))) {
			return true
		}
	}
	return false
}

func allOneSentence(run []candidate) bool {
	for _, k := range run {
		if k.near != run[0].near {
			return false
		}
	}
	return true
}

// mean reports whether the claim calls q a mean: "an average of 5", "averaged 5".
func (c *claimed) mean(q *Quantity) bool {
	for k := max(0, q.first-3); k < q.first; k++ {
		if means[c.p.word(k)] {
			return true
		}
	}
	return means[c.p.word(q.last)]
}

// alikeNouns reports whether all of run count the same thing.
func alikeNouns(c *claimed, run []candidate) bool {
	for _, k := range run[1:] {
		if k.q.Kind == Count && c.heads(run[0].q, k.q) <= 0 {
			return false
		}
	}
	return true
}

// countable is how many of ops could be added up to q.
func countable(q *Quantity, ops []candidate) int {
	n := 0
	for _, k := range ops {
		if addable(q, k.q) {
			n++
		}
	}
	return n
}

func unitSuffix(q *Quantity) string {
	switch {
	case q.Kind == Share:
		return "%"
	case q.Unit != "":
		return " " + q.Unit
	}
	return ""
}

// margin finds q as the difference of the two numbers of a result.
func (c *claimed) margin(q *Quantity, ops []candidate) (derived, bool) {
	if q.Kind != Count || !c.cue(q, margins) {
		return derived{}, false
	}
	var only *derived
	results := 0
	for i := range ops {
		k := &ops[i]
		if k.q.Kind != Score {
			continue
		}
		d := new(big.Rat).Sub(k.q.Value, k.q.High)
		d.Abs(d)
		text := decimal(k.q.Value) + " - " + decimal(k.q.High)
		if d.Sign() < 0 || k.q.Value.Cmp(k.q.High) < 0 {
			text = decimal(k.q.High) + " - " + decimal(k.q.Value)
		}
		text += " = " + decimal(d)
		if c.fits(q, d, difference) {
			return derived{Supported, text, []candidate{*k}, true}, true
		}
		if k.cover >= 0.5 {
			results++
			only = &derived{Contradicted, text + ", not " + plainText(q.Text), []candidate{*k}, true}
		}
	}
	if results == 1 {
		return *only, true
	}
	return derived{}, false
}
