// Package suite asks a real chat server, over any client of ours, what every
// client must be able to do, and breaks the server in every way that a test can.
package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/kgeval/kgeval/internal/realserver"
	"github.com/kgeval/kgeval/llm"
)

// Target is what a client is to be made for.
type Target struct {
	URL   string // base URL with the version
	Model string // the name to ask for
	Key   string
}

// Connect makes a client, which ends with the test.
type Connect func(t *testing.T, to Target) llm.Streamer

const (
	window = 512
	key    = "sk-real-0123456789abcdef"
	// patience is for one short reply on a busy machine.
	patience = 5 * time.Minute
)

// Run runs all; it skips by name where there is no server (see realserver).
func Run(t *testing.T, connect Connect) {
	t.Run("one server", func(t *testing.T) {
		defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
		server := realserver.Start(t, realserver.Options{Context: window, Key: key})
		to := Target{URL: server.URL, Model: server.Model, Key: server.Key}
		for _, c := range []struct {
			name string
			run  func(*testing.T, Connect, Target)
		}{
			{"plain chat", chat},
			{"another model's name", wrongModel},
			{"token cap", tokenCap},
			{"stop string", stopString},
			{"schema", schema},
			{"stream", stream},
			{"stream left early", leave},
			{"deadline and cancel", ended},
			{"several at a time", several},
		} {
			t.Run(c.name, func(t *testing.T) { c.run(t, connect, to) })
		}
		for _, c := range []struct {
			name string
			run  func(*testing.T, Connect, Target)
		}{
			{"context overflow", overflow},
			{"wrong key", wrongKey},
		} {
			t.Run(c.name, func(t *testing.T) {
				realserver.NeedProcess(t)
				c.run(t, connect, to)
			})
		}
		stop(t, server)
	})
	for _, c := range []struct {
		name string
		run  func(*testing.T, Connect)
	}{
		{"while the model loads", loading},
		{"killed in mid-request", killedInRequest},
		{"killed in mid-stream", killedInStream},
	} {
		t.Run(c.name, func(t *testing.T) {
			realserver.NeedProcess(t)
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			c.run(t, connect)
		})
	}
}

// stop ends a server before goroutines are counted.
func stop(t *testing.T, s *realserver.Server) {
	if s.Own() {
		s.Kill(t)
	}
}

func ask(text string, tokens int) llm.Request {
	return llm.Request{
		Messages:    []llm.Message{{Role: llm.System, Text: "You are a helpful assistant."}, {Role: llm.User, Text: text}},
		Temperature: new(0.0),
		Seed:        new(int64(0)),
		MaxTokens:   tokens,
	}
}

// story is a request whose reply takes seconds.
func story() llm.Request { return ask("Tell a long story about a boat.", 400) }

func generate(t *testing.T, m llm.Model, r llm.Request) llm.Response {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	got, err := m.Generate(ctx, r)
	if err != nil {
		t.Fatalf("Generate: %v", err)
	}
	if got.Latency <= 0 || got.Usage.Input <= 0 || got.Usage.Output <= 0 {
		t.Errorf("latency %v, usage %+v", got.Latency, got.Usage)
	}
	return got
}

func chat(t *testing.T, connect Connect, to Target) {
	r := generate(t, connect(t, to), ask("Say yes.", 8))
	if strings.TrimSpace(r.Text) == "" || r.Model != to.Model || r.Usage.Output > 8 {
		t.Errorf("%+v", r)
	}
}

// A server with one model answers whatever name it is asked for; the response
// names the one that did.
func wrongModel(t *testing.T, connect Connect, to Target) {
	want := to.Model
	to.Model = "no-such-model"
	if r := generate(t, connect(t, to), ask("Say yes.", 2)); r.Model != want {
		t.Errorf("the response names %q, and %q is served", r.Model, want)
	}
}

func tokenCap(t *testing.T, connect Connect, to Target) {
	r := generate(t, connect(t, to), ask("Tell a long story about a boat.", 4))
	if r.Stop != llm.StopLength || !errors.Is(r.Complete(), llm.ErrTruncated) || r.Usage.Output > 4 {
		t.Errorf("%+v", r)
	}
}

func stopString(t *testing.T, connect Connect, to Target) {
	req := ask("Tell a long story about a boat.", 60)
	req.Stop = []string{" a"}
	if r := generate(t, connect(t, to), req); strings.Contains(r.Text, " a") || r.Stop != llm.StopEnd {
		t.Errorf("%+v", r)
	}
}

func schema(t *testing.T, connect Connect, to Target) {
	req := ask("Which colour has the sky? Answer with JSON.", 32)
	req.Schema = json.RawMessage(`{"type":"object","properties":{"colour":{"type":"string","enum":["red","blue"]}},"required":["colour"],"additionalProperties":false}`)
	r := generate(t, connect(t, to), req)
	var got map[string]string
	if err := json.Unmarshal([]byte(r.Text), &got); err != nil || len(got) != 1 || got["colour"] != "red" && got["colour"] != "blue" {
		t.Errorf("%q does not satisfy the schema (%v)", r.Text, err)
	}
}

func stream(t *testing.T, connect Connect, to Target) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var text strings.Builder
	var done *llm.Response
	pieces := 0
	for p, err := range connect(t, to).Stream(ctx, ask("Count to ten.", 8)) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Text != "" {
			pieces++
		}
		text.WriteString(p.Text)
		done = p.Done
	}
	if done == nil || done.Text != text.String() || pieces < 2 || done.Model != to.Model || done.Usage.Output <= 0 {
		t.Errorf("%d pieces, %q, %+v", pieces, text.String(), done)
	}
}

// Leaving a stream frees the server for the next.
func leave(t *testing.T, connect Connect, to Target) {
	m := connect(t, to)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for p, err := range m.Stream(ctx, story()) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Text != "" {
			break
		}
	}
	generate(t, m, ask("Say yes.", 2))
}

func ended(t *testing.T, connect Connect, to Target) {
	m := connect(t, to)
	for _, streaming := range []bool{false, true} {
		for _, want := range []error{context.DeadlineExceeded, context.Canceled} {
			t.Run(fmt.Sprintf("stream %t, %v", streaming, want), func(t *testing.T) {
				const long = 500 * time.Millisecond
				ctx, cancel := context.WithTimeout(context.Background(), long)
				if errors.Is(want, context.Canceled) {
					cancel()
					ctx, cancel = context.WithCancel(context.Background())
					time.AfterFunc(long, cancel)
				}
				defer cancel()
				start := time.Now()
				var r llm.Response
				var err error
				if streaming {
					r, err = llm.Collect(m.Stream(ctx, story()))
				} else {
					r, err = m.Generate(ctx, story())
				}
				if !errors.Is(err, want) || r.Stop == llm.StopEnd {
					t.Errorf("error %v beside %+v, want %v", err, r, want)
				}
				if took := time.Since(start); took > long+5*time.Second {
					t.Errorf("the call ended after %v", took)
				}
			})
		}
	}
	generate(t, m, ask("Say yes.", 2)) // and goes on
}

func several(t *testing.T, connect Connect, to Target) {
	m := connect(t, to)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			if r, err := m.Generate(ctx, ask(fmt.Sprintf("Say %d.", i), 3)); err != nil || r.Text == "" {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
	wg.Wait()
}

func overflow(t *testing.T, connect Connect, to Target) {
	m := connect(t, to)
	long := ask(strings.Repeat("word ", 2*window), 4)
	_, whole := m.Generate(context.Background(), long)
	_, streamed := llm.Collect(m.Stream(context.Background(), long))
	for _, err := range []error{whole, streamed} {
		var w *llm.WindowError
		if !errors.Is(err, llm.ErrContextTooLong) || !errors.As(err, &w) || w.Window != window || w.Tokens <= window {
			t.Errorf("error %v, sizes %+v", err, w)
		}
	}
}

func wrongKey(t *testing.T, connect Connect, to Target) {
	to.Key = "sk-wrong-0123456789"
	_, err := connect(t, to).Generate(context.Background(), ask("Say yes.", 2))
	if !errors.Is(err, llm.ErrAuth) || strings.Contains(err.Error(), to.Key) {
		t.Errorf("error %v", err)
	}
}

// The port opens before the model is loaded.
func loading(t *testing.T, connect Connect) {
	server := realserver.Launch(t, realserver.Options{Context: window})
	m := connect(t, Target{URL: server.URL, Model: server.Model})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	refused := 0
	for {
		_, err := m.Generate(ctx, ask("Say yes.", 2))
		if err == nil {
			break
		}
		if !errors.Is(err, llm.ErrUnavailable) {
			t.Fatalf("error %v, want %v", err, llm.ErrUnavailable)
		}
		var e *llm.Error
		if errors.As(err, &e) && e.Status == 503 {
			refused++
		}
		time.Sleep(time.Millisecond)
	}
	if refused == 0 {
		t.Error("the server was never seen to load")
	}
	stop(t, server)
}

func killedInRequest(t *testing.T, connect Connect) {
	server := realserver.Start(t, realserver.Options{Context: window})
	m := connect(t, Target{URL: server.URL, Model: server.Model})
	failed := make(chan error, 1)
	go func() {
		_, err := m.Generate(context.Background(), story())
		failed <- err
	}()
	time.Sleep(500 * time.Millisecond)
	server.Kill(t)
	if err := <-failed; !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("error %v, want %v", err, llm.ErrUnavailable)
	}
	if _, err := m.Generate(context.Background(), story()); !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("afterwards: error %v, want %v", err, llm.ErrUnavailable)
	}
}

func killedInStream(t *testing.T, connect Connect) {
	server := realserver.Start(t, realserver.Options{Context: window})
	m := connect(t, Target{URL: server.URL, Model: server.Model})
	var failed error
	killed := false
	for p, err := range m.Stream(context.Background(), story()) {
		if p.Done != nil {
			t.Fatalf("a reply of a server that was killed: %+v", *p.Done)
		}
		if p.Text != "" && !killed {
			server.Kill(t)
			killed = true
		}
		failed = err
	}
	if !killed || !errors.Is(failed, llm.ErrTruncated) || !errors.Is(failed, llm.ErrUnavailable) {
		t.Errorf("killed %t, error %v", killed, failed)
	}
}
