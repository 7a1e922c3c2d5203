package bert

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/kgeval/kgeval/internal/bert/kernel"
)

func mustLoad(tb testing.TB, file []byte, opts ...Option) *Model {
	tb.Helper()
	m, err := Load([][]byte{file}, opts...)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// randomSequences are sequences of many lengths, some of them pairs.
func randomSequences(m *Model, n int, seed uint64) []Sequence {
	r := rand.New(rand.NewPCG(seed, 1))
	var seqs []Sequence
	for range n {
		s := Sequence{IDs: make([]int32, 1+r.IntN(m.config.Positions))}
		for i := range s.IDs {
			s.IDs[i] = int32(r.IntN(m.tokenizer.Size()))
		}
		if m.config.Types > 1 && r.IntN(2) == 0 {
			s.Second = r.IntN(len(s.IDs) + 1)
		}
		seqs = append(seqs, s)
	}
	return seqs
}

func encodeAll(tb testing.TB, m *Model, seqs []Sequence, workers int) [][]float32 {
	tb.Helper()
	out := make([][]float32, len(seqs))
	err := m.Encode(context.Background(), seqs, workers, func(i int, h []float32) { out[i] = slices.Clone(h) })
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// define computes the encoder from its definition in float64, one token and
// one head at a time.
func define(m *Model, w *weights, s Sequence) []float64 {
	c := m.config
	h := c.Hidden
	get := func(name string) []float32 {
		t := w.tensors[name]
		v, err := w.floats(name, t.Shape...)
		if err != nil {
			panic(err)
		}
		return v
	}
	norm := func(x []float64, gain, bias []float32) []float64 {
		mean, square := 0.0, 0.0
		for _, v := range x {
			mean += v / float64(len(x))
		}
		for _, v := range x {
			square += (v - mean) * (v - mean) / float64(len(x))
		}
		y := make([]float64, len(x))
		for i, v := range x {
			y[i] = (v-mean)/math.Sqrt(square+float64(c.NormEps))*float64(gain[i]) + float64(bias[i])
		}
		return y
	}
	linear := func(x []float64, name string) []float64 {
		weight, bias := get(name+".weight"), get(name+".bias")
		y := make([]float64, len(bias))
		for o := range y {
			y[o] = float64(bias[o])
			for i, v := range x {
				y[o] += v * float64(weight[o*len(x)+i])
			}
		}
		return y
	}
	n := len(s.IDs)
	x := make([][]float64, n)
	word, position := get("embed.word"), get("embed.position")
	for t, id := range s.IDs {
		e := make([]float64, h)
		for i := range e {
			e[i] = float64(word[int(id)*h+i]) + float64(position[t*h+i])
			if c.Types > 0 {
				kind := 0
				if s.Second > 0 && t >= s.Second {
					kind = 1
				}
				e[i] += float64(get("embed.type")[kind*h+i])
			}
		}
		x[t] = norm(e, get("embed.norm.gain"), get("embed.norm.bias"))
	}
	d := h / c.Heads
	for l := range c.Layers {
		p := "layer." + string(rune('0'+l)) + "."
		qkv := make([][]float64, n)
		for t := range x {
			qkv[t] = linear(x[t], p+"qkv")
		}
		for t := range x {
			context := make([]float64, h)
			for a := range c.Heads {
				score := make([]float64, n)
				top := math.Inf(-1)
				for j := range score {
					for i := range d {
						score[j] += qkv[t][a*d+i] * qkv[j][h+a*d+i]
					}
					score[j] /= math.Sqrt(float64(d))
					if c.Buckets > 0 {
						score[j] += float64(get("relative")[bucket(j-t, c.Buckets)*c.Heads+a])
					}
					top = max(top, score[j])
				}
				sum := 0.0
				for j := range score {
					score[j] = math.Exp(score[j] - top)
					sum += score[j]
				}
				for j := range score {
					for i := range d {
						context[a*d+i] += score[j] / sum * qkv[j][2*h+a*d+i]
					}
				}
			}
			y := linear(context, p+"out")
			for i := range y {
				y[i] += x[t][i]
			}
			qkv[t] = append(qkv[t], norm(y, get(p+"norm1.gain"), get(p+"norm1.bias"))...)
		}
		for t := range x {
			y := qkv[t][3*h:]
			inner := linear(y, p+"up")
			for i, v := range inner {
				inner[i] = v / 2 * (1 + math.Erf(v/math.Sqrt2))
			}
			z := linear(inner, p+"down")
			for i := range z {
				z[i] += y[i]
			}
			x[t] = norm(z, get(p+"norm2.gain"), get(p+"norm2.bias"))
		}
	}
	return slices.Concat(x...)
}

func TestEncodeEqualsDefinition(t *testing.T) {
	for name, c := range map[string]Config{"bert": tinyBERT, "mpnet": tinyMPNet} {
		file := tiny(c, 7)
		w := &weights{tensors: map[string]tensor{}}
		if err := w.read(source{r: bytes.NewReader(file), all: file}); err != nil {
			t.Fatal(err)
		}
		for _, k := range kernel.Available() {
			m := mustLoad(t, file, WithKernel(k))
			seqs := randomSequences(m, 3, 11)
			for i := range seqs {
				seqs[i].IDs = seqs[i].IDs[:min(len(seqs[i].IDs), 40)]
				seqs[i].Second = min(seqs[i].Second, len(seqs[i].IDs))
			}
			// One so long that the farthest buckets of the bias are reached,
			// and more queries than are done at a time.
			long := Sequence{IDs: make([]int32, 150)}
			for i := range long.IDs {
				long.IDs[i] = int32(i * 7 % m.tokenizer.Size())
			}
			seqs = append(seqs, long)
			for i, got := range encodeAll(t, m, seqs, 1) {
				for j, want := range define(m, w, seqs[i]) {
					if d := math.Abs(float64(got[j]) - want); !(d < 2e-5) {
						t.Fatalf("%s, %s: sequence %d [%d] = %g, want %g", name, k.Name(), i, j, got[j], want)
					}
				}
			}
		}
	}
}

// Bits do not depend on neighbours, order, or the number of workers.
func TestEncodeIsIndependentOfBatch(t *testing.T) {
	for _, c := range []Config{tinyBERT, tinyMPNet} {
		m := mustLoad(t, tiny(c, 3))
		seqs := randomSequences(m, 40, 5)
		want := encodeAll(t, m, seqs, 1)
		for _, workers := range []int{0, 2, 7} {
			for i, h := range encodeAll(t, m, seqs, workers) {
				if !slices.Equal(h, want[i]) {
					t.Fatalf("%d workers: sequence %d differs", workers, i)
				}
			}
		}
		for i := range seqs {
			if got := encodeAll(t, m, seqs[i:i+1], 1)[0]; !slices.Equal(got, want[i]) {
				t.Fatalf("sequence %d alone differs", i)
			}
		}
	}
}

func TestEncodeRejects(t *testing.T) {
	m := mustLoad(t, tiny(tinyBERT, 1))
	for name, s := range map[string]Sequence{
		"empty":             {},
		"too long":          {IDs: make([]int32, tinyBERT.Positions+1)},
		"id too large":      {IDs: []int32{int32(m.tokenizer.Size())}},
		"negative id":       {IDs: []int32{-1}},
		"second beyond end": {IDs: []int32{1, 2}, Second: 3},
		"negative second":   {IDs: []int32{1, 2}, Second: -1},
	} {
		called := false
		if err := m.Encode(context.Background(), []Sequence{{IDs: []int32{2, 3}}, s}, 1, func(int, []float32) { called = true }); err == nil {
			t.Errorf("%s: no error", name)
		}
		if called {
			t.Errorf("%s: something ran before the input was checked", name)
		}
	}
	if err := m.Encode(context.Background(), nil, 1, nil); err != nil {
		t.Errorf("no sequences: %v", err)
	}
}

func TestEncodeStopsWithContext(t *testing.T) {
	m := mustLoad(t, tiny(tinyBERT, 1))
	seqs := randomSequences(m, 200, 9)
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	err := m.Encode(ctx, seqs, 1, func(int, []float32) {
		n++
		cancel()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	if n > 60 {
		t.Errorf("%d of %d sequences ran after the end of the context", n, len(seqs))
	}
}

// Every way of loading gives the same model, and shared tensors may stand in
// a file of their own.
func TestLoadForms(t *testing.T) {
	file := tiny(tinyBERT, 5)
	want := mustLoad(t, file)
	seqs := randomSequences(want, 3, 1)
	states := encodeAll(t, want, seqs, 1)

	fromFS, err := LoadFS(fstest.MapFS{"m.kgw": {Data: file}}, []string{"m.kgw"})
	if err != nil {
		t.Fatal(err)
	}
	fromReader, err := LoadReaderAt(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	w := &weights{tensors: map[string]tensor{}}
	if err := w.read(source{r: bytes.NewReader(file), all: file}); err != nil {
		t.Fatal(err)
	}
	var shared, own []piece
	for _, info := range w.headers[0].Tensors {
		p := piece{info, w.tensors[info.Name].data}
		if info.Name == "vocabulary" || info.Name == "embed.word" {
			shared = append(shared, p)
		} else {
			own = append(own, p)
		}
	}
	fromTwo, err := Load([][]byte{writeFile(Header{Model: "words"}, shared), writeFile(Header{Model: "own", Config: &tinyBERT}, own)})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*Model{fromFS, fromReader, fromTwo} {
		for i, h := range encodeAll(t, m, seqs, 1) {
			if !slices.Equal(h, states[i]) {
				t.Fatal("the model differs")
			}
		}
	}
	if want.Sum() == fromTwo.Sum() || want.Sum() == "" {
		t.Errorf("sums %q and %q", want.Sum(), fromTwo.Sum())
	}
}

// A file cut anywhere, or with any bit changed, is a named error and never a
// model.
func TestLoadDamaged(t *testing.T) {
	file := tiny(tinyBERT, 5)
	known := func(err error) bool {
		return errors.Is(err, ErrFormat) || errors.Is(err, ErrTruncated) || errors.Is(err, ErrChecksum) || errors.Is(err, ErrMissing)
	}
	for _, n := range []int{0, 1, 7, 8, 15, 16, 17, 500, 3000, len(file) / 2, len(file) - 1} {
		if _, err := Load([][]byte{file[:n]}); !known(err) {
			t.Errorf("cut at %d: %v", n, err)
		}
		if _, err := LoadReaderAt(bytes.NewReader(file[:n]), int64(n)); !known(err) {
			t.Errorf("cut at %d, by reader: %v", n, err)
		}
	}
	if _, err := Load([][]byte{file[:len(file)-1]}); !errors.Is(err, ErrTruncated) {
		t.Errorf("cut by one byte: %v", err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	data := len(file) - 200000
	for range 50 {
		bad := slices.Clone(file)
		bad[data+r.IntN(len(bad)-data)] ^= 1 << r.IntN(8)
		if _, err := Load([][]byte{bad}); !errors.Is(err, ErrChecksum) {
			t.Fatalf("changed bit: %v", err)
		}
	}
	bad := slices.Clone(file)
	binary.LittleEndian.PutUint32(bad[8:], 2)
	if _, err := Load([][]byte{bad}); !errors.Is(err, ErrFormat) {
		t.Errorf("another version: %v", err)
	}
	if _, err := Load(nil); !errors.Is(err, ErrFormat) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Load([][]byte{file, file}); !errors.Is(err, ErrFormat) {
		t.Errorf("the same file twice: %v", err)
	}
}

func FuzzLoad(f *testing.F) {
	file := tiny(tinyBERT, 5)
	f.Add(file[:600])
	f.Add(writeFile(Header{Model: "x", Config: &tinyBERT}, nil))
	f.Add(writeFile(Header{Tensors: []TensorInfo{{Name: "a", Type: "q5g8", Shape: []int{1 << 30, 8}}}}, nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err1 := Load([][]byte{b})
		_, err2 := LoadReaderAt(bytes.NewReader(b), int64(len(b)))
		if (err1 == nil) != (err2 == nil) {
			t.Fatalf("%v against %v", err1, err2)
		}
	})
}

// A quantised tensor holds scale times number, whatever the width in bits.
func TestQuantisedTypes(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for bits := 2; bits <= 16; bits++ {
		const group, n = 8, 48
		scales := make([]float32, n/group)
		var data []byte
		for g := range scales {
			h := uint16(0x2C00 + r.IntN(0x400)) // between 1/16 and 1/8
			scales[g] = half(h)
			data = binary.LittleEndian.AppendUint16(data, h)
		}
		stream := make([]byte, (n*bits+7)/8)
		want := make([]float32, n)
		for i := range want {
			v := r.IntN(1 << bits)
			want[i] = scales[i/group] * float32(v-1<<(bits-1))
			for b := range bits {
				if v>>b&1 == 1 {
					stream[(i*bits+b)/8] |= 1 << ((i*bits + b) % 8)
				}
			}
		}
		info := TensorInfo{Name: "x", Type: "q" + string(append([]byte(nil), itoa(bits)...)) + "g8", Shape: []int{3, 16}}
		file := writeFile(Header{}, []piece{{info, append(data, stream...)}})
		w := &weights{tensors: map[string]tensor{}}
		if err := w.read(source{r: bytes.NewReader(file)}); err != nil {
			t.Fatal(err)
		}
		got, err := w.floats("x", 3, 16)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d bits: %v, want %v", bits, got, want)
		}
	}
}

func TestHalf(t *testing.T) {
	for _, c := range []struct {
		h uint16
		f float64
	}{{0, 0}, {0x3c00, 1}, {0xc000, -2}, {0x7bff, 65504}, {0x0400, 1.0 / 16384}, {1, 1.0 / (1 << 24)}, {0x3555, 0.333251953125}, {0x7c00, math.Inf(1)}} {
		if got := float64(half(c.h)); got != c.f {
			t.Errorf("half(%#x) = %g, want %g", c.h, got, c.f)
		}
	}
	if !math.Signbit(float64(half(0x8000))) {
		t.Error("negative zero lost its sign")
	}
}

// The buckets of the T5 scheme as the MPNet reference counts them (32 buckets,
// distances up to 128).
func TestBucket(t *testing.T) {
	for relative, want := range map[int]int{0: 0, -1: 1, -7: 7, -8: 8, -11: 8, -12: 9, -15: 9, -16: 10, -31: 11, -32: 12, -64: 14, -127: 15, -500: 15,
		1: 17, 7: 23, 8: 24, 12: 25, 127: 31, 500: 31} {
		if got := bucket(relative, 32); got != want {
			t.Errorf("bucket(%d) = %d, want %d", relative, got, want)
		}
	}
}
