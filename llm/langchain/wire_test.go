package langchain

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"testing"

	"github.com/kgeval/kgeval/internal/llmhttp"
	"github.com/kgeval/kgeval/llm"
)

// Whatever a stream has, its reader ends in a stop reason or in a named error.
func FuzzReaders(f *testing.F) {
	for _, seed := range []string{
		`{"model":"m","message":{"content":"a"},"done":false}` + "\n" + `{"message":{"content":""},"done":true,"done_reason":"stop","eval_count":-1}`,
		`{"error":"out of memory"}`, `{"error":{"message":"m","type":"overloaded_error"}}`, `{"done":true,"done_reason":"tool_calls"}`, `{}`, `null`, `[]`,
		"event: message_start\n" + `data: {"type":"message_start","message":{"model":"m","usage":{"input_tokens":1}}}` + "\n" + `data: {"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":2}}` + "\n" + `data: {"type":"message_stop"}`,
		`data: {"type":"error"}`, `data: {"type":"error","error":{"type":"overloaded_error","message":"m"}}`, `data: {"type":"message_stop"}`,
		`data: {"choices":[{"index":1,"delta":{"content":"x"}},{"index":0,"delta":{"content":"y"},"finish_reason":"stop"}]}`, "data: [DONE]", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		for _, d := range []Dialect{OpenAI, Ollama, Anthropic} {
			r := d.reader(llmhttp.NewRedactor(), false)
			var failed error
			for line, err := range llmhttp.Lines(bytes.NewReader(stream)) {
				if err == nil {
					_, err = r.line(line)
				}
				if failed = err; failed != nil {
					break
				}
			}
			if failed != nil {
				named(t, failed)
				continue
			}
			got, err := r.end(nil)
			if err != nil {
				named(t, err)
				continue
			}
			if got.Stop == "" || got.Usage.Input < 0 || got.Usage.Output < 0 || got.Usage.CachedInput < 0 {
				t.Errorf("%s: %+v", d, got)
			}
		}
	})
}

func named(t *testing.T, err error) {
	t.Helper()
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind == nil {
		t.Errorf("an error without a kind: %v", err)
	}
}

// Whatever langchaingo sends, what is written in its place is JSON, with the
// settings of the request and what else was there.
func FuzzWrite(f *testing.F) {
	for _, seed := range []string{`{"model":"m","temperature":0,"max_completion_tokens":3}`, `{"options":{"num_ctx":5}}`, `{"options":null}`, `{"options":[]}`, `null`, `[]`, `{`} {
		f.Add([]byte(seed), int64(0), 0.0)
	}
	to := &url.URL{Scheme: "http", Host: "localhost"}
	f.Fuzz(func(t *testing.T, body []byte, seed int64, temperature float64) {
		req := llm.Request{Seed: &seed, Temperature: &temperature, MaxTokens: 7}
		for _, d := range []Dialect{OpenAI, Ollama, Anthropic} {
			out, err := d.write(body, req, to)
			if err != nil {
				continue
			}
			var m map[string]json.RawMessage
			if err := json.Unmarshal(out, &m); err != nil {
				t.Fatalf("%s: %q: %v", d, out, err)
			}
			if d == Ollama {
				if err := json.Unmarshal(m["options"], &m); err != nil {
					t.Fatalf("%q: %v", out, err)
				}
			}
			var got float64
			if err := json.Unmarshal(m["temperature"], &got); err != nil || got != temperature {
				t.Errorf("%s: temperature %s, want %v", d, m["temperature"], temperature)
			}
			var s int64
			if err := json.Unmarshal(m["seed"], &s); d != Anthropic && (err != nil || s != seed) {
				t.Errorf("%s: seed %s, want %d", d, m["seed"], seed)
			}
		}
	})
}
