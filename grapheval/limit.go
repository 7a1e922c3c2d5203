package grapheval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kgeval/kgeval/claim"
)

// Why a claim was left unjudged, in Claim.Err; test with errors.Is.
var (
	// ErrMaxPairs: the pairs of Options.MaxPairs were used up.
	ErrMaxPairs = errors.New("not judged: the limit of pairs (MaxPairs) was reached")
	// ErrMaxTime: the time of Options.MaxTime was over.
	ErrMaxTime = errors.New("not judged: the time (MaxTime) was over")
)

// until is when a check that began at a time must have judged what it judges; the
// zero Time: never.
func (o Options) until(began time.Time) time.Time {
	if o.MaxTime == 0 {
		return time.Time{}
	}
	return began.Add(o.MaxTime)
}

// within returns ctx, ended at the given time if there is one.
func within(ctx context.Context, until time.Time) (context.Context, context.CancelFunc) {
	if until.IsZero() {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, until)
}

// question is one hypothesis to be judged.
type question struct {
	text   string
	vector []float32 // nil without an embedder
	err    error     // why there is no vector
}

// asked names the questions about one claim by their positions; sentence is -1
// where only the claim itself is judged.
type asked struct {
	claim, own, sentence int
	quotations           []int
}

// allot returns the claims for which MaxPairs is enough, with the questions that
// they need set in open; the others are left unknown.
func (p *Prepared) allot(ctx context.Context, claims []claim.Claim, all []asked, questions []question) (kept []asked, open []bool, err error) {
	open = make([]bool, len(questions))
	left, full := p.checker.opts.MaxPairs, false
	for _, a := range all {
		of := append([]int{a.own}, a.quotations...)
		if a.sentence >= 0 {
			of = append(of, a.sentence)
		}
		slices.Sort(of)
		of = slices.Compact(of)
		need := 0
		for _, q := range of {
			if open[q] || p.checker.opts.MaxPairs == 0 {
				continue
			}
			ws, err := p.forClaim(ctx, questions[q])
			if ctx.Err() != nil {
				return nil, nil, fmt.Errorf("grapheval: %w", ctx.Err())
			}
			if err == nil { // what cannot be judged costs nothing
				need += len(ws)
			}
		}
		if need > 0 && (full || need > left) {
			full = true
			unjudged(&claims[a.claim], ErrMaxPairs)
			continue
		}
		left -= need
		for _, q := range of {
			open[q] = true
		}
		kept = append(kept, a)
	}
	return kept, open, nil
}

// unjudged leaves a claim unknown.
func unjudged(c *claim.Claim, why error) {
	c.Verdict, c.PInconsistent, c.Err = claim.Unknown, 1, why
}

// limitNotes says how many claims a limit left.
func (o Options) limitNotes(claims []claim.Claim) []claim.Note {
	var out []claim.Note
	for _, limit := range []struct {
		err  error
		name string
	}{{ErrMaxPairs, fmt.Sprintf("the limit of %d pairs", o.MaxPairs)}, {ErrMaxTime, fmt.Sprintf("the limit of %v", o.MaxTime)}} {
		n := 0
		for _, c := range claims {
			if errors.Is(c.Err, limit.err) {
				n++
			}
		}
		if n > 0 {
			out = append(out, claim.Note{Kind: claim.NoteCut, Detail: fmt.Sprintf("%d claims were left unknown: %s was reached", n, limit.name)})
		}
	}
	return out
}
