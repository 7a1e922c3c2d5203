package numeric

import (
	"math/big"

	"github.com/kgeval/kgeval/segment"
)

// Style is the form of numbers in digits.
type Style uint8

// The styles.
const (
	// PointDecimal writes 1,234.5. The default.
	PointDecimal Style = iota
	// CommaDecimal writes 1.234,5.
	CommaDecimal
)

// Kind says what a Quantity is. More may be added.
type Kind string

// The kinds of Quantity.
const (
	Count   Kind = "count"   // how many, or a bare number: "12 passengers", "twenty-one"
	Share   Kind = "share"   // a part of a whole, in percent: "5%", "two thirds of", "one in five"
	Points  Kind = "points"  // percentage points
	Measure Kind = "measure" // a number with a unit that is no currency: "12 km", "a 29-year-old"
	Money   Kind = "money"   // a number with a currency
	Factor  Kind = "factor"  // a multiple: "twice", "three times", "fivefold"
	Rank    Kind = "rank"    // "3rd", "twenty-first"
	Score   Kind = "score"   // a result of two numbers: "3-1"
	Date    Kind = "date"    // any part of a date: "1990s", "May 2011", "Monday"
	Clock   Kind = "clock"   // a time of day
	Label   Kind = "label"   // a number that is part of a name: "Apollo 11"
)

// Quantity is one number of a text with all that belongs to it. Its rationals are
// shared and must not be changed.
type Quantity struct {
	// Span is the place of number and unit together, without the words that bound
	// it ("about"); Text is what stands there.
	Span segment.Span
	Text string
	Kind Kind

	// Value is the number as stated, in Unit: a Share in percent, a Clock in minutes
	// since midnight, of a Score the first number and of a range its lower end. Nil
	// for a Date.
	Value *big.Rat
	// Low and High bound what the words allow, in Unit: "1.5 million" stands for
	// whatever rounds to it, "about" allows a twentieth, a range its two ends. A
	// nil bound is no bound ("at least 5"). Of a Score, High is the second number.
	Low, High *big.Rat
	// Bound says what the words around the number make of it.
	Bound Bound
	// Unit is the symbol of the unit: "km", "$", "" for none.
	Unit string
	// Of is the noun that is counted or named, in lower case, where one follows.
	Of string
	// Day is what the words of a Date tell.
	Day Day

	unit  *unit
	exact bool // words or digits that are not rounded: a small count
	first int  // tokens [first, last) of the text
	last  int
	pair  int // of "from 5 to 10": +1 the first, -1 the second
	// apposed says that the number stands behind a name, between commas: an age,
	// perhaps.
	apposed bool
}

// Bound says how a number is meant. More may be added.
type Bound string

// The bounds.
const (
	Exactly  Bound = ""          // as it stands, but for rounding
	About    Bound = "about"     // "about", "nearly", "some"
	AtLeast  Bound = "at least"  // the number or more
	MoreThan Bound = "more than" // over the number
	AtMost   Bound = "at most"   // the number or less
	LessThan Bound = "less than" // under the number
	Between  Bound = "range"     // from Low to High
)

// amount is a number as read, before its unit.
type amount struct {
	value   *big.Rat
	half    *big.Rat // half a unit of the last place that the writer gave
	words   bool     // spelled out
	loose   bool     // approximate by its word ("a couple")
	rounded bool     // told in hundreds, thousands or more
	scaled  bool     // told in millions or more
	plain   bool     // digits alone
	token   int      // the token of its digits, -1 for words
}
