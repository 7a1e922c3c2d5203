// Package llmjudge judges claims with a language model: it is an nli.Model over
// any llm.Model.
//
// Where the backend serves the log-probabilities of tokens, each pair is asked
// about with a question of yes or no, and the probability is the model's own of
// the token "yes" against "no". Elsewhere the model is asked several times for a
// verdict, and the probabilities are the shares of the verdicts.
//
// A reply counts only in the form that was asked for; a verdict word in a sentence
// is none. What can't be read is an error of its pair (nli.Probs.Err), so that its
// outcome is unknown and never support. The texts are fenced, but a model may
// still follow an instruction in a text that it is given to judge by: see
// docs/prompts.md.
package llmjudge

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/prompt"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// Version is part of a Model's ID; it changes whenever the same replies may give
// other probabilities.
const Version = "1"

// Mode says where probabilities come from.
type Mode int

// The modes.
const (
	// Auto uses the log-probabilities of tokens as long as the backend serves
	// them, and samples otherwise.
	Auto Mode = iota
	// TokenProbs uses nothing but the log-probabilities of tokens; without them
	// a pair fails with ErrNoLogProbs.
	TokenProbs
	// Sampled asks Options.Samples times for a verdict.
	Sampled
)

// Errors of a pair.
var (
	// ErrNoLogProbs: the backend does not serve log-probabilities, and the mode
	// wants them.
	ErrNoLogProbs = errors.New("llmjudge: the reply has no log-probabilities of tokens")
	// ErrNeither: the reply begins with neither yes nor no.
	ErrNeither = errors.New("llmjudge: the reply is neither yes nor no")
	// ErrNoVerdict: fewer than half of the replies have a verdict on the claim.
	ErrNoVerdict = errors.New("llmjudge: no verdict on the claim")
)

// Options are the settings of a Model. The zero value is the default.
type Options struct {
	Mode Mode
	// Entails, Denies and Verdicts replace the prompts of these names.
	Entails, Denies, Verdicts prompt.Prompt
	// Samples is how many verdicts are drawn in the mode Sampled; 0 means 5.
	Samples int
	// Temperature of the samples; nil means 0.7, or 0 if there is only one.
	Temperature *float64
	// Seed of the first sample, counted up for the others; nil leaves it to the
	// model. It is not sent for the questions of yes or no.
	Seed *int64
	// Batch is the most claims on one premise that a request for verdicts has; 0
	// means 1. With more, a verdict can depend on the claims beside it, which
	// nli.Model's contract forbids: it saves calls where the context is long,
	// and the results are comparable only with results of the same batches.
	Batch int
	// MaxTokens bounds each reply with verdicts; 0 leaves it to the model.
	MaxTokens int
	// Budget is how many bytes of premise and hypothesis one request holds; 0
	// means 24,000, about 6,000 tokens of English. See nli.Windower.
	Budget int
	// Concurrency is how many requests are made at the same time; 0 means 4. The
	// result does not depend on it.
	Concurrency int
}

// Model is the nli.Model that asks a language model. It is safe for concurrent
// use, and as deterministic as the model behind it.
type Model struct {
	model llm.Model
	opts  Options
	id    string
	// blind is set when the backend gave no log-probabilities.
	blind atomic.Bool
}

var _ nli.Windower = (*Model)(nil)

// New returns a model that asks m. It fails for a nil m, an unknown mode, and a
// prompt without name, version or its slots.
func New(m llm.Model, o Options) (*Model, error) {
	if m == nil {
		return nil, errors.New("llmjudge: the model is nil")
	}
	if o.Mode < Auto || o.Mode > Sampled {
		return nil, fmt.Errorf("llmjudge: unknown mode %d", o.Mode)
	}
	for _, p := range []struct {
		at       *prompt.Prompt
		standard func() prompt.Prompt
		slot     string
	}{{&o.Entails, Entails, SlotHypothesis}, {&o.Denies, Denies, SlotHypothesis}, {&o.Verdicts, Verdicts, SlotClaims}} {
		if p.at.Zero() {
			*p.at = p.standard()
		}
		for _, err := range []error{p.at.Check(SlotPremise, p.slot), p.at.Check(p.slot, SlotPremise)} {
			if err != nil {
				return nil, fmt.Errorf("llmjudge: %w", err)
			}
		}
	}
	if o.Samples <= 0 {
		o.Samples = 5
	}
	if o.Temperature == nil {
		o.Temperature = new(0.7)
		if o.Samples == 1 {
			o.Temperature = new(0.0)
		}
	}
	o.Batch = max(o.Batch, 1)
	if o.Budget <= 0 {
		o.Budget = 24_000
	}
	if o.Concurrency <= 0 {
		o.Concurrency = 4
	}
	x := &Model{model: m, opts: o}
	x.id = fmt.Sprintf("llmjudge/%s(%s", Version, m.ID())
	if o.Mode != Sampled {
		x.id += ", " + o.Entails.ID() + ", " + o.Denies.ID()
	}
	if o.Mode != TokenProbs {
		x.id += fmt.Sprintf(", %s, samples=%d, t=%g, batch=%d", o.Verdicts.ID(), o.Samples, *o.Temperature, o.Batch)
	}
	x.id += ")"
	return x, nil
}

// ID names the method, the model and the prompts with their versions.
func (m *Model) ID() string { return m.id }

// Cost implements nli.Windower: the length of text in bytes.
func (m *Model) Cost(text string) int { return len(text) }

// Budget implements nli.Windower: Options.Budget.
func (m *Model) Budget() int { return m.opts.Budget }

// Classify implements nli.Model. A pair without premise or hypothesis has
// nli.ErrEmptyPremise or nli.ErrEmptyHypothesis, one that is not UTF-8 a
// *segment.InvalidUTF8Error. After llm.ErrAuth the model is not asked again in
// this call.
//
// In the mode TokenProbs, with e = P(yes) of Entails and d = P(yes) of Denies, a
// pair has Entailment e, Contradiction (1-e)d and Neutral the rest; where e is at
// least one half Denies is not asked and d is 0.
func (m *Model) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("llmjudge: %w", err)
	}
	out := make([]nli.Probs, len(pairs))
	groups := m.groups(pairs, out)
	var noAuth atomic.Pointer[error]
	var g errgroup.Group
	g.SetLimit(m.opts.Concurrency)
	for _, at := range groups {
		g.Go(func() error {
			if e := noAuth.Load(); e != nil {
				for _, i := range at {
					out[i] = nli.Probs{Err: *e}
				}
				return nil
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			m.group(ctx, pairs, at, out)
			for _, i := range at {
				if err := out[i].Err; errors.Is(err, llm.ErrAuth) {
					noAuth.CompareAndSwap(nil, &err)
				}
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("llmjudge: %w", err)
	}
	return out, nil
}

// groups returns the positions of pairs that are asked about together, which have
// one premise. Pairs that can't be asked get their error.
func (m *Model) groups(pairs []nli.Pair, out []nli.Probs) [][]int {
	var groups [][]int
	open := make(map[string]int) // premise to the last group with it
	for i, p := range pairs {
		switch bad := segment.CheckUTF8(p.Premise + p.Hypothesis); {
		case bad != nil:
			out[i].Err = fmt.Errorf("llmjudge: %w", bad)
			continue
		case blank(p.Premise):
			out[i].Err = nli.ErrEmptyPremise
			continue
		case blank(p.Hypothesis):
			out[i].Err = nli.ErrEmptyHypothesis
			continue
		}
		k, ok := open[p.Premise]
		if !ok || len(groups[k]) >= m.opts.Batch {
			k = len(groups)
			groups = append(groups, nil)
			open[p.Premise] = k
		}
		groups[k] = append(groups[k], i)
	}
	return groups
}

// group judges the pairs at the given positions.
func (m *Model) group(ctx context.Context, pairs []nli.Pair, at []int, out []nli.Probs) {
	ask := at
	if m.opts.Mode == TokenProbs || m.opts.Mode == Auto && !m.blind.Load() {
		ask = nil
		for k, i := range at {
			out[i] = m.byTokens(ctx, pairs[i])
			if m.opts.Mode == Auto && (errors.Is(out[i].Err, ErrNoLogProbs) || errors.Is(out[i].Err, ErrNeither)) {
				ask = append(ask, i)
				if m.blind.Load() {
					ask = append(ask, at[k+1:]...)
					break
				}
			}
		}
	}
	if len(ask) > 0 && ctx.Err() == nil {
		m.bySamples(ctx, pairs, ask, out)
	}
}
