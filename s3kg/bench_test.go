package s3kg_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
)

// BenchmarkScore measures one pair of graphs with the vectors of labels at hand:
// equal graphs, graphs that share half of their facts, graphs without an entity
// in common, graphs whose entities all look alike, and graphs whose facts all
// share one entity.
func BenchmarkScore(b *testing.B) {
	for _, kind := range []string{"equal", "half", "disjoint", "alike", "hub"} {
		for _, facts := range []int{14, 1000, 10_000} {
			b.Run(fmt.Sprintf("%s/%d", kind, facts), func(b *testing.B) {
				benchScore(b, hashed.New(), kind, facts)
			})
		}
	}
	b.Run("dense vectors, disjoint/3000", func(b *testing.B) {
		benchScore(b, new(concepts), "disjoint", 3000)
	})
}

func benchScore(b *testing.B, e embed.Embedder, kind string, facts int) {
	x, y := benchGraphs(kind, facts)
	e = embed.Cached(e, 1<<17)
	for _, labels := range [][]string{x.Entities(), y.Entities(), x.Relations(), y.Relations()} {
		if _, err := e.Embed(b.Context(), labels); err != nil {
			b.Fatal(err)
		}
	}
	s := scorer(b, s3kg.Options{Embedder: e})
	for b.Loop() {
		score(b, s, x, y)
	}
}

func benchGraphs(kind string, facts int) (x, y *kg.Graph) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]byte, 4+r.IntN(6))
		for i := range b {
			b[i] = byte('a' + r.IntN(26))
		}
		return string(b)
	}
	name := func() string {
		switch kind {
		case "alike":
			return "same long thing " + word()
		default:
			return word() + " " + word()
		}
	}
	x, y = kg.NewGraph(), kg.NewGraph()
	for i := range facts {
		f := kg.Triple{Head: name(), Relation: "rel " + word()[:1], Tail: name()}
		g := f
		switch {
		case kind == "hub":
			f.Head, g.Head, g.Tail = "hub", "hub", name()
		case kind == "disjoint", kind == "alike", kind == "half" && i%2 == 1:
			g.Head, g.Tail = name(), name()
		}
		x.Add(f)
		y.Add(g)
	}
	return x, y
}
