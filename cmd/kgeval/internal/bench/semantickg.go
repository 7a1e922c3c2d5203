package bench

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/builtin"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/s3kg"
)

// SemanticKG measures how well scores of graph pairs rank them by their true
// similarity, on the perturbed graphs of semantic-kg.
var SemanticKG = Bench{
	Name:  "semantic-kg",
	Short: "graph similarity: rank correlation with the true similarity of perturbed graphs",
	Run:   runSemanticKG,
}

func runSemanticKG(ctx context.Context, w io.Writer, dir string, args []string) error {
	flags := flag.NewFlagSet("semantic-kg", flag.ContinueOnError)
	flags.SetOutput(w)
	half := flags.String("rows", "odd", "rows to measure: odd (kept from tuning), even (used for tuning) or all")
	alpha := flags.Float64("alpha", s3kg.DefaultAlpha, "weight of meaning")
	iterations := flags.Int("iterations", s3kg.DefaultIterations, "depth of structure")
	name := flags.String("embedder", "builtin", "builtin or hashed")
	limit := flags.Int("limit", 0, "measure at most this many rows a set; 0 means all")
	seed := flags.Uint64("seed", 1, "seed of the bootstrap")
	samples := flags.Int("samples", 1000, "bootstrap samples; 0 leaves the intervals out")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *half != "odd" && *half != "even" && *half != "all" {
		return fmt.Errorf("semantic-kg: --rows must be odd, even or all, not %q", *half)
	}
	e, err := embedderNamed(*name)
	if err != nil {
		return fmt.Errorf("semantic-kg: %w", err)
	}
	scorer, err := s3kg.New(s3kg.Options{Embedder: e, Alpha: alpha, Iterations: iterations})
	if err != nil {
		return err
	}
	var published []*s3kg.Scorer
	for _, o := range []s3kg.Options{s3kg.Paper(), s3kg.Reference()} {
		o.Embedder = e
		p, err := s3kg.New(o)
		if err != nil {
			return err
		}
		published = append(published, p)
	}
	fmt.Fprintf(w, "Spearman rank correlation with the true similarity; %s rows; embedder %s, alpha %g, depth %d; 95%% intervals from %d bootstrap samples of source graphs, seed %d.\n",
		*half, e.ID(), *alpha, *iterations, *samples, *seed)
	for _, set := range []string{"codex", "oregano"} {
		rows, err := readSemanticKG(dir, set, *half)
		if err != nil {
			return err
		}
		if *limit > 0 {
			rows = rows[:min(*limit, len(rows))]
		}
		if err := measureSemanticKG(ctx, append([]*s3kg.Scorer{scorer}, published...), rows); err != nil {
			return err
		}
		fmt.Fprintf(w, "\n## %s, %d pairs\n\n", set, len(rows))
		writeSemanticKG(w, rows, *samples, *seed)
	}
	return nil
}

// semanticRow is a pair of graphs, with the scores that were measured for it.
type semanticRow struct {
	source     string // hash of the first graph
	kind       string // of the perturbation
	a, b       *kg.Graph
	similarity float64
	scores     []float64 // in the order of semanticScores
}

// semanticScores names the measured numbers. a is the graph, b its perturbed copy;
// F1 is the same in both orders.
var semanticScores = []string{
	"exact triples, F1",
	"**S3KG, F1**", "structure, F1", "meaning, F1",
	"S3KG, Cover(a,b)", "structure, Cover(a,b)", "meaning, Cover(a,b)",
	"S3KG, Cover(b,a)", "structure, Cover(b,a)", "meaning, Cover(b,a)",
	"as in the paper (s3kg.Paper), a first", "the same, b first",
	"as the authors' code (s3kg.Reference), a first", "the same, b first",
}

// measureSemanticKG fills in the scores; scorers are the default, Paper and Reference.
func measureSemanticKG(ctx context.Context, scorers []*s3kg.Scorer, rows []*semanticRow) error {
	pairs := make([]s3kg.Pair, len(rows))
	for i, r := range rows {
		pairs[i] = s3kg.Pair{A: r.a, B: r.b}
	}
	for n, s := range scorers {
		results, err := s.ScoreAll(ctx, pairs)
		if err != nil {
			return err
		}
		for i, r := range rows {
			x := results[i]
			if n > 0 {
				r.scores = append(r.scores, x.AB.Score, x.BA.Score)
				continue
			}
			r.scores = []float64{
				exactF1(r.a, r.b),
				x.F1.Score, x.F1.Structure, x.F1.Meaning,
				x.AB.Score, x.AB.Structure, x.AB.Meaning,
				x.BA.Score, x.BA.Structure, x.BA.Meaning,
			}
		}
	}
	return nil
}

// exactF1 is the F1 of b's triples against a's, compared as they stand.
func exactF1(a, b *kg.Graph) float64 {
	same := 0
	for t := range a.Triples() {
		if b.Has(t) {
			same++
		}
	}
	if a.Len()+b.Len() == 0 {
		return 1
	}
	return 2 * float64(same) / float64(a.Len()+b.Len())
}

// embedderNamed returns the embedder of a flag, remembering vectors.
func embedderNamed(name string) (embed.Embedder, error) {
	switch name {
	case "builtin":
		return embed.Cached(builtin.New(builtin.Options{}), 1<<16), nil
	case "hashed":
		return embed.Cached(hashed.New(), 1<<16), nil
	}
	return nil, fmt.Errorf("--embedder must be builtin or hashed, not %q", name)
}

// semanticGroup is the least number of pairs of a perturbation that is shown on its
// own.
const semanticGroup = 20

func writeSemanticKG(w io.Writer, rows []*semanticRow, samples int, seed uint64) {
	groups := map[string][]*semanticRow{}
	for _, r := range rows {
		if r.kind != "" {
			groups[r.kind] = append(groups[r.kind], r)
		}
	}
	maps.DeleteFunc(groups, func(_ string, g []*semanticRow) bool { return len(g) < semanticGroup })
	kinds := slices.Sorted(maps.Keys(groups))
	fmt.Fprintf(w, "| | all %d |", len(rows))
	for _, k := range kinds {
		fmt.Fprintf(w, " %s, %d |", k, len(groups[k]))
	}
	fmt.Fprintf(w, "\n|---|---|%s\n", strings.Repeat("---|", len(kinds)))
	all, intervals := spearmanAll(rows), bootstrapSpearman(rows, samples, seed)
	byKind := make([][]float64, len(kinds))
	for k, kind := range kinds {
		byKind[k] = spearmanAll(groups[kind])
	}
	for i, name := range semanticScores {
		fmt.Fprintf(w, "| %s | %.3f", name, all[i])
		if intervals != nil {
			fmt.Fprintf(w, " (%.3f to %.3f)", intervals[i][0], intervals[i][1])
		}
		for k := range kinds {
			if rho := byKind[k][i]; math.IsNaN(rho) {
				fmt.Fprint(w, " | constant") // every pair has the same score
			} else {
				fmt.Fprintf(w, " | %.3f", rho)
			}
		}
		fmt.Fprintln(w, " |")
	}
}

// spearmanAll returns the rank correlation of each score with the similarity; NaN
// where every pair has the same score.
func spearmanAll(rows []*semanticRow) []float64 {
	truth := make([]float64, len(rows))
	for i, r := range rows {
		truth[i] = r.similarity
	}
	truth = metrics.Ranks(truth)
	out := make([]float64, len(semanticScores))
	for s := range out {
		x := make([]float64, len(rows))
		for i, r := range rows {
			x[i] = r.scores[s]
		}
		rho, ok := metrics.Pearson(metrics.Ranks(x), truth) // Spearman, truth ranked once
		if !ok {
			rho = math.NaN()
		}
		out[s] = rho
	}
	return out
}

// bootstrapSpearman resamples source graphs and returns the 95% interval of each
// correlation, all measured on the same samples; nil without samples.
func bootstrapSpearman(rows []*semanticRow, samples int, seed uint64) [][2]float64 {
	if samples <= 0 {
		return nil
	}
	how := metrics.Resampling{Samples: samples, Seed: seed}
	values := make([][]float64, len(semanticScores))
	for sample := range metrics.Resample(rows, func(r *semanticRow) string { return r.source }, how) {
		for i, rho := range spearmanAll(sample) {
			if !math.IsNaN(rho) {
				values[i] = append(values[i], rho)
			}
		}
	}
	out := make([][2]float64, len(semanticScores))
	for i, v := range values {
		out[i][0], out[i][1], _ = how.Interval(v)
	}
	return out
}

var logType = regexp.MustCompile(`'type': '(\w+)'`)

// kindsInLog names the kinds of perturbation in a log, each once.
func kindsInLog(log string) string {
	kinds := map[string]bool{}
	for _, m := range logType.FindAllStringSubmatch(log, -1) {
		kinds[m[1]] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(kinds)), " + ")
}

// readSemanticKG reads semantic_kg/<set>.dev.csv. Rows count from 0; half chooses
// among them.
func readSemanticKG(dir, set, half string) ([]*semanticRow, error) {
	name := "semantic_kg/" + set + ".dev.csv"
	f, err := Open(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	column := map[string]int{}
	for i, h := range header {
		column[h] = i
	}
	var rows []*semanticRow
	for n := 0; ; n++ {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", name, n, err)
		}
		if half == "even" && n%2 == 1 || half == "odd" && n%2 == 0 {
			continue
		}
		row := &semanticRow{source: record[column["subgraph_hash"]]}
		if i, ok := column["perturbation_type"]; ok {
			row.kind = record[i]
		} else {
			row.kind = kindsInLog(record[column["perturbation_log"]])
		}
		if row.similarity, err = strconv.ParseFloat(record[column["similarity"]], 64); err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", name, n, err)
		}
		if row.a, err = kg.Decode(strings.NewReader(record[column["subgraph_triples"]]), kg.Python); err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", name, n, err)
		}
		if row.b, err = kg.Decode(strings.NewReader(record[column["perturbed_subgraph_triples"]]), kg.Python); err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", name, n, err)
		}
		rows = append(rows, row)
	}
}
