package calibrate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/metrics"
)

// Output is an output with its source, and whether it is consistent with it. A
// premise and a hypothesis are one too: consistent where the premise entails it.
type Output struct {
	Source, Text string
	Consistent   bool
	// Set names the data set; all sets weigh alike (see grapheval.Labelled).
	Set string
}

// VerdictOptions are the settings of NLIModel. The zero value is sound.
type VerdictOptions struct {
	// Data says in words what the outputs are, for the File.
	Data string
	// Concurrency is how many sources are worked on at the same time; 0 means 2. The
	// result does not depend on it.
	Concurrency int
	// OnProgress is told after each source how many outputs of how many are done.
	// Calls come one at a time.
	OnProgress func(done, of int)
}

// minOutputs are the fewest outputs of a label that tell a calibration.
const minOutputs = 20

// NLIModel finds the calibration of o.Model by checking labelled outputs as o says,
// which should be as they will be checked later: with the same extractor and unit.
// The numbers are grapheval.Fit's; the weight of a denial is that of o.Calibration, or
// what grapheval.CalibrationFor has for the model.
//
// Fewer than 20 outputs of a label that could be judged are a *TooFewError, outputs
// of one label only an *OneClassError. Outputs without claims, and those that could
// not be judged, are left out and counted; more than half of all are an
// *UnjudgedError. Other errors are those of the Checker.
func NLIModel(ctx context.Context, o grapheval.Options, outputs []Output, v VerdictOptions) (File, error) {
	if err := bothLabels(outputs); err != nil {
		return File{}, err
	}
	if o.Model == nil {
		return File{}, errNoModel
	}
	start := grapheval.CalibrationFor(o.Model.ID())
	if o.Calibration != nil {
		start = *o.Calibration
	}
	o.Calibration, o.Threshold, o.NoEvidence = &start, 0, true
	checker, err := grapheval.New(o)
	if err != nil {
		return File{}, fmt.Errorf("calibrate: %w", err)
	}
	results, err := check(ctx, checker, outputs, v)
	if err != nil {
		return File{}, fmt.Errorf("calibrate: %s: %w", o.Model.ID(), err)
	}

	var all []grapheval.Labelled
	var halves []int
	var failure error
	for i, r := range results {
		if worst, n, ok := grapheval.Worst(r); ok {
			all = append(all, grapheval.Labelled{Worst: worst, Claims: n, Inconsistent: !outputs[i].Consistent, Set: outputs[i].Set})
			halves = append(halves, half(outputs[i].Source))
		}
		for _, c := range r.Claims {
			if failure == nil && c.Err != nil {
				failure = c.Err
			}
		}
	}
	if unjudged := len(outputs) - len(all); 2*unjudged > len(outputs) {
		return File{}, &UnjudgedError{Unjudged: unjudged, Of: len(outputs), Err: failure}
	}
	verdicts, err := fit(all, halves, start.Denial)
	if err != nil {
		return File{}, err
	}
	verdicts.Unjudged = len(outputs) - len(all)
	verdicts.Extractor = claimsOf(o)
	return File{Format: Format, Version: Version, Kind: NLI, Model: o.Model.ID(), Data: v.Data, Verdicts: &verdicts}, nil
}

// check checks all outputs, those of one source together.
func check(ctx context.Context, c *grapheval.Checker, outputs []Output, v VerdictOptions) ([]claim.Result, error) {
	bySource := make(map[string][]int)
	var sources []string
	for i, o := range outputs {
		if bySource[o.Source] == nil {
			sources = append(sources, o.Source)
		}
		bySource[o.Source] = append(bySource[o.Source], i)
	}
	results := make([]claim.Result, len(outputs))
	done := make(chan int)
	told := make(chan struct{})
	go func() {
		defer close(told)
		sum := 0
		for n := range done {
			if sum += n; v.OnProgress != nil {
				v.OnProgress(sum, len(outputs))
			}
		}
	}()
	limit := v.Concurrency
	if limit <= 0 {
		limit = 2
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(limit)
	for _, source := range sources {
		g.Go(func() error {
			p, err := c.Prepare(ctx, []claim.Source{{Text: source}})
			if err != nil {
				return err
			}
			for _, i := range bySource[source] {
				if results[i], err = p.Check(ctx, "", outputs[i].Text); err != nil {
					return err
				}
			}
			done <- len(bySource[source])
			return nil
		})
	}
	err := g.Wait()
	close(done)
	<-told
	return results, err
}

// fit fits the calibration to all outputs, and measures it on halves.
func fit(all []grapheval.Labelled, halves []int, denial float64) (Verdicts, error) {
	var n [2]int
	for _, l := range all {
		n[index(l.Inconsistent)]++
	}
	for k, what := range []string{"consistent outputs that could be judged", "inconsistent outputs that could be judged"} {
		if n[k] < minOutputs {
			return Verdicts{}, &TooFewError{What: what, Have: n[k], Need: minOutputs}
		}
	}
	c, err := grapheval.Fit(all)
	if err != nil {
		return Verdicts{}, fmt.Errorf("calibrate: %w", err)
	}
	v := Verdicts{
		Threshold: c.Threshold, Denial: denial, Center: c.Center, Slope: c.Slope, Claims: c.Claims,
		Balanced: c.Balanced, FewFalseAlarms: c.FewFalseAlarms, Consistent: n[0], Inconsistent: n[1],
	}
	points := make([]metrics.Point, len(all))
	for i, l := range all {
		points[i] = metrics.Point{Score: c.Output(l.Worst, l.Claims), Positive: l.Inconsistent}
	}
	v.AUROC, _ = metrics.AUROC(points)

	var right, alarms [2]float64 // by label
	var of [2]float64
	for h := range 2 {
		var train []grapheval.Labelled
		for i, l := range all {
			if halves[i] != h {
				train = append(train, l)
			}
		}
		held, err := grapheval.Fit(train)
		if err != nil {
			continue // the other half has one label only: this half is not measured
		}
		for i, l := range all {
			if halves[i] != h {
				continue
			}
			k, p := index(l.Inconsistent), held.Output(l.Worst, l.Claims)
			of[k]++
			if (p > held.Balanced) == l.Inconsistent {
				right[k]++
			}
			if p > held.FewFalseAlarms {
				alarms[k]++
			}
		}
	}
	v.HeldAccuracy = (right[0]/max(of[0], 1) + right[1]/max(of[1], 1)) / 2
	v.HeldAlarms = alarms[0] / max(of[0], 1)
	return v, nil
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

func bothLabels(outputs []Output) error {
	if len(outputs) == 0 {
		return &TooFewError{What: "outputs", Need: 2 * minOutputs}
	}
	for i, o := range outputs {
		if strings.TrimSpace(o.Source) == "" || strings.TrimSpace(o.Text) == "" {
			return fmt.Errorf("calibrate: output %d: source and text must not be empty", i)
		}
	}
	if !slices.ContainsFunc(outputs, func(o Output) bool { return o.Consistent != outputs[0].Consistent }) {
		label := "inconsistent"
		if outputs[0].Consistent {
			label = "consistent"
		}
		return &OneClassError{Unit: "output", Label: label}
	}
	return nil
}
