package numeric

import "math/big"

// sameMeasure reports whether u and v measure the same, in any of their meanings.
func sameMeasure(u, v *unit) bool {
	if u == nil || v == nil {
		return u == v
	}
	for _, a := range meanings(u) {
		for _, b := range meanings(v) {
			if a.dimension == b.dimension || dollars(a, b) || calendar(a, b) {
				return true
			}
		}
	}
	return false
}

// comparableUnits is sameMeasure where one side may lack its unit.
func comparableUnits(u, v *unit) bool { return u == nil || v == nil || sameMeasure(u, v) }

func meanings(u *unit) []*unit {
	if len(u.others) == 0 {
		return []*unit{u}
	}
	return append([]*unit{u}, u.others...)
}

// dollars reports whether one of the units is a dollar of no told country and
// the other one of some country.
func dollars(a, b *unit) bool {
	if a.dimension == dollarDimension {
		a, b = b, a
	}
	if b.dimension != dollarDimension {
		return false
	}
	switch a.dimension {
	case "money USD", "money AUD", "money CAD", "money NZD", "money HKD", "money SGD":
		return true
	}
	return false
}

// calendar reports whether one of the units is counted in months and the other in
// seconds; their ratio is not fixed.
func calendar(a, b *unit) bool {
	return a.dimension == monthsDimension && b.dimension == timeDimension || a.dimension == timeDimension && b.dimension == monthsDimension
}

// convert returns v of unit from in unit to, in the first meanings that measure
// the same; nil where there are none. Months convert into time by the mean month.
func convert(v *big.Rat, from, to *unit) *big.Rat {
	if from == to {
		return v
	}
	for _, a := range meanings(from) {
		for _, b := range meanings(to) {
			if r := convertPlain(v, a, b, meanMonth); r != nil {
				return r
			}
		}
	}
	return nil
}

// meanMonth is a twelfth of the mean Gregorian year, in seconds.
var meanMonth = big.NewRat(2629746, 1)

func convertPlain(v *big.Rat, a, b *unit, month *big.Rat) *big.Rat {
	x := a.base(v)
	switch {
	case a.dimension == b.dimension || dollars(a, b):
	case a.dimension == monthsDimension && b.dimension == timeDimension:
		x.Mul(x, month)
	case a.dimension == timeDimension && b.dimension == monthsDimension:
		x.Quo(x, month)
	default:
		return nil
	}
	if b.offset != nil {
		x.Sub(x, b.offset)
	}
	return x.Quo(x, b.factor)
}

// relation says how a number of a claim stands to one of the evidence.
type relation uint8

const (
	incomparable relation = iota // other kinds, other dimensions
	entails                      // who states the evidence's has stated the claim's
	vague                        // both can be true, neither follows
	differs                      // both can't be meant
)

// match is how two quantities compare.
type match struct {
	relation  relation
	same      bool     // the very same value and bound
	converted *big.Rat // the evidence's value in the claim's unit, where they differ
}

// compare tells how claim stands to evidence.
func compare(claim, evidence *Quantity) match {
	switch {
	case claim.Kind == Date && evidence.Kind == Date:
		return match{relation: compareDays(claim.Day, evidence.Day)}
	case claim.Kind == Date || evidence.Kind == Date:
		return match{}
	case claim.Kind == Label || evidence.Kind == Label:
		return compareLabels(claim, evidence)
	case claim.Kind == Rank && evidence.Kind == Rank:
		return exactly(claim.Value.Cmp(evidence.Value) == 0)
	case claim.Kind == Score && evidence.Kind == Score:
		same := claim.Value.Cmp(evidence.Value) == 0 && claim.High.Cmp(evidence.High) == 0
		turned := claim.Value.Cmp(evidence.High) == 0 && claim.High.Cmp(evidence.Value) == 0
		if turned && !same {
			return match{relation: vague}
		}
		return exactly(same)
	case claim.Kind == Clock && evidence.Kind == Clock:
		if claim.Unit != evidence.Unit {
			a, b := new(big.Rat).Sub(claim.Value, evidence.Value), big.NewRat(720, 1)
			return exactly(a.Sign() == 0 || a.Abs(a).Cmp(b) == 0)
		}
		return exactly(claim.Value.Cmp(evidence.Value) == 0)
	}
	if claim.Kind != evidence.Kind {
		return compareKinds(claim, evidence)
	}
	switch claim.Kind {
	case Count, Share, Points, Factor:
		return compareValues(claim, evidence, evidence.Value, evidence.Low, evidence.High, false)
	case Measure, Money:
		return compareUnits(claim, evidence)
	}
	return match{}
}

func exactly(same bool) match {
	if same {
		return match{relation: entails, same: true}
	}
	return match{relation: differs}
}

// compareLabels compares names with numbers: the same name with another number is
// another thing.
func compareLabels(claim, evidence *Quantity) match {
	if claim.Value == nil || evidence.Value == nil || claim.Kind == Score || evidence.Kind == Score {
		return match{}
	}
	same := claim.Value.Cmp(evidence.Value) == 0
	switch {
	case claim.Kind == Label && evidence.Kind == Label && claim.Of == evidence.Of:
		return exactly(same)
	case same && (claim.Kind == Count || claim.Kind == Label) && (evidence.Kind == Label || evidence.Kind == Count):
		return match{relation: entails}
	}
	return match{}
}

// compareKinds compares quantities of different kinds where that makes sense: a
// number without its unit, a percentage called a point, a share told as multiple.
func compareKinds(claim, evidence *Quantity) match {
	bare := func(k Kind) bool { return k == Count }
	unit := func(k Kind) bool { return k == Measure || k == Money || k == Share }
	switch {
	case claim.apposed && evidence.Of == "old" || evidence.apposed && claim.Of == "old":
		if claim.Value.Cmp(evidence.Value) == 0 {
			return match{relation: entails}
		}
	case bare(claim.Kind) && unit(evidence.Kind), bare(evidence.Kind) && unit(claim.Kind):
		if claim.Value.Cmp(evidence.Value) == 0 && claim.Bound != Between && evidence.Bound != Between {
			return match{relation: vague}
		}
	case claim.Kind == Points && evidence.Kind == Share || claim.Kind == Share && evidence.Kind == Points:
		if claim.Value.Cmp(evidence.Value) == 0 {
			return match{relation: vague}
		}
	case claim.Kind == Count && evidence.Kind == Rank && claim.Value.Cmp(evidence.Value) == 0:
		return match{relation: vague}
	case claim.Kind == Factor && evidence.Kind == Count && evidence.Of == "times" || claim.Kind == Count && claim.Of == "times" && evidence.Kind == Factor:
		return compareValues(claim, evidence, evidence.Value, evidence.Low, evidence.High, false)
	case claim.Kind == Money && evidence.Kind == Measure || claim.Kind == Measure && evidence.Kind == Money:
		return compareUnits(claim, evidence) // pounds
	}
	return match{}
}

// compareUnits compares quantities with units.
func compareUnits(claim, evidence *Quantity) match {
	if claim.unit == evidence.unit {
		return compareValues(claim, evidence, evidence.Value, evidence.Low, evidence.High, false)
	}
	if !sameMeasure(claim.unit, evidence.unit) {
		if claim.unit.money() && evidence.unit.money() {
			// No rate of exchange is known; the same number of another currency is wrong.
			if claim.Value.Cmp(evidence.Value) == 0 {
				return match{relation: differs}
			}
		}
		return match{}
	}
	// The meaning that fits best counts: a gallon may be either.
	best := match{}
	try := func(a, b *unit, month *big.Rat) {
		to := func(v *big.Rat) *big.Rat {
			if v == nil {
				return nil
			}
			return convertPlain(v, b, a, month)
		}
		v := to(evidence.Value)
		if v == nil {
			return
		}
		low, high := to(evidence.Low), to(evidence.High)
		m := compareValues(claim, evidence, v, low, high, a.factor.Cmp(b.factor) != 0 || a.dimension != b.dimension && !dollars(a, b))
		m.converted = v
		if best.relation == incomparable || m.relation == entails && best.relation != entails {
			best = m
		}
	}
	for _, a := range meanings(claim.unit) {
		for _, b := range meanings(evidence.unit) {
			switch {
			case a.dimension == b.dimension || dollars(a, b):
				try(a, b, meanMonth)
			case calendar(a, b):
				for _, days := range [...]int64{30, 31, 28} {
					try(a, b, big.NewRat(days*86400, 1))
				}
				try(a, b, meanMonth)
			}
		}
	}
	return best
}

// compareValues compares the claim with a value and its bounds in the claim's
// unit. converted says that the value came from another unit, and was rounded on
// one of the two ways.
func compareValues(claim, evidence *Quantity, v, low, high *big.Rat, converted bool) match {
	inside := func(x, low, high *big.Rat) bool {
		return (low == nil || x.Cmp(low) >= 0) && (high == nil || x.Cmp(high) <= 0)
	}
	overlap := func() bool {
		return (claim.High == nil || low == nil || low.Cmp(claim.High) <= 0) && (claim.Low == nil || high == nil || claim.Low.Cmp(high) <= 0)
	}
	same := claim.Value.Cmp(v) == 0 && claim.Bound == evidence.Bound && (claim.Bound != Between || claim.High.Cmp(high) == 0)
	if same {
		return match{relation: entails, same: true}
	}
	point := func(b Bound) bool { return b == Exactly || b == About }
	up := func(b Bound) bool { return b == AtLeast || b == MoreThan }
	down := func(b Bound) bool { return b == AtMost || b == LessThan }
	switch {
	case point(claim.Bound) && point(evidence.Bound):
		if inside(v, claim.Low, claim.High) || converted && close(v, claim.Value) || evidence.Bound == About && (inside(claim.Value, low, high) || converted && overlap()) {
			return match{relation: entails}
		}
		// Less exact, but it fits: "3.5 million" against 3,482,112.
		if low.Cmp(claim.Value) < 0 && claim.Value.Cmp(high) < 0 && !evidence.exact {
			return match{relation: vague}
		}
		return match{relation: differs}
	case point(claim.Bound):
		// "10" against "more than 10", against "5 to 10"
		if evidence.Bound == Between {
			if inside(claim.Value, low, high) {
				return match{relation: vague}
			}
			return match{relation: differs}
		}
		if claim.Value.Cmp(v) == 0 {
			return match{relation: vague}
		}
		if overlap() {
			return match{relation: vague}
		}
		return match{relation: differs}
	case claim.Bound == Between:
		switch {
		case evidence.Bound == Between:
			if near(claim.Low, low) && near(claim.High, high) || converted && overlap() {
				return match{relation: entails}
			}
			// Other ends are another range, even where one holds the other.
			return match{relation: differs}
		case point(evidence.Bound) && inside(v, claim.Low, claim.High):
			return match{relation: entails}
		}
		if overlap() {
			return match{relation: vague}
		}
		return match{relation: differs}
	case converted && near(v, claim.Value) && (up(claim.Bound) && up(evidence.Bound) || down(claim.Bound) && down(evidence.Bound)):
		return match{relation: entails}
	case up(claim.Bound):
		switch {
		case up(evidence.Bound):
			if v.Cmp(claim.Value) >= 0 {
				return match{relation: entails}
			}
			return match{relation: differs}
		case down(evidence.Bound):
			if claim.Value.Cmp(v) >= 0 {
				return match{relation: differs}
			}
			return match{relation: vague}
		}
		if v.Cmp(claim.Value) > 0 || v.Cmp(claim.Value) == 0 && claim.Bound == AtLeast {
			return match{relation: entails}
		}
		if v.Cmp(claim.Value) == 0 {
			return match{relation: vague}
		}
		return match{relation: differs}
	default: // down
		switch {
		case down(evidence.Bound):
			if v.Cmp(claim.Value) <= 0 {
				return match{relation: entails}
			}
			return match{relation: differs}
		case up(evidence.Bound):
			if claim.Value.Cmp(v) <= 0 {
				return match{relation: differs}
			}
			return match{relation: vague}
		}
		top := v
		if evidence.Bound == Between {
			top = high
		}
		if top.Cmp(claim.Value) < 0 || top.Cmp(claim.Value) == 0 && claim.Bound == AtMost {
			return match{relation: entails}
		}
		if top.Cmp(claim.Value) == 0 {
			return match{relation: vague}
		}
		return match{relation: differs}
	}
}

// close reports whether x and y differ by at most a fiftieth of the larger: figures
// are rounded when they are converted.
func close(x, y *big.Rat) bool { return within(x, y, big.NewRat(1, 50)) }

// near reports whether x and y differ by at most a hundredth of the larger.
func near(x, y *big.Rat) bool { return within(x, y, big.NewRat(1, 100)) }

func within(x, y, share *big.Rat) bool {
	if x == nil || y == nil {
		return x == y
	}
	d := new(big.Rat).Sub(x, y)
	m := new(big.Rat).Abs(x)
	if n := new(big.Rat).Abs(y); n.Cmp(m) > 0 {
		m = n
	}
	return d.Abs(d).Cmp(m.Mul(m, share)) <= 0
}

// compareDays tells how a date of a claim stands to one of the evidence.
func compareDays(c, e Day) relation {
	if cf, ct, ok := c.span(); ok {
		if ef, et, ok := e.span(); ok {
			switch {
			case cf <= ef && et <= ct:
				if c.Weekday != 0 && e.Weekday != 0 && c.Weekday != e.Weekday {
					return differs
				}
				return entails
			case ef <= cf && ct <= et:
				return vague
			case cf > et || ct < ef:
				return differs
			}
			return vague
		}
	}
	// One of them does not tell its year: what both tell decides.
	common, more := false, false
	for _, x := range [...][2]int{{c.Month, e.Month}, {c.Day, e.Day}, {c.Weekday, e.Weekday}, {c.Year, e.Year}} {
		switch {
		case x[0] == 0:
		case x[1] == 0:
			more = true
		case x[0] != x[1]:
			return differs
		default:
			common = true
		}
	}
	switch {
	case !common:
		return incomparable
	case more:
		return vague
	}
	return entails
}
