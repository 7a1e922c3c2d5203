package openie

import (
	"strings"
)

// findVerb looks in a stretch without any finite verb for a word that the tagger
// took for a noun or adjective and that is a common verb form after a noun
// ("the racer drew criticism"), makes a verb of it, and reports whether a second
// reading is due.
func (s *sentence) findVerb(cls []*clause, rest []fragment) bool {
	for _, f := range rest {
		end := min(f.end, len(s.toks))
		if f.reason != "no verb" && f.reason != "no verb with a subject" {
			continue
		}
		for k, rel := f.first+1, false; k < end-1; k++ {
			rel = rel || s.tag(k) == "WP" || s.tag(k) == "WDT" || s.tag(k-1) == "," && k > f.first+1 && s.tag(k) != "NNS"
			if t := &s.toks[k]; rel && t.tag == "NNS" && s.tag(k-1) == "," && commonThird(t.low) && s.tag(k+1) != "," && s.tag(k+1) != "CC" && !s.finiteAt(k+1) {
				t.tag = "VBZ"
				s.count()
				return true
			}
		}
		// "The people who live here pay rent": the verb after a relative clause.
		for i := f.first + 3; i < end; i++ {
			t := &s.toks[i]
			if s.finiteAt(i) || t.tag == "VBG" || s.tag(i-1) == "DT" || s.tag(i-1) == "PRP$" || s.adj(i-1) || s.tag(i-1) == "IN" || s.verb(i-1) && s.tag(i-1) != "VBG" || !s.afterRelative(i) {
				continue
			}
			plural := s.tag(f.first) == "NNS" || s.tag(f.first+1) == "NNS" || s.tag(f.first+2) == "NNS" && s.tag(f.first+1) != "WP"
			switch {
			case pastForms.has(t.low), t.tag == "VBN" && strings.HasSuffix(t.low, "ed"):
				t.tag = "VBD"
			case plural && commonVerbs.has(t.low) && !s.noun(i-1):
				t.tag = "VBP"
			case !plural && commonThird(t.low):
				t.tag = "VBZ"
			default:
				continue
			}
			s.count()
			return true
		}
		for k := f.first + 1; k < end; k++ {
			if s.finiteAt(k) || s.tag(k) == "WDT" || s.tag(k) == "WP" || s.tag(k) == "," && k > f.first+3 {
				end = k
			}
		}
		// "Smoking causes cancer"
		if k := f.first + 1; k+1 < end && s.tag(f.first) == "VBG" && s.tag(k) == "NNS" && commonThird(s.low(k)) {
			s.toks[k].tag = "VBZ"
			s.count()
			return true
		}
		for i := f.first + 1; i < end; i++ {
			t := &s.toks[i]
			if !s.noun(i-1) && s.tag(i-1) != "PRP" && !s.adverb(i-1) && s.tag(i-1) != "CD" && s.tag(i-1) != ")" && !(s.adj(i-1) && s.proper(i-2)) {
				continue
			}
			next := s.tag(i + 1)
			switch {
			case !(strings.HasPrefix(t.tag, "NN") || t.tag == "JJ" || t.tag == "VB" || t.tag == "VBN" || t.tag == "RB"):
				continue
			case next == "POS" || i+1 >= end && t.tag != "VBN":
				continue
			case pastForms.has(t.low) || t.tag == "VBN" && strings.HasSuffix(t.low, "ed") || strings.HasSuffix(t.low, "ed") && commonVerbs.has(strings.TrimSuffix(t.low, "ed")) || strings.HasSuffix(t.low, "ed") && commonVerbs.has(strings.TrimSuffix(t.low, "d")):
				t.tag = "VBD"
			case samePast.has(t.low) && s.tag(i-1) != "JJ" && (next == "DT" || next == "PRP$" || strings.HasPrefix(next, "NN") || next == "IN" || next == "CD" || next == "JJ"):
				t.tag = "VBD"
			case commonVerbs.has(t.low) && (next == "DT" || next == "IN" || next == "TO" || next == "PRP$" || next == "CD" || next == "NNP" || next == "NN" || next == "PRP") && (strings.HasSuffix(s.low(i-1), "s") || s.proper(i-1) || irregularPlurals.has(s.low(i-1)) || s.tag(f.first) == "NNS" || s.tag(f.first+1) == "NNS"):
				t.tag = "VBP"
			case commonThird(t.low) && (next == "DT" || next == "IN" || next == "TO" || next == "PRP$" || next == "CD" || next == "JJ" || next == "NNP" || next == "PRP" || next == "NN" && (s.tag(f.first) == "DT" || s.tag(f.first) == "PRP$") && s.tag(i-1) == "NN"):
				t.tag = "VBZ"
			default:
				continue
			}
			s.count()
			return true
		}
	}
	return false
}

// commonThird reports the third person of a common verb: "supplies".
func commonThird(w string) bool {
	if stem, ok := strings.CutSuffix(w, "ies"); ok && commonVerbs.has(stem+"y") {
		return true
	}
	stem, ok := strings.CutSuffix(w, "s")
	return ok && (commonVerbs.has(stem) || commonVerbs.has(strings.TrimSuffix(stem, "e")))
}

// recover looks for a finite auxiliary that found no subject because a noun
// before it was taken for a verb ("rights for two wave zones have been
// granted"), makes a noun of that, and reports whether a second reading is due.
func (s *sentence) recover(cls []*clause, rest []fragment) bool {
	var all []*clause
	for _, c := range cls {
		all = append(append(all, c), c.conj...)
	}
	cls = all
	for _, f := range rest {
		if f.reason != "no subject" || f.first >= len(s.toks) || !s.finiteAt(f.first) {
			continue
		}
		if t := &s.toks[f.first]; !closedVerb(t.low) {
			// The verb without a subject may itself be a noun: "the assembly seat".
			if (t.tag == "VBP" || t.tag == "VBZ") && (s.noun(f.first-1) || s.adj(f.first-1) || s.tag(f.first-1) == "CD") {
				t.tag = map[bool]string{true: "NNS", false: "NN"}[t.tag == "VBZ"]
				s.count()
				return true
			}
			if t.tag != "VBD" {
				continue
			}
			// "the academy graduate won": the earlier "verb" is a noun.
			for _, c := range cls {
				if c.g == nil || c.end != f.first || c.g.end != c.g.first+1 || c.g.form != "VBP" && c.g.form != "VBZ" || closedVerb(s.low(c.g.main)) || !s.noun(c.g.main+1) || !s.noun(c.g.main-1) {
					continue
				}
				s.toks[c.g.main].tag = map[bool]string{true: "NNS", false: "NN"}[c.g.form == "VBZ"]
				s.count()
				return true
			}
			continue
		}
		for _, c := range cls {
			if c.g == nil || c.end != f.first || c.g.end != c.g.first+1 || closedVerb(s.low(c.g.main)) || !s.noun(c.g.main+1) && s.tag(c.g.main+1) != "IN" && c.g.main+1 != f.first {
				continue
			}
			t := &s.toks[c.g.main]
			t.tag = "NN"
			if strings.HasSuffix(t.low, "s") {
				t.tag = "NNS"
			}
			s.count()
			return true
		}
	}
	return false
}
