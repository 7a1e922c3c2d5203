package graphcorrect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

// sequential corrects one claim after the other, each in the text as it is by
// then.
func (c *Corrector) sequential(ctx context.Context, s claim.Sample, before claim.Result, flagged []int) (Correction, error) {
	text := s.Output
	out := Correction{ID: s.ID, Text: text, Edits: []claim.Edit{}, Before: before}
	left := make(map[int]*Left)
	claims := slices.Clone(before.Claims) // their places in out.Text
	for _, i := range flagged {
		if out.After != nil {
			// What was corrected for another claim may have put this one right too.
			if now, ok := counterpart(before.Claims[i], *out.After, out.Edits); ok && now.Verdict == claim.Supported {
				continue
			}
		}
		now := s
		now.Output = out.Text
		q := c.proposeOne(ctx, now, claims[i], i)
		if ctx.Err() != nil {
			return unchanged(s, before), fmt.Errorf("graphcorrect: %w", ctx.Err())
		}
		if q.left != nil {
			left[i] = q.left
			continue
		}
		next, steps, err := Apply(out.Text, q.edits)
		if err != nil {
			left[i] = &Left{Claim: i, Kind: Failed, Reason: "not corrected: the edits can't be applied", Err: err}
			continue
		}
		edits := compose(text, out.Text, out.Edits, steps)
		if doubles(out.Text, next) {
			left[i] = &Left{Claim: i, Kind: Withdrawn, Reason: "not corrected: the corrected sentence would stand in the text twice"}
			continue
		}
		var after *claim.Result
		if !c.opts.NoRecheck {
			var why *Left
			if after, why, err = c.helps(ctx, now, next, before, out, edits, steps, i); err != nil {
				return unchanged(s, before), err
			}
			if why != nil {
				left[i] = why
				continue
			}
		}
		out.Text, out.Edits, out.After = next, edits, after
		for k := range claims {
			claims[k] = movedClaim(claims[k], steps)
		}
	}
	for i := range before.Claims {
		if l := left[i]; l != nil {
			out.Left = append(out.Left, *l)
		}
	}
	return out, nil
}

// helps checks the text next; why is set when claim i is not better in it, or
// another that the steps touch is worse. The error is the context's.
func (c *Corrector) helps(ctx context.Context, s claim.Sample, next string, before claim.Result, have Correction, edits, steps []claim.Edit, i int) (after *claim.Result, why *Left, err error) {
	s.Output = next
	got, err := c.opts.Checker.Check(ctx, s)
	if ctx.Err() != nil {
		return nil, nil, fmt.Errorf("graphcorrect: %w", ctx.Err())
	}
	if err != nil {
		return nil, &Left{Claim: i, Kind: Failed, Reason: "not corrected: the corrected text could not be checked", Err: err}, nil
	}
	now, ok := counterpart(before.Claims[i], got, edits)
	if !ok || !better(before.Claims[i], now) {
		return nil, &Left{Claim: i, Kind: Withdrawn, Reason: "not corrected: with the correction that was found the claim is still not supported"}, nil
	}
	for k, was := range before.Claims {
		if k == i {
			continue
		}
		if have.After != nil { // compare with the text before this step
			if w, ok := counterpart(was, *have.After, have.Edits); ok {
				was = w
			}
		}
		touched := slices.ContainsFunc(steps, func(e claim.Edit) bool {
			at := movedClaim(before.Claims[k], have.Edits).Sentence
			return at.Overlaps(e.Span) || at.Contains(e.Span)
		})
		if now, ok := counterpart(before.Claims[k], got, edits); touched && ok && worse(was, now) {
			return nil, &Left{Claim: i, Kind: Withdrawn, Reason: "not corrected: the correction made another claim worse"}, nil
		}
	}
	return &got, nil, nil
}

// movedClaim is c with its places after edits.
func movedClaim(c claim.Claim, edits []claim.Edit) claim.Claim {
	spans := make([]segment.Span, len(c.Spans))
	for i, s := range c.Spans {
		spans[i] = moved(s, edits)
	}
	c.Spans = claim.Merge(spans)
	c.Sentence = moved(c.Sentence, edits)
	return c
}

// doubles reports whether a sentence stands more often in next than before, and
// more than once.
func doubles(before, next string) bool {
	count := func(text string) map[string]int {
		n := make(map[string]int)
		for _, s := range segment.Sentences(text) {
			n[sentenceKey(s.Of(text))]++
		}
		return n
	}
	had := count(before)
	for key, n := range count(next) {
		if n > 1 && n > had[key] && strings.TrimSpace(key) != "" {
			return true
		}
	}
	return false
}

// compose returns the edits of text that lead where first (from text to middle)
// and then second (from middle) lead. Both are as Apply returns them, and so is
// the result.
func compose(text, middle string, first, second []claim.Edit) []claim.Edit {
	type part struct {
		at    segment.Span // in middle
		e     claim.Edit
		later bool
	}
	var parts []part
	for _, e := range first {
		parts = append(parts, part{e.NewSpan, e, false})
	}
	for _, e := range second {
		parts = append(parts, part{e.Span, e, true})
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		if a.at.Start != b.at.Start {
			return a.at.Start - b.at.Start
		}
		return a.at.End - b.at.End
	})
	var out []claim.Edit
	shift := 0 // of middle against text before the cluster
	for i := 0; i < len(parts); {
		at := parts[i].at
		k := i + 1
		for k < len(parts) && (clash(at, parts[k].at) || parts[k].at.Start < at.End) {
			at = at.Union(parts[k].at)
			k++
		}
		e := parts[i].e
		span := segment.Span{Start: at.Start - shift}
		var reasons []string
		var b strings.Builder
		from := at.Start
		for _, p := range parts[i:k] {
			if !slices.Contains(reasons, p.e.Reason) {
				reasons = append(reasons, p.e.Reason)
			}
			if !p.later {
				shift += p.e.NewSpan.Len() - p.e.Span.Len()
				continue
			}
			b.WriteString(middle[from:p.at.Start])
			b.WriteString(p.e.New)
			from = p.at.End
			if e.Evidence == nil {
				e.Evidence = p.e.Evidence
			}
		}
		b.WriteString(middle[from:at.End])
		span.End = at.End - shift
		e.Span, e.New, e.Reason = span, b.String(), strings.Join(reasons, "; ")
		if n := len(out); n > 0 && clash(out[n-1].Span, e.Span) { // an insertion at the edge
			out[n-1].Span.End = e.Span.End
			out[n-1].New += e.New
			if out[n-1].Reason != e.Reason {
				out[n-1].Reason += "; " + e.Reason
			}
		} else if span.Of(text) != e.New {
			out = append(out, e)
		}
		i = k
	}
	// They are ascending and do not touch, so this cannot fail.
	if _, sorted, err := Apply(text, out); err == nil {
		return sorted
	}
	return out
}
