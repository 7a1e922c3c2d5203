package openie

import "strings"

// nounPhrase reads a full noun phrase at i: coordination, relative clauses,
// appositions. As a subject it takes every prepositional phrase that follows;
// elsewhere only those with "of".
func (p *parser) nounPhrase(i, lim int, subject bool, c scope) (*np, int) {
	first, j := p.simpleNP(i, lim, subject, c)
	if first == nil {
		return nil, i
	}
	items := []*np{first}
	s := p.s
	cc := ""
	for len(items) < 60 {
		k := j
		if k < lim && s.tag(k) == "," {
			if s.tag(k+1) == "CC" && s.low(k+1) != "but" {
				k++
			} else if _, ok := p.gapAt(first, k+1, lim); ok && !subject && len(items) == 1 {
				break // "won gold, Bo silver and Kai bronze"
			} else if p.listAt(k, lim, subject, c) {
				n, e := p.simpleNP(k+1, lim, false, c)
				if n == nil {
					break
				}
				items, j = append(items, n), e
				continue
			} else {
				break
			}
		}
		if k >= lim {
			break
		}
		word := s.low(k)
		next := k + 1
		if s.tag(k) == "CC" && (word == "and" || word == "or" || word == "nor" || word == "&") {
			if cc == "and" && word != "and" {
				break
			}
		} else if word == "as" && s.low(k+1) == "well" && s.low(k+2) == "as" {
			word, next = "and", k+3
		} else {
			break
		}
		for s.tag(next) == "``" {
			next++
		}
		if _, _, ok := s.baseNP(next, lim); !ok {
			break
		}
		if _, ok := p.gapAt(first, next, lim); ok && !subject && !c.comma && !c.within && len(items) == 1 {
			break // "won gold and Bo silver"
		}
		if !subject && k > j && len(items) == 1 && !c.within {
			// ", and B, ..., is": a new clause.
			if e, ok := p.cheapNP(next, lim, true); ok && e < lim && s.tag(e) == "," && s.verbs[lim] > s.verbs[e] {
				break
			}
		}
		if !subject && p.nounThenVerb(next, lim) && !p.belongsWithin(next, lim, c) && !(c.spare && !p.spareVerb(next, lim)) || c.comma && k > j && len(items) == 1 {
			break
		}
		if subject && k > j && len(items) == 1 && p.nounThenVerb(next, lim) && s.verbs[j]-s.verbs[first.first] > 0 {
			break
		}
		n, e := p.simpleNP(next, lim, subject, c)
		if n == nil {
			break
		}
		cc = word
		items, j = append(items, n), e
	}
	if len(items) == 1 || cc == "" {
		return first, first.end
	}
	whole := &np{span: span{first.first, j}, core: span{first.first, j}, head: first.head, items: items, cc: cc}
	// "A and B, who have a son": about both.
	if last := items[len(items)-1]; len(last.clauses) > 0 && (s.tag(last.head) == "NN" || s.tag(last.head) == "NNP") {
		k := len(last.clauses) - 1
		if cl := last.clauses[k]; cl.kind == clauseRelSubject && cl.g != nil {
			if v := s.low(cl.g.verb); v == "have" || v == "are" || v == "were" || v == "do" || s.tag(cl.g.verb) == "VBP" {
				whole.clauses = append(whole.clauses, cl)
				last.clauses = last.clauses[:k]
			}
		}
	}
	for _, it := range items {
		whole.cuts = append(whole.cuts, it.cuts...)
		whole.restrict = append(whole.restrict, it.restrict...)
	}
	return whole, j
}

// belongsWithin decides "the price of petrol and diesel has risen" against "the
// head of the bank and the mayor have met": what the conjunction at next-1 joins
// belongs to the inner phrase unless the outer one is singular and the verb
// plural.
func (p *parser) belongsWithin(next, lim int, c scope) bool {
	s := p.s
	if !c.within || s.tag(next) == "PRP" {
		return false
	}
	e, ok := p.cheapNP(next, lim, true)
	if !ok {
		return false
	}
	e = s.skipAdverbs(e, lim)
	low := s.low(e)
	plural := low == "are" || low == "were" || low == "have" || low == "do" || s.tag(e) == "VBP"
	return !(plural && c.single)
}

// listAt reports whether the comma at i continues a list that a conjunction
// closes: "A, B and C".
func (p *parser) listAt(i, lim int, subject bool, c scope) bool {
	s := p.s
	k := i
	for n := 0; n < 40 && k < lim && s.tag(k) == ","; n++ {
		k++
		if s.tag(k) == "CC" {
			if s.low(k) == "but" {
				return false
			}
			_, _, ok := s.baseNP(k+1, lim)
			return ok && n > 0 && (subject || !p.nounThenVerb(k+1, lim) || p.belongsWithin(k+1, lim, c))
		}
		e, ok := p.cheapNP(k, lim, false)
		if !ok {
			return false
		}
		for e < lim && s.preposition(e) {
			f, _, ok := s.baseNP(e+1, lim)
			if !ok {
				break
			}
			e = f
		}
		k = e
		if k < lim && s.tag(k) == "CC" && (s.low(k) == "and" || s.low(k) == "or") {
			_, _, ok := s.baseNP(k+1, lim)
			if !ok || !subject && p.nounThenVerb(k+1, lim) && !p.belongsWithin(k+1, lim, c) {
				return false
			}
			// "X, head of A and B, left": the comma after tells apposition.
			if n == 0 && subject {
				if f, ok := p.cheapNP(k+1, lim, true); ok && f < lim && s.tag(f) == "," && s.verbStarts(f+1, lim) {
					return false
				}
			}
			if _, h, ok := s.baseNP(i+1, lim); n == 0 && ok && !s.proper(h) && (s.tag(i+1) == "DT" || s.tag(i+1) == "PRP$") {
				f, _ := p.cheapNP(k+1, lim, true)
				if f < lim && s.tag(f) == "," {
					return false
				}
			}
			return true
		}
	}
	return false
}

// simpleNP reads one noun phrase with its modifiers but without coordination.
func (p *parser) simpleNP(i, lim int, subject bool, c scope) (*np, int) {
	s := p.s
	p.steps++
	end, head, ok := s.baseNP(i, lim)
	if !ok {
		return nil, i
	}
	n := p.note(&np{span: span{i, end}, core: span{i, end}, head: head})
	if c.depth > maxDepth || p.steps > 60*len(s.toks)+200 {
		return n, end
	}
	deeper := scope{comma: c.comma, inner: c.inner, depth: c.depth + 1, spare: c.spare || subject, bare: c.bare, within: c.within, single: c.single, nested: c.nested, outer: c.outer}
	clausal := scope{comma: true, inner: true, depth: c.depth + 1, spare: c.spare || subject, outer: c.outer}
	j := end
	grow := func(e int) { j, n.end = e, e }
loop:
	for j < lim {
		t, low := s.tag(j), s.low(j)
		switch {
		case t == "(":
			q, ok := s.close[j]
			if !ok || q >= lim {
				break loop
			}
			n.notes = append(n.notes, span{j, q + 1})
			n.cuts = append(n.cuts, span{j, q + 1})
			grow(q + 1)
			if n.core.end == n.notes[len(n.notes)-1].first && s.tag(head) != "CD" {
				// "electroencephalography (EEG) technology": one phrase.
				e := j
				for e < lim && s.noun(e) {
					e++
				}
				if e > j {
					n.head, head = e-1, e-1
					n.core.end = e
					grow(e)
				}
			}
		case s.relativePrep(j, lim):
			cl, e := p.relative(j, lim, n, clausal)
			if cl == nil {
				break loop
			}
			n.clauses = append(n.clauses, cl)
			n.restrict = append(n.restrict, span{j, e})
			grow(e)
		case low == "of" || subject && s.prepStart(j, lim) && !s.infinitive(j, lim) && low != "than" && !(low != "as" && p.clauseAfter(j, lim) && (prepositionsOnly.has(low) || p.spareVerb(j+1, lim))):
			k := s.prepEnd(j, lim)
			if m, e := p.nounPhrase(k, lim, false, scope{comma: true, inner: true, depth: deeper.depth, spare: deeper.spare,
				within: subject || c.within, single: !c.within && s.tag(head) != "NNS" && s.tag(head) != "NNPS" || c.within && c.single, bare: roleNoun(s.low(head), s.lemma(head)) || s.proper(head), nested: true}); m != nil {
				n.cuts = append(n.cuts, m.cuts...)
				n.parts = append(n.parts, m)
				grow(e)
				n.core.end = e
				continue
			}
			if g, ok := s.verbGroup(k, lim); ok && g.form == "VBG" {
				cl, e := p.predicate(k, lim, clausal)
				if cl != nil {
					grow(e)
					n.core.end = e
					continue
				}
			}
			break loop
		case c.said && low == "that" && !s.verbStarts(j+1, lim):
			break loop
		case (t == "WP" || t == "WDT" || low == "that") && s.verbStarts(j+1, lim) && p.misfit(n, j, lim, c):
			break loop
		case s.tag(head) == "CD" && (low == "that" || t == "WDT" || t == "VBN" || t == "VBG") && !subject:
			break loop
		case t == "WP" || t == "WDT" || t == "WP$" || low == "that" && t != "CC" && (s.verbStarts(j+1, lim) || p.nounThenVerb(j+1, lim)) ||
			t == "WRB" && (low == "where" || low == "when" && (calendar.has(s.low(head)) || timeNouns.has(s.lemma(head)) || year(s.low(head)))) && p.nounThenVerb(j+1, lim):
			if low == "what" || low == "that" && contentNouns.has(s.lemma(head)) && !s.verbStarts(j+1, lim) {
				if low == "that" {
					cl, e := p.finiteClause(j+1, lim, scope{inner: true, comma: c.comma, depth: deeper.depth, spare: deeper.spare})
					if cl != nil && !(len(cl.elems) == 0 && cl.subj != nil && makesContent.has(s.lemma(cl.g.main)) && !cl.g.passive) {
						n.core.end = e
						grow(e)
						continue
					}
					if cl == nil {
						break loop
					}
				} else {
					break loop
				}
			}
			cl, e := p.relative(j, lim, n, clausal)
			if cl == nil {
				break loop
			}
			n.clauses = append(n.clauses, cl)
			n.restrict = append(n.restrict, span{j, e})
			grow(e)
		case t == "VBG" && !s.preposition(j) && low != "depending" && low != "considering" && j > i && s.tag(head) != "PRP":
			cl, e := p.predicate(j, lim, clausal)
			if cl == nil {
				break loop
			}
			cl.kind, cl.ante = clausePart, n
			n.clauses = append(n.clauses, cl)
			n.restrict = append(n.restrict, span{j, e})
			grow(e)
		case low != "compared" && (t == "VBN" || t == "VBD" && subject && s.reduced(j, lim)) && (!subject || s.reduced(j, lim)) && s.tag(head) != "PRP":
			if t == "VBD" {
				s.toks[j].tag = "VBN"
			}
			cl, e := p.predicate(j, lim, clausal)
			if cl == nil {
				break loop
			}
			cl.kind, cl.ante = clausePart, n
			n.clauses = append(n.clauses, cl)
			n.restrict = append(n.restrict, span{j, e})
			grow(e)
		case t == "TO" && subject && s.tag(s.skipAdverbs(j+1, lim)) == "VB":
			cl, e := p.predicate(j, lim, clausal)
			if cl == nil {
				break loop
			}
			grow(e)
			n.core.end = e
		case !c.front && contentNouns.has(s.lemma(head)) && head == j-1 && (s.tag(j) == "PRP" || s.tag(j) == "DT" || s.proper(j)) && p.nounThenVerb(j, lim) && (!subject || p.spareVerb(j, lim)):
			// "claims she had left": what the noun holds, not stated.
			cl, e := p.finiteClause(j, lim, clausal)
			if cl == nil {
				break loop
			}
			n.core.end = e
			grow(e)
		case !c.front && !c.said && p.contact(j, lim, n, subject || c.spare):
			cl, e := p.finiteClause(j, lim, clausal)
			if cl == nil {
				break loop
			}
			cl.kind, cl.ante = clauseRelObject, n
			n.clauses = append(n.clauses, cl)
			n.restrict = append(n.restrict, span{j, e})
			grow(e)
		case j > end && s.tag(j-1) == "," && len(n.cuts) > 0 && n.cuts[len(n.cuts)-1].end == j && (t == "DT" || t == "WP" || t == "WDT" || subject && (t == "VBN" || t == "VBD" && strings.HasSuffix(low, "ed") && s.tag(j+1) == "IN")) ||
			(t == "DT" || t == "WP") && s.tag(j-1) == "''" && s.low(j-2) == "," && j > i+2:
			// A second insertion, or one after a comma inside quotes.
			e, cut := p.inserted(j-1, lim, n, subject, deeper)
			if e <= j {
				break loop
			}
			if cut {
				n.cuts = append(n.cuts, span{j, e})
			}
			grow(e)
		case subject && j > end && s.tag(j-1) == "," && len(n.cuts) > 0 && n.cuts[len(n.cuts)-1].end == j && p.strayPlace(j, lim) > j:
			// ", who lives in Humpty Doo , Northern Territory , left"
			e := p.strayPlace(j, lim)
			n.cuts = append(n.cuts, span{j, e})
			grow(e)
		case t == "," || low == "--" || low == "–" || low == "—" || low == "-" && (s.tag(j+1) == "WP" || s.tag(j+1) == "WDT" || subject && p.closes(j, lim) && s.verbStarts(p.closing(j, lim)+1, lim)):
			e, cut := p.inserted(j, lim, n, subject, deeper)
			if e <= j {
				break loop
			}
			if cut {
				n.cuts = append(n.cuts, span{j, e})
			}
			grow(e)
		default:
			break loop
		}
	}
	return n, n.end
}
