package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kgeval/kgeval/calibrate"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/bench"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/nlimodel"
	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/builtin"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/embed/ollama"
	embedopenai "github.com/kgeval/kgeval/embed/openai"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/llmkg"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/cache"
	"github.com/kgeval/kgeval/llm/cache/boltcache"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/llmjudge"
)

// embedKey is the environment variable of the key of an embedder behind HTTP.
const embedKey = "KGEVAL_EMBED_KEY"

func (a *app) calibrateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Find the thresholds of a model on labelled pairs",
		Long: `Calibrate finds the numbers at which a model is to be run, and writes them to a
file that names the model: from which cosine on an embedder's texts are the same
thing (embed), and from which probability on an entailment model's outputs are
inconsistent (nli, and check for answers that people labelled). kgeval check, correct and compare read such files with
--calibration, and refuse one that was measured for another model.`,
		Args: noArgs("see kgeval calibrate embed, nli and check"),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	parts := []*cobra.Command{a.calibrateEmbedCommand(), a.calibrateNLICommand(), a.calibrateCheckCommand()}
	for _, c := range parts {
		c.Flags().SortFlags = false
	}
	cmd.AddCommand(parts...)
	return cmd
}

// rowFlags say on which rows to calibrate, and where the file goes.
type rowFlags struct {
	pairs, out, cache string
	limit             int
	seed              uint64
}

func (r *rowFlags) register(cmd *cobra.Command, limit int, of string) {
	f := cmd.Flags()
	f.StringVar(&r.pairs, "pairs", "", "your own labelled rows, `FILE` of JSON lines (- for standard input; default: the data sets in the folder of KGEVAL_DATA)")
	f.IntVar(&r.limit, "limit", limit, "use at most `N` "+of+", drawn by --seed (0: all)")
	f.Uint64Var(&r.seed, "seed", 1, "`SEED` of what is drawn of the data sets")
	f.StringVar(&r.cache, "cache", "", "keep what a model behind HTTP says in this `FILE`, so that it is asked once")
	f.StringVar(&r.out, "out", "", "write the thresholds to this `FILE` (default: standard output)")
}

func (r *rowFlags) check() error {
	if r.limit < 0 {
		return errors.New("--limit must not be negative")
	}
	return nil
}

// store opens the file of --cache, or returns nil without it.
func (r *rowFlags) store(ctx context.Context) (*boltcache.Store, error) {
	if r.cache == "" {
		return nil, nil
	}
	s, err := boltcache.Open(ctx, r.cache, boltcache.Options{})
	if err != nil {
		return nil, fmt.Errorf("--cache: %w", err)
	}
	return s, nil
}

// write writes the file where --out says.
func (a *app) writeCalibration(f calibrate.File, out string) error {
	if out == "" {
		return f.Write(a.stdout)
	}
	if err := f.Save(out); err != nil {
		return fmt.Errorf("--out: %w", plainError{err})
	}
	fmt.Fprintf(a.stderr, "wrote %s\n", out)
	return nil
}

// pairsFile opens the file of --pairs.
func (a *app) pairsFile(name string) (*strings.Reader, error) {
	s, err := a.read("--pairs", name)
	return strings.NewReader(s), err
}

// embedderFlags name an embedder.
type embedderFlags struct {
	name, url, model, prefix string
	dimensions               int
}

func (e *embedderFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&e.name, "embedder", "builtin", "the `EMBEDDER`: builtin, hashed, openai (any OpenAI-compatible endpoint) or ollama")
	f.StringVar(&e.url, "url", "", "base `URL` of the embedder behind HTTP, such as http://localhost:8080/v1; its key is read from "+embedKey)
	f.StringVar(&e.model, "embedding-model", "", "the `NAME` of the model at --url")
	f.StringVar(&e.prefix, "prefix", "", "`TEXT` before each text, for models that want one")
	f.IntVar(&e.dimensions, "dimensions", 0, "ask for vectors of `N` dimensions, where the model can (0: its own)")
}

// open returns the embedder, and what closes its connections.
func (e *embedderFlags) open() (embed.Embedder, func(), error) {
	remote := e.url != "" || e.model != "" || e.prefix != "" || e.dimensions != 0
	switch e.name {
	case "builtin", "hashed":
		if remote {
			return nil, nil, fmt.Errorf("--url, --embedding-model, --prefix and --dimensions are for --embedder openai or ollama, not %s", e.name)
		}
		if e.name == "hashed" {
			return hashed.New(), func() {}, nil
		}
		return builtin.New(builtin.Options{}), func() {}, nil
	case "openai":
		c, err := embedopenai.New(embedopenai.Config{BaseURL: e.url, Model: e.model, Key: os.Getenv(embedKey), Prefix: e.prefix, Dimensions: e.dimensions})
		if err != nil {
			return nil, nil, plainError{err}
		}
		return c, c.Close, nil
	case "ollama":
		c, err := ollama.New(ollama.Config{BaseURL: e.url, Model: e.model, Key: os.Getenv(embedKey), Prefix: e.prefix, Dimensions: e.dimensions})
		if err != nil {
			return nil, nil, plainError{err}
		}
		return c, c.Close, nil
	}
	return nil, nil, fmt.Errorf("--embedder must be builtin, hashed, openai or ollama, not %q", e.name)
}

func (a *app) calibrateEmbedCommand() *cobra.Command {
	var from rowFlags
	var which embedderFlags
	var rate float64
	cmd := &cobra.Command{
		Use:   "embed",
		Short: "Find from which cosine on an embedder's texts are the same thing",
		Long: `Embed finds, for names, relations and facts, the least cosine in hundredths at
which at most a share of the different pairs match, and writes it with the shares
of both kinds of pairs that pass. At least 20 same and 100 different pairs of a
unit are needed. Rows of your own look so:

  {"a": "M. Curie", "b": "Marie Curie", "same": true, "unit": "entity", "group": "text 1"}

unit is entity, relation or triple; group, which may be left out, names the text
that a pair is from: the held-out shares are measured on the half of the texts
that a threshold was not found on.`,
		Example: `  kgeval calibrate embed --embedder hashed --out hashed.json
  kgeval calibrate embed --embedder ollama --embedding-model nomic-embed-text:v1.5 --pairs mine.jsonl --out nomic.json`,
		Args: noArgs("name the file with --pairs"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			if err := from.check(); err != nil {
				return err
			}
			e, done, err := which.open()
			if err != nil {
				return err
			}
			defer done()
			store, err := from.store(ctx)
			if err != nil {
				return err
			}
			if store != nil {
				e = embed.Stored(e, store, embed.StoredOptions{})
			}
			pairs, data, err := a.matchPairs(from)
			if err != nil {
				return err
			}
			f, err := calibrate.EmbedModel(ctx, e, pairs, calibrate.EmbedOptions{FalseMatches: rate, Data: data})
			if err != nil {
				return plainError{err}
			}
			for _, unit := range []calibrate.Unit{calibrate.Entity, calibrate.Relation, calibrate.Triple} {
				if m, ok := f.Matches[unit]; ok {
					fmt.Fprintf(a.stderr, "%-9s cosine %.2f: %.1f%% of %d same pairs and %.1f%% of %d different ones match (on held-out texts %.1f%%, %.1f%%); AUROC %.3f\n",
						unit, m.Cosine, 100*m.Found, m.Same, 100*m.False, m.Different, 100*m.HeldFound, 100*m.HeldFalse, m.AUROC)
				}
			}
			return a.writeCalibration(f, from.out)
		},
	}
	which.register(cmd)
	cmd.Flags().Float64Var(&rate, "false-matches", 0.01, "the `SHARE` of different pairs that may match")
	from.register(cmd, 4000, "pairs of each unit and label of the data sets")
	return cmd
}

func (a *app) matchPairs(from rowFlags) (pairs []calibrate.Pair, data string, err error) {
	if from.pairs != "" {
		r, err := a.pairsFile(from.pairs)
		if err == nil {
			pairs, err = calibrate.ReadPairs(r)
		}
		if err != nil {
			return nil, "", plainError{err}
		}
		return pairs, from.pairs, nil
	}
	pairs, err = bench.MatchPairs(bench.DataDir(), from.limit, from.seed)
	return pairs, fmt.Sprintf("labels and facts of EDC and CaRB, variants of one text against others, at most %d of each unit and label, seed %d", from.limit, from.seed), err
}

func (a *app) calibrateNLICommand() *cobra.Command {
	var from rowFlags
	var model llmFlags
	var name, method string
	var judge bool
	var jobs int
	cmd := &cobra.Command{
		Use:   "nli",
		Short: "Find from which probability on a model's outputs are inconsistent",
		Long: `Nli checks labelled outputs with the model and fits how the claims' probabilities
become an output's verdict, at the balanced point and at the one of few false
alarms. Check later with the same --method and --llm. At least 20 outputs of each label are
needed. Rows of your own look so:

  {"context": "…", "output": "…", "label": "consistent", "set": "mine"}
  {"premise": "…", "hypothesis": "…", "label": "entailment"}

label is consistent or inconsistent, or entailment, neutral or contradiction;
sets, which may be left out, weigh alike.`,
		Example: `  kgeval calibrate nli --model lexical --out lexical.json
  kgeval calibrate nli --llm http://localhost:8080/v1 --llm-model local --llm-judge --pairs mine.jsonl --out judge.json`,
		Args: noArgs("name the file with --pairs"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			if err := from.check(); err != nil {
				return err
			}
			o, err := calibrationOptions(method)
			if err != nil {
				return err
			}
			parts, err := a.parts.load()
			if err != nil {
				return err
			}
			o.Extractor, o.Answerer, o.Embedder = parts.Extractor, parts.Answerer, parts.Embedder
			if err := a.toCalibrate(ctx, &o, name, model, judge, from, jobs); err != nil {
				return err
			}
			outputs, data, err := a.labelledOutputs(from)
			if err != nil {
				return err
			}
			f, err := calibrate.NLIModel(ctx, o, outputs, calibrate.VerdictOptions{Data: data, Concurrency: jobs})
			if err != nil {
				return plainError{err}
			}
			v := f.Verdicts
			fmt.Fprintf(a.stderr, "%d consistent and %d inconsistent outputs, %d not judged; AUROC %.3f; on held-out texts balanced accuracy %.1f%%, false alarms at the point of few %.1f%%\n",
				v.Consistent, v.Inconsistent, v.Unjudged, v.AUROC, 100*v.HeldAccuracy, 100*v.HeldAlarms)
			return a.writeCalibration(f, from.out)
		},
	}
	cmd.Flags().StringVar(&name, "model", "", "the `MODEL`: "+nlimodel.Help+" (default: what kgeval check uses)")
	model.register(cmd, "find the facts")
	cmd.Flags().BoolVar(&judge, "llm-judge", false, "calibrate the language model of --llm as a judge of facts")
	cmd.Flags().StringVar(&method, "method", "facts", "how outputs are checked: `facts`, sentences or output")
	cmd.Flags().IntVar(&jobs, "jobs", 2, "work on `N` sources at the same time")
	from.register(cmd, 200, "outputs of each data set")
	return cmd
}

// calibrationOptions is how outputs are cut into claims.
func calibrationOptions(method string) (grapheval.Options, error) {
	switch method {
	case "facts":
		return grapheval.Options{}, nil
	case "sentences":
		return grapheval.Options{Unit: grapheval.Sentences}, nil
	case "output":
		return grapheval.Options{Unit: grapheval.Output}, nil
	}
	return grapheval.Options{}, fmt.Errorf("--method must be facts, sentences or output, not %q", method)
}

// toCalibrate sets the model, and with a language model the extractor, as kgeval check
// does with the same flags.
func (a *app) toCalibrate(ctx context.Context, o *grapheval.Options, name string, model llmFlags, judge bool, from rowFlags, jobs int) error {
	m, err := model.open()
	switch {
	case err != nil:
		return err
	case m == nil && judge:
		return errors.New("--llm-judge needs a language model: say where with --llm URL and --llm-model NAME")
	case judge && name != "":
		return errors.New("--model and --llm-judge name two models; leave one out")
	}
	if !judge {
		if o.Model, err = a.nliModel(name, jobs); err != nil {
			return err
		}
	}
	if m == nil {
		return nil
	}
	store, err := from.store(ctx)
	if err != nil {
		return err
	}
	if store != nil {
		m = cache.New(m, store, cache.Options{Keep: func(llm.Response) bool { return true }})
	}
	if o.Extractor, err = llmkg.New(m, llmkg.Options{}); err != nil {
		return plainError{err}
	}
	if judge {
		if o.Model, err = llmjudge.New(m, llmjudge.Options{}); err != nil {
			return plainError{err}
		}
	}
	return nil
}

func (a *app) labelledOutputs(from rowFlags) (outputs []calibrate.Output, data string, err error) {
	if from.pairs != "" {
		r, err := a.pairsFile(from.pairs)
		if err == nil {
			outputs, err = calibrate.ReadOutputs(r)
		}
		if err != nil {
			return nil, "", plainError{err}
		}
		return outputs, from.pairs, nil
	}
	outputs, sets, err := bench.LabelledOutputs(bench.DataDir(), from.limit, from.seed)
	return outputs, fmt.Sprintf("%s: the half of the documents that is for fitting, at most %d outputs of each set, seed %d", strings.Join(sets, ", "), from.limit, from.seed), err
}

// thresholds is the file that --calibration names.
type thresholds struct {
	name string
	file *calibrate.File
}

// register gives a command the flag, and reads the file before it runs.
func (c *thresholds) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.name, "calibration", "", "run the model at the thresholds in this `FILE`, which kgeval calibrate wrote for it")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if c.name != "" {
			f, err := calibrate.Load(c.name)
			if err != nil {
				return fmt.Errorf("--calibration: %w", plainError{err})
			}
			c.file = &f
		}
		return run(cmd, args)
	}
}

// settings is the part of a journal's settings that tells the thresholds; it is empty
// without --calibration.
func (c *thresholds) settings() string {
	switch {
	case c.file == nil:
		return ""
	case c.file.Verdicts != nil:
		return fmt.Sprintf(" calibration=%s %+v", c.file.Model, *c.file.Verdicts)
	}
	return fmt.Sprintf(" calibration=%s %+v", c.file.Model, c.file.Thresholds())
}

// checking applies the file to the options of a checker; model and extractor are
// those where the options name none.
func (c *thresholds) checking(o grapheval.Options, model nli.Model, extractor kg.Extractor) (grapheval.Options, error) {
	if c.file == nil {
		return o, nil
	}
	if o.Unit == grapheval.TriplesOnly {
		return o, errors.New("--method paper has the paper's own threshold; leave out --calibration")
	}
	if o.Model == nil {
		o.Model = model
	}
	if o.Extractor == nil {
		o.Extractor = extractor
	}
	o, err := c.file.Options(o)
	if err != nil {
		return o, fmt.Errorf("--calibration %s: %w", c.name, plainError{err})
	}
	return o, nil
}

// matching applies the file to an embedder.
func (c *thresholds) matching(e embed.Embedder) (embed.Embedder, error) {
	if c.file == nil {
		return e, nil
	}
	t, err := c.file.Embedder(e)
	if err != nil {
		return nil, fmt.Errorf("--calibration %s: %w", c.name, plainError{err})
	}
	return t, nil
}
