package graphcorrect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/kgeval/kgeval/claim"
)

// Checker judges an output. *grapheval.Checker is one.
type Checker interface {
	Check(ctx context.Context, s claim.Sample) (claim.Result, error)
}

// Proposer finds edits that would put one flagged claim right.
//
// Propose returns edits whose Span and New are set; Span is in s.Output, Reason
// says why in words, and Evidence is the place the correction was taken from, if
// any. No edits and a nil error mean that the proposer knows no correction. An
// error concerns this claim only, unless it is the context's. Implementations
// must be safe for concurrent use and must not change c.
type Proposer interface {
	Propose(ctx context.Context, s claim.Sample, c claim.Claim) ([]claim.Edit, error)

	// ID names the method with its version (and model).
	ID() string
}

// Policy says what happens to a flagged claim that could not be put right.
type Policy int

// The policies.
const (
	// Leave keeps the text and lists the claim in Correction.Left. The default.
	Leave Policy = iota
	// Remove takes what a contradicted or unsupported claim says out of the text:
	// its sentence, when nothing else in it is supported, or a clause that is set
	// off cleanly. Only claims that alone make the output inconsistent are removed
	// (see claim.Result.ClaimCutoff), so a checker with few false alarms removes
	// little that is right. Claims that could not be judged and those on which the
	// sources disagree are left.
	Remove
)

// Options is what a Corrector is made of. Checker and at least one Proposer are
// required.
type Options struct {
	Checker   Checker
	Proposers []Proposer // asked in order; the first that has an edit wins

	// Unfixable says what happens to what no proposer can put right.
	Unfixable Policy
	// NoRecheck trusts the proposers: the corrected text is not checked again,
	// and no edit is withdrawn.
	NoRecheck bool
	// Sequential corrects one claim after the other, the worst first, each in the
	// text that the corrections before it made, as the paper does. By
	// default every proposer sees the output as it was. After each correction the
	// text is checked, unless NoRecheck is set. Proposers that write a whole text
	// anew (TwoStep) need it where two claims share a sentence. It does not go
	// with the policy Remove.
	Sequential bool
	// Concurrency is how many claims are proposed for at the same time; 0 means
	// 4. The result does not depend on it.
	Concurrency int
}

// Corrector puts right what a check flagged, and touches nothing else. It is
// safe for concurrent use.
type Corrector struct{ opts Options }

// New returns a Corrector. It fails when a required option is missing.
func New(o Options) (*Corrector, error) {
	if o.Checker == nil {
		return nil, errors.New("graphcorrect: Options.Checker is nil")
	}
	if len(o.Proposers) == 0 || slices.Contains(o.Proposers, nil) {
		return nil, errors.New("graphcorrect: Options.Proposers needs at least one proposer, and none may be nil")
	}
	if o.Unfixable != Leave && o.Unfixable != Remove {
		return nil, fmt.Errorf("graphcorrect: unknown policy %d", o.Unfixable)
	}
	if o.Sequential && o.Unfixable == Remove {
		return nil, errors.New("graphcorrect: Options.Sequential does not go with the policy Remove")
	}
	if o.Concurrency < 0 {
		return nil, errors.New("graphcorrect: Options.Concurrency is negative")
	}
	if o.Concurrency == 0 {
		o.Concurrency = 4
	}
	o.Proposers = slices.Clone(o.Proposers)
	return &Corrector{opts: o}, nil
}

// Correction is what became of an output.
type Correction struct {
	ID string `json:"id,omitempty"`
	// Text is the corrected output. Outside the spans of Edits it is the old one
	// byte for byte.
	Text string `json:"text"`
	// Edits are what was changed, ascending and not overlapping. An edit that
	// several claims asked for is listed once, for the first of them.
	Edits []claim.Edit `json:"edits"`
	// Left are the flagged claims that were neither corrected nor removed, in
	// their order.
	Left []Left `json:"left,omitempty"`
	// Before is the check of the output as it was; the claim positions of Edits
	// and Left are in its Claims.
	Before claim.Result `json:"before"`
	// After is the check of Text; nil when nothing was changed or Text was not
	// checked again.
	After *claim.Result `json:"after,omitempty"`
}

// Changed reports whether Text differs from the output.
func (c Correction) Changed() bool { return len(c.Edits) > 0 }

// Left is a flagged claim that was not corrected.
type Left struct {
	// Claim is the position in Before.Claims.
	Claim int `json:"claim"`
	// Kind says why, for a program.
	Kind LeftKind `json:"kind"`
	// Reason says why, for a reader.
	Reason string `json:"reason"`
	// Err is the failure, if one is why; in JSON its text is "error".
	Err error `json:"-"`
}

// MarshalJSON writes Err as the text "error".
func (l Left) MarshalJSON() ([]byte, error) {
	type fields Left
	v := struct {
		fields
		Error string `json:"error,omitempty"`
	}{fields: fields(l)}
	if l.Err != nil {
		v.Error = l.Err.Error()
	}
	return json.Marshal(v)
}

// LeftKind says why a claim was not corrected. Values may be added.
type LeftKind string

// The kinds of Left.
const (
	// NoCorrection: no proposer knew a correction.
	NoCorrection LeftKind = "no correction"
	// Failed: a proposer failed or proposed what cannot be applied, and no other
	// knew a correction.
	Failed LeftKind = "failed"
	// Rejected: what a proposer's model wrote is no correction of this claim alone
	// (see RejectedError), and no other knew one.
	Rejected LeftKind = "rejected"
	// Withdrawn: with the edits the claim was not supported (or clearly better),
	// another claim became worse, or a sentence would have stood twice.
	Withdrawn LeftKind = "withdrawn"
	// Overlap: an edit for a worse claim already changes the same place.
	Overlap LeftKind = "overlap"
	// NotJudged: the claim's verdict is unknown, so there is nothing to put right.
	NotJudged LeftKind = "not judged"
	// NotRemovable: the claim could not be cut out without harm to what is
	// supported (only with the policy Remove).
	NotRemovable LeftKind = "not removable"
)

// Correct checks s, corrects what is flagged, and checks the corrected text. Its
// errors are those of the Checker on s, and the context's; Text is then the
// output as it was. A proposer that fails leaves its claim as it was, and a
// corrected text that cannot be checked is given up for the old one.
func (c *Corrector) Correct(ctx context.Context, s claim.Sample) (Correction, error) {
	if err := c.ready(ctx); err != nil {
		return unchanged(s, claim.Result{}), err
	}
	before, err := c.opts.Checker.Check(ctx, s)
	if err != nil {
		return unchanged(s, claim.Result{}), fmt.Errorf("graphcorrect: %w", err)
	}
	return c.CorrectResult(ctx, s, before)
}

func unchanged(s claim.Sample, before claim.Result) Correction {
	return Correction{ID: s.ID, Text: s.Output, Edits: []claim.Edit{}, Before: before}
}

// CorrectResult is Correct for a sample that was checked already: before must be
// the result of checking s as it is.
//
// Edits are taken in the order of before.Flagged, the worst claim first; all the
// edits of a claim are taken, or none. An edit equal to one taken already is
// shared, one that overlaps it loses.
//
// The corrected text is checked again, and edits are withdrawn until each claim
// that was edited is supported, or at least clearly better (neither contradicted
// nor conflicting any more, with a P(inconsistent) lower by 0.1), and no other
// claim is worse than it was. No edit makes a sentence that stands elsewhere in
// the text.
//
// Where the checker repaired text that was not UTF-8, the repaired text is what is
// corrected: the spans of before are in it.
func (c *Corrector) CorrectResult(ctx context.Context, s claim.Sample, before claim.Result) (Correction, error) {
	if err := c.ready(ctx); err != nil {
		return unchanged(s, before), err
	}
	if slices.ContainsFunc(before.Notes, func(n claim.Note) bool { return n.Kind == claim.NoteRepaired }) {
		s, _ = claim.Repair(s)
	}
	flagged := before.Flagged()
	if c.opts.Sequential {
		return c.sequential(ctx, s, before, flagged)
	}
	proposals, err := c.propose(ctx, s, before, flagged)
	if err != nil {
		return unchanged(s, before), err
	}
	plan := newPlan(s.Output, before)
	for k, i := range flagged {
		plan.take(i, proposals[k])
	}
	for {
		out := plan.apply()
		if plan.repeats(out) {
			continue // at least one claim's edits fewer
		}
		if len(out.Edits) == 0 && c.opts.Unfixable == Leave {
			out.ID = s.ID
			return out, nil
		}
		if !c.opts.NoRecheck && len(out.Edits) > 0 {
			withdrawn, err := c.recheck(ctx, s, plan, &out)
			if err != nil {
				return unchanged(s, before), err
			}
			if withdrawn {
				continue // at least one claim's edits fewer
			}
		}
		if c.opts.Unfixable == Remove && plan.remove() {
			continue
		}
		out.ID = s.ID
		return out, nil
	}
}

// ready reports a Corrector that was not made by New, and a nil context.
func (c *Corrector) ready(ctx context.Context) error {
	switch {
	case c == nil || c.opts.Checker == nil:
		return errors.New("graphcorrect: a Corrector must come from New")
	case ctx == nil:
		return errors.New("graphcorrect: the context is nil")
	}
	return nil
}

// proposal is what the proposers said to one claim.
type proposal struct {
	edits []claim.Edit
	left  *Left
}

// propose asks the proposers about each flagged claim. The error is the
// context's.
func (c *Corrector) propose(ctx context.Context, s claim.Sample, before claim.Result, flagged []int) ([]proposal, error) {
	out := make([]proposal, len(flagged))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(c.opts.Concurrency)
	for k, i := range flagged {
		if gctx.Err() != nil {
			break
		}
		g.Go(func() error {
			out[k] = c.proposeOne(gctx, s, before.Claims[i], i)
			return gctx.Err()
		})
	}
	err := g.Wait()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("graphcorrect: %w", err)
	}
	return out, nil
}

func (c *Corrector) proposeOne(ctx context.Context, s claim.Sample, k claim.Claim, i int) proposal {
	if k.Verdict == claim.Unknown {
		return proposal{left: &Left{Claim: i, Kind: NotJudged, Reason: "not corrected: the claim could not be judged", Err: k.Err}}
	}
	left := &Left{Claim: i, Kind: NoCorrection, Reason: "not corrected: no correction is known that the sources bear out"}
	switch {
	case k.Verdict == claim.Conflicting:
		left.Reason = "not corrected: the sources disagree"
	case k.Verdict == claim.Contradicted:
		left.Reason = "not corrected: the sources say otherwise, but no sure correction was found"
	case k.Verdict == claim.Unsupported && len(k.Reasons) == 0:
		left.Reason = "not corrected: the sources do not say what the text should have said"
	}
	for _, p := range c.opts.Proposers {
		edits, err := ask(ctx, p, s, k)
		if err == nil {
			edits, err = usable(s.Output, edits)
		}
		var rejected *RejectedError
		switch {
		case errors.As(err, &rejected):
			left = &Left{Claim: i, Kind: Rejected, Reason: "not corrected: " + rejected.Error(), Err: err}
		case err != nil:
			left = &Left{Claim: i, Kind: Failed, Reason: "not corrected: " + p.ID() + " failed", Err: err}
		case len(edits) > 0:
			for n := range edits {
				edits[n].Claim = i
			}
			return proposal{edits: edits}
		}
	}
	return proposal{left: left}
}

// ask calls a proposer; one that panics has failed, and the program goes on.
func ask(ctx context.Context, p Proposer, s claim.Sample, k claim.Claim) (edits []claim.Edit, err error) {
	defer func() {
		if v := recover(); v != nil {
			edits, err = nil, fmt.Errorf("panic: %v", v)
		}
	}()
	return p.Propose(ctx, s, k)
}

// usable returns the edits that change anything, or why they cannot be applied
// together.
func usable(text string, edits []claim.Edit) ([]claim.Edit, error) {
	_, sorted, err := Apply(text, edits)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(sorted, func(e claim.Edit) bool { return e.Old == e.New }), nil
}
