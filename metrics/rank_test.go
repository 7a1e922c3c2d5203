package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRanks(t *testing.T) {
	got := Ranks([]float64{0.3, 0.1, 0.3, 0.2})
	if !slices.Equal(got, []float64{3.5, 1, 3.5, 2}) {
		t.Errorf("got %v", got)
	}
	got = Ranks([]float64{1, math.NaN(), 0, math.NaN()})
	if !slices.Equal(got, []float64{4, 1.5, 3, 1.5}) {
		t.Errorf("with NaN: %v", got)
	}
}

func TestCorrelationsWithoutAValue(t *testing.T) {
	for name, c := range map[string][2][]float64{
		"a constant":       {{1, 1, 1}, {1, 2, 3}},
		"the other":        {{1, 2, 3}, {2, 2, 2}},
		"one value":        {{1}, {1}},
		"none":             {nil, nil},
		"different length": {{1, 2}, {1, 2, 3}},
		"NaN":              {{1, math.NaN(), 3}, {1, 2, 3}},
		"infinite":         {{1, 2, 3}, {1, math.Inf(1), 3}},
	} {
		for kind, f := range map[string]func(x, y []float64) (float64, bool){"pearson": Pearson, "spearman": Spearman, "kendall": Kendall} {
			if v, ok := f(c[0], c[1]); ok || v != 0 {
				t.Errorf("%s of %s: %g, %v", kind, name, v, ok)
			}
		}
	}
}

// Against the definition, over all pairs; and what holds for every correlation.
func TestKendall(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	for range 200 {
		n := 2 + random.IntN(40)
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float64(random.IntN(8)), float64(random.IntN(8))
		}
		var excess, untiedX, untiedY float64
		for i := range x {
			for j := range i {
				dx, dy := x[i]-x[j], y[i]-y[j]
				switch {
				case dx*dy > 0:
					excess++
				case dx*dy < 0:
					excess--
				}
				if dx != 0 {
					untiedX++
				}
				if dy != 0 {
					untiedY++
				}
			}
		}
		got, ok := Kendall(x, y)
		if untiedX*untiedY == 0 {
			if ok {
				t.Fatalf("%v and %v: %g", x, y, got)
			}
			continue
		}
		if want := excess / math.Sqrt(untiedX*untiedY); !ok || math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v and %v: got %g, %v, want %g", x, y, got, ok, want)
		}
		for kind, f := range map[string]func(x, y []float64) (float64, bool){"spearman": Spearman, "kendall": Kendall} {
			one, _ := f(x, y)
			other, _ := f(y, x)
			self, _ := f(x, x)
			if math.Abs(one-other) > 1e-12 || math.Abs(self-1) > 1e-12 {
				t.Fatalf("%s: %g, the other way round %g, with itself %g", kind, one, other, self)
			}
		}
	}
}
