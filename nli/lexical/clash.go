package lexical

import (
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// clash is one thing that speaks against the hypothesis.
type clash struct {
	kind   nli.ReasonKind
	h, c   segment.Span // c is relative to the passage, zero for none
	detail string
	// against says that the passage states the opposite, not merely nothing.
	against bool
	weight  float64
	// slot is the kind of the value or name that differs, "" for another clash;
	// picks says that the word before a noun differs, which may pick the noun out.
	slot  slot.Kind
	picks bool
}

// findClashes collects what the passage says against h.
func (a *alignment) findClashes() {
	a.relate()
	a.slotClashes()
	a.antonymClashes()
	a.polarityClash()
	a.prepositionClash()
	if !a.related {
		a.roleClash()
		a.exchangeClash()
		a.receiverClash()
	}
	a.saidClashes()
	a.codeClashes()
	a.apart = a.excepted || a.anotherThing()
}

// slotClashes finds values and names of h that the passage does not state, and
// the ones that it states instead.
func (a *alignment) slotClashes() {
	a.plain = make([]bool, len(a.c.words))
	for i, j := range a.match {
		if j >= 0 && a.h.words[i].name < 0 && a.h.words[i].content() {
			a.plain[j] = true
		}
	}
	for i, hs := range a.h.slots {
		if hs.Kind == slot.Negation || hs.Kind == slot.Hedge {
			continue
		}
		if a.stated(i) {
			a.boundElsewhere(i)
			continue
		}
		if hs.Kind == slot.Name && len(hs.Words) == 0 {
			continue
		}
		place := a.place(i)
		best, distance := -1, 0
		for j, cs := range a.c.slots {
			if a.taken[j] || a.c.first[j] < 0 {
				continue
			}
			if r := slot.Compare(cs, hs); r != slot.Different {
				if r.Compatible() && cs.Kind != hs.Kind {
					continue // a bare number, of whatever
				}
				if r.Compatible() {
					// Less precise, but it does not speak against h.
					best = -1
					break
				}
				continue
			}
			if !a.comparable(i, j) {
				continue
			}
			d := 0
			if place >= 0 {
				if d = a.c.first[j] - place; d < 0 {
					d = -d
				}
			}
			if best < 0 || d < distance {
				best, distance = j, d
			}
		}
		cl := clash{kind: kindOf(hs.Kind), h: hs.Span, weight: 2}
		// What the passage says instead counts only where it is about the same.
		if best < 0 || distance > maxDistance || a.about(i) < 0.5 {
			cl.detail = "nothing on " + quoted(hs.Text)
			cl.kind = nli.ReasonMissing
			cl.weight = 1.5
			if a.elsewhere(i) {
				// Another sentence has it: a pronoun may stand for a name here, or
				// the hypothesis may join what two sentences say.
				cl.weight = 0.5
			}
			a.clashes = append(a.clashes, cl)
			continue
		}
		cs := a.c.slots[best]
		cl.c = cs.Span
		cl.detail = a.versus(i, best)
		cl.against = true
		cl.slot = hs.Kind
		cl.picks = a.h.labels(i)
		if hs.Kind == slot.Quantity && cs.Kind == slot.Quantity && hs.Value == cs.Value && hs.Unit != cs.Unit {
			cl.kind = nli.ReasonUnit
		}
		a.clashes = append(a.clashes, cl)
	}
}

// boundElsewhere finds a value of h that the passage states of something else,
// while it states another one of what h says: "closes at nine" against "opens
// at nine and closes at six".
func (a *alignment) boundElsewhere(i int) {
	hs := a.h.slots[i]
	if a.slots[i] < 0 {
		return
	}
	if !isValue(hs.Kind) {
		// Names change places with the voice (see roleClash), but not behind a
		// preposition of place or time.
		p := placeClass(before(a.h, i))
		if p == "" || p == "of" || p == "with" || p == "for" || p != placeClass(before(a.c, a.slots[i])) {
			a.doneByAnother(i)
			return
		}
	}
	if a.countedElsewhere(i) {
		return
	}
	if a.countOfOther(i) {
		a.clashes = append(a.clashes, clash{kind: nli.ReasonMissing, h: hs.Span, weight: 1.5, detail: "nothing on " + quoted(hs.Text+" "+hs.Of)})
		return
	}
	g := governedBy(a.h, i)
	if g < 0 || a.match[g] < 0 {
		return
	}
	for j, cs := range a.c.slots {
		if j == a.slots[i] || slot.Compare(cs, hs) != slot.Different || governedBy(a.c, j) != a.match[g] {
			continue
		}
		if governedBy(a.c, a.slots[i]) == a.match[g] {
			return
		}
		if n, ok := governor(a.c.slots, slot.Negation, cs.Span); ok && !n.Scope.Contains(a.c.slots[a.slots[i]].Span) {
			continue // denied of that one: "not to A, but to B"
		}
		a.clashes = append(a.clashes, clash{
			kind: kindOf(hs.Kind), h: hs.Span, c: cs.Span, against: true, weight: 2, slot: hs.Kind,
			detail: a.versus(i, j),
		})
		return
	}
}

// countOfOther reports whether the passage has count i of h of another noun
// only, and nothing on h's: "40 cars" against "40 vans".
func (a *alignment) countOfOther(i int) bool {
	j := a.slots[i]
	hs, cs := &a.h.slots[i], &a.c.slots[j]
	if hs.Kind != slot.Number || cs.Kind != slot.Number || hs.Of == "" || cs.Of == "" || generic[hs.Of] || generic[cs.Of] || a.sameCount(i, j) {
		return false
	}
	for _, w := range nouns(a.h, i) {
		for k := range a.c.words {
			if c := &a.c.words[k]; c.lemma == w.lemma || synonymous(c.lemma, w.lemma) || derived(c.lemma, w.lemma) {
				return false
			}
		}
	}
	return true
}

// generic are nouns that stand for whatever is counted.
var generic = wordSet("people persons men women others times things items members times units dead killed")

// doneByAnother finds that what h says name i did the passage says of another
// name, and something else of i: "A was hurt" against "A was caught and B was
// hurt".
func (a *alignment) doneByAnother(i int) {
	hs := a.h.slots[i]
	g, other := doneBy(a.h, i), doneBy(a.c, a.slots[i])
	if g < 0 || other < 0 || a.match[g] < 0 || a.match[g] == other || a.h.words[g].name >= 0 {
		return
	}
	for j, cs := range a.c.slots {
		if j == a.slots[i] || cs.Kind != slot.Name || len(cs.Words) == 0 || slot.Compare(cs, hs) != slot.Different || doneBy(a.c, j) != a.match[g] {
			continue
		}
		a.clashes = append(a.clashes, clash{
			kind: nli.ReasonRole, h: a.h.slots[i].Span, c: cs.Span, weight: 2,
			detail: "the evidence says it of " + quoted(cs.Text) + ", not of " + quoted(hs.Text),
		})
		return
	}
}

// countedElsewhere finds a count of h that the passage states of another noun,
// while it counts h's noun otherwise: "12 injured" against "12 dead and 15
// injured".
func (a *alignment) countedElsewhere(i int) bool {
	hs := a.h.slots[i]
	if hs.Of == "" || a.sameNoun(hs.Of, a.c.slots[a.slots[i]].Of) {
		return false
	}
	for j, cs := range a.c.slots {
		if a.sameNoun(hs.Of, cs.Of) && slot.Compare(cs, hs) == slot.Different {
			a.clashes = append(a.clashes, clash{
				kind: kindOf(hs.Kind), h: hs.Span, c: cs.Span, against: true, weight: 2, slot: hs.Kind,
				detail: a.versus(i, j),
			})
			return true
		}
	}
	return false
}

// sameNoun reports whether two counted nouns are one.
func (a *alignment) sameNoun(x, y string) bool {
	lx, ly := a.p.m.lemma(x), a.p.m.lemma(y)
	return lx == ly || synonymous(lx, ly)
}

// governedBy returns the position of the content word before slot i with
// nothing but function words between, -1 for none.
func governedBy(x *analysis, i int) int {
	if x.first[i] < 0 {
		return -1
	}
	for k := x.first[i] - 1; k >= 0 && k >= x.first[i]-4; k-- {
		w := &x.words[k]
		switch {
		case w.value >= 0 || w.name >= 0 || w.lower == "and" || w.lower == "or":
			return -1
		case w.content():
			return k
		}
	}
	return -1
}

func kindOf(k slot.Kind) nli.ReasonKind {
	switch k {
	case slot.Name:
		return nli.ReasonName
	case slot.Date, slot.Clock:
		return nli.ReasonDate
	}
	return nli.ReasonNumber
}

// maxDistance is how many words from where a value would stand another one may
// stand and still be in its place.
const maxDistance = 8

// about is the coverage of h without the words of its slot i.
func (a *alignment) about(i int) float64 {
	return a.coverageWithout(func(k int) bool { return a.h.words[k].value == i || a.h.words[k].name == i })
}

// elsewhere reports whether the premise holds every word of slot i of h
// somewhere.
func (a *alignment) elsewhere(i int) bool {
	n := 0
	for _, w := range a.h.words {
		if w.value != i && w.name != i || slot.FunctionWord(w.lower) {
			continue
		}
		n++
		if len(a.p.posts[w.lemma]) == 0 {
			return false
		}
	}
	return n > 0
}
