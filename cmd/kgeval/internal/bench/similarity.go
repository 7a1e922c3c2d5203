package bench

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/kgeval/kgeval/embed/builtin"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/llmkg"
	"github.com/kgeval/kgeval/kg/openie"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/cassette"
	"github.com/kgeval/kgeval/llm/openai"
	"github.com/kgeval/kgeval/llm/retry"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/s3kg"
)

// Similarity measures whether scores of pairs tell those that say the same from the others.
var Similarity = Bench{
	Name:  "similarity",
	Short: "pairs of texts and graphs: AUROC of S3KG over alpha, of all evidence, and of text baselines",
	Run:   runSimilarity,
}

// similarConfig is what a run is set up with.
type similarConfig struct {
	half      string
	rows      int
	seed      uint64
	samples   int
	extractor kg.Extractor
	scorer    *s3kg.Scorer
	tokens    metrics.TokenEmbedder
	embedder  interface {
		Embed(context.Context, []string) ([][]float32, error)
		ID() string
	}
	analyzer *nlp.Analyzer
	key      string // what a record depends on beside its pair
}

// similarRecord is a line of the log: all numbers of a pair.
type similarRecord struct {
	Key   string `json:"key"`
	Set   string `json:"set"`
	ID    string `json:"id"`
	Group string `json:"group"`
	Same  bool   `json:"same"`

	Rouge     [3]float64     `json:"rouge"`
	BLEU      float64        `json:"bleu"`
	BERTScore float64        `json:"bertscore"`
	Cosine    float64        `json:"cosine"`
	AB        s3kg.Parts     `json:"ab"`
	BA        s3kg.Parts     `json:"ba"`
	Fallback  bool           `json:"fallback,omitempty"`
	Evidence  *s3kg.Evidence `json:"evidence,omitempty"` // nil where graphs are given
}

func runSimilarity(ctx context.Context, w io.Writer, dir string, args []string) error {
	flags := flag.NewFlagSet("similarity", flag.ContinueOnError)
	flags.SetOutput(w)
	sets := flags.String("sets", "", "sets to measure, with commas between (default: all that are there)")
	half := flags.String("half", "report", "sources to measure: report, fit (used for the weights of all evidence) or all")
	rows := flags.Int("rows", 400, "pairs of each class and set, drawn by the seed")
	seed := flags.Uint64("seed", 1, "seed of the rows")
	samples := flags.Int("samples", 500, "bootstrap samples of sources for the intervals; 0 leaves them out")
	logged := flags.String("log", "", "file that keeps each pair's numbers, so that an interrupted run goes on where it was")
	table := flags.String("csv", "", "file to write the tables to, as CSV")
	url := flags.String("llm", "", "base URL of an OpenAI-compatible server that extracts the graphs; the key is read from KGEVAL_LLM_KEY")
	model := flags.String("model", "local", "name of the model there")
	tape := flags.String("cassette", "", "file of replies of a language model: recorded with --llm, replayed without")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if *rows < 1 || !validHalf(*half) {
		return errors.New("bench similarity: --rows must be at least 1, and --half report, fit or all")
	}
	var chosen []similarSet
	for _, s := range similarSets {
		if *sets == "" || slices.Contains(strings.Split(*sets, ","), s.name) {
			chosen = append(chosen, s)
		}
	}
	if want := strings.Split(*sets, ","); *sets != "" && len(chosen) != len(want) {
		return fmt.Errorf("bench similarity: --sets %s: the sets are %s", *sets, similarNames())
	}
	extractor, done, err := similarExtractor(*url, *model, *tape)
	if err != nil {
		return fmt.Errorf("bench similarity: %w", err)
	}
	c := similarConfig{half: *half, rows: *rows, seed: *seed, samples: *samples, extractor: extractor}
	if err := c.setUp(); err != nil {
		return err
	}
	log, err := openSimilarLog(*logged)
	if err != nil {
		return fmt.Errorf("bench similarity: --log: %w", err)
	}
	defer log.Close()

	fmt.Fprintf(w, "Up to %d pairs of each class and set, seed %d, half: %s; extractor %s; embedder %s. Sentence-T5 is not run: its weights are not at hand.\n", *rows, *seed, *half, extractor.ID(), c.embedder.ID())
	var out [][]string
	var absent error
	ran := 0
	for _, set := range chosen {
		records, err := c.measure(ctx, dir, set, log)
		if errors.Is(err, ErrNoData) {
			absent = err
			fmt.Fprintf(w, "\n## %s\n\nNot run: %v\n", set.title, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("bench similarity: %s: %w", set.name, err)
		}
		ran++
		out = append(out, c.report(ctx, w, set, records)...)
	}
	if ran == 0 && absent != nil {
		return absent
	}
	if err := done(); err != nil {
		return err
	}
	if *table == "" {
		return nil
	}
	return writeSimilarCSV(*table, out)
}

func similarNames() string {
	var names []string
	for _, s := range similarSets {
		names = append(names, s.name)
	}
	return strings.Join(names, ", ")
}

// similarExtractor returns the offline extractor, or one that asks a language model. done
// is to be called at the end.
func similarExtractor(url, model, tape string) (x kg.Extractor, done func() error, err error) {
	done = func() error { return nil }
	if url == "" && tape == "" {
		x, err = openie.New(openie.Options{})
		return x, done, err
	}
	var m llm.Model
	if url != "" {
		client, err := openai.New(openai.Config{BaseURL: url, Model: model, Key: os.Getenv("KGEVAL_LLM_KEY")})
		if err != nil {
			return nil, nil, err
		}
		m = retry.New(client, retry.Options{})
	}
	if tape != "" {
		mode := cassette.Replay
		if url != "" {
			mode = cassette.Extend
		}
		c, err := cassette.Open(tape, cassette.Options{Mode: mode})
		if err != nil {
			return nil, nil, err
		}
		m, done = c.Model(m), c.Close
	}
	x, err = llmkg.New(m, llmkg.Options{Seed: new(int64(1))})
	return x, done, err
}

func (c *similarConfig) setUp() error {
	var err error
	if c.analyzer, err = nlp.New(); err != nil {
		return err
	}
	e, err := embedderNamed("builtin")
	if err != nil {
		return err
	}
	c.embedder, c.tokens = e, builtin.New(builtin.Options{})
	// Structure and meaning are the same for every alpha, so that one comparison serves all.
	texts := s3kg.FittedTexts()
	c.scorer, err = s3kg.New(s3kg.Options{
		Embedder: e, Extractor: c.extractor, Normalizer: &kg.Normalizer{Lemmatizer: c.analyzer}, Texts: &texts, Tokens: c.tokens,
	})
	c.key = "similarity/2 " + e.ID() + " " + c.extractor.ID()
	return err
}

// measure returns the numbers of a set's pairs, and says on stderr how far it is.
func (c *similarConfig) measure(ctx context.Context, dir string, set similarSet, log *similarLog) ([]similarRecord, error) {
	all, err := set.read(ctx, dir, c.half, c.seed, c.analyzer)
	if err != nil {
		return nil, err
	}
	pairs := balancedPairs(slices.Values(all), c.rows, c.seed)
	out := make([]similarRecord, 0, len(pairs))
	said := time.Now()
	for i, p := range pairs {
		// The texts' sum, as a swapped name depends on the seed.
		key := fmt.Sprintf("%s %s %08x", c.key, set.name, textSum(p.a, p.b))
		r, ok := log.known[key+p.id]
		if !ok {
			if r, err = c.pair(ctx, p); err != nil {
				return nil, fmt.Errorf("pair %s: %w", p.id, err)
			}
			r.Key, r.Set, r.ID, r.Group, r.Same = key, set.name, p.id, p.group, p.same
			if err := log.add(r); err != nil {
				return nil, err
			}
		}
		out = append(out, r)
		if time.Since(said) > 5*time.Second {
			said = time.Now()
			fmt.Fprintf(os.Stderr, "%s: %d of %d pairs\n", set.name, i+1, len(pairs))
		}
	}
	return out, nil
}

func (c *similarConfig) pair(ctx context.Context, p similarPair) (similarRecord, error) {
	var r similarRecord
	texts := []metrics.TextPair{{Reference: p.a, Candidate: p.b}}
	one, two, l := metrics.ROUGE{}.All(p.a, p.b)
	r.Rouge = [3]float64{one.F1, two.F1, l.F1}
	r.BLEU = metrics.BLEU{}.Sentence(p.a, p.b)
	cosines, err := metrics.Cosines(ctx, c.embedder, texts)
	if err != nil {
		return r, err
	}
	r.Cosine = cosines[0]
	var result s3kg.Result
	if p.ga != nil {
		result, err = c.scorer.Score(ctx, p.ga, p.gb)
	} else {
		result, err = c.scorer.CompareTexts(ctx, p.a, p.b)
	}
	if err != nil {
		return r, err
	}
	r.AB, r.BA, r.Fallback, r.Evidence = result.AB, result.BA, result.Fallback, result.Evidence
	if r.Evidence != nil {
		r.BERTScore = r.Evidence.Tokens // the same number, read once
		return r, nil
	}
	bert, err := metrics.BERTScore(ctx, c.tokens, texts, nil)
	if err == nil {
		r.BERTScore = bert[0].F1
	}
	return r, err
}

// similarMethod is a row of the table.
type similarMethod struct {
	name  string
	score func(r similarRecord) float64
	texts bool // not for graphs
}

// similarMethods are the baselines, S3KG over alpha, and the blend of all evidence.
func similarMethods() []similarMethod {
	var out []similarMethod
	add := func(name string, texts bool, score func(r similarRecord) float64) {
		out = append(out, similarMethod{name, score, texts})
	}
	for n, name := range []string{"ROUGE-1", "ROUGE-2", "ROUGE-L"} {
		add(name, false, func(r similarRecord) float64 { return r.Rouge[n] })
	}
	add("BLEU", false, func(r similarRecord) float64 { return r.BLEU })
	add("BERTScore", false, func(r similarRecord) float64 { return r.BERTScore })
	add("embeddings, cosine", false, func(r similarRecord) float64 { return r.Cosine })
	for step := range 11 {
		alpha := float64(step) / 10
		add(fmt.Sprintf("S3KG, alpha %g", alpha), false, func(r similarRecord) float64 { return blended(r, alpha) })
	}
	model := s3kg.FittedTexts()
	add("**S3KG, all evidence**", true, func(r similarRecord) float64 {
		if r.Evidence == nil {
			return 0
		}
		return model.Score(*r.Evidence)
	})
	return out
}

// similarBaselines is how many of similarMethods are baselines; they come first.
const similarBaselines = 6

// blended is the F1 score of a pair for an alpha.
func blended(r similarRecord, alpha float64) float64 {
	if r.Fallback {
		return r.Cosine
	}
	cover := func(p s3kg.Parts) float64 { return (1-alpha)*p.Structure + alpha*p.Meaning }
	x, y := cover(r.AB), cover(r.BA)
	if x+y == 0 {
		return 0
	}
	return 2 * x * y / (x + y)
}

// report writes a set's table and returns its rows for the CSV file.
func (c *similarConfig) report(ctx context.Context, w io.Writer, set similarSet, records []similarRecord) [][]string {
	fallback, same, graphs := 0, 0, false
	for _, r := range records {
		if r.Fallback {
			fallback++
		}
		if r.Same {
			same++
		}
		graphs = graphs || r.Evidence == nil
	}
	fmt.Fprintf(w, "\n## %s\n\n%d pairs, %d the same", set.title, len(records), same)
	if !graphs {
		fmt.Fprintf(w, "; %d without a graph are compared as whole texts", fallback)
	}
	fmt.Fprint(w, ".\n\n| | AUROC | largest F1 | at |\n|---|---|---|---|\n")
	var out [][]string
	best, ours := 0.0, 0.0
	for i, m := range similarMethods() {
		if graphs && m.texts {
			continue
		}
		points := func(records []similarRecord) []metrics.Point {
			p := make([]metrics.Point, len(records))
			for i, r := range records {
				p[i] = metrics.Point{Score: m.score(r), Positive: r.Same}
			}
			return p
		}
		area, ok := metrics.AUROC(points(records))
		f1, at, ok2 := metrics.MaxF1(points(records))
		if !ok || !ok2 {
			fmt.Fprintf(w, "| %s | one class only | | |\n", m.name)
			continue
		}
		if i < similarBaselines {
			best = max(best, area)
		} else {
			ours = max(ours, area)
		}
		interval := ""
		if c.samples > 0 {
			x, err := metrics.Bootstrap(ctx, records, func(r similarRecord) string { return r.Group },
				metrics.Resampling{Samples: c.samples, Seed: c.seed}, func(sample []similarRecord) (float64, bool) { return metrics.AUROC(points(sample)) })
			if err == nil {
				interval = fmt.Sprintf(" (%.3f to %.3f)", x.Low, x.High)
			}
		}
		fmt.Fprintf(w, "| %s | %.3f%s | %.3f | %.2f |\n", m.name, area, interval, f1, at)
		out = append(out, []string{set.name, strings.Trim(m.name, "*"), fmt.Sprint(len(records)), fmt.Sprintf("%.4f", area), strings.Trim(interval, " ()"), fmt.Sprintf("%.4f", f1), fmt.Sprintf("%.4f", at)})
	}
	word := "ahead of"
	if ours <= best {
		word = "not ahead of"
	}
	fmt.Fprintf(w, "\nThe best row of S3KG, %.3f, is %s the best baseline, %.3f.\n", ours, word, best)
	return out
}

func writeSimilarCSV(path string, rows [][]string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	if err := w.WriteAll(append([][]string{{"set", "method", "pairs", "auroc", "auroc 95%", "max f1", "threshold"}}, rows...)); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// similarLog keeps the numbers of pairs in a file.
type similarLog struct {
	file  *os.File // nil without one
	known map[string]similarRecord
}

// openSimilarLog reads the log at path, "" for none. A last line that was cut is left out.
func openSimilarLog(path string) (*similarLog, error) {
	l := &similarLog{known: map[string]similarRecord{}}
	if path == "" {
		return l, nil
	}
	var err error
	if l.file, err = os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644); err != nil {
		return nil, err
	}
	end := int64(0)
	r := bufio.NewReader(l.file)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // with what was cut, if anything
		}
		var rec similarRecord
		if err == nil {
			err = json.Unmarshal(line, &rec)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s:%d: %w", path, n, err), l.file.Close())
		}
		l.known[rec.Key+rec.ID] = rec
		end += int64(len(line))
	}
	if err := l.file.Truncate(end); err != nil {
		return nil, errors.Join(err, l.file.Close())
	}
	_, err = l.file.Seek(end, io.SeekStart)
	return l, err
}

func (l *similarLog) add(r similarRecord) error {
	if l.file == nil {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = l.file.Write(append(line, '\n'))
	return err
}

// Close closes the file.
func (l *similarLog) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
