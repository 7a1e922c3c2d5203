package s3kg

import (
	"cmp"
	"context"
	"slices"
	"strings"

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
	exact   bool
}

type similarLabel struct {
	y      int
	cosine float64
}

// align pairs equal labels first, then the rest so that the sum of their cosines
// is the largest.
func align(ctx context.Context, x, y []label, vectors map[string][]float32, threshold float64,
	clash func(x, y label) bool, workers int) (*alignment, error) {

	a := &alignment{x: x, y: y, toY: make([]int, len(x)), toX: make([]int, len(y)), similar: make([][]similarLabel, len(x))}
	for j := range a.toX {
		a.toX[j] = -1
	}
	byKey := func(l label, key string) int { return strings.Compare(l.key, key) }
	for i, l := range x {
		a.toY[i] = -1
		if j, ok := slices.BinarySearchFunc(y, l.key, byKey); ok {
			a.toY[i], a.toX[j] = j, i
			a.similar[i] = []similarLabel{{j, 1}}
		}
	}
	// Relations of one verb in different voices match whatever an embedder says.
	byRoot := make(map[string][]int)
	for j, l := range y {
		if l.voice.root != "" {
			byRoot[l.voice.root] = append(byRoot[l.voice.root], j)
		}
	}
	apart := func(x, y label) bool { return flipped(x, y) || clash(x, y) }
	if len(byRoot) == 0 {
		apart = clash
	}
	found, err := near(ctx, x, y, a.toY, a.toX, vectors, threshold, apart, workers)
	if err != nil {
		return nil, err
	}
	n := len(found)
	for i, l := range x {
		for _, j := range byRoot[l.voice.root] {
			if flipped(l, y[j]) && !clash(label{text: l.voice.active}, label{text: y[j].voice.active}) {
				found = append(found, nearPair{i, j, 1})
			}
		}
	}
	if len(found) > n {
		slices.SortFunc(found, func(p, q nearPair) int { return cmp.Or(cmp.Compare(p.x, q.x), cmp.Compare(p.y, q.y)) })
	}
	var edges []assign.Edge
	for _, p := range found {
		a.similar[p.x] = append(a.similar[p.x], similarLabel{p.y, p.cosine})
		if a.toY[p.x] < 0 && a.toX[p.y] < 0 {
			edges = append(edges, assign.Edge{Row: p.x, Col: p.y, Score: p.cosine})
		}
	}
	pairs, err := assign.Maximize(ctx, len(x), len(y), edges, 0, 0)
	if err != nil {
		return nil, err
	}
	for i, j := range pairs.Col {
		if j >= 0 {
			a.toY[i], a.toX[j] = j, i
		}
	}
	a.exact = pairs.Exact
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
