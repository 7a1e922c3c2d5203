package ollama_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/ollama"
	"github.com/kgeval/kgeval/internal/embedfault"
	"github.com/kgeval/kgeval/internal/llmfault"
	"github.com/kgeval/kgeval/llm/retry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t testing.TB, url string, s embedfault.Settings) (embed.Embedder, func()) {
	t.Helper()
	e, err := ollama.New(ollama.Config{
		BaseURL: url, Model: "small", Key: llmfault.Key, Name: "test",
		Batch: s.Batch, Timeout: s.Timeout, MaxReply: s.MaxReply, Retry: s.Retry,
	})
	if err != nil {
		t.Fatal(err)
	}
	return e, e.Close
}

func TestEmbedder(t *testing.T) { embedfault.Run(t, embedfault.Ollama, open) }

// What is set goes out, and what is not does not.
func TestRequest(t *testing.T) {
	server := llmfault.Start(t, embedfault.Ollama.Good(0))
	for _, c := range []struct {
		config ollama.Config
		want   string
	}{
		{ollama.Config{}, `{"input":["Ana","Bo�"],"model":"small","truncate":false}`},
		{ollama.Config{Dimensions: 64, Prefix: "query: ", Truncate: true, KeepAlive: 90 * time.Second}, `{"dimensions":64,"input":["query: Ana","query: Bo�"],"keep_alive":"1m30s","model":"small","truncate":true}`},
	} {
		c.config.BaseURL, c.config.Model, c.config.Key = server.URL+"?api-version=1", "small", llmfault.Key
		c.config.Header = http.Header{"X-Team": {"north"}}
		e, err := ollama.New(c.config)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		if _, err := e.Embed(t.Context(), []string{"Ana", "", "Bo\xff"}); err != nil {
			t.Fatal(err)
		}
		asked := server.Asked()
		last := asked[len(asked)-1]
		var body any
		if err := json.Unmarshal(last.Body, &body); err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(body); string(got) != c.want {
			t.Errorf("sent %s\n want %s", got, c.want)
		}
		if last.Header.Get("Authorization") != "Bearer "+llmfault.Key || last.Header.Get("X-Team") != "north" {
			t.Errorf("headers %v", last.Header)
		}
	}
}

// The ID tells what changes vectors, and nothing that is secret.
func TestID(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range []ollama.Config{
		{}, {Model: "other"}, {Dimensions: 64}, {Prefix: "query: "}, {Prefix: "passage: "}, {BaseURL: "http://localhost:9/v1"}, {Name: "mine"},
	} {
		if c.Model == "" {
			c.Model = "small"
		}
		c.Key = llmfault.Key
		e, err := ollama.New(c)
		if err != nil {
			t.Fatal(err)
		}
		if seen[e.ID()] || strings.Contains(e.ID(), llmfault.Key) {
			t.Errorf("ID %q", e.ID())
		}
		seen[e.ID()] = true
	}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	c := ollama.Config{Model: "small", Key: llmfault.Key, Header: http.Header{"Api-Key": {llmfault.Key}}, BaseURL: "http://localhost:1/v1?key=" + llmfault.Key}
	e, err := ollama.New(c)
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("made", "config", c, "embedder", e)
	encoded, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	c.BaseURL = "" // its caller's own, and in the JSON; the other forms leave it out
	for _, s := range []string{fmt.Sprint(c), fmt.Sprintf("%+v", c), fmt.Sprintf("%#v", c), fmt.Sprint(e), fmt.Sprintf("%+v", e), fmt.Sprintf("%#v", e), log.String(), strings.ReplaceAll(string(encoded), "key="+llmfault.Key, "")} {
		if strings.Contains(s, llmfault.Key) {
			t.Errorf("%s tells the key", s)
		}
	}
}

func TestBadConfig(t *testing.T) {
	for want, c := range map[string]ollama.Config{
		"Model is empty":   {},
		"no http":          {Model: "m", BaseURL: "localhost:1"},
		"user or password": {Model: "m", BaseURL: "http://u:" + llmfault.Key + "@h/v1"},
		"leave that off":   {Model: "m", BaseURL: "http://h/api/embed"},
		"line break":       {Model: "m", Key: llmfault.Key + "\n"},
		"Batch must not":   {Model: "m", Batch: -1},
		"Dimensions":       {Model: "m", Dimensions: -1},
	} {
		_, err := ollama.New(c)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), llmfault.Key) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// Nobody listens there.
func TestServerDown(t *testing.T) {
	server := llmfault.Start(t, embedfault.Ollama.Good(0))
	server.Close()
	e, done := open(t, server.URL+"?api-key="+llmfault.Key, embedfault.Settings{Retry: retry.Options{Attempts: 1}})
	defer done()
	_, err := e.Embed(t.Context(), []string{"a"})
	if err == nil {
		t.Fatal("no error")
	}
	llmfault.Untold(t, err)
}
