package experiment

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/usage"
)

// Budget bounds what all answers of a log use together, over all the times it was gone on
// with. A bound of 0 is none.
type Budget struct {
	Tokens int     // input and output
	Cost   float64 // in the currency of the prices
}

func (b Budget) bounded() bool { return b.Tokens > 0 || b.Cost > 0 }

// BudgetError says that the next answer could exceed the budget, and that the run
// stopped before it. It wraps usage.ErrBudget.
type BudgetError struct {
	Bound string // "tokens" or "cost"
	// Spent is what the log's answers used, Next what the next one could use at most.
	Spent, Next, Limit float64
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("the budget of %.6g %s is nearly spent: %.6g so far, and the next answer could use %.6g", e.Limit, unit(e.Bound), e.Spent, e.Next)
}

func unit(bound string) string {
	if bound == "cost" {
		return "in money"
	}
	return bound
}

// Unwrap returns usage.ErrBudget.
func (e *BudgetError) Unwrap() error { return usage.ErrBudget }

// purse keeps what is spent, and what answers under way could use. It is safe for
// concurrent use.
type purse struct {
	budget Budget

	mu       sync.Mutex
	changed  chan struct{} // closed at each change
	spent    spending
	reserved spending
	under    int // way
}

func newPurse(b Budget, spent spending) *purse {
	return &purse{budget: b, spent: spent, changed: make(chan struct{})}
}

// take sets aside what an answer could use. It waits for those under way if there
// would be room without what they have set aside, and fails with a *BudgetError if there
// is none even so.
func (p *purse) take(ctx context.Context, most spending) error {
	for {
		p.mu.Lock()
		err := p.room(most)
		if err == nil {
			p.reserved.tokens += most.tokens
			p.reserved.cost += most.cost
			p.under++
			p.mu.Unlock()
			return nil
		}
		under, changed := p.under, p.changed
		p.mu.Unlock()
		if under == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

func (p *purse) room(most spending) error {
	if b := p.budget.Tokens; b > 0 && p.spent.tokens+p.reserved.tokens+most.tokens > b {
		return &BudgetError{"tokens", float64(p.spent.tokens), float64(most.tokens), float64(b)}
	}
	if b := p.budget.Cost; b > 0 && p.spent.cost+p.reserved.cost+most.cost > b {
		return &BudgetError{"cost", p.spent.cost, most.cost, b}
	}
	return nil
}

// settle gives back what take set aside, and counts what was used.
func (p *purse) settle(most, used spending) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reserved.tokens -= most.tokens
	p.reserved.cost -= most.cost
	p.under--
	if p.under == 0 { // no rest of rounding
		p.reserved = spending{}
	}
	p.spent.tokens += used.tokens
	p.spent.cost += used.cost
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *purse) total() spending {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spent
}

func spendingOf(u llm.Usage, price usage.Price) spending {
	return spending{u.Input + u.Output, price.Cost(u)}
}

// ratio is the largest number of tokens a byte that a model's requests had so far, with a
// margin; before the first, half a token a byte. It is safe for concurrent use.
type ratio struct {
	mu    sync.Mutex
	known bool
	most  float64
}

const ratioMargin = 1.1

func (r *ratio) tokens(bytes int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	per := 0.5
	if r.known {
		per = r.most * ratioMargin
	}
	return int(math.Ceil(per * float64(bytes)))
}

func (r *ratio) saw(bytes, tokens int) {
	if bytes <= 0 || tokens <= 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known, r.most = true, max(r.most, float64(tokens)/float64(bytes))
}
