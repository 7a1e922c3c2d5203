// Package limit keeps a language model within bounds that its backend sets: so
// many requests and tokens a minute (Rate), so many at once (Concurrent).
//
// It is no budget: what is over the rate waits. For a sum that ends the work see
// llm/usage.
package limit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/kgeval/kgeval/llm"
)

// Rates say how much a minute may hold. A rate of 0 or less is no bound.
type Rates struct {
	RequestsPerMinute float64
	// TokensPerMinute counts input and output together.
	TokensPerMinute float64
	// Burst is how much idle time may be caught up on: after a pause, what the
	// rates allow in that time may go at once, and one request always may.
	// Default 1 s.
	Burst time.Duration
}

// RateModel is a model that waits its turn. It can stream, and is safe for
// concurrent use.
type RateModel struct {
	inner llm.Model

	mu               sync.Mutex
	requests, tokens bucket
	notBefore        time.Time // the backend asked for quiet until then
	outputs          mean
}

// Rate returns m with a bound on its rate.
//
// Calls wait in the order in which they come. Before a call its tokens are
// estimated: the bytes of its messages and schema by 4, and MaxTokens or, where
// that is 0, the mean output so far. When its usage is known the difference is
// charged or given back, so that the rate holds in the long run even where
// single estimates are wrong; a request above the whole burst goes when the
// burst is there, and the calls after it wait longer.
//
// When the backend answers llm.ErrRateLimited with a time to wait, all calls
// wait that long. A wait that would outlast the context's deadline is not
// begun: the error is llm.ErrRateLimited with the time to wait. A context that
// ends during a wait gives back what it would have used.
func Rate(m llm.Model, r Rates) *RateModel {
	burst := r.Burst
	if !(burst > 0) {
		burst = time.Second
	}
	now := time.Now()
	return &RateModel{
		inner:    m,
		requests: newBucket(r.RequestsPerMinute, burst, now),
		tokens:   newBucket(r.TokensPerMinute, burst, now),
	}
}

// ID returns the ID of the model within.
func (m *RateModel) ID() string { return m.inner.ID() }

// Generate waits for its turn and asks.
func (m *RateModel) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	estimate, err := m.enter(ctx, req)
	if err != nil {
		return llm.Response{}, err
	}
	r, err := m.inner.Generate(ctx, req)
	m.leave(estimate, r, err)
	return r, err
}

// Stream waits for its turn and asks for pieces.
func (m *RateModel) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Piece, error] {
	return func(yield func(llm.Piece, error) bool) {
		estimate, err := m.enter(ctx, req)
		if err != nil {
			yield(llm.Piece{}, err)
			return
		}
		for p, err := range llm.Stream(ctx, m.inner, req) {
			switch {
			case err != nil:
				m.leave(estimate, llm.Response{}, err)
			case p.Done != nil:
				m.leave(estimate, *p.Done, nil)
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// enter waits and returns the tokens that were charged.
func (m *RateModel) enter(ctx context.Context, req llm.Request) (float64, error) {
	if err := llm.Validate(req); err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("limit: %w", err)
	}
	m.mu.Lock()
	now := time.Now()
	estimate := float64(inputTokens(req)) + m.outputs.value()
	if req.MaxTokens > 0 {
		estimate = float64(inputTokens(req) + req.MaxTokens)
	}
	wait := max(m.requests.wait(now, 1), m.tokens.wait(now, estimate), m.notBefore.Sub(now))
	if deadline, ok := ctx.Deadline(); ok && wait > 0 && deadline.Sub(now) <= wait {
		m.mu.Unlock()
		return 0, &llm.Error{Kind: llm.ErrRateLimited, RetryAfter: wait, Message: "the turn would come after the deadline"}
	}
	m.requests.take(1)
	m.tokens.take(estimate)
	m.mu.Unlock()

	for wait > 0 {
		if err := sleep(ctx, wait); err != nil {
			m.mu.Lock()
			m.requests.take(-1)
			m.tokens.take(-estimate)
			m.mu.Unlock()
			return 0, fmt.Errorf("limit: %w", err)
		}
		m.mu.Lock() // the backend may have asked for quiet meanwhile
		wait = time.Until(m.notBefore)
		m.mu.Unlock()
	}
	return estimate, nil
}

// leave puts the estimate right.
func (m *RateModel) leave(estimate float64, r llm.Response, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		if after, ok := llm.RetryAfter(err); ok && errors.Is(err, llm.ErrRateLimited) {
			if until := time.Now().Add(after); until.After(m.notBefore) {
				m.notBefore = until
			}
		}
		return // what a failed call has used is unknown; the estimate stands
	}
	if r.Cached {
		m.requests.take(-1)
		m.tokens.take(-estimate)
		return
	}
	if used := r.Usage.Input + r.Usage.Output; used > 0 {
		m.tokens.take(float64(used) - estimate)
		m.outputs.add(float64(r.Usage.Output))
	}
}

func inputTokens(req llm.Request) int {
	n := len(req.Schema)
	for _, m := range req.Messages {
		n += len(m.Text)
	}
	return (n + 3) / 4
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// mean is the running mean of the last dozens of values.
type mean struct{ n, m float64 }

func (a *mean) value() float64 { return a.m }

func (a *mean) add(x float64) {
	a.n = min(a.n+1, 50)
	a.m += (x - a.m) / a.n
}
