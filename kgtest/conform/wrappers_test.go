package conform

import (
	"testing"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/nli"
)

// What wraps an implementation keeps its contract, also where a cache is
// smaller than a call and a batch smaller than its texts.
func TestWrappersConform(t *testing.T) {
	for name, fresh := range map[string]func() embed.Embedder{
		"embed.Batched":        func() embed.Embedder { return embed.Batched(goodEmbedder{}, 7) },
		"embed.Cached":         func() embed.Embedder { return embed.Cached(goodEmbedder{}, 1000) },
		"embed.Cached, small":  func() embed.Embedder { return embed.Cached(goodEmbedder{}, 3) },
		"embed.WithThresholds": func() embed.Embedder { return embed.WithThresholds(goodEmbedder{}, embed.Thresholds{Entity: 0.4}) },
		"embed, all of them": func() embed.Embedder {
			return embed.WithThresholds(embed.Cached(embed.Batched(goodEmbedder{}, 10), 20), embed.Thresholds{Entity: 0.4})
		},
	} {
		t.Run(name, func(t *testing.T) { Embedder(t, fresh, MaxText(50_000)) })
	}
	for name, size := range map[string]int{"nli.Cached": 1000, "nli.Cached, small": 3} {
		t.Run(name, func(t *testing.T) {
			NLI(t, func() nli.Model { return nli.Cached(goodNLI{}, size) }, MaxText(50_000))
		})
	}
}
