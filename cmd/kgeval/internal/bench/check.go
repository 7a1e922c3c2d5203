package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/nlimodel"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/nli/builtin"
)

// Check measures the checkers of package grapheval on people's labels.
var Check = Bench{
	Name:  "check",
	Short: "grapheval (default, few false alarms, the paper's rule, per sentence, whole output) on QAGS, SummEval, SummEdits and BEGIN",
	Run:   runCheck,
}

// checkVariant is one way to check.
type checkVariant struct {
	name string
	opts grapheval.Options
}

func checkVariants() []checkVariant {
	return []checkVariant{
		{"graph, balanced", grapheval.Options{NoEvidence: true}},
		{"graph, few false alarms", grapheval.Options{NoEvidence: true, Point: grapheval.FewFalseAlarms}},
		{"graph, the paper's rule", noEvidence(grapheval.Paper())},
		{"per sentence", noEvidence(grapheval.PerSentence())},
		{"whole output", noEvidence(grapheval.WholeOutput())},
	}
}

func noEvidence(o grapheval.Options) grapheval.Options {
	o.NoEvidence = true
	return o
}

func runCheck(ctx context.Context, w io.Writer, dir string, args []string) error {
	fs := flag.NewFlagSet("check", flag.ContinueOnError)
	fs.SetOutput(w)
	limit := fs.Int("limit", 0, "use at most this many rows of each set (0: all)")
	seed := fs.Uint64("seed", 1, "seed of the bootstrap and of the choice under -limit")
	half := fs.String("half", "report", "documents to use: report (not seen by any fit), fit, all")
	samples := fs.Int("bootstrap", 1000, "bootstrap samples over source documents")
	sets := fs.String("sets", "", "only these sets, names with commas between")
	fit := fs.Bool("fit", false, "fit a calibration to all sets together and print it, instead of the table (use with -half fit)")
	name := fs.String("model", "", "judge by this model: "+nlimodel.Help+" (default: what kgeval check uses)")
	denial := fs.Float64("denial", -1, "with -fit: the weight of contradiction in a claim's risk (-1: the model's own)")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if !validHalf(*half) {
		return fmt.Errorf("bench check: -half must be report, fit or all, not %q", *half)
	}
	parts, err := kgeval.Offline()
	if err != nil {
		return err
	}
	if *name != "" {
		if parts.NLI, err = nlimodel.Open(*name, builtin.Options{}); err != nil {
			return fmt.Errorf("bench check: %w", err)
		}
	}
	variants := checkVariants()
	start := grapheval.CalibrationFor(parts.NLI.ID())
	if *denial >= 0 {
		start.Denial = *denial
	}
	if *fit {
		variants = variants[:1]
		variants[0].opts.Calibration = &start
	} else {
		fmt.Fprintf(w, "Model %s, extractor %s; half of the documents: %s; seed %d; intervals: 95%%, bootstrap over source documents (%d samples).\n", parts.NLI.ID(), parts.Extractor.ID(), *half, *seed, *samples)
		fmt.Fprintf(w, "Balanced accuracy (points) and false alarms (share of consistent outputs called inconsistent) at the checker's own cutoff. An output without claims counts as consistent, one that could not be judged as inconsistent; both are counted.\n\n")
		fmt.Fprintf(w, "| set | rows (documents) | checker | balanced accuracy | AUROC | false alarms | no claims, unknown |\n|---|---|---|---|---|---|---|\n")
	}
	var pooled []grapheval.Labelled
	found := false
	for _, set := range groundingSets {
		if *sets != "" && !slices.Contains(strings.Split(strings.ToLower(*sets), ","), strings.ToLower(set.name)) {
			continue
		}
		rows, err := set.read(dir)
		if errors.Is(err, ErrNoData) {
			fmt.Fprintf(w, "| %s | skipped: %v |\n", set.name, err)
			continue
		}
		if err != nil {
			return err
		}
		found = true
		rows = slices.DeleteFunc(rows, func(r groundingRow) bool { return !inHalf(*half, r.context) })
		if *limit > 0 && len(rows) > *limit {
			rng := rand.New(rand.NewPCG(*seed, 0))
			rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			rows = rows[:*limit]
		}
		for _, v := range variants {
			c, err := parts.Checker(v.opts)
			if err != nil {
				return err
			}
			results, err := checkRows(ctx, c, rows)
			if err != nil {
				return fmt.Errorf("bench check: %s, %s: %w", set.name, v.name, err)
			}
			if *fit {
				pooled = append(pooled, labelled(set.name, rows, results)...)
				continue
			}
			checkLine(ctx, w, set.name, v.name, rows, results, *samples, *seed)
		}
	}
	if !found {
		return fmt.Errorf("bench check: %w: set KGEVAL_DATA to the folder that holds grounding/", ErrNoData)
	}
	if *fit {
		c, err := grapheval.Fit(pooled)
		if err != nil {
			return err
		}
		c.Denial = start.Denial
		fmt.Fprintf(w, "%s, %d outputs: %+v\n", parts.NLI.ID(), len(pooled), c)
		fmt.Fprint(w, caught(c, pooled))
	}
	return nil
}

// checkRows checks all rows, in order, two at a time.
func checkRows(ctx context.Context, c *grapheval.Checker, rows []groundingRow) ([]claim.Result, error) {
	out := make([]claim.Result, len(rows))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	// Rows of one document share its preparation.
	var mu sync.Mutex
	prepared := map[string]*grapheval.Prepared{}
	for i, r := range rows {
		g.Go(func() error {
			mu.Lock()
			p := prepared[r.context]
			mu.Unlock()
			if p == nil {
				var err error
				if p, err = c.Prepare(ctx, []claim.Source{{Text: r.context}}); err != nil {
					return err
				}
				mu.Lock()
				prepared[r.context] = p
				mu.Unlock()
			}
			var err error
			out[i], err = p.Check(ctx, "", r.output)
			return err
		})
	}
	return out, g.Wait()
}

// caught says what share of the inconsistent outputs of each set is over the
// cutoff for few false alarms, and of the consistent ones.
func caught(c grapheval.Calibration, outputs []grapheval.Labelled) string {
	n := map[string][2]int{}
	over := map[string][2]int{}
	cutoff := math.Log(c.FewFalseAlarms / (1 - c.FewFalseAlarms))
	for _, o := range outputs {
		k := 0
		if o.Inconsistent {
			k = 1
		}
		x := min(max(o.Worst, 1e-6), 1-1e-6)
		a, b := n[o.Set], over[o.Set]
		a[k]++
		if c.Slope*(math.Log(x/(1-x))-math.Log(c.Center/(1-c.Center)))-c.Claims*math.Log(float64(o.Claims)) > cutoff+1e-9 {
			b[k]++
		}
		n[o.Set], over[o.Set] = a, b
	}
	var out strings.Builder
	for _, set := range slices.Sorted(maps.Keys(n)) {
		a, b := n[set], over[set]
		fmt.Fprintf(&out, "%s: %d of %d inconsistent outputs over the cutoff for few false alarms, %d of %d consistent ones\n", set, b[1], a[1], b[0], a[0])
	}
	return out.String()
}

// labelled gives what a calibration is fitted to.
func labelled(set string, rows []groundingRow, results []claim.Result) []grapheval.Labelled {
	var out []grapheval.Labelled
	for i, r := range results {
		if p, n, ok := grapheval.Worst(r); ok {
			out = append(out, grapheval.Labelled{Worst: p, Claims: n, Inconsistent: !rows[i].consistent, Set: set})
		}
	}
	return out
}

func checkLine(ctx context.Context, w io.Writer, set, name string, rows []groundingRow, results []claim.Result, samples int, seed uint64) {
	points := make([]metrics.Point, len(rows)) // score: 1 - P(inconsistent)
	decided := make([]metrics.Point, len(rows))
	documents := map[string]bool{}
	var consistent, alarms, noClaims, unknown int
	for i, r := range results {
		documents[rows[i].context] = true
		score, call := 1-r.PInconsistent, 1.0
		switch r.Outcome {
		case claim.NoClaims:
			noClaims++
		case claim.OutcomeUnknown:
			unknown++
			call = 0
		case claim.Inconsistent:
			call = 0
		}
		points[i] = metrics.Point{Score: score, Positive: rows[i].consistent, Group: rows[i].context}
		decided[i] = metrics.Point{Score: call, Positive: rows[i].consistent, Group: rows[i].context}
		if rows[i].consistent {
			consistent++
			if call == 0 {
				alarms++
			}
		}
	}
	fmt.Fprintf(w, "| %s | %d (%d) | %s | %s | %s | %.1f%% of %d | %d, %d |\n", set, len(rows), len(documents), name,
		interval(ctx, decided, samples, seed, 100, "%.1f", func(p []metrics.Point) (float64, bool) { return metrics.BalancedAccuracy(p, 0.5) }),
		interval(ctx, points, samples, seed, 1, "%.3f", metrics.AUROC),
		100*float64(alarms)/float64(max(consistent, 1)), consistent, noClaims, unknown)
}
