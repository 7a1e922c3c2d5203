package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// chat is a server that answers like an OpenAI-compatible one, with what reply says
// to a request's last message.
func chat(t *testing.T, reply func(last string) string) (url string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			Messages []struct{ Content string }
		}
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(body, &req)
		}
		if err != nil || len(req.Messages) == 0 {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if r.Header.Get("Authorization") != "Bearer secret-7" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		err = json.NewEncoder(w).Encode(map[string]any{"model": "m", "choices": []any{map[string]any{
			"index": 0, "finish_reason": "stop",
			"message": map[string]string{"role": "assistant", "content": reply(req.Messages[len(req.Messages)-1].Content)},
		}}})
		if err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

func TestExtractWithALanguageModel(t *testing.T) {
	t.Setenv(llmKey, "secret-7")
	url := chat(t, func(string) string { return `{"triples": [["Lena", "works at", "Orbix"]]}` })
	got := kgevalRun(t, "", "extract", "--text", "Lena works at Orbix.", "--llm", url, "--llm-model", "m")
	if got.code != 0 || !strings.Contains(got.stdout, "Lena | works at | Orbix") {
		t.Errorf("exit %d, %s%s", got.code, got.stdout, got.stderr)
	}
	t.Setenv(llmKey, "wrong-8")
	got = kgevalRun(t, "", "extract", "--text", "Lena works at Orbix.", "--llm", url, "--llm-model", "m")
	if got.code != exitUnknown || strings.Contains(got.stderr, "wrong-8") || !strings.Contains(got.stderr, "not authorised") {
		t.Errorf("a wrong key: exit %d, %s", got.code, got.stderr)
	}
}

func TestCorrectWithALanguageModel(t *testing.T) {
	t.Setenv(llmKey, "secret-7")
	url := chat(t, func(last string) string {
		switch {
		case strings.HasPrefix(last, "Wrong triple:"):
			return `{"triple": ["The bridge", "opened in", "1987"]}`
		case strings.HasPrefix(last, "Text:"):
			return "The bridge opened in 1987."
		case strings.Contains(last, "1987"):
			return `{"triples": [["The bridge", "opened in", "1987"]]}`
		}
		return `{"triples": [["The bridge", "opened in", "1978"]]}`
	})
	got := kgevalRun(t, "", "correct", "--context-text", "The bridge opened in 1987.", "--output-text", "The bridge opened in 1978.", "--llm", url, "--llm-model", "m", "--text")
	if got.code != 0 || got.stdout != "The bridge opened in 1987." {
		t.Errorf("exit %d, %q %s", got.code, got.stdout, got.stderr)
	}
}

func TestLanguageModelFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"extract", "--text", "x", "--llm", "http://localhost:1/v1"}, "--llm-model NAME"},
		{[]string{"extract", "--text", "x", "--llm-model", "m"}, "--llm does not say where"},
		{[]string{"extract", "--text", "x", "--llm", "::", "--llm-model", "m"}, "--llm"},
		{[]string{"check", "--context-text", "x", "--output-text", "x", "--llm-judge"}, "--llm-judge needs a language model"},
		{[]string{"correct", "--context-text", "x", "--output-text", "x", "--remove", "--llm", "http://localhost:1/v1", "--llm-model", "m"}, "--remove"},
	} {
		got := kgevalRun(t, "", c.args...)
		if got.code == 0 || !strings.Contains(got.stderr, c.want) {
			t.Errorf("%v: exit %d, %q, want %q", c.args, got.code, got.stderr, c.want)
		}
	}
}
