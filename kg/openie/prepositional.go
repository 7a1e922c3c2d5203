package openie

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
	if s.tag(k) == "VBG" && s.tag(i) == "IN" && !s.preposition(k) && oneOf(s.low(i), "by", "after", "before", "without", "for", "from", "in", "since", "despite", "of") && !(s.tag(k+1) == "NN" && s.tag(k+2) != "DT" && s.tag(k+2) != "IN") {
		if cl, j := p.predicate(k, lim, scope{comma: c.comma, inner: true, depth: c.depth + 1, spare: c.spare, front: c.front}); cl != nil {
			e.kind, e.cl, e.end = elemText, cl, j
			return e, true
		}
	}
	if n, j := p.nounPhrase(k, lim, false, scope{comma: c.comma, inner: c.inner, depth: c.depth + 1, spare: c.spare, front: c.front, said: c.said, outer: c.outer}); n != nil {
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
	if !oneOf(s.low(i), "when", "while", "if", "although", "though", "once", "unless", "until", "whether", "as") || i+1 >= lim {
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
