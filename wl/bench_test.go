package wl_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/kgeval/kgeval/wl"
)

// pairs returns pairs of random graphs with 15 nodes and 14 edges of which the
// second is a copy of the first with one label and two edges changed.
func pairs(b *testing.B, n, labels int) [][2]*wl.Graph {
	rng := rand.New(rand.NewPCG(1, 1))
	all := make([][2]*wl.Graph, n)
	nodes, edges := make([]int, 15), make([]wl.Edge, 14)
	random := func() wl.Edge { return wl.Edge{From: rng.IntN(15), To: rng.IntN(15), Label: rng.IntN(20)} }
	for i := range all {
		for u := range nodes {
			nodes[u] = rng.IntN(labels)
		}
		for k := range edges {
			edges[k] = random()
		}
		all[i][0] = graph(b, nodes, edges...)
		nodes[rng.IntN(15)] = rng.IntN(labels)
		edges[rng.IntN(14)], edges[rng.IntN(14)] = random(), random()
		all[i][1] = graph(b, nodes, edges...)
	}
	return all
}

func BenchmarkCompare14Edges(b *testing.B) {
	for _, labels := range []int{10, 200} {
		pairs := pairs(b, 256, labels)
		for _, o := range []wl.Options{
			{Iterations: 5},
			{Iterations: 5, Neighbours: wl.Both, IgnoreEdgeLabels: true, Simple: true},
		} {
			b.Run(fmt.Sprintf("%v/labels=%d", o.Neighbours, labels), func(b *testing.B) {
				ctx := context.Background()
				var w wl.Workspace
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					p := &pairs[i%256]
					if _, err := w.Compare(ctx, p[0], p[1], o); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkGram2000(b *testing.B) {
	for _, labels := range []int{10, 200} {
		rng := rand.New(rand.NewPCG(1, 1))
		graphs := make([]*wl.Graph, 2000)
		for i := range graphs {
			graphs[i] = random(b, rng, 15, 14, labels, 5)
		}
		b.Run(fmt.Sprintf("labels=%d", labels), func(b *testing.B) {
			for b.Loop() {
				m, err := wl.Gram(context.Background(), graphs, wl.Options{Iterations: 5})
				if err != nil {
					b.Fatal(err)
				}
				m.NormalisedValues()
			}
		})
	}
}

func BenchmarkCompareBySize(b *testing.B) {
	for _, edges := range []int{1_000, 10_000, 100_000, 1_000_000} {
		rng := rand.New(rand.NewPCG(1, 1))
		x := random(b, rng, edges/2, edges, edges/20, 20)
		y := random(b, rng, edges/2, edges, edges/20, 20)
		b.Run(fmt.Sprintf("edges=%d", edges), func(b *testing.B) {
			var w wl.Workspace
			for b.Loop() {
				if _, err := w.Compare(context.Background(), x, y, wl.Options{Iterations: 5}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(2*edges), "ns/edge")
		})
	}
}

func BenchmarkReset14Edges(b *testing.B) {
	nodes := make([]int, 15)
	edges := make([]wl.Edge, 14)
	for i := range edges {
		edges[i] = wl.Edge{From: i, To: i + 1, Label: i % 3}
	}
	var g wl.Graph
	b.ReportAllocs()
	for b.Loop() {
		if err := g.Reset(nodes, edges); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFeatures14Edges(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	graphs := make([]*wl.Graph, 256)
	for i := range graphs {
		graphs[i] = random(b, rng, 15, 14, 50, 5)
	}
	r, err := wl.NewRefiner(wl.Options{Iterations: 5})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := r.Features(context.Background(), graphs[i%256]); err != nil {
			b.Fatal(err)
		}
	}
}
