package embed

import (
	"container/list"
	"context"
	"errors"
	"sync"
)

// Cached returns an embedder that remembers the vectors of the last used entries
// texts, by text and ID of e. A text that is asked for by several callers at once
// is embedded once: the others wait for the first. If that first caller's context
// ends, one of those who wait asks again; any other failure is theirs too. A text
// that is twice in a call is asked for once. Failures and zero vectors are not
// remembered. Entries below 1 remember nothing.
//
// Memory is bounded by entries vectors and their texts. The result carries the ID
// of e, and its thresholds if it has any, and is safe for concurrent use if e is.
func Cached(e Embedder, entries int) Embedder {
	return likeInner(&cached{
		inner:   e,
		entries: entries,
		recent:  list.New(),
		known:   make(map[cacheKey]*list.Element),
		pending: make(map[cacheKey]*pendingVector),
	}, e)
}

type cacheKey struct{ id, text string }

type cacheEntry struct {
	key    cacheKey
	vector []float32
}

// pendingVector is a vector that some caller is asking for. vector and err may be
// read once done is closed.
type pendingVector struct {
	done   chan struct{}
	vector []float32
	err    error
}

type cached struct {
	inner   Embedder
	entries int

	mu      sync.Mutex
	recent  *list.List // of *cacheEntry, last used first
	known   map[cacheKey]*list.Element
	pending map[cacheKey]*pendingVector
}

func (c *cached) ID() string { return c.inner.ID() }

func (c *cached) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	id := c.inner.ID()
	got := make(map[string][]float32, len(texts))
	for {
		var mine []string                       // texts that this call asks for
		var ours []*pendingVector               // their entries in c.pending
		theirs := map[string]*pendingVector{}   // texts that other calls ask for
		seen := make(map[string]bool, len(got)) // texts met in this round
		c.mu.Lock()
		for _, t := range texts {
			if seen[t] || got[t] != nil {
				continue
			}
			seen[t] = true
			key := cacheKey{id, t}
			if el, ok := c.known[key]; ok {
				c.recent.MoveToFront(el)
				got[t] = el.Value.(*cacheEntry).vector
			} else if p, ok := c.pending[key]; ok {
				theirs[t] = p
			} else {
				p := &pendingVector{done: make(chan struct{})}
				c.pending[key] = p
				mine, ours = append(mine, t), append(ours, p)
			}
		}
		c.mu.Unlock()

		// Our own first: whoever waits for them never waits for us in a circle.
		if len(mine) > 0 {
			vectors, err := c.ask(ctx, id, mine, ours)
			if err != nil {
				return nil, err
			}
			for i, t := range mine {
				got[t] = vectors[i]
			}
		}
		again := false
		for t, p := range theirs {
			select {
			case <-p.done:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			switch {
			case p.err == nil:
				got[t] = p.vector
			case errors.Is(p.err, context.Canceled), errors.Is(p.err, context.DeadlineExceeded):
				again = true
			default:
				return nil, p.err
			}
		}
		if !again {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	vectors := make([][]float32, len(texts))
	for i, t := range texts {
		vectors[i] = got[t]
	}
	return vectors, nil
}

// errAbandoned stands for an embedder that never returned (it panicked).
var errAbandoned = errors.New("embed: the embedder did not return")

// ask embeds texts and settles their pending entries, come what may.
func (c *cached) ask(ctx context.Context, id string, texts []string, pending []*pendingVector) (vectors [][]float32, err error) {
	err = errAbandoned
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		for i, p := range pending {
			key := cacheKey{id, texts[i]}
			delete(c.pending, key)
			if p.err = err; err == nil {
				p.vector = vectors[i]
				c.remember(key, vectors[i])
			}
			close(p.done)
		}
	}()
	vectors, err = c.inner.Embed(ctx, texts)
	if err == nil {
		err = Check(texts, vectors)
	}
	return vectors, err
}

// remember stores a vector; c.mu is held.
func (c *cached) remember(key cacheKey, vector []float32) {
	if c.entries < 1 || isZero(vector) {
		return
	}
	c.known[key] = c.recent.PushFront(&cacheEntry{key, vector})
	for c.recent.Len() > c.entries {
		last := c.recent.Back()
		delete(c.known, last.Value.(*cacheEntry).key)
		c.recent.Remove(last)
	}
}

func isZero(v []float32) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}
