package lexical

import (
	"fmt"

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
}

// findClashes collects what the passage says against h.
func (a *alignment) findClashes() {
	a.slotClashes()
	a.antonymClashes()
	a.polarityClash()
	a.roleClash()
}

// slotClashes finds values and names of h that the passage does not state, and
// the ones that it states instead.
func (a *alignment) slotClashes() {
	for i, hs := range a.h.slots {
		if hs.Kind == slot.Negation || hs.Kind == slot.Hedge || a.stated(i) {
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
				if r.Compatible() {
					// Less precise, but it does not speak against h.
					best = -1
					break
				}
				continue
			}
			if hs.Of != "" && cs.Of != "" && a.p.m.lemma(hs.Of) != a.p.m.lemma(cs.Of) && !synonymous(a.p.m.lemma(hs.Of), a.p.m.lemma(cs.Of)) {
				continue // counts of different things
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
			cl.detail = fmt.Sprintf("nothing on %q", hs.Text)
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
		cl.detail = fmt.Sprintf("%q against %q", hs.Text, cs.Text)
		cl.against = true
		if hs.Kind == slot.Quantity && cs.Kind == slot.Quantity && hs.Value == cs.Value && hs.Unit != cs.Unit {
			cl.kind = nli.ReasonUnit
		}
		a.clashes = append(a.clashes, cl)
	}
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

// antonymClashes finds unmatched words of h whose opposite stands in the
// passage, near the matches of their neighbours.
func (a *alignment) antonymClashes() {
	for i := range a.h.words {
		w := &a.h.words[i]
		if slot.FunctionWord(w.lower) && w.weight == 0 && a.match[i] >= 0 || w.name >= 0 || w.value >= 0 {
			continue
		}
		if a.match[i] >= 0 {
			continue
		}
		for j := range a.c.words {
			c := &a.c.words[j]
			if !slot.Opposite(w.lemma, c.lemma) && !slot.Opposite(w.lower, c.lower) {
				continue
			}
			if a.matchedBy(j) >= 0 || !a.beside(i, j) {
				continue
			}
			if w.negated() != c.negated() {
				// "not open" against "closed": they agree.
				a.match[i], a.quality[i] = j, 0.7
				break
			}
			a.clashes = append(a.clashes, clash{
				kind: nli.ReasonAntonym, h: w.Span, c: c.Span, against: true, weight: 2,
				detail: fmt.Sprintf("%q against %q", w.Of(a.h.text), c.Of(a.c.text)),
			})
			break
		}
	}
}

// beside reports whether a matched neighbour of word i of h stands within six
// words of word j of the passage.
func (a *alignment) beside(i, j int) bool {
	for d := 1; d <= 5; d++ {
		for _, k := range [2]int{i - d, i + d} {
			if k < 0 || k >= len(a.h.words) || !a.h.words[k].content() || a.match[k] < 0 {
				continue
			}
			if x := a.match[k] - j; x >= -6 && x <= 6 {
				return true
			}
		}
	}
	return false
}

// polarityClash finds a negation that only one side has, a hedge or a weaker
// quantifier that only the passage has.
func (a *alignment) polarityClash() {
	var all, flipped, hedged float64
	flipAt, hedgeAt := -1, -1
	for i := range a.h.words {
		w := &a.h.words[i]
		if !w.content() || w.name >= 0 || a.match[i] < 0 {
			continue
		}
		c := &a.c.words[a.match[i]]
		all += w.weight
		if w.negated() != c.negated() {
			flipped += w.weight
			if flipAt < 0 {
				flipAt = i
			}
		}
		if c.hedges > 0 && w.hedges == 0 {
			hedged += w.weight
			if hedgeAt < 0 {
				hedgeAt = i
			}
		}
	}
	if all == 0 {
		return
	}
	if flipped < 0.5*all {
		flipAt = a.flippedScope()
	}
	if flipAt >= 0 {
		w, c := &a.h.words[flipAt], &a.c.words[a.match[flipAt]]
		cl := clash{kind: nli.ReasonNegation, against: true, weight: 3}
		if s, ok := governor(a.h.slots, slot.Negation, w.Span); ok && w.negated() {
			cl.h = s.Span
			cl.c = c.Span
			cl.detail = fmt.Sprintf("%q is not in the evidence", s.Text)
		} else {
			cl.h = w.Span
			if s, ok := governor(a.c.slots, slot.Negation, c.Span); ok {
				cl.c = s.Span
				cl.detail = fmt.Sprintf("the evidence says %q", s.Text)
			}
		}
		a.clashes = append(a.clashes, cl)
	}
	if hedged >= 0.5*all {
		w, c := &a.h.words[hedgeAt], &a.c.words[a.match[hedgeAt]]
		cl := clash{kind: nli.ReasonHedge, h: w.Span, weight: 1.2}
		if s, ok := governor(a.c.slots, slot.Hedge, c.Span); ok {
			cl.c = s.Span
			cl.detail = fmt.Sprintf("the evidence says only %q", s.Text)
		}
		a.clashes = append(a.clashes, cl)
	}
	a.quantifierClash()
}

// flippedScope looks for a negation on either side whose scope is for the most
// part matched and nowhere negated on the other side, as in "but not syntax".
// It returns a matched word of h in that scope, -1 for none.
func (a *alignment) flippedScope() int {
	for side, x := range [2]*analysis{a.h, a.c} {
		for _, s := range x.slots {
			if s.Kind != slot.Negation || s.Scope.Empty() {
				continue
			}
			all, matched, at := 0, 0, -1
			agree := false
			for k := range x.words {
				if !x.words[k].content() || !s.Scope.Contains(x.words[k].Span) {
					continue
				}
				all++
				i := k
				if side == 1 {
					i = a.matchedBy(k)
				}
				if i < 0 || a.match[i] < 0 {
					continue
				}
				matched++
				if at < 0 {
					at = i
				}
				if a.h.words[i].negated() == a.c.words[a.match[i]].negated() {
					agree = true
				}
			}
			if matched > 0 && 2*matched > all && !agree {
				return at
			}
		}
	}
	return -1
}

// matchedBy returns the content word of h that is matched to word j of the
// passage, -1 for none.
func (a *alignment) matchedBy(j int) int {
	for i, m := range a.match {
		if m == j && a.h.words[i].content() {
			return i
		}
	}
	return -1
}

func governor(slots []slot.Slot, kind slot.Kind, at segment.Span) (slot.Slot, bool) {
	for _, s := range slots {
		if s.Kind == kind && !s.Scope.Empty() && s.Scope.Contains(at) {
			return s, true
		}
	}
	return slot.Slot{}, false
}

var universal = wordSet("all every each always only everyone everybody everything entire entirely whole completely exclusively")

// quantifierClash finds a universal quantifier in h that nothing in the passage
// backs: neither one of its own nor a double negation.
func (a *alignment) quantifierClash() {
	for i := range a.h.words {
		w := &a.h.words[i]
		if !universal[w.lower] || w.negated() {
			continue
		}
		backed := false
		for j := range a.c.words {
			c := &a.c.words[j]
			if c.lower == w.lower || universal[c.lower] && w.lower != "only" && c.lower != "only" || c.negations >= 2 {
				backed = true
				break
			}
		}
		if !backed {
			a.clashes = append(a.clashes, clash{
				kind: nli.ReasonQuantifier, h: w.Span, weight: 1,
				detail: fmt.Sprintf("the evidence does not say %q", w.Of(a.h.text)),
			})
			return
		}
	}
}

// symmetric verbs mean the same with their arguments exchanged.
var symmetric = wordSet(`marry meet resemble equal border differ collide divorce date fight face play join match merge rival partner cooperate collaborate
 agree disagree argue talk share intersect overlap touch neighbor neighbour adjoin`)

// roleClash finds a verb of h whose two neighbours stand on its other sides in
// the passage, voices taken into account: "A beat B" against "B beat A".
func (a *alignment) roleClash() {
	h := a.h.words
	for v := range h {
		if !h[v].content() || h[v].name >= 0 || a.match[v] < 0 || symmetric[h[v].lemma] {
			continue
		}
		l, r := a.argument(v, -1), a.argument(v, +1)
		if l < 0 || r < 0 || h[l].lemma == h[r].lemma {
			continue
		}
		// At least one of the two must be a name: nouns beside a noun change
		// places freely.
		if h[l].name < 0 || h[r].name < 0 {
			continue
		}
		cl, cv, cr := a.match[l], a.match[v], a.match[r]
		reversed := cr < cv && cv < cl
		kept := cl < cv && cv < cr
		if !reversed && !kept || cl-cr > 16 || cr-cl > 16 || a.sameWordAgain(cl, cr) {
			continue
		}
		if passive(h, v, r) != passive(a.c.words, cv, max(cl, cr)) {
			reversed = kept
		} else if kept {
			reversed = false
		}
		if !reversed {
			continue
		}
		span := h[l].Span.Union(h[r].Span)
		evidence := a.c.words[min(cl, cr)].Span.Union(a.c.words[max(cl, cr)].Span)
		a.clashes = append(a.clashes, clash{
			kind: nli.ReasonRole, h: span, c: evidence, against: true, weight: 2.5,
			detail: fmt.Sprintf("%q and %q have changed roles", h[l].Of(a.h.text), h[r].Of(a.h.text)),
		})
		return
	}
}

// argument returns the nearest matched name or content word beside the verb at
// v in direction d, -1 when a clause border or nothing lies there.
func (a *alignment) argument(v, d int) int {
	h := a.h.words
	for i := v + d; i >= 0 && i < len(h) && i-v < 8 && v-i < 8; i += d {
		if h[i].lower == "and" || h[i].lower == "or" {
			return -1
		}
		if h[i].content() {
			if a.match[i] < 0 {
				return -1
			}
			return i
		}
	}
	return -1
}

// sameWordAgain reports whether either place's word stands elsewhere in the
// passage too, so that the order of one pair proves nothing.
func (a *alignment) sameWordAgain(x, y int) bool {
	n := 0
	for j := range a.c.words {
		if a.c.words[j].lemma == a.c.words[x].lemma || a.c.words[j].lemma == a.c.words[y].lemma {
			n++
		}
	}
	return n > 2
}

// passive reports whether the verb at v is in the passive with its agent before
// place r: "by" stands between them, be it after a form of "be" ("was won by
// Ana") or not ("the match won by Ana").
func passive(words []word, v, r int) bool {
	for i := v + 1; i < r && i < len(words); i++ {
		if words[i].lower == "by" {
			return true
		}
	}
	return false
}
