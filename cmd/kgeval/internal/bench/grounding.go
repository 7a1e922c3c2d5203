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
	"path"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/nlimodel"
	"github.com/kgeval/kgeval/segment"
)

// Grounding measures checkers of whole outputs against people's labels.
var Grounding = Bench{
	Name:  "grounding",
	Short: "consistent or not: whole outputs, sentences, the paper's rule and the default, on QAGS, SummEval, SummEdits, BEGIN and files of yours",
	Run:   runGrounding,
}

// groundingRow is one output with its source and label.
type groundingRow struct {
	context, output string
	consistent      bool
	id              string // file and line
	// sources are the context where it is several texts; otherwise nil.
	sources  []claim.Source
	question string
	// types are the kinds of what is wrong, where the set tells.
	types []string
	group string // of rows about one document, where that is not the context
}

// sample returns the row as something to check.
func (r groundingRow) sample() claim.Sample {
	s := claim.Sample{ID: r.id, Question: r.question, Sources: r.sources, Output: r.output}
	if s.Sources == nil {
		s.Sources = []claim.Source{{Text: r.context}}
	}
	return s
}

// document names what rows share that are not independent.
func (r groundingRow) document() string { return cmp.Or(r.group, r.context) }

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
	half := fs.String("half", "report", "documents to use: report (not seen by any fit), fit, all; files given with -file are used whole")
	samples := fs.Int("bootstrap", 1000, "bootstrap samples over source documents; below 0 none")
	sets := fs.String("sets", "", "only these sets, names with commas between (none: only files)")
	var o groundingOptions
	each := func(to *[]string) func(string) error {
		return func(s string) error { *to = append(*to, s); return nil }
	}
	fs.Func("model", "a model that judges, as often as wished (default: lexical, builtin and combined): "+nlimodel.Help, each(&o.models))
	fs.Func("file", "further rows, `FORMAT=PATH` as often as wished: "+groundingFormats(), each(&o.files))
	fs.StringVar(&o.methods, "methods", "", "only these ways to check, names with commas between: raw, sentences, paper, default, overlap")
	fs.StringVar(&o.llm, "llm", "", "base URL of an OpenAI-compatible server: its model judges too, and finds the triples for another line of the default; the key is read from KGEVAL_LLM_KEY")
	fs.StringVar(&o.llmModel, "llm-model", "local", "name of the model there")
	fs.StringVar(&o.journal, "journal", "", "file that keeps each row's result, so that a run goes on where the last one ended; it is made where it is not there")
	fs.BoolVar(&o.only, "table", false, "judge nothing: make the tables of what the journal holds")
	fs.DurationVar(&o.time, "for", 0, "begin no row after this time, and report what is done (0: no bound)")
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if !validHalf(*half) {
		return fmt.Errorf("bench grounding: -half must be report, fit or all, not %q", *half)
	}
	if len(o.models) == 0 {
		o.models = []string{"lexical", "builtin", "combined"}
	}
	if *samples == 0 {
		*samples = -1
	}
	all, skipped, err := groundingData(dir, *half, *sets, *limit, *seed, o.files)
	if err != nil {
		return fmt.Errorf("bench grounding: %w", err)
	}
	if len(all) == 0 {
		return fmt.Errorf("bench grounding: %w: set KGEVAL_DATA to the folder that holds grounding/, or name files with -file", ErrNoData)
	}
	ways, err := groundingWays(o)
	if err != nil {
		return fmt.Errorf("bench grounding: %w", err)
	}
	scores, left, err := o.judge(ctx, all, ways)
	if err != nil {
		return fmt.Errorf("bench grounding: %w", err)
	}
	fmt.Fprintf(w, "Outputs against their sources; half of the documents: %s; seed %d; intervals: 95%%, bootstrap over source documents (%d samples).\n", *half, *seed, max(*samples, 0))
	for _, line := range skipped {
		fmt.Fprintf(w, "%s\n", line)
	}
	if left > 0 {
		fmt.Fprintf(w, "%d of the results are not there yet; the tables leave out what is not whole.", left)
		if o.journal != "" {
			fmt.Fprintf(w, " Run the same command again: it goes on behind what is in %s.", o.journal)
		}
		fmt.Fprintln(w)
	}
	groundingReport{ctx, w, all, ways, scores, *samples, *seed}.write()
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
		Context string   `json:"context"`
		Output  string   `json:"output"`
		Label   string   `json:"label"`
		Types   []string `json:"edit_types"`
	}
	var out []groundingRow
	err := jsonRows(dir, name, func(r labelledRow) {
		out = append(out, groundingRow{context: r.Context, output: r.Output, consistent: r.Label == "consistent", id: rowID(name, len(out)), types: r.Types})
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
