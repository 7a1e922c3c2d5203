package openie

import "strings"

// predicate reads a verb group at i and what follows it up to the end of the
// clause.
func (p *parser) predicate(i, lim int, c scope) (*clause, int) {
	s := p.s
	g, ok := s.verbGroup(i, lim)
	if !ok || c.depth > maxDepth {
		return nil, i
	}
	p.steps++
	c.depth++
	cl := &clause{span: span{i, g.end}, g: g}
	j := g.end
	// "to sell or merge X" is one relation: neither is said of X alone.
	if j+1 < lim && s.low(j) == "or" && !g.copula {
		if h, ok := s.verbGroup(j+1, lim); ok && h.form == s.tag(g.main) && h.end < lim && s.tag(h.end) != "IN" {
			g.end, j = h.end, h.end
		}
	}
	// Two verbs with the same object: "shot and killed a man".
	if j+1 < lim && s.tag(j) == "CC" && s.low(j) == "and" && !g.passive && !g.copula && !g.say {
		if h, ok := s.verbGroup(j+1, lim); ok && h.form == g.form && !h.passive && h.end < lim && !intransitive.has(s.lemma(g.main)) {
			if _, _, np := s.baseNP(h.end, lim); np && s.tag(h.end) != "PRP" && !p.nounThenVerb(h.end, lim) {
				cl.shared = h
				j = h.end
			}
		}
	}
	c.said = g.say && !g.copula
	add := func(e elem) {
		cl.elems = append(cl.elems, e)
		j = e.end
	}
loop:
	for j < lim && p.steps < 80*len(s.toks)+400 {
		p.steps++
		t, low := s.tag(j), s.low(j)
		switch {
		case t == "." || t == ")" || low == ";":
			break loop
		case t == "," || t == ":":
			if low == ":" && g.say && len(cl.elems) <= 1 && j+1 < lim && !c.inner {
				add(elem{kind: elemComp, span: span{j + 1, lim}, mark: "quote"})
				break loop
			}
			if t == ":" && low != ":" && p.closes(j, lim) {
				// "-- a, b --": set off, kept where it stands.
				add(elem{kind: elemText, span: span{j, p.closing(j, lim) + 1}})
				continue
			}
			e, stop := p.afterComma(cl, j, lim, c)
			if stop {
				break loop
			}
			if e.end > j+1 {
				add(e)
				continue
			}
			j++
		case t == "CC":
			next, stop := p.coordinate(cl, j, j+1, lim, c, false)
			if stop {
				break loop
			}
			if next > j {
				j = next
				if len(cl.conj) > 0 {
					break loop
				}
				continue
			}
			add(elem{kind: elemText, span: span{j, j + 1}, loose: true})
		case t == "''":
			if c.inner || c.comma {
				break loop
			}
			j++
		case t == "(":
			q, ok := s.close[j]
			if !ok || q >= lim {
				j++
				continue
			}
			add(elem{kind: elemText, span: span{j, q + 1}})
		case t == "``":
			q, ok := s.close[j]
			if ok && q < lim && g.say && s.verbs[q]-s.verbs[j] > 0 {
				add(elem{kind: elemComp, span: span{j, q + 1}, mark: "quote"})
				continue
			}
			if n, e := p.nounPhrase(j, lim, false, c); n != nil {
				add(elem{kind: elemNP, span: span{j, e}, np: n})
				continue
			}
			if ok && q < lim {
				add(elem{kind: elemText, span: span{j, q + 1}})
				continue
			}
			j++
		case adverbNouns.has(low) && s.tag(j+1) != "POS":
			add(elem{kind: elemAdv, span: span{j, j + 1}})
		case low == "that" && t != "DT" && p.nounThenVerbOrSub(j+1, lim):
			in, e := p.finiteClause(j+1, lim, scope{comma: c.comma, inner: true, depth: c.depth, spare: c.spare})
			if in == nil {
				add(elem{kind: elemText, span: span{j, j + 1}})
				continue
			}
			add(p.more(elem{kind: elemComp, span: span{j, e}, cl: in, mark: "that"}, lim, c))
		case p.clauseAfter(j, lim):
			e, ok := p.subordinate(j, lim, c)
			if !ok {
				add(elem{kind: elemText, span: span{j, j + 1}})
				continue
			}
			add(e)
		case low == "whether" || low == "if" || (t == "WP" || t == "WRB" || t == "WDT") && low != "which" && low != "who" || low == "who" && (len(cl.elems) == 0):
			in, e := p.wh(j, lim, c)
			if in == nil {
				add(elem{kind: elemText, span: span{j, j + 1}})
				continue
			}
			add(elem{kind: elemComp, span: span{j, e}, cl: in, mark: "wh"})
		case t == "VBD" && !c.spare && len(cl.elems) > 0 && cl.elems[len(cl.elems)-1].np != nil && cl.elems[len(cl.elems)-1].end == j && !closedVerb(low) &&
			(strings.HasSuffix(low, "ed") || irregularParticiple(low)) && (s.tag(j+1) == "IN" || s.tag(j+1) == "TO" || s.tag(j+1) == "VBN"):
			// "116 bodies found buried in a grave": no subject is left for a verb.
			s.toks[j].tag = "VBN"
			s.count()
			n := cl.elems[len(cl.elems)-1].np
			in, e := p.predicate(j, lim, scope{comma: true, inner: true, depth: c.depth})
			if in == nil {
				break loop
			}
			in.kind, in.ante = clausePart, n
			if len(n.items) == 0 {
				n.clauses = append(n.clauses, in)
			}
			add(elem{kind: elemText, span: span{j, e}})
		case p.ifInverted(j, lim):
			// "had the doctors come earlier": a condition.
			e := j + 1
			for e < lim && s.tag(e) != "," && s.tag(e) != ":" && s.tag(e) != "." {
				e++
			}
			add(elem{kind: elemText, span: span{j, e}})
		case s.finiteAt(j):
			break loop
		case words("when while if although though once unless until").has(low) && (s.tag(j+1) == "VBG" || s.tag(j+1) == "VBN" || s.adj(j+1)):
			if e, ok := p.verbless(j, lim, c); ok {
				add(e)
				continue
			}
			add(elem{kind: elemText, span: span{j, j + 1}})
		case t == "TO" && s.infinitive(j, lim):
			in, e := p.predicate(j, lim, scope{comma: c.comma, inner: true, depth: c.depth, spare: c.spare})
			if in == nil {
				j++
				continue
			}
			add(elem{kind: elemText, span: span{j, e}, cl: in, mark: "to"})
		case s.prepStart(j, lim) && (t != "VBG" || low == "following" && s.low(j-1) == "," || low == "including" && s.low(j-1) == ","):
			if e, ok := p.prepPhrase(j, lim, c); ok {
				add(e)
				continue
			}
			add(elem{kind: elemText, span: span{j, j + 1}})
		case t == "VBN" && c.spare && j == g.end && s.verbs[lim] == s.verbs[j]:
			break loop // "the book that he wrote sold well"
		case t == "VBG" && len(cl.elems) == 0 && p.clausal(g) && p.gerundThenVerb(j, lim):
			in, e := p.finiteClause(j, lim, scope{comma: c.comma, inner: true, depth: c.depth, spare: c.spare})
			if in == nil {
				j++
				continue
			}
			add(elem{kind: elemComp, span: span{j, e}, cl: in})
		case t == "VBG" || t == "VBN":
			if n, e := p.nounPhrase(j, lim, false, c); n != nil && (t == "VBN" || len(cl.elems) == 0 && !g.copula && s.noun(j+1)) {
				add(elem{kind: elemNP, span: span{j, e}, np: n})
				continue
			}
			in, e := p.predicate(j, lim, scope{comma: c.comma, inner: true, depth: c.depth, spare: c.spare})
			if in == nil {
				j++
				continue
			}
			add(elem{kind: elemText, span: span{j, e}, cl: in, mark: "ing"})
		case t == "RB" || t == "RBR" || t == "RBS" || t == "RP":
			if s.nominalAfterAdverb(j, lim) {
				if n, e := p.nounPhrase(j, lim, false, c); n != nil && e > j+1 {
					if p.clausalObject(cl, j, lim, c) {
						in, f := p.finiteClause(j, lim, scope{comma: c.comma, inner: true, depth: c.depth, spare: c.spare})
						if in != nil {
							add(elem{kind: elemComp, span: span{j, f}, cl: in})
							continue
						}
					}
					add(elem{kind: elemNP, span: span{j, e}, np: n})
					continue
				}
			}
			kind := elemAdv
			e := j + 1
			if s.adj(e) {
				kind = elemAdj
				e++
			}
			add(elem{kind: kind, span: span{j, e}})
		case t == "EX" && s.verb(j+1):
			in, e := p.finiteClause(j, lim, scope{comma: c.comma, inner: true, depth: c.depth, spare: c.spare})
			if in == nil || !(g.say || factiveVerbs.has(s.lemma(g.main))) {
				break loop
			}
			add(elem{kind: elemComp, span: span{j, e}, cl: in})
		default:
			if n := s.nominalStart(j, lim); n {
				if p.clausal(g) && !p.nounThenVerb(j, lim) && p.clauseLikely(j, lim) && s.tag(j) != "," && p.clausalObject(cl, j, lim, c) {
					// "believe the man who robbed the bank is hiding"
					if in, e := p.finiteClause(j, lim, scope{comma: c.comma, inner: true, depth: c.depth, spare: c.spare}); in != nil {
						add(p.more(elem{kind: elemComp, span: span{j, e}, cl: in}, lim, c))
						continue
					}
				}
				if p.nounThenVerb(j, lim) {
					if p.clausalObject(cl, j, lim, c) {
						in, e := p.finiteClause(j, lim, scope{comma: c.comma, inner: true, depth: c.depth, spare: c.spare})
						if in != nil {
							add(p.more(elem{kind: elemComp, span: span{j, e}, cl: in}, lim, c))
							continue
						}
					}
					if len(cl.elems) > 0 {
						break loop
					}
				}
				n, e := p.nounPhrase(j, lim, false, c)
				if n != nil {
					add(elem{kind: elemNP, span: span{j, e}, np: n})
					continue
				}
			}
			if s.adj(j) {
				e := j + 1
				for e < lim && (s.adj(e) || s.adverb(e) && s.adj(e+1) || s.tag(e) == "CC" && (s.adj(e+1) || s.adverb(e+1) && s.adj(e+2)) || s.tag(e) == "," && s.adj(e+1)) {
					e++
				}
				add(elem{kind: elemAdj, span: span{j, e}})
				continue
			}
			add(elem{kind: elemText, span: span{j, j + 1}})
		}
	}
	// The clause ends where its last constituent ends, not at a comma passed.
	end := g.end
	if cl.shared != nil {
		end = cl.shared.end
	}
	for _, e := range cl.elems {
		end = max(end, e.end)
	}
	for _, k := range cl.conj {
		end = max(end, k.end)
	}
	cl.end = end
	return cl, end
}

var resultVerbs = words("make leave mean cause prompt spark force enable")

var intransitive = words(`come go sit stand stop leave arrive die fall rise wait
	sleep run turn return move resign retire live walk play win lose continue
	work stay remain happen escape flee consist belong result depend arise appear
	serve refer collapse crash vanish emerge occur exist retire compete speak talk
	arrive fail succeed struggle travel`)

// ifInverted reports a condition without "if" at i: "had he known", "should it
// rain", "were they to leave".
func (p *parser) ifInverted(i, lim int) bool {
	s := p.s
	low := s.low(i)
	if low != "had" && low != "should" && low != "were" {
		return false
	}
	e, ok := p.cheapNP(i+1, lim, true)
	if !ok {
		return false
	}
	e = s.skipAdverbs(e, lim)
	switch t := s.tag(e); low {
	case "had":
		return s.verb(e) && t != "MD" && !beForms.has(s.low(e))
	case "should":
		return t == "VB"
	default:
		return t == "TO"
	}
}

// gerundThenVerb reports "backing the bill would help" at i.
func (p *parser) gerundThenVerb(i, lim int) bool {
	s := p.s
	e, ok := p.cheapNP(i+1, lim, true)
	if !ok {
		e = i + 1
		if s.preposition(e) {
			if e, ok = p.cheapNP(e+1, lim, true); !ok {
				return false
			}
		}
	}
	for e < lim && s.preposition(e) {
		f, ok := p.cheapNP(e+1, lim, true)
		if !ok {
			break
		}
		e = f
	}
	return s.verbStarts(e, lim)
}

// infinitive reports whether "to" at i opens a verb phrase.
func (s *sentence) infinitive(i, lim int) bool {
	k := s.skipAdverbs(i+1, lim)
	return k < lim && (s.tag(k) == "VB" || s.tag(k) == "VBP" && s.low(k) == s.lemma(k))
}

func (p *parser) nounThenVerbOrSub(j, lim int) bool {
	s := p.s
	for j < lim && (s.adverb(j) || s.tag(j) == "," || s.tag(j) == "``") {
		j++
	}
	if p.nounThenVerb(j, lim) || p.clauseAfter(j, lim) {
		return true
	}
	// "that in 1990 he left", "that the man who left died"
	if s.preposition(j) || s.nominalStart(j, lim) || s.tag(j) == "VBG" {
		return s.verbAfter(j, lim)
	}
	return false
}

// clausal reports whether the verb takes a clause without "that".
func (p *parser) clausal(g *group) bool {
	l := p.s.lemma(g.main)
	return g.say || factiveVerbs.has(l) || l == "see" || l == "mean" || l == "ensure" || l == "pray"
}

// clausalObject reports whether a clause without "that" may follow the verb.
func (p *parser) clausalObject(cl *clause, j, lim int, c scope) bool {
	s := p.s
	if c.spare && !p.spareVerb(j, lim) {
		return false
	}
	if n := len(cl.elems); n > 0 && cl.elems[n-1].kind == elemAdj && (cl.g.copula && n == 1 || s.lemma(cl.g.main) == "make" && s.low(j-1) == "sure") {
		return true // "is sure he left", "make sure they leave"
	}
	if !p.clausal(cl.g) || cl.g.passive && s.lemma(cl.g.main) != "tell" {
		return false
	}
	for _, e := range cl.elems {
		if e.kind == elemComp || e.kind == elemNP && !(e.end-e.first <= 3 && words("tell inform assure warn persuade convince remind ask advise promise").has(s.lemma(cl.g.main))) {
			return false
		}
	}
	return true
}

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

func (s *sentence) nominalAfterAdverb(i, lim int) bool {
	e, _, ok := s.baseNP(i, lim)
	return ok && e > i+1
}

// closes reports whether the dash at j has a partner before the clause ends.
func (p *parser) closes(j, lim int) bool { return p.closing(j, lim) > j }

func (p *parser) closing(j, lim int) int {
	s := p.s
	for k := j + 1; k < lim && k < j+30; k++ {
		if s.low(k) == s.low(j) {
			return k
		}
		if s.tag(k) == "." || s.low(k) == ";" {
			break
		}
	}
	return -1
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
			if g, ok := s.verbGroup(k+1, lim); !ok || !p.compatible(cl, g) || !(low == "and" || low == "or") || s.verbs[lim]-s.verbs[g.end] == 0 {
				return none, true
			}
		}
		next, stop := p.coordinate(cl, k, k+1, lim, c, true)
		if stop {
			return none, true
		}
		if next > k {
			return elem{kind: elemText, span: span{j, j + 1}, loose: true}, len(cl.conj) > 0
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
		if g, ok := s.verbGroup(k, lim); ok && !c.inner && g.form == cl.g.form && !g.say && (!closedVerb(s.low(g.verb)) || s.low(g.verb) == "did" && (s.tag(g.end) == "PRP$" || s.tag(g.end) == "DT")) && g.form != "MD" {
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
				if g.form == "VBG" && resultVerbs.has(s.lemma(g.verb)) {
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

// said reports whether the comma (or closing quote) at j opens an attribution
// that ends the sentence or stands inside it: ", police said", ", said X".
func (p *parser) said(j, lim int) bool {
	_, _, _, ok := p.attribution(j, lim)
	return ok
}

// attribution reads ", NP says" or ", says NP" at j and returns the speaker and
// the verb.
func (p *parser) attribution(j, lim int) (who *np, g *group, end int, ok bool) {
	s := p.s
	k := j
	for k < lim && (s.tag(k) == "," || s.tag(k) == "''" || s.tag(k) == ":" || s.tag(k) == ".") {
		k++
	}
	if k >= lim || k == j {
		return nil, nil, j, false
	}
	if e, o := p.cheapNP(k, lim, true); o {
		// An apposition may follow the speaker: ", X, the CEO, said".
		f := e
		if f < lim && s.tag(f) == "," {
			if m, o := p.cheapNP(f+1, lim, true); o && m < lim && s.tag(m) == "," {
				f = m + 1
			}
		}
		v, o := s.verbGroup(f, lim)
		if o && v.finite && (v.say || factiveVerbs.has(s.lemma(v.main))) && !v.passive && p.closesSaid(v.end, lim) {
			n, _ := p.nounPhrase(k, lim, true, scope{comma: true, depth: 3})
			if n == nil {
				return nil, nil, j, false
			}
			return n, v, v.end, true
		}
	}
	if v, o := s.verbGroup(k, lim); o && v.finite && quoteVerbs.has(s.lemma(v.main)) && v.end == v.first+1 {
		if s.nominalStart(v.end, lim) {
			n, e := p.nounPhrase(v.end, lim, false, scope{depth: 3})
			if n != nil && !s.verbStarts(e, lim) && s.tag(e) != "CC" && p.closesSaid(e, lim) {
				return n, v, e, true
			}
		}
	}
	return nil, nil, j, false
}

// closesSaid reports whether after a speech verb the attribution is over: the
// sentence ends, a comma or quote follows, or only an adverbial does.
func (p *parser) closesSaid(i, lim int) bool {
	s := p.s
	if i >= lim {
		return true
	}
	switch s.tag(i) {
	case "``":
		q, ok := s.close[i]
		return ok && s.verbs[min(q, lim)]-s.verbs[i] > 0
	case ",", ".", "''", ":", ")":
		return true
	case "IN", "TO", "RB", "NN", "NNP":
		return s.low(i) != "that" && !s.verbAfter(i, lim)
	}
	return false
}
