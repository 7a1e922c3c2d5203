// Package retry asks a language model again when it failed in a way that may
// pass: it was busy, unreachable, or broke off.
//
// It is not for replies that came and are of no use (cut, refused, not in the
// format that was asked for): asking the same again is the caller's decision.
package retry

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/kgeval/kgeval/llm"
)

// Options say how often and how long to try. The zero value is sound.
type Options struct {
	// Attempts is the largest number of calls for one request, the first one
	// included. Default 4.
	Attempts int
	// First is the longest wait before the second attempt; it doubles with each
	// further one. Default 500 ms.
	First time.Duration
	// Max bounds that wait. Default 30 s.
	Max time.Duration
	// MaxRetryAfter is the longest wait that a backend may ask for. A backend
	// that asks for more is not asked again. Default 2 min.
	MaxRetryAfter time.Duration
	// Timeout bounds each attempt; one that takes longer counts as
	// llm.ErrUnavailable. Waits that models within add (llm/limit) are part of
	// it; a client's own timeout is closer to the point. Default: no bound but
	// the context's. A stream's attempt ends with its last piece.
	Timeout time.Duration
	// Retryable says whether an error may pass. Default: Retryable. It is not
	// asked about errors of the caller's context.
	Retryable func(error) bool
	// OnRetry, if set, is called before each wait. It may be called
	// concurrently, for different requests.
	OnRetry func(ctx context.Context, f Failure)
}

// Failure is an attempt that failed and is followed by another.
type Failure struct {
	Attempt int           // from 1
	Err     error         // why it failed
	Wait    time.Duration // until the next attempt
}

// Model is a model that asks another one again. It can stream, and is safe for
// concurrent use.
type Model struct {
	inner llm.Model
	o     Options
}

// New returns m with retries.
//
// The wait before attempt n+1 is drawn from [d/2, d], where d = First·2^(n-1),
// at most Max. Where the backend said how long to wait (llm.RetryAfter), the
// wait is that long and up to a tenth longer, if that is more. A wait that would
// outlast the context's deadline is not begun: the last error is returned at
// once. A context that ends during a wait ends it; the error then wraps the
// context's error and that of the last attempt.
func New(m llm.Model, o Options) *Model { return &Model{m, o.withDefaults()} }

func (o Options) withDefaults() Options {
	if o.Attempts < 1 {
		o.Attempts = 4
	}
	if o.First <= 0 {
		o.First = 500 * time.Millisecond
	}
	if o.Max <= 0 {
		o.Max = 30 * time.Second
	}
	if o.MaxRetryAfter <= 0 {
		o.MaxRetryAfter = 2 * time.Minute
	}
	if o.Retryable == nil {
		o.Retryable = Retryable
	}
	return o
}

// Retryable reports whether asking the same again may help: true for
// llm.ErrRateLimited, llm.ErrUnavailable, llm.ErrBadReply and a stream that was
// cut; false for all else, a context's error among them.
func Retryable(err error) bool {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	case errors.Is(err, llm.ErrRateLimited), errors.Is(err, llm.ErrUnavailable), errors.Is(err, llm.ErrBadReply):
		return true
	case errors.Is(err, llm.ErrTruncated):
		var cutAtTheLimit *llm.IncompleteError
		return !errors.As(err, &cutAtTheLimit)
	}
	return false
}

// ID returns the ID of the model within.
func (m *Model) ID() string { return m.inner.ID() }

// Generate asks until there is a reply, an error that won't pass, or no attempt
// left. After several attempts the error says how many, and wraps the last one.
func (m *Model) Generate(ctx context.Context, req llm.Request) (r llm.Response, err error) {
	err = m.o.do(ctx, func(ctx context.Context) error {
		r, err = m.inner.Generate(ctx, req)
		return err
	})
	return r, err
}

// Do calls ask until it returns nil, an error that won't pass, or no attempt is
// left, as New says. It is for other requests to models than those for a reply,
// such as for vectors; their errors are those of package llm too. Each context
// that ask is given ends with its attempt.
func Do(ctx context.Context, o Options, ask func(context.Context) error) error {
	return o.withDefaults().do(ctx, ask)
}

func (o Options) do(ctx context.Context, ask func(context.Context) error) error {
	for n := 1; ; n++ {
		attempt, cancel := o.attempt(ctx)
		err := ask(attempt)
		err = o.overtime(ctx, attempt, err)
		cancel()
		if err == nil {
			return nil
		}
		if stop := o.pause(ctx, n, err); stop != nil {
			return stop
		}
	}
}

// Stream is Generate in pieces. Once a piece with text was handed on, a failure
// is handed on too: what was said can't be taken back.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Piece, error] {
	return func(yield func(llm.Piece, error) bool) {
		for n := 1; ; n++ {
			failed, more := m.streamOnce(ctx, req, yield)
			if !more {
				return
			}
			if stop := m.o.pause(ctx, n, failed); stop != nil {
				yield(llm.Piece{}, stop)
				return
			}
		}
	}
}

// streamOnce yields one attempt's pieces; more is true where it failed before
// there was any text.
func (m *Model) streamOnce(ctx context.Context, req llm.Request, yield func(llm.Piece, error) bool) (failed error, more bool) {
	attempt, cancel := m.o.attempt(ctx)
	defer cancel()
	said := false
	for p, err := range llm.Stream(attempt, m.inner, req) {
		if err != nil {
			err = m.o.overtime(ctx, attempt, err)
			if !said {
				return err, true
			}
			yield(llm.Piece{}, err)
			return nil, false
		}
		if p.Text == "" && p.Done == nil {
			continue
		}
		said = said || p.Text != ""
		if !yield(p, nil) || p.Done != nil {
			return nil, false
		}
	}
	err := &llm.Error{Kind: llm.ErrTruncated, Message: "the stream ended without saying that the reply has"}
	if !said {
		return err, true
	}
	yield(llm.Piece{}, err)
	return nil, false
}

func (o Options) attempt(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.Timeout <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, o.Timeout)
}

// overtime replaces the error of an attempt that ran out of its own time. The
// caller's context has not ended, so its error must not be in there.
func (o Options) overtime(ctx, attempt context.Context, err error) error {
	if err != nil && ctx.Err() == nil && attempt.Err() != nil && errors.Is(err, context.DeadlineExceeded) {
		return &llm.Error{Kind: llm.ErrUnavailable, Message: fmt.Sprintf("no reply within %v", o.Timeout)}
	}
	return err
}

// pause waits before attempt n+1. It returns the error to end with where there
// is none.
func (o Options) pause(ctx context.Context, n int, err error) error {
	if ended := ctx.Err(); ended != nil {
		return llm.ContextError(ctx, gaveUp(n, err))
	}
	if n >= o.Attempts || !o.Retryable(err) {
		return gaveUp(n, err)
	}
	wait := o.wait(n)
	if after, ok := llm.RetryAfter(err); ok {
		if after > o.MaxRetryAfter {
			return gaveUp(n, err)
		}
		wait = max(wait, after+rand.N(after/10+1))
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return fmt.Errorf("retry: the next attempt, in %v, would miss the deadline: %w", wait.Round(time.Millisecond), gaveUp(n, err))
	}
	if o.OnRetry != nil {
		o.OnRetry(ctx, Failure{Attempt: n, Err: err, Wait: wait})
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return llm.ContextError(ctx, gaveUp(n, err))
	}
}

// wait draws from the upper half of First·2^(n-1), at most Max.
func (o Options) wait(n int) time.Duration {
	d := o.First
	for range n - 1 {
		if d >= o.Max/2 {
			d = o.Max
			break
		}
		d *= 2
	}
	d = min(d, o.Max)
	return d/2 + rand.N(d-d/2+1)
}

func gaveUp(n int, err error) error {
	if n == 1 {
		return err
	}
	return fmt.Errorf("retry: after %d attempts: %w", n, err)
}
