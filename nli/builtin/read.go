package builtin

import (
	"context"
	"fmt"
	"strings"

	"github.com/kgeval/kgeval/internal/bert"
	"github.com/kgeval/kgeval/internal/language"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// reader is a Model without its memory of pairs.
type reader struct {
	*Model
	workers int
}

// batchTokens is how many tokens are gathered before the network runs.
const batchTokens = 1 << 15

// Classify is Model.Classify without the memory.
func (r reader) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("nli/builtin: %w", err)
	}
	out := make([]nli.Probs, len(pairs))
	if len(pairs) == 0 {
		return out, nil
	}
	net, err := r.net()
	if err != nil {
		return nil, fmt.Errorf("nli/builtin: %w", err)
	}
	r.work.pairs.Add(int64(len(pairs)))
	b := batch{reader: r, net: net, out: out, read: make([]int, len(pairs)), texts: map[string][]int32{}}
	for i, p := range pairs {
		if err := b.add(ctx, i, p); err != nil {
			return nil, fmt.Errorf("nli/builtin: %w", err)
		}
	}
	if err := b.run(ctx); err != nil {
		return nil, fmt.Errorf("nli/builtin: %w", err)
	}
	return out, nil
}

// batch gathers sequences of several pairs, runs them, and pools their results.
type batch struct {
	reader
	net  *network
	out  []nli.Probs
	read []int // windows of each pair that are in out

	// texts are the pieces of the texts that occur in this batch: most pairs
	// share their premise or their hypothesis with others.
	texts  map[string][]int32
	tokens int
	seqs   []bert.Sequence
	at     []int // the pair of each sequence
	length []int // pieces of its hypothesis
}

// add appends the windows of a pair, and runs the network when there are many.
func (b *batch) add(ctx context.Context, i int, p nli.Pair) error {
	h, premise, err := b.prepare(p)
	if err != nil {
		b.out[i].Err = err
		return nil
	}
	room := windowRoom(b.budget, len(h))
	if len(premise) <= room {
		return b.push(ctx, i, premise, h)
	}
	for _, w := range segment.Windows(p.Premise, room, room/4, b.net.cost) {
		if err := b.push(ctx, i, b.net.pieces(w.Of(p.Premise), room), h); err != nil {
			return err
		}
	}
	return nil
}

// windowRoom is how many tokens of a premise are read at once beside a
// hypothesis. Hypotheses of up to a quarter of the budget share windows, as in
// nli.Judge and grapheval: the same claim is judged alike whoever cuts.
func windowRoom(budget, hypothesis int) int { return budget - max(hypothesis, budget/4) }

// prepare returns the pieces of hypothesis and premise, or why the pair cannot
// be judged. Of a premise that does not fit there are more pieces than the
// budget, not all.
func (b *batch) prepare(p nli.Pair) (h, premise []int32, err error) {
	if strings.TrimSpace(p.Premise) == "" {
		return nil, nil, nli.ErrEmptyPremise
	}
	if strings.TrimSpace(p.Hypothesis) == "" {
		return nil, nil, nli.ErrEmptyHypothesis
	}
	for _, text := range []string{p.Hypothesis, p.Premise} {
		if err := foreign(text); err != nil {
			return nil, nil, err
		}
	}
	h, premise = b.textPieces(p.Hypothesis), b.textPieces(p.Premise)
	switch {
	case len(h) > b.budget-b.budget/8:
		return nil, nil, &nli.HypothesisTooLongError{Cost: b.net.cost(p.Hypothesis), Budget: b.budget}
	case !b.net.readable(h):
		return nil, nil, fmt.Errorf("hypothesis: %w", ErrUnreadable)
	case len(premise) <= b.budget && !b.net.readable(premise):
		return nil, nil, fmt.Errorf("premise: %w", ErrUnreadable)
	}
	return h, premise, nil
}

// foreign returns a *nli.LanguageError for a text that is not English.
func foreign(text string) error {
	if name, script, foreign := language.Foreign(text); foreign {
		return &nli.LanguageError{Language: name, Script: script}
	}
	return nil
}

func (b *batch) textPieces(text string) []int32 {
	pieces, ok := b.texts[text]
	if !ok {
		pieces = b.net.pieces(text, b.budget+1)
		b.texts[text] = pieces
	}
	return pieces
}

func (b *batch) push(ctx context.Context, i int, premise, h []int32) error {
	s := b.net.Pair(premise, h)
	b.seqs, b.at, b.length = append(b.seqs, s), append(b.at, i), append(b.length, len(h))
	if b.tokens += len(s.IDs); b.tokens < batchTokens {
		return ctx.Err()
	}
	return b.run(ctx)
}

// run lets the network read what was gathered.
func (b *batch) run(ctx context.Context) error {
	probs := make([]nli.Probs, len(b.seqs))
	err := b.net.Encode(ctx, b.seqs, b.workers, func(k int, hidden []float32) {
		probs[k] = b.net.head(hidden, b.length[k])
	})
	if err != nil {
		return err
	}
	b.work.windows.Add(int64(len(b.seqs)))
	b.work.tokens.Add(int64(b.tokens))
	for k, p := range probs {
		i := b.at[k]
		if b.read[i]++; b.read[i] == 1 {
			b.out[i] = p
		} else {
			b.out[i] = pool(b.out[i], p)
		}
	}
	b.seqs, b.at, b.length, b.tokens = b.seqs[:0], b.at[:0], b.length[:0], 0
	clear(b.texts)
	return nil
}

// pool joins what two windows say of one hypothesis. It does not matter in which
// order windows come.
func pool(a, b nli.Probs) nli.Probs {
	switch {
	case a.Err != nil:
		return a
	case b.Err != nil:
		return b
	}
	e := max(a.Entailment, b.Entailment)
	c := min(max(a.Contradiction, b.Contradiction), 1-e)
	return nli.Probs{Entailment: e, Contradiction: c, Neutral: max(0, 1-e-c)}
}
