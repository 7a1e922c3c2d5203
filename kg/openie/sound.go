package openie

import "strings"

// unsound says why a rendered candidate is no statement that a reader could
// judge alone, or "". It is the last look at what the grammar made of a sentence
// that a tagger or a writer got wrong.
func (g *generator) unsound(c candidate, w *writer, rel, claim string) string {
	if !g.verbal(c) {
		return "no verb in the relation"
	}
	if strings.HasSuffix(rel, " that") && len(c.front) == 0 && !w.hasVerb(c.tail) {
		return "a that-clause without a verb"
	}
	if len(c.head) == 1 && c.head[0].lit == "" && c.head[0].end == c.head[0].first+1 && interjections.has(g.s.low(c.head[0].first)) {
		return "an interjection as entity"
	}
	if g.cutAdverb(c) {
		return "ends in the middle: an adverb without what it is about"
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
	if leansBack.has(first) || strings.HasSuffix(first, ",") && prepositionsOnly.has(strings.TrimSuffix(first, ",")) || first == "of," {
		return "begins in the middle: \"" + first + "\""
	}
	return ""
}

// verbal reports whether a relation has a verb that says something: "will" alone
// does not, and an apostrophe stands in no verb but a shortened one ("o'neil").
// Words that are not the text's own were put there as verbs.
func (g *generator) verbal(c candidate) bool {
	for _, q := range c.rel {
		if q.lit != "" {
			return true
		}
		for i := q.first; i < q.end; i++ {
			if g.s.verb(i) && g.s.tag(i) != "MD" && strings.Trim(g.s.low(i), "abcdefghijklmnopqrstuvwxyzäéöüß-") == "" {
				return true
			}
			if k := strings.IndexAny(g.s.low(i), "'’"); g.s.verb(i) && g.s.tag(i) != "MD" && k == 0 {
				return true // "'s", "'ve"
			}
		}
	}
	return len(c.said) > 0 // "will | return": the verb is the tail
}

// cutAdverb reports a tail that ends with an adverb which the text joins to
// others before ("open and often rapidly") and goes on from with a blank or a
// hyphen.
func (g *generator) cutAdverb(c candidate) bool {
	s := g.s
	if len(c.tail) == 0 || c.tail[len(c.tail)-1].lit != "" {
		return false
	}
	i := c.tail[len(c.tail)-1].end - 1
	if i < 2 || !s.adverb(i) || s.tag(i-1) != "CC" && !(s.adverb(i-1) && s.tag(i-2) == "CC") {
		return false
	}
	next := s.tag(i + 1)
	return s.low(i+1) == "-" || s.adj(i+1) || next == "VBG" || next == "VBN" || s.noun(i+1)
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
	// Participles that are no past as well, of verbs that take an object.
	onlyParticiples = words("given taken seen written driven eaten stolen broken chosen frozen thrown known shown drawn torn worn sworn hidden forgiven forbidden shaken spoken beaten bitten overthrown withdrawn undertaken mistaken")
	// Verbs that say nothing without an object, so that their past without one
	// is a passive: "Man described as a thief", "Girl found".
	doneTo = words("describe find identify arrest accuse convict sentence jail imprison detain injure wound rescue hospitalise hospitalize fine evict deport appoint nominate shortlist suspect name ban suspend indict sack")
	// A statement does not end with a word that opens a phrase or a clause.
	leadsOn       = words("the a an and or but nor which whose that than if because although though whereas unless of his its their our my your whether very who whom")
	interjections = words("yes yeah yep yup nope oh ah wow hi hello hey haha hah lol ok okay thanks hmm ugh oops")
	// Nor does it begin with one that leans on what stands before.
	leansBack = words("and or but nor which whose whom than")
)
