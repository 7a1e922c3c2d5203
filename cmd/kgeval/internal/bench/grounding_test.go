package bench

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/metrics"
)

// The interval is of whole groups: with one group there is nothing to vary.
func TestIntervalResamplesGroups(t *testing.T) {
	var points []metrics.Point
	for i := range 40 {
		points = append(points, metrics.Point{Score: float64(i%7) / 7, Positive: i%3 == 0, Group: "one document"})
	}
	text := interval(t.Context(), points, 100, 1, 1, "%.3f", metrics.AUROC)
	v, low, _ := strings.Cut(text, " ")
	if low != "["+v+", "+v+"]" {
		t.Errorf("got %s", text)
	}
	if again := interval(t.Context(), points, 100, 1, 1, "%.3f", metrics.AUROC); again != text {
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
