package s3kg

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/kgeval/kgeval/kg"
)

// view is a graph with normalised labels. All in it is sorted by the normalised
// labels, so that it depends on the set of triples and not on their order.
type view struct {
	graph     *kg.Graph
	triples   []kg.Triple // of the graph, in its order
	factOf    []int       // of each triple
	facts     []fact      // distinct, ascending; head <= tail if symmetric
	entities  []label     // ascending by key
	relations []label
}

// fact is a triple of places in the entities and relations of a view, with the
// entities that say when and where, ascending, none for each that is not there.
type fact struct {
	head, relation, tail int
	circumstances        [maxCircumstances]int
}

const none = -1

// noCircumstances is how a fact without any has them.
var noCircumstances = [maxCircumstances]int{none, none}

func compareFacts(x, y fact) int {
	return cmp.Or(cmp.Compare(x.head, y.head), cmp.Compare(x.relation, y.relation), cmp.Compare(x.tail, y.tail),
		slices.Compare(x.circumstances[:], y.circumstances[:]))
}

// renumber returns f with its labels renumbered.
func (f fact) renumber(entity, relation func(int) int) fact {
	g := fact{entity(f.head), relation(f.relation), entity(f.tail), noCircumstances}
	for i, c := range f.circumstances {
		if c != none {
			g.circumstances[i] = entity(c)
		}
	}
	slices.Sort(g.circumstances[:])
	return g
}

func (f fact) reversed() fact {
	f.head, f.tail = f.tail, f.head
	return f
}

// spoken returns the number of circumstances.
func (f fact) spoken() int {
	n := 0
	for _, c := range f.circumstances {
		if c != none {
			n++
		}
	}
	return n
}

// label is one normalised label.
type label struct {
	key   string
	text  string // what the embedder reads: the least of the readable forms
	first string // as first written in the graph

	marks  *readMark // what Conflict looks at
	vector []float32 // nil until it is embedded, and of a blank label
	// Of relations:
	symmetric bool  // head and tail may change places
	voice     voice // zero if triples are taken literally
}

// view returns g with its labels normalised. How a triple is read depends on that
// triple alone, so that a part of a graph is read as in the whole.
func (s *Scorer) view(g *kg.Graph) *view {
	v := &view{graph: g, triples: g.Slice()}
	entities, relations := newLabels(len(v.triples)), newLabels(len(v.triples))
	raw := make([]fact, len(v.triples))
	for i, t := range v.triples {
		r := s.readings.of(s, t)
		f := fact{head: entities.add(r.head), relation: relations.add(r.relation), tail: entities.add(r.tail), circumstances: noCircumstances}
		for j, c := range r.circumstances {
			f.circumstances[j] = entities.add(c)
		}
		raw[i] = f
	}
	var entityAt, relationAt []int
	v.entities, entityAt = entities.sorted()
	v.relations, relationAt = relations.sorted()
	for i, f := range raw {
		f = f.renumber(func(e int) int { return entityAt[e] }, func(r int) int { return relationAt[r] })
		if v.relations[f.relation].symmetric && f.head > f.tail {
			f = f.reversed()
		}
		raw[i] = f
	}
	v.facts = slices.Clone(raw)
	slices.SortFunc(v.facts, compareFacts)
	v.facts = slices.Compact(v.facts)
	v.factOf = make([]int, len(raw))
	for i, f := range raw {
		v.factOf[i], _ = slices.BinarySearchFunc(v.facts, f, compareFacts)
	}
	return v
}

// number matches a label that is one number and nothing else.
var number = regexp.MustCompile(`^[+-]?(0|[1-9][0-9]*|[1-9][0-9]{0,2}(,[0-9]{3})+)(\.[0-9]+)?$`)

// entity returns the normal form of an entity. One number has one form: "1.0" and
// "1", "1,000" and "1000", "-0" and "0", "two" and "2" are equal, "5%" is "5
// percent".
func (s *Scorer) entity(label string) string { return rewriteNumbers(s.normalizer.Entity(label)) }

// compareViews orders views by what they say, 0 if they are equal after
// normalisation. Two graphs are always compared in this order, so that equal
// choices fall the same way whichever is given first.
func compareViews(x, y *view) int {
	byKey := func(a, b label) int { return cmp.Compare(a.key, b.key) }
	byText := func(a, b label) int { return cmp.Compare(a.text, b.text) }
	return cmp.Or(
		slices.CompareFunc(x.entities, y.entities, byKey),
		slices.CompareFunc(x.relations, y.relations, byKey),
		slices.CompareFunc(x.facts, y.facts, compareFacts),
		slices.CompareFunc(x.entities, y.entities, byText),
		slices.CompareFunc(x.relations, y.relations, byText),
	)
}

type labels struct {
	list []label
	at   map[string]int
}

func newLabels(n int) *labels {
	return &labels{at: make(map[string]int, n), list: make([]label, 0, min(n, 64))}
}

// add adds a label, or what another way of writing it says besides.
func (l *labels) add(x label) int {
	i, ok := l.at[x.key]
	if !ok {
		i = len(l.list)
		l.at[x.key] = i
		l.list = append(l.list, x)
		return i
	}
	have := &l.list[i]
	if x.text < have.text {
		have.text, have.marks = x.text, x.marks
	}
	have.symmetric = have.symmetric || x.symmetric
	if have.voice.root == "" {
		have.voice = x.voice
	}
	return i
}

// sorted returns the labels by key, and the place of each in that order.
func (l *labels) sorted() (list []label, at []int) {
	order := make([]int, len(l.list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(l.list[a].key, l.list[b].key) })
	at, list = make([]int, len(order)), make([]label, 0, len(order))
	for to, from := range order {
		list = append(list, l.list[from])
		at[from] = to
	}
	return list, at
}
