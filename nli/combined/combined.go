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
	windows int

	premises premises
}

var _ nli.Explainer = (*Model)(nil)

// ErrNoModel says that New was given no model.
var ErrNoModel = errors.New("nli/combined: a trained model and the rules are both needed")

// Options are choices that have a default.
type Options struct {
	// Weights say what each part counts; nil takes FittedFor the trained model.
	// Those are measured for the models of nli/builtin; another model's
	// probabilities mean another thing: fit weights for it (Fit).
	Weights *Weights
	// Windows is how many windows of a long premise the trained model reads for a
	// hypothesis, those that share most words with it; 0 means 2, a negative number
	// all. What two of them miss is in docs/results/combine.md. It matters only for
	// a model that reads windows (nli.Windower).
	Windows int
}

// New combines a trained model with the rules.
func New(trained nli.Model, rules *lexical.Model, o Options) (*Model, error) {
	if trained == nil || rules == nil {
		return nil, ErrNoModel
	}
	m := &Model{trained: trained, rules: rules, weights: FittedFor(trained.ID()), windows: o.Windows}
	if o.Weights != nil {
		m.weights = *o.Weights
	}
	if err := m.weights.validate(); err != nil {
		return nil, err
	}
	switch {
	case o.Windows == 0:
		m.windows = 2
	case o.Windows < 0:
		m.windows = 0 // nli.Options' word for all
	}
	return m, nil
}

// ID names both models and the sum of the weights.
func (m *Model) ID() string {
	return fmt.Sprintf("kgeval/combined-2(%s+%s+%s,%d)", m.trained.ID(), m.rules.ID(), m.weights.sum(), m.windows)
}

// Trained returns the model that New was given, to ask it for its own figures.
func (m *Model) Trained() nli.Model { return m.trained }

// Opinion is what the two say of one pair, and what comes of it.
type Opinion struct {
	// Trained is the trained model's answer, over the windows that it read; zero
	// where the premise states the hypothesis word for word, which needs no model.
	Trained nli.Probs
	// Rules is the answer of nli/lexical, with its evidence and reasons, and
	// Coverage what it rests on.
	Rules    nli.Explanation
	Coverage lexical.Coverage
	// Parts are the log-odds for entailment that each part gives, in a fixed
	// order; with the weights' bias they sum to those of Probs.Entailment. A last
	// one, Clash, stands there where the rules name what the premise says against
	// the hypothesis (another number, a negation, a lost "may"): no opinion
	// outvotes that, and the answer is at most as sure as the rules'. Empty
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
	var open []int // the pairs that the trained model is asked about
	for i, p := range pairs {
		c, e, err := m.rules.Cover(ctx, p)
		if err != nil {
			return nil, err
		}
		out[i].Rules, out[i].Coverage = e, c
		if e.Probs.Err == nil && !c.Verbatim {
			open = append(open, i)
		}
	}
	if err := m.askTrained(ctx, pairs, open, out); err != nil {
		return nil, err
	}
	for i := range out {
		o := &out[i]
		switch {
		case o.Rules.Probs.Err != nil:
			o.Probs = nli.Probs{Err: o.Rules.Probs.Err}
			continue
		case o.Coverage.Verbatim:
			o.Probs = o.Rules.Probs
			continue
		}
		switch {
		case o.Trained.Err == nil:
			m.weights.weigh(o)
		case unread(o.Trained.Err):
			o.Probs = o.Rules.Probs
		default:
			o.Probs = nli.Probs{Err: o.Trained.Err}
		}
	}
	return out, nil
}

// askTrained asks the trained model about the whole premises of the pairs that
// open names; pairs of one premise that follow each other are asked together.
func (m *Model) askTrained(ctx context.Context, pairs []nli.Pair, open []int, out []Opinion) error {
	for len(open) > 0 {
		premise := pairs[open[0]].Premise
		n := 0
		var hypotheses []string
		for n < len(open) && pairs[open[n]].Premise == premise {
			hypotheses = append(hypotheses, pairs[open[n]].Hypothesis)
			n++
		}
		ready, err := m.premises.get(m.trained, premise, nli.Options{Nearest: m.windows})
		if err != nil {
			return err
		}
		js, err := ready.Judge(ctx, hypotheses)
		if err != nil {
			return err
		}
		for k, j := range js {
			p := nli.Probs{Err: j.Err}
			if p.Err == nil {
				p.Entailment = j.Support
				p.Contradiction = min(j.Contradiction, 1-j.Support)
				p.Neutral = 1 - p.Entailment - p.Contradiction
			}
			out[open[k]].Trained = p
		}
		open = open[n:]
	}
	return nil
}

// unread reports whether a trained model could not read a pair that the rules
// can: one too long for it. They judge alone then. Everything else that it
// refuses stays unknown.
func unread(err error) bool {
	var long *nli.HypothesisTooLongError
	return errors.As(err, &long)
}

// Clash is the name of the part that holds an answer down to what the rules say.
const Clash = "clash"

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
	denied := slices.ContainsFunc(o.Rules.Reasons, against)
	if least := logit(o.Rules.Probs.Entailment); denied && least < z {
		o.Parts = append(o.Parts, nli.Part{Name: Clash, Value: 1, LogOdds: least - z})
		z = least
	}
	e := 1 / (1 + math.Exp(-z))
	// The rest is shared as the rules share it where they found what denies the
	// hypothesis. The trained model alone is not heard for more than half: most of
	// what it learned not to be supported is not told apart into denied and unsaid,
	// and a reader who is told "contradicted" wants to see by what.
	share := contradictionShare(o.Trained) / 2
	if denied {
		share = max(share, contradictionShare(o.Rules.Probs))
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
