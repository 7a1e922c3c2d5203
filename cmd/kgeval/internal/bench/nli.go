package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/lexical"
)

// NLI measures an entailment model on pairs.
var NLI = Bench{
	Name:  "nli",
	Short: "entailment of nli/lexical on pairs, by source",
	Run:   runNLI,
}

type nliRow struct {
	Premise, Hypothesis, Label, Source string
}

func runNLI(ctx context.Context, w io.Writer, dir string, args []string) error {
	fs := flag.NewFlagSet("nli", flag.ContinueOnError)
	fs.SetOutput(w)
	limit := fs.Int("limit", 400, "use at most this many pairs of each source (0: all)")
	seed := fs.Uint64("seed", 1, "seed of the choice and the bootstrap")
	half := fs.String("half", "report", "premises to use: report (not seen by any fit), fit, all")
	samples := fs.Int("bootstrap", 1000, "bootstrap samples over premises")
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if !validHalf(*half) {
		return fmt.Errorf("bench nli: -half must be report, fit or all, not %q", *half)
	}
	m, err := lexical.New()
	if err != nil {
		return err
	}
	by := map[string][]nliRow{}
	for i := range 4 {
		err := jsonRows(dir, fmt.Sprintf("nli/nli_%02d.jsonl", i), func(r nliRow) {
			if inHalf(*half, r.Premise) {
				by[r.Source] = append(by[r.Source], r)
			}
		})
		if err != nil {
			return fmt.Errorf("bench nli: %w", err)
		}
	}
	var sources []string
	for s := range by {
		sources = append(sources, s)
	}
	slices.Sort(sources)
	fmt.Fprintf(w, "%s on pairs; half of the premises: %s; at most %d pairs a source, seed %d; intervals: 95%%, bootstrap over premises.\n", m.ID(), *half, *limit, *seed)
	fmt.Fprintf(w, "Accuracy: the most likely of the source's labels (three, or entailment from 0.5 on against not). Balanced accuracy in points and AUROC: entailment against the rest, at 0.5.\n\n")
	fmt.Fprintf(w, "| source | pairs | accuracy | commonest label | balanced accuracy | AUROC | unknown |\n|---|---|---|---|---|---|---|\n")
	for _, s := range sources {
		rows := by[s]
		rng := rand.New(rand.NewPCG(*seed, 0))
		if *limit > 0 && len(rows) > *limit {
			rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			rows = rows[:*limit]
		}
		pairs := make([]nli.Pair, len(rows))
		for i, r := range rows {
			pairs[i] = nli.Pair{Premise: r.Premise, Hypothesis: r.Hypothesis}
		}
		probs, err := m.Classify(ctx, pairs)
		if err != nil {
			return fmt.Errorf("bench nli: %w", err)
		}
		right, unknown := 0, 0
		twoClasses := slices.ContainsFunc(rows, func(r nliRow) bool { return r.Label == "not_entailment" })
		labels := map[string]int{}
		points := make([]metrics.Point, len(rows))
		for i, p := range probs {
			labels[rows[i].Label]++
			points[i] = metrics.Point{Score: p.Entailment, Positive: rows[i].Label == "entailment", Group: rows[i].Premise}
			if p.Err != nil {
				unknown++
				continue
			}
			got := "neutral"
			switch {
			case twoClasses:
				if got = "not_entailment"; p.Entailment >= 0.5 {
					got = "entailment"
				}
			case p.Entailment >= p.Neutral && p.Entailment >= p.Contradiction:
				got = "entailment"
			case p.Contradiction >= p.Neutral:
				got = "contradiction"
			}
			if got == rows[i].Label {
				right++
			}
		}
		most := 0
		for _, n := range labels {
			most = max(most, n)
		}
		n := float64(len(rows))
		fmt.Fprintf(w, "| %s | %d | %.1f | %.1f | %s | %s | %d |\n", s, len(rows), 100*float64(right)/n, 100*float64(most)/n,
			interval(ctx, points, *samples, *seed, 100, "%.1f", func(p []metrics.Point) (float64, bool) { return metrics.BalancedAccuracy(p, 0.5) }),
			interval(ctx, points, *samples, *seed, 1, "%.3f", metrics.AUROC), unknown)
	}
	return nil
}
