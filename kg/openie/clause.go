package openie

import (
	"strings"

	"github.com/kgeval/kgeval/nlp"
)

// np is a noun phrase with what hangs on it.
type np struct {
	span          // everything, from the first token to the last modifier
	core     span // without relative clauses, participles and appositions
	head     int
	items    []*np // two or more when coordinated
	cc       string
	cuts     []span    // inserted matter, commas included: never in the label
	restrict []span    // restrictive clauses: in the label where they matter
	clauses  []*clause // relative and participial clauses about this phrase
	appos    []*np
	notes    []span // bracketed matter and ages
	parts    []*np  // phrases inside: what follows "of" and other prepositions
	gerund   bool   // the phrase is a verb phrase used as a noun
}

type elemKind int

const (
	elemNP   elemKind = iota
	elemPP            // preposition and noun phrase (np nil when stranded)
	elemAdj           // adjective phrase
	elemAdv           // adverb
	elemComp          // clause as complement: that-clause, wh-clause, quote
	elemSub           // adverbial clause with a subordinator
	elemPart          // participial clause
	elemText          // anything else, kept as it stands
)

// elem is one constituent after the verb or in front of the subject.
type elem struct {
	kind elemKind
	span
	prep  span // elemPP: the preposition
	np    *np
	cl    *clause
	mark  string // elemSub: the subordinator; elemComp: "that", "wh", "" or "quote"
	about *np    // elemPart: whom it is about, nil for the subject
	loose bool   // elemText: a conjunction or mark that joins nothing when last
	fact  bool   // elemComp: the content holds if the sentence does
}

type clauseKind int

const (
	clauseFull       clauseKind = iota
	clauseRelSubject            // the antecedent is the subject
	clauseRelObject             // the antecedent is the object or a preposition's
	clauseRelWhose              // the antecedent owns the subject
	clauseRelWhere              // the antecedent says where or when
	clausePart                  // participial clause: the antecedent is the subject
	clauseThere                 // "there is"
	clauseSaid                  // somebody says the content
)

// clause is one verb group with its arguments.
type clause struct {
	span
	kind    clauseKind
	subj    *np
	g       *group
	shared  *group // second verb with the same arguments: "shot and killed"
	lead    span   // auxiliaries taken over from the predicate coordinated before
	asPast  bool   // a participle that stands for a simple past
	front   []elem
	elems   []elem
	conj    []*clause // further predicates of the same subject
	ante    *np       // relative and participial clauses: what they are about
	prep    span      // clauseRelObject: the preposition before "which"
	content span      // clauseSaid: what is said, as it stands
	inner   []*clause // clauseSaid: the clauses of the content
}

type scope struct {
	comma bool // a comma ends the clause
	inner bool // the clause is a complement
	// spare: the clause stands inside a subject, so a finite verb must be left
	// for the clause around it.
	spare bool
	// within: the noun phrase hangs on another one in a subject; single says
	// that the other one's head is singular.
	within, single bool
	// said: the verb before takes a that-clause.
	said bool
	// nested: the phrase hangs on another noun phrase.
	nested bool
	// front: a phrase before the subject of its clause.
	front bool
	// sub: the clause is adverbial; a comma and a conjunction end it.
	sub bool
	// bare: no apposition, it belongs to the noun phrase around this one.
	bare  bool
	depth int
}

// parser reads the clauses of one sentence.
type parser struct {
	s *sentence
	// nps are all noun phrases, by first token.
	nps   map[int]*np
	order []*np
	steps int
}

const maxDepth = 9

func (p *parser) note(n *np) *np {
	if old, ok := p.nps[n.first]; !ok {
		p.order = append(p.order, n)
		p.nps[n.first] = n
	} else if old != n {
		for i, o := range p.order {
			if o == old {
				p.order[i] = n
			}
		}
		p.nps[n.first] = n
	}
	return n
}

// cheapNP skips a noun phrase with its prepositional phrases, without reading
// clauses.
func (p *parser) cheapNP(i, lim int, anyPP bool) (int, bool) {
	s := p.s
	end, _, ok := s.baseNP(i, lim)
	if !ok {
		return i, false
	}
	for n := 0; n < 8; n++ {
		if end < lim && s.tag(end) == "(" {
			if c, ok := s.close[end]; ok && c < lim && c-end < 12 {
				end = c + 1
				continue
			}
		}
		if end+1 < lim && (s.low(end) == "of" || anyPP && s.preposition(end)) {
			e, _, ok := s.baseNP(end+1, lim)
			if !ok {
				break
			}
			end = e
			continue
		}
		if end+1 < lim && s.tag(end) == "CC" && s.low(end) != "but" && (anyPP) {
			e, _, ok := s.baseNP(end+1, lim)
			if !ok {
				break
			}
			end = e
			continue
		}
		break
	}
	return end, true
}

// nounThenVerb reports whether a noun phrase and a finite verb follow each
// other at i: the start of a clause.
func (p *parser) nounThenVerb(i, lim int) bool {
	s := p.s
	if s.tag(i) == "EX" {
		return s.verb(i + 1)
	}
	for i < lim && s.tag(i) == "``" {
		i++
	}
	e, ok := p.cheapNP(i, lim, true)
	if !ok {
		return false
	}
	e = s.skipAdverbs(e, lim)
	if e < lim && s.finiteAt(e) {
		return true
	}
	return e < lim && s.tag(e) == "VBN" && s.reduced(e, lim)
}

// spareVerb reports whether, beside the verb of the clause that starts at i,
// another finite verb follows before the sentence ends.
func (p *parser) spareVerb(i, lim int) bool {
	s := p.s
	e, ok := p.cheapNP(i, lim, true)
	if !ok {
		return true
	}
	e = s.skipAdverbs(e, lim)
	g, ok := s.verbGroup(e, lim)
	return ok && s.verbs[lim]-s.verbs[g.end] > 0
}

// preposition reports whether token i is a preposition.
func (s *sentence) preposition(i int) bool {
	t := s.tag(i)
	if t == "TO" {
		return true
	}
	low := s.low(i)
	if t == "IN" {
		return low != "that" && low != "because" && low != "although" && low != "though" && low != "if" && low != "unless" && low != "whether" && low != "while"
	}
	return t == "VBG" && (low == "including" || low == "following" || low == "regarding" || low == "concerning" || low == "according" && s.low(i+1) == "to")
}

// prepEnd returns the end of the preposition at i: "because of", "out of",
// "according to", "such as" are one.
func (s *sentence) prepEnd(i, lim int) int {
	two := s.low(i) + " " + s.low(i+1)
	switch two {
	case "because of", "out of", "according to", "due to", "prior to", "instead of",
		"such as", "as of", "along with", "together with", "ahead of", "away from",
		"next to", "thanks to", "rather than", "other than", "up to", "as to", "as for",
		"apart from", "except for", "close to", "owing to", "contrary to", "subject to",
		"outside of", "inside of", "off of", "regardless of", "from under", "from behind":
		if i+2 < lim {
			return i + 2
		}
	}
	return i + 1
}

func (s *sentence) prepStart(i, lim int) bool {
	if i+1 >= lim {
		return s.preposition(i)
	}
	switch s.low(i) + " " + s.low(i+1) {
	case "because of", "due to", "prior to", "instead of", "such as", "ahead of",
		"away from", "next to", "thanks to", "rather than", "other than", "close to",
		"owing to", "contrary to", "regardless of", "along with", "together with":
		return true
	}
	return s.preposition(i)
}

// nounPhrase reads a full noun phrase at i: coordination, relative clauses,
// appositions. As a subject it takes every prepositional phrase that follows;
// elsewhere only those with "of".
func (p *parser) nounPhrase(i, lim int, subject bool, c scope) (*np, int) {
	first, j := p.simpleNP(i, lim, subject, c)
	if first == nil {
		return nil, i
	}
	items := []*np{first}
	s := p.s
	cc := ""
	for len(items) < 60 {
		k := j
		if k < lim && s.tag(k) == "," {
			if s.tag(k+1) == "CC" && s.low(k+1) != "but" {
				k++
			} else if p.listAt(k, lim, subject, c) {
				n, e := p.simpleNP(k+1, lim, false, c)
				if n == nil {
					break
				}
				items, j = append(items, n), e
				continue
			} else {
				break
			}
		}
		if k >= lim {
			break
		}
		word := s.low(k)
		next := k + 1
		if s.tag(k) == "CC" && (word == "and" || word == "or" || word == "nor" || word == "&") {
			if cc == "and" && word != "and" {
				break
			}
		} else if word == "as" && s.low(k+1) == "well" && s.low(k+2) == "as" {
			word, next = "and", k+3
		} else {
			break
		}
		for s.tag(next) == "``" {
			next++
		}
		if _, _, ok := s.baseNP(next, lim); !ok {
			break
		}
		if !subject && k > j && len(items) == 1 && !c.within {
			// ", and B, ..., is": a new clause.
			if e, ok := p.cheapNP(next, lim, true); ok && e < lim && s.tag(e) == "," && s.verbs[lim] > s.verbs[e] {
				break
			}
		}
		if !subject && p.nounThenVerb(next, lim) && !p.belongsWithin(next, lim, c) && !(c.spare && !p.spareVerb(next, lim)) || c.comma && k > j && !p.listEnd(items) {
			break
		}
		if subject && k > j && len(items) == 1 && p.nounThenVerb(next, lim) && s.verbs[j]-s.verbs[first.first] > 0 {
			break
		}
		n, e := p.simpleNP(next, lim, subject, c)
		if n == nil {
			break
		}
		cc = word
		items, j = append(items, n), e
	}
	if len(items) == 1 || cc == "" {
		return first, first.end
	}
	whole := &np{span: span{first.first, j}, core: span{first.first, j}, head: first.head, items: items, cc: cc}
	// "A and B, who have a son": about both.
	if last := items[len(items)-1]; len(last.clauses) > 0 && (s.tag(last.head) == "NN" || s.tag(last.head) == "NNP") {
		k := len(last.clauses) - 1
		if cl := last.clauses[k]; cl.kind == clauseRelSubject && cl.g != nil {
			if v := s.low(cl.g.verb); v == "have" || v == "are" || v == "were" || v == "do" || s.tag(cl.g.verb) == "VBP" {
				whole.clauses = append(whole.clauses, cl)
				last.clauses = last.clauses[:k]
			}
		}
	}
	for _, it := range items {
		whole.cuts = append(whole.cuts, it.cuts...)
		whole.restrict = append(whole.restrict, it.restrict...)
	}
	return whole, j
}

// belongsWithin decides "the price of petrol and diesel has risen" against "the
// head of the bank and the mayor have met": what the conjunction at next-1 joins
// belongs to the inner phrase unless the outer one is singular and the verb
// plural.
func (p *parser) belongsWithin(next, lim int, c scope) bool {
	s := p.s
	if !c.within || s.tag(next) == "PRP" {
		return false
	}
	e, ok := p.cheapNP(next, lim, true)
	if !ok {
		return false
	}
	e = s.skipAdverbs(e, lim)
	low := s.low(e)
	plural := low == "are" || low == "were" || low == "have" || low == "do" || s.tag(e) == "VBP"
	return !(plural && c.single)
}

func (p *parser) listEnd(items []*np) bool { return len(items) > 1 }

// listAt reports whether the comma at i continues a list that a conjunction
// closes: "A, B and C".
func (p *parser) listAt(i, lim int, subject bool, c scope) bool {
	s := p.s
	k := i
	for n := 0; n < 40 && k < lim && s.tag(k) == ","; n++ {
		k++
		if s.tag(k) == "CC" {
			if s.low(k) == "but" {
				return false
			}
			_, _, ok := s.baseNP(k+1, lim)
			return ok && n > 0 && (subject || !p.nounThenVerb(k+1, lim) || p.belongsWithin(k+1, lim, c))
		}
		e, ok := p.cheapNP(k, lim, false)
		if !ok {
			return false
		}
		for e < lim && s.preposition(e) {
			f, _, ok := s.baseNP(e+1, lim)
			if !ok {
				break
			}
			e = f
		}
		k = e
		if k < lim && s.tag(k) == "CC" && (s.low(k) == "and" || s.low(k) == "or") {
			_, _, ok := s.baseNP(k+1, lim)
			if !ok || !subject && p.nounThenVerb(k+1, lim) && !p.belongsWithin(k+1, lim, c) {
				return false
			}
			// "X, head of A and B, left": the comma after tells apposition.
			if n == 0 && subject {
				if f, ok := p.cheapNP(k+1, lim, true); ok && f < lim && s.tag(f) == "," && s.verbStarts(f+1, lim) {
					return false
				}
			}
			if _, h, ok := s.baseNP(i+1, lim); n == 0 && ok && !s.proper(h) && (s.tag(i+1) == "DT" || s.tag(i+1) == "PRP$") {
				f, _ := p.cheapNP(k+1, lim, true)
				if f < lim && s.tag(f) == "," {
					return false
				}
			}
			return true
		}
	}
	return false
}

// simpleNP reads one noun phrase with its modifiers but without coordination.
func (p *parser) simpleNP(i, lim int, subject bool, c scope) (*np, int) {
	s := p.s
	p.steps++
	end, head, ok := s.baseNP(i, lim)
	if !ok {
		return nil, i
	}
	n := p.note(&np{span: span{i, end}, core: span{i, end}, head: head})
	if c.depth > maxDepth || p.steps > 60*len(s.toks)+200 {
		return n, end
	}
	deeper := scope{comma: c.comma, inner: c.inner, depth: c.depth + 1, spare: c.spare || subject, bare: c.bare, within: c.within, single: c.single, nested: c.nested}
	clausal := scope{comma: true, inner: true, depth: c.depth + 1, spare: c.spare || subject}
	j := end
	grow := func(e int) { j, n.end = e, e }
loop:
	for j < lim {
		t, low := s.tag(j), s.low(j)
		switch {
		case t == "(":
			q, ok := s.close[j]
			if !ok || q >= lim {
				break loop
			}
			n.notes = append(n.notes, span{j, q + 1})
			n.cuts = append(n.cuts, span{j, q + 1})
			grow(q + 1)
			if n.core.end == n.notes[len(n.notes)-1].first && s.tag(head) != "CD" {
				// "electroencephalography (EEG) technology": one phrase.
				e := j
				for e < lim && s.noun(e) {
					e++
				}
				if e > j {
					n.head, head = e-1, e-1
					n.core.end = e
					grow(e)
				}
			}
		case s.relativePrep(j, lim):
			cl, e := p.relative(j, lim, n, clausal)
			if cl == nil {
				break loop
			}
			n.clauses = append(n.clauses, cl)
			n.restrict = append(n.restrict, span{j, e})
			grow(e)
		case low == "of" || subject && s.prepStart(j, lim) && !s.infinitive(j, lim) && low != "than" && !(low != "as" && p.clauseAfter(j, lim) && (prepositionsOnly.has(low) || p.spareVerb(j+1, lim))):
			k := s.prepEnd(j, lim)
			if m, e := p.nounPhrase(k, lim, false, scope{comma: true, inner: true, depth: deeper.depth, spare: deeper.spare,
				within: subject || c.within, single: !c.within && s.tag(head) != "NNS" && s.tag(head) != "NNPS" || c.within && c.single, bare: roleNoun(s.low(head), s.lemma(head)) || s.proper(head), nested: true}); m != nil {
				n.cuts = append(n.cuts, m.cuts...)
				n.parts = append(n.parts, m)
				grow(e)
				n.core.end = e
				continue
			}
			if g, ok := s.verbGroup(k, lim); ok && g.form == "VBG" {
				cl, e := p.predicate(k, lim, clausal)
				if cl != nil {
					grow(e)
					n.core.end = e
					continue
				}
			}
			break loop
		case c.said && low == "that" && !s.verbStarts(j+1, lim):
			break loop
		case (t == "WP" || t == "WDT" || low == "that") && s.verbStarts(j+1, lim) && p.misfit(n, j, lim, c):
			break loop
		case s.tag(head) == "CD" && (low == "that" || t == "WDT" || t == "VBN" || t == "VBG") && !subject:
			break loop
		case t == "WP" || t == "WDT" || t == "WP$" || low == "that" && t != "CC" && (s.verbStarts(j+1, lim) || p.nounThenVerb(j+1, lim)) ||
			t == "WRB" && (low == "where" || low == "when" && (calendar.has(s.low(head)) || timeNouns.has(s.lemma(head)) || year(s.low(head)))) && p.nounThenVerb(j+1, lim):
			if low == "what" || low == "that" && contentNouns.has(s.lemma(head)) && !s.verbStarts(j+1, lim) {
				if low == "that" {
					cl, e := p.finiteClause(j+1, lim, scope{inner: true, comma: c.comma, depth: deeper.depth, spare: deeper.spare})
					if cl != nil {
						n.core.end = e
						grow(e)
						continue
					}
				}
				break loop
			}
			cl, e := p.relative(j, lim, n, clausal)
			if cl == nil {
				break loop
			}
			n.clauses = append(n.clauses, cl)
			n.restrict = append(n.restrict, span{j, e})
			grow(e)
		case t == "VBG" && !s.preposition(j) && j > i && s.tag(head) != "PRP" && (subject || !c.inner || true):
			cl, e := p.predicate(j, lim, clausal)
			if cl == nil {
				break loop
			}
			cl.kind, cl.ante = clausePart, n
			n.clauses = append(n.clauses, cl)
			n.restrict = append(n.restrict, span{j, e})
			grow(e)
		case (t == "VBN" || t == "VBD" && subject && s.reduced(j, lim)) && (!subject || s.reduced(j, lim)) && s.tag(head) != "PRP":
			if t == "VBD" {
				s.toks[j].tag = "VBN"
			}
			cl, e := p.predicate(j, lim, clausal)
			if cl == nil {
				break loop
			}
			cl.kind, cl.ante = clausePart, n
			n.clauses = append(n.clauses, cl)
			n.restrict = append(n.restrict, span{j, e})
			grow(e)
		case t == "TO" && subject && s.tag(s.skipAdverbs(j+1, lim)) == "VB":
			cl, e := p.predicate(j, lim, clausal)
			if cl == nil {
				break loop
			}
			grow(e)
			n.core.end = e
		case !c.front && contentNouns.has(s.lemma(head)) && head == j-1 && (s.tag(j) == "PRP" || s.tag(j) == "DT" || s.proper(j)) && p.nounThenVerb(j, lim) && (!subject || p.spareVerb(j, lim)):
			// "claims she had left": what the noun holds, not stated.
			cl, e := p.finiteClause(j, lim, clausal)
			if cl == nil {
				break loop
			}
			n.core.end = e
			grow(e)
		case !c.front && !c.said && p.contact(j, lim, n, subject || c.spare):
			cl, e := p.finiteClause(j, lim, clausal)
			if cl == nil {
				break loop
			}
			cl.kind, cl.ante = clauseRelObject, n
			n.clauses = append(n.clauses, cl)
			n.restrict = append(n.restrict, span{j, e})
			grow(e)
		case j > end && s.tag(j-1) == "," && len(n.cuts) > 0 && n.cuts[len(n.cuts)-1].end == j && (t == "DT" || t == "WP" || t == "WDT") ||
			(t == "DT" || t == "WP") && s.tag(j-1) == "''" && s.low(j-2) == "," && j > i+2:
			// A second insertion, or one after a comma inside quotes.
			e, cut := p.inserted(j-1, lim, n, subject, deeper)
			if e <= j {
				break loop
			}
			if cut {
				n.cuts = append(n.cuts, span{j, e})
			}
			grow(e)
		case subject && j > end && s.tag(j-1) == "," && len(n.cuts) > 0 && n.cuts[len(n.cuts)-1].end == j && p.strayPlace(j, lim) > j:
			// ", who lives in Humpty Doo , Northern Territory , left"
			e := p.strayPlace(j, lim)
			n.cuts = append(n.cuts, span{j, e})
			grow(e)
		case t == "," || low == "--" || low == "–" || low == "—" || low == "-" && (s.tag(j+1) == "WP" || s.tag(j+1) == "WDT" || subject && p.closes(j, lim) && s.verbStarts(p.closing(j, lim)+1, lim)):
			e, cut := p.inserted(j, lim, n, subject, deeper)
			if e <= j {
				break loop
			}
			if cut {
				n.cuts = append(n.cuts, span{j, e})
			}
			grow(e)
		default:
			break loop
		}
	}
	return n, n.end
}

// misfit reports a relative clause at j that cannot be about n and so belongs
// to the phrase around it: its verb is plural and n is not, or "who" and n is no
// person.
func (p *parser) misfit(n *np, j, lim int, c scope) bool {
	s := p.s
	v := s.low(s.skipAdverbs(j+1, lim))
	single := s.tag(n.head) == "NN" || s.tag(n.head) == "NNP" && (c.nested || s.low(j-1) == ",")
	if single && (v == "have" || v == "are" || v == "were" || v == "do") && !collectiveNouns.has(s.low(n.head)) {
		return c.nested || s.low(j) == "which"
	}
	return c.nested && s.low(j) == "who" && s.tag(n.head) == "NN" && !roleNoun(s.low(n.head), s.lemma(n.head)) && !personNouns.has(s.low(n.head))
}

// strayPlace returns the end, past its comma, of a bare noun phrase at j that
// only a comma and the verb follow, and j when there is none.
func (p *parser) strayPlace(j, lim int) int {
	s := p.s
	e, head, ok := s.baseNP(j, lim)
	if !ok || s.tag(j) == "DT" || s.tag(j) == "PRP" || e-j > 3 || s.tag(head) == "CD" || e >= lim || s.tag(e) != "," {
		return j
	}
	if s.verbStarts(e+1, lim) || s.tag(e+1) == "VBN" {
		return e + 1
	}
	return j
}

// verbStarts reports whether a finite verb group starts at i.
func (s *sentence) verbStarts(i, lim int) bool {
	i = s.skipAdverbs(i, lim)
	return i < lim && s.finiteAt(i)
}

// relativePrep reports "in which", "of whom", "some of which" at i.
func (s *sentence) relativePrep(i, lim int) bool {
	return i+1 < lim && s.preposition(i) && (s.low(i+1) == "which" || s.low(i+1) == "whom" || s.low(i+1) == "whose")
}

// clauseAfter reports whether the word at i opens a finite clause.
func (p *parser) clauseAfter(i, lim int) bool {
	s := p.s
	if !subordinators.has(s.low(i)) || prepositionsOnly.has(s.low(i)) {
		return false
	}
	k := i + 1
	if s.low(i) == "so" && s.low(k) == "that" || (s.low(i) == "provided" && s.low(k) == "that") {
		k++
	}
	for k < lim && (s.adverb(k) || s.tag(k) == ",") {
		k++
	}
	if p.nounThenVerb(k, lim) {
		// "after the war did he return": the verb's subject follows it.
		if e, ok := p.cheapNP(k, lim, true); ok && doForms.has(s.low(e)) && (s.tag(e+1) == "PRP" || s.proper(e+1) || s.tag(e+1) == "DT" && s.low(s.skipAdverbs(e+1, lim)) == "the") {
			if f, _, ok := s.baseNP(e+1, lim); ok && (s.tag(f) == "VB" || s.tag(f) == "VBP" && s.low(f) == s.lemma(f)) {
				return false
			}
		}
		return true
	}
	// "after a man wearing a hat was seen": a verb is left when those of the
	// relative clauses are taken off.
	if words("after before since until as once").has(s.low(i)) {
		if e, ok := p.cheapNP(k, lim, true); ok && e < lim && (s.tag(e) == "VBG" || s.tag(e) == "VBN" || s.tag(e) == "WP" || s.tag(e) == "WDT" || s.low(e) == "that") {
			left := 0
			for m := e; m < lim && s.tag(m) != "," && s.tag(m) != "CC" && s.tag(m) != ":"; m++ {
				if s.finiteAt(m) {
					left++
				}
				if t := s.tag(m); t == "WP" || t == "WDT" || s.low(m) == "that" || t == "PRP" {
					left--
				}
			}
			return left > 0
		}
	}
	if s.tag(i) == "IN" || s.tag(i) == "WRB" {
		if words("because although though if unless whether while when whereas").has(s.low(i)) {
			if s.preposition(k) && s.low(k) != "of" && s.verbAfter(k, lim) && s.tag(i) == "IN" {
				if e, ok := p.cheapNP(k+1, lim, true); ok && e < lim {
					if s.tag(e) == "," {
						e++
					}
					return p.nounThenVerb(e, lim)
				}
			}
			e, ok := p.cheapNP(k, lim, true)
			return ok && e < lim && s.verbs[lim]-s.verbs[e] > 0 && (s.tag(e) == "," || s.tag(e) == "WP" || s.tag(e) == "WDT" || s.tag(e) == "VBN" || s.tag(e) == "VBG" || s.low(e) == "that" || s.tag(e) == "TO" || s.tag(e) == ":")
		}
	}
	return false
}

// reduced reports whether the participle or past form at i, after a noun
// phrase, opens a reduced relative clause: another finite verb follows before
// the clause ends.
func (s *sentence) reduced(i, lim int) bool {
	if s.tag(i) == "VBD" {
		// Only a form that could be a participle, with a by-phrase or a
		// preposition after it.
		if n := s.tag(i + 1); n != "IN" && n != "TO" || beForms.has(s.low(i)) || haveForms.has(s.low(i)) || doForms.has(s.low(i)) {
			return false
		}
	}
	for k := i + 1; k < lim && k < i+25; k++ {
		t := s.tag(k)
		switch {
		case t == "CC" || t == ":" || t == "``":
			return false
		case t == ",":
			return s.tag(i) == "VBN" && s.verbStarts(k+1, lim)
		case t == "WP" || t == "WDT" || s.low(k) == "that" || subordinators.has(s.low(k)) && t != "IN":
			return false
		case s.finiteAt(k):
			// "... the car he drove": a subject right before belongs to it.
			if s.tag(k-1) == "PRP" {
				return false
			}
			if s.tag(i) == "VBD" {
				return s.tag(k) != "VBD" || beForms.has(s.low(k)) || haveForms.has(s.low(k))
			}
			return true
		}
	}
	return false
}

// contact reports a relative clause without a pronoun: "the book he wrote".
func (p *parser) contact(j, lim int, n *np, subject bool) bool {
	s := p.s
	if s.tag(n.head) == "PRP" || n.head != j-1 || calendar.has(s.low(n.head)) {
		return false
	}
	switch {
	case s.tag(j) == "PRP" && s.low(j) != "it" && words("he she they we i you").has(s.low(j)):
	case s.tag(j) == "PRP" && s.low(j) == "it":
	case s.tag(j) == "DT" && !demonstratives.has(s.low(j)) && s.noun(n.head):
	default:
		return false
	}
	if !p.nounThenVerb(j, lim) {
		return false
	}
	if subject {
		// Another finite verb must be left for the subject.
		e, _ := p.cheapNP(j, lim, true)
		e = s.skipAdverbs(e, lim)
		g, ok := s.verbGroup(e, lim)
		return ok && s.verbs[lim]-s.verbs[g.end] > 0
	}
	return true
}

// inserted reads what stands between commas or dashes after n: a relative
// clause, an apposition, a participial clause, an age. It returns the end, past
// the closing comma, or j when there is nothing of the kind.
func (p *parser) inserted(j, lim int, n *np, subject bool, c scope) (int, bool) {
	s := p.s
	k := j + 1
	if k >= lim || c.depth > maxDepth {
		return j, false
	}
	sep := s.tag(j)
	dash := sep == ":"
	shut := func(e int) int {
		if e < lim && (s.tag(e) == "," && !dash || dash && s.low(e) == s.low(j)) {
			return e + 1
		}
		return e
	}
	ends := func(e int) bool {
		if e >= lim {
			return true
		}
		t := s.tag(e)
		return t == "," && !dash || t == ":" && (dash || true) || t == "." || t == ")" || t == "''"
	}
	t, low := s.tag(k), s.low(k)
	if low == "which" && (s.personName(n) || p.misfit(n, k, lim, c)) {
		return j, false // "which" is not said of a person: it belongs further out
	}
	if s.tag(n.head) == "CD" && (s.relativePrep(k, lim) || low == "which") {
		return j, false
	}
	if t == "VBD" && subject && !c.comma && (s.tag(k+1) == "IN" || s.tag(k+1) == "TO") && strings.HasSuffix(low, "ed") && p.verbAfterComma(k+1, lim) {
		s.toks[k].tag = "VBN"
		t = "VBN"
	}
	switch {
	case t == "WP" && low != "what" || t == "WDT" || t == "WP$" || s.relativePrep(k, lim) || t == "WRB" && (low == "where" || low == "when") && !dash && p.nounThenVerb(k+1, lim) && (low == "where" || calendar.has(s.low(n.head)) || timeNouns.has(s.lemma(n.head)) || year(s.low(n.head))):
		cl, e := p.relative(k, lim, n, scope{comma: true, depth: c.depth, spare: subject})
		if cl == nil {
			return j, false
		}
		n.clauses = append(n.clauses, cl)
		return shut(e), true
	case (t == "DT" || t == "CD" || t == "JJ" || t == "NN" || t == "NNS") && s.low(k+1) == "of" && (s.low(k+2) == "which" || s.low(k+2) == "whom"):
		return j, false
	case t == "CD" && (s.tag(k+1) == "," || s.tag(k+1) == "." || k+1 == lim) && s.person(n) && len(low) < 4:
		n.notes = append(n.notes, span{k, k + 1})
		return shut(k + 1), true
	case (t == "VBN" || t == "VBG" && low != "including" && low != "according" || s.adverb(k) && (s.tag(k+1) == "VBN" || s.tag(k+1) == "VBG")) && subject && !c.comma && (p.verbAfterComma(k, lim) || dash && p.closes(j, lim)):
		cl, e := p.predicate(k, lim, scope{comma: true, inner: true, depth: c.depth})
		if cl == nil || !ends(e) {
			return j, false
		}
		cl.kind, cl.ante = clausePart, n
		n.clauses = append(n.clauses, cl)
		return shut(e), true
	}
	// Apposition.
	if s.tag(n.head) == "PRP" || c.comma && !subject && sep == "," && s.tag(k) != "DT" && s.tag(k) != "PRP$" && !s.proper(k) {
		return j, false
	}
	if s.low(k) == "including" || s.tag(k) == "PRP" || p.listAt(j, lim, subject, c) {
		return j, false
	}
	e, head, ok := s.baseNP(k, lim)
	if !ok {
		return j, false
	}
	if timeNouns.has(s.lemma(head)) && !timeNouns.has(s.lemma(n.head)) || s.tag(head) == "CD" || s.tag(head) == "DT" || demonstratives.has(s.low(k)) {
		// A time is no apposition, except inside a date.
		if s.tag(head) == "CD" && e == k+1 && calendar.has(s.low(n.head-1)) {
			return j, false
		}
		return j, false
	}
	if calendar.has(s.low(n.first)) && s.tag(n.core.end-1) == "CD" || s.tag(n.head) == "CD" && year(s.low(n.head)) {
		return j, false // after a date a new phrase begins
	}
	if c.bare && (s.tag(k) == "DT" || s.tag(k) == "PRP$" || e-k > 3) {
		return j, false
	}
	if s.low(head) == "move" || s.low(head) == "step" || s.low(head) == "decision" || s.low(head) == "result" {
		return j, false // about the clause, not the phrase
	}
	if f := s.tag(k); !s.proper(head) && !s.proper(n.head) && f != "DT" && f != "PRP$" && f != "CD" && f != "``" && s.low(e) != "of" && !roleNoun(s.low(head), s.lemma(head)) && s.tag(e-2) != "POS" && !(s.tag(n.first) == "DT" && s.noun(k) && e < lim && s.tag(e) == ",") {
		return j, false
	}
	a, f := p.simpleNP(k, lim, true, scope{comma: true, inner: true, depth: c.depth})
	if a == nil || !ends(f) {
		// A closing coordination inside the apposition: ", the head of A and B,".
		a, f = p.nounPhrase(k, lim, true, scope{comma: true, inner: true, depth: c.depth})
		if a == nil || !ends(f) {
			return j, false
		}
	}
	if f < lim && s.tag(f) == "," && !dash {
		// "A, B, C" without a conjunction is a list; ", NP, NP VG" starts a clause.
		if s.tag(f+1) == "CC" && !p.s.verbStarts(f+2, lim) && !subject {
			if _, _, ok := s.baseNP(f+2, lim); ok && !p.nounThenVerb(f+2, lim) {
				return j, false
			}
		}
	}
	if subject && !s.verbAfter(f, lim) {
		return j, false
	}
	// Two places, one in the other, are one label: "Paris, France".
	if bare := !s.proper(n.head) && !s.proper(a.head) && s.tag(a.head) == "NN" && s.tag(n.head) == "NN" && n.core.end-n.core.first <= 2 && s.noun(n.core.first) && s.noun(a.core.first) && n.first > 0 && s.preposition(n.first-1); sep == "," && !calendar.has(s.low(n.first)) && !calendar.has(s.low(n.head)) && (s.proper(n.head) && s.proper(a.head) || bare) && a.core.end-a.core.first <= 2 && a.end == a.core.end && s.low(a.core.first) != "the" {
		if i := n.first - 1; i >= 0 && (s.tag(i) == "IN" || s.tag(i) == "TO") || n.core.end-n.core.first == 1 || calendar.has(s.low(a.head)) {
			n.core.end = f
			if f < lim && s.tag(f) == "," && (subject || s.tag(f+1) == "IN") {
				n.cuts = append(n.cuts, span{f, f + 1})
				return f + 1, false
			}
			return f, false
		}
	}
	if c.bare {
		return j, false
	}
	// ", president of X , a maker of Y ,": the second is about X.
	if len(n.appos) > 0 && !roleNoun(s.low(a.head), s.lemma(a.head)) && !personNouns.has(s.low(a.head)) {
		if prev := n.appos[len(n.appos)-1]; len(prev.parts) > 0 {
			n = prev.parts[len(prev.parts)-1]
		}
	}
	n.appos = append(n.appos, a)
	return shut(f), true
}

// personName reports whether the analysis found n to name a person.
func (s *sentence) personName(n *np) bool {
	d := s.toks[n.head].doc
	for _, nm := range s.doc.Names {
		if nm.First > d {
			return false
		}
		if d < nm.End {
			return nm.Kind == nlp.Person
		}
	}
	return false
}

// person reports whether n looks like the name of a person.
func (s *sentence) person(n *np) bool { return s.proper(n.head) || s.tag(n.head) == "NN" }

// verbAfter reports whether a finite verb follows position i at all.
func (s *sentence) verbAfter(i, lim int) bool { return s.verbs[lim]-s.verbs[min(i, lim)] > 0 }

// verbAfterComma reports whether, after the comma that closes what starts at k,
// a finite verb follows directly.
func (p *parser) verbAfterComma(k, lim int) bool {
	s := p.s
	for ; k < lim; k++ {
		if s.tag(k) == "," && s.verbStarts(k+1, lim) {
			return true
		}
		if s.tag(k) == ":" || s.tag(k) == "``" {
			return false
		}
	}
	return false
}

// relative reads a relative clause at j about n.
func (p *parser) relative(j, lim int, n *np, c scope) (*clause, int) {
	s := p.s
	c.inner = true
	start := j
	var prep span
	if s.relativePrep(j, lim) {
		if e, _, ok := s.baseNP(j+2, lim); ok && s.low(j+1) == "which" && s.tag(j+2) == "NNS" && s.verbStarts(e, lim) {
			return nil, start // "ideas for which streets should go": a question
		}
		prep = span{j, j + 1}
		j++
	}
	low := s.low(j)
	k := j + 1
	switch {
	case low == "whose":
		e, head, ok := s.baseNP(k, lim)
		if !ok {
			return nil, start
		}
		owned := &np{span: span{k, e}, core: span{k, e}, head: head}
		for e < lim && s.preposition(e) {
			f, _, ok := s.baseNP(e+1, lim)
			if !ok {
				break
			}
			e = f
			owned.end, owned.core.end = e, e
		}
		if !s.verbStarts(e, lim) {
			return nil, start
		}
		cl, f := p.predicate(e, lim, c)
		if cl == nil {
			return nil, start
		}
		cl.kind, cl.ante, cl.subj = clauseRelWhose, n, owned
		cl.first = start
		return cl, f
	case low == "where" || low == "when":
		cl, f := p.finiteClause(k, lim, c)
		if cl == nil {
			return nil, start
		}
		cl.kind, cl.ante = clauseRelWhere, n
		cl.first = start
		return cl, f
	case prep.empty() && s.verbStarts(k, lim):
		// Commas inside: ", who , in 1990 , left".
		cl, f := p.predicate(k, lim, c)
		if cl == nil {
			return nil, start
		}
		cl.kind, cl.ante = clauseRelSubject, n
		cl.first = start
		return cl, f
	case prep.empty() && s.tag(k) == "," && p.verbAfterComma(k+1, lim):
		e := k + 1
		for e < lim && s.tag(e) != "," {
			e++
		}
		if !s.verbStarts(e+1, lim) {
			return nil, start
		}
		cl, f := p.predicate(e+1, lim, c)
		if cl == nil {
			return nil, start
		}
		cl.front = append(cl.front, elem{kind: elemText, span: span{k + 1, e}})
		cl.kind, cl.ante = clauseRelSubject, n
		cl.first = start
		return cl, f
	}
	cl, f := p.finiteClause(k, lim, c)
	if cl == nil {
		return nil, start
	}
	cl.kind, cl.ante, cl.prep = clauseRelObject, n, prep
	cl.first = start
	return cl, f
}

// finiteClause reads a subject and its predicate at i, after adverbs and
// fronted phrases.
func (p *parser) finiteClause(i, lim int, c scope) (*clause, int) {
	s := p.s
	if c.depth > maxDepth || i >= lim {
		return nil, i
	}
	c.depth++
	start := i
	var front []elem
	for n := 0; n < 4; n++ {
		for i < lim && (s.tag(i) == "," || s.tag(i) == "``") {
			i++
		}
		if s.adverb(i) && !negative(s.low(i)) && !(p.nominalAt(i, lim)) {
			front = append(front, elem{kind: elemAdv, span: span{i, i + 1}})
			i++
			continue
		}
		if s.prepStart(i, lim) && !p.clauseAfter(i, lim) {
			e, ok := p.prepPhrase(i, lim, scope{comma: true, inner: true, depth: c.depth})
			if !ok {
				return nil, start
			}
			front = append(front, e)
			i = e.end
			continue
		}
		if p.clauseAfter(i, lim) {
			e, ok := p.subordinate(i, lim, c)
			if !ok {
				return nil, start
			}
			front = append(front, e)
			i = e.end
			continue
		}
		break
	}
	if s.tag(i) == "EX" {
		cl, e := p.predicate(i+1, lim, c)
		if cl == nil || !cl.g.finite {
			return nil, start
		}
		cl.kind, cl.front = clauseThere, front
		cl.first = start
		return cl, e
	}
	subj, j := p.subject(i, lim, c)
	if subj == nil {
		return nil, start
	}
	extra, j := p.interruption(j, lim, c)
	front = append(front, extra...)
	if !s.verbStarts(j, lim) {
		if k := s.skipAdverbs(j, lim); !(k < lim && s.tag(k) == "VBN") || s.verbs[lim]-s.verbs[j] > 0 && c.depth < 2 {
			return nil, start
		}
	}
	cl, e := p.predicate(j, lim, c)
	if cl == nil {
		return nil, start
	}
	if !cl.g.finite && cl.g.form == "VBN" {
		cl.asPast, cl.g.finite, cl.g.passive = true, true, false
	}
	cl.subj, cl.front = subj, append(front, cl.front...)
	cl.first = start
	return cl, e
}

func (p *parser) nominalAt(i, lim int) bool { return p.s.nominalStart(i, lim) }

// subject reads a noun phrase, or a gerund or infinitive that serves as one.
func (p *parser) subject(i, lim int, c scope) (*np, int) {
	s := p.s
	if n, e := p.nounPhrase(i, lim, true, scope{depth: c.depth, inner: c.inner}); n != nil {
		return n, e
	}
	if g, ok := s.verbGroup(i, lim); ok && (g.form == "VBG" || g.form == "TO") {
		cl, e := p.predicate(i, lim, scope{comma: true, inner: true, depth: c.depth})
		if cl != nil && s.verbStarts(e, lim) {
			return &np{span: span{i, e}, core: span{i, e}, head: g.main, gerund: true}, e
		}
	}
	if t := s.tag(i); (t == "WP" || t == "WDT" || t == "WRB") && s.low(i) != "which" || s.low(i) == "that" {
		// "What he said was ...", "That he left is ...".
		k := i + 1
		if s.low(i) == "what" && s.verbStarts(k, lim) {
			cl, e := p.predicate(k, lim, scope{comma: true, inner: true, depth: c.depth})
			if cl != nil && s.verbStarts(e, lim) {
				return &np{span: span{i, e}, core: span{i, e}, head: cl.g.main, gerund: true}, e
			}
			return nil, i
		}
		cl, e := p.finiteClause(k, lim, scope{comma: true, inner: true, depth: c.depth})
		if cl != nil && s.verbStarts(e, lim) {
			return &np{span: span{i, e}, core: span{i, e}, head: cl.g.main, gerund: true}, e
		}
	}
	return nil, i
}

// interruption reads what commas set off between subject and verb.
func (p *parser) interruption(j, lim int, c scope) ([]elem, int) {
	s := p.s
	if j >= lim || s.tag(j) != "," || c.depth > maxDepth {
		return nil, j
	}
	k := j + 1
	var es []elem
	if s.verbStarts(k, lim) {
		return nil, k
	}
	starts := func(k int) bool { return s.verbStarts(k, lim) || k < lim && s.tag(k) == "VBN" && s.noAux(k) }
	for n := 0; n < 3 && k < lim; n++ {
		var e elem
		ok := false
		switch {
		case p.clauseAfter(k, lim):
			e, ok = p.subordinate(k, lim, scope{comma: true, inner: true, depth: c.depth + 1})
		case s.prepStart(k, lim) && s.low(k) != "worth":
			e, ok = p.prepPhrase(k, lim, scope{comma: true, inner: true, depth: c.depth + 1})
		case s.adverb(k):
			a := s.skipAdverbs(k, lim)
			e, ok = elem{kind: elemAdv, span: span{k, a}}, true
		case s.tag(k) == "VBG" || s.tag(k) == "VBN" || s.adj(k) || s.low(k) == "worth":
			a := k
			for a < lim && s.tag(a) != "," && s.tag(a) != ":" {
				a++
			}
			e, ok = elem{kind: elemText, span: span{k, a}}, true
			if s.adj(k) || s.low(k) == "worth" {
				e.mark = "adjective"
			}
		default:
			if h, hd, o := s.baseNP(k, lim); o && (timeNouns.has(s.lemma(hd)) || s.tag(hd) == "CD") {
				e, ok = elem{kind: elemText, span: span{k, h}}, true
			}
		}
		if !ok {
			return nil, j
		}
		es = append(es, e)
		k = e.end
		if k < lim && s.tag(k) == "," {
			k++
			if starts(k) {
				return es, k
			}
		}
	}
	return nil, j
}

// prepPhrase reads a preposition and what it governs.
func (p *parser) prepPhrase(i, lim int, c scope) (elem, bool) {
	s := p.s
	k := s.prepEnd(i, lim)
	e := elem{kind: elemPP, span: span{i, k}, prep: span{i, k}}
	if k >= lim {
		return e, true
	}
	// "from under the bridge", "for about 40 people" (the latter is in baseNP).
	if s.tag(i) == "TO" && (s.tag(k) == "VB") {
		return e, false
	}
	if s.tag(k) == "VBG" && s.tag(i) == "IN" && !s.preposition(k) && words("by after before without for from in since despite of").has(s.low(i)) && !(s.tag(k+1) == "NN" && s.tag(k+2) != "DT" && s.tag(k+2) != "IN") {
		if cl, j := p.predicate(k, lim, scope{comma: c.comma, inner: true, depth: c.depth + 1, spare: c.spare, front: c.front}); cl != nil {
			e.kind, e.cl, e.end = elemText, cl, j
			return e, true
		}
	}
	if n, j := p.nounPhrase(k, lim, false, scope{comma: c.comma, inner: c.inner, depth: c.depth + 1, spare: c.spare, front: c.front, said: c.said}); n != nil {
		e.np, e.end = n, j
		return e, true
	}
	if g, ok := s.verbGroup(k, lim); ok && (g.form == "VBG" || g.form == "VBN") {
		if cl, j := p.predicate(k, lim, scope{comma: c.comma, inner: true, depth: c.depth + 1}); cl != nil {
			e.kind, e.cl, e.end = elemText, cl, j
			return e, true
		}
	}
	if t := s.tag(k); t == "WP" || t == "WRB" || t == "WDT" {
		if cl, j := p.wh(k, lim, c); cl != nil {
			e.kind, e.end = elemText, j
			return e, true
		}
	}
	if s.adj(k) || s.adverb(k) {
		// "in public", "at first", "for ever", "from abroad"
		e.kind, e.end = elemText, k+1
		for e.end < lim && (s.adj(e.end) || s.adverb(e.end)) {
			e.end++
		}
		return e, true
	}
	if s.preposition(k) && k+1 < lim {
		if f, ok := p.prepPhrase(k, lim, c); ok && f.np != nil {
			f.prep.first, f.first = i, i
			return f, true
		}
	}
	return e, true
}

// wh reads a clause that opens with a question word.
func (p *parser) wh(k, lim int, c scope) (*clause, int) {
	s := p.s
	in := scope{comma: c.comma, inner: true, depth: c.depth + 1}
	j := k + 1
	if s.low(k) == "how" && (s.adj(j) || s.adverb(j)) {
		j++
	}
	if s.low(k) == "which" || s.low(k) == "what" || s.low(k) == "whose" {
		if e, _, ok := s.baseNP(j, lim); ok && !p.nounThenVerb(j, lim) && s.verbStarts(e, lim) {
			j = e
		} else if ok && p.nounThenVerb(e, lim) {
			j = e
		}
	}
	if s.verbStarts(j, lim) {
		return p.predicate(j, lim, in)
	}
	if s.tag(j) == "TO" {
		return p.predicate(j, lim, in)
	}
	return p.finiteClause(j, lim, in)
}

// subordinate reads an adverbial clause with its subordinator.
func (p *parser) subordinate(i, lim int, c scope) (elem, bool) {
	s := p.s
	k := i + 1
	if (s.low(i) == "so" || s.low(i) == "provided" || s.low(i) == "except") && s.low(k) == "that" || (s.low(i) == "as" && (s.low(k) == "if" || s.low(k) == "though")) || (s.low(i) == "even" && (s.low(k) == "if" || s.low(k) == "though")) {
		k++
	}
	cl, e := p.finiteClause(k, lim, scope{comma: c.comma, depth: c.depth + 1, sub: true})
	if cl == nil {
		return elem{}, false
	}
	mark := s.low(i)
	if k == i+2 {
		mark += " " + s.low(i+1)
	}
	return elem{kind: elemSub, span: span{i, e}, cl: cl, mark: mark}, true
}

// verbless reads "when staying in Rome", "although tired": a subordinator
// without a finite clause. It is kept as it stands.
func (p *parser) verbless(i, lim int, c scope) (elem, bool) {
	s := p.s
	if !words("when while if although though once unless until whether as").has(s.low(i)) || i+1 >= lim {
		return elem{}, false
	}
	k := s.skipAdverbs(i+1, lim)
	if s.tag(k) == "VBG" || s.tag(k) == "VBN" {
		if cl, e := p.predicate(k, lim, scope{comma: true, inner: true, depth: c.depth + 1}); cl != nil {
			return elem{kind: elemText, span: span{i, e}, mark: s.low(i)}, true
		}
	}
	if s.low(i) != "as" && (s.adj(k) || s.preposition(k)) {
		e := k
		for e < lim && s.tag(e) != "," && s.tag(e) != ":" && !s.finiteAt(e) {
			e++
		}
		return elem{kind: elemText, span: span{i, e}, mark: s.low(i)}, true
	}
	return elem{}, false
}
