package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/lexical"
	"github.com/kgeval/kgeval/segment"
)

// Grounding measures checkers of whole outputs against people's labels.
var Grounding = Bench{
	Name:  "grounding",
	Short: "consistent or not: outputs against their sources, on QAGS, SummEval, SummEdits and BEGIN",
	Run:   runGrounding,
}

// groundingRow is one output with its source and label.
type groundingRow struct {
	context, output string
	consistent      bool
}

// groundingSets lists the data sets in the order of the table.
var groundingSets = []struct {
	name string
	read func(dir string) ([]groundingRow, error)
}{
	{"QAGS-CNN", func(dir string) ([]groundingRow, error) { return readQAGS(dir, "grounding/qags/mturk_cnndm.dev.jsonl") }},
	{"QAGS-XSum", func(dir string) ([]groundingRow, error) { return readQAGS(dir, "grounding/qags/mturk_xsum.dev.jsonl") }},
	{"SummEval", func(dir string) ([]groundingRow, error) { return readLabelled(dir, "grounding/summeval.dev.jsonl") }},
	{"SummEdits", func(dir string) ([]groundingRow, error) { return readLabelled(dir, "grounding/summedits.dev.jsonl") }},
	{"BEGIN", func(dir string) ([]groundingRow, error) { return readLabelled(dir, "grounding/begin_wow.dev.jsonl") }},
}

// groundingChecker gives an output a score in [0,1], higher for consistent.
type groundingChecker struct {
	name      string
	threshold float64
	score     func(ctx context.Context, context, output string) (float64, error)
}

// groundingCheckers returns the checkers that are compared.
func groundingCheckers() ([]groundingChecker, error) {
	m, err := lexical.New()
	if err != nil {
		return nil, err
	}
	return []groundingChecker{
		{"nli/lexical, whole output", 0.5, func(ctx context.Context, source, output string) (float64, error) {
			return support(ctx, m, source, []string{output})
		}},
		{"nli/lexical, per sentence", 0.5, func(ctx context.Context, source, output string) (float64, error) {
			return support(ctx, m, source, sentencesOf(output))
		}},
		{"word overlap, per sentence", 0.75, func(_ context.Context, source, output string) (float64, error) {
			return overlap(source, sentencesOf(output)), nil
		}},
	}, nil
}

// support is the least support among the hypotheses. A hypothesis that could
// not be judged counts as not supported.
func support(ctx context.Context, m nli.Model, premise string, hypotheses []string) (float64, error) {
	js, err := nli.Judge(ctx, m, premise, hypotheses, nli.Options{})
	if err != nil {
		return 0, err
	}
	least := 1.0
	for _, j := range js {
		least = min(least, j.Support)
	}
	return least, nil
}

func sentencesOf(text string) []string {
	var out []string
	for _, s := range segment.Sentences(text) {
		out = append(out, s.Of(text))
	}
	return out
}

// overlap is the least share, over the sentences, of a sentence's words that
// stand in the source.
func overlap(source string, sentences []string) float64 {
	have := map[string]bool{}
	for _, w := range segment.Words(source) {
		have[strings.ToLower(w.Of(source))] = true
	}
	least := 1.0
	for _, s := range sentences {
		words := segment.Words(s)
		if len(words) == 0 {
			continue
		}
		n := 0
		for _, w := range words {
			if have[strings.ToLower(w.Of(s))] {
				n++
			}
		}
		least = min(least, float64(n)/float64(len(words)))
	}
	return least
}

func runGrounding(ctx context.Context, w io.Writer, dir string, args []string) error {
	fs := flag.NewFlagSet("grounding", flag.ContinueOnError)
	fs.SetOutput(w)
	limit := fs.Int("limit", 0, "use at most this many rows of each set (0: all)")
	seed := fs.Uint64("seed", 1, "seed of the bootstrap and of the choice under -limit")
	half := fs.String("half", "report", "documents to use: report (not seen by any fit), fit, all")
	samples := fs.Int("bootstrap", 1000, "bootstrap samples over source documents")
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if !validHalf(*half) {
		return fmt.Errorf("bench grounding: -half must be report, fit or all, not %q", *half)
	}
	checkers, err := groundingCheckers()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Outputs against their sources; half of the documents: %s; seed %d; intervals: 95%%, bootstrap over source documents (%d samples).\n", *half, *seed, *samples)
	fmt.Fprintf(w, "Balanced accuracy in points (0-100) at the checker's fixed threshold.\n\n")
	fmt.Fprintf(w, "| set | rows (documents) | consistent | checker | threshold | balanced accuracy | AUROC |\n|---|---|---|---|---|---|---|\n")
	found := false
	var skipped []string
	for _, set := range groundingSets {
		rows, err := set.read(dir)
		if errors.Is(err, ErrNoData) {
			skipped = append(skipped, fmt.Sprintf("%s was skipped: %v", set.name, err))
			continue
		}
		if err != nil {
			return err
		}
		found = true
		rows = slices.DeleteFunc(rows, func(r groundingRow) bool { return !inHalf(*half, r.context) })
		rng := rand.New(rand.NewPCG(*seed, 0))
		if *limit > 0 && len(rows) > *limit {
			rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			rows = rows[:*limit]
		}
		consistent, documents := 0, map[string]bool{}
		for _, r := range rows {
			documents[r.context] = true
			if r.consistent {
				consistent++
			}
		}
		for _, c := range checkers {
			points := make([]point, len(rows))
			for i, r := range rows {
				if err := ctx.Err(); err != nil {
					return err
				}
				s, err := c.score(ctx, r.context, r.output)
				if err != nil {
					return fmt.Errorf("bench grounding: %s, %s: %w", set.name, c.name, err)
				}
				points[i] = point{s, r.consistent, r.context}
			}
			fmt.Fprintf(w, "| %s | %d (%d) | %d | %s | %.2f | %s | %s |\n", set.name, len(rows), len(documents), consistent, c.name, c.threshold,
				interval(points, *samples, *seed, 100, "%.1f", func(p []point) (float64, bool) { return balancedAccuracy(p, c.threshold) }),
				interval(points, *samples, *seed, 1, "%.3f", auroc))
		}
	}
	for _, line := range skipped {
		fmt.Fprintf(w, "\n%s\n", line)
	}
	if !found {
		return fmt.Errorf("bench grounding: %w: set KGEVAL_DATA to the folder that holds grounding/", ErrNoData)
	}
	return nil
}

// validHalf and inHalf split by source document: nothing was ever fitted on the
// documents of the half "report".
func validHalf(half string) bool { return half == "report" || half == "fit" || half == "all" }

func inHalf(half, document string) bool {
	if half == "all" {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(document))
	return (h.Sum32()%2 == 0) == (half == "fit")
}

func readQAGS(dir, name string) ([]groundingRow, error) {
	type qagsRow struct {
		Article   string `json:"article"`
		Sentences []struct {
			Sentence  string `json:"sentence"`
			Responses []struct {
				Response string `json:"response"`
			} `json:"responses"`
		} `json:"summary_sentences"`
	}
	var out []groundingRow
	err := jsonRows(dir, name, func(r qagsRow) {
		row := groundingRow{context: r.Article, consistent: true}
		var parts []string
		for _, s := range r.Sentences {
			parts = append(parts, s.Sentence)
			yes := 0
			for _, v := range s.Responses {
				if v.Response == "yes" {
					yes++
				}
			}
			row.consistent = row.consistent && 2*yes > len(s.Responses)
		}
		row.output = strings.Join(parts, " ")
		out = append(out, row)
	})
	return out, err
}

func readLabelled(dir, name string) ([]groundingRow, error) {
	type labelledRow struct {
		Context string `json:"context"`
		Output  string `json:"output"`
		Label   string `json:"label"`
	}
	var out []groundingRow
	err := jsonRows(dir, name, func(r labelledRow) {
		out = append(out, groundingRow{r.Context, r.Output, r.Label == "consistent"})
	})
	return out, err
}

// jsonRows calls row for every line of a data file of JSON lines.
func jsonRows[T any](dir, name string, row func(T)) error {
	return eachLine(dir, name, func(line string) error {
		var r T
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return err
		}
		row(r)
		return nil
	})
}

// point is one scored row; rows of one group are resampled together.
type point struct {
	score    float64
	positive bool
	group    string
}

// balancedAccuracy is the mean of the recalls of both classes; false where a
// class is absent.
func balancedAccuracy(points []point, threshold float64) (float64, bool) {
	var tp, tn, pos, neg float64
	for _, p := range points {
		if p.positive {
			pos++
			if p.score >= threshold {
				tp++
			}
		} else {
			neg++
			if p.score < threshold {
				tn++
			}
		}
	}
	if pos == 0 || neg == 0 {
		return 0, false
	}
	return (tp/pos + tn/neg) / 2, true
}

// auroc is the probability that a positive scores above a negative, ties half;
// false where a class is absent.
func auroc(points []point) (float64, bool) {
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, func(a, b point) int { return cmp.Compare(a.score, b.score) })
	var below, pos, neg, wins float64 // below: negatives with a lower score
	for i := 0; i < len(sorted); {
		j := i
		var p, n float64
		for ; j < len(sorted) && sorted[j].score == sorted[i].score; j++ {
			if sorted[j].positive {
				p++
			} else {
				n++
			}
		}
		wins += p * (below + n/2)
		below += n
		pos += p
		neg += n
		i = j
	}
	if pos == 0 || neg == 0 {
		return 0, false
	}
	return wins / (pos * neg), true
}

// interval formats a measure, times factor, with its 95% bootstrap interval
// over groups.
func interval(points []point, samples int, seed uint64, factor float64, format string, measure func([]point) (float64, bool)) string {
	v, ok := measure(points)
	if !ok {
		return "one class only"
	}
	groups := map[string][]point{}
	var names []string
	for _, p := range points {
		if _, ok := groups[p.group]; !ok {
			names = append(names, p.group)
		}
		groups[p.group] = append(groups[p.group], p)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	var values []float64
	sample := make([]point, 0, len(points))
	for range samples {
		sample = sample[:0]
		for range names {
			sample = append(sample, groups[names[rng.IntN(len(names))]]...)
		}
		if x, ok := measure(sample); ok {
			values = append(values, x)
		}
	}
	if len(values) == 0 {
		return fmt.Sprintf(format, factor*v)
	}
	slices.Sort(values)
	at := func(q float64) float64 { return values[min(int(q*float64(len(values))), len(values)-1)] }
	return fmt.Sprintf(format+" ["+format+", "+format+"]", factor*v, factor*at(0.025), factor*at(0.975))
}
