package wl

import (
	"context"
	"math"
	"sync"
)

// Result is the kernel of two graphs a and b.
type Result struct {
	// Gram holds the raw kernel values: k(a,a), k(a,b), k(b,a), k(b,b).
	Gram [2][2]float64

	// Normalised is k(a,b) / sqrt(k(a,a) k(b,b)), in [0,1]: 1 for graphs with
	// equal feature vectors, isomorphic ones above all, 0 for graphs without a
	// label in common. It is 1 for two empty graphs and 0 for one.
	Normalised float64

	// Degenerate says that a or b has no nodes, so that Normalised is a
	// convention.
	Degenerate bool
}

// Compare returns the kernel of a and b. Its time is O(h (n + m log d)) for n
// nodes and m edges with degrees up to d, less where labels are fully refined
// before iteration h. The error is an *OptionError, a *SizeError or the
// context's error; a context that has ended already is always reported.
func Compare(ctx context.Context, a, b *Graph, o Options) (Result, error) {
	w := workspaces.Get().(*Workspace)
	defer workspaces.Put(w)
	return w.Compare(ctx, a, b, o)
}

var workspaces = sync.Pool{New: func() any { return new(Workspace) }}

// Workspace is memory for many calls of Compare one after the other; once it
// has grown to the size of the graphs a call allocates nothing. The zero value
// is ready. It is not safe for concurrent use.
type Workspace struct {
	r     refinement
	count []pairCount
}

type pairCount struct{ a, b int32 }

// Compare is as the function Compare.
func (w *Workspace) Compare(ctx context.Context, a, b *Graph, o Options) (Result, error) {
	if err := o.check(); err != nil {
		return Result{}, err
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	r := &w.r
	r.reset(o)
	if err := r.add(a); err != nil {
		return Result{}, err
	}
	if err := r.add(b); err != nil {
		return Result{}, err
	}
	r.begin()
	var aa, ab, bb float64
	for i := 0; ; i++ {
		x, y, z := w.products()
		same := 1 // iterations that are like this one
		last := i == o.Iterations
		if !last {
			split, err := r.step(ctx, 1)
			if err != nil {
				return Result{}, err
			}
			if !split {
				same += o.Iterations - i
				last = true
			}
		}
		aa += float64(same) * float64(x)
		ab += float64(same) * float64(y)
		bb += float64(same) * float64(z)
		if last {
			break
		}
	}
	return Result{
		Gram:       [2][2]float64{{aa, ab}, {ab, bb}},
		Normalised: normalise(aa, ab, bb),
		Degenerate: a.Nodes() == 0 || b.Nodes() == 0,
	}, nil
}

// products returns the dot products of the two graphs' counts of classes. Each
// is at most the square of the number of nodes, so it cannot overflow.
func (w *Workspace) products() (aa, ab, bb int64) {
	w.count = resize(w.count, w.r.classes)
	clear(w.count)
	na := w.r.first[1]
	for _, c := range w.r.class[:na] {
		w.count[c].a++
	}
	for _, c := range w.r.class[na:] {
		w.count[c].b++
	}
	for _, c := range w.count {
		a, b := int64(c.a), int64(c.b)
		aa += a * a
		ab += a * b
		bb += b * b
	}
	return aa, ab, bb
}

// normalise returns ab / sqrt(aa bb) within [0,1]; 1 where both graphs are
// empty, 0 where one is.
func normalise(aa, ab, bb float64) float64 {
	switch {
	case aa == 0 && bb == 0:
		return 1
	case aa == 0 || bb == 0:
		return 0
	}
	return min(1, ab/math.Sqrt(aa*bb))
}
