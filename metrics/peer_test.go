package metrics

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// rankRow is a row of bench/peers/metrics/ranks.py.
type rankRow struct {
	Set      string    `json:"set"`
	Measure  string    `json:"measure"`
	Scores   []float64 `json:"scores"`
	Labels   []float64 `json:"labels"`
	Positive []float64 `json:"positive"`
	Binary   struct {
		AUROC    float64      `json:"auroc"`
		Balanced [][2]float64 `json:"balanced"`
		MaxF1    [2]float64   `json:"maxf1"`
	} `json:"binary"`
	Correlations struct {
		Pearson  float64   `json:"pearson"`
		Spearman float64   `json:"spearman"`
		Kendall  float64   `json:"kendall"`
		Ranks    []float64 `json:"ranks"`
	} `json:"correlations"`
	Quantiles [][2]float64 `json:"quantiles"`
	Bootstrap [2]float64   `json:"bootstrap"`
}

// scikit-learn 1.9.1, scipy 1.17.1 and numpy 2.4.6 on scores of 561 sentence pairs of
// MRPC and STS12, with people's labels.
func TestMeasuresAreScikitLearnAndScipy(t *testing.T) {
	rows := golden[rankRow](t, "ranks.jsonl")
	pairs := 0
	for _, r := range rows {
		if r.Measure == "bleu" {
			pairs += len(r.Scores)
		}
		t.Run(fmt.Sprintf("%s of %s", r.Measure, r.Set), func(t *testing.T) {
			points := make([]Point, len(r.Scores))
			for i, s := range r.Scores {
				points[i] = Point{Score: s, Positive: r.Positive[i] == 1}
			}
			want := func(what string, got, want float64, ok bool) {
				t.Helper()
				if !ok || math.Abs(got-want) > 1e-12 {
					t.Errorf("%s: got %v, %v, want %v", what, got, ok, want)
				}
			}
			area, ok := AUROC(points)
			want("AUROC", area, r.Binary.AUROC, ok)
			for _, b := range r.Binary.Balanced {
				got, ok := BalancedAccuracy(points, b[0])
				want(fmt.Sprintf("balanced accuracy at %g", b[0]), got, b[1], ok)
			}
			f1, threshold, ok := MaxF1(points)
			want("max F1", f1, r.Binary.MaxF1[0], ok)
			want("its threshold", threshold, r.Binary.MaxF1[1], ok)
			for _, c := range []struct {
				what string
				f    func(x, y []float64) (float64, bool)
				want float64
			}{{"Pearson", Pearson, r.Correlations.Pearson}, {"Spearman", Spearman, r.Correlations.Spearman}, {"Kendall", Kendall, r.Correlations.Kendall}} {
				got, ok := c.f(r.Scores, r.Labels)
				want(c.what, got, c.want, ok)
			}
			if !slices.Equal(Ranks(r.Labels), r.Correlations.Ranks) {
				t.Error("other ranks")
			}
			sorted := slices.Sorted(slices.Values(r.Scores))
			for _, q := range r.Quantiles {
				want(fmt.Sprintf("quantile %g", q[0]), quantile(sorted, q[0]), q[1], true)
			}
			// Two bootstraps draw differently: their ends agree to a tenth of the width.
			x, err := Bootstrap(t.Context(), r.Scores, nil, Resampling{Samples: 4000}, meanOf)
			slack := (r.Bootstrap[1] - r.Bootstrap[0]) / 10
			if err != nil || math.Abs(x.Low-r.Bootstrap[0]) > slack || math.Abs(x.High-r.Bootstrap[1]) > slack {
				t.Errorf("bootstrap: got %+v, %v, want %v", x, err, r.Bootstrap)
			}
		})
	}
	if pairs < 200 {
		t.Errorf("only %d rows", pairs)
	}
}
