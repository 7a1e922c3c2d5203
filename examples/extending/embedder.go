package extending

import (
	"context"
	"math"
	"unicode"

	"github.com/kgeval/kgeval"
)

// Runes embeds a text by how often it has each character, in 64 buckets.
type Runes struct{}

var _ kgeval.Embedder = Runes{}

// ID names the model and its version.
func (Runes) ID() string { return "runes/1" }

// Embed returns one vector of unit length for each text, in order; the zero
// vector for a text of blanks.
func (Runes) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var counts [64]float64
		sum := 0.0
		for _, r := range t {
			if !unicode.IsSpace(r) {
				counts[r%64]++
			}
		}
		for _, n := range counts {
			sum += n * n
		}
		out[i] = make([]float32, len(counts))
		for k, n := range counts {
			if sum > 0 {
				out[i][k] = float32(n / math.Sqrt(sum))
			}
		}
	}
	return out, nil
}
