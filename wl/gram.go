package wl

import (
	"context"
	"math"
	"runtime"
)

// Matrix is the Gram matrix of n graphs: symmetric, positive semidefinite, raw
// and normalised. It is read-only and safe for concurrent use.
type Matrix struct {
	n    int
	raw  []float64 // row by row, each from the diagonal on
	self []float64 // the diagonal
	root []float64 // of the diagonal
}

// Len returns n.
func (m *Matrix) Len() int { return m.n }

// row returns row i of raw, whose first element is that of the diagonal.
func (m *Matrix) row(i int) []float64 {
	from := i*m.n - i*(i-1)/2
	return m.raw[from : from+m.n-i]
}

// At returns the raw kernel of the graphs i and j, which must be in [0, Len).
func (m *Matrix) At(i, j int) float64 { return m.row(min(i, j))[max(i, j)-min(i, j)] }

// Normalised returns the kernel of the graphs i and j, which must be in
// [0, Len), divided by the root of the product of their kernels with
// themselves, as in Result.
func (m *Matrix) Normalised(i, j int) float64 {
	return normalise(m.self[i], m.At(i, j), m.self[j], m.root[i], m.root[j])
}

// Values returns a new slice of the n*n raw kernels, row by row.
func (m *Matrix) Values() []float64 {
	return m.square(func(to []float64, i int) { copy(to, m.row(i)) })
}

// NormalisedValues returns a new slice of the n*n normalised kernels, row by
// row: what Normalised gives for each.
func (m *Matrix) NormalisedValues() []float64 {
	return m.square(m.normaliseRow)
}

// square makes a square matrix: fill writes row i from the diagonal on.
func (m *Matrix) square(fill func(to []float64, i int)) []float64 {
	out := make([]float64, m.n*m.n)
	workers := runtime.GOMAXPROCS(0)
	// Without a deadline there is no error.
	_ = inChunks(context.Background(), m.n, workers, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			fill(out[i*m.n+i:(i+1)*m.n], i)
		}
	})
	_ = inChunks(context.Background(), m.n, workers, func(lo, hi int) { mirror(out, m.n, lo, hi) })
	return out
}

// mirror fills the part of the rows lo to hi that is left of the diagonal of a
// square of n*n values. It writes below the diagonal and reads above it.
func mirror(square []float64, n, lo, hi int) {
	const block = 32 // columns whose lines stay in the cache
	for from := 0; from < hi; from += block {
		for i := lo; i < hi; i++ {
			for j := from; j < min(from+block, i); j++ {
				square[i*n+j] = square[j*n+i]
			}
		}
	}
}

// normaliseRow is normalise for row i from the diagonal on, with few branches.
func (m *Matrix) normaliseRow(to []float64, i int) {
	aa, ra := m.self[i], m.root[i]
	self, root := m.self[i:][:len(to)], m.root[i:][:len(to)]
	if aa == 0 {
		for j, bb := range self {
			if bb == 0 {
				to[j] = 1
			}
		}
		return
	}
	for j, ab := range m.row(i)[:len(to)] {
		d := ra * root[j]
		if self[j] == aa {
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
// result does not depend on them. Memory is 4 n^2 bytes for the result and a few
// dozen for each node and edge. The error is an *OptionError, a *SizeError
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
	r.reserve(nodes, edges)
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
	m := &Matrix{n: n, raw: make([]float64, n*(n+1)/2), self: make([]float64, n), root: make([]float64, n)}
	r.begin()
	var p postings
	for i := 0; ; i++ {
		p.build(&r)
		same := 1.0 // iterations that are like this one
		last := i == o.Iterations
		if !last {
			split, err := r.step(ctx, workers)
			if err != nil {
				return nil, err
			}
			if !split {
				same += float64(o.Iterations - i)
				last = true
			}
		}
		if err := inChunks(ctx, m.n, workers, func(lo, hi int) { p.addTo(m, lo, hi, same) }); err != nil {
			return nil, err
		}
		if last {
			break
		}
	}
	for i := range n {
		m.self[i] = m.row(i)[0]
		m.root[i] = math.Sqrt(m.self[i])
	}
	return m, nil
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
		row := m.row(i)
		for _, ref := range p.of[p.from[i]:p.from[i+1]] {
			list := p.list[ref.at:ref.end]
			w := weight * float64(list[0].count)
			for _, q := range list {
				row[int(q.graph)-i] += w * float64(q.count)
			}
		}
	}
}
