package openai_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/kgeval/kgeval/internal/llmfault"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/openai"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// connect returns a client for a server, with the tests' bounds.
func connect(t testing.TB, url string, change ...func(*openai.Config)) *openai.Client {
	t.Helper()
	c := openai.Config{
		BaseURL:  url,
		Model:    "asked-for",
		Key:      llmfault.Key,
		Name:     "test",
		Timeout:  30 * time.Second,
		MaxReply: llmfault.MaxReply,
	}
	for _, f := range change {
		f(&c)
	}
	client, err := openai.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

func question() llm.Request {
	return llm.Request{
		Messages:  []llm.Message{{Role: llm.System, Text: "Answer in one sentence."}, {Role: llm.User, Text: llmfault.Question}},
		MaxTokens: 16,
	}
}

// Whatever a server does, the call ends, with a reply that says how it ended or
// with a named error that tells neither key nor request.
func TestEveryFault(t *testing.T) {
	whole := func(c *openai.Client) (llm.Response, error) { return c.Generate(context.Background(), question()) }
	stream := func(c *openai.Client) (llm.Response, error) {
		return llm.Collect(c.Stream(context.Background(), question()))
	}
	for _, way := range []struct {
		name  string
		cases []llmfault.Case
		ask   func(*openai.Client) (llm.Response, error)
	}{{"whole", llmfault.Whole(), whole}, {"stream", llmfault.Streams(), stream}} {
		for _, c := range way.cases {
			t.Run(way.name+"/"+c.Name, func(t *testing.T) {
				defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
				server := llmfault.Start(t, c.Serve)
				client := connect(t, server.URL, func(o *openai.Config) {
					if c.Hangs {
						o.Timeout = llmfault.Timeout
					}
				})
				r, err := way.ask(client)
				llmfault.Check(t, c, r, err)
				client.Close()
				server.Close()
			})
		}
	}
}

// The caller's context ends a call wherever it is, and the error says so.
func TestContextEndsTheCall(t *testing.T) {
	half := llmfault.Event("The boat ", "")
	for name, serve := range map[string]struct {
		handler func(*testing.T) *llmfault.Server
		stream  bool
	}{
		"before an answer": {func(t *testing.T) *llmfault.Server { return llmfault.Start(t, llmfault.Begin("", "")) }, false},
		"in a body":        {func(t *testing.T) *llmfault.Server { return llmfault.Start(t, llmfault.Begin("application/json", "{")) }, false},
		"before a stream":  {func(t *testing.T) *llmfault.Server { return llmfault.Start(t, llmfault.Begin("", "")) }, true},
		"in the middle of stream": {func(t *testing.T) *llmfault.Server {
			return llmfault.Start(t, llmfault.Begin("text/event-stream", half))
		}, true},
	} {
		for _, want := range []error{context.Canceled, context.DeadlineExceeded} {
			t.Run(fmt.Sprintf("%s, %v", name, want), func(t *testing.T) {
				defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
				server := serve.handler(t)
				client := connect(t, server.URL)
				ctx, cancel := context.WithTimeout(context.Background(), 60*time.Millisecond)
				if errors.Is(want, context.Canceled) {
					cancel()
					ctx, cancel = context.WithCancel(context.Background())
					time.AfterFunc(60*time.Millisecond, cancel)
				}
				defer cancel()
				var r llm.Response
				var err error
				if serve.stream {
					r, err = llm.Collect(client.Stream(ctx, question()))
				} else {
					r, err = client.Generate(ctx, question())
				}
				if !errors.Is(err, want) {
					t.Errorf("error %v, want %v", err, want)
				}
				if errors.Is(err, llm.ErrTruncated) || errors.Is(err, llm.ErrUnavailable) {
					t.Errorf("error %v blames the server for the caller's context", err)
				}
				if r.Stop == llm.StopEnd {
					t.Errorf("the response says that it is whole: %+v", r)
				}
				client.Close()
				server.Close()
			})
		}
	}
}

// Nobody listens there.
func TestServerDown(t *testing.T) {
	server := llmfault.Start(t, llmfault.Good())
	server.Close()
	_, err := connect(t, server.URL+"?api-key="+llmfault.Key).Generate(context.Background(), question())
	if !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("error %v", err)
	}
	llmfault.Untold(t, err)
}

// Leaving a stream early ends the request, and each range asks anew.
func TestLeaveStream(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	server := llmfault.Start(t, llmfault.Endless("text/event-stream", "", llmfault.Event("boats ", "")), llmfault.Good())
	client := connect(t, server.URL)
	stream := client.Stream(context.Background(), question())
	if n := len(server.Asked()); n != 0 {
		t.Errorf("%d requests before the first pull", n)
	}
	for p, err := range stream {
		if err != nil || p.Text != "boats " {
			t.Fatalf("%+v, %v", p, err)
		}
		break
	}
	r, err := llm.Collect(stream)
	if err != nil || r.Text != llmfault.Text || r.Usage != (llm.Usage{Input: 7, Output: 5}) {
		t.Errorf("%+v, %v", r, err)
	}
	if n := len(server.Asked()); n != 2 {
		t.Errorf("%d requests", n)
	}
	client.Close()
	server.Close()
}

// A server that was asked for a stream and gives a whole reply.
func TestServerThatDoesNotStream(t *testing.T) {
	server := llmfault.Start(t, llmfault.JSON(200, llmfault.Completion(llmfault.Text, "stop")))
	r, err := llm.Collect(connect(t, server.URL).Stream(context.Background(), question()))
	if err != nil || r.Text != llmfault.Text || r.Stop != llm.StopEnd {
		t.Errorf("%+v, %v", r, err)
	}
}
