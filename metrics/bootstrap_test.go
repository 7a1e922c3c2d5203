package metrics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
)

func meanOf(rows []float64) (float64, bool) { return mean(rows), len(rows) > 0 }

// With one group there is nothing to vary; a seed gives the same interval again.
func TestBootstrapResamplesGroups(t *testing.T) {
	var rows []float64
	for i := range 40 {
		rows = append(rows, float64(i%7))
	}
	one, err := Bootstrap(t.Context(), rows, func(float64) string { return "one document" }, Resampling{Samples: 100}, meanOf)
	if err != nil || one.Low != one.Value || one.High != one.Value || one.Samples != 100 {
		t.Errorf("one group: %+v, %v", one, err)
	}
	each, err := Bootstrap(t.Context(), rows, nil, Resampling{Seed: 3}, meanOf)
	if err != nil || !(each.Low < each.Value && each.Value < each.High) || each.Samples != 1000 {
		t.Errorf("each row: %+v, %v", each, err)
	}
	if again, _ := Bootstrap(t.Context(), rows, nil, Resampling{Seed: 3}, meanOf); again != each {
		t.Errorf("%+v, then %+v", each, again)
	}
	narrow, _ := Bootstrap(t.Context(), rows, nil, Resampling{Seed: 3, Level: 0.5}, meanOf)
	if !(narrow.Low > each.Low && narrow.High < each.High) {
		t.Errorf("level 0.5: %+v, level 0.95: %+v", narrow, each)
	}
	none, err := Bootstrap(t.Context(), rows, nil, Resampling{Samples: -1}, meanOf)
	if err != nil || none != (Interval{Value: mean(rows), Low: mean(rows), High: mean(rows)}) {
		t.Errorf("no samples: %+v, %v", none, err)
	}
}

// Of 200 samples of a known kind, about 95% of the intervals must hold the truth.
func TestBootstrapCovers(t *testing.T) {
	state := uint64(1)
	draw := func() float64 { // uniform in [0,1)
		state = state*6364136223846793005 + 1442695040888963407
		return float64(state>>11) / (1 << 53)
	}
	held := 0
	for range 200 {
		rows := make([]float64, 60)
		for i := range rows {
			rows[i] = draw()
		}
		x, err := Bootstrap(t.Context(), rows, nil, Resampling{Samples: 300}, meanOf)
		if err != nil {
			t.Fatal(err)
		}
		if x.Low <= 0.5 && 0.5 <= x.High {
			held++
		}
	}
	if held < 180 || held > 199 {
		t.Errorf("%d of 200 intervals hold the mean", held)
	}
}

func TestBootstrapWithoutAValue(t *testing.T) {
	never := func([]float64) (float64, bool) { return 0, false }
	if _, err := Bootstrap(t.Context(), []float64{1}, nil, Resampling{}, never); !errors.Is(err, ErrUndefined) {
		t.Errorf("got %v", err)
	}
	nan := func([]float64) (float64, bool) { return math.NaN(), true }
	if _, err := Bootstrap(t.Context(), []float64{1}, nil, Resampling{}, nan); !errors.Is(err, ErrUndefined) {
		t.Errorf("NaN: got %v", err)
	}
	if _, err := Bootstrap(t.Context(), nil, nil, Resampling{}, meanOf); !errors.Is(err, ErrUndefined) {
		t.Errorf("no rows: got %v", err)
	}
	// Samples that lack a class are left out, and counted.
	points := []Point{{0.1, false, ""}, {0.9, true, ""}}
	x, err := Bootstrap(t.Context(), points, nil, Resampling{Samples: 100}, AUROC)
	if err != nil || x.Value != 1 || x.Low != 1 || x.Samples == 0 || x.Samples == 100 {
		t.Errorf("got %+v, %v", x, err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Bootstrap(cancelled, points, nil, Resampling{}, AUROC); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A difference of two systems on the same rows.
func ExampleBootstrap() {
	type row struct {
		document string
		ours     float64
		theirs   float64
	}
	var rows []row
	for i := range 50 {
		hard := float64(i%10) / 10 // for both
		rows = append(rows, row{fmt.Sprint(i / 2), 1 - hard/2, 0.9 - hard/2})
	}
	gain, err := Bootstrap(context.Background(), rows, func(r row) string { return r.document }, Resampling{Seed: 1},
		func(sample []row) (float64, bool) {
			sum := 0.0
			for _, r := range sample {
				sum += r.ours - r.theirs
			}
			return sum / float64(len(sample)), true
		})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f [%.2f, %.2f]\n", gain.Value, gain.Low, gain.High)
	// Output: 0.10 [0.10, 0.10]
}
