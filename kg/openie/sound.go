package openie

import "strings"

// unsound says why a rendered candidate is no statement that a reader could
// judge alone, or "". It is the last look at what the grammar made of a sentence
// that a tagger or a writer got wrong.
func (g *generator) unsound(c candidate, w *writer, rel, claim string) string {
	if !g.verbal(c.rel) {
		return "no verb in the relation"
	}
	if strings.HasSuffix(rel, " that") && len(c.front) == 0 && !w.hasVerb(c.tail) {
		return "a that-clause without a verb"
	}
	words := strings.Fields(strings.TrimRight(claim, ".!?\"'”’)] "))
	if len(words) == 0 {
		return "no words"
	}
	first, last := strings.ToLower(words[0]), words[len(words)-1] // "in May" is no modal
	// "She is older than they are": a second clause may end with its auxiliary.
	if leadsOn.has(last) || closedVerb(last) && g.verbsIn(c) < 2 {
		return "ends in the middle: \"" + last + "\""
	}
	if leansBack.has(first) {
		return "begins in the middle: \"" + first + "\""
	}
	return ""
}

// verbal reports whether a relation has a verb. Words that are not the text's
// own were put there as verbs.
func (g *generator) verbal(rel phrase) bool {
	for _, q := range rel {
		if q.lit != "" {
			return true
		}
		for i := q.first; i < q.end; i++ {
			if g.s.verb(i) {
				return true
			}
		}
	}
	return false
}

// verbsIn counts the finite verbs of a candidate.
func (g *generator) verbsIn(c candidate) int {
	n := 0
	for _, q := range join(c.head, c.rel, c.tail, join(c.front...)) {
		if q.lit == "" {
			n += g.s.verbs[q.end] - g.s.verbs[q.first]
		}
	}
	return n
}

// participant returns what a label is called that is nothing but a pronoun for
// the one who speaks or is spoken to: a graph holds things, and two texts that
// both say "we" speak of different ones only as far as their speakers differ.
func participant(label string) (name string, singular, ok bool) {
	switch low := strings.ToLower(label); {
	case low == "i" || low == "me" || low == "myself" || low == "mine":
		return "the speaker", true, true
	case low == "we" || low == "us" && label != "US" || low == "ourselves" || low == "ours":
		return "the speakers", false, true
	case low == "you" || low == "yourself" || low == "yourselves" || low == "yours":
		return "the listener", true, true
	}
	return label, false, false
}

// thirdPersonOf returns the relation of a participant's triple: "I am", "you
// have", but "the speaker is", "the listener has".
func (g *generator) thirdPersonOf(c candidate, rel string) string {
	for _, q := range c.rel {
		if q.lit != "" {
			break
		}
		for i := q.first; i < q.end; i++ {
			t := g.s.toks[i]
			if !g.s.finiteAt(i) {
				continue
			}
			form := singular(t.low, t.tag, t.lemma)
			if t.low == "am" || t.low == "'m" {
				form = "is"
			}
			was := t.text
			if full := expand(t, g.s, i); full != "" {
				was = full
			}
			if before, after, found := strings.Cut(" "+rel+" ", " "+was+" "); found && form != t.low {
				return strings.TrimSpace(before + " " + form + " " + after)
			}
			return rel
		}
	}
	return rel
}

var (
	// A statement does not end with a word that opens a phrase or a clause.
	leadsOn = words("the a an and or but nor which whose that than if because although though whereas unless of his its their our my your whether very")
	// Nor does it begin with one that leans on what stands before.
	leansBack = words("and or but nor which whose whom than")
)
