package embed_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/kgeval/kgeval/embed"
)

func TestCosine(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name string
		a, b []float32
		want float64
	}{
		{"same", []float32{0.1, 0.2, 0.3}, []float32{0.1, 0.2, 0.3}, 1},
		{"same direction", []float32{1, 0}, []float32{3, 0}, 1},
		{"opposite", []float32{1, 2}, []float32{-1, -2}, -1},
		{"right angle", []float32{1, 0}, []float32{0, 1}, 0},
		{"half", []float32{1, 0}, []float32{1, float32(math.Sqrt(3))}, 0.5},
		{"zero", []float32{0, 0}, []float32{1, 0}, 0},
		{"both zero", []float32{0, 0}, []float32{0, 0}, 0},
		{"empty", nil, nil, 0},
		{"different lengths", []float32{1}, []float32{1, 0}, 0},
		{"not a number", []float32{nan, 1}, []float32{1, 1}, 0},
		{"infinite", []float32{inf, 1}, []float32{1, 1}, 0},
		{"largest", []float32{math.MaxFloat32, math.MaxFloat32}, []float32{math.MaxFloat32, math.MaxFloat32}, 1},
		{"smallest", []float32{math.SmallestNonzeroFloat32}, []float32{math.SmallestNonzeroFloat32}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, back := embed.Cosine(c.a, c.b), embed.Cosine(c.b, c.a)
			if math.Abs(got-c.want) > 1e-7 || got != back {
				t.Errorf("Cosine = %v, and %v the other way round, want %v", got, back, c.want)
			}
		})
	}
}

func FuzzCosine(f *testing.F) {
	f.Add(float32(1), float32(2), float32(3), float32(4))
	f.Add(float32(1e38), float32(1e-38), float32(-1e38), float32(0))
	f.Fuzz(func(t *testing.T, a, b, c, d float32) {
		got := embed.Cosine([]float32{a, b}, []float32{c, d})
		if !(got >= -1 && got <= 1) {
			t.Errorf("Cosine(%v %v, %v %v) = %v", a, b, c, d, got)
		}
	})
}

func TestNormalize(t *testing.T) {
	v := []float32{3, 4}
	if !embed.Normalize(v) || v[0] != 0.6 || v[1] != 0.8 {
		t.Errorf("got %v, want 0.6 0.8", v)
	}
	for _, v := range [][]float32{{0, 0}, {float32(math.NaN()), 1}, {float32(math.Inf(-1)), 1}, {}} {
		before := fmt.Sprint(v)
		if embed.Normalize(v) || fmt.Sprint(v) != before {
			t.Errorf("%s became %v", before, v)
		}
	}
}

func ExampleCosine() {
	fmt.Println(embed.Cosine([]float32{1, 0}, []float32{1, 1}) > 0.7)
	fmt.Println(embed.Cosine([]float32{1, 0}, []float32{0, 0}))
	// Output:
	// true
	// 0
}
