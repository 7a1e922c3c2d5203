package wl_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kgeval/kgeval/wl"
)

// random returns a graph with self loops and parallel edges.
func random(t testing.TB, rng *rand.Rand, nodes, edges, nodeLabels, edgeLabels int) *wl.Graph {
	t.Helper()
	l := make([]int, nodes)
	for i := range l {
		l[i] = rng.IntN(nodeLabels)
	}
	e := make([]wl.Edge, edges)
	for i := range e {
		e[i] = wl.Edge{From: rng.IntN(nodes), To: rng.IntN(nodes), Label: rng.IntN(edgeLabels)}
	}
	return graph(t, l, e...)
}

func features(t testing.TB, r *wl.Refiner, g *wl.Graph) wl.Vector {
	t.Helper()
	v, err := r.Features(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func allOptions(h int) []wl.Options {
	var all []wl.Options
	for n := wl.Directed; n <= wl.Both; n++ {
		for _, ignore := range []bool{false, true} {
			for _, simple := range []bool{false, true} {
				all = append(all, wl.Options{Iterations: h, Neighbours: n, IgnoreEdgeLabels: ignore, Simple: simple})
			}
		}
	}
	return all
}

// naive is the kernel as the paper defines it, with signatures as strings in a
// map.
func naive(t testing.TB, nodes [2][]int, edges [2][]wl.Edge, o wl.Options) (gram [2][2]float64) {
	t.Helper()
	type neighbour struct{ kind, label, class int }
	dict := map[string]int{}
	number := func(s []byte) int {
		id, ok := dict[string(s)]
		if !ok {
			id = len(dict)
			dict[string(s)] = id
		}
		return id
	}
	key := func(b []byte, xs ...int) []byte {
		for _, x := range xs {
			for range 8 {
				b = append(b, byte(x))
				x >>= 8
			}
		}
		return b
	}
	var class [2][]int
	for g := range 2 {
		for _, l := range nodes[g] {
			class[g] = append(class[g], number(key([]byte("label"), l)))
		}
	}
	for h := 0; ; h++ {
		count := [2]map[int]float64{{}, {}}
		for g := range 2 {
			for _, c := range class[g] {
				count[g][c]++
			}
		}
		for i := range 2 {
			for j := range 2 {
				for c, n := range count[i] {
					gram[i][j] += n * count[j][c]
				}
			}
		}
		if h == o.Iterations {
			return gram
		}
		for g := range 2 {
			next := make([]int, len(class[g]))
			for u := range class[g] {
				type end struct{ kind, label, node int }
				var ends []end
				for _, e := range edges[g] {
					label := e.Label
					if o.IgnoreEdgeLabels {
						label = 0
					}
					if e.From == u && o.Neighbours != wl.In {
						ends = append(ends, end{0, label, e.To})
					}
					if e.To == u && o.Neighbours != wl.Out {
						kind := 0
						if o.Neighbours == wl.Directed {
							kind = 1
						}
						ends = append(ends, end{kind, label, e.From})
					}
				}
				if o.Simple {
					seen := map[end]bool{}
					ends = slices.DeleteFunc(ends, func(e end) bool {
						defer func() { seen[e] = true }()
						return seen[e]
					})
				}
				var around []neighbour
				for _, e := range ends {
					around = append(around, neighbour{e.kind, e.label, class[g][e.node]})
				}
				slices.SortFunc(around, func(a, b neighbour) int {
					return slices.Compare([]int{a.kind, a.label, a.class}, []int{b.kind, b.label, b.class})
				})
				b := key([]byte("node"), class[g][u])
				for _, n := range around {
					b = key(b, n.kind, n.label, n.class)
				}
				next[u] = number(b)
			}
			class[g] = next
		}
	}
}

func TestAgreesWithTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 150 {
		var nodes [2][]int
		var edges [2][]wl.Edge
		var g [2]*wl.Graph
		labels, kinds := 1+rng.IntN(4), 1+rng.IntN(3)
		for i := range 2 {
			n := 1 + rng.IntN(10)
			for range n {
				nodes[i] = append(nodes[i], rng.IntN(labels))
			}
			for range rng.IntN(60) {
				edges[i] = append(edges[i], wl.Edge{From: rng.IntN(n), To: rng.IntN(n), Label: rng.IntN(kinds)})
			}
			g[i] = graph(t, nodes[i], edges[i]...)
		}
		for _, o := range allOptions(round % 6) {
			want := naive(t, nodes, edges, o)
			if got := compare(t, g[0], g[1], o); got.Gram != want {
				t.Fatalf("%+v: Compare gives %v, the definition %v, for nodes %v, edges %v", o, got.Gram, want, nodes, edges)
			}
			m, err := wl.Gram(t.Context(), g[:], o)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(m.Values(), []float64{want[0][0], want[0][1], want[1][0], want[1][1]}) {
				t.Fatalf("%+v: Gram gives %v, the definition %v", o, m.Values(), want)
			}
			r, err := wl.NewRefiner(o)
			if err != nil {
				t.Fatal(err)
			}
			a, b := features(t, r, g[0]), features(t, r, g[1])
			if wl.Dot(a, a) != want[0][0] || wl.Dot(a, b) != want[0][1] || wl.Dot(b, a) != want[1][0] || wl.Dot(b, b) != want[1][1] {
				t.Fatalf("%+v: feature vectors disagree with the definition %v", o, want)
			}
		}
	}
}

// Naming the nodes in another order, or the edges, is another way to write the
// same graph.
func TestOrderDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 40 {
		n, m := 1+rng.IntN(20), rng.IntN(50)
		nodes := make([]int, n)
		for i := range nodes {
			nodes[i] = rng.IntN(3)
		}
		edges := make([]wl.Edge, m)
		for i := range edges {
			edges[i] = wl.Edge{From: rng.IntN(n), To: rng.IntN(n), Label: rng.IntN(2)}
		}
		perm := rng.Perm(n)
		nodes2 := make([]int, n)
		for i, p := range perm {
			nodes2[p] = nodes[i]
		}
		edges2 := make([]wl.Edge, m)
		for i, p := range rng.Perm(m) {
			e := edges[i]
			edges2[p] = wl.Edge{From: perm[e.From], To: perm[e.To], Label: e.Label}
		}
		a, a2 := graph(t, nodes, edges...), graph(t, nodes2, edges2...)
		b := random(t, rng, 15, 25, 3, 2)
		for _, o := range allOptions(4) {
			if got := compare(t, a, a2, o); got.Normalised != 1 || got.Gram[0][0] != got.Gram[0][1] {
				t.Fatalf("%+v: a graph against itself in another order: %v", o, got)
			}
			x, y, z := compare(t, a, b, o), compare(t, a2, b, o), compare(t, b, a, o)
			if x != y {
				t.Fatalf("%+v: another order gives %v, not %v", o, y, x)
			}
			if x.Gram[0][1] != z.Gram[0][1] || x.Gram[0][0] != z.Gram[1][1] || x.Normalised != z.Normalised {
				t.Fatalf("%+v: not symmetric: %v, %v", o, x, z)
			}
			if !(x.Normalised >= 0 && x.Normalised <= 1) {
				t.Fatalf("%+v: %v is not in [0,1]", o, x.Normalised)
			}
		}
	}
}

func randomGraphs(t testing.TB, seed uint64, n int) []*wl.Graph {
	rng := rand.New(rand.NewPCG(seed, 1))
	graphs := make([]*wl.Graph, n)
	for i := range graphs {
		graphs[i] = random(t, rng, 1+rng.IntN(16), rng.IntN(20), 4, 2)
	}
	return graphs
}

// x' K x >= 0 for every x, here for many random ones, and K is symmetric.
func TestGramIsPositiveSemidefinite(t *testing.T) {
	graphs := append(randomGraphs(t, 9, 40), nil)
	m, err := wl.Gram(t.Context(), graphs, wl.Options{Iterations: 3})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(10, 1))
	for range 200 {
		x := make([]float64, m.Len())
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		var raw, normalised float64
		for i := range x {
			for j := range x {
				if m.At(i, j) != m.At(j, i) {
					t.Fatalf("k(%d,%d) = %v, k(%d,%d) = %v", i, j, m.At(i, j), j, i, m.At(j, i))
				}
				raw += x[i] * m.At(i, j) * x[j]
				normalised += x[i] * m.Normalised(i, j) * x[j]
			}
		}
		if raw < -1e-6 || normalised < -1e-9 {
			t.Fatalf("x'Kx = %v, normalised %v, for a random x", raw, normalised)
		}
	}
}

func TestGramIsCompareOfAllPairs(t *testing.T) {
	graphs := append(randomGraphs(t, 11, 30), nil, new(wl.Graph))
	o := wl.Options{Iterations: 4}
	m, err := wl.Gram(t.Context(), graphs, o)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range graphs {
		for j, b := range graphs {
			r := compare(t, a, b, o)
			if m.At(i, j) != r.Gram[0][1] || m.Normalised(i, j) != r.Normalised {
				t.Fatalf("graphs %d, %d: Gram %v, %v; Compare %v, %v", i, j, m.At(i, j), m.Normalised(i, j), r.Gram[0][1], r.Normalised)
			}
		}
	}
	for k, x := range m.NormalisedValues() {
		if i, j := k/m.Len(), k%m.Len(); x != m.Normalised(i, j) {
			t.Fatalf("graphs %d, %d: normalised %v one by one, %v together", i, j, m.Normalised(i, j), x)
		}
	}
	none, err := wl.Gram(t.Context(), nil, o)
	if err != nil || none.Len() != 0 || len(none.Values()) != 0 {
		t.Errorf("Gram of no graphs: %v, %v", none, err)
	}
}

// Vectors stay comparable whatever came in between.
func TestRefinerKeepsItsDictionary(t *testing.T) {
	graphs := randomGraphs(t, 12, 30)
	o := wl.Options{Iterations: 3}
	r, err := wl.NewRefiner(o)
	if err != nil {
		t.Fatal(err)
	}
	var vs []wl.Vector
	for _, g := range graphs {
		vs = append(vs, features(t, r, g))
	}
	for i, a := range graphs {
		if again := features(t, r, a); !slices.Equal(again, vs[i]) {
			t.Fatalf("graph %d has another vector the second time", i)
		}
		for k := 1; k < len(vs[i]); k++ {
			if vs[i][k-1].ID >= vs[i][k].ID || vs[i][k].Count < 1 {
				t.Fatalf("graph %d: %v is not ordered by ID, or has an empty count", i, vs[i])
			}
		}
		for j, b := range graphs {
			if got, want := wl.Similarity(vs[i], vs[j]), compare(t, a, b, o).Normalised; got != want {
				t.Fatalf("graphs %d, %d: vectors give %v, Compare %v", i, j, got, want)
			}
		}
	}
	if v := features(t, r, nil); len(v) != 0 || wl.Similarity(v, v) != 1 || wl.Similarity(v, vs[0]) != 0 {
		t.Errorf("the empty graph has features %v", v)
	}
}

func TestConcurrentUse(t *testing.T) {
	graphs := randomGraphs(t, 13, 40)
	o := wl.Options{Iterations: 3}
	want, err := wl.Gram(t.Context(), graphs, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := wl.NewRefiner(o)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for k := range 8 {
		wg.Go(func() {
			for i := range graphs {
				j := (i + 5*k) % len(graphs)
				c, err := wl.Compare(context.Background(), graphs[i], graphs[j], o)
				if err != nil || c.Gram[0][1] != want.At(i, j) {
					t.Errorf("Compare: %v, %v; want %v", c, err, want.At(i, j))
				}
				a, err := r.Features(context.Background(), graphs[i])
				if err != nil {
					t.Error(err)
				}
				b, err := r.Features(context.Background(), graphs[j])
				if err != nil {
					t.Error(err)
				}
				if got := wl.Dot(a, b); got != want.At(i, j) {
					t.Errorf("Features: %v, want %v", got, want.At(i, j))
				}
			}
		})
	}
	wg.Wait()
}

// A long Gram ends soon after its context, with its goroutines.
func TestGramEndsWithItsContext(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	graphs := make([]*wl.Graph, 2000)
	for i := range graphs {
		graphs[i] = random(t, rng, 200, 400, 2, 1)
	}
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := wl.Gram(ctx, graphs, wl.Options{Iterations: 50})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want context.DeadlineExceeded", err)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("took %v to end after 20ms", took)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
	done, cancel2 := context.WithCancel(t.Context())
	cancel2()
	if _, err := wl.Gram(done, nil, wl.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Gram of nothing after cancel: error %v", err)
	}
	r, err := wl.NewRefiner(wl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Features(done, graphs[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("Features after cancel: error %v", err)
	}
}

// The similarity of a graph to copies of itself falls as more edges of the copy
// are redirected.
func TestMoreChangesAreLessSimilar(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 1))
	const n = 200
	nodes := make([]int, n)
	for i := range nodes {
		nodes[i] = i
	}
	edges := make([]wl.Edge, n)
	for i := range edges {
		edges[i] = edge(i, (i*7+1)%n)
	}
	a := graph(t, nodes, edges...)
	last := math.Inf(1)
	changed := slices.Clone(edges)
	for i := range 8 {
		got := compare(t, a, graph(t, nodes, changed...), wl.Options{Iterations: 2}).Normalised
		if got >= last {
			t.Errorf("after %d changes: %v, before %v", 20*i, got, last)
		}
		last = got
		for k := range 20 {
			changed[20*i+k].To = rng.IntN(n)
		}
	}
}
