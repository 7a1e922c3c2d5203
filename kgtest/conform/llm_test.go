package conform

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kgeval/kgeval/llm"
)

// goodLLM repeats the last message.
type goodLLM struct{}

func (goodLLM) ID() string { return "parrot, version 1" }

func (goodLLM) Generate(ctx context.Context, r llm.Request) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, fmt.Errorf("generate: %w", err)
	}
	if len(r.Messages) == 0 {
		return llm.Response{}, fmt.Errorf("generate: %w", llm.ErrEmptyRequest)
	}
	return llm.Response{Text: "You said: " + r.Messages[len(r.Messages)-1].Text, Stop: llm.StopEnd}, nil
}

type llmFunc func(ctx context.Context, r llm.Request) (llm.Response, error)

func (llmFunc) ID() string { return "func" }

func (f llmFunc) Generate(ctx context.Context, r llm.Request) (llm.Response, error) {
	return f(ctx, r)
}

type llmWithID struct {
	goodLLM
	id string
}

func (m llmWithID) ID() string { return m.id }

// muddle is goodLLM with its responses changed.
func muddle(change func(r llm.Request, out *llm.Response)) func() llm.Model {
	return func() llm.Model {
		return llmFunc(func(ctx context.Context, r llm.Request) (llm.Response, error) {
			out, err := goodLLM{}.Generate(ctx, r)
			if err == nil {
				change(r, &out)
			}
			return out, err
		})
	}
}

func TestLLMSuitePassesAGoodOne(t *testing.T) {
	checkPasses(t, llmRules, quick(true), func() llm.Model { return goodLLM{} })
	LLM(t, func() llm.Model { return goodLLM{} }, Deterministic(true))
}

// A language model need not say the same twice, unless that was declared.
func TestLLMMayVary(t *testing.T) {
	var n atomic.Int64
	checkPasses(t, llmRules, quick(false), muddle(func(_ llm.Request, out *llm.Response) { out.Text = fmt.Sprint(n.Add(1)) }))
}

// A model that validates its requests, as it should, must not fail on the
// suite's own.
func TestLLMSuiteAsksValidRequests(t *testing.T) {
	checkPasses(t, llmRules, quick(true), func() llm.Model {
		return llmFunc(func(ctx context.Context, r llm.Request) (llm.Response, error) {
			if err := llm.Validate(r); err != nil && !errors.Is(err, llm.ErrEmptyRequest) {
				t.Errorf("the suite asks %+v: %v", r, err)
			}
			return goodLLM{}.Generate(ctx, r)
		})
	})
}

func TestLLMSuiteCatches(t *testing.T) {
	const replies = "a plain request has a reply"
	stop := make(chan struct{})
	defer close(stop)
	checkCatches(t, llmRules, quick(true), append(brokenStreamers(stop), []broken[llm.Model]{
		{"no ID", func() llm.Model { return llmWithID{} }, "the ID is not empty and does not change", "want a name"},
		{"silence", muddle(func(_ llm.Request, out *llm.Response) { out.Text = "" }), replies, "no text"},
		{"no stop reason", muddle(func(_ llm.Request, out *llm.Response) { out.Stop = "" }), replies, `stop reason is ""`},
		{"the backend's own stop reason", muddle(func(_ llm.Request, out *llm.Response) { out.Stop = "max_tokens" }), replies, "max_tokens"},
		{"negative usage", muddle(func(_ llm.Request, out *llm.Response) { out.Usage.Output = -1 }), replies, "less than nothing"},
		{"negative latency", muddle(func(_ llm.Request, out *llm.Response) { out.Latency = -time.Second }), replies, "less than nothing"},
		{"no conversations", func() llm.Model {
			return llmFunc(func(ctx context.Context, r llm.Request) (llm.Response, error) {
				if len(r.Messages) > 1 {
					return llm.Response{}, errors.New("one message only")
				}
				return goodLLM{}.Generate(ctx, r)
			})
		}, replies, "one message only"},
		{"replies to nothing", func() llm.Model {
			return llmFunc(func(ctx context.Context, r llm.Request) (llm.Response, error) {
				return llm.Response{Text: "Hello!", Stop: llm.StopEnd}, ctx.Err()
			})
		}, "a request without messages is llm.ErrEmptyRequest", "error <nil> for"},
		{"an error of its own for nothing", func() llm.Model {
			return llmFunc(func(ctx context.Context, r llm.Request) (llm.Response, error) {
				if len(r.Messages) == 0 {
					return llm.Response{}, errors.New("empty")
				}
				return goodLLM{}.Generate(ctx, r)
			})
		}, "a request without messages is llm.ErrEmptyRequest", "error empty for"},
		{"panic for nothing", func() llm.Model {
			return llmFunc(func(ctx context.Context, r llm.Request) (llm.Response, error) {
				return llm.Response{Text: r.Messages[0].Text, Stop: llm.StopEnd}, ctx.Err()
			})
		}, "a request without messages is llm.ErrEmptyRequest", "panic"},
		{"deaf to the context", func() llm.Model {
			return llmFunc(func(_ context.Context, r llm.Request) (llm.Response, error) {
				return goodLLM{}.Generate(context.Background(), r)
			})
		}, "a context that has ended is an error that wraps its error", "error <nil>"},
		{"deadline as text", func() llm.Model {
			return llmFunc(func(ctx context.Context, r llm.Request) (llm.Response, error) {
				if errors.Is(ctx.Err(), context.DeadlineExceeded) {
					return llm.Response{}, errors.New("timeout")
				}
				return goodLLM{}.Generate(ctx, r)
			})
		}, "a context that has ended is an error that wraps its error", "error timeout"},
		{"half a reply when cancelled", func() llm.Model {
			return llmFunc(func(ctx context.Context, r llm.Request) (llm.Response, error) {
				select {
				case <-ctx.Done():
					return llm.Response{Text: "one, two"}, nil
				case <-time.After(time.Second):
				}
				return goodLLM{}.Generate(context.Background(), r)
			})
		}, "a call ends with its context", "no error"},
		{"prompt put in place", muddle(func(r llm.Request, _ *llm.Response) {
			r.Messages[0].Text = "Be kind. " + r.Messages[0].Text
		}), "the request is not changed", "was changed"},
		{"temperature put in place", muddle(func(r llm.Request, _ *llm.Response) {
			if r.Temperature != nil {
				*r.Temperature = 1
			}
		}), "the request is not changed", "was changed"},
		{"message appended in place", muddle(func(r llm.Request, out *llm.Response) {
			_ = append(r.Messages, llm.Message{Role: llm.Assistant, Text: out.Text})
		}), "the request is not changed", "appended to in place"},
		{"chance", func() llm.Model {
			var n atomic.Int64
			return muddle(func(_ llm.Request, out *llm.Response) { out.Text = fmt.Sprint(n.Add(1)) })()
		}, "the same request gives the same reply", "in turn 2"},
		{"panic for NUL", muddle(func(r llm.Request, _ *llm.Response) {
			if strings.Contains(r.Messages[0].Text, "\x00") {
				panic("NUL")
			}
		}), "odd texts have a reply or an error", "panic: NUL"},
		{"state between calls", func() llm.Model {
			var last atomic.Pointer[llm.Request]
			return llmFunc(func(ctx context.Context, r llm.Request) (llm.Response, error) {
				last.Store(&r)
				time.Sleep(time.Millisecond)
				return goodLLM{}.Generate(ctx, *last.Load())
			})
		}, "safe for concurrent use", "beside other calls"},
		{"leak", muddle(func(llm.Request, *llm.Response) { go func() { <-stop }() }), "no goroutines stay behind", "goroutines behind"},
	}...))
}
