package hugot

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
)

// graph writes small ONNX files, so that the tests need no model and no Python.
type graph struct {
	nodes, weights, inputs, outputs []byte
}

// field appends a field of a protocol buffer that has a length.
func field(b []byte, n int, value []byte) []byte {
	b = binary.AppendUvarint(b, uint64(n)<<3|2)
	b = binary.AppendUvarint(b, uint64(len(value)))
	return append(b, value...)
}

func text(b []byte, n int, s string) []byte { return field(b, n, []byte(s)) }

func varint(b []byte, n int, value int64) []byte {
	b = binary.AppendUvarint(b, uint64(n)<<3)
	return binary.AppendUvarint(b, uint64(value))
}

// The element types of ONNX.
const (
	float32Type = 1
	int64Type   = 7
	doubleType  = 11
)

// value is a ValueInfoProto; a dimension below 0 is left open.
func value(name string, kind int, dims ...int) []byte {
	var shape []byte
	for i, d := range dims {
		var dim []byte
		if d >= 0 {
			dim = varint(nil, 1, int64(d))
		} else {
			dim = text(nil, 2, string(rune('a'+i)))
		}
		shape = field(shape, 1, dim)
	}
	tensor := field(varint(nil, 1, int64(kind)), 2, shape)
	return field(text(nil, 1, name), 2, field(nil, 1, tensor))
}

func (g *graph) input(name string, dims ...int) {
	g.inputs = field(g.inputs, 11, value(name, int64Type, dims...))
}

func (g *graph) output(name string, kind int, dims ...int) {
	g.outputs = field(g.outputs, 12, value(name, kind, dims...))
}

func (g *graph) floats(name string, data []float32, dims ...int) {
	var raw []byte
	for _, x := range data {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	g.weight(name, float32Type, raw, dims)
}

func (g *graph) ints(name string, data ...int64) {
	var raw []byte
	for _, x := range data {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
	}
	g.weight(name, int64Type, raw, []int{len(data)})
}

func (g *graph) weight(name string, kind int, raw []byte, dims []int) {
	var t []byte
	for _, d := range dims {
		t = varint(t, 1, int64(d))
	}
	g.weights = field(g.weights, 5, field(text(varint(t, 2, int64(kind)), 8, name), 9, raw))
}

// attribute is a whole number, or a list of them.
type attribute struct {
	name string
	i    int64
	list []int64
}

func (g *graph) node(op, out string, in []string, attributes ...attribute) string {
	var n []byte
	for _, s := range in {
		n = text(n, 1, s)
	}
	n = text(text(text(n, 2, out), 3, out), 4, op)
	for _, a := range attributes {
		b := text(nil, 1, a.name)
		if a.list == nil {
			b = varint(varint(b, 3, a.i), 20, 2)
		} else {
			for _, x := range a.list {
				b = varint(b, 8, x)
			}
			b = varint(b, 20, 7)
		}
		n = field(n, 5, b)
	}
	g.nodes = field(g.nodes, 1, n)
	return out
}

func (g *graph) bytes() []byte {
	body := slices.Concat(g.nodes, text(nil, 2, "test"), g.weights, g.inputs, g.outputs)
	return slices.Concat(varint(nil, 1, 8), field(nil, 7, body), field(nil, 8, varint(text(nil, 1, ""), 2, 17)))
}

var open2 = []int{-1, -1}

// threeInputs adds the inputs of a BERT.
func (g *graph) threeInputs(dims ...int) {
	for _, n := range []string{"input_ids", "attention_mask", "token_type_ids"} {
		g.input(n, dims...)
	}
}

const width = 16

// random returns numbers in [-1,1), the same each time.
func random(n int, seed uint64) []float32 {
	out := make([]float32, n)
	for i := range out {
		seed = seed*6364136223846793005 + 1442695040888963407
		out[i] = float32(seed>>40)/(1<<23) - 1
	}
	return out
}

// states computes a state for each token of its word, its type, and half of the mean
// of all, so that each depends on the whole text.
func (g *graph) states(vocab int, name string) {
	g.floats("words", random(vocab*width, 1), vocab, width)
	g.floats("kinds", random(2*width, 2), 2, width)
	g.floats("half", []float32{.5}, 1)
	g.node("Gather", "w", []string{"words", "input_ids"})
	g.node("Gather", "k", []string{"kinds", "token_type_ids"})
	g.node("Add", "x", []string{"w", "k"})
	g.node("ReduceMean", "m", []string{"x"}, attribute{name: "axes", list: []int64{1}}, attribute{name: "keepdims", i: 1})
	g.node("Mul", "h", []string{"m", "half"})
	g.node("Add", name, []string{"x", "h"})
}

// encoder is a sentence encoder.
func encoder(vocab int) []byte {
	var g graph
	g.threeInputs(open2...)
	g.states(vocab, "last_hidden_state")
	g.output("last_hidden_state", float32Type, -1, -1, width)
	return g.bytes()
}

// judge is a cross-encoder that holds a pair for a contradiction where one side says
// "not" more often than the other, with a little of everything else. order are the
// places of entailment, neutral and contradiction; a head of two classes has
// no neutral (-1), and of one logit entailment alone.
func judge(vocab, not int, order [3]int) []byte {
	var g graph
	g.threeInputs(open2...)
	denials := make([]float32, vocab)
	denials[not] = 1
	g.floats("denials", denials, vocab, 1)
	g.floats("colours", random(vocab, 3), vocab, 1)
	g.floats("one", []float32{1}, 1)
	g.floats("four", []float32{4}, 1)
	g.floats("two", []float32{2}, 1)
	g.ints("axis1", 1)
	g.ints("axis2", 2)
	g.node("Gather", "d", []string{"denials", "input_ids"})
	g.node("Gather", "c", []string{"colours", "input_ids"})
	g.node("Cast", "k", []string{"token_type_ids"}, attribute{name: "to", i: float32Type})
	g.node("Unsqueeze", "second", []string{"k", "axis2"})
	g.node("Sub", "first", []string{"one", "second"})
	g.node("Mul", "d1", []string{"d", "first"})
	g.node("Mul", "d2", []string{"d", "second"})
	g.node("Sub", "dd", []string{"d1", "d2"})
	g.node("ReduceSum", "sum", []string{"dd", "axis1"}, attribute{name: "keepdims", i: 0})
	g.node("Abs", "differ", []string{"sum"})
	g.node("ReduceMean", "colour", []string{"c"}, attribute{name: "axes", list: []int64{1}}, attribute{name: "keepdims", i: 0})
	g.node("Mul", "scaled", []string{"differ", "four"})
	g.node("Sub", "against", []string{"scaled", "two"})
	g.node("Neg", "minus", []string{"against"})
	g.node("Add", "for", []string{"minus", "colour"})
	names := map[int]string{order[0]: "for", order[1]: "colour", order[2]: "against"}
	delete(names, -1)
	var in []string
	for i := range len(names) {
		in = append(in, names[i])
	}
	g.node("Concat", "logits", in, attribute{name: "axis", i: 1})
	g.output("logits", float32Type, -1, len(in))
	return g.bytes()
}

// truncated returns a file without its last tenth.
func truncated(b []byte) []byte { return bytes.Clone(b[:len(b)*9/10]) }
