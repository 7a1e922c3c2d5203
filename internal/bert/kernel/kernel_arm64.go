package kernel

// Every arm64 processor that Go supports has Advanced SIMD.
func machineSets() []*Set { return []*Set{&neon} }

var neon = Set{
	name: "neon", width: 8, rows: 8, lanes: 4,
	gemm:      []func(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr){nil, gemm1NEON, gemm2NEON, gemm3NEON, gemm4NEON, gemm5NEON, gemm6NEON, gemm7NEON, gemm8NEON},
	add:       addNEON,
	scaleAdd:  scaleAddNEON,
	gelu:      geluNEON,
	softmax:   softmaxNEON,
	layerNorm: layerNormNEON,
}

//go:noescape
func gemm1NEON(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm2NEON(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm3NEON(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm4NEON(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm5NEON(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm6NEON(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm7NEON(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm8NEON(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func addNEON(y, x *float32, n uintptr)

//go:noescape
func scaleAddNEON(y, x *float32, n uintptr, scale float32)

//go:noescape
func geluNEON(y, x *float32, n uintptr)

//go:noescape
func softmaxNEON(y *float32, n uintptr, scale float32)

//go:noescape
func layerNormNEON(y, x, resid, gain, bias *float32, n uintptr, eps float32)
