package hugot

import (
	"context"
	"testing"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/nli"
)

// mustEmbedder and mustNLI load a folder and free it with the test.
func mustEmbedder(t testing.TB, f files, o EmbedderOptions) *Embedder {
	t.Helper()
	return loadedEmbedder(t, f.write(t), o)
}

func loadedEmbedder(t testing.TB, dir string, o EmbedderOptions) *Embedder {
	t.Helper()
	e, err := LoadEmbedder(context.Background(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func mustNLI(t testing.TB, f files, o NLIOptions) *NLI {
	t.Helper()
	return loadedNLI(t, f.write(t), o)
}

func loadedNLI(t testing.TB, dir string, o NLIOptions) *NLI {
	t.Helper()
	m, err := LoadNLI(context.Background(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func TestEmbedderConforms(t *testing.T) {
	dir := tinyEncoder().write(t)
	for _, b := range ofBuild {
		t.Run(string(b), func(t *testing.T) {
			conform.Embedder(t, func() embed.Embedder { return loadedEmbedder(t, dir, EmbedderOptions{Options: testOptions(b)}) })
		})
	}
}

func TestNLIConforms(t *testing.T) {
	dir := tinyNLI("contradiction", "entailment", "neutral").write(t)
	for _, b := range ofBuild {
		t.Run(string(b), func(t *testing.T) {
			conform.NLI(t, func() nli.Model { return loadedNLI(t, dir, NLIOptions{Options: testOptions(b)}) })
		})
	}
}
