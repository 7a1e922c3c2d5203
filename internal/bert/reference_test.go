package bert

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kgeval/kgeval/internal/bert/kernel"
)

// reference is what the Python reference computed in float64, one item a text
// or pair.
type reference struct {
	seqs  []Sequence
	pairs [][2][]int32 // tokens of both texts, nil of a single text
	data  []byte
	at    []int // where in data a sequence's states begin
	width int
}

// hidden are the states of one sequence.
func (r *reference) hidden(i int) []float64 {
	h := make([]float64, len(r.seqs[i].IDs)*r.width)
	for j := range h {
		h[j] = math.Float64frombits(binary.LittleEndian.Uint64(r.data[r.at[i]+8*j:]))
	}
	return h
}

// eachReference runs the test for every folder that training/reference.py
// wrote, and skips without one.
func eachReference(t *testing.T, f func(t *testing.T, dir string)) {
	dirs := filepath.SplitList(os.Getenv("KGEVAL_BERT_REFERENCE"))
	if len(dirs) == 0 {
		t.Skip("needs the Python reference: run training/reference.py DIR and set KGEVAL_BERT_REFERENCE=DIR")
	}
	for _, d := range dirs {
		t.Run(filepath.Base(d), func(t *testing.T) { f(t, d) })
	}
}

func loadReference(tb testing.TB, dir string, k *kernel.Set) *Model {
	tb.Helper()
	m, err := LoadFS(os.DirFS(dir), []string{"model.f32.kgw"}, WithKernel(k))
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func readReference(t *testing.T, dir string, width int) *reference {
	t.Helper()
	var meta []struct {
		IDs   []int32
		Types []int
		Pair  [][]int32
	}
	b, err := os.ReadFile(filepath.Join(dir, "ref.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &meta); err != nil {
		t.Fatal(err)
	}
	r := &reference{width: width}
	if r.data, err = os.ReadFile(filepath.Join(dir, "ref.bin")); err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, m := range meta {
		r.at = append(r.at, at)
		at += 8 * width * len(m.IDs)
		r.seqs = append(r.seqs, Sequence{IDs: m.IDs, Second: max(0, slices.Index(m.Types, 1))})
		var pair [2][]int32
		if len(m.Pair) == 2 {
			pair = [2][]int32{m.Pair[0], m.Pair[1]}
		}
		r.pairs = append(r.pairs, pair)
	}
	if at != len(r.data) {
		t.Fatalf("ref.bin has %d bytes, want %d", len(r.data), at)
	}
	return r
}

// pooled is the unit mean of a sequence's states.
func pooled[T float32 | float64](hidden []T, width int) []float64 {
	sum := make([]float64, width)
	for j, v := range hidden {
		sum[j%width] += float64(v)
	}
	norm := 0.0
	for _, v := range sum {
		norm += v * v
	}
	for j := range sum {
		sum[j] /= math.Sqrt(norm)
	}
	return sum
}

// With float32 weights every kernel is as exact as float32 allows: the unit
// mean of the hidden states within 1e-6 of a float64 run, on texts and pairs.
func TestEqualsReference(t *testing.T) {
	eachReference(t, func(t *testing.T, dir string) {
		for _, k := range kernel.Available() {
			m := loadReference(t, dir, k)
			width := m.config.Hidden
			ref := readReference(t, dir, width)
			seqs, step := ref.seqs, 1
			switch {
			case k.Name() == "scalar": // slow: a part
				step = 20 * m.config.Layers / 6
			case testing.Short():
				step = 8
			}
			if step > 1 {
				seqs = nil
				for i := 0; i < len(ref.seqs); i += step {
					seqs = append(seqs, ref.seqs[i])
				}
			}
			worst, state := make([]float64, len(seqs)), make([]float64, len(seqs))
			err := m.Encode(context.Background(), seqs, 0, func(i int, hidden []float32) {
				exact := ref.hidden(i * step)
				want := pooled(exact, width)
				for j, v := range pooled(hidden, width) {
					worst[i] = max(worst[i], math.Abs(v-want[j]))
				}
				for j, v := range hidden {
					state[i] = max(state[i], math.Abs(float64(v)-exact[j]))
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			top := slices.Max(worst)
			t.Logf("%s: %d sequences, largest error %.2g (of single states %.2g)", k.Name(), len(worst), top, slices.Max(state))
			if !(top <= 1e-6) {
				t.Errorf("%s: largest error %.2g, want at most 1e-6", k.Name(), top)
			}
		}
	})
}

// Pair puts special tokens and types where the reference does.
func TestPairEqualsReference(t *testing.T) {
	eachReference(t, func(t *testing.T, dir string) {
		m := loadReference(t, dir, kernel.Available()[0])
		ref := readReference(t, dir, m.config.Hidden)
		n := 0
		for i, p := range ref.pairs {
			if p[0] == nil || m.PairLength(len(p[0]), len(p[1])) != len(ref.seqs[i].IDs) {
				continue // single, or cut
			}
			n++
			got := m.Pair(p[0], p[1])
			if !slices.Equal(got.IDs, ref.seqs[i].IDs) || got.Second != ref.seqs[i].Second {
				t.Fatalf("pair %d: %v, want %v", i, got, ref.seqs[i])
			}
		}
		if n < 250 {
			t.Errorf("%d pairs compared", n)
		}
	})
}

// Texts of odd characters, and the plain ones, give the reference's tokens.
func TestTokensEqualReference(t *testing.T) {
	eachReference(t, func(t *testing.T, dir string) {
		tok := loadReference(t, dir, kernel.Available()[0]).Tokenizer()
		b, err := os.ReadFile(filepath.Join(dir, "tokens.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		n, bad := 0, 0
		lines := bufio.NewScanner(bytes.NewReader(b))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var row struct {
				Text string
				IDs  []int32
			}
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			n++
			if got := tok.Encode(nil, row.Text); !slices.Equal(got, row.IDs) {
				if bad++; bad <= 10 {
					t.Errorf("%+q:\ngot  %v\nwant %v", row.Text, got, row.IDs)
				}
			}
		}
		t.Logf("%d texts, %d differ", n, bad)
		if n < 2000 {
			t.Errorf("%d texts compared", n)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	dirs := filepath.SplitList(os.Getenv("KGEVAL_BERT_REFERENCE"))
	if len(dirs) == 0 {
		b.Skip("needs the weights of the Python reference: run training/reference.py DIR and set KGEVAL_BERT_REFERENCE=DIR")
	}
	for _, dir := range dirs {
		for _, k := range kernel.Available() {
			m := loadReference(b, dir, k)
			for _, shape := range [][2]int{{26, 1}, {26, 64}, {128, 16}, {256, 8}} {
				b.Run(filepath.Base(dir)+"/"+k.Name()+"/"+itoa(shape[0])+"x"+itoa(shape[1]), func(b *testing.B) {
					ids := make([]int32, shape[0])
					for i := range ids {
						ids[i] = int32(2000 + i*7)
					}
					seqs := make([]Sequence, shape[1])
					for i := range seqs {
						seqs[i].IDs = ids
					}
					for b.Loop() {
						if err := m.Encode(context.Background(), seqs, 1, func(int, []float32) {}); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(shape[1]*b.N)/b.Elapsed().Seconds(), "seq/s")
				})
			}
		}
	}
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }
