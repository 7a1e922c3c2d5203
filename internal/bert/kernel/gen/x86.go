package main

import "fmt"

// x86 is AVX2 with FMA (registers Y) or AVX-512F (registers Z).
type x86 struct {
	*file
	name  string
	reg   string
	width int // lanes
	rows  int

	fn       string
	pointers []string
	scalars  []string
}

func newX86(f *file, name, reg string, width int) *x86 {
	m := &x86{file: f, name: name, reg: reg, width: width, rows: 6}
	if reg == "Z" {
		m.rows = 14
	}
	return m
}

func (m *x86) suffix() string { return m.name }
func (m *x86) lanes() int     { return m.width }
func (m *x86) tileRows() int  { return m.rows }

func (m *x86) v(i int) string { return fmt.Sprintf("%s%d", m.reg, i) }

// gemm: c[rows x 2 lanes] = a[rows x k] * b[k x 2 lanes], added to c where
// add is not 0. Strides are in bytes.
func (m *x86) gemm(rows int) {
	size := m.width * 4
	m.comment(fmt.Sprintf("c = a*b (+ c), %d rows of %d", rows, 2*m.width))
	fmt.Fprintf(m, "TEXT ·gemm%d%s(SB), NOSPLIT, $0-56\n", rows, m.name)
	m.line("MOVQ a+0(FP), SI")
	m.line("MOVQ lda+8(FP), DX")
	m.line("MOVQ b+16(FP), BX")
	m.line("MOVQ c+24(FP), DI")
	m.line("MOVQ ldc+32(FP), R8")
	m.line("MOVQ k+40(FP), CX")
	odd := map[int]string{1: "DX", 3: "R9", 5: "R10", 7: "R11", 9: "R12", 11: "R13", 13: "AX"}
	prev := "DX"
	for r := 3; r < rows; r += 2 {
		m.line("LEAQ (%s)(DX*2), %s", prev, odd[r])
		prev = odd[r]
	}
	// Rows 6, 10 and 12 are twice or four times an odd one.
	address := func(r int) string {
		if r == 0 {
			return "(SI)"
		}
		scale := 1
		for r%2 == 0 {
			r /= 2
			scale *= 2
		}
		return fmt.Sprintf("(SI)(%s*%d)", odd[r], scale)
	}
	acc := func(r, h int) string { return m.v(2*r + h) }
	b0, b1 := 2*m.rows, 2*m.rows+1
	for r := 0; r < rows; r++ {
		for h := 0; h < 2; h++ {
			m.xor(acc(r, h))
		}
	}
	m.label("loop")
	m.line("VMOVUPS (BX), %s", m.v(b0))
	m.line("VMOVUPS %d(BX), %s", size, m.v(b1))
	for r := 0; r < rows; r++ {
		t := m.v(b1 + 1 + r%2)
		m.line("VBROADCASTSS %s, %s", address(r), t)
		m.line("VFMADD231PS %s, %s, %s", m.v(b0), t, acc(r, 0))
		m.line("VFMADD231PS %s, %s, %s", m.v(b1), t, acc(r, 1))
	}
	m.line("ADDQ $4, SI")
	m.line("ADDQ $%d, BX", 2*size)
	m.line("DECQ CX")
	m.line("JNZ loop")
	m.line("MOVQ add+48(FP), CX")
	m.line("MOVQ DI, SI")
	m.line("TESTQ CX, CX")
	m.line("JZ store")
	for r := 0; r < rows; r++ {
		m.line("VADDPS (SI), %s, %s", acc(r, 0), acc(r, 0))
		m.line("VADDPS %d(SI), %s, %s", size, acc(r, 1), acc(r, 1))
		m.line("ADDQ R8, SI")
	}
	m.label("store")
	for r := 0; r < rows; r++ {
		m.line("VMOVUPS %s, (DI)", acc(r, 0))
		m.line("VMOVUPS %s, %d(DI)", acc(r, 1), size)
		if r+1 < rows {
			m.line("ADDQ R8, DI")
		}
	}
	m.line("VZEROUPPER")
	m.line("RET")
	m.WriteString("\n")
}

func (m *x86) xor(r string) {
	if m.reg == "Z" {
		m.line("VPXORD %s, %s, %s", r, r, r)
		return
	}
	m.line("VXORPS %s, %s, %s", r, r, r)
}

var x86Pointers = []string{"DI", "SI", "BX", "R8", "R9"}

func (m *x86) pointer(p string) string {
	for i, q := range m.pointers {
		if p == q {
			return x86Pointers[i]
		}
	}
	panic("no pointer " + p)
}

func (m *x86) begin(name string, pointers, scalars []string) {
	m.fn, m.pointers, m.scalars = name, pointers, scalars
	args := 8*(len(pointers)+1) + 4*len(scalars)
	fmt.Fprintf(m, "TEXT ·%s%s(SB), NOSPLIT, $0-%d\n", name, m.name, args)
	for i, p := range pointers {
		m.line("MOVQ %s+%d(FP), %s", p, 8*i, x86Pointers[i])
	}
}

func (m *x86) end() {
	m.line("VZEROUPPER")
	m.line("RET")
	m.WriteString("\n")
}

func (m *x86) rewind() {
	for i, p := range m.pointers {
		m.line("MOVQ %s+%d(FP), %s", p, 8*i, x86Pointers[i])
	}
}

func (m *x86) loop(label string, body func()) {
	m.line("MOVQ n+%d(FP), CX", 8*len(m.pointers))
	m.label(label)
	body()
	for i := range m.pointers {
		m.line("ADDQ $%d, %s", m.width*4, x86Pointers[i])
	}
	m.line("SUBQ $%d, CX", m.width)
	m.line("JNZ %s", label)
}

func (m *x86) load(d int, p string)  { m.line("VMOVUPS (%s), %s", m.pointer(p), m.v(d)) }
func (m *x86) store(s int, p string) { m.line("VMOVUPS %s, (%s)", m.v(s), m.pointer(p)) }
func (m *x86) scalar(d int, name string) {
	for i, s := range m.scalars {
		if s == name {
			m.line("VBROADCASTSS %s+%d(FP), %s", name, 8*(len(m.pointers)+1)+4*i, m.v(d))
		}
	}
}
func (m *x86) constant(d int, c float32) {
	m.line("VBROADCASTSS %s, %s", m.file.constant(c), m.v(d))
}
func (m *x86) count(d int) {
	x := fmt.Sprintf("X%d", d)
	m.line("MOVQ n+%d(FP), AX", 8*len(m.pointers))
	m.line("VXORPS %s, %s, %s", x, x, x)
	m.line("VCVTSI2SSQ AX, %s, %s", x, x)
	m.line("VBROADCASTSS %s, %s", x, m.v(d))
}
func (m *x86) move(d, s int)   { m.line("VMOVAPS %s, %s", m.v(s), m.v(d)) }
func (m *x86) zero(d int)      { m.xor(m.v(d)) }
func (m *x86) add(d, a, b int) { m.line("VADDPS %s, %s, %s", m.v(b), m.v(a), m.v(d)) }
func (m *x86) sub(d, a, b int) { m.line("VSUBPS %s, %s, %s", m.v(b), m.v(a), m.v(d)) }
func (m *x86) mul(d, a, b int) { m.line("VMULPS %s, %s, %s", m.v(b), m.v(a), m.v(d)) }
func (m *x86) div(d, a, b int) { m.line("VDIVPS %s, %s, %s", m.v(b), m.v(a), m.v(d)) }
func (m *x86) max(d, a, b int) { m.line("VMAXPS %s, %s, %s", m.v(b), m.v(a), m.v(d)) }
func (m *x86) min(d, a, b int) { m.line("VMINPS %s, %s, %s", m.v(b), m.v(a), m.v(d)) }
func (m *x86) fma(d, a, b int) { m.line("VFMADD231PS %s, %s, %s", m.v(b), m.v(a), m.v(d)) }
func (m *x86) sqrt(d, a int)   { m.line("VSQRTPS %s, %s", m.v(a), m.v(d)) }
func (m *x86) round(d, a int) {
	if m.reg == "Z" {
		m.line("VRNDSCALEPS $0, %s, %s", m.v(a), m.v(d))
		return
	}
	m.line("VROUNDPS $0, %s, %s", m.v(a), m.v(d))
}
func (m *x86) pow2(d, a int) {
	m.line("VCVTPS2DQ %s, %s", m.v(a), m.v(d))
	m.line("VPSLLD $23, %s, %s", m.v(d), m.v(d))
	// Adding the bits of 1.0 adds 127 to the exponent.
	t := m.v(15)
	m.line("VBROADCASTSS %s, %s", m.file.constant(1), t)
	m.line("VPADDD %s, %s, %s", t, m.v(d), m.v(d))
}

// across folds the lanes with op: upper half on lower half, down to one.
func (m *x86) across(d int, op string) {
	x, t := fmt.Sprintf("X%d", d), "X15"
	if m.reg == "Z" {
		m.line("VEXTRACTF64X4 $1, Z%d, Y15", d)
		m.line("%s Y15, Y%d, Y%d", op, d, d)
	}
	m.line("VEXTRACTF128 $1, Y%d, %s", d, t)
	m.line("%s %s, %s, %s", op, t, x, x)
	m.line("VSHUFPS $0x4e, %s, %s, %s", x, x, t)
	m.line("%s %s, %s, %s", op, t, x, x)
	m.line("VSHUFPS $0xb1, %s, %s, %s", x, x, t)
	m.line("%s %s, %s, %s", op, t, x, x)
	m.line("VBROADCASTSS %s, %s", x, m.v(d))
}
func (m *x86) sumAcross(d int) { m.across(d, "VADDPS") }
func (m *x86) maxAcross(d int) { m.across(d, "VMAXPS") }
