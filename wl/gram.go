package wl

import (
	"context"
	"math"
	"runtime"
	"slices"
)

// Matrix is the Gram matrix of n graphs: symmetric, positive semidefinite, raw
// and normalised.
type Matrix struct {
	n    int
	raw  []float64
	root []float64 // of the diagonal
}

// Len returns n.
func (m *Matrix) Len() int { return m.n }

// At returns the raw kernel of the graphs i and j, which must be in [0, Len).
func (m *Matrix) At(i, j int) float64 { return m.raw[i*m.n+j] }

// Normalised returns the kernel of the graphs i and j, which must be in
// [0, Len), divided by the root of the product of their kernels with
// themselves, as in Result.
func (m *Matrix) Normalised(i, j int) float64 {
	return normalise(m.raw[i*m.n+i], m.raw[i*m.n+j], m.raw[j*m.n+j], m.root[i], m.root[j])
}

// Values returns the n*n raw kernels, row by row. They are the matrix's own and
// must not be changed.
func (m *Matrix) Values() []float64 { return m.raw }

// NormalisedValues returns a new slice of the n*n normalised kernels, row by
// row: what Normalised gives for each.
func (m *Matrix) NormalisedValues() []float64 {
	out := make([]float64, len(m.raw))
	diagonal := make([]float64, m.n)
	for i := range diagonal {
		diagonal[i] = m.At(i, i)
	}
	rows := func(lo, hi int) {
		for i := lo; i < hi; i++ {
			m.normaliseRow(out[i*m.n:(i+1)*m.n], i, diagonal)
		}
	}
	// Without a deadline there is no error.
	_ = inChunks(context.Background(), m.n, runtime.GOMAXPROCS(0), rows)
	return out
}

// normaliseRow is normalise for a whole row, with few branches.
func (m *Matrix) normaliseRow(to []float64, i int, diagonal []float64) {
	aa, ra := diagonal[i], m.root[i]
	if aa == 0 {
		for j, bb := range diagonal {
			if bb == 0 {
				to[j] = 1
			}
		}
		return
	}
	row := m.raw[i*m.n:][:len(to)]
	diagonal, root := diagonal[:len(to)], m.root[:len(to)]
	for j, ab := range row {
		d := ra * root[j]
		if diagonal[j] == aa {
			d = aa
		}
		x := ab / d
		if !(x <= 1) { // by rounding, or 0/0 where the other graph is empty
			x = min(ab, 1)
		}
		to[j] = x
	}
}

// Gram returns the kernels of all pairs of graphs: the same values as Compare
// gives for each pair. It uses as many goroutines as GOMAXPROCS allows; the
// result does not depend on them. Memory is 8 N^2 bytes for the result and a
// few dozen for each node and edge. The error is an *OptionError, a *SizeError
// or the context's error, soon after the context ends.
func Gram(ctx context.Context, graphs []*Graph, o Options) (*Matrix, error) {
	return gram(ctx, graphs, o, runtime.GOMAXPROCS(0))
}

func gram(ctx context.Context, graphs []*Graph, o Options, workers int) (*Matrix, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var r refinement
	r.reset(o)
	nodes, edges := 0, 0
	for _, g := range graphs {
		nodes += g.Nodes()
		edges += g.Edges()
	}
	if o.Neighbours == Directed || o.Neighbours == Both {
		edges *= 2
	}
	r.label = slices.Grow(r.label, nodes)
	r.start = slices.Grow(r.start, nodes)
	r.node = slices.Grow(r.node, edges)
	r.tag = slices.Grow(r.tag, edges)
	for i, g := range graphs {
		if i%chunk == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if err := r.add(g); err != nil {
			return nil, err
		}
	}
	n := len(graphs)
	m := &Matrix{n: n, raw: make([]float64, n*n), root: make([]float64, n)}
	r.begin()
	var p postings
	for i := 0; ; i++ {
		p.build(&r)
		same := 1 // iterations that are like this one
		last := i == o.Iterations
		if !last {
			split, err := r.step(ctx, workers)
			if err != nil {
				return nil, err
			}
			if !split {
				same += o.Iterations - i
				last = true
			}
		}
		if err := inChunks(ctx, m.n, workers, func(lo, hi int) { p.addTo(m, lo, hi, float64(same)) }); err != nil {
			return nil, err
		}
		if last {
			break
		}
	}
	if err := inChunks(ctx, m.n, workers, m.mirror); err != nil {
		return nil, err
	}
	for i := range m.root {
		m.root[i] = math.Sqrt(m.At(i, i))
	}
	return m, nil
}

// mirror fills the part of the rows lo to hi that is left of the diagonal. It
// writes below the diagonal and reads above it.
func (m *Matrix) mirror(lo, hi int) {
	const block = 32 // columns whose lines stay in the cache
	for from := 0; from < hi; from += block {
		for i := lo; i < hi; i++ {
			for j := from; j < min(from+block, i); j++ {
				m.raw[i*m.n+j] = m.raw[j*m.n+i]
			}
		}
	}
}

// postings lists, for each class of one iteration, the graphs that have it,
// ascending, with how often.
type postings struct {
	list []posting
	of   []reference // per graph, its classes
	from []int       // where the references of each graph start, and the end

	end  []int    // of each class in list
	at   []int    // of each class, where its latest graph is in list
	seen []uint32 // of each class, 1 + its latest graph
}

type posting struct {
	graph uint32
	count uint32
}

// reference is where a graph is in the list of one class, and the list's end.
type reference struct{ at, end int }

// build lists the current iteration of r.
func (p *postings) build(r *refinement) {
	p.end = resize(p.end, r.classes)
	p.at = resize(p.at, r.classes)
	p.seen = resize(p.seen, r.classes)
	clear(p.end)
	clear(p.seen)
	graphs := len(r.first) - 1
	for g := range graphs {
		for _, c := range r.class[r.first[g]:r.first[g+1]] {
			if p.seen[c] != uint32(g)+1 {
				p.seen[c] = uint32(g) + 1
				p.end[c]++
			}
		}
	}
	sum := 0
	for c := range p.end {
		p.at[c] = sum - 1
		sum += p.end[c]
		p.end[c] = sum
	}
	p.list = resize(p.list, sum)
	p.of = resize(p.of, sum)[:0]
	p.from = append(p.from[:0], 0)
	clear(p.seen)
	for g := range graphs {
		for _, c := range r.class[r.first[g]:r.first[g+1]] {
			if p.seen[c] != uint32(g)+1 {
				p.seen[c] = uint32(g) + 1
				p.at[c]++
				p.list[p.at[c]] = posting{graph: uint32(g)}
				p.of = append(p.of, reference{p.at[c], p.end[c]})
			}
			p.list[p.at[c]].count++
		}
		p.from = append(p.from, len(p.of))
	}
}

// addTo adds the products of the rows lo to hi, from the diagonal on, times
// weight. A row is summed by one goroutine, in the order of its classes.
func (p *postings) addTo(m *Matrix, lo, hi int, weight float64) {
	for i := lo; i < hi; i++ {
		row := m.raw[i*m.n : (i+1)*m.n]
		for _, ref := range p.of[p.from[i]:p.from[i+1]] {
			list := p.list[ref.at:ref.end]
			w := weight * float64(list[0].count)
			for _, q := range list {
				row[q.graph] += w * float64(q.count)
			}
		}
	}
}
