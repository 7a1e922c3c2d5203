package llmkg_test

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/llmkg"
	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/llmtest"
	"github.com/kgeval/kgeval/segment"
)

var mark = regexp.MustCompile(`<(data-[0-9a-f]{6})>\n`)

// textOf returns the last fenced text of a request.
func textOf(req llm.Request) string {
	text, out := req.Messages[len(req.Messages)-1].Text, ""
	for {
		m := mark.FindStringSubmatchIndex(text)
		if m == nil {
			return out
		}
		out, text, _ = strings.Cut(text[m[1]:], "\n</"+text[m[2]:m[3]]+">")
	}
}

// clerk is a model that reads sentences of three words or more: the first is the
// head, the last the tail.
func clerk() *llmtest.Model {
	return llmtest.New(func(_ context.Context, _ int, req llm.Request) (llm.Response, error) {
		return llm.Response{Text: clerkReply(textOf(req))}, nil
	})
}

func clerkReply(text string) string {
	rows := [][]string{}
	for _, s := range segment.Sentences(text) {
		words := strings.Fields(strings.TrimRight(s.Of(text), ".!?。"))
		if n := len(words); n >= 3 {
			rows = append(rows, []string{words[0], strings.Join(words[1:n-1], " "), words[n-1]})
		}
	}
	b, _ := json.Marshal(map[string]any{"triples": rows})
	return string(b)
}

func TestConform(t *testing.T) {
	conform.Extractor(t, func() kg.Extractor {
		x, err := llmkg.New(clerk(), llmkg.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}, conform.MaxText(20_000))
}
