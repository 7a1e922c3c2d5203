package s3kg

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/wl"
)

// Depth 1 is counted without colours; refinement gives the same number.
func TestShallowEqualsRefinement(t *testing.T) {
	s, err := New(Options{Embedder: hashed.New()})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	relations := []string{"knows", "is married to", "was hired in 1990 by", "owns", "moved in"}
	for n := range 300 {
		g := kg.NewGraph()
		for range 1 + r.IntN(12) {
			tail := fmt.Sprint("e", r.IntN(6))
			if r.IntN(4) == 0 {
				tail += " in 1990"
			}
			g.Add(kg.Triple{Head: fmt.Sprint("e", r.IntN(6)), Relation: relations[r.IntN(len(relations))], Tail: tail})
		}
		v := s.view(g)
		c := &comparison{scorer: s, x: v, y: v, partner: make([]partner, len(v.facts))}
		var part []fact
		for i, f := range v.facts {
			c.partner[i] = partner{fact: -1, class: Missing}
			switch r.IntN(3) {
			case 0:
				c.partner[i] = partner{fact: i, class: Same}
				part = append(part, f)
			case 1:
				c.partner[i] = partner{fact: i, class: RelationDiffers}
			}
		}
		if len(part) == 0 {
			continue
		}
		refiner, err := wl.NewRefiner(wl.Options{Iterations: 1, Neighbours: wl.Directed})
		if err != nil {
			t.Fatal(err)
		}
		stated, nodes, err := features(context.Background(), refiner, v, part)
		if err != nil {
			t.Fatal(err)
		}
		whole, _, err := features(context.Background(), refiner, v, v.facts)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := c.shallow(len(part)), intersection(whole, stated)-nodes; got != want {
			t.Errorf("graph %d: %d, want %d\n%v\n%v", n, got, want, v.facts, c.partner)
		}
	}
}
