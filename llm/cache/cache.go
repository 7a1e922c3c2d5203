// Package cache keeps replies of a language model, so that the same request is
// not paid for twice, and asks only once for equal requests that come at the
// same time.
//
// Replies are kept in a Store: Memory is one, and llm/cache/boltcache keeps them
// on disk. The package is for saving calls, not for pinning tests to what a
// model once said: llm/cassette does that, in files that people can read.
package cache

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"sync/atomic"

	"github.com/kgeval/kgeval/llm"
)

// Store keeps values by key. Implementations are safe for concurrent use, and
// neither keep nor change the slices they are given after the call.
type Store interface {
	// Get returns the value of key, which belongs to the caller; ok is false
	// where there is none.
	Get(ctx context.Context, key string) (value []byte, ok bool, err error)
	// Put keeps value under key, in place of what was there.
	Put(ctx context.Context, key string, value []byte) error
}

// Options say what to keep. The zero value is sound.
type Options struct {
	// Keep says whether a reply is worth keeping. Default: Whole. It is never
	// asked about an error; errors are never kept.
	Keep func(llm.Response) bool
	// OnStoreError is told when the store fails. The call goes on without the
	// cache: a failed Get is a miss, a failed Put keeps nothing. It may be
	// called concurrently. Default: a warning in slog.Default.
	OnStoreError func(ctx context.Context, err error)
}

// Whole reports whether a reply came to its end and says something: a reply
// that was cut or refused, or whose end the backend does not tell, is not whole.
func Whole(r llm.Response) bool { return r.Complete() == nil && r.Text != "" }

// Stats count what a cache did since it was made.
type Stats struct {
	Hits        int64 // replies out of the store
	Joined      int64 // replies and errors shared with an equal request's call
	Misses      int64 // calls of the model
	Kept        int64 // replies put into the store
	StoreErrors int64
}

// Model is a model with a cache in front. It can stream, and is safe for
// concurrent use.
type Model struct {
	inner llm.Model
	store Store
	o     Options
	calls flight

	hits, joined, misses, kept, storeErrors atomic.Int64
}

// New returns m with a cache.
//
// The key is llm.Key of the model's ID and the whole request, so that a change
// of any field is another entry. A model that draws at random gives its first
// draw again and again; draws that shall differ have different Samples.
//
// Equal requests at the same time make one call; all get its reply or its
// error. The call ends when the last of them gave up, and no sooner: one
// caller's cancelled context does not fail the others. It sees the values of
// the first caller's context, and no deadline.
//
// A nil store keeps nothing: equal requests are joined, and that is all.
func New(m llm.Model, store Store, o Options) *Model {
	if o.Keep == nil {
		o.Keep = Whole
	}
	if o.OnStoreError == nil {
		o.OnStoreError = func(ctx context.Context, err error) {
			slog.WarnContext(ctx, "llm/cache: the store failed", "err", err)
		}
	}
	return &Model{inner: m, store: store, o: o}
}

// ID returns the ID of the model within.
func (m *Model) ID() string { return m.inner.ID() }

// Stats returns the counts so far.
func (m *Model) Stats() Stats {
	return Stats{m.hits.Load(), m.joined.Load(), m.misses.Load(), m.kept.Load(), m.storeErrors.Load()}
}

// Generate returns the kept reply, with Cached set, or asks. A reply that was
// shared with an equal request's call has Cached set for all callers but one.
func (m *Model) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	if err := llm.Validate(req); err != nil {
		return llm.Response{}, err
	}
	if err := ctx.Err(); err != nil {
		return llm.Response{}, fmt.Errorf("cache: %w", err)
	}
	key := llm.Key(m.inner.ID(), req)
	if r, ok := m.get(ctx, key); ok {
		return r, nil
	}
	// The call may outlive this caller, and its request must not: the caller is
	// free to change it afterwards.
	own := req.Clone()
	r, joined, err := m.calls.do(ctx, key, func(ctx context.Context) (llm.Response, error) {
		// A call that ended between the look above and here has left its reply.
		if r, ok := m.get(ctx, key); ok {
			return r, nil
		}
		m.misses.Add(1)
		r, err := m.inner.Generate(ctx, own)
		if err == nil {
			m.put(ctx, key, r)
		}
		return r, err
	})
	if joined {
		m.joined.Add(1)
		r.Cached = r.Cached || err == nil
	}
	return r, err
}

// Stream yields a kept reply as one piece, or asks for pieces and keeps the
// reply once it is whole. A stream is not joined with equal requests.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Piece, error] {
	return func(yield func(llm.Piece, error) bool) {
		if err := llm.Validate(req); err != nil {
			yield(llm.Piece{}, err)
			return
		}
		if err := ctx.Err(); err != nil {
			yield(llm.Piece{}, fmt.Errorf("cache: %w", err))
			return
		}
		key := llm.Key(m.inner.ID(), req)
		if r, ok := m.get(ctx, key); ok {
			yield(llm.Piece{Text: r.Text, Done: &r}, nil)
			return
		}
		m.misses.Add(1)
		for p, err := range llm.Stream(ctx, m.inner, req) {
			if err == nil && p.Done != nil {
				m.put(ctx, key, *p.Done)
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

func (m *Model) get(ctx context.Context, key string) (llm.Response, bool) {
	if m.store == nil {
		return llm.Response{}, false
	}
	value, ok, err := m.store.Get(ctx, key)
	var r llm.Response
	if err == nil && ok {
		r, err = decode(value)
	}
	if err != nil {
		m.failed(ctx, fmt.Errorf("reading a reply: %w", err))
		return llm.Response{}, false
	}
	if !ok {
		return llm.Response{}, false
	}
	m.hits.Add(1)
	r.Cached = true
	return r, true
}

func (m *Model) put(ctx context.Context, key string, r llm.Response) {
	if m.store == nil || r.Cached || !m.o.Keep(r.Clone()) {
		return
	}
	value, err := encode(r)
	if err == nil {
		err = m.store.Put(ctx, key, value)
	}
	if err != nil {
		m.failed(ctx, fmt.Errorf("keeping a reply: %w", err))
		return
	}
	m.kept.Add(1)
}

func (m *Model) failed(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return // the caller is gone, and so was the store's time
	}
	m.storeErrors.Add(1)
	m.o.OnStoreError(ctx, err)
}
