package graphcorrect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

// plan is the edits that are to be applied, and the claims that are left.
type plan struct {
	text   string
	before claim.Result
	taken  []taken
	left   map[int]*Left
	// removed says that what could be removed has been.
	removed bool
}

// taken is one edit and the claims that asked for it.
type taken struct {
	claim.Edit
	claims  []int
	removal bool
}

func newPlan(text string, before claim.Result) *plan {
	return &plan{text: text, before: before, left: make(map[int]*Left)}
}

// take adds the edits of claim i, all or none.
func (p *plan) take(i int, q proposal) {
	if q.left != nil {
		p.left[i] = q.left
		return
	}
	var share []int
	var fresh []claim.Edit
	for _, e := range q.edits {
		at := slices.IndexFunc(p.taken, func(t taken) bool { return clash(t.Span, e.Span) })
		switch {
		case at < 0:
			fresh = append(fresh, e)
		case p.taken[at].Span == e.Span && p.taken[at].New == e.New:
			share = append(share, at)
		default:
			p.left[i] = &Left{Claim: i, Kind: Overlap, Reason: fmt.Sprintf("not corrected: %q is already changed to %q", p.taken[at].Old, p.taken[at].New)}
			return
		}
	}
	for _, at := range share {
		p.taken[at].claims = append(p.taken[at].claims, i)
	}
	for _, e := range fresh {
		p.taken = append(p.taken, taken{Edit: e, claims: []int{i}})
	}
}

// withdraw takes the edits of claim i back, except those that another claim
// shares.
func (p *plan) withdraw(i int, why *Left) {
	p.left[i] = why
	kept := p.taken[:0]
	for _, t := range p.taken {
		t.claims = slices.DeleteFunc(slices.Clone(t.claims), func(k int) bool { return k == i })
		if len(t.claims) > 0 {
			kept = append(kept, t)
		}
	}
	p.taken = kept
}

// apply returns the correction as it stands.
func (p *plan) apply() Correction {
	edits := make([]claim.Edit, len(p.taken))
	for k, t := range p.taken {
		edits[k] = t.Edit
		edits[k].Claim = slices.Min(t.claims)
	}
	out := Correction{Text: p.text, Edits: []claim.Edit{}, Before: p.before}
	// The edits were each checked and do not overlap, so this cannot fail.
	if text, sorted, err := Apply(p.text, edits); err == nil && len(sorted) > 0 {
		out.Text, out.Edits = text, sorted
	}
	for i := range p.before.Claims {
		if l := p.left[i]; l != nil {
			out.Left = append(out.Left, *l)
		}
	}
	return out
}

// edited returns the claims that have edits, ascending, and for each whether it
// was removed.
func (p *plan) edited() (claims []int, removal map[int]bool) {
	removal = make(map[int]bool)
	for _, t := range p.taken {
		for _, i := range t.claims {
			claims = append(claims, i)
			removal[i] = removal[i] || t.removal
		}
	}
	slices.Sort(claims)
	return slices.Compact(claims), removal
}

// recheck checks out.Text and withdraws the edits of claims that did not become
// better; it reports whether any were. The error is the context's.
func (c *Corrector) recheck(ctx context.Context, s claim.Sample, p *plan, out *Correction) (withdrawn bool, err error) {
	claims, removal := p.edited()
	s.Output = out.Text
	after, err := c.opts.Checker.Check(ctx, s)
	if err != nil {
		if ctx.Err() != nil {
			return false, fmt.Errorf("graphcorrect: %w", ctx.Err())
		}
		for _, i := range claims {
			p.withdraw(i, &Left{Claim: i, Kind: Withdrawn, Reason: "not corrected: the corrected text could not be checked", Err: err})
		}
		return len(claims) > 0, nil
	}
	out.After = &after
	for _, i := range claims {
		if removal[i] {
			continue
		}
		now, ok := counterpart(p.before.Claims[i], after, out.Edits)
		if ok && better(p.before.Claims[i], now) {
			continue
		}
		withdrawn = true
		p.withdraw(i, &Left{Claim: i, Kind: Withdrawn, Reason: "not corrected: with the correction that was found the claim is still not supported"})
	}
	if withdrawn {
		return true, nil
	}
	return p.harms(after, out.Edits), nil
}

// harms withdraws the edits of claims in whose sentences another claim became
// worse.
func (p *plan) harms(after claim.Result, edits []claim.Edit) bool {
	claims, removal := p.edited()
	harmed := false
	for k, was := range p.before.Claims {
		if slices.Contains(claims, k) {
			continue
		}
		now, ok := counterpart(was, after, edits)
		if !ok || !worse(was, now) {
			continue
		}
		for _, i := range claims {
			if removal[i] || !p.touches(i, was.Sentence) || p.left[i] != nil {
				continue
			}
			p.withdraw(i, &Left{Claim: i, Kind: Withdrawn, Reason: "not corrected: the correction made another claim worse"})
			harmed = true
		}
	}
	return harmed
}

// touches reports whether an edit of claim i changes the sentence s.
func (p *plan) touches(i int, s segment.Span) bool {
	return slices.ContainsFunc(p.taken, func(t taken) bool {
		return slices.Contains(t.claims, i) && (s.Overlaps(t.Span) || s.Contains(t.Span))
	})
}

// repeats withdraws the edits of one claim by which a sentence would come to
// stand twice that did not before, and reports whether there was one.
func (p *plan) repeats(out Correction) bool {
	if len(out.Edits) == 0 {
		return false
	}
	count := func(text string) map[string]int {
		n := make(map[string]int)
		for _, s := range segment.Sentences(text) {
			n[sentenceKey(s.Of(text))]++
		}
		return n
	}
	had, has := count(p.text), count(out.Text)
	claims, removal := p.edited()
	for _, i := range slices.Backward(claims) {
		sentence := p.before.Claims[i].Sentence
		if removal[i] || sentence.Empty() {
			continue
		}
		key := sentenceKey(moved(sentence, out.Edits).Of(out.Text))
		// Sentences that were equal before may stay equal.
		if has[key] > 1 && has[key] > had[sentenceKey(sentence.Of(p.text))] {
			p.withdraw(i, &Left{Claim: i, Kind: Withdrawn, Reason: "not corrected: the corrected sentence would stand in the text twice"})
			return true // one at a time: of two that become equal one may stay
		}
	}
	return false
}

// sentenceKey is a sentence as far as its words tell.
func sentenceKey(s string) string {
	var b strings.Builder
	for _, w := range segment.Words(s) {
		b.WriteString(strings.ToLower(w.Of(s)))
		b.WriteByte(' ')
	}
	return b.String()
}

// counterpart finds what became of claim c: the claim whose spans overlap most
// with where c's spans are now, a triple for a triple where there is one.
func counterpart(c claim.Claim, after claim.Result, edits []claim.Edit) (claim.Claim, bool) {
	var spans []segment.Span
	for _, s := range c.Spans {
		spans = append(spans, moved(s, edits))
	}
	spans = claim.Merge(spans)
	k, most := -1, 0.0
	for i, d := range after.Claims {
		fit := jaccard(spans, claim.Merge(d.Spans))
		if fit > 0 && d.Whole == c.Whole {
			fit += 1e-3
		}
		if fit > 0 && d.Triple.Relation == c.Triple.Relation {
			fit += 1e-2
		}
		if fit > most {
			k, most = i, fit
		}
	}
	if k < 0 {
		return claim.Claim{}, false
	}
	return after.Claims[k], true
}

// jaccard is the share of bytes that two merged lists of spans have in common.
func jaccard(a, b []segment.Span) float64 {
	common, total := 0, 0
	for _, s := range a {
		total += s.Len()
		for _, t := range b {
			common += max(0, min(s.End, t.End)-max(s.Start, t.Start))
		}
	}
	for _, t := range b {
		total += t.Len()
	}
	if common == 0 {
		return 0
	}
	return float64(common) / float64(total-common)
}

// margin is by how much a claim's P(inconsistent) must fall, or rise, to count as
// clearly better, or worse, where its verdict does not tell.
const margin = 0.1

// better reports whether a claim is supported now, or clearly nearer to it:
// nothing speaks against it any more, and its P(inconsistent) fell by the margin.
// A claim that is still denied has not been put right.
func better(was, now claim.Claim) bool {
	switch now.Verdict {
	case claim.Supported:
		return true
	case claim.Unsupported:
		return now.PInconsistent <= was.PInconsistent-margin
	}
	return false
}

// worse reports whether a claim that was not edited lost by the edits of others.
func worse(was, now claim.Claim) bool {
	switch a, b := rank(was.Verdict), rank(now.Verdict); {
	case was.Verdict == claim.Unknown:
		return false
	case now.Verdict == claim.Unknown:
		return true
	case a != b:
		return b > a
	}
	return now.PInconsistent > was.PInconsistent+margin
}

// rank orders the verdicts that a model gave, the best first.
func rank(v claim.Verdict) int {
	switch v {
	case claim.Supported:
		return 0
	case claim.Unsupported:
		return 1
	case claim.Conflicting:
		return 2
	}
	return 3
}
