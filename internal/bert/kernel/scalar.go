package kernel

import (
	"math"
	"unsafe"
)

// scalar is the set in plain Go. It takes the same raw pointers as the
// assembly, so that one front serves both.
var scalar = Set{
	name: "scalar", width: 4, rows: 4, lanes: 1,
	gemm:      []func(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr){nil, gemm1Scalar, gemm2Scalar, gemm3Scalar, gemm4Scalar},
	add:       addScalar,
	scaleAdd:  scaleAddScalar,
	gelu:      geluScalar,
	softmax:   softmaxScalar,
	layerNorm: layerNormScalar,
}

func row(p *float32, n uintptr) []float32 { return unsafe.Slice(p, n) }

// at returns the row that starts i strides of ld bytes after p.
func at(p *float32, ld uintptr, i int, n uintptr) []float32 {
	return unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(p), uintptr(i)*ld)), n)
}

func gemm1Scalar(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr) {
	x, y := row(a, k), row(b, 4*k)
	var s0, s1, s2, s3 float32
	for i, v := range x {
		q := y[4*i:][:4]
		s0 += v * q[0]
		s1 += v * q[1]
		s2 += v * q[2]
		s3 += v * q[3]
	}
	put(row(c, 4), add, s0, s1, s2, s3)
}

func put(c []float32, add uintptr, s0, s1, s2, s3 float32) {
	if add != 0 {
		s0, s1, s2, s3 = s0+c[0], s1+c[1], s2+c[2], s3+c[3]
	}
	c[0], c[1], c[2], c[3] = s0, s1, s2, s3
}

func gemm2Scalar(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr) {
	x, z, y := row(a, k), at(a, lda, 1, k), row(b, 4*k)
	var s0, s1, s2, s3, t0, t1, t2, t3 float32
	for i, v := range x {
		q := y[4*i:][:4]
		w := z[i]
		s0 += v * q[0]
		s1 += v * q[1]
		s2 += v * q[2]
		s3 += v * q[3]
		t0 += w * q[0]
		t1 += w * q[1]
		t2 += w * q[2]
		t3 += w * q[3]
	}
	put(row(c, 4), add, s0, s1, s2, s3)
	put(at(c, ldc, 1, 4), add, t0, t1, t2, t3)
}

func gemm3Scalar(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr) {
	gemm2Scalar(a, lda, b, c, ldc, k, add)
	gemm1Scalar(&at(a, lda, 2, 1)[0], lda, b, &at(c, ldc, 2, 1)[0], ldc, k, add)
}

func gemm4Scalar(a *float32, lda uintptr, b, c *float32, ldc, k, add uintptr) {
	gemm2Scalar(a, lda, b, c, ldc, k, add)
	gemm2Scalar(&at(a, lda, 2, 1)[0], lda, b, &at(c, ldc, 2, 1)[0], ldc, k, add)
}

func addScalar(y, x *float32, n uintptr) {
	p, q := row(y, n), row(x, n)
	for i := range p {
		p[i] += q[i]
	}
}

func scaleAddScalar(y, x *float32, n uintptr, scale float32) {
	p, q := row(y, n), row(x, n)
	for i := range p {
		p[i] = p[i]*scale + q[i]
	}
}

func geluScalar(y, x *float32, n uintptr) {
	p, q := row(y, n), row(x, n)
	for i := range p {
		v := float64(p[i] + q[i])
		p[i] = float32(v / 2 * (1 + math.Erf(v/math.Sqrt2)))
	}
}

func softmaxScalar(y *float32, n uintptr, scale float32) {
	p := row(y, n)
	top := float32(-math.MaxFloat32)
	for i := range p {
		p[i] *= scale
		top = max(top, p[i])
	}
	var sum float32
	for i := range p {
		p[i] = float32(math.Exp(float64(max(p[i]-top, -87))))
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
}

func layerNormScalar(y, x, resid, gain, bias *float32, n uintptr, eps float32) {
	p, q, s, g, b := row(y, n), row(x, n), row(resid, n), row(gain, n), row(bias, n)
	var sum float64
	for i := range p {
		p[i] += q[i] + s[i]
		sum += float64(p[i])
	}
	mean := sum / float64(n)
	var square float64
	for _, v := range p {
		d := float64(v) - mean
		square += d * d
	}
	inv := 1 / math.Sqrt(square/float64(n)+float64(eps))
	for i, v := range p {
		p[i] = float32((float64(v)-mean)*inv)*g[i] + b[i]
	}
}
