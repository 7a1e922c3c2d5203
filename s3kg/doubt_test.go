package s3kg

import (
	"context"
	"fmt"
	"testing"

	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
)

// A relation that nobody knows, between the same ends, is better than losing the fact, and
// worse than a relation that matches; and better than the reverse, the contrary and
// another thing in the place of an end.
func TestDoubtfulRelation(t *testing.T) {
	s, err := New(Options{Embedder: hashed.New()})
	if err != nil {
		t.Fatal(err)
	}
	fact := kg.Triple{Head: "Ana", Relation: "accepted", Tail: "Bo"}
	for _, n := range []int{2, 3, 5, 10, 20} {
		with := func(ts ...kg.Triple) *kg.Graph {
			g := kg.NewGraph()
			for i := range n {
				g.Add(kg.Triple{Head: fmt.Sprint("place ", i), Relation: "lies in", Tail: fmt.Sprint("region ", i/2)})
			}
			for _, x := range ts {
				g.Add(x)
			}
			return g
		}
		score := func(ts ...kg.Triple) float64 {
			t.Helper()
			r, err := s.Score(context.Background(), with(fact), with(ts...))
			if err != nil {
				t.Fatal(err)
			}
			return r.Score
		}
		doubtful := score(kg.Triple{Head: "Ana", Relation: "embraced", Tail: "Bo"})
		if doubtful >= 1 || doubtful >= score(kg.Triple{Head: "Ana", Relation: "was accepting", Tail: "Bo"}) {
			t.Errorf("n=%d: a doubtful relation costs nothing: %g", n, doubtful)
		}
		for name, other := range map[string][]kg.Triple{
			"lost":     nil,
			"reversed": {{Head: "Bo", Relation: "accepted", Tail: "Ana"}},
			"contrary": {{Head: "Ana", Relation: "rejected", Tail: "Bo"}},
			"other":    {{Head: "Ana", Relation: "accepted", Tail: "Zygmunt"}},
			"added":    {fact, {Head: "Ana", Relation: "accepted", Tail: "Zygmunt"}},
		} {
			if o := score(other...); o >= doubtful {
				t.Errorf("n=%d: %s has %g, a doubtful relation %g", n, name, o, doubtful)
			}
		}
	}
}

// What a doubtful relation counts for depends on the two graphs alone, not on what else
// was embedded in the same call.
func TestDoubtDoesNotDependOnTheBatch(t *testing.T) {
	s, err := New(Options{Embedder: hashed.New()})
	if err != nil {
		t.Fatal(err)
	}
	ana := func(relations ...string) *kg.Graph {
		g := kg.NewGraph()
		for i, r := range relations {
			g.Add(kg.Triple{Head: "Ana", Relation: r, Tail: fmt.Sprint("thing ", i)})
		}
		return g
	}
	a, b, c := ana("likes", "owns"), ana("owns", "likes"), ana("likes", "paints")
	alone, err := s.Score(context.Background(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.ScoreAll(context.Background(), []Pair{{a, c}, {a, b}, {b, c}})
	if err != nil {
		t.Fatal(err)
	}
	if all[1].Score != alone.Score {
		t.Errorf("%g beside others, %g alone", all[1].Score, alone.Score)
	}
	if alone.Matches[0].Class != RelationDiffers || alone.Matches[0].Similarity <= 2.0/3 {
		t.Errorf("%+v", alone.Matches[0])
	}
}
