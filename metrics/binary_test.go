package metrics

import (
	"fmt"
	"math"
	"testing"
)

func TestAUROC(t *testing.T) {
	for _, c := range []struct {
		name   string
		points []Point
		want   float64
		ok     bool
	}{
		{"perfect", []Point{{0.1, false, ""}, {0.9, true, ""}}, 1, true},
		{"reversed", []Point{{0.9, false, ""}, {0.1, true, ""}}, 0, true},
		{"all alike", []Point{{0.5, false, ""}, {0.5, true, ""}, {0.5, true, ""}}, 0.5, true},
		// Of the four pairs one is won, one tied, two lost.
		{"mixed", []Point{{0.2, true, ""}, {0.6, true, ""}, {0.2, false, ""}, {0.8, false, ""}}, 0.375, true},
		{"infinite", []Point{{math.Inf(-1), false, ""}, {math.Inf(1), true, ""}}, 1, true},
		{"one class", []Point{{0.2, true, ""}}, 0, false},
		{"not a number", []Point{{0.2, true, ""}, {math.NaN(), false, ""}}, 0, false},
		{"none", nil, 0, false},
	} {
		if got, ok := AUROC(c.points); ok != c.ok || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: got %g, %v", c.name, got, ok)
		}
	}
}

func TestBalancedAccuracy(t *testing.T) {
	points := []Point{{0.9, true, ""}, {0.5, true, ""}, {0.4, true, ""}, {0.4, true, ""}, {0.6, false, ""}, {0.1, false, ""}}
	// Two of four positives from 0.5 on, one of two negatives below.
	if got, ok := BalancedAccuracy(points, 0.5); !ok || got != 0.5 {
		t.Errorf("got %g, %v", got, ok)
	}
	if _, ok := BalancedAccuracy(points[:4], 0.5); ok {
		t.Error("one class has no balanced accuracy")
	}
	if _, ok := BalancedAccuracy(append(points, Point{Score: math.NaN()}), 0.5); ok {
		t.Error("a score that is no number has a balanced accuracy")
	}
}

func TestMaxF1(t *testing.T) {
	for _, c := range []struct {
		name          string
		points        []Point
		f1, threshold float64
		ok            bool
	}{
		{"parted", []Point{{0.29, false, ""}, {0.57, true, ""}}, 1, 0.3, true},
		// A score passes the threshold that it is equal to: 0.57 is not below 0.57.
		{"on the threshold", []Point{{0.56, false, ""}, {0.57, true, ""}}, 1, 0.57, true},
		{"all positive is best", []Point{{0.9, false, ""}, {0.1, true, ""}, {0.2, true, ""}}, 0.8, 0, true},
		{"scores outside", []Point{{-3, false, ""}, {7, true, ""}}, 1, 0, true},
		{"below all thresholds", []Point{{-1, true, ""}}, 0, 0, true},
		{"no positive", []Point{{0.2, false, ""}}, 0, 0, false},
		{"not a number", []Point{{math.NaN(), true, ""}}, 0, 0, false},
		{"none", nil, 0, 0, false},
	} {
		f1, threshold, ok := MaxF1(c.points)
		if ok != c.ok || math.Abs(f1-c.f1) > 1e-12 || math.Abs(threshold-c.threshold) > 1e-12 {
			t.Errorf("%s: got %g at %g, %v", c.name, f1, threshold, ok)
		}
	}
}

func TestF1OfClasses(t *testing.T) {
	classes := map[string]Counts{
		"lost":  {TP: 8, FP: 2, FN: 2}, // F1 0.8
		"added": {TP: 1, FP: 1, FN: 0}, // F1 2/3
		"never": {},
	}
	if got, want := MicroF1(classes), 18.0/23; math.Abs(got-want) > 1e-12 {
		t.Errorf("micro: got %g, want %g", got, want)
	}
	if got, want := MacroF1(classes), (0.8+2.0/3)/2; math.Abs(got-want) > 1e-12 {
		t.Errorf("macro: got %g, want %g", got, want)
	}
	if got := MicroF1(map[string]Counts{}) + MacroF1(map[string]Counts{}); got != 0 {
		t.Errorf("without a class: %g", got)
	}
	var c Counts
	for _, d := range [][2]bool{{true, true}, {true, false}, {false, true}, {false, true}, {false, false}} {
		c.Decide(d[0], d[1])
	}
	if c != (Counts{TP: 1, FP: 1, FN: 2}) {
		t.Errorf("decided: %+v", c)
	}
	if got := (Counts{FP: 1}).Score(); got != (Score{}) {
		t.Errorf("only false alarms: %v", got)
	}
}

func ExampleAUROC() {
	area, ok := AUROC([]Point{{Score: 0.9, Positive: true}, {Score: 0.6, Positive: true}, {Score: 0.7}})
	fmt.Println(area, ok)
	_, ok = AUROC([]Point{{Score: 0.9, Positive: true}})
	fmt.Println(ok)
	// Output:
	// 0.5 true
	// false
}
