package hugot

import (
	"context"
	"fmt"
)

// Backend is what runs a model's graph.
type Backend string

const (
	// Go is the default: pure Go, in every build for a 64-bit processor. It is
	// slow, and reads WordPiece and byte-level BPE tokenizers only.
	Go Backend = "go"
	// ORT is Microsoft's ONNX Runtime with Hugging Face's own tokenizers, in builds
	// with cgo and -tags ORT.
	ORT Backend = "ort"
)

// Options are choices for both kinds of model. The zero value is the default.
type Options struct {
	// Backend runs the model; "" means Go.
	Backend Backend
	// Library is the folder of libonnxruntime, for ORT; "" means the system's own
	// (/usr/lib on Linux). The first model of a process that is loaded decides.
	Library string
	// File is the .onnx file, relative to the folder, where it has more than one.
	File string
	// MaxTokens is how many tokens are read at once, with the special ones; 0 takes
	// what the folder's settings say, and never more than that is taken.
	MaxTokens int
}

// session runs a graph on one sequence at a time. Sequences are never padded and
// never share a run, so that a result depends on its own text alone, even in a
// graph that quantises its activations over the whole batch. A session is used
// by one goroutine at a time; see turns.
type session interface {
	// inputs and outputs are the graph's, in its order.
	inputs() []tensorInfo
	outputs() []tensorInfo
	// run gives every output. values are one row of int64 for each input.
	run(values [][]int64) ([]tensor, error)
	close() error
}

// tensorInfo is what a graph says of an input or output; a dimension that it
// leaves open is -1.
type tensorInfo struct {
	name string
	dims []int64
}

// tensor is an output; data is nil where it is not float32.
type tensor struct {
	dims []int
	data []float32
}

// tokens turns plain text into ids, without special tokens. What would be a
// special token in the reference ("[SEP]", "</s>") is plain characters here, so
// that a text can't pretend to be a border. Implementations are safe for
// concurrent use.
type tokens interface {
	// encode returns the ids of text; where there are more than limit, at
	// least limit of them.
	encode(text string, limit int) ([]uint32, error)
	close() error
}

// open starts what o asks for.
func open(o Options, f *modelFolder) (session, tokens, error) {
	switch o.Backend {
	case "", Go:
		return openGo(f)
	case ORT:
		return openORT(o.Library, f)
	}
	return nil, nil, fmt.Errorf("%w: %q is none, there are %q and %q", ErrBackend, o.Backend, Go, ORT)
}

// turns lets one caller at a time run a session.
type turns chan struct{}

func newTurns() turns {
	t := make(turns, 1)
	t <- struct{}{}
	return t
}

// take waits for a turn; give ends it.
func (t turns) take(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-t:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t turns) give() { t <- struct{}{} }
