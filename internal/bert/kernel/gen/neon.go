package main

import (
	"fmt"
	"math"
)

// neon is ARMv8 Advanced SIMD. Go's assembler has no mnemonics for vector
// float arithmetic but VFMLA, so the others are written as their encodings.
type neon struct {
	*file
	pointers []string
	scalars  []string
}

func (m *neon) suffix() string { return "NEON" }
func (m *neon) lanes() int     { return 4 }
func (m *neon) tileRows() int  { return 8 }

func (m *neon) gemm(rows int) {
	m.comment(fmt.Sprintf("c = a*b (+ c), %d rows of 8", rows))
	fmt.Fprintf(m, "TEXT ·gemm%dNEON(SB), NOSPLIT, $0-56\n", rows)
	m.line("MOVD a+0(FP), R0")
	m.line("MOVD lda+8(FP), R8")
	m.line("MOVD b+16(FP), R9")
	m.line("MOVD c+24(FP), R10")
	m.line("MOVD ldc+32(FP), R11")
	m.line("MOVD k+40(FP), R12")
	for r := 1; r < rows; r++ {
		m.line("ADD R8, R%d, R%d", r-1, r)
	}
	for r := 0; r < 2*rows; r++ {
		m.line("VEOR V%d.B16, V%d.B16, V%d.B16", r, r, r)
	}
	m.label("loop")
	m.line("VLD1.P 32(R9), [V16.S4, V17.S4]")
	for r := 0; r < rows; r++ {
		t := 18 + r%4
		m.line("VLD1R.P 4(R%d), [V%d.S4]", r, t)
		m.line("VFMLA V16.S4, V%d.S4, V%d.S4", t, 2*r)
		m.line("VFMLA V17.S4, V%d.S4, V%d.S4", t, 2*r+1)
	}
	m.line("SUBS $1, R12, R12")
	m.line("BNE loop")
	m.line("MOVD add+48(FP), R12")
	m.line("MOVD R10, R13")
	m.line("CBZ R12, store")
	for r := 0; r < rows; r++ {
		m.line("VLD1 (R13), [V16.S4, V17.S4]")
		m.three(fadd, 2*r, 2*r, 16)
		m.three(fadd, 2*r+1, 2*r+1, 17)
		m.line("ADD R11, R13, R13")
	}
	m.label("store")
	for r := 0; r < rows; r++ {
		m.line("VST1 [V%d.S4, V%d.S4], (R10)", 2*r, 2*r+1)
		if r+1 < rows {
			m.line("ADD R11, R10, R10")
		}
	}
	m.line("RET")
	m.WriteString("\n")
}

// Encodings of the vector instructions on four float32 (ARM Architecture
// Reference Manual, C7.2).
const (
	fadd   = 0x4E20D400
	fsub   = 0x4EA0D400
	fmul   = 0x6E20DC00
	fdiv   = 0x6E20FC00
	fmax   = 0x4E20F400
	fmin   = 0x4EA0F400
	faddp  = 0x6E20D400
	fmaxp  = 0x6E20F400
	frintn = 0x4E218800
	fcvtns = 0x4E21A800
	fsqrt  = 0x6EA1F800
)

func (m *neon) three(op uint32, d, a, b int) {
	m.line("WORD $0x%08x", op|uint32(b)<<16|uint32(a)<<5|uint32(d))
}

func (m *neon) two(op uint32, d, a int) {
	m.line("WORD $0x%08x", op|uint32(a)<<5|uint32(d))
}

func (m *neon) pointer(p string) string {
	for i, q := range m.pointers {
		if p == q {
			return fmt.Sprintf("R%d", i)
		}
	}
	panic("no pointer " + p)
}

func (m *neon) begin(name string, pointers, scalars []string) {
	m.pointers, m.scalars = pointers, scalars
	args := 8*(len(pointers)+1) + 4*len(scalars)
	fmt.Fprintf(m, "TEXT ·%sNEON(SB), NOSPLIT, $0-%d\n", name, args)
	m.rewind()
}

func (m *neon) end() {
	m.line("RET")
	m.WriteString("\n")
}

func (m *neon) rewind() {
	for i, p := range m.pointers {
		m.line("MOVD %s+%d(FP), R%d", p, 8*i, i)
	}
}

func (m *neon) loop(label string, body func()) {
	m.line("MOVD n+%d(FP), R12", 8*len(m.pointers))
	m.label(label)
	body()
	for i := range m.pointers {
		m.line("ADD $16, R%d, R%d", i, i)
	}
	m.line("SUBS $4, R12, R12")
	m.line("BNE %s", label)
}

func (m *neon) load(d int, p string)  { m.line("VLD1 (%s), [V%d.S4]", m.pointer(p), d) }
func (m *neon) store(s int, p string) { m.line("VST1 [V%d.S4], (%s)", s, m.pointer(p)) }
func (m *neon) scalar(d int, name string) {
	for i, s := range m.scalars {
		if s == name {
			m.line("MOVWU %s+%d(FP), R13", name, 8*(len(m.pointers)+1)+4*i)
			m.line("VDUP R13, V%d.S4", d)
		}
	}
}
func (m *neon) constant(d int, c float32) {
	m.line("MOVD $0x%08x, R13 // %g", math.Float32bits(c), c)
	m.line("VDUP R13, V%d.S4", d)
}
func (m *neon) count(d int) {
	m.line("MOVD n+%d(FP), R13", 8*len(m.pointers))
	m.line("SCVTFS R13, F%d", d)
	m.line("VDUP V%d.S[0], V%d.S4", d, d)
}
func (m *neon) move(d, s int)   { m.line("VMOV V%d.B16, V%d.B16", s, d) }
func (m *neon) zero(d int)      { m.line("VEOR V%d.B16, V%d.B16, V%d.B16", d, d, d) }
func (m *neon) add(d, a, b int) { m.three(fadd, d, a, b) }
func (m *neon) sub(d, a, b int) { m.three(fsub, d, a, b) }
func (m *neon) mul(d, a, b int) { m.three(fmul, d, a, b) }
func (m *neon) div(d, a, b int) { m.three(fdiv, d, a, b) }
func (m *neon) max(d, a, b int) { m.three(fmax, d, a, b) }
func (m *neon) min(d, a, b int) { m.three(fmin, d, a, b) }
func (m *neon) fma(d, a, b int) { m.line("VFMLA V%d.S4, V%d.S4, V%d.S4", b, a, d) }
func (m *neon) sqrt(d, a int)   { m.two(fsqrt, d, a) }
func (m *neon) round(d, a int)  { m.two(frintn, d, a) }
func (m *neon) pow2(d, a int) {
	m.two(fcvtns, d, a)
	m.line("VSHL $23, V%d.S4, V%d.S4", d, d)
	m.line("MOVD $0x3f800000, R13")
	m.line("VDUP R13, V31.S4")
	m.line("VADD V31.S4, V%d.S4, V%d.S4", d, d)
}
func (m *neon) across(d int, op uint32) {
	m.three(op, d, d, d)
	m.three(op, d, d, d)
}
func (m *neon) sumAcross(d int) { m.across(d, faddp) }
func (m *neon) maxAcross(d int) { m.across(d, fmaxp) }
