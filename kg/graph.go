// Package kg holds knowledge graphs: triples, graphs of them, their
// normalisation, their file formats, and the interface to what extracts them
// from text.
package kg

// Graph is an insertion-ordered set of triples.
type Graph struct {
	triples []Triple
	index   map[Triple]int
}

// NewGraph returns a graph of the given triples, exact duplicates once.
func NewGraph(triples ...Triple) *Graph {
	g := &Graph{index: make(map[Triple]int, len(triples))}
	for _, t := range triples {
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
	g.index[t] = len(g.triples)
	g.triples = append(g.triples, t)
	return true
}
