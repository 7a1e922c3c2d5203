package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/builtin"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/perturb"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/s3kg"
	"github.com/kgeval/kgeval/tau"
)

// TAU measures how well the taxonomy of errors finds what was done to a graph.
var TAU = Bench{
	Name:  "tau",
	Short: "error taxonomy: F1 per class against the log of perturbed graphs, beside a set comparison",
	Run:   runTAU,
}

// tauRow is a graph, its perturbed copy, and what is known to have happened to it.
type tauRow struct {
	source string
	a, b   *kg.Graph
	known  []tau.Finding
}

func runTAU(ctx context.Context, w io.Writer, dir string, args []string) error {
	flags := flag.NewFlagSet("tau", flag.ContinueOnError)
	flags.SetOutput(w)
	half := flags.String("half", "report", "source graphs to measure: report, fit (used for development) or all")
	name := flags.String("embedder", "hashed", "hashed or builtin")
	seed := flags.Uint64("seed", 1, "seed of the perturbations and of the bootstrap")
	most := flags.Int("steps", 5, "most steps of perturbation a graph; each graph has 1 to this many")
	samples := flags.Int("samples", 1000, "bootstrap samples; 0 leaves the intervals out")
	wrong := flags.Float64("misspell", 0, "adds a table with this share of the copies' labels misspelled")
	limit := flags.Int("limit", 0, "perturb at most this many source graphs of each set (0: all)")
	show := flags.Int("show", 0, "show this many findings that differ from the log")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if !validHalf(*half) || *most < 1 {
		return fmt.Errorf("bench tau: --half must be report, fit or all, and --steps at least 1")
	}
	if !(*wrong >= 0 && *wrong <= 1) {
		return fmt.Errorf("bench tau: --misspell must be a share from 0 to 1, not %g", *wrong)
	}
	var e embed.Embedder = hashed.New()
	if *name == "builtin" {
		e = builtin.New(builtin.Options{})
	} else if *name != "hashed" {
		return fmt.Errorf("bench tau: --embedder must be hashed or builtin, not %q", *name)
	}
	a, err := nlp.New()
	if err != nil {
		return err
	}
	scorer, err := s3kg.New(s3kg.Options{Embedder: embed.Cached(e, 1<<15), Normalizer: &kg.Normalizer{Lemmatizer: a}})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Each source graph is perturbed once by each kind of step alone and twice by 1 to %d steps of all kinds; half of the source graphs: %s; embedder %s; seed %d; 95%% intervals from %d bootstrap samples of source graphs.\n",
		*most, *half, e.ID(), *seed, *samples)
	if err := tauOfTheirs(ctx, w, dir, *half, scorer); err != nil {
		return err
	}
	for _, set := range []string{"codex", "oregano"} {
		rows, err := tauRows(ctx, dir, set, *half, *limit, *most, *seed, perturb.Antonyms(a))
		if err != nil {
			return err
		}
		graphs := map[string]bool{}
		for _, r := range rows {
			graphs[r.source] = true
		}
		fmt.Fprintf(w, "\n## %s, %d perturbed copies of %d graphs\n\n", set, len(rows), len(graphs))
		if err := measureTAU(ctx, w, rows, scorer, *samples, *seed, *show); err != nil {
			return err
		}
		if *wrong > 0 {
			fmt.Fprintf(w, "\nThe same with %g%% of the copies' labels misspelled:\n\n", 100**wrong)
			if err := measureTAU(ctx, w, misspellRows(rows, *wrong, *seed), scorer, *samples, *seed, *show); err != nil {
				return err
			}
		}
	}
	return nil
}

// tauOfTheirs tallies what is found in the perturbed copies that CoDEx comes with, by
// the kind of perturbation that was done. Oregano's mix kinds.
func tauOfTheirs(ctx context.Context, w io.Writer, dir, half string, scorer *s3kg.Scorer) error {
	rows, err := readSemanticKG(dir, "codex", "all")
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r *semanticRow) bool { return !inHalf(half, r.source) })
	pairs := make([]s3kg.Pair, len(rows))
	for i, r := range rows {
		pairs[i] = s3kg.Pair{A: r.a, B: r.b}
	}
	results, err := scorer.ScoreAll(ctx, pairs)
	if err != nil {
		return err
	}
	found, copies := map[string]map[tau.Class]int{}, map[string]int{}
	for i, r := range rows {
		report, err := tau.Of(ctx, results[i])
		if err != nil {
			return err
		}
		if found[r.kind] == nil {
			found[r.kind] = map[tau.Class]int{}
		}
		copies[r.kind]++
		for class, n := range report.Counts() {
			found[r.kind][class] += n
		}
	}
	fmt.Fprintf(w, "\n## What is found in the data set's own perturbed copies, codex\n\n| its kind | copies |")
	for _, c := range tau.Classes() {
		fmt.Fprintf(w, " %s |", c)
	}
	fmt.Fprint(w, "\n|---|---|")
	for range tau.Classes() {
		fmt.Fprint(w, "---|")
	}
	fmt.Fprintln(w)
	for _, k := range slices.Sorted(maps.Keys(found)) {
		fmt.Fprintf(w, "| %s | %d |", k, copies[k])
		for _, c := range tau.Classes() {
			fmt.Fprintf(w, " %d |", found[k][c])
		}
		fmt.Fprintln(w)
	}
	return nil
}

// tauRows perturbs the distinct graphs of a set. What replaces an entity is one of
// another graph of the set.
func tauRows(ctx context.Context, dir, set, half string, limit, most int, seed uint64, antonym func(string) (string, bool)) ([]tauRow, error) {
	all, err := readSemanticKG(dir, set, "all")
	if err != nil {
		return nil, err
	}
	var graphs []*semanticRow
	seen := map[string]bool{}
	entities := map[string]bool{}
	for _, r := range all {
		if !seen[r.source] {
			seen[r.source] = true
			graphs = append(graphs, r)
			for _, e := range r.a.Entities() {
				entities[e] = true
			}
		}
	}
	pool := slices.Sorted(maps.Keys(entities))
	if limit > 0 {
		graphs = graphs[:min(limit, len(graphs))]
	}
	random := rand.New(rand.NewPCG(seed, 0))
	var rows []tauRow
	for _, g := range graphs {
		o := perturb.Options{Entities: pool, Antonym: antonym, Symmetric: s3kg.Symmetric}
		var plans []perturb.Options
		for _, k := range perturb.Kinds() {
			o.Kinds, o.Steps = []perturb.Kind{k}, 1
			plans = append(plans, o)
		}
		o.Kinds = nil
		for range 2 {
			o.Steps = 1 + random.IntN(most)
			plans = append(plans, o)
		}
		for _, o := range plans {
			o.Seed = random.Uint64() // drawn for all, so that the half changes nothing
			if !inHalf(half, g.source) {
				continue
			}
			p, err := perturb.Graph(ctx, g.a, o)
			if err != nil {
				return nil, err
			}
			if len(p.Steps) == 0 {
				continue
			}
			rows = append(rows, tauRow{g.source, g.a, p.Graph, tauKnown(p.Fates)})
		}
	}
	return rows, nil
}

// tauKnown writes the log of a perturbation as findings.
func tauKnown(fates []perturb.Fate) []tau.Finding {
	classes := map[perturb.Outcome]tau.Class{
		perturb.Kept: tau.Aligned, perturb.RelationChanged: tau.RelationMismatch, perturb.HeadChanged: tau.HeadMismatch,
		perturb.TailChanged: tau.TailMismatch, perturb.Reversed: tau.Reversed, perturb.Lost: tau.Missing, perturb.Added: tau.Extra,
	}
	var out []tau.Finding
	for _, f := range fates {
		out = append(out, tau.Finding{Class: classes[f.Outcome], Reference: f.Old, Answer: f.New})
	}
	return out
}

// misspellRows misspells a share of each copy's labels, a label the same way wherever it
// stands. Labels that are too short, or would become another of the graph, stay.
func misspellRows(rows []tauRow, share float64, seed uint64) []tauRow {
	out := make([]tauRow, len(rows))
	for i, r := range rows {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		entities, relations := map[string]string{}, map[string]string{}
		write := func(list []string, into map[string]string) {
			for _, l := range list {
				into[l] = l
				if m := misspelled(l, random); random.Float64() < share && m != "" && !slices.Contains(list, m) {
					into[l] = m
				}
			}
		}
		write(r.b.Entities(), entities)
		write(r.b.Relations(), relations)
		written := func(t kg.Triple) kg.Triple {
			if t == (kg.Triple{}) {
				return t
			}
			return kg.Triple{Head: entities[t.Head], Relation: relations[t.Relation], Tail: entities[t.Tail]}
		}
		out[i] = tauRow{source: r.source, a: r.a, b: kg.NewGraph()}
		for t := range r.b.Triples() {
			out[i].b.Add(written(t))
		}
		for _, f := range r.known {
			f.Answer = written(f.Answer)
			out[i].known = append(out[i].known, f)
		}
	}
	return out
}

// tauSystem is a way to find errors.
type tauSystem struct {
	name   string
	report func(i int) (tau.Report, error)
}

// agreement is the counts of one row, with and without what is aligned.
type agreement struct {
	source string
	counts map[tau.Class]metrics.Counts
}

func measureTAU(ctx context.Context, w io.Writer, rows []tauRow, scorer *s3kg.Scorer, samples int, seed uint64, show int) error {
	pairs := make([]s3kg.Pair, len(rows))
	for i, r := range rows {
		pairs[i] = s3kg.Pair{A: r.a, B: r.b}
	}
	results, err := scorer.ScoreAll(ctx, pairs)
	if err != nil {
		return err
	}
	systems := []tauSystem{
		{"**TAU**", func(i int) (tau.Report, error) { return tau.Of(ctx, results[i]) }},
		{"set comparison", func(i int) (tau.Report, error) { return tau.SetCompare(nil, rows[i].a, rows[i].b), nil }},
	}
	fmt.Fprintf(w, "| | micro F1 | macro F1 | errors only: micro F1 | macro F1 | coarse classes: micro F1 | macro F1 |")
	for _, c := range tau.Classes() {
		fmt.Fprintf(w, " %s |", c)
	}
	fmt.Fprintf(w, "\n|---|---|---|---|---|---|---|")
	for range tau.Classes() {
		fmt.Fprint(w, "---|")
	}
	fmt.Fprintln(w)
	known := map[tau.Class]int{}
	for _, s := range systems {
		fine, coarse := make([]agreement, len(rows)), make([]agreement, len(rows))
		for i, r := range rows {
			report, err := s.report(i)
			if err != nil {
				return err
			}
			got := report.Findings
			fine[i] = agreement{r.source, tau.Agreement(got, r.known, false)}
			coarse[i] = agreement{r.source, tau.Agreement(got, r.known, true)}
			if s.name == systems[0].name {
				show = showTAU(w, i, got, r.known, show)
				for _, f := range r.known {
					known[f.Class]++
				}
			}
		}
		fmt.Fprintf(w, "| %s |", s.name)
		for _, m := range []struct {
			rows    []agreement
			measure func(map[tau.Class]metrics.Counts) float64
		}{
			{fine, metrics.MicroF1[tau.Class]}, {fine, metrics.MacroF1[tau.Class]},
			{fine, func(c map[tau.Class]metrics.Counts) float64 { return metrics.MicroF1(onlyErrors(c)) }},
			{fine, func(c map[tau.Class]metrics.Counts) float64 { return metrics.MacroF1(onlyErrors(c)) }},
			{coarse, metrics.MicroF1[tau.Class]}, {coarse, metrics.MacroF1[tau.Class]},
		} {
			how := metrics.Resampling{Samples: samples, Seed: seed}
			if samples <= 0 {
				how.Samples = -1
			}
			x, err := metrics.Bootstrap(ctx, m.rows, func(a agreement) string { return a.source }, how, func(a []agreement) (float64, bool) {
				return m.measure(sumAgreement(a)), len(a) > 0
			})
			if err != nil {
				return err
			}
			if x.Samples == 0 {
				fmt.Fprintf(w, " %.3f |", x.Value)
			} else {
				fmt.Fprintf(w, " %.3f (%.3f to %.3f) |", x.Value, x.Low, x.High)
			}
		}
		sum := sumAgreement(fine)
		for _, c := range tau.Classes() {
			fmt.Fprintf(w, " %.3f |", sum[c].Score().F1)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "| findings in the log | | | | | | |")
	for _, c := range tau.Classes() {
		fmt.Fprintf(w, " %d |", known[c])
	}
	fmt.Fprintln(w)
	return nil
}

func onlyErrors(c map[tau.Class]metrics.Counts) map[tau.Class]metrics.Counts {
	out := maps.Clone(c)
	delete(out, tau.Aligned)
	return out
}

func sumAgreement(rows []agreement) map[tau.Class]metrics.Counts {
	out := map[tau.Class]metrics.Counts{}
	for _, r := range rows {
		for k, c := range r.counts {
			out[k] = out[k].Plus(c)
		}
	}
	return out
}

// showTAU writes the findings of row i that are not in the log, and returns how many
// may still be shown.
func showTAU(w io.Writer, i int, got, known []tau.Finding, left int) int {
	plain := func(f tau.Finding) tau.Finding {
		return tau.Finding{Class: f.Class, Reference: f.Reference, Answer: f.Answer}
	}
	for _, f := range got {
		if left > 0 && !slices.Contains(known, plain(f)) {
			left--
			fmt.Fprintf(w, "row %d: %s: %v, %v\n", i, f.Class, f.Reference, f.Answer)
			for _, k := range known {
				if k.Reference == f.Reference && f.Reference != (kg.Triple{}) || k.Answer == f.Answer && f.Answer != (kg.Triple{}) {
					fmt.Fprintf(w, "    in the log: %s: %v, %v\n", k.Class, k.Reference, k.Answer)
				}
			}
		}
	}
	return left
}
