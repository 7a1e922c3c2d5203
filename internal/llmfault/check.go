package llmfault

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/llm"
)

// Check fails if a client's answer to a case is not the one that the case wants: the
// whole reply, or an error of every kind in Want with the sizes and the wait, and
// nothing that passes for a reply.
func Check(t testing.TB, c Case, r llm.Response, err error) {
	t.Helper()
	if len(c.Want) == 0 {
		if err != nil {
			t.Fatalf("error %v, want a reply", err)
		}
		if r.Text != c.Reply || r.Stop != c.Stop {
			t.Errorf("got %q (%s), want %q (%s)", r.Text, r.Stop, c.Reply, c.Stop)
		}
		if r.Latency <= 0 || r.Model != Model {
			t.Errorf("latency %v, model %q", r.Latency, r.Model)
		}
		return
	}
	if err == nil {
		t.Fatalf("got the reply %q (%s), want an error", r.Text, r.Stop)
	}
	if r.Stop == llm.StopEnd {
		t.Errorf("a response beside the error says that it is whole: %+v", r)
	}
	for _, want := range c.Want {
		if !errors.Is(err, want) {
			t.Errorf("error %q, want one that is %q", err, want)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		t.Errorf("error %q says that the caller's context ended", err)
	}
	if wait, _ := llm.RetryAfter(err); wait != c.RetryAfter {
		t.Errorf("wait %v, want %v", wait, c.RetryAfter)
	}
	var w *llm.WindowError
	switch found := errors.As(err, &w); {
	case c.Window == nil && found:
		t.Errorf("sizes %+v, want none", *w)
	case c.Window != nil && (!found || *w != *c.Window):
		t.Errorf("sizes %+v, want %+v", w, *c.Window)
	}
	Untold(t, err)
}

// Untold fails if an error tells what must stay untold (keys, headers, texts of the
// reply), at any depth.
func Untold(t testing.TB, err error) {
	t.Helper()
	for _, form := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err)} {
		for _, untold := range []string{Key, "sk-te", "ghij", "uncle in Porto", "?key=", "<html"} {
			if strings.Contains(form, untold) {
				t.Errorf("the error tells %q: %s", untold, form)
			}
		}
	}
	if len(err.Error()) > 600 {
		t.Errorf("an error of %d bytes", len(err.Error()))
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			Untold(t, inner)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			Untold(t, inner)
		}
	}
}
