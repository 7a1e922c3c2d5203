package s3kg

import (
	"cmp"
	"context"
	"slices"

	"github.com/kgeval/kgeval/kg"
)

// Side says which of two compared graphs a triple is of.
type Side string

// The sides of a comparison.
const (
	SideA Side = "a"
	SideB Side = "b"
)

// Influence is what one triple does to a score.
type Influence struct {
	Side   Side
	Triple kg.Triple
	// Score is Result.Score without the triple, Gain how much higher that is
	// than with it: the triple lowers the score by Gain. A Gain below 0 says
	// that the triple raises the score.
	Score, Gain float64
}

// LeaveOneOut returns what each triple of r.A and r.B that has no equal partner does to
// r.Score: the pair is compared again without it. The triple that lowers the score
// most is first; where the gain is equal, those of a are before those of b, in
// their graphs' order. Triples that are equal in both graphs are left out: they
// only help.
//
// Removing the only triple of a graph gives the empty graph, whose score is a convention
// (see Score). Triples that are one fact after normalisation are removed together, and
// only the first is listed.
//
// r must be a result of s for graphs that have not changed since; a Fallback has no
// influences. Labels are embedded once. The time is that of as many comparisons as there
// are triples to leave out, so that for graphs of thousands a context with a deadline is
// advisable. The errors are those of Score.
func (s *Scorer) LeaveOneOut(ctx context.Context, r Result) ([]Influence, error) {
	if r.Fallback || r.Degenerate {
		return nil, ctx.Err()
	}
	same := [2]map[kg.Triple]bool{{}, {}}
	for _, m := range r.Matches {
		if m.Class == Same {
			same[0][m.A], same[1][m.B] = true, true
		}
	}
	a, err := s.validView(ctx, r.A)
	if err != nil {
		return nil, err
	}
	b, err := s.validView(ctx, r.B)
	if err != nil {
		return nil, err
	}
	need := newNeed()
	for _, v := range [...]*view{a, b} {
		need.add(v.entities)
		need.add(v.relations)
	}
	if s.published == nil {
		if err := s.embedLabels(ctx, need); err != nil {
			return nil, err
		}
	}
	var out []Influence
	var pairs []sides
	for i, v := range [...]*view{a, b} {
		done := make([]bool, len(v.facts))
		for k, t := range v.triples {
			f := v.factOf[k]
			if same[i][t] {
				done[f] = true
			}
			if done[f] {
				continue
			}
			done[f] = true
			p := sides{a, b}
			without := v.without(f)
			out = append(out, Influence{Side: SideA, Triple: t})
			if p.a = without; i == 1 {
				out[len(out)-1].Side = SideB
				p = sides{a, without}
			}
			pairs = append(pairs, p)
		}
	}
	err = s.inParallel(ctx, len(pairs), func(ctx context.Context, i, inside int) error {
		var x Result
		var err error
		if s.published != nil {
			x, err = s.Score(ctx, pairs[i].a.rebuilt(), pairs[i].b.rebuilt())
		} else {
			x, err = s.compare(ctx, pairs[i].a, pairs[i].b, inside)
		}
		out[i].Score, out[i].Gain = x.Score, x.Score-r.Score
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(out, func(x, y Influence) int { return cmp.Compare(y.Gain, x.Gain) })
	return out, nil
}

// rebuilt returns the graph of v's triples.
func (v *view) rebuilt() *kg.Graph { return kg.NewGraph(v.triples...) }

// without returns the view without one fact. Labels that only it has go, too.
func (v *view) without(fact int) *view {
	w := &view{graph: v.graph}
	usedE, usedR := make([]bool, len(v.entities)), make([]bool, len(v.relations))
	for i, f := range v.facts {
		if i == fact {
			continue
		}
		usedE[f.head], usedE[f.tail], usedR[f.relation] = true, true, true
		for _, c := range f.circumstances {
			if c != none {
				usedE[c] = true
			}
		}
	}
	keep := func(list []label, used []bool) (kept []label, at []int) {
		at = make([]int, len(list))
		for i, l := range list {
			if used[i] {
				at[i] = len(kept)
				kept = append(kept, l)
			}
		}
		return kept, at
	}
	var entityAt, relationAt []int
	w.entities, entityAt = keep(v.entities, usedE)
	w.relations, relationAt = keep(v.relations, usedR)
	for i, f := range v.facts {
		if i != fact {
			w.facts = append(w.facts, f.renumber(func(e int) int { return entityAt[e] }, func(r int) int { return relationAt[r] }))
		}
	}
	for i, t := range v.triples {
		if f := v.factOf[i]; f != fact {
			if f > fact {
				f--
			}
			w.triples = append(w.triples, t)
			w.factOf = append(w.factOf, f)
		}
	}
	return w
}
