package grapheval_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// verdicts of the scripted model.
var (
	yes   = nli.Probs{Entailment: 0.9, Neutral: 0.08, Contradiction: 0.02}
	no    = nli.Probs{Entailment: 0.02, Neutral: 0.08, Contradiction: 0.9}
	maybe = nli.Probs{Entailment: 0.1, Neutral: 0.8, Contradiction: 0.1}
)

// scripted is a model whose answer is a function of the pair.
type scripted struct {
	answer func(premise, hypothesis string) nli.Probs
	calls  atomic.Int64
	pairs  atomic.Int64
}

func (m *scripted) ID() string { return "scripted@1" }

func (m *scripted) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.calls.Add(1)
	m.pairs.Add(int64(len(pairs)))
	out := make([]nli.Probs, len(pairs))
	for i, p := range pairs {
		out[i] = m.answer(p.Premise, p.Hypothesis)
	}
	return out, nil
}

// lookup is a model that knows facts by their words: a premise that holds the
// hypothesis (without its full stop) entails it, one that holds "not: " and the
// hypothesis contradicts it, anything else is neutral.
func lookup() *scripted {
	return &scripted{answer: func(premise, hypothesis string) nli.Probs {
		h := strings.ToLower(strings.TrimRight(hypothesis, "."))
		p := strings.ToLower(premise)
		switch {
		case strings.Contains(p, "not: "+h):
			return no
		case strings.Contains(p, h):
			return yes
		}
		return maybe
	}}
}

// windowed is a scripted model that reads only so many words at once.
type windowed struct {
	*scripted
	budget int
}

func (m windowed) Cost(text string) int { return len(strings.Fields(text)) }
func (m windowed) Budget() int          { return m.budget }

// explaining is a scripted model that shows why.
type explaining struct {
	*scripted
	explain func(p nli.Pair) (nli.Explanation, error)
}

func (m explaining) Explain(ctx context.Context, p nli.Pair) (nli.Explanation, error) {
	if err := ctx.Err(); err != nil {
		return nli.Explanation{}, err
	}
	return m.explain(p)
}

// lying breaks the contract of nli.Model in one way.
type lying struct{ how string }

func (m lying) ID() string { return "lying@1" }

func (m lying) Classify(_ context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	out := make([]nli.Probs, len(pairs))
	for i := range out {
		switch m.how {
		case "NaN":
			out[i] = nli.Probs{Entailment: math.NaN(), Neutral: 0.5, Contradiction: 0.5}
		case "infinite":
			out[i] = nli.Probs{Entailment: math.Inf(1)}
		case "negative":
			out[i] = nli.Probs{Entailment: 1.5, Neutral: -0.5}
		case "sum":
			out[i] = nli.Probs{Entailment: 0.9, Neutral: 0.9, Contradiction: 0.9}
		case "zero":
		default:
			out[i] = yes
		}
	}
	switch m.how {
	case "too few":
		return out[:len(out)-1], nil
	case "too many":
		return append(out, yes), nil
	case "none":
		return nil, nil
	}
	return out, nil
}

var errModel = errors.New("the model is out of order")

// dying works for some calls and then fails for ever.
type dying struct {
	left atomic.Int64
}

func (m *dying) ID() string { return "dying@1" }

func (m *dying) Classify(_ context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	if m.left.Add(-1) < 0 {
		return nil, errModel
	}
	out := make([]nli.Probs, len(pairs))
	for i := range out {
		out[i] = yes
	}
	return out, nil
}

// slow takes its time, and stops when the context ends.
type slow struct{ wait time.Duration }

func (m slow) ID() string { return "slow@1" }

func (m slow) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	select {
	case <-time.After(m.wait):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return make([]nli.Probs, len(pairs)), nil
}

// clauses is an extractor for tests: each sentence of the form "A | r | B"
// states a triple with its place, other sentences none.
type clauses struct {
	noSpans bool
	err     error // of the call
	textErr error // of each text
	cut     bool
}

func (x clauses) ID() string { return "clauses@1" }

func (x clauses) Extract(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if x.err != nil {
		return nil, x.err
	}
	out := make([]kg.Extraction, len(texts))
	for i, t := range texts {
		out[i] = kg.Extraction{TextID: t.ID, Err: x.textErr, Truncated: x.cut}
		for _, s := range segment.Sentences(t.Text) {
			parts := strings.Split(strings.TrimRight(s.Of(t.Text), "."), " | ")
			if len(parts) != 3 {
				continue
			}
			st := kg.Statement{
				Triple:   kg.Triple{Head: parts[0], Relation: parts[1], Tail: parts[2]},
				Claim:    strings.Join(parts, " ") + ".",
				Spans:    []segment.Span{s},
				Sentence: s,
			}
			if x.noSpans {
				st.Spans, st.Sentence = nil, segment.Span{}
			}
			out[i].Statements = append(out[i].Statements, st)
		}
	}
	return out, nil
}

// rewriting is clauses with "It" replaced by "Zed" in the claims, as an
// extractor that resolves pronouns does.
type rewriting struct{ clauses }

func (x rewriting) Extract(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	out, err := x.clauses.Extract(ctx, texts)
	for i := range out {
		for j := range out[i].Statements {
			s := &out[i].Statements[j]
			s.Triple.Head = strings.Replace(s.Triple.Head, "It", "Zed", 1)
			s.Claim = strings.Replace(s.Claim, "It ", "Zed ", 1)
		}
	}
	return out, err
}
