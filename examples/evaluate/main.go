// Command evaluate measures how three ways of answering use their context, offline and
// in some seconds: a run that is stopped in the middle and goes on, its table, the
// difference of two models, and the answers that a human should look at first.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/dataset"
	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/s3kg"
)

//go:embed towns.jsonl
var towns string

// memory answers from what it has learned, and never reads the context: some of it is
// right, some is not. It stands for a model of your own.
type memory map[string]string

func (memory) ID() string { return "memory/1" }

func (m memory) Answer(_ context.Context, q experiment.Question) (experiment.Reply, error) {
	for part, answer := range m {
		if strings.Contains(q.Text, part) {
			return experiment.Reply{Text: answer}, nil
		}
	}
	return experiment.Reply{Text: "I don't know."}, nil
}

// Most says what an answer uses at most, so that the run can keep within a budget.
func (memory) Most(experiment.Question) llm.Usage { return llm.Usage{} }

var learned = memory{
	"mill":   "The mill in Ardle closed in 1965.",
	"bridge": "Helen Moray designed the bridge at Corran.",
	"drug":   "The drug lowered blood pressure.",
	"league": "Fyvie Rovers won the league in 2011.",
	"Garve":  "The river Garve begins at Lake Huntly.",
	"Kelso":  "Ida Kelso painted the church in Largs.",
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	folder, err := os.MkdirTemp("", "kgeval")
	if err != nil {
		log.Fatal(err)
	}
	err = evaluate(ctx, os.Stdout, folder)
	os.RemoveAll(folder)
	if err != nil {
		log.Fatal(err)
	}
}

func evaluate(ctx context.Context, w io.Writer, folder string) error {
	rows, bad, err := dataset.Collect(dataset.JSONL(dataset.Fields{})("towns.jsonl", strings.NewReader(towns)))
	if err != nil || bad != nil {
		return errors.Join(err, fmt.Errorf("rows that cannot be read: %v", bad))
	}
	items, err := experiment.Items(rows)
	if err != nil {
		return err
	}
	parts, err := kgeval.Offline()
	if err != nil {
		return err
	}
	scorer, err := parts.Scorer(s3kg.Options{})
	if err != nil {
		return err
	}
	checker, err := parts.Checker(grapheval.Options{})
	if err != nil {
		return err
	}
	one, err := experiment.NewExtractive(parts.Embedder, 1)
	if err != nil {
		return err
	}
	three, err := experiment.NewExtractive(parts.Embedder, 3)
	if err != nil {
		return err
	}
	options := experiment.Options{
		Name:  "three ways of answering",
		Items: items,
		Models: []experiment.Model{
			{Name: "one sentence", Answerer: one, Once: true},
			{Name: "three sentences", Answerer: three, Once: true},
			{Name: "memory", Answerer: learned, Once: true},
		},
		Scoring:  experiment.Scoring{Extractor: parts.Extractor, Scorer: scorer, Checker: checker},
		Settings: map[string]string{"scoring.nli": parts.NLI.ID()},
	}

	// The machine goes down in the middle.
	path := filepath.Join(folder, "towns.run.jsonl")
	first, off := context.WithCancel(ctx)
	defer off()
	options.Progress = func(p experiment.Progress) {
		if p.Done == p.Tasks/3 {
			off()
		}
	}
	if _, err := experiment.Start(first, path, options); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("the run was not stopped: %w", err)
	}
	run, err := experiment.Read(path)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Stopped with %d of %d answers scored. Going on.\n\n", run.Header.Tasks-run.Open(), run.Header.Tasks)
	options.Progress = nil
	if _, err := experiment.Start(ctx, path, options); err != nil {
		return err
	}

	if run, err = experiment.Read(path); err != nil {
		return err
	}
	summary, err := experiment.Summarize(ctx, run, metrics.Resampling{})
	if err != nil {
		return err
	}
	if err := summary.WriteMarkdown(w); err != nil {
		return err
	}

	difference, err := experiment.Compare(ctx, run, run, map[string]string{"one sentence": "memory", "memory": "one sentence"}, metrics.Resampling{})
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "\nFrom one sentence to memory:")
	for _, r := range difference.Rows {
		if r.Model == "memory" {
			fmt.Fprintf(w, "  %-12s %+.2f (%+.2f to %+.2f)  %s\n", r.Metric, r.Change.Value, r.Change.Low, r.Change.High, r.Direction)
		}
	}

	fmt.Fprintln(w, "\nTo be looked at first:")
	scored := slices.DeleteFunc(slices.Clone(run.Records), func(r experiment.Record) bool { return r.Score == nil })
	slices.SortStableFunc(scored, func(a, b experiment.Record) int {
		return cmp.Compare(experiment.NeedOf(*b.Score.Check).Value, experiment.NeedOf(*a.Score.Check).Value)
	})
	for _, r := range scored[:3] {
		need := experiment.NeedOf(*r.Score.Check)
		fmt.Fprintf(w, "  %s, %s (%.2f): %s\n", r.Item, r.Model, need.Value, strings.Join(need.Reasons, "; "))
	}
	return nil
}
