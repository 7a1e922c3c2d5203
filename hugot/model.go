package hugot

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
)

// model is a graph that is ready to run, with its tokenizer.
type model struct {
	*modelFolder
	session
	tokens
	turns
	single, pair layout
	max          int    // tokens of a sequence, with the special ones
	out          int    // the output that is read
	id           string // without what the kind of model adds
	unknown      int64  // the id of what is not in the vocabulary, -1 without

	mu     sync.Mutex
	closed bool
}

// load opens a folder; more are further limits of length, and pick returns the
// place of the output that is read.
func load(ctx context.Context, path string, o Options, limits func(*modelFolder) ([]int, error), pick func([]tensorInfo) (int, error)) (m *model, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := openFolder(path, o)
	if err != nil {
		return nil, err
	}
	if err := f.checkIDs(); err != nil {
		return nil, err
	}
	m = &model{modelFolder: f, turns: newTurns()}
	if m.single, m.pair, err = f.tokenizer.Post.layouts(); err != nil {
		return nil, err
	}
	more, err := limits(f)
	if err != nil {
		return nil, err
	}
	if m.max, err = f.maxTokens(o.MaxTokens, more...); err != nil {
		return nil, err
	}
	m.unknown = f.unknown()
	sum, err := f.sum()
	if err != nil {
		return nil, err
	}
	backend := o.Backend
	if backend == "" {
		backend = Go
	}
	m.id = fmt.Sprintf("hugot/%d:%s@%s/%s/%d", method, f.name(), sum, backend, m.max)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if m.session, m.tokens, err = open(o, f); err != nil {
		return nil, err
	}
	if err := m.checkInputs(); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	if m.out, err = pick(m.session.outputs()); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// method rises with each change of any result that is no change of the model.
const method = 1

// unknown returns the id of the piece for what is not in the vocabulary.
func (f *modelFolder) unknown() int64 {
	u := f.tokenizer.Model.Unknown
	if u == nil {
		return -1
	}
	vocab, err := f.tokenizer.Model.vocabulary()
	if id, ok := vocab[*u]; err == nil && ok {
		return int64(id)
	}
	for _, a := range f.tokenizer.Added {
		if a.Content == *u {
			return int64(a.ID)
		}
	}
	return -1
}

// checkInputs refuses a graph whose inputs can't be filled.
func (m *model) checkInputs() error {
	var names []string
	for _, in := range m.session.inputs() {
		names = append(names, in.name)
		switch in.name {
		case "input_ids", "attention_mask":
		case "token_type_ids":
			kinds := max(m.single.kinds(), m.pair.kinds())
			if n := m.config.Types; n != nil && int(kinds) >= *n && *n > 0 {
				return fmt.Errorf("%w: tokenizer.json gives the token type %d, and config.json has a type_vocab_size of %d", ErrTokenizer, kinds, *n)
			}
		default:
			return fmt.Errorf("%w: it wants %q; known are input_ids, attention_mask and token_type_ids (export with the task feature-extraction or text-classification)", ErrInputs, in.name)
		}
		if len(in.dims) != 2 {
			return fmt.Errorf("%w: its input %s has %d axes, not two", ErrInputs, in.name, len(in.dims))
		}
		if in.dims[0] > 1 || in.dims[1] > 0 {
			return fmt.Errorf("%w: %s has the shape %v; export it with dynamic axes for batch and sequence", ErrShape, in.name, in.dims)
		}
	}
	if !slices.Contains(names, "input_ids") {
		return fmt.Errorf("%w: it has %s and no input_ids", ErrInputs, strings.Join(names, ", "))
	}
	return nil
}

// read runs one sequence and returns the output that was picked. It waits for its
// turn until ctx ends; a run that began is not broken off.
func (m *model) read(ctx context.Context, s sequence) (tensor, error) {
	n := len(s.ids)
	if n == 0 || n > m.max {
		return tensor{}, fmt.Errorf("%w: %d tokens, %d are read at most", ErrGraph, n, m.max)
	}
	values := make([][]int64, 0, 3)
	for _, in := range m.session.inputs() {
		v := make([]int64, n)
		for i := range v {
			switch in.name {
			case "input_ids":
				v[i] = int64(s.ids[i])
			case "token_type_ids":
				v[i] = int64(s.kinds[i])
			default: // the mask: nothing is padded
				v[i] = 1
			}
		}
		values = append(values, v)
	}
	if err := m.take(ctx); err != nil {
		return tensor{}, err
	}
	defer m.give()
	if m.ended() {
		return tensor{}, ErrClosed
	}
	out, err := m.run(values)
	if err != nil {
		return tensor{}, err
	}
	if m.out >= len(out) {
		return tensor{}, fmt.Errorf("%w: %d outputs came, output %d is wanted", ErrOutput, len(out), m.out)
	}
	t := out[m.out]
	if t.data == nil {
		return tensor{}, fmt.Errorf("%w: %s is not of float32", ErrOutput, m.session.outputs()[m.out].name)
	}
	size := 1
	for _, d := range t.dims {
		size *= d
	}
	if size != len(t.data) || size == 0 {
		return tensor{}, fmt.Errorf("%w: %s has %d values in the shape %v", ErrOutput, m.session.outputs()[m.out].name, len(t.data), t.dims)
	}
	for _, x := range t.data {
		if y := float64(x); math.IsNaN(y) || math.IsInf(y, 0) {
			return tensor{}, fmt.Errorf("%w: it gives %v for %d tokens", ErrGraph, x, n)
		}
	}
	return t, nil
}

func (m *model) ended() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.closed
}

// Close frees what the backend holds; calls that wait or come later fail with
// ErrClosed, and the one that runs is waited for. A second call does nothing.
func (m *model) Close() error {
	m.mu.Lock()
	was := m.closed
	m.closed = true
	m.mu.Unlock()
	if was {
		return nil
	}
	<-m.turns
	defer m.give()
	return errors.Join(m.session.close(), m.tokens.close())
}
