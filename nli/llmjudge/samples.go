package llmjudge

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/kgeval/kgeval/internal/reply"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/prompt"
	"github.com/kgeval/kgeval/nli"
)

// votes counts the verdicts on one claim.
type votes struct{ supported, contradicted, neither int }

func (v votes) n() int { return v.supported + v.contradicted + v.neither }

// bySamples judges the pairs at the given positions, which have one premise, by
// drawing verdicts on all of them.
func (m *Model) bySamples(ctx context.Context, pairs []nli.Pair, at []int, out []nli.Probs) {
	fail := func(err error) {
		for _, i := range at {
			out[i] = nli.Probs{Err: err}
		}
	}
	var claims strings.Builder
	for k, i := range at {
		// One line each: a claim can't bring the number of another.
		fmt.Fprintf(&claims, "%d. %s\n", k+1, strings.Join(strings.Fields(pairs[i].Hypothesis), " "))
	}
	messages, err := m.opts.Verdicts.Messages(prompt.Slots{
		SlotPremise: prompt.Fenced(pairs[at[0]].Premise),
		SlotClaims:  prompt.Fenced(strings.TrimSuffix(claims.String(), "\n")),
	})
	if err != nil {
		fail(fmt.Errorf("llmjudge: %w", err))
		return
	}
	tally := make([]votes, len(at))
	var failed error
	for s := range m.opts.Samples {
		got, err := m.sample(ctx, messages, s, len(at))
		if err != nil {
			failed = err
			if errors.Is(err, llm.ErrAuth) || ctx.Err() != nil {
				fail(err)
				return
			}
			continue
		}
		for id, v := range got.Of {
			switch t := &tally[id-1]; v {
			case reply.Supported:
				t.supported++
			case reply.Contradicted:
				t.contradicted++
			default:
				t.neither++
			}
		}
	}
	for k, i := range at {
		v := tally[k]
		n := float64(v.n())
		switch {
		case 2*v.n() > m.opts.Samples:
			out[i] = nli.Probs{Entailment: float64(v.supported) / n, Contradiction: float64(v.contradicted) / n, Neutral: float64(v.neither) / n}
		case failed != nil:
			out[i] = nli.Probs{Err: fmt.Errorf("%w (%d of %d replies have one): %w", ErrNoVerdict, v.n(), m.opts.Samples, failed)}
		default:
			out[i] = nli.Probs{Err: fmt.Errorf("%w (%d of %d replies have one)", ErrNoVerdict, v.n(), m.opts.Samples)}
		}
	}
}

// sample draws one reply with verdicts on n claims.
func (m *Model) sample(ctx context.Context, messages []llm.Message, s, n int) (reply.Verdicts, error) {
	req := llm.Request{Messages: messages, Temperature: m.opts.Temperature, MaxTokens: m.opts.MaxTokens, Sample: s}
	if m.opts.Seed != nil {
		req.Seed = new(*m.opts.Seed + int64(s))
	}
	r, err := m.model.Generate(ctx, req)
	if err = llm.ContextError(ctx, err); err != nil {
		return reply.Verdicts{}, fmt.Errorf("llmjudge: %s: %w", m.model.ID(), err)
	}
	got, _, err := reply.ReadVerdicts(r, n)
	if err != nil {
		return got, fmt.Errorf("llmjudge: %s: %w", m.model.ID(), err)
	}
	return got, nil
}
