package s3kg

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
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
		for i := range v.facts {
			c.partner[i] = partner{fact: -1, class: Missing}
			switch r.IntN(4) {
			case 0:
				c.partner[i] = partner{fact: i, class: Same, stated: 1}
			case 1:
				c.partner[i] = partner{fact: i, class: RelationDiffers, stated: float64(r.IntN(8)) / 8}
			case 2:
				c.partner[i] = partner{fact: i, class: TailDiffers}
			}
		}
		want, err := c.refined(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.shallow(); got != want {
			t.Errorf("graph %d: %g, want %g\n%v\n%v", n, got, want, v.facts, c.partner)
		}
	}
}
