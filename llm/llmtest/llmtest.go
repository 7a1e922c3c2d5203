// Package llmtest holds a language model that says what a test tells it to. It
// is for tests; it asks nobody and understands nothing.
package llmtest

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/kgeval/kgeval/llm"
)

// Model answers each request with Reply, and remembers what it was asked. It
// is safe for concurrent use if Reply is.
type Model struct {
	// Name is the ID; "" stands for "llmtest".
	Name string
	// Reply answers the request, the n-th of the model's (from 0). A Response
	// without Stop gets llm.StopEnd, one without Model the ID.
	Reply func(ctx context.Context, n int, req llm.Request) (llm.Response, error)

	mu       sync.Mutex
	requests []llm.Request
}

// New returns a model that answers with reply.
func New(reply func(ctx context.Context, n int, req llm.Request) (llm.Response, error)) *Model {
	return &Model{Reply: reply}
}

// Step is one answer of a Script.
type Step struct {
	Response llm.Response
	Err      error
}

// Say is a step that replies with text and StopEnd.
func Say(text string) Step { return Step{Response: llm.Response{Text: text, Stop: llm.StopEnd}} }

// Fail is a step that fails with err.
func Fail(err error) Step { return Step{Err: err} }

// Script returns a model that takes one step for each request, in order. A
// request beyond the last step is an error.
func Script(steps ...Step) *Model {
	return New(func(_ context.Context, n int, _ llm.Request) (llm.Response, error) {
		if n >= len(steps) {
			return llm.Response{}, fmt.Errorf("llmtest: request %d, and the script has %d steps", n+1, len(steps))
		}
		return steps[n].Response, steps[n].Err
	})
}

// ID returns the model's name.
func (m *Model) ID() string {
	if m.Name == "" {
		return "llmtest"
	}
	return m.Name
}

// Generate validates the request, looks at the context and answers with Reply.
func (m *Model) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	if err := llm.Validate(req); err != nil {
		return llm.Response{}, err
	}
	m.mu.Lock()
	n := len(m.requests)
	m.requests = append(m.requests, req.Clone())
	m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return llm.Response{}, fmt.Errorf("llmtest: %w", err)
	}
	r, err := m.Reply(ctx, n, req)
	if err != nil {
		return r, err
	}
	if r.Stop == "" {
		r.Stop = llm.StopEnd
	}
	if r.Model == "" {
		r.Model = m.ID()
	}
	return r, nil
}

// Stream yields the reply word by word. A step that fails yields its
// Response's text first.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Piece, error] {
	return func(yield func(llm.Piece, error) bool) {
		r, err := m.Generate(ctx, req)
		for _, word := range strings.SplitAfter(r.Text, " ") {
			if cut := ctx.Err(); cut != nil {
				yield(llm.Piece{}, fmt.Errorf("llmtest: %w", cut))
				return
			}
			if word != "" && !yield(llm.Piece{Text: word}, nil) {
				return
			}
		}
		if err != nil {
			yield(llm.Piece{}, err)
			return
		}
		yield(llm.Piece{Done: &r}, nil)
	}
}

// Requests returns what the model was asked so far, in order.
func (m *Model) Requests() []llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// Echo is a Reply that repeats the last message.
func Echo(_ context.Context, _ int, req llm.Request) (llm.Response, error) {
	return llm.Response{Text: "You said: " + req.Messages[len(req.Messages)-1].Text}, nil
}
