package s3kg

import (
	"cmp"
	"context"
	"slices"

	"github.com/kgeval/kgeval/wl"
)

// structure returns how well y covers x in structure; facts have been paired before.
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
// where c_0(y) is matched with c_0(x) label by label, and y_i for i > 0 is the part of
// x that y states too: the facts all of whose labels match those of their partners
// (see meaning). Cutting away what y adds keeps an added fact from changing the
// colours of what it touches. A fact whose relation is doubtful (see likeness) is stated
// by the share that it counts for: the numbers are the means over a level t in [0,1] of
// those with the facts stated by t at least. The intersection of
// multisets is the optimal assignment kernel of N. Kriege et al., "On Valid
// Optimal Assignment Kernels and Applications to Graph Classification", NIPS 2016.
func (c *comparison) structure(ctx context.Context) (float64, error) {
	h := c.scorer.iterations
	// Depth 0: the labels.
	n := c.commonRelations()
	common := float64(n) + c.doubtfulRelations(min(len(c.x.facts), len(c.y.facts))-n)
	for _, j := range c.entities.toY {
		if j >= 0 {
			common++
		}
	}
	if h > 0 {
		deep, err := c.deep(ctx, h)
		if err != nil {
			return 0, err
		}
		common += deep
	}
	nodes := len(c.x.entities) + len(c.x.facts)
	return common / float64((h+1)*nodes), nil
}

// doubtfulRelations returns what doubtful relations count for as labels: those of the
// largest shares, most at most.
func (c *comparison) doubtfulRelations(most int) (sum float64) {
	if most <= 0 {
		return 0
	}
	var shares []float64
	for _, p := range c.partner {
		if p.stated > 0 && p.stated < 1 {
			shares = append(shares, p.stated)
		}
	}
	slices.SortFunc(shares, func(a, b float64) int { return cmp.Compare(b, a) })
	for _, s := range shares[:min(most, len(shares))] {
		sum += s
	}
	return sum
}

// commonRelations returns how many facts of x can be paired with facts of y whose
// relation matches.
func (c *comparison) commonRelations() int {
	freeX, freeY := make([]int, len(c.x.relations)), make([]int, len(c.y.relations))
	for _, f := range c.x.facts {
		freeX[f.relation]++
	}
	for _, f := range c.y.facts {
		freeY[f.relation]++
	}
	common := 0
	var flow map[[2]int]int // how many facts of each pair of relations are paired
	give := func(i, j int) {
		n := min(freeX[i], freeY[j])
		freeX[i] -= n
		freeY[j] -= n
		if flow != nil {
			flow[[2]int{i, j}] += n
		}
		common += n
	}
	// Where all matches are one to one, nothing can be exchanged.
	for i, similar := range c.relations.similar {
		if len(similar) > 1 || len(similar) == 1 && c.relations.toY[i] != similar[0].y {
			flow = map[[2]int]int{}
		}
	}
	for i, j := range c.relations.toY {
		if j >= 0 {
			give(i, j)
		}
	}
	for i, similar := range c.relations.similar {
		for _, s := range similar {
			give(i, s.y)
		}
	}
	if flow == nil {
		return common
	}
	// Exchange pairs while that makes room (augmenting paths), up to a bound on
	// the work.
	steps := 0
	back := make(map[int][]int) // the relations of x that match one of y
	for i, similar := range c.relations.similar {
		for _, s := range similar {
			back[s.y] = append(back[s.y], i)
		}
	}
	var seen []bool
	var augment func(i int) bool
	augment = func(i int) bool {
		for _, s := range c.relations.similar[i] {
			if steps++; seen[s.y] || steps > maxExchanges {
				continue
			}
			seen[s.y] = true
			if freeY[s.y] > 0 {
				freeY[s.y]--
				flow[[2]int{i, s.y}]++
				return true
			}
			for _, k := range back[s.y] {
				if steps++; k != i && flow[[2]int{k, s.y}] > 0 && augment(k) {
					flow[[2]int{k, s.y}]--
					flow[[2]int{i, s.y}]++
					return true
				}
			}
		}
		return false
	}
	for i := range freeX {
		for len(c.relations.similar[i]) > 0 && freeX[i] > 0 && steps <= maxExchanges {
			seen = make([]bool, len(c.y.relations))
			steps += len(seen)
			if !augment(i) {
				break
			}
			freeX[i]--
			common++
		}
	}
	return common
}

// maxExchanges bounds the work of commonRelations; beyond it the number may be too
// low.
const maxExchanges = 50_000_000

// deep counts the colours of depths 1 to h that x has in common with its part that
// y states too, as a mean over the levels of how far facts are stated.
func (c *comparison) deep(ctx context.Context, h int) (float64, error) {
	if h == 1 || !slices.ContainsFunc(c.partner, func(p partner) bool { return p.stated > 0 }) {
		return c.shallow(), ctx.Err()
	}
	return c.refined(ctx, h)
}

// refined is deep by refinement of colours.
func (c *comparison) refined(ctx context.Context, h int) (float64, error) {
	v := c.x
	doubtful := slices.ContainsFunc(c.partner, func(p partner) bool { return p.stated > 0 && p.stated < 1 })
	r, err := wl.NewRefiner(wl.Options{Iterations: h, Neighbours: wl.Directed})
	if err != nil {
		return 0, err
	}
	whole, _, err := features(ctx, r, v, v.facts)
	if err != nil {
		return 0, err
	}
	common := func(level float64) (float64, error) {
		var part []fact
		for i, p := range c.partner {
			if p.stated >= level {
				part = append(part, v.facts[i])
			}
		}
		if len(part) == 0 {
			return 0, nil
		}
		inPart, nodes, err := features(ctx, r, v, part)
		if err != nil {
			return 0, err
		}
		// Depth 0 is in the vectors too: all of the part's labels.
		return float64(intersection(whole, inPart) - nodes), nil
	}
	if !doubtful {
		return common(1)
	}
	// Shares are taken down to a multiple of 1/levels, which bounds the work.
	const levels = 8
	sum := 0.0
	for i := 1; i <= levels; i++ {
		n, err := common(float64(i) / levels)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum / levels, nil
}

// shallow is deep for h = 1, counted without colours. The labels of entities are all
// different, and the part's facts are among the whole's: so the colour of a fact
// is common if the part has the fact, and that of an entity if the part has every
// fact that touches it. The mean over the levels is the fact's share, and the least
// share of the facts that touch the entity.
func (c *comparison) shallow() float64 {
	least := make([]float64, len(c.x.entities))
	for i := range least {
		least[i] = 1
	}
	sum := 0.0
	for i, f := range c.x.facts {
		s := c.partner[i].stated
		sum += s
		least[f.head] = min(least[f.head], s)
		least[f.tail] = min(least[f.tail], s)
		for _, e := range f.circumstances {
			if e != none {
				least[e] = min(least[e], s)
			}
		}
	}
	for _, s := range least {
		sum += s
	}
	return sum
}

// features returns the colours of the graph that facts of v make, and its number of
// nodes. Entities have even labels, facts odd ones.
func features(ctx context.Context, r *wl.Refiner, v *view, facts []fact) (wl.Vector, int, error) {
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
		if v.relations[f.relation].symmetric {
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
	colours, err := r.Features(ctx, g)
	return colours, len(nodes), err
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
