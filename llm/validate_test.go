package llm_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/llm"
)

func TestValidate(t *testing.T) {
	ask := []llm.Message{{Role: llm.System, Text: "Be brief."}, {Role: llm.User, Text: "Hello"}}
	num := func(x float64) *float64 { return &x }
	count := func(k int) *int { return &k }
	for _, c := range []struct {
		name    string
		request llm.Request
		field   string // of the *RequestError; "" for none
	}{
		{"plain", llm.Request{Messages: ask}, ""},
		{"several turns", llm.Request{Messages: append(ask[:2:2], llm.Message{Role: llm.Assistant, Text: ""}, llm.Message{Role: llm.User, Text: "Go on"})}, ""},
		{"temperature 0", llm.Request{Messages: ask, Temperature: num(0)}, ""},
		{"schema", llm.Request{Messages: ask, Schema: json.RawMessage(`{"type":"array"}`)}, ""},
		{"unknown role", llm.Request{Messages: []llm.Message{{Role: "tool", Text: "x"}}}, "Messages[0].Role"},
		{"no role", llm.Request{Messages: []llm.Message{{Text: "x"}}}, "Messages[0].Role"},
		{"late system message", llm.Request{Messages: []llm.Message{ask[1], ask[0]}}, "Messages[1].Role"},
		{"system only", llm.Request{Messages: ask[:1]}, "Messages"},
		{"negative temperature", llm.Request{Messages: ask, Temperature: num(-0.1)}, "Temperature"},
		{"temperature NaN", llm.Request{Messages: ask, Temperature: num(math.NaN())}, "Temperature"},
		{"temperature Inf", llm.Request{Messages: ask, Temperature: num(math.Inf(1))}, "Temperature"},
		{"top-p 0", llm.Request{Messages: ask, TopP: num(0)}, "TopP"},
		{"top-p over 1", llm.Request{Messages: ask, TopP: num(1.01)}, "TopP"},
		{"top-p NaN", llm.Request{Messages: ask, TopP: num(math.NaN())}, "TopP"},
		{"top-k 0", llm.Request{Messages: ask, TopK: count(0)}, "TopK"},
		{"negative tokens", llm.Request{Messages: ask, MaxTokens: -1}, "MaxTokens"},
		{"empty stop", llm.Request{Messages: ask, Stop: []string{"\n", ""}}, "Stop[1]"},
		{"broken schema", llm.Request{Messages: ask, Schema: json.RawMessage(`{"type":`)}, "Schema"},
	} {
		err := llm.Validate(c.request)
		var re *llm.RequestError
		switch {
		case c.field == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.field != "" && (!errors.As(err, &re) || re.Field != c.field):
			t.Errorf("%s: got %v, want a RequestError for %s", c.name, err, c.field)
		}
	}
	if err := llm.Validate(llm.Request{}); !errors.Is(err, llm.ErrEmptyRequest) {
		t.Errorf("no messages: %v", err)
	}
}

// A pointer to 0 must reach the wire, an unset one must not.
func TestRequestJSON(t *testing.T) {
	zero := 0.0
	b, err := json.Marshal(llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Hi"}}, Temperature: &zero})
	if err != nil {
		t.Fatal(err)
	}
	if s := string(b); !strings.Contains(s, `"temperature":0`) || strings.Contains(s, "top_p") {
		t.Errorf("got %s", s)
	}
}
