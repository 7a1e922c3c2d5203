// Package lexical judges entailment by rule over words: it finds the sentence
// of the premise that bears on a hypothesis, aligns the two, and compares
// numbers, dates, units, names, negations, opposites and the roles around a
// verb. It needs no model, says what speaks against a hypothesis and where, and
// treats every input, markup of models included, as plain characters.
//
// It knows English only (others give *nli.LanguageError, except where the
// hypothesis stands in the premise word for word), and words only: a paraphrase
// that shares few words is neutral to it, and an inference that needs knowledge
// of the world is beyond it. Use a trained model where one is at hand, and this
// one for its reasons.
package lexical

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/segment"
)

// Model is the rule model. It is safe for concurrent use, and deterministic.
// It keeps the indexes of the last few premises, so that many hypotheses
// against one premise cost little more than one.
type Model struct {
	nlp   *nlp.Analyzer
	cache *premises
}

var _ nli.Explainer = (*Model)(nil)

// New returns the model. It fails only when the lemma dictionary can't be read.
func New() (*Model, error) {
	a, err := nlp.New()
	if err != nil {
		return nil, fmt.Errorf("lexical: %w", err)
	}
	m := &Model{nlp: a}
	m.cache = newPremises(m, maxPremises, maxPremiseBytes)
	return m, nil
}

// ID names the rules' version.
func (m *Model) ID() string { return "kgeval/lexical-2" }

// Classify judges pairs one by one; see nli.Model. A pair's Err is
// nli.ErrEmptyPremise, nli.ErrEmptyHypothesis, *nli.LanguageError or, beyond
// 4,096 words, *nli.HypothesisTooLongError. The returned error is the context's.
func (m *Model) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	out := make([]nli.Probs, len(pairs))
	for i, p := range pairs {
		e, err := m.Explain(ctx, p)
		if err != nil {
			return nil, err
		}
		out[i] = e.Probs
	}
	return out, nil
}

// Explain judges one pair and says why. Evidence is the sentence of the premise
// that decided, or two adjacent ones where the hypothesis draws on both; the
// zero Span where no sentence shares a word with the hypothesis. What is wrong
// with the pair is in Probs.Err; the error is the context's.
func (m *Model) Explain(ctx context.Context, p nli.Pair) (nli.Explanation, error) {
	e, _, err := m.explain(ctx, p, false)
	return e, err
}

func (m *Model) explain(ctx context.Context, p nli.Pair, measure bool) (nli.Explanation, Coverage, error) {
	if err := ctx.Err(); err != nil {
		return nli.Explanation{}, Coverage{}, err
	}
	if strings.TrimSpace(p.Premise) == "" {
		return failed(nli.ErrEmptyPremise), Coverage{}, nil
	}
	if strings.TrimSpace(p.Hypothesis) == "" {
		return failed(nli.ErrEmptyHypothesis), Coverage{}, nil
	}
	if s, ok := verbatim(p.Premise, p.Hypothesis); ok {
		b, e := sentenceAround(p.Premise, s)
		return nli.Explanation{Probs: copied, Evidence: segment.Span{Start: b, End: e}}, allCovered(p.Hypothesis), nil
	}
	if n := len(segment.Words(p.Hypothesis)); n > maxHypothesis {
		return failed(&nli.HypothesisTooLongError{Cost: n, Budget: maxHypothesis}), Coverage{}, nil
	}
	if err := knows(p.Hypothesis); err != nil {
		return failed(err), Coverage{}, nil
	}
	prem, err := m.cache.get(ctx, p.Premise)
	if err != nil {
		return nli.Explanation{}, Coverage{}, err
	}
	if prem.err != nil {
		return failed(prem.err), Coverage{}, nil
	}
	h := prem.hypothesis(p.Hypothesis)
	best := prem.bestAlignment(h)
	var c Coverage
	switch {
	case !measure:
	case best == nil:
		c = prem.uncovered(h)
	default:
		c = best.measure()
	}
	return explanation(h, best), c, nil
}

// copied is the verdict on a hypothesis that the premise states word for word.
var copied = nli.Probs{Entailment: 0.98, Neutral: 0.015, Contradiction: 0.005}

func failed(err error) nli.Explanation {
	return nli.Explanation{Probs: nli.Probs{Err: err}}
}

// maxCandidates is how many single sentences are looked at closely;
// maxHypothesis is how many words a hypothesis may have.
const (
	maxCandidates = 5
	maxHypothesis = 4096
)

// judge aligns the hypothesis with the most promising passages and decides by
// the best of them: the one that supports most, or, where none supports, the
// one that contradicts most, or else the nearest.
func (p *premise) judge(hypothesis string) nli.Explanation {
	h := p.hypothesis(hypothesis)
	return explanation(h, p.bestAlignment(h))
}

// explanation tells the verdict of the alignment that decides, nil for none.
func explanation(h *analysis, best *judged) nli.Explanation {
	if best == nil {
		return nli.Explanation{
			Probs:   nli.Probs{Entailment: 0.01, Neutral: 0.97, Contradiction: 0.02},
			Reasons: missing(h),
		}
	}
	return nli.Explanation{Probs: best.probs, Evidence: best.span, Reasons: best.reasons()}
}

// hypothesis analyses a hypothesis for p.
func (p *premise) hypothesis(text string) *analysis {
	h := p.m.analyze(text)
	for i, w := range h.words {
		if i == 0 && w.name >= 0 && h.slots[w.name].Span.End == w.End && p.lowered[w.lower] {
			h.words[i].weight, h.words[i].name = 1, -1
			h.slots[w.name].Words = nil
		}
	}
	return h
}

// judged is an alignment with its verdict.
type judged struct {
	*alignment
	probs nli.Probs
}

// alignments aligns h with the passages that share most with it: single
// sentences, best first, then each of them joined with a neighbour.
func (p *premise) alignments(h *analysis) []*alignment {
	var all []*alignment
	seen := map[segment.Span]bool{}
	try := func(s segment.Span, n int) {
		if !seen[s] {
			seen[s] = true
			all = append(all, p.align(h, s, n))
		}
	}
	top := p.candidates(h, maxCandidates)
	for _, i := range top {
		try(p.sentences[i], 1)
	}
	for _, i := range top {
		if i > 0 {
			try(p.sentences[i-1].Union(p.sentences[i]), 2)
		}
		if i+1 < len(p.sentences) {
			try(p.sentences[i].Union(p.sentences[i+1]), 2)
		}
	}
	return all
}

// bestAlignment returns the alignment that decides, nil when no sentence shares
// a word with h.
func (p *premise) bestAlignment(h *analysis) *judged {
	var all []*judged
	for _, a := range p.alignments(h) {
		all = append(all, &judged{a, a.probs()})
	}
	if len(all) == 0 {
		return nil
	}
	support := slices.MaxFunc(all, func(a, b *judged) int { return cmp.Compare(a.probs.Entailment, b.probs.Entailment) })
	if support.probs.Entailment >= 0.5 {
		if a := overruled(support, all); a != nil {
			return a
		}
		return support
	}
	// A single sentence contradicts; a pair of them only mixes more names and
	// numbers in.
	var against *judged
	for _, a := range all {
		if a.sentences == 1 && (against == nil || a.probs.Contradiction > against.probs.Contradiction) {
			against = a
		}
	}
	if against != nil && against.probs.Contradiction >= 0.5 {
		return against
	}
	// Nothing decides: the nearest passage is the evidence, with the support
	// that was found.
	nearest := slices.MaxFunc(all, func(a, b *judged) int {
		return cmp.Compare(a.near(), b.near())
	})
	if nearest.probs.Entailment < support.probs.Entailment {
		n := *nearest
		n.probs.Entailment = support.probs.Entailment
		n.probs.Contradiction = min(n.probs.Contradiction, 1-n.probs.Entailment)
		n.probs.Neutral = 1 - n.probs.Entailment - n.probs.Contradiction
		nearest = &n
	}
	return nearest
}

// overruled returns the single sentence of a passage of two that says all of the
// hypothesis but with another value, which the other sentence lends: "born in
// Warsaw. She moved to Paris." does not support "born in Paris".
//
// A single sentence that leaves words of the hypothesis open does not support it
// where the sentence beside it holds these words and denies them: "The hotel has
// a pool. It does not have a sauna."
func overruled(support *judged, all []*judged) *judged {
	if support.sentences == 1 {
		words, _ := support.coverage()
		for _, a := range all {
			if w, _ := a.coverage(); a.sentences == 2 && a.denied && w > words && a.span.Contains(support.span) && a.probs.Contradiction >= 0.5 {
				return a
			}
		}
		return nil
	}
	for _, a := range all {
		if a.sentences == 1 && support.span.Contains(a.span) && a.probs.Contradiction >= 0.5 && a.frame() >= 0.9 {
			return a
		}
	}
	return nil
}

// near ranks passages by what they share with the hypothesis; of equals the
// shorter first.
func (a *alignment) near() float64 {
	words, values := a.coverage()
	return words + 0.2*values - 0.1*float64(a.sentences)
}

// reasons lists what speaks against the hypothesis, in bytes of the hypothesis
// and the premise, the heaviest first.
func (a *judged) reasons() []nli.Reason {
	clashes := slices.Clone(a.clashes)
	n := 0
	for i, w := range a.h.words {
		if w.content() && w.name < 0 && a.match[i] < 0 && n < 8 && !a.clashesAt(w.Span) {
			clashes = append(clashes, clash{kind: nli.ReasonMissing, h: w.Span, weight: 0.1 * w.weight, detail: "nothing on " + quoted(w.Of(a.h.text))})
			n++
		}
	}
	slices.SortStableFunc(clashes, func(x, y clash) int { return cmp.Compare(y.weight, x.weight) })
	var out []nli.Reason
	for _, c := range clashes {
		r := nli.Reason{Kind: c.kind, Hypothesis: c.h, Detail: c.detail}
		if !c.c.Empty() {
			r.Premise = c.c.Shift(a.span.Start)
		}
		out = append(out, r)
	}
	return out
}

func (a *alignment) clashesAt(s segment.Span) bool {
	for _, c := range a.clashes {
		if c.h.Overlaps(s) {
			return true
		}
	}
	return false
}

// missing lists the content words of a hypothesis that the premise has nothing
// for.
func missing(h *analysis) []nli.Reason {
	var out []nli.Reason
	for _, w := range h.words {
		if (w.content() || w.value >= 0) && len(out) < 8 {
			out = append(out, nli.Reason{Kind: nli.ReasonMissing, Hypothesis: w.Span, Detail: "nothing on " + quoted(w.Of(h.text))})
		}
	}
	return out
}

// probs is the verdict of one alignment: the logistic model over its features,
// and the rules of meaning that no amount of shared words may outweigh.
func (a *alignment) probs() nli.Probs {
	f := a.features()
	e, n, c := softmax(score(f, &weights))
	e, n, c = a.rules(f, e, n, c)
	return calibrated(e, n, c)
}

// calibrated applies calibration to the entailment; neutral and contradiction
// share the rest as before.
func calibrated(e, n, c float64) nli.Probs {
	e = min(max(e, 1e-6), 1-1e-6)
	to := 1 / (1 + math.Exp(-(calibration[0] + calibration[1]*math.Log(e/(1-e)))))
	rest := n + c
	return nli.Probs{Entailment: to, Neutral: (1 - to) * n / rest, Contradiction: (1 - to) * c / rest}
}

// framed is the coverage from which the passage is about what the hypothesis
// says, so that a clash in it is a contradiction.
const framed = 0.6

func (a *alignment) rules(f [features]float64, e, n, c float64) (float64, float64, float64) {
	// scaleE moves entailment to neutral; the order of verdicts stays.
	scaleE := func(factor float64) {
		n += e * (1 - factor)
		e *= factor
	}
	// Words alone can't carry what they hardly share.
	if f[fCoverage] < 0.5 {
		scaleE(f[fCoverage] / 0.5)
	}
	// Without something that speaks against it, in a passage about the same
	// thing, a hypothesis is not contradicted, however unlikely.
	about := a.frame()
	against := !a.apart && slices.ContainsFunc(a.clashes, func(c clash) bool { return c.against })
	if !against || about < framed {
		n += 0.7 * c
		c *= 0.3
	}
	for _, cl := range a.clashes {
		switch {
		case cl.against && a.apart:
			scaleE(0.2)
		case cl.against && about >= framed:
			// At least 0.55, rising with how well the rest agrees.
			floor := 0.55 + 0.4*(about-framed)/(1-framed)
			if a.sentences > 1 {
				floor = 0
			}
			scaleE(0.2)
			if c < floor {
				rest := e + n
				e, n = e*(1-floor)/rest, n*(1-floor)/rest
				c = floor
			}
		case cl.against:
			scaleE(0.3)
		case cl.kind == nli.ReasonHedge || cl.kind == nli.ReasonQuantifier, cl.kind == nli.ReasonRole:
			scaleE(0.25)
		case cl.kind == nli.ReasonMissing && cl.weight >= 1.5:
			scaleE(0.4)
		}
	}
	if a.apart {
		n += 0.8 * c
		c *= 0.2
	}
	return e, n, c
}

// frame is the coverage of h without the words that the passage says otherwise.
func (a *alignment) frame() float64 {
	return a.coverageWithout(func(i int) bool { return a.match[i] < 0 && a.clashesAgainst(a.h.words[i].Span) })
}

func (a *alignment) clashesAgainst(s segment.Span) bool {
	for _, c := range a.clashes {
		if c.against && c.h.Overlaps(s) {
			return true
		}
	}
	return false
}
