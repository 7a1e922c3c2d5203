package conform

import (
	"context"
	"errors"
	"strings"

	"github.com/kgeval/kgeval/llm"
)

// pull ranges over one stream to its end, or over the first pieces only, and
// checks its form. whole is the reply, where there was one.
func pull(t tb, c config, s llm.Streamer, ctx context.Context, r llm.Request, pieces int) (whole *llm.Response, err error, ok bool) {
	t.Helper()
	type end struct {
		whole  *llm.Response
		text   string
		errors int
		beyond bool
	}
	e, err, ok := call(t, c, "Stream", func() (e end, err error) {
		var text strings.Builder
		n := 0
		for p, failed := range s.Stream(ctx, r) {
			e.beyond = e.beyond || e.whole != nil || e.errors > 0
			if failed != nil {
				err = failed
				e.errors++
				continue
			}
			text.WriteString(p.Text)
			if p.Done != nil {
				e.whole = p.Done
			}
			if n++; n == pieces {
				break
			}
		}
		e.text = text.String()
		return e, err
	})
	if !ok {
		return nil, nil, false
	}
	switch {
	case e.beyond:
		t.Errorf("a stream went on after its end")
	case pieces > 0 && e.whole == nil && err == nil: // left early
	case e.whole == nil && err == nil:
		t.Errorf("a stream ended with neither an error nor a piece that says Done")
	case e.whole != nil:
		checkResponse(t, *e.whole)
		if e.text != e.whole.Text {
			t.Errorf("the pieces say %q, and the whole reply is %q", e.text, e.whole.Text)
		}
	}
	return e.whole, err, true
}

func llmStreams(t tb, c config, fresh func() llm.Model) {
	m := fresh()
	s, ok := m.(llm.Streamer)
	if !ok {
		return
	}
	if s.Stream(context.Background(), ask("Say yes.")) == nil {
		t.Errorf("Stream returned nil")
		return
	}
	first, err, ok := pull(t, c, s, context.Background(), ask("Say yes."), 0)
	if !ok {
		return
	}
	if err != nil {
		t.Errorf("Stream: %v", err)
		return
	}
	if first == nil {
		return
	}
	if first.Text == "" && first.Stop == llm.StopEnd {
		t.Errorf("no text, and the stop reason says that this is the whole reply")
	}
	if !c.deterministic {
		return
	}
	if r, ok := generate(t, c, fresh(), ask("Say yes.")); ok && (r.Text != first.Text || r.Stop != first.Stop) {
		t.Errorf("streamed %q (%s), and at once %q (%s)", first.Text, first.Stop, r.Text, r.Stop)
	}
}

func llmStreamEnds(t tb, c config, fresh func() llm.Model) {
	s, ok := fresh().(llm.Streamer)
	if !ok {
		return
	}
	for want, ctx := range ended() {
		if whole, err, ok := pull(t, c, s, ctx, ask("Say yes."), 0); ok && (!errors.Is(err, want) || whole != nil) {
			t.Errorf("error %v, want one that wraps %v and no whole reply", err, want)
		}
	}
	if _, err, ok := pull(t, c, s, context.Background(), llm.Request{}, 0); ok && !errors.Is(err, llm.ErrEmptyRequest) {
		t.Errorf("error %v for a request without messages, want one that wraps %v", err, llm.ErrEmptyRequest)
	}
	checkLeaks(t, c, "leaving a stream", func() { pull(t, c, s, context.Background(), ask("Count to five in words."), 1) })
	// The same sequence asks anew.
	seq := s.Stream(context.Background(), ask("Say yes."))
	for range 2 {
		if _, err, ok := call(t, c, "Stream", func() (llm.Response, error) { return llm.Collect(seq) }); ok && err != nil {
			t.Errorf("a sequence that is ranged over twice: %v", err)
		}
	}
}
