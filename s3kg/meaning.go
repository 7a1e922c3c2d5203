package s3kg

import (
	"context"
	"slices"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/internal/assign"
)

// maxFactPairs bounds the pairs of facts that are weighed against each other.
// Beyond it facts are paired greedily; see pairFacts.
const maxFactPairs = 1 << 22

// meaning pairs the facts of x and y one to one so that the sum of their
// similarities is the largest, and returns how well y covers x:
//
//	Cover(x,y) = (sum over the pairs of sim(f,g)) / (number of facts of x)
//
// Facts that are equal after normalisation are partners of each other first. For
// the others sim compares head with head, relation with relation, tail with tail:
// each is the cosine of the labels if they match, else 0, and
//
//	sim(f,g) = (head + relation + tail + circumstances) / (3 + n)
//
// (a relation that does not match, between ends that do, is doubtful and counts a part; see doubt)
// if at least two of the first three match, the relations do not conflict and
// neither end denies the other's; else 0. Circumstances are when and where, paired one to one, and n is the larger
// number of them on either side, mostly 0.
// So a fact that only speaks of the same thing is no partner, and neither is a
// reversed fact, or one that says the opposite.
func (c *comparison) meaning(ctx context.Context) (float64, error) {
	if err := c.pairFacts(ctx); err != nil {
		return 0, err
	}
	// In thirds of multiples of 2^-20, so that the sum is exact in any order.
	sum := 0.0
	for _, p := range c.partner {
		if p.fact >= 0 {
			sum += p.thirds
		}
	}
	return sum / float64(3*len(c.x.facts)), nil
}

// partner is what y has for a fact of x.
type partner struct {
	fact   int // of y, -1 for none
	class  Class
	thirds float64 // three times the similarity
	// stated is how far y states the fact, for structure: 1 if all labels match, the
	// relation's share if it is doubtful, else 0.
	stated float64
}

// weigh compares fact f of x with fact g of y; the ends of a symmetric one either
// way round, whichever is better. A class of "" means no match.
func (c *comparison) weigh(f, g fact) (thirds float64, class Class) {
	if c.flipped(f, g) {
		thirds, class = c.weighStraight(f.reversed(), g)
		if class == Aligned && thirds == 3 && c.x.relations[f.relation].voice.key == c.y.relations[g.relation].voice.key &&
			c.x.entities[f.head].key == c.y.entities[g.tail].key && c.x.entities[f.tail].key == c.y.entities[g.head].key {
			class = Same
		}
		return thirds, class
	}
	thirds, class = c.weighStraight(f, g)
	if c.eitherSymmetric(f, g) {
		if t, other := c.weighStraight(f.reversed(), g); t > thirds || class == "" {
			return t, other
		}
	}
	return thirds, class
}

func (c *comparison) eitherSymmetric(f, g fact) bool {
	return c.x.relations[f.relation].symmetric || c.y.relations[g.relation].symmetric
}

// flipped reports whether the relations of f, of x, and g, of y, are of one verb in
// different voices, so that the head of one is the tail of the other.
func (c *comparison) flipped(f, g fact) bool {
	return flipped(c.x.relations[f.relation], c.y.relations[g.relation])
}

func (c *comparison) weighStraight(f, g fact) (thirds float64, class Class) {
	head := c.entities.cosine(f.head, g.head)
	tail := c.entities.cosine(f.tail, g.tail)
	relation := c.relations.cosine(f.relation, g.relation)
	switch {
	case head > 0 && tail > 0 && relation > 0:
		class = Aligned
	case head > 0 && tail > 0:
		if c.opposed(f.relation, g.relation) {
			return 0, Opposite
		}
		class, relation = RelationDiffers, c.likeness(f.relation, g.relation)
	case head > 0 && relation > 0:
		if c.denies(c.x.entities[f.tail], c.y.entities[g.tail]) {
			return 0, Opposite
		}
		class = TailDiffers
	case tail > 0 && relation > 0:
		if c.denies(c.x.entities[f.head], c.y.entities[g.head]) {
			return 0, Opposite
		}
		class = HeadDiffers
	default:
		return 0, ""
	}
	thirds = head + relation + tail
	if n := max(f.spoken(), g.spoken()); n > 0 {
		sum, matched := c.circumstances(f, g)
		thirds = round(3 * (thirds + sum) / float64(3+n))
		if class == Aligned && matched < n {
			class = CircumstanceDiffers
		}
	}
	return thirds, class
}

// What a doubtful relation counts for; see likeness.
const (
	doubtBase  = 0.3
	doubtSlope = 0.2
)

// likeness is what relations that do not match count for, between the same ends and where
// nothing says that they conflict: doubtBase, plus doubtSlope times their cosine unless x
// itself has j, as then they are two relations for x. The embedder does not know whether
// they say the same; that the same two things are related, in this direction, is still
// told. The base is such that one such relation costs about as much as one lost fact, as it
// does in the true similarity of semantic-kg, where both are one edit.
func (c *comparison) likeness(i, j int) float64 {
	v, w := c.x.relations[i].vector, c.y.relations[j].vector
	if c.relations.known[j] || v == nil || w == nil {
		return round(doubtBase)
	}
	key := [2]int{i, j}
	share, ok := c.likely[key]
	if !ok {
		share = round(doubtBase + doubtSlope*max(0, embed.Cosine(v, w)))
		if c.likely == nil {
			c.likely = map[[2]int]float64{}
		}
		c.likely[key] = share
	}
	return share
}

// circumstances pairs when and where one to one and returns the sum of their
// cosines and the number of pairs.
func (c *comparison) circumstances(f, g fact) (sum float64, pairs int) {
	cosine := func(i, j int) float64 {
		if f.circumstances[i] == none || g.circumstances[j] == none {
			return 0
		}
		return c.entities.cosine(f.circumstances[i], g.circumstances[j])
	}
	for _, way := range [...][2]int{{0, 1}, {1, 0}} {
		p, q := cosine(0, way[0]), cosine(1, way[1])
		if p+q > sum {
			sum, pairs = p+q, 0
			for _, x := range [...]float64{p, q} {
				if x > 0 {
					pairs++
				}
			}
		}
	}
	return sum, pairs
}

// opposed reports whether relation i of x and j of y conflict.
func (c *comparison) opposed(i, j int) bool {
	key := [2]int{i, j}
	v, ok := c.conflicts[key]
	if !ok {
		x, y := c.x.relations[i], c.y.relations[j]
		if flipped(x, y) {
			x, y = label{text: x.voice.active}, label{text: y.voice.active}
		}
		v = c.clash(x, y)
		if c.conflicts == nil {
			c.conflicts = map[[2]int]bool{}
		}
		c.conflicts[key] = v
	}
	return v
}

// pairFacts fills c.partner.
func (c *comparison) pairFacts(ctx context.Context) error {
	c.partner = make([]partner, len(c.x.facts))
	c.taken = make([]bool, len(c.y.facts))
	for i, f := range c.x.facts {
		c.partner[i] = partner{fact: -1, class: Missing}
		if j, ok := c.equalFact(f); ok {
			c.partner[i] = partner{j, Same, 3, 1}
			c.taken[j] = true
		}
	}
	if !slices.ContainsFunc(c.partner, func(p partner) bool { return p.fact < 0 }) {
		return ctx.Err()
	}
	c.byHead = make([][]int, len(c.y.entities))
	c.byTail = make([][]int, len(c.y.entities))
	for j, g := range c.y.facts {
		if !c.taken[j] {
			c.byHead[g.head] = append(c.byHead[g.head], j)
			c.byTail[g.tail] = append(c.byTail[g.tail], j)
		}
	}
	work := 0
	for i, f := range c.x.facts {
		if c.partner[i].fact >= 0 {
			continue
		}
		for _, end := range [...]int{f.head, f.tail} {
			for _, s := range c.entities.similar[end] {
				work += len(c.byHead[s.y]) + len(c.byTail[s.y])
			}
		}
	}
	if work > maxFactPairs {
		c.approximate = true
		return c.pairGreedily(ctx)
	}
	if err := c.pairAligned(ctx); err != nil {
		return err
	}
	return c.pairRest(ctx)
}

// candidates calls f for each free fact of y that shares head or tail with fact i
// of x, or an end with an end if one of the two is symmetric or they are of different voice.
// It may do so twice.
func (c *comparison) candidates(i int, f func(j int)) {
	x := c.x.facts[i]
	for _, s := range c.entities.similar[x.head] {
		for _, j := range c.byHead[s.y] {
			f(j)
		}
		for _, j := range c.byTail[s.y] {
			if g := c.y.facts[j]; c.eitherSymmetric(x, g) || c.flipped(x, g) {
				f(j)
			}
		}
	}
	for _, s := range c.entities.similar[x.tail] {
		for _, j := range c.byTail[s.y] {
			if c.entities.cosine(x.head, c.y.facts[j].head) == 0 {
				f(j)
			}
		}
		for _, j := range c.byHead[s.y] {
			if g := c.y.facts[j]; c.eitherSymmetric(x, g) || c.flipped(x, g) {
				f(j)
			}
		}
	}
}

// edges returns the pairs of facts without a partner that wanted accepts.
func (c *comparison) edges(ctx context.Context, wanted func(thirds float64, class Class) bool) ([]assign.Edge, error) {
	var edges []assign.Edge
	for i, p := range c.partner {
		if p.fact >= 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.candidates(i, func(j int) {
			if c.taken[j] {
				return
			}
			if thirds, class := c.weigh(c.x.facts[i], c.y.facts[j]); wanted(thirds, class) {
				edges = append(edges, assign.Edge{Row: i, Col: j, Score: thirds})
			}
		})
	}
	return edges, nil
}

// assign pairs facts by the largest sum.
func (c *comparison) assign(ctx context.Context, edges []assign.Edge) ([]int, error) {
	best, err := assign.Maximize(ctx, len(c.x.facts), len(c.y.facts), edges, 0, 0)
	if err != nil {
		return nil, err
	}
	c.approximate = c.approximate || !best.Exact
	return best.Col, nil
}

// pairAligned pairs facts of which all labels match.
func (c *comparison) pairAligned(ctx context.Context) error {
	edges, err := c.edges(ctx, func(_ float64, class Class) bool { return class == Aligned || class == Same })
	if err != nil {
		return err
	}
	if len(edges) == 0 {
		return nil
	}
	columns, err := c.assign(ctx, edges)
	if err != nil {
		return err
	}
	for i, j := range columns {
		if j >= 0 {
			c.take(i, j)
		}
	}
	return nil
}

// pairRest pairs the facts that are left. Those of y that say the contrary of one
// of x are found first: none of them may pass for half a match of another. What
// they deny may still find another partner, so that a contrary beside it takes
// nothing away.
func (c *comparison) pairRest(ctx context.Context) error {
	if !slices.ContainsFunc(c.partner, func(p partner) bool { return p.fact < 0 }) {
		return nil
	}
	contraries, err := c.contraries(ctx)
	if err != nil {
		return err
	}
	for _, p := range contraries {
		if p.fact >= 0 {
			c.taken[p.fact] = true
		}
	}
	edges, err := c.edges(ctx, func(thirds float64, _ Class) bool { return thirds > 0 })
	if err != nil {
		return err
	}
	var columns []int
	if len(edges) > 1 {
		if columns, err = c.assign(ctx, edges); err != nil {
			return err
		}
	}
	for i := range c.partner {
		j := -1
		if columns != nil {
			j = columns[i]
		} else if len(edges) == 1 && edges[0].Row == i {
			j = edges[0].Col
		}
		if j >= 0 {
			c.take(i, j)
		} else if c.partner[i].fact < 0 {
			c.partner[i] = contraries[i]
			if contraries[i].fact < 0 {
				c.partner[i].class = Missing
			}
		}
	}
	return nil
}

// take makes fact j of y the partner of fact i of x.
func (c *comparison) take(i, j int) {
	f, g := c.x.facts[i], c.y.facts[j]
	thirds, class := c.weigh(f, g)
	p := partner{j, class, thirds, 0}
	switch class {
	case Same, Aligned:
		p.stated = 1
	case RelationDiffers:
		if n := max(f.spoken(), g.spoken()); n > 0 {
			if _, matched := c.circumstances(f, g); matched < n {
				break
			}
		}
		p.stated = c.likeness(f.relation, g.relation)
	}
	c.partner[i] = p
	c.taken[j] = true
}

// contraries pairs the facts without a partner with those that say the opposite or
// the reverse, in order.
func (c *comparison) contraries(ctx context.Context) ([]partner, error) {
	out := make([]partner, len(c.x.facts))
	used := make([]bool, len(c.y.facts))
	for i, f := range c.x.facts {
		out[i].fact = -1
		if c.partner[i].fact >= 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		best := partner{fact: -1}
		try := func(j int, class Class) {
			if !c.taken[j] && !used[j] && (best.fact < 0 || class == Opposite && best.class == Reversed) {
				best = partner{fact: j, class: class}
			}
		}
		c.candidates(i, func(j int) {
			if _, class := c.weigh(f, c.y.facts[j]); class == Opposite {
				try(j, class)
			}
		})
		reverse := func(j int) {
			g := c.y.facts[j]
			straight := f
			if c.flipped(f, g) {
				straight = f.reversed()
			}
			if !c.eitherSymmetric(f, g) && c.relations.cosine(f.relation, g.relation) > 0 &&
				c.entities.cosine(straight.head, g.tail) > 0 && c.entities.cosine(straight.tail, g.head) > 0 {
				try(j, Reversed)
			}
		}
		for _, s := range c.entities.similar[f.head] {
			for _, j := range c.byTail[s.y] {
				reverse(j)
			}
			for _, j := range c.byHead[s.y] {
				if c.flipped(f, c.y.facts[j]) {
					reverse(j)
				}
			}
		}
		if out[i] = best; best.fact >= 0 {
			used[best.fact] = true
		}
	}
	return out, nil
}

// pairGreedily pairs the facts of graphs in which many facts share an end, where
// weighing all pairs would take too long: first those that have all labels in
// common under the alignment, then head, relation and tail, then two of the three,
// each in order.
func (c *comparison) pairGreedily(ctx context.Context) error {
	for _, keep := range [...]struct{ head, relation, tail, circumstances bool }{
		{true, true, true, true}, {true, true, true, false}, {true, true, false, false}, {false, true, true, false}, {true, false, true, false},
	} {
		if err := ctx.Err(); err != nil {
			return err
		}
		key := func(f fact) fact {
			if !keep.head {
				f.head = none
			}
			if !keep.relation {
				f.relation = none
			}
			if !keep.tail {
				f.tail = none
			}
			if !keep.circumstances {
				f.circumstances = noCircumstances
			}
			return f
		}
		free := make(map[fact][]int)
		for j, g := range c.y.facts {
			if !c.taken[j] {
				k := key(c.sharedFact(g))
				free[k] = append(free[k], j)
			}
		}
		for i, f := range c.x.facts {
			if c.partner[i].fact >= 0 {
				continue
			}
			k := key(c.ordered(f))
			for n, j := range free[k] {
				if thirds, _ := c.weigh(f, c.y.facts[j]); thirds > 0 {
					c.take(i, j)
					free[k] = append(free[k][:n:n], free[k][n+1:]...)
					break
				}
				if n == 8 {
					break // a crowd of opposites
				}
			}
		}
	}
	return nil
}

// equalFact returns the fact of y all of whose labels are equal to those of f.
func (c *comparison) equalFact(f fact) (int, bool) {
	g := fact{c.entities.equal[f.head], c.relations.equal[f.relation], c.entities.equal[f.tail], noCircumstances}
	if g.head < 0 || g.relation < 0 || g.tail < 0 {
		return 0, false
	}
	for i, e := range f.circumstances {
		if e != none {
			if g.circumstances[i] = c.entities.equal[e]; g.circumstances[i] < 0 {
				return 0, false
			}
		}
	}
	slices.Sort(g.circumstances[:])
	return slices.BinarySearchFunc(c.y.facts, g, compareFacts)
}
