package grapheval

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// passage is a piece of evidence with the model's reasons, whose Premise spans
// are in the window that starts at offset.
type passage struct {
	evidence claim.Evidence
	reasons  []nli.Reason
	parts    []nli.Part
	offset   int
	window   window
}

// inSource moves a span of the premise to the source; no place stays none.
func (e passage) inSource(s segment.Span) segment.Span {
	if s.Empty() || s.Start < 0 || s.End > len(e.window.text) {
		return segment.Span{}
	}
	return s.Shift(e.offset)
}

// maxEvidenceSentences bounds how many sentences of a window are asked about
// when the model cannot explain itself: those that share most words with the
// claim.
const maxEvidenceSentences = 16

// passage finds the sentence of w that bears most on the hypothesis in the given
// role. Where nothing better can be told, it is the whole window: a failure here
// does not change a verdict. The error is the context's.
func (p *Prepared) passage(ctx context.Context, w window, hypothesis string, role claim.Role) (passage, error) {
	e := passage{offset: w.Start, window: w}
	if x, ok := p.checker.opts.Model.(nli.Explainer); ok {
		got, err := guarded(func() (nli.Explanation, error) {
			return x.Explain(ctx, nli.Pair{Premise: w.text, Hypothesis: hypothesis})
		})
		if ctx.Err() != nil {
			return e, fmt.Errorf("grapheval: %w", ctx.Err())
		}
		if err == nil {
			e.reasons, e.parts = got.Reasons, got.Parts
			if role == claim.Supports {
				e.reasons = nil // what weighed against a supported claim did not win
			}
			if inside(got.Evidence, w.text) {
				return e.at(p, got.Evidence, role), nil
			}
		}
	}
	place, err := p.sentence(ctx, w, hypothesis, role)
	if err != nil {
		return e, err
	}
	return e.at(p, place, role), nil
}

// byWords is passage without the model: the sentence that shares most words with
// the hypothesis.
func (p *Prepared) byWords(w window, hypothesis string, role claim.Role) passage {
	e := passage{offset: w.Start, window: w}
	words, most := wordSet(hypothesis), 0
	place := segment.Span{End: len(w.text)}
	for _, s := range segment.Sentences(w.text) {
		if n := overlap(words, s.Of(w.text)); n > most {
			place, most = s, n
		}
	}
	return e.at(p, place, role)
}

func (e passage) at(p *Prepared, place segment.Span, role claim.Role) passage {
	i := e.window.source
	e.evidence = claim.Evidence{
		Source: p.sources[i].Name(i),
		Index:  i,
		Span:   place.Shift(e.offset),
		Role:   role,
		Text:   place.Of(e.window.text),
	}
	return e
}

// sentence asks the model about the sentences of w one by one.
func (p *Prepared) sentence(ctx context.Context, w window, hypothesis string, role claim.Role) (segment.Span, error) {
	whole := segment.Span{Start: 0, End: len(w.text)}
	sentences := segment.Sentences(w.text)
	if err := ctx.Err(); err != nil {
		return whole, fmt.Errorf("grapheval: %w", err)
	}
	if len(sentences) == 0 {
		return whole, nil
	}
	if len(sentences) == 1 {
		return sentences[0], nil
	}
	words := wordSet(hypothesis)
	shared := make([]int, len(sentences))
	order := make([]int, len(sentences))
	for i, s := range sentences {
		if i%1024 == 0 && ctx.Err() != nil {
			return whole, fmt.Errorf("grapheval: %w", ctx.Err())
		}
		order[i] = i
		shared[i] = overlap(words, s.Of(w.text))
	}
	sort.SliceStable(order, func(a, b int) bool { return shared[order[a]] > shared[order[b]] })
	order = order[:min(len(order), maxEvidenceSentences)]
	pairs := make([]nli.Pair, len(order))
	for k, i := range order {
		pairs[k] = nli.Pair{Premise: sentences[i].Of(w.text), Hypothesis: hypothesis}
	}
	probs, err := p.classify(ctx, pairs)
	if ctx.Err() != nil {
		return whole, fmt.Errorf("grapheval: %w", ctx.Err())
	}
	if err != nil {
		if role == claim.Nearest && shared[order[0]] > 0 {
			return sentences[order[0]], nil
		}
		return whole, nil
	}
	value := func(q nli.Probs) float64 {
		if q.Err != nil {
			return -1
		}
		switch role {
		case claim.Supports:
			return q.Entailment
		case claim.Contradicts:
			return q.Contradiction
		}
		return 1 - q.Neutral
	}
	k := 0
	for i := 1; i < len(probs); i++ {
		// Strictly greater: among equals the one that shares more words stays.
		if value(probs[i]) > value(probs[k]) {
			k = i
		}
	}
	return sentences[order[k]], nil
}

// inside reports whether s is a place in text and not empty.
func inside(s segment.Span, text string) bool {
	return s.Start >= 0 && s.End <= len(text) && !s.Empty()
}

// wordSet returns the words of text in lower case.
func wordSet(text string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range segment.Words(text) {
		set[strings.ToLower(w.Of(text))] = true
	}
	return set
}

// overlap returns how many different words of set stand in text.
func overlap(set map[string]bool, text string) int {
	seen := make(map[string]bool, len(set))
	for _, w := range segment.Words(text) {
		if k := strings.ToLower(w.Of(text)); set[k] {
			seen[k] = true
		}
	}
	return len(seen)
}
