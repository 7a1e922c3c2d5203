package openie

import (
	"strings"

	"github.com/kgeval/kgeval/nlp"
)

// strayPlace returns the end, past its comma, of a bare noun phrase at j that
// only a comma and the verb follow, and j when there is none.
func (p *parser) strayPlace(j, lim int) int {
	s := p.s
	e, head, ok := s.baseNP(j, lim)
	if !ok || s.tag(j) == "DT" || s.tag(j) == "PRP" || e-j > 3 || s.tag(head) == "CD" || e >= lim || s.tag(e) != "," {
		return j
	}
	if s.verbStarts(e+1, lim) || s.tag(e+1) == "VBN" {
		return e + 1
	}
	return j
}

// inserted reads what stands between commas or dashes after n: a relative
// clause, an apposition, a participial clause, an age. It returns the end, past
// the closing comma, or j when there is nothing of the kind.
func (p *parser) inserted(j, lim int, n *np, subject bool, c scope) (int, bool) {
	s := p.s
	k := j + 1
	if k >= lim || c.depth > maxDepth {
		return j, false
	}
	sep := s.tag(j)
	dash := sep == ":"
	shut := func(e int) int {
		if e < lim && (s.tag(e) == "," && !dash || dash && s.low(e) == s.low(j)) {
			return e + 1
		}
		return e
	}
	ends := func(e int) bool {
		if e >= lim {
			return true
		}
		t := s.tag(e)
		return t == "," && !dash || t == ":" || t == "." || t == ")" || t == "''"
	}
	t, low := s.tag(k), s.low(k)
	if low == "which" && (s.personName(n) || p.misfit(n, k, lim, c)) {
		return j, false // "which" is not said of a person: it belongs further out
	}
	if s.tag(n.head) == "CD" && (s.relativePrep(k, lim) || low == "which") {
		return j, false
	}
	if t == "VBD" && subject && !c.comma && (s.tag(k+1) == "IN" || s.tag(k+1) == "TO") && strings.HasSuffix(low, "ed") && p.verbAfterComma(k+1, lim) {
		s.toks[k].tag = "VBN"
		t = "VBN"
	}
	switch {
	case t == "WP" && low != "what" || t == "WDT" || t == "WP$" || s.relativePrep(k, lim) || t == "WRB" && (low == "where" || low == "when") && !dash && p.nounThenVerb(k+1, lim) && (low == "where" || calendar.has(s.low(n.head)) || timeNouns.has(s.lemma(n.head)) || year(s.low(n.head))):
		cl, e := p.relative(k, lim, n, scope{comma: true, depth: c.depth, spare: subject})
		if cl == nil {
			return j, false
		}
		n.clauses = append(n.clauses, cl)
		return shut(e), true
	case (t == "DT" || t == "CD" || t == "JJ" || t == "NN" || t == "NNS") && s.low(k+1) == "of" && (s.low(k+2) == "which" || s.low(k+2) == "whom"):
		return j, false
	case t == "CD" && (s.tag(k+1) == "," || s.tag(k+1) == "." || k+1 == lim) && s.person(n) && len(low) < 4:
		n.notes = append(n.notes, span{k, k + 1})
		return shut(k + 1), true
	case (t == "VBN" || t == "VBG" && low != "including" && low != "according" || s.adverb(k) && (s.tag(k+1) == "VBN" || s.tag(k+1) == "VBG")) && subject && !c.comma && (p.verbAfterComma(k, lim) || dash && p.closes(j, lim)):
		cl, e := p.predicate(k, lim, scope{comma: true, inner: true, depth: c.depth})
		if cl == nil || !ends(e) {
			return j, false
		}
		cl.kind, cl.ante = clausePart, n
		n.clauses = append(n.clauses, cl)
		return shut(e), true
	}
	// Apposition.
	if s.tag(n.head) == "PRP" || c.comma && !subject && sep == "," && s.tag(k) != "DT" && s.tag(k) != "PRP$" && !s.proper(k) {
		return j, false
	}
	if s.low(k) == "including" || s.tag(k) == "PRP" || s.tag(k) == "VBG" || p.listAt(j, lim, subject, c) {
		return j, false
	}
	role := k // where the apposition's own words begin: "formerly the mayor"
	if oneOf(low, "formerly", "previously", "once", "now", "currently", "also", "later") && s.adverb(k) && s.nominalStart(k+1, lim) {
		k++
	}
	e, head, ok := s.baseNP(k, lim)
	if !ok {
		return j, false
	}
	if timeNouns.has(s.lemma(head)) && !timeNouns.has(s.lemma(n.head)) || s.tag(head) == "CD" || s.tag(head) == "DT" || demonstratives.has(s.low(k)) {
		// A time is no apposition, except inside a date.
		if s.tag(head) == "CD" && e == k+1 && calendar.has(s.low(n.head-1)) {
			return j, false
		}
		return j, false
	}
	if calendar.has(s.low(n.first)) && s.tag(n.core.end-1) == "CD" || s.tag(n.head) == "CD" && year(s.low(n.head)) {
		return j, false // after a date a new phrase begins
	}
	if c.bare && (s.tag(k) == "DT" || s.tag(k) == "PRP$" || e-k > 3) {
		return j, false
	}
	if t := s.tag(n.first); t == "$" || s.tag(n.head) == "CD" && !subject {
		return j, false // "to $2m, its lowest level": about the change
	}
	if s.low(head) == "move" || s.low(head) == "step" || s.low(head) == "decision" || s.low(head) == "result" {
		return j, false // about the clause, not the phrase
	}
	if f := s.tag(k); !s.proper(head) && !s.proper(n.head) && f != "DT" && f != "PRP$" && f != "CD" && f != "``" && s.low(e) != "of" && !roleNoun(s.low(head), s.lemma(head)) && s.tag(e-2) != "POS" && !(s.tag(n.first) == "DT" && s.noun(k) && e < lim && s.tag(e) == ",") {
		return j, false
	}
	a, f := p.simpleNP(k, lim, true, scope{comma: true, inner: true, depth: c.depth})
	if a == nil || !ends(f) {
		// A closing coordination inside the apposition: ", the head of A and B,".
		a, f = p.nounPhrase(k, lim, true, scope{comma: true, inner: true, depth: c.depth})
		if a != nil && f < lim && s.tag(f) == "CC" && s.adverb(f+1) {
			// "a former teacher and now a writer"
			if e, ok := p.cheapNP(f+2, lim, true); ok && ends(e) {
				a.core.end, a.end, f = e, e, e
			}
		}
		if a == nil || !ends(f) {
			return j, false
		}
	}
	if f < lim && s.tag(f) == "," && !dash {
		// "A, B, C" without a conjunction is a list; ", NP, NP VG" starts a clause.
		if s.tag(f+1) == "CC" && !p.s.verbStarts(f+2, lim) && !subject {
			if _, _, ok := s.baseNP(f+2, lim); ok && !p.nounThenVerb(f+2, lim) {
				return j, false
			}
		}
	}
	if subject && !s.verbAfter(f, lim) {
		return j, false
	}
	// Two places, one in the other, are one label: "Paris, France".
	if bare := n.first > 0 && s.preposition(n.first-1) && n.core.end-n.core.first <= 3 && s.noun(n.core.first) && s.noun(a.core.first) && s.tag(a.head) != "NNS" && s.tag(n.head) != "NNS" &&
		!roleNoun(s.low(n.head), s.lemma(n.head)) && !roleNoun(s.low(a.head), s.lemma(a.head)) && !s.personName(n) && !s.personName(a); sep == "," && !calendar.has(s.low(n.first)) && !calendar.has(s.low(n.head)) && (s.proper(n.head) && s.proper(a.head) || bare) && a.core.end-a.core.first <= 2 && a.end == a.core.end && s.low(a.core.first) != "the" {
		if i := n.first - 1; i >= 0 && (s.tag(i) == "IN" || s.tag(i) == "TO") || n.core.end-n.core.first == 1 || calendar.has(s.low(a.head)) {
			n.core.end = f
			if f < lim && s.tag(f) == "," && (subject || s.tag(f+1) == "IN") {
				n.cuts = append(n.cuts, span{f, f + 1})
				return f + 1, false
			}
			return f, false
		}
	}
	if c.bare {
		return j, false
	}
	// ", president of X , a maker of Y ,": the second is about X.
	if len(n.appos) > 0 && !roleNoun(s.low(a.head), s.lemma(a.head)) && !personNouns.has(s.low(a.head)) {
		if prev := n.appos[len(n.appos)-1]; len(prev.parts) > 0 {
			n = prev.parts[len(prev.parts)-1]
		}
	}
	if role < k {
		a.first, a.core.first = role, role
	}
	n.appos = append(n.appos, a)
	return shut(f), true
}

// personName reports whether the analysis found n to name a person.
func (s *sentence) personName(n *np) bool {
	d := s.toks[n.head].doc
	for _, nm := range s.doc.Names {
		if nm.First > d {
			return false
		}
		if d < nm.End {
			return nm.Kind == nlp.Person
		}
	}
	return false
}

// person reports whether n looks like the name of a person.
func (s *sentence) person(n *np) bool { return s.proper(n.head) || s.tag(n.head) == "NN" }

// verbAfter reports whether a finite verb follows position i at all.
func (s *sentence) verbAfter(i, lim int) bool { return s.verbs[lim]-s.verbs[min(i, lim)] > 0 }

// verbAfterComma reports whether, after the comma that closes what starts at k,
// a finite verb follows directly.
func (p *parser) verbAfterComma(k, lim int) bool {
	s := p.s
	for ; k < lim; k++ {
		if s.tag(k) == "," && s.verbStarts(k+1, lim) {
			return true
		}
		if s.tag(k) == ":" || s.tag(k) == "``" {
			return false
		}
	}
	return false
}

// interruption reads what commas set off between subject and verb.
func (p *parser) interruption(j, lim int, c scope) ([]elem, int) {
	s := p.s
	if j >= lim || s.tag(j) != "," || c.depth > maxDepth {
		return nil, j
	}
	k := j + 1
	var es []elem
	if s.verbStarts(k, lim) {
		return nil, k
	}
	starts := func(k int) bool { return s.verbStarts(k, lim) || k < lim && s.tag(k) == "VBN" && s.noAux(k) }
	for n := 0; n < 3 && k < lim; n++ {
		var e elem
		ok := false
		switch {
		case p.clauseAfter(k, lim):
			e, ok = p.subordinate(k, lim, scope{comma: true, inner: true, depth: c.depth + 1})
		case s.prepStart(k, lim) && s.low(k) != "worth":
			e, ok = p.prepPhrase(k, lim, scope{comma: true, inner: true, depth: c.depth + 1})
		case s.adverb(k):
			a := s.skipAdverbs(k, lim)
			e, ok = elem{kind: elemAdv, span: span{k, a}}, true
		case s.tag(k) == "VBG" || s.tag(k) == "VBN" || s.adj(k) || s.low(k) == "worth":
			a := k
			for a < lim && s.tag(a) != "," && s.tag(a) != ":" {
				a++
			}
			e, ok = elem{kind: elemText, span: span{k, a}}, true
			if s.adj(k) || s.low(k) == "worth" {
				e.mark = "adjective"
			}
		default:
			if h, hd, o := s.baseNP(k, lim); o && (timeNouns.has(s.lemma(hd)) || s.tag(hd) == "CD") {
				e, ok = elem{kind: elemText, span: span{k, h}}, true
			}
		}
		if !ok {
			return nil, j
		}
		es = append(es, e)
		k = e.end
		if k < lim && s.tag(k) == "," {
			k++
			if starts(k) {
				return es, k
			}
		}
	}
	return nil, j
}
