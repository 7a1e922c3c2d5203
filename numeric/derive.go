package numeric

import (
	"math/big"
	"slices"
)

// derived is a number that follows, or does not follow, from what the evidence
// states.
type derived struct {
	verdict  Verdict
	how      string
	operands []candidate
	// told says that the source tells the operands as belonging together: "from 5
	// to 10", "8 of 19".
	told bool
}

// The words that tell what was computed.
var (
	rising = words(`rise rises rose risen rising increase increased increases increasing grew grow grown growing growth up gain gained gains climb
 climbed jump jumped surge surged soar soared higher more added extra improved expanded larger longer heavier taller older faster better bigger
 greater raised widened above ahead exceeded exceeding exceeds outnumbered`)
	falling = words(`fall fell fallen falling falls drop dropped drops decrease decreased decreases decreasing decline declined down lower less fewer
 reduced reduction cut lost loss shrank shrunk smaller shorter lighter younger slower plunged slipped slid below behind cheaper`)
	gaps    = words("difference gap margin lead between apart separated separate than change changed swing")
	totals  = words("total totals totalled totaled totalling totaling altogether combined together sum aggregate")
	means   = words("average averaged averaging mean")
	lasting = words(`for lasted lasts last later after over within span spanned spanning took takes between long apart during period ran passed elapsed
 since ago earlier before old aged age lived spent through lifetime`)
	shares  = words("share proportion percentage accounted account represent represents represented made makes make fraction comprised comprise")
	margins = words("margin margins lead led ahead difference clear")
	later   = words("later after afterwards following subsequently")
	earlier = words("earlier before previously prior")
)

// cue reports whether one of the words stands within eight tokens of q in the
// claim.
func (c *claimed) cue(q *Quantity, list map[string]bool) bool {
	for k := max(0, q.first-8); k < min(len(c.p.tokens), q.last+8); k++ {
		if (k < q.first || k >= q.last) && list[c.p.word(k)] && c.p.tokens[k].Start >= c.s.span.Start && c.p.tokens[k].Start < c.s.span.End {
			return true
		}
	}
	return q.Kind == Factor && list[c.p.word(q.first)]
}

// intended reports whether the words next to q say that it is the outcome of a
// comparison: "by 5", "5 more", "an increase of 5", "5 years later".
func (c *claimed) intended(q *Quantity) bool {
	if q.Kind == Factor || q.Kind == Points || q.Bound == Exactly && c.p.word(q.first-1) == "by" || c.p.word(q.first-2) == "by" || c.p.word(q.first-3) == "by" {
		return true
	}
	before := c.p.word(q.first - 2)
	if c.p.word(q.first-1) == "of" && (gaps[before] || rising[before] || falling[before] || totals[before] || means[before] || before == "reduction") {
		return true
	}
	switch c.p.word(q.last) {
	case "more", "fewer", "less", "higher", "lower", "greater", "larger", "longer", "shorter", "later", "earlier", "apart", "altogether":
		return true
	}
	return false
}

// maxOperands bounds the numbers that are computed with.
const maxOperands = 12

// operands returns numbers of the evidence that the claim may have been computed
// from: those of the sentences that share most with the words around q.
func (c *claimed) operands(q *Quantity) []candidate {
	cover, named := c.covers(q)
	order := make([]int, len(c.near))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case cover[a] > cover[b]:
			return -1
		case cover[a] < cover[b]:
			return 1
		}
		return 0
	})
	var out []candidate
	around := c.around(q, &c.s)
	for _, n := range order[:min(len(order), 4)] {
		if cover[n] < 0.25 || !named[n] || cover[n] < cover[order[0]]*0.5 {
			continue
		}
		s := &c.e.sentences[c.near[n]]
		for j := range s.quantities {
			x := &s.quantities[j]
			if len(out) == maxOperands {
				return out
			}
			out = append(out, candidate{q: x, near: n, cover: cover[n], local: alike(around, c.around(x, s))})
		}
	}
	return out
}

// addable reports whether x and y can be added and compared.
func addable(x, y *Quantity) bool {
	if x.Kind != y.Kind || x.Value == nil || y.Value == nil || x.Bound == Between || y.Bound == Between {
		return false
	}
	switch x.Kind {
	case Count:
		return true
	case Share, Points, Clock:
		return true
	case Measure, Money:
		return sameMeasure(x.unit, y.unit)
	}
	return false
}

// in returns y's value in the unit of x.
func in(x, y *Quantity) *big.Rat {
	if x.unit == nil || y.unit == nil || x.unit == y.unit {
		return y.Value
	}
	return convert(y.Value, y.unit, x.unit)
}

// derive computes q from the numbers of the evidence.
func (c *claimed) derive(q *Quantity) (derived, bool) {
	if q.Kind == Label || q.Kind == Rank || q.Kind == Score || q.Kind == Clock || q.Bound == Between {
		return derived{}, false
	}
	ops := c.operands(q)
	if q.Kind == Date {
		return c.deriveDate(q, ops)
	}
	if d, ok := c.duration(q, ops); ok {
		return d, ok
	}
	if d, ok := c.margin(q, ops); ok {
		return d, ok
	}
	up, down, gap := c.cue(q, rising), c.cue(q, falling), c.cue(q, gaps)
	if d, ok := c.sums(q, ops); ok {
		return d, ok
	}
	return c.pair(q, ops, up, down, up || down || gap)
}
