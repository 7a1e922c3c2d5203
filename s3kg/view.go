package s3kg

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

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

	// The verbs of the relations in the active and in the passive voice, by
	// root. Nil if the voice does not matter.
	active, passive map[string]bool
}

// fact is a triple of places in the entities and relations of a view.
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

// view returns g with its labels normalised, and the passive relations of the
// given verbs turned to the active voice.
func (s *Scorer) view(g *kg.Graph, turn map[string]bool) *view {
	v := &view{graph: g, triples: g.Slice(), active: map[string]bool{}, passive: map[string]bool{}}
	entities, relations := newLabels(), newLabels()
	raw := make([]fact, len(v.triples))
	voices := map[string]voice{}
	for i, t := range v.triples {
		relation := t.Relation
		if !s.opts.KeepVoice {
			w, ok := voices[relation]
			if !ok {
				w = s.voice(relation)
				voices[relation] = w
			}
			if w.passive {
				v.passive[w.root] = true
				if turn[w.root] {
					relation = w.active
					t.Head, t.Tail = t.Tail, t.Head
				}
			} else {
				v.active[w.root] = true
			}
		}
		raw[i] = fact{
			entities.add(s.entity(t.Head), spaced(t.Head), t.Head),
			relations.add(s.normalizer.Relation(relation), readable(relation), t.Relation),
			entities.add(s.entity(t.Tail), spaced(t.Tail), t.Tail),
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

// number matches a label that is one number and nothing else.
var number = regexp.MustCompile(`^[+-]?(0|[1-9][0-9]*|[1-9][0-9]{0,2}(,[0-9]{3})+)(\.[0-9]+)?$`)

// entity returns the normal form of an entity. One number has one form: "1.0" and
// "1", "1,000" and "1000", "-0" and "0" are equal.
func (s *Scorer) entity(label string) string {
	key := s.normalizer.Entity(label)
	if !number.MatchString(key) {
		return key
	}
	key = strings.TrimPrefix(strings.ReplaceAll(key, ",", ""), "+")
	if strings.Contains(key, ".") {
		key = strings.TrimRight(strings.TrimRight(key, "0"), ".")
	}
	if key == "-0" {
		return "0"
	}
	return key
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

// voice is how a relation's verb is used.
type voice struct {
	active  string // the relation in the active voice
	passive bool   // whether it was in the passive voice
	root    string // of the active form
}

func (s *Scorer) voice(relation string) voice {
	var v voice
	v.active, v.passive = Active(relation)
	roots := strings.Fields(s.normalizer.Relation(v.active))
	for i, w := range roots {
		roots[i] = rootOf(w)
	}
	v.root = strings.Join(roots, " ")
	return v
}

// mixedVoices returns the verbs that two views together use in both voices. Nil
// if there are none.
func mixedVoices(a, b *view) map[string]bool {
	var mixed map[string]bool
	for _, passive := range [...]map[string]bool{a.passive, b.passive} {
		for root := range passive {
			if a.active[root] || b.active[root] {
				if mixed == nil {
					mixed = map[string]bool{}
				}
				mixed[root] = true
			}
		}
	}
	return mixed
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
