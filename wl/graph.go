package wl

import (
	"fmt"
	"math"
)

// MaxLabel is the largest label of a node or an edge; the smallest is 0.
const MaxLabel = math.MaxInt32

// Edge leads from the node with index From to the node with index To.
type Edge struct {
	From, To int
	Label    int
}

// Graph is a directed multigraph with labelled nodes and edges: self loops and
// parallel edges (equal ones too) are kept and count. It does not change after
// it was made, except by Reset, and is then safe for concurrent use. The zero
// Graph, and a nil *Graph, are the empty graph.
type Graph struct {
	label []int32 // of each node
	out   adjacency
	in    adjacency
}

// adjacency lists the edges of each node: those of node u are at the positions
// start[u] to start[u+1], in the order in which they were given.
type adjacency struct {
	start []int32
	node  []int32 // at the other end
	label []int32
}

// NodeLabelError says that a node's label is out of range.
type NodeLabelError struct {
	Node, Label int
}

func (e *NodeLabelError) Error() string {
	return fmt.Sprintf("wl: label %d of node %d is not in [0, %d]", e.Label, e.Node, MaxLabel)
}

// EdgeError says that an edge leads from or to a node that is not there, or
// that its label is out of range.
type EdgeError struct {
	// Index is the position of Edge in the slice of edges.
	Index int
	Edge  Edge
	// Nodes is the number of nodes of the graph.
	Nodes int
}

func (e *EdgeError) Error() string {
	if e.Edge.Label < 0 || e.Edge.Label > MaxLabel {
		return fmt.Sprintf("wl: label %d of edge %d is not in [0, %d]", e.Edge.Label, e.Index, MaxLabel)
	}
	return fmt.Sprintf("wl: edge %d leads from node %d to node %d of a graph with %d nodes",
		e.Index, e.Edge.From, e.Edge.To, e.Nodes)
}

// SizeError says that a graph, or the graphs of one call together, have more
// nodes or edges than the 2^31-1 that are supported.
type SizeError struct {
	Nodes, Edges int
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("wl: %d nodes and %d edges are more than the %d supported", e.Nodes, e.Edges, math.MaxInt32)
}

// NewGraph returns the graph whose node i has the label nodes[i]. The error is
// a *NodeLabelError, an *EdgeError or a *SizeError for the first fault found.
// The slices are copied. It takes time linear in nodes and edges.
func NewGraph(nodes []int, edges []Edge) (*Graph, error) {
	g := new(Graph)
	if err := g.Reset(nodes, edges); err != nil {
		return nil, err
	}
	return g, nil
}

// Reset makes g the graph that NewGraph(nodes, edges) returns, in the memory
// that g already holds. It must not run while g is in use. On an error g is
// unchanged.
func (g *Graph) Reset(nodes []int, edges []Edge) error {
	if len(nodes) >= math.MaxInt32 || len(edges) >= math.MaxInt32 {
		return &SizeError{Nodes: len(nodes), Edges: len(edges)}
	}
	for i, l := range nodes {
		if l < 0 || l > MaxLabel {
			return &NodeLabelError{Node: i, Label: l}
		}
	}
	n := uint(len(nodes))
	for i, e := range edges {
		// A negative index is a huge unsigned one.
		if uint(e.From) >= n || uint(e.To) >= n || e.Label < 0 || e.Label > MaxLabel {
			return &EdgeError{Index: i, Edge: e, Nodes: len(nodes)}
		}
	}
	g.label = resize(g.label, len(nodes))
	for i, l := range nodes {
		g.label[i] = int32(l)
	}
	g.out.reset(len(nodes), len(edges))
	g.in.reset(len(nodes), len(edges))
	for _, e := range edges {
		g.out.start[e.From+1]++
		g.in.start[e.To+1]++
	}
	g.out.sum()
	g.in.sum()
	for _, e := range edges {
		g.out.put(e.From, e.To, e.Label)
		g.in.put(e.To, e.From, e.Label)
	}
	g.out.unshift()
	g.in.unshift()
	return nil
}

// Nodes returns the number of nodes.
func (g *Graph) Nodes() int {
	if g == nil {
		return 0
	}
	return len(g.label)
}

// Edges returns the number of edges.
func (g *Graph) Edges() int {
	if g == nil {
		return 0
	}
	return len(g.out.node)
}

// reset makes room, with all starts 0.
func (a *adjacency) reset(nodes, edges int) {
	a.start = resize(a.start, nodes+1)
	clear(a.start)
	a.node = resize(a.node, edges)
	a.label = resize(a.label, edges)
}

// sum turns the number of edges of node u in start[u+1] into u's position.
func (a *adjacency) sum() {
	for u := 1; u < len(a.start); u++ {
		a.start[u] += a.start[u-1]
	}
}

// put adds an edge of u, moving start[u] to behind it.
func (a *adjacency) put(u, v, label int) {
	p := a.start[u]
	a.start[u] = p + 1
	a.node[p], a.label[p] = int32(v), int32(label)
}

// unshift moves the starts back to where they were before the puts.
func (a *adjacency) unshift() {
	n := len(a.start) - 1
	copy(a.start[1:], a.start[:n])
	a.start[0] = 0
}

// resize returns a slice of length n, s itself where it is large enough. What
// it holds is undefined.
func resize[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s[:n]
	}
	return make([]T, n, n+n/4)
}
