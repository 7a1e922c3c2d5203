package draw

import (
	"cmp"
	"slices"
)

// component is a part of the graph that hangs together. Nodes are entities,
// numbered in order of first sight.
type component struct {
	labels []Label
	edges  []arc
}

// arc is a fact between two nodes.
type arc struct {
	from, to int
	fact     Edge
	back     bool // it runs against the layers
}

// components parts the facts into what hangs together, in order of first sight.
func components(facts []Edge) []*component {
	id := map[string]int{}
	var names []string
	node := func(name string) int {
		i, ok := id[name]
		if !ok {
			i = len(names)
			id[name] = i
			names = append(names, name)
		}
		return i
	}
	ends := make([][2]int, len(facts))
	for i, f := range facts {
		ends[i] = [2]int{node(f.Triple.Head), node(f.Triple.Tail)}
	}
	root := make([]int, len(names))
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, e := range ends {
		a, b := find(e[0]), find(e[1])
		root[max(a, b)] = min(a, b)
	}
	var out []*component
	at := map[int]*component{}
	local := make([]int, len(names))
	for i, name := range names {
		c := at[find(i)]
		if c == nil {
			c = &component{}
			at[find(i)] = c
			out = append(out, c)
		}
		local[i] = len(c.labels)
		c.labels = append(c.labels, entityLabel(name))
	}
	for i, f := range facts {
		c := at[find(ends[i][0])]
		c.edges = append(c.edges, arc{from: local[ends[i][0]], to: local[ends[i][1]], fact: f})
	}
	return out
}

// layers gives each entity a layer, so that a fact's tail lies behind its head;
// the facts for which that cannot be, as they close a circle, are marked.
func (c *component) layers() []int {
	n := len(c.labels)
	out := make([][]int, n) // arcs by head
	in := make([]int, n)
	for i, e := range c.edges {
		c.edges[i].back = false
		if e.from != e.to {
			out[e.from] = append(out[e.from], i)
			in[e.to]++
		}
	}
	// Depth first, from what nothing leads to and then from the best connected:
	// an arc into the current path runs back.
	starts := make([]int, n)
	for i := range starts {
		starts[i] = i
	}
	slices.SortStableFunc(starts, func(a, b int) int {
		return cmp.Or(cmp.Compare(min(in[a], 1), min(in[b], 1)), cmp.Compare(len(out[b])-in[b], len(out[a])-in[a]))
	})
	const open, done = 1, 2
	state := make([]int, n)
	var order []int // reverse topological
	var visit func(int)
	visit = func(v int) {
		state[v] = open
		for _, i := range out[v] {
			switch w := c.edges[i].to; state[w] {
			case open:
				c.edges[i].back = true
			case 0:
				visit(w)
			}
		}
		state[v] = done
		order = append(order, v)
	}
	for _, s := range starts {
		if state[s] == 0 {
			visit(s)
		}
	}
	slices.Reverse(order)

	forward := func(e arc) (int, int) {
		if e.back {
			return e.to, e.from
		}
		return e.from, e.to
	}
	next, prev := make([][]int, n), make([][]int, n)
	for _, e := range c.edges {
		if e.from != e.to {
			a, b := forward(e)
			next[a] = append(next[a], b)
			prev[b] = append(prev[b], a)
		}
	}
	// The order is topological for the arcs turned round as well.
	layer := make([]int, n)
	for _, v := range order {
		for _, u := range prev[v] {
			layer[v] = max(layer[v], layer[u]+1)
		}
	}
	// What only leads somewhere stands next to where it leads.
	for k := len(order) - 1; k >= 0; k-- {
		v := order[k]
		if len(next[v]) == 0 || len(prev[v]) > len(next[v]) {
			continue
		}
		near := layer[next[v][0]]
		for _, w := range next[v] {
			near = min(near, layer[w])
		}
		layer[v] = max(layer[v], near-1)
	}
	low := slices.Min(layer)
	for i := range layer {
		layer[i] -= low
	}
	return layer
}
