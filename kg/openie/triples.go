package openie

import (
	"sort"
	"strings"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
)

// arg is a subject ready for use.
type arg struct {
	ph       phrase
	np       *np
	singular bool // one item of a distributed coordination: the verb may need another form
}

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
	np    *np
	conf  float64
	at    int
}

// generator turns clauses into candidates.
type generator struct {
	s          *sentence
	opts       Options
	out        []candidate
	fragments  []fragment
	seenClause map[*clause]bool
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
	case first == "a" || first == "an":
		return false
	case s.proper(n.head) && !s.noun(n.head+1) && s.tag(n.first) != "DT":
		return false
	case s.tag(n.first) == "PRP$":
		return false
	}
	return true
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

func (g *generator) single(n *np) bool {
	t := g.s.tag(n.head)
	return t == "NN" || t == "NNP" || t == "PRP" && words("he she it").has(g.s.low(n.head))
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
			if !doubtful.has(f.mark) && !strings.HasPrefix(f.mark, "even") {
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
	if cl.shared != nil {
		g.predicate(cl, cl.shared, subj, fronts, e)
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
		if k.shared != nil {
			g.predicate(k, k.shared, own, f, in)
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

// verbs returns the phrase of a verb group for one subject.
func (g *generator) verbs(cl *clause, gr *group, a arg, e env) phrase {
	s := g.s
	var out phrase
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

func (g *generator) plural(a arg) bool {
	if a.np == nil {
		return false
	}
	if len(a.np.items) > 1 && a.np.cc == "and" {
		return true
	}
	t := g.s.tag(a.np.head)
	if irregularPlurals.has(g.s.low(a.np.head)) {
		return true
	}
	return t == "NNS" || t == "NNPS" || t == "PRP" && words("they we you").has(g.s.low(a.np.head)) || t == "CD" && g.s.low(a.np.head) != "one"
}

// predicate adds the triples of one verb group.
func (g *generator) predicate(cl *clause, gr *group, subj []arg, fronts []phrase, e env) {
	s := g.s
	es := cl.elems
	for _, el := range es {
		el.fact = el.kind == elemComp && el.mark != "wh" && factiveVerbs.has(s.lemma(gr.main)) && !gr.say && !gr.passive && s.tag(gr.verb) != "MD" && gr.end-gr.verb <= 3
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
			// "he said" without what he said states nothing.
		case len(es) == 0 && len(fronts) == 0:
			c.claim = join(a.ph, rel)
			c.rel, c.tail = g.bare(gr, rel, nil)
			c.conf -= 0.15
			g.add(c)
		case len(es) == 0:
			c.rel, c.tail = rel, nil
			g.add(c)
		case lead < len(es) && es[lead].kind == elemPP && es[lead].np != nil:
			pp := es[lead]
			c.rel = merge(join(rel, g.elems(es[:lead]), run(span{pp.first, pp.prep.end})))
			for _, t := range g.distribute(pp.np, gr, s.low(pp.prep.first), es[lead+1:]) {
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

// inside walks the clauses and noun phrases in a constituent.
func (g *generator) inside(el elem, subj []arg, e env) {
	switch el.kind {
	case elemSub:
		if !doubtful.has(el.mark) {
			g.clause(el.cl, nil, env{conf: e.conf - 0.15, past: e.past})
		}
	case elemPart:
		if el.cl != nil {
			if el.about != nil {
				subj = []arg{{minus(el.about.core, append(append([]span(nil), el.about.cuts...), el.about.restrict...)), el.about, false}}
			}
			g.participle(el.cl, subj, e)
		}
	case elemComp:
		if el.cl == nil || el.mark == "wh" {
			return
		}
		if g.opts.IncludeAttributed || el.fact {
			g.clause(el.cl, nil, env{conf: e.conf - 0.2, past: e.past})
		}
	}
	if el.np != nil {
		g.about(el.np, e)
	}
}

// participle adds the triple of a participial clause about subj.
func (g *generator) participle(cl *clause, subj []arg, e env) {
	if g.seenClause[cl] || cl.g.form != "VBG" && cl.g.form != "VBN" {
		return
	}
	g.seenClause[cl] = true
	if len(cl.elems) == 0 && len(cl.conj) == 0 {
		return // "the time remaining", "those involved": a modifier and no more
	}
	in := e
	in.conf -= 0.15
	in.front = nil
	g.predicate(cl, cl.g, subj, nil, in)
	for _, k := range cl.conj {
		if k.subj == nil && (k.g.form == "VBG" || k.g.form == "VBN") {
			g.predicate(k, k.g, subj, nil, in)
		}
	}
}

// about adds the triples of the clauses that hang on n.
func (g *generator) about(n *np, e env) {
	if n == nil {
		return
	}
	for _, it := range n.items {
		g.about(it, e)
	}
	for _, m := range n.parts {
		g.about(m, e)
	}
	for _, a := range n.appos {
		g.about(a, e)
	}
	if len(n.items) > 0 && len(n.clauses) == 0 {
		return
	}
	s := g.s
	if first := s.low(n.first); negative(first) || first == "any" || first == "whoever" || first == "anyone" || first == "nobody" || first == "nothing" || first == "none" || first == "every" || first == "everyone" {
		return
	}
	// The antecedent by its short label: without what the clauses say.
	core := minus(n.core, append(append([]span(nil), n.cuts...), n.restrict...))
	if n.core.end == n.core.first+1 && demonstratives.has(s.low(n.head)) {
		return // "those given a placebo": no name for what it is about
	}
	self := []arg{{core, n, false}}
	if len(n.items) > 0 {
		self = g.args(n, n.clauses[0])
	}
	for _, cl := range n.clauses {
		if g.seenClause[cl] {
			continue
		}
		in := env{conf: e.conf - 0.1, past: e.past}
		switch cl.kind {
		case clauseRelSubject:
			g.clause(cl, self, in)
		case clausePart:
			if cl.g.form == "VBG" || cl.g.form == "VBN" {
				g.participle(cl, self, in)
			}
		case clauseRelWhose:
			owner := join(core, word("'s"))
			g.clause(cl, []arg{{join(owner, run(cl.subj.span)), cl.subj, false}}, in)
		case clauseRelWhere:
			in.front = []phrase{join(word("in"), core)}
			g.clause(cl, nil, in)
		case clauseRelObject:
			g.gapped(cl, core, in)
		}
	}
}

// gapped adds the triple of a relative clause whose antecedent is not the
// subject: (he, wrote, the book), (they, live in, the house).
func (g *generator) gapped(cl *clause, ante phrase, e env) {
	s := g.s
	g.seenClause[cl] = true
	if cl.subj == nil || cl.g == nil {
		return
	}
	if cl.g.finite {
		e.past = s.past(cl.g) || cl.asPast
	}
	g.about(cl.subj, e)
	fronts := g.fronted(cl, nil, e)
	ante = append(phrase(nil), ante...)
	if len(ante) > 0 {
		ante[0].lower = true
	}
	for _, a := range g.args(cl.subj, cl) {
		rel := g.verbs(cl, cl.g, a, e)
		es := withoutParts(cl.elems)
		c := candidate{head: a.ph, front: fronts, np: a.np, conf: e.conf, at: cl.g.first}
		switch {
		case !cl.prep.empty():
			c.rel = join(rel, g.elems(es), run(cl.prep))
			c.tail = ante
		default:
			if n := len(es); n > 0 && es[n-1].kind == elemPP && es[n-1].np == nil {
				c.rel, c.tail = join(rel, g.elems(es)), ante
			} else {
				c.rel, c.tail = rel, join(ante, g.elems(es))
			}
		}
		g.add(c)
	}
	for _, el := range cl.elems {
		g.inside(el, g.args(cl.subj, cl), e)
	}
}

// said adds (speaker, says, content), and the content where asked for.
func (g *generator) said(cl *clause, e env) {
	g.about(cl.subj, e)
	for _, a := range g.args(cl.subj, &clause{g: cl.g, span: cl.g.span}) {
		g.add(candidate{head: a.ph, rel: run(cl.g.span), tail: phrase{{span: cl.content, lower: true}}, np: a.np, conf: e.conf - 0.05, at: cl.g.first})
	}
	if g.opts.IncludeAttributed || factiveVerbs.has(g.s.lemma(cl.g.main)) && !cl.g.neg && !cl.g.say {
		for _, in := range cl.inner {
			g.clause(in, nil, env{conf: e.conf - 0.2})
		}
	}
}

// there adds the triple of "there is": what there is, and where.
func (g *generator) there(cl *clause, e env) {
	fronts := append(append([]phrase(nil), e.front...), g.fronted(cl, nil, e)...)
	es := withoutParts(cl.elems)
	adv := 0
	for adv < len(es) && es[adv].kind == elemAdv {
		adv++
	}
	if adv >= len(es) || es[adv].np == nil {
		return
	}
	n := es[adv].np
	rest := es[adv+1:]
	g.about(n, e)
	for _, el := range rest {
		g.inside(el, nil, e)
	}
	verb := join(run(cl.g.span), g.elems(es[:adv]))
	c := candidate{head: g.label(n), rel: verb, np: n, front: fronts, conf: e.conf - 0.05, at: cl.g.first}
	c.claim = join(word("there"), verb, c.head, g.elemsFrom(n.end, rest))
	if len(rest) > 0 && rest[0].kind == elemPP && rest[0].np != nil {
		c.rel = join(c.rel, run(rest[0].prep))
		c.tail = join(g.label(rest[0].np), g.elemsFrom(rest[0].end, rest[1:]))
	} else {
		c.tail = join(word("there"), g.elemsFrom(n.end, rest))
	}
	g.add(c)
}

// expletive handles an "it" that stands for nothing: "it is believed that S",
// "it is hard to do X", "it was X that did Y".
func (g *generator) expletive(cl *clause, e env) bool {
	s := g.s
	n := cl.subj
	if n.end != n.first+1 || s.low(n.first) != "it" {
		return false
	}
	// "It was Bo who trained Uma."
	if cl.g.copula && len(cl.elems) > 0 && cl.elems[0].np != nil && cl.elems[0].kind == elemNP && !cl.g.neg {
		for _, r := range cl.elems[0].np.clauses {
			if (r.kind == clauseRelSubject || r.kind == clauseRelObject) && words("who whom that").has(s.low(r.first)) {
				g.about(cl.elems[0].np, e)
				return true
			}
		}
	}
	last := -1
	for i, el := range cl.elems {
		if el.kind == elemComp && el.mark == "that" || el.kind == elemText && el.mark == "to" {
			last = i
			break
		}
	}
	if last < 0 {
		return false
	}
	takes := words("take cost need require").has(s.lemma(cl.g.main)) && last > 0 && cl.elems[last].mark == "to"
	if !(takes || cl.g.copula && last > 0 || s.lemma(cl.g.verb) == "be" && s.tag(cl.g.main) == "VBG" && cl.elems[last].mark == "that" || cl.g.passive && (cl.g.say || factiveVerbs.has(s.lemma(cl.g.main)))) {
		return false
	}
	fronts := g.fronted(cl, nil, e)
	el := cl.elems[last]
	pre := span{n.first, el.first}
	if el.mark == "that" {
		// The hedge goes with every triple of the content.
		in := el.cl
		g.clause(in, nil, env{front: append(fronts, phrase{{lit: ","}, {span: pre, lower: true}}), conf: e.conf - 0.1, past: e.past})
		return true
	}
	g.add(candidate{head: run(el.span), rel: run(cl.g.span), tail: g.elems(cl.elems[:last]), front: fronts,
		claim: join(word("it"), run(span{n.first + 1, el.end})), conf: e.conf - 0.1, at: cl.g.first})
	return true
}

// statements writes the candidates of one sentence in the order of the text.
func (g *generator) statements(sent segment.Span, names *labels, resolve bool, drop func(raw, reason string, at segment.Span)) []kg.Statement {
	s := g.s
	sort.SliceStable(g.out, func(i, j int) bool { return g.out[i].at < g.out[j].at })
	var out []kg.Statement
	seen := map[kg.Triple]bool{}
	for _, c := range g.out {
		w := &writer{s: s, resolve: resolve, own: map[int]bool{}}
		for _, q := range join(c.head, c.rel, c.tail, join(c.front...)) {
			for i := q.first; i < q.end; i++ {
				if s.tag(i) != "PRP" && s.tag(i) != "PRP$" {
					w.own[s.toks[i].doc] = true
				}
			}
		}
		// A head that is a pronoun shows what the pronoun stands for.
		if c.np != nil && c.np.end == c.np.first+1 {
			if r, ok := w.reference(c.np.first); ok {
				for i := r.First; i < r.End; i++ {
					w.own[i] = true
				}
			}
		}
		head := w.text(c.head)
		w.mid = true
		rel := w.text(c.rel)
		tail := w.text(c.tail)
		claim := strings.TrimSpace(head + " " + rel + " " + tail)
		first := c.head
		if c.claim != nil {
			w.mid = false
			claim = w.text(c.claim)
			if c.claim[0].lit != "" {
				first = nil
			}
		}
		var lead []string
		hedge := ""
		for _, f := range c.front {
			t := w.text(f)
			if t == "" {
				continue
			}
			if f[0].lit == "," {
				// "it is believed", with the content of its that-clause
				t = strings.TrimLeft(t, ", ")
				hedge = t + " that "
				tail += ", " + t
				continue
			}
			switch {
			case tail == "":
			case w.hasVerb(c.tail):
				tail += ", " // not about the clause inside the tail
			default:
				tail += " "
			}
			tail += t
			lead = append(lead, t)
		}
		if len(lead) > 0 {
			claim = strings.Join(lead, ", ") + ", " + hedge + lowerHead(claim, w, first)
		} else if hedge != "" {
			claim = hedge + lowerHead(claim, w, first)
		}
		if head == "" || rel == "" || tail == "" {
			continue
		}
		all := append([]phrase{c.head, c.rel, c.tail}, c.front...)
		spans := w.spans(all...)
		if len(spans) == 0 {
			continue
		}
		if resolve {
			if p := unresolved(head); p != "" {
				drop(claim, "unresolved pronoun \""+p+"\"", segment.Span{Start: spans[0].Start, End: spans[len(spans)-1].End})
				continue
			}
			if strings.EqualFold(head, tail) && len(c.tail) == 1 && c.tail[0].end == c.tail[0].first+1 && s.tag(c.tail[0].first) == "PRP" {
				// An object that is no reflexive is not its own subject.
				drop(claim, "unresolved pronoun \""+s.toks[c.tail[0].first].text+"\"", segment.Span{Start: spans[0].Start, End: spans[len(spans)-1].End})
				continue
			}
			if p := unresolved(tail); p != "" {
				drop(claim, "unresolved pronoun \""+p+"\"", segment.Span{Start: spans[0].Start, End: spans[len(spans)-1].End})
				continue
			}
		}
		t := kg.Triple{Head: names.apply(head), Relation: rel, Tail: names.apply(tail)}
		if seen[t] {
			continue
		}
		seen[t] = true
		out = append(out, kg.Statement{Triple: t, Claim: sentenceCase(claim), Spans: spans, Sentence: sent, Confidence: confidence(c, all)})
	}
	return out
}

func lowerHead(claim string, w *writer, head phrase) string {
	if len(head) == 0 || head[0].lit != "" || !strings.HasPrefix(claim, w.s.toks[head[0].first].text) {
		return claim
	}
	return w.lowerFirst(claim, head[0].first)
}

// unresolved returns the pronoun when the label is nothing else.
func unresolved(label string) string {
	low := strings.ToLower(label)
	if thirdPerson.has(low) && low != "'s" && !strings.HasSuffix(low, "self") && !strings.HasSuffix(low, "selves") || demonstratives.has(low) {
		return label
	}
	return ""
}

// confidence scores a candidate in (0,1]: how directly the clause states it,
// less a little for every token beyond the first dozen.
func confidence(c candidate, all []phrase) float64 {
	n := 0
	for _, p := range all {
		n += p.tokens()
	}
	v := c.conf
	if n > 12 {
		v -= 0.004 * float64(n-12)
	}
	return min(1, max(0.05, v))
}
