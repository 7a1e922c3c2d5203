package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/internal/llmfault"
	"github.com/kgeval/kgeval/llm/cassette"
)

// A test of one's own: it replays, and KGEVAL_CASSETTE=record would record if it
// had a model.
func TestReplay(t *testing.T) {
	var out bytes.Buffer
	if err := ask(context.Background(), &out, cassette.ForTest(t, "testdata/mill.json", nil)); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, "1998") || strings.Count(got, "\n") != 2*len(questions) {
		t.Errorf("got %s", got)
	}
}

// The key is in nothing that is left: neither cassette nor error nor output, even
// of a server that repeats it.
func TestKeyIsNowhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	env := func(server *llmfault.Server) func(string) string {
		return func(n string) string {
			return map[string]string{"OPENAI_BASE_URL": server.URL, "OPENAI_MODEL": "m", "OPENAI_API_KEY": llmfault.Key}[n]
		}
	}
	var out bytes.Buffer
	loud := llmfault.Start(t, llmfault.Say("Your key is "+llmfault.Key+"."))
	if err := run(context.Background(), &out, path, true, env(loud)); err != nil {
		t.Fatal(err)
	}
	if got := loud.Asked()[0].Header.Get("Authorization"); got != "Bearer "+llmfault.Key {
		t.Fatalf("the server was shown %q", got)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	angry := llmfault.Start(t, llmfault.JSON(401, `{"error":{"message":"bad key `+llmfault.Key+`"}}`))
	failed := run(context.Background(), &out, filepath.Join(t.TempDir(), "d.json"), true, env(angry))
	if failed == nil {
		t.Fatal("no error")
	}
	for _, text := range []string{string(b), out.String(), failed.Error()} {
		if strings.Contains(text, llmfault.Key) {
			t.Errorf("it tells the key: %s", text)
		}
	}
	// What was recorded is what is played back.
	var again bytes.Buffer
	if err := run(context.Background(), &again, path, false, nil); err != nil || again.String() != out.String() {
		t.Errorf("recorded\n%s\nplayed back\n%s%v", out.String(), again.String(), err)
	}
}
