package nli

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
)

// Cached returns a model that remembers m's answers to the last size pairs
// (at least one). Pairs are remembered by a hash of 256 bits, so an entry's
// memory does not grow with its texts. Answers with an Err are not remembered.
//
// The returned model has m's ID, and is a Windower and an Explainer where m is;
// explanations are not remembered. It is safe for concurrent use; two calls at
// one time may both ask m.
func Cached(m Model, size int) Model {
	c := &cache{Model: m, size: max(size, 1), at: map[pairKey]*list.Element{}}
	w, isWindower := m.(Windower)
	e, isExplainer := m.(Explainer)
	switch {
	case isWindower && isExplainer:
		return &struct {
			*cache
			window
			explain
		}{c, window{w}, explain{e}}
	case isWindower:
		return &struct {
			*cache
			window
		}{c, window{w}}
	case isExplainer:
		return &struct {
			*cache
			explain
		}{c, explain{e}}
	}
	return c
}

// window and explain add the optional methods alone, so that they do not clash
// with the cache's own.
type window struct{ w Windower }

func (x window) Cost(text string) int { return x.w.Cost(text) }
func (x window) Budget() int          { return x.w.Budget() }

type explain struct{ e Explainer }

func (x explain) Explain(ctx context.Context, p Pair) (Explanation, error) {
	return x.e.Explain(ctx, p)
}

type pairKey [sha256.Size]byte

func keyOf(p Pair) pairKey {
	h := sha256.New()
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(len(p.Premise)))
	h.Write(n[:])
	h.Write([]byte(p.Premise))
	h.Write([]byte(p.Hypothesis))
	return pairKey(h.Sum(nil))
}

type cacheEntry struct {
	key   pairKey
	probs Probs
}

type cache struct {
	Model
	size int

	mu   sync.Mutex
	uses list.List // of cacheEntry, the last used first
	at   map[pairKey]*list.Element
}

func (c *cache) Classify(ctx context.Context, pairs []Pair) ([]Probs, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := make([]Probs, len(pairs))
	keys := make([]pairKey, len(pairs))
	var ask []Pair
	var where []int
	first := map[pairKey]int{} // of those to ask: position in ask
	for i, p := range pairs {
		keys[i] = keyOf(p)
		if probs, ok := c.get(keys[i]); ok {
			out[i] = probs
			continue
		}
		k, ok := first[keys[i]]
		if !ok {
			k = len(ask)
			first[keys[i]] = k
			ask = append(ask, p)
		}
		where = append(where, i, k)
	}
	if len(ask) == 0 {
		return out, nil
	}
	probs, err := c.Model.Classify(ctx, ask)
	if err != nil {
		return nil, err
	}
	if len(probs) != len(ask) {
		return nil, fmt.Errorf("nli: %s: %d answers for %d pairs", c.ID(), len(probs), len(ask))
	}
	for n := 0; n < len(where); n += 2 {
		i, k := where[n], where[n+1]
		out[i] = probs[k]
		if probs[k].Err == nil {
			c.put(keys[i], probs[k])
		}
	}
	return out, nil
}

func (c *cache) get(k pairKey) (Probs, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.at[k]
	if !ok {
		return Probs{}, false
	}
	c.uses.MoveToFront(e)
	return e.Value.(cacheEntry).probs, true
}

func (c *cache) put(k pairKey, p Probs) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.at[k]; ok {
		c.uses.MoveToFront(e)
		return
	}
	c.at[k] = c.uses.PushFront(cacheEntry{k, p})
	if c.uses.Len() > c.size {
		last := c.uses.Back()
		delete(c.at, last.Value.(cacheEntry).key)
		c.uses.Remove(last)
	}
}
