package metrics

import (
	"cmp"
	"maps"
	"slices"
)

// Counts are the decisions about one class: those that were right (TP), those that
// named the class wrongly (FP), and those that missed it (FN).
type Counts struct {
	TP, FP, FN int
}

// Decide counts one decision: whether the class was named, and whether it is so.
func (c *Counts) Decide(named, so bool) {
	switch {
	case named && so:
		c.TP++
	case named:
		c.FP++
	case so:
		c.FN++
	}
}

// Plus returns the sum of both.
func (c Counts) Plus(d Counts) Counts {
	return Counts{c.TP + d.TP, c.FP + d.FP, c.FN + d.FN}
}

// Score returns precision, recall and F1; each is 0 where its denominator is.
func (c Counts) Score() Score {
	return newScore(float64(c.TP), float64(c.TP+c.FP), float64(c.TP+c.FN))
}

// MicroF1 returns the F1 of the sum of all classes' counts: every decision weighs the
// same. It is 0 without any.
func MicroF1[C comparable](classes map[C]Counts) float64 {
	var sum Counts
	for _, c := range classes {
		sum = sum.Plus(c)
	}
	return sum.Score().F1
}

// MacroF1 returns the mean of the classes' F1: every class weighs the same. Classes
// that occur neither in the labels nor among the decisions are left out. It is 0
// without any.
func MacroF1[C cmp.Ordered](classes map[C]Counts) float64 {
	sum, n := 0.0, 0
	for _, k := range slices.Sorted(maps.Keys(classes)) { // one order of adding
		if c := classes[k]; c != (Counts{}) {
			sum += c.Score().F1
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
