package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/llm/openai"
	"github.com/kgeval/kgeval/llm/prompt"
	"github.com/kgeval/kgeval/llm/retry"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/s3kg"
)

func (a *app) runCommand() *cobra.Command {
	var out, form string
	var retryFailed, restart, quiet bool
	cmd := &cobra.Command{
		Use:   "run CONFIG",
		Short: "Ask models the questions of a data set, and score their answers",
		Long: `Run does the experiment that a file in YAML or JSON describes (see
docs/experiments.md): it asks every model every question at every temperature,
scores each answer (CUS, GoldSim, CtxSim, classes of errors, verdict), and
writes all of it into a log of JSON lines. Then it prints a summary.

A run that was stopped, or killed, goes on where it was when the command is
given again: what is in the log is not asked again. A log that was begun with
another configuration is refused, and what differs is named.

Keys are read from the environment variables that the configuration names.

Exit codes:
  0    all answers are scored
  2    wrong usage, or a file that could not be read or written
  3    answers failed (see --retry-failed), or are open since the budget is
       spent or a model could not be asked
  130  interrupted; what was answered is kept`,
		Example: `  kgeval run experiment.yaml
  kgeval run experiment.yaml --out monday.run.jsonl --retry-failed
  kgeval run experiment.yaml --format csv > summary.csv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name the file that describes the run: kgeval run CONFIG")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			write, err := summaryForm(form)
			if err != nil {
				return err
			}
			c, err := a.readConfig(args[0])
			if err != nil {
				return err
			}
			if out == "" {
				out = strings.TrimSuffix(args[0], filepath.Ext(args[0])) + ".run.jsonl"
			}
			o, err := a.experiment(c, args[0], quiet)
			if err != nil {
				return err
			}
			o.RetryFailed, o.Anew = retryFailed, restart
			return a.runExperiment(cmd.Context(), out, o, quiet, write)
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "out", "", "the log, `FILE` (default: CONFIG with the ending .run.jsonl)")
	f.BoolVar(&retryFailed, "retry-failed", false, "try again what failed before")
	f.BoolVar(&restart, "restart", false, "begin the log anew: all its answers are lost")
	f.StringVar(&form, "format", "markdown", "how the summary is printed, `FORM`: markdown, csv or none")
	f.BoolVar(&quiet, "quiet", false, "no progress on standard error")
	return cmd
}

// summaryForm returns what writes a summary.
func summaryForm(name string) (func(io.Writer, experiment.Summary) error, error) {
	switch name {
	case "markdown":
		return func(w io.Writer, s experiment.Summary) error { return s.WriteMarkdown(w) }, nil
	case "csv":
		return func(w io.Writer, s experiment.Summary) error { return s.WriteCSV(w) }, nil
	case "none":
		return func(io.Writer, experiment.Summary) error { return nil }, nil
	}
	return nil, fmt.Errorf("--format must be markdown, csv or none, not %q", name)
}

// readConfig reads a configuration in YAML, of which JSON is a part.
func (a *app) readConfig(name string) (experiment.Config, error) {
	var none experiment.Config
	text, err := a.read("CONFIG", name)
	if err != nil {
		return none, err
	}
	// JSON is read as it is, so that its errors name a byte.
	b := []byte(strings.TrimPrefix(text, "\ufeff"))
	if !bytes.HasPrefix(bytes.TrimSpace(b), []byte("{")) {
		var v map[string]any
		if err := yaml.Unmarshal(b, &v); err != nil {
			return none, fmt.Errorf("%s: %s", name, strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n ", ""))
		}
		if b, err = json.Marshal(v); err != nil {
			return none, fmt.Errorf("%s: a key is not a text: %w", name, err)
		}
	}
	c, err := experiment.ParseConfig(b, filepath.Dir(name))
	if err != nil {
		return none, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// experiment makes what a configuration describes.
func (a *app) experiment(c experiment.Config, name string, quiet bool) (experiment.Options, error) {
	var o experiment.Options
	for i, m := range c.Models {
		if m.KeyEnv != "" && os.Getenv(m.KeyEnv) == "" {
			return o, fmt.Errorf("%s: models[%d].key_env: the environment variable %s is not set", name, i, m.KeyEnv)
		}
	}
	items, bad, err := c.Load()
	if err != nil {
		return o, plainError{err}
	}
	for i, row := range bad {
		if i == 5 {
			fmt.Fprintf(a.stderr, "kgeval: and %d rows more\n", len(bad)-i)
			break
		}
		fmt.Fprintf(a.stderr, "kgeval: left out: %v\n", row)
	}
	if len(items) == 0 {
		return o, fmt.Errorf("%s: there is no question in it", c.Data.Path)
	}
	o = c.Options(items)
	all, err := a.parts.load()
	if err != nil {
		return o, err
	}
	o.Scoring.Extractor = all.Extractor
	if o.Scoring.Scorer, err = a.parts.scorer(s3kg.F1); err != nil {
		return o, err
	}
	var check grapheval.Options
	switch c.Scoring.Check {
	case "paper":
		check = grapheval.Paper()
	case "sentences":
		check = grapheval.PerSentence()
	case "output":
		check = grapheval.WholeOutput()
	}
	if c.Scoring.Check != "off" {
		if o.Scoring.Checker, err = a.parts.checker(check); err != nil {
			return o, err
		}
		o.Settings["scoring.nli"] = all.NLI.ID()
	}
	for i, m := range c.Models {
		at := &o.Models[i]
		switch m.Kind {
		case experiment.KindExtractive:
			at.Answerer, err = experiment.NewExtractive(all.Embedder, m.Sentences)
		case experiment.KindOpenAI:
			var client *openai.Client
			client, err = openai.New(openai.Config{BaseURL: m.URL, Model: m.Model, Key: os.Getenv(m.KeyEnv), Timeout: m.TimeoutOf()})
			if err == nil {
				at.Answerer, err = experiment.NewLLM(retry.New(client, retry.Options{}), prompt.Prompt{}, m.MaxTokens)
			}
		}
		if err != nil {
			return o, fmt.Errorf("%s: models[%d]: %w", name, i, plainError{err})
		}
	}
	return o, nil
}

func (a *app) runExperiment(ctx context.Context, out string, o experiment.Options, quiet bool, write func(io.Writer, experiment.Summary) error) error {
	show := a.showProgress(&o, quiet)
	p, err := experiment.Start(ctx, out, o)
	show.Exit()
	var changed *experiment.ChangedError
	var model *experiment.ModelError
	var budget *experiment.BudgetError
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return err
	case errors.As(err, &changed):
		return fmt.Errorf("%s: %w; put the settings back, choose another --out, or begin anew with --restart", out, changed)
	case errors.As(err, &model), errors.As(err, &budget):
		// What was done is worth its summary.
		fmt.Fprintf(a.stderr, "kgeval: %s\n", oneLine(strings.TrimPrefix(err.Error(), "experiment: ")))
		a.code = exitUnknown
	case errors.Is(err, experiment.ErrNoRun):
		return fmt.Errorf("%w; choose another --out", plainError{err})
	default:
		return plainError{err}
	}
	if p.Failed > 0 {
		a.code = exitUnknown
		fmt.Fprintf(a.stderr, "kgeval: %s failed; --retry-failed tries them again\n", count(p.Failed, "answer", "answers"))
	}
	r, err := experiment.Read(out)
	if err != nil {
		return plainError{err}
	}
	s, err := experiment.Summarize(ctx, r, metrics.Resampling{})
	if err != nil {
		return err
	}
	return write(a.stdout, s)
}

// showProgress draws a bar on a terminal, and elsewhere says now and then where it is.
func (a *app) showProgress(o *experiment.Options, quiet bool) *progressbar.ProgressBar {
	if quiet {
		return progressbar.DefaultSilent(1)
	}
	if !a.progress {
		last := time.Now()
		o.Progress = func(p experiment.Progress) {
			if time.Since(last) > 30*time.Second {
				last = time.Now()
				fmt.Fprintf(a.stderr, "kgeval: %d of %d%s\n", p.Done+p.Failed, p.Tasks, spend(p))
			}
		}
		return progressbar.DefaultSilent(1)
	}
	bar := progressbar.NewOptions(1, progressbar.OptionSetWriter(a.stderr), progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(30), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false))
	o.Progress = func(p experiment.Progress) {
		bar.ChangeMax(p.Tasks)
		bar.Describe(strings.TrimPrefix(spend(p), ", "))
		bar.Set(p.Done + p.Failed)
	}
	return bar
}

// spend says what a run used, and how long it will take.
func spend(p experiment.Progress) string {
	var b strings.Builder
	if p.Failed > 0 {
		fmt.Fprintf(&b, ", %d failed", p.Failed)
	}
	if p.Tokens > 0 {
		fmt.Fprintf(&b, ", %d tokens", p.Tokens)
	}
	if p.Cost > 0 {
		fmt.Fprintf(&b, ", cost %.4g", p.Cost)
	}
	if p.Left > 0 {
		fmt.Fprintf(&b, ", %s left", p.Left.Round(time.Second))
	}
	return b.String()
}
