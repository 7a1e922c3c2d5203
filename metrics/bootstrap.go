package metrics

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
)

// ErrUndefined says that a measure has no value on the given rows, such as an AUROC
// where a class is absent.
var ErrUndefined = errors.New("metrics: the measure has no value on these rows")

// Interval is a measured value with its bootstrap interval.
type Interval struct {
	Value, Low, High float64
	// Samples is how many bootstrap samples gave a value; 0 means that there is no
	// interval, and Low and High are Value.
	Samples int
}

// Resampling says how Bootstrap draws. The zero value means 1000 samples, seed 0 and
// the level 0.95.
type Resampling struct {
	// Samples is the number of bootstrap samples; 0 means 1000, below 0 none.
	Samples int
	Seed    uint64
	// Level is the share of the samples that the interval holds; values that are not
	// between 0 and 1 mean 0.95.
	Level float64
}

// Bootstrap measures rows, and gives the percentile interval of the measure over
// bootstrap samples of them (B. Efron, "Bootstrap Methods: Another Look at the
// Jackknife", Annals of Statistics 7, 1979). group names what a row belongs to; rows
// of one group are drawn together, as their values are not independent. A nil group
// draws each row by itself.
//
// For the difference of two systems let a row hold both their values and the measure
// be the difference: then both are measured on the same samples, and what makes a row
// hard for both does not widen the interval.
//
// measure must not keep or change its argument. Samples on which it has no value
// (false) are left out. The error is ErrUndefined if it has none on rows, or the
// context's. The result depends on the order of rows and on the seed.
func Bootstrap[T any](ctx context.Context, rows []T, group func(T) string, r Resampling, measure func([]T) (float64, bool)) (Interval, error) {
	if err := ctx.Err(); err != nil {
		return Interval{}, err
	}
	v, ok := measure(rows)
	if !ok || math.IsNaN(v) {
		return Interval{}, ErrUndefined
	}
	var values []float64
	for sample := range Resample(rows, group, r) {
		if err := ctx.Err(); err != nil {
			return Interval{}, err
		}
		if x, ok := measure(sample); ok && !math.IsNaN(x) {
			values = append(values, x)
		}
	}
	low, high, ok := r.Interval(values)
	if !ok {
		low, high = v, v
	}
	return Interval{v, low, high, len(values)}, nil
}

// Resample yields bootstrap samples of rows: as many groups as rows have, drawn with
// replacement, with all rows of each. See Bootstrap, which uses it; it is for
// measuring several things on the same samples. The slice is only valid until the
// next is asked for. Nothing is yielded for no rows.
func Resample[T any](rows []T, group func(T) string, r Resampling) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		if len(rows) == 0 {
			return
		}
		var groups [][]T
		if group == nil {
			groups = make([][]T, len(rows))
			for i := range rows {
				groups[i] = rows[i : i+1]
			}
		} else {
			place := map[string]int{}
			for _, row := range rows {
				name := group(row)
				i, ok := place[name]
				if !ok {
					i = len(groups)
					place[name] = i
					groups = append(groups, nil)
				}
				groups[i] = append(groups[i], row)
			}
		}
		n := r.Samples
		if n == 0 {
			n = 1000
		}
		random := rand.New(rand.NewPCG(r.Seed, 1))
		sample := make([]T, 0, len(rows))
		for range max(0, n) {
			sample = sample[:0]
			for range groups {
				sample = append(sample, groups[random.IntN(len(groups))]...)
			}
			if !yield(sample) {
				return
			}
		}
	}
}

// Interval returns the interval that holds the level's share of values, the measure's
// values on bootstrap samples, with as many of the rest below as above it. ok is
// false without values. The slice is sorted.
func (r Resampling) Interval(values []float64) (low, high float64, ok bool) {
	if len(values) == 0 {
		return 0, 0, false
	}
	level := r.Level
	if !(level > 0 && level < 1) {
		level = 0.95
	}
	slices.Sort(values)
	return quantile(values, (1-level)/2), quantile(values, (1+level)/2), true
}

// quantile interpolates between neighbours in sorted values, as numpy does.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	if sorted[i] == sorted[i+1] { // also infinities
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
