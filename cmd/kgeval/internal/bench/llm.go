package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/internal/edit"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/llmkg"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/cache"
	"github.com/kgeval/kgeval/llm/cache/boltcache"
	"github.com/kgeval/kgeval/llm/openai"
	"github.com/kgeval/kgeval/llm/retry"
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

// llmRun is what both benchmarks are run on.
type llmRun struct {
	model       llm.Model
	rows        []correctRow
	about       string
	concurrency int
	tokens      int
	until       time.Time // no row is begun later; zero: no bound
	seed        uint64
}

// llmFlags reads the flags of both and chooses the rows: inconsistent ones with
// their original text and a short context.
func llmFlags(ctx context.Context, name string, w io.Writer, dir string, args []string) (llmRun, error) {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(w)
	url := fs.String("llm", "", "base URL of an OpenAI-compatible server, such as http://localhost:8080/v1; the key is read from KGEVAL_LLM_KEY")
	model := fs.String("model", "local", "name of the model there")
	id := fs.String("id", "", "what results and the cache call the model (default: address and model); give one where the address changes from run to run")
	kept := fs.String("cache", "", "file that keeps replies, so that an interrupted run goes on where it was; it is made where it is not there")
	concurrency := fs.Int("concurrency", 1, "rows that are worked on at the same time; give the server as many slots")
	limit := fs.Duration("for", 0, "begin no row after this time, and report those that are done (0: no bound)")
	n := fs.Int("n", 100, "number of rows")
	tokens := fs.Int("max-tokens", 1500, "the longest reply, in tokens")
	longest := fs.Int("max-context", 3000, "leave out rows whose context has more bytes")
	seed := fs.Uint64("seed", 1, "seed of the choice of rows")
	half := fs.String("half", "report", "documents to use: report, fit, all")
	if err := fs.Parse(args); err != nil {
		return llmRun{}, err
	}
	if !validHalf(*half) || *n < 1 || *tokens < 1 || *concurrency < 1 || *limit < 0 {
		return llmRun{}, fmt.Errorf("bench %s: -half must be report, fit or all, -n, -max-tokens and -concurrency at least 1, -for not negative", name)
	}
	run := llmRun{concurrency: *concurrency, seed: *seed, tokens: *tokens}
	err := jsonRows(dir, "grounding/summedits.dev.jsonl", func(r correctRow) {
		if r.Label != "consistent" && r.Original != "" && len(r.Context) <= *longest && inHalf(*half, r.Context) {
			run.rows = append(run.rows, r)
		}
	})
	if err != nil {
		return llmRun{}, err
	}
	if *url == "" {
		return llmRun{}, fmt.Errorf("bench %s: it asks a language model: say where with -llm URL", name)
	}
	client, err := openai.New(openai.Config{BaseURL: *url, Model: *model, Key: os.Getenv("KGEVAL_LLM_KEY"), Name: *id})
	if err != nil {
		return llmRun{}, err
	}
	run.model = retry.New(client, retry.Options{})
	if *kept != "" {
		store, err := boltcache.Open(ctx, *kept, boltcache.Options{})
		if err != nil {
			return llmRun{}, fmt.Errorf("bench %s: -cache: %w", name, err)
		}
		// A reply that was cut is kept too: seed and temperature are set, so that
		// asking again would give it again.
		run.model = cache.New(run.model, store, cache.Options{Keep: func(llm.Response) bool { return true }})
	}
	rng := rand.New(rand.NewPCG(*seed, 0))
	rng.Shuffle(len(run.rows), func(i, j int) { run.rows[i], run.rows[j] = run.rows[j], run.rows[i] })
	run.rows = run.rows[:min(*n, len(run.rows))]
	run.about = fmt.Sprintf("SummEdits, inconsistent rows with a context of at most %d bytes and replies of at most %d tokens (half: %s; seed %d)", *longest, *tokens, *half, *seed)
	if *limit > 0 {
		run.until = time.Now().Add(*limit)
	}
	return run, nil
}

// each works on the rows, in order, and returns how many were begun before the
// time was over. An error ends it.
func (run llmRun) each(ctx context.Context, work func(ctx context.Context, i int) error) (begun int, err error) {
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range run.concurrency {
		g.Go(func() error {
			for ctx.Err() == nil && (run.until.IsZero() || time.Now().Before(run.until)) {
				i := int(next.Add(1)) - 1
				if i >= len(run.rows) {
					break
				}
				if err := work(ctx, i); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	err = g.Wait()
	return min(int(next.Load()), len(run.rows)), err
}

// leakRow is what one way to ask made of one row's answer.
type leakRow struct {
	read    bool
	triples int
	// own are the words that only the answer has, gold those that only the gold
	// text has: each is true where it stands in the answer's triples.
	own, gold []bool
}

func runLLMLeak(ctx context.Context, w io.Writer, dir string, args []string) error {
	in, err := llmFlags(ctx, "llm-leak", w, dir, args)
	if err != nil {
		return err
	}
	ways := [2]struct {
		name string
		x    *llmkg.Extractor
		rows []leakRow
	}{{name: "one text"}, {name: "gold, answer and context"}}
	for k := range ways {
		ways[k].rows = make([]leakRow, len(in.rows))
		if ways[k].x, err = llmkg.New(in.model, llmkg.Options{Joint: k == 1, MaxTokens: in.tokens, Concurrency: 1, KeepLabels: true, Seed: new(int64(1))}); err != nil {
			return err
		}
	}
	n, err := in.each(ctx, func(ctx context.Context, i int) error {
		r := in.rows[i]
		for k, texts := range [][]kg.Text{
			{{ID: "answer", Text: r.Output}},
			{{ID: "gold", Text: r.Original}, {ID: "answer", Text: r.Output}, {ID: "context", Text: r.Context}},
		} {
			out, err := ways[k].x.Extract(ctx, texts)
			if err != nil {
				return err
			}
			for _, e := range out {
				if e.TextID != "answer" {
					continue
				}
				if errors.Is(e.Err, llm.ErrAuth) || errors.Is(e.Err, llm.ErrUnavailable) {
					return e.Err // nothing was measured, and nothing will be
				}
				ways[k].rows[i] = leakOf(r, e)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("bench llm-leak: %w", err)
	}
	fmt.Fprintf(w, "%d of %d rows. %s. Words that only the answer has, and words that only the gold text has, are looked for in the answer's triples. Intervals: 95%%, bootstrap over rows.\n\n", n, len(in.rows), in.about)
	fmt.Fprintf(w, "| request | extractor | answers read | triples of an answer | answer's own words found (%%) | gold's words in the answer's triples (%%) |\n|---|---|---|---|---|---|\n")
	both := func(i int) bool { return ways[0].rows[i].read && ways[1].rows[i].read }
	for _, only := range []struct {
		name string
		take func(k, i int) bool
	}{{"", func(k, i int) bool { return ways[k].rows[i].read }}, {", of rows read both ways", func(_, i int) bool { return both(i) }}} {
		for k, way := range ways {
			read, triples := 0, 0
			var own, gold []metrics.Point
			for i, r := range way.rows[:n] {
				if !only.take(k, i) {
					continue
				}
				read++
				triples += r.triples
				own = append(own, wordPoints(r.own, i)...)
				gold = append(gold, wordPoints(r.gold, i)...)
			}
			fmt.Fprintf(w, "| %s%s | %s | %d of %d | %.1f | %s | %s |\n", way.name, only.name, way.x.ID(), read, n, float64(triples)/float64(max(read, 1)),
				in.wordShare(ctx, own), in.wordShare(ctx, gold))
		}
	}
	return nil
}

// leakOf looks for the words in which answer and gold differ in the triples.
func leakOf(r correctRow, e kg.Extraction) leakRow {
	if e.Err != nil {
		return leakRow{}
	}
	said := make(map[string]bool)
	for _, s := range e.Statements {
		maps.Copy(said, wordSet(s.Triple.Head+" "+s.Triple.Relation+" "+s.Triple.Tail))
	}
	out := leakRow{read: true, triples: e.Graph().Len()}
	a, g := wordSet(r.Output), wordSet(r.Original)
	for _, word := range slices.Sorted(maps.Keys(a)) {
		if !g[word] {
			out.own = append(out.own, said[word])
		}
	}
	for _, word := range slices.Sorted(maps.Keys(g)) {
		if !a[word] {
			out.gold = append(out.gold, said[word])
		}
	}
	return out
}

func wordPoints(found []bool, row int) []metrics.Point {
	var out []metrics.Point
	for _, f := range found {
		out = append(out, metrics.Point{Positive: f, Group: strconv.Itoa(row)})
	}
	return out
}

// wordShare is the share of the words that were found, in percent.
func (run llmRun) wordShare(ctx context.Context, words []metrics.Point) string {
	return fmt.Sprintf("%s of %d", interval(ctx, words, 1000, run.seed, 100, "%.1f", func(p []metrics.Point) (float64, bool) {
		n := 0
		for _, x := range p {
			if x.Positive {
				n++
			}
		}
		return float64(n) / float64(max(len(p), 1)), len(p) > 0
	}), len(words))
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
	in, err := llmFlags(ctx, "llm-correct", w, dir, args)
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
	two, err := graphcorrect.NewTwoStep(in.model, graphcorrect.TwoStepOptions{MaxTokens: in.tokens, Seed: new(int64(1))})
	if err != nil {
		return err
	}
	steps, err := graphcorrect.New(graphcorrect.Options{Checker: checker, Proposers: []graphcorrect.Proposer{two}, Sequential: true, Concurrency: 1})
	if err != nil {
		return err
	}
	direct, err := graphcorrect.NewDirectPrompt(in.model, graphcorrect.DirectOptions{Checker: checker, MaxTokens: in.tokens, Seed: new(int64(1))})
	if err != nil {
		return err
	}
	rules, err := parts.Corrector(grapheval.Options{}, graphcorrect.Options{})
	if err != nil {
		return err
	}
	methods := []struct {
		name, model string
		correct     func(context.Context, claim.Sample) (graphcorrect.Correction, error)
	}{
		{"rules", "none", rules.Correct}, {"two steps", in.model.ID(), steps.Correct}, {"direct prompt", in.model.ID(), direct.Correct},
	}
	got := make([][]graphcorrect.Correction, len(in.rows))
	failed := make([][]error, len(in.rows))
	n, err := in.each(ctx, func(ctx context.Context, i int) error {
		got[i], failed[i] = make([]graphcorrect.Correction, len(methods)), make([]error, len(methods))
		for k, m := range methods {
			r := in.rows[i]
			c, err := m.correct(ctx, claim.Sample{Sources: []claim.Source{{Text: r.Context}}, Output: r.Output})
			if err != nil && (ctx.Err() != nil || errors.Is(err, llm.ErrAuth) || errors.Is(err, llm.ErrUnavailable)) {
				return err
			}
			got[i][k], failed[i][k] = c, err
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("bench llm-correct: %w", err)
	}
	fmt.Fprintf(w, "%d of %d rows. %s; judged by %s over triples of %s. Believed corrected: of the outputs that the checker found inconsistent, those it finds consistent afterwards. ROUGE is of the text after against the output before, over those outputs.\n\n", n, len(in.rows), in.about, parts.NLI.ID(), parts.Extractor.ID())
	fmt.Fprintf(w, "| method | model | found inconsistent | changed | believed corrected | ROUGE-1 | ROUGE-2 | ROUGE-L | words to the right text before, after | right text reached | failed |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for k, m := range methods {
		var all []graphcorrect.Correction
		var one, twoGrams, long float64
		reached, failures, before, after := 0, 0, 0, 0
		for i, r := range in.rows[:n] {
			c := got[i][k]
			if failed[i][k] != nil {
				failures++
			}
			all = append(all, c)
			if c.Before.Outcome == claim.Inconsistent {
				a, b, l := metrics.ROUGE{}.All(r.Output, c.Text)
				one, twoGrams, long = one+a.F1, twoGrams+b.F1, long+l.F1
			}
			right := strings.Fields(r.Original)
			before += edit.Distance(strings.Fields(r.Output), right)
			d := edit.Distance(strings.Fields(c.Text), right)
			if after += d; d == 0 {
				reached++
			}
		}
		s := graphcorrect.Summarize(all)
		mean := func(x float64) float64 { return x / float64(max(s.Inconsistent, 1)) }
		each := func(x int) float64 { return float64(x) / float64(max(n, 1)) }
		fmt.Fprintf(w, "| %s | %s | %d of %d | %d | %s | %.3f | %.3f | %.3f | %.2f, %.2f | %d | %d |\n", m.name, m.model, s.Inconsistent, s.Outputs, s.Changed,
			share(s.Believed, s.Inconsistent), mean(one), mean(twoGrams), mean(long), each(before), each(after), reached, failures)
	}
	return nil
}
