package openai_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/openai"
	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
)

// The environment variables that name a real server of embeddings.
const (
	envURL   = "KGEVAL_EMBED_URL"
	envModel = "KGEVAL_EMBED_MODEL"
	envKey   = "KGEVAL_EMBED_KEY"
)

// A real server, whatever its model is worth: the contract, and a text that is longer
// than any window.
func TestRealServer(t *testing.T) {
	if os.Getenv(envURL) == "" {
		t.Skipf("%s needs a server of embeddings: set %s to its base URL, such as http://localhost:8080/v1, and %s and %s to its model and key", t.Name(), envURL, envModel, envKey)
	}
	model := os.Getenv(envModel)
	if model == "" {
		model = "local"
	}
	fresh := func() embed.Embedder {
		e, err := openai.New(openai.Config{BaseURL: os.Getenv(envURL), Model: model, Key: os.Getenv(envKey), Batch: 16})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(e.Close)
		return e
	}
	// A batch is computed in one, and its sums are added up in another order.
	conform.Embedder(t, fresh, conform.MaxText(300), conform.Timeout(5*time.Minute), conform.Tolerance(5e-3))
	_, err := fresh().Embed(t.Context(), []string{strings.Repeat("The mill at Stonebrook closed. ", 20_000)})
	if !errors.Is(err, llm.ErrContextTooLong) {
		t.Errorf("a text of 600 KB: %v", err)
	}
}
