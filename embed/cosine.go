package embed

import "math"

// Cosine returns the cosine of the angle between a and b, in [-1,1], computed in
// float64. Neither vector needs unit norm. A vector has the cosine 1 with itself,
// exactly. The zero vector points nowhere: its cosine with anything, itself
// included, is 0. So it is for vectors of different lengths, or with a NaN or an
// infinity; an embedder that breaks its contract so is caught by Check, not here.
func Cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var dot, aa, bb float64
	for i, x := range a {
		x, y := float64(x), float64(b[i])
		// The conversions forbid a fused multiply-add, which only some
		// processors have: the same bits everywhere.
		dot += float64(x * y)
		aa += float64(x * x)
		bb += float64(y * y)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	// float32 squares cannot overflow a float64 sum, but their product can.
	c := dot / math.Sqrt(aa*bb)
	if aa*bb == 0 || math.IsInf(aa*bb, 0) {
		c = dot / (math.Sqrt(aa) * math.Sqrt(bb))
	}
	switch {
	case math.IsNaN(c):
		return 0
	case c > 1:
		return 1
	case c < -1:
		return -1
	}
	return c
}

// Normalize scales v in place to unit Euclidean norm, as the contract of Embedder
// wants it, and reports whether it could: the zero vector, and one with a NaN or
// an infinity, stay as they are. It is for adapters of models that return raw
// vectors.
func Normalize(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(float64(x) * float64(x))
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return false
	}
	n := math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) / n)
	}
	return true
}
