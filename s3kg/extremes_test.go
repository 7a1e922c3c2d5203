package s3kg_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
)

// Odd graphs have finite scores in [0,1], 1 with themselves, the same in either order.
func TestOddGraphs(t *testing.T) {
	many := func(n int, triple func(i int) kg.Triple) *kg.Graph {
		g := kg.NewGraph()
		for i := range n {
			g.Add(triple(i))
		}
		return g
	}
	name := func(i int) string { return fmt.Sprint("thing ", i) }
	graphs := map[string]*kg.Graph{
		"empty":        kg.NewGraph(),
		"blank labels": many(1, func(int) kg.Triple { return kg.Triple{Head: " ", Relation: "", Tail: "\t"} }),
		"a blank end":  many(3, func(i int) kg.Triple { return kg.Triple{Head: name(i), Relation: "owns", Tail: ""} }),
		"self loops":   many(50, func(i int) kg.Triple { return kg.Triple{Head: name(i), Relation: "is", Tail: name(i)} }),
		"one label":    many(1, func(int) kg.Triple { return kg.Triple{Head: "x", Relation: "x", Tail: "x"} }),
		"hub":          many(300, func(i int) kg.Triple { return kg.Triple{Head: "hub", Relation: "holds", Tail: name(i)} }),
		"identical":    many(60, func(i int) kg.Triple { return kg.Triple{Head: "same", Relation: fmt.Sprint("r", i), Tail: "same"} }),
		"scripts": kg.NewGraph(kg.Triple{Head: "東京", Relation: "の首都", Tail: "日本"}, kg.Triple{Head: "Москва", Relation: "столица", Tail: "Россия"},
			kg.Triple{Head: "القاهرة", Relation: "عاصمة", Tail: "مصر"}, kg.Triple{Head: "👩‍🚀", Relation: "\x00", Tail: "\u202e"}),
		"long label": many(1, func(int) kg.Triple {
			return kg.Triple{Head: strings.Repeat("a", 1<<16), Relation: strings.Repeat("b c ", 1<<14), Tail: "d"}
		}),
	}
	embedder := embed.Cached(hashed.New(), 1<<15)
	paper, reference := s3kg.Paper(), s3kg.Reference()
	paper.Embedder, reference.Embedder = embedder, embedder
	for method, o := range map[string]s3kg.Options{"default": {Embedder: embedder}, "paper": paper, "reference": reference} {
		s := scorer(t, o)
		for x, a := range graphs {
			for y, b := range graphs {
				if method != "default" && (x == "hub" || y == "hub") {
					continue // quadratic
				}
				r := score(t, s, a, b)
				for _, n := range []float64{r.Score, r.Structure, r.Meaning, r.AB.Score, r.BA.Score, r.F1.Score} {
					if math.IsNaN(n) || n < 0 || n > 1 {
						t.Errorf("%s: %s, %s: %v", method, x, y, r.F1)
					}
				}
				if method != "default" {
					continue
				}
				if x == y && r.Score != 1 {
					t.Errorf("%s with itself: %v", x, r.Score)
				}
				if back := score(t, s, b, a); back.F1 != r.F1 {
					t.Errorf("%s, %s: %v, the other way round %v", x, y, r.F1, back.F1)
				}
			}
		}
	}
}

// 100,000 triples of which some differ are compared in bounded time, and the context ends
// what takes long.
func TestHundredThousandTriples(t *testing.T) {
	if os.Getenv("KGEVAL_LARGE") == "" {
		t.Skip("100,000 triples take long: set KGEVAL_LARGE=1 to turn this test on")
	}
	const n = 100_000
	a, b, other := kg.NewGraph(), kg.NewGraph(), kg.NewGraph()
	for i := range n {
		x := kg.Triple{Head: fmt.Sprintf("h%d", i/4), Relation: fmt.Sprintf("relation %d", i%50), Tail: fmt.Sprintf("t%d", i)}
		a.Add(x)
		if i%1000 == 0 {
			x.Tail = fmt.Sprintf("u%d", i)
		}
		b.Add(x)
		other.Add(kg.Triple{Head: fmt.Sprintf("v%d", i), Relation: "q", Tail: fmt.Sprintf("w%d", i)})
	}
	s := scorer(t, s3kg.Options{Embedder: hashed.New()})
	r := score(t, s, a, b)
	if !(r.Score > 0.99 && r.Score < 1) {
		t.Errorf("score %v, want just below 1", r.Score)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := s.Score(ctx, a, other); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want the deadline's", err)
	}
	if took := time.Since(start); took > 60*time.Second {
		t.Errorf("ended %v after a deadline of 100ms", took)
	}
}
