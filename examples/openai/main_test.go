package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/internal/llmfault"
	"github.com/kgeval/kgeval/internal/realserver"
	"github.com/kgeval/kgeval/llm"
)

func env(url, model, key string) func(string) string {
	return func(name string) string {
		return map[string]string{"OPENAI_BASE_URL": url, "OPENAI_MODEL": model, "OPENAI_API_KEY": key}[name]
	}
}

// A model that answers everything with the same nonsense finds no support, and
// the text stays as it was.
func TestNonsenseIsNoGoodScore(t *testing.T) {
	for _, say := range []string{"I'm sorry, I can't help with that.", "", "Sure! " + sample.Output} {
		server := llmfault.Start(t, llmfault.Say(say))
		m, err := model(env(server.URL, "m", llmfault.Key))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := run(context.Background(), &out, m, 400); err != nil {
			if strings.Contains(err.Error(), llmfault.Key) {
				t.Errorf("the error tells the key: %v", err)
			}
			continue
		}
		if got := out.String(); strings.HasPrefix(got, "consistent") || !strings.Contains(got, "corrected: "+sample.Output+"\n") {
			t.Errorf("%q gave\n%s", say, got)
		}
	}
}

func TestNoModel(t *testing.T) {
	if _, err := model(env("", "", "")); err == nil || !strings.Contains(err.Error(), "OPENAI_MODEL") {
		t.Errorf("error %v", err)
	}
}

// The whole way over a real model, which knows nothing: it ends, and says so.
func TestRealServer(t *testing.T) {
	server := realserver.Start(t, realserver.Options{Context: 4096})
	m, err := model(env(server.URL, server.Model, server.Key))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = run(context.Background(), &out, m, 16)
	switch {
	case errors.Is(err, llm.ErrTruncated) || errors.Is(err, llm.ErrBadReply):
		t.Logf("its replies could not be read: %v", err)
	case err != nil:
		t.Errorf("ended with %v, which is no fault of the replies", err)
	case !strings.Contains(out.String(), "corrected: "):
		t.Errorf("got %s", out.String())
	}
}
