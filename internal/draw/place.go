package draw

import (
	"cmp"
	"slices"
)

// Distances in pixels. Along is the direction in which the facts run, across
// the other one.
const (
	gapAlong  = 20.0 // between layers, at least
	gapMost   = 74.0 // and at most
	gapAcross = 12.0 // between labels of a layer
	thread    = 8.0  // what an arrow that passes a layer takes
)

// cell is something that takes a place in a layer: an entity, a relation, or
// an arrow on its way.
type cell struct {
	label        int // position in the drawing's labels, -1 for an arrow on its way
	layer, order int
	size         float64 // across
	at           float64 // middle, across
	links        [2][]int
	weight       float64
}

// grid is a layout at work.
type grid struct {
	cells  []cell
	layers [][]int // cells by layer, in order
}

func (g *grid) add(layer, label int, size, weight float64) int {
	for len(g.layers) <= layer {
		g.layers = append(g.layers, nil)
	}
	i := len(g.cells)
	g.cells = append(g.cells, cell{label: label, layer: layer, order: len(g.layers[layer]), size: size, weight: weight})
	g.layers[layer] = append(g.layers[layer], i)
	return i
}

// join links two cells of neighbouring layers.
func (g *grid) join(a, b int) {
	if g.cells[a].layer > g.cells[b].layer {
		a, b = b, a
	}
	g.cells[a].links[1] = append(g.cells[a].links[1], b)
	g.cells[b].links[0] = append(g.cells[b].links[0], a)
}

// layout places a component, from top to bottom if down, else from left to
// right.
func (c *component) layout(down bool) Drawing {
	layer := c.layers()
	d := Drawing{Labels: slices.Clone(c.labels)}
	across := func(l Label) float64 {
		if down {
			return l.W
		}
		return l.H
	}
	g := &grid{}
	// Entities stand in even layers, relations in odd ones. Cells are added in an
	// order that keeps what belongs together close: it is the first order.
	nodes := make([]int, len(c.labels))
	for i, l := range c.labels {
		nodes[i] = g.add(2*layer[i], i, across(l), 1)
	}
	trails := make([][]int, len(c.edges)) // from head to tail
	for k, e := range c.edges {
		l := relationLabel(e.fact)
		label := len(d.Labels)
		d.Labels = append(d.Labels, l)
		from, to := 2*layer[e.from], 2*layer[e.to]
		step := 1
		if to < from {
			step = -1
		}
		trail := []int{nodes[e.from]}
		// The relation's words stand next to the head: read on from there.
		trail = append(trail, g.add(from+step, label, across(l), 1.5))
		for at := from + 2*step; e.from != e.to && at != to; at += step {
			trail = append(trail, g.add(at, -1, thread, 3))
		}
		trail = append(trail, nodes[e.to])
		for i := 1; i < len(trail); i++ {
			g.join(trail[i-1], trail[i])
		}
		trails[k] = trail
	}
	g.sort()
	g.spread()
	d.draw(c, g, trails, d.set(g, down), down)
	return d
}

// sort orders each layer so that few arrows cross, by barycentres up and down.
func (g *grid) sort() {
	best, least := g.orders(), g.crossings()
	for round := 0; round < 16 && least > 0; round++ {
		side := round % 2 // towards the layer before, then behind
		for k := range g.layers {
			l := k
			if side == 1 {
				l = len(g.layers) - 1 - k
			}
			g.sortLayer(l, side)
		}
		if n := g.crossings(); n < least {
			best, least = g.orders(), n
		}
	}
	for i, o := range best {
		g.cells[i].order = o
	}
	for _, l := range g.layers {
		slices.SortFunc(l, func(a, b int) int { return cmp.Compare(g.cells[a].order, g.cells[b].order) })
	}
}

func (g *grid) sortLayer(l, side int) {
	key := make(map[int]float64, len(g.layers[l]))
	for _, i := range g.layers[l] {
		links := g.cells[i].links[side]
		key[i] = float64(g.cells[i].order)
		if len(links) > 0 {
			sum := 0.0
			for _, j := range links {
				sum += float64(g.cells[j].order)
			}
			key[i] = sum / float64(len(links))
		}
	}
	slices.SortStableFunc(g.layers[l], func(a, b int) int { return cmp.Compare(key[a], key[b]) })
	for o, i := range g.layers[l] {
		g.cells[i].order = o
	}
}

func (g *grid) orders() []int {
	out := make([]int, len(g.cells))
	for i, c := range g.cells {
		out[i] = c.order
	}
	return out
}

// crossings counts pairs of links that cross, layer by layer.
func (g *grid) crossings() int {
	total := 0
	for _, l := range g.layers {
		var ends []int // orders of the far ends, sorted by the near ones
		for _, i := range l {
			from := len(ends)
			for _, j := range g.cells[i].links[1] {
				ends = append(ends, g.cells[j].order)
			}
			slices.Sort(ends[from:])
		}
		for a := range ends {
			for _, e := range ends[a+1:] {
				if e < ends[a] {
					total++
				}
			}
		}
	}
	return total
}

// spread gives every cell a place across: near the middle of what it is joined
// to, in its layer's order, and none on another.
func (g *grid) spread() {
	for _, l := range g.layers {
		at := 0.0
		for _, i := range l {
			g.cells[i].at = at + g.cells[i].size/2
			at += g.cells[i].size + gapAcross
		}
	}
	for round := range 24 {
		for k := range g.layers {
			l := k
			if round%2 == 1 {
				l = len(g.layers) - 1 - k
			}
			g.settle(l, round)
		}
	}
}

// settle moves the cells of a layer as near as may be, in the least squares, to
// the mean of what they are joined to (isotonic regression: pool adjacent
// violators).
func (g *grid) settle(l, round int) {
	type pool struct {
		sum, weight float64
		n           int
	}
	var pools []pool
	ids := g.layers[l]
	shift := make([]float64, len(ids)) // of each cell behind the first, at least
	for k, i := range ids {
		if k > 0 {
			p := g.cells[ids[k-1]]
			shift[k] = shift[k-1] + p.size/2 + gapAcross + g.cells[i].size/2
		}
		want, n := 0.0, 0.0
		for side, links := range g.cells[i].links {
			// The first rounds look one way, so that order spreads from layer to
			// layer; the last ones both.
			if round < 12 && side != round%2 {
				continue
			}
			for _, j := range links {
				// What has many arrows on that side pulls less: they fan out, and
				// the rest of the way is straight.
				pull := 1 / float64(len(g.cells[j].links[1-side]))
				want += pull * g.cells[j].at
				n += pull
			}
		}
		if n == 0 {
			want, n = g.cells[i].at, 1
		}
		w := g.cells[i].weight
		pools = append(pools, pool{(want/n - shift[k]) * w, w, 1})
		for len(pools) > 1 {
			a, b := pools[len(pools)-2], pools[len(pools)-1]
			if a.sum/a.weight <= b.sum/b.weight {
				break
			}
			pools = append(pools[:len(pools)-2], pool{a.sum + b.sum, a.weight + b.weight, a.n + b.n})
		}
	}
	k := 0
	for _, p := range pools {
		for range p.n {
			g.cells[ids[k]].at = p.sum/p.weight + shift[k]
			k++
		}
	}
}

// extent is where a layer begins and ends, along.
type extent struct{ from, to float64 }

// gap returns the distance between a layer and the next one: more where arrows
// have far to go across, so that they are not too steep.
func (g *grid) gap(layer int) float64 {
	far := 0.0
	for _, i := range g.layers[layer] {
		for _, j := range g.cells[i].links[1] {
			far = max(far, abs(g.cells[i].at-g.cells[j].at))
		}
	}
	return min(gapMost, gapAlong+far/5)
}

// set moves the labels to their cells' places, measures the drawing and returns
// the extents of the layers.
func (d *Drawing) set(g *grid, down bool) []extent {
	low, high := g.cells[0].at, g.cells[0].at
	for _, c := range g.cells {
		low, high = min(low, c.at-c.size/2), max(high, c.at+c.size/2)
	}
	extents := make([]extent, len(g.layers))
	along := 0.0
	for n, l := range g.layers {
		deep := 0.0
		for _, i := range l {
			if k := g.cells[i].label; k >= 0 && down {
				deep = max(deep, d.Labels[k].H)
			} else if k >= 0 {
				deep = max(deep, d.Labels[k].W)
			}
		}
		for _, i := range l {
			g.cells[i].at -= low
			if k := g.cells[i].label; k >= 0 {
				b := &d.Labels[k].Box
				b.X, b.Y = turn(along+deep/2, g.cells[i].at, down)
			}
		}
		extents[n] = extent{along, along + deep}
		along += deep
		if n+1 < len(g.layers) {
			along += g.gap(n)
		}
	}
	d.Width, d.Height = turn(along, high-low, down)
	return extents
}

// turn returns x and y of what lies at a place along and across.
func turn(along, across float64, down bool) (x, y float64) {
	if down {
		return across, along
	}
	return along, across
}

// end is an end of an arrow at an entity: 0 its beginning, 1 its tip.
type end struct{ trail, which, order int }

// draw makes the arrows. Within a layer an arrow runs straight along, and only
// between layers across: it never lies on a label that is not its own.
func (d *Drawing) draw(c *component, g *grid, trails [][]int, extents []extent, down bool) {
	side := func(at, other int) int {
		if g.cells[other].layer < g.cells[at].layer {
			return 0
		}
		return 1
	}
	offset := d.ports(g, trails, side, down)

	// border is where an arrow crosses into or out of a cell's layer.
	border := func(at, side int, shift float64) Point {
		e := extents[g.cells[at].layer]
		along := e.from
		if side == 1 {
			along = e.to
		}
		x, y := turn(along, g.cells[at].at+shift, down)
		return Point{x, y}
	}
	// touch is where it meets a label.
	touch := func(at, side int, shift float64) Point {
		b := d.Labels[g.cells[at].label].Box
		sign := float64(2*side - 1)
		if down {
			return Point{b.X + shift, b.Y + sign*b.H/2}
		}
		return Point{b.X + sign*b.W/2, b.Y + shift}
	}
	for k, t := range trails {
		e, last := c.edges[k], len(t)-1
		line := Line{Kind: e.fact.Kind, Upright: down, Title: title(e.fact)}
		in, out := side(t[1], t[0]), side(t[1], t[2])
		shift := 0.0
		if e.from == e.to { // a loop goes to its label and back on the same side
			shift = 4
		}
		s := side(t[0], t[1])
		line.Parts[0] = []Point{
			touch(t[0], s, offset[k][0]), border(t[0], s, offset[k][0]),
			border(t[1], in, -shift), touch(t[1], in, -shift),
		}
		second := []Point{touch(t[1], out, shift), border(t[1], out, shift)}
		for i := 2; i < last; i++ {
			in := side(t[i], t[i-1])
			second = append(second, border(t[i], in, 0), border(t[i], 1-in, 0))
		}
		s = side(t[last], t[last-1])
		line.Parts[1] = append(second, border(t[last], s, offset[k][1]), touch(t[last], s, offset[k][1]))
		d.Lines = append(d.Lines, line)
	}
}

// ports spreads the arrows that touch the same side of an entity over it, in
// the order of their far ends. It returns how far each is moved from the
// middle, at its beginning and at its tip.
func (d *Drawing) ports(g *grid, trails [][]int, side func(at, other int) int, down bool) [][2]float64 {
	type port struct{ label, side int }
	touch := map[port][]end{}
	for k, t := range trails {
		last := len(t) - 1
		for which, pair := range [2][2]int{{t[0], t[1]}, {t[last], t[last-1]}} {
			p := port{g.cells[pair[0]].label, side(pair[0], pair[1])}
			touch[p] = append(touch[p], end{k, which, g.cells[pair[1]].order})
		}
	}
	offset := make([][2]float64, len(trails))
	for p, ends := range touch {
		slices.SortFunc(ends, func(a, b end) int {
			return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.trail, b.trail), cmp.Compare(a.which, b.which))
		})
		room := d.Labels[p.label].H - 12
		if down {
			room = d.Labels[p.label].W - 20
		}
		step := min(9, room/float64(max(1, len(ends)-1)))
		for i, e := range ends {
			offset[e.trail][e.which] = (float64(i) - float64(len(ends)-1)/2) * step
		}
	}
	return offset
}

// title says a fact in words, for who points at it.
func title(e Edge) string {
	s := clean(e.Triple.Head, 600) + " — " + clean(e.Triple.Relation, 600) + " → " + clean(e.Triple.Tail, 600)
	if w := e.Kind.look().word; w != "" {
		s += " (" + w + ")"
	}
	if e.Note != "" {
		s += ": " + clean(e.Note, 600)
	}
	return s
}
