package graphcorrect

import (
	"context"
	"errors"
	"fmt"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/internal/reply"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/prompt"
)

// DirectOptions are the settings of a DirectPrompt. Checker is required.
type DirectOptions struct {
	Checker Checker
	// Prompt replaces CorrectDirectly.
	Prompt prompt.Prompt
	// MaxTokens, Temperature and Seed are those of TwoStepOptions.
	MaxTokens   int
	Temperature *float64
	Seed        *int64
}

// DirectPrompt is the baseline of the paper (Sansford et al., 2024): the
// whole output with its context in one request, without the graph. It may change
// anything. It is for comparison with a Corrector, and safe for concurrent use.
type DirectPrompt struct {
	model llm.Model
	opts  DirectOptions
}

// NewDirectPrompt returns the baseline that asks m.
func NewDirectPrompt(m llm.Model, o DirectOptions) (*DirectPrompt, error) {
	switch {
	case m == nil:
		return nil, errors.New("graphcorrect: the model is nil")
	case o.Checker == nil:
		return nil, errors.New("graphcorrect: DirectOptions.Checker is nil")
	}
	if o.Prompt.Zero() {
		o.Prompt = CorrectDirectly()
	}
	if err := o.Prompt.Check(SlotText, SlotContext); err != nil {
		return nil, fmt.Errorf("graphcorrect: %w", err)
	}
	if o.Temperature == nil {
		o.Temperature = new(0.0)
	}
	return &DirectPrompt{model: m, opts: o}, nil
}

// ID names the method, the model and the prompt with its version.
func (d *DirectPrompt) ID() string {
	return fmt.Sprintf("graphcorrect/direct(%s, %s)", d.model.ID(), d.opts.Prompt.ID())
}

// Correct checks s and, where it is inconsistent, has its output written anew and
// checks that. A reply that can't be read leaves the output as it was, with every
// flagged claim in Left. The errors are those of the Checker on s, the context's,
// and the model's.
func (d *DirectPrompt) Correct(ctx context.Context, s claim.Sample) (Correction, error) {
	if ctx == nil {
		return unchanged(s, claim.Result{}), errors.New("graphcorrect: the context is nil")
	}
	before, err := d.opts.Checker.Check(ctx, s)
	if err != nil {
		return unchanged(s, claim.Result{}), fmt.Errorf("graphcorrect: %w", err)
	}
	return d.CorrectResult(ctx, s, before)
}

// CorrectResult is Correct for a sample that was checked already.
func (d *DirectPrompt) CorrectResult(ctx context.Context, s claim.Sample, before claim.Result) (Correction, error) {
	out := unchanged(s, before)
	if before.Outcome != claim.Inconsistent {
		return out, nil
	}
	s, _ = claim.Repair(s)
	out.Text = s.Output
	var context []string
	for _, src := range s.Sources {
		if !claim.Blank(src.Text) {
			context = append(context, src.Text)
		}
	}
	r, err := askModel(ctx, d.model, d.opts.Prompt, prompt.Slots{SlotContext: sourcesSlot(context...), SlotText: prompt.Fenced(s.Output)},
		llm.Request{Temperature: d.opts.Temperature, Seed: d.opts.Seed, MaxTokens: d.opts.MaxTokens})
	if err != nil {
		return out, err
	}
	text, _, err := reply.Text(r, s.Output)
	if err != nil || text == s.Output {
		left := Left{Kind: NoCorrection, Reason: "not corrected: the model changed nothing"}
		if err != nil {
			left.Kind, left.Reason, left.Err = Rejected, "not corrected: "+err.Error(), err
		}
		for _, i := range before.Flagged() {
			left.Claim = i
			out.Left = append(out.Left, left)
		}
		return out, nil
	}
	edits := diff(s.Output, text)
	for i := range edits {
		edits[i].Reason = d.model.ID() + " wrote the text anew"
	}
	if out.Text, out.Edits, err = Apply(s.Output, edits); err != nil {
		return unchanged(s, before), err
	}
	s.Output = out.Text
	after, err := d.opts.Checker.Check(ctx, s)
	if err != nil {
		return out, fmt.Errorf("graphcorrect: the corrected text: %w", err)
	}
	out.After = &after
	return out, nil
}
