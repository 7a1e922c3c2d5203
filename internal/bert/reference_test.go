package bert

import (
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
	seqs   []Sequence
	hidden [][]float64
}

// referenceDir is where training/reference.py wrote its files; the test skips
// without it.
func referenceDir(tb testing.TB) string {
	d := os.Getenv("KGEVAL_BERT_REFERENCE")
	if d == "" {
		tb.Skip("needs the Python reference: run training/reference.py DIR and set KGEVAL_BERT_REFERENCE=DIR")
	}
	return d
}

func readReference(t *testing.T, dir string) reference {
	var meta []struct {
		IDs   []int32
		Types []int
	}
	b, err := os.ReadFile(filepath.Join(dir, "ref.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &meta); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "ref.bin"))
	if err != nil {
		t.Fatal(err)
	}
	var r reference
	for _, m := range meta {
		s := Sequence{IDs: m.IDs}
		for i, k := range m.Types {
			if k == 1 {
				s.Second = i
				break
			}
		}
		h := make([]float64, len(m.IDs)*384)
		for i := range h {
			h[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
		data = data[8*len(h):]
		r.seqs, r.hidden = append(r.seqs, s), append(r.hidden, h)
	}
	return r
}

// pooled is the unit mean of a sequence's states.
func pooled[T float32 | float64](hidden []T) []float64 {
	sum := make([]float64, 384)
	for j, v := range hidden {
		sum[j%384] += float64(v)
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
	dir := referenceDir(t)
	ref := readReference(t, dir)
	for _, k := range kernel.Available() {
		seqs, step := ref.seqs, 1
		if k.Name() == "scalar" { // slow: every twentieth
			seqs, step = nil, 20
			for i := 0; i < len(ref.seqs); i += step {
				seqs = append(seqs, ref.seqs[i])
			}
		}
		m, err := LoadFS(os.DirFS(dir), []string{"minilm.f32.kgw"}, WithKernel(k))
		if err != nil {
			t.Fatal(err)
		}
		worst := make([]float64, len(seqs))
		err = m.Encode(context.Background(), seqs, 0, func(i int, hidden []float32) {
			want := pooled(ref.hidden[i*step])
			for j, v := range pooled(hidden) {
				worst[i] = max(worst[i], math.Abs(v-want[j]))
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		top := slices.Max(worst)
		t.Logf("%s: %d sequences, largest error %.2g", k.Name(), len(worst), top)
		if !(top <= 1e-6) {
			t.Errorf("%s: largest error %.2g, want at most 1e-6", k.Name(), top)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	dir := referenceDir(b)
	for _, k := range kernel.Available() {
		m, err := LoadFS(os.DirFS(dir), []string{"minilm.f32.kgw"}, WithKernel(k))
		if err != nil {
			b.Fatal(err)
		}
		for _, shape := range [][2]int{{26, 1}, {26, 64}, {128, 16}, {256, 8}} {
			b.Run(k.Name()+"/"+itoa(shape[0])+"x"+itoa(shape[1]), func(b *testing.B) {
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

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }
