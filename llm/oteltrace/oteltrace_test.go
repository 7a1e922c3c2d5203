package oteltrace_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/llmtest"
	"github.com/kgeval/kgeval/llm/oteltrace"
)

var question = llm.Request{
	Messages:    []llm.Message{{Role: llm.User, Text: "Who is Zanzibar's lead?"}},
	Temperature: new(0.0), TopP: new(0.5), TopK: new(3), Seed: new(int64(0)), MaxTokens: 7,
	Schema: []byte(`{"type":"string"}`), Sample: 1,
}

// spans returns the spans of what do does with the model.
func spans(inner llm.Model, o oteltrace.Options, do func(llm.Model)) []sdk.ReadOnlySpan {
	recorder := tracetest.NewSpanRecorder()
	o.TracerProvider = sdk.NewTracerProvider(sdk.WithSpanProcessor(recorder))
	do(oteltrace.New(inner, o))
	return recorder.Ended()
}

func attributes(s sdk.ReadOnlySpan) map[string]string {
	all := map[string]string{}
	for _, a := range s.Attributes() {
		all[string(a.Key)] = a.Value.String()
	}
	return all
}

func TestASpan(t *testing.T) {
	var within trace.SpanContext
	inner := llmtest.New(func(ctx context.Context, _ int, _ llm.Request) (llm.Response, error) {
		within = trace.SpanContextFromContext(ctx)
		return llm.Response{Text: "Zanzibar", Model: "tiny-2026", Usage: llm.Usage{Input: 9, Output: 3}}, nil
	})
	inner.Name = "openai/tiny"
	all := spans(inner, oteltrace.Options{Attributes: []attribute.KeyValue{attribute.String("gen_ai.provider.name", "openai")}},
		func(m llm.Model) { m.Generate(t.Context(), question) })
	if len(all) != 1 {
		t.Fatalf("%d spans", len(all))
	}
	s := all[0]
	if s.Name() != "chat openai/tiny" || s.SpanKind() != trace.SpanKindClient || s.Status().Code != codes.Unset {
		t.Errorf("%s, %v, %v", s.Name(), s.SpanKind(), s.Status())
	}
	if within.SpanID() != s.SpanContext().SpanID() {
		t.Error("the model is not called within the span")
	}
	want := map[string]string{
		"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "openai/tiny",
		"gen_ai.request.temperature": "0", "gen_ai.request.top_p": "0.5", "gen_ai.request.top_k": "3", "gen_ai.request.seed": "0",
		"gen_ai.request.max_tokens": "7", "gen_ai.output.type": "json", "kgeval.llm.sample": "1",
		"gen_ai.response.model": "tiny-2026", "gen_ai.response.finish_reasons": `["end"]`,
		"gen_ai.usage.input_tokens": "9", "gen_ai.usage.output_tokens": "3", "kgeval.llm.cached": "false",
	}
	if got := attributes(s); !maps.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if strings.Contains(fmt.Sprint(attributes(s), s.Events()), "Zanzibar") {
		t.Error("the span holds a text")
	}
}

func TestFailures(t *testing.T) {
	for kind, err := range map[string]error{
		"rate_limited": &llm.Error{Kind: llm.ErrRateLimited},
		"canceled":     fmt.Errorf("x: %w", context.Canceled),
		"_OTHER":       errors.New("who knows"),
	} {
		for _, s := range spans(llmtest.Script(llmtest.Fail(err), llmtest.Fail(err)), oteltrace.Options{}, func(m llm.Model) {
			m.Generate(t.Context(), question)
			llm.Collect(llm.Stream(t.Context(), m, question))
		}) {
			a := attributes(s)
			if s.Status().Code != codes.Error || s.Status().Description != err.Error() || a["error.type"] != kind || a["gen_ai.response.model"] != "" {
				t.Errorf("%s: %v, %v", kind, s.Status(), a)
			}
		}
	}
}

func TestStream(t *testing.T) {
	all := spans(llmtest.Script(llmtest.Say("a b c"), llmtest.Say("a b c")), oteltrace.Options{}, func(m llm.Model) {
		if r, err := llm.Collect(llm.Stream(t.Context(), m, question)); err != nil || r.Text != "a b c" {
			t.Errorf("%q, %v", r.Text, err)
		}
		for range llm.Stream(t.Context(), m, question) {
			break
		}
	})
	if len(all) != 2 {
		t.Fatalf("%d spans", len(all))
	}
	for i, reasons := range []string{`["end"]`, ""} {
		if got := attributes(all[i])["gen_ai.response.finish_reasons"]; got != reasons || len(all[i].Events()) != 1 {
			t.Errorf("span %d: finish reasons %s, %d events", i, got, len(all[i].Events()))
		}
	}
}

// Without a provider there are no spans, and no harm.
func TestConforms(t *testing.T) {
	conform.LLM(t, func() llm.Model { return oteltrace.New(llmtest.New(llmtest.Echo), oteltrace.Options{}) }, conform.Deterministic(true))
}
