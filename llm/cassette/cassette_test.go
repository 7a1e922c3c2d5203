package cassette_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/cassette"
	"github.com/kgeval/kgeval/llm/llmtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func ask(texts ...string) llm.Request {
	var r llm.Request
	for _, s := range texts {
		r.Messages = append(r.Messages, llm.Message{Role: llm.User, Text: s})
	}
	return r
}

func open(t *testing.T, path string, o cassette.Options) *cassette.Cassette {
	t.Helper()
	c, err := cassette.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// record makes a cassette of what m says to the requests.
func record(t *testing.T, m llm.Model, o cassette.Options, requests ...llm.Request) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "c.json")
	o.Mode = cassette.Record
	c := open(t, path, o)
	for _, r := range requests {
		if _, err := c.Model(m).Generate(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// never is a model that must not be asked.
func never(t *testing.T) *llmtest.Model {
	return llmtest.New(func(context.Context, int, llm.Request) (llm.Response, error) {
		t.Error("the model was asked")
		return llm.Response{Text: "?"}, nil
	})
}

// What is played back is what was recorded, with every field, whatever bytes
// are in it.
func TestRoundTrip(t *testing.T) {
	odd := []string{
		"", "\n", "a\n", "\na", "\r\n", "a\tb", " a ", "\x00\x01\x7f", "\xff\xfe", "a\xc3", "\u2028\u2029\ufeff", `{"a": [1, "<b>&"]}`,
		"[\"x\"]", strings.Repeat("long ", 10000), "```json\n[]\n```\n", "柿子", "\U0001F600", "\ufffd",
	}
	for i, s := range odd {
		want := llm.Response{
			Text: s, Stop: llm.StopEnd, Usage: llm.Usage{Input: 1, Output: 2, CachedInput: 3}, Model: "m" + s, Latency: 1234567 * time.Microsecond,
			LogProbs: []llm.TokenLogProbs{{TokenProb: llm.TokenProb{Token: s, LogProb: -0.1}, Top: []llm.TokenProb{{Token: s + "!", LogProb: -1e-300}}}},
		}
		v := reflect.ValueOf(want)
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; s != "" && name != "Cached" && v.Field(i).IsZero() {
				t.Fatalf("the test does not set %s", name)
			}
		}
		req := llm.Request{
			Messages:    []llm.Message{{Role: llm.System, Text: s}, {Role: llm.User, Text: s + s}},
			Temperature: new(0.0), TopP: new(0.1), TopK: new(1), Seed: new(int64(-1 << 63)), MaxTokens: 5,
			Stop: []string{"x" + s}, Schema: []byte("{\n \"type\":\t\"array\" }"), LogProbs: 3, Sample: 4,
		}
		inner := llmtest.Script(llmtest.Step{Response: want})
		inner.Name = "model " + s
		path := record(t, inner, cassette.Options{}, req)
		inner.Reply = never(t).Reply
		got, err := open(t, path, cassette.Options{}).Model(inner).Generate(t.Context(), req)
		want.Cached = true
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("text %d: got %+v, %v\nwant %+v", i, got, err, want)
		}
	}
}

// The file is for reading: one line of text is one line of the file.
func TestTheFile(t *testing.T) {
	req := ask("Who leads Team Red?\nOne name.")
	req.Messages = append([]llm.Message{{Role: llm.System, Text: "Answer <briefly> & well."}}, req.Messages...)
	req.Temperature = new(0.0)
	req.Schema = []byte(`{"type":"string"}`)
	inner := llmtest.Script(llmtest.Step{Response: llm.Response{
		Text: "Noor\n  leads it.\n", Stop: llm.StopLength, Model: "tiny-2026", Latency: 1500 * time.Millisecond, Usage: llm.Usage{Input: 12, Output: 4},
	}})
	inner.Name = "openai/tiny"
	got, err := os.ReadFile(record(t, inner, cassette.Options{}, req))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
  "cassette": 1,
  "recordings": [
    {
      "model": "openai/tiny",
      "request": {
        "temperature": 0,
        "schema": "{\"type\":\"string\"}",
        "messages": [
          {
            "role": "system",
            "text": "Answer <briefly> & well."
          },
          {
            "role": "user",
            "text": [
              "Who leads Team Red?",
              "One name."
            ]
          }
        ]
      },
      "response": {
        "stop": "length",
        "model": "tiny-2026",
        "latency": "1.5s",
        "usage": {
          "input": 12,
          "output": 4
        },
        "text": [
          "Noor",
          "  leads it.",
          ""
        ]
      }
    }
  ]
}
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A request that differs in any field is a miss, and the error says where.
func TestEveryFieldMatters(t *testing.T) {
	full := llm.Request{
		Messages:    []llm.Message{{Role: llm.System, Text: "Be brief."}, {Role: llm.User, Text: "Hello"}, {Role: llm.User, Text: "you"}},
		Temperature: new(0.0), TopP: new(0.5), TopK: new(3), Seed: new(int64(0)), MaxTokens: 7,
		Stop: []string{"\n", "END"}, Schema: []byte(`{"type":"array"}`), LogProbs: 2, Sample: 1,
	}
	inner := llmtest.New(llmtest.Echo)
	path := record(t, inner, cassette.Options{}, full)
	m := open(t, path, cassette.Options{}).Model(never(t))
	tried := 0
	for place, req := range llmtest.Variants(full) {
		if llm.Validate(req) != nil {
			continue
		}
		tried++
		_, err := m.Generate(t.Context(), req)
		var miss *cassette.MissError
		if !errors.As(err, &miss) || miss.Nearest != 1 || miss.Diff == "" {
			t.Errorf("%s: %v", place, err)
			continue
		}
		name := strings.ToLower(strings.FieldsFunc(place, func(r rune) bool { return r == '[' || r == ' ' })[0])
		if !strings.Contains(strings.ReplaceAll(miss.Diff, "_", ""), name) {
			t.Errorf("%s: the error does not say so:\n%v", place, err)
		}
	}
	if tried < 15 {
		t.Errorf("only %d variants", tried)
	}
	if _, err := m.Generate(t.Context(), full); err != nil {
		t.Error(err)
	}
}

func TestAMissNamesTheNearest(t *testing.T) {
	text := "Read the text.\nMina wrote Song 4 in Oslo.\nList its facts.\n"
	path := record(t, llmtest.New(llmtest.Echo), cassette.Options{}, ask("Hello there"), ask(text), ask("Another thing altogether"))
	m := open(t, path, cassette.Options{}).Model(never(t))
	changed := ask(strings.Replace(text, "Oslo", "Bergen", 1))
	changed.Temperature = new(0.0)
	_, err := m.Generate(t.Context(), changed)
	var miss *cassette.MissError
	if !errors.As(err, &miss) {
		t.Fatal(err)
	}
	const want = `  messages[0].text, from line 2:
    - "Mina wrote Song 4 in Oslo."
    + "Mina wrote Song 4 in Bergen."
  temperature:
    - (unset)
    + 0`
	if got := strings.ReplaceAll(miss.Diff, `"0"`, "0"); miss.Nearest != 2 || got != want {
		t.Errorf("nearest is %d, with\n%s\nwant\n%s", miss.Nearest, got, want)
	}
	if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), miss.Diff) {
		t.Errorf("error: %v", err)
	}
}

// However long the texts, the error stays short, and shows the place.
func TestAMissIsBounded(t *testing.T) {
	line := strings.Repeat("é", 5000)
	many := strings.Repeat("line\n", 5000)
	path := record(t, llmtest.New(llmtest.Echo), cassette.Options{}, ask(line+"here"+line), ask(many))
	m := open(t, path, cassette.Options{}).Model(never(t))
	for _, c := range []struct{ text, shows string }{
		{line + "there" + line, "there"},
		{strings.ReplaceAll(many, "line", "row"), "row"},
		{"\xff\xfe" + line, `\xff`},
	} {
		_, err := m.Generate(t.Context(), ask(c.text))
		if err == nil || len(err.Error()) > 6000 || !strings.Contains(err.Error(), c.shows) {
			t.Errorf("the error has %d bytes: %.300v", len(fmt.Sprint(err)), err)
		}
	}
}

func TestModes(t *testing.T) {
	inner := llmtest.New(func(_ context.Context, n int, req llm.Request) (llm.Response, error) {
		return llm.Response{Text: fmt.Sprint("answer ", n)}, nil
	})
	path := record(t, inner, cassette.Options{}, ask("a"), ask("b"))

	c := open(t, path, cassette.Options{Mode: cassette.Extend})
	for _, q := range []string{"b", "c", "c"} {
		r, err := c.Model(inner).Generate(t.Context(), ask(q))
		want := map[string]string{"b": "answer 1", "c": "answer 2"}[q]
		if err != nil || r.Text != want {
			t.Errorf("Extend, %s: %q, %v", q, r.Text, err)
		}
	}
	if u := c.Unused(); len(u) != 1 || !strings.Contains(u[0], "recording 1") || !strings.Contains(u[0], `"a"`) {
		t.Errorf("unused: %q", u)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}

	c = open(t, path, cassette.Options{})
	for q, want := range map[string]string{"a": "answer 0", "b": "answer 1", "c": "answer 2"} {
		if r, err := c.Model(never(t)).Generate(t.Context(), ask(q)); err != nil || r.Text != want || !r.Cached {
			t.Errorf("Replay, %s: %q, %v", q, r.Text, err)
		}
	}
	if u := c.Unused(); len(u) != 0 {
		t.Errorf("unused: %q", u)
	}
	if _, err := c.Model(nil).Generate(t.Context(), ask("a")); err != nil || c.Model(nil).ID() != inner.ID() {
		t.Errorf("without a model: %v, ID %s", err, c.Model(nil).ID())
	}

	c = open(t, path, cassette.Options{Mode: cassette.Record})
	if r, err := c.Model(inner).Generate(t.Context(), ask("a")); err != nil || r.Text != "answer 3" {
		t.Errorf("Record: %q, %v", r.Text, err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Model(inner).Generate(t.Context(), ask("z")); err == nil {
		t.Error("a request after Close")
	}
	c = open(t, path, cassette.Options{})
	if _, err := c.Model(never(t)).Generate(t.Context(), ask("b")); err == nil {
		t.Error("Record kept what nobody asked for")
	}

	if _, err := cassette.Open(filepath.Join(t.TempDir(), "none.json"), cassette.Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Replay of nothing: %v", err)
	}
	if _, err := cassette.Open(path, cassette.Options{Mode: 7}); err == nil {
		t.Error("mode 7")
	}
}

// Several models share a cassette; a nil model is then an error.
func TestModelsAreToldApart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	a, b := llmtest.New(llmtest.Echo), llmtest.Script(llmtest.Say("b's"))
	a.Name, b.Name = "a", "b"
	c := open(t, path, cassette.Options{Mode: cassette.Record})
	for _, m := range []llm.Model{a, b} {
		if _, err := c.Model(m).Generate(t.Context(), ask("hi")); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	c = open(t, path, cassette.Options{})
	for m, want := range map[llm.Model]string{a: "You said: hi", b: "b's"} {
		if r, err := c.Model(m).Generate(t.Context(), ask("hi")); err != nil || r.Text != want {
			t.Errorf("%s: %q, %v", m.ID(), r.Text, err)
		}
	}
	if _, err := c.Model(nil).Generate(t.Context(), ask("hi")); err == nil {
		t.Error("no model, and two to choose from")
	}
}

// A reply that was cut or refused is played back as that, and an error is not
// recorded.
func TestIncompleteStaysIncomplete(t *testing.T) {
	sad := errors.New("sad")
	inner := llmtest.Script(
		llmtest.Fail(sad),
		llmtest.Step{Response: llm.Response{Text: "ha", Stop: llm.StopLength}},
		llmtest.Step{Response: llm.Response{Text: "no", Stop: llm.StopRefused}},
		llmtest.Step{Response: llm.Response{Text: "hm", Stop: llm.StopUnknown}},
	)
	path := filepath.Join(t.TempDir(), "c.json")
	c := open(t, path, cassette.Options{Mode: cassette.Record})
	if _, err := c.Model(inner).Generate(t.Context(), ask("0")); !errors.Is(err, sad) {
		t.Errorf("error %v", err)
	}
	for i := range 3 {
		if _, err := c.Model(inner).Generate(t.Context(), ask(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	m := open(t, path, cassette.Options{}).Model(inner)
	for i, want := range []llm.StopReason{llm.StopLength, llm.StopRefused, llm.StopUnknown} {
		if r, err := m.Generate(t.Context(), ask(fmt.Sprint(i))); err != nil || r.Stop != want || r.Complete() == nil {
			t.Errorf("%d: %+v, %v", i, r, err)
		}
	}
}

func TestStream(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	inner := llmtest.Script(llmtest.Step{Response: llm.Response{Text: "one two"}, Err: errors.New("cut")}, llmtest.Say("one two three"))
	c := open(t, path, cassette.Options{Mode: cassette.Record})
	if _, err := llm.Collect(c.Model(inner).Stream(t.Context(), ask("hi"))); err == nil {
		t.Error("a cut stream is whole")
	}
	for range c.Model(inner).Stream(t.Context(), ask("hi")) {
		break // half a reply is not recorded
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was recorded: %v", err)
	}
	inner = llmtest.Script(llmtest.Say("one two three"))
	c = open(t, path, cassette.Options{Mode: cassette.Record})
	if r, err := llm.Collect(c.Model(inner).Stream(t.Context(), ask("hi"))); err != nil || r.Text != "one two three" || r.Cached {
		t.Errorf("%+v, %v", r, err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	c = open(t, path, cassette.Options{})
	if r, err := llm.Collect(c.Model(never(t)).Stream(t.Context(), ask("hi"))); err != nil || r.Text != "one two three" || !r.Cached {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := llm.Collect(c.Model(never(t)).Stream(t.Context(), ask("ho"))); !errors.As(err, new(*cassette.MissError)) {
		t.Errorf("error %v", err)
	}
}

// Callers at once: every reply is recorded once, equal requests have one reply.
func TestRecordConcurrently(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	inner := llmtest.New(func(_ context.Context, n int, req llm.Request) (llm.Response, error) {
		return llm.Response{Text: fmt.Sprint(req.Messages[0].Text, n)}, nil
	})
	c := open(t, path, cassette.Options{Mode: cassette.Record})
	m := c.Model(inner)
	said := make([]string, 100)
	var wg sync.WaitGroup
	for i := range said {
		wg.Go(func() {
			r, err := m.Generate(t.Context(), ask(fmt.Sprint(i%25)))
			if err != nil {
				t.Error(err)
			}
			said[i] = r.Text
		})
	}
	wg.Wait()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	c = open(t, path, cassette.Options{})
	for i, want := range said {
		if r, err := c.Model(inner).Generate(t.Context(), ask(fmt.Sprint(i%25))); err != nil || r.Text != want {
			t.Errorf("%d: %q, %v, want %q", i, r.Text, err, want)
		}
	}
}

// A recording that was never closed has lost an eighth of it at most.
func TestCrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	c := open(t, path, cassette.Options{Mode: cassette.Record})
	for i := range 100 {
		if _, err := c.Model(llmtest.New(llmtest.Echo)).Generate(t.Context(), ask(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(open(t, path, cassette.Options{}).Unused()); n < 88 {
		t.Errorf("%d of 100 recordings are on disk", n)
	}
}

// A reply that can't be written is an error, and the file stays what it was.
func TestUnwritable(t *testing.T) {
	c := open(t, filepath.Join(t.TempDir(), "none", "c.json"), cassette.Options{Mode: cassette.Extend})
	_, err := c.Model(llmtest.New(llmtest.Echo)).Generate(t.Context(), ask("hi"))
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if err := c.Close(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Close: %v", err)
	}
	if err := os.Mkdir(filepath.Dir(c.Path()), 0o755); err != nil {
		t.Fatal(err)
	}
}

// testLog is a testing.TB that keeps what it is told.
type testLog struct {
	cleanups []func()
	failed   []string
}

func (l *testLog) Helper()                      {}
func (l *testLog) Cleanup(f func())             { l.cleanups = append(l.cleanups, f) }
func (l *testLog) Failed() bool                 { return len(l.failed) > 0 }
func (l *testLog) Errorf(f string, args ...any) { l.failed = append(l.failed, fmt.Sprintf(f, args...)) }
func (l *testLog) Fatalf(f string, args ...any) {
	l.Errorf(f, args...)
	panic(l)
}

// run runs a test and returns what it failed with.
func run(test func(cassette.TB)) []string {
	l := &testLog{}
	func() {
		defer func() {
			if p := recover(); p != nil && p != any(l) {
				panic(p)
			}
		}()
		test(l)
	}()
	for _, f := range l.cleanups {
		f()
	}
	return l.failed
}

func TestForTest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	test := func(questions ...string) []string {
		return run(func(tb cassette.TB) {
			m := cassette.ForTest(tb, path, llmtest.New(llmtest.Echo))
			for _, q := range questions {
				if _, err := m.Generate(t.Context(), ask(q)); err != nil {
					tb.Errorf("%v", err)
				}
			}
		})
	}
	if f := test("a"); len(f) != 1 || !strings.Contains(f[0], cassette.Env+"=record") {
		t.Errorf("nothing recorded: %q", f)
	}
	t.Setenv(cassette.Env, "record")
	if f := test("a", "b"); len(f) != 0 {
		t.Errorf("recording: %q", f)
	}
	t.Setenv(cassette.Env, "")
	if f := test("a", "b"); len(f) != 0 {
		t.Errorf("replaying: %q", f)
	}
	if f := test("b"); len(f) != 1 || !strings.Contains(f[0], "unused recording 1") {
		t.Errorf("one unused: %q", f)
	}
	if f := test("c"); len(f) != 1 || !strings.Contains(f[0], "nearest") {
		t.Errorf("a miss: %q", f)
	}
	t.Setenv(cassette.Env, "extend")
	if f := test("a", "b", "c"); len(f) != 0 {
		t.Errorf("extending: %q", f)
	}
	t.Setenv(cassette.Env, "rewind")
	if f := test("a"); len(f) != 1 || !strings.Contains(f[0], "rewind") {
		t.Errorf("no such mode: %q", f)
	}
}

func TestConforms(t *testing.T) {
	conform.LLM(t, func() llm.Model {
		c, err := cassette.Open(filepath.Join(t.TempDir(), "c.json"), cassette.Options{Mode: cassette.Extend})
		if err != nil {
			t.Fatal(err)
		}
		return c.Model(llmtest.New(llmtest.Echo))
	}, conform.Deterministic(true))
}
