// Package gonumkg shows a kg.Graph to gonum: a View satisfies gonum's
// graph.Directed and graph.DirectedMultigraph, so that its algorithms (topo,
// path, network, community, traverse, flow) run on a knowledge graph.
//
// As a Graph, entities are nodes and all triples from one entity to another are
// one edge; as a Multigraph, each triple is a line. For algorithms on undirected
// graphs wrap a View in graph.Undirect. The package is for algorithms only: a
// View cannot be changed, and it has no weights.
package gonumkg

import (
	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"

	"github.com/kgeval/kgeval/kg"
)

// Node is an entity.
type Node struct {
	id     int64
	entity string
}

// ID returns the node's number: the place of its entity in kg.Graph.Entities,
// from 0.
func (n Node) ID() int64 { return n.id }

// Entity returns the entity's label.
func (n Node) Entity() string { return n.entity }

// String returns the entity's label.
func (n Node) String() string { return n.entity }

// DOTID returns the entity's label; gonum's dot encoder names nodes by it.
func (n Node) DOTID() string { return n.entity }

// Edge is all triples that lead from one entity to another. It is a graph.Edge.
type Edge struct {
	from, to Node
	view     *View
	lines    []int
}

// From returns the head, a Node.
func (e Edge) From() graph.Node { return e.from }

// To returns the tail, a Node.
func (e Edge) To() graph.Node { return e.to }

// ReversedEdge returns e itself: a fact has no reversal.
func (e Edge) ReversedEdge() graph.Edge { return e }

// Triples returns the triples of the edge in the graph's order, at least one.
func (e Edge) Triples() []kg.Triple {
	out := make([]kg.Triple, len(e.lines))
	for i, l := range e.lines {
		out[i] = e.view.triples[l]
	}
	return out
}

// Line is one triple. It is a graph.Line.
type Line struct {
	from, to Node
	id       int64
	triple   kg.Triple
}

// From returns the head, a Node.
func (l Line) From() graph.Node { return l.from }

// To returns the tail, a Node.
func (l Line) To() graph.Node { return l.to }

// ReversedLine returns l itself: a fact has no reversal.
func (l Line) ReversedLine() graph.Line { return l }

// ID returns the line's number: the place of its triple in kg.Graph.Slice, from
// 0.
func (l Line) ID() int64 { return l.id }

// Triple returns the triple.
func (l Line) Triple() kg.Triple { return l.triple }

// View is a kg.Graph as gonum sees it: a graph.Directed and a
// graph.DirectedMultigraph. It is made of the graph as it was at New and does
// not follow later changes. It is safe for concurrent use.
//
// Iterators keep the graph's order. Where there is nothing to iterate over they
// are graph.Empty.
type View struct {
	triples  []kg.Triple
	nodes    []graph.Node
	ids      map[string]int64
	from, to [][]graph.Node
	lines    map[[2]int64][]int
	edges    [][2]int64 // in order of first sight
}

var (
	_ graph.Directed           = (*View)(nil)
	_ graph.DirectedMultigraph = (*View)(nil)
)

// New returns a view of g, in time linear in the number of triples. A nil graph
// is an empty one.
func New(g *kg.Graph) *View {
	entities := g.Entities()
	v := &View{
		triples: g.Slice(),
		nodes:   make([]graph.Node, len(entities)),
		ids:     make(map[string]int64, len(entities)),
		from:    make([][]graph.Node, len(entities)),
		to:      make([][]graph.Node, len(entities)),
		lines:   make(map[[2]int64][]int),
	}
	for i, e := range entities {
		v.nodes[i] = Node{int64(i), e}
		v.ids[e] = int64(i)
	}
	for i, t := range v.triples {
		h, ta := v.ids[t.Head], v.ids[t.Tail]
		key := [2]int64{h, ta}
		if len(v.lines[key]) == 0 {
			v.edges = append(v.edges, key)
			v.from[h] = append(v.from[h], v.nodes[ta])
			v.to[ta] = append(v.to[ta], v.nodes[h])
		}
		v.lines[key] = append(v.lines[key], i)
	}
	return v
}

func (v *View) has(id int64) bool { return id >= 0 && id < int64(len(v.nodes)) }

func nodes(ns []graph.Node) graph.Nodes {
	if len(ns) == 0 {
		return graph.Empty
	}
	return iterator.NewOrderedNodes(ns)
}

// NodeOf returns the node of an entity, and false when the graph lacks it.
func (v *View) NodeOf(entity string) (Node, bool) {
	id, ok := v.ids[entity]
	if !ok {
		return Node{}, false
	}
	return v.nodes[id].(Node), true
}

// Node returns the Node with the given ID, nil when there is none.
func (v *View) Node(id int64) graph.Node {
	if !v.has(id) {
		return nil
	}
	return v.nodes[id]
}

// Nodes returns all nodes.
func (v *View) Nodes() graph.Nodes { return nodes(v.nodes) }

// From returns the tails of the triples whose head has the given ID, each once.
func (v *View) From(id int64) graph.Nodes {
	if !v.has(id) {
		return graph.Empty
	}
	return nodes(v.from[id])
}

// To returns the heads of the triples whose tail has the given ID, each once.
func (v *View) To(id int64) graph.Nodes {
	if !v.has(id) {
		return graph.Empty
	}
	return nodes(v.to[id])
}

// HasEdgeBetween reports whether a triple joins the two, in either direction.
func (v *View) HasEdgeBetween(xid, yid int64) bool {
	return v.HasEdgeFromTo(xid, yid) || v.HasEdgeFromTo(yid, xid)
}

// HasEdgeFromTo reports whether a triple leads from uid to vid.
func (v *View) HasEdgeFromTo(uid, vid int64) bool {
	return len(v.lines[[2]int64{uid, vid}]) > 0
}

// Edge returns the Edge from uid to vid, nil when no triple leads there.
func (v *View) Edge(uid, vid int64) graph.Edge {
	lines := v.lines[[2]int64{uid, vid}]
	if len(lines) == 0 {
		return nil
	}
	return Edge{v.nodes[uid].(Node), v.nodes[vid].(Node), v, lines}
}

// Edges returns all edges.
func (v *View) Edges() graph.Edges {
	if len(v.edges) == 0 {
		return graph.Empty
	}
	out := make([]graph.Edge, len(v.edges))
	for i, k := range v.edges {
		out[i] = v.Edge(k[0], k[1])
	}
	return iterator.NewOrderedEdges(out)
}

// Lines returns the Lines from uid to vid, one for each triple.
func (v *View) Lines(uid, vid int64) graph.Lines {
	lines := v.lines[[2]int64{uid, vid}]
	if len(lines) == 0 {
		return graph.Empty
	}
	out := make([]graph.Line, len(lines))
	for i, l := range lines {
		out[i] = Line{v.nodes[uid].(Node), v.nodes[vid].(Node), int64(l), v.triples[l]}
	}
	return iterator.NewOrderedLines(out)
}
