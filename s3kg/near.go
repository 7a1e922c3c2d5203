package s3kg

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/kgeval/kgeval/embed"
)

// nearPair is a label of x and one of y whose cosine reaches the threshold.
type nearPair struct {
	x, y   int
	cosine float64 // rounded, see round
}

// maxLooked bounds the labels that are looked at closely for one label, the nearest
// first, and maxNear the matches that are kept of them. They bound time and memory
// where thousands of labels all look alike.
const (
	maxLooked = 128
	maxNear   = 32
)

// round rounds to 20 binary places, so that all sums of a million of such numbers
// are exact and do not depend on their order.
func round(x float64) float64 { return math.RoundToEven(x*(1<<20)) / (1 << 20) }

// near returns the pairs of labels of x and y that match by cosine, ascending.
// exactX and exactY hold the place of the equal label on the other side, or -1. A
// pair of which both have an equal label elsewhere is left out: two names that
// both graphs know are two things.
func near(ctx context.Context, x, y []label, exactX, exactY []int,
	threshold float64, clash func(x, y label) bool, workers int) ([]nearPair, error) {

	if !slices.Contains(exactX, -1) && !slices.Contains(exactY, -1) {
		return nil, ctx.Err()
	}
	vx, vy := vectorsOf(x), vectorsOf(y)
	var freeY, allY []int
	for j, i := range exactY {
		if vy[j] == nil {
			continue // a blank label
		}
		allY = append(allY, j)
		if i < 0 {
			freeY = append(freeY, j)
		}
	}
	free, all := newIndex(vy, freeY), &index{}
	if slices.Contains(exactX, -1) {
		all = newIndex(vy, allY)
	} else if len(freeY) == 0 {
		return nil, ctx.Err()
	}

	rows := make([][]nearPair, len(x))
	row := func(i int, dots []float32) {
		if vx[i] == nil {
			return
		}
		from := all
		if exactX[i] >= 0 {
			from = free
		}
		if len(from.columns) == 0 {
			return
		}
		from.dots(vx[i], dots)
		var nearest candidates
		for k, j := range from.columns {
			// The fast sum may be off by rounding; the cosine decides.
			if float64(dots[k]) >= threshold-1e-3 && exactX[i] != j {
				nearest.add(candidate{j, dots[k]})
			}
		}
		slices.SortFunc(nearest, func(a, b candidate) int { return cmp.Compare(a.column, b.column) })
		var found []nearPair
		for _, n := range nearest {
			c := embed.Cosine(vx[i], vy[n.column])
			if c >= threshold && !clash(x[i], y[n.column]) {
				found = append(found, nearPair{i, n.column, round(c)})
			}
		}
		if len(found) > maxNear {
			slices.SortStableFunc(found, func(a, b nearPair) int { return cmp.Compare(b.cosine, a.cosine) })
			found = found[:maxNear:maxNear]
			slices.SortFunc(found, func(a, b nearPair) int { return cmp.Compare(a.y, b.y) })
		}
		rows[i] = found
	}
	if len(x)*len(y) < 10_000 {
		workers = 1
	}
	if workers == 1 {
		dots := make([]float32, len(y))
		for i := range x {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			row(i, dots)
		}
		return slices.Concat(rows...), nil
	}
	var next atomic.Int64
	var done sync.WaitGroup
	for range min(workers, max(1, len(x))) {
		done.Go(func() {
			dots := make([]float32, len(y))
			for {
				i := int(next.Add(1)) - 1
				if i >= len(x) || ctx.Err() != nil {
					return
				}
				row(i, dots)
			}
		})
	}
	done.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return slices.Concat(rows...), nil
}

// candidate is a column with its dot product.
type candidate struct {
	column int
	dot    float32
}

// candidates holds the maxLooked best candidates that were added, as a heap with
// the worst in front.
type candidates []candidate

func (h *candidates) add(c candidate) {
	s := *h
	if len(s) < maxLooked {
		s = append(s, c)
		*h = s
		for i := len(s) - 1; i > 0; {
			up := (i - 1) / 2
			if !s[i].worse(s[up]) {
				break
			}
			s[i], s[up] = s[up], s[i]
			i = up
		}
		return
	}
	if !s[0].worse(c) {
		return
	}
	s[0] = c
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(s) {
			return
		}
		if down+1 < len(s) && s[down+1].worse(s[down]) {
			down++
		}
		if !s[down].worse(s[i]) {
			return
		}
		s[i], s[down] = s[down], s[i]
		i = down
	}
}

func (c candidate) worse(than candidate) bool {
	return c.dot < than.dot || c.dot == than.dot && c.column > than.column
}

func vectorsOf(list []label) [][]float32 {
	out := make([][]float32, len(list))
	for i, l := range list {
		out[i] = l.vector
	}
	return out
}

// index computes the dot products of a vector with many others.
type index struct {
	columns []int       // the numbers of the vectors
	vectors [][]float32 // of the columns, if they are dense
	// posted holds, for each dimension, the columns that are not zero there, if
	// most are. It is nil for dense vectors.
	posted [][]posting
}

// minPosted is the number of vectors from which on an inverted index is worth making.
const minPosted = 16

type posting struct {
	column int32 // place in columns
	value  float32
}

func newIndex(vectors [][]float32, columns []int) *index {
	ix := &index{columns: columns}
	filled, size := 0, 0
	ix.vectors = make([][]float32, 0, len(columns))
	for _, j := range columns {
		v := vectors[j]
		ix.vectors = append(ix.vectors, v)
		if len(columns) < minPosted {
			continue
		}
		size += len(v)
		for _, f := range v {
			if f != 0 {
				filled++
			}
		}
	}
	if len(columns) < minPosted || filled*4 > size {
		return ix
	}
	ix.posted = make([][]posting, len(ix.vectors[0]))
	for k, v := range ix.vectors {
		for d, f := range v {
			if f != 0 {
				ix.posted[d] = append(ix.posted[d], posting{int32(k), f})
			}
		}
	}
	return ix
}

// dots puts the dot product of v and the k-th column into out[k].
func (ix *index) dots(v []float32, out []float32) {
	out = out[:len(ix.columns)]
	if ix.posted == nil {
		for k, w := range ix.vectors {
			out[k] = dot(v, w)
		}
		return
	}
	clear(out)
	for d, f := range v {
		if f == 0 {
			continue
		}
		for _, p := range ix.posted[d] {
			out[p.column] += float32(f * p.value)
		}
	}
}

// dot returns the dot product. The conversions forbid a fused multiply-add, which
// only some processors have.
func dot(v, w []float32) float32 {
	w = w[:len(v)]
	var a, b, c, d float32
	i := 0
	for ; i+4 <= len(v); i += 4 {
		a += float32(v[i] * w[i])
		b += float32(v[i+1] * w[i+1])
		c += float32(v[i+2] * w[i+2])
		d += float32(v[i+3] * w[i+3])
	}
	for ; i < len(v); i++ {
		a += float32(v[i] * w[i])
	}
	return a + b + c + d
}
