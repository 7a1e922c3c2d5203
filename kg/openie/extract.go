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
func (e *Extractor) one(ctx context.Context, d *nlp.Document, x *kg.Extraction) error {
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
			e.sentence(d, first, end, st.Span, x)
			first = end
		}
	}
	return nil
}

// sentence extracts the statements of the tokens [first, end).
func (e *Extractor) sentence(d *nlp.Document, first, end int, at segment.Span, x *kg.Extraction) {
	s := newSentence(d, first, end)
	if len(s.toks) == 0 {
		return
	}
	p := &parser{s: s, nps: map[int]*np{}}
	cls, rest := p.read()
	g := &generator{s: s, opts: e.opts, seenClause: map[*clause]bool{}}
	g.clauses(cls)
	if !e.opts.NoNominals {
		g.nominals(p.order)
	}
	drop := func(raw, reason string, sp segment.Span) {
		x.Dropped = append(x.Dropped, kg.Dropped{Raw: raw, Reason: reason, Span: sp})
	}
	sts := g.statements(at, !e.opts.KeepPronouns, drop)
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
