package conform

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/kgeval/kgeval/llm"
)

// LLM tests the contract of llm.Model, and that of llm.Streamer where the model
// is one. fresh returns a model that is ready; every
// call must give one that behaves the same. The suite makes about a hundred
// short calls, and one for each odd text.
func LLM(t *testing.T, fresh func() llm.Model, options ...Option) {
	t.Helper()
	run(t, llmRules, fresh, defaults(false), options)
}

var llmRules = []rule[llm.Model]{
	{"the ID is not empty and does not change", llmID},
	{"a plain request has a reply", llmReplies},
	{"a request without messages is llm.ErrEmptyRequest", llmNoMessages},
	{"a context that has ended is an error that wraps its error", llmEnded},
	{"a call ends with its context", llmCancel},
	{"the request is not changed", llmInputs},
	{"the same request gives the same reply", llmDeterministic},
	{"odd texts have a reply or an error", llmOdd},
	{"safe for concurrent use", llmConcurrent},
	{"no goroutines stay behind", llmLeaks},
	{"a stream is one reply in pieces, and says when it ends", llmStreams},
	{"a stream fails as a call does, and may be left", llmStreamEnds},
}

// ask makes a request that is as repeatable as a model allows.
func ask(text string) llm.Request {
	temperature, seed := 0.0, int64(1)
	return llm.Request{
		Messages:    []llm.Message{{Role: llm.User, Text: text}},
		Temperature: &temperature,
		Seed:        &seed,
		MaxTokens:   64,
	}
}

// generate calls m; ok is true when there is a sound response.
func generate(t tb, c config, m llm.Model, r llm.Request) (llm.Response, bool) {
	t.Helper()
	out, err, ok := call(t, c, "Generate", func() (llm.Response, error) { return m.Generate(context.Background(), r) })
	if !ok {
		return llm.Response{}, false
	}
	if err != nil {
		t.Errorf("Generate: %v", err)
		return llm.Response{}, false
	}
	checkResponse(t, out)
	return out, true
}

func checkResponse(t tb, r llm.Response) {
	t.Helper()
	switch r.Stop {
	case llm.StopEnd, llm.StopLength, llm.StopRefused, llm.StopUnknown:
	default:
		t.Errorf("the stop reason is %q, which is none of the package's", r.Stop)
	}
	if r.Usage.Input < 0 || r.Usage.Output < 0 {
		t.Errorf("the usage is %+v, less than nothing", r.Usage)
	}
	if r.Latency < 0 {
		t.Errorf("the latency is %v, less than nothing", r.Latency)
	}
}

func llmID(t tb, c config, fresh func() llm.Model) {
	m := fresh()
	before := m.ID()
	generate(t, c, m, ask("Say yes."))
	checkID(t, before, m.ID(), fresh().ID())
}

func llmReplies(t tb, c config, fresh func() llm.Model) {
	m := fresh()
	r, ok := generate(t, c, m, ask("Say yes."))
	if ok && r.Text == "" && r.Stop == llm.StopEnd {
		t.Errorf("no text, and the stop reason says that this is the whole reply")
	}
	generate(t, c, m, llm.Request{Messages: []llm.Message{
		{Role: llm.System, Text: "You answer with one word."},
		{Role: llm.User, Text: "Is water wet?"},
		{Role: llm.Assistant, Text: "Yes."},
		{Role: llm.User, Text: "And ice?"},
	}})
}

func llmNoMessages(t tb, c config, fresh func() llm.Model) {
	m := fresh()
	for _, r := range []llm.Request{{}, {Messages: []llm.Message{}, MaxTokens: 5}} {
		_, err, ok := call(t, c, "Generate", func() (llm.Response, error) { return m.Generate(context.Background(), r) })
		if ok && !errors.Is(err, llm.ErrEmptyRequest) {
			t.Errorf("error %v for a request without messages, want one that wraps %v", err, llm.ErrEmptyRequest)
		}
	}
}

func llmEnded(t tb, c config, fresh func() llm.Model) {
	m := fresh()
	for want, ctx := range ended() {
		_, err, ok := call(t, c, "Generate", func() (llm.Response, error) { return m.Generate(ctx, ask("Say yes.")) })
		if ok && !errors.Is(err, want) {
			t.Errorf("error %v, want one that wraps %v", err, want)
		}
	}
}

func llmCancel(t tb, c config, fresh func() llm.Model) {
	m := fresh()
	checkCancel(t, c, func(ctx context.Context) (int, error) {
		r, err := m.Generate(ctx, ask("Count to one hundred in words."))
		if err == nil && r.Stop == "" {
			return 0, nil
		}
		return 1, err
	}, 1)
}

func llmInputs(t tb, c config, fresh func() llm.Model) {
	build := func() llm.Request {
		r := ask("Say yes.")
		topP, topK := 0.9, 40
		r.TopP, r.TopK = &topP, &topK
		r.Messages = append(r.Messages, llm.Message{Role: llm.Assistant, Text: "Yes."}, llm.Message{Role: llm.User, Text: "Again."})
		r.Stop = []string{"STOP", "END"}
		r.Schema = []byte(`{"type": "string"}`)
		return r
	}
	r, want := build(), build()
	// Appending to the request's slices must not write behind them either.
	behind := llm.Message{Role: llm.User, Text: "not part of the request"}
	whole := append(slices.Clone(r.Messages), behind)
	r.Messages = whole[:len(whole)-1]
	generate(t, c, fresh(), r)
	if !reflect.DeepEqual(r, want) {
		t.Errorf("the caller's request was changed from %+v to %+v", want, r)
	}
	if whole[len(whole)-1] != behind {
		t.Errorf("the caller's messages were appended to in place")
	}
}

func llmDeterministic(t tb, c config, fresh func() llm.Model) {
	if !c.deterministic {
		return
	}
	m := fresh()
	for _, text := range []string{"Say yes.", "Name a colour."} {
		first, ok := generate(t, c, m, ask(text))
		if !ok {
			return
		}
		for turn, n := range []llm.Model{m, fresh()} {
			again, ok := generate(t, c, n, ask(text))
			if !ok {
				return
			}
			if first.Text != again.Text || first.Stop != again.Stop {
				t.Errorf("%q: %q (%s), and in turn %d %q (%s)", text, first.Text, first.Stop, turn+2, again.Text, again.Stop)
				return
			}
		}
	}
}

func llmOdd(t tb, c config, fresh func() llm.Model) {
	m := fresh()
	for _, o := range oddTexts(c) {
		out, err, ok := call(t, c, o.name, func() (llm.Response, error) { return m.Generate(context.Background(), ask(o.text)) })
		if !ok {
			return
		}
		if err == nil {
			checkResponse(t, out)
		}
	}
}

func llmConcurrent(t tb, c config, fresh func() llm.Model) {
	m := fresh()
	const callers = 8
	question := func(i int) llm.Request { return ask(fmt.Sprintf("What is %d plus %d?", i, i)) }
	var want [callers]llm.Response
	for i := range want {
		var ok bool
		if want[i], ok = generate(t, c, m, question(i)); !ok {
			return
		}
	}
	concurrently(callers, func(i int) {
		for range 3 {
			got, ok := generate(t, c, m, question(i))
			if !ok {
				return
			}
			if c.deterministic && got.Text != want[i].Text {
				t.Errorf("alone %q, beside other calls %q", want[i].Text, got.Text)
				return
			}
		}
	})
}

func llmLeaks(t tb, c config, fresh func() llm.Model) {
	m := fresh()
	checkLeaks(t, c, "calling Generate", func() {
		call(t, c, "Generate", func() (llm.Response, error) { return m.Generate(context.Background(), ask("Say yes.")) })
	})
	checkLeaks(t, c, "cancelling Generate", func() {
		ctx, cancel := cancelAfter(1)
		defer cancel()
		call(t, c, "Generate", func() (llm.Response, error) { return m.Generate(ctx, ask("Say yes.")) })
	})
}
