package s3kg_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
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

// BenchmarkPair measures a pair of graphs of ten triples with vectors of 384 numbers at
// hand: plain Score with a caching embedder, and graphs that were prepared. In
// "changed" three facts differ, in "other" all entities do.
func BenchmarkPair(b *testing.B) {
	for _, kind := range []string{"equal", "changed", "other"} {
		e := embed.Cached(dense{384}, 1<<12)
		s := scorer(b, s3kg.Options{Embedder: e, Concurrency: 1})
		x, y := tenTriples(kind)
		b.Run(kind+"/score", func(b *testing.B) {
			for b.Loop() {
				score(b, s, x, y)
			}
		})
		b.Run(kind+"/prepared", func(b *testing.B) {
			p, err := s.Prepare(b.Context(), x, y)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := s.ScorePrepared(b.Context(), p[0], p[1]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkScoreAll measures 10,000 pairs in one call.
func BenchmarkScoreAll(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("10000 pairs/%d workers", workers), func(b *testing.B) {
			s := scorer(b, s3kg.Options{Embedder: embed.Cached(dense{384}, 1<<12), Concurrency: workers})
			var pairs []s3kg.Pair
			for range 5000 {
				for _, kind := range []string{"changed", "other"} {
					x, y := tenTriples(kind)
					pairs = append(pairs, s3kg.Pair{A: x, B: y})
				}
			}
			for b.Loop() {
				if _, err := s.ScoreAll(b.Context(), pairs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// tenTriples returns two graphs of ten triples over seven entities and four relations.
func tenTriples(kind string) (x, y *kg.Graph) {
	names := strings.Fields("Ana Bo Carl Dina Emil Fay Gus Hana Ivo Jan Kim Lea Max Nora")
	relations := []string{"works for", "was born in", "is married to", "owns"}
	x, y = kg.NewGraph(), kg.NewGraph()
	for i := range 10 {
		t := kg.Triple{Head: names[i%7], Relation: relations[i%4], Tail: names[(i*3+1)%7]}
		x.Add(t)
		switch {
		case kind == "other":
			t.Head, t.Tail = names[7+i%7], names[7+(i*3+1)%7]
		case kind == "changed" && i == 2:
			t.Head, t.Tail = t.Tail, t.Head
		case kind == "changed" && i == 5:
			t.Tail = names[9]
		case kind == "changed" && i == 7:
			t.Relation = "sold"
		}
		y.Add(t)
	}
	return x, y
}

// dense gives each text a random vector of n numbers of its own.
type dense struct{ n int }

func (d dense) ID() string { return "dense" }

func (d dense) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		h := fnv.New64a()
		h.Write([]byte(t))
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		v := make([]float32, d.n)
		for k := range v {
			v[k] = float32(r.NormFloat64())
		}
		embed.Normalize(v)
		out[i] = v
	}
	return out, nil
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
