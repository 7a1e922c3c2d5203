package openie

import (
	"strings"
)

// titleCut is the part of a name's label that a nominal relation states: the
// role in front of a person's name.
func (g *generator) titleCut(n *np) []span {
	if g.opts.NoNominals {
		return nil
	}
	if k, ok := g.roleBefore(n); ok && !g.s.proper(k-1) {
		return []span{{n.first, k}}
	}
	return nil
}

// nominals adds the relations that noun phrases hold without a verb.
func (g *generator) nominals(all []*np) {
	s := g.s
	for _, n := range all {
		core := minus(n.core, append(append([]span(nil), n.cuts...), n.restrict...))
		if s.tag(n.head) == "PRP" {
			continue
		}
		for _, a := range n.appos {
			am := g.label(a)
			x, y := core, am
			xn := n
			// The name is the head, the role the tail.
			if s.proper(a.head) && (!s.proper(n.head) || roleNoun(s.low(n.head), s.lemma(n.head)) && !roleNoun(s.low(a.head), s.lemma(a.head))) {
				x, y, xn = am, core, a
			}
			be := "is"
			if g.plural(arg{np: xn}) {
				be = "are"
			}
			if oneOf(s.low(a.first), "formerly", "previously", "once") {
				be = map[string]string{"is": "was", "are": "were"}[be]
			}
			if len(y) > 0 {
				y = append(phrase(nil), y...)
				y[0].lower = true
			}
			g.add(candidate{head: x, rel: word(be), tail: y, np: xn, conf: 0.75, at: a.first})
		}
		for _, r := range n.notes {
			g.noted(n, core, r)
		}
		g.role(n)
	}
}

// noted reads what brackets hold: an age, dates of a life, a birth, a name.
func (g *generator) noted(n *np, core phrase, r span) {
	s := g.s
	in := r
	if s.tag(in.first) == "(" {
		in = span{r.first + 1, r.end - 1}
	}
	if in.empty() {
		return
	}
	switch first := s.low(in.first); {
	case in.end == in.first+1 && s.tag(in.first) == "CD" && s.proper(n.head):
		if len(first) <= 3 && strings.Trim(first, "0123456789") == "" {
			g.add(candidate{head: core, rel: word("is"), tail: join(run(in), word("years old")), np: n, conf: 0.7, at: in.first})
		}
	case first == "born" || first == "died" || first == "founded" || first == "established":
		rel := join(word("was"), run(span{in.first, in.first + 1}))
		if first == "died" {
			rel = run(span{in.first, in.first + 1})
		}
		k := in.first + 1
		switch {
		case k < in.end && s.tag(k) == "CD" && len(s.low(k)) == 4:
			rel = join(rel, word("in"))
		case k < in.end && (s.tag(k) == "CD" || calendar.has(s.low(k))):
			rel = join(rel, word("on"))
		case k < in.end && s.preposition(k):
			rel = join(rel, run(span{k, k + 1}))
			k++
		}
		if k < in.end {
			end := in.end
			for i := k; i < in.end; i++ {
				if s.low(i) == ";" {
					end = i
				}
			}
			g.add(candidate{head: core, rel: rel, tail: run(span{k, end}), np: n, conf: 0.7, at: in.first})
		}
	}
}

// role reads a role in front of a name: "Apple CEO Tim Cook", "German
// chancellor Angela Merkel", "President Bush", "Orbix founder Lena".
func (g *generator) role(n *np) {
	k, ok := g.roleBefore(n)
	if !ok {
		return
	}
	end, _, _ := g.s.baseNP(n.first, n.core.end)
	g.add(candidate{head: run(span{k, end}), rel: word("is"), tail: phrase{{span: span{n.first, k}, lower: true}}, conf: 0.65, at: n.first})
}

// roleBefore returns where the name begins in a phrase that opens with a role.
func (g *generator) roleBefore(n *np) (int, bool) {
	s := g.s
	end, _, ok := s.baseNP(n.first, n.core.end)
	if !ok {
		return 0, false
	}
	// The name is the run of proper nouns at the end.
	k := end
	for k > n.first && s.proper(k-1) {
		k--
	}
	if k == n.first || k == end {
		// All proper: a rank may still stand inside ("President Bush").
		if n.core.end > end {
			return 0, false
		}
		for i := k; i < end; i++ {
			if i > n.first && ranks.has(s.low(i)) && ranks.has(s.low(i-1)) {
				return 0, false
			}
		}
		if ranks.has(s.low(end - 1)) {
			return 0, false
		}
		k = n.first
		for i := n.first; i < end-1; i++ {
			if ranks.has(s.low(i)) && s.proper(i) {
				k = i + 1
			}
		}
		if k == n.first {
			return 0, false
		}
	} else if s.tag(k-1) != "NN" || !roleNoun(s.low(k-1), s.lemma(k-1)) {
		return 0, false
	}
	for i := k; i < end; i++ {
		if r := firstRune(s.toks[i].text); !('A' <= r && r <= 'Z') && r < 0x80 {
			return 0, false
		}
	}
	return k, true
}

// roleNoun reports nouns that say what a person is, by list and by ending.
func roleNoun(low, lemma string) bool {
	if ranks.has(low) || kin.has(lemma) {
		return true
	}
	for _, e := range []string{"er", "or", "ist", "ian", "ant", "ent", "man", "woman", "person", "ess", "eer", "star", "ee", "chief", "head", "leader", "mate", "boss"} {
		if strings.HasSuffix(lemma, e) && len(lemma) > len(e)+1 || lemma == e {
			return !oneOf(lemma, "number", "letter", "order", "paper", "power", "river", "water", "theater", "theatre", "center", "centre", "quarter", "summer", "winter", "september", "october", "november", "december", "offer", "server", "computer", "minister's", "president's", "department", "government", "agreement", "event", "statement", "moment", "treatment", "parliament", "document", "element", "moment", "apartment", "settlement", "continent", "restaurant", "plant", "giant", "mother-board", "tower", "cover", "december", "never", "ever", "over", "under", "after", "other", "either", "order", "corner", "border", "chapter", "matter", "master", "meter", "sister-ship", "error", "mirror", "floor", "door", "color", "colour", "factor", "motor", "sector", "vector", "tumor", "minor", "major", "human", "woman's", "cent", "accident", "incident", "present", "patent", "tent", "percent", "investment", "development", "environment", "management", "movement", "department", "tournament", "instrument", "monument")
		}
	}
	return false
}

var kin = words(`wife husband son daughter brother sister mother father uncle aunt
	cousin nephew niece friend colleague girlfriend boyfriend partner fiance
	fiancee coach captain pilot king queen prince princess pope poet bishop chef
	guard judge model spy thief student victim suspect hero heroine rapper skipper
	novelist chancellor executive official musician rival widow grandson
	granddaughter mayor`)
