package wl

import (
	"fmt"
	"math"
	"slices"
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

	// The neighbours of node u are at the positions start[u] to start[u+1]:
	// first, up to mid[u], the nodes that edges lead to, then those from which
	// edges come, each in the order in which the edges were given.
	start, mid []uint32
	node       []int32
	tag        []uint32 // label of the edge, and incoming for the second kind
}

// incoming is the bit of a tag that says that the edge leads to the node whose
// neighbour it makes.
const incoming = 1 << 31

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
	g.start = resize(g.start, len(nodes)+1)
	g.mid = resize(g.mid, len(nodes))
	g.node = resize(g.node, 2*len(edges))
	g.tag = resize(g.tag, 2*len(edges))
	start, mid := g.start, g.mid
	clear(start)
	clear(mid)
	for _, e := range edges {
		start[e.From+1]++
		start[e.To+1]++
		mid[e.From]++
	}
	for u := range mid {
		mid[u] += start[u]
		start[u+1] += start[u]
	}
	// start and mid move on with each neighbour put where they point, and so
	// end up at mid and at the next start.
	for _, e := range edges {
		p, q := start[e.From], mid[e.To]
		start[e.From], mid[e.To] = p+1, q+1
		g.node[p], g.tag[p] = int32(e.To), uint32(e.Label)
		g.node[q], g.tag[q] = int32(e.From), uint32(e.Label)|incoming
	}
	for u := len(mid) - 1; u >= 0; u-- {
		start[u+1], mid[u] = mid[u], start[u]
	}
	start[0] = 0
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
	return len(g.node) / 2
}

// resize returns a slice of length n, s itself where it is large enough. What
// it holds is undefined. A slice that has to grow again gets room to spare.
func resize[T any](s []T, n int) []T {
	switch {
	case cap(s) >= n:
		return s[:n]
	case cap(s) == 0:
		return make([]T, n)
	}
	return make([]T, n, n+n/4)
}

// extend returns s with length n, with what it holds kept and the rest
// undefined.
func extend[T any](s []T, n int) []T {
	return slices.Grow(s, n-len(s))[:n]
}
