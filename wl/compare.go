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

	// Normalised is k(a,b) / sqrt(k(a,a) k(b,b)), in [0,1]: exactly 1 for
	// graphs with equal feature vectors, isomorphic ones above all; 1 but for
	// rounding where one vector is a multiple of the other, as for a graph and
	// two copies of it; 0 for graphs without a label in common. It is 1 for two
	// empty graphs and 0 for one.
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
	count []pairCount // of each class

	// Dot products of the counts of a and b. Each is at most the square of the
	// number of nodes, so it cannot overflow.
	aa, ab, bb int64
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
	r.reserve(a.Nodes()+b.Nodes(), a.Edges()+b.Edges())
	if err := r.add(a); err != nil {
		return Result{}, err
	}
	if err := r.add(b); err != nil {
		return Result{}, err
	}
	r.begin()
	w.begin()
	var aa, ab, bb float64
	for i := 0; ; i++ {
		// The products of iteration i, and how many iterations are like it.
		x, y, z, same := w.aa, w.ab, w.bb, 1.0
		last := i == o.Iterations
		if !last {
			split, err := r.step(ctx, 1)
			if err != nil {
				return Result{}, err
			}
			if split {
				w.follow()
			} else {
				same += float64(o.Iterations - i)
				last = true
			}
		}
		aa += same * float64(x)
		ab += same * float64(y)
		bb += same * float64(z)
		if last {
			break
		}
	}
	return Result{
		Gram:       [2][2]float64{{aa, ab}, {ab, bb}},
		Normalised: normalise(aa, ab, bb, math.Sqrt(aa), math.Sqrt(bb)),
		Degenerate: a.Nodes() == 0 || b.Nodes() == 0,
	}, nil
}

// begin counts the classes of iteration 0.
func (w *Workspace) begin() {
	r := &w.r
	w.count = resize(w.count, len(r.class)) // classes to come
	clear(w.count)
	na := r.first[1]
	for _, c := range r.class[:na] {
		w.count[c].a++
	}
	for _, c := range r.class[na:] {
		w.count[c].b++
	}
	w.aa, w.ab, w.bb = 0, 0, 0
	for _, c := range w.count[:r.classes] {
		a, b := int64(c.a), int64(c.b)
		w.aa += a * a
		w.ab += a * b
		w.bb += b * b
	}
}

// follow takes over what the latest step moved: (a-1)^2 = a^2 - (2a-1).
func (w *Workspace) follow() {
	na := w.r.first[1]
	for _, m := range w.r.moves {
		from, to := &w.count[m.from], &w.count[w.r.class[m.node]]
		if m.node < na {
			w.aa -= 2*int64(from.a) - 1
			w.ab -= int64(from.b)
			from.a--
			w.aa += 2*int64(to.a) + 1
			w.ab += int64(to.b)
			to.a++
		} else {
			w.bb -= 2*int64(from.b) - 1
			w.ab -= int64(from.a)
			from.b--
			w.bb += 2*int64(to.b) + 1
			w.ab += int64(to.a)
			to.b++
		}
	}
}

// normalise returns ab / (ra rb) within [0,1], where ra and rb are the roots of
// aa and bb, and 1 exactly where all three are the same; 1 where both graphs
// are empty, 0 where one is.
func normalise(aa, ab, bb, ra, rb float64) float64 {
	switch {
	case aa == bb:
		if aa == 0 {
			return 1
		}
		return ab / aa
	case aa == 0 || bb == 0:
		return 0
	}
	return min(1, ab/(ra*rb))
}
