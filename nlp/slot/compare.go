package slot

import (
	"math"
	"strings"
	"time"
)

// Relation says how one slot stands to another. Values may be added.
type Relation string

// The relations of a to b.
const (
	// Incomparable: the kinds or dimensions differ, nothing can be said.
	Incomparable Relation = "incomparable"
	// Equal: the same value, whatever the words and units.
	Equal Relation = "equal"
	// Narrower: a says more than b and fits it: who states a has stated b
	// ("15 March 2020" against "2020", "Marie Curie" against "Curie").
	Narrower Relation = "narrower"
	// Broader: the reverse of Narrower.
	Broader Relation = "broader"
	// Overlapping: both can be true at once, but neither follows from the other.
	Overlapping Relation = "overlapping"
	// Different: both can't be meant.
	Different Relation = "different"
)

// Compatible reports whether both slots can mean the same thing.
func (r Relation) Compatible() bool {
	return r == Equal || r == Narrower || r == Broader || r == Overlapping
}

// Reverse returns the relation of b to a.
func (r Relation) Reverse() Relation {
	switch r {
	case Narrower:
		return Broader
	case Broader:
		return Narrower
	}
	return r
}

// Compare tells how a stands to b.
//
// Numbers compare as the ranges that their words allow, after conversion to
// one unit; values in different units of a dimension are equal within 1%,
// since converted figures are rounded. A number without a unit is broader than
// the same number with one. Dates compare by what both tell. Names compare by
// words, in order, with initials, acronyms and names of peoples; "John Smith"
// and "Mary Smith" are different. Negations and hedges are incomparable.
func Compare(a, b Slot) Relation {
	if a.Kind == Name && b.Kind == Name {
		return compareNames(a.Words, b.Words)
	}
	if a.Kind == Date && b.Kind == Date {
		return compareDates(a, b)
	}
	if a.Kind != b.Kind {
		return compareKinds(a, b)
	}
	switch a.Kind {
	case Number, Percent, Ordinal:
		return compareRanges(a, b)
	case Quantity:
		return compareQuantities(a, b)
	case Score:
		if a.Value == b.Value && a.High == b.High {
			return Equal
		}
		return Different
	case Clock:
		switch {
		case a.Value == b.Value && a.Half == b.Half:
			return Equal
		case a.Half && b.Half, math.Mod(a.Value, 720) != math.Mod(b.Value, 720):
			return Different
		case a.Half:
			return Narrower
		case b.Half:
			return Broader
		}
		return Overlapping
	}
	return Incomparable
}

// compareKinds compares slots of different kinds where that makes sense.
func compareKinds(a, b Slot) Relation {
	if a.Kind == Number && b.Kind == Quantity || a.Kind == Number && b.Kind == Percent {
		if compareRanges(a, b) == Equal {
			return Broader
		}
		return Incomparable
	}
	if b.Kind == Number && (a.Kind == Quantity || a.Kind == Percent) {
		return compareKinds(b, a).Reverse()
	}
	return Incomparable
}

// near reports whether x and y are equal but for rounding in their arithmetic.
func near(x, y float64) bool {
	return x == y || math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))
}

func atMost(x, y float64) bool { return x <= y || near(x, y) }

func compareRanges(a, b Slot) Relation {
	if near(a.Low, b.Low) && near(a.High, b.High) && near(a.Value, b.Value) {
		return Equal
	}
	// The same figure, told with another precision ("3" and "3.0").
	aInB := atMost(b.Low, a.Low) && atMost(a.High, b.High)
	bInA := atMost(a.Low, b.Low) && atMost(b.High, a.High)
	switch {
	case near(a.Value, b.Value) && a.High-a.Low <= math.Abs(a.Value)*0.15 && b.High-b.Low <= math.Abs(b.Value)*0.15:
		return Equal
	case aInB && !bInA:
		return Narrower
	case bInA && !aInB:
		return Broader
	case aInB:
		return Equal
	case a.Low < b.High && b.Low < a.High:
		return Overlapping
	}
	return Different
}

func compareQuantities(a, b Slot) Relation {
	if a.Unit == b.Unit {
		return compareRanges(a, b)
	}
	// A pound is money or mass.
	for i, s := range []*Slot{&a, &b} {
		other := []*Slot{&b, &a}[i]
		if s.Unit == "pound" {
			if other.Unit == "GBP" {
				return compareRanges(a, b)
			}
			if other.Unit != "pound" {
				s.Unit = "lb"
			}
		}
	}
	ua, ok1 := unitBySymbol(a.Unit)
	ub, ok2 := unitBySymbol(b.Unit)
	if ok1 && ok2 && ua.dimension != ub.dimension && strings.HasPrefix(ua.dimension, "money ") && strings.HasPrefix(ub.dimension, "money ") {
		return Different // no rate of exchange is known
	}
	if !ok1 || !ok2 || ua.dimension != ub.dimension {
		return Incomparable
	}
	a, b = convert(a, ua), convert(b, ub)
	if math.Abs(a.Value-b.Value) <= 0.01*max(math.Abs(a.Value), math.Abs(b.Value)) && plain(a) && plain(b) {
		return Equal
	}
	return compareRanges(a, b)
}

// plain reports whether s has no words of approximation or bound around it.
func plain(s Slot) bool {
	return s.High-s.Low <= 0.15*math.Abs(s.Value)
}

func convert(s Slot, u unit) Slot {
	to := func(x float64) float64 {
		if math.Abs(x) == math.MaxFloat64 {
			return x
		}
		return x*u.factor + u.offset
	}
	s.Value, s.Low, s.High = to(s.Value), to(s.Low), to(s.High)
	return s
}

// unitBySymbol finds a unit by canonical symbol, squares and cubes too.
func unitBySymbol(s string) (unit, bool) {
	if u, ok := bySymbol[s]; ok {
		return u, true
	}
	power, base, ok := strings.Cut(s, " ")
	if !ok {
		return unit{}, false
	}
	u, ok := bySymbol[base]
	if !ok {
		return unit{}, false
	}
	switch power {
	case "sq":
		return unit{symbol: s, dimension: "area", factor: u.factor * u.factor}, true
	case "cu":
		// A litre is a thousandth of a cubic metre.
		return unit{symbol: s, dimension: "volume", factor: u.factor * u.factor * u.factor * 1000}, true
	}
	return unit{}, false
}

// compareDates compares what both dates tell.
func compareDates(a, b Slot) Relation {
	ra, rb := a.From != a.To, b.From != b.To
	if ra || rb || a.From.Years > 1 || b.From.Years > 1 {
		return compareSpans(a, b)
	}
	x, y := a.From.withWeekday(b.From), b.From.withWeekday(a.From)
	aMore, bMore := false, false
	for _, p := range [][2]int{{x.Year, y.Year}, {x.Month, y.Month}, {x.Day, y.Day}, {x.Weekday, y.Weekday}} {
		switch {
		case p[0] == p[1]:
		case p[0] == 0:
			bMore = true
		case p[1] == 0:
			aMore = true
		default:
			return Different
		}
	}
	// Nothing in common ("2020" against "March").
	if x.Year*y.Year == 0 && x.Month*y.Month == 0 && x.Weekday*y.Weekday == 0 {
		return Incomparable
	}
	// A weekday says nothing that a reader would miss beside a full date.
	if x.Day > 0 && y.Day > 0 && x.Month == y.Month && x.Year == y.Year {
		return Equal
	}
	switch {
	case aMore && bMore:
		return Overlapping
	case aMore:
		return Narrower
	case bMore:
		return Broader
	}
	return Equal
}

// compareSpans compares dates of which one is a range, decade or century.
func compareSpans(a, b Slot) Relation {
	if a.From.Year == 0 || b.From.Year == 0 {
		if a.From == b.From && a.To == b.To {
			return Equal
		}
		if a.From.Month > 0 && b.From.Month > 0 || a.From.Weekday > 0 && b.From.Weekday > 0 {
			return Overlapping
		}
		return Incomparable
	}
	// Days of a calendar with 31 days in each month: order is all that counts.
	first := func(d Day) int { return d.Year*372 + max(d.Month-1, 0)*31 + max(d.Day-1, 0) }
	last := func(d Day) int {
		switch {
		case d.Month == 0:
			return (d.Year+max(d.Years, 1))*372 - 1
		case d.Day == 0:
			return d.Year*372 + d.Month*31 - 1
		}
		return first(d)
	}
	a1, a2, b1, b2 := first(a.From), last(a.To), first(b.From), last(b.To)
	switch {
	case a1 == b1 && a2 == b2:
		return Equal
	case b1 <= a1 && a2 <= b2:
		return Narrower
	case a1 <= b1 && b2 <= a2:
		return Broader
	case a1 <= b2 && b1 <= a2:
		return Overlapping
	}
	return Different
}

// withWeekday fills in the weekday that a whole date falls on, to compare it
// with a weekday alone.
func (d Day) withWeekday(other Day) Day {
	if d.Weekday == 0 && other.Weekday > 0 && other.Day == 0 && d.Day > 0 && d.Month > 0 && d.Year > 1752 {
		d.Weekday = (int(time.Date(d.Year, time.Month(d.Month), d.Day, 0, 0, 0, 0, time.UTC).Weekday())+6)%7 + 1
	}
	return d
}
