package hugot

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/kgeval/kgeval/embed"
	embedbuiltin "github.com/kgeval/kgeval/embed/builtin"
	"github.com/kgeval/kgeval/nli"
	nlibuiltin "github.com/kgeval/kgeval/nli/builtin"
)

// BenchmarkEmbed embeds a sentence of some 20 tokens with the same weights in the
// built-in engine and in each backend; docs/results/onnx.md has the table.
func BenchmarkEmbed(b *testing.B) {
	sides := map[string]embed.Embedder{"built-in": embedbuiltin.New(embedbuiltin.Options{})}
	names := []string{"built-in"}
	for _, backend := range ofBuild {
		sides[string(backend)] = loadedEmbedder(b, real(b, "embedder"), EmbedderOptions{Options: testOptions(backend)})
		names = append(names, string(backend))
	}
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			text := []string{"The old bridge in Oslo was closed on Monday after an inspection found cracks in two pillars."}
			for b.Loop() {
				if _, err := sides[name].Embed(context.Background(), text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// asked makes every pair another one, so that no memory of pairs answers.
var asked atomic.Int64

// BenchmarkNLI judges pairs of some 25 tokens.
func BenchmarkNLI(b *testing.B) {
	in, err := nlibuiltin.New(nlibuiltin.Options{})
	if err != nil {
		b.Fatal(err)
	}
	sides := map[string]nli.Model{"built-in": in}
	names := []string{"built-in"}
	for _, backend := range ofBuild {
		sides[string(backend)] = loadedNLI(b, real(b, "nli"), NLIOptions{Options: testOptions(backend)})
		names = append(names, string(backend))
	}
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				pair := nli.Pair{Premise: "The old bridge in Oslo was closed on Monday after an inspection found cracks.", Hypothesis: fmt.Sprintf("The bridge was closed in %d.", 1000+asked.Add(1))}
				if _, err := sides[name].Classify(context.Background(), []nli.Pair{pair}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
