package openie

import (
	"strings"
)

// fragment is a part of a sentence that holds no clause, with the reason.
type fragment struct {
	span
	reason string
}

// read parses the sentence and returns its clauses and what is left.
func (p *parser) read() ([]*clause, []fragment) {
	s := p.s
	n := len(s.toks)
	lim := n
	question := false
	for lim > 0 && !s.wordy(lim-1) && s.tag(lim-1) != ")" && s.low(lim-1) != "%" {
		if s.toks[lim-1].text == "?" {
			question = true
		}
		lim--
	}
	if question {
		return nil, []fragment{{span{0, n}, "question"}}
	}
	if lim == 0 {
		return nil, nil
	}
	// A closing quote or bracket whose partner is inside belongs to the text.
	for _, c := range sortedClose(s.close) {
		if c[1] >= lim && c[0] < lim {
			lim = min(n, c[1]+1)
		}
	}
	var out []*clause
	var rest []fragment
	for i, guard := 0, 0; i < lim && guard < n+5; guard++ {
		if t := s.tag(i); t == "," || t == ":" || t == "." || t == "''" || t == ")" || t == "CC" && i > 0 {
			i++
			continue
		}
		start := i
		cl, next, reason := p.mainClause(i, lim)
		if cl == nil {
			next = max(next, i+1)
			rest = append(rest, fragment{span{i, next}, reason})
			i = next
			continue
		}
		// ", police said" after the clause.
		if who, g, e, ok := p.attribution(next, lim); ok && cl.kind != clauseSaid {
			said := &clause{span: span{start, e}, kind: clauseSaid, subj: who, g: g, content: span{start, next}, inner: []*clause{cl}}
			if q, ok := p.quoteAfter(e, lim); ok {
				said.end = q
				e = q
			}
			out = append(out, said)
			i = e
			continue
		}
		out = append(out, cl)
		i = max(next, start+1)
		if more, e := p.gapped(cl, i, lim); len(more) > 0 {
			out = append(out, more...)
			i = e
		}
	}
	return out, rest
}

func sortedClose(m map[int]int) [][2]int {
	var out [][2]int
	for a, b := range m {
		out = append(out, [2]int{a, b})
	}
	// The result is used for a minimum and a maximum only; order is settled all
	// the same.
	for i := range out {
		for j := i + 1; j < len(out); j++ {
			if out[j][0] < out[i][0] {
				out[i], out[j] = out[j], out[i]
			}
		}
	}
	return out
}

// quoteAfter skips a second quotation after ", he said, “...”".
func (p *parser) quoteAfter(i, lim int) (int, bool) {
	s := p.s
	for i < lim && (s.tag(i) == "," || s.tag(i) == ".") {
		i++
	}
	if i < lim && s.tag(i) == "``" {
		if q, ok := s.close[i]; ok && q < lim {
			return q + 1, true
		}
	}
	return i, false
}

// mainClause reads a main clause at i: fronted phrases, subject, predicate. A
// nil clause comes with the position to go on from and the reason.
func (p *parser) mainClause(i, lim int) (*clause, int, string) {
	s := p.s
	start := i
	c := scope{}
	if s.tag(i) == "CC" {
		i++
	}
	// A list's number or letter: "1. Alice founded ...", "b) ...".
	if i == 0 && lim > 2 {
		t := s.toks[0].text
		if n := strings.TrimRight(t, ".)"); len(n) <= 3 && n != t && strings.Trim(n, "0123456789") == "" || len(n) == 1 && n != t {
			i = 1
		} else if (s.tag(0) == "CD" || s.tag(0) == "LS" || len(t) == 1 && t != "I" && t != "A") && (s.low(1) == "." || s.low(1) == ")") {
			i = 2
		}
		start = i
	}
	// A dateline: "Rome ( CNN ) Italy is ..."
	for k := i; k < i+4 && k+3 < lim && i == start && s.proper(k); k++ {
		if s.tag(k+1) == "(" && s.close[k+1] == k+3 && (s.noun(k+4) || s.tag(k+4) == "DT" || s.tag(k+4) == "IN" || s.adj(k+4)) {
			i = k + 4
			break
		}
	}
	var front []elem
	for n := 0; n < 8 && i < lim; n++ {
		t, low := s.tag(i), s.low(i)
		switch {
		case t == "," || t == "''" || t == ":":
			i++
			continue
		case t == "(" && s.close[i] > i && s.close[i] < lim && i == start+b2i(s.tag(start) == "CC"):
			i = s.close[i] + 1 // "( CNN ) A man ..."
			continue
		case t == "``":
			// A quotation with its speaker after it.
			if q, ok := s.close[i]; ok && q < lim {
				if who, g, e, ok := p.attribution(q, lim); ok && q > i+1 {
					cl := &clause{span: span{start, e}, kind: clauseSaid, subj: who, g: g, content: span{i, q + 1}, front: front}
					sub := &parser{s: s, nps: p.nps, order: p.order}
					for k := i + 1; k < q; {
						in, next, _ := sub.mainClause(k, q)
						if in != nil {
							cl.inner = append(cl.inner, in)
						}
						k = max(next, k+1)
					}
					p.order = sub.order
					if f, ok := p.quoteAfter(e, lim); ok {
						cl.end, e = f, f
					}
					return cl, e, ""
				}
				if s.nominalStart(i, lim) {
					break
				}
			}
			i++
			continue
		case i == start && oneOf(low, "yes", "yeah", "no", "ok", "okay", "sure", "yep", "nope") && (s.tag(i+1) == "," || s.tag(i+1) == "PRP"):
			i++ // an answer's first word
			continue
		case i == start && low == "not" && s.low(i+1) == "really" && s.tag(i+2) == ",":
			i += 3
			continue
		case low == "instead" && s.low(i+1) == "of" || low == "then" && s.low(i+1) == "-":
			e, ok := p.prepPhrase(i, lim, scope{comma: true, inner: true, depth: 1, spare: true, front: true})
			if !ok || e.end <= i+2 {
				return nil, p.skipTo(i, lim), "no clause found"
			}
			front = append(front, e)
			i = e.end
			continue
		case t == "UH" || discourse.has(low) && (s.adverb(i) || t == "CC" || t == "IN") && (s.tag(i+1) == "," || s.adverb(i)) && !p.clauseAfter(i, lim) && !s.quantity(i) && !(low == "so" && s.low(i+1) == "far"):
			i++
			continue
		case t == "EX":
			cl, e := p.predicate(i+1, lim, c)
			if cl != nil && cl.g.finite {
				cl.kind, cl.front, cl.first = clauseThere, front, start
				return cl, e, ""
			}
			return nil, p.skipTo(i, lim), "no clause found"
		case p.clauseAfter(i, lim):
			e, ok := p.subordinate(i, lim, c)
			if !ok {
				e, ok = p.asItStands(i, lim)
			}
			if !ok {
				return nil, p.skipTo(i, lim), "no clause found"
			}
			if e.cl != nil && e.end >= lim && len(front) == 0 {
				if conditional(e.mark) && e.mark != "so" {
					return nil, e.end, "condition without a main clause"
				}
				// "Because he left." stands alone: its content is stated.
				e.cl.first = start
				return e.cl, e.end, ""
			}
			front = append(front, e)
			i = e.end
			continue
		case !s.preposition(i) && oneOf(low, "when", "while", "if", "although", "though", "once", "unless", "until", "assuming", "supposing", "provided", "providing", "lest", "whenever", "wherever") && (t != "VBG" && t != "VBN" && t != "VBD" || p.conditionOf(i, lim)):
			e, ok := p.verbless(i, lim, c)
			if !ok {
				e, ok = p.asItStands(i, lim)
			}
			if !ok {
				return nil, p.skipTo(i, lim), "no clause found"
			}
			front = append(front, e)
			i = e.end
			continue
		case s.prepStart(i, lim) && !s.quantity(i) && (t != "VBG" || s.preposition(i)):
			if s.infinitive(i, lim) {
				if n, e := p.subject(i, lim, c); n != nil {
					return p.finish(start, n, front, e, lim, c)
				}
				in, e := p.predicate(i, lim, scope{comma: true, inner: true, depth: 1, spare: true, front: true})
				if in == nil {
					return nil, p.skipTo(i, lim), "no clause found"
				}
				front = append(front, elem{kind: elemText, span: span{i, e}, cl: in})
				i = e
				continue
			}
			e, ok := p.prepPhrase(i, lim, scope{comma: true, inner: true, depth: 1, spare: true, front: true})
			if !ok {
				return nil, p.skipTo(i, lim), "no clause found"
			}
			// "In the house lived X": the verb comes first.
			front = append(front, e)
			i = e.end
			continue
		case (t == "VBG" || t == "VBN") && !(s.nominalStart(i, lim) && p.nounThenVerb(i, lim)):
			if t == "VBG" {
				if n, e := p.subject(i, lim, c); n != nil && s.verbStarts(e, lim) {
					return p.finish(start, n, front, e, lim, c)
				}
			}
			in, e := p.predicate(i, lim, scope{comma: true, inner: true, depth: 1, spare: true, front: true})
			if in == nil || e >= lim || s.tag(e) != "," {
				return nil, p.skipTo(i, lim), "no verb with a subject"
			}
			in.kind = clausePart
			front = append(front, elem{kind: elemPart, span: span{i, e}, cl: in})
			i = e + 1
			continue
		case t == "VBD" && len(front) > 0 && front[len(front)-1].kind == elemSub && s.low(i-1) == ",":
			// "Before he left the house, called the Nest, it burned."
			s.toks[i].tag = "VBN"
			s.count()
			in, e := p.predicate(i, lim, scope{comma: true, inner: true, depth: 1, spare: true, front: true})
			if in == nil {
				return nil, p.skipTo(i, lim), "no subject"
			}
			front = append(front, elem{kind: elemText, span: span{i, e}})
			i = e
			continue
		case (low == "had" || low == "should" || low == "were") && len(front) == 0 && p.ifInverted(i, lim):
			e := i + 1
			for e < lim && s.tag(e) != "," {
				e++
			}
			if e >= lim {
				return nil, lim, "no verb with a subject"
			}
			front = append(front, elem{kind: elemText, span: span{i, e}, mark: "if"})
			i = e
			continue
		case low == "not" && s.low(i+1) == "only" && s.finiteAt(i+2):
			i += 2 // "Not only did he leave ...": he did
			continue
		case low == "not" && s.nominalAfterAdverb(i, lim):
			// "Not everyone ...", "Not a single ...": the subject begins here.
		case s.adverb(i) && !p.nounThenVerb(i, lim):
			e := s.skipAdverbs(i, lim)
			if s.preposition(e) || s.tag(e) == "IN" || s.tag(e) == "," || s.tag(e) == "PRP" || s.tag(e) == "DT" || s.noun(e) || s.tag(e) == "PRP$" || s.adj(e) || s.tag(e) == "EX" || s.tag(e) == "VBN" || s.tag(e) == "CD" || s.tag(e) == "VBG" || s.finiteAt(e) && closedVerb(s.low(e)) {
				front = append(front, elem{kind: elemAdv, span: span{i, e}})
				i = e
				continue
			}
		case s.adverb(i) && s.tag(i+1) == "," || s.adverb(i) && s.tag(i+1) == "PRP":
			front = append(front, elem{kind: elemAdv, span: span{i, i + 1}})
			i++
			continue
		}
		// A noun phrase that says when, in front.
		if e, ok := p.cheapNP(i, lim, false); ok {
			_, head, _ := s.baseNP(i, lim)
			if timeNouns.has(s.lemma(head)) && oneOf(s.low(e), "later", "ago", "earlier", "before", "after") {
				e++
				if s.tag(e) == "," || p.nounThenVerb(e, lim) {
					front = append(front, elem{kind: elemNP, span: span{i, e}})
					i = e
					continue
				}
			}
			if (timeNouns.has(s.lemma(head)) || s.tag(head) == "CD" && len(s.low(head)) == 4) && e < lim && (s.tag(e) == "," || p.nounThenVerb(e, lim) && !s.verbStarts(e, lim)) {
				k := e
				for k < lim && s.preposition(k) {
					f, ok := p.prepPhrase(k, lim, scope{comma: true, inner: true, depth: 1, spare: true, front: true})
					if !ok {
						break
					}
					k = f.end
				}
				front = append(front, elem{kind: elemNP, span: span{i, k}})
				i = k
				continue
			}
		}
		break
	}
	if i >= lim {
		return nil, lim, "no verb"
	}
	if s.tag(i) == "VB" && i == start || s.tag(i) == "VBP" && i == start && s.lemma(i) == s.low(i) && i == 0 {
		return nil, p.skipTo(i, lim), "imperative"
	}
	// "Only after the war did Bo return": the auxiliary stands before its subject.
	if s.finiteAt(i) && i > start && closedVerb(s.low(i)) {
		if n, e := p.nounPhrase(i+1, lim, true, c); n != nil {
			if e < lim && s.tag(e) == "VBD" && haveForms.has(s.low(i)) {
				s.toks[e].tag = "VBN"
				s.count()
			}
			if e < lim && s.tag(e) == "VBP" && s.low(e) == s.lemma(e) {
				s.toks[e].tag = "VB"
				s.count()
			}
			if g, ok := s.verbGroup(e, lim); ok && !g.finite && (g.form == "VB" || g.form == "VBN" || g.form == "VBG") {
				if cl, f := p.predicate(e, lim, c); cl != nil {
					cl.lead, cl.g.finite, cl.subj, cl.first = span{i, i + 1}, true, n, start
					cl.front = front
					return cl, f, ""
				}
			}
		}
	}
	if s.finiteAt(i) || (s.tag(i) == "VB" || s.tag(i) == "VBN" && len(front) == 0) {
		if s.tag(i) == "VB" {
			return nil, p.skipTo(i, lim), "imperative"
		}
		// "In the house lived X."
		if len(front) > 0 && front[len(front)-1].kind == elemPP {
			if g, ok := s.verbGroup(i, lim); ok && !g.say {
				if n, e := p.nounPhrase(g.end, lim, true, c); n != nil && !s.verbStarts(e, lim) {
					cl := &clause{span: span{start, e}, subj: n, g: g, elems: front[len(front)-1:], front: front[:len(front)-1]}
					return cl, e, ""
				}
			}
		}
		return nil, p.skipTo(i, lim), "no subject"
	}
	n, e := p.subject(i, lim, c)
	if n == nil {
		// An adjective phrase in front: "Unhappy with X, Y left".
		if s.adj(i) {
			k := i
			for k < lim && s.tag(k) != "," && s.tag(k) != ":" {
				k++
			}
			if k < lim && s.tag(k) == "," && k-i < 15 && s.verbs[k] == s.verbs[i] {
				if cl, e, _ := p.mainClause(k+1, lim); cl != nil {
					cl.front = append([]elem{{kind: elemText, span: span{i, k}}}, cl.front...)
					cl.front = append(front, cl.front...)
					cl.first = start
					return cl, e, ""
				}
			}
		}
		return nil, p.skipTo(i, lim), "no verb with a subject"
	}
	return p.finish(start, n, front, e, lim, c)
}

// quantity reports "more than 40", "at least 12", "about half" at i: the start
// of a noun phrase that looks like a preposition.
func (s *sentence) quantity(i int) bool {
	if !quantityLead.has(s.low(i)) {
		return false
	}
	for k := i + 1; k < i+4; k++ {
		switch {
		case s.tag(k) == "CD" || s.tag(k) == "$" || s.low(k) == "half":
			return true
		case s.low(k) == "than" || s.low(k) == "least" || s.low(k) == "most" || s.low(k) == "to" || s.low(k) == "a" && k == i+1 && s.low(i) == "just" || s.low(k) == "as" || s.low(k) == "many":
		default:
			return false
		}
	}
	return false
}

// finish reads the predicate of the subject n that ends at e.
func (p *parser) finish(start int, n *np, front []elem, e, lim int, c scope) (*clause, int, string) {
	s := p.s
	extra, j := p.interruption(e, lim, c)
	for j < lim && (s.tag(j) == "''" || s.tag(j) == "``" && s.verbStarts(j+1, lim)) {
		j++
	}
	k := s.skipAdverbs(j, lim)
	participle := k < lim && s.tag(k) == "VBN"
	if participle {
		// A past that the tagger took for a participle.
		s.toks[k].tag = "VBD"
	}
	if !s.verbStarts(j, lim) {
		// "One of the oldest towns, Basel has ...": the phrase in front is said of
		// the subject after the comma.
		if e < lim && s.tag(e) == "," && p.nounThenVerb(e+1, lim) && len(n.items) == 0 && (n.end-n.first > 1) && !timeNouns.has(s.lemma(n.head)) && (s.tag(n.first) == "DT" || s.tag(n.first) == "CD" || s.adj(n.first) || roleNoun(s.low(n.head), s.lemma(n.head))) {
			if cl, f, _ := p.mainClause(e+1, lim); cl != nil && cl.kind == clauseFull && cl.subj != nil && len(cl.subj.items) == 0 && !cl.g.say &&
				(s.proper(cl.subj.head) || s.low(cl.subj.first) == "the") && (s.tag(n.head) == "NNS") == (s.tag(cl.subj.head) == "NNS" || s.low(n.first) == "one") {
				cl.subj.appos = append(cl.subj.appos, n)
				cl.front = append(front, cl.front...)
				cl.first = start
				return cl, f, ""
			}
		}
		return nil, p.skipTo(max(j, e)-1, lim), "no verb"
	}
	// "police said X was ...": an attribution in front is an ordinary clause.
	cl, f := p.predicate(j, lim, c)
	if cl == nil {
		return nil, p.skipTo(j, lim), "no verb"
	}
	cl.subj, cl.first, cl.participle = n, start, participle
	cl.front = append(append(front, extra...), cl.front...)
	return cl, f, ""
}

// skipTo returns the next place where a clause may start.
func (p *parser) skipTo(i, lim int) int {
	s := p.s
	for k := i + 1; k < lim; k++ {
		if s.low(k) == ";" || s.tag(k) == ":" || s.tag(k) == "." {
			return k
		}
		if (s.tag(k) == "," || s.tag(k) == "CC") && p.nounThenVerb(k+1, lim) {
			return k
		}
	}
	return lim
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
