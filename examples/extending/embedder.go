package extending

import (
	"context"
	"math"
	"strings"
	"unicode"

	"github.com/kgeval/kgeval"
)

// Letters embeds a text by how often it has each letter from a to z.
type Letters struct{}

var _ kgeval.Embedder = Letters{}

// ID names the model and its version.
func (Letters) ID() string { return "letters/1" }

// Embed returns one vector of unit length for each text, in order; the zero
// vector for a text without letters.
func (Letters) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v, sum := make([]float32, 26), 0.0
		for _, r := range strings.ToLower(t) {
			if r <= unicode.MaxASCII && unicode.IsLower(r) {
				v[r-'a']++
			}
		}
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		for k := range v {
			if sum > 0 {
				v[k] = float32(float64(v[k]) / math.Sqrt(sum))
			}
		}
		out[i] = v
	}
	return out, nil
}
