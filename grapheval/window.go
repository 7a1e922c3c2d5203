package grapheval

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode"

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

// maxClaim bounds a claim, in bytes, for models without a budget of their own.
const maxClaim = 1 << 16

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
		spans, err := b.cut(ctx, s.Text, room)
		if err != nil {
			return nil, err
		}
		for _, w := range spans {
			out = append(out, window{i, w, w.Of(s.Text)})
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("grapheval: %w", err)
	}
	return out, nil
}

// maxPart is how much of a source is cut at a time, in bytes, so that cutting
// ends soon after its context does.
const maxPart = 1 << 18

// cut returns the windows of one text.
func (b budget) cut(ctx context.Context, text string, room int) ([]segment.Span, error) {
	if b.total == 0 { // read whole
		start := len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
		return []segment.Span{{Start: start, End: len(strings.TrimRightFunc(text, unicode.IsSpace))}}, nil
	}
	var out []segment.Span
	for start, size := 0, maxPart; ; {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("grapheval: %w", err)
		}
		end := len(text)
		if size < end-start {
			for end = start + size; end > start && !onRune(text, end); end-- {
			}
		}
		part := text[start:end]
		spans, err := guarded(func() ([]segment.Span, error) { return segment.Windows(part, room, room/4, b.cost), nil })
		if err != nil {
			return nil, fmt.Errorf("grapheval: cost of a window: %w", err)
		}
		if end == len(text) {
			for _, w := range spans {
				out = append(out, w.Shift(start))
			}
			return out, nil
		}
		// The last windows may have been cut short by the part: the next part
		// begins with them. A window follows from where it starts alone.
		if keep := len(spans) - 2; keep > 0 {
			for _, w := range spans[:keep] {
				out = append(out, w.Shift(start))
			}
			start += spans[keep].Start
			size = maxPart
			continue
		}
		size *= 2
	}
}

// forClaim returns the windows for one hypothesis: the prepared ones, or for a
// hypothesis beyond the reserve smaller ones; of these the nearest alone, where
// there are more than are read. A hypothesis that leaves less than an eighth of the
// model's budget, or of a model without one is longer than MaxWindow (65536 bytes
// where that is 0), is an *nli.HypothesisTooLongError.
func (p *Prepared) forClaim(ctx context.Context, q question) ([]window, error) {
	b := p.checker.budget
	cost, err := guarded(func() (int, error) { return b.cost(q.text), nil })
	if err != nil {
		return nil, fmt.Errorf("cost of the claim: %w", err)
	}
	if !b.sized {
		limit := b.total
		if limit == 0 {
			limit = maxClaim
		}
		if cost > limit {
			return nil, &nli.HypothesisTooLongError{Cost: cost, Budget: limit}
		}
		return p.near(p.windows, p.retrieval, q)
	}
	if cost <= b.reserve {
		return p.near(p.windows, p.retrieval, q)
	}
	if b.total-cost < max(b.total/8, 1) {
		return nil, &nli.HypothesisTooLongError{Cost: cost, Budget: b.total}
	}
	ws, err := b.windows(ctx, p.sources, cost)
	if err != nil {
		return nil, err
	}
	// Few claims are so long: what shares most words is enough for them.
	x, err := newRetrieval(ctx, ws, p.checker.opts.toRead(len(ws)), nil)
	if err != nil {
		return nil, err
	}
	return p.near(ws, x, q)
}

// near returns those of ws that the index names, in their order.
func (p *Prepared) near(ws []window, x *retrieval, q question) ([]window, error) {
	if x == nil {
		return ws, nil
	}
	if q.err != nil && x.vectors != nil {
		return nil, q.err
	}
	keep := x.nearest(q.text, q.vector)
	out := make([]window, len(keep))
	for i, k := range keep {
		out[i] = ws[k]
	}
	return out, nil
}

// before orders windows by what they say, so that the order of sources decides
// only between windows with the same text.
func (w window) before(v window) bool {
	if c := cmp.Compare(len(w.text), len(v.text)); c != 0 {
		return c < 0
	}
	return w.text < v.text
}
