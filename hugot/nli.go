package hugot

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// NLIOptions are choices for an NLI model. The zero value is the default.
type NLIOptions struct {
	Options
	// Labels say what the classes mean, in their order, in place of config.json's
	// id2label; needed where that has LABEL_0 and the like.
	Labels []Label
	// Template is for a model that reads premise and hypothesis as one text, such as
	// HHEM-2.1-open. It holds "{premise}" and "{hypothesis}" once each; special
	// tokens in it are what they are in the vocabulary. "" reads pairs.
	Template string
}

// NLI is a cross-encoder as a nli.Model. Each pair is read alone and without
// padding, so that its result depends on nothing else. Calls take turns, in which
// each reads one window; the backend itself uses all cores.
type NLI struct {
	m      *model
	labels []Label
	form   template // nil reads pairs
	budget int
}

var _ nli.Windower = (*NLI)(nil)

// LoadNLI loads a cross-encoder from a folder: an .onnx file (exported with dynamic
// axes) whose output is called logits or is the only one, config.json, and
// tokenizer.json. See LoadEmbedder for the rest.
//
// Heads of three classes, of two (entailment or not) and of one logit are known.
// Which class is which is read from config.json's id2label by name, never by place.
func LoadNLI(ctx context.Context, folder string, o NLIOptions) (*NLI, error) {
	n := &NLI{}
	m, err := load(ctx, folder, o.Options, func(f *modelFolder) (_ []int, err error) {
		n.labels, err = labelsOf(f, o.Labels)
		return nil, err
	}, pickLogits)
	if err != nil {
		return nil, err
	}
	n.m = m
	if err := n.prepare(ctx, o); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return n, nil
}

func pickLogits(outputs []tensorInfo) (int, error) {
	var names []string
	for i, o := range outputs {
		names = append(names, o.name)
		if o.name != "logits" && len(outputs) > 1 {
			continue
		}
		if len(o.dims) != 2 {
			return 0, fmt.Errorf("%w: %s has %d axes, want two, batch and classes", ErrOutput, o.name, len(o.dims))
		}
		return i, nil
	}
	return 0, fmt.Errorf("%w: %s; want logits (export with the task text-classification)", ErrOutput, strings.Join(names, ", "))
}

// prepare reads the template, counts what it takes, and reads a first pair.
func (n *NLI) prepare(ctx context.Context, o NLIOptions) error {
	special := n.m.pair.special()
	if o.Template != "" {
		var err error
		if n.form, err = newTemplate(o.Template, n.m.tokenizer.Added); err != nil {
			return err
		}
		s, err := n.fill("", "")
		if err != nil {
			return err
		}
		special = len(s.ids) + joints
		n.m.id += fmt.Sprintf("/template=%q", o.Template)
	} else if n.m.pair == nil {
		return fmt.Errorf("%w: tokenizer.json does not say how a pair of texts is read; if the model reads both as one text, give NLIOptions.Template", ErrTokenizer)
	}
	n.m.id += fmt.Sprintf("/%s", n.labels)
	if n.budget = n.m.max - special; n.budget < 8 {
		return fmt.Errorf("%w: of %d tokens at once %d are left for premise and hypothesis", ErrConfig, n.m.max, n.budget)
	}
	s, err := n.sequence("a", "a")
	if err == nil {
		_, err = n.judge(ctx, s)
	}
	if err != nil {
		return fmt.Errorf("hugot: the first pair: %w", err)
	}
	return nil
}

// ID names the folder, the sum of its files, the backend, and what was chosen.
func (n *NLI) ID() string { return n.m.id }

// Close frees the model; see ErrClosed.
func (n *NLI) Close() error { return n.m.Close() }

// Budget is how many tokens premise and hypothesis may have together.
func (n *NLI) Budget() int { return n.budget }

// Cost is the number of tokens of text, without special ones; after Close it is four bytes
// a token under ORT.
func (n *NLI) Cost(text string) int {
	ids, err := n.m.encode(text, math.MaxInt)
	if err != nil {
		return (len(text) + 3) / 4
	}
	return len(ids)
}

// Classify judges pairs; see nli.Model.
//
// A premise that is too long is read in windows of whole sentences, which overlap by
// a quarter; P(entailment) is the greatest of any window, P(contradiction) too, but
// at most what entailment leaves. The hypothesis is never cut.
//
// A pair's Err is nli.ErrEmptyPremise, nli.ErrEmptyHypothesis, ErrUnreadable,
// *nli.HypothesisTooLongError for a hypothesis of more than seven eighths of the
// Budget, or what the graph failed with. The returned error is ctx's, which is looked
// at between windows, or ErrClosed.
func (n *NLI) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("hugot: %w", err)
	}
	out := make([]nli.Probs, len(pairs))
	for i, p := range pairs {
		q, err := n.classify(ctx, p)
		switch {
		case err == nil:
			out[i] = q
		case ctx.Err() != nil:
			return nil, fmt.Errorf("hugot: pair %d: %w", i, ctx.Err())
		case errors.Is(err, ErrClosed):
			return nil, err
		default:
			out[i].Err = err
		}
	}
	return out, nil
}

func (n *NLI) classify(ctx context.Context, p nli.Pair) (nli.Probs, error) {
	var none nli.Probs
	if strings.TrimSpace(p.Premise) == "" {
		return none, nli.ErrEmptyPremise
	}
	if strings.TrimSpace(p.Hypothesis) == "" {
		return none, nli.ErrEmptyHypothesis
	}
	h, err := n.m.encode(p.Hypothesis, math.MaxInt)
	if err != nil {
		return none, err
	}
	if len(h) > n.budget-n.budget/8 {
		return none, &nli.HypothesisTooLongError{Cost: len(h), Budget: n.budget}
	}
	premise, err := n.m.encode(p.Premise, n.budget+1)
	if err != nil {
		return none, err
	}
	// The beginning of a premise that does not fit may be unreadable, and the rest not.
	if !n.readable(h) || len(premise) <= n.budget && !n.readable(premise) {
		return none, ErrUnreadable
	}
	windows := []segment.Span{{End: len(p.Premise)}}
	// Hypotheses of up to a quarter of the budget share windows, as in nli.Judge.
	if room := n.budget - max(len(h), n.budget/4); len(premise) > room {
		windows = segment.Windows(p.Premise, room, room/4, n.Cost)
	}
	var all nli.Probs
	for i, w := range windows {
		s, err := n.sequence(w.Of(p.Premise), p.Hypothesis)
		if err != nil {
			return none, err
		}
		q, err := n.judge(ctx, s)
		if err != nil {
			return none, err
		}
		if i == 0 {
			all = q
			continue
		}
		all.Entailment = max(all.Entailment, q.Entailment)
		all.Contradiction = min(max(all.Contradiction, q.Contradiction), 1-all.Entailment)
		all.Neutral = max(0, 1-all.Entailment-all.Contradiction)
	}
	return all, nil
}

// readable reports whether any of ids is a piece of the vocabulary.
func (n *NLI) readable(ids []uint32) bool {
	for _, id := range ids {
		if int64(id) != n.m.unknown {
			return true
		}
	}
	return false
}

// sequence puts a window and a hypothesis together. A single word that is longer
// than a window is cut; nothing else is.
func (n *NLI) sequence(premise, hypothesis string) (sequence, error) {
	if n.form != nil {
		s, err := n.fill(premise, hypothesis)
		if err == nil && len(s.ids) > n.m.max {
			err = fmt.Errorf("%w: with the template there are %d tokens, %d are read at most", ErrTokenizer, len(s.ids), n.m.max)
		}
		return s, err
	}
	h, err := n.m.encode(hypothesis, math.MaxInt)
	if err != nil {
		return sequence{}, err
	}
	room := n.budget - len(h)
	p, err := n.m.encode(premise, room)
	if err != nil {
		return sequence{}, err
	}
	return n.m.pair.fill(p[:min(len(p), room)], h), nil
}

// judge reads one sequence.
func (n *NLI) judge(ctx context.Context, s sequence) (nli.Probs, error) {
	t, err := n.m.read(ctx, s)
	if err != nil {
		return nli.Probs{}, err
	}
	if len(t.dims) != 2 || t.dims[0] != 1 || t.dims[1] != len(n.labels) {
		return nli.Probs{}, fmt.Errorf("%w: its logits have the shape %v, and there are %d labels", ErrLabels, t.dims, len(n.labels))
	}
	return probs(t.data, n.labels), nil
}
