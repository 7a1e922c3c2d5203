package extending

import (
	"context"
	"strings"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/nli"
)

// Remote is an NLI model behind a function of yours: an HTTP call, a process, a
// binding. Score returns P(entailment), P(neutral) and P(contradiction).
type Remote struct {
	Name  string
	Score func(ctx context.Context, premise, hypothesis string) ([3]float64, error)
}

var _ kgeval.NLI = Remote{}

// ID names the model and its version.
func (r Remote) ID() string { return "remote/" + r.Name }

// Classify returns one Probs for each pair, in order.
func (r Remote) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	out := make([]nli.Probs, len(pairs))
	for i, p := range pairs {
		if err := ctx.Err(); err != nil {
			return nil, err // what stops the whole call
		}
		s, err := r.Score(ctx, strings.TrimSpace(p.Premise), p.Hypothesis)
		if err != nil {
			out[i].Err = err // this pair alone: its claim becomes unknown
			continue
		}
		out[i] = nli.Probs{Entailment: s[0], Neutral: s[1], Contradiction: s[2]}
	}
	return out, nil
}
