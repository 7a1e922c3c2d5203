package builtin

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/kgeval/kgeval/internal/bert"
)

// shape is that of the tests' models: as small as an encoder can be.
var shape = bert.Config{Layers: 2, Hidden: 64, Heads: 2, Inner: 96, Positions: 300, Types: 2, NormEps: 1e-12, Separators: 1}

// mpnetShape has what MPNet has: relative positions, two separators, no types.
var mpnetShape = bert.Config{Layers: 2, Hidden: 64, Heads: 1, Inner: 64, Positions: 160, NormEps: 1e-5, Separators: 2, Buckets: 32}

// tensor is a tensor to write.
type tensor struct {
	bert.TensorInfo
	data []byte
}

func floats(name string, v []float32, shape ...int) tensor {
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, v)
	return tensor{bert.TensorInfo{Name: name, Type: "f32", Shape: shape}, b.Bytes()}
}

// write makes a weights file in memory.
func write(h bert.Header, tensors []tensor) string {
	sum := sha256.New()
	var data []byte
	for _, t := range tensors {
		h.Tensors = append(h.Tensors, t.TensorInfo)
		sum.Write(t.data)
		data = append(data, t.data...)
	}
	h.SHA256 = hex.EncodeToString(sum.Sum(nil))
	head, err := json.Marshal(h)
	if err != nil {
		panic(err)
	}
	b := []byte("KGWEIGHT")
	b = binary.LittleEndian.AppendUint32(b, 1)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	return string(append(append(b, head...), data...))
}

// random makes the file of a model with random weights. edit may change its
// header and tensors.
func random(c bert.Config, edit func(*bert.Header, []tensor) []tensor) string {
	r := rand.New(rand.NewPCG(5, 7))
	vocabulary := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"}
	if c.Types == 0 {
		vocabulary = []string{"<pad>", "[UNK]", "<s>", "</s>"}
	}
	for b := '!'; b <= '~'; b++ {
		if s := string(b); s == strings.ToLower(s) {
			vocabulary = append(vocabulary, s, "##"+s)
		}
	}
	vocabulary = append(vocabulary, "the", "##ing", "not")
	text := strings.Join(vocabulary, "\n") + "\n"
	tensors := []tensor{{bert.TensorInfo{Name: "vocabulary", Type: "u8", Shape: []int{len(text)}}, []byte(text)}}
	add := func(name string, scale, mean float64, shape ...int) {
		n := 1
		for _, d := range shape {
			n *= d
		}
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(mean + r.NormFloat64()*scale)
		}
		tensors = append(tensors, floats(name, v, shape...))
	}
	h := c.Hidden
	w := 1 / math.Sqrt(float64(h))
	add("embed.word", 1, 0, len(vocabulary), h)
	add("embed.position", 1, 0, c.Positions, h)
	if c.Types > 0 {
		add("embed.type", 1, 0, c.Types, h)
	}
	add("embed.norm.gain", .1, 1, h)
	add("embed.norm.bias", .1, 0, h)
	for i := range c.Layers {
		p := fmt.Sprintf("layer.%d.", i)
		for _, l := range []struct {
			name    string
			out, in int
		}{{"qkv", 3 * h, h}, {"out", h, h}, {"up", c.Inner, h}, {"down", h, c.Inner}} {
			add(p+l.name+".weight", w, 0, l.out, l.in)
			add(p+l.name+".bias", .1, 0, l.out)
		}
		for _, n := range []string{"norm1", "norm2"} {
			add(p+n+".gain", .1, 1, h)
			add(p+n+".bias", .1, 0, h)
		}
	}
	if c.Buckets > 0 {
		add("relative", 1, 0, c.Buckets, c.Heads)
	}
	add("head.weight", w, 0, classes, 3*h)
	add("head.bias", .1, 0, classes)
	tensors = append(tensors, floats("head.temperature", []float32{1.5}, 1))
	header := bert.Header{Model: "test", Config: &c, Meta: map[string]string{"budget": "120"}}
	if edit != nil {
		tensors = edit(&header, tensors)
	}
	return write(header, tensors)
}

// tiny returns a model with random weights.
func tiny(tb testing.TB, o Options) *Model {
	tb.Helper()
	return mustLoad(tb, random(shape, nil), o)
}

func mustLoad(tb testing.TB, file string, o Options) *Model {
	tb.Helper()
	m, err := Load(fstest.MapFS{"w": {Data: []byte(file)}}, []string{"w"}, o)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}
