// Command gen writes the assembly kernels of package kernel: one text for
// AVX2, AVX-512 and NEON from one description. Run it by `go generate` in the
// package's folder; its output is committed.
package main

import (
	"fmt"
	"log"
	"math"
	"os"
	"sort"
	"strings"
)

func main() {
	write("kernel_amd64.s", "amd64", func(f *file) {
		for _, m := range []*x86{newX86(f, "AVX2", "Y", 8), newX86(f, "AVX512", "Z", 16)} {
			kernels(f, m)
		}
	})
	write("kernel_arm64.s", "arm64", func(f *file) { kernels(f, &neon{file: f}) })
}

// kernels emits every kernel for one instruction set.
func kernels(f *file, m machine) {
	for rows := 1; rows <= m.tileRows(); rows++ {
		m.gemm(rows)
	}
	emitAdd(f, m)
	emitScaleAdd(f, m)
	emitGELU(f, m)
	emitSoftmax(f, m)
	emitLayerNorm(f, m)
}

// machine is one instruction set. Vector registers are numbered; v(0) to v(13)
// are free for the row kernels. Pointers are named by their argument and live
// in registers that arg assigns.
type machine interface {
	suffix() string
	lanes() int
	tileRows() int
	gemm(rows int)

	// begin opens a row kernel whose arguments are pointers, then n (a count
	// of float32, a positive multiple of lanes), then float32 scalars.
	begin(name string, pointers []string, scalars []string)
	end()
	rewind()                        // all pointers back to their start
	loop(label string, body func()) // body once per vector, pointers advance

	load(d int, p string)
	store(s int, p string)
	scalar(d int, name string) // broadcast of a float32 argument
	constant(d int, c float32)
	count(d int) // broadcast of float32(n)
	move(d, s int)
	zero(d int)
	add(d, a, b int)
	sub(d, a, b int)
	mul(d, a, b int)
	div(d, a, b int)
	max(d, a, b int)
	min(d, a, b int)
	fma(d, a, b int) // d += a*b
	sqrt(d, a int)
	round(d, a int)  // to the nearest integer
	pow2(d, a int)   // d = 2^a for an integer-valued a
	sumAcross(d int) // every lane gets the sum of all lanes
	maxAcross(d int)
}

func emitAdd(f *file, m machine) {
	f.comment("y += x")
	m.begin("add", []string{"y", "x"}, nil)
	m.loop("loop", func() {
		m.load(0, "y")
		m.load(1, "x")
		m.add(0, 0, 1)
		m.store(0, "y")
	})
	m.end()
}

func emitScaleAdd(f *file, m machine) {
	f.comment("y = y*scale + x")
	m.begin("scaleAdd", []string{"y", "x"}, []string{"scale"})
	m.scalar(2, "scale")
	m.loop("loop", func() {
		m.load(0, "y")
		m.load(1, "x")
		m.fma(1, 0, 2)
		m.store(1, "y")
	})
	m.end()
}

// erfcQ is a fit of erfc(x) = t Q(t) exp(-x^2), t = 1/(1 + erfcT x), for x >= 0:
// Abramowitz and Stegun's form 7.1.26 with more terms (see fit_erf.py). Unlike a
// fit of erf its error dies away with exp(-x^2): with a constant error the large
// values that some encoders (MPNet) have would be wrong by its multiple.
var erfcQ = []float32{0.17849409, 0.2431603, -0.04691641, 0.58974465, -0.2964062, 0.18657297, 0.23878305, -0.09343241}

const (
	erfcT   = 0.3275911
	erfcMax = 9.3 // exp(-x^2) is no more than the least float32 beyond it
)

// poly leaves the polynomial with coefficients c (lowest first) at v(x) in
// v(d); tmp is overwritten.
func poly(m machine, d, x, tmp int, c []float32) {
	m.constant(d, c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		m.constant(tmp, c[i])
		m.fma(tmp, d, x)
		d, tmp = tmp, d
	}
	if len(c)%2 == 0 { // an odd number of swaps: the result is in the other one
		m.move(tmp, d)
	}
}

func emitGELU(f *file, m machine) {
	f.comment("y = gelu(y + x), gelu(v) = max(v, 0) - |v|/2 erfc(|v|/sqrt 2)")
	m.begin("gelu", []string{"y", "x"}, nil)
	m.constant(10, float32(math.Sqrt(0.5)))
	m.constant(11, 1)
	m.constant(12, erfcT)
	m.constant(13, erfcMax)
	m.zero(7)
	m.loop("loop", func() {
		m.load(8, "y")
		m.load(1, "x")
		m.add(8, 8, 1)
		m.sub(9, 7, 8)
		m.max(9, 9, 8)
		m.mul(9, 9, 10)
		m.min(9, 9, 13) // |v|/sqrt 2
		m.mul(0, 9, 9)
		m.sub(0, 7, 0)
		exp(m)
		m.move(6, 11)
		m.fma(6, 9, 12)
		m.div(6, 11, 6) // t
		poly(m, 1, 6, 2, erfcQ)
		m.mul(1, 1, 6)
		m.mul(0, 0, 1) // erfc
		m.mul(9, 9, 10)
		m.mul(0, 0, 9)
		m.max(8, 8, 7)
		m.sub(8, 8, 0)
		m.store(8, "y")
	})
	m.end()
}

// expPoly are Cephes' coefficients of expf, lowest first.
var expPoly = []float32{5.0000001201e-1, 1.6666665459e-1, 4.1665795894e-2, 8.3334519073e-3, 1.3981999507e-3, 1.9875691500e-4}

// exp replaces v(0) by its exponential; 1 to 5 are overwritten. The argument
// must not be above 0; below -87 it is taken for -87.
func exp(m machine) {
	m.constant(1, -87)
	m.max(0, 0, 1)
	m.constant(1, math.Log2E)
	m.mul(1, 0, 1)
	m.round(1, 1)
	m.constant(2, -0.693359375)
	m.fma(0, 1, 2)
	m.constant(2, 2.12194440e-4)
	m.fma(0, 1, 2)
	m.mul(2, 0, 0)
	poly(m, 3, 0, 4, expPoly)
	m.fma(0, 3, 2)
	m.constant(4, 1)
	m.add(0, 0, 4)
	m.pow2(1, 1)
	m.mul(0, 0, 1)
}

func emitSoftmax(f *file, m machine) {
	f.comment("y = softmax(y * scale)")
	m.begin("softmax", []string{"y"}, []string{"scale"})
	m.scalar(8, "scale")
	m.constant(9, -math.MaxFloat32)
	m.loop("top", func() {
		m.load(0, "y")
		m.mul(0, 0, 8)
		m.store(0, "y")
		m.max(9, 9, 0)
	})
	m.maxAcross(9)
	m.rewind()
	m.zero(10)
	m.loop("exp", func() {
		m.load(0, "y")
		m.sub(0, 0, 9)
		exp(m)
		m.store(0, "y")
		m.add(10, 10, 0)
	})
	m.sumAcross(10)
	m.rewind()
	m.constant(1, 1)
	m.div(10, 1, 10)
	m.loop("norm", func() {
		m.load(0, "y")
		m.mul(0, 0, 10)
		m.store(0, "y")
	})
	m.end()
}

func emitLayerNorm(f *file, m machine) {
	f.comment("y = layernorm(y + x + r) * g + b")
	m.begin("layerNorm", []string{"y", "x", "resid", "gain", "bias"}, []string{"eps"})
	m.zero(8)
	m.loop("sum", func() {
		m.load(0, "y")
		m.load(1, "x")
		m.add(0, 0, 1)
		m.load(1, "resid")
		m.add(0, 0, 1)
		m.store(0, "y")
		m.add(8, 8, 0)
	})
	m.sumAcross(8)
	m.count(9)
	m.div(8, 8, 9) // the mean
	m.rewind()
	m.zero(10)
	m.loop("var", func() {
		m.load(0, "y")
		m.sub(0, 0, 8)
		m.fma(10, 0, 0)
	})
	m.sumAcross(10)
	m.div(10, 10, 9)
	m.scalar(0, "eps")
	m.add(10, 10, 0)
	m.sqrt(10, 10)
	m.constant(0, 1)
	m.div(10, 0, 10)
	m.rewind()
	m.loop("norm", func() {
		m.load(0, "y")
		m.sub(0, 0, 8)
		m.mul(0, 0, 10)
		m.load(1, "gain")
		m.load(2, "bias")
		m.fma(2, 0, 1)
		m.store(2, "y")
	})
	m.end()
}

// file collects the text of one assembly file.
type file struct {
	strings.Builder
	constants map[uint32]bool
}

func (f *file) line(format string, args ...any) {
	fmt.Fprintf(f, "\t"+format+"\n", args...)
}

func (f *file) comment(s string) { fmt.Fprintf(f, "// %s\n", s) }

func (f *file) label(s string) { fmt.Fprintf(f, "%s:\n", s) }

// constant returns the symbol of a float32 in memory.
func (f *file) constant(c float32) string {
	bits := math.Float32bits(c)
	f.constants[bits] = true
	return fmt.Sprintf("c%08x<>(SB)", bits)
}

func write(name, arch string, emit func(*file)) {
	f := &file{constants: map[uint32]bool{}}
	emit(f)
	var head strings.Builder
	fmt.Fprintf(&head, "// Code generated by gen. DO NOT EDIT.\n\n//go:build %s\n\n#include \"textflag.h\"\n\n", arch)
	var bits []uint32
	for b := range f.constants {
		bits = append(bits, b)
	}
	sort.Slice(bits, func(i, j int) bool { return bits[i] < bits[j] })
	for _, b := range bits {
		fmt.Fprintf(&head, "DATA c%08x<>+0(SB)/4, $0x%08x\nGLOBL c%08x<>(SB), RODATA|NOPTR, $4\n", b, b, b)
	}
	head.WriteString("\n")
	if err := os.WriteFile(name, []byte(head.String()+f.String()), 0o644); err != nil {
		log.Fatal(err)
	}
}
