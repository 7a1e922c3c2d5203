package s3kg_test

import (
	"strings"
	"testing"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
)

// Whatever the labels are, scores are numbers in [0,1], the same in both orders,
// and 1 for a graph with itself.
func FuzzScore(f *testing.F) {
	f.Add("Lena|works for|Orbix\nOrbix|was founded in|1998 by Kai", "Orbix|works for|Lena")
	f.Add("a\x00|\xff|  \n\u0301|is|-0.0", "||\n|in|in")
	f.Add("A|is married to|B\nB|married to|A in 1990", "b|is not married to|a")
	s, err := s3kg.New(s3kg.Options{Embedder: hashed.New(), Thresholds: embed.Thresholds{Entity: 0.2, Relation: 0.2}})
	if err != nil {
		f.Fatal(err)
	}
	read := func(text string) *kg.Graph {
		g := kg.NewGraph()
		for i, line := range strings.Split(text, "\n") {
			if p := strings.Split(strings.ToValidUTF8(line, "?"), "|"); len(p) == 3 && i < 20 {
				g.Add(kg.Triple{Head: p[0], Relation: p[1], Tail: p[2]})
			}
		}
		return g
	}
	f.Fuzz(func(t *testing.T, one, two string) {
		a, b := read(one), read(two)
		x, y := score(t, s, a, b), score(t, s, b, a)
		for _, v := range numbers(x) {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("%v is not in [0,1]", v)
			}
		}
		if x.F1 != y.F1 || x.AB != y.BA {
			t.Fatalf("not symmetric: %+v and %+v", x.F1, y.F1)
		}
		if self := score(t, s, a, a); self.Score != 1 {
			t.Fatalf("a graph with itself: %v", self.Score)
		}
		checkMatches(t, a, b, x)
	})
}
