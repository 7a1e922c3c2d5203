package numeric

import (
	"math/big"
	"slices"
	"strings"
	"time"
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
