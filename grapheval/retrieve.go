package grapheval

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// Of up to exhaustive windows all are read; beyond that, nearestWindows for each
// claim, unless Options.Nearest says otherwise.
const (
	exhaustive     = 8
	nearestWindows = 3
)

// toRead returns how many of so many windows are read for a claim.
func (o Options) toRead(windows int) int {
	switch {
	case o.Nearest > 0:
		return min(o.Nearest, windows)
	case o.Nearest < 0 || windows <= exhaustive:
		return windows
	}
	return nearestWindows
}

// retrieval finds the windows that bear most on a hypothesis. It looks at parts of
// them, so that a long window is found by the one place that matters. It is
// read-only and safe for concurrent use.
type retrieval struct {
	read    int      // windows to name for a hypothesis
	order   []int    // all windows, by what they say
	of      [][]int  // the windows that hold each part, in that order
	parts   []string // distinct
	words   *nli.Passages
	vectors [][]float32 // of parts; nil without an embedder
}

// partBytes is the length of a part: some hundred words, of which an embedder
// reads all.
const partBytes = 640

// newRetrieval returns an index that names read windows, or nil where that is all of
// them. e may be nil. The error is the context's or the embedder's.
func newRetrieval(ctx context.Context, ws []window, read int, e embed.Embedder) (*retrieval, error) {
	if read >= len(ws) {
		return nil, nil
	}
	x := &retrieval{read: read, order: make([]int, len(ws))}
	for i := range ws {
		x.order[i] = i
	}
	// By text, so that the order of sources breaks no tie but that of equal texts.
	slices.SortStableFunc(x.order, func(a, b int) int { return cmp.Compare(ws[a].text, ws[b].text) })
	at := make(map[string]int)
	for _, i := range x.order {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("grapheval: %w", err)
		}
		for _, s := range segment.Windows(ws[i].text, partBytes, 0, func(t string) int { return len(t) }) {
			part := s.Of(ws[i].text)
			if claim.Blank(part) {
				continue
			}
			k, ok := at[part]
			if !ok {
				k = len(x.parts)
				at[part] = k
				x.parts, x.of = append(x.parts, part), append(x.of, nil)
			}
			if n := len(x.of[k]); n == 0 || x.of[k][n-1] != i {
				x.of[k] = append(x.of[k], i)
			}
		}
	}
	x.words = nli.NewPassages(x.parts)
	if e == nil {
		return x, nil
	}
	var err error
	x.vectors, err = embedded(ctx, e, x.parts)
	return x, err
}

// embedded returns sound vectors of texts, or an error.
func embedded(ctx context.Context, e embed.Embedder, texts []string) ([][]float32, error) {
	vectors, err := guarded(func() ([][]float32, error) { return e.Embed(ctx, texts) })
	if ctx.Err() != nil {
		return nil, fmt.Errorf("grapheval: %w", ctx.Err())
	}
	if err == nil {
		err = embed.Check(texts, vectors)
	}
	if err != nil {
		return nil, fmt.Errorf("grapheval: embedder %s: %w", e.ID(), err)
	}
	return vectors, nil
}

// nearest returns the positions of the windows to read for a hypothesis,
// ascending. Parts are ordered by the words that they share with it and, where
// there are vectors, by their cosine with its own; windows are taken from the two
// orders in turn, words first, each by its nearest part. Where too few share
// anything, the rest is filled up in the windows' own order.
//
// In turn, and not by a sum of ranks: a passage that says the same in other words
// stands in one of the orders only, and must not lose to one that is middling in
// both.
func (x *retrieval) nearest(hypothesis string, vector []float32) []int {
	orders := [][]int{x.words.Nearest(hypothesis, len(x.parts))}
	if x.vectors != nil && len(vector) == len(x.vectors[0]) {
		orders = append(orders, byCosine(x.vectors, vector))
	}
	taken := make([]bool, len(x.order))
	var keep []int
	take := func(windows []int) bool {
		for _, w := range windows {
			if !taken[w] && len(keep) < x.read {
				taken[w] = true
				keep = append(keep, w)
				return true
			}
		}
		return false
	}
	for len(keep) < x.read {
		before := len(keep)
		for k := range orders {
			for len(orders[k]) > 0 {
				part := orders[k][0]
				orders[k] = orders[k][1:]
				if take(x.of[part]) {
					break
				}
			}
		}
		if len(keep) == before {
			break
		}
	}
	for _, w := range x.order {
		take([]int{w})
	}
	slices.Sort(keep)
	return keep
}

// byCosine returns the positions of vectors, those nearest to v first.
func byCosine(vectors [][]float32, v []float32) []int {
	cosine := make([]float64, len(vectors))
	order := make([]int, len(vectors))
	for i, u := range vectors {
		order[i], cosine[i] = i, embed.Cosine(u, v)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cosine[b], cosine[a]) })
	return order
}
