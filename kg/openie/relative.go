package openie

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

// relativePrep reports "in which", "of whom", "some of which" at i.
func (s *sentence) relativePrep(i, lim int) bool {
	return i+1 < lim && s.preposition(i) && (s.low(i+1) == "which" || s.low(i+1) == "whom" || s.low(i+1) == "whose")
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
	case s.tag(j) == "PRP" && s.low(j) != "it" && oneOf(s.low(j), "he", "she", "they", "we", "i", "you"):
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
	// "which they believe is a good price": the gap is the inner subject.
	if p.clausal(cl.g) && len(cl.elems) == 0 && s.verbStarts(f, lim) && (!c.spare || s.verbs[lim]-s.verbs[f] > 1) {
		if in, e := p.predicate(f, lim, c); in != nil {
			cl.elems = append(cl.elems, elem{kind: elemComp, span: span{f, e}, cl: in, mark: "gap"})
			cl.end, f = e, e
		}
	}
	cl.kind, cl.ante, cl.prep = clauseRelObject, n, prep
	cl.first = start
	return cl, f
}
