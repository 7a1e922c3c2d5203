package openie

import (
	"context"
	"strings"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/segment"
)

// maxTokens bounds the tokens that are parsed as one sentence; a longer one is
// read in pieces of at most that many.
const maxTokens = 250

// one extracts the statements of one analysed text.
func (e *Extractor) one(ctx context.Context, d *nlp.Document, names *labels, x *kg.Extraction) error {
	for _, st := range d.Sentences {
		if err := ctx.Err(); err != nil {
			return err
		}
		if lang := foreign(st.Of(d.Text)); lang != "" {
			x.Dropped = append(x.Dropped, kg.Dropped{Raw: st.Of(d.Text), Reason: "language not supported: " + lang, Span: st.Span})
			continue
		}
		for first := st.First; first < st.End; {
			end := min(st.End, first+maxTokens)
			if end < st.End {
				for k := end; k > first+maxTokens/2; k-- {
					if t := d.Tokens[k-1].Text; t == ";" || t == "," {
						end = k
						break
					}
				}
			}
			e.sentence(d, names, first, end, st.Span, x)
			first = end
		}
	}
	return nil
}

// sentence extracts the statements of the tokens [first, end).
func (e *Extractor) sentence(d *nlp.Document, names *labels, first, end int, at segment.Span, x *kg.Extraction) {
	s := newSentence(d, first, end)
	if len(s.toks) == 0 {
		return
	}
	if why := s.saysNothing(); why != "" {
		x.Dropped = append(x.Dropped, kg.Dropped{Raw: at.Of(d.Text), Reason: why, Span: at})
		return
	}
	p := &parser{s: s, nps: map[int]*np{}}
	cls, rest := p.read()
	if s.recover(cls, rest) {
		p = &parser{s: s, nps: map[int]*np{}}
		cls, rest = p.read()
	}
	if s.findVerb(cls, rest) {
		p = &parser{s: s, nps: map[int]*np{}}
		cls, rest = p.read()
	}
	g := &generator{s: s, opts: e.opts, seenClause: map[*clause]bool{}}
	g.clauses(cls)
	if !e.opts.NoNominals {
		g.nominals(p.order)
	}
	drop := func(raw, reason string, sp segment.Span) {
		x.Dropped = append(x.Dropped, kg.Dropped{Raw: raw, Reason: reason, Span: sp})
	}
	sts := g.statements(at, names, !e.opts.KeepPronouns, drop)
	if m := e.opts.MaxPerSentence; m > 0 && len(sts) > m {
		for _, st := range sts[m:] {
			drop(st.Claim, "over the bound of triples per sentence", st.Spans[0])
		}
		sts = sts[:m]
	}
	x.Statements = append(x.Statements, sts...)
	for _, f := range rest {
		f.end = min(f.end, len(s.toks))
		if f.empty() {
			continue
		}
		words := false
		for i := f.first; i < f.end; i++ {
			words = words || s.wordy(i)
		}
		if !words {
			continue
		}
		sp := segment.Span{Start: s.toks[f.first].Start, End: s.toks[f.end-1].End}
		drop(sp.Of(d.Text), f.reason, sp)
	}
}

// saysNothing returns why a sentence holds nothing to check: it only says that
// its speaker, or the text asked about, does not know.
func (s *sentence) saysNothing() string {
	const why = "no claim: says only that something is not known or not said"
	i := 0
	for i < len(s.toks) && (s.adverb(i) || s.tag(i) == "," || words("sorry unfortunately but").has(s.low(i))) {
		i++
	}
	if i >= len(s.toks) {
		return ""
	}
	e, head, ok := s.baseNP(i, len(s.toks))
	if !ok {
		return ""
	}
	me := s.low(head) == "i" || s.low(head) == "we"
	source := words("document text context passage source article information answer question").has(s.lemma(head))
	if !me && !source {
		return ""
	}
	if s.low(e) == "provided" || s.low(e) == "given" {
		e++
	}
	g, ok := s.verbGroup(e, len(s.toks))
	if !ok || !g.finite {
		return ""
	}
	verb := s.lemma(g.main)
	switch {
	case me && g.neg && words("know tell say answer find determine help remember recall have think").has(verb) && len(s.toks)-g.end < 12:
		return why
	case source && g.neg && words("say mention state specify tell provide contain answer give include indicate reveal disclose know").has(verb):
		return why
	case me && verb == "be" && (s.low(g.end) == "sorry" || s.low(g.end) == "afraid" || g.neg && (s.low(g.end) == "sure" || s.low(g.end) == "able") || s.low(g.end) == "unable"):
		return why
	}
	return ""
}

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
			rel = rel || s.tag(k) == "WP" || s.tag(k) == "WDT"
			if t := &s.toks[k]; rel && t.tag == "NNS" && s.tag(k-1) == "," && commonThird(t.low) && s.tag(k+1) != "," && s.tag(k+1) != "CC" && !s.finiteAt(k+1) {
				t.tag = "VBZ"
				s.count()
				return true
			}
		}
		for k := f.first + 1; k < end; k++ {
			if s.finiteAt(k) || s.tag(k) == "WDT" || s.tag(k) == "WP" || s.tag(k) == "," && k > f.first+3 {
				end = k
			}
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
			case commonThird(t.low) && (next == "DT" || next == "IN" || next == "TO" || next == "PRP$" || next == "CD" || next == "JJ" || next == "NNP" || next == "PRP"):
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
