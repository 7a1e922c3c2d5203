package lexical

import (
	"sort"
	"strings"

	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// antonymClashes finds unmatched words of h whose opposite stands in the
// passage, near the matches of their neighbours.
func (a *alignment) antonymClashes() {
	for i := range a.h.words {
		w := &a.h.words[i]
		if a.match[i] >= 0 || w.name >= 0 || w.value >= 0 || a.settled[i] {
			continue
		}
		// A function word ("more", "before") must stand right beside its like.
		reach := 6
		if slot.FunctionWord(w.lower) {
			reach = 2
		}
		for j := range a.c.words {
			c := &a.c.words[j]
			if !slot.Opposite(w.lemma, c.lemma) && !slot.Opposite(w.lower, c.lower) {
				continue
			}
			if a.matchedBy(j) >= 0 || !a.beside(i, j, reach) {
				continue
			}
			if j > 0 && a.c.words[j-1].value >= 0 && c.lower == "old" {
				continue // "26 years old" is an age
			}
			if converse[w.lemma] && !a.sameSubject(i, j) {
				continue // "Mary received" is what "Tom gave Mary" says
			}
			if w.negated() != c.negated() {
				// "not open" against "closed": they agree.
				a.match[i], a.quality[i] = j, 0.7
				if a.agreed == nil {
					a.agreed = map[int]bool{}
				}
				a.agreed[i] = true
				break
			}
			a.clashes = append(a.clashes, clash{
				kind: nli.ReasonAntonym, h: w.Span, c: c.Span, against: true, weight: 2,
				picks:  i <= 3 && (i+1 < len(a.h.words) && j+1 < len(a.c.words) && a.h.words[i+1].content() && a.match[i+1] == j+1) || a.heads(i),
				detail: quoted(w.Of(a.h.text)) + " against " + quoted(c.Of(a.c.text)),
			})
			break
		}
	}
}

// converse verbs are opposites for one subject only.
var converse = wordSet("give take receive send buy purchase acquire sell borrow lend beat defeat win lose hire lead follow push pull import export")

// sameSubject reports whether the word of h before verb i is matched before
// place j of the passage, with no name between.
func (a *alignment) sameSubject(i, j int) bool {
	l := a.argument(i, -1)
	if l < 0 || a.match[l] > j {
		return false
	}
	for k := a.match[l] + 1; k < j; k++ {
		if n := a.c.words[k].name; n >= 0 && n != a.c.words[a.match[l]].name {
			return false
		}
	}
	return true
}

// beside reports whether a matched neighbour of word i of h stands within reach
// words of word j of the passage.
func (a *alignment) beside(i, j, reach int) bool {
	for d := 1; d < reach; d++ {
		for _, k := range [2]int{i - d, i + d} {
			if k < 0 || k >= len(a.h.words) || !a.h.words[k].content() || a.match[k] < 0 {
				continue
			}
			if x := a.match[k] - j; x >= -reach && x <= reach {
				return true
			}
		}
	}
	return false
}

// polarityClash finds a negation that only one side has, a hedge or a weaker
// quantifier that only the passage has.
func (a *alignment) polarityClash() {
	a.pairNegations()
	leftH, leftC := hedgesLeft(a.h, a.c), hedgesLeft(a.c, a.h)
	var all, flipped, hedged float64
	flipAt, hedgeAt := -1, -1
	for i := range a.h.words {
		w := &a.h.words[i]
		if !w.content() || w.name >= 0 || a.match[i] < 0 {
			continue
		}
		c := &a.c.words[a.match[i]]
		all += w.weight
		if w.negated() != c.negated() && !a.bound(i) {
			flipped += w.weight
			if flipAt < 0 {
				flipAt = i
			}
		}
		if leftC[a.match[i]] > leftH[i] {
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
	if flipAt < 0 && a.sentences == 2 {
		flipAt = a.flippedPart()
	}
	a.denied = flipAt >= 0
	if flipAt >= 0 {
		w, c := &a.h.words[flipAt], &a.c.words[a.match[flipAt]]
		cl := clash{kind: nli.ReasonNegation, against: true, weight: 3}
		if s, ok := governor(a.h.slots, slot.Negation, w.Span); ok && w.negated() {
			cl.h = s.Span
			cl.c = c.Span
			cl.detail = quoted(s.Text) + " is not in the evidence"
		} else {
			cl.h = w.Span
			if s, ok := governor(a.c.slots, slot.Negation, c.Span); ok {
				cl.c = s.Span
				cl.detail = "the evidence says " + quoted(s.Text)
			}
		}
		a.clashes = append(a.clashes, cl)
	}
	if hedged < 0.5*all {
		hedgeAt = a.hedgedHead(leftH, leftC)
	}
	if hedgeAt >= 0 {
		w, c := &a.h.words[hedgeAt], &a.c.words[a.match[hedgeAt]]
		cl := clash{kind: nli.ReasonHedge, h: w.Span, weight: 1.2}
		if s, ok := governor(a.c.slots, slot.Hedge, c.Span); ok {
			cl.c = s.Span
			cl.detail = "the evidence says only " + quoted(s.Text)
		}
		a.clashes = append(a.clashes, cl)
	}
	a.quantifierClash()
}

// flippedPart returns a word of h that one of the passage's two sentences says
// with the opposite polarity, as it does at least half of what it has of h: "It
// has no sauna" denies the sauna whatever the sentence before says of the hotel.
// Another sentence that merely holds a negation denies nothing. -1 for none.
func (a *alignment) flippedPart() int {
	border := a.c.text
	for _, s := range a.p.sentences {
		if s.Start == a.span.Start {
			border = border[:min(len(border), s.Len())]
			break
		}
	}
	var all, flipped [2]float64
	at := [2]int{-1, -1}
	for i := range a.h.words {
		w := &a.h.words[i]
		if !w.content() || w.name >= 0 || a.match[i] < 0 {
			continue
		}
		c := &a.c.words[a.match[i]]
		part := 0
		if c.Start >= len(border) {
			part = 1
		}
		all[part] += w.weight
		if w.negated() != c.negated() && !a.bound(i) && !a.saidBeside(a.match[i], part, len(border)) {
			flipped[part] += w.weight
			if at[part] < 0 {
				at[part] = i
			}
		}
	}
	for part := range all {
		if at[part] >= 0 && flipped[part] >= 0.5*all[part] && flipped[part] >= 0.2*(all[0]+all[1]) {
			return at[part]
		}
	}
	return -1
}

// saidBeside reports whether the negation over word j of the passage, in its
// sentence part, denies what h does not say, while the other sentence, from or up to
// border, says what h says: "She did not discover the comet. A neighbour found it."
func (a *alignment) saidBeside(j, part, border int) bool {
	s, ok := governor(a.c.slots, slot.Negation, a.c.words[j].Span)
	if !ok {
		return false
	}
	for k := range a.c.words {
		if w := &a.c.words[k]; w.content() && s.Scope.Contains(w.Span) {
			if k == j || a.matchedBy(k) >= 0 {
				return false // what is denied is what h says
			}
			break
		}
	}
	for i := range a.h.words {
		w := &a.h.words[i]
		if !w.content() || a.match[i] < 0 || w.lower == w.lemma || strings.HasSuffix(w.lower, "s") {
			continue // no verb in the past
		}
		c := &a.c.words[a.match[i]]
		if (c.Start >= border) == (part == 0) && w.negated() == c.negated() {
			return true
		}
	}
	return false
}

// corrected reports whether word i of h is matched under a negation that the passage
// corrects at once, and h says what is so and not what is denied: "was not designed
// by A but by B" of "was designed by B".
func (a *alignment) corrected(i int) bool {
	at := a.c.words[a.match[i]].Span
	s, ok := governor(a.c.slots, slot.Negation, at)
	if !ok {
		return false
	}
	rest := strings.TrimLeft(a.c.text[s.Scope.End:], ", ")
	if !strings.HasPrefix(rest, "but ") {
		return false
	}
	but := len(a.c.text) - len(rest)
	end := len(a.c.text)
	if n := strings.IndexAny(rest, ".;:!?"); n >= 0 {
		end = but + n
	}
	said, denied := false, false
	for k := range a.c.words {
		w := &a.c.words[k]
		if w.weight <= 0 && w.name < 0 && w.value < 0 || w.Start < at.End || w.Start >= end {
			continue
		}
		switch stated := a.states(k); {
		case w.Start >= but:
			said = said || stated
		default:
			denied = denied || stated
		}
	}
	return said && !denied
}

// states reports whether h has word k of the passage, as a word or in a value or name.
func (a *alignment) states(k int) bool {
	for i, m := range a.match {
		if m == k && (a.h.words[i].content() || a.h.words[i].name >= 0) {
			return true
		}
	}
	w := &a.c.words[k]
	return w.value >= 0 && a.taken[w.value] || w.name >= 0 && a.taken[w.name]
}

// bound reports whether the polarity of word i of h is settled: it, or a word of
// h under the same negation on either side, agrees with its opposite, or the
// negation is corrected.
func (a *alignment) bound(i int) bool {
	if a.corrected(i) {
		return true
	}
	for _, p := range a.negations {
		if p[0].Contains(a.h.words[i].Span) || p[1].Contains(a.c.words[a.match[i]].Span) {
			return true
		}
	}
	for k := range a.agreed {
		if k == i || sameScope(a.h, a.h.words[i].Span, a.h.words[k].Span) || sameScope(a.c, a.c.words[a.match[i]].Span, a.c.words[a.match[k]].Span) {
			return true
		}
	}
	return false
}

// sameScope reports whether one negation of x governs both places.
func sameScope(x *analysis, s, t segment.Span) bool {
	for _, n := range x.slots {
		if n.Kind == slot.Negation && n.Scope.Contains(s) && n.Scope.Contains(t) {
			return true
		}
	}
	return false
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
				if a.h.words[i].negated() == a.c.words[a.match[i]].negated() || a.bound(i) {
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
				detail: "the evidence does not say " + quoted(w.Of(a.h.text)),
			})
			return
		}
	}
}

// pairNegations finds negations of both sides that deny the same word: "has not
// approved the plan" and "the plan has not been approved". What either governs
// is settled.
func (a *alignment) pairNegations() {
	heads := map[int]segment.Span{}
	for _, cn := range a.c.slots {
		if cn.Kind == slot.Negation {
			if k := head(a.c, cn); k >= 0 {
				heads[k] = cn.Scope
			}
		}
	}
	if len(heads) == 0 {
		return
	}
	for _, hn := range a.h.slots {
		if hn.Kind != slot.Negation || len(a.negations) == maxNegations {
			continue
		}
		k := head(a.h, hn)
		if k < 0 || a.match[k] < 0 {
			continue
		}
		if scope, ok := heads[a.match[k]]; ok && a.h.words[k].negated() == a.c.words[a.match[k]].negated() {
			a.negations = append(a.negations, [2]segment.Span{hn.Scope, scope})
		}
	}
}

// maxNegations bounds the pairs of negations that are compared.
const maxNegations = 32

// head returns the first content word in the scope of s, -1 for none.
func head(x *analysis, s slot.Slot) int {
	if s.Scope.Empty() {
		return -1
	}
	for k := x.wordAt(s.Scope.Start); k < len(x.words) && x.words[k].End <= s.Scope.End; k++ {
		if x.words[k].content() {
			return k
		}
	}
	return -1
}

// hedgesLeft counts for each word of x the hedges over it whose own word y does
// not hold: "thinks it could win" is what "thinks it can win" says.
func hedgesLeft(x, y *analysis) []int {
	left := make([]int, len(x.words)+1)
	var lemmas map[string]bool
	var groups map[int]bool
	for k, s := range x.slots {
		if s.Kind != slot.Hedge || s.Scope.Empty() || x.first[k] < 0 {
			continue
		}
		if lemmas == nil {
			lemmas, groups = map[string]bool{}, map[int]bool{}
			for i := range y.words {
				lemmas[y.words[i].lemma] = true
				groups[synonyms[y.words[i].lemma]] = true
			}
		}
		cue := x.words[x.first[k]].lemma
		if g := synonyms[cue]; lemmas[cue] || g > 0 && groups[g] {
			continue
		}
		left[x.wordAt(s.Scope.Start)]++
		left[x.wordAt(s.Scope.End)]--
	}
	for k := 1; k < len(left); k++ {
		left[k] += left[k-1]
	}
	return left
}

// wordAt returns the first word that starts at or behind a place of x.
func (x *analysis) wordAt(at int) int {
	return sort.Search(len(x.words), func(k int) bool { return x.words[k].Start >= at })
}

// hedgedHead returns the word of h, itself not hedged, that is matched to the
// first word under a hedge of the passage; -1 for none.
func (a *alignment) hedgedHead(leftH, leftC []int) int {
	for _, s := range a.c.slots {
		if s.Kind != slot.Hedge {
			continue
		}
		k := head(a.c, s)
		if k < 0 || a.c.words[k].name >= 0 {
			continue
		}
		if i := a.matchedBy(k); i >= 0 && leftH[i] < leftC[k] && a.h.words[i].name < 0 {
			return i
		}
	}
	return -1
}
