package limit

import (
	"context"
	"fmt"
	"iter"

	"github.com/kgeval/kgeval/llm"
)

// ConcurrentModel is a model that answers only so many at once. It can stream,
// and is safe for concurrent use.
type ConcurrentModel struct {
	inner llm.Model
	slots chan struct{}
}

// Concurrent returns m with at most n calls at once; less than 1 counts as 1.
// Others wait until a call ends or their context does. A stream holds its place
// until its last piece was taken or its loop left.
func Concurrent(m llm.Model, n int) *ConcurrentModel {
	return &ConcurrentModel{m, make(chan struct{}, max(1, n))}
}

// ID returns the ID of the model within.
func (m *ConcurrentModel) ID() string { return m.inner.ID() }

// Generate waits for a place and asks.
func (m *ConcurrentModel) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	if err := m.enter(ctx); err != nil {
		return llm.Response{}, err
	}
	defer m.leave()
	return m.inner.Generate(ctx, req)
}

// Stream waits for a place and asks for pieces.
func (m *ConcurrentModel) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Piece, error] {
	return func(yield func(llm.Piece, error) bool) {
		if err := m.enter(ctx); err != nil {
			yield(llm.Piece{}, err)
			return
		}
		defer m.leave()
		for p, err := range llm.Stream(ctx, m.inner, req) {
			if !yield(p, err) {
				return
			}
		}
	}
}

func (m *ConcurrentModel) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil { // select would choose at random
		return fmt.Errorf("limit: %w", err)
	}
	select {
	case m.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("limit: %w", ctx.Err())
	}
}

func (m *ConcurrentModel) leave() { <-m.slots }
