package answer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/answer"
	"github.com/kgeval/kgeval/llm/llmtest"
)

func newAnswerer(t testing.TB, m llm.Model, o answer.Options) *answer.Answerer {
	t.Helper()
	a, err := answer.New(m, o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestSamples(t *testing.T) {
	m := llmtest.New(func(_ context.Context, _ int, r llm.Request) (llm.Response, error) {
		return llm.Response{Text: fmt.Sprintf("<think>Hm.</think>\nAnswer %d.\n", r.Sample), Usage: llm.Usage{Output: 3}}, nil
	})
	got, err := newAnswerer(t, m, answer.Options{Samples: 5, Temperature: 0.8, Seed: new(int64(10)), MaxTokens: 50}).Ask(context.Background(), "Who hired Bo?", "Ana hired Bo.", " ", "Bo left.")
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range got {
		if a.Text != fmt.Sprintf("Answer %d.", i) || a.Sample != i || a.Err != nil || a.Usage.Output != 3 || a.Model == "" {
			t.Errorf("sample %d: %+v", i, a)
		}
	}
	for _, r := range m.Requests() {
		if *r.Temperature != 0.8 || *r.Seed != int64(10+r.Sample) || r.MaxTokens != 50 {
			t.Errorf("request of sample %d: temperature %v, seed %v", r.Sample, *r.Temperature, *r.Seed)
		}
		if s := r.Messages[len(r.Messages)-1].Text; !strings.Contains(s, "Passage 1:") || !strings.Contains(s, "Passage 2:") || strings.Contains(s, "Passage 3:") {
			t.Errorf("request %q", s)
		}
	}
}

// The temperature is 0 on the wire unless another is asked for.
func TestTemperatureZero(t *testing.T) {
	m := llmtest.Script(llmtest.Say("Ana."))
	if _, err := newAnswerer(t, m, answer.Options{}).Ask(context.Background(), "Who?", "Ana hired Bo."); err != nil {
		t.Fatal(err)
	}
	if r := m.Requests()[0]; r.Temperature == nil || *r.Temperature != 0 || r.Seed != nil {
		t.Errorf("temperature %v, seed %v", r.Temperature, r.Seed)
	}
}

// A sample that fails, is cut or is empty says so, and the others stand.
func TestFailures(t *testing.T) {
	m := llmtest.Script(
		llmtest.Say("Ana."),
		llmtest.Fail(&llm.Error{Kind: llm.ErrUnavailable}),
		llmtest.Step{Response: llm.Response{Text: "Ana hir", Stop: llm.StopLength}},
		llmtest.Say(" "),
		llmtest.Step{Response: llm.Response{Stop: llm.StopRefused}},
		llmtest.Say("I'm sorry, I can't say."))
	got, err := newAnswerer(t, m, answer.Options{Samples: 6, Concurrency: 1}).Ask(context.Background(), "Who?", "Ana hired Bo.")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []error{nil, llm.ErrUnavailable, llm.ErrTruncated, errAny, llm.ErrRefused, nil} {
		if e := got[i].Err; want == nil && e != nil || want == errAny && e == nil || want != nil && want != errAny && !errors.Is(e, want) {
			t.Errorf("sample %d: %v, want %v", i, e, want)
		}
	}
	if got[2].Text != "Ana hir" || got[5].Text != "I'm sorry, I can't say." {
		t.Errorf("texts %q, %q", got[2].Text, got[5].Text)
	}
}

var errAny = errors.New("any")

func TestBadInput(t *testing.T) {
	m := llmtest.Script()
	a := newAnswerer(t, m, answer.Options{})
	for _, in := range [][]string{{"", "Ana hired Bo."}, {"Who?"}, {"Who?", "", " \n"}} {
		if _, err := a.Ask(context.Background(), in[0], in[1:]...); err == nil {
			t.Errorf("%q is no error", in)
		}
	}
	if len(m.Requests()) > 0 {
		t.Error("the model was asked")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := a.Ask(ctx, "Who?", "Ana."); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for _, o := range []answer.Options{{Samples: -1}, {Temperature: -1}, {MaxTokens: -1}} {
		if _, err := answer.New(m, o); err == nil {
			t.Errorf("%+v is no error", o)
		}
	}
	if _, err := answer.New(nil, answer.Options{}); err == nil {
		t.Error("a nil model is no error")
	}
}

func ExampleAnswerer_Ask() {
	// Any llm.Model: llm/openai.New(…), or one that a test scripts.
	a, err := answer.New(llmtest.Script(llmtest.Say("It opened in 1995.")), answer.Options{})
	if err != nil {
		panic(err)
	}
	all, err := a.Ask(context.Background(), "When did the museum open?", "The museum opened in 1995.")
	if err != nil {
		panic(err)
	}
	fmt.Println(all[0].Text)
	// Output:
	// It opened in 1995.
}
