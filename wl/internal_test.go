package wl

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

func randomGraph(t *testing.T, rng *rand.Rand, nodes, edges, labels int) *Graph {
	t.Helper()
	l := make([]int, nodes)
	for i := range l {
		l[i] = rng.IntN(labels)
	}
	e := make([]Edge, edges)
	for i := range e {
		e[i] = Edge{From: rng.IntN(nodes), To: rng.IntN(nodes), Label: rng.IntN(2)}
	}
	g, err := NewGraph(l, e)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// With all hashes equal, or all but two bits, every lookup meets signatures
// that collide, and the result is the same.
func TestCollisionsChangeNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	o := Options{Iterations: 4}
	for range 20 {
		a, b := randomGraph(t, rng, 30, 50, 3), randomGraph(t, rng, 30, 50, 3)
		want, err := Compare(t.Context(), a, b, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, mask := range []uint64{1 << 63, 3} {
			var w Workspace
			w.r.mask = mask
			got, err := w.Compare(t.Context(), a, b, o)
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Fatalf("hashes masked with %x give %v, not %v", mask, got, want)
			}
			r, err := NewRefiner(o)
			if err != nil {
				t.Fatal(err)
			}
			r.dict.mask = mask
			va, err := r.Features(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			vb, err := r.Features(t.Context(), b)
			if err != nil {
				t.Fatal(err)
			}
			if Dot(va, vb) != want.Gram[0][1] || Dot(va, va) != want.Gram[0][0] {
				t.Fatalf("hashes masked with %x give other features", mask)
			}
		}
	}
}

// The Gram matrix has the same bits whatever the number of goroutines.
func TestGramDoesNotDependOnScheduling(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	graphs := make([]*Graph, 150)
	for i := range graphs {
		graphs[i] = randomGraph(t, rng, 1+rng.IntN(60), rng.IntN(90), 3)
	}
	for _, o := range []Options{{Iterations: 4}, {Iterations: 3, Neighbours: Both, Simple: true}} {
		want, err := gram(t.Context(), graphs, o, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{2, 3, 8, 400} {
			got, err := gram(t.Context(), graphs, o, workers)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Values(), want.Values()) {
				t.Fatalf("%d goroutines give another matrix", workers)
			}
		}
	}
}

func TestInChunksCoversEachOnce(t *testing.T) {
	for _, n := range []int{0, 1, 7, 512, 513, 10_000} {
		for _, workers := range []int{1, 2, 9} {
			seen := make([]int, n)
			err := inChunks(context.Background(), n, workers, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					seen[i]++
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(seen, func(k int) bool { return k != 1 }) {
				t.Errorf("n=%d, %d goroutines: not each once", n, workers)
			}
		}
	}
}
