package perturb

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/kgeval/kgeval/kg"
)

// Options say how Graph draws. The zero value makes one step of a kind that needs
// nothing else.
type Options struct {
	Seed uint64

	// Steps is the number of steps; 0 means 1.
	Steps int

	// Kinds are the kinds of steps to draw from, each with the same chance; one that is
	// there twice has twice the chance. Nil means all kinds for which these options
	// hold what they need.
	Kinds []Kind

	// Entities are the labels that NodeReplacement draws from. Those that the graph has
	// are passed over.
	Entities []string

	// Relations are further relations that EdgeReplacement and EdgeAddition draw from,
	// beside those of the graph.
	Relations []string

	// Antonym returns the opposite of a relation, for EdgeAntonym; see Antonyms. It must
	// be safe for concurrent use if Graph is used so.
	Antonym func(relation string) (opposite string, ok bool)

	// Symmetric reports whether a relation holds in both directions whenever it holds in
	// one: EdgeReversal leaves it alone, as its reverse says the same. Nil means that none
	// does.
	Symmetric func(relation string) bool
}

// ErrNeeds is wrapped by the errors that say that Options.Kinds holds a kind for which
// the options lack something.
var ErrNeeds = errors.New("perturb: option missing")

// Outcome says what became of a fact.
type Outcome string

// The outcomes.
const (
	Kept            Outcome = "kept"
	RelationChanged Outcome = "relation changed"
	HeadChanged     Outcome = "head changed"
	TailChanged     Outcome = "tail changed"
	Reversed        Outcome = "reversed"
	// Lost: nothing stands in its place.
	Lost Outcome = "lost"
	// Added: it stands in no fact's place.
	Added Outcome = "added"
)

// Fate is a fact of the graph with what became of it.
type Fate struct {
	// Old is zero for what was added, New for what was lost.
	Old     kg.Triple `json:"old,omitzero"`
	New     kg.Triple `json:"new,omitzero"`
	Outcome Outcome   `json:"outcome"`
}

// Result is a perturbed graph with its log.
type Result struct {
	Graph *kg.Graph
	// Steps is the log, in the order in which the steps were done; see Replay. It is
	// shorter than Options.Steps where nothing was left to change.
	Steps []Step
	// Fates has one entry for each triple of the graph, in its order, and then one for
	// each that was added. A self loop whose entity was replaced is lost, and what it
	// became added, as two of its parts changed.
	Fates []Fate
	// Similarity is what remains of the graph, in [0,1]: 1 - e/(n+m), with e unit edits
	// (see Step) and a graph of n entities and m triples; at least 0, and 1 for a graph
	// without any. It is what the data set of semantic-kg calls similarity: one replaced
	// entity is one edit, however many facts it spoils.
	Similarity float64
}

// Graph draws steps and does them on a copy of g, one after the other. No triple is
// changed twice, and no step undoes or covers another: no triple comes to be that g
// has, and none that shares two of head, relation and tail with one that is lost, or is
// its reverse. So the log is also what a reader of both graphs would say.
//
// The error is the context's; it wraps ErrNeeds for a kind without what it needs, or
// names a kind that is unknown. Time is the number of steps times the size of g.
func Graph(ctx context.Context, g *kg.Graph, o Options) (Result, error) {
	kinds, err := o.kinds()
	if err != nil {
		return Result{}, err
	}
	d := &draw{
		options: o,
		random:  rand.New(rand.NewPCG(o.Seed, 0)),
		before:  g,
		now:     g.Clone(),
		touched: map[kg.Triple]bool{},
		fate:    map[kg.Triple]kg.Triple{},
		used:    map[string]bool{},
	}
	d.relations = slices.Compact(slices.Sorted(slices.Values(slices.Concat(g.Relations(), o.Relations))))
	var r Result
	edits := 0
	for range max(1, o.Steps) {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		s, ok := d.next(kinds)
		if !ok {
			break
		}
		r.Steps = append(r.Steps, s)
		edits += s.Edits
	}
	r.Graph = d.now
	r.Fates = d.fates()
	r.Similarity = 1
	if size := len(g.Entities()) + g.Len(); size > 0 {
		r.Similarity = max(0, 1-float64(edits)/float64(size))
	}
	return r, nil
}

func (o Options) kinds() ([]Kind, error) {
	lacks := func(k Kind) string {
		switch {
		case k == NodeReplacement && len(o.Entities) == 0:
			return "Entities"
		case k == EdgeAntonym && o.Antonym == nil:
			return "Antonym"
		}
		return ""
	}
	all := Kinds()
	if o.Kinds == nil {
		return slices.DeleteFunc(all, func(k Kind) bool { return lacks(k) != "" }), nil
	}
	for _, k := range o.Kinds {
		if !slices.Contains(all, k) {
			return nil, fmt.Errorf("perturb: unknown kind %q; the kinds are %q", k, all)
		}
		if what := lacks(k); what != "" {
			return nil, fmt.Errorf("%w: %s needs Options.%s", ErrNeeds, k, what)
		}
	}
	return o.Kinds, nil
}

// draw is the state of Graph.
type draw struct {
	options   Options
	random    *rand.Rand
	relations []string
	before    *kg.Graph
	now       *kg.Graph
	touched   map[kg.Triple]bool      // triples of now that a step made
	fate      map[kg.Triple]kg.Triple // of the triples of before that a step changed
	lost      []kg.Triple
	made      []kg.Triple // the keys of touched
	added     []kg.Triple
	used      map[string]bool // entities that replaced others
}

// next draws a step and does it; false if no kind has anything left to change.
func (d *draw) next(kinds []Kind) (Step, bool) {
	left := slices.Clone(kinds)
	for len(left) > 0 {
		i := d.random.IntN(len(left))
		if s, ok := d.step(left[i]); ok {
			return d.do(s), true
		}
		k := left[i]
		left = slices.DeleteFunc(left, func(x Kind) bool { return x == k })
	}
	return Step{}, false
}

// do does a step that can be done.
func (d *draw) do(s Step) Step {
	changes, err := s.changes(d.now)
	if err != nil { // step draws nothing of the kind
		return s
	}
	after := apply(d.now, changes)
	s.Edits = s.edits(d.now, after, changes)
	d.now = after
	for _, c := range changes {
		if c.old == (kg.Triple{}) {
			d.added = append(d.added, c.new)
		} else {
			d.fate[c.old] = c.new
		}
		if c.new == (kg.Triple{}) {
			d.lost = append(d.lost, c.old)
		} else {
			d.touched[c.new] = true
			d.made = append(d.made, c.new)
		}
	}
	return s
}

// step draws a step of one kind among all that are possible.
func (d *draw) step(k Kind) (Step, bool) {
	s := Step{Kind: k}
	switch k {
	case NodeReplacement, NodeRemoval:
		nodes := d.nodes(k == NodeRemoval)
		d.random.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
		for _, e := range nodes {
			s.OldNode = e
			if k == NodeRemoval {
				return s, true
			}
			if d.replacement(&s) {
				return s, true
			}
		}
		return s, false
	case EdgeAddition:
		return d.addition()
	}
	var edges []Step
	for t := range d.now.Triples() {
		if d.touched[t] {
			continue
		}
		for _, n := range d.becomes(k, t) {
			edges = append(edges, Step{Kind: k, OldEdge: t, NewEdge: n})
		}
	}
	if len(edges) == 0 {
		return s, false
	}
	return edges[d.random.IntN(len(edges))], true
}

// nodes are the entities all of whose triples are untouched; to be lost, if lost says
// so.
func (d *draw) nodes(lost bool) []string {
	taken := map[string]bool{}
	for t := range d.now.Triples() {
		if d.touched[t] || lost && d.standsFor(t) {
			taken[t.Head], taken[t.Tail] = true, true
		}
	}
	return slices.DeleteFunc(d.now.Entities(), func(e string) bool { return taken[e] })
}

// replacement draws an entity that neither graph has for s.OldNode.
func (d *draw) replacement(s *Step) bool {
	pool := d.options.Entities
	start := d.random.IntN(len(pool))
	for i := range pool {
		e := pool[(start+i)%len(pool)]
		if e == "" || d.used[e] || d.before.HasEntity(e) || d.now.HasEntity(e) {
			continue
		}
		s.NewNode = e
		changes, err := s.changes(d.now)
		if err != nil || slices.ContainsFunc(changes, func(c change) bool { return d.likeLost(c.new) }) {
			return false // so it would be with any other label
		}
		d.used[e] = true
		return true
	}
	return false
}

// becomes returns what a step of kind k can make of an untouched triple; the zero
// Triple stands for taking it away.
func (d *draw) becomes(k Kind, t kg.Triple) []kg.Triple {
	var out []kg.Triple
	try := func(n kg.Triple) {
		if !d.now.Has(n) && !d.before.Has(n) && !d.likeLost(n) {
			out = append(out, n)
		}
	}
	switch k {
	case EdgeDeletion:
		if !d.standsFor(t) {
			out = append(out, kg.Triple{})
		}
	case EdgeReversal:
		if t.Head != t.Tail && (d.options.Symmetric == nil || !d.options.Symmetric(t.Relation)) {
			try(t.Reverse())
		}
	case EdgeAntonym:
		if r, ok := d.options.Antonym(t.Relation); ok {
			try(kg.Triple{Head: t.Head, Relation: r, Tail: t.Tail})
		}
	case EdgeReplacement:
		// One of the others, so that each triple has the same chance.
		start := 0
		if len(d.relations) > 0 {
			start = d.random.IntN(len(d.relations))
		}
		for i := range d.relations {
			if len(out) == 0 && d.relations[(start+i)%len(d.relations)] != t.Relation {
				try(kg.Triple{Head: t.Head, Relation: d.relations[(start+i)%len(d.relations)], Tail: t.Tail})
			}
		}
	}
	return out
}

// addition draws a fact between two entities that no fact of either graph joins.
func (d *draw) addition() (Step, bool) {
	entities := d.now.Entities()
	if len(entities) < 2 || len(d.relations) == 0 {
		return Step{}, false
	}
	for range 64 {
		t := kg.Triple{
			Head:     entities[d.random.IntN(len(entities))],
			Relation: d.relations[d.random.IntN(len(d.relations))],
			Tail:     entities[d.random.IntN(len(entities))],
		}
		if t.Head == t.Tail || len(d.now.Between(t.Head, t.Tail)) > 0 || len(d.before.Between(t.Head, t.Tail)) > 0 {
			continue
		}
		if !d.likeLost(t) {
			return Step{Kind: EdgeAddition, NewEdge: t}, true
		}
	}
	return Step{}, false
}

// likeLost reports whether n would look like what became of a triple that was lost.
func (d *draw) likeLost(n kg.Triple) bool {
	return slices.ContainsFunc(d.lost, func(t kg.Triple) bool { return alike(t, n) })
}

// standsFor reports whether a triple that a step made would look like what became of t,
// were t taken away.
func (d *draw) standsFor(t kg.Triple) bool {
	return slices.ContainsFunc(d.made, func(n kg.Triple) bool { return alike(t, n) })
}

// alike reports whether two triples share two of head, relation and tail, or are the
// reverse of each other.
func alike(a, b kg.Triple) bool {
	n := 0
	for _, same := range [...]bool{a.Head == b.Head, a.Relation == b.Relation, a.Tail == b.Tail} {
		if same {
			n++
		}
	}
	return n >= 2 || a.Reverse() == b
}

// fates tells what became of each triple.
func (d *draw) fates() []Fate {
	var out []Fate
	added := d.added
	for t := range d.before.Triples() {
		n, changed := d.fate[t]
		f := Fate{Old: t, New: n}
		switch {
		case !changed:
			f.New, f.Outcome = t, Kept
		case n == (kg.Triple{}):
			f.Outcome = Lost
		case t.Reverse() == n:
			f.Outcome = Reversed
		case t.Head == n.Head && t.Tail == n.Tail:
			f.Outcome = RelationChanged
		case t.Head == n.Head:
			f.Outcome = TailChanged
		case t.Tail == n.Tail:
			f.Outcome = HeadChanged
		default: // a self loop
			f = Fate{Old: t, Outcome: Lost}
			added = append(added[:len(added):len(added)], n)
		}
		out = append(out, f)
	}
	for _, t := range added {
		out = append(out, Fate{New: t, Outcome: Added})
	}
	return out
}
