package langchain_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tmc/langchaingo/embeddings"
	lcollama "github.com/tmc/langchaingo/llms/ollama"
	lcopenai "github.com/tmc/langchaingo/llms/openai"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/internal/embedfault"
	"github.com/kgeval/kgeval/internal/llmfault"
	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/langchain"
	"github.com/kgeval/kgeval/llm/retry"
)

// provider makes a langchaingo embedder for a server; done closes its connections.
type provider func(t testing.TB, url string, client *http.Client) embeddings.Embedder

func openAIVectors(t testing.TB, url string, client *http.Client) embeddings.Embedder {
	t.Helper()
	inner, err := lcopenai.New(lcopenai.WithBaseURL(url), lcopenai.WithToken(llmfault.Key), lcopenai.WithEmbeddingModel("small"), lcopenai.WithHTTPClient(client))
	return ofClient(t, inner, err)
}

func ollamaVectors(t testing.TB, url string, client *http.Client) embeddings.Embedder {
	t.Helper()
	inner, err := lcollama.New(lcollama.WithServerURL(strings.TrimSuffix(url, "/v1")), lcollama.WithModel("small"), lcollama.WithHTTPClient(client))
	return ofClient(t, inner, err)
}

func ofClient(t testing.TB, client embeddings.EmbedderClient, err error) embeddings.Embedder {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	e, err := embeddings.NewEmbedder(client)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// wiredVectors opens an adapter whose client is ours.
func wiredVectors(p provider) embedfault.Open {
	return func(t testing.TB, url string, s embedfault.Settings) (embed.Embedder, func()) {
		t.Helper()
		client := langchain.Client(nil)
		e, err := langchain.NewEmbedder(p(t, url, client), langchain.EmbedConfig{
			Model: "small", Client: client, Batch: s.Batch, Timeout: s.Timeout, MaxReply: s.MaxReply, Retry: s.Retry,
		})
		if err != nil {
			t.Fatal(err)
		}
		return e, client.CloseIdleConnections
	}
}

// The table that the direct embedders go through.
func TestEmbedder(t *testing.T) { embedfault.Run(t, embedfault.OpenAI, wiredVectors(openAIVectors)) }

// langchaingo asks Ollama about one text at a time, so that what is about several
// does not come up.
func TestEmbedderOfOllama(t *testing.T) {
	server := llmfault.Start(t, embedfault.Ollama.Good(1))
	conform.Embedder(t, func() embed.Embedder {
		e, done := wiredVectors(ollamaVectors)(t, server.URL, embedfault.Settings{Timeout: time.Minute, Retry: retry.Options{Attempts: 1}})
		t.Cleanup(done)
		return e
	}, conform.MaxText(100_000))
	for _, c := range llmfault.Statuses() {
		t.Run(c.Name, func(t *testing.T) {
			server := llmfault.Start(t, c.Serve)
			e, done := wiredVectors(ollamaVectors)(t, server.URL, embedfault.Settings{Retry: retry.Options{Attempts: 1}})
			defer done()
			vectors, err := e.Embed(context.Background(), []string{llmfault.Question})
			embedfault.Check(t, embedfault.Case{Case: c}, vectors, err)
		})
	}
}

// With langchaingo alone there is less to see, and what remains is never a vector
// that was made up.
func TestEmbedderSeenByLangchaingoAlone(t *testing.T) {
	// langchaingo takes a body for whole where it is cut cleanly or is HTML and fails
	// with a text; null in a vector is 0 to it, and any order is right.
	hidden := map[string]bool{
		"null in a vector": true, "an index twice": true, "an index out of range": true, "a negative index": true, "an index missing": true,
		"an error with status 200": true, "no answer at all": true, "an answer that stops half way": true, "a huge answer": true,
	}
	for _, c := range embedfault.OpenAI.Cases() {
		if hidden[c.Name] {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			server := llmfault.Start(t, c.Serve)
			own, ok := http.DefaultTransport.(*http.Transport)
			if !ok {
				t.Fatal("no transport to copy")
			}
			client := &http.Client{Transport: own.Clone()}
			defer client.CloseIdleConnections()
			e, err := langchain.NewEmbedder(openAIVectors(t, server.URL, client), langchain.EmbedConfig{
				Model: "small", Secrets: []string{llmfault.Key}, Retry: retry.Options{Attempts: 1}, Timeout: 2 * time.Second,
			})
			if err != nil {
				t.Fatal(err)
			}
			vectors, err := e.Embed(context.Background(), []string{llmfault.Question, "Porto"})
			if err == nil || vectors != nil {
				t.Errorf("%d vectors, error %v", len(vectors), err)
			} else {
				llmfault.Untold(t, err)
			}
		})
	}
}

// embedderFunc is a langchaingo embedder that does what a test says.
type embedderFunc func(ctx context.Context, texts []string) ([][]float32, error)

func (f embedderFunc) EmbedDocuments(ctx context.Context, texts []string) ([][]float32, error) {
	return f(ctx, texts)
}

func (f embedderFunc) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	v, err := f(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	return v[0], nil
}

func TestEmbedderOfAnyKind(t *testing.T) {
	good := func(_ context.Context, texts []string) ([][]float32, error) {
		v := make([][]float32, len(texts))
		for i := range texts {
			v[i] = embedfault.Vector(texts[i])
			texts[i] = "changed" // as langchaingo's own do
		}
		return v, nil
	}
	for name, c := range map[string]struct {
		do   embedderFunc
		want error
	}{
		"good":   {good, nil},
		"panics": {func(context.Context, []string) ([][]float32, error) { panic("index out of range") }, llm.ErrBadReply},
		"short":  {func(ctx context.Context, texts []string) ([][]float32, error) { return good(ctx, texts[:1]) }, llm.ErrBadReply},
		"zeros": {func(_ context.Context, texts []string) ([][]float32, error) {
			return make([][]float32, len(texts)), nil
		}, llm.ErrBadReply},
		"429": {func(context.Context, []string) ([][]float32, error) {
			return nil, errors.New("API returned unexpected status code: 429: slow down")
		}, llm.ErrRateLimited},
		"its own time": {func(ctx context.Context, _ []string) ([][]float32, error) {
			<-ctx.Done()
			return nil, errors.New("bad things")
		}, llm.ErrUnavailable},
	} {
		e, err := langchain.NewEmbedder(c.do, langchain.EmbedConfig{Model: "m", Timeout: 50 * time.Millisecond, Retry: retry.Options{Attempts: 1}})
		if err != nil {
			t.Fatal(err)
		}
		in := []string{"a", "b"}
		v, err := e.Embed(t.Context(), in)
		if !errors.Is(err, c.want) || (c.want != nil) != (v == nil) || in[0] != "a" {
			t.Errorf("%s: %v, %v; the caller's texts %q", name, v, err, in)
		}
	}
	for name, c := range map[string]langchain.EmbedConfig{"no model": {}, "negative": {Model: "m", Batch: -1}, "another client": {Model: "m", Client: &http.Client{}}} {
		if _, err := langchain.NewEmbedder(embedderFunc(good), c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := langchain.NewEmbedder(nil, langchain.EmbedConfig{Model: "m"}); err == nil {
		t.Error("no embedder: no error")
	}
	// An embedder that was built with another client than it says.
	e, err := langchain.NewEmbedder(embedderFunc(good), langchain.EmbedConfig{Model: "m", Client: langchain.Client(nil)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), []string{"a"}); err == nil {
		t.Error("vectors that did not come through Config.Client")
	}
}

// Two texts that differ in a line break have two vectors.
func TestLineBreaksStay(t *testing.T) {
	server := llmfault.Start(t, embedfault.OpenAI.Good(0))
	e, done := wiredVectors(openAIVectors)(t, server.URL, embedfault.Settings{})
	defer done()
	v, err := e.Embed(t.Context(), []string{"a\nb", "a b"})
	if err != nil {
		t.Fatal(err)
	}
	if embed.Cosine(v[0], v[1]) > 0.999 {
		t.Error("a line break was taken away")
	}
}
