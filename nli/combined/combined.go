// Package combined judges entailment by a trained model and by exact coverage
// together. A trained model reads meaning and misses details: a number, a name
// or a small word put elsewhere. Words counted one by one (nli/lexical) miss
// meaning and no detail. Each is right where the other is not, and how much to
// trust which depends on how much of the hypothesis is copied; the weights for
// this are fitted on people's labels, with whole data sets left out in turn
// (docs/nli.md).
//
// It is a nli.Model like any other, and tells what its answer is made of.
package combined

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/lexical"
)

// Model is a trained model and the rules together. It is safe for concurrent use
// if the trained model is.
type Model struct {
	trained nli.Model
	rules   *lexical.Model
	weights Weights
}

var _ nli.Explainer = (*Model)(nil)

// ErrNoModel says that New was given no model.
var ErrNoModel = errors.New("nli/combined: a trained model and the rules are both needed")

// New combines a trained model with the rules, by the weights that were fitted
// for the built-in model. Another model's probabilities mean another thing: fit
// weights for it (Fit) and give them to With.
func New(trained nli.Model, rules *lexical.Model) (*Model, error) {
	return With(trained, rules, Fitted())
}

// With combines a trained model with the rules by weights of the caller's.
func With(trained nli.Model, rules *lexical.Model, w Weights) (*Model, error) {
	if trained == nil || rules == nil {
		return nil, ErrNoModel
	}
	if err := w.validate(); err != nil {
		return nil, err
	}
	return &Model{trained: trained, rules: rules, weights: w}, nil
}

// ID names both models and the sum of the weights.
func (m *Model) ID() string {
	return fmt.Sprintf("kgeval/combined-1(%s+%s+%s)", m.trained.ID(), m.rules.ID(), m.weights.sum())
}

// Opinion is what the two say of one pair, and what comes of it.
type Opinion struct {
	// Trained is the trained model's answer to the pair; zero where the premise
	// states the hypothesis word for word, which needs no model.
	Trained nli.Probs
	// Near is its answer with the passage alone, that the rules decide by, for
	// premise.
	Near nli.Probs
	// Rules is the answer of nli/lexical, with its evidence and reasons, and
	// Coverage what it rests on.
	Rules    nli.Explanation
	Coverage lexical.Coverage
	// Parts are the log-odds for entailment that each part gives, in a fixed
	// order; with the weights' bias they sum to those of Probs.Entailment. Empty
	// where the rules judged alone: the premise states the hypothesis word for
	// word, or the hypothesis is too long for the trained model.
	Parts []nli.Part
	Probs nli.Probs
}

// Classify judges pairs; see nli.Model. A pair's Err is that of the rules, or
// else that of the trained model. The returned error is the context's, or the
// trained model's for the whole call.
func (m *Model) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	os, err := m.Weigh(ctx, pairs)
	if err != nil {
		return nil, err
	}
	out := make([]nli.Probs, len(os))
	for i, o := range os {
		out[i] = o.Probs
	}
	return out, nil
}

// Explain judges one pair and says why: the evidence and the reasons are those
// of the rules, the parts those of Opinion.
func (m *Model) Explain(ctx context.Context, p nli.Pair) (nli.Explanation, error) {
	os, err := m.Weigh(ctx, []nli.Pair{p})
	if err != nil {
		return nli.Explanation{}, err
	}
	e := os[0].Rules
	e.Probs, e.Parts = os[0].Probs, os[0].Parts
	return e, nil
}

// Weigh judges pairs and shows what each answer is made of, one Opinion for each
// pair, in order. Errors are as of Classify, a pair's in Opinion.Probs.Err.
func (m *Model) Weigh(ctx context.Context, pairs []nli.Pair) ([]Opinion, error) {
	out := make([]Opinion, len(pairs))
	var ask []nli.Pair
	at := make([]int, len(pairs)) // of the pair's first question in ask
	for i, p := range pairs {
		c, e, err := m.rules.Cover(ctx, p)
		if err != nil {
			return nil, err
		}
		out[i].Rules, out[i].Coverage = e, c
		at[i] = -1
		if e.Probs.Err != nil || c.Verbatim {
			continue
		}
		at[i] = len(ask)
		ask = append(ask, p)
		if !e.Evidence.Empty() {
			ask = append(ask, nli.Pair{Premise: e.Evidence.Of(p.Premise), Hypothesis: p.Hypothesis})
		}
	}
	said, err := m.trained.Classify(ctx, ask)
	if err != nil {
		return nil, err
	}
	if len(said) != len(ask) {
		return nil, fmt.Errorf("nli/combined: %s gave %d answers to %d pairs", m.trained.ID(), len(said), len(ask))
	}
	for i := range out {
		o := &out[i]
		switch k := at[i]; {
		case o.Rules.Probs.Err != nil:
			o.Probs = nli.Probs{Err: o.Rules.Probs.Err}
			continue
		case k < 0:
			o.Probs = o.Rules.Probs
			continue
		default:
			o.Trained = said[k]
			o.Near = nli.Probs{Neutral: 1} // no passage: nothing bears on it
			if !o.Rules.Evidence.Empty() {
				o.Near = said[k+1]
			}
		}
		switch {
		case o.Trained.Err == nil && o.Near.Err == nil:
			m.weights.weigh(o)
		case unread(o.Trained.Err) && unread(o.Near.Err):
			o.Probs = o.Rules.Probs
		default:
			o.Probs = nli.Probs{Err: errors.Join(o.Trained.Err, o.Near.Err)}
		}
	}
	return out, nil
}

// unread reports whether a trained model could not read a pair that the rules
// can: one too long for it. They judge alone then. Everything else that it
// refuses stays unknown.
func unread(err error) bool {
	var long *nli.HypothesisTooLongError
	return err == nil || errors.As(err, &long)
}

// weigh fills in Parts and Probs.
func (w Weights) weigh(o *Opinion) {
	f := features(o)
	z := w.Bias
	o.Parts = make([]nli.Part, 0, len(names))
	for k, name := range names {
		part := w.Of[name] * f[k]
		z += part
		o.Parts = append(o.Parts, nli.Part{Name: name, Value: f[k], LogOdds: part})
	}
	e := 1 / (1 + math.Exp(-z))
	// The rest is shared as the surer of the two shares it: the trained model
	// where the rules found nothing that speaks against the hypothesis.
	share := contradictionShare(o.Trained)
	if r := contradictionShare(o.Rules.Probs); r > share && slices.ContainsFunc(o.Rules.Reasons, against) {
		share = r
	}
	o.Probs = nli.Probs{Entailment: e, Contradiction: (1 - e) * share}
	o.Probs.Neutral = 1 - o.Probs.Entailment - o.Probs.Contradiction
}

func contradictionShare(p nli.Probs) float64 {
	if p.Neutral+p.Contradiction <= 0 {
		return 0
	}
	return p.Contradiction / (p.Neutral + p.Contradiction)
}

// against reports whether a reason is more than silence.
func against(r nli.Reason) bool { return r.Kind != nli.ReasonMissing }
