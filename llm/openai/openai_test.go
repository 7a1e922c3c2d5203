package openai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kgeval/kgeval/internal/llmfault"
	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/openai"
)

func TestConform(t *testing.T) {
	server := llmfault.Start(t, llmfault.Good())
	conform.LLM(t, func() llm.Model {
		return connect(t, server.URL)
	})
}

// What a request has is what the server reads: 0 as 0, and nothing that was
// left to the model.
func TestRequestOnTheWire(t *testing.T) {
	schema := json.RawMessage(`{"type":"array","items":{"type":"string"}}`)
	ask := []llm.Message{{Role: llm.User, Text: "Hi"}}
	always := []string{"messages", "model"}
	for _, c := range []struct {
		name string
		req  llm.Request
		want map[string]string
	}{
		{"nothing set", llm.Request{Messages: ask}, nil},
		{"all zeros", llm.Request{Messages: ask, Temperature: new(0.0), Seed: new(int64(0))},
			map[string]string{"temperature": "0", "seed": "0"}},
		{"all set", llm.Request{Messages: ask, Temperature: new(0.7), TopP: new(0.9), TopK: new(40), Seed: new(int64(-1)), MaxTokens: 9, Stop: []string{"\n"}, Sample: 3},
			map[string]string{"temperature": "0.7", "top_p": "0.9", "top_k": "40", "seed": "-1", "max_tokens": "9", "stop": `["\n"]`}},
		{"schema", llm.Request{Messages: ask, Schema: schema},
			map[string]string{"response_format": `{"type":"json_schema","json_schema":{"name":"reply","strict":true,"schema":` + string(schema) + `}}`}},
		{"log-probabilities", llm.Request{Messages: ask, LogProbs: 5},
			map[string]string{"logprobs": "true", "top_logprobs": "5"}},
	} {
		server := llmfault.Start(t, llmfault.Good())
		client := connect(t, server.URL)
		if _, err := client.Generate(context.Background(), c.req); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if _, err := llm.Collect(client.Stream(context.Background(), c.req)); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i, more := range []map[string]string{nil, {"stream": "true", "stream_options": `{"include_usage":true}`}} {
			got := server.Asked()[i].Fields(t)
			for _, want := range []map[string]string{c.want, more} {
				for field, value := range want {
					if string(got[field]) != value {
						t.Errorf("%s: %s is %s, want %s", c.name, field, got[field], value)
					}
					delete(got, field)
				}
			}
			for _, field := range always {
				delete(got, field)
			}
			if len(got) > 0 {
				t.Errorf("%s: nobody asked for %v", c.name, got)
			}
		}
	}
}

func TestMessagesAndHeadersOnTheWire(t *testing.T) {
	server := llmfault.Start(t, llmfault.Good())
	client := connect(t, server.URL+"/?api-version=1", func(c *openai.Config) { c.Header = http.Header{"Api-Key": {"other-secret"}} })
	_, err := client.Generate(context.Background(), llm.Request{Messages: []llm.Message{
		{Role: llm.System, Text: "Be <brief>."}, {Role: llm.User, Text: "A"}, {Role: llm.Assistant, Text: "B"}, {Role: llm.User, Text: "\x00 \xff é"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	asked := server.Asked()[0]
	if asked.Path != "/v1/chat/completions" {
		t.Errorf("path %q", asked.Path)
	}
	if h := asked.Header; h.Get("Authorization") != "Bearer "+llmfault.Key || h.Get("Api-Key") != "other-secret" {
		t.Errorf("headers %v", h)
	}
	var messages []struct{ Role, Content string }
	if err := json.Unmarshal(asked.Fields(t)["messages"], &messages); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%q", messages); got != `[{"system" "Be <brief>."} {"user" "A"} {"assistant" "B"} {"user" "\x00 � é"}]` {
		t.Errorf("messages %s", got)
	}
}

// OpenAI's newer models take another field for the limit and refuse the old one.
func TestMaxTokensField(t *testing.T) {
	for base, want := range map[string]string{
		"https://api.openai.com/v1":               "max_completion_tokens",
		"https://me.openai.azure.com/openai/v1":   "max_completion_tokens",
		"http://api.openai.com.evil.example/v1":   "max_tokens",
		"http://localhost:11434/v1":               "max_tokens",
		"http://localhost:11434/v1 (by the user)": "num_predict",
	} {
		url, named, _ := strings.Cut(base, " (")
		catch := &capture{}
		c := openai.Config{BaseURL: url, Model: "m", HTTPClient: &http.Client{Transport: catch}}
		if named != "" {
			c.MaxTokensField = want
		}
		client, err := openai.New(c)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = client.Generate(context.Background(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Hi"}}, MaxTokens: 5})
		if string(catch.fields[want]) != "5" || len(catch.fields) != 3 {
			t.Errorf("%s: sent %v, want %s", base, catch.fields, want)
		}
	}
}

// Mistral has another word for the seed, and refuses the options of a stream.
func TestOtherWords(t *testing.T) {
	server := llmfault.Start(t, llmfault.Good())
	client := connect(t, server.URL, func(c *openai.Config) { c.SeedField, c.PlainStream = "random_seed", true })
	req := question()
	req.Seed = new(int64(0))
	if _, err := llm.Collect(client.Stream(context.Background(), req)); err != nil {
		t.Fatal(err)
	}
	got := server.Asked()[0].Fields(t)
	if string(got["random_seed"]) != "0" || string(got["stream"]) != "true" || got["seed"] != nil || got["stream_options"] != nil {
		t.Errorf("sent %v", got)
	}
}

// capture is a transport that keeps the body and reaches nobody.
type capture struct{ fields map[string]json.RawMessage }

func (c *capture) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := json.NewDecoder(r.Body).Decode(&c.fields); err != nil {
		return nil, err
	}
	return nil, errors.New("nobody is there")
}

// A field that the server is known to ignore is refused before it is asked.
func TestLacks(t *testing.T) {
	server := llmfault.Start(t, llmfault.Good())
	client := connect(t, server.URL, func(c *openai.Config) { c.Lacks = []string{"TopK", "Seed", "LogProbs"} })
	req := question()
	req.TopK, req.Seed = new(5), new(int64(0))
	_, err := client.Generate(context.Background(), req)
	var u *llm.UnsupportedError
	if !errors.As(err, &u) || !slices.Equal(u.Fields, []string{"TopK", "Seed"}) || !errors.Is(err, llm.ErrUnsupported) {
		t.Errorf("error %v", err)
	}
	if n := len(server.Asked()); n != 0 {
		t.Errorf("asked %d times", n)
	}
	// Log-probabilities are a wish.
	req = question()
	req.LogProbs = 3
	if _, err := client.Generate(context.Background(), req); err != nil {
		t.Error(err)
	}
	if _, ok := server.Asked()[0].Fields(t)["logprobs"]; ok {
		t.Error("sent logprobs to a server that lacks them")
	}
	hosted, err := openai.New(openai.Config{Model: "m", HTTPClient: &http.Client{Transport: &capture{}}})
	if err != nil {
		t.Fatal(err)
	}
	req.TopK = new(5)
	if _, err := hosted.Generate(context.Background(), req); !errors.Is(err, llm.ErrUnsupported) {
		t.Errorf("TopK at api.openai.com: %v", err)
	}
}

// A server that can't do the schema is told from one that is asked badly.
func TestSchemaRefused(t *testing.T) {
	for name, body := range map[string]string{
		"by parameter": `{"error":{"message":"not allowed with this model","type":"invalid_request_error","param":"response_format","code":null}}`,
		"by message":   `{"error":{"code":400,"message":"JSON schema error at #/items: schema must be an object","type":"invalid_request_error"}}`,
	} {
		server := llmfault.Start(t, llmfault.JSON(400, body))
		req := question()
		client := connect(t, server.URL)
		if _, err := client.Generate(context.Background(), req); errors.Is(err, llm.ErrUnsupported) || !errors.Is(err, llm.ErrBadRequest) {
			t.Errorf("%s, without a schema: %v", name, err)
		}
		req.Schema = json.RawMessage(`{"type":"array","items":false}`)
		if _, err := client.Generate(context.Background(), req); !errors.Is(err, llm.ErrUnsupported) || !errors.Is(err, llm.ErrBadRequest) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLogProbs(t *testing.T) {
	const content = `"logprobs":{"content":[{"token":"Yes","logprob":-0.25,"top_logprobs":[{"token":"No","logprob":-2},{"token":"Yes","logprob":-0.25},{"token":"Oh","logprob":-99999}]},` +
		`{"token":".","logprob":1e-9,"top_logprobs":[{"token":"!","logprob":null}]}]}`
	want := []llm.TokenLogProbs{
		{TokenProb: llm.TokenProb{Token: "Yes", LogProb: -0.25}, Top: []llm.TokenProb{{Token: "Yes", LogProb: -0.25}, {Token: "No", LogProb: -2}, {Token: "Oh", LogProb: -9999}}},
		{TokenProb: llm.TokenProb{Token: ".", LogProb: 0}, Top: []llm.TokenProb{{Token: "!", LogProb: -9999}}},
	}
	server := llmfault.Start(t,
		llmfault.JSON(200, `{"choices":[{"index":0,"message":{"content":"Yes."},"finish_reason":"stop",`+content+`}]}`),
		llmfault.Events(`data: {"choices":[{"index":0,"delta":{"content":"Yes."},"finish_reason":"stop",`+content+"}]}\n\n", llmfault.DoneEvent))
	client := connect(t, server.URL)
	req := question()
	req.LogProbs = 3
	whole, err := client.Generate(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := llm.Collect(client.Stream(context.Background(), req))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []llm.Response{whole, stream} {
		if fmt.Sprint(r.LogProbs) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", r.LogProbs, want)
		}
		for _, p := range r.LogProbs {
			if p.LogProb > 0 || math.IsInf(p.LogProb, 0) {
				t.Errorf("log-probability %v", p.LogProb)
			}
		}
		// The server names no model: it is the one that was asked.
		if r.Model != "asked-for" {
			t.Errorf("model %q", r.Model)
		}
	}
}

func TestUsageAndParts(t *testing.T) {
	server := llmfault.Start(t, llmfault.Good(),
		llmfault.JSON(200, `{"choices":[{"index":0,"message":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"The boat "},{"type":"text","text":"is red."}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":-1}}`))
	client := connect(t, server.URL)
	r, err := client.Generate(context.Background(), question())
	if err != nil || r.Usage != (llm.Usage{Input: 7, Output: 5, CachedInput: 2}) {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = client.Generate(context.Background(), question())
	if err != nil || r.Text != llmfault.Text || r.Usage != (llm.Usage{}) {
		t.Errorf("%+v, %v", r, err)
	}
}

// The key is in no text that is made of a Config or a Client, nor in logs.
func TestKeyIsNotPrinted(t *testing.T) {
	const other = "a-secret-header"
	c := openai.Config{BaseURL: "http://localhost:1/v1?sig=" + llmfault.Key, Model: "m", Key: llmfault.Key, Header: http.Header{"Api-Key": {other}}}
	client, err := openai.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var logged bytes.Buffer
	for _, h := range []slog.Handler{slog.NewTextHandler(&logged, nil), slog.NewJSONHandler(&logged, nil)} {
		slog.New(h).Info("made", "config", c, "client", client)
	}
	_, failed := client.Generate(context.Background(), question())
	asJSON, err := json.Marshal(openai.Config{Model: "m", Key: llmfault.Key, Header: c.Header})
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{logged.String(), string(asJSON), client.ID(), fmt.Sprint(failed)}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		texts = append(texts, fmt.Sprintf(verb, c), fmt.Sprintf(verb, &c), fmt.Sprintf(verb, client))
	}
	for _, s := range texts {
		if strings.Contains(s, llmfault.Key) || strings.Contains(s, other) {
			t.Errorf("a secret in %s", s)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for name, c := range map[string]openai.Config{
		"no model":           {},
		"no address":         {Model: "m", BaseURL: "localhost:8080"},
		"another scheme":     {Model: "m", BaseURL: "ftp://localhost/v1"},
		"a user":             {Model: "m", BaseURL: "http://me:" + llmfault.Key + "@localhost/v1"},
		"a broken address":   {Model: "m", BaseURL: "http://local host/?k=" + llmfault.Key},
		"the endpoint":       {Model: "m", BaseURL: "http://localhost/v1/chat/completions/"},
		"negative timeout":   {Model: "m", Timeout: -time.Second},
		"negative bound":     {Model: "m", MaxReply: -1},
		"a key with newline": {Model: "m", Key: llmfault.Key + "\n"},
		"an unknown field":   {Model: "m", Lacks: []string{"top_k"}},
	} {
		if _, err := openai.New(c); err == nil {
			t.Errorf("%s: no error", name)
		} else if strings.Contains(err.Error(), llmfault.Key) {
			t.Errorf("%s: the error tells the key", name)
		}
	}
}

func TestID(t *testing.T) {
	id := func(c openai.Config) string {
		t.Helper()
		client, err := openai.New(c)
		if err != nil {
			t.Fatal(err)
		}
		return client.ID()
	}
	for want, c := range map[string]openai.Config{
		"openai/api.openai.com/v1/gpt-4o-mini":  {Model: "gpt-4o-mini"},
		"openai/localhost:11434/v1/qwen2.5:0.5": {Model: "qwen2.5:0.5", BaseURL: "http://localhost:11434/v1/", Key: "k1234"},
		"openai/host/v1/m":                      {Model: "m", BaseURL: "https://host/v1?api-version=secret"},
		"mine":                                  {Model: "m", Name: "mine"},
	} {
		if got := id(c); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A long reply is read whole, and one character too long for the bound is none.
func TestLongReply(t *testing.T) {
	long := strings.Repeat("The boat is red. ", 3<<20/17)
	server := llmfault.Start(t, llmfault.Say(long))
	client := connect(t, server.URL, func(c *openai.Config) { c.MaxReply = 0 })
	r, err := client.Generate(context.Background(), question())
	if err != nil || r.Text != long {
		t.Errorf("%d bytes, want %d (%v)", len(r.Text), len(long), err)
	}
	words := strings.Repeat("red ", 20_000) // each is an event of 150 bytes
	server = llmfault.Start(t, llmfault.Say(words))
	r, err = llm.Collect(connect(t, server.URL, func(c *openai.Config) { c.MaxReply = 0 }).Stream(context.Background(), question()))
	if err != nil || r.Text != words {
		t.Errorf("stream: %d bytes, want %d (%v)", len(r.Text), len(words), err)
	}
	small := llmfault.Completion("red", "stop")
	server = llmfault.Start(t, llmfault.JSON(200, small))
	for bound, want := range map[int]error{len(small): nil, len(small) - 1: llm.ErrBadReply} {
		client := connect(t, server.URL, func(c *openai.Config) { c.MaxReply = int64(bound) })
		if _, err := client.Generate(context.Background(), question()); !errors.Is(err, want) {
			t.Errorf("a bound of %d for %d bytes: %v", bound, len(small), err)
		}
	}
}
