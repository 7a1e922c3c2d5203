package bench

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"
)

func TestAUROC(t *testing.T) {
	for _, c := range []struct {
		name   string
		points []point
		want   float64
		ok     bool
	}{
		{"perfect", []point{{0.1, false, ""}, {0.9, true, ""}}, 1, true},
		{"reversed", []point{{0.9, false, ""}, {0.1, true, ""}}, 0, true},
		{"all alike", []point{{0.5, false, ""}, {0.5, true, ""}, {0.5, true, ""}}, 0.5, true},
		// Of the four pairs one is won, one tied, two lost.
		{"mixed", []point{{0.2, true, ""}, {0.6, true, ""}, {0.2, false, ""}, {0.8, false, ""}}, 0.375, true},
		{"one class", []point{{0.2, true, ""}}, 0, false},
		{"none", nil, 0, false},
	} {
		if got, ok := auroc(c.points); ok != c.ok || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: got %g, %v", c.name, got, ok)
		}
	}
}

func TestBalancedAccuracy(t *testing.T) {
	points := []point{{0.9, true, ""}, {0.5, true, ""}, {0.4, true, ""}, {0.4, true, ""}, {0.6, false, ""}, {0.1, false, ""}}
	// Two of four positives from 0.5 on, one of two negatives below.
	if got, ok := balancedAccuracy(points, 0.5); !ok || got != 0.5 {
		t.Errorf("got %g, %v", got, ok)
	}
	if _, ok := balancedAccuracy(points[:4], 0.5); ok {
		t.Error("one class has no balanced accuracy")
	}
}

// The interval is of whole groups: with one group there is nothing to vary.
func TestIntervalResamplesGroups(t *testing.T) {
	var points []point
	for i := range 40 {
		points = append(points, point{float64(i%7) / 7, i%3 == 0, "one document"})
	}
	text := interval(points, 100, 1, 1, "%.3f", auroc)
	v, low, _ := strings.Cut(text, " ")
	if low != "["+v+", "+v+"]" {
		t.Errorf("got %s", text)
	}
	if again := interval(points, 100, 1, 1, "%.3f", auroc); again != text {
		t.Errorf("%s, then %s", text, again)
	}
}

func TestHalvesAreDisjoint(t *testing.T) {
	for _, d := range []string{"", "a", "b", "some document", "another document"} {
		if inHalf("fit", d) == inHalf("report", d) || !inHalf("all", d) {
			t.Errorf("%q", d)
		}
	}
}

func TestOverlap(t *testing.T) {
	got := overlaps("The boat is old.", []string{"The boat sank.", "Is the boat old?", "!"})
	if len(got) != 3 || math.Abs(got[0]-2.0/3) > 1e-12 || got[1] != 1 || got[2] != 1 {
		t.Errorf("got %g", got)
	}
}

func TestGroundingWithoutData(t *testing.T) {
	for _, b := range []Bench{Grounding, NLI} {
		var out bytes.Buffer
		if err := b.Run(context.Background(), &out, t.TempDir(), nil); !errors.Is(err, ErrNoData) {
			t.Errorf("%s: %v", b.Name, err)
		}
		if err := b.Run(context.Background(), &out, t.TempDir(), []string{"-half", "both"}); err == nil {
			t.Errorf("%s: -half both is no error", b.Name)
		}
	}
}

func TestGroundingRuns(t *testing.T) {
	dir := testData(t)
	for _, b := range []Bench{Grounding, NLI} {
		var one, two bytes.Buffer
		args := []string{"-limit", "4", "-bootstrap", "20"}
		for _, out := range []*bytes.Buffer{&one, &two} {
			if err := b.Run(context.Background(), out, dir, args); err != nil {
				t.Fatal(err)
			}
		}
		if one.String() != two.String() || strings.Count(one.String(), "\n|") < 10 {
			t.Errorf("%s: two runs, or too few rows:\n%s", b.Name, one.String())
		}
	}
}
