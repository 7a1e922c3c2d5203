package builtin

import (
	"context"

	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// candidates is how many sentences are read again to find the one that decided.
const candidates = 3

// Explain judges one pair as Classify does, and finds the sentence of the premise
// that bears most on the hypothesis: of those that share most words with it, the
// one that by itself entails it, or contradicts it, with the greatest probability,
// whichever the whole does. It gives no reasons. Errors are those of Classify.
func (m *Model) Explain(ctx context.Context, p nli.Pair) (nli.Explanation, error) {
	all, err := m.Classify(ctx, []nli.Pair{p})
	if err != nil {
		return nli.Explanation{}, err
	}
	x := nli.Explanation{Probs: all[0]}
	if x.Probs.Err != nil {
		return x, nil
	}
	near := nearest(p, candidates)
	switch len(near) {
	case 0:
		return x, nil
	case 1:
		x.Evidence = near[0]
		return x, nil
	}
	pairs := make([]nli.Pair, len(near))
	for i, s := range near {
		pairs[i] = nli.Pair{Premise: s.Of(p.Premise), Hypothesis: p.Hypothesis}
	}
	each, err := m.Classify(ctx, pairs)
	if err != nil {
		return nli.Explanation{}, err
	}
	value := func(q nli.Probs) float64 {
		if x.Probs.Entailment >= x.Probs.Contradiction {
			return q.Entailment
		}
		return q.Contradiction
	}
	best := 0
	for i := range each {
		if each[i].Err == nil && value(each[i]) > value(each[best]) {
			best = i
		}
	}
	x.Evidence = near[best]
	return x, nil
}

// nearest returns up to n sentences of the premise that share words with the
// hypothesis, those that share most first.
func nearest(p nli.Pair, n int) []segment.Span {
	sentences := segment.Sentences(p.Premise)
	texts := make([]string, len(sentences))
	for i, s := range sentences {
		texts[i] = s.Of(p.Premise)
	}
	var out []segment.Span
	for _, i := range nli.NewPassages(texts).Nearest(p.Hypothesis, n) {
		out = append(out, sentences[i])
	}
	return out
}
