package s3kg

import (
	"cmp"
	"context"
	"slices"

	"github.com/kgeval/kgeval/internal/assign"
)

// alignment pairs the labels of one kind, entities or relations, of two views x
// and y.
type alignment struct {
	x, y []label
	// toY is the label of y for each of x, -1 if it has none; toX the reverse.
	toY, toX []int
	// similar holds, for each label of x, those of y that match it, ascending:
	// the equal one, or all whose cosine reaches the threshold. The one-to-one
	// alignment is chosen among them.
	similar [][]similarLabel
	// equal holds for each label of x the equal one of y, known for each label of y whether
	// x has an equal one.
	equal []int
	known []bool
	exact bool
}

type similarLabel struct {
	y      int
	cosine float64
}

// align pairs the labels of x with those of y, for the cover of x by y, and of y
// with those of x, for the cover of y by x: equal labels first, then the rest so
// that the sum of their cosines is the largest. In the cover of a graph no label
// matches one that the graph itself has beside it: for it these are two things.
func align(ctx context.Context, x, y []label, threshold float64,
	clash func(x, y label) bool, workers int) (xy, yx *alignment, err error) {

	exactX, exactY := make([]int, len(x)), make([]int, len(y))
	for j := range exactY {
		exactY[j] = -1
	}
	for i, j := 0, 0; i < len(x); i++ { // both ascend
		exactX[i] = -1
		for j < len(y) && y[j].key < x[i].key {
			j++
		}
		if j < len(y) && y[j].key == x[i].key {
			exactX[i], exactY[j] = j, i
		}
	}
	// Relations of one verb in other forms or voices match whatever an embedder says.
	roots := byRoot(y)
	apart := func(x, y label) bool { return flipped(x, y) || inflected(x, y) || clash(x, y) }
	if roots == nil {
		apart = clash
	}
	found, err := near(ctx, x, y, exactX, exactY, threshold, apart, workers)
	if err != nil {
		return nil, nil, err
	}
	var forX, forY []nearPair
	for _, p := range found {
		if exactY[p.y] < 0 {
			forX = append(forX, p)
		}
		if exactX[p.x] < 0 {
			forY = append(forY, nearPair{p.y, p.x, p.cosine})
		}
	}
	for i, l := range x {
		if l.voice.root == "" {
			continue
		}
		for _, j := range roots.of(l.voice.root) {
			if inflected(l, y[j]) && l.key != y[j].key && !clash(l, y[j]) {
				if exactY[j] < 0 {
					forX = append(forX, nearPair{i, j, 1})
				}
				if exactX[i] < 0 {
					forY = append(forY, nearPair{j, i, 1})
				}
			}
			if flipped(l, y[j]) && !clash(label{text: l.voice.active}, label{text: y[j].voice.active}) {
				forX = append(forX, nearPair{i, j, 1})
				forY = append(forY, nearPair{j, i, 1})
			}
		}
	}
	found = nil // may be large
	if xy, err = newAlignment(ctx, x, y, exactX, exactY, forX); err != nil {
		return nil, nil, err
	}
	if yx, err = newAlignment(ctx, y, x, exactY, exactX, forY); err != nil {
		return nil, nil, err
	}
	return xy, yx, nil
}

// rooted are labels with a root, ascending by it.
type rooted struct {
	roots  []string
	places []int
}

// byRoot returns the labels that have a root, nil if none has.
func byRoot(list []label) *rooted {
	n := 0
	for _, l := range list {
		if l.voice.root != "" {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	r := &rooted{make([]string, n), make([]int, 0, n)}
	for i, l := range list {
		if l.voice.root != "" {
			r.places = append(r.places, i)
		}
	}
	slices.SortFunc(r.places, func(i, j int) int {
		return cmp.Or(cmp.Compare(list[i].voice.root, list[j].voice.root), cmp.Compare(i, j))
	})
	for k, i := range r.places {
		r.roots[k] = list[i].voice.root
	}
	return r
}

// of returns the places of the labels with a root, ascending.
func (r *rooted) of(root string) []int {
	if r == nil {
		return nil
	}
	from, ok := slices.BinarySearch(r.roots, root)
	if !ok {
		return nil
	}
	to := from
	for to < len(r.roots) && r.roots[to] == root {
		to++
	}
	return r.places[from:to]
}

// newAlignment aligns x with y by the equal labels and by the pairs that match.
func newAlignment(ctx context.Context, x, y []label, exactX, exactY []int, pairs []nearPair) (*alignment, error) {
	slices.SortFunc(pairs, func(p, q nearPair) int { return cmp.Or(cmp.Compare(p.x, q.x), cmp.Compare(p.y, q.y)) })
	a := &alignment{x: x, y: y, toY: slices.Clone(exactX), toX: slices.Clone(exactY), similar: make([][]similarLabel, len(x)), known: make([]bool, len(y)), equal: exactX}
	for j, i := range exactY {
		a.known[j] = i >= 0
	}
	equal := make([]similarLabel, len(x))
	for i, j := range exactX {
		if j >= 0 {
			equal[i] = similarLabel{j, 1}
			a.similar[i] = equal[i : i+1 : i+1]
		}
	}
	var edges []assign.Edge
	for _, p := range pairs {
		a.similar[p.x] = append(a.similar[p.x], similarLabel{p.y, p.cosine})
		if exactX[p.x] < 0 && exactY[p.y] < 0 {
			edges = append(edges, assign.Edge{Row: p.x, Col: p.y, Score: p.cosine})
		}
	}
	if a.exact = true; len(edges) < 2 {
		for _, e := range edges {
			a.toY[e.Row], a.toX[e.Col] = e.Col, e.Row
		}
		return a, ctx.Err()
	}
	best, err := assign.Maximize(ctx, len(x), len(y), edges, 0, 0)
	if err != nil {
		return nil, err
	}
	for i, j := range best.Col {
		if j >= 0 {
			a.toY[i], a.toX[j] = j, i
		}
	}
	a.exact = best.Exact
	return a, nil
}

// cosine returns how well label i of x matches label j of y, 0 if it does not.
func (a *alignment) cosine(i, j int) float64 {
	for _, s := range a.similar[i] {
		if s.y == j {
			return s.cosine
		}
	}
	return 0
}

// shared returns the number by which both views know label j of y: that of its
// partner in x, or one that x does not use.
func (a *alignment) shared(j int) int {
	if i := a.toX[j]; i >= 0 {
		return i
	}
	return len(a.x) + j
}
