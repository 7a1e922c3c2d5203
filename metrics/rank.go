package metrics

import (
	"cmp"
	"math"
	"slices"
)

// Ranks returns the rank of each value, from 1; equal values share the mean of their
// ranks. NaN ranks below all numbers.
func Ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	out := make([]float64, len(x))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && cmp.Compare(x[order[j]], x[order[i]]) == 0 {
			j++
		}
		for k := i; k < j; k++ {
			out[order[k]] = float64(i+j+1) / 2
		}
		i = j
	}
	return out
}

// Pearson returns the correlation of x and y, in [-1,1]. ok is false where the two
// have different lengths or fewer than two values, one is constant, or a value is
// not finite.
func Pearson(x, y []float64) (r float64, ok bool) {
	if !correlates(x, y) {
		return 0, false
	}
	mx, my := mean(x), mean(y)
	var xx, yy, xy float64
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		xx += dx * dx
		yy += dy * dy
		xy += dx * dy
	}
	if xx == 0 || yy == 0 || math.IsInf(xx, 0) || math.IsInf(yy, 0) {
		return 0, false
	}
	return min(1, max(-1, xy/math.Sqrt(xx)/math.Sqrt(yy))), true
}

// Spearman returns the rank correlation of x and y, in [-1,1]: Pearson's r of their
// ranks, where equal values share the mean of their ranks. ok is as with Pearson.
func Spearman(x, y []float64) (rho float64, ok bool) {
	if !correlates(x, y) {
		return 0, false
	}
	return Pearson(Ranks(x), Ranks(y))
}

// Kendall returns tau-b of x and y, in [-1,1]: the excess of concordant over
// discordant pairs, over the geometric mean of the pairs that are not tied in x and
// those that are not tied in y (M. G. Kendall, "The treatment of ties in ranking
// problems", Biometrika 33, 1945). ok is as with Pearson. Time is that of sorting
// (W. R. Knight, "A Computer Method for Calculating Kendall's Tau with Ungrouped
// Data", JASA 61, 1966).
func Kendall(x, y []float64) (tau float64, ok bool) {
	if !correlates(x, y) {
		return 0, false
	}
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b])) })
	total := pairs(len(x))
	tiedX := tied(order, func(a, b int) bool { return x[a] == x[b] })
	tiedBoth := tied(order, func(a, b int) bool { return x[a] == x[b] && y[a] == y[b] })
	// Sorted by x, discordant pairs are those that y has in the wrong order.
	discordant := sortCounting(order, make([]int, len(order)), y)
	tiedY := tied(order, func(a, b int) bool { return y[a] == y[b] })
	if tiedX == total || tiedY == total {
		return 0, false
	}
	excess := total - tiedX - tiedY + tiedBoth - 2*discordant
	tau = float64(excess) / math.Sqrt(float64(total-tiedX)) / math.Sqrt(float64(total-tiedY))
	return min(1, max(-1, tau)), true
}

func pairs(n int) int { return n * (n - 1) / 2 }

// tied counts the pairs among neighbours in order that are equal.
func tied(order []int, equal func(a, b int) bool) int {
	n := 0
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && equal(order[i], order[j]) {
			j++
		}
		n += pairs(j - i)
		i = j
	}
	return n
}

// sortCounting sorts order by y, stably, and returns how many pairs stood the wrong
// way round.
func sortCounting(order, spare []int, y []float64) int {
	if len(order) < 2 {
		return 0
	}
	half := len(order) / 2
	n := sortCounting(order[:half], spare[:half], y) + sortCounting(order[half:], spare[half:], y)
	copy(spare, order)
	left, right := spare[:half], spare[half:]
	for k := range order {
		if len(right) == 0 || len(left) > 0 && y[left[0]] <= y[right[0]] {
			order[k], left = left[0], left[1:]
		} else {
			order[k], right = right[0], right[1:]
			n += len(left)
		}
	}
	return n
}

// correlates reports whether x and y may be correlated.
func correlates(x, y []float64) bool {
	finite := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	return len(x) == len(y) && len(x) > 1 &&
		!slices.ContainsFunc(x, func(v float64) bool { return !finite(v) }) &&
		!slices.ContainsFunc(y, func(v float64) bool { return !finite(v) })
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
