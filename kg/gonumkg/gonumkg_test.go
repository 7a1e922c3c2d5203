package gonumkg

import (
	"math"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/testgraph"

	"github.com/kgeval/kgeval/kg"
)

// build makes a view of a test case of gonum's suite. A knowledge graph has no
// nodes without an edge, so cases with such nodes are skipped.
func build(ns []graph.Node, es []testgraph.WeightedLine, _, _ float64) (g graph.Graph, n []graph.Node, e []testgraph.Edge, s, a float64, ok bool) {
	kgraph := kg.NewGraph()
	label := func(n graph.Node) string { return strconv.FormatInt(n.ID(), 10) }
	for _, l := range es {
		kgraph.Add(kg.Triple{Head: label(l.From()), Relation: strconv.FormatInt(l.ID(), 10), Tail: label(l.To())})
	}
	for _, x := range ns {
		if !kgraph.HasEntity(label(x)) {
			return nil, nil, nil, 0, 0, false
		}
	}
	v := New(kgraph)
	n = append(n, v.nodes...)
	for _, k := range v.edges {
		e = append(e, v.Edge(k[0], k[1]))
	}
	return v, n, e, math.NaN(), math.NaN(), true
}

func TestGonumSuite(t *testing.T) {
	const usesEmpty, reversesEdges = true, true
	t.Run("EdgeExistence", func(t *testing.T) { testgraph.EdgeExistence(t, build, reversesEdges) })
	t.Run("LineExistence", func(t *testing.T) { testgraph.LineExistence(t, build, usesEmpty, reversesEdges) })
	t.Run("NodeExistence", func(t *testing.T) { testgraph.NodeExistence(t, build) })
	t.Run("ReturnAdjacentNodes", func(t *testing.T) { testgraph.ReturnAdjacentNodes(t, build, usesEmpty, reversesEdges) })
	t.Run("ReturnAllNodes", func(t *testing.T) { testgraph.ReturnAllNodes(t, build, usesEmpty) })
	t.Run("ReturnNodeSlice", func(t *testing.T) { testgraph.ReturnNodeSlice(t, build, usesEmpty) })
	t.Run("ReturnAllEdges", func(t *testing.T) { testgraph.ReturnAllEdges(t, build, usesEmpty) })
	t.Run("ReturnEdgeSlice", func(t *testing.T) { testgraph.ReturnEdgeSlice(t, build, usesEmpty) })
}

func TestViewKeepsParallelsAndLoops(t *testing.T) {
	g := kg.NewGraph(
		kg.Triple{Head: "Ana", Relation: "likes", Tail: "Bo"},
		kg.Triple{Head: "Bo", Relation: "likes", Tail: "Bo"},
		kg.Triple{Head: "Ana", Relation: "sued", Tail: "Bo"},
	)
	v := New(g)
	ana, _ := v.NodeOf("Ana")
	bo, ok := v.NodeOf("Bo")
	if !ok || ana.ID() != 0 || bo.ID() != 1 {
		t.Fatalf("ids %d, %d", ana.ID(), bo.ID())
	}
	e := v.Edge(0, 1).(Edge)
	if ts := e.Triples(); len(ts) != 2 || ts[1].Relation != "sued" || e.ReversedEdge() == nil {
		t.Errorf("triples %v", ts)
	}
	lines := graph.LinesOf(v.Lines(0, 1))
	if len(lines) != 2 || lines[1].ID() != 2 || lines[1].(Line).Triple().Relation != "sued" || lines[1].ReversedLine() != lines[1] {
		t.Errorf("lines %v", lines)
	}
	if !v.HasEdgeFromTo(1, 1) || v.HasEdgeFromTo(1, 0) || !v.HasEdgeBetween(1, 0) || v.Edge(1, 0) != nil {
		t.Error("directions are wrong")
	}
	if _, ok := v.NodeOf("Cy"); ok || v.Node(2) != nil || v.Node(-1) != nil || v.From(9).Len() != 0 || v.To(-9).Len() != 0 || v.Lines(7, 7).Len() != 0 {
		t.Error("strangers are in the graph")
	}
	// A later change does not show, and old entities keep their numbers.
	g.Add(kg.Triple{Head: "Cy", Relation: "knows", Tail: "Ana"})
	if v.Nodes().Len() != 2 {
		t.Error("the view changed")
	}
	if n, _ := New(g).NodeOf("Bo"); n.ID() != 1 {
		t.Errorf("Bo has become %d", n.ID())
	}
	if New(nil).Nodes() != graph.Empty || New(nil).Edges() != graph.Empty {
		t.Error("a nil graph is not empty")
	}
}
