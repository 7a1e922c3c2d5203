package tau

import (
	"context"
	"math"
	"slices"

	"github.com/kgeval/kgeval/internal/assign"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
)

// What a pair of facts weighs that are not aligned. A cosine is at most 1, so that a
// fact turned round, which has all three labels, outweighs one with two of them.
const (
	reversedWeight = 2.5
	// circumstanceWeight is for facts of which all but time or place match.
	circumstanceWeight = 2.75
	// sameEndsWeight is added where both ends match: they say what a fact is about.
	sameEndsWeight = 1.0 / 16
	// newcomerWeight is added where the label that differs stands nowhere else: one that
	// the answer lacks altogether has given way to one that the reference lacks.
	newcomerWeight = 1.0 / 8
	// alignedWeight is that of a pair of which all labels match, above all others; see
	// matching.nearest.
	alignedWeight = 4
)

// maxPairs bounds the pairs of facts that are weighed.
const maxPairs = 1 << 21

// Of returns the report of a comparison that was made already, of Score(reference,
// answer). What s3kg aligned stays so. The other facts are paired one to one so that the
// sum of what their pairs weigh is the largest: the cosines of the labels that match,
// where at least two of head, relation and tail must; a fact turned round weighs more
// than any other pair, and of two wrong labels the one that is new to the reference
// goes first. Where s3kg only told which fact is nearest (s3kg.Paper, s3kg.Reference), those
// of which all labels match under that method's alignment are aligned. s3kg itself counts a reversed fact as nothing, so that its Matches can
// differ.
//
// The error is the context's. Where more than two million pairs would have to be
// weighed (a giant hub of facts that all differ), s3kg's own pairs are taken and the
// report is Approximate.
func Of(ctx context.Context, r s3kg.Result) (Report, error) {
	out := Report{Degenerate: r.Degenerate, Approximate: r.Approximate, Method: r.Method}
	m := newMatching(r)
	found, exact, err := m.pair(ctx)
	if err != nil {
		return Report{}, err
	}
	out.Approximate = out.Approximate || !exact
	taken := map[kg.Triple]bool{}
	for i, x := range r.Matches {
		f := found[i]
		f.Reference = x.A
		if f.Class != Missing {
			taken[f.Answer] = true
		}
		out.Findings = append(out.Findings, f)
	}
	for _, t := range m.inOrder {
		if !taken[t] {
			out.Findings = append(out.Findings, Finding{Class: Extra, Answer: t})
		}
	}
	return out, nil
}

// matching is the work of pairing the facts that s3kg did not align.
type matching struct {
	result s3kg.Result
	// rows are the positions in Matches of what is not aligned, free the answer's triples
	// that no aligned fact has as its partner; both sorted by label. inOrder is free in the
	// answer's order.
	rows          []int
	free, inOrder []kg.Triple

	entities, relations labels
	found               []Finding
	// nearest says that the result is of a published method, which tells of each fact which
	// one is nearest, and not whether it is the same (s3kg.Nearest).
	nearest bool
}

// labels is an alignment of labels, by normal form.
type labels struct {
	normal func(string) string
	toB    map[string]string
	cosine map[string]float64
	fromB  map[string]bool
}

func newLabels(pairs []s3kg.LabelPair, normal func(string) string) labels {
	l := labels{normal, map[string]string{}, map[string]float64{}, map[string]bool{}}
	for _, p := range pairs {
		a, b := normal(p.A), normal(p.B)
		l.toB[a], l.cosine[a], l.fromB[b] = b, p.Cosine, true
	}
	return l
}

// match returns the cosine of two labels that are partners, else 0.
func (l labels) match(a, b string) float64 {
	a, b = l.normal(a), l.normal(b)
	switch {
	case a == b:
		return 1
	case l.toB[a] == b && l.cosine[a] > 0:
		return math.Round(l.cosine[a]*(1<<20)) / (1 << 20)
	}
	return 0
}

// newcomer reports whether a has no partner in the answer, and b none in the reference.
func (l labels) newcomer(a, b string) bool {
	_, partner := l.toB[l.normal(a)]
	return !partner && !l.fromB[l.normal(b)]
}

func newMatching(r s3kg.Result) *matching {
	n := &kg.Normalizer{}
	m := &matching{result: r, entities: newLabels(r.Entities, n.Entity), relations: newLabels(r.Relations, n.Relation)}
	taken := map[kg.Triple]bool{}
	for i, x := range r.Matches {
		f := Finding{Answer: x.B, Similarity: x.Similarity}
		f.Class, f.Opposite = classOf(x.Class)
		if x.Class == s3kg.Nearest {
			// Only its labels tell what it is.
			m.nearest, f = true, Finding{Class: Missing}
		}
		f = m.named(x.A, f)
		m.found = append(m.found, f)
		if f.Class == Aligned {
			taken[x.B] = true
		} else {
			m.rows = append(m.rows, i)
		}
	}
	extra := map[kg.Triple]bool{}
	for _, t := range r.Extra {
		extra[t] = true
	}
	partner := map[kg.Triple]bool{}
	for _, x := range r.Matches {
		partner[x.B] = true
	}
	for t := range r.B.Triples() {
		// A triple that says the same fact as another is neither extra nor a partner.
		if !taken[t] && (extra[t] || partner[t]) {
			m.free = append(m.free, t)
		}
	}
	// In an order of their own, so that a tie does not fall by the order of triples.
	slices.SortFunc(m.rows, func(i, j int) int { return r.Matches[i].A.Compare(r.Matches[j].A) })
	m.inOrder = slices.Clone(m.free)
	slices.SortFunc(m.free, kg.Triple.Compare)
	return m
}

// named says which end differs as the triples are written: the facts of a symmetric
// relation are compared either way round.
func (m *matching) named(a kg.Triple, f Finding) Finding {
	heads, tails := m.entities.match(a.Head, f.Answer.Head), m.entities.match(a.Tail, f.Answer.Tail)
	switch {
	case f.Class == HeadMismatch && heads > 0 && tails == 0:
		f.Class = TailMismatch
	case f.Class == TailMismatch && heads == 0 && tails > 0:
		f.Class = HeadMismatch
	}
	return f
}

// pair pairs the rows with free triples and returns what became of each match.
func (m *matching) pair(ctx context.Context) (found []Finding, exact bool, err error) {
	byHead, byTail := map[string][]int{}, map[string][]int{}
	at := map[kg.Triple]int{}
	for j, t := range m.free {
		h, k := m.entities.normal(t.Head), m.entities.normal(t.Tail)
		byHead[h] = append(byHead[h], j)
		byTail[k] = append(byTail[k], j)
		at[t] = j
	}
	partner := func(a string) string {
		a = m.entities.normal(a)
		if b, ok := m.entities.toB[a]; ok {
			return b
		}
		return a
	}
	candidates := func(i int) [][]int {
		a := m.result.Matches[i].A
		h, k := partner(a.Head), partner(a.Tail)
		return [][]int{byHead[h], byTail[k], byTail[h], byHead[k]}
	}
	work := 0
	for _, i := range m.rows {
		for _, list := range candidates(i) {
			work += len(list)
		}
	}
	if work > maxPairs {
		return m.found, false, ctx.Err()
	}
	// What a pair is, as s3kg found it or label by label, whichever weighs more.
	best := func(i, j int) weighed {
		x := m.result.Matches[i]
		w := m.weigh(x.A, m.free[j])
		if k, ok := at[x.B]; ok && k == j && m.found[i].Class != Missing {
			if s := m.asScored(x, m.found[i]); s.weight > w.weight {
				return s
			}
		}
		return w
	}
	var edges []assign.Edge
	for row, i := range m.rows {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		add := func(j int) {
			if w := best(i, j); w.weight > 0 {
				edges = append(edges, assign.Edge{Row: row, Col: j, Score: w.weight})
			}
		}
		for _, list := range candidates(i) {
			for _, j := range list {
				add(j)
			}
		}
		if j, ok := at[m.result.Matches[i].B]; ok {
			add(j)
		}
	}
	a, err := assign.Maximize(ctx, len(m.rows), len(m.free), edges, 0, 0)
	if err != nil {
		return nil, false, err
	}
	for row, i := range m.rows {
		f := Finding{Class: Missing}
		if j := a.Col[row]; j >= 0 {
			f = best(i, j).finding
			f.Answer = m.free[j]
		}
		m.found[i] = f
	}
	m.sameFacts()
	return m.found, a.Exact, nil
}

// sameFacts gives the triples of the reference that say one fact the finding of the
// first of them, as s3kg gave them one partner.
func (m *matching) sameFacts() {
	if m.nearest {
		return // there several facts may have one nearest
	}
	first := map[kg.Triple]int{}
	for _, i := range m.rows {
		b := m.result.Matches[i].B
		if b == (kg.Triple{}) {
			continue
		}
		if k, ok := first[b]; ok && m.found[i].Class == Missing {
			m.found[i] = m.found[k]
		} else if !ok {
			first[b] = i
		}
	}
}

// weighed is a finding with the weight of its pair.
type weighed struct {
	weight  float64
	finding Finding
}

// weigh compares two facts label by label. Facts of which all labels match are aligned only
// where the method that scored them did not align facts itself.
func (m *matching) weigh(a, b kg.Triple) weighed {
	head, tail := m.entities.match(a.Head, b.Head), m.entities.match(a.Tail, b.Tail)
	relation := m.relations.match(a.Relation, b.Relation)
	two := func(c Class, x, y float64) weighed {
		return weighed{x + y, Finding{Class: c, Similarity: (x + y) / 3}}
	}
	var w weighed
	switch {
	case head > 0 && tail > 0 && relation > 0 && m.nearest:
		return weighed{alignedWeight, Finding{Class: Aligned, Similarity: (head + relation + tail) / 3}}
	case head > 0 && tail > 0 && relation == 0:
		w = two(RelationMismatch, head, tail)
		w.weight += sameEndsWeight
		if s3kg.Conflict(a.Relation, b.Relation) {
			w.finding.Opposite, w.finding.Similarity = true, 0
		}
	case head > 0 && tail == 0 && relation > 0:
		w = two(TailMismatch, head, relation)
		if m.entities.newcomer(a.Tail, b.Tail) {
			w.weight += newcomerWeight
		}
	case head == 0 && tail > 0 && relation > 0:
		w = two(HeadMismatch, relation, tail)
		if m.entities.newcomer(a.Head, b.Head) {
			w.weight += newcomerWeight
		}
	}
	if relation > 0 && m.entities.match(a.Head, b.Tail) > 0 && m.entities.match(a.Tail, b.Head) > 0 && w.weight < reversedWeight {
		w = weighed{reversedWeight, Finding{Class: Reversed}}
	}
	return w
}

// asScored weighs a pair as s3kg found it; that knows voices, circumstances and labels
// that match without being partners.
func (m *matching) asScored(x s3kg.Match, f Finding) weighed {
	switch {
	case x.Class == s3kg.CircumstanceDiffers:
		return weighed{circumstanceWeight, f}
	case f.Class == Reversed:
		return weighed{reversedWeight, f}
	case f.Class == RelationMismatch:
		return weighed{2 + sameEndsWeight, f}
	}
	return weighed{min(2, math.Round(3*x.Similarity*(1<<20))/(1<<20)), f}
}
