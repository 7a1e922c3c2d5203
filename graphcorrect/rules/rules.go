// Package rules is the offline proposer of corrections: it puts a name, number,
// date, unit, negation or opposite right from the evidence sentence that speaks
// against the claim, and exchanges two names that have changed places. It needs no language model and no network, and reads
// English.
//
// It replaces the smallest span that differs and keeps the output's own way of
// writing: digits or words, capitals, currency signs, dates, "a" or "an". It
// proposes nothing where the evidence does not say what the text should have
// said: where the rest of the claim does not stand in the evidence, the two
// values may not be about the same thing. A value that no source has at all is
// looked for more freely: the one of its kind whose surroundings are by far most
// alike takes its place.
//
// What it is not for: it does not rewrite, does not join facts of two sentences,
// and does not correct what was made up without any counterpart in the sources.
package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/segment"
)

// Proposer proposes corrections by rule. It is safe for concurrent use and
// deterministic. It implements graphcorrect.Proposer.
type Proposer struct {
	nlp   *nlp.Analyzer
	judge nli.Model // nil for none
}

// Options are choices that have a default.
type Options struct {
	// Judge, if there is one, is asked how well the sources support a sentence with
	// each of up to 8 corrections. Every value of the sources is then tried in the
	// place of each one of its kind, not only what the evidence has in its place.
	Judge nli.Model
}

// New returns the proposer. It fails only when the language models built into
// the program cannot be read.
func New(o Options) (*Proposer, error) {
	a, err := nlp.New()
	if err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	return &Proposer{nlp: a, judge: o.Judge}, nil
}

// ID names the rules, their version and the judge.
func (p *Proposer) ID() string {
	if p.judge == nil {
		return "kgeval/rules-3"
	}
	return "kgeval/rules-3(" + p.judge.ID() + ")"
}

// Propose returns the edits that put c right, or none. It looks at contradicted
// and unsupported claims with evidence; for others it has nothing to say. The
// error is the context's.
func (p *Proposer) Propose(ctx context.Context, s claim.Sample, c claim.Claim) ([]claim.Edit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.Verdict != claim.Contradicted && c.Verdict != claim.Unsupported {
		return nil, nil
	}
	k, err := p.read(ctx, s, c)
	if k == nil || err != nil {
		return nil, err
	}
	if p.judge != nil {
		if edits, err := k.search(ctx, s); len(edits) > 0 || err != nil {
			return edits, err
		}
	}
	var edits []claim.Edit
	for _, d := range k.differences() {
		e := k.correct(d)
		if len(e) == 0 && d.kind == "name" {
			// The sources may tell of this name elsewhere.
			if e, err = k.elsewhere(ctx, s, d); err != nil {
				return nil, err
			}
		}
		// All of one difference, or none.
		if !clash(edits, e) {
			edits = append(edits, e...)
		}
	}
	if len(edits) == 0 {
		if edits, err = k.foreign(ctx, s); err != nil {
			return nil, err
		}
	}
	if len(edits) == 0 {
		edits = k.undenied()
	}
	return edits, nil
}

// clash reports whether any of more overlaps any of edits.
func clash(edits, more []claim.Edit) bool {
	return slices.ContainsFunc(more, func(m claim.Edit) bool {
		return slices.ContainsFunc(edits, func(e claim.Edit) bool {
			return e.Span.Overlaps(m.Span) || e.Span.Start == m.Span.Start
		})
	})
}

// correct turns one difference into edits; none when it cannot be put right.
func (k *reading) correct(d difference) []claim.Edit {
	var edits []claim.Edit
	switch d.kind {
	case "negation":
		edits = k.negation(d)
	case "antonym":
		edits = k.opposite(d)
	case "name":
		edits = k.name(d)
	case "role":
		edits = k.roles(d)
	default:
		edits = k.value(d)
	}
	edits = slices.DeleteFunc(edits, func(e claim.Edit) bool {
		return e.Span.Start < 0 || e.Span.End > len(k.output) || e.Span.Of(k.output) == e.New
	})
	if slices.ContainsFunc(edits, func(e claim.Edit) bool { return marked(k.output, e.Span) || strings.ContainsAny(e.New, "|`\n\r") }) {
		return nil
	}
	for i := range edits {
		edits[i].Reason = d.reason(k)
		if !d.source.Empty() {
			e := claim.Evidence{
				Source: k.evidence.Source, Index: k.evidence.Index,
				Span: d.source, Role: claim.Contradicts, Text: d.source.Of(k.source),
			}
			edits[i].Evidence = &e
		}
	}
	return edits
}

// reason says why, for a reader.
func (d difference) reason(k *reading) string {
	if d.source.Empty() {
		return fmt.Sprintf("%s: the source says %q", d.kind, k.evidence.Text)
	}
	return fmt.Sprintf("%s: the source says %q", d.kind, d.source.Of(k.source))
}

// replace is the smallest edit that makes the part s of the output read text:
// words that both have at their ends are left alone.
func (k *reading) replace(s segment.Span, text string) claim.Edit {
	old := s.Of(k.output)
	a, b := segment.Words(old), segment.Words(text)
	from, to, newFrom, newTo := 0, len(old), 0, len(text)
	n := 0
	for n < len(a) && n < len(b) && a[n].Of(old) == b[n].Of(text) && old[from:a[n].Start] == text[newFrom:b[n].Start] {
		from, newFrom = a[n].End, b[n].End
		n++
	}
	// What separates the last equal word from the first different one stays too.
	if n > 0 && n < len(a) && n < len(b) && old[from:a[n].Start] == text[newFrom:b[n].Start] {
		from, newFrom = a[n].Start, b[n].Start
	}
	for i, j := len(a)-1, len(b)-1; i >= n && j >= n && a[i].Of(old) == b[j].Of(text) && old[a[i].End:to] == text[b[j].End:newTo]; i, j = i-1, j-1 {
		to, newTo = a[i].Start, b[j].Start
		if i > n && j > n && old[a[i-1].End:to] == text[b[j-1].End:newTo] {
			to, newTo = a[i-1].End, b[j-1].End
			continue
		}
		break
	}
	if from > to || newFrom > newTo {
		return claim.Edit{Span: s, New: text}
	}
	return claim.Edit{Span: segment.Span{Start: s.Start + from, End: s.Start + to}, New: text[newFrom:newTo]}
}
