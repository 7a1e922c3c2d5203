package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/cmd/kgeval/internal/nlimodel"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/builtin"
	"github.com/kgeval/kgeval/nli/combined"
	"github.com/kgeval/kgeval/nli/lexical"
)

// Combine fits how a trained model and exact coverage weigh against each other.
var Combine = Bench{
	Name:  "combine",
	Short: "the weights of nli/combined, each grounding set judged by weights that were fitted on the others",
	Run:   runCombine,
}

// combineRow is an output with what is said of its sentences.
type combineRow struct {
	Set        string
	ID         string
	Document   string
	Fit        bool
	Consistent bool
	Opinions   []combined.Opinion
}

func runCombine(ctx context.Context, w io.Writer, dir string, args []string) error {
	fs := flag.NewFlagSet("combine", flag.ContinueOnError)
	fs.SetOutput(w)
	name := fs.String("model", "builtin", "the trained model: "+nlimodel.Help)
	limit := fs.Int("limit", 0, "use at most about this many rows of each set, by whole documents in order of their hash (0: all)")
	save := fs.String("save", "", "write the parts of every opinion to this file, as JSON lines")
	workers := fs.Int("workers", 0, "goroutines (0: one a processor)")
	windows := fs.Int("windows", 0, "windows of the source that the trained model reads for a sentence (0: the default, -1: all)")
	use := fs.String("use", "", "only these parts, names with commas between (default: all)")
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	trained, err := nlimodel.Open(*name, builtin.Options{Workers: *workers})
	if err != nil {
		return err
	}
	rules, err := lexical.New()
	if err != nil {
		return err
	}
	m, err := combined.New(trained, rules, combined.Options{Windows: *windows})
	if err != nil {
		return err
	}
	var parts []string
	if *use != "" {
		parts = strings.Split(*use, ",")
	}
	rows, err := combineRows(ctx, m, dir, *limit)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return fmt.Errorf("bench combine: %w: set KGEVAL_DATA to the folder that holds grounding/", ErrNoData)
	}
	if *save != "" {
		if err := saveOpinions(*save, rows); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "Sentences weighed by %s and nli/lexical; an output is as sure as its least sure sentence.\n", trained.ID())
	fmt.Fprintf(w, "AUROC, and balanced accuracy (0-100) at 0.5. \"Others\": weights fitted on the other sets, all documents, and judged on all of this one. \"Half\": fitted on half of every set's documents and judged on this set's other half.\n\n")
	fmt.Fprintf(w, "| set | rows | others: AUROC, balanced | half: rows, AUROC, balanced |\n|---|---|---|---|\n")
	half, err := combined.Fit(examples(rows, func(r combineRow) bool { return r.Fit }), parts...)
	if err != nil {
		return err
	}
	for _, set := range groundingSets {
		here := func(r combineRow) bool { return r.Set == set.name }
		others, err := combined.Fit(examples(rows, func(r combineRow) bool { return r.Set != set.name }), parts...)
		if err != nil {
			return err
		}
		a := weighed(rows, others, here)
		b := weighed(rows, half, func(r combineRow) bool { return here(r) && !r.Fit })
		fmt.Fprintf(w, "| %s | %d | %s | %d, %s |\n", set.name, len(a), twoMeasures(a), len(b), twoMeasures(b))
	}
	fmt.Fprintf(w, "\nWeights fitted on half of the documents: bias %.3f", half.Bias)
	for _, n := range combined.Names() {
		if x, ok := half.Of[n]; ok {
			fmt.Fprintf(w, ", %s %.3f", n, x)
		}
	}
	fmt.Fprintln(w)
	return nil
}

func combineRows(ctx context.Context, m *combined.Model, dir string, limit int) ([]combineRow, error) {
	var out []combineRow
	for _, set := range groundingSets {
		rows, err := set.read(dir)
		if errors.Is(err, ErrNoData) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, r := range wholeDocuments(rows, limit) {
			var pairs []nli.Pair
			for _, s := range sentencesOf(r.output) {
				pairs = append(pairs, nli.Pair{Premise: r.context, Hypothesis: s})
			}
			os, err := m.Weigh(ctx, pairs)
			if err != nil {
				return nil, fmt.Errorf("bench combine: %s: %w", r.id, err)
			}
			out = append(out, combineRow{set.name, r.id, r.context, inHalf("fit", r.context), r.consistent, os})
		}
	}
	return out, nil
}

func examples(rows []combineRow, keep func(combineRow) bool) []combined.Example {
	var out []combined.Example
	for _, r := range rows {
		if keep(r) {
			out = append(out, combined.Example{Set: r.Set, Consistent: r.Consistent, Opinions: r.Opinions})
		}
	}
	return out
}

// weighed gives each output the probability of its least sure sentence under
// other weights. What could not be judged is not supported.
func weighed(rows []combineRow, w combined.Weights, keep func(combineRow) bool) []metrics.Point {
	var out []metrics.Point
	for _, r := range rows {
		if !keep(r) {
			continue
		}
		least := 1.0
		for _, o := range r.Opinions {
			least = min(least, w.Entailment(o))
		}
		out = append(out, metrics.Point{Score: least, Positive: r.Consistent})
	}
	return out
}

func twoMeasures(points []metrics.Point) string {
	a, ok := metrics.AUROC(points)
	b, ok2 := metrics.BalancedAccuracy(points, 0.5)
	if !ok || !ok2 {
		return "-"
	}
	return fmt.Sprintf("%.3f, %.1f", a, 100*b)
}

// wholeDocuments keeps the rows of documents, in order of the hash of their
// text, until there are at least limit.
func wholeDocuments(rows []groundingRow, limit int) []groundingRow {
	if limit <= 0 || len(rows) <= limit {
		return rows
	}
	documents := map[uint32][]groundingRow{}
	for _, r := range rows {
		documents[documentHash(r.context)] = append(documents[documentHash(r.context)], r)
	}
	var out []groundingRow
	for _, h := range slices.Sorted(maps.Keys(documents)) {
		if len(out) >= limit {
			break
		}
		out = append(out, documents[h]...)
	}
	return out
}

// saveOpinions writes what Python can read.
func saveOpinions(path string, rows []combineRow) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(f)
	for _, r := range rows {
		type sentence struct {
			Trained, Rules [3]float64
			Coverage       lexical.Coverage
			Unjudged       bool
		}
		line := struct {
			Set, ID   string
			Document  uint32
			Fit, Good bool
			Sentences []sentence
		}{Set: r.Set, ID: r.ID, Document: documentHash(r.Document), Fit: r.Fit, Good: r.Consistent}
		for _, o := range r.Opinions {
			three := func(p nli.Probs) [3]float64 {
				return [3]float64{round4(p.Entailment), round4(p.Neutral), round4(p.Contradiction)}
			}
			line.Sentences = append(line.Sentences, sentence{three(o.Trained), three(o.Rules.Probs), o.Coverage, o.Probs.Err != nil})
		}
		if err := enc.Encode(line); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}

func documentHash(text string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(text))
	return h.Sum32()
}

func round4(x float64) float64 { return math.Round(x*1e4) / 1e4 }
