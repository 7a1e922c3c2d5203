package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/cmd/kgeval/internal/nlimodel"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/builtin"
)

// NLI measures entailment models on pairs.
var NLI = Bench{
	Name:  "nli",
	Short: "entailment on pairs by source: nli/lexical, and others with -model",
	Run:   runNLI,
}

// heldOut are the sources (by how their names begin) that no weights of kgeval were
// trained on and no rule was fitted to; training/README.md says why each is left
// out there. On the others a network knows most of the rows.
var heldOut = []string{
	"cad_nli", "climate_fever", "curriculum/monotonicity", "curriculum/sprl", "curriculum/verbcorner",
	"factcheck_gpt", "healthver", "rte", "sick",
}

func isHeldOut(source string) bool {
	return slices.ContainsFunc(heldOut, func(p string) bool { return strings.HasPrefix(source, p) })
}

type nliRow struct {
	Premise, Hypothesis, Label, Source string
}

func runNLI(ctx context.Context, w io.Writer, dir string, args []string) error {
	fs := flag.NewFlagSet("nli", flag.ContinueOnError)
	fs.SetOutput(w)
	limit := fs.Int("limit", 400, "use at most this many pairs of each source (0: all)")
	seed := fs.Uint64("seed", 1, "seed of the choice and the bootstrap")
	half := fs.String("half", "report", "premises to use: report (not seen by any fit of the rules), fit, all")
	samples := fs.Int("bootstrap", 1000, "bootstrap samples over premises")
	all := fs.Bool("all", false, "also the sources that networks were trained on")
	names := []string{"lexical"}
	fs.Func("model", "a model beside the rules, as often as wished: "+nlimodel.Help, func(s string) error {
		names = append(names, s)
		return nil
	})
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if !validHalf(*half) {
		return fmt.Errorf("bench nli: -half must be report, fit or all, not %q", *half)
	}
	var models []nli.Model
	for _, name := range names {
		m, err := nlimodel.Open(name, builtin.Options{})
		if err != nil {
			return fmt.Errorf("bench nli: %w", err)
		}
		models = append(models, m)
	}
	by, err := readPairs(dir, func(r nliRow) bool { return inHalf(*half, r.Premise) && (*all || isHeldOut(r.Source)) })
	if err != nil {
		return fmt.Errorf("bench nli: %w", err)
	}
	var sources []string
	for s := range by {
		sources = append(sources, s)
	}
	slices.Sort(sources)
	fmt.Fprintf(w, "Pairs of premise and hypothesis; half of the premises: %s; at most %d pairs a source, seed %d; intervals: 95%%, bootstrap over premises.\n", *half, *limit, *seed)
	fmt.Fprintf(w, "Accuracy: the most likely of the source's labels (three, or entailment from 0.5 on against not). Balanced accuracy in points and AUROC: entailment against the rest, at 0.5.\n")
	if *all {
		fmt.Fprintf(w, "Networks were trained on rows of the sources with a star.\n")
	}
	fmt.Fprintf(w, "\n| source | pairs | commonest label | model | accuracy | balanced accuracy | AUROC | unknown |\n|---|---|---|---|---|---|---|---|\n")
	for _, s := range sources {
		rows := by[s]
		rng := rand.New(rand.NewPCG(*seed, 0))
		if *limit > 0 && len(rows) > *limit {
			rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			rows = rows[:*limit]
		}
		pairs := make([]nli.Pair, len(rows))
		labels := map[string]int{}
		for i, r := range rows {
			pairs[i] = nli.Pair{Premise: r.Premise, Hypothesis: r.Hypothesis}
			labels[r.Label]++
		}
		most := 0
		for _, n := range labels {
			most = max(most, n)
		}
		n := float64(len(rows))
		star := "*"
		if isHeldOut(s) {
			star = ""
		}
		for _, m := range models {
			probs, err := m.Classify(ctx, pairs)
			if err != nil {
				return fmt.Errorf("bench nli: %w", err)
			}
			right, unknown, points := scorePairs(rows, probs, labels["not_entailment"] > 0)
			id, _, _ := strings.Cut(m.ID(), "@")
			fmt.Fprintf(w, "| %s%s | %d | %.1f | %s | %.1f | %s | %s | %d |\n", s, star, len(rows), 100*float64(most)/n, id, 100*float64(right)/n,
				interval(ctx, points, *samples, *seed, 100, "%.1f", func(p []metrics.Point) (float64, bool) { return metrics.BalancedAccuracy(p, 0.5) }),
				interval(ctx, points, *samples, *seed, 1, "%.3f", metrics.AUROC), unknown)
		}
	}
	for _, m := range models {
		fmt.Fprintf(w, "\n%s", m.ID())
		if work, ok := nlimodel.Work(m); ok {
			fmt.Fprintf(w, ": %d windows read, %d tokens", work.Windows, work.Tokens)
		}
		fmt.Fprintln(w)
	}
	return nil
}

// readPairs returns the pairs that take wants, by source.
func readPairs(dir string, take func(nliRow) bool) (map[string][]nliRow, error) {
	by := map[string][]nliRow{}
	for i := range 4 {
		err := jsonRows(dir, fmt.Sprintf("nli/nli_%02d.jsonl", i), func(r nliRow) {
			if take(r) {
				by[r.Source] = append(by[r.Source], r)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return by, nil
}

// scorePairs counts the right and the unknown answers. A pair that could not be
// judged is never right and supports nothing.
func scorePairs(rows []nliRow, probs []nli.Probs, twoClasses bool) (right, unknown int, points []metrics.Point) {
	points = make([]metrics.Point, len(rows))
	for i, p := range probs {
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
	return right, unknown, points
}
