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
	facts     []fact      // distinct, ascending; head <= tail if symmetric
	entities  []label     // ascending by key
	relations []label

	// The verbs of the relations in the active and in the passive voice, by
	// root. Nil if the voice does not matter.
	active, passive map[string]bool
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

	symmetric bool // of relations: head and tail may change places
}

// view returns g with its labels normalised, and the passive relations of the
// given verbs turned to the active voice.
func (s *Scorer) view(g *kg.Graph, turn map[string]bool) *view {
	v := &view{graph: g, triples: g.Slice(), active: map[string]bool{}, passive: map[string]bool{}}
	entities, relations := newLabels(), newLabels()
	raw := make([]fact, len(v.triples))
	voices := map[string]voice{}
	known := map[string]bool{} // relations whose symmetry was asked for
	heads := map[string]bool{}
	for _, t := range v.triples {
		heads[t.Head] = true
	}
	addEntity := func(label string) int { return entities.add(s.entity(label), spaced(label), label) }
	for i, t := range v.triples {
		r := frame{relation: t.Relation, tail: t.Tail}
		head := t.Head
		if !s.opts.Literal {
			if !heads[t.Tail] { // else it is one thing
				r = readFrame(t.Relation, t.Tail)
			}
			w, ok := voices[r.relation]
			if !ok {
				w = s.voice(r.relation)
				voices[r.relation] = w
			}
			if w.passive {
				v.passive[w.root] = true
				if turn[w.root] {
					r.relation = w.active
					head, r.tail = r.tail, head
				}
			} else {
				v.active[w.root] = true
			}
		}
		f := fact{head: addEntity(head), tail: addEntity(r.tail), circumstances: noCircumstances}
		written := t.Relation
		if len(r.circumstances) > 0 {
			written = r.relation
		}
		f.relation = relations.add(s.normalizer.Relation(r.relation), readable(r.relation), written)
		if !known[r.relation] {
			known[r.relation] = true
			if s.opts.Symmetric(r.relation) {
				relations.list[f.relation].symmetric = true
			}
		}
		for j, c := range r.circumstances {
			f.circumstances[j] = addEntity(c)
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
		l.list = append(l.list, label{key: key, text: text, first: written})
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
