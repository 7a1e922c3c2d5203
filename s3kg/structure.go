package s3kg

import (
	"context"

	"github.com/kgeval/kgeval/wl"
)

// structure returns how well y covers x, and x covers y, in structure.
//
// The graphs are taken with a node for each entity and one for each fact, the
// fact's node labelled by its relation and standing between head and tail, with
// edges of a kind of their own to when and where (the Levi graph), so that the refinement colours facts as well as entities (as in G.
// de Vries, "A Fast Approximation of the Weisfeiler-Lehman Graph Kernel for RDF
// Data", ECML PKDD 2013), edge labels and direction go into the colours, and
// parallel edges stay. With c_i(G) the multiset of colours after i refinements,
//
//	Cover(x,y) = sum_{i=0..h} |c_i(x) ∩ c_i(y_i)| / sum_{i=0..h} |c_i(x)|
//
// where y_0 is y, and y_i for i > 0 is the part of y that x states too: the facts
// of y that are facts of x under the alignment. Cutting away what y adds keeps an
// added fact from changing the colours of what it touches. The intersection of
// multisets is the optimal assignment kernel of N. Kriege et al., "On Valid
// Optimal Assignment Kernels and Applications to Graph Classification", NIPS 2016.
func (c *comparison) structure(ctx context.Context) (xy, yx float64, err error) {
	h := c.scorer.iterations
	nx, ny := len(c.x.entities)+len(c.x.facts), len(c.y.entities)+len(c.y.facts)

	// Depth 0: the labels.
	labels := 0
	for _, j := range c.entities.toY {
		if j >= 0 {
			labels++
		}
	}
	count := make(map[int]int)
	for _, f := range c.x.facts {
		count[f.relation]++
	}
	for _, f := range c.y.facts {
		if r := c.relations.shared(f.relation); count[r] > 0 {
			count[r]--
			labels++
		}
	}
	commonX, commonY := labels, labels
	if h > 0 {
		var shared, xs, ys []fact // in shared numbers
		stated := make(map[fact]bool, len(c.x.facts))
		for _, f := range c.x.facts {
			f = c.ordered(f)
			xs = append(xs, f)
			stated[f] = true
		}
		for _, f := range c.y.facts {
			f = c.sharedFact(f)
			ys = append(ys, f)
			if stated[f] {
				shared = append(shared, f)
			}
		}
		deepX, deepY, err := c.deep(ctx, h, xs, ys, shared)
		if err != nil {
			return 0, 0, err
		}
		commonX += deepX
		commonY += deepY
	}
	return float64(commonX) / float64((h+1)*nx), float64(commonY) / float64((h+1)*ny), nil
}

// deep counts the colours of depths 1 to h that x, and y, have in common with the
// facts they share.
func (c *comparison) deep(ctx context.Context, h int, x, y, shared []fact) (inX, inY int, err error) {
	if len(shared) == 0 {
		return 0, 0, ctx.Err()
	}
	r, err := wl.NewRefiner(wl.Options{Iterations: h, Neighbours: wl.Directed})
	if err != nil {
		return 0, 0, err
	}
	part, nodes, err := c.features(ctx, r, shared)
	if err != nil {
		return 0, 0, err
	}
	for _, side := range []struct {
		facts []fact
		in    *int
	}{{x, &inX}, {y, &inY}} {
		whole, _, err := c.features(ctx, r, side.facts)
		if err != nil {
			return 0, 0, err
		}
		// Depth 0 is in the vectors too: all of the part's labels.
		*side.in = intersection(whole, part) - nodes
	}
	return inX, inY, nil
}

// features returns the colours of the graph that facts make, and its number of
// nodes. Entities have even labels, facts odd ones.
func (c *comparison) features(ctx context.Context, r *wl.Refiner, facts []fact) (wl.Vector, int, error) {
	var nodes []int
	at := make(map[int]int)
	entity := func(id int) int {
		n, ok := at[id]
		if !ok {
			n = len(nodes)
			at[id] = n
			nodes = append(nodes, 2*id)
		}
		return n
	}
	edges := make([]wl.Edge, 0, 2*len(facts))
	for _, f := range facts {
		head, tail := entity(f.head), entity(f.tail)
		node := len(nodes)
		nodes = append(nodes, 2*f.relation+1)
		if c.symmetric(f.relation) {
			edges = append(edges, wl.Edge{From: head, To: node}, wl.Edge{From: tail, To: node})
		} else {
			edges = append(edges, wl.Edge{From: head, To: node}, wl.Edge{From: node, To: tail})
		}
		for _, e := range f.circumstances {
			if e != none {
				edges = append(edges, wl.Edge{From: node, To: entity(e), Label: 1})
			}
		}
	}
	g, err := wl.NewGraph(nodes, edges)
	if err != nil {
		return nil, 0, err
	}
	v, err := r.Features(ctx, g)
	return v, len(nodes), err
}

// symmetric reports whether head and tail of a relation may change places; it is
// given by its shared number.
func (c *comparison) symmetric(relation int) bool {
	if n := len(c.x.relations); relation >= n {
		return c.y.relations[relation-n].symmetric
	}
	j := c.relations.toY[relation]
	return c.x.relations[relation].symmetric || j >= 0 && c.y.relations[j].symmetric
}

// ordered returns a fact in shared numbers with head <= tail if the relation is
// symmetric.
func (c *comparison) ordered(f fact) fact {
	if f.head > f.tail && c.symmetric(f.relation) {
		return f.reversed()
	}
	return f
}

// sharedFact returns a fact of y in shared numbers, ordered.
func (c *comparison) sharedFact(f fact) fact {
	return c.ordered(f.renumber(c.entities.shared, c.relations.shared))
}

// intersection returns the size of the intersection of two multisets.
func intersection(a, b wl.Vector) int {
	n := 0
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case x.ID < y.ID:
			a = a[1:]
		case x.ID > y.ID:
			b = b[1:]
		default:
			n += min(x.Count, y.Count)
			a, b = a[1:], b[1:]
		}
	}
	return n
}
