package graphcorrect

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
	// Remove takes the sentence or, where it is set off cleanly, the clause out
	// of the text. Claims that could not be judged are never removed.
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
	o.Proposers = slices.Clone(o.Proposers)
	return &Corrector{opts: o}, nil
}

// Correction is what became of an output.
type Correction struct {
	ID string `json:"id,omitempty"`
	// Text is the corrected output. Outside the spans of Edits it is the old one
	// byte for byte.
	Text string `json:"text"`
	// Edits are what was changed, ascending and not overlapping.
	Edits []claim.Edit `json:"edits"`
	// Left are the flagged claims that were not corrected, in their order.
	Left []Left `json:"left,omitempty"`
	// Before is the check of the output as it was; the claim positions of Edits
	// and Left are in its Claims.
	Before claim.Result `json:"before"`
	// After is the check of Text; nil when it was not checked again.
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
	// Err is the proposer's failure, if that is why.
	Err error `json:"-"`
}

// LeftKind says why a claim was not corrected. Values may be added.
type LeftKind string

// The kinds of Left.
const (
	// NoCorrection: no proposer knew a correction.
	NoCorrection LeftKind = "no correction"
	// Failed: a proposer failed, and no other knew a correction.
	Failed LeftKind = "failed"
	// Withdrawn: the corrected claim was no better than before.
	Withdrawn LeftKind = "withdrawn"
	// Overlap: another edit already changes the same place.
	Overlap LeftKind = "overlap"
	// NotJudged: the claim's verdict is unknown, so there is nothing to put right.
	NotJudged LeftKind = "not judged"
)

// Correct checks s, corrects what is flagged, and checks the corrected text.
// Its errors are those of the Checker on s, and the context's. A proposer that
// fails leaves its claim as it was.
func (c *Corrector) Correct(ctx context.Context, s claim.Sample) (Correction, error) {
	before, err := c.opts.Checker.Check(ctx, s)
	if err != nil {
		return Correction{ID: s.ID, Text: s.Output}, fmt.Errorf("graphcorrect: %w", err)
	}
	return c.CorrectResult(ctx, s, before)
}

// CorrectResult is Correct for a sample that was checked already: before must be
// the result of checking s.
func (c *Corrector) CorrectResult(ctx context.Context, s claim.Sample, before claim.Result) (Correction, error) {
	return Correction{ID: s.ID, Text: s.Output, Edits: []claim.Edit{}, Before: before}, nil
}
