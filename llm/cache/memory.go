package cache

import (
	"container/list"
	"context"
	"slices"
	"sync"
)

// Memory is a Store in memory. When it is full, what was not used for the
// longest time goes.
type Memory struct {
	mu      sync.Mutex
	max     int
	size    int
	order   list.List // of *entry; the latest used in front
	entries map[string]*list.Element
}

type entry struct {
	key   string
	value []byte
}

// overhead is about what an entry costs besides its key and value.
const overhead = 200

// NewMemory returns an empty store for about maxBytes of keys and values; less
// than 1 stands for 64 MiB. A value that alone is larger is not kept.
func NewMemory(maxBytes int) *Memory {
	if maxBytes < 1 {
		maxBytes = 64 << 20
	}
	return &Memory{max: maxBytes, entries: map[string]*list.Element{}}
}

// Get returns the value of key. It never fails.
func (s *Memory) Get(_ context.Context, key string) ([]byte, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.entries[key]
	if !ok {
		return nil, false, nil
	}
	s.order.MoveToFront(e)
	return slices.Clone(e.Value.(*entry).value), true, nil
}

// Put keeps value under key. It never fails.
func (s *Memory) Put(_ context.Context, key string, value []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.entries[key]; ok {
		s.drop(e)
	}
	if cost(key, value) > s.max {
		return nil
	}
	s.entries[key] = s.order.PushFront(&entry{key, slices.Clone(value)})
	s.size += cost(key, value)
	for s.size > s.max {
		s.drop(s.order.Back())
	}
	return nil
}

// Len returns the number of entries.
func (s *Memory) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.entries)
}

func (s *Memory) drop(e *list.Element) {
	x := s.order.Remove(e).(*entry)
	delete(s.entries, x.key)
	s.size -= cost(x.key, x.value)
}

func cost(key string, value []byte) int { return len(key) + len(value) + overhead }
