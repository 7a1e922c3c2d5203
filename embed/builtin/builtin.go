// Package builtin is the embedder that is inside the program: the transformer
// all-MiniLM-L6-v2 in pure Go, with its weights in the binary. It needs no
// download, no network and no cgo.
//
// It measures meaning, in English: "physician" is near "doctor", and "was founded
// in" near "was established in", which embed/hashed cannot see. It was trained on
// sentences, and bare relations are its weak side: "works for" and "is employed by"
// are far apart, and names with a typing error are farther than under embed/hashed.
// What is alike in topic is near, too, though it says another thing: a sentence and
// its denial, two dates, two people with one profession. It compares; it does not
// tell what is true, which is what nli is for. Texts in other languages have
// vectors, but no good ones.
//
// docs/models/all-minilm-l6-v2.md is the model's card: where it comes from, how
// exact it is, how fast, and what it cannot do.
package builtin

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/internal/bert"
	"github.com/kgeval/kgeval/weights"
)

// Dimensions is the length of the vectors.
const Dimensions = 384

// MaxTokens is how many tokens of a text are read, with the two that mark its
// ends: about 190 English words. The model was not trained for more.
const MaxTokens = 256

// method names what is done with the weights; the number rises with each change
// of any vector that is no change of the weights.
const method = "all-MiniLM-L6-v2/1"

// Errors of weights that are not the built-in ones; test with errors.Is.
var (
	// ErrFormat: this is not a weights file, or one of another version.
	ErrFormat = bert.ErrFormat
	// ErrTruncated: the file ends before its data does.
	ErrTruncated = bert.ErrTruncated
	// ErrChecksum: the data is not what was written.
	ErrChecksum = bert.ErrChecksum
	// ErrMissing: the files lack a part of the model.
	ErrMissing = bert.ErrMissing
)

// Options are choices that have a default.
type Options struct {
	// Workers is the number of goroutines that work on one call; 0 means
	// GOMAXPROCS, and less than 0 is taken for 0. The vectors are the same bits
	// with any number. A call that is one short text uses one.
	Workers int
}

// Embedder turns texts into the vectors of the model. It is safe for concurrent
// use; calls share the weights and nothing else.
//
// A text is cut into the pieces of the uncased BERT vocabulary, of which the
// first MaxTokens-2 are read; what stands behind them counts for nothing. The
// vector is the mean of the last layer's states, those of the two end marks
// included, scaled to unit norm: what sentence-transformers computes with this
// model, of which cosines differ by at most 1e-3 (docs/results/embed.md). There
// are two departures. A text of blanks alone has the zero vector, so that it is
// like nothing. And no text can write a special token: "[SEP]" in a text is five
// characters.
//
// Any text is accepted: control characters and bytes that are not UTF-8 are left
// out, and a word of more than 100 letters is one unknown piece. A text of
// which nothing is left that way has the vector of the end marks alone.
type Embedder struct {
	workers int
	model   func() (*bert.Model, error)
	id      func() string
	own     bool // other weights than the built-in ones
}

var _ embed.Thresholder = (*Embedder)(nil)

// New returns the embedder with the built-in weights. They load when the first
// text comes, once a process (docs/results/embed.md says how long that takes).
func New(o Options) *Embedder {
	return &Embedder{workers: o.Workers, model: builtIn, id: builtInID}
}

// The built-in weights, loaded at most once. Nothing changes them.
var (
	builtIn = sync.OnceValues(func() (*bert.Model, error) {
		return bert.LoadStrings([]string{weights.Words(), weights.Embedder()})
	})
	builtInID = sync.OnceValue(func() string {
		var headers []bert.Header
		for _, f := range []string{weights.Words(), weights.Embedder()} {
			h, err := bert.ReadHeader(strings.NewReader(f))
			if err != nil { // a broken build; Embed says so
				return method + "@unreadable"
			}
			headers = append(headers, h)
		}
		return id(headers)
	})
)

func id(headers []bert.Header) string { return method + "@" + bert.Sum(headers) }

// Load returns an embedder with weights from files of fsys, which together make
// one model in the form that internal/bert describes and training/kgweights.py
// writes: the model in more bits, say, or fine-tuned. It reads them at once. The
// error wraps one of ErrFormat, ErrTruncated, ErrChecksum, ErrMissing, or the
// file system's. Vectors are as long as the model is wide. It has no thresholds
// unless the files hold the built-in weights: set some that were measured for it
// with embed.WithThresholds.
func Load(fsys fs.FS, names []string, o Options) (*Embedder, error) {
	m, err := bert.LoadFS(fsys, names)
	return loaded(m, err, o)
}

// LoadReaderAt is Load for one file of the given size in bytes. r is not used
// after the return.
func LoadReaderAt(r io.ReaderAt, size int64, o Options) (*Embedder, error) {
	m, err := bert.LoadReaderAt(r, size)
	return loaded(m, err, o)
}

func loaded(m *bert.Model, err error, o Options) (*Embedder, error) {
	if err != nil {
		return nil, fmt.Errorf("embed/builtin: %w", err)
	}
	name := id(m.Headers())
	return &Embedder{
		workers: o.Workers,
		model:   func() (*bert.Model, error) { return m, nil },
		id:      func() string { return name },
		own:     name != builtInID(),
	}, nil
}

// ID names the method, its version and the sums of the weights' files.
func (e *Embedder) ID() string { return e.id() }

// blockTexts is how many texts are in memory as tokens at a time.
const blockTexts = 256

// Embed returns the vectors of texts; see Embedder and embed.Embedder. It stops
// between groups of about 192 tokens when ctx ends and returns an error that
// wraps the context's. Else it fails only where the weights are damaged. Memory
// beside the vectors is bounded, whatever the number and length of texts; time is
// linear in both.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("embed/builtin: %w", err)
	}
	vectors := make([][]float32, len(texts))
	if len(texts) == 0 {
		return vectors, nil
	}
	m, err := e.model()
	if err != nil {
		return nil, fmt.Errorf("embed/builtin: %w", err)
	}
	for from := 0; from < len(texts); from += blockTexts {
		to := min(from+blockTexts, len(texts))
		if err := embedBlock(ctx, m, e.workers, texts[from:to], vectors[from:to]); err != nil {
			return nil, fmt.Errorf("embed/builtin: texts %d to %d: %w", from, to-1, err)
		}
	}
	return vectors, nil
}

// embedBlock writes the vectors of texts to out.
func embedBlock(ctx context.Context, m *bert.Model, workers int, texts []string, out [][]float32) error {
	width, length := m.Config().Hidden, min(MaxTokens, m.Config().Positions)
	var seqs []bert.Sequence
	var place []int // of each sequence in texts
	var pieces []int32
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if strings.TrimSpace(t) == "" {
			out[i] = make([]float32, width)
			continue
		}
		pieces = m.Tokenizer().EncodeFirst(pieces[:0], t, length-2)
		seqs, place = append(seqs, m.Single(pieces, length)), append(place, i)
	}
	if err := m.Encode(ctx, seqs, workers, func(i int, hidden []float32) {
		out[place[i]] = mean(hidden, width)
	}); err != nil {
		return err
	}
	for _, i := range place {
		if !embed.Normalize(out[i]) {
			return fmt.Errorf("%w: they give text %d no direction", ErrFormat, i)
		}
	}
	return nil
}

// mean returns the mean of the rows of hidden.
func mean(hidden []float32, width int) []float32 {
	sum := make([]float64, width)
	for from := 0; from < len(hidden); from += width {
		for j, x := range hidden[from : from+width] {
			sum[j] += float64(x)
		}
	}
	rows := float64(len(hidden) / width)
	v := make([]float32, width)
	for j, x := range sum {
		v[j] = float32(x / rows)
	}
	return v
}
