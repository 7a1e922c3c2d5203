// Package slot finds the typed values of an English text: numbers, quantities
// with their units, dates, clock times, scores, names, and the scopes of
// negations and hedges. Each has its place in the text and a canonical value,
// so that two of them can be compared ("3 miles" against "4.8 km", "2020"
// against "15 March 2020", "Curie" against "Marie Curie").
//
// It works by rule over the characters alone: no tagger, no dictionary beyond
// its own word lists, linear in the length of the text. It is not a parser and
// not a named-entity recogniser: a name's kind is not told, and a word that
// starts a sentence counts as a name only when something speaks for it.
package slot

import (
	"slices"

	"github.com/kgeval/kgeval/segment"
)

// Kind says what a Slot holds. More may be added.
type Kind string

// The kinds of Slot.
const (
	Number   Kind = "number"   // a count or a bare number: "12", "twenty-one", "1.5 million"
	Ordinal  Kind = "ordinal"  // a rank: "3rd", "twenty-first"
	Percent  Kind = "percent"  // a share in percent: "5%", "half of", "two thirds"
	Quantity Kind = "quantity" // a number with a unit, money too: "12 km", "$3bn"
	Score    Kind = "score"    // a result of two numbers, the first not the smaller: "3-1", "0-0"
	Date     Kind = "date"     // any part of a date: "1990s", "May 2011", "Monday"
	Clock    Kind = "clock"    // a time of day: "21:45", "9 pm", "noon"
	Name     Kind = "name"     // a proper name
	Negation Kind = "negation" // a word that negates: "not", "without", "failed to"
	Hedge    Kind = "hedge"    // a word that weakens a statement: "may", "reportedly", "if"
)

// Slot is one typed value in a text.
type Slot struct {
	// Span is the value's place: number and unit together, without a word of
	// approximation before it ("about").
	Span segment.Span
	Kind Kind
	// Text is the value as written.
	Text string

	// Value is the number as stated, in Unit: for Percent in percent, for Clock
	// in minutes since midnight, for Ordinal the rank, for Score the first
	// number. 0 for the other kinds.
	Value float64
	// Low and High bound what the words allow, Low <= Value <= High: "1.5
	// million" stands for everything that rounds to it, "about" allows a tenth,
	// "at least" has no upper end (math.MaxFloat64), a range has its two ends.
	// For Score, High is the second number.
	Low, High float64
	// Unit is the canonical symbol of the unit ("km", "USD", "month"); "" for none.
	Unit string
	// Of is the word after a bare number, lower case: what it counts, as in
	// "12 passengers"; "" where none follows.
	Of string

	// From and To are the ends of a Date, equal where it is not a range.
	From, To Day
	// Half says that a Clock told its half of the day (am, pm, or over 12).
	Half bool

	// Words are the words of a Name in lower case without titles and
	// diacritics.
	Words []string

	// Scope is the part of the text that a Negation or Hedge governs; the zero
	// Span where it governs nothing.
	Scope segment.Span
}

// Find returns the slots of text by their start. No two of the value kinds
// (all but Negation and Hedge) overlap. Text may be any bytes.
func Find(text string) []Slot {
	toks := scan(text)
	f := finder{text: text, toks: toks, used: make([]bool, len(toks))}
	numbers := 0
	for i := range toks {
		if toks[i].kind == numTok {
			numbers++
		}
	}
	f.out = make([]Slot, 0, numbers+len(toks)/16)
	f.values()
	f.names()
	f.polarity()
	slices.SortStableFunc(f.out, func(a, b Slot) int { return a.Span.Start - b.Span.Start })
	return f.out
}

// finder holds the state of one Find.
type finder struct {
	text string
	toks []tok
	used []bool // the token is part of a value
	out  []Slot
}

// add appends a value that covers the tokens [i, j).
func (f *finder) add(i, j int, s Slot) {
	s.Span = segment.Span{Start: f.toks[i].Start, End: f.toks[j-1].End}
	s.Text = s.Span.Of(f.text)
	for k := i; k < j; k++ {
		f.used[k] = true
	}
	f.out = append(f.out, s)
}

// values finds numbers, quantities, dates and times, each token in at most one.
func (f *finder) values() {
	for i := 0; i < len(f.toks); {
		if s, j, ok := f.clock(i); ok {
			f.add(i, j, s)
			i = j
			continue
		}
		if s, j, ok := f.date(i); ok {
			f.add(i, j, s)
			i = j
			continue
		}
		if s, b, j, ok := f.quantity(i); ok {
			f.add(b, j, s)
			i = j
			continue
		}
		i++
	}
}

// word returns the lower-case form of token i, "" outside the text.
func (f *finder) word(i int) string {
	if i < 0 || i >= len(f.toks) {
		return ""
	}
	return f.toks[i].lower
}

// kind returns the kind of token i, 0 outside the text.
func (f *finder) kind(i int) tokKind {
	if i < 0 || i >= len(f.toks) {
		return 0
	}
	return f.toks[i].kind
}

// glued reports whether token i follows its predecessor without white space.
func (f *finder) glued(i int) bool {
	return i > 0 && i < len(f.toks) && f.toks[i].Start == f.toks[i-1].End
}
