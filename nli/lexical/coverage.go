package lexical

import (
	"context"

	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// Coverage is what a premise holds of a hypothesis, counted word by word: no
// opinion, but what an opinion can be weighed with. It is taken at the passage
// of the premise that decides (see Model.Explain). Shares are in [0,1], and 1
// where there is nothing to cover.
type Coverage struct {
	// Verbatim says that the premise states the hypothesis word for word.
	Verbatim bool
	// Words is the share of the content words that the passage states, rare ones
	// weighing more; Elsewhere the share that only the rest of the premise holds.
	Words, Elsewhere float64
	// Values and Names are the shares of numbers, dates and quantities, and of
	// names, that the passage states; one that another sentence of the premise
	// holds counts half.
	Values, Names float64
	// Order is the share of neighbouring matched words that the passage has near
	// each other and in the same order.
	Order float64
	// Pairs is the share of neighbouring words of the hypothesis that are
	// neighbours in the premise: how much of it is copied.
	Pairs float64
	// Content counts the content words, Missing those the passage does not state,
	// Breaks the neighbouring words that are not neighbours in the premise.
	Content, Missing, Breaks int
	// Sentences counts the sentences of the premise; Passage is 1 or 2, the
	// sentences that decided, 0 where none shares a word with the hypothesis.
	Sentences, Passage int

	// What the passage says otherwise: a negation that only one side has, an
	// opposite, another value or name in the place of the hypothesis' one, a hedge
	// or quantifier that is lost, arguments that have changed places.
	Negation, Antonym, OtherValue, OtherName, Hedge, Role bool
}

// Cover explains a pair as Explain does and tells the coverage that the verdict
// rests on. Where Probs.Err is set the coverage is zero.
func (m *Model) Cover(ctx context.Context, p nli.Pair) (Coverage, nli.Explanation, error) {
	e, c, err := m.explain(ctx, p, true)
	return c, e, err
}

// allCovered is the coverage of a hypothesis that the premise states word for
// word.
func allCovered(hypothesis string) Coverage {
	return Coverage{Verbatim: true, Words: 1, Values: 1, Names: 1, Order: 1, Pairs: 1,
		Content: len(segment.Words(hypothesis)), Sentences: 1, Passage: 1}
}

// uncovered is the coverage of a hypothesis with which no sentence shares a word.
func (p *premise) uncovered(h *analysis) Coverage {
	c := Coverage{Order: 1, Values: 1, Names: 1, Sentences: len(p.sentences), Breaks: max(0, len(h.words)-1)}
	for i := range h.words {
		if h.words[i].content() {
			c.Content++
		}
	}
	c.Missing = c.Content
	for _, s := range h.slots {
		switch {
		case s.Kind == slot.Name && len(s.Words) > 0:
			c.Names = 0
		case isValue(s.Kind):
			c.Values = 0
		}
	}
	return c
}

// measure takes the coverage at one alignment.
func (a *alignment) measure() Coverage {
	c := Coverage{Order: a.order(), Sentences: len(a.p.sentences), Passage: a.sentences}
	c.Words, c.Values = a.coverage()
	var all, elsewhere float64
	for i := range a.h.words {
		w := &a.h.words[i]
		if !w.content() {
			continue
		}
		c.Content++
		weight := w.weight * (0.4 + 0.6*a.p.rarity(w.lemma))
		all += weight
		if a.match[i] < 0 {
			c.Missing++
			elsewhere += weight * a.p.holds(w.lemma)
		}
	}
	if all > 0 {
		c.Elsewhere = elsewhere / all
	}
	names, stated := 0, 0.0
	for i, s := range a.h.slots {
		if s.Kind != slot.Name || len(s.Words) == 0 {
			continue
		}
		names++
		switch {
		case a.stated(i):
			stated++
		case a.elsewhere(i):
			stated += 0.5
		}
	}
	c.Names = 1
	if names > 0 {
		c.Names = stated / float64(names)
	}
	pairs, held := 0, 0
	for i := 1; i < len(a.h.words); i++ {
		pairs++
		if _, ok := a.p.pairs[pairHash(a.h.words[i-1].lemma, a.h.words[i].lemma)]; ok {
			held++
		}
	}
	c.Pairs = 1
	if pairs > 0 {
		c.Pairs = float64(held) / float64(pairs)
	}
	c.Breaks = pairs - held
	for _, k := range a.clashes {
		switch k.kind {
		case nli.ReasonNegation:
			c.Negation = true
		case nli.ReasonAntonym:
			c.Antonym = true
		case nli.ReasonNumber, nli.ReasonDate, nli.ReasonUnit:
			c.OtherValue = c.OtherValue || k.against
		case nli.ReasonName:
			c.OtherName = c.OtherName || k.against
		case nli.ReasonHedge, nli.ReasonQuantifier:
			c.Hedge = true
		case nli.ReasonRole:
			c.Role = true
		}
	}
	return c
}
