package s3kg

import (
	"context"

	"github.com/kgeval/kgeval/internal/assign"
)

// maxFactPairs bounds the pairs of facts that are weighed against each other.
// Beyond it facts are paired greedily; see pairFacts.
const maxFactPairs = 1 << 22

// meaning pairs the facts of x and y one to one so that the sum of their
// similarities is the largest, and returns how well y covers x, and x covers y:
//
//	Cover(x,y) = (sum over the pairs of sim(f,g)) / (number of facts of x)
//
// Facts that are equal after normalisation are partners of each other first. For
// the others sim compares head with head, relation with relation, tail with tail:
// each is the cosine of the labels if they match, else 0, and
//
//	sim(f,g) = (head + relation + tail + circumstances) / (3 + n)
//
// if at least two of the first three match and the relations do not conflict;
// else 0. Circumstances are when and where, paired one to one, and n is the larger
// number of them on either side, mostly 0.
// So a fact that only speaks of the same thing is no partner, and neither is a
// reversed fact, or one that says the opposite.
func (c *comparison) meaning(ctx context.Context) (xy, yx float64, err error) {
	if err := c.pairFacts(ctx); err != nil {
		return 0, 0, err
	}
	// In thirds of multiples of 2^-20, so that the sum is exact in any order.
	sum := 0.0
	for _, p := range c.partner {
		if p.fact >= 0 {
			sum += p.thirds
		}
	}
	return sum / float64(3*len(c.x.facts)), sum / float64(3*len(c.y.facts)), nil
}

// partner is what y has for a fact of x.
type partner struct {
	fact   int // of y, -1 for none
	class  Class
	thirds float64 // three times the similarity
}

// weigh compares fact f of x with fact g of y; the ends of a symmetric one either
// way round, whichever is better. A class of "" means no match.
func (c *comparison) weigh(f, g fact) (thirds float64, class Class) {
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
		class = RelationDiffers
	case head > 0 && relation > 0:
		class = TailDiffers
	case tail > 0 && relation > 0:
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
		v = c.clash(c.x.relations[i], c.y.relations[j])
		c.conflicts[key] = v
	}
	return v
}

// pairFacts fills c.partner.
func (c *comparison) pairFacts(ctx context.Context) error {
	c.partner = make([]partner, len(c.x.facts))
	c.taken = make([]bool, len(c.y.facts))
	sameKeys := make(map[[3 + maxCircumstances]string]int, len(c.y.facts))
	for j, g := range c.y.facts {
		sameKeys[c.y.keys(g)] = j
	}
	for i, f := range c.x.facts {
		if j, ok := sameKeys[c.x.keys(f)]; ok {
			c.partner[i] = partner{j, Same, 3}
			c.taken[j] = true
		} else {
			c.partner[i] = partner{fact: -1, class: Missing}
		}
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
	if err := c.pairBest(ctx, func(class Class) bool { return class == Aligned || class == CircumstanceDiffers }); err != nil {
		return err
	}
	if err := c.pairContrary(ctx); err != nil {
		return err
	}
	return c.pairBest(ctx, func(Class) bool { return true })
}

// candidates calls f for each free fact of y that shares head or tail with fact i
// of x, or an end with an end if one of the two is symmetric. It may do so twice.
func (c *comparison) candidates(i int, f func(j int)) {
	x := c.x.facts[i]
	for _, s := range c.entities.similar[x.head] {
		for _, j := range c.byHead[s.y] {
			f(j)
		}
		for _, j := range c.byTail[s.y] {
			if c.eitherSymmetric(x, c.y.facts[j]) {
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
			if c.eitherSymmetric(x, c.y.facts[j]) {
				f(j)
			}
		}
	}
}

// pairBest pairs the facts that have no partner yet, with those matches only
// whose class is wanted.
func (c *comparison) pairBest(ctx context.Context, wanted func(Class) bool) error {
	var edges []assign.Edge
	for i, p := range c.partner {
		if p.fact >= 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		c.candidates(i, func(j int) {
			if c.taken[j] {
				return
			}
			if thirds, class := c.weigh(c.x.facts[i], c.y.facts[j]); thirds > 0 && wanted(class) {
				edges = append(edges, assign.Edge{Row: i, Col: j, Score: thirds})
			}
		})
	}
	best, err := assign.Maximize(ctx, len(c.x.facts), len(c.y.facts), edges, 0, 0)
	if err != nil {
		return err
	}
	c.approximate = c.approximate || !best.Exact
	for i, j := range best.Col {
		if j >= 0 {
			c.take(i, j)
		}
	}
	return nil
}

// take makes fact j of y the partner of fact i of x.
func (c *comparison) take(i, j int) {
	thirds, class := c.weigh(c.x.facts[i], c.y.facts[j])
	c.partner[i] = partner{j, class, thirds}
	c.taken[j] = true
}

// pairContrary pairs facts with those that say the opposite or the reverse. Their
// similarity is 0: they take each other out before either can pass for half a
// match of another fact.
func (c *comparison) pairContrary(ctx context.Context) error {
	for i, p := range c.partner {
		if p.fact >= 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		f := c.x.facts[i]
		opposite, reverse := -1, -1
		for _, s := range c.entities.similar[f.head] {
			for _, j := range c.byHead[s.y] {
				if opposite < 0 && !c.taken[j] {
					if _, class := c.weigh(f, c.y.facts[j]); class == Opposite {
						opposite = j
					}
				}
			}
			for _, j := range c.byTail[s.y] {
				g := c.y.facts[j]
				if reverse < 0 && !c.taken[j] && !c.eitherSymmetric(f, g) && c.entities.cosine(f.tail, g.head) > 0 && c.relations.cosine(f.relation, g.relation) > 0 {
					reverse = j
				}
			}
		}
		switch {
		case opposite >= 0:
			c.partner[i] = partner{fact: opposite, class: Opposite}
			c.taken[opposite] = true
		case reverse >= 0:
			c.partner[i] = partner{fact: reverse, class: Reversed}
			c.taken[reverse] = true
		}
	}
	return nil
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

func (v *view) keys(f fact) [3 + maxCircumstances]string {
	k := [3 + maxCircumstances]string{v.entities[f.head].key, v.relations[f.relation].key, v.entities[f.tail].key}
	for i, c := range f.circumstances {
		if c != none {
			k[3+i] = "+" + v.entities[c].key
		}
	}
	return k
}
