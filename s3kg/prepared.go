package s3kg

import (
	"context"
	"errors"

	"github.com/kgeval/kgeval/kg"
)

// Prepared is a graph that a Scorer has read and whose labels it has embedded, for
// comparing it many times. It is made by Prepare, does not change, and is safe for
// concurrent use.
type Prepared struct {
	scorer *Scorer
	view   *view
}

// Graph returns the graph, nil for the empty graph that was given as nil.
func (p *Prepared) Graph() *kg.Graph { return p.view.graph }

// ErrOtherScorer is returned for a Prepared graph that another Scorer made.
var ErrOtherScorer = errors.New("s3kg: a prepared graph can only be compared by the Scorer that prepared it")

// ErrPublished is returned by what the Scorers of Paper and Reference do not offer.
var ErrPublished = errors.New("s3kg: not offered by the published methods (Paper, Reference)")

// Prepare reads graphs, nil being the empty one, and embeds each distinct label once, all
// in one call of the embedder. The graphs must not change afterwards. The errors
// are those of Score, and ErrPublished.
func (s *Scorer) Prepare(ctx context.Context, graphs ...*kg.Graph) ([]*Prepared, error) {
	if s.published != nil {
		return nil, ErrPublished
	}
	out := make([]*Prepared, len(graphs))
	need := newNeed()
	for i, g := range graphs {
		v, err := s.validView(ctx, g)
		if err != nil {
			return nil, err
		}
		need.add(v.entities)
		need.add(v.relations)
		out[i] = &Prepared{s, v}
	}
	if err := s.embedLabels(ctx, need); err != nil {
		return nil, err
	}
	return out, nil
}

// ScorePrepared compares two prepared graphs. The result is that of Score; the time is
// that of the comparison alone. The error is ErrOtherScorer or the context's.
func (s *Scorer) ScorePrepared(ctx context.Context, a, b *Prepared) (Result, error) {
	if a == nil || b == nil || a.scorer != s || b.scorer != s {
		return Result{}, ErrOtherScorer
	}
	return s.compare(ctx, a.view, b.view, s.opts.Concurrency)
}

// ScoreMany compares a with each of many graphs and returns the results in the order of
// bs, as ScoreAll does.
func (s *Scorer) ScoreMany(ctx context.Context, a *kg.Graph, bs []*kg.Graph) ([]Result, error) {
	pairs := make([]Pair, len(bs))
	for i, b := range bs {
		pairs[i] = Pair{a, b}
	}
	return s.ScoreAll(ctx, pairs)
}
