package wl_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/kgeval/kgeval/wl"
)

func graph(t testing.TB, nodes []int, edges ...wl.Edge) *wl.Graph {
	t.Helper()
	g, err := wl.NewGraph(nodes, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func compare(t testing.TB, a, b *wl.Graph, o wl.Options) wl.Result {
	t.Helper()
	r, err := wl.Compare(context.Background(), a, b, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// edge is an edge with label 0.
func edge(from, to int) wl.Edge { return wl.Edge{From: from, To: to} }

// The example of the paper (figure 2): labels are refined once, both graphs
// undirected. c(G) = (2,1,1,1,1 | 2,0,1,0,1,1,0,1), c(G') = (1,2,1,1,1 |
// 1,1,0,1,1,0,1,1) over labels 1..5 and the eight new ones, so k(G,G') = 11.
func TestWorkedExampleOfThePaper(t *testing.T) {
	a := graph(t, []int{1, 1, 4, 3, 5, 2},
		edge(0, 2), edge(1, 2), edge(2, 3), edge(2, 4), edge(3, 4), edge(3, 5), edge(4, 5))
	b := graph(t, []int{1, 2, 4, 5, 3, 2},
		edge(0, 2), edge(1, 3), edge(2, 3), edge(2, 4), edge(3, 4), edge(3, 5), edge(4, 5))
	got := compare(t, a, b, wl.Options{Iterations: 1, Neighbours: wl.Both})
	if got.Gram[0][1] != 11 {
		t.Errorf("k(G,G') = %v, want 11 as in the paper", got.Gram[0][1])
	}
}

// By hand: a is x->y->z, b is x->y. Directed, iteration 0 shares x and y;
// iteration 1 shares x (both see y ahead), but y sees z ahead only in a;
// iteration 2 shares nothing, as the y that x sees differs.
func TestWorkedExampleByHand(t *testing.T) {
	const x, y, z = 7, 8, 9
	a := graph(t, []int{x, y, z}, edge(0, 1), edge(1, 2))
	b := graph(t, []int{x, y}, edge(0, 1))
	for h, want := range []float64{2, 3, 3, 3} {
		got := compare(t, a, b, wl.Options{Iterations: h})
		gram := [2][2]float64{{3 * float64(h+1), want}, {want, 2 * float64(h+1)}}
		if got.Gram != gram {
			t.Errorf("h=%d: gram %v, want %v", h, got.Gram, gram)
		}
		if n := want / math.Sqrt(gram[0][0]*gram[1][1]); math.Abs(got.Normalised-n) > 1e-15 {
			t.Errorf("h=%d: normalised %v, want %v", h, got.Normalised, n)
		}
	}
}

func TestNeighbours(t *testing.T) {
	const x, y = 1, 2
	forth := graph(t, []int{x, y}, edge(0, 1))
	back := graph(t, []int{x, y}, edge(1, 0))
	none := graph(t, []int{x, y})
	loop := graph(t, []int{x, y}, edge(0, 0))
	twice := graph(t, []int{x, y}, edge(0, 1), edge(0, 1))
	round := graph(t, []int{x, y}, edge(0, 1), edge(1, 0))

	// Shared after one iteration are the two nodes at iteration 0 and, at
	// iteration 1, those whose neighbours look the same.
	for _, c := range []struct {
		name                     string
		a, b                     *wl.Graph
		directed, out, in, both  float64
		simpleDirected, simpleBo float64
	}{
		{"an edge against its reverse", forth, back, 2, 2, 2, 4, 2, 4},
		{"an edge against none", forth, none, 2, 3, 3, 2, 2, 2},
		{"a self loop against none", loop, none, 3, 3, 3, 3, 3, 3},
		{"a parallel edge", forth, twice, 2, 3, 3, 2, 4, 4},
		{"an antiparallel edge", forth, round, 2, 3, 3, 2, 2, 4},
		{"two parallel against two antiparallel", twice, round, 2, 2, 2, 4, 2, 4},
	} {
		for _, o := range []struct {
			o    wl.Options
			want float64
		}{
			{wl.Options{}, c.directed},
			{wl.Options{Neighbours: wl.Out}, c.out},
			{wl.Options{Neighbours: wl.In}, c.in},
			{wl.Options{Neighbours: wl.Both}, c.both},
			{wl.Options{Simple: true}, c.simpleDirected},
			{wl.Options{Neighbours: wl.Both, Simple: true}, c.simpleBo},
		} {
			o.o.Iterations = 1
			if got := compare(t, c.a, c.b, o.o); got.Gram[0][1] != o.want {
				t.Errorf("%s, %v, simple %v: k12 = %v, want %v", c.name, o.o.Neighbours, o.o.Simple, got.Gram[0][1], o.want)
			}
		}
	}
}

// All nodes alike: a->b->c and a<-b<-c are isomorphic; a->b, a->c is not, and
// has two sinks.
func TestDirectionAndSinks(t *testing.T) {
	down := graph(t, []int{0, 0, 0}, edge(0, 1), edge(1, 2))
	up := graph(t, []int{0, 0, 0}, edge(1, 0), edge(2, 1))
	fork := graph(t, []int{0, 0, 0}, edge(0, 1), edge(0, 2))
	for _, n := range []wl.Neighbours{wl.Directed, wl.Out, wl.In, wl.Both} {
		o := wl.Options{Iterations: 3, Neighbours: n}
		if got := compare(t, down, up, o).Normalised; got != 1 {
			t.Errorf("%v: isomorphic chains %v, want 1", n, got)
		}
		got := compare(t, down, fork, o).Normalised
		if n == wl.Both {
			if got != 1 {
				t.Errorf("both: chain and fork are the same undirected path, got %v", got)
			}
		} else if got <= 0 || got >= 1 {
			t.Errorf("%v: chain against fork %v, want between 0 and 1", n, got)
		}
	}

	// A sink's incoming edges count: with In and Directed it differs from a
	// node without edges, with Out it does not.
	sink := graph(t, []int{1, 2}, edge(0, 1))
	other := graph(t, []int{3, 2}, edge(0, 1))
	for n, want := range map[wl.Neighbours]float64{wl.Out: 2, wl.In: 1, wl.Directed: 1} {
		if got := compare(t, sink, other, wl.Options{Iterations: 1, Neighbours: n}).Gram[0][1]; got != want {
			t.Errorf("%v: sinks below different nodes give %v, want %v", n, got, want)
		}
	}
}

func TestEdgeLabelsMatter(t *testing.T) {
	const ana, bo, likes, sued = 0, 1, 0, 1
	a := graph(t, []int{ana, bo}, wl.Edge{From: 0, To: 1, Label: likes})
	b := graph(t, []int{ana, bo}, wl.Edge{From: 0, To: 1, Label: sued})
	o := wl.Options{Iterations: 2}
	if got := compare(t, a, b, o).Normalised; got != 1.0/3 {
		t.Errorf("likes against sued: %v, want 1/3 (iteration 0 alone agrees)", got)
	}
	if got := compare(t, a, a, o).Normalised; got != 1 {
		t.Errorf("likes against likes: %v, want 1", got)
	}
	o.IgnoreEdgeLabels = true
	if got := compare(t, a, b, o).Normalised; got != 1 {
		t.Errorf("labels ignored: %v, want 1", got)
	}

	// Which label is on which edge matters, not only which labels there are.
	p := graph(t, []int{0, 1, 2}, wl.Edge{From: 0, To: 1, Label: 5}, wl.Edge{From: 0, To: 2, Label: 6})
	q := graph(t, []int{0, 1, 2}, wl.Edge{From: 0, To: 1, Label: 6}, wl.Edge{From: 0, To: 2, Label: 5})
	if got := compare(t, p, q, wl.Options{Iterations: 1}).Gram[0][1]; got != 3 {
		t.Errorf("swapped labels: k12 = %v, want 3", got)
	}

	// Simple keeps parallel edges with different labels, once each.
	two := graph(t, []int{0, 1}, wl.Edge{From: 0, To: 1, Label: 5}, wl.Edge{From: 1, To: 0, Label: 6}, wl.Edge{From: 0, To: 1, Label: 5})
	set := graph(t, []int{0, 1}, wl.Edge{From: 1, To: 0, Label: 5}, wl.Edge{From: 0, To: 1, Label: 6})
	if got := compare(t, two, set, wl.Options{Iterations: 3, Neighbours: wl.Both, Simple: true}).Normalised; got != 1 {
		t.Errorf("the same labels between two nodes: %v, want 1", got)
	}
}

func TestDegenerateGraphs(t *testing.T) {
	empty := graph(t, nil)
	one := graph(t, []int{3})
	other := graph(t, []int{4})
	for _, c := range []struct {
		name       string
		a, b       *wl.Graph
		normalised float64
		degenerate bool
	}{
		{"empty against empty", empty, empty, 1, true},
		{"nil against empty", nil, empty, 1, true},
		{"zero value against empty", new(wl.Graph), empty, 1, true},
		{"empty against one node", empty, one, 0, true},
		{"one node against nil", one, nil, 0, true},
		{"one node against itself", one, one, 1, false},
		{"disjoint", one, other, 0, false},
	} {
		for h := range 4 {
			got := compare(t, c.a, c.b, wl.Options{Iterations: h})
			if got.Normalised != c.normalised || got.Degenerate != c.degenerate {
				t.Errorf("%s, h=%d: %v, degenerate %v; want %v, %v", c.name, h, got.Normalised, got.Degenerate, c.normalised, c.degenerate)
			}
		}
	}
}

// Equal counts are exact, far beyond what 32 bits hold.
func TestHugeCountsAreExact(t *testing.T) {
	const n = 1_000_000
	edges := make([]wl.Edge, n)
	for i := range edges {
		edges[i] = edge(i, (i+1)%n)
	}
	ring := graph(t, make([]int, n), edges...)
	const h = 8
	got := compare(t, ring, ring, wl.Options{Iterations: h})
	want := float64(h+1) * n * n
	if got.Gram != [2][2]float64{{want, want}, {want, want}} || got.Normalised != 1 {
		t.Errorf("ring of a million equal nodes: %v, want all %v", got, want)
	}
	// The same with every iteration counted on, beyond 2^53.
	got = compare(t, ring, ring, wl.Options{Iterations: math.MaxInt32})
	if want := math.MaxInt32 * float64(n) * n; math.Abs(got.Gram[0][0]/want-1) > 1e-9 || got.Normalised != 1 {
		t.Errorf("2^31 iterations: %v, want about %v", got, want)
	}
}

// Stopping early where nothing is refined any more gives what going on would.
func TestManyIterationsAreLikeGoingOn(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		a, b := random(t, rng, 12, 14, 2, 1), random(t, rng, 12, 14, 2, 1)
		x := compare(t, a, b, wl.Options{Iterations: 40})
		y := compare(t, a, b, wl.Options{Iterations: 41})
		z := compare(t, a, b, wl.Options{Iterations: 60})
		for i := range 2 {
			for j := range 2 {
				step := y.Gram[i][j] - x.Gram[i][j]
				if z.Gram[i][j] != x.Gram[i][j]+20*step {
					t.Fatalf("after refinement ends, iterations differ: %v, %v, %v", x, y, z)
				}
			}
		}
		r, err := wl.NewRefiner(wl.Options{Iterations: 60})
		if err != nil {
			t.Fatal(err)
		}
		if got := wl.Dot(features(t, r, a), features(t, r, b)); got != z.Gram[0][1] {
			t.Fatalf("feature vectors, which go through every iteration, give %v, Compare %v", got, z.Gram[0][1])
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []wl.Options{{Iterations: -1}, {Neighbours: 4}, {Neighbours: -1}} {
		var bad *wl.OptionError
		if _, err := wl.Compare(t.Context(), nil, nil, o); !errors.As(err, &bad) {
			t.Errorf("Compare with %+v: error %v is no *OptionError", o, err)
		}
		if _, err := wl.Gram(t.Context(), nil, o); !errors.As(err, &bad) {
			t.Errorf("Gram with %+v: error %v is no *OptionError", o, err)
		}
		if _, err := wl.NewRefiner(o); !errors.As(err, &bad) {
			t.Errorf("NewRefiner with %+v: error %v is no *OptionError", o, err)
		}
	}
}

func TestNeighboursHaveNames(t *testing.T) {
	for n := wl.Directed; n <= wl.Both; n++ {
		text, err := n.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back wl.Neighbours
		if err := back.UnmarshalText(text); err != nil || back != n || n.String() != string(text) {
			t.Errorf("%d -> %q -> %v, %v", int(n), text, back, err)
		}
	}
	var bad *wl.OptionError
	if _, err := wl.Neighbours(9).MarshalText(); !errors.As(err, &bad) {
		t.Errorf("writing an unknown value: error %v", err)
	}
	if err := new(wl.Neighbours).UnmarshalText([]byte("all")); !errors.As(err, &bad) {
		t.Errorf("reading an unknown value: error %v", err)
	}
	if got := wl.Neighbours(9).String(); got != "Neighbours(9)" {
		t.Errorf("unknown value prints as %q", got)
	}
}

func TestCompareEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := wl.Compare(ctx, nil, nil, wl.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Compare after cancel: error %v", err)
	}
}

func TestCompareAllocates(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	a, b := random(t, rng, 15, 14, 8, 3), random(t, rng, 15, 14, 8, 3)
	var w wl.Workspace
	run := func() {
		if _, err := w.Compare(context.Background(), a, b, wl.Options{Iterations: 5}); err != nil {
			t.Fatal(err)
		}
	}
	run()
	if got := testing.AllocsPerRun(100, run); got > 2 {
		t.Errorf("%v allocations a pair with a reused workspace, want at most 2", got)
	}
	nodes, edges := []int{1, 2, 3}, []wl.Edge{{From: 0, To: 1}, {From: 1, To: 2}}
	var g wl.Graph
	reset := func() {
		if err := g.Reset(nodes, edges); err != nil {
			t.Fatal(err)
		}
	}
	reset()
	if got := testing.AllocsPerRun(100, reset); got != 0 {
		t.Errorf("%v allocations to rebuild a graph in place, want 0", got)
	}
}
