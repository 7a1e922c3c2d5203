package openie

// gap is a clause without its verb: "(France has 67 million people,) Spain 47
// million". It holds the subject's name and the object.
type gap struct {
	subj span
	obj  span
}

// gapAt reports whether a gapped clause starts at k, after a comma or
// conjunction whose left side ends with the object n: a name, then a phrase of
// n's own kind, then the end of the clause, and no verb. What explains n ("gold,
// Leo's dream", "the paper, an Oslo daily", "Mia, Acme president") is none.
func (p *parser) gapAt(n *np, k, lim int) (gap, bool) {
	s := p.s
	if n == nil || s.tag(n.head) == "PRP" || len(n.items) > 0 {
		return gap{}, false
	}
	m := k
	for m < lim && s.proper(m) {
		m++
	}
	if m == k || m >= lim || m-k > 5 || calendar.has(s.low(k)) {
		return gap{}, false
	}
	if n.first > 0 && s.preposition(n.first-1) {
		// "lives in Rome, Leo in Milan"
		e, _, ok := s.baseNP(m+1, lim)
		if !ok || s.low(m) != s.low(n.first-1) || s.low(m) == "of" || e < lim && s.tag(e) != "." && s.low(e) != ";" && !(s.tag(e) == "CC" || s.tag(e) == ",") || s.verbStarts(e, lim) || s.verbStarts(e+1, lim) {
			return gap{}, false
		}
		return gap{span{k, m}, span{m, e}}, true
	}
	e, head, ok := s.baseNP(m, lim)
	if !ok || s.proper(n.head) || s.proper(m) || s.opening(m) != s.opening(n.first) || roleNoun(s.low(head), s.lemma(head)) || personNouns.has(s.low(head)) {
		return gap{}, false
	}
	for e+1 < lim && s.preposition(e) {
		f, _, ok := s.baseNP(e+1, lim)
		if !ok {
			break
		}
		e = f
	}
	if s.verbs[e] > s.verbs[k] || e < lim && s.tag(e) != "," && s.tag(e) != "CC" && s.tag(e) != ":" && s.tag(e) != "." {
		return gap{}, false
	}
	if e < lim && (s.tag(e) == "," || s.tag(e) == "CC") {
		// Another one may follow; a verb may not.
		f := e + 1
		if s.tag(f) == "CC" {
			f++
		}
		if s.verbStarts(f, lim) {
			return gap{}, false
		}
	}
	return gap{span{k, m}, span{m, e}}, true
}

// opening classes what a noun phrase begins with.
func (s *sentence) opening(i int) string {
	switch s.tag(i) {
	case "DT", "PRP$", "PDT":
		return "determiner"
	case "CD", "$":
		return "number"
	}
	return "bare"
}

// gapObject returns the object of cl that gapped clauses can be like, or nil:
// the subject must be a name and the object the last thing said.
func (p *parser) gapObject(cl *clause) *np {
	s := p.s
	if cl.g == nil || !cl.g.finite || len(cl.elems) == 0 {
		return nil
	}
	l := cl.elems[len(cl.elems)-1]
	if l.kind != elemNP && (l.kind != elemPP || len(cl.elems) > 1) || l.np == nil || cl.subj != nil && !s.proper(cl.subj.head) {
		return nil
	}
	return l.np
}

// gapped reads the clauses without a verb that follow cl at i, with the verb of
// cl.
func (p *parser) gapped(cl *clause, i, lim int) ([]*clause, int) {
	s := p.s
	var out []*clause
	obj := p.gapObject(cl)
	if obj == nil || cl.subj == nil || len(cl.subj.items) > 0 {
		return nil, i
	}
	for i < lim {
		k := i
		for k < lim && (s.tag(k) == "," || s.tag(k) == "CC" || s.low(k) == ";") {
			k++
		}
		g, ok := p.gapAt(obj, k, lim)
		if !ok || k == i {
			break
		}
		subj, _ := p.simpleNP(g.subj.first, g.subj.end, true, scope{depth: 2, bare: true})
		if subj == nil {
			break
		}
		var last elem
		if s.preposition(g.obj.first) {
			if last, ok = p.prepPhrase(g.obj.first, g.obj.end, scope{depth: 2, bare: true}); !ok {
				break
			}
		} else if n, _ := p.nounPhrase(g.obj.first, g.obj.end, false, scope{depth: 2, bare: true}); n != nil {
			last = elem{kind: elemNP, span: n.span, np: n}
		} else {
			break
		}
		els := append(append([]elem(nil), cl.elems[:len(cl.elems)-1]...), last)
		out = append(out, &clause{span: span{g.subj.first, g.obj.end}, subj: subj, g: cl.g, elems: els})
		i = g.obj.end
	}
	return out, i
}
