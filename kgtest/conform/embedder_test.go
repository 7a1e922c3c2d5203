package conform

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kgeval/kgeval/embed"
)

// goodEmbedder makes a vector of a text's hash.
type goodEmbedder struct{}

func (goodEmbedder) ID() string { return "hash, version 1" }

func (goodEmbedder) Thresholds() embed.Thresholds {
	return embed.Thresholds{Entity: 0.5, Relation: 0.6}
}

func (goodEmbedder) one(text string) []float32 {
	v := make([]float32, 4)
	if strings.TrimSpace(text) == "" {
		return v
	}
	h := fnv.New64a()
	h.Write([]byte(text))
	x, norm := h.Sum64(), 0.0
	for i := range v {
		v[i] = float32(x>>(16*i)&0xffff) + 1
		norm += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(norm))
	}
	return v
}

func (e goodEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var out [][]float32
	for _, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("embed: %w", err)
		}
		out = append(out, e.one(t))
	}
	return out, nil
}

type embedderFunc func(ctx context.Context, texts []string) ([][]float32, error)

func (embedderFunc) ID() string { return "func" }

func (f embedderFunc) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return f(ctx, texts)
}

type embedderWithID struct {
	goodEmbedder
	id string
}

func (e embedderWithID) ID() string { return e.id }

type embedderWithThresholds struct {
	goodEmbedder
	thresholds func() embed.Thresholds
}

func (e embedderWithThresholds) Thresholds() embed.Thresholds { return e.thresholds() }

// bend is goodEmbedder with its vectors changed.
func bend(change func(texts []string, out [][]float32) [][]float32) func() embed.Embedder {
	return func() embed.Embedder {
		return embedderFunc(func(ctx context.Context, texts []string) ([][]float32, error) {
			out, err := goodEmbedder{}.Embed(ctx, texts)
			if err != nil {
				return nil, err
			}
			return change(texts, out), nil
		})
	}
}

func TestEmbedderSuitePassesAGoodOne(t *testing.T) {
	checkPasses(t, embedderRules, quick(true), func() embed.Embedder { return goodEmbedder{} })
	Embedder(t, func() embed.Embedder { return goodEmbedder{} })
}

// Noise within the tolerance is no fault.
func TestToleranceAllowsNoise(t *testing.T) {
	c := quick(true)
	c.tolerance = 1e-5
	var n atomic.Int64
	checkPasses(t, embedderRules, c, bend(func(_ []string, out [][]float32) [][]float32 {
		for _, v := range out {
			v[0] += 1e-6 * float32(n.Add(1)%2) * v[1]
		}
		return out
	}))
}

func TestEmbedderSuiteCatches(t *testing.T) {
	const shape = "vectors have one length, are finite, and of unit norm"
	const alone = "a vector does not depend on the other texts or its position"
	stop := make(chan struct{})
	defer close(stop)
	checkCatches(t, embedderRules, quick(true), []broken[embed.Embedder]{
		{"no ID", func() embed.Embedder { return embedderWithID{} }, "the ID is not empty and does not change", "want a name"},
		{"error for no texts", func() embed.Embedder {
			return embedderFunc(func(ctx context.Context, texts []string) ([][]float32, error) {
				if len(texts) == 0 {
					return nil, errors.New("nothing to do")
				}
				return goodEmbedder{}.Embed(ctx, texts)
			})
		}, "no texts give no vectors", "nothing to do"},
		{"one too many", bend(func(_ []string, out [][]float32) [][]float32 { return append(out, []float32{1}) }),
			"no texts give no vectors", "gives 1 vectors"},
		{"not normalised", bend(func(_ []string, out [][]float32) [][]float32 {
			for _, v := range out {
				v[0] *= 3
			}
			return out
		}), shape, "norm"},
		{"NaN", bend(func(_ []string, out [][]float32) [][]float32 {
			out[len(out)-1][1] = float32(math.NaN())
			return out
		}), shape, "element 1 is NaN"},
		{"two lengths", bend(func(_ []string, out [][]float32) [][]float32 {
			out[3] = append(out[3], 0)
			return out
		}), shape, "has 5 elements"},
		{"a vector missing", bend(func(_ []string, out [][]float32) [][]float32 {
			out[5] = nil
			return out
		}), shape, "no elements"},
		{"short text as zero", bend(func(texts []string, out [][]float32) [][]float32 {
			for i, s := range texts {
				if len(s) < 3 {
					clear(out[i])
				}
			}
			return out
		}), shape, `text "a": the vector has norm 0`},
		{"blank divided by its norm", bend(func(texts []string, out [][]float32) [][]float32 {
			for i, s := range texts {
				if s == "" {
					out[i][0] = float32(math.NaN())
				}
			}
			return out
		}), "blank texts give a unit or a zero vector", "NaN"},
		{"order", bend(func(_ []string, out [][]float32) [][]float32 {
			if len(out) > 1 {
				out[0], out[1] = out[1], out[0]
			}
			return out
		}), alone, "another vector"},
		{"order by length", bend(func(texts []string, out [][]float32) [][]float32 {
			slices.SortStableFunc(out, func(a, b []float32) int { return int(1000 * (a[0] - b[0])) })
			return out
		}), alone, "another vector"},
		{"centred by batch", bend(func(_ []string, out [][]float32) [][]float32 {
			if len(out) > 1 {
				for _, v := range out {
					v[0], v[1] = v[1], v[0]
				}
			}
			return out
		}), alone, "alone"},
		{"blanks left out", bend(func(texts []string, out [][]float32) [][]float32 {
			return slices.DeleteFunc(out, func(v []float32) bool { return v[0] == 0 })
		}), "blank texts give a unit or a zero vector", "1 vectors"},
		{"chance", func() embed.Embedder {
			var n atomic.Int64
			return bend(func(_ []string, out [][]float32) [][]float32 {
				k := n.Add(1) % 4
				for _, v := range out {
					v[0], v[k] = v[k], v[0]
				}
				return out
			})()
		}, "the same call gives the same result", "turn 2"},
		{"one buffer for all calls", func() embed.Embedder {
			buffer := make([]float32, 4)
			turn := 0
			return bend(func(_ []string, out [][]float32) [][]float32 {
				copy(buffer, out[0])
				out[0] = buffer
				if turn++; turn > 1 {
					buffer[0] += 1
				}
				return out
			})()
		}, "the same call gives the same result", "vector"},
		{"constant", bend(func(_ []string, out [][]float32) [][]float32 {
			for _, v := range out {
				copy(v, []float32{1, 0, 0, 0})
			}
			return out
		}), "different texts have different vectors", "same vector"},
		{"deaf to the context", func() embed.Embedder {
			return embedderFunc(func(_ context.Context, texts []string) ([][]float32, error) {
				return goodEmbedder{}.Embed(context.Background(), texts)
			})
		}, "a context that has ended is an error that wraps its error", "error <nil>"},
		{"always context.Canceled", func() embed.Embedder {
			return embedderFunc(func(ctx context.Context, texts []string) ([][]float32, error) {
				if ctx.Err() != nil {
					return nil, context.Canceled
				}
				return goodEmbedder{}.Embed(ctx, texts)
			})
		}, "a context that has ended is an error that wraps its error", "deadline exceeded"},
		{"zero vectors when cancelled", func() embed.Embedder {
			return embedderFunc(func(ctx context.Context, texts []string) ([][]float32, error) {
				out := make([][]float32, len(texts))
				for i, s := range texts {
					if ctx.Err() != nil {
						break
					}
					out[i] = goodEmbedder{}.one(s)
				}
				return out, nil
			})
		}, "a call ends with its context", "no error"},
		{"lower case in place", bend(func(texts []string, out [][]float32) [][]float32 {
			for i := range texts {
				texts[i] = strings.ToLower(texts[i])
			}
			return out
		}), "texts are not changed", "was changed"},
		{"panic at 4 KB", bend(func(texts []string, out [][]float32) [][]float32 {
			for _, s := range texts {
				if len(s) >= 4096 {
					panic("too long")
				}
			}
			return out
		}), "odd texts have vectors like others", "panic: too long"},
		{"Chinese as zero", bend(func(texts []string, out [][]float32) [][]float32 {
			for i, s := range texts {
				if strings.HasPrefix(s, "玛") {
					clear(out[i])
				}
			}
			return out
		}), "odd texts have vectors like others", "Chinese: the vector has norm 0"},
		{"error for separator tokens", func() embed.Embedder {
			return embedderFunc(func(ctx context.Context, texts []string) ([][]float32, error) {
				if strings.Contains(texts[0], "[SEP]") {
					return nil, errors.New("reserved token")
				}
				return goodEmbedder{}.Embed(ctx, texts)
			})
		}, "odd texts have vectors like others", "reserved token"},
		{"threshold in percent", func() embed.Embedder {
			return embedderWithThresholds{thresholds: func() embed.Thresholds { return embed.Thresholds{Relation: 65} }}
		}, "thresholds are cosines", "threshold Relation is 65"},
		{"threshold that moves", func() embed.Embedder {
			n := 0.0
			return embedderWithThresholds{thresholds: func() embed.Thresholds {
				n += 0.1
				return embed.Thresholds{Triple: n}
			}}
		}, "thresholds are cosines", "asked again"},
		{"state between calls", func() embed.Embedder {
			var last atomic.Pointer[[]string]
			return embedderFunc(func(ctx context.Context, texts []string) ([][]float32, error) {
				last.Store(&texts)
				time.Sleep(time.Millisecond)
				return goodEmbedder{}.Embed(ctx, *last.Load())
			})
		}, "safe for concurrent use", "beside other calls"},
		{"leak", bend(func(_ []string, out [][]float32) [][]float32 {
			go func() { <-stop }()
			return out
		}), "no goroutines stay behind", "goroutines behind"},
	})
}
