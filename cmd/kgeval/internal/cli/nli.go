package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kgeval/kgeval/cmd/kgeval/internal/jsonl"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/nlimodel"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/builtin"
)

var nliFormat = format{"kgeval.nli", 1}

// nliRow is an output row of kgeval nli; docs/rows.md describes it.
type nliRow struct {
	jsonl.Head
	Entailment    *float64 `json:"entailment"`
	Neutral       *float64 `json:"neutral"`
	Contradiction *float64 `json:"contradiction"`
	Error         *string  `json:"error"`
}

func failedNLI(h jsonl.Head, err error) any {
	msg := oneLine(err.Error())
	return nliRow{Head: h, Error: &msg}
}

func (a *app) nliCommand() *cobra.Command {
	var many batchFlags
	var name string
	cmd := &cobra.Command{
		Use:   "nli --jsonl FILE",
		Short: "Does a premise entail a hypothesis, contradict it, or neither?",
		Long: `Nli judges the hypothesis of each row {"id": …, "premise": …, "hypothesis": …} by
its premise alone: {"id": …, "entailment": p, "neutral": p, "contradiction": p},
three probabilities that sum to 1. A premise of any length is read: a network
takes it in windows of whole sentences, and the greatest P(entailment) of any
counts. A hypothesis is never cut; one that is longer than a window, an empty
text or one in a language that the model does not know gives an error row.

` + exitHelp,
		Example: `  kgeval nli --jsonl pairs.jsonl --out verdicts.jsonl
  kgeval nli --jsonl pairs.jsonl --model lexical`,
		Args: noArgs("name the file with --jsonl"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := many.check(cmd, args); err != nil {
				return err
			}
			if many.jsonl == "" {
				return errors.New("say which pairs: --jsonl FILE")
			}
			model, err := a.nliModel(name, many.jobs)
			if err != nil {
				return err
			}
			err = a.run(cmd.Context(), many, batch{
				format:   nliFormat,
				settings: "nli " + model.ID(),
				row: func(ctx context.Context, h jsonl.Head, line []byte) (any, error) {
					return judgePair(ctx, model, h, line)
				},
				failed: failedNLI,
				judge:  judgeError,
			})
			if n, ok := nlimodel.Work(model); ok && !many.quiet {
				fmt.Fprintf(a.stderr, "%s: %s, %s read, %s\n", nliFormat.name,
					count(int(n.Pairs), "pair", "pairs"), count(int(n.Windows), "window", "windows"), count(int(n.Tokens), "token", "tokens"))
			}
			return err
		},
	}
	cmd.Flags().StringVar(&name, "model", "", "the `MODEL`: "+nlimodel.Help+" (default: what kgeval check uses)")
	many.register(cmd)
	cmd.Flags().MarkHidden("json")
	return cmd
}

// nliModel returns the named model, or that of the parts.
func (a *app) nliModel(name string, jobs int) (nli.Model, error) {
	if name == "" {
		p, err := a.parts.load()
		return p.NLI, err
	}
	o := builtin.Options{}
	if jobs > 1 {
		o.Workers = 1 // rows are worked on at the same time
	}
	m, err := nlimodel.Open(name, o)
	if err != nil {
		return nil, fmt.Errorf("--model: %w", plainError{err})
	}
	return m, nil
}

// judgePair makes the row of one pair.
func judgePair(ctx context.Context, model nli.Model, h jsonl.Head, line []byte) (any, error) {
	var row struct {
		Premise    *string `json:"premise"`
		Hypothesis *string `json:"hypothesis"`
	}
	if err := decode(line, &row); err != nil {
		return nil, err
	}
	switch {
	case row.Premise == nil:
		return nil, errors.New(`"premise" is missing`)
	case row.Hypothesis == nil:
		return nil, errors.New(`"hypothesis" is missing`)
	}
	probs, err := model.Classify(ctx, []nli.Pair{{Premise: *row.Premise, Hypothesis: *row.Hypothesis}})
	switch {
	case err != nil:
		return nil, err
	case len(probs) != 1:
		return nil, fmt.Errorf("the model gave %d results for a pair", len(probs))
	case probs[0].Err != nil:
		return nil, plainError{probs[0].Err}
	}
	p := probs[0]
	return nliRow{Head: h, Entailment: &p.Entailment, Neutral: &p.Neutral, Contradiction: &p.Contradiction}, nil
}
