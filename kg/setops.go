package kg

// Filter returns the graph of the triples that keep accepts, in their order.
func (g *Graph) Filter(keep func(Triple) bool) *Graph {
	out := NewGraph()
	for t := range g.Triples() {
		if keep(t) {
			out.Add(t)
		}
	}
	return out
}

// Subgraph returns the graph of the triples both of whose ends are among
// entities. Entities that are not in g change nothing.
func (g *Graph) Subgraph(entities ...string) *Graph {
	in := make(map[string]bool, len(entities))
	for _, e := range entities {
		in[e] = true
	}
	return g.Filter(func(t Triple) bool { return in[t.Head] && in[t.Tail] })
}

// Around returns the graph of the triples that a walk of at most hops steps from
// one of entities can use, directions ignored: with hops 1 the triples that
// one of entities is an end of. It is empty for hops < 1.
func (g *Graph) Around(hops int, entities ...string) *Graph {
	dist := make(map[string]int)
	var queue []string
	for _, e := range entities {
		if _, ok := dist[e]; !ok && g.HasEntity(e) {
			dist[e] = 0
			queue = append(queue, e)
		}
	}
	use := make(map[int]bool)
	for len(queue) > 0 {
		e := queue[0]
		queue = queue[1:]
		if dist[e] >= hops {
			continue
		}
		for _, p := range g.incident(e) {
			use[p] = true
			for _, n := range [...]string{g.triples[p].Head, g.triples[p].Tail} {
				if _, ok := dist[n]; !ok {
					dist[n] = dist[e] + 1
					queue = append(queue, n)
				}
			}
		}
	}
	out := NewGraph()
	if g == nil {
		return out
	}
	for p, t := range g.triples {
		if use[p] {
			out.Add(t)
		}
	}
	return out
}

// Clone returns a copy of g that shares nothing with it.
func (g *Graph) Clone() *Graph { return Collect(g.Triples()) }

// Union returns the triples of g, then those of h that g lacks.
func (g *Graph) Union(h *Graph) *Graph {
	out := g.Clone()
	for t := range h.Triples() {
		out.Add(t)
	}
	return out
}

// Intersect returns the triples of g that h has too, in the order of g.
func (g *Graph) Intersect(h *Graph) *Graph { return g.Filter(h.Has) }

// Minus returns the triples of g that h lacks, in the order of g.
func (g *Graph) Minus(h *Graph) *Graph {
	return g.Filter(func(t Triple) bool { return !h.Has(t) })
}

// Equal reports whether g and h hold the same triples, in any order.
func (g *Graph) Equal(h *Graph) bool {
	if g.Len() != h.Len() {
		return false
	}
	for t := range g.Triples() {
		if !h.Has(t) {
			return false
		}
	}
	return true
}

// Components returns the weakly connected components (directions ignored) in
// order of first sight, each with its triples in the order of g; nil for an
// empty graph.
func (g *Graph) Components() []*Graph {
	parent := make(map[string]string)
	find := func(e string) string {
		for parent[e] != e {
			parent[e] = parent[parent[e]]
			e = parent[e]
		}
		return e
	}
	size := make(map[string]int)
	for t := range g.Triples() {
		for _, e := range [...]string{t.Head, t.Tail} {
			if _, ok := parent[e]; !ok {
				parent[e], size[e] = e, 1
			}
		}
		a, b := find(t.Head), find(t.Tail)
		if a == b {
			continue
		}
		if size[a] < size[b] {
			a, b = b, a
		}
		parent[b] = a
		size[a] += size[b]
	}
	var out []*Graph
	byRoot := make(map[string]*Graph)
	for t := range g.Triples() {
		r := find(t.Head)
		c := byRoot[r]
		if c == nil {
			c = NewGraph()
			byRoot[r] = c
			out = append(out, c)
		}
		c.Add(t)
	}
	return out
}
