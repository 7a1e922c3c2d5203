package kg

import (
	"fmt"
	"strings"
)

// ChangeKind says what differs between the two triples of a Change.
type ChangeKind string

// The kinds of Change, in the order in which Diff looks for them.
const (
	// Reversed: head and tail exchanged, the relation equal.
	Reversed ChangeKind = "reversed"
	// OtherRelation: the same head and tail under another relation.
	OtherRelation ChangeKind = "other relation"
	// OtherTail: the same head and relation with another tail.
	OtherTail ChangeKind = "other tail"
	// OtherHead: the same relation and tail with another head.
	OtherHead ChangeKind = "other head"
)

// Change is a triple of the first graph that the second has in another form.
type Change struct {
	Kind     ChangeKind
	Old, New Triple
}

// Delta is what Diff found. Each triple of the first graph is in exactly one of
// Common, Removed and the Old sides of Changed; each of the second in exactly one
// of Common, Added and the New sides of Changed.
type Delta struct {
	// Common and Removed are in the order of the first graph, Added in that of
	// the second.
	Common, Removed, Added []Triple
	// Changed is in the order of the first graph.
	Changed []Change
}

// Diff tells what b has otherwise than a. Triples are compared byte for byte;
// normalise both graphs first for a looser sense. A triple that only a has is
// paired with at most one that only b has, in the order of ChangeKind's
// constants and, within a kind, of the graphs. Time and memory are linear in the
// number of triples. Nil graphs are empty.
func Diff(a, b *Graph) Delta {
	var d Delta
	var only []Triple
	for t := range a.Triples() {
		if b.Has(t) {
			d.Common = append(d.Common, t)
		} else {
			only = append(only, t)
		}
	}
	added := b.Minus(a).Slice()

	pairs := make(map[Triple]Change)
	taken := make(map[Triple]bool)
	pair := func(kind ChangeKind, key func(Triple) Triple, want func(Triple) Triple) {
		free := make(map[Triple][]Triple)
		for _, t := range added {
			if !taken[t] {
				free[key(t)] = append(free[key(t)], t)
			}
		}
		for _, t := range only {
			k := want(t)
			if _, done := pairs[t]; done || len(free[k]) == 0 {
				continue
			}
			n := free[k][0]
			free[k] = free[k][1:]
			pairs[t] = Change{kind, t, n}
			taken[n] = true
		}
	}
	same := func(t Triple) Triple { return t }
	noRelation := func(t Triple) Triple { return Triple{Head: t.Head, Tail: t.Tail} }
	noTail := func(t Triple) Triple { return Triple{Head: t.Head, Relation: t.Relation} }
	noHead := func(t Triple) Triple { return Triple{Relation: t.Relation, Tail: t.Tail} }
	pair(Reversed, same, Triple.Reverse)
	pair(OtherRelation, noRelation, noRelation)
	pair(OtherTail, noTail, noTail)
	pair(OtherHead, noHead, noHead)

	for _, t := range only {
		if c, ok := pairs[t]; ok {
			d.Changed = append(d.Changed, c)
		} else {
			d.Removed = append(d.Removed, t)
		}
	}
	for _, t := range added {
		if !taken[t] {
			d.Added = append(d.Added, t)
		}
	}
	return d
}

// Empty reports whether the two graphs are equal.
func (d Delta) Empty() bool {
	return len(d.Removed) == 0 && len(d.Added) == 0 && len(d.Changed) == 0
}

// String returns the differences for a failure message, a line each: "-" what
// only the first graph has, "+" what only the second has, a changed triple as
// both with the kind of change beside. What both have is only counted. It is
// empty when nothing differs. The form may change; do not parse it.
func (d Delta) String() string {
	if d.Empty() {
		return ""
	}
	var b strings.Builder
	if n := len(d.Common); n > 0 {
		fmt.Fprintf(&b, "  … %d common\n", n)
	}
	for _, c := range d.Changed {
		fmt.Fprintf(&b, "- %v\n+ %v  // %s\n", c.Old, c.New, c.Kind)
	}
	for _, t := range d.Removed {
		fmt.Fprintf(&b, "- %v\n", t)
	}
	for _, t := range d.Added {
		fmt.Fprintf(&b, "+ %v\n", t)
	}
	return b.String()
}
