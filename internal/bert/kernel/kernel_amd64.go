package kernel

import "golang.org/x/sys/cpu"

func machineSets() []*Set {
	var sets []*Set
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		sets = append(sets, &avx2)
		if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
			sets = append(sets, &avx512)
		}
	}
	return sets
}

var avx2 = Set{
	name: "avx2", width: 16, rows: 6, lanes: 8,
	gemm:      []func(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr){nil, gemm1AVX2, gemm2AVX2, gemm3AVX2, gemm4AVX2, gemm5AVX2, gemm6AVX2},
	add:       addAVX2,
	scaleAdd:  scaleAddAVX2,
	gelu:      geluAVX2,
	softmax:   softmaxAVX2,
	layerNorm: layerNormAVX2,
}

var avx512 = Set{
	name: "avx512", width: 32, rows: 14, lanes: 16,
	gemm:      []func(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr){nil, gemm1AVX512, gemm2AVX512, gemm3AVX512, gemm4AVX512, gemm5AVX512, gemm6AVX512, gemm7AVX512, gemm8AVX512, gemm9AVX512, gemm10AVX512, gemm11AVX512, gemm12AVX512, gemm13AVX512, gemm14AVX512},
	add:       addAVX512,
	scaleAdd:  scaleAddAVX512,
	gelu:      geluAVX512,
	softmax:   softmaxAVX512,
	layerNorm: layerNormAVX512,
}

//go:noescape
func gemm1AVX2(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm2AVX2(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm3AVX2(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm4AVX2(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm5AVX2(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm6AVX2(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func addAVX2(y, x *float32, n uintptr)

//go:noescape
func scaleAddAVX2(y, x *float32, n uintptr, scale float32)

//go:noescape
func geluAVX2(y, x *float32, n uintptr)

//go:noescape
func softmaxAVX2(y *float32, n uintptr, scale float32)

//go:noescape
func layerNormAVX2(y, x, resid, gain, bias *float32, n uintptr, eps float32)

//go:noescape
func gemm1AVX512(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm2AVX512(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm3AVX512(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm4AVX512(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm5AVX512(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm6AVX512(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm7AVX512(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm8AVX512(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm9AVX512(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm10AVX512(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm11AVX512(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm12AVX512(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm13AVX512(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func gemm14AVX512(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr)

//go:noescape
func addAVX512(y, x *float32, n uintptr)

//go:noescape
func scaleAddAVX512(y, x *float32, n uintptr, scale float32)

//go:noescape
func geluAVX512(y, x *float32, n uintptr)

//go:noescape
func softmaxAVX512(y *float32, n uintptr, scale float32)

//go:noescape
func layerNormAVX512(y, x, resid, gain, bias *float32, n uintptr, eps float32)
