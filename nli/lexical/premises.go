package lexical

import (
	"container/list"
	"context"
	"sync"
)

// Bounds of the cache of prepared premises: how many, and how many bytes of
// text together. One premise may exceed the bytes alone.
const (
	maxPremises     = 64
	maxPremiseBytes = 8 << 20
)

// premises keeps the last used prepared premises.
type premises struct {
	m                  *Model
	maxCount, maxBytes int

	mu    sync.Mutex
	uses  list.List // of *premise, the last used first
	at    map[string]*list.Element
	bytes int
}

func newPremises(m *Model, maxCount, maxBytes int) *premises {
	return &premises{m: m, maxCount: maxCount, maxBytes: maxBytes, at: map[string]*list.Element{}}
}

// get returns the prepared premise for text. Two callers that ask for a new one
// at the same time both prepare it; the results are alike.
func (c *premises) get(ctx context.Context, text string) (*premise, error) {
	c.mu.Lock()
	if e, ok := c.at[text]; ok {
		c.uses.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(*premise), nil
	}
	c.mu.Unlock()
	p, err := c.m.prepare(ctx, text)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.at[text]; ok {
		c.uses.MoveToFront(e)
		return e.Value.(*premise), nil
	}
	c.at[text] = c.uses.PushFront(p)
	c.bytes += len(text)
	for c.uses.Len() > 1 && (c.uses.Len() > c.maxCount || c.bytes > c.maxBytes) {
		last := c.uses.Back()
		old := last.Value.(*premise)
		c.uses.Remove(last)
		delete(c.at, old.text)
		c.bytes -= len(old.text)
	}
	return p, nil
}
