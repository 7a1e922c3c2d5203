package langchain_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"
	lcanthropic "github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/fake"
	lcollama "github.com/tmc/langchaingo/llms/ollama"
	lcopenai "github.com/tmc/langchaingo/llms/openai"

	"github.com/kgeval/kgeval/internal/llmfault"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/langchain"
)

// The servers of the other dialects, saying what llmfault's says.
const (
	ollamaWhole = `{"model":"faulty-1","message":{"role":"assistant","content":"The boat "},"done":false}` + "\n" +
		`{"model":"faulty-1","message":{"role":"assistant","content":"is red."},"done":false}` + "\n" +
		`{"model":"faulty-1","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":5}` + "\n"
	anthropicWhole = `{"id":"m1","type":"message","role":"assistant","model":"faulty-1","content":[{"type":"thinking","thinking":"Hm.","signature":"x"},{"type":"text","text":"The boat is red."}],"stop_reason":"end_turn","usage":{"input_tokens":5,"output_tokens":5,"cache_read_input_tokens":2}}`
)

var anthropicEvents = []string{
	"event: message_start\ndata: " + `{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"faulty-1","content":[],"stop_reason":null,"usage":{"input_tokens":7,"output_tokens":1}}}` + "\n\n",
	"event: content_block_start\ndata: " + `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n",
	"event: ping\ndata: " + `{"type":"ping"}` + "\n\n",
	"event: news\ndata: " + `{"type":"news_of_tomorrow"}` + "\n\n",
	"event: content_block_delta\ndata: " + `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"The boat "}}` + "\n\n",
	"event: content_block_delta\ndata: " + `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"is red."}}` + "\n\n",
	"event: content_block_stop\ndata: " + `{"type":"content_block_stop","index":0}` + "\n\n",
	"event: message_delta\ndata: " + `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}` + "\n\n",
	"event: message_stop\ndata: " + `{"type":"message_stop"}` + "\n\n",
}

func ollama(body string) http.HandlerFunc { return llmfault.Raw(200, "application/x-ndjson", body) }

func anthropic() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if llmfault.Streaming(r) {
			llmfault.Events(anthropicEvents...)(w, r)
			return
		}
		llmfault.JSON(200, anthropicWhole)(w, r)
	}
}

// build makes langchaingo's model of a dialect with a client.
func build(t testing.TB, d langchain.Dialect, base string, client *http.Client) llms.Model {
	t.Helper()
	var m llms.Model
	var err error
	switch d {
	case langchain.OpenAI:
		m, err = lcopenai.New(lcopenai.WithBaseURL(base), lcopenai.WithToken(llmfault.Key), lcopenai.WithHTTPClient(client))
	case langchain.Ollama:
		at, parsed := url.Parse(strings.TrimSuffix(base, "/v1"))
		if parsed != nil {
			t.Fatal(parsed)
		}
		m, err = lcollama.New(lcollama.WithServerURL(at.String()), lcollama.WithHTTPClient(client), lcollama.WithRunnerNumCtx(4096))
	case langchain.Anthropic:
		m, err = lcanthropic.New(lcanthropic.WithBaseURL(base), lcanthropic.WithToken(llmfault.Key), lcanthropic.WithHTTPClient(client))
	default:
		m = fake.NewFakeLLM([]string{llmfault.Text})
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func adapt(t testing.TB, m llms.Model, c langchain.Config) *langchain.Model {
	t.Helper()
	if c.Model == "" {
		c.Model = "asked-for"
	}
	a, err := langchain.New(m, c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// wired returns an adapter that sees the wire.
func wired(t testing.TB, d langchain.Dialect, base string) *langchain.Model {
	t.Helper()
	client := langchain.Client(nil)
	t.Cleanup(client.CloseIdleConnections)
	return adapt(t, build(t, d, base, client), langchain.Config{Client: client})
}

func TestEachDialect(t *testing.T) {
	for d, serve := range map[langchain.Dialect]http.HandlerFunc{
		langchain.OpenAI:    llmfault.Good(),
		langchain.Ollama:    ollama(ollamaWhole),
		langchain.Anthropic: anthropic(),
	} {
		server := llmfault.Start(t, serve)
		m := wired(t, d, server.URL)
		if want := "langchain/" + string(d) + "/asked-for"; m.ID() != want {
			t.Errorf("ID %q, want %q", m.ID(), want)
		}
		whole, err := m.Generate(context.Background(), question())
		if err != nil {
			t.Errorf("%s: %v", d, err)
		}
		pieces := 0
		for p, err := range m.Stream(context.Background(), question()) {
			if err != nil {
				t.Errorf("%s, stream: %v", d, err)
			}
			if p.Text != "" {
				pieces++
			}
		}
		if pieces < 2 {
			t.Errorf("%s: %d pieces", d, pieces)
		}
		stream, err := llm.Collect(m.Stream(context.Background(), question()))
		if err != nil {
			t.Errorf("%s, stream: %v", d, err)
		}
		for _, r := range []llm.Response{whole, stream} {
			if r.Text != llmfault.Text || r.Stop != llm.StopEnd || r.Model != llmfault.Model || r.Usage.Input != 7 || r.Usage.Output != 5 {
				t.Errorf("%s: %+v", d, r)
			}
		}
	}
}

// member finds a field of a body by its path, "" where it is not there.
func member(t testing.TB, fields map[string]json.RawMessage, path string) string {
	t.Helper()
	name, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		return string(fields[name])
	}
	var inner map[string]json.RawMessage
	if err := json.Unmarshal(fields[name], &inner); err != nil {
		t.Fatal(err)
	}
	return member(t, inner, rest)
}

// What a request has is what the server reads: 0 as 0, and nothing that was
// left to the model.
func TestRequestOnTheWire(t *testing.T) {
	schema := json.RawMessage(`{"type":"array"}`)
	zeros := llm.Request{Temperature: new(0.0), Seed: new(int64(0))}
	all := llm.Request{Temperature: new(0.7), TopP: new(0.9), TopK: new(40), Seed: new(int64(3)), MaxTokens: 9, Stop: []string{"\n"}, Schema: schema}
	some := all
	some.Seed, some.Schema = nil, nil
	for _, c := range []struct {
		dialect langchain.Dialect
		serve   http.HandlerFunc
		req     llm.Request
		want    map[string]string
	}{
		{langchain.OpenAI, llmfault.Good(), llm.Request{}, map[string]string{"temperature": "", "top_p": "", "top_k": "", "seed": "", "max_tokens": "", "max_completion_tokens": "", "response_format": "", "logprobs": ""}},
		{langchain.OpenAI, llmfault.Good(), zeros, map[string]string{"temperature": "0", "seed": "0", "top_p": ""}},
		{langchain.OpenAI, llmfault.Good(), all, map[string]string{"temperature": "0.7", "top_p": "0.9", "top_k": "40", "seed": "3", "max_tokens": "9", "max_completion_tokens": "", "stop": `["\n"]`,
			"response_format.type": `"json_schema"`, "response_format.json_schema.schema": string(schema), "model": `"asked-for"`}},
		{langchain.Ollama, ollama(ollamaWhole), llm.Request{}, map[string]string{"options.temperature": "", "options.top_p": "", "options.seed": "", "options.num_predict": "", "options.num_ctx": "4096", "format": `""`}},
		{langchain.Ollama, ollama(ollamaWhole), zeros, map[string]string{"options.temperature": "0", "options.seed": "0"}},
		{langchain.Ollama, ollama(ollamaWhole), all, map[string]string{"options.temperature": "0.7", "options.top_p": "0.9", "options.top_k": "40", "options.seed": "3", "options.num_predict": "9", "options.stop": `["\n"]`, "format": string(schema), "model": `"asked-for"`}},
		{langchain.Anthropic, anthropic(), llm.Request{}, map[string]string{"temperature": "", "top_p": "", "top_k": ""}},
		{langchain.Anthropic, anthropic(), some, map[string]string{"temperature": "0.7", "top_p": "0.9", "top_k": "40", "max_tokens": "9", "stop_sequences": `["\n"]`, "model": `"asked-for"`, "system": `"One.\n\nTwo."`}},
	} {
		server := llmfault.Start(t, c.serve)
		m := wired(t, c.dialect, server.URL)
		c.req.Messages = []llm.Message{{Role: llm.System, Text: "One."}, {Role: llm.System, Text: "Two."}, {Role: llm.User, Text: "Hi"}}
		if _, err := m.Generate(context.Background(), c.req); err != nil {
			t.Errorf("%s: %v", c.dialect, err)
			continue
		}
		if _, err := llm.Collect(m.Stream(context.Background(), c.req)); err != nil {
			t.Errorf("%s: %v", c.dialect, err)
			continue
		}
		for _, asked := range server.Asked() {
			fields := asked.Fields(t)
			for path, want := range c.want {
				if got := member(t, fields, path); got != want {
					t.Errorf("%s: %s is %q, want %q", c.dialect, path, got, want)
				}
			}
		}
	}
}

// What can't be carried is refused before anything is sent.
func TestUnsupported(t *testing.T) {
	schema := json.RawMessage(`{"type":"array"}`)
	warm := new(0.5)
	for _, c := range []struct {
		name    string
		dialect langchain.Dialect
		wired   bool
		model   string
		carries []string
		req     llm.Request
		want    []string
	}{
		{"openai, alone", langchain.OpenAI, false, "", nil, llm.Request{Temperature: warm, Seed: new(int64(5)), MaxTokens: 3, Stop: []string{"x"}}, nil},
		{"openai, alone, top-p and more", langchain.OpenAI, false, "", nil, llm.Request{Temperature: warm, TopP: new(0.5), TopK: new(3), Schema: schema}, []string{"TopP", "TopK", "Schema"}},
		{"openai, alone, seed 0", langchain.OpenAI, false, "", nil, llm.Request{Temperature: warm, Seed: new(int64(0))}, []string{"Seed"}},
		{"openai, alone, no temperature", langchain.OpenAI, false, "", nil, llm.Request{}, []string{"Temperature"}},
		{"openai, alone, a model that reasons", langchain.OpenAI, false, "o3-mini", nil, llm.Request{Temperature: warm}, []string{"Temperature"}},
		{"openai, alone, a model that reasons, left to it", langchain.OpenAI, false, "o3-mini", nil, llm.Request{}, nil},
		{"openai, wired", langchain.OpenAI, true, "o3-mini", nil, llm.Request{Temperature: warm, TopP: new(0.5), TopK: new(3), Seed: new(int64(0)), Schema: schema}, nil},
		{"ollama, alone", langchain.Ollama, false, "", nil, llm.Request{Temperature: warm, TopP: new(0.5), TopK: new(3), Seed: new(int64(1))}, nil},
		{"ollama, alone, schema", langchain.Ollama, false, "", nil, llm.Request{Temperature: warm, Schema: schema}, []string{"Schema"}},
		{"anthropic, alone", langchain.Anthropic, false, "", nil, llm.Request{Temperature: warm, TopK: new(3), Seed: new(int64(1))}, []string{"TopK", "Seed"}},
		{"anthropic, wired", langchain.Anthropic, true, "", nil, llm.Request{TopK: new(3), Seed: new(int64(1)), Schema: schema}, []string{"Seed", "Schema"}},
		{"another", langchain.Other, false, "", nil, llm.Request{Temperature: warm, MaxTokens: 3}, []string{"Temperature", "MaxTokens"}},
		{"another that carries it", langchain.Other, false, "", []string{"Temperature", "MaxTokens"}, llm.Request{Temperature: warm, MaxTokens: 3}, nil},
		{"another, nothing set", langchain.Other, false, "", nil, llm.Request{LogProbs: 3, Sample: 2}, nil},
	} {
		server := llmfault.Start(t, map[langchain.Dialect]http.HandlerFunc{langchain.Ollama: ollama(ollamaWhole), langchain.Anthropic: anthropic(), langchain.OpenAI: llmfault.Good(), langchain.Other: llmfault.Good()}[c.dialect])
		client := langchain.Client(nil)
		t.Cleanup(client.CloseIdleConnections)
		config := langchain.Config{Model: c.model, Carries: c.carries}
		if c.wired {
			config.Client = client
		}
		m := adapt(t, build(t, c.dialect, server.URL, client), config)
		c.req.Messages = question().Messages
		_, err := m.Generate(context.Background(), c.req)
		var u *llm.UnsupportedError
		switch {
		case c.want == nil && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != nil && (!errors.As(err, &u) || !slices.Equal(u.Fields, c.want)):
			t.Errorf("%s: error %v, want one for %v", c.name, err, c.want)
		case c.want != nil && len(server.Asked()) > 0:
			t.Errorf("%s: asked all the same", c.name)
		}
	}
}

// Ollama's stream as langchaingo reads it ends in an empty reply and no error
// where the server breaks off, and its stop reason is never told.
func TestOllama(t *testing.T) {
	lines := strings.SplitAfter(ollamaWhole, "\n")
	end := func(reason string) string { return strings.Replace(lines[2], `"stop"`, `"`+reason+`"`, 1) }
	for _, c := range []struct {
		name  string
		serve http.HandlerFunc
		stop  llm.StopReason
		want  error
	}{
		{"whole", ollama(ollamaWhole), llm.StopEnd, nil},
		{"the token limit", ollama(lines[0] + lines[1] + end("length")), llm.StopLength, nil},
		{"no reason", ollama(lines[0] + lines[1] + strings.Replace(lines[2], `"done_reason":"stop",`, "", 1)), llm.StopUnknown, nil},
		{"in one JSON body", llmfault.JSON(200, strings.Replace(lines[2], `"content":""`, `"content":"The boat is red."`, 1)), llm.StopEnd, nil},
		{"ended early", ollama(lines[0]), "", llm.ErrTruncated},
		{"nothing", ollama(""), "", llm.ErrTruncated},
		{"broken off", llmfault.BreakOff("application/x-ndjson", lines[0]), "", llm.ErrTruncated},
		{"a line cut", ollama(lines[0] + lines[1][:30]), "", llm.ErrBadReply},
		{"an error in between", ollama(lines[0] + `{"error":"model runner has unexpectedly stopped"}` + "\n"), "", llm.ErrUnavailable},
		{"more behind the end", ollama(ollamaWhole + lines[0]), "", llm.ErrBadReply},
		{"unknown model", llmfault.JSON(404, `{"error":"model 'asked-for' not found"}`), "", llm.ErrBadRequest},
	} {
		server := llmfault.Start(t, c.serve)
		m := wired(t, langchain.Ollama, server.URL)
		whole, err := m.Generate(context.Background(), question())
		stream, streamErr := llm.Collect(m.Stream(context.Background(), question()))
		for _, got := range []struct {
			r   llm.Response
			err error
		}{{whole, err}, {stream, streamErr}} {
			switch {
			case c.want != nil && !errors.Is(got.err, c.want):
				t.Errorf("%s: error %v beside %+v, want %v", c.name, got.err, got.r, c.want)
			case c.want == nil && (got.err != nil || got.r.Stop != c.stop || got.r.Text != llmfault.Text):
				t.Errorf("%s: %+v, %v", c.name, got.r, got.err)
			}
		}
	}
}

func TestAnthropic(t *testing.T) {
	part := func(n int, more ...string) http.HandlerFunc {
		return llmfault.Events(append(slices.Clone(anthropicEvents[:n]), more...)...)
	}
	for _, c := range []struct {
		name  string
		serve http.HandlerFunc
		want  error
	}{
		{"ended early", part(5), llm.ErrTruncated},
		{"ended before its last event", part(8), llm.ErrTruncated},
		{"an error in between", part(5, "event: error\ndata: "+`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`+"\n\n"), llm.ErrUnavailable},
		{"an event that is no JSON", part(5, "data: oops\n\n"), llm.ErrBadReply},
		{"a tool call", part(7, "data: "+`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":5}}`+"\n\n"), llm.ErrBadReply},
		{"no message", llmfault.JSON(200, `{"type":"message"}`), llm.ErrBadReply},
		{"rate limit", llmfault.JSON(429, `{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`, "Retry-After", "3"), llm.ErrRateLimited},
	} {
		server := llmfault.Start(t, c.serve)
		_, err := llm.Collect(wired(t, langchain.Anthropic, server.URL).Stream(context.Background(), question()))
		if !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
	}
}

// An adapter that believes to see the wire and doesn't would lose settings.
func TestClientThatIsNotUsed(t *testing.T) {
	server := llmfault.Start(t, llmfault.Good())
	inner := build(t, langchain.OpenAI, server.URL, langchain.Client(nil))
	m := adapt(t, inner, langchain.Config{Client: langchain.Client(nil), Dialect: langchain.OpenAI})
	if _, err := m.Generate(context.Background(), question()); err != nil {
		t.Errorf("another client of ours: %v", err) // it does as well
	}
	m = adapt(t, fake.NewFakeLLM([]string{llmfault.Text}), langchain.Config{Client: langchain.Client(nil), Dialect: langchain.OpenAI})
	if _, err := m.Generate(context.Background(), question()); err == nil || !strings.Contains(err.Error(), "WithHTTPClient") {
		t.Errorf("error %v", err)
	}
}

// A model of langchaingo that the adapter knows nothing of.
func TestOtherModel(t *testing.T) {
	m := adapt(t, fake.NewFakeLLM([]string{llmfault.Text}), langchain.Config{})
	r, err := m.Generate(context.Background(), llm.Request{Messages: question().Messages})
	if err != nil || r.Text != llmfault.Text || r.Stop != llm.StopUnknown || r.Model != "asked-for" {
		t.Errorf("%+v, %v", r, err)
	}
	if err := r.Complete(); !errors.Is(err, llm.ErrTruncated) {
		t.Errorf("a reply that nobody says is whole: %v", err)
	}
	r, err = llm.Collect(m.Stream(context.Background(), llm.Request{Messages: question().Messages}))
	if err != nil || r.Text != llmfault.Text {
		t.Errorf("stream: %+v, %v", r, err)
	}
}

// scripted is a model that does what a test says.
type scripted func(context.Context, llms.CallOptions) (*llms.ContentResponse, error)

func (s scripted) GenerateContent(ctx context.Context, _ []llms.MessageContent, options ...llms.CallOption) (*llms.ContentResponse, error) {
	var o llms.CallOptions
	for _, f := range options {
		f(&o)
	}
	return s(ctx, o)
}

func (s scripted) Call(ctx context.Context, _ string, _ ...llms.CallOption) (string, error) {
	return "", errors.New("not used")
}

func TestWhatModelsOfOthersDo(t *testing.T) {
	say := func(c ...*llms.ContentChoice) scripted {
		return func(context.Context, llms.CallOptions) (*llms.ContentResponse, error) {
			return &llms.ContentResponse{Choices: c}, nil
		}
	}
	fail := func(err error) scripted {
		return func(context.Context, llms.CallOptions) (*llms.ContentResponse, error) { return nil, err }
	}
	for _, c := range []struct {
		name  string
		model scripted
		want  error
	}{
		{"nothing", func(context.Context, llms.CallOptions) (*llms.ContentResponse, error) { return nil, nil }, llm.ErrBadReply},
		{"no choice", say(), llm.ErrBadReply},
		{"a nil choice", say(nil), llm.ErrBadReply},
		{"an empty reply", say(&llms.ContentChoice{StopReason: "stop"}), llm.ErrBadReply},
		{"a tool call", say(&llms.ContentChoice{Content: "x", ToolCalls: []llms.ToolCall{{}}}), llm.ErrBadReply},
		{"a panic", func(context.Context, llms.CallOptions) (*llms.ContentResponse, error) { panic("oh") }, llm.ErrBadReply},
		{"its own error type", fail(llms.NewError(llms.ErrCodeRateLimit, "x", "slow down")), llm.ErrRateLimited},
		{"pieces of another reply", func(ctx context.Context, o llms.CallOptions) (*llms.ContentResponse, error) {
			if o.StreamingFunc != nil {
				if err := o.StreamingFunc(ctx, []byte("The b")); err != nil {
					return nil, err
				}
				return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: "Another", StopReason: "stop"}}}, nil
			}
			return nil, llms.NewError(llms.ErrCodeUnknown, "x", "y")
		}, nil},
	} {
		m := adapt(t, c.model, langchain.Config{})
		req := llm.Request{Messages: question().Messages}
		_, whole := m.Generate(context.Background(), req)
		_, stream := llm.Collect(m.Stream(context.Background(), req))
		for _, err := range []error{whole, stream} {
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%s: error %v, want %v", c.name, err, c.want)
			}
		}
	}
}

func TestNewRefuses(t *testing.T) {
	some := fake.NewFakeLLM([]string{"x"})
	for name, c := range map[string]langchain.Config{
		"no model name":           {},
		"a client of another":     {Model: "m", Client: http.DefaultClient},
		"a client without a wire": {Model: "m", Client: langchain.Client(nil)},
		"an unknown dialect":      {Model: "m", Dialect: "esperanto"},
		"an unknown field":        {Model: "m", Carries: []string{"top_k"}},
		"negative timeout":        {Model: "m", Timeout: -1},
	} {
		if _, err := langchain.New(some, c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := langchain.New(nil, langchain.Config{Model: "m"}); err == nil {
		t.Error("no model: no error")
	}
}

// A long reply is read whole; an event beyond langchaingo's 64 kB is an error.
func TestLongReply(t *testing.T) {
	long := strings.Repeat("The boat is red. ", 3<<20/17)
	server := llmfault.Start(t, llmfault.Say(long))
	r, err := wired(t, langchain.OpenAI, server.URL).Generate(context.Background(), question())
	if err != nil || r.Text != long {
		t.Errorf("%d bytes, want %d (%v)", len(r.Text), len(long), err)
	}
	server = llmfault.Start(t, llmfault.Events(llmfault.Event("x", ""), llmfault.Event(long[:100_000], "stop"), llmfault.DoneEvent))
	r, err = llm.Collect(wired(t, langchain.OpenAI, server.URL).Stream(context.Background(), question()))
	if !errors.Is(err, llm.ErrBadReply) || r.Stop == llm.StopEnd {
		t.Errorf("%d bytes (%s), %v", len(r.Text), r.Stop, err)
	}
}
