package metrics

import (
	"cmp"
	"math"
	"slices"
)

// Point is one scored row with its label.
type Point struct {
	// Score says how much speaks for the positive class; higher is more.
	Score    float64
	Positive bool
	// Group names what rows share that are resampled together, such as their
	// source document; see Bootstrap.
	Group string
}

// AUROC returns the probability that a positive scores above a negative, ties
// counted half: the area under the receiver operating characteristic. ok is false
// where a class is absent or a score is NaN. Time is that of sorting.
func AUROC(points []Point) (area float64, ok bool) {
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, func(a, b Point) int { return cmp.Compare(a.Score, b.Score) })
	if len(sorted) > 0 && math.IsNaN(sorted[0].Score) { // NaN sorts first
		return 0, false
	}
	var below, pos, neg, wins float64 // below: negatives with a lower score
	for i := 0; i < len(sorted); {
		j := i
		var p, n float64
		for ; j < len(sorted) && sorted[j].Score == sorted[i].Score; j++ {
			if sorted[j].Positive {
				p++
			} else {
				n++
			}
		}
		wins += p * (below + n/2)
		below += n
		pos += p
		neg += n
		i = j
	}
	if pos == 0 || neg == 0 {
		return 0, false
	}
	return wins / (pos * neg), true
}

// BalancedAccuracy returns the mean of the recalls of both classes, where a row
// counts as positive if its score is at least threshold. ok is false where a class
// is absent or a score is NaN.
func BalancedAccuracy(points []Point, threshold float64) (accuracy float64, ok bool) {
	var tp, tn, pos, neg float64
	for _, p := range points {
		if math.IsNaN(p.Score) {
			return 0, false
		}
		if p.Positive {
			pos++
			if p.Score >= threshold {
				tp++
			}
		} else {
			neg++
			if p.Score < threshold {
				tn++
			}
		}
	}
	if pos == 0 || neg == 0 {
		return 0, false
	}
	return (tp/pos + tn/neg) / 2, true
}

// MaxF1 returns the largest F1 of the positive class over the thresholds 0, 0.01,
// …, 1, and the least threshold that gives it (the sweep of the S3KG paper's tables).
// A row counts as positive if its score is at least the threshold, so that at 0 all
// rows with scores in [0,1] do. It is an upper bound, chosen on the rows that it is
// measured on, and no estimate for others. ok is false without a positive row or
// with a score that is NaN.
func MaxF1(points []Point) (f1, threshold float64, ok bool) {
	const steps = 100
	// Of each class, the rows by the number of thresholds that they pass.
	var passed [2][steps + 2]int
	for _, p := range points {
		if math.IsNaN(p.Score) {
			return 0, 0, false
		}
		// The thresholds are i/100 as a float64 has it, so that a score that was
		// written with two digits passes its own threshold.
		n, _ := slices.BinarySearchFunc(sweep[:], p.Score, func(t, s float64) int {
			if t <= s {
				return -1
			}
			return 1
		})
		class := 0
		if p.Positive {
			class, ok = 1, true
		}
		passed[class][n]++
	}
	if !ok {
		return 0, 0, false
	}
	var counts Counts
	for n := range passed[1] {
		counts.FN += passed[1][n]
	}
	best := -1.0
	for i := steps; i >= 0; i-- {
		tp := passed[1][i+1]
		counts.TP += tp
		counts.FN -= tp
		counts.FP += passed[0][i+1]
		if f := counts.Score().F1; f >= best {
			best, threshold = f, sweep[i]
		}
	}
	return best, threshold, true
}

// sweep are the thresholds of MaxF1.
var sweep = func() (out [101]float64) {
	for i := range out {
		out[i] = float64(i) / 100
	}
	return out
}()
