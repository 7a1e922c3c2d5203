package s3kg

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/kg"
)

// Score compares two graphs; nil is the empty graph. The graphs must not change
// meanwhile; the result keeps them.
//
// Two empty graphs have the score 1, one empty graph 0, both flagged Degenerate.
// The error is a *kg.LabelError for a label that is not UTF-8, an *EmbedError or the
// context's. Score(a,b).F1 equals Score(b,a).F1
// to the bit, and the order of triples never matters to a number.
//
// For graphs of n triples the time is about linear in n where most labels and
// facts are equal. For the rest every label is compared with every other, which
// for 10,000 triples that have no label in common is some seconds; the context
// can end it at any time.
func (s *Scorer) Score(ctx context.Context, a, b *kg.Graph) (Result, error) {
	results, err := s.ScoreAll(ctx, []Pair{{a, b}})
	if err != nil {
		return Result{}, err
	}
	return results[0], nil
}

// Pair is two graphs to compare.
type Pair struct{ A, B *kg.Graph }

// ScoreAll compares many pairs and returns their results in order. It embeds each
// distinct label once, all in one call of the embedder, and compares up to
// Options.Concurrency pairs at a time; a result is the same as that of Score. The
// first error ends it. A graph that is in many pairs is read once.
func (s *Scorer) ScoreAll(ctx context.Context, pairs []Pair) ([]Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.published != nil {
		return s.published.scoreAll(ctx, s, pairs)
	}
	views := make(map[*kg.Graph]*view)
	for _, p := range pairs {
		for _, g := range [...]*kg.Graph{p.A, p.B} {
			if views[g] == nil {
				v, err := s.validView(ctx, g)
				if err != nil {
					return nil, err
				}
				views[g] = v
			}
		}
	}
	sides := make([]sides, len(pairs))
	need := newNeed()
	for i, p := range pairs {
		a, b := views[p.A], views[p.B]
		sides[i].a, sides[i].b = a, b
		// Labels that both graphs share entirely need no vectors.
		if !sameKeys(a.entities, b.entities) {
			need.add(a.entities)
			need.add(b.entities)
		}
		if !sameKeys(a.relations, b.relations) {
			need.add(a.relations)
			need.add(b.relations)
		}
	}
	if err := s.embedLabels(ctx, need); err != nil {
		return nil, err
	}
	return s.compareAll(ctx, sides)
}

// validView reads a graph after checking its labels.
func (s *Scorer) validView(ctx context.Context, g *kg.Graph) (*view, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for t := range g.Triples() {
		if err := t.Validate(); err != nil {
			return nil, err
		}
	}
	return s.view(g), nil
}

// need collects lists of labels that need vectors, and their texts, each once.
type need struct {
	lists [][]label
	has   map[*label]bool // by the first of each list
	texts []string
	seen  map[string]bool
}

func newNeed() *need { return &need{has: map[*label]bool{}, seen: map[string]bool{}} }

func (n *need) add(list []label) {
	if len(list) == 0 || n.has[&list[0]] {
		return
	}
	n.has[&list[0]] = true
	n.lists = append(n.lists, list)
	for _, l := range list {
		if l.text != "" && !n.seen[l.text] {
			n.seen[l.text] = true
			n.texts = append(n.texts, l.text)
		}
	}
}

// embedLabels gives the labels their vectors.
func (s *Scorer) embedLabels(ctx context.Context, n *need) error {
	vectors, err := s.embed(ctx, n.texts)
	if err != nil {
		return err
	}
	for _, list := range n.lists {
		for i := range list {
			list[i].vector = vectors[list[i].text]
		}
	}
	return nil
}

type sides struct{ a, b *view }

// compareAll compares views whose labels have their vectors.
func (s *Scorer) compareAll(ctx context.Context, pairs []sides) ([]Result, error) {
	results := make([]Result, len(pairs))
	err := s.inParallel(ctx, len(pairs), func(ctx context.Context, i, inside int) (err error) {
		results[i], err = s.compare(ctx, pairs[i].a, pairs[i].b, inside)
		return err
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// inParallel calls f for 0 to n-1 from up to Options.Concurrency goroutines, and says
// how many f may use itself. The first error ends it.
func (s *Scorer) inParallel(ctx context.Context, n int, f func(ctx context.Context, i, inside int) error) error {
	if n == 1 {
		return f(ctx, 0, s.opts.Concurrency)
	}
	workers := min(s.opts.Concurrency, n)
	inside := max(1, s.opts.Concurrency/max(1, workers))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var done sync.WaitGroup
	for range workers {
		done.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := f(ctx, i, inside); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	done.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func sameKeys(a, b []label) bool {
	return slices.EqualFunc(a, b, func(x, y label) bool { return x.key == y.key })
}

// embed returns the vectors by text.
func (s *Scorer) embed(ctx context.Context, texts []string) (map[string][]float32, error) {
	vectors := make(map[string][]float32, len(texts))
	if len(texts) == 0 {
		return vectors, nil
	}
	slices.Sort(texts)
	got, err := s.opts.Embedder.Embed(ctx, texts)
	if err == nil {
		err = embed.Check(texts, got)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &EmbedError{s.opts.Embedder.ID(), err}
	}
	for i, t := range texts {
		v := got[i]
		if n := dot(v, v); n < 1-1e-4 || n > 1+1e-4 {
			// Not of unit norm, which the search for near labels relies on.
			v = slices.Clone(v)
			embed.Normalize(v)
		}
		vectors[t] = v
	}
	return vectors, nil
}

// comparison is the work on the cover of one view by another.
type comparison struct {
	scorer      *Scorer
	x, y        *view
	entities    *alignment
	relations   *alignment
	clash       func(a, b label) bool
	denies      func(a, b label) bool // of entities
	conflicts   map[[2]int]bool       // known results of clash for relations
	likely      map[[2]int]float64    // known results of likeness
	byHead      [][]int               // facts of y that are not equal to one of x
	byTail      [][]int
	partner     []partner // of each fact of x
	taken       []bool    // facts of y
	approximate bool
}

func (s *Scorer) compare(ctx context.Context, a, b *view, workers int) (Result, error) {
	r := Result{A: a.graph, B: b.graph, Method: s.method}
	if len(a.facts) == 0 || len(b.facts) == 0 {
		r.Degenerate = true
		score := 0.0
		if len(a.facts) == len(b.facts) {
			score = 1
		}
		r.AB = Parts{score, score, score}
		r.BA, r.F1 = r.AB, r.AB
		for _, t := range a.triples {
			r.Matches = append(r.Matches, Match{A: t, Class: Missing})
		}
		r.Extra = b.triples
		r.pick(s.opts.Form)
		return r, ctx.Err()
	}

	// Both covers are computed in one order of the two views, so that equal
	// choices fall the same way.
	x, y := a, b
	swapped := compareViews(a, b) > 0
	if swapped {
		x, y = b, a
	}
	clash, denies := s.clash()
	ofX := &comparison{scorer: s, x: x, y: y, clash: clash, denies: denies}
	ofY := &comparison{scorer: s, x: y, y: x, clash: clash, denies: denies}
	var err error
	if ofX.entities, ofY.entities, err = align(ctx, x.entities, y.entities, s.thresholds.Entity, clash, workers); err != nil {
		return Result{}, err
	}
	if ofX.relations, ofY.relations, err = align(ctx, x.relations, y.relations, s.thresholds.Relation, clash, workers); err != nil {
		return Result{}, err
	}
	if swapped {
		ofX, ofY = ofY, ofX
	}
	if r.AB, err = ofX.cover(ctx); err != nil {
		return Result{}, err
	}
	if r.BA, err = ofY.cover(ctx); err != nil {
		return Result{}, err
	}
	r.F1 = f1(r.AB, r.BA)
	r.entities = len(a.entities) + len(b.entities)
	r.Approximate = ofX.approximate || ofY.approximate
	ofX.report(&r)
	r.pick(s.opts.Form)
	return r, nil
}

// cover returns how well y covers x.
func (c *comparison) cover(ctx context.Context) (Parts, error) {
	c.approximate = !c.entities.exact || !c.relations.exact
	meaning, err := c.meaning(ctx)
	if err != nil {
		return Parts{}, err
	}
	structure, err := c.structure(ctx)
	if err != nil {
		return Parts{}, err
	}
	return c.scorer.blend(structure, meaning), nil
}

// clash returns Options.Conflict for labels, and whether two labels of entities
// deny each other; see contrary.
func (s *Scorer) clash() (clash, denies func(a, b label) bool) {
	if f := s.opts.Conflict; f != nil {
		return func(a, b label) bool { return a.text != b.text && f(a.text, b.text) },
			func(a, b label) bool { return false }
	}
	return func(a, b label) bool { return a.text != b.text && conflict(a.read(), b.read()) },
		func(a, b label) bool { return a.text != b.text && contrary(a.read(), b.read()) }
}

// report fills in the alignments and the matches, for the cover of x.
func (c *comparison) report(r *Result) {
	a, b := c.x, c.y
	r.Entities = c.entities.pairs(order(a, len(a.entities), func(f fact, yield func(int)) {
		yield(f.head)
		yield(f.tail)
		for _, e := range f.circumstances {
			if e != none {
				yield(e)
			}
		}
	}))
	r.Relations = c.relations.pairs(order(a, len(a.relations), func(f fact, yield func(int)) { yield(f.relation) }))
	firstOf := make([]int, len(b.facts)) // the first triple of each fact
	for i := len(b.factOf) - 1; i >= 0; i-- {
		firstOf[b.factOf[i]] = i
	}
	used := make([]bool, len(b.facts))
	r.Matches = make([]Match, len(a.triples))
	for i, t := range a.triples {
		p := c.partner[a.factOf[i]]
		m := Match{A: t, Class: p.class}
		if p.fact >= 0 {
			used[p.fact] = true
			m.B = b.triples[firstOf[p.fact]]
			m.Similarity = p.thirds / 3
		}
		r.Matches[i] = m
	}
	for i, t := range b.triples {
		if !used[b.factOf[i]] {
			r.Extra = append(r.Extra, t)
		}
	}
}

// order returns the labels that of picks from facts, n at most, in the order in which
// the graph's triples name them, each once.
func order(v *view, n int, of func(f fact, yield func(int))) []int {
	out := make([]int, 0, n)
	seen := make([]bool, n)
	for _, f := range v.factOf {
		of(v.facts[f], func(i int) {
			if !seen[i] {
				seen[i] = true
				out = append(out, i)
			}
		})
	}
	return out
}

// pairs returns the aligned labels in the given order of x's labels.
func (a *alignment) pairs(order []int) []LabelPair {
	out := make([]LabelPair, 0, len(order))
	for _, k := range order {
		if j := a.toY[k]; j >= 0 {
			out = append(out, LabelPair{a.x[k].first, a.y[j].first, a.cosine(k, j)})
		}
	}
	return out
}
