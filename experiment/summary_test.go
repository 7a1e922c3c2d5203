package experiment_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cus"
	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/tau"
)

// made is a run with the given CUS of each item for a model "m" at temperature 0; a NaN is
// a failure, and a number below 0.5 is judged inconsistent.
func made(model string, scores ...float64) *experiment.Run {
	r := &experiment.Run{Header: experiment.Header{Models: []string{model}, Settings: map[string]string{"library": model}, Tasks: len(scores)}}
	for i, it := range items(len(scores)) {
		it.Place = i
		r.Items = append(r.Items, it)
		x := experiment.Record{Task: experiment.Task{Item: it.ID, Model: model}}
		x.Answer = &experiment.Answer{Task: x.Task, Usage: llm.Usage{Input: 9, Output: 1}, Cost: 0.5, Seconds: 2}
		if math.IsNaN(scores[i]) {
			x.Answer = nil
			x.Failure = &experiment.Failure{Task: x.Task, Usage: llm.Usage{Output: 4}}
		} else {
			x.Score = &experiment.Score{Task: x.Task, CUS: scores[i], GoldSim: scores[i], CtxSim: scores[i],
				Gold:  experiment.Findings{{Class: tau.Missing}, {Class: tau.Extra}},
				Check: &claim.Result{Outcome: claim.Consistent}}
			if scores[i] < 0.5 {
				x.Score.Check.Outcome = claim.Inconsistent
			}
		}
		r.Records = append(r.Records, x)
	}
	return r
}

func TestSummarize(t *testing.T) {
	r := made("m", 0.2, 0.4, 0.6, 0.8, math.NaN(), 1)
	r.Records[5].Score.Degenerate = cus.Answer
	r.Records[5].Score.Check.Outcome = claim.NoClaims
	s, err := experiment.Summarize(t.Context(), r, metrics.Resampling{Samples: 200})
	if err != nil || len(s.Rows) != 1 {
		t.Fatal(s, err)
	}
	row := s.Rows[0]
	if row.Answers != 5 || row.Failed != 1 || row.Similarity.Counted != 4 || row.Similarity.Degenerate[cus.Answer] != 1 ||
		math.Abs(row.Similarity.CUS.Value-0.5) > 1e-12 || row.Similarity.CUS.Low >= 0.5 || row.Similarity.CUS.High <= 0.5 {
		t.Errorf("%+v", row)
	}
	if row.Inconsistent.Value != 0.5 || row.Verdicts[claim.NoClaims] != 1 || row.Tokens != 54 || row.Cost != 2.5 || row.Seconds != 2 || s.Open != 0 {
		t.Errorf("%+v", row)
	}
	if row.LowestGold.Answers != 1 || row.LowestGold.Classes[tau.Missing] != 1 || row.LowestContext.Classes[tau.Missing] != 0 {
		t.Errorf("%+v", row.LowestGold)
	}
	again, _ := experiment.Summarize(t.Context(), r, metrics.Resampling{Samples: 200})
	if again.Rows[0].Similarity.CUS != row.Similarity.CUS {
		t.Error("the same run gives other intervals")
	}
}

func TestCompare(t *testing.T) {
	low := []float64{.5, .5, .6, .6, .7, .7, .5, .6, .7, .5, .6, .55}
	high := make([]float64, len(low))
	mixed := make([]float64, len(low))
	for i, x := range low {
		high[i] = x + 0.2
		mixed[i] = x + 0.2*float64(i%3-1) // both ways
	}
	mixed[0], mixed[1] = math.NaN(), 0.5
	how := metrics.Resampling{Samples: 300, Seed: 1}
	find := func(d experiment.Difference, m experiment.Metric) experiment.DifferenceRow {
		t.Helper()
		for _, r := range d.Rows {
			if r.Metric == m {
				return r
			}
		}
		t.Fatalf("no row for %s", m)
		return experiment.DifferenceRow{}
	}
	d, err := experiment.Compare(t.Context(), made("m", high...), made("m", low...), nil, how)
	if err != nil {
		t.Fatal(err)
	}
	if r := find(d, experiment.CUS); r.Direction != experiment.Worse || math.Abs(r.Loss()-0.2) > 1e-9 || r.Pairs != 12 || math.Abs(r.New-r.Old+0.2) > 1e-9 {
		t.Errorf("%+v", r)
	}
	d, _ = experiment.Compare(t.Context(), made("m", low...), made("m", high...), nil, how)
	if r := find(d, experiment.GoldSim); r.Direction != experiment.Better || r.Loss() != 0 {
		t.Errorf("%+v", r)
	}
	d, _ = experiment.Compare(t.Context(), made("m", low...), made("m", mixed...), nil, how)
	if r := find(d, experiment.CUS); r.Direction != experiment.Same || r.Loss() != 0 || r.Pairs != 11 || r.Unpaired != 1 {
		t.Errorf("%+v", r)
	}
	// More answers that are not true to their context is worse, though the number rises.
	flipped := []float64{.3, .3, .3, .3, .3, .3, .3, .3, .3, .3, .6, .6}
	d, _ = experiment.Compare(t.Context(), made("m", high...), made("m", flipped...), nil, how)
	if r := find(d, experiment.Inconsistency); r.Direction != experiment.Worse || math.Abs(r.Loss()-10.0/12) > 1e-9 {
		t.Errorf("%+v", r)
	}
	// Two models of different names.
	d, err = experiment.Compare(t.Context(), made("a", low...), made("b", high...), map[string]string{"a": "b"}, how)
	if err != nil || find(d, experiment.CUS).Model != "b" || len(d.Settings) != 1 || d.Settings[0].Name != "library" {
		t.Errorf("%+v %v", d, err)
	}
	var unlike *experiment.UnlikeError
	if _, err := experiment.Compare(t.Context(), made("a", low...), made("b", high...), nil, how); !errors.As(err, &unlike) {
		t.Error(err)
	}
	other := made("m", low...)
	other.Items[3].Gold = "Something else."
	if _, err := experiment.Compare(t.Context(), made("m", low...), other, nil, how); !errors.As(err, &unlike) || !strings.Contains(err.Error(), `item "q03"`) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := experiment.Compare(ctx, made("m", low...), made("m", high...), nil, how); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A real run: what is hot is worse, and the table says so.
func TestSummaryOfARun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	start(t, path, options(6, model("m", right())))
	s, err := experiment.Summarize(t.Context(), read(t, path), metrics.Resampling{Samples: 100})
	if err != nil || len(s.Rows) != 2 {
		t.Fatal(s, err)
	}
	cold, hot := s.Rows[0], s.Rows[1]
	if cold.Similarity.CUS.Value != 1 || hot.Similarity.CUS.Value >= 1 || cold.Inconsistent.Value != 0 || hot.Inconsistent.Value != 1 {
		t.Errorf("%v %v", cold.Similarity, hot.Similarity)
	}
}
