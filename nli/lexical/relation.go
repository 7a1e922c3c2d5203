package lexical

import (
	"strings"

	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// relation is "left is so to right": "Ola is taller than Per", "Noor is the
// mother of Ivo", "Lund lies north of Ystad".
type relation struct {
	left, at, right int // words; at is the word that relates
	name            string
}

// converses are words that say one relation from its other end.
var converses = func() map[string]string {
	m := map[string]string{}
	for pair := range strings.SplitSeq(`older-younger,taller-shorter,longer-shorter,bigger-smaller,larger-smaller,greater-smaller,heavier-lighter,
		higher-lower,faster-slower,quicker-slower,richer-poorer,wealthier-poorer,stronger-weaker,hotter-colder,warmer-cooler,warmer-colder,
		earlier-later,sooner-later,better-worse,wider-narrower,deeper-shallower,newer-older,harder-easier,harder-softer,thicker-thinner,
		more-less,more-fewer,north-south,east-west,northeast-southwest,northwest-southeast,northern-southern,
		above-below,over-under,before-after,ahead-behind,left-right,inside-outside,
		parent-child,mother-child,father-child,mother-son,mother-daughter,father-son,father-daughter,parent-son,parent-daughter,
		grandfather-grandson,grandmother-grandson,grandfather-granddaughter,grandmother-granddaughter,
		uncle-nephew,uncle-niece,aunt-nephew,aunt-niece,teacher-student,teacher-pupil,mentor-student,employer-employee,owner-property,
		ancestor-descendant,predecessor-successor,predecessor-heir,subsidiary-parent,landlord-tenant,husband-wife,
		doctor-patient,guardian-ward,master-servant`, ",") {
		a, b, _ := strings.Cut(strings.TrimSpace(pair), "-")
		m[a+" "+b], m[b+" "+a] = b, a
	}
	return m
}()

func converseOf(x, y string) bool { return converses[x+" "+y] != "" }

// relational are nouns of a relation that does not hold the other way round.
var relational = wordSet(`parent child mother father son daughter grandfather grandmother grandson granddaughter uncle aunt nephew niece
 teacher student pupil mentor employer employee owner ancestor descendant predecessor successor subsidiary landlord tenant husband wife
 patient servant guardian boss founder capital creator cause result part branch student`)

// relations finds the relations that a text states.
func relations(x *analysis) []relation {
	var out []relation
	w := x.words
	for k := range w {
		switch {
		case w[k].lower == "than":
			// the comparative before it: "taller than", "more careful than"
			at, name := -1, ""
			for b := k - 1; b >= 0 && b >= k-3; b-- {
				l := w[b].lower
				if l == "more" || l == "less" || l == "fewer" {
					at, name = b, l
					if b == k-2 {
						name = l + " " + w[b+1].lemma
					}
					break
				}
				if b == k-1 && strings.HasSuffix(l, "er") && len(l) > 4 || l == "worse" {
					at, name = b, l
					break
				}
			}
			if at < 0 || !copulaBefore(w, at) {
				continue
			}
			if l, r := leftOf(w, at), rightOf(w, k+1); l >= 0 && r >= 0 {
				out = append(out, relation{l, at, r, name})
			}
		case w[k].lower == "of" && k > 1 && (relational[w[k-1].lemma] && determined(w, k-1) || directions[w[k-1].lower]):
			if !copulaBefore(w, k-1) {
				continue
			}
			if l, r := leftOf(w, k-1), rightOf(w, k+1); l >= 0 && r >= 0 {
				name := w[k-1].lemma
				if directions[w[k-1].lower] {
					name = w[k-1].lower
				}
				out = append(out, relation{l, k - 1, r, name})
			}
		case w[k].lower == "of" && k > 1 && relational[w[k-1].lemma]:
			// "The mother of Ivo is Noor."
			r := rightOf(w, k+1)
			if r >= 0 && r+1 < len(w) && beForms[w[r+1].lower] {
				if l := rightOf(w, r+2); l >= 0 {
					out = append(out, relation{l, k - 1, r, w[k-1].lemma})
				}
			}
		case relational[w[k].lemma] && k > 0 && possessive(x.text, w[k-1].Span):
			// "Noor is Ivo's mother", "Ivo's mother is Noor"
			if k+1 < len(w) && beForms[w[k+1].lower] {
				if l := rightOf(w, k+2); l >= 0 {
					out = append(out, relation{l, k, k - 1, w[k].lemma})
				}
			} else if copulaBefore(w, k-1) {
				if l := leftOf(w, k-1); l >= 0 {
					out = append(out, relation{l, k, k - 1, w[k].lemma})
				}
			}
		case (w[k].lower == "before" || w[k].lower == "after" || w[k].lower == "above" || w[k].lower == "below" || w[k].lower == "behind") && k > 0 && copulaBefore(w, k):
			if l, r := leftOf(w, k), rightOf(w, k+1); l >= 0 && r >= 0 && w[r].value < 0 {
				out = append(out, relation{l, k, r, w[k].lower})
			}
		}
	}
	return out
}

var directions = wordSet("north south east west northeast northwest southeast southwest left right")

// stands are verbs that only place their subject.
var stands = wordSet("be have lie stand sit come happen occur arrive finish run live")

// copulaBefore reports whether a form of "be" or a verb of place stands within
// four words before at.
func copulaBefore(w []word, at int) bool {
	for k := at - 1; k >= 0 && k >= at-5; k-- {
		if beForms[w[k].lower] || stands[w[k].lemma] {
			return true
		}
	}
	return false
}

// leftOf returns the head of the subject before the verb before at: the last
// name or content word there.
func leftOf(w []word, at int) int {
	k := at - 1
	for ; k >= 0 && !beForms[w[k].lower] && !stands[w[k].lemma]; k-- {
	}
	for k--; k >= 0; k-- {
		if w[k].content() && !stands[w[k].lemma] {
			return k
		}
	}
	return -1
}

// rightOf returns the head of the noun phrase that begins at k: the last content
// word of its first run.
func rightOf(w []word, k int) int {
	best := -1
	for ; k < len(w); k++ {
		if w[k].content() {
			best = k
		} else if best >= 0 {
			break
		}
	}
	return best
}

// relate compares the relations that both sides state as wholes: the same from
// the other end, or with its arguments exchanged.
func (a *alignment) relate() {
	var told []relation
	for _, h := range relations(a.h) {
		if told == nil {
			if told = relations(a.c); told == nil {
				return
			}
		}
		for _, c := range told {
			same, conv := h.name == c.name, converseOf(h.name, c.name) || converseOf(strings.Fields(h.name)[0], strings.Fields(c.name)[0]) && tail(h.name) == tail(c.name)
			if !same && !conv {
				continue
			}
			kept := a.is(h.left, c.left) && a.is(h.right, c.right)
			swapped := a.is(h.left, c.right) && a.is(h.right, c.left)
			if kept == swapped {
				continue
			}
			if a.settled == nil {
				a.settled = map[int]bool{}
			}
			negated := a.h.words[h.at].negated() != a.c.words[c.at].negated()
			switch agree := same == kept; {
			case agree == negated && agree:
				// A negation on one side: polarityClash sees it.
			case agree:
				a.settled[h.at], a.related = true, true
				if a.match[h.at] < 0 {
					a.match[h.at], a.quality[h.at] = c.at, 0.9
				}
			case !negated:
				a.settled[h.at] = true
				if conv && a.match[h.at] < 0 {
					a.match[h.at], a.quality[h.at] = c.at, 0.9
				}
				s := a.h.words[h.left].Span.Union(a.h.words[h.right].Span)
				cl := clash{kind: nli.ReasonRole, h: s, c: a.c.words[c.left].Span.Union(a.c.words[c.right].Span), against: true, weight: 2.5}
				cl.detail = exchanged(nameOf(a.h, h.left).Of(a.h.text), nameOf(a.h, h.right).Of(a.h.text))
				if conv {
					cl.kind, cl.h, cl.c = nli.ReasonAntonym, a.h.words[h.at].Span, a.c.words[c.at].Span
					cl.detail = quoted(cl.h.Of(a.h.text)) + " against " + quoted(cl.c.Of(a.c.text))
				}
				a.clashes = append(a.clashes, cl)
			}
			return
		}
	}
}

func tail(s string) string {
	_, t, _ := strings.Cut(s, " ")
	return t
}

// is reports whether words i of h and j of the passage are one, or parts of one
// name.
func (a *alignment) is(i, j int) bool {
	if a.match[i] == j || a.h.words[i].lemma == a.c.words[j].lemma {
		return true
	}
	n, m := a.h.words[i].name, a.c.words[j].name
	return n >= 0 && m >= 0 && a.slots[n] == m
}

// exchangeClash finds two names or values whose verbs have changed places: "X was
// killed and Y was hurt", "born in X and died in Y".
func (a *alignment) exchangeClash() {
	type held struct{ slot, verb, cverb int }
	for _, by := range []func(*analysis, int) int{governedBy, doneBy} {
		var all []held
		for i := range a.h.slots {
			if a.slots[i] < 0 || len(all) == 64 {
				continue
			}
			g, c := by(a.h, i), by(a.c, a.slots[i])
			if g >= 0 && c >= 0 && a.match[g] >= 0 && a.h.words[g].name < 0 {
				all = append(all, held{i, g, c})
			}
		}
		for k, x := range all {
			for _, y := range all[k+1:] {
				if x.verb == y.verb || a.match[x.verb] == x.cverb || a.match[x.verb] != y.cverb || a.match[y.verb] != x.cverb ||
					a.slots[x.slot] == a.slots[y.slot] {
					continue
				}
				sx, sy := a.h.slots[x.slot], a.h.slots[y.slot]
				a.clashes = append(a.clashes, clash{
					kind: nli.ReasonRole, h: sx.Span.Union(sy.Span), c: a.c.slots[a.slots[x.slot]].Span.Union(a.c.slots[a.slots[y.slot]].Span),
					against: true, weight: 2.5, detail: exchanged(sx.Text, sy.Text),
				})
				return
			}
		}
	}
}

// receiverClash finds that who did it and whom it went to have changed places:
// "A sold the house to B".
func (a *alignment) receiverClash() {
	for i := range a.h.slots {
		v := -1
		if a.slots[i] >= 0 && i < 64 {
			v = doneBy(a.h, i)
		}
		if v < 0 || a.match[v] < 0 || passiveAt(a.h.words, v) || a.h.words[v].negated() {
			continue
		}
		for k := i + 1; k < len(a.h.slots) && k < i+6; k++ {
			p := before(a.h, k)
			if a.slots[k] < 0 || a.slots[k] == a.slots[i] || p != "to" && p != "from" || a.h.slots[k].Kind != slot.Name ||
				before(a.c, a.slots[i]) != p || doneBy(a.c, a.slots[k]) != a.match[v] || passiveAt(a.c.words, a.match[v]) {
				continue
			}
			s, r := a.h.slots[i], a.h.slots[k]
			a.clashes = append(a.clashes, clash{
				kind: nli.ReasonRole, h: s.Span.Union(r.Span), c: a.c.slots[a.slots[i]].Span.Union(a.c.slots[a.slots[k]].Span),
				against: true, weight: 2.5, detail: exchanged(s.Text, r.Text),
			})
			return
		}
	}
}

// doneBy returns the first content word behind slot i with nothing but function
// words between: what its subject does. -1 for none, or where i is governed by a
// preposition.
func doneBy(x *analysis, i int) int {
	if before(x, i) != "" {
		return -1
	}
	moved := false
	for k := x.first[i]; k >= 0 && k < len(x.words) && k < x.first[i]+10; k++ {
		w := &x.words[k]
		switch {
		case w.name == i || w.value == i:
		case placing[w.lower], w.lower == "and", w.lower == "or", w.value >= 0, w.name >= 0:
			return -1
		case strings.ContainsAny(x.text[x.slots[i].Span.End:max(w.Start, x.slots[i].Span.End)], ",;:.!?\n"):
			return -1
		case w.content():
			if !moved && w.lower == w.lemma {
				return -1 // a noun beside the name
			}
			return k
		default:
			moved = true
		}
	}
	return -1
}

// possessive reports whether the word at s ends, or is followed, by the mark of
// the possessive.
func possessive(text string, s segment.Span) bool {
	w := s.Of(text)
	return strings.HasSuffix(w, "'s") || strings.HasSuffix(w, "’s") || strings.HasPrefix(text[s.End:], "'") || strings.HasPrefix(text[s.End:], "’")
}
