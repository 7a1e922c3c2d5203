package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	lcollama "github.com/tmc/langchaingo/llms/ollama"

	"github.com/kgeval/kgeval/llm"
)

const text = "Bo rents a boat."

// serve stands for Ollama: it says reply, and that it stopped for a reason.
func serve(t *testing.T, reply, reason string, asked *map[string]json.RawMessage) lcollama.Option {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(asked); err != nil || r.URL.Path != "/api/chat" {
			http.Error(w, `{"error":"no chat"}`, http.StatusBadRequest)
			return
		}
		said, err := json.Marshal(reply)
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/x-ndjson")
		_, _ = io.WriteString(w, fmt.Sprintf(`{"model":"m","message":{"role":"assistant","content":%s},"done":true,"done_reason":%q}`+"\n", said, reason))
	}))
	t.Cleanup(server.Close)
	return lcollama.WithServerURL(server.URL)
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name, reply, reason string
		want                string // "" for an error
	}{
		{"facts", `[["Bo","rents","a boat"]]`, "stop", "Bo | rents | a boat\n"},
		{"a refusal", "I'm sorry, I can't analyse this.", "stop", ""},
		{"cut before the first fact", `[["Bo","re`, "length", ""},
	} {
		var asked map[string]json.RawMessage
		m, err := model("m", serve(t, c.reply, c.reason, &asked))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err = run(context.Background(), &out, m, text)
		if c.want == "" && err == nil || c.want != "" && (err != nil || out.String() != c.want) {
			t.Errorf("%s: %q, %v", c.name, out.String(), err)
		}
		if o := string(asked["options"]); !strings.Contains(o, `"seed":0`) || !strings.Contains(o, `"temperature":0`) {
			t.Errorf("%s: asked with %s", c.name, o)
		}
	}
}

func TestNobodyIsThere(t *testing.T) {
	m, err := model("m", lcollama.WithServerURL("http://127.0.0.1:1"))
	if err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), io.Discard, m, text); !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("error %v", err)
	}
}
