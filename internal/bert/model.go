package bert

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unsafe"

	"github.com/kgeval/kgeval/internal/bert/kernel"
)

// Model is an encoder ready to run. It is read-only and safe for concurrent
// use.
type Model struct {
	config    Config
	tokenizer *Tokenizer
	headers   []Header
	extra     *weights
	kernel    *kernel.Set

	word                   tensor
	position, types        []float32
	embedGain, embedBias   []float32
	layers                 []layer
	relative               []float32 // [heads][2*Positions-1+pad], by key minus query
	relativeRow, headWidth int
}

// layer is one transformer block. Weights are packed for Model.kernel.
type layer struct {
	qkv, out, up, down         *kernel.Panels
	qkvBias, outBias           []float32
	upBias, downBias           []float32
	gain1, bias1, gain2, bias2 []float32
}

// Option changes how a model is loaded.
type Option func(*options)

type options struct{ kernel *kernel.Set }

// WithKernel takes the given kernels instead of kernel.Best.
func WithKernel(s *kernel.Set) Option { return func(o *options) { o.kernel = s } }

// Load reads a model from weights files that are in memory. Several files
// make one model where they share tensors; exactly one of them must have a
// Config. The slices must not change while the model is in use.
func Load(files [][]byte, opts ...Option) (*Model, error) {
	var src []source
	for i, f := range files {
		src = append(src, source{name: fmt.Sprint(i), r: bytes.NewReader(f), all: f})
	}
	return load(src, opts)
}

// LoadStrings is Load for files that are strings, such as files embedded in the
// program. Their bytes are used where they are.
func LoadStrings(files []string, opts ...Option) (*Model, error) {
	var src []source
	for i, f := range files {
		// A model only reads its files' bytes.
		src = append(src, source{name: fmt.Sprint(i), r: strings.NewReader(f), all: unsafe.Slice(unsafe.StringData(f), len(f))})
	}
	return load(src, opts)
}

// LoadFS reads a model from the named weights files of a file system.
func LoadFS(fsys fs.FS, names []string, opts ...Option) (*Model, error) {
	var src []source
	for _, n := range names {
		f, err := fsys.Open(n)
		if err != nil {
			return nil, fmt.Errorf("bert: %w", err)
		}
		defer f.Close()
		src = append(src, source{name: n, r: f})
	}
	return load(src, opts)
}

// LoadReaderAt reads a model from one weights file of the given size.
func LoadReaderAt(r io.ReaderAt, size int64, opts ...Option) (*Model, error) {
	return load([]source{{name: "weights", r: io.NewSectionReader(r, 0, size)}}, opts)
}

func load(files []source, opts []Option) (*Model, error) {
	var o options
	for _, f := range opts {
		f(&o)
	}
	if o.kernel == nil {
		k, err := kernel.Best()
		if err != nil {
			return nil, fmt.Errorf("bert: %w", err)
		}
		o.kernel = k
	}
	w := &weights{tensors: map[string]tensor{}}
	for _, f := range files {
		if err := w.read(f); err != nil {
			return nil, fmt.Errorf("%w (%s)", err, f.name)
		}
	}
	m := &Model{kernel: o.kernel, headers: w.headers, extra: w}
	for _, h := range w.headers {
		if h.Config == nil {
			continue
		}
		if m.config != (Config{}) {
			return nil, fmt.Errorf("%w: two of the files have a configuration", ErrFormat)
		}
		m.config = *h.Config
	}
	if err := m.config.validate(); err != nil {
		return nil, err
	}
	if err := m.fill(w); err != nil {
		return nil, err
	}
	return m, nil
}

// fill takes the tensors out of w.
func (m *Model) fill(w *weights) error {
	c := m.config
	v, ok := w.tensors["vocabulary"]
	if !ok || v.Type != "u8" {
		return fmt.Errorf("%w: vocabulary", ErrMissing)
	}
	pieces := strings.Split(strings.TrimSuffix(string(v.data), "\n"), "\n")
	var err error
	if m.tokenizer, err = NewTokenizer(pieces); err != nil {
		return err
	}
	if m.word, err = w.find("embed.word", len(pieces), c.Hidden); err != nil {
		return err
	}
	// From here on the first error is kept, and what follows it is skipped.
	floats := func(name string, shape ...int) []float32 {
		if err != nil {
			return nil
		}
		var f []float32
		f, err = w.floats(name, shape...)
		delete(w.tensors, name)
		return f
	}
	var buf []float32 // one for all matrices: loading leaves no garbage of the model's size
	linear := func(name string, out, in int) *kernel.Panels {
		if err != nil {
			return nil
		}
		var f []float32
		if f, err = w.floatsInto(buf, name, out, in); err != nil {
			return nil
		}
		delete(w.tensors, name)
		buf = f
		return m.kernel.PackWeight(f, out, in)
	}
	h := c.Hidden
	m.position = floats("embed.position", c.Positions, h)
	if c.Types > 0 {
		m.types = floats("embed.type", c.Types, h)
	} else {
		m.types = make([]float32, h)
	}
	m.embedGain, m.embedBias = floats("embed.norm.gain", h), floats("embed.norm.bias", h)
	for i := range c.Layers {
		p := fmt.Sprintf("layer.%d.", i)
		m.layers = append(m.layers, layer{
			qkv: linear(p+"qkv.weight", 3*h, h), qkvBias: floats(p+"qkv.bias", 3*h),
			out: linear(p+"out.weight", h, h), outBias: floats(p+"out.bias", h),
			gain1: floats(p+"norm1.gain", h), bias1: floats(p+"norm1.bias", h),
			up: linear(p+"up.weight", c.Inner, h), upBias: floats(p+"up.bias", c.Inner),
			down: linear(p+"down.weight", h, c.Inner), downBias: floats(p+"down.bias", h),
			gain2: floats(p+"norm2.gain", h), bias2: floats(p+"norm2.bias", h),
		})
	}
	m.headWidth = h / c.Heads
	if c.Buckets > 0 {
		if table := floats("relative", c.Buckets, c.Heads); err == nil {
			m.spreadRelative(table)
		}
	}
	return err
}

// spreadRelative turns the bias of each bucket and head into one row a head,
// by key minus query position: the biases of one query's row are then a part
// of it.
func (m *Model) spreadRelative(table []float32) {
	c := m.config
	n := 2*c.Positions - 1
	m.relativeRow = n + 64 // room for the rounding up of a row's length
	m.relative = make([]float32, c.Heads*m.relativeRow)
	for d := range n {
		b := bucket(d-(c.Positions-1), c.Buckets)
		for h := range c.Heads {
			m.relative[h*m.relativeRow+d] = table[b*c.Heads+h]
		}
	}
}

// Config returns the encoder's shape.
func (m *Model) Config() Config { return m.config }

// Tokenizer returns the model's tokenizer.
func (m *Model) Tokenizer() *Tokenizer { return m.tokenizer }

// Kernel names the kernels in use.
func (m *Model) Kernel() string { return m.kernel.Name() }

// Headers returns the headers of the files that the model was read from, in
// order. The caller must not change them.
func (m *Model) Headers() []Header { return m.headers }

// Tensor returns the values of a tensor that is not part of the encoder (a
// classifier's, say). A negative dimension matches any.
func (m *Model) Tensor(name string, shape ...int) ([]float32, error) {
	return m.extra.floats(name, shape...)
}

// Sum identifies the weights; see the function Sum.
func (m *Model) Sum() string { return Sum(m.headers) }

// Sum identifies weights by their files' headers: the first 12 hex digits of
// each checksum.
func Sum(headers []Header) string {
	var s []string
	for _, h := range headers {
		s = append(s, h.SHA256[:min(12, len(h.SHA256))])
	}
	return strings.Join(s, "+")
}
