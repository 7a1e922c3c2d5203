package llm_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/llmtest"
)

// full has every field set; empty has none but the messages.
func full() llm.Request {
	return llm.Request{
		Messages:    []llm.Message{{Role: llm.System, Text: "Be brief."}, {Role: llm.User, Text: "Hello"}},
		Temperature: new(0.0), TopP: new(0.5), TopK: new(3), Seed: new(int64(0)), MaxTokens: 7,
		Stop: []string{"\n", "END"}, Schema: json.RawMessage(`{"type":"array"}`), LogProbs: 2, Sample: 1,
	}
}

func empty() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: ""}}}
}

func TestFullSetsEveryField(t *testing.T) {
	v := reflect.ValueOf(full())
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("full() leaves %s", v.Type().Field(i).Name)
		}
	}
}

// The same request has the same key; a change in any field gives another, and
// no two changes the same.
func TestKey(t *testing.T) {
	for name, req := range map[string]llm.Request{"full": full(), "empty": empty()} {
		seen := map[string]string{llm.Key("m", req): "the request itself"}
		if again := llm.Key("m", req.Clone()); seen[again] == "" {
			t.Errorf("%s: a copy has another key", name)
		}
		variants := llmtest.Variants(req)
		if n := reflect.TypeFor[llm.Request]().NumField(); len(variants) < n {
			t.Fatalf("%s: %d variants of %d fields", name, len(variants), n)
		}
		for place, v := range variants {
			k := llm.Key("m", v)
			if other, ok := seen[k]; ok {
				t.Errorf("%s: %s has the key of %s", name, place, other)
			}
			seen[k] = place
		}
		if k := llm.Key("n", req); seen[k] != "" {
			t.Errorf("%s: another model has the key of %s", name, seen[k])
		}
	}
}

// A key is part of files on disk: it must not change by accident.
func TestKeyIsStable(t *testing.T) {
	for _, c := range []struct {
		name string
		req  llm.Request
		want string
	}{
		{"full", full(), "5af2a16e381486e856ac01d0c9d25743b766f5e64bdc6334d8efd82a35dddf7e"},
		{"empty", empty(), "5197c1f21b60c37826089b568c6e9348eb1962a4e51ecc8bb27f8006dddb8147"},
	} {
		if got := llm.Key("m", c.req); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestKeyOfTheSameMeaning(t *testing.T) {
	a, b := empty(), empty()
	a.Temperature, b.Temperature = new(0.0), new(math.Copysign(0, -1))
	a.Stop, b.Stop = nil, []string{}
	a.Schema, b.Schema = nil, json.RawMessage{}
	if llm.Key("m", a) != llm.Key("m", b) {
		t.Error("0 and -0, or nothing and an empty slice, have different keys")
	}
}

// No text can take the place of a border between two.
func TestKeyHasBorders(t *testing.T) {
	ask := func(texts ...string) llm.Request {
		var r llm.Request
		for _, s := range texts {
			r.Messages = append(r.Messages, llm.Message{Role: llm.User, Text: s})
		}
		return r
	}
	seen := map[string]int{}
	for i, r := range []llm.Request{
		ask("ab", "c"), ask("a", "bc"), ask("abc"), ask("abc", ""), ask("", "abc"),
		ask("a\xff"), ask("a\xfe"), ask("a\ufffd"), ask("a\x00"), ask("a"),
		ask(strings.Repeat("a", 256)), ask(strings.Repeat("a", 257)),
	} {
		k := llm.Key("m", r)
		if j, ok := seen[k]; ok {
			t.Errorf("requests %d and %d have one key", j, i)
		}
		seen[k] = i
	}
	if llm.Key("ab", ask("c")) == llm.Key("a", ask("bc")) {
		t.Error("the model's ID runs into the request")
	}
}

// A copy shares nothing: a change deep in the one is none of the other.
func TestClone(t *testing.T) {
	a := full()
	b := a.Clone()
	if !reflect.DeepEqual(a, b) {
		t.Fatalf("%+v is a copy of %+v", b, a)
	}
	b.Messages[0].Text, *b.Temperature, *b.TopP, *b.TopK, *b.Seed, b.Stop[0], b.Schema[0] = "x", 1, 1, 1, 1, "x", 'x'
	if !reflect.DeepEqual(a, full()) {
		t.Errorf("the original became %+v", a)
	}
	r := llm.Response{LogProbs: []llm.TokenLogProbs{{Top: []llm.TokenProb{{Token: "a"}}}}}
	s := r.Clone()
	s.LogProbs[0].Top[0].Token, s.LogProbs[0].Token = "x", "x"
	if r.LogProbs[0].Top[0].Token != "a" || r.LogProbs[0].Token != "" {
		t.Errorf("the original became %+v", r)
	}
}
