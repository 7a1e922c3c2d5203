package grapheval

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/numeric"
	"github.com/kgeval/kgeval/segment"
)

// numbersOf reads the numbers of the sources.
func numbersOf(ctx context.Context, sources []claim.Source, o numeric.Options) (*numeric.Evidence, error) {
	texts := make([]string, len(sources))
	for i, s := range sources {
		texts[i] = s.Text
	}
	e, err := numeric.Prepare(ctx, texts, o)
	if err != nil {
		return nil, fmt.Errorf("grapheval: %w", err)
	}
	return e, nil
}

// figures verifies the numbers of the output; claims are those that were judged.
// The error is the context's.
func (p *Prepared) figures(ctx context.Context, output string, claims []claim.Claim) ([]claim.Figure, error) {
	found, err := p.numbers.Check(ctx, output)
	if err != nil {
		return nil, fmt.Errorf("grapheval: %w", err)
	}
	var out []claim.Figure
	first := 0
	for _, n := range found {
		f := claim.Figure{
			Span: n.Quantity.Span, Text: n.Quantity.Text, Verdict: claim.Unsupported,
			Computed: n.Computed, How: n.How, Claims: []int{},
		}
		role := claim.Nearest
		switch n.Verdict {
		case numeric.Supported:
			f.Verdict, role = claim.Supported, claim.Supports
		case numeric.Contradicted:
			f.Verdict, role = claim.Contradicted, claim.Contradicts
		}
		for _, at := range n.Places {
			s := p.sources[at.Source]
			f.Evidence = append(f.Evidence, claim.Evidence{
				Source: s.Name(at.Source), Index: at.Source, Span: at.Span, Role: role, Text: at.Span.Of(s.Text),
			})
		}
		// Claims are in the order of their first span, and a sentence is no longer
		// than from one to the next: those that end before f are done with.
		for first < len(claims) && claims[first].Sentence.End <= f.Span.Start && lastEnd(claims[first].Spans) <= f.Span.Start {
			first++
		}
		for i := first; i < len(claims) && claims[i].Spans[0].Start < f.Span.End; i++ {
			if hasPart(claims[i], f.Span) {
				f.Claims = append(f.Claims, i)
			}
		}
		out = append(out, f)
	}
	return out, nil
}

// withoutVerified takes from the claims' reasons that the sources lack a number
// which they were found to state, or to give by arithmetic.
func withoutVerified(claims []claim.Claim, figures []claim.Figure) {
	for _, f := range figures {
		if f.Verdict != claim.Supported {
			continue
		}
		for _, i := range f.Claims {
			claims[i].Reasons = slices.DeleteFunc(claims[i].Reasons, func(r claim.Reason) bool {
				return r.Kind == string(nli.ReasonMissing) && !r.OutputSpan.Empty() && f.Span.Start <= r.OutputSpan.Start && r.OutputSpan.End <= f.Span.End
			})
		}
	}
}

func lastEnd(spans []segment.Span) int { return spans[len(spans)-1].End }

// hasPart reports whether one of the places of c holds a part of s.
func hasPart(c claim.Claim, s segment.Span) bool {
	for _, x := range c.Spans {
		if x.Start < s.End && s.Start < x.End {
			return true
		}
	}
	return false
}

// fidelity counts which entities of the claims the sources or the question name,
// and which triples they support.
func (p *Prepared) fidelity(question string, r *claim.Result) claim.Fidelity {
	var f claim.Fidelity
	entities, relations := map[string]bool{}, map[string]bool{}
	asked := kg.NewLocator(question)
	named := func(label string) bool {
		t := kg.Triple{Head: label}
		for _, l := range p.locators() {
			if _, ok := l.Find(t); ok {
				return true
			}
		}
		_, ok := asked.Find(t)
		return ok
	}
	for i, c := range r.Claims {
		if c.Whole {
			continue
		}
		for _, label := range [...]string{c.Triple.Head, c.Triple.Tail} {
			key := strings.ToLower(strings.Join(strings.Fields(label), " "))
			if key == "" || entities[key] {
				continue
			}
			entities[key] = true
			f.Entities++
			if named(label) || p.verified(label, i, r.Figures) {
				f.Grounded++
			}
		}
		key := strings.ToLower(c.Triple.Head + "\x00" + c.Triple.Relation + "\x00" + c.Triple.Tail)
		if relations[key] {
			continue
		}
		relations[key] = true
		f.Relations++
		if c.Verdict == claim.Supported {
			f.Preserved++
		}
	}
	return f
}

// verified reports whether the sources name label, an entity of claim i, but for
// the form of its numbers.
func (p *Prepared) verified(label string, i int, figures []claim.Figure) bool {
	rest := label
	for _, f := range figures {
		for _, k := range f.Claims {
			if k == i && f.Verdict == claim.Supported && strings.Contains(rest, f.Text) {
				rest = strings.Replace(rest, f.Text, " ", 1)
			}
		}
	}
	if rest == label {
		return false
	}
	if claim.Blank(rest) {
		return true
	}
	for _, l := range p.locators() {
		if _, ok := l.Find(kg.Triple{Head: rest}); ok {
			return true
		}
	}
	return false
}
