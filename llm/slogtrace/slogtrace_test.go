package slogtrace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/llmtest"
	"github.com/kgeval/kgeval/llm/slogtrace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// logged calls do with a model that logs, and returns the records.
func logged(t *testing.T, inner llm.Model, o slogtrace.Options, do func(llm.Model)) (records []map[string]any) {
	t.Helper()
	var b bytes.Buffer
	o.Logger = slog.New(slog.NewJSONHandler(&b, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
	do(slogtrace.New(inner, o))
	for dec := json.NewDecoder(&b); dec.More(); {
		var r map[string]any
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}

var question = llm.Request{
	Messages:    []llm.Message{{Role: llm.System, Text: "Be brief."}, {Role: llm.User, Text: "Who is Noor?"}},
	Temperature: new(0.0), TopP: new(0.5), TopK: new(3), Seed: new(int64(0)), MaxTokens: 7,
	Stop: []string{"END"}, Schema: json.RawMessage(`{"type":"string"}`), LogProbs: 2, Sample: 1,
}

func TestARecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := llmtest.New(func(context.Context, int, llm.Request) (llm.Response, error) {
			time.Sleep(3 * time.Second)
			return llm.Response{Text: "A lead.", Model: "tiny-2026", Usage: llm.Usage{Input: 9, Output: 3}, Latency: 2 * time.Second}, nil
		})
		inner.Name = "openai/tiny"
		got := logged(t, inner, slogtrace.Options{Level: slog.LevelDebug}, func(m llm.Model) { m.Generate(t.Context(), question) })
		want := []map[string]any{{
			"level": "DEBUG", "msg": "llm call", "model": "openai/tiny", "duration": 3e9,
			"request": map[string]any{
				"messages": 2., "bytes": 21., "temperature": 0., "top_p": 0.5, "top_k": 3., "seed": 0., "max_tokens": 7.,
				"stop_strings": 1., "schema": true, "log_probs": 2., "sample": 1.,
			},
			"response": map[string]any{
				"model": "tiny-2026", "stop": "end", "input_tokens": 9., "output_tokens": 3., "latency": 2e9, "bytes": 7., "cached": false,
			},
		}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %v\nwant %v", got, want)
		}
	})
}

// No text is logged unless it is asked for; then only so much of it.
func TestTexts(t *testing.T) {
	secret := "Zanzibar is the word"
	req := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: secret}}, Stop: []string{secret}, Schema: json.RawMessage(`"` + secret + `"`)}
	for _, step := range []llmtest.Step{llmtest.Say(secret), {Response: llm.Response{Text: secret}, Err: errors.New("sad")}} {
		for _, r := range logged(t, llmtest.Script(step, step), slogtrace.Options{}, func(m llm.Model) {
			m.Generate(t.Context(), req)
			llm.Collect(llm.Stream(t.Context(), m, req))
		}) {
			if s := fmt.Sprint(r); strings.Contains(s, "Zanzibar") {
				t.Errorf("logged: %s", s)
			}
		}
	}
	r := logged(t, llmtest.New(llmtest.Echo), slogtrace.Options{TextBytes: 4}, func(m llm.Model) {
		m.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "abcé!"}}})
	})[0]
	if got := r["request"].(map[string]any)["texts"]; !reflect.DeepEqual(got, []any{"user: abc…"}) {
		t.Errorf("texts: %q", got)
	}
	if got := r["response"].(map[string]any)["text"]; got != "You …" {
		t.Errorf("text: %q", got)
	}
}

func TestFailures(t *testing.T) {
	for kind, err := range map[string]error{
		"rate_limited":      &llm.Error{Kind: llm.ErrRateLimited, Status: 429},
		"unavailable":       &llm.Error{Kind: llm.ErrUnavailable},
		"context_too_long":  &llm.Error{Kind: llm.ErrContextTooLong},
		"auth":              &llm.Error{Kind: llm.ErrAuth},
		"bad_request":       llm.ErrEmptyRequest,
		"unsupported":       &llm.UnsupportedError{Fields: []string{"Seed"}},
		"bad_reply":         &llm.Error{Kind: llm.ErrBadReply},
		"truncated":         &llm.Error{Kind: llm.ErrTruncated},
		"refused":           &llm.Error{Kind: llm.ErrRefused},
		"canceled":          &llm.Error{Kind: llm.ErrUnavailable, Cause: context.Canceled},
		"deadline_exceeded": context.DeadlineExceeded,
	} {
		r := logged(t, llmtest.Script(llmtest.Fail(err)), slogtrace.Options{}, func(m llm.Model) { m.Generate(t.Context(), question) })[0]
		if r["level"] != "WARN" || r["error"] != err.Error() || r["kind"] != kind || r["response"] != nil {
			t.Errorf("%s: %v", kind, r)
		}
	}
	r := logged(t, llmtest.Script(llmtest.Fail(errors.New("who knows"))), slogtrace.Options{ErrorLevel: slog.LevelError}, func(m llm.Model) { m.Generate(t.Context(), question) })[0]
	if _, ok := r["kind"]; ok || r["level"] != "ERROR" {
		t.Errorf("an unknown error: %v", r)
	}
	r = logged(t, llmtest.Script(llmtest.Step{Response: llm.Response{Text: "ha", Stop: llm.StopLength}}), slogtrace.Options{}, func(m llm.Model) { m.Generate(t.Context(), question) })[0]
	if r["level"] != "WARN" {
		t.Errorf("a cut reply: %v", r)
	}
}

func TestStream(t *testing.T) {
	sad := errors.New("sad")
	inner := llmtest.Script(llmtest.Say("a b c"), llmtest.Step{Response: llm.Response{Text: "a b"}, Err: sad}, llmtest.Say("a b c"))
	got := logged(t, inner, slogtrace.Options{}, func(m llm.Model) {
		if r, err := llm.Collect(llm.Stream(t.Context(), m, question)); err != nil || r.Text != "a b c" {
			t.Errorf("%q, %v", r.Text, err)
		}
		if _, err := llm.Collect(llm.Stream(t.Context(), m, question)); !errors.Is(err, sad) {
			t.Errorf("%v", err)
		}
		for range llm.Stream(t.Context(), m, question) {
			break
		}
	})
	if len(got) != 3 {
		t.Fatalf("%d records", len(got))
	}
	for i, level := range []string{"INFO", "WARN", "WARN"} {
		if got[i]["level"] != level || got[i]["first_piece"] == nil {
			t.Errorf("record %d: %v", i, got[i])
		}
	}
}

// A level that is off costs no record.
func TestLevelOff(t *testing.T) {
	var b bytes.Buffer
	m := slogtrace.New(llmtest.New(llmtest.Echo), slogtrace.Options{Logger: slog.New(slog.NewTextHandler(&b, nil)), Level: slog.LevelDebug})
	if _, err := m.Generate(t.Context(), question); err != nil || b.Len() > 0 {
		t.Errorf("logged %q, %v", b.String(), err)
	}
}

func TestConforms(t *testing.T) {
	conform.LLM(t, func() llm.Model {
		return slogtrace.New(llmtest.New(llmtest.Echo), slogtrace.Options{Logger: slog.New(slog.DiscardHandler)})
	}, conform.Deterministic(true))
}
