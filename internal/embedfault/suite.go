package embedfault

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/internal/llmfault"
	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/retry"
)

// Settings are what a test sets of an embedder's Config.
type Settings struct {
	Batch    int
	Timeout  time.Duration
	MaxReply int64
	Retry    retry.Options
}

// Open makes an embedder for a server that bears llmfault.Key. Done closes its
// connections.
type Open func(t testing.TB, url string, s Settings) (e embed.Embedder, done func())

// never asks once.
var never = retry.Options{Attempts: 1}

// soon asks again at once.
var soon = retry.Options{Attempts: 4, First: time.Millisecond, Max: time.Millisecond}

// Run puts an embedder through everything that is here.
func Run(t *testing.T, d Dialect, open Open) {
	t.Run("conforms", func(t *testing.T) { conforms(t, d, open) })
	t.Run("every fault", func(t *testing.T) { everyFault(t, d, open) })
	t.Run("batches", func(t *testing.T) { batches(t, d, open) })
	t.Run("asks again", func(t *testing.T) { asksAgain(t, d, open) })
	t.Run("context", func(t *testing.T) { contextEnds(t, d, open) })
	t.Run("vectors of two lengths", func(t *testing.T) { twoLengths(t, d, open) })
}

func conforms(t *testing.T, d Dialect, open Open) {
	server := llmfault.Start(t, d.Good(16))
	conform.Embedder(t, func() embed.Embedder {
		e, done := open(t, server.URL, Settings{Batch: 16, Timeout: time.Minute, Retry: never})
		t.Cleanup(done)
		return e
	}, conform.MaxText(100_000))
}

func everyFault(t *testing.T, d Dialect, open Open) {
	for _, c := range d.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			server := llmfault.Start(t, c.Serve)
			s := Settings{Timeout: 30 * time.Second, MaxReply: llmfault.MaxReply, Retry: never}
			if c.Hangs {
				s.Timeout = llmfault.Timeout
			}
			e, done := open(t, server.URL, s)
			vectors, err := e.Embed(context.Background(), []string{llmfault.Question, "", "Porto"})
			Check(t, c, vectors, err)
			done()
			server.Close()
		})
	}
}

// texts are n texts; every seventh is blank, and some are twice there.
func texts(n int) []string {
	out := make([]string, n)
	for i := range out {
		switch {
		case i%7 == 3:
			out[i] = strings.Repeat(" ", i%3)
		default:
			out[i] = fmt.Sprintf("Station %d recorded rain.", i%1900)
		}
	}
	return out
}

// right reports the first vector that is not the text's.
func right(t testing.TB, texts []string, vectors [][]float32) {
	t.Helper()
	if len(vectors) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(vectors), len(texts))
	}
	for i, text := range texts {
		want := make([]float32, Dimensions)
		if strings.TrimSpace(text) != "" {
			want = Vector(text)
			embed.Normalize(want)
		}
		for k := range want {
			if len(vectors[i]) != Dimensions || math.Abs(float64(vectors[i][k]-want[k])) > 1e-6 {
				t.Fatalf("text %d, %q: %v, want %v", i, text, vectors[i], want)
			}
		}
	}
}

// Whatever a server takes at a time, all texts get their own vectors.
func batches(t *testing.T, d Dialect, open Open) {
	in := texts(2500)
	content := 0
	for _, text := range in {
		if strings.TrimSpace(text) != "" {
			content++
		}
	}
	for _, limit := range []int{10, 100, 2048} {
		server := llmfault.Start(t, d.Good(limit))
		e, done := open(t, server.URL, Settings{Batch: limit, Timeout: time.Minute, Retry: never})
		got, err := e.Embed(context.Background(), in)
		if err != nil {
			t.Fatalf("limit %d: %v", limit, err)
		}
		right(t, in, got)
		if n, want := len(server.Asked()), (content+limit-1)/limit; n != want {
			t.Errorf("limit %d: %d requests, want %d", limit, n, want)
		}
		done()
	}
}

// A request that fails in a way that may pass is made again, that one alone; one
// that won't pass is not.
func asksAgain(t *testing.T, d Dialect, open Open) {
	busy := llmfault.JSON(429, `{"error":{"message":"slow down"}}`, "Retry-After-Ms", "5")
	good := d.Good(0)
	server := llmfault.Start(t, good, busy, llmfault.JSON(503, `{"error":"loading"}`), good)
	e, done := open(t, server.URL, Settings{Batch: 10, Timeout: time.Minute, Retry: soon})
	defer done()
	in := []string{}
	for i := range 30 {
		in = append(in, fmt.Sprint("text ", i))
	}
	got, err := e.Embed(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	right(t, in, got)
	if n := len(server.Asked()); n != 5 {
		t.Errorf("%d requests, want 3 and 2 again", n)
	}
	for name, c := range map[string]struct {
		serve http.HandlerFunc
		asked int
		want  error
	}{
		"always busy":    {busy, 4, llm.ErrRateLimited},
		"too long":       {llmfault.JSON(400, `{"error":{"message":"context length exceeded","code":"context_length_exceeded"}}`), 1, llm.ErrContextTooLong},
		"no key":         {llmfault.JSON(401, `{"error":"no"}`), 1, llm.ErrAuth},
		"long to wait":   {llmfault.JSON(429, `{"error":"tomorrow"}`, "Retry-After", "86400"), 1, llm.ErrRateLimited},
		"a short answer": {d.changed(func(_ []string, rows []row) (int, []row) { return 200, rows[:1] }), 4, llm.ErrBadReply},
	} {
		server := llmfault.Start(t, c.serve)
		e, done := open(t, server.URL, Settings{Timeout: time.Minute, Retry: soon})
		_, err := e.Embed(context.Background(), in)
		if !errors.Is(err, c.want) || len(server.Asked()) != c.asked {
			t.Errorf("%s: %v after %d requests, want %v after %d", name, err, len(server.Asked()), c.want, c.asked)
		}
		done()
	}
}

// The caller's context ends a call in the middle of it, and the error says so.
func contextEnds(t *testing.T, d Dialect, open Open) {
	for _, want := range []error{context.Canceled, context.DeadlineExceeded} {
		for name, second := range map[string]http.HandlerFunc{
			"in a request": llmfault.Begin("", ""), "in an answer": llmfault.Begin("application/json", "{"),
			"in a wait": llmfault.JSON(429, `{"error":"later"}`, "Retry-After", "30"),
		} {
			if name == "in a wait" && errors.Is(want, context.DeadlineExceeded) {
				continue // such a wait is not begun: llm/retry
			}
			t.Run(fmt.Sprintf("%s, %v", name, want), func(t *testing.T) {
				defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
				server := llmfault.Start(t, d.Good(0), second)
				e, done := open(t, server.URL, Settings{Batch: 2, Timeout: time.Minute, Retry: retry.Options{First: time.Minute, Max: time.Minute}})
				ctx, cancel := context.WithCancel(context.Background())
				if errors.Is(want, context.DeadlineExceeded) {
					ctx, cancel = context.WithTimeout(context.Background(), 60*time.Millisecond)
				} else {
					time.AfterFunc(60*time.Millisecond, cancel)
				}
				defer cancel()
				vectors, err := e.Embed(ctx, []string{"a", "b", "c", "d", "e"})
				if !errors.Is(err, want) || vectors != nil {
					t.Errorf("%d vectors, error %v, want %v", len(vectors), err, want)
				}
				if name != "in a wait" && errors.Is(err, llm.ErrUnavailable) {
					t.Errorf("error %v blames the server for the caller's context", err)
				}
				done()
				server.Close()
			})
		}
	}
}

// A server whose model changed between two batches.
func twoLengths(t *testing.T, d Dialect, open Open) {
	other := d.changed(func(_ []string, rows []row) (int, []row) {
		for i := range rows {
			rows[i].vector = "[1,2,3]"
		}
		return 200, rows
	})
	server := llmfault.Start(t, d.Good(0), other)
	e, done := open(t, server.URL, Settings{Batch: 2, Timeout: time.Minute, Retry: never})
	defer done()
	_, err := e.Embed(context.Background(), []string{"a", "b", "c"})
	var length *embed.LengthError
	if !errors.As(err, &length) || length.Index != 2 || length.Want != Dimensions || length.Got != 3 {
		t.Errorf("error %v, want a length of 3 at text 2", err)
	}
}
