package openie

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
	whole    bool   // its restrictive clauses stay in the label whatever it is
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
	kind   clauseKind
	subj   *np
	g      *group
	shared []*group // further verbs with the same arguments: "shot and killed"
	lead   span     // auxiliaries taken over from the predicate coordinated before
	asPast bool     // a participle that stands for a simple past
	// participle: the tagger took the finite verb for one.
	participle bool
	front      []elem
	elems      []elem
	conj       []*clause // further predicates of the same subject
	ante       *np       // relative and participial clauses: what they are about
	prep       span      // clauseRelObject: the preposition before "which"
	content    span      // clauseSaid: what is said, as it stands
	outer      string    // the form of the verb of the clause around
	inner      []*clause // clauseSaid: the clauses of the content
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
	bare bool
	// outer is the form of the verb around the clause.
	outer string
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

const maxDepth = 20

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

// verbStarts reports whether a finite verb group starts at i.
func (s *sentence) verbStarts(i, lim int) bool {
	i = s.skipAdverbs(i, lim)
	return i < lim && s.finiteAt(i)
}

// clauseAfter reports whether the word at i opens a finite clause.
func (p *parser) clauseAfter(i, lim int) bool {
	s := p.s
	if !subordinators.has(s.low(i)) || prepositionsOnly.has(s.low(i)) {
		return false
	}
	k := i + 1
	if thatTakers.has(s.low(i)) && s.low(k) == "that" {
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
	// "was held after another man, also aged 15, accused her": what is set off
	// stands between subject and verb.
	if s.verbs[i] > 0 && oneOf(s.low(i), "after", "before", "since", "until", "as", "because", "while", "when", "although") {
		if e, ok := p.cheapNP(k, lim, true); ok && e < lim && s.tag(e) == "," {
			c := e + 1
			for c < lim && c < e+8 && s.tag(c) != "," && !s.finiteAt(c) {
				c++
			}
			if c < lim && s.tag(c) == "," && c > e+1 && s.verbStarts(c+1, lim) {
				return true
			}
		}
	}
	// "after a man wearing a hat was seen": a verb is left when those of the
	// relative clauses are taken off.
	if oneOf(s.low(i), "after", "before", "since", "until", "as", "once") {
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
		if oneOf(s.low(i), "because", "although", "though", "if", "unless", "whether", "while", "when", "whereas") {
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
		if s.adverb(i) && !negative(s.low(i)) && !(s.nominalStart(i, lim)) {
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
