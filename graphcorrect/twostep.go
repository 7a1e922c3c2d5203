package graphcorrect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/internal/reply"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/prompt"
	"github.com/kgeval/kgeval/segment"
)

// TwoStepOptions are the settings of a TwoStep. The zero value is the default.
type TwoStepOptions struct {
	// CorrectTriple and ReplaceFact replace the prompts of these names.
	CorrectTriple, ReplaceFact prompt.Prompt
	// MaxTokens bounds each reply; 0 leaves it to the model. A text that was cut
	// is never used.
	MaxTokens int
	// Temperature of the draw; nil means 0.
	Temperature *float64
	// Seed of the draw; nil leaves it to the model.
	Seed *int64
	// MaxContext is the length in bytes up to which the whole context goes into
	// the first step; of a longer one go the passages that the check read for the
	// claim. 0 means 24,000.
	MaxContext int
}

// TwoStep is the Proposer of GraphCorrect (Sansford et al., 2024) with
// any language model. For one flagged triple it asks
//
//  1. which triple agrees with the context: the request holds the context and the
//     triple, and never the output;
//  2. for the output with this one fact replaced: the request holds the output and
//     both triples, and never the context.
//
// What comes back is used only if the first reply is one other triple that shares
// a word with the old one, and the second changes something, nothing outside the
// claim's sentences, and does not take them out, double them or add to them;
// otherwise the error is a *RejectedError. Changes of blanks and of the form of
// quotes elsewhere are not taken over. A claim without a triple has no correction.
//
// It is safe for concurrent use. See Options.Sequential.
type TwoStep struct {
	model llm.Model
	opts  TwoStepOptions
}

var _ Proposer = (*TwoStep)(nil)

// NewTwoStep returns the proposer that asks m. It fails for a nil model and for a
// prompt without name, version or its slots.
func NewTwoStep(m llm.Model, o TwoStepOptions) (*TwoStep, error) {
	if m == nil {
		return nil, errors.New("graphcorrect: the model is nil")
	}
	if o.CorrectTriple.Zero() {
		o.CorrectTriple = CorrectTriple()
	}
	if o.ReplaceFact.Zero() {
		o.ReplaceFact = ReplaceFact()
	}
	if err := o.CorrectTriple.Check(SlotTriple, SlotContext); err != nil {
		return nil, fmt.Errorf("graphcorrect: %w", err)
	}
	if err := o.ReplaceFact.Check(SlotText, SlotTriple, SlotCorrected); err != nil {
		return nil, fmt.Errorf("graphcorrect: %w", err)
	}
	if o.Temperature == nil {
		o.Temperature = new(0.0)
	}
	if o.MaxContext <= 0 {
		o.MaxContext = 24_000
	}
	return &TwoStep{model: m, opts: o}, nil
}

// ID names the method, the model and both prompts with their versions.
func (p *TwoStep) ID() string {
	return fmt.Sprintf("graphcorrect/two-step(%s, %s, %s)", p.model.ID(), p.opts.CorrectTriple.ID(), p.opts.ReplaceFact.ID())
}

// Propose asks for the correction of c. Contradicted and unsupported claims with a
// triple are asked about; for others there is none.
func (p *TwoStep) Propose(ctx context.Context, s claim.Sample, c claim.Claim) ([]claim.Edit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.Verdict != claim.Contradicted && c.Verdict != claim.Unsupported || c.Whole || c.Triple == (kg.Triple{}) {
		return nil, nil
	}
	right, err := p.correctTriple(ctx, s, c)
	if err != nil || right == nil {
		return nil, err
	}
	r, err := p.ask(ctx, p.opts.ReplaceFact, prompt.Slots{
		SlotText:      prompt.Fenced(s.Output),
		SlotTriple:    tripleSlot(c.Triple),
		SlotCorrected: tripleSlot(*right),
	})
	if err != nil {
		return nil, err
	}
	text, _, err := reply.Text(r, s.Output)
	if err != nil {
		return nil, &RejectedError{Step: 2, Reason: "no text: " + err.Error(), Raw: r.Text, Err: err}
	}
	edits, reason := changes(s.Output, text, c)
	if reason != "" {
		return nil, &RejectedError{Step: 2, Reason: reason, Raw: r.Text}
	}
	for i := range edits {
		edits[i].Reason = fmt.Sprintf("%s: %v should be %v", p.model.ID(), c.Triple, *right)
		if len(c.Evidence) > 0 {
			e := c.Evidence[0]
			edits[i].Evidence = &e
		}
	}
	return edits, nil
}

// correctTriple is the first step; nil when the context does not say what the
// triple should be.
func (p *TwoStep) correctTriple(ctx context.Context, s claim.Sample, c claim.Claim) (*kg.Triple, error) {
	r, err := p.ask(ctx, p.opts.CorrectTriple, prompt.Slots{
		SlotContext: sourcesSlot(p.context(s, c)...),
		SlotTriple:  tripleSlot(c.Triple),
	})
	if err != nil {
		return nil, err
	}
	t, _, err := reply.Triple(r, reply.Options{})
	switch {
	case errors.Is(err, reply.ErrNone):
		return nil, nil
	case err != nil:
		return nil, &RejectedError{Step: 1, Reason: "no triple: " + err.Error(), Raw: r.Text, Err: err}
	case sameTriple(t, c.Triple):
		return nil, &RejectedError{Step: 1, Reason: "it changes nothing", Raw: r.Text}
	case !related(c.Triple, t):
		return nil, &RejectedError{Step: 1, Reason: fmt.Sprintf("%v is about something else than %v", t, c.Triple), Raw: r.Text}
	}
	return &t, nil
}

// context returns the texts of the sources, or where they are too long the
// passages that were read for the claim.
func (p *TwoStep) context(s claim.Sample, c claim.Claim) []string {
	var all []string
	n := 0
	for _, src := range s.Sources {
		if !claim.Blank(src.Text) {
			all = append(all, src.Text)
			n += len(src.Text)
		}
	}
	if n <= p.opts.MaxContext {
		return all
	}
	byTheCheck := make(map[int][]segment.Span)
	if c.Window != nil {
		byTheCheck[c.Window.Index] = append(byTheCheck[c.Window.Index], c.Window.Span)
	}
	for _, e := range c.Evidence {
		byTheCheck[e.Index] = append(byTheCheck[e.Index], e.Span)
	}
	room := p.opts.MaxContext
	var parts []string
	for i, src := range s.Sources {
		for _, span := range claim.Merge(byTheCheck[i]) {
			if span.Start < 0 || span.End > len(src.Text) || room <= 0 {
				continue
			}
			part := span.Of(src.Text)
			if w := segment.Windows(part, room, 0, nil); len(part) > room && len(w) > 0 {
				part = w[0].Of(part)
			}
			room -= len(part)
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 { // nothing was read: the beginning
		for _, text := range all {
			if w := segment.Windows(text, room, 0, nil); room > 0 && len(w) > 0 {
				parts = append(parts, w[0].Of(text))
				room -= w[0].Len()
			}
		}
	}
	return parts
}

func (p *TwoStep) ask(ctx context.Context, q prompt.Prompt, slots prompt.Slots) (llm.Response, error) {
	return askModel(ctx, p.model, q, slots, llm.Request{Temperature: p.opts.Temperature, Seed: p.opts.Seed, MaxTokens: p.opts.MaxTokens})
}

func askModel(ctx context.Context, m llm.Model, q prompt.Prompt, slots prompt.Slots, req llm.Request) (llm.Response, error) {
	messages, err := q.Messages(slots)
	if err != nil {
		return llm.Response{}, fmt.Errorf("graphcorrect: %w", err)
	}
	req.Messages = messages
	r, err := m.Generate(ctx, req)
	if err = llm.ContextError(ctx, err); err != nil {
		return r, fmt.Errorf("graphcorrect: %s: %w", m.ID(), err)
	}
	return r, nil
}

func sourcesSlot(texts ...string) prompt.Slot {
	return prompt.FencedAll(func(i int) string {
		if len(texts) == 1 {
			return ""
		}
		return "Source " + strconv.Itoa(i+1) + ":"
	}, texts...)
}

// tripleSlot is a triple as JSON, with its characters as they are.
func tripleSlot(t kg.Triple) prompt.Slot {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	// Strings always encode; bytes that are not UTF-8 become U+FFFD.
	_ = e.Encode([]string{t.Head, t.Relation, t.Tail})
	return prompt.Fenced(strings.ReplaceAll(strings.TrimSpace(b.String()), `","`, `", "`))
}
