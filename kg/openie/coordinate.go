package openie

import (
	"strings"
)

// more widens a complement clause by the clauses coordinated with it: "said
// that A did X and that B did Y".
func (p *parser) more(e elem, lim int, c scope) elem {
	s := p.s
	for n := 0; n < 6; n++ {
		k := e.end
		comma := false
		if k < lim && s.tag(k) == "," {
			comma = true
			k++
		}
		if k >= lim || s.tag(k) != "CC" {
			break
		}
		k++
		that := s.low(k) == "that"
		if that {
			k++
		} else if comma {
			break
		}
		if !p.nounThenVerb(k, lim) {
			break
		}
		in, f := p.finiteClause(k, lim, scope{comma: c.comma, inner: true, depth: c.depth, spare: c.spare})
		if in == nil {
			break
		}
		e.cl.conj = append(e.cl.conj, in)
		e.end = f
	}
	return e
}

// afterComma decides what follows the comma (or dash, or colon) at j in a
// predicate: an element that still belongs to it, or the end of the clause.
func (p *parser) afterComma(cl *clause, j, lim int, c scope) (elem, bool) {
	s := p.s
	k := j + 1
	none := elem{kind: elemText, span: span{j, j + 1}}
	if k >= lim {
		return none, true
	}
	t, low := s.tag(k), s.low(k)
	if t == "CC" {
		if c.sub {
			if g, ok := s.verbGroup(k+1, lim); ok && g.finite {
				return none, true
			}
		}
		if c.comma {
			// ", and" inside a relative clause: only a further verb of it, when
			// another finite verb is left for the outer clause.
			if g, ok := s.verbGroup(k+1, lim); !ok || !p.compatible(cl, g) || !(low == "and" || low == "or") || s.verbs[lim]-s.verbs[g.end] == 0 && !(g.form == cl.g.form && cl.outer != "" && cl.outer != g.form && g.finite) {
				return none, true
			}
		}
		next, stop := p.coordinate(cl, k, k+1, lim, c, true)
		if stop {
			return none, true
		}
		if next > k {
			return elem{kind: elemText, span: span{j, next}}, len(cl.conj) > 0
		}
		return elem{kind: elemText, span: span{j, k + 1}, loose: true}, false
	}
	if c.comma {
		return none, true
	}
	if p.said(j, lim) {
		return none, true
	}
	// "hears her out , pokes around and asks": a list of predicates.
	m := s.skipAdverbs(k, lim)
	if s.tag(m) == "VBN" && !c.inner && (s.tag(m+1) == "DT" || s.tag(m+1) == "PRP$" || s.tag(m+1) == "CD") && cl.g.form == "VBD" {
		s.toks[m].tag = "VBD"
		s.count()
	}
	if s.verbStarts(k, lim) {
		if g, ok := s.verbGroup(k, lim); ok && !c.inner && g.form == cl.g.form && !g.say && (!closedVerb(s.low(g.verb)) || s.low(g.verb) == "did" && (s.tag(g.end) == "PRP$" || s.tag(g.end) == "DT")) && g.form != "MD" && p.listOfVerbs(g, lim) {
			if next, stop := p.coordinate(cl, j, k, lim, c, true); !stop && next > k && len(cl.conj) > 0 {
				return none, true
			}
		}
		return none, true
	}
	if t == "``" && cl.g.say {
		if q, ok := s.close[k]; ok && q < lim {
			return elem{kind: elemComp, span: span{k, q + 1}, mark: "quote"}, false
		}
	}
	if p.clauseAfter(k, lim) {
		if e, ok := p.subordinate(k, lim, c); ok {
			return e, false
		}
	}
	if p.nounThenVerb(k, lim) || c.sub && p.clauseLikely(k, lim) {
		return none, true
	}
	if (t == "VBG" && low != "including" && low != "according" && low != "following" || t == "VBN" || s.adverb(k) && (s.tag(k+1) == "VBG" || s.tag(k+1) == "VBN")) && cl.g.form != "TO" {
		if g, ok := s.verbGroup(k, lim); ok && (g.form == "VBG" || g.form == "VBN") && !(t == "VBN" && s.nominalStart(k, lim)) {
			in, e := p.predicate(k, lim, scope{comma: true, inner: true, depth: c.depth})
			if in != nil {
				if g.form == "VBG" && s.lemma(g.verb) == "make" && s.tag(g.end) == "PRP" {
					// ", making it the largest": what the whole clause brings about.
					return elem{kind: elemText, span: span{j, e}, cl: in}, false
				}
				in.kind = clausePart
				el := elem{kind: elemPart, span: span{j, e}, cl: in}
				if g.form == "VBN" && !cl.g.passive && !cl.g.copula {
					for _, o := range cl.elems {
						if o.kind == elemNP && o.np != nil && len(o.np.items) == 0 && s.tag(o.np.head) != "PRP" {
							el.about = o.np
						}
					}
				}
				return el, false
			}
		}
	}
	if low == "which" && lastNP(cl) == nil || low == "which" && len(cl.elems) > 0 && cl.elems[len(cl.elems)-1].np == nil {
		// About the whole clause: kept as it stands.
		if in, e := p.predicate(k+1, lim, scope{comma: true, inner: true, depth: c.depth}); in != nil && in.g.finite {
			return elem{kind: elemText, span: span{j, e}}, false
		}
	}
	if low == "which" || low == "who" || s.relativePrep(k, lim) {
		n := lastNP(cl)
		for i := len(cl.elems) - 1; i >= 0 && n != nil && s.tag(n.head) == "CD"; i-- {
			if m := cl.elems[i].np; m != nil {
				n = m
			}
		}
		if n != nil {
			in, e := p.relative(k, lim, n, scope{comma: true, depth: c.depth})
			if in != nil {
				n.clauses = append(n.clauses, in)
				n.cuts = append(n.cuts, span{j, e})
				return elem{kind: elemPart, span: span{j, e}}, false
			}
		}
	}
	return none, false
}

// listOfVerbs reports whether, after verb group g, a conjunction with a verb of
// the same form follows: "pokes around, asks and leaves".
func (p *parser) listOfVerbs(g *group, lim int) bool {
	s := p.s
	for k := g.end; k+1 < lim && s.low(k) != ";" && s.tag(k) != ":"; k++ {
		if s.tag(k) == "CC" {
			m := s.skipAdverbs(k+1, lim)
			if m < lim && s.tag(m) == g.form && s.finiteAt(m) {
				return true
			}
		}
	}
	return false
}

// clauseLikely reports whether a clause may start at k whose verb stands beyond
// a relative clause or participle: after a fronted clause and its comma.
func (p *parser) clauseLikely(k, lim int) bool {
	s := p.s
	e, ok := p.cheapNP(k, lim, true)
	if !ok || e >= lim {
		return false
	}
	left := s.verbs[lim] - s.verbs[e]
	switch t := s.tag(e); {
	case t == "WP" || t == "WDT" || s.low(e) == "that":
		return left >= 2
	case t == "VBG" || t == "VBN" || t == "TO" || t == ",":
		return left >= 1
	}
	return false
}

// lastNP returns the last noun phrase among the constituents of cl.
func lastNP(cl *clause) *np {
	for i := len(cl.elems) - 1; i >= 0; i-- {
		if n := cl.elems[i].np; n != nil {
			return n
		}
	}
	return nil
}

// coordinate reads what the conjunction at cc joins to the predicate: another
// verb with the same subject. It returns the new position, or stop when a new
// clause begins, or neither when the conjunction joins something smaller.
func (p *parser) coordinate(cl *clause, cc, k, lim int, c scope, comma bool) (int, bool) {
	s := p.s
	if k >= lim {
		return cc, true
	}
	for k < lim && (s.tag(k) == "``" || s.tag(k) == ",") {
		k++
	}
	if s.low(k) == "then" || s.low(k) == "also" || s.low(k) == "later" || s.low(k) == "now" {
		if p.nounThenVerb(k+1, lim) {
			return cc, true
		}
	}
	// "neither ate meat nor drank wine", "..., nor is Uma": what "nor" denies is
	// never given alone.
	if s.low(cc) == "nor" {
		if g, ok := s.verbGroup(k, lim); ok && g.finite {
			e := k + 1
			if !(closedVerb(s.low(k)) && s.nominalStart(k+1, lim)) {
				if in, f := p.predicate(k, lim, c); in != nil {
					e = f
				}
			} else if n, f := p.nounPhrase(k+1, lim, false, c); n != nil {
				e = f
				if h, ok := s.verbGroup(e, lim); ok && !h.finite {
					e = h.end
				}
			}
			return e, false
		}
	}
	if g, ok := s.verbGroup(k, lim); ok {
		// "was devastated by fire and deserted": a past form without an object
		// after a passive is one more participle.
		if cl.g.passive && g.form == "VBD" && g.main == g.verb && !closedVerb(s.low(g.main)) && !intransitive.has(s.lemma(g.main)) && strings.HasSuffix(s.low(g.main), "ed") && !s.objectAt(g.end, lim) && (len(cl.elems) == 0 || s.low(cc-1) != ",") {
			s.toks[g.main].tag = "VBN"
			g, _ = s.verbGroup(k, lim)
		}
		if !p.compatible(cl, g) {
			if g.finite || c.inner {
				return cc, true
			}
			return cc, false
		}
		next, e := p.predicate(k, lim, c)
		if next != nil {
			p.inherit(cl, next)
			// Flatten: the next predicate's own conjuncts share the subject.
			cl.conj = append(cl.conj, next)
			cl.conj = append(cl.conj, next.conj...)
			next.conj = nil
			return e, false
		}
	}
	// "and in 1990 moved to Paris"
	if s.preposition(k) {
		if e, ok := p.prepPhrase(k, lim, scope{comma: true, inner: true, depth: c.depth + 1}); ok && e.end < lim {
			m := e.end
			if s.tag(m) == "," {
				m++
			}
			if g, ok := s.verbGroup(m, lim); ok && g.finite && p.compatible(cl, g) {
				next, f := p.predicate(m, lim, c)
				if next != nil {
					p.inherit(cl, next)
					next.front = append(next.front, e)
					cl.conj = append(cl.conj, next)
					cl.conj = append(cl.conj, next.conj...)
					next.conj = nil
					return f, false
				}
			}
			if p.nounThenVerb(m, lim) {
				return cc, true
			}
		}
	}
	if p.nounThenVerb(k, lim) || p.clauseAfter(k, lim) {
		return cc, true
	}
	if e, ok := p.cheapNP(k, lim, true); ok && e < lim && (s.tag(e) == "," || s.tag(e) == "WP" || s.tag(e) == "WDT" || s.tag(e) == "VBN") && comma && !c.inner && s.verbs[lim]-s.verbs[e] > 0 {
		return cc, true
	}
	return cc, false
}

// objectAt reports whether a noun phrase other than a time starts at i.
func (s *sentence) objectAt(i, lim int) bool {
	_, head, ok := s.baseNP(i, lim)
	return ok && !timeNouns.has(s.lemma(head))
}

// compatible reports whether verb group g can share the subject and the
// auxiliaries of cl.
func (p *parser) compatible(cl *clause, g *group) bool {
	a := cl.g
	s := p.s
	if g.finite {
		// One subject, one number: "is of stage 2 and stage 3" has no second verb.
		if t := &s.toks[g.verb]; !closedVerb(t.low) && (a.form == "VBZ" && g.form == "VBP" || a.form == "VBP" && g.form == "VBZ" && strings.HasSuffix(t.low, "s")) {
			t.tag = map[bool]string{true: "NNS", false: "NN"}[g.form == "VBZ"]
			return false
		}
		return a.finite || cl.asPast
	}
	switch g.form {
	case "VBN":
		if a.form == "VBD" && s.tag(a.main) == "VB" && g.main == g.first {
			// "had hoped to win but lost"
			s.toks[g.main].tag, g.form, g.finite, g.passive = "VBD", "VBD", true, false
			return true
		}
		return a.form == "VBN" || a.finite && (s.tag(a.main) == "VBN" || s.tag(a.main) == "VBD")
	case "VBG":
		return s.tag(a.main) == "VBG"
	case "VB":
		if s.tag(a.main) == "VB" || a.form == "VBP" || s.low(a.main-1) == "to" {
			return true
		}
		if a.finite && s.low(g.verb) == s.lemma(g.verb) && g.verb == g.first {
			s.toks[g.verb].tag, g.form, g.finite = "VBP", "VBP", true
			return true
		}
		return false
	case "TO":
		return a.form == "TO" || s.low(a.main-1) == "to"
	}
	return false
}

// inherit gives the predicate next the auxiliaries that it shares with cl: "was
// arrested and charged", "did not eat or drink".
func (p *parser) inherit(cl, next *clause) {
	s := p.s
	if next.g.finite {
		return
	}
	a := cl.g
	lead := span{a.verb, a.main}
	if next.g.form == "TO" {
		// "plans to buy X and to sell Y"
		for k := a.main - 1; k >= a.verb; k-- {
			if s.low(k) == "to" {
				lead.end = k
				break
			}
		}
	}
	for lead.end > lead.first && s.adverb(lead.end-1) && !negative(s.low(lead.end-1)) {
		lead.end--
	}
	switch {
	case cl.lead != (span{}) && lead.empty():
		next.lead = cl.lead
	case !lead.empty():
		next.lead = lead
	}
	switch next.g.form {
	case "VBN":
		if next.lead.empty() && a.finite {
			next.asPast, next.g.passive = true, false
		} else {
			next.g.passive = a.passive
		}
	}
	next.g.finite = a.finite || next.asPast
	next.g.neg = next.g.neg || a.neg && !next.lead.empty()
}
