// Package slogtrace logs the calls of a language model with log/slog: one record
// for each, when it has ended. Texts are left out unless they are asked for:
// what users write and models say is nobody's business in most logs.
//
// It is the plain way to see what happens; llm/oteltrace makes spans of calls.
package slogtrace

import (
	"context"
	"iter"
	"log/slog"
	"time"
	"unicode/utf8"

	"github.com/kgeval/kgeval/llm"
)

// Options say what to log. The zero value logs to slog.Default, without texts.
type Options struct {
	// Logger takes the records; nil stands for slog.Default at each call.
	Logger *slog.Logger
	// Level is the level of calls that were answered. Default: slog.LevelInfo.
	Level slog.Level
	// ErrorLevel is the level of calls that failed or whose reply is not whole.
	// Default (nil): slog.LevelWarn.
	ErrorLevel slog.Leveler
	// TextBytes is how much of each message and of the reply is logged, in
	// bytes. Default 0: no texts.
	TextBytes int
}

// Model is a model whose calls are logged. It can stream, and is safe for
// concurrent use.
type Model struct {
	inner llm.Model
	o     Options
}

// New returns m with its calls logged. A record is "llm call" with the groups
// request and response:
//
//	model                  the model's ID
//	duration               of this call, waits and all
//	request.messages       how many there are
//	request.bytes          of their texts
//	request.temperature …  the settings that are set; schema as true
//	request.texts          the messages, with Options.TextBytes
//	response.model, .stop, .input_tokens, .output_tokens, .latency, .bytes, .cached
//	response.text          the reply, with Options.TextBytes
//	first_piece            for a stream: until its first text came
//	error                  the error's text, and kind (llm.Kind), where it has one
//
// The error's text is what the model says about its failure, and is as clean as
// that (see llm.Error).
func New(m llm.Model, o Options) *Model {
	if o.ErrorLevel == nil {
		o.ErrorLevel = slog.LevelWarn
	}
	return &Model{m, o}
}

// ID returns the ID of the model within.
func (m *Model) ID() string { return m.inner.ID() }

// Generate asks and logs.
func (m *Model) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	start := time.Now()
	r, err := m.inner.Generate(ctx, req)
	m.log(ctx, req, r, err, time.Since(start), nil)
	return r, err
}

// Stream asks for pieces, and logs when they have ended or the loop was left.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Piece, error] {
	return func(yield func(llm.Piece, error) bool) {
		start := time.Now()
		var first []slog.Attr
		end := llm.Response{Stop: llm.StopUnknown}
		var failed error
		defer func() { m.log(ctx, req, end, failed, time.Since(start), first) }()
		for p, err := range llm.Stream(ctx, m.inner, req) {
			if failed = err; err == nil {
				if p.Text != "" && first == nil {
					first = []slog.Attr{slog.Duration("first_piece", time.Since(start))}
				}
				if p.Done != nil {
					end = *p.Done
				}
			}
			if !yield(p, err) || p.Done != nil || err != nil {
				return
			}
		}
	}
}

func (m *Model) log(ctx context.Context, req llm.Request, r llm.Response, err error, took time.Duration, more []slog.Attr) {
	logger := m.o.Logger
	if logger == nil {
		logger = slog.Default()
	}
	level := m.o.Level
	if err != nil || r.Complete() != nil {
		level = m.o.ErrorLevel.Level()
	}
	if !logger.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("model", m.inner.ID()),
		slog.Duration("duration", took),
		{Key: "request", Value: slog.GroupValue(m.request(req)...)},
	}
	if err == nil {
		attrs = append(attrs, slog.Attr{Key: "response", Value: slog.GroupValue(m.response(r)...)})
	}
	attrs = append(attrs, more...)
	if err != nil {
		attrs = append(attrs, slog.String("error", err.Error()))
		if kind := llm.Kind(err); kind != "" {
			attrs = append(attrs, slog.String("kind", kind))
		}
	}
	logger.LogAttrs(ctx, level, "llm call", attrs...)
}

func (m *Model) request(req llm.Request) []slog.Attr {
	size := 0
	for _, msg := range req.Messages {
		size += len(msg.Text)
	}
	attrs := []slog.Attr{slog.Int("messages", len(req.Messages)), slog.Int("bytes", size)}
	if req.Temperature != nil {
		attrs = append(attrs, slog.Float64("temperature", *req.Temperature))
	}
	if req.TopP != nil {
		attrs = append(attrs, slog.Float64("top_p", *req.TopP))
	}
	if req.TopK != nil {
		attrs = append(attrs, slog.Int("top_k", *req.TopK))
	}
	if req.Seed != nil {
		attrs = append(attrs, slog.Int64("seed", *req.Seed))
	}
	if req.MaxTokens > 0 {
		attrs = append(attrs, slog.Int("max_tokens", req.MaxTokens))
	}
	if len(req.Stop) > 0 {
		attrs = append(attrs, slog.Int("stop_strings", len(req.Stop)))
	}
	if len(req.Schema) > 0 {
		attrs = append(attrs, slog.Bool("schema", true))
	}
	if req.LogProbs > 0 {
		attrs = append(attrs, slog.Int("log_probs", req.LogProbs))
	}
	if req.Sample > 0 {
		attrs = append(attrs, slog.Int("sample", req.Sample))
	}
	if m.o.TextBytes > 0 {
		var texts []string
		for _, msg := range req.Messages {
			texts = append(texts, string(msg.Role)+": "+m.clip(msg.Text))
		}
		attrs = append(attrs, slog.Any("texts", texts))
	}
	return attrs
}

func (m *Model) response(r llm.Response) []slog.Attr {
	attrs := []slog.Attr{
		slog.String("model", r.Model),
		slog.String("stop", string(r.Stop)),
		slog.Int("input_tokens", r.Usage.Input),
		slog.Int("output_tokens", r.Usage.Output),
		slog.Duration("latency", r.Latency),
		slog.Int("bytes", len(r.Text)),
		slog.Bool("cached", r.Cached),
	}
	if m.o.TextBytes > 0 {
		attrs = append(attrs, slog.String("text", m.clip(r.Text)))
	}
	return attrs
}

// clip cuts s at a rune's border.
func (m *Model) clip(s string) string {
	at := m.o.TextBytes
	if len(s) <= at {
		return s
	}
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	return s[:at] + "…"
}
