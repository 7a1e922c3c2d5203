package openie

import "strings"

// arg is a subject ready for use.
type arg struct {
	ph       phrase
	np       *np
	singular bool // one item of a distributed coordination: the verb may need another form
}

// args returns the subjects of a clause, distributed where each does it alone.
func (g *generator) args(n *np, cl *clause) []arg {
	if n == nil {
		return nil
	}
	if len(n.items) > 1 && n.cc != "or" && n.cc != "nor" && !g.collective(n, cl) {
		var out []arg
		for _, it := range n.items {
			out = append(out, arg{g.label(it), it, g.single(it)})
		}
		// "both A and B"
		if low := g.s.low(n.first); low == "both" && len(out[0].ph) > 0 {
			out[0].ph = minus(out[0].np.span, append([]span{{n.first, n.first + 1}}, out[0].np.cuts...))
		}
		return out
	}
	return []arg{{g.label(n), n, false}}
}

// sharedModifier reports "signs and symptoms of cancer": what follows the last
// item belongs to all of them, so that none can stand alone.
func (g *generator) sharedModifier(n *np) bool {
	s := g.s
	last := n.items[len(n.items)-1]
	// "two sons, Kai and Lee": the names are the sons.
	if s.tag(n.items[0].head) == "NNS" && len(n.items) > 2 {
		names := true
		for _, it := range n.items[1:] {
			names = names && s.proper(it.head)
		}
		if names {
			return true
		}
	}
	if g.sharedHead(n) {
		return true
	}
	if t := s.tag(last.first); t == "DT" || t == "PRP$" || t == "CD" || s.proper(last.head) {
		return false
	}
	of := false
	for i := last.head + 1; i < last.core.end; i++ {
		of = of || s.low(i) == "of" && i == last.head+1
	}
	if !of {
		return false
	}
	for _, it := range n.items[:len(n.items)-1] {
		if it.core.end > it.head+1 {
			return false
		}
	}
	return true
}

// sharedHead reports "health, life and car insurance": items that are single
// nouns in the singular, without a determiner, may be kinds of what the last
// item's head names. Told apart from "bread and apple juice" it cannot be; kept
// together both are right.
func (g *generator) sharedHead(n *np) bool {
	s := g.s
	last := n.items[len(n.items)-1]
	if last.head == last.first || s.tag(last.head-1) != "NN" || !strings.HasPrefix(s.tag(last.head), "NN") || s.proper(last.head) || last.head+1 < last.core.end && s.noun(last.head+1) {
		return false
	}
	for i := last.first; i < last.head; i++ {
		if s.tag(i) != "NN" && !s.adj(i) {
			return false
		}
	}
	for k, it := range n.items[:len(n.items)-1] {
		if s.tag(it.head) != "NN" || it.core.end > it.head+1 || k > 0 && it.head > it.first {
			return false
		}
		for i := it.first; i < it.head; i++ {
			if !s.adj(i) {
				return false
			}
		}
	}
	return true
}

func (g *generator) single(n *np) bool {
	t := g.s.tag(n.head)
	return t == "NN" || t == "NNP" || t == "PRP" && oneOf(g.s.low(n.head), "he", "she", "it")
}

// collective reports whether a coordinated subject acts as one.
func (g *generator) collective(n *np, cl *clause) bool {
	s := g.s
	if first := s.low(n.first); first == "between" || first == "either" || first == "neither" || negative(first) || first == "no" {
		return true
	}
	if s.name[n.first] {
		for _, nm := range s.doc.Names {
			if nm.First <= s.toks[n.first].doc && nm.End > s.toks[n.items[len(n.items)-1].first].doc {
				return true
			}
		}
	}
	if cl == nil || cl.g == nil || g.sharedModifier(n) {
		return true
	}
	for i := cl.g.first; i < cl.end && i < len(s.toks); i++ {
		if collectiveWords.has(s.low(i)) || s.low(i) == "each" && s.low(i+1) == "other" || s.low(i) == "one" && s.low(i+1) == "another" {
			return true
		}
	}
	lemma := s.lemma(cl.g.main)
	if collectiveVerbs.has(lemma) {
		for _, e := range cl.elems {
			if e.kind == elemNP {
				return false
			}
		}
		return true
	}
	if cl.g.copula {
		for _, e := range cl.elems {
			if e.kind == elemNP && e.np != nil && (s.tag(e.np.head) == "NNS" || s.tag(e.np.head) == "NNPS" || s.tag(e.np.first) == "CD" || s.tag(e.np.first) == "DT" && (s.low(e.np.first) == "the" || s.low(e.np.first) == "a" || s.low(e.np.first) == "an")) {
				return true
			}
		}
	}
	return false
}

func (g *generator) plural(a arg) bool {
	if a.np == nil {
		return false
	}
	if len(a.np.items) > 1 && a.np.cc == "and" {
		return true
	}
	t := g.s.tag(a.np.head)
	if low := g.s.low(a.np.head); irregularPlurals.has(low) || oneOf(low, "many", "most", "some", "several", "both", "few", "others") {
		return true
	}
	return t == "NNS" || t == "NNPS" || t == "PRP" && oneOf(g.s.low(a.np.head), "they", "we", "you") || t == "CD" && g.s.low(a.np.head) != "one"
}

// distribute returns the tails of a complement: one for each item where the
// items are joined by "and" and nothing binds them together.
func (g *generator) distribute(n *np, gr *group, prep string, rest []elem) []phrase {
	after := g.elemsFrom(n.end, rest)
	whole := len(n.items) < 2 || n.cc != "and" && n.cc != "&" || gr.neg
	switch prep {
	case "between", "among", "amongst", "from", "without":
		whole = true
	}
	if !whole && g.sharedModifier(n) {
		whole = true
	}
	if !whole {
		s := g.s
		if collectiveWords.has(s.low(n.end)) || s.low(n.first) == "between" {
			whole = true
		}
		for _, it := range n.items {
			if it.end-it.first > 40 {
				whole = true
			}
		}
		if s.name[n.first] {
			for _, nm := range s.doc.Names {
				if nm.First <= s.toks[n.first].doc && nm.End > s.toks[n.items[len(n.items)-1].first].doc {
					whole = true
				}
			}
		}
		switch s.lemma(gr.main) {
		case "mix", "combine", "merge", "connect", "link", "unite", "join", "compare", "separate", "divide", "total", "distinguish", "swap", "exchange":
			whole = true
		}
		for _, e := range rest {
			for i := e.first; i < e.end; i++ {
				if collectiveWords.has(s.low(i)) {
					whole = true
				}
			}
		}
	}
	if whole {
		return []phrase{merge(join(g.label(n), after))}
	}
	var out []phrase
	for i, it := range n.items {
		l := g.label(it)
		if i == 0 && g.s.low(it.first) == "both" {
			l = minus(it.span, append([]span{{it.first, it.first + 1}}, it.cuts...))
		}
		out = append(out, merge(join(l, after)))
	}
	return out
}
