package bert

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// A weights file is
//
//	8 bytes   "KGWEIGHT"
//	uint32    version, 1 (little-endian, as every number here)
//	uint32    length of the header
//	header    JSON: Header
//	data      the tensors, one after the other, in the header's order
//
// Element types: "f32", "f16", "u8" (bytes, for text), and "q<bits>g<group>":
// whole numbers of 2 to 16 bits in groups that share a scale. Such a tensor is
// first one f16 scale for each group, in order, then the numbers as one stream
// of bits, lowest bit first, each stored plus 2^(bits-1). A value is scale times
// number. Groups run along the last dimension, which they divide.
const (
	magic   = "KGWEIGHT"
	version = 1

	maxHeader = 1 << 20
	maxData   = 1<<31 - 1
)

// Errors of reading a weights file; test with errors.Is.
var (
	// ErrFormat: this is not a weights file of a version that is known here.
	ErrFormat = errors.New("bert: not a valid weights file")
	// ErrTruncated: the file ends before its data does.
	ErrTruncated = errors.New("bert: weights file is truncated")
	// ErrChecksum: the data is not what was written.
	ErrChecksum = errors.New("bert: weights file is damaged (checksum differs)")
	// ErrMissing: a tensor that the model needs is not there, or has another
	// shape.
	ErrMissing = errors.New("bert: weights file lacks a tensor")
)

// Header describes a weights file.
type Header struct {
	// Model names the model and its version, for users.
	Model string `json:"model"`
	// Config is nil in a file that holds only tensors for others to share.
	Config  *Config           `json:"config,omitempty"`
	Meta    map[string]string `json:"meta,omitempty"`
	SHA256  string            `json:"sha256"` // of the data, in hex
	Tensors []TensorInfo      `json:"tensors"`
}

// TensorInfo describes one tensor.
type TensorInfo struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Shape []int  `json:"shape"`
}

// tensor is a tensor in its stored form.
type tensor struct {
	TensorInfo
	data        []byte
	bits, group int // of quantised ones
}

func (i TensorInfo) count() int {
	n := 1
	for _, d := range i.Shape {
		n *= d
	}
	return n
}

// layout returns how many bytes the tensor takes, and bits and group size of
// a quantised type.
func (i TensorInfo) layout() (size, bits, group int, err error) {
	n := 1
	for _, d := range i.Shape {
		if d < 1 || d > maxData/n {
			return 0, 0, 0, fmt.Errorf("%w: tensor %q has shape %v", ErrFormat, i.Name, i.Shape)
		}
		n *= d
	}
	switch i.Type {
	case "f32":
		size = 4 * n
	case "f16":
		size = 2 * n
	case "u8":
		size = n
	default:
		var rest string
		if k, _ := fmt.Sscanf(i.Type, "q%dg%d%s", &bits, &group, &rest); k != 2 ||
			bits < 2 || bits > 16 || group < 1 || len(i.Shape) == 0 || i.Shape[len(i.Shape)-1]%group != 0 {
			return 0, 0, 0, fmt.Errorf("%w: tensor %q has type %q, shape %v", ErrFormat, i.Name, i.Type, i.Shape)
		}
		size = 2*(n/group) + (n*bits+7)/8
	}
	if size > maxData {
		return 0, 0, 0, fmt.Errorf("%w: tensor %q is too large", ErrFormat, i.Name)
	}
	return size, bits, group, nil
}

// weights are the tensors of one or several files.
type weights struct {
	headers []Header
	tensors map[string]tensor
}

// source is one weights file to read.
type source struct {
	name string
	r    io.Reader
	// all is the whole file where it is in memory already; tensors then share
	// its bytes.
	all []byte
}

// ReadHeader reads the header of a weights file and nothing behind it. The
// checksum that it names is not compared with anything.
func ReadHeader(r io.Reader) (Header, error) {
	h, _, err := readHeader(r)
	return h, err
}

// readHeader also returns where the data begin.
func readHeader(r io.Reader) (h Header, data int, err error) {
	var fixed [16]byte
	if _, err := io.ReadFull(r, fixed[:]); err != nil {
		return h, 0, ended(err)
	}
	if string(fixed[:8]) != magic {
		return h, 0, fmt.Errorf("%w: it does not begin with %q", ErrFormat, magic)
	}
	if v := binary.LittleEndian.Uint32(fixed[8:]); v != version {
		return h, 0, fmt.Errorf("%w: version %d, this build reads %d", ErrFormat, v, version)
	}
	n := binary.LittleEndian.Uint32(fixed[12:])
	if n > maxHeader {
		return h, 0, fmt.Errorf("%w: header of %d bytes", ErrFormat, n)
	}
	head := make([]byte, n)
	if _, err := io.ReadFull(r, head); err != nil {
		return h, 0, ended(err)
	}
	if err := json.Unmarshal(head, &h); err != nil {
		return h, 0, fmt.Errorf("%w: header: %v", ErrFormat, err)
	}
	return h, 16 + int(n), nil
}

// read adds a file's tensors to w. A name that is there already is an error.
func (w *weights) read(src source) error {
	h, at, err := readHeader(src.r)
	if err != nil {
		return err
	}
	sum := sha256.New()
	for _, info := range h.Tensors {
		size, bits, group, err := info.layout()
		if err != nil {
			return err
		}
		if _, ok := w.tensors[info.Name]; ok {
			return fmt.Errorf("%w: tensor %q occurs twice", ErrFormat, info.Name)
		}
		t := tensor{TensorInfo: info, bits: bits, group: group}
		if src.all != nil {
			if size > len(src.all)-at {
				return ErrTruncated
			}
			t.data = src.all[at : at+size : at+size]
		} else {
			// Read as it comes, so that a header that lies about the size of
			// a short file does not allocate what it claims.
			var b bytes.Buffer
			if m, err := io.CopyN(&b, src.r, int64(size)); m < int64(size) {
				return ended(err)
			}
			t.data = b.Bytes()
		}
		at += size
		sum.Write(t.data)
		w.tensors[info.Name] = t
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != strings.ToLower(h.SHA256) {
		return ErrChecksum
	}
	w.headers = append(w.headers, h)
	return nil
}

func ended(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return ErrTruncated
	}
	return fmt.Errorf("bert: reading weights: %w", err)
}

// floats returns the tensor's values; the shape must be the given one.
func (w *weights) floats(name string, shape ...int) ([]float32, error) {
	return w.floatsInto(nil, name, shape...)
}

// floatsInto is floats in the memory of buf, where that is large enough.
func (w *weights) floatsInto(buf []float32, name string, shape ...int) ([]float32, error) {
	t, err := w.find(name, shape...)
	if err != nil {
		return nil, err
	}
	out := grow(buf, t.count())
	row := t.Shape[len(t.Shape)-1]
	for i := range len(out) / row {
		t.row(out[i*row:(i+1)*row], i)
	}
	return out, nil
}

func (w *weights) find(name string, shape ...int) (tensor, error) {
	t, ok := w.tensors[name]
	if !ok {
		return t, fmt.Errorf("%w: %s", ErrMissing, name)
	}
	same := len(shape) == len(t.Shape)
	for i := 0; same && i < len(shape); i++ {
		same = shape[i] == t.Shape[i] || shape[i] < 0
	}
	if !same || t.Type == "u8" {
		return t, fmt.Errorf("%w: %s has shape %v of %s, want %v", ErrMissing, name, t.Shape, t.Type, shape)
	}
	return t, nil
}

// row writes row i, seen as a matrix whose rows are the last dimension, to
// dst.
func (t *tensor) row(dst []float32, i int) {
	n := t.Shape[len(t.Shape)-1]
	dst = dst[:n]
	switch t.Type {
	case "f32":
		b := t.data[4*i*n:]
		for j := range dst {
			dst[j] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*j:]))
		}
	case "f16":
		b := t.data[2*i*n:]
		for j := range dst {
			dst[j] = half(binary.LittleEndian.Uint16(b[2*j:]))
		}
	default:
		t.quantised(dst, i*n)
	}
}

// quantised writes the values from element first on; first is at the border
// of a group.
func (t *tensor) quantised(dst []float32, first int) {
	scales := t.data[2*(first/t.group):]
	stream := t.data[2*(t.count()/t.group):]
	if t.bits == 8 {
		b := stream[first:]
		for g := 0; g < len(dst); g += t.group {
			s := half(binary.LittleEndian.Uint16(scales[2*(g/t.group):]))
			for j := g; j < g+t.group; j++ {
				dst[j] = s * float32(int(b[j])-128)
			}
		}
		return
	}
	zero := 1 << (t.bits - 1)
	mask := uint64(1)<<t.bits - 1
	pos := first * t.bits
	for g := 0; g < len(dst); g += t.group {
		s := half(binary.LittleEndian.Uint16(scales[2*(g/t.group):]))
		for j := g; j < g+t.group; j++ {
			at := pos >> 3
			var word uint64
			if at+4 <= len(stream) {
				word = uint64(binary.LittleEndian.Uint32(stream[at:]))
			} else {
				for k := len(stream) - 1; k >= at; k-- {
					word = word<<8 | uint64(stream[k])
				}
			}
			dst[j] = s * float32(int(word>>(pos&7)&mask)-zero)
			pos += t.bits
		}
	}
}

// half converts an IEEE 754 binary16 number.
func half(h uint16) float32 {
	sign := uint32(h>>15) << 31
	exp := uint32(h >> 10 & 0x1f)
	frac := uint32(h & 0x3ff)
	switch exp {
	case 0: // zero or subnormal: frac * 2^-24
		v := float32(frac) / (1 << 24)
		return math.Float32frombits(math.Float32bits(v) | sign)
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}
