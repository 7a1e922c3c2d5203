package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/kgeval/kgeval/cmd/kgeval/internal/nlimodel"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/builtin"
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
	id              string // file and line
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

// groundingChecker judges the hypotheses that an output makes.
type groundingChecker struct {
	name      string
	threshold float64
	whole     bool // the output is one hypothesis; otherwise each sentence is
	judge     func(ctx context.Context, source string, hypotheses []string) ([]nli.Judgment, error)
	model     nli.Model // nil where there is none
}

// groundingCheckers returns the checkers that are compared: the rules, plain
// overlap, and the named networks.
func groundingCheckers(models []string, o builtin.Options, judge nli.Options) ([]groundingChecker, error) {
	var out []groundingChecker
	for _, name := range append([]string{"lexical"}, models...) {
		m, err := nlimodel.Open(name, o)
		if err != nil {
			return nil, err
		}
		asked := m
		short := "nli/lexical"
		if name != "lexical" {
			// Outputs of one document repeat its sentences.
			asked = nli.Cached(m, 1<<16)
			short, _, _ = strings.Cut(m.ID(), "@")
		}
		support := func(ctx context.Context, source string, hypotheses []string) ([]nli.Judgment, error) {
			return nli.Judge(ctx, asked, source, hypotheses, judge)
		}
		out = append(out,
			groundingChecker{short + ", whole output", 0.5, true, support, m},
			groundingChecker{short + ", per sentence", 0.5, false, support, m})
	}
	return append(out, groundingChecker{"word overlap, per sentence", 0.75, false, func(_ context.Context, source string, hypotheses []string) ([]nli.Judgment, error) {
		out := make([]nli.Judgment, len(hypotheses))
		for i, share := range overlaps(source, hypotheses) {
			out[i].Support = share
		}
		return out, nil
	}, nil}), nil
}

// least is the least support among the hypotheses. A hypothesis that could not be
// judged counts as not supported.
func least(js []nli.Judgment) float64 {
	least := 1.0
	for _, j := range js {
		least = min(least, j.Support)
	}
	return least
}

func sentencesOf(text string) []string {
	var out []string
	for _, s := range segment.Sentences(text) {
		out = append(out, s.Of(text))
	}
	return out
}

// overlaps returns the share of each sentence's words that stand in the source.
func overlaps(source string, sentences []string) []float64 {
	have := map[string]bool{}
	for _, w := range segment.Words(source) {
		have[strings.ToLower(w.Of(source))] = true
	}
	out := make([]float64, len(sentences))
	for i, s := range sentences {
		words := segment.Words(s)
		if len(words) == 0 {
			out[i] = 1
			continue
		}
		n := 0
		for _, w := range words {
			if have[strings.ToLower(w.Of(s))] {
				n++
			}
		}
		out[i] = float64(n) / float64(len(words))
	}
	return out
}

// publishedGrounding are balanced accuracies that GraphEval's authors published
// for the whole sets, not measured here: HHEM (738 MB) over the whole output, and
// with GraphEval.
var publishedGrounding = map[string][2]float64{
	"QAGS-CNN":  {63.5, 72.2},
	"QAGS-XSum": {75.5, 75.2},
	"SummEval":  {66.0, 71.5},
}

func runGrounding(ctx context.Context, w io.Writer, dir string, args []string) error {
	fs := flag.NewFlagSet("grounding", flag.ContinueOnError)
	fs.SetOutput(w)
	limit := fs.Int("limit", 0, "use at most this many rows of each set (0: all)")
	seed := fs.Uint64("seed", 1, "seed of the bootstrap and of the choice under -limit")
	half := fs.String("half", "report", "documents to use: report (not seen by any fit), fit, all")
	samples := fs.Int("bootstrap", 1000, "bootstrap samples over source documents")
	var models []string
	fs.Func("model", "a model beside the rules, as often as wished: "+nlimodel.Help, func(s string) error {
		models = append(models, s)
		return nil
	})
	fs.Func("weights", "the same as -model, for weights files", func(s string) error {
		models = append(models, s)
		return nil
	})
	sets := fs.String("sets", "", "only these sets, names with commas between")
	budget := fs.Int("budget", 0, "tokens of premise and hypothesis together (0: the model's own)")
	nearest := fs.Int("nearest", 0, "windows read for a sentence, those that share most words with it (0: all)")
	workers := fs.Int("workers", 0, "goroutines (0: one a processor)")
	only := fs.String("unit", "", "only whole outputs (whole) or only sentences (sentence)")
	best := fs.Bool("best", false, "also the balanced accuracy at the best threshold, which is chosen on the same rows and so too good")
	scores := fs.String("scores", "", "write what each model says of each sentence to this file, as JSON lines")
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if !validHalf(*half) {
		return fmt.Errorf("bench grounding: -half must be report, fit or all, not %q", *half)
	}
	checkers, err := groundingCheckers(models, builtin.Options{Workers: *workers, Budget: *budget}, nli.Options{Nearest: *nearest})
	if err != nil {
		return fmt.Errorf("bench grounding: %w", err)
	}
	switch *only {
	case "":
	case "whole", "sentence":
		checkers = slices.DeleteFunc(checkers, func(c groundingChecker) bool { return c.whole != (*only == "whole") })
	default:
		return fmt.Errorf("bench grounding: -unit must be whole or sentence, not %q", *only)
	}
	var log *scoreLog
	if *scores != "" {
		f, err := os.Create(*scores)
		if err != nil {
			return fmt.Errorf("bench grounding: -scores: %w", err)
		}
		log = &scoreLog{w: bufio.NewWriter(f), file: f}
		defer f.Close()
	}
	fmt.Fprintf(w, "Outputs against their sources; half of the documents: %s; seed %d; intervals: 95%%, bootstrap over source documents (%d samples).\n", *half, *seed, *samples)
	fmt.Fprintf(w, "Balanced accuracy in points (0-100) at the checker's fixed threshold.\n\n")
	atBest, line := "", ""
	if *best {
		atBest, line = " at the best threshold |", "---|"
	}
	fmt.Fprintf(w, "| set | rows (documents) | consistent | checker | threshold | balanced accuracy | AUROC |%s\n|---|---|---|---|---|---|---|%s\n", atBest, line)
	found := false
	var skipped []string
	began := time.Now()
	for _, set := range groundingSets {
		if *sets != "" && !slices.Contains(strings.Split(strings.ToLower(*sets), ","), strings.ToLower(set.name)) {
			continue
		}
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
		size := fmt.Sprintf("| %s | %d (%d) | %d |", set.name, len(rows), len(documents), consistent)
		for _, c := range checkers {
			points := make([]metrics.Point, len(rows))
			for i, r := range rows {
				if err := ctx.Err(); err != nil {
					return err
				}
				hypotheses := []string{r.output}
				if !c.whole {
					hypotheses = sentencesOf(r.output)
				}
				js, err := c.judge(ctx, r.context, hypotheses)
				if err != nil {
					return fmt.Errorf("bench grounding: %s, %s: %w", set.name, c.name, err)
				}
				points[i] = metrics.Point{Score: least(js), Positive: r.consistent, Group: r.context}
				if log != nil && c.model != nil {
					log.add(set.name, r, c, hypotheses, js)
				}
			}
			fmt.Fprintf(w, "%s %s | %.2f | %s | %s |", size, c.name, c.threshold,
				interval(ctx, points, *samples, *seed, 100, "%.1f", func(p []metrics.Point) (float64, bool) { return metrics.BalancedAccuracy(p, c.threshold) }),
				interval(ctx, points, *samples, *seed, 1, "%.3f", metrics.AUROC))
			if *best {
				v, at := bestBalanced(points)
				fmt.Fprintf(w, " %.1f (at %.2f) |", 100*v, at)
			}
			fmt.Fprintln(w)
		}
		if p, ok := publishedGrounding[set.name]; ok {
			for i, name := range []string{"HHEM, published", "HHEM with GraphEval, published"} {
				fmt.Fprintf(w, "| %s | whole set | | %s | 0.50 | %.1f | |%s\n", set.name, name, p[i], strings.Repeat(" |", len(line)/4))
			}
		}
	}
	for _, line := range skipped {
		fmt.Fprintf(w, "\n%s\n", line)
	}
	if !found {
		return fmt.Errorf("bench grounding: %w: set KGEVAL_DATA to the folder that holds grounding/", ErrNoData)
	}
	said := map[nli.Model]bool{}
	for _, c := range checkers {
		if n, ok := nlimodel.Work(c.model); ok && !said[c.model] {
			said[c.model] = true
			fmt.Fprintf(w, "\n%s read %d windows for as many pairs of window and hypothesis, %d tokens.\n", c.model.ID(), n.Windows, n.Tokens)
		}
	}
	if log != nil {
		if err := log.close(); err != nil {
			return fmt.Errorf("bench grounding: -scores: %w", err)
		}
		fmt.Fprintf(w, "\nScores of single hypotheses are in %s. The run took %.0f s.\n", *scores, time.Since(began).Seconds())
	}
	return nil
}

// scoreLog writes what models say of single hypotheses.
type scoreLog struct {
	w    *bufio.Writer
	file *os.File
	err  error
}

// scoreRow is a line of it.
type scoreRow struct {
	Set      string `json:"set"`
	ID       string `json:"id"`
	Document string `json:"document"` // a hash of the source
	Half     string `json:"half"`
	Label    string `json:"label"` // of the whole output
	Model    string `json:"model"`
	Sentence int    `json:"sentence"` // from 0; -1: the whole output
	Text     string `json:"text"`
	// Entailment and Contradiction are the greatest over the windows.
	Entailment    float64 `json:"entailment"`
	Contradiction float64 `json:"contradiction"`
	Windows       int     `json:"windows"`
	// Supporting is the place in the source of the window that entails most.
	Supporting [2]int `json:"supporting"`
	Error      string `json:"error,omitempty"`
}

func (l *scoreLog) add(set string, r groundingRow, c groundingChecker, hypotheses []string, js []nli.Judgment) {
	h := fnv.New64a()
	h.Write([]byte(r.context))
	row := scoreRow{Set: set, ID: r.id, Document: fmt.Sprintf("%016x", h.Sum64()), Half: "report", Label: "inconsistent", Model: c.model.ID()}
	if inHalf("fit", r.context) {
		row.Half = "fit"
	}
	if r.consistent {
		row.Label = "consistent"
	}
	for i, j := range js {
		if row.Sentence = i; c.whole {
			row.Sentence = -1
		}
		row.Text, row.Windows = hypotheses[i], j.Windows
		row.Entailment, row.Contradiction = j.Support, j.Contradiction
		row.Supporting = [2]int{j.Supporting.Start, j.Supporting.End}
		if row.Error = ""; j.Err != nil {
			row.Error = j.Err.Error()
		}
		b, err := json.Marshal(row)
		if l.err == nil {
			l.err = err
		}
		l.w.Write(append(b, '\n'))
	}
}

func (l *scoreLog) close() error { return errors.Join(l.err, l.w.Flush(), l.file.Close()) }

// bestBalanced returns the greatest balanced accuracy of any threshold, and the
// lowest such threshold.
func bestBalanced(points []metrics.Point) (value, threshold float64) {
	for _, p := range points {
		if v, ok := metrics.BalancedAccuracy(points, p.Score); ok && (v > value || v == value && p.Score < threshold) {
			value, threshold = v, p.Score
		}
	}
	return value, threshold
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
		row := groundingRow{context: r.Article, consistent: true, id: rowID(name, len(out))}
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
		out = append(out, groundingRow{r.Context, r.Output, r.Label == "consistent", rowID(name, len(out))})
	})
	return out, err
}

// rowID names the row that stands behind n others in a file.
func rowID(name string, n int) string {
	return fmt.Sprintf("%s:%d", strings.TrimSuffix(path.Base(name), ".jsonl"), n+1)
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
