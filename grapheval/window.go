package grapheval

import (
	"cmp"
	"context"
	"fmt"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// window is a premise: a part of one source.
type window struct {
	source int
	segment.Span
	text string
}

// budget says how much a model reads at once.
type budget struct {
	total   int              // premise and hypothesis together
	reserve int              // what is kept for the hypothesis
	cost    func(string) int // in the unit of total
	sized   bool             // the model set the budget
}

func budgetOf(o Options) budget {
	if m, ok := o.Model.(nli.Windower); ok && m.Budget() > 0 {
		return budget{total: m.Budget(), reserve: m.Budget() / 4, cost: m.Cost, sized: true}
	}
	return budget{total: o.MaxWindow, cost: func(s string) int { return len(s) }}
}

// windows cuts the sources, keeping reserve for the hypothesis. A window that
// stands twice is read twice: it costs little, and both places stay citable.
func (b budget) windows(ctx context.Context, sources []claim.Source, reserve int) ([]window, error) {
	room := b.total - reserve
	var out []window
	for i, s := range sources {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("grapheval: %w", err)
		}
		if claim.Blank(s.Text) {
			continue
		}
		for _, w := range segment.Windows(s.Text, room, room/4, b.cost) {
			out = append(out, window{i, w, w.Of(s.Text)})
		}
	}
	return out, nil
}

// forClaim returns the windows for one hypothesis: the prepared ones, or for a
// hypothesis beyond the reserve smaller ones. A hypothesis that leaves less than
// an eighth of the model's budget, or of a model without one is longer than
// MaxWindow, is an *nli.HypothesisTooLongError.
func (p *Prepared) forClaim(ctx context.Context, hypothesis string) ([]window, error) {
	b := p.checker.budget
	cost := b.cost(hypothesis)
	if !b.sized {
		if cost > b.total {
			return nil, &nli.HypothesisTooLongError{Cost: cost, Budget: b.total}
		}
		return p.windows, nil
	}
	if cost <= b.reserve {
		return p.windows, nil
	}
	if b.total-cost < max(b.total/8, 1) {
		return nil, &nli.HypothesisTooLongError{Cost: cost, Budget: b.total}
	}
	return b.windows(ctx, p.sources, cost)
}

// before orders windows by what they say, so that the order of sources decides
// only between windows with the same text.
func (w window) before(v window) bool {
	if c := cmp.Compare(len(w.text), len(v.text)); c != 0 {
		return c < 0
	}
	return w.text < v.text
}
