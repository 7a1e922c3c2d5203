package openie

// env is what a clause inherits from those around it.
type env struct {
	front []phrase // fronted phrases that belong to every triple of the clause
	past  bool     // the tense for participles
	conf  float64
}

// candidate is a triple before its labels are written.
type candidate struct {
	head, rel, tail phrase
	// front is added to the tail and opens the claim.
	front []phrase
	// claim is the sentence without front, when it is not head + rel + tail.
	claim phrase
	// said is what the claim says after the head, when it is not rel + tail.
	said phrase
	np   *np
	conf float64
	at   int
}

// generator turns clauses into candidates.
type generator struct {
	s          *sentence
	opts       Options
	out        []candidate
	seenClause map[*clause]bool
	// lost are the clauses that state nothing.
	lost []fragment
}

func (g *generator) add(c candidate) {
	if len(c.head) == 0 || len(c.rel) == 0 || len(c.tail) == 0 && len(c.front) == 0 {
		return
	}
	g.out = append(g.out, c)
}

// label returns the phrase that names n.
func (g *generator) label(n *np) phrase {
	cuts := append([]span(nil), n.cuts...)
	if len(n.items) == 0 && !g.keepsRestriction(n) {
		cuts = append(cuts, n.restrict...)
	}
	for _, it := range n.items {
		if !g.keepsRestriction(it) {
			cuts = append(cuts, it.restrict...)
		}
	}
	cuts = append(cuts, g.titleCut(n)...)
	return minus(n.span, cuts)
}

// keepsRestriction reports whether n means something else without its
// restrictive clauses: "no patient who smokes", "people living in Rome".
func (g *generator) keepsRestriction(n *np) bool {
	s := g.s
	first := s.low(n.first)
	switch {
	case n.whole:
		return true
	case first == "a" || first == "an":
		return false
	case s.proper(n.head) && !s.noun(n.head+1) && s.tag(n.first) != "DT":
		return false
	case s.tag(n.first) == "PRP$":
		return false
	}
	return true
}

// clauses walks the main clauses.
func (g *generator) clauses(cls []*clause) {
	for _, cl := range cls {
		g.clause(cl, nil, env{conf: 0.9})
	}
}

// fronted splits what stands before the subject into what goes with every
// triple of the clause, and walks the clauses in it.
func (g *generator) fronted(cl *clause, subj []arg, e env) []phrase {
	var out []phrase
	s := g.s
	for _, f := range cl.front {
		switch {
		case f.kind == elemPart:
			if f.cl != nil {
				g.participle(f.cl, subj, e)
			}
		case f.mark == "adjective":
			for _, a := range subj {
				be := map[bool]string{true: "was", false: "is"}[e.past]
				if g.plural(a) {
					be = map[bool]string{true: "were", false: "are"}[e.past]
				}
				g.add(candidate{head: a.ph, rel: word(be), tail: run(f.span), np: a.np, conf: e.conf - 0.15, at: f.first})
			}
		case f.kind == elemAdv && f.end-f.first == 1 && discourse.has(s.low(f.first)):
		case f.kind == elemSub:
			ph := g.elems([]elem{f})
			ph[0].lower = true
			out = append(out, ph)
			if !conditional(f.mark) {
				g.clause(f.cl, nil, env{conf: e.conf - 0.15, past: e.past})
			}
		default:
			ph := g.elems([]elem{f})
			if len(ph) == 0 {
				continue
			}
			ph[0].lower = true
			// "despite these changes in function": one phrase.
			if n := len(out); n > 0 && ph[0].lit == "" && out[n-1][len(out[n-1])-1].end == ph[0].first {
				ph[0].lower = false
				out[n-1] = merge(join(out[n-1], ph))
			} else {
				out = append(out, ph)
			}
			if f.np != nil {
				g.about(f.np, e)
			}
		}
	}
	return out
}

// clause adds the triples of cl. subj is given for clauses without a subject of
// their own.
func (g *generator) clause(cl *clause, subj []arg, e env) {
	if cl == nil || g.seenClause[cl] {
		return
	}
	g.seenClause[cl] = true
	s := g.s
	if cl.kind == clauseSaid {
		g.said(cl, e)
		return
	}
	if cl.g.finite {
		e.past = s.past(cl.g) || cl.asPast
	}
	if cl.kind == clauseThere {
		g.there(cl, e)
		return
	}
	if subj == nil {
		subj = g.args(cl.subj, cl)
	}
	if len(subj) == 0 {
		return
	}
	if cl.subj != nil {
		if g.expletive(cl, e) {
			return
		}
		g.about(cl.subj, e)
	}
	fronts := append(append([]phrase(nil), e.front...), g.fronted(cl, subj, e)...)
	// "was written and produced by Bo": both by Bo.
	all := append([]*clause{cl}, cl.conj...)
	for i := len(all) - 2; i >= 0; i-- {
		if a, b := all[i], all[i+1]; a.g.passive && b.g.passive && len(a.elems) == 0 && len(b.elems) > 0 && b.elems[0].kind == elemPP && s.low(b.elems[0].prep.first) == "by" {
			a.elems = b.elems[:1]
		}
	}
	g.predicate(cl, cl.g, subj, fronts, e)
	for _, h := range cl.shared {
		g.predicate(cl, h, subj, fronts, e)
	}
	for _, k := range cl.conj {
		if k.subj != nil {
			g.clause(k, nil, env{front: fronts, conf: e.conf - 0.05, past: e.past})
			continue
		}
		own := subj
		if cl.subj != nil && len(cl.subj.items) > 1 {
			own = g.args(cl.subj, k)
		}
		in := e
		in.conf -= 0.05
		if k.g.finite {
			in.past = s.past(k.g) || k.asPast
		}
		f := append(append([]phrase(nil), fronts...), g.fronted(k, own, in)...)
		g.seenClause[k] = true
		g.predicate(k, k.g, own, f, in)
		for _, h := range k.shared {
			g.predicate(k, h, own, f, in)
		}
	}
}

// elems returns the phrase of constituents as they stand in the text, without
// what was set off in them.
func (g *generator) elems(es []elem) phrase { return g.elemsFrom(-1, es) }

// elemsFrom is elems with the end of what stands before, so that a comma
// between the two is kept.
func (g *generator) elemsFrom(prev int, es []elem) phrase {
	if len(es) == 0 {
		return nil
	}
	var out phrase
	for _, e := range es {
		if e.kind == elemPart {
			prev = -1
			continue
		}
		r := e.span
		if prev >= 0 && prev < r.first {
			// Commas between constituents stay.
			r.first = prev
		}
		prev = e.end
		var cuts []span
		if e.np != nil {
			lab := g.label(e.np)
			if !e.prep.empty() || r.first < e.np.first {
				out = append(out, run(span{r.first, e.np.first})...)
			}
			out = append(out, lab...)
			if e.end > e.np.end {
				out = append(out, run(span{e.np.end, e.end})...)
			}
			continue
		}
		out = append(out, minus(r, cuts)...)
	}
	return merge(out)
}

// merge joins neighbouring runs.
func merge(p phrase) phrase {
	var out phrase
	for _, q := range p {
		if n := len(out); n > 0 && q.lit == "" && out[n-1].lit == "" && out[n-1].end == q.first && !q.lower {
			out[n-1].end = q.end
			continue
		}
		out = append(out, q)
	}
	return out
}

// undergone reports whether a participle that stands for a finite verb is one of
// a verb that needs an object, and has none.
func (g *generator) undergone(cl *clause, gr *group) bool {
	if intransitive.has(g.s.lemma(gr.main)) || gr.end <= cl.end && g.s.verbs[cl.end] > g.s.verbs[gr.end] {
		return false // another verb may be the clause's own
	}
	for _, e := range cl.elems {
		switch e.kind {
		case elemAdv:
			continue
		case elemPP:
			return true
		case elemText:
			return g.s.preposition(e.first) // "as having"
		case elemAdj:
			return g.s.lemma(gr.main) == "find" // "found guilty"
		}
		return false
	}
	return true
}

// verbs returns the phrase of a verb group for one subject.
func (g *generator) verbs(cl *clause, gr *group, a arg, e env) phrase {
	s := g.s
	var out phrase
	lost := onlyParticiples.has(s.low(gr.main)) || s.low(gr.main) == "aged" && s.tag(gr.main+1) == "CD" ||
		(cl.asPast || cl.participle || s.tag(gr.main) == "VBD" && doneTo.has(s.lemma(gr.main))) && g.undergone(cl, gr)
	if gr.finite && gr.verb == gr.main && cl.lead.empty() && lost {
		// "... and taken to hospital", "Thousands caught up in the delay": a
		// passive that lost its auxiliary.
		be := "was"
		if g.plural(a) {
			be = "were"
		}
		return join(word(be), run(gr.span))
	}
	if gr.finite || gr.form == "MD" || !cl.lead.empty() {
		lead := cl.lead
		first := gr.verb
		if !lead.empty() {
			first = lead.first
		}
		agreed := ""
		if a.singular {
			t := s.toks[first]
			if f := singular(t.low, t.tag, t.lemma); f != t.low {
				agreed = f
			}
		}
		own := gr.span
		if s.low(own.first) == "not" && s.low(own.first+1) == "only" {
			own.first += 2 // "not only X but also Y" states both
		}
		if low := s.low(own.first); a.singular && (low == "all" || low == "both" || low == "each") {
			own.first++
		}
		body := join(run(lead), run(own))
		if agreed != "" {
			var fixed phrase
			for _, q := range body {
				if q.first <= first && first < q.end {
					fixed = join(fixed, run(span{q.first, first}), phrase{{span: span{first, first + 1}, lit: agreed}}, run(span{first + 1, q.end}))
				} else {
					fixed = append(fixed, q)
				}
			}
			body = fixed
		}
		return body
	}
	// A participle becomes finite.
	switch gr.form {
	case "VBG":
		lemma := s.lemma(gr.verb)
		w := third(lemma)
		if g.plural(a) {
			w = lemma
		}
		if e.past {
			w = past(lemma, s.low(gr.verb))
		}
		if lemma == "be" {
			w = map[bool]string{true: "was", false: "is"}[e.past]
			if g.plural(a) {
				w = map[bool]string{true: "were", false: "are"}[e.past]
			}
		}
		pre := run(span{gr.first, gr.verb})
		if gr.neg {
			pre = nil
			w = map[bool]string{true: "did not ", false: "does not "}[e.past] + lemma
		}
		out = join(pre, phrase{{span: span{gr.verb, gr.verb + 1}, lit: w}}, run(span{gr.verb + 1, gr.end}))
	case "VBN":
		// Beside a present tense a participle tells of the past, unless it says
		// how things are ("based in").
		was := e.past || !stateVerbs.has(s.lemma(gr.main))
		be := map[bool]string{true: "was", false: "is"}[was]
		if g.plural(a) {
			be = map[bool]string{true: "were", false: "are"}[was]
		}
		out = join(word(be), phrase{{span: gr.span, lower: true}})
	default:
		out = run(gr.span)
	}
	return out
}

// predicate adds the triples of one verb group.
func (g *generator) predicate(cl *clause, gr *group, subj []arg, fronts []phrase, e env) {
	s := g.s
	es := cl.elems
	for i, el := range es {
		el.fact = el.kind == elemComp && el.mark != "wh" && factiveVerbs.has(s.lemma(gr.main)) && !gr.say && !gr.passive && s.tag(gr.verb) != "MD" && gr.end-gr.verb <= 3
		if i == 0 && el.kind == elemNP && el.np != nil && s.tag(el.np.first) == "DT" && !s.proper(el.np.head) && len(el.np.items) == 0 && g.identifies(gr, subj) {
			g.aboutAs(el.np, subj, e)
			continue
		}
		if el.np != nil && g.unreal(gr, el.np) {
			el.np.whole = true
			continue // "wants a team that wins": there is none yet
		}
		g.inside(el, subj, e)
	}
	es = withoutParts(es)
	// Leading adverbs belong to the relation where a preposition follows.
	lead := 0
	for lead < len(es) && es[lead].kind == elemAdv {
		lead++
	}
	for _, a := range subj {
		rel := g.verbs(cl, gr, a, e)
		c := candidate{head: a.ph, rel: rel, front: fronts, np: a.np, conf: e.conf, at: gr.first}
		switch {
		case len(es) == 0 && gr.say && !gr.passive && !gr.neg && gr.end == gr.verb+1 && quoteVerbs.has(s.lemma(gr.main)):
			// "he said" without what he said states nothing; "he cried" may.
			if voiceVerbs.has(s.lemma(gr.main)) {
				c.said = rel
				c.rel, c.tail = g.bare(gr, rel, nil)
				c.conf -= 0.15
				g.add(c)
				break
			}
			g.lost = append(g.lost, fragment{span{cl.first, max(gr.end, cl.end)}, "no claim: says that something is said, not what"})
		case len(es) == 0 && gr.passive && gr.say && a.np != nil && a.np.end == a.np.first+1 && s.low(a.np.first) == "it":
			// Nor does "it is alleged".
		case len(es) == 0 && len(fronts) == 0:
			c.said = rel
			c.rel, c.tail = g.bare(gr, rel, nil)
			c.conf -= 0.15
			g.add(c)
		case len(es) == 0:
			c.rel, c.tail = rel, nil
			g.add(c)
		case lead < len(es) && es[lead].kind == elemPP && es[lead].np != nil:
			pp := es[lead]
			c.rel = merge(join(rel, g.elems(es[:lead]), run(span{pp.first, pp.prep.end})))
			for _, t := range g.distribute(pp.np, gr, s.low(pp.prep.end-1), es[lead+1:]) {
				c.tail = t
				g.add(c)
			}
		case es[0].kind == elemComp && es[0].mark == "that":
			c.rel = merge(join(rel, run(span{es[0].first, es[0].first + 1})))
			c.tail = merge(join(run(span{es[0].first + 1, es[0].end}), g.elems(es[1:])))
			g.add(c)
		case lead < len(es) && es[lead].kind == elemNP && es[lead].np != nil:
			c.rel = merge(join(rel, g.elems(es[:lead])))
			for _, t := range g.distribute(es[lead].np, gr, "", es[lead+1:]) {
				c.tail = t
				g.add(c)
			}
		default:
			c.tail = g.elems(es)
			g.add(c)
		}
	}
}

// unreal reports whether the object n of a verb need not exist, so that what a
// clause says of it is no fact: something wanted, or denied, and named with "a",
// "any" or nothing.
func (g *generator) unreal(gr *group, n *np) bool {
	s := g.s
	if !(gr.neg || wanting.has(s.lemma(gr.main)) && !gr.passive) || len(n.items) > 0 {
		return false
	}
	return oneOf(s.low(n.first), "a", "an", "any", "another") || s.tag(n.head) == "NNS" && s.tag(n.first) != "DT" && s.tag(n.first) != "PRP$"
}

// identifies reports whether a verb group says without doubt what its one,
// named subject is.
func (g *generator) identifies(gr *group, subj []arg) bool {
	s := g.s
	if !gr.copula || gr.neg || gr.form == "MD" || len(subj) != 1 || subj[0].np == nil || len(subj[0].np.items) > 0 || subj[0].np.gerund {
		return false
	}
	l := s.lemma(gr.main)
	h := subj[0].np.head
	return (l == "be" || l == "become" || l == "remain") && gr.end-gr.verb <= 2 && s.tag(h) != "PRP" && s.tag(h) != "DT" && !negative(s.low(subj[0].np.first))
}

func withoutParts(es []elem) []elem {
	var out []elem
	for _, e := range es {
		if e.kind != elemPart {
			out = append(out, e)
		}
	}
	// A conjunction or comma left at the end joins nothing.
	for len(out) > 0 {
		l := out[len(out)-1]
		if l.kind == elemText && l.cl == nil && l.loose {
			out = out[:len(out)-1]
			continue
		}
		break
	}
	return out
}

// bare splits a verb group without complement so that the triple has a tail:
// "was | arrested", "did | die".
func (g *generator) bare(gr *group, rel phrase, more phrase) (phrase, phrase) {
	s := g.s
	m := gr.main
	if gr.verb < m {
		var a, b phrase
		for _, q := range rel {
			switch {
			case q.lit != "" || q.end <= m:
				a = append(a, q)
			case q.first >= m:
				b = append(b, q)
			default:
				a = append(a, piece{span: span{q.first, m}})
				b = append(b, piece{span: span{m, q.end}})
			}
		}
		if len(a) > 0 {
			return a, join(b, more)
		}
	}
	if len(rel) > 1 {
		return rel[:1], join(rel[1:], more)
	}
	do := map[string]string{"VBD": "did", "VBZ": "does", "VBP": "do"}[gr.form]
	if do == "" {
		do = "did"
	}
	return word(do), join(run(span{gr.first, gr.verb}), phrase{{span: span{m, m + 1}, lit: s.lemma(m)}}, run(span{m + 1, gr.end}), more)
}
