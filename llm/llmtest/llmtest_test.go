package llmtest_test

import (
	"errors"
	"testing"

	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/llmtest"
)

func TestConforms(t *testing.T) {
	conform.LLM(t, func() llm.Model { return llmtest.New(llmtest.Echo) }, conform.Deterministic(true))
}

func TestScript(t *testing.T) {
	sad := errors.New("sad")
	m := llmtest.Script(llmtest.Say("a b"), llmtest.Fail(sad), llmtest.Say("c d"))
	req := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}}
	if r, err := m.Generate(t.Context(), req); err != nil || r.Text != "a b" || r.Stop != llm.StopEnd {
		t.Errorf("step 1: %+v, %v", r, err)
	}
	if _, err := m.Generate(t.Context(), req); !errors.Is(err, sad) {
		t.Errorf("step 2: %v", err)
	}
	var pieces []string
	for p, err := range m.Stream(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, p.Text)
	}
	if len(pieces) != 3 || pieces[0] != "c " || pieces[1] != "d" || pieces[2] != "" {
		t.Errorf("step 3 in pieces: %q", pieces)
	}
	if _, err := m.Generate(t.Context(), req); err == nil {
		t.Error("a step that the script does not have")
	}
	if n := len(m.Requests()); n != 4 {
		t.Errorf("%d requests remembered", n)
	}
}
