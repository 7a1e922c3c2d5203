// Package usage counts what language models use, in calls, tokens and money, and
// ends the work where a budget is spent.
//
// It is for sums, not for rates: llm/limit slows a model down.
package usage

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kgeval/kgeval/llm"
)

// ErrBudget says that a budget is spent. See BudgetError.
var ErrBudget = errors.New("budget spent")

// BudgetError says which bound of a Budget was reached. It is an ErrBudget.
type BudgetError struct {
	Bound string  // "calls", "tokens" or "cost"
	Spent float64 // in calls, tokens, or the prices' currency
	Limit float64
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("usage: %v: %.6g of %.6g %s", ErrBudget, e.Spent, e.Limit, e.Bound)
}

// Unwrap returns ErrBudget.
func (e *BudgetError) Unwrap() error { return ErrBudget }

// Price is what tokens cost, per million, in any one currency. Prices are the
// caller's: they change too often to stand in a library.
type Price struct {
	Input  float64
	Output float64
	// CachedInput is for that part of the input that the backend had read
	// before. 0 stands for Input: a missing price must not make it free.
	CachedInput float64
}

// Cost returns what u costs.
func (p Price) Cost(u llm.Usage) float64 {
	cached := min(max(u.CachedInput, 0), max(u.Input, 0))
	rate := p.CachedInput
	if rate == 0 {
		rate = p.Input
	}
	return (float64(max(u.Input, 0)-cached)*p.Input + float64(cached)*rate + float64(max(u.Output, 0))*p.Output) / 1e6
}

func (p Price) check() error {
	for _, x := range []float64{p.Input, p.Output, p.CachedInput} {
		if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
			return fmt.Errorf("usage: a price of %v per million tokens", x)
		}
	}
	return nil
}

// Budget bounds what the models of a Meter use together. A bound of 0 is none;
// one below 0, or a Cost that is not finite, is reached from the start.
type Budget struct {
	Calls  int     // of a model; what a cache answers is not one
	Tokens int     // input and output
	Cost   float64 // in the prices' currency
}

// Total is what was used.
type Total struct {
	Calls  int `json:"calls"`  // that a model answered or failed
	Cached int `json:"cached"` // answered by a cache or a recording; they use nothing
	Failed int `json:"failed"` // of Calls, those that ended with an error
	// Incomplete are those of Calls whose reply is not whole (see
	// llm.Response.Complete). They cost what whole ones cost.
	Incomplete int `json:"incomplete"`
	// Estimated are those of Calls for which the backend told no usage; a
	// token is taken to be four bytes for them.
	Estimated int           `json:"estimated"`
	Usage     llm.Usage     `json:"usage"`
	Cost      float64       `json:"cost"`
	Latency   time.Duration `json:"latency"` // summed over the calls that were answered
}

func (t *Total) add(u Total) {
	t.Calls += u.Calls
	t.Cached += u.Cached
	t.Failed += u.Failed
	t.Incomplete += u.Incomplete
	t.Estimated += u.Estimated
	t.Usage.Input += u.Usage.Input
	t.Usage.Output += u.Usage.Output
	t.Usage.CachedInput += u.Usage.CachedInput
	t.Cost += u.Cost
	t.Latency += u.Latency
}

// Meter counts the use of its models. It is safe for concurrent use.
type Meter struct {
	budget Budget

	mu     sync.Mutex
	models map[string]*Total // by ID
	sum    Total
	begun  int // calls that were let through
}

// NewMeter returns a meter at 0.
func NewMeter(b Budget) *Meter { return &Meter{budget: b, models: map[string]*Total{}} }

// Total returns what all models used so far.
func (m *Meter) Total() Total {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sum
}

// ByModel yields what each model used so far, in the order of their IDs.
func (m *Meter) ByModel() iter.Seq2[string, Total] {
	m.mu.Lock()
	type one struct {
		id    string
		total Total
	}
	var all []one
	for id, t := range m.models {
		all = append(all, one{id, *t})
	}
	m.mu.Unlock()
	slices.SortFunc(all, func(a, b one) int { return strings.Compare(a.id, b.id) })
	return func(yield func(string, Total) bool) {
		for _, o := range all {
			if !yield(o.id, o.total) {
				return
			}
		}
	}
}

// Model returns model with its use counted at this price. A price that is not a
// finite number of at least 0 makes every call an error.
//
// When a bound of the budget is reached, calls are a *BudgetError and don't
// reach the model. Calls that are under way then end, and are counted: tokens
// and cost can go over their bound by what is under way at once, calls can't. Of
// a failed call the use is unknown and counted as 0; a stream that is left early
// counts what it gave by then, estimated.
func (m *Meter) Model(model llm.Model, p Price) *Model {
	return &Model{meter: m, inner: model, price: p}
}

// Model is a model with its use counted. It can stream, and is safe for
// concurrent use.
type Model struct {
	meter *Meter
	inner llm.Model
	price Price
}

// ID returns the ID of the model within.
func (m *Model) ID() string { return m.inner.ID() }

// Generate asks, if there is budget left, and counts.
func (m *Model) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	if err := m.begin(); err != nil {
		return llm.Response{}, err
	}
	counted := false
	defer func() {
		if !counted { // a panic passes
			m.end(req, llm.Response{}, errors.New("panic"))
		}
	}()
	r, err := m.inner.Generate(ctx, req)
	counted = true
	m.end(req, r, err)
	return r, err
}

// Stream asks for pieces, if there is budget left, and counts.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Piece, error] {
	return func(yield func(llm.Piece, error) bool) {
		if err := m.begin(); err != nil {
			yield(llm.Piece{}, err)
			return
		}
		said := 0
		var end *llm.Response
		var failed error
		defer func() {
			switch {
			case end != nil:
				m.end(req, *end, nil)
			case failed != nil:
				m.end(req, llm.Response{}, failed)
			default: // left early, or cut
				m.end(req, llm.Response{
					Stop:  llm.StopUnknown,
					Usage: llm.Usage{Output: (said + bytesPerToken - 1) / bytesPerToken, Input: inputTokens(req)},
				}, errEstimated)
			}
		}()
		for p, err := range llm.Stream(ctx, m.inner, req) {
			said += len(p.Text)
			end, failed = p.Done, err
			if !yield(p, err) || end != nil || failed != nil {
				return
			}
		}
	}
}

// errEstimated marks a reply whose usage is estimated.
var errEstimated = errors.New("estimated")

// begin lets a call through, or says which bound is reached.
func (m *Model) begin() error {
	if err := m.price.check(); err != nil {
		return err
	}
	t := m.meter
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.budget
	switch {
	case b.Calls != 0 && t.begun >= b.Calls:
		return &BudgetError{"calls", float64(t.begun), float64(b.Calls)}
	case b.Tokens != 0 && t.sum.Usage.Input+t.sum.Usage.Output >= b.Tokens:
		return &BudgetError{"tokens", float64(t.sum.Usage.Input + t.sum.Usage.Output), float64(b.Tokens)}
	case b.Cost != 0 && !(t.sum.Cost < b.Cost && !math.IsInf(b.Cost, 0)):
		return &BudgetError{"cost", t.sum.Cost, b.Cost}
	}
	t.begun++
	return nil
}

// end counts a call that begin let through.
func (m *Model) end(req llm.Request, r llm.Response, err error) {
	var one Total
	cached := err == nil && r.Cached
	switch {
	case cached:
		one.Cached = 1
	case err != nil && !errors.Is(err, errEstimated):
		one.Calls, one.Failed = 1, 1
	default:
		one.Calls = 1
		if r.Complete() != nil {
			one.Incomplete = 1
		}
		one.Usage = llm.Usage{Input: max(0, r.Usage.Input), Output: max(0, r.Usage.Output), CachedInput: max(0, r.Usage.CachedInput)}
		switch {
		case err != nil:
			one.Estimated = 1
		case one.Usage.Input+one.Usage.Output == 0:
			one.Estimated = 1
			one.Usage = llm.Usage{Input: inputTokens(req), Output: (len(r.Text) + bytesPerToken - 1) / bytesPerToken}
		}
		one.Cost = m.price.Cost(one.Usage)
		one.Latency = max(0, r.Latency)
	}
	t := m.meter
	t.mu.Lock()
	defer t.mu.Unlock()
	if cached {
		t.begun--
	}
	id := m.inner.ID()
	if t.models[id] == nil {
		t.models[id] = &Total{}
	}
	t.models[id].add(one)
	t.sum.add(one)
}

// bytesPerToken is how much of an English text a token holds on average.
const bytesPerToken = 4

func inputTokens(req llm.Request) int {
	n := len(req.Schema)
	for _, m := range req.Messages {
		n += len(m.Text)
	}
	return (n + bytesPerToken - 1) / bytesPerToken
}
