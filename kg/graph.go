package kg

import (
	"iter"
	"slices"
	"strings"
)

// Graph is an insertion-ordered set of triples: a directed multigraph whose
// nodes are the entities of its triples. Parallel relations between the same
// entities and self loops are kept; an exact duplicate is held once, at the
// place of its first sight. An entity without a triple is not in the graph.
//
// The zero value and NewGraph() are empty graphs ready for use. A nil *Graph
// reads as an empty graph; only Add (and UnmarshalJSON) need a real one.
//
// Methods that read may run concurrently with each other, but not with Add,
// Remove or UnmarshalJSON. Has, Len, Degree, Add and, amortised, Remove of a
// triple with small degree take constant time; Out, In, Between and Neighbors
// are linear in the entity's degree; everything else is linear in the number
// of triples. Slices and graphs that methods return belong to the caller.
//
// Graph is for the graphs of texts, up to some million triples in memory. It is
// not a triple store: it has no query language, no inference, no types.
type Graph struct {
	triples []Triple // in order of insertion, with holes where dead
	dead    []bool   // nil while nothing was removed
	holes   int
	index   map[Triple]int   // place in triples
	out, in map[string][]int // places by head and by tail, ascending
}

// NewGraph returns a graph of the given triples, exact duplicates once.
func NewGraph(triples ...Triple) *Graph {
	g := &Graph{index: make(map[Triple]int, len(triples))}
	for _, t := range triples {
		g.Add(t)
	}
	return g
}

// Collect returns a graph of the triples of seq, exact duplicates once.
func Collect(seq iter.Seq[Triple]) *Graph {
	g := NewGraph()
	for t := range seq {
		g.Add(t)
	}
	return g
}

// Add adds t and reports whether it was new.
func (g *Graph) Add(t Triple) bool {
	if _, ok := g.index[t]; ok {
		return false
	}
	if g.index == nil {
		g.index = make(map[Triple]int)
	}
	if g.out == nil {
		g.out, g.in = make(map[string][]int), make(map[string][]int)
	}
	at := len(g.triples)
	g.index[t] = at
	g.triples = append(g.triples, t)
	if g.dead != nil {
		g.dead = append(g.dead, false)
	}
	g.out[t.Head] = append(g.out[t.Head], at)
	g.in[t.Tail] = append(g.in[t.Tail], at)
	return true
}

// Remove takes t out and reports whether it was there. The order of the others
// stays; t added again later comes last.
func (g *Graph) Remove(t Triple) bool {
	if g == nil {
		return false
	}
	at, ok := g.index[t]
	if !ok {
		return false
	}
	delete(g.index, t)
	drop(g.out, t.Head, at)
	drop(g.in, t.Tail, at)
	if g.dead == nil {
		g.dead = make([]bool, len(g.triples))
	}
	g.dead[at] = true
	g.triples[at] = Triple{}
	g.holes++
	if g.holes > 32 && g.holes > len(g.triples)/2 {
		*g = *Collect(g.Triples())
	}
	return true
}

func drop(m map[string][]int, key string, at int) {
	s := m[key]
	if i, ok := slices.BinarySearch(s, at); ok {
		s = slices.Delete(s, i, i+1)
	}
	if len(s) == 0 {
		delete(m, key)
	} else {
		m[key] = s
	}
}

// Has reports whether t is in g.
func (g *Graph) Has(t Triple) bool {
	if g == nil {
		return false
	}
	_, ok := g.index[t]
	return ok
}

// HasEntity reports whether entity is the head or tail of a triple of g.
func (g *Graph) HasEntity(entity string) bool {
	return g != nil && (len(g.out[entity]) > 0 || len(g.in[entity]) > 0)
}

// Len returns the number of triples.
func (g *Graph) Len() int {
	if g == nil {
		return 0
	}
	return len(g.triples) - g.holes
}

// Triples yields the triples in order of insertion. g must not be changed
// meanwhile.
func (g *Graph) Triples() iter.Seq[Triple] {
	return func(yield func(Triple) bool) {
		if g == nil {
			return
		}
		for i, t := range g.triples {
			if g.dead != nil && g.dead[i] {
				continue
			}
			if !yield(t) {
				return
			}
		}
	}
}

// Slice returns the triples in order of insertion; nil when there are none.
func (g *Graph) Slice() []Triple {
	if g.Len() == 0 {
		return nil
	}
	return slices.AppendSeq(make([]Triple, 0, g.Len()), g.Triples())
}

// String returns the triples for a log or a failure message, one a line, as
// Triple.String writes them; "" for an empty graph. The form may change; use
// Encode for what is to be read again.
func (g *Graph) String() string {
	var b strings.Builder
	for t := range g.Triples() {
		b.WriteString(t.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// Entities returns the distinct heads and tails in order of first sight, a
// triple's head before its tail; nil when there are none.
func (g *Graph) Entities() []string {
	var out []string
	seen := make(map[string]bool)
	for t := range g.Triples() {
		for _, e := range [...]string{t.Head, t.Tail} {
			if !seen[e] {
				seen[e] = true
				out = append(out, e)
			}
		}
	}
	return out
}

// Relations returns the distinct relation labels in order of first sight; nil
// when there are none.
func (g *Graph) Relations() []string {
	var out []string
	seen := make(map[string]bool)
	for t := range g.Triples() {
		if !seen[t.Relation] {
			seen[t.Relation] = true
			out = append(out, t.Relation)
		}
	}
	return out
}

// Out returns the triples whose head is entity, in order of insertion; nil for
// an entity that is not in g.
func (g *Graph) Out(entity string) []Triple {
	if g == nil {
		return nil
	}
	return g.at(g.out[entity])
}

// In returns the triples whose tail is entity, in order of insertion; nil for
// an entity that is not in g.
func (g *Graph) In(entity string) []Triple {
	if g == nil {
		return nil
	}
	return g.at(g.in[entity])
}

func (g *Graph) at(places []int) []Triple {
	if len(places) == 0 {
		return nil
	}
	out := make([]Triple, len(places))
	for i, p := range places {
		out[i] = g.triples[p]
	}
	return out
}

// incident returns the places of the triples that entity is an end of,
// ascending, a self loop once.
func (g *Graph) incident(entity string) []int {
	if g == nil {
		return nil
	}
	a, b := g.out[entity], g.in[entity]
	out := make([]int, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case len(a) == 0 || b[0] < a[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return out
}

// Neighbors returns the entities that a triple joins to entity in either
// direction, each once, in order of first sight; entity itself is among them
// only when it has a self loop. Nil for an entity that is not in g.
func (g *Graph) Neighbors(entity string) []string {
	var out []string
	seen := make(map[string]bool)
	for _, p := range g.incident(entity) {
		t := g.triples[p]
		n := t.Tail
		if t.Head != entity {
			n = t.Head
		}
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

// Degree returns how many times entity is an end of a triple: a self loop
// counts twice. 0 for an entity that is not in g.
func (g *Graph) Degree(entity string) int {
	if g == nil {
		return 0
	}
	return len(g.out[entity]) + len(g.in[entity])
}

// Between returns the triples that join a and b in either direction, in order
// of insertion; of Between(a, a) the self loops.
func (g *Graph) Between(a, b string) []Triple {
	if g.Degree(b) < g.Degree(a) {
		a, b = b, a
	}
	var out []Triple
	for _, p := range g.incident(a) {
		t := g.triples[p]
		if t.Head == a && t.Tail == b || t.Head == b && t.Tail == a {
			out = append(out, t)
		}
	}
	return out
}
