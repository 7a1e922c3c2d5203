package wl

import "sync"

// Labels gives strings the integers by which graphs name them: equal strings
// the same integer, different strings different ones, counted from 0 in the
// order of first sight. Graphs are comparable when their labels come from the
// same Labels. Nodes and edges may share one or have one each. The zero value
// is empty and ready. It is safe for concurrent use; then the integers depend
// on who came first, but no kernel value does.
type Labels struct {
	mu    sync.RWMutex
	id    map[string]int
	names []string
}

// ID returns the integer of s, a new one where s was not seen before.
func (l *Labels) ID(s string) int {
	l.mu.RLock()
	id, ok := l.id[s]
	l.mu.RUnlock()
	if ok {
		return id
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if id, ok := l.id[s]; ok {
		return id
	}
	if l.id == nil {
		l.id = make(map[string]int)
	}
	id = len(l.names)
	l.id[s] = id
	l.names = append(l.names, s)
	return id
}

// Name returns the string whose integer is id, and false where there is none.
func (l *Labels) Name(id int) (string, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if id < 0 || id >= len(l.names) {
		return "", false
	}
	return l.names[id], true
}

// Len returns how many strings have an integer.
func (l *Labels) Len() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return len(l.names)
}
