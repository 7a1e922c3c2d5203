package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/llmkg"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/openai"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/segment"
)

// LLMLeak measures how far extraction of gold, answer and context in one request
// pulls the answer's triples towards the gold's.
var LLMLeak = Bench{
	Name:  "llm-leak",
	Short: "kg/llmkg on SummEdits with a language model: one text a request against gold, answer and context in one",
	Run:   runLLMLeak,
}

// LLMCorrect measures the correctors with a language model.
var LLMCorrect = Bench{
	Name:  "llm-correct",
	Short: "graphcorrect on SummEdits with a language model: two steps, the direct prompt, and the rules",
	Run:   runLLMCorrect,
}

// llmRows is what both benchmarks are run on.
type llmRows struct {
	model llm.Model
	rows  []correctRow
	about string
}

// llmFlags reads the flags of both and chooses the rows: inconsistent ones with
// their original text and a short context.
func llmFlags(name string, w io.Writer, dir string, args []string) (llmRows, error) {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(w)
	url := fs.String("llm", "", "base URL of an OpenAI-compatible server, such as http://localhost:8080/v1; the key is read from KGEVAL_LLM_KEY")
	model := fs.String("model", "local", "name of the model there")
	n := fs.Int("n", 100, "number of rows")
	longest := fs.Int("max-context", 3000, "leave out rows whose context has more bytes")
	seed := fs.Uint64("seed", 1, "seed of the choice of rows")
	half := fs.String("half", "report", "documents to use: report, fit, all")
	if err := fs.Parse(args); err != nil {
		return llmRows{}, err
	}
	if !validHalf(*half) || *n < 1 {
		return llmRows{}, fmt.Errorf("bench %s: -half must be report, fit or all, and -n at least 1", name)
	}
	var rows []correctRow
	err := jsonRows(dir, "grounding/summedits.dev.jsonl", func(r correctRow) {
		if r.Label != "consistent" && r.Original != "" && len(r.Context) <= *longest && inHalf(*half, r.Context) {
			rows = append(rows, r)
		}
	})
	if err != nil {
		return llmRows{}, err
	}
	if *url == "" {
		return llmRows{}, fmt.Errorf("bench %s: it asks a language model: say where with -llm URL", name)
	}
	m, err := openai.New(openai.Config{BaseURL: *url, Model: *model, Key: os.Getenv("KGEVAL_LLM_KEY")})
	if err != nil {
		return llmRows{}, err
	}
	rng := rand.New(rand.NewPCG(*seed, 0))
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	rows = rows[:min(*n, len(rows))]
	return llmRows{m, rows, fmt.Sprintf("SummEdits, %d inconsistent rows with a context of at most %d bytes (half: %s; seed %d)", len(rows), *longest, *half, *seed)}, nil
}

func runLLMLeak(ctx context.Context, w io.Writer, dir string, args []string) error {
	in, err := llmFlags("llm-leak", w, dir, args)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s. Words that only the answer has, and words that only the gold text has, are looked for in the answer's triples.\n\n", in.about)
	fmt.Fprintf(w, "| request | extractor | answers read | triples of an answer | answer's own words found | gold's words in the answer's triples |\n|---|---|---|---|---|---|\n")
	for _, joint := range []bool{false, true} {
		x, err := llmkg.New(in.model, llmkg.Options{Joint: joint, MaxTokens: 1500, Concurrency: 1, KeepLabels: true, Seed: new(int64(1))})
		if err != nil {
			return err
		}
		read, triples, kept, own, leaked, gold := 0, 0, 0, 0, 0, 0
		for _, r := range in.rows {
			texts := []kg.Text{{ID: "answer", Text: r.Output}}
			if joint {
				texts = []kg.Text{{ID: "gold", Text: r.Original}, {ID: "answer", Text: r.Output}, {ID: "context", Text: r.Context}}
			}
			out, err := x.Extract(ctx, texts)
			if err != nil {
				return fmt.Errorf("bench llm-leak: %w", err)
			}
			for _, e := range out {
				if e.TextID != "answer" || e.Err != nil {
					continue
				}
				read++
				triples += e.Graph().Len()
				said := make(map[string]bool)
				for _, s := range e.Statements {
					for word := range wordSet(s.Triple.Head + " " + s.Triple.Relation + " " + s.Triple.Tail) {
						said[word] = true
					}
				}
				a, g := wordSet(r.Output), wordSet(r.Original)
				for word := range a {
					if !g[word] {
						own++
						if said[word] {
							kept++
						}
					}
				}
				for word := range g {
					if !a[word] {
						gold++
						if said[word] {
							leaked++
						}
					}
				}
			}
		}
		name := "one text"
		if joint {
			name = "gold, answer and context"
		}
		fmt.Fprintf(w, "| %s | %s | %d of %d | %.1f | %s | %s |\n", name, x.ID(), read, len(in.rows), float64(triples)/float64(max(read, 1)), share(kept, own), share(leaked, gold))
	}
	return nil
}

func share(n, of int) string {
	return fmt.Sprintf("%d of %d (%.1f%%)", n, of, 100*float64(n)/float64(max(of, 1)))
}

func wordSet(text string) map[string]bool {
	m := make(map[string]bool)
	for _, s := range segment.Words(text) {
		m[strings.ToLower(s.Of(text))] = true
	}
	return m
}

func runLLMCorrect(ctx context.Context, w io.Writer, dir string, args []string) error {
	in, err := llmFlags("llm-correct", w, dir, args)
	if err != nil {
		return err
	}
	parts, err := kgeval.Offline()
	if err != nil {
		return err
	}
	checker, err := parts.Checker(grapheval.Options{})
	if err != nil {
		return err
	}
	two, err := graphcorrect.NewTwoStep(in.model, graphcorrect.TwoStepOptions{MaxTokens: 1000, Seed: new(int64(1))})
	if err != nil {
		return err
	}
	steps, err := graphcorrect.New(graphcorrect.Options{Checker: checker, Proposers: []graphcorrect.Proposer{two}, Sequential: true, Concurrency: 1})
	if err != nil {
		return err
	}
	direct, err := graphcorrect.NewDirectPrompt(in.model, graphcorrect.DirectOptions{Checker: checker, MaxTokens: 1000, Seed: new(int64(1))})
	if err != nil {
		return err
	}
	rules, err := parts.Corrector(grapheval.Options{}, graphcorrect.Options{})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s; judged by %s over triples of %s. Believed corrected: of the outputs that the checker found inconsistent, those it finds consistent afterwards. ROUGE is of the text after against the output before, over those outputs.\n\n", in.about, parts.NLI.ID(), parts.Extractor.ID())
	fmt.Fprintf(w, "| method | model | found inconsistent | changed | believed corrected | ROUGE-1 | ROUGE-2 | ROUGE-L | right text reached | failed |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, method := range []struct {
		name, model string
		correct     func(context.Context, claim.Sample) (graphcorrect.Correction, error)
	}{
		{"rules", "none", rules.Correct}, {"two steps", in.model.ID(), steps.Correct}, {"direct prompt", in.model.ID(), direct.Correct},
	} {
		var all []graphcorrect.Correction
		var one, twoGrams, long float64
		reached, failed := 0, 0
		for _, r := range in.rows {
			c, err := method.correct(ctx, claim.Sample{Sources: []claim.Source{{Text: r.Context}}, Output: r.Output})
			if err != nil {
				if ctx.Err() != nil || errors.Is(err, llm.ErrAuth) {
					return fmt.Errorf("bench llm-correct: %w", err)
				}
				failed++
			}
			all = append(all, c)
			if c.Before.Outcome == claim.Inconsistent {
				a, b, l := metrics.ROUGE{}.All(r.Output, c.Text)
				one, twoGrams, long = one+a.F1, twoGrams+b.F1, long+l.F1
			}
			if strings.Join(strings.Fields(c.Text), " ") == strings.Join(strings.Fields(r.Original), " ") {
				reached++
			}
		}
		s := graphcorrect.Summarize(all)
		mean := func(x float64) float64 { return x / float64(max(s.Inconsistent, 1)) }
		fmt.Fprintf(w, "| %s | %s | %d of %d | %d | %s | %.3f | %.3f | %.3f | %d | %d |\n", method.name, method.model, s.Inconsistent, s.Outputs, s.Changed,
			share(s.Believed, s.Inconsistent), mean(one), mean(twoGrams), mean(long), reached, failed)
	}
	return nil
}
