package wl_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/wl"
)

func TestNewGraphNamesTheFault(t *testing.T) {
	var node *wl.NodeLabelError
	if _, err := wl.NewGraph([]int{1, -1}, nil); !errors.As(err, &node) || node.Node != 1 || node.Label != -1 {
		t.Errorf("negative node label: error %v", err)
	}
	if math.MaxInt > wl.MaxLabel {
		if _, err := wl.NewGraph([]int{math.MaxInt}, nil); !errors.As(err, &node) || node.Node != 0 {
			t.Errorf("huge node label: error %v", err)
		}
	}
	for _, e := range []wl.Edge{
		{From: -1, To: 0}, {From: 0, To: -1}, {From: 2, To: 0}, {From: 0, To: 2},
		{From: math.MinInt, To: 0}, {From: 0, To: math.MaxInt}, {From: 0, To: 1, Label: -1},
	} {
		var bad *wl.EdgeError
		_, err := wl.NewGraph([]int{1, 2}, []wl.Edge{{From: 0, To: 1}, e})
		if !errors.As(err, &bad) || bad.Index != 1 || bad.Edge != e || bad.Nodes != 2 {
			t.Errorf("edge %v: error %v", e, err)
		} else if e.Label < 0 != strings.Contains(err.Error(), "label") {
			t.Errorf("edge %v: message %q names the wrong fault", e, err)
		}
	}
	if _, err := wl.NewGraph([]int{wl.MaxLabel}, []wl.Edge{{Label: wl.MaxLabel}}); err != nil {
		t.Errorf("the largest labels: error %v", err)
	}
}

func TestLargestLabelsAreTheirOwn(t *testing.T) {
	a := graph(t, []int{wl.MaxLabel, 0}, wl.Edge{From: 0, To: 1, Label: wl.MaxLabel})
	b := graph(t, []int{wl.MaxLabel, 0}, wl.Edge{From: 0, To: 1, Label: 0})
	o := wl.Options{Iterations: 1}
	if got := compare(t, a, a, o).Normalised; got != 1 {
		t.Errorf("against itself %v, want 1", got)
	}
	if got := compare(t, a, b, o).Gram[0][1]; got != 2 {
		t.Errorf("another edge label: k12 = %v, want 2", got)
	}
}

func TestResetReplacesAndKeepsOnError(t *testing.T) {
	g := graph(t, []int{1, 2, 3}, edge(0, 1), edge(1, 2))
	if g.Nodes() != 3 || g.Edges() != 2 {
		t.Fatalf("%d nodes, %d edges; want 3, 2", g.Nodes(), g.Edges())
	}
	same := graph(t, []int{1, 2, 3}, edge(0, 1), edge(1, 2))
	if err := g.Reset([]int{1}, []wl.Edge{edge(0, 5)}); err == nil {
		t.Fatal("no error for an edge to nowhere")
	}
	if got := compare(t, g, same, wl.Options{Iterations: 2}); got.Normalised != 1 {
		t.Errorf("a failed Reset changed the graph: %v", got)
	}
	if err := g.Reset([]int{2, 1}, []wl.Edge{edge(1, 0)}); err != nil {
		t.Fatal(err)
	}
	if got := compare(t, g, graph(t, []int{1, 2}, edge(0, 1)), wl.Options{Iterations: 2}); got.Normalised != 1 {
		t.Errorf("Reset to a smaller graph: %v", got)
	}
}

func TestNewGraphCopies(t *testing.T) {
	nodes, edges := []int{1, 2}, []wl.Edge{edge(0, 1)}
	g := graph(t, nodes, edges...)
	nodes[0], edges[0] = 9, edge(1, 1)
	if got := compare(t, g, graph(t, []int{1, 2}, edge(0, 1)), wl.Options{Iterations: 1}).Normalised; got != 1 {
		t.Errorf("changing the slices changed the graph: %v", got)
	}
}

func TestLabels(t *testing.T) {
	var l wl.Labels
	for i, s := range []string{"Ana", "", "ana", "Ana\x00", "\xff", "Ana"} {
		want := i
		if i == 5 {
			want = 0
		}
		if got := l.ID(s); got != want {
			t.Errorf("ID(%q) = %d, want %d", s, got, want)
		}
		if name, ok := l.Name(want); !ok || name != s {
			t.Errorf("Name(%d) = %q, %v; want %q", want, name, ok, s)
		}
	}
	if l.Len() != 5 {
		t.Errorf("Len() = %d, want 5", l.Len())
	}
	for _, id := range []int{-1, 5} {
		if name, ok := l.Name(id); ok {
			t.Errorf("Name(%d) = %q, want none", id, name)
		}
	}
}

func FuzzNewGraph(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add([]byte{1, 2, 3}, []byte{0, 1, 0, 1, 2, 1, 2, 2, 0})
	f.Add([]byte{1}, []byte{0, 9, 0})
	f.Add([]byte{1, 200}, []byte{0, 255, 1, 1, 0, 255})
	f.Fuzz(func(t *testing.T, nodes, edges []byte) {
		labels := make([]int, len(nodes))
		for i, b := range nodes {
			labels[i] = int(int8(b))
		}
		var list []wl.Edge
		for ; len(edges) >= 3; edges = edges[3:] {
			list = append(list, wl.Edge{From: int(int8(edges[0])), To: int(int8(edges[1])), Label: int(int8(edges[2]))})
		}
		valid := true
		for _, l := range labels {
			valid = valid && l >= 0
		}
		for _, e := range list {
			valid = valid && e.From >= 0 && e.From < len(labels) && e.To >= 0 && e.To < len(labels) && e.Label >= 0
		}
		g, err := wl.NewGraph(labels, list)
		if (err == nil) != valid {
			t.Fatalf("valid is %v, error %v", valid, err)
		}
		if err != nil {
			return
		}
		if g.Nodes() != len(labels) || g.Edges() != len(list) {
			t.Fatalf("%d nodes, %d edges; want %d, %d", g.Nodes(), g.Edges(), len(labels), len(list))
		}
		for _, o := range allOptions(3) {
			if got := compare(t, g, g, o).Normalised; got != 1 {
				t.Fatalf("%+v: k(G,G) = %v, want 1", o, got)
			}
		}
	})
}
