package tau

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
)

func publishedScorers(t *testing.T) map[string]*s3kg.Scorer {
	t.Helper()
	out := map[string]*s3kg.Scorer{}
	for name, o := range map[string]s3kg.Options{"paper": s3kg.Paper(), "reference": s3kg.Reference()} {
		o.Embedder = hashed.New()
		s, err := s3kg.New(o)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = s
	}
	return out
}

// The published methods name the nearest fact of each, however far; the classes come from
// the labels.
func TestClassesOfThePublishedMethods(t *testing.T) {
	fact, beside := triple("Ana Berg", "founded", "Orbix"), triple("Bo Lind", "lives in", "Graz")
	for name, s := range publishedScorers(t) {
		for _, c := range []struct {
			answer kg.Triple
			want   Class
		}{
			{fact, Aligned},
			{triple("ana berg", "Founded", "orbix"), Aligned},
			{triple("Ana Bergs", "founded", "Orbix"), Aligned}, // by the cosine
			{triple("Ana Berg", "bought", "Orbix"), RelationMismatch},
			{triple("Cleo Wick", "founded", "Orbix"), HeadMismatch},
			{triple("Ana Berg", "founded", "Heron Boats"), TailMismatch},
			{triple("Orbix", "founded", "Ana Berg"), Reversed},
		} {
			r, err := Compare(t.Context(), s, graph(fact, beside), graph(c.answer, beside))
			if err != nil {
				t.Fatal(err)
			}
			if r.Findings[0].Class != c.want || r.Findings[1].Class != Aligned || len(r.Findings) != 2 {
				t.Errorf("%s: %v: %+v, want %s", name, c.answer, r.Findings, c.want)
			}
		}
		r, err := Compare(t.Context(), s, graph(fact, beside), graph(beside))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) != 2 || r.Findings[0].Class != Missing || r.Findings[1].Class != Aligned {
			t.Errorf("%s: a lost fact: %+v", name, r.Findings)
		}
	}
}

// A graph against itself is aligned throughout, and every triple has one finding.
func TestFindingsOfThePublishedMethodsPartition(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	draw := func() *kg.Graph {
		g := kg.NewGraph()
		for range 1 + r.IntN(12) {
			g.Add(triple(fmt.Sprint("entity", r.IntN(6)), fmt.Sprint("rel", r.IntN(4)), fmt.Sprint("entity", r.IntN(6))))
		}
		return g
	}
	for name, s := range publishedScorers(t) {
		for range 50 {
			a, b := draw(), draw()
			own, err := Compare(t.Context(), s, a, a)
			if err != nil {
				t.Fatal(err)
			}
			if n := own.Counts()[Aligned]; n != a.Len() {
				t.Fatalf("%s: %d of %d facts aligned with themselves: %v", name, n, a.Len(), own.Findings)
			}
			got, err := Compare(t.Context(), s, a, b)
			if err != nil {
				t.Fatal(err)
			}
			var reference []kg.Triple
			answers := kg.NewGraph()
			for _, f := range got.Findings {
				if f.Class != Extra {
					reference = append(reference, f.Reference)
				}
				if f.Class != Missing && (!b.Has(f.Answer) || !answers.Add(f.Answer)) {
					t.Fatalf("%s: %v is not of the answer, or there twice", name, f)
				}
			}
			if !slices.Equal(reference, a.Slice()) || !answers.Equal(b) {
				t.Fatalf("%s: %v\nand\n%v\ngave %v", name, a, b, got.Findings)
			}
		}
	}
}
