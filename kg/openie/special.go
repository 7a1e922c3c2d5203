package openie

// inside walks the clauses and noun phrases in a constituent.
func (g *generator) inside(el elem, subj []arg, e env) {
	switch el.kind {
	case elemSub:
		if !doubtful.has(el.mark) {
			g.clause(el.cl, nil, env{conf: e.conf - 0.15, past: e.past})
		}
	case elemPart:
		if el.cl != nil {
			if el.about != nil {
				subj = []arg{{minus(el.about.core, append(append([]span(nil), el.about.cuts...), el.about.restrict...)), el.about, false}}
			}
			g.participle(el.cl, subj, e)
		}
	case elemComp:
		if el.cl == nil || el.mark == "wh" || el.mark == "gap" {
			return
		}
		if g.opts.IncludeAttributed || el.fact {
			g.clause(el.cl, nil, env{conf: e.conf - 0.2, past: e.past})
		}
	}
	if el.np != nil {
		g.about(el.np, e)
	}
}

// participle adds the triple of a participial clause about subj.
func (g *generator) participle(cl *clause, subj []arg, e env) {
	if g.seenClause[cl] || cl.g.form != "VBG" && cl.g.form != "VBN" {
		return
	}
	g.seenClause[cl] = true
	if len(cl.elems) == 0 && len(cl.conj) == 0 {
		return // "the time remaining", "those involved": a modifier and no more
	}
	in := e
	in.conf -= 0.15
	in.front = nil
	g.predicate(cl, cl.g, subj, nil, in)
	for _, k := range cl.conj {
		if k.subj == nil && (k.g.form == "VBG" || k.g.form == "VBN") {
			g.predicate(k, k.g, subj, nil, in)
		}
	}
}

// about adds the triples of the clauses that hang on n.
func (g *generator) about(n *np, e env) { g.aboutAs(n, nil, e) }

// aboutAs is about, with the subject that n is said to be: of "X is a town that
// has a port" X has the port.
func (g *generator) aboutAs(n *np, as []arg, e env) {
	if n == nil {
		return
	}
	for _, it := range n.items {
		g.about(it, e)
	}
	for _, m := range n.parts {
		g.about(m, e)
	}
	for _, a := range n.appos {
		g.about(a, e)
	}
	if len(n.items) > 0 && len(n.clauses) == 0 {
		return
	}
	s := g.s
	if first := s.low(n.first); negative(first) || first == "any" || first == "whoever" || first == "anyone" || first == "nobody" || first == "nothing" || first == "none" || first == "every" || first == "everyone" {
		return
	}
	// The antecedent by its short label: without what the clauses say.
	core := minus(n.core, append(append([]span(nil), n.cuts...), n.restrict...))
	if n.core.end == n.core.first+1 && demonstratives.has(s.low(n.head)) {
		return // "those given a placebo": no name for what it is about
	}
	self := []arg{{core, n, false}}
	if len(n.items) > 0 {
		self = g.args(n, n.clauses[0])
	} else if as != nil {
		self, core = as, as[0].ph
	}
	for _, cl := range n.clauses {
		if g.seenClause[cl] {
			continue
		}
		in := env{conf: e.conf - 0.1, past: e.past}
		switch cl.kind {
		case clauseRelSubject:
			g.clause(cl, self, in)
		case clausePart:
			if cl.g.form == "VBG" || cl.g.form == "VBN" {
				g.participle(cl, self, in)
			}
		case clauseRelWhose:
			owner := join(core, word("'s"))
			g.clause(cl, []arg{{join(owner, run(cl.subj.span)), cl.subj, false}}, in)
		case clauseRelWhere:
			in.front = []phrase{join(word("in"), core)}
			g.clause(cl, nil, in)
		case clauseRelObject:
			g.gapped(cl, core, in)
		}
	}
}

// gapped adds the triple of a relative clause whose antecedent is not the
// subject: (he, wrote, the book), (they, live in, the house).
func (g *generator) gapped(cl *clause, ante phrase, e env) {
	s := g.s
	g.seenClause[cl] = true
	if cl.subj == nil || cl.g == nil {
		return
	}
	if cl.g.finite {
		e.past = s.past(cl.g) || cl.asPast
	}
	g.about(cl.subj, e)
	fronts := g.fronted(cl, nil, e)
	ante = append(phrase(nil), ante...)
	if len(ante) > 0 {
		ante[0].lower = true
	}
	for _, a := range g.args(cl.subj, cl) {
		rel := g.verbs(cl, cl.g, a, e)
		es := withoutParts(cl.elems)
		c := candidate{head: a.ph, front: fronts, np: a.np, conf: e.conf, at: cl.g.first}
		switch {
		case !cl.prep.empty():
			c.rel = join(rel, g.elems(es), run(cl.prep))
			c.tail = ante
		default:
			if n := len(es); n > 0 && es[n-1].kind == elemPP && es[n-1].np == nil {
				c.rel, c.tail = join(rel, g.elems(es)), ante
			} else {
				// Also "which they believe is a good price": (they, believe, 25
				// euros is a good price).
				c.rel, c.tail = rel, join(ante, g.elems(es))
			}
		}
		g.add(c)
	}
	for _, el := range cl.elems {
		g.inside(el, g.args(cl.subj, cl), e)
	}
}

// said adds (speaker, says, content), and the content where asked for.
func (g *generator) said(cl *clause, e env) {
	g.about(cl.subj, e)
	for _, a := range g.args(cl.subj, &clause{g: cl.g, span: cl.g.span}) {
		g.add(candidate{head: a.ph, rel: run(cl.g.span), tail: phrase{{span: cl.content, lower: true}}, np: a.np, conf: e.conf - 0.05, at: cl.g.first})
	}
	if g.opts.IncludeAttributed || factiveVerbs.has(g.s.lemma(cl.g.main)) && !cl.g.neg && !cl.g.say {
		for _, in := range cl.inner {
			g.clause(in, nil, env{conf: e.conf - 0.2})
		}
	}
}

// there adds the triple of "there is": what there is, and where.
func (g *generator) there(cl *clause, e env) {
	fronts := append(append([]phrase(nil), e.front...), g.fronted(cl, nil, e)...)
	es := withoutParts(cl.elems)
	adv := 0
	for adv < len(es) && es[adv].kind == elemAdv {
		adv++
	}
	if adv >= len(es) || es[adv].np == nil {
		return
	}
	n := es[adv].np
	rest := es[adv+1:]
	g.about(n, e)
	for _, el := range rest {
		g.inside(el, nil, e)
	}
	verb := join(run(cl.g.span), g.elems(es[:adv]))
	c := candidate{head: g.label(n), rel: verb, np: n, front: fronts, conf: e.conf - 0.05, at: cl.g.first}
	c.claim = join(word("there"), verb, c.head, g.elemsFrom(n.end, rest))
	if len(rest) > 0 && rest[0].kind == elemPP && rest[0].np != nil {
		c.rel = join(c.rel, run(rest[0].prep))
		c.tail = join(g.label(rest[0].np), g.elemsFrom(rest[0].end, rest[1:]))
	} else {
		c.tail = join(word("there"), g.elemsFrom(n.end, rest))
	}
	g.add(c)
}

// expletive handles an "it" that stands for nothing: "it is believed that S",
// "it is hard to do X", "it was X that did Y".
func (g *generator) expletive(cl *clause, e env) bool {
	s := g.s
	n := cl.subj
	if n.end != n.first+1 || s.low(n.first) != "it" {
		return false
	}
	// "It was Bo who trained Uma."
	if cl.g.copula && len(cl.elems) > 0 && cl.elems[0].np != nil && cl.elems[0].kind == elemNP && !cl.g.neg {
		for _, r := range cl.elems[0].np.clauses {
			if (r.kind == clauseRelSubject || r.kind == clauseRelObject) && oneOf(s.low(r.first), "who", "whom", "that") {
				g.about(cl.elems[0].np, e)
				return true
			}
		}
	}
	last := -1
	for i, el := range cl.elems {
		if el.kind == elemComp && (el.mark == "that" || el.mark == "wh" && i > 0) || el.kind == elemText && el.mark == "to" {
			last = i
			break
		}
	}
	if last < 0 {
		return false
	}
	takes := oneOf(s.lemma(cl.g.main), "take", "cost", "need", "require") && last > 0 && cl.elems[last].mark == "to"
	if !(takes || cl.g.copula && last > 0 || s.lemma(cl.g.verb) == "be" && s.tag(cl.g.main) == "VBG" && cl.elems[last].mark == "that" || cl.g.passive && (cl.g.say || factiveVerbs.has(s.lemma(cl.g.main)))) {
		return false
	}
	fronts := g.fronted(cl, nil, e)
	el := cl.elems[last]
	pre := span{n.first, el.first}
	if el.mark == "that" {
		// The hedge goes with every triple of the content.
		in := el.cl
		g.clause(in, nil, env{front: append(fronts, phrase{{lit: ","}, {span: pre, lower: true}}), conf: e.conf - 0.1, past: e.past})
		return true
	}
	g.add(candidate{head: run(el.span), rel: run(cl.g.span), tail: g.elems(cl.elems[:last]), front: fronts,
		claim: join(word("it"), run(span{n.first + 1, el.end})), conf: e.conf - 0.1, at: cl.g.first})
	return true
}
