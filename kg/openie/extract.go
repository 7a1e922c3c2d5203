package openie

import (
	"context"

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
			if err := ctx.Err(); err != nil {
				return err
			}
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
	worded := false
	for i := range s.toks {
		worded = worded || s.wordy(i)
	}
	if !worded {
		x.Dropped = append(x.Dropped, kg.Dropped{Raw: at.Of(d.Text), Reason: "no words", Span: at})
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
	for _, f := range append(rest, g.lost...) {
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
	for i < len(s.toks) && (s.adverb(i) || s.tag(i) == "," || oneOf(s.low(i), "sorry", "unfortunately", "but")) {
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
	source := oneOf(s.lemma(head), "document", "text", "context", "passage", "source", "article", "information", "answer", "question")
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
	case me && g.neg && oneOf(verb, "know", "tell", "say", "answer", "find", "determine", "help", "remember", "recall", "have", "think") && len(s.toks)-g.end < 12:
		return why
	case me && verb == "agree" && len(s.toks)-g.end < 3, me && verb == "have" && s.low(g.end) == "no" && oneOf(s.low(g.end+1), "idea", "clue", "information") && len(s.toks)-g.end < 4:
		return why
	case source && g.neg && oneOf(verb, "say", "mention", "state", "specify", "tell", "provide", "contain", "answer", "give", "include", "indicate", "reveal", "disclose", "know"):
		return why
	case me && verb == "be" && (s.low(g.end) == "sorry" || s.low(g.end) == "afraid" || g.neg && (s.low(g.end) == "sure" || s.low(g.end) == "able") || s.low(g.end) == "unable"):
		return why
	}
	return ""
}
