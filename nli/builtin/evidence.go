package builtin

import (
	"cmp"
	"context"
	"slices"
	"strings"

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
// hypothesis, those that share most first. A word weighs less the more sentences
// have it, so that "the" decides nothing.
func nearest(p nli.Pair, n int) []segment.Span {
	asked := wordsOf(p.Hypothesis)
	sentences := segment.Sentences(p.Premise)
	have := make([]map[string]bool, len(sentences))
	in := map[string]int{}
	for i, s := range sentences {
		text := s.Of(p.Premise)
		have[i] = map[string]bool{}
		for _, w := range segment.Words(text) {
			if k := strings.ToLower(w.Of(text)); asked[k] && !have[i][k] {
				have[i][k] = true
				in[k]++
			}
		}
	}
	weight := make([]float64, len(sentences))
	for i := range sentences {
		// The sum over a map's keys in order: sums of floats depend on it.
		keys := make([]string, 0, len(have[i]))
		for k := range have[i] {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			weight[i] += 1 / float64(in[k])
		}
	}
	order := make([]int, 0, len(sentences))
	for i := range sentences {
		if weight[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
	out := make([]segment.Span, 0, n)
	for _, i := range order[:min(n, len(order))] {
		out = append(out, sentences[i])
	}
	return out
}

// wordsOf returns the words of text in lower case.
func wordsOf(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range segment.Words(text) {
		set[strings.ToLower(w.Of(text))] = true
	}
	return set
}
