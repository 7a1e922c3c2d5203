package langchain_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	lcopenai "github.com/tmc/langchaingo/llms/openai"
	"go.uber.org/goleak"

	"github.com/kgeval/kgeval/internal/llmfault"
	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/langchain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// connect returns an adapter around langchaingo's openai.
func connect(t testing.TB, url string, change ...func(*langchain.Config)) (*langchain.Model, *http.Client) {
	t.Helper()
	client := langchain.Client(nil)
	t.Cleanup(client.CloseIdleConnections)
	inner, err := lcopenai.New(lcopenai.WithBaseURL(url), lcopenai.WithToken(llmfault.Key), lcopenai.WithModel("asked-for"), lcopenai.WithHTTPClient(client))
	if err != nil {
		t.Fatal(err)
	}
	c := langchain.Config{Model: "asked-for", Name: "test", Client: client, MaxReply: llmfault.MaxReply, Timeout: 30 * time.Second}
	for _, f := range change {
		f(&c)
	}
	m, err := langchain.New(inner, c)
	if err != nil {
		t.Fatal(err)
	}
	return m, client
}

// bare returns one whose langchaingo model has a client that is not ours.
func bare(t testing.TB, url string) (*langchain.Model, *http.Client) {
	t.Helper()
	own, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		t.Fatal("no transport to copy")
	}
	client := &http.Client{Transport: own.Clone()}
	t.Cleanup(client.CloseIdleConnections)
	inner, err := lcopenai.New(lcopenai.WithBaseURL(url), lcopenai.WithToken(llmfault.Key), lcopenai.WithHTTPClient(client))
	if err != nil {
		t.Fatal(err)
	}
	m, err := langchain.New(inner, langchain.Config{Model: "asked-for", Secrets: []string{llmfault.Key}, Timeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return m, client
}

func question() llm.Request {
	return llm.Request{
		Messages:    []llm.Message{{Role: llm.System, Text: "Answer in one sentence."}, {Role: llm.User, Text: llmfault.Question}},
		Temperature: new(0.0),
		MaxTokens:   16,
	}
}

func TestConform(t *testing.T) {
	server := llmfault.Start(t, llmfault.Good())
	conform.LLM(t, func() llm.Model {
		m, _ := connect(t, server.URL)
		return m
	})
}

// The table that the direct client goes through: the same reply or the same
// error, whatever langchaingo makes of it.
func TestEveryFault(t *testing.T) {
	whole := func(m *langchain.Model) (llm.Response, error) { return m.Generate(context.Background(), question()) }
	stream := func(m *langchain.Model) (llm.Response, error) {
		return llm.Collect(m.Stream(context.Background(), question()))
	}
	for _, way := range []struct {
		name  string
		cases []llmfault.Case
		ask   func(*langchain.Model) (llm.Response, error)
	}{{"whole", llmfault.Whole(), whole}, {"stream", llmfault.Streams(), stream}} {
		for _, c := range way.cases {
			t.Run(way.name+"/"+c.Name, func(t *testing.T) {
				defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
				server := llmfault.Start(t, c.Serve)
				m, client := connect(t, server.URL, func(o *langchain.Config) {
					if c.Hangs {
						o.Timeout = llmfault.Timeout
					}
				})
				r, err := way.ask(m)
				llmfault.Check(t, c, r, err)
				client.CloseIdleConnections()
				server.Close()
			})
		}
	}
}

// With langchaingo alone there is less to see: no Retry-After, no stop reason
// that it drops, no event that it skips. What remains is never a good reply.
func TestEveryFaultSeenByLangchaingoAlone(t *testing.T) {
	// What langchaingo hides altogether: it skips events that are no JSON, and
	// looks at no content type. And what it reads until the timeout.
	hidden := map[string]bool{
		"an event that is no JSON":              true,
		"a good reply that says it is an image": true,
		"a huge reply":                          true,
		"a huge stream":                         true,
		"a stream of pings":                     true,
	}
	for _, way := range []struct {
		name  string
		cases []llmfault.Case
	}{{"whole", llmfault.Whole()}, {"stream", llmfault.Streams()}} {
		for _, c := range way.cases {
			if hidden[c.Name] || len(c.Want) == 0 {
				continue
			}
			t.Run(way.name+"/"+c.Name, func(t *testing.T) {
				defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
				server := llmfault.Start(t, c.Serve)
				m, client := bare(t, server.URL)
				var r llm.Response
				var err error
				if way.name == "stream" {
					r, err = llm.Collect(m.Stream(context.Background(), question()))
				} else {
					r, err = m.Generate(context.Background(), question())
				}
				client.CloseIdleConnections()
				server.Close()
				if err == nil && r.Complete() == nil {
					t.Fatalf("got the reply %+v", r)
				}
				if err != nil {
					llmfault.Untold(t, err)
				}
			})
		}
	}
}

// The errors that langchaingo's texts still tell.
func TestKindsWithoutTheWire(t *testing.T) {
	for _, c := range []struct {
		serve http.HandlerFunc
		want  error
	}{
		{llmfault.JSON(401, `{"error":{"message":"bad key"}}`), llm.ErrAuth},
		{llmfault.JSON(429, `{"error":{"message":"slow down"}}`), llm.ErrRateLimited},
		{llmfault.JSON(400, `{"error":{"message":"request (431 tokens) exceeds the available context size (256 tokens)"}}`), llm.ErrContextTooLong},
		{llmfault.JSON(400, `{"error":{"message":"the 500 words of quota 429 are a bad request"}}`), llm.ErrBadRequest},
		{llmfault.JSON(503, `{"error":{"message":"Loading model"}}`), llm.ErrUnavailable},
		{llmfault.HangUp(), llm.ErrUnavailable},
		{llmfault.BreakOff("application/json", "{"), llm.ErrUnavailable},
	} {
		server := llmfault.Start(t, c.serve)
		m, _ := bare(t, server.URL)
		if _, err := m.Generate(context.Background(), question()); !errors.Is(err, c.want) {
			t.Errorf("error %v, want %v", err, c.want)
		}
	}
}

// langchaingo returns a partial text and no error for a deadline in a stream,
// and texts for the others.
func TestContextEndsTheCall(t *testing.T) {
	half := llmfault.Event("The boat ", "")
	for name, serve := range map[string]http.HandlerFunc{
		"before an answer":   llmfault.Begin("", ""),
		"in a body":          llmfault.Begin("application/json", "{"),
		"before a stream":    llmfault.Begin("", ""),
		"in a stream":        llmfault.Begin("text/event-stream", half),
		"in a stream, often": llmfault.Endless("text/event-stream", half, half),
	} {
		for _, want := range []error{context.Canceled, context.DeadlineExceeded} {
			for _, make := range []func(testing.TB, string) (*langchain.Model, *http.Client){
				func(t testing.TB, url string) (*langchain.Model, *http.Client) {
					return connect(t, url, func(c *langchain.Config) { c.MaxReply = 1 << 40 })
				},
				bare,
			} {
				t.Run(fmt.Sprintf("%s, %v", name, want), func(t *testing.T) {
					defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
					server := llmfault.Start(t, serve)
					m, client := make(t, server.URL)
					ctx, cancel := context.WithTimeout(context.Background(), 60*time.Millisecond)
					if errors.Is(want, context.Canceled) {
						cancel()
						ctx, cancel = context.WithCancel(context.Background())
						time.AfterFunc(60*time.Millisecond, cancel)
					}
					defer cancel()
					var r llm.Response
					var err error
					if strings.Contains(name, "stream") {
						r, err = llm.Collect(m.Stream(ctx, question()))
					} else {
						r, err = m.Generate(ctx, question())
					}
					if !errors.Is(err, want) || r.Stop == llm.StopEnd {
						t.Errorf("error %v beside %+v, want %v", err, r, want)
					}
					client.CloseIdleConnections()
					server.Close()
				})
			}
		}
	}
}

// Leaving a stream early ends the request and leaves nothing running.
func TestLeaveStream(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	server := llmfault.Start(t, llmfault.Endless("text/event-stream", "", llmfault.Event("boats ", "")))
	m, client := connect(t, server.URL)
	for p, err := range m.Stream(context.Background(), question()) {
		if err != nil || p.Text != "boats " {
			t.Fatalf("%+v, %v", p, err)
		}
		break
	}
	client.CloseIdleConnections()
	server.Close()
}
