package lexical

import (
	"strings"

	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// prepositionClash finds two names or values of h that have exchanged their
// prepositions: "from Oslo to Lima" against "from Lima to Oslo".
func (a *alignment) prepositionClash() {
	for i := range a.h.slots {
		for k := i + 1; k < len(a.h.slots) && k <= i+4; k++ {
			if a.slots[i] < 0 || a.slots[k] < 0 {
				continue
			}
			hi, hk := preposition(a.h, i), preposition(a.h, k)
			ci, ck := preposition(a.c, a.slots[i]), preposition(a.c, a.slots[k])
			if hi == "" || hk == "" || hi == hk || hi != ck || hk != ci {
				continue
			}
			x, y := a.c.slots[a.slots[i]].Span, a.c.slots[a.slots[k]].Span
			a.clashes = append(a.clashes, clash{
				kind: nli.ReasonRole, h: a.h.slots[i].Span.Union(a.h.slots[k].Span), c: x.Union(y), against: true, weight: 2.5,
				detail: exchanged(a.h.slots[i].Text, a.h.slots[k].Text),
			})
			return
		}
	}
}

var prepositions = wordSet("from to by for before after into onto until since under over behind against of with")

// preposition returns the preposition right before slot i, an article aside; ""
// for none.
func preposition(x *analysis, i int) string {
	for k := x.first[i] - 1; k >= 0 && k >= x.first[i]-2; k-- {
		w := x.words[k].lower
		if prepositions[w] {
			return w
		}
		if w != "the" && w != "a" && w != "an" {
			return ""
		}
	}
	return ""
}

// symmetric verbs mean the same with their arguments exchanged.
var symmetric = wordSet(`marry meet resemble equal border differ collide divorce date fight face play join match merge rival partner cooperate collaborate
 agree disagree argue talk share intersect overlap touch neighbor neighbour adjoin`)

// roleClash finds a verb of h whose two neighbours stand on its other sides in
// the passage, voices taken into account: "A beat B" against "B beat A".
func (a *alignment) roleClash() {
	h := a.h.words
	for v := range h {
		if !h[v].content() || h[v].name >= 0 || a.match[v] < 0 || symmetric[h[v].lemma] || h[v].negated() || a.c.words[a.match[v]].negated() {
			continue
		}
		l, r := a.argument(v, -1), a.argument(v, +1)
		if l < 0 || r < 0 || h[l].lemma == h[r].lemma {
			continue
		}
		cl, cv, cr := a.match[l], a.match[v], a.match[r]
		if determined(h, v) || determined(a.c.words, cv) || ofFollows(h, v) || ofFollows(a.c.words, cv) {
			continue // a noun
		}
		reversed := cr < cv && cv < cl
		kept := cl < cv && cv < cr
		// Nouns change places freely in longer phrases: they count only where
		// nothing but function words lies between them and the verb.
		if !(a.named(l) && a.named(r)) && !(tight(h, l, v, r) && tight(a.c.words, min(cl, cr), cv, max(cl, cr))) {
			continue
		}
		if !reversed && !kept || cl-cr > 16 || cr-cl > 16 || a.sameWordAgain(cl, cr) {
			continue
		}
		if ph, pc := passiveAt(h, v), passiveAt(a.c.words, cv); ph != pc && !passive(h, v, r) && !passive(a.c.words, cv, max(cl, cr)) {
			continue // a passive without its agent
		}
		if passive(h, v, r) != passive(a.c.words, cv, max(cl, cr)) {
			reversed = kept
		} else if kept {
			reversed = false
		}
		if !reversed {
			continue
		}
		left, right := nameOf(a.h, l), nameOf(a.h, r)
		evidence := nameOf(a.c, cl).Union(nameOf(a.c, cr))
		a.clashes = append(a.clashes, clash{
			kind: nli.ReasonRole, h: left.Union(right), c: evidence, against: true, weight: 2.5,
			detail: exchanged(left.Of(a.h.text), right.Of(a.h.text)),
		})
		return
	}
}

// named reports whether word k of h, which is matched, is part of a name, by
// its own capitals or those of the passage.
func (a *alignment) named(k int) bool {
	return a.h.words[k].name >= 0 || a.c.words[a.match[k]].name >= 0
}

// tight reports whether there are only function words between l and v and
// between v and r.
func tight(words []word, l, v, r int) bool {
	lo, hi := l+1, r-1
	// The rest of the noun phrase of which l or r is one word ("power cut").
	for ; lo < v && words[lo].content() && lo-l <= 2; lo++ {
	}
	for ; hi > v && words[hi].content() && r-hi <= 2; hi-- {
	}
	for k := lo; k <= hi && k < len(words); k++ {
		if k != v && (words[k].content() || words[k].value >= 0) {
			return false
		}
	}
	return true
}

var qualifying = wordSet("new old debut own next last only latest final main former current")

// ofFollows reports whether word v has an "of" behind it, as nouns do.
func ofFollows(words []word, v int) bool {
	return v+1 < len(words) && words[v+1].lower == "of" && words[v].lower == words[v].lemma
}

// nameOf returns the span of the name that word k belongs to, or of the word.
func nameOf(x *analysis, k int) segment.Span {
	if n := x.words[k].name; n >= 0 {
		return x.slots[n].Span
	}
	return x.words[k].Span
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
			if d < 0 && i > 0 && i+1 < len(h) && h[i+1].lower == "to" && i+2 == v && h[i].name < 0 {
				continue // "agreed to buy": the subject stands before
			}
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

// determined reports whether word v follows an article or a possessive.
func determined(words []word, v int) bool {
	// A rank or a superlative may stand between: "her second album".
	k := v - 1
	for k > 0 && v-k <= 2 && (words[k].value >= 0 || strings.HasSuffix(words[k].lower, "est") || qualifying[words[k].lower]) {
		k--
	}
	if k < 0 {
		return false
	}
	switch words[k].lower {
	case "a", "an", "the", "his", "her", "its", "their", "our", "my", "your", "this", "that":
		return true
	}
	return false
}

// passive reports whether the verb at v is in the passive with its agent before
// place r: "by" stands between them, and v is inflected ("was won by Ana", "the
// match won by Ana") or follows a form of "be" ("was hit by Ana").
func passive(words []word, v, r int) bool {
	for i := v + 1; i < r && i < len(words); i++ {
		if words[i].lower != "by" {
			continue
		}
		if words[v].lower != words[v].lemma {
			return true
		}
		return v > 0 && beForms[words[v-1].lower]
	}
	return false
}

var beForms = wordSet("am is are was were be been being get gets got getting")
