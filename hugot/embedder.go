package hugot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/embed"
)

// EmbedderOptions are choices for an Embedder. The zero value is the default.
type EmbedderOptions struct {
	Options
	// Pooling is for a folder without sentence-transformers' modules.json; where
	// there is one it must be left empty, or say the same.
	Pooling Pooling
	// Prompt stands before every text, such as "query: "; "" takes the folder's
	// default prompt, if it has one.
	Prompt string
}

// Embedder is a sentence encoder as an embed.Embedder. Each text is read alone and
// without padding, so that its vector depends on nothing else. Calls take turns, in
// which each reads one text; the backend itself uses all cores. It carries no
// thresholds: measure some (docs/models/own-onnx.md) and add them with
// embed.WithThresholds.
type Embedder struct {
	m     *model
	s     sentence
	width int  // of a token's vector
	ready bool // the graph pools
}

var _ embed.Embedder = (*Embedder)(nil)

// LoadEmbedder loads a sentence encoder from a folder: an .onnx file (exported with
// dynamic axes), config.json, tokenizer.json, and sentence-transformers' modules.json
// with the pooling that it names. The graph gives its tokens' states
// (last_hidden_state or token_embeddings), or the sentence's vector
// (sentence_embedding). The folder is read now; its files must not change while the
// model is in use. The error wraps one of this package's, or ctx's.
//
// A loaded model has read one word, so that a graph which can't run fails here.
func LoadEmbedder(ctx context.Context, folder string, o EmbedderOptions) (*Embedder, error) {
	e := &Embedder{}
	m, err := load(ctx, folder, o.Options, func(f *modelFolder) ([]int, error) {
		var err error
		if e.s, err = readSentence(f); err != nil {
			return nil, err
		}
		return []int{e.s.limit}, e.settle(o)
	}, e.pick)
	if err != nil {
		return nil, err
	}
	e.m = m
	m.id += "/" + e.poolingName()
	if e.s.prompt != "" {
		m.id += fmt.Sprintf("/prompt=%q", e.s.prompt)
	}
	v, err := e.embed(ctx, "a")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("hugot: the first word: %w", err), m.Close())
	}
	e.width = len(v)
	return e, nil
}

// settle joins the folder's settings with the caller's.
func (e *Embedder) settle(o EmbedderOptions) error {
	if o.Prompt != "" {
		e.s.prompt = o.Prompt
	}
	if o.Pooling == "" {
		return nil
	}
	own, err := checkPoolings([]Pooling{o.Pooling})
	if err != nil {
		return err
	}
	if e.s.pooling != nil && !slices.Equal(own, e.s.pooling) {
		return fmt.Errorf("%w: the folder's is %q, Options.Pooling %q", ErrPooling, e.s.pooling, o.Pooling)
	}
	e.s.pooling = own
	return nil
}

// pick chooses the graph's output: the tokens' states, which are pooled here as the
// folder says, else what the graph has pooled itself.
func (e *Embedder) pick(outputs []tensorInfo) (int, error) {
	var names []string
	ready := -1
	for i, o := range outputs {
		names = append(names, o.name)
		switch {
		case len(o.dims) == 3 && (o.name == "last_hidden_state" || o.name == "token_embeddings" || len(outputs) == 1):
			if e.s.pooling == nil {
				continue
			}
			return i, nil
		case len(o.dims) == 2 && o.name == "sentence_embedding":
			ready = i
		}
	}
	if ready >= 0 {
		e.ready = true
		return ready, nil
	}
	if e.s.pooling == nil {
		return 0, fmt.Errorf("%w: there is no modules.json; copy it with its folders from where the model comes from, or set Options.Pooling to one of %q", ErrPooling, poolings)
	}
	return 0, fmt.Errorf("%w: %s; want last_hidden_state or token_embeddings with three axes, or sentence_embedding with two", ErrOutput, strings.Join(names, ", "))
}

func (e *Embedder) poolingName() string {
	if e.ready {
		return "graph"
	}
	var names []string
	for _, p := range e.s.pooling {
		names = append(names, string(p))
	}
	return strings.Join(names, "+")
}

// ID names the folder, the sum of its files, the backend, and what was chosen.
func (e *Embedder) ID() string { return e.m.id }

// Dimensions is the length of the vectors.
func (e *Embedder) Dimensions() int { return e.width }

// MaxTokens is how many tokens of a text are read, with the special ones and the
// prompt's. What stands behind them counts for nothing.
func (e *Embedder) MaxTokens() int { return e.m.max }

// Close frees the model; see ErrClosed.
func (e *Embedder) Close() error { return e.m.Close() }

// Embed returns the vectors of texts, of unit norm; a blank text has the zero vector.
// It stops between two texts when ctx ends. Any text is accepted, but one of which
// the tokenizer leaves nothing is an error. Special tokens in a text are plain
// characters. Memory beside the vectors does not grow with the number of texts.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("hugot: %w", err)
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		v, err := e.embed(ctx, t)
		if err != nil {
			return nil, fmt.Errorf("hugot: text %d: %w", i, err)
		}
		out[i] = v
	}
	return out, nil
}

func (e *Embedder) embed(ctx context.Context, text string) ([]float32, error) {
	if strings.TrimSpace(text) == "" {
		return make([]float32, e.width), ctx.Err()
	}
	text = e.s.prompt + text
	if e.s.lower {
		text = strings.ToLower(text)
	}
	room := e.m.max - e.m.single.special()
	ids, err := e.m.encode(text, room)
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, ErrUnreadable
	}
	t, err := e.m.read(ctx, e.m.single.fill(ids[:min(len(ids), room)]))
	if err != nil {
		return nil, err
	}
	v := t.data
	if !e.ready {
		if len(t.dims) != 3 || t.dims[0] != 1 {
			return nil, fmt.Errorf("%w: the tokens' states have the shape %v", ErrOutput, t.dims)
		}
		v = pool(t.data, t.dims[2], e.s.pooling)
	}
	if e.width > 0 && len(v) != e.width {
		return nil, fmt.Errorf("%w: a vector of %d numbers, those before had %d", ErrOutput, len(v), e.width)
	}
	if !embed.Normalize(v) {
		return nil, fmt.Errorf("%w: the vector is zero", ErrOutput)
	}
	return v, nil
}
