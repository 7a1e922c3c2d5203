package s3kg

import (
	"cmp"
	"slices"

	"github.com/kgeval/kgeval/kg"
)

// view is a graph with normalised labels. All in it is sorted by the normalised
// labels, so that it depends on the set of triples and not on their order.
type view struct {
	graph     *kg.Graph
	triples   []kg.Triple // of the graph, in its order
	factOf    []int       // of each triple
	facts     []fact      // distinct, ascending
	entities  []label     // ascending by key
	relations []label
}

// fact is a triple of places in the entities and relations of a view, in the
// active voice.
type fact struct{ head, relation, tail int }

func compareFacts(x, y fact) int {
	return cmp.Or(cmp.Compare(x.head, y.head), cmp.Compare(x.relation, y.relation), cmp.Compare(x.tail, y.tail))
}

// label is one normalised label.
type label struct {
	key   string
	text  string // what the embedder reads: the least of the readable forms
	first string // as first written in the graph
}

func (s *Scorer) view(g *kg.Graph) *view {
	v := &view{graph: g, triples: g.Slice()}
	entities, relations := newLabels(), newLabels()
	raw := make([]fact, len(v.triples))
	for i, t := range v.triples {
		relation := t.Relation
		if !s.opts.KeepVoice {
			if active, ok := Active(relation); ok {
				relation = active
				t.Head, t.Tail = t.Tail, t.Head
			}
		}
		raw[i] = fact{
			entities.add(s.normalizer.Entity(t.Head), spaced(t.Head), t.Head),
			relations.add(s.normalizer.Relation(relation), readable(relation), t.Relation),
			entities.add(s.normalizer.Entity(t.Tail), spaced(t.Tail), t.Tail),
		}
	}
	var entityAt, relationAt []int
	v.entities, entityAt = entities.sorted()
	v.relations, relationAt = relations.sorted()
	for i, f := range raw {
		raw[i] = fact{entityAt[f.head], relationAt[f.relation], entityAt[f.tail]}
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

func newLabels() *labels { return &labels{at: map[string]int{}} }

func (l *labels) add(key, text, written string) int {
	i, ok := l.at[key]
	if !ok {
		i = len(l.list)
		l.at[key] = i
		l.list = append(l.list, label{key, text, written})
	} else if text < l.list[i].text {
		l.list[i].text = text
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
	at = make([]int, len(order))
	for to, from := range order {
		list = append(list, l.list[from])
		at[from] = to
	}
	return list, at
}
