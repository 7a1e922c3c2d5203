package nli

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/kgeval/kgeval/segment"
)

// Judgment is what a model says of one hypothesis over all windows of a
// premise.
type Judgment struct {
	// Support is the maximum of P(entailment) over the windows that were read,
	// Contradiction the maximum of P(contradiction); both in [0,1], both 0 when
	// Err is set.
	Support, Contradiction float64
	// Supporting and Contradicting are the windows that gave these maxima, the
	// first where several did, in bytes of the premise; the zero Span when Err
	// is set.
	Supporting, Contradicting segment.Span
	// Windows is how many windows were read, Failed how many of them the model
	// could not judge.
	Windows, Failed int
	// Err says why the outcome is unknown: the hypothesis can't be read at all
	// (HypothesisTooLongError, ErrEmptyHypothesis), or a window failed and none
	// of the others supports. A support that was found stands, whatever failed
	// beside it; a contradiction does not, since the window that failed could
	// have supported.
	Err error
}

// Options are the settings of Judge. The zero value is the default.
type Options struct {
	// Batch is the most pairs that are given to the model at once; 0 means 32.
	Batch int
	// Overlap is the share of a window that it has in common with the next;
	// 0 means a quarter, a negative value none. At most one half.
	Overlap float64
	// SupportAt is the support from which it stands although another window
	// failed; 0 means 0.5.
	SupportAt float64
	// Nearest is how many windows are read for a hypothesis: those that share most
	// words with it (see Passages), and the first where fewer share any. 0 reads
	// all. It saves time on long premises and can miss a paraphrase.
	Nearest int
}

// Judge asks m about every hypothesis against premise, and pools what it says.
//
// When m is a Windower, the premise is cut into overlapping windows at sentence
// borders so that window and hypothesis together keep to its budget; the
// hypothesis is never cut. Otherwise the premise is one window. A hypothesis'
// windows depend on its own cost alone, and its Judgment on nothing but
// premise, hypothesis and model.
//
// There is one Judgment for each hypothesis, in order. The error is
// ErrEmptyPremise for a blank premise, or what stopped the whole call.
func Judge(ctx context.Context, m Model, premise string, hypotheses []string, o Options) ([]Judgment, error) {
	p, err := NewPremise(m, premise, o)
	if err != nil {
		return nil, err
	}
	return p.Judge(ctx, hypotheses)
}

// Premise is a premise ready to be asked about: its windows are cut, and indexed
// for Options.Nearest, once for many hypotheses. It is safe for concurrent use if
// its model is.
type Premise struct {
	model Model
	opts  Options
	cut   *cutter
}

// NewPremise returns the premise with the given text. The error is
// ErrEmptyPremise for a blank one.
func NewPremise(m Model, text string, o Options) (*Premise, error) {
	if strings.TrimSpace(text) == "" {
		return nil, ErrEmptyPremise
	}
	if o.Batch <= 0 {
		o.Batch = 32
	}
	if o.SupportAt <= 0 {
		o.SupportAt = 0.5
	}
	return &Premise{m, o, newCutter(m, text, o)}, nil
}

// Judge judges hypotheses as the function Judge does.
func (p *Premise) Judge(ctx context.Context, hypotheses []string) ([]Judgment, error) {
	m, premise, o, cut := p.model, p.cut.premise, p.opts, p.cut
	out := make([]Judgment, len(hypotheses))
	pool := pooler{out: out, fails: make([]error, len(out))}
	for i, h := range hypotheses {
		windows, err := cut.windows(h)
		if err != nil {
			out[i].Err = err
			continue
		}
		for _, w := range windows {
			pool.pairs = append(pool.pairs, Pair{Premise: w.Of(premise), Hypothesis: h})
			pool.at = append(pool.at, place{i, w})
			if len(pool.pairs) == o.Batch {
				if err := pool.flush(ctx, m); err != nil {
					return nil, err
				}
			}
		}
	}
	if err := pool.flush(ctx, m); err != nil {
		return nil, err
	}
	for i := range out {
		if pool.fails[i] != nil && out[i].Support < o.SupportAt {
			out[i] = Judgment{Windows: out[i].Windows, Failed: out[i].Failed, Err: pool.fails[i]}
		}
	}
	return out, nil
}

// cutter cuts one premise for hypotheses of any cost.
type cutter struct {
	mu      sync.Mutex // for cut
	premise string
	w       Windower // nil for a model that reads everything
	budget  int
	overlap float64
	all     segment.Span
	cut     map[int]*windows // by room
	nearest int
}

// windows are the windows of one room. passages is nil where all are read.
type windows struct {
	spans    []segment.Span
	passages *Passages
}

// nearest returns the n windows that share most with h, in their order.
func (w *windows) nearest(h string, n int) []segment.Span {
	if w.passages == nil {
		return w.spans
	}
	keep := w.passages.Nearest(h, n)
	for i := 0; len(keep) < n; i++ {
		if !slices.Contains(keep, i) {
			keep = append(keep, i)
		}
	}
	slices.Sort(keep)
	out := make([]segment.Span, len(keep))
	for i, k := range keep {
		out[i] = w.spans[k]
	}
	return out
}

func newCutter(m Model, premise string, o Options) *cutter {
	c := &cutter{premise: premise, all: segment.Span{End: len(premise)}, nearest: o.Nearest}
	if w, ok := m.(Windower); ok {
		c.w, c.budget = w, w.Budget()
		c.cut = map[int]*windows{}
	}
	switch {
	case o.Overlap == 0:
		c.overlap = 0.25
	case o.Overlap > 0:
		c.overlap = min(o.Overlap, 0.5)
	}
	return c
}

// windows returns the windows for hypothesis h.
func (c *cutter) windows(h string) ([]segment.Span, error) {
	if strings.TrimSpace(h) == "" {
		return nil, ErrEmptyHypothesis
	}
	if c.w == nil {
		return []segment.Span{c.all}, nil
	}
	cost := c.w.Cost(h)
	if cost >= c.budget {
		return nil, &HypothesisTooLongError{Cost: cost, Budget: c.budget}
	}
	// A quarter of the budget is kept for the hypothesis, so that all that keep to
	// it share their windows.
	room := c.budget - max(cost, c.budget/4)
	return c.forRoom(room).nearest(h, c.nearest), nil
}

// forRoom cuts the premise once for each room; there are few.
func (c *cutter) forRoom(room int) *windows {
	c.mu.Lock()
	defer c.mu.Unlock()
	w, ok := c.cut[room]
	if !ok {
		w = &windows{spans: segment.Windows(c.premise, room, int(c.overlap*float64(room)), c.w.Cost)}
		if c.nearest > 0 && c.nearest < len(w.spans) {
			texts := make([]string, len(w.spans))
			for i, s := range w.spans {
				texts[i] = s.Of(c.premise)
			}
			w.passages = NewPassages(texts)
		}
		c.cut[room] = w
	}
	return w
}

// place is where the answer to a pair belongs.
type place struct {
	hypothesis int
	window     segment.Span
}

// pooler collects pairs and pools their answers.
type pooler struct {
	out   []Judgment
	fails []error // the first failure of each hypothesis
	pairs []Pair
	at    []place
}

// flush asks the model about the collected pairs.
func (p *pooler) flush(ctx context.Context, m Model) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(p.pairs) == 0 {
		return nil
	}
	probs, err := m.Classify(ctx, p.pairs)
	if err != nil {
		return fmt.Errorf("nli: %s: %w", m.ID(), err)
	}
	if len(probs) != len(p.pairs) {
		return fmt.Errorf("nli: %s: %d answers for %d pairs", m.ID(), len(probs), len(p.pairs))
	}
	for k, pr := range probs {
		i := p.at[k].hypothesis
		j := &p.out[i]
		j.Windows++
		if pr.Err == nil {
			pr.Err = pr.check()
		}
		if pr.Err != nil {
			j.Failed++
			if p.fails[i] == nil {
				p.fails[i] = pr.Err
			}
			continue
		}
		if pr.Entailment > j.Support || j.Supporting.Empty() {
			j.Support, j.Supporting = pr.Entailment, p.at[k].window
		}
		if pr.Contradiction > j.Contradiction || j.Contradicting.Empty() {
			j.Contradiction, j.Contradicting = pr.Contradiction, p.at[k].window
		}
	}
	p.pairs, p.at = p.pairs[:0], p.at[:0]
	return nil
}

// check reports whether p keeps the contract of Probs. Models in single
// precision may miss the sum by a little more than the contract's 1e-6.
func (p Probs) check() error {
	for _, x := range []float64{p.Entailment, p.Neutral, p.Contradiction} {
		if math.IsNaN(x) || x < 0 || x > 1 {
			return &ProbsError{p}
		}
	}
	if math.Abs(p.Entailment+p.Neutral+p.Contradiction-1) > 1e-3 {
		return &ProbsError{p}
	}
	return nil
}
