package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func random(r *rand.Rand, n int, scale float64) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64() * scale)
	}
	return v
}

// near fails unless got and want agree within tol, relative to 1+|want|.
func near(t *testing.T, what string, got, want []float32, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		d := math.Abs(float64(got[i]) - float64(want[i]))
		if !(d <= tol*(1+math.Abs(float64(want[i])))) {
			t.Fatalf("%s: [%d] = %g, want %g", what, i, got[i], want[i])
		}
	}
}

// Every set multiplies as the definition says, for every height of a tile,
// widths that don't fill a panel, depths over one block, and strides wider
// than the matrix.
func TestMulEqualsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range Available() {
		for rows := 1; rows <= 2*s.rows+2; rows++ {
			for _, shape := range [][2]int{{1, 1}, {5, 33}, {384, 40}, {385, 17}, {800, 64}} {
				k, n := shape[0], shape[1]
				lda, ldc := k+3, (n+63)/32*32+5
				a := random(r, rows*lda, 1)
				w := random(r, n*k, 1/math.Sqrt(float64(k)))
				b := s.PackWeight(w, n, k)
				c := make([]float32, rows*ldc)
				s.Mul(a, lda, b, c, ldc, rows, 0, -1)
				for i := range rows {
					for j := range n {
						var sum float64
						for x := range k {
							sum += float64(a[i*lda+x]) * float64(w[j*k+x])
						}
						if d := math.Abs(sum - float64(c[i*ldc+j])); !(d < 2e-5) {
							t.Fatalf("%s %dx%dx%d: c[%d,%d] = %g, want %g", s.name, rows, k, n, i, j, c[i*ldc+j], sum)
						}
					}
				}
			}
		}
	}
}

// The value of a row does not depend on how many rows stand beside it: a
// sequence's result is the same bits in any batch.
func TestMulRowsAreIndependent(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const k, n, rows = 391, 70, 31
	for _, s := range Available() {
		a := random(r, rows*k, 1)
		b := s.PackWeight(random(r, n*k, 1), n, k)
		ldc := s.Panels(b) * s.width
		all := make([]float32, rows*ldc)
		s.Mul(a, k, b, all, ldc, rows, 0, -1)
		one := make([]float32, ldc)
		for i := range rows {
			s.Mul(a[i*k:], k, b, one, ldc, 1, 0, -1)
			for j := range n {
				if one[j] != all[i*ldc+j] {
					t.Fatalf("%s: row %d alone gives %g, among others %g", s.name, i, one[j], all[i*ldc+j])
				}
			}
		}
	}
}

func TestRowKernelsEqualScalar(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, s := range Available() {
		for _, n := range []int{16, 48, 384, 1536} {
			for _, scale := range []float64{1e-3, 1, 8} {
				y, x, z := random(r, n, scale), random(r, n, scale), random(r, n, scale)
				g, b := random(r, n, 1), random(r, n, 1)
				both := func(name string, tol float64, f func(s *Set, y []float32)) {
					t.Helper()
					got, want := append([]float32(nil), y...), append([]float32(nil), y...)
					f(s, got)
					f(&scalar, want)
					near(t, fmt.Sprintf("%s %s n=%d scale=%g", s.name, name, n, scale), got, want, tol)
				}
				both("add", 0, func(s *Set, y []float32) { s.Add(y, x) })
				both("scaleAdd", 1e-6, func(s *Set, y []float32) { s.ScaleAdd(y, x, 0.3) })
				both("gelu", 2e-7, func(s *Set, y []float32) { s.GELU(y, x) })
				both("softmax", 2e-6, func(s *Set, y []float32) { s.Softmax(y, 0.7) })
				both("layerNorm", 3e-6, func(s *Set, y []float32) { s.LayerNorm(y, x, z, g, b, 1e-12) })
			}
		}
	}
}

// Masked places get nothing, and hold no NaN.
func TestSoftmaxMask(t *testing.T) {
	for _, s := range Available() {
		y := make([]float32, 32)
		for i := 5; i < 32; i++ {
			y[i] = float32(math.Inf(-1))
		}
		s.Softmax(y, 0.2)
		for i, v := range y {
			want := 0.2
			if i >= 5 {
				want = 0
			}
			if math.Abs(float64(v)-want) > 1e-7 {
				t.Errorf("%s: [%d] = %g, want %g", s.name, i, v, want)
			}
		}
	}
}

func TestGELUAtTheEnds(t *testing.T) {
	for _, s := range Available() {
		y := make([]float32, 16)
		copy(y, []float32{-1e30, -100, -5, -1, 0, 1, 5, 100, 1e30})
		want := append([]float32(nil), y...)
		zero := make([]float32, 16)
		s.GELU(y, zero)
		for i, v := range want {
			want[i] = float32(float64(v) / 2 * (1 + math.Erf(float64(v)/math.Sqrt2)))
		}
		for i := range y {
			if d := math.Abs(float64(y[i] - want[i])); d > 1.2e-7*math.Max(1, math.Abs(float64(want[i]))) {
				t.Errorf("%s: gelu(...)[%d] = %g, want %g", s.name, i, y[i], want[i])
			}
		}
	}
}

func TestByName(t *testing.T) {
	if _, err := ByName("mmx"); err == nil {
		t.Error("an unknown kernel must be an error")
	}
	t.Setenv(Env, "scalar")
	s, err := Best()
	if err != nil || s.Name() != "scalar" {
		t.Errorf("Best = %v, %v", s, err)
	}
	t.Setenv(Env, "mmx")
	if _, err := Best(); err == nil {
		t.Error("an unknown name in the environment must be an error")
	}
}

func BenchmarkMul(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	const rows, k, n = 192, 384, 384
	for _, s := range Available() {
		b.Run(s.name, func(b *testing.B) {
			x := random(r, rows*k, 1)
			w := s.PackWeight(random(r, n*k, 1), n, k)
			c := make([]float32, rows*n)
			for b.Loop() {
				s.Mul(x, k, w, c, n, rows, 0, -1)
			}
			b.ReportMetric(2*rows*k*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}

func BenchmarkRows(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	const n = 1536
	y, x := random(r, n, 1), random(r, n, 1)
	for _, s := range Available() {
		b.Run("gelu/"+s.name, func(b *testing.B) {
			for b.Loop() {
				s.GELU(y, x)
			}
		})
		b.Run("softmax/"+s.name, func(b *testing.B) {
			for b.Loop() {
				s.Softmax(y, 0.5)
			}
		})
		b.Run("layerNorm/"+s.name, func(b *testing.B) {
			for b.Loop() {
				s.LayerNorm(y, x, x, x, x, 1e-12)
			}
		})
	}
}
