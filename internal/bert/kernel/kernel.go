package kernel

import (
	"fmt"
	"os"
	"strings"
)

// Set is one implementation of the kernels. The zero Set is not usable; take
// one from Best or ByName. A Set is read-only and safe for concurrent use.
type Set struct {
	name  string
	width int // columns of a panel of b
	rows  int // most rows of a tile
	lanes int // row kernels take lengths that are multiples of it

	// gemm[m] is the tile of m rows; strides in bytes.
	gemm      []func(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)
	add       func(y, x *float32, n uintptr)
	scaleAdd  func(y, x *float32, n uintptr, scale float32)
	gelu      func(y, x *float32, n uintptr)
	softmax   func(y *float32, n uintptr, scale float32)
	layerNorm func(y, x, resid, gain, bias *float32, n uintptr, eps float32)
}

// Name is "scalar", "avx2", "avx512" or "neon".
func (s *Set) Name() string { return s.name }

// Width is the number of columns of a packed panel.
func (s *Set) Width() int { return s.width }

// Align is what lengths of rows must be a multiple of; 16 serves every set.
const Align = 16

// Env names the environment variable that pins a set by name.
const Env = "KGEVAL_ISA"

// Best returns the fastest set of this machine, or the one that KGEVAL_ISA
// names; an unknown name, or one that this machine can't run, is an error.
func Best() (*Set, error) {
	if name := os.Getenv(Env); name != "" {
		s, err := ByName(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", Env, err)
		}
		return s, nil
	}
	sets := Available()
	return sets[len(sets)-1], nil
}

// ByName returns the set with the given name (case is ignored).
func ByName(name string) (*Set, error) {
	var names []string
	for _, s := range Available() {
		if strings.EqualFold(s.name, name) {
			return s, nil
		}
		names = append(names, s.name)
	}
	return nil, fmt.Errorf("kernel %q is not available on this machine (it has %s)", name, strings.Join(names, ", "))
}

// Available returns the sets that this machine can run, slowest first.
func Available() []*Set { return append([]*Set{&scalar}, machineSets()...) }

// Panels is a matrix packed for Set.Mul: columns in panels of Set.Width, each
// panel k-major, so that the inner loop reads memory in order.
type Panels struct {
	Rows, Cols int // the logical k x n
	width      int
	data       []float32
}

// NewPanels returns packed panels for a k x n matrix, all zero.
func (s *Set) NewPanels(k, n int) *Panels {
	p := &Panels{}
	s.Resize(p, k, n)
	return p
}

// Resize makes p a k x n matrix of zeros, reusing its memory.
func (s *Set) Resize(p *Panels, k, n int) {
	w := s.width
	size := (n + w - 1) / w * w * k
	if cap(p.data) < size {
		p.data = make([]float32, size)
	}
	p.data = p.data[:size]
	clear(p.data)
	p.Rows, p.Cols, p.width = k, n, w
}

// PackWeight packs a linear layer's weight w (n x k, row-major: one row for
// each output) as the k x n matrix that Mul takes.
func (s *Set) PackWeight(w []float32, n, k int) *Panels {
	p := s.NewPanels(k, n)
	for j := range n {
		p.SetColumn(j, w[j*k:(j+1)*k])
	}
	return p
}

// SetColumn writes column j; len(v) must be p.Rows.
func (p *Panels) SetColumn(j int, v []float32) {
	panel := p.data[j/p.width*p.width*p.Rows:]
	c := j % p.width
	for i, x := range v[:p.Rows] {
		panel[i*p.width+c] = x
	}
}

// SetRow writes row i; len(v) must be p.Cols.
func (p *Panels) SetRow(i int, v []float32) {
	w := p.width
	for j := 0; j < p.Cols; j += w {
		copy(p.data[j*p.Rows+i*w:][:w], v[j:min(j+w, p.Cols)])
	}
}

// depth is how many rows of a panel are multiplied at once, so that a tile's
// part of a and of the panel stay in the first-level cache.
const depth = 384

// Mul sets c = a*b for rows rows: a is rows x b.Rows with stride lda, c is
// rows x (b.Cols rounded up to Align) with stride ldc. Columns of c beyond
// b.Cols up to the panel's end are overwritten, so ldc must leave room for
// them. Only the panels [from, to) are computed; to < 0 means all.
func (s *Set) Mul(a []float32, lda int, b *Panels, c []float32, ldc, rows, from, to int) {
	w := s.width
	panels := (b.Cols + w - 1) / w
	if to < 0 {
		to = panels
	}
	if rows <= 0 || from >= to || b.Rows == 0 {
		return
	}
	if b.width != w || to > panels || lda < b.Rows || ldc < to*w ||
		len(a) < (rows-1)*lda+b.Rows || len(c) < (rows-1)*ldc+to*w {
		panic("kernel: Mul: shapes do not fit") // the assembly has no bounds checks
	}
	for d := 0; d < b.Rows; d += depth {
		k := min(depth, b.Rows-d)
		add := uintptr(0)
		if d > 0 {
			add = 1
		}
		for p := from; p < to; p++ {
			panel := &b.data[p*w*b.Rows+d*w]
			for r := 0; r < rows; {
				m := s.tile(rows - r)
				s.gemm[m](&a[r*lda+d], uintptr(lda)*4, panel, &c[r*ldc+p*w], uintptr(ldc)*4, uintptr(k), add)
				r += m
			}
		}
	}
}

// tile returns the height of the next tile when rows are left: full tiles,
// and the last two even, since a tile of one row is mostly overhead.
func (s *Set) tile(left int) int {
	switch {
	case left >= 2*s.rows || left == s.rows:
		return s.rows
	case left > s.rows:
		return (left + 1) / 2
	default:
		return left
	}
}

// Panels returns how many panels b has.
func (s *Set) Panels(b *Panels) int { return (b.Cols + s.width - 1) / s.width }

// Add adds x to y. Lengths must be equal and a multiple of Align.
func (s *Set) Add(y, x []float32) {
	if check(len(y), len(x)) {
		s.add(&y[0], &x[0], uintptr(len(y)))
	}
}

// ScaleAdd sets y = y*scale + x.
func (s *Set) ScaleAdd(y, x []float32, scale float32) {
	if check(len(y), len(x)) {
		s.scaleAdd(&y[0], &x[0], uintptr(len(y)), scale)
	}
}

// GELU sets y = gelu(y + x), the exact (erf) form, within 2e-7.
func (s *Set) GELU(y, x []float32) {
	if check(len(y), len(x)) {
		s.gelu(&y[0], &x[0], uintptr(len(y)))
	}
}

// Softmax sets y = softmax(y * scale), scale > 0. A masked place holds -Inf.
func (s *Set) Softmax(y []float32, scale float32) {
	if check(len(y)) {
		s.softmax(&y[0], uintptr(len(y)), scale)
	}
}

// LayerNorm sets y = layernorm(y + x + r) * g + b.
func (s *Set) LayerNorm(y, x, r, g, b []float32, eps float32) {
	if check(len(y), len(x), len(r), len(g), len(b)) {
		s.layerNorm(&y[0], &x[0], &r[0], &g[0], &b[0], uintptr(len(y)), eps)
	}
}

// check reports whether there is anything to do, and panics where the
// assembly would read or write past an end.
func check(n int, others ...int) bool {
	for _, m := range others {
		if m != n {
			panic("kernel: lengths differ")
		}
	}
	if n%Align != 0 {
		panic("kernel: length is not a multiple of 16")
	}
	return n > 0
}
