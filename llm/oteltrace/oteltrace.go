// Package oteltrace makes an OpenTelemetry span of each call of a language
// model, with the names of the semantic conventions for generative AI, as far
// as they fit. Spans hold no texts.
//
// It is a module of its own: whoever doesn't trace with OpenTelemetry carries
// none of it. llm/slogtrace logs calls with the standard library.
package oteltrace

import (
	"context"
	"iter"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/kgeval/kgeval/llm"
)

// scope is the name of the instrumentation.
const scope = "github.com/kgeval/kgeval/llm/oteltrace"

// Options say where spans go. The zero value takes the global tracer provider.
type Options struct {
	TracerProvider trace.TracerProvider
	// Attributes are set on every span, for instance gen_ai.provider.name,
	// which an llm.Model doesn't know.
	Attributes []attribute.KeyValue
}

// Model is a model whose calls are spans. It can stream, and is safe for
// concurrent use.
type Model struct {
	inner  llm.Model
	o      Options
	tracer trace.Tracer
}

// New returns m with a span of kind client around each call, named "chat" and
// the model's ID. The context that m sees is the span's.
//
// Attributes: gen_ai.operation.name ("chat"), gen_ai.request.model (the ID),
// gen_ai.request.temperature, .top_p, .top_k, .seed and .max_tokens where they
// are set, gen_ai.output.type ("json" with a schema), gen_ai.response.model,
// gen_ai.response.finish_reasons (one llm.StopReason),
// gen_ai.usage.input_tokens and .output_tokens, kgeval.llm.cached, and
// kgeval.llm.sample where it is set. A failed call has an error status with the
// error's text, and error.type (llm.Kind, or "_OTHER"). A reply that is not
// whole is no failure of the call; its finish reason tells. A stream has an event
// "first piece".
func New(m llm.Model, o Options) *Model {
	p := o.TracerProvider
	if p == nil {
		p = otel.GetTracerProvider()
	}
	return &Model{m, o, p.Tracer(scope)}
}

// ID returns the ID of the model within.
func (m *Model) ID() string { return m.inner.ID() }

// Generate asks within a span.
func (m *Model) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	ctx, span := m.start(ctx, req)
	defer span.End()
	r, err := m.inner.Generate(ctx, req)
	finish(span, r, err)
	return r, err
}

// Stream asks for pieces within a span, which ends when they have, or when the
// loop is left.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Piece, error] {
	return func(yield func(llm.Piece, error) bool) {
		ctx, span := m.start(ctx, req)
		defer span.End()
		said := false
		for p, err := range llm.Stream(ctx, m.inner, req) {
			if p.Text != "" && !said {
				said = true
				span.AddEvent("first piece")
			}
			switch {
			case err != nil:
				finish(span, llm.Response{}, err)
			case p.Done != nil:
				finish(span, *p.Done, nil)
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

func (m *Model) start(ctx context.Context, req llm.Request) (context.Context, trace.Span) {
	id := m.inner.ID()
	attrs := []attribute.KeyValue{
		attribute.String("gen_ai.operation.name", "chat"),
		attribute.String("gen_ai.request.model", id),
	}
	if req.Temperature != nil {
		attrs = append(attrs, attribute.Float64("gen_ai.request.temperature", *req.Temperature))
	}
	if req.TopP != nil {
		attrs = append(attrs, attribute.Float64("gen_ai.request.top_p", *req.TopP))
	}
	if req.TopK != nil {
		attrs = append(attrs, attribute.Int("gen_ai.request.top_k", *req.TopK))
	}
	if req.Seed != nil {
		attrs = append(attrs, attribute.Int64("gen_ai.request.seed", *req.Seed))
	}
	if req.MaxTokens > 0 {
		attrs = append(attrs, attribute.Int("gen_ai.request.max_tokens", req.MaxTokens))
	}
	if len(req.Schema) > 0 {
		attrs = append(attrs, attribute.String("gen_ai.output.type", "json"))
	}
	if req.Sample > 0 {
		attrs = append(attrs, attribute.Int("kgeval.llm.sample", req.Sample))
	}
	attrs = append(attrs, m.o.Attributes...)
	return m.tracer.Start(ctx, "chat "+id, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attrs...))
}

func finish(span trace.Span, r llm.Response, err error) {
	if err != nil {
		kind := llm.Kind(err)
		if kind == "" {
			kind = "_OTHER"
		}
		span.SetAttributes(attribute.String("error.type", kind))
		span.SetStatus(codes.Error, err.Error())
		return
	}
	span.SetAttributes(
		attribute.String("gen_ai.response.model", r.Model),
		attribute.StringSlice("gen_ai.response.finish_reasons", []string{string(r.Stop)}),
		attribute.Int("gen_ai.usage.input_tokens", r.Usage.Input),
		attribute.Int("gen_ai.usage.output_tokens", r.Usage.Output),
		attribute.Bool("kgeval.llm.cached", r.Cached),
	)
}
