package llmjudge

import (
	"context"
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/prompt"
	"github.com/kgeval/kgeval/nli"
)

const (
	// topTokens is how many of the likeliest tokens are asked for.
	topTokens = 20
	// minMass is the probability that yes and no must have together.
	minMass = 0.05
)

// byTokens judges a pair by the probabilities of yes and no.
func (m *Model) byTokens(ctx context.Context, p nli.Pair) nli.Probs {
	e, err := m.yes(ctx, m.opts.Entails, p)
	if err != nil {
		return nli.Probs{Err: err}
	}
	d := 0.0
	if e < 0.5 {
		if d, err = m.yes(ctx, m.opts.Denies, p); err != nil {
			return nli.Probs{Err: err}
		}
	}
	c := (1 - e) * d
	return nli.Probs{Entailment: e, Contradiction: c, Neutral: max(0, 1-e-c)}
}

// yes returns P(yes) in [0,1] of a question.
func (m *Model) yes(ctx context.Context, q prompt.Prompt, p nli.Pair) (float64, error) {
	messages, err := q.Messages(pair(p.Premise, p.Hypothesis))
	if err != nil {
		return 0, fmt.Errorf("llmjudge: %w", err)
	}
	r, err := m.model.Generate(ctx, llm.Request{Messages: messages, Temperature: new(0.0), MaxTokens: 4, LogProbs: topTokens})
	if err = llm.ContextError(ctx, err); err != nil {
		return 0, fmt.Errorf("llmjudge: %s: %w", m.model.ID(), err)
	}
	if r.Stop == llm.StopRefused {
		return 0, fmt.Errorf("llmjudge: %s: %w", m.model.ID(), r.Complete())
	}
	if len(r.LogProbs) == 0 {
		m.blind.Store(true)
		return 0, ErrNoLogProbs
	}
	return yesOf(r.LogProbs)
}

// yesOf returns the share of yes at the first token that says anything.
func yesOf(tokens []llm.TokenLogProbs) (float64, error) {
	for _, t := range tokens {
		if word(t.Token) == "" {
			continue // a blank, a quote, a mark
		}
		top := t.Top
		if len(top) == 0 {
			top = []llm.TokenProb{t.TokenProb}
		}
		yes, no := 0.0, 0.0
		for _, c := range top {
			p := math.Exp(min(c.LogProb, 0))
			switch word(c.Token) {
			case "yes":
				yes += p
			case "no":
				no += p
			}
		}
		mass := yes + no
		if math.IsNaN(mass) || mass < minMass {
			return 0, fmt.Errorf("%w: it begins %q", ErrNeither, t.Token)
		}
		return min(1, yes/mass), nil
	}
	return 0, fmt.Errorf("%w: it has no word", ErrNeither)
}

// word is a token as a word: in small letters, without the blanks and marks that
// tokenizers put around it.
func word(token string) string {
	return strings.ToLower(strings.TrimFunc(token, func(r rune) bool { return !unicode.IsLetter(r) || r == 'Ġ' || r == 'Ċ' }))
}

func blank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r)
	}) < 0
}
