package grapheval

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"

	"github.com/kgeval/kgeval/claim"
)

// Labelled is one checked output whose truth is known; see Fit.
type Labelled struct {
	// Worst is the largest risk of a claim, as Worst gives it.
	Worst float64
	// Claims is how many different claims were judged, at least 1.
	Claims int
	// Inconsistent is the label.
	Inconsistent bool
	// Set names the data set; all sets, and both classes of each, weigh alike, so
	// that a set's share of inconsistent outputs teaches nothing about the number
	// of claims that its outputs happen to have.
	Set string
}

// Worst returns what a Calibration reads from a result: the largest Claim.Risk
// among the claims that were judged and the number of different claims. It returns false
// for an output without judged claims.
func Worst(r Result) (p float64, claims int, ok bool) {
	p, claims, _ = worst(r.Claims)
	for _, c := range r.Claims {
		ok = ok || c.Verdict != claim.Unknown
	}
	return p, claims, ok
}

// Fit fits a Calibration to checked outputs: Center, Slope and Claims by logistic
// regression, and FewFalseAlarms as the lowest cutoff with at most 5% false alarms
// on the average over the sets of at least 20 consistent outputs (or in all
// together where no set has as many), and in each set of at least 200. Threshold
// is 0.5, or Center where that is lower. Denial is part of the risks and not
// fitted: set it to the one that the outputs were checked with. Fit needs at least
// one output of each class. Report on other outputs than those that were fitted,
// split by source document.
func Fit(outputs []Labelled) (Calibration, error) {
	n := make(map[group]float64)
	classes := make(map[bool]bool)
	for i, o := range outputs {
		if !(o.Worst >= 0 && o.Worst <= 1) || o.Claims < 1 {
			return Calibration{}, fmt.Errorf("grapheval: output %d has P(inconsistent) %v over %d claims", i, o.Worst, o.Claims)
		}
		n[group{o.Set, o.Inconsistent}]++
		classes[o.Inconsistent] = true
	}
	if len(classes) < 2 {
		return Calibration{}, errors.New("grapheval: a fit needs consistent and inconsistent outputs")
	}
	w := logistic(outputs, n, true)
	if w[2] > 0 { // more claims must not make an output more suspect by number alone
		w = logistic(outputs, n, false)
	}
	c := Calibration{Slope: max(w[1], 0.05), Claims: max(0, -w[2]), Balanced: 0.5, Measured: true}
	c.Center = min(max(sigmoid(-w[0]/c.Slope), 0.05), 0.98)
	c.Threshold = min(0.5, c.Center)

	scores, labels := make([]float64, len(outputs)), make([]bool, len(outputs))
	bySet := make(map[string][]float64)
	for i, o := range outputs {
		scores[i], labels[i] = c.output(o.Worst, o.Claims), o.Inconsistent
		if !o.Inconsistent {
			bySet[o.Set] = append(bySet[o.Set], scores[i])
		}
	}
	for set, good := range bySet {
		if len(good) < minSet {
			delete(bySet, set)
		}
	}
	if len(bySet) == 0 {
		for i, bad := range labels {
			if !bad {
				bySet[""] = append(bySet[""], scores[i])
			}
		}
	}
	cutoff := fewFalseAlarms(bySet)
	c.FewFalseAlarms = min(max(cutoff, c.Balanced), 1-1e-9)
	return c, nil
}

// minSet is how many consistent outputs a set must have for its share of false
// alarms to count by itself.
const minSet = 20

// ownSet is how many it must have to be held to 5% by itself: in a small set one
// output more or less decides.
const ownSet = 200

// fewFalseAlarms returns the lowest of the consistent outputs' scores over which
// lie at most 5% of them, on the average over the sets and in each large one.
func fewFalseAlarms(sets map[string][]float64) float64 {
	var all []float64
	for _, good := range sets {
		slices.Sort(good)
		all = append(all, good...)
	}
	slices.Sort(all)
	passes := func(cutoff float64) bool {
		sum := 0
		total := 0.0
		for _, set := range slices.Sorted(maps.Keys(sets)) {
			good := sets[set]
			at, found := slices.BinarySearch(good, cutoff)
			for found && at < len(good) && good[at] == cutoff {
				at++
			}
			share := float64(len(good)-at) / float64(len(good))
			if len(good) >= ownSet && share > 0.05 {
				return false
			}
			total += share
			sum++
		}
		return total <= 0.05*float64(sum)
	}
	k := sort.Search(len(all), func(i int) bool { return passes(all[i]) })
	return all[k]
}

// group is one class of one set.
type group struct {
	set          string
	inconsistent bool
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// logistic fits P(inconsistent) = sigmoid(w0 + w1*logit(p) + w2*ln(n)) by
// Newton's method, the groups weighted to equal sums, with a small ridge that
// keeps separable data finite. Without claims w2 stays 0.
func logistic(outputs []Labelled, n map[group]float64, claims bool) [3]float64 {
	var w [3]float64
	const ridge = 1e-3
	for range 50 {
		var grad [3]float64
		var hess [3][3]float64
		for _, o := range outputs {
			x := [3]float64{1, logit(o.Worst), 0}
			if claims {
				x[2] = math.Log(float64(o.Claims))
			}
			y := float64(index(o.Inconsistent))
			weight := 1 / (float64(len(n)) * n[group{o.Set, o.Inconsistent}])
			p := sigmoid(w[0] + w[1]*x[1] + w[2]*x[2])
			for i := range x {
				grad[i] += weight * (y - p) * x[i]
				for j := range x {
					hess[i][j] += weight * p * (1 - p) * x[i] * x[j]
				}
			}
		}
		for i := range w {
			grad[i] -= ridge * w[i] / 10
			hess[i][i] += ridge
		}
		step := solve(hess, grad)
		size := 0.0
		for i := range w {
			w[i] += step[i]
			size += math.Abs(step[i])
		}
		if size < 1e-10 {
			break
		}
	}
	return w
}

// solve returns x with a*x = b for a positive definite a.
func solve(a [3][3]float64, b [3]float64) [3]float64 {
	for i := range 3 {
		for j := i + 1; j < 3; j++ {
			f := a[j][i] / a[i][i]
			for k := i; k < 3; k++ {
				a[j][k] -= f * a[i][k]
			}
			b[j] -= f * b[i]
		}
	}
	var x [3]float64
	for i := 2; i >= 0; i-- {
		x[i] = b[i]
		for k := i + 1; k < 3; k++ {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x
}
