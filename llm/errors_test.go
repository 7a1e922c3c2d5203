package llm_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/llmtest"
)

func TestErrorWrapsKindAndCause(t *testing.T) {
	e := &llm.Error{Kind: llm.ErrRateLimited, Status: 429, RetryAfter: 2 * time.Second, Message: "slow down", Cause: io.ErrUnexpectedEOF}
	err := fmt.Errorf("outer: %w", e)
	if !errors.Is(err, llm.ErrRateLimited) || !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, llm.ErrAuth) {
		t.Errorf("%v wraps the wrong errors", err)
	}
	if d, ok := llm.RetryAfter(err); d != 2*time.Second || !ok {
		t.Errorf("RetryAfter is %v, %v", d, ok)
	}
	for _, part := range []string{"rate limited", "429", "2s", "slow down", "unexpected EOF"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q lacks %q", err, part)
		}
	}
	if d, ok := llm.RetryAfter(&llm.Error{Kind: llm.ErrUnavailable, Cause: err}); d != 2*time.Second || !ok {
		t.Errorf("within another, RetryAfter is %v, %v", d, ok)
	}
	for _, none := range []error{nil, io.EOF, &llm.Error{}, &llm.Error{Kind: llm.ErrRateLimited}} {
		if d, ok := llm.RetryAfter(none); d != 0 || ok {
			t.Errorf("RetryAfter(%v) is %v, %v", none, d, ok)
		}
	}
	if s := (&llm.Error{}).Error(); s == "" || (&llm.Error{}).Unwrap() != nil {
		t.Errorf("the zero Error says %q", s)
	}
}

func TestComplete(t *testing.T) {
	for stop, want := range map[llm.StopReason]error{
		llm.StopEnd:     nil,
		llm.StopLength:  llm.ErrTruncated,
		llm.StopRefused: llm.ErrRefused,
		llm.StopUnknown: llm.ErrTruncated,
		"":              llm.ErrTruncated,
		"tool_calls":    llm.ErrTruncated,
	} {
		err := llm.Response{Text: "half", Stop: stop}.Complete()
		if !errors.Is(err, want) || (want == nil) != (err == nil) {
			t.Errorf("%q: %v, want %v", stop, err, want)
		}
		var incomplete *llm.IncompleteError
		if err != nil && (!errors.As(err, &incomplete) || incomplete.Text != "half" || strings.Contains(err.Error(), "half")) {
			t.Errorf("%q: %v", stop, err)
		}
	}
}

func TestKindsOfBadRequests(t *testing.T) {
	for _, c := range []struct {
		err  error
		want error
	}{
		{llm.ErrEmptyRequest, llm.ErrBadRequest},
		{&llm.RequestError{Field: "TopK"}, llm.ErrBadRequest},
		{&llm.UnsupportedError{Fields: []string{"Seed"}}, llm.ErrUnsupported},
		{&llm.UnsupportedError{Fields: []string{"Seed"}}, errors.ErrUnsupported},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%v is not %v", c.err, c.want)
		}
	}
}

// A library's error that only tells of a context in its text wraps the context's
// error afterwards, and its own.
func TestContextError(t *testing.T) {
	text := errors.New("post: context canceled")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		want []error
	}{
		{"alive, no error", t.Context(), nil, nil},
		{"alive", t.Context(), text, []error{text}},
		{"ended, no error", ended, nil, []error{context.Canceled}},
		{"ended", ended, text, []error{context.Canceled, text}},
		{"ended and said so", ended, fmt.Errorf("x: %w", context.Canceled), []error{context.Canceled}},
	} {
		err := llm.ContextError(c.ctx, c.err)
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, want := range c.want {
			if !errors.Is(err, want) {
				t.Errorf("%s: %v does not wrap %v", c.name, err, want)
			}
		}
	}
}

// plain is a model without streams.
type plain struct{ llm.Model }

func TestStream(t *testing.T) {
	sad := errors.New("sad")
	for _, c := range []struct {
		name   string
		model  llm.Model
		pieces int
		text   string
		err    error
	}{
		{"streamer", llmtest.Script(llmtest.Say("a b c")), 4, "a b c", nil},
		{"no streamer", plain{llmtest.Script(llmtest.Say("a b c"))}, 1, "a b c", nil},
		{"streamer fails half-way", llmtest.Script(llmtest.Step{Response: llm.Response{Text: "a b"}, Err: sad}), 3, "a b", sad},
		{"no streamer fails", plain{llmtest.Script(llmtest.Fail(sad))}, 1, "", sad},
	} {
		n := 0
		count := func(yield func(llm.Piece, error) bool) {
			for p, err := range llm.Stream(t.Context(), c.model, empty()) {
				n++
				if !yield(p, err) {
					return
				}
			}
		}
		r, err := llm.Collect(count)
		if r.Text != c.text || !errors.Is(err, c.err) || n != c.pieces {
			t.Errorf("%s: %q, %v in %d pieces", c.name, r.Text, err, n)
		}
		if err != nil && r.Complete() == nil {
			t.Errorf("%s: half a reply counts as whole", c.name)
		}
	}
}

// A stream that just ends is no reply.
func TestCollectACutStream(t *testing.T) {
	for n := range 3 {
		r, err := llm.Collect(func(yield func(llm.Piece, error) bool) {
			for range n {
				yield(llm.Piece{Text: "a"}, nil)
			}
		})
		if !errors.Is(err, llm.ErrTruncated) || r.Text != strings.Repeat("a", n) || r.Complete() == nil {
			t.Errorf("%d pieces: %+v, %v", n, r, err)
		}
	}
}

// Each error has a word of its own, and a context's end counts before what it
// made fail.
func TestKind(t *testing.T) {
	seen := map[string]error{}
	for _, err := range []error{
		context.Canceled, context.DeadlineExceeded, llm.ErrRateLimited, llm.ErrUnavailable, llm.ErrContextTooLong, llm.ErrAuth,
		llm.ErrBadRequest, llm.ErrUnsupported, llm.ErrBadReply, llm.ErrTruncated, llm.ErrRefused,
	} {
		kind := llm.Kind(fmt.Errorf("outer: %w", &llm.Error{Cause: err}))
		if kind == "" || seen[kind] != nil {
			t.Errorf("%v is %q, as is %v", err, kind, seen[kind])
		}
		seen[kind] = err
	}
	if k := llm.Kind(&llm.Error{Kind: llm.ErrUnavailable, Cause: context.Canceled}); k != "canceled" {
		t.Errorf("a call that was given up is %q", k)
	}
	for _, err := range []error{nil, io.EOF} {
		if k := llm.Kind(err); k != "" {
			t.Errorf("%v is %q", err, k)
		}
	}
}
