package s3kg

import (
	"context"
	"math"
	"strings"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/wl"
)

// Paper returns the options of S3KG as its paper defines it, for comparing with it; set
// Embedder, and what else is wanted, and give them to New. Each graph is compared by
// these steps (docs/s3kg.md has them beside our own method):
//
//  1. Each triple of a, as a sentence, picks the nearest triple of b; the rest of b is
//     not looked at.
//  2. Each label of a is taken for the nearest label of what was picked if their cosine is
//     above 0.65, entities and relations apart; several may share one.
//  3. Structure is the normalised Weisfeiler-Lehman subtree kernel of depth 5 over directed
//     multigraphs with labelled edges.
//  4. Meaning is the cosine of the mean embeddings of both sides' triples, at least 0.
//  5. The score is (1-alpha) Structure + alpha Meaning.
//
// Labels are normalised by Options.Normalizer, which has a lemmatiser in the paper. The
// published encoder is paraphrase-mpnet-base-v2: figures with another one are not the
// paper's. Form is Cover unless it is set, since the method looks one way only.
// Iterations is 5 unless it is set, Thresholds.Entity and Thresholds.Relation 0.65,
// whatever the embedder carries. Symmetric, Conflict and Literal have no effect, Prepare is
// not offered, and Result.Matches holds what each triple picked, with Class Nearest.
// Time is quadratic in the number of triples.
func Paper() Options { return Options{published: &published{name: "paper"}} }

// Reference returns the options of S3KG as its authors' package computes it (kganalytica
// 0.1.12, kg_similarity), faults included, for comparing with it. As Paper, but:
//
//   - Labels are in small letters and not normalised further; a cosine of 0.65 is enough.
//   - The maps of entities and of relations are one: a label that is both is taken for the
//     relation.
//   - The kernel does not see relations. Between two entities the last relation
//     counts, and an edge leads from the one that was met first to the other, whichever is
//     the head; colours are refined along these edges only.
//   - The weights are exchanged: alpha Structure + (1-alpha) Meaning.
//   - Graphs of which one is empty have the score 0, both too.
//
// Given the same vectors the score is that of the package but for rounding and for ties of
// cosines, where it goes by Python's hash order.
func Reference() Options { return Options{published: &published{name: "reference"}} }

// publishedDepth and publishedThreshold are the constants of the authors' package.
const (
	publishedDepth     = 5
	publishedThreshold = 0.65
)

// published is one of the two published methods.
type published struct{ name string }

func (p *published) reference() bool { return p.name == "reference" }

// publishedView is a graph as the published methods read it.
type publishedView struct {
	graph     *kg.Graph
	triples   []kg.Triple
	sentences []string
	labels    []kg.Triple // of each triple, normalised
}

func (p *published) view(s *Scorer, g *kg.Graph) *publishedView {
	v := &publishedView{graph: g, triples: g.Slice()}
	for _, t := range v.triples {
		l := kg.Triple{Head: strings.ToLower(t.Head), Relation: strings.ToLower(t.Relation), Tail: strings.ToLower(t.Tail)}
		if !p.reference() {
			l = kg.Triple{Head: s.entity(t.Head), Relation: rewriteNumbers(s.normalizer.Relation(t.Relation)), Tail: s.entity(t.Tail)}
			t = l
		}
		v.labels = append(v.labels, l)
		v.sentences = append(v.sentences, t.Head+" "+t.Relation+" "+t.Tail)
	}
	return v
}

// scoreAll is ScoreAll.
func (p *published) scoreAll(ctx context.Context, s *Scorer, pairs []Pair) ([]Result, error) {
	views := make(map[*kg.Graph]*publishedView)
	var texts []string
	seen := map[string]bool{}
	need := func(text string) {
		if strings.TrimSpace(text) != "" && !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	for _, pair := range pairs {
		for _, g := range [...]*kg.Graph{pair.A, pair.B} {
			if views[g] != nil {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for t := range g.Triples() {
				if err := t.Validate(); err != nil {
					return nil, err
				}
			}
			v := p.view(s, g)
			views[g] = v
			for i, l := range v.labels {
				need(v.sentences[i])
				need(l.Head)
				need(l.Relation)
				need(l.Tail)
			}
		}
	}
	vectors, err := s.embedRaw(ctx, texts)
	if err != nil {
		return nil, err
	}
	results := make([]Result, len(pairs))
	err = s.inParallel(ctx, len(pairs), func(ctx context.Context, i, _ int) (err error) {
		results[i], err = p.compare(ctx, s, views[pairs[i].A], views[pairs[i].B], vectors)
		return err
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// embedRaw returns the embedder's vectors as they are, by text.
func (s *Scorer) embedRaw(ctx context.Context, texts []string) (map[string][]float32, error) {
	vectors := make(map[string][]float32, len(texts))
	if len(texts) == 0 {
		return vectors, nil
	}
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
		vectors[t] = got[i]
	}
	return vectors, nil
}

func (p *published) compare(ctx context.Context, s *Scorer, a, b *publishedView, vectors map[string][]float32) (Result, error) {
	r := Result{A: a.graph, B: b.graph, Method: s.method}
	if len(a.triples) == 0 || len(b.triples) == 0 {
		r.Degenerate = true
		score := 0.0
		if len(a.triples) == len(b.triples) && !p.reference() {
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
	var err error
	if r.AB, err = p.cover(ctx, s, a, b, vectors, &r); err != nil {
		return Result{}, err
	}
	if r.BA, err = p.cover(ctx, s, b, a, vectors, nil); err != nil {
		return Result{}, err
	}
	r.F1 = f1(r.AB, r.BA)
	r.pick(s.opts.Form)
	return r, nil
}

// cover compares a with those triples of b that are nearest to its own, and reports
// them in r.
func (p *published) cover(ctx context.Context, s *Scorer, a, b *publishedView, vectors map[string][]float32, r *Result) (Parts, error) {
	var picked []int
	isPicked := make([]bool, len(b.triples))
	for i, sentence := range a.sentences {
		if err := ctx.Err(); err != nil {
			return Parts{}, err
		}
		best, cosine := 0, math.Inf(-1)
		for j, other := range b.sentences {
			if c := embed.Cosine(vectors[sentence], vectors[other]); c > cosine {
				best, cosine = j, c
			}
		}
		if !isPicked[best] {
			isPicked[best] = true
			picked = append(picked, best)
		}
		if r != nil {
			m := Match{A: a.triples[i], B: b.triples[best], Class: Nearest, Similarity: min(1, max(0, cosine))}
			if a.labels[i] == b.labels[best] {
				m.Class, m.Similarity = Same, 1
			}
			r.Matches = append(r.Matches, m)
		}
	}
	kept := &publishedView{}
	for _, j := range picked {
		kept.labels = append(kept.labels, b.labels[j])
		kept.sentences = append(kept.sentences, b.sentences[j])
	}
	if r != nil {
		for j, t := range b.triples {
			if !isPicked[j] {
				r.Extra = append(r.Extra, t)
			}
		}
	}
	structure, err := p.structure(ctx, s, a, kept, vectors, r)
	if err != nil {
		return Parts{}, err
	}
	meaning := max(0, min(1, embed.Cosine(meanVector(a.sentences, vectors), meanVector(kept.sentences, vectors))))
	if p.reference() {
		return Parts{Score: s.alpha*structure + (1-s.alpha)*meaning, Structure: structure, Meaning: meaning}, nil
	}
	return s.blend(structure, meaning), nil
}

func meanVector(texts []string, vectors map[string][]float32) []float32 {
	var sum []float64
	for _, t := range texts {
		v := vectors[t]
		if sum == nil {
			sum = make([]float64, len(v))
		}
		for d := range min(len(v), len(sum)) {
			sum[d] += float64(v[d])
		}
	}
	mean := make([]float32, len(sum))
	for d := range sum {
		mean[d] = float32(sum[d] / float64(len(texts)))
	}
	return mean
}

// publishedGraph is what the kernel is given: labels by node, edges by label.
type publishedGraph struct {
	nodes []string // labels of the nodes, in the order in which they were met
	edges []publishedEdge
}

type publishedEdge struct {
	from, to int
	label    string
}

func (p *published) graph(v *publishedView) publishedGraph {
	var g publishedGraph
	at := map[string]int{}
	node := func(label string) int {
		i, ok := at[label]
		if !ok {
			i = len(g.nodes)
			at[label] = i
			g.nodes = append(g.nodes, label)
		}
		return i
	}
	edgeAt := map[[2]int]int{}
	for _, t := range v.labels {
		e := publishedEdge{node(t.Head), node(t.Tail), t.Relation}
		if p.reference() {
			// From the one that was met first.
			e.from, e.to = min(e.from, e.to), max(e.from, e.to)
			if i, ok := edgeAt[[2]int{e.from, e.to}]; ok {
				g.edges[i].label = e.label
				continue
			}
			edgeAt[[2]int{e.from, e.to}] = len(g.edges)
		}
		g.edges = append(g.edges, e)
	}
	return g
}

// relations returns the labels of the edges, each once, in order.
func (g publishedGraph) relations() []string {
	var out []string
	seen := map[string]bool{}
	for _, e := range g.edges {
		if !seen[e.label] {
			seen[e.label] = true
			out = append(out, e.label)
		}
	}
	return out
}

func (p *published) structure(ctx context.Context, s *Scorer, a, b *publishedView, vectors map[string][]float32, r *Result) (float64, error) {
	ga, gb := p.graph(a), p.graph(b)
	relationsA, relationsB := ga.relations(), gb.relations()
	entities, pairsE := p.align(ga.nodes, gb.nodes, vectors, s.thresholds.Entity)
	relations, pairsR := p.align(relationsA, relationsB, vectors, s.thresholds.Relation)
	if r != nil {
		r.Entities, r.Relations = pairsE, pairsR
	}
	// Numbers of labels: those of b by their place, unmatched ones of a behind them; the
	// relations' numbers apart from the entities'.
	numbers := map[string]int{}
	number := func(kind, label string) int {
		key := kind + label
		n, ok := numbers[key]
		if !ok {
			n = len(numbers)
			numbers[key] = n
		}
		return n
	}
	build := func(g publishedGraph, mapped bool) (*wl.Graph, error) {
		// In the authors' package one map holds both kinds, the relations' last.
		inRelations := map[string]bool{}
		if p.reference() {
			list := relationsB
			if mapped {
				list = relationsA
			}
			for _, l := range list {
				inRelations[l] = true
			}
		}
		name := func(kind, label string, m map[string]string) int {
			if !mapped {
				return number(kind, label)
			}
			if to, ok := m[label]; ok {
				return number(kind, to)
			}
			if p.reference() {
				kind = "" // what is not mapped keeps its name, whatever it is
			}
			return number("own "+kind, label)
		}
		nodes := make([]int, len(g.nodes))
		for i, l := range g.nodes {
			if inRelations[l] {
				nodes[i] = name("relation ", l, relations)
			} else {
				nodes[i] = name("entity ", l, entities)
			}
		}
		edges := make([]wl.Edge, len(g.edges))
		for i, e := range g.edges {
			edges[i] = wl.Edge{From: e.from, To: e.to, Label: name("relation ", e.label, relations)}
		}
		return wl.NewGraph(nodes, edges)
	}
	x, err := build(ga, true)
	if err != nil {
		return 0, err
	}
	y, err := build(gb, false)
	if err != nil {
		return 0, err
	}
	o := wl.Options{Iterations: s.iterations}
	if p.reference() {
		o.Neighbours, o.IgnoreEdgeLabels = wl.Out, true
	}
	k, err := wl.Compare(ctx, x, y, o)
	if err != nil {
		return 0, err
	}
	return max(0, min(1, k.Normalised)), nil
}

// align takes each label of x for the nearest of y if their cosine is above the threshold,
// or at it in the authors' package.
func (p *published) align(x, y []string, vectors map[string][]float32, threshold float64) (map[string]string, []LabelPair) {
	m := map[string]string{}
	var pairs []LabelPair
	has := map[string]bool{}
	for _, l := range y {
		has[l] = true
	}
	for _, l := range x {
		best, cosine := l, 1.0
		if !has[l] {
			cosine = math.Inf(-1)
			for _, other := range y {
				if c := embed.Cosine(vectors[l], vectors[other]); c > cosine {
					best, cosine = other, c
				}
			}
		}
		if cosine > threshold || p.reference() && cosine == threshold {
			m[l] = best
			pairs = append(pairs, LabelPair{l, best, min(1, cosine)})
		}
	}
	return m, pairs
}
