package openie

import (
	"strings"
)

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
	cl := &clause{span: span{i, g.end}, g: g, outer: c.outer}
	c.outer = g.form
	j := g.end
	// "to sell or merge X" is one relation: neither is said of X alone.
	if j+1 < lim && (s.low(j) == "or" || s.low(j) == "nor") && !g.copula {
		if h, ok := s.verbGroup(j+1, lim); ok && h.form == s.tag(g.main) && (h.end < lim && s.tag(h.end) != "IN" || s.low(j) == "nor") {
			g.end, j = h.end, h.end
		}
	}
	// Two verbs with the same object: "shot and killed a man".
	if j+1 < lim && s.tag(j) == "CC" && s.low(j) == "and" && !g.passive && !g.copula && !g.say {
		if h, ok := s.verbGroup(j+1, lim); ok && h.form == g.form && !h.passive && h.end < lim && !intransitive.has(s.lemma(g.main)) {
			if _, _, np := s.baseNP(h.end, lim); np && s.tag(h.end) != "PRP" && !p.nounThenVerb(h.end, lim) {
				cl.shared = []*group{h}
				j = h.end
			}
		}
	}
	if hs := p.verbList(g, lim); len(hs) > 0 && cl.shared == nil {
		cl.shared = hs
		j = hs[len(hs)-1].end
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
				if len(cl.conj) > 0 {
					j = next
					break loop
				}
				add(elem{kind: elemText, span: span{j, next}})
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
		case low != "whether" && p.clauseAfter(j, lim):
			e, ok := p.subordinate(j, lim, c)
			if !ok {
				add(elem{kind: elemText, span: span{j, j + 1}})
				continue
			}
			add(e)
		case low == "whether" || low == "if" || (t == "WP" || t == "WRB" || t == "WDT") && low != "which" && low != "who" || low == "who" && len(cl.elems) == 0 || low == "which" && p.asks(cl, j, lim):
			in, e := p.wh(j, lim, c)
			if in == nil {
				add(elem{kind: elemText, span: span{j, j + 1}})
				continue
			}
			add(elem{kind: elemComp, span: span{j, e}, cl: in, mark: "wh"})
		case t == "VBD" && !c.spare && len(cl.elems) > 0 && cl.elems[len(cl.elems)-1].np != nil && cl.elems[len(cl.elems)-1].end == j && !closedVerb(low) &&
			(strings.HasSuffix(low, "ed") || irregularParticiple(low)) && (s.tag(j+1) == "IN" || s.tag(j+1) == "TO" || s.tag(j+1) == "VBN" || s.adverb(j+1)):
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
		case low == "as" && (beForms.has(s.low(j+1)) || doForms.has(s.low(j+1))) && s.nominalStart(j+2, lim):
			// "as is Bo", "as did the others"
			e, _, _ := s.baseNP(j+2, lim)
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
		case oneOf(low, "when", "while", "if", "although", "though", "once", "unless", "until") && (s.tag(j+1) == "VBG" || s.tag(j+1) == "VBN" || s.adj(j+1)):
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
		case s.quantity(j) && s.nominalStart(j, lim):
			// "lasts up to 10 hours", "released about 25 singles"
			n, e := p.nounPhrase(j, lim, false, c)
			if n == nil {
				add(elem{kind: elemText, span: span{j, j + 1}})
				continue
			}
			add(elem{kind: elemNP, span: span{j, e}, np: n})
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
			if s.nominalStart(j, lim) {
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
				n, e := p.nounPhrase(j, p.objectEnd(cl, j, lim), false, c)
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
	for _, h := range cl.shared {
		end = max(end, h.end)
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

// asks reports whether "which" at j opens a question that the verb of cl takes
// ("determine which plan fits"), and no relative clause.
func (p *parser) asks(cl *clause, j, lim int) bool {
	if len(cl.elems) > 0 || j != cl.g.end || cl.g.passive {
		return false
	}
	if p.nounThenVerb(j+1, lim) {
		return true
	}
	e, _, ok := p.s.baseNP(j+1, lim) // "which coat the shop sold"
	return ok && p.nounThenVerb(e, lim)
}

// verbList reads the verbs that follow g in a list with one object for all:
// "designs, builds and sells ships". It returns nil when there is none.
func (p *parser) verbList(g *group, lim int) []*group {
	s := p.s
	if g.passive || g.copula || g.say || !g.finite || g.end != g.first+1 {
		return nil
	}
	var out []*group
	for j := g.end; j+1 < lim && len(out) < 8; {
		k := j
		if s.tag(k) == "," {
			k++
		}
		last := s.low(k) == "and"
		if last {
			k++
		}
		if k == j || len(out) == 0 && last {
			return nil
		}
		h, ok := s.verbGroup(k, lim)
		if !ok || h.form != g.form || h.end != k+1 || h.passive || h.copula {
			return nil
		}
		out = append(out, h)
		j = h.end
		if last {
			if _, _, ok := s.baseNP(j, lim); !ok || s.tag(j) == "PRP" || p.nounThenVerb(j, lim) {
				return nil
			}
			return out
		}
	}
	return nil
}

// objectEnd bounds the noun phrase that starts at j after the verb of cl: "stopped
// Bo | paying" and "gave Bo and Carl | books" have two complements. It returns
// lim where nothing bounds it.
func (p *parser) objectEnd(cl *clause, j, lim int) int {
	s := p.s
	if len(cl.elems) > 0 || cl.g.passive {
		return lim
	}
	switch l := s.lemma(cl.g.main); {
	case preventing.has(l):
		if e, _, ok := s.baseNP(j, lim); ok && e < lim && s.tag(e) == "VBG" && s.tag(e-1) != "," {
			return e
		}
	case twoObjects.has(l):
		k := j
		for k < lim && (s.proper(k) || k > j && (s.tag(k) == "CC" || s.tag(k) == ",") && (s.proper(k+1) || s.tag(k+1) == "CC")) {
			k++
		}
		if k == j || k >= lim || !s.proper(k-1) || s.proper(k) || !s.noun(k) {
			return lim
		}
		if e, head, ok := s.baseNP(k, lim); ok && !roleNoun(s.low(head), s.lemma(head)) && (s.tag(head) == "NNS" || e == lim || s.tag(e) == "." || s.tag(e) == "IN") {
			return k
		}
	}
	return lim
}

// preventing (lemmas) deny what their participle says: (Ana, stopped, Bo) alone
// would be another thing.
var preventing = words(`stop prevent keep hinder deter avoid imagine mind risk`)

// twoObjects (lemmas) take somebody and something.
var twoObjects = words(`give send offer hand lend pay teach bring sell award grant
	promise owe show tell buy serve deny read write`)

// objectVerbs (lemmas) report or notice and take a thing as their object at
// least as often as a clause without "that".
var objectVerbs = words(`write read hear find know show see discover describe
	call report announce ask order forget remember learn understand reveal propose
	demand consider observe notice confirm prove want post accept`)

var intransitive = words(`come go sit stand stop leave arrive die fall rise wait
	sleep run turn return move resign retire live walk play win lose continue
	work stay remain happen escape flee consist belong result depend arise appear
	serve refer collapse crash vanish emerge occur exist retire compete speak talk
	fail succeed struggle travel originate premiere debut evolve score qualify climb grow`)

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
	// "wrote the report, and Bo edited it": the conjunction joins two clauses.
	if e, ok := p.cheapNP(j, lim, false); ok && len(cl.elems) == 0 {
		comma := e < lim && s.tag(e) == ","
		if comma {
			e++
		}
		if e < lim && s.tag(e) == "CC" && (comma || objectVerbs.has(s.lemma(cl.g.main))) && p.nounThenVerb(e+1, lim) && s.tag(e-1) != "" {
			return false
		}
	}
	for _, e := range cl.elems {
		if e.kind == elemComp || e.kind == elemNP && !(e.end-e.first <= 3 && oneOf(s.lemma(cl.g.main), "tell", "inform", "assure", "warn", "persuade", "convince", "remind", "ask", "advise", "promise")) {
			return false
		}
	}
	return true
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
