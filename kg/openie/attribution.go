package openie

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
		if o && oneOf(s.lemma(v.main), "tell", "inform", "assure", "warn", "remind") && v.end < lim {
			// "Bo told reporters"
			if e, o := p.cheapNP(v.end, lim, true); o && p.closesSaid(e, lim) {
				v.end = e
			}
		}
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
