// Package kernel holds the inner loops of the encoder: matrix tiles and row
// operations on float32, in assembly for AVX2, AVX-512 and NEON and in plain
// Go for everything else. All sets compute the same functions; they differ in
// rounding by a few units in the last place, since each sums in its own order.
//
// The assembly is generated: see gen.
package kernel

//go:generate go run ./gen
