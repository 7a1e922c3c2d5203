package llmhttp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"github.com/kgeval/kgeval/llm"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	date := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	for _, c := range []struct {
		after, ms, server string
		want              time.Duration
	}{
		{"", "", "", 0},
		{"5", "", "", 5 * time.Second},
		{" 0.5 ", "", "", 500 * time.Millisecond},
		{"0", "", "", 0},
		{"-3", "", "", 0},
		{"NaN", "", "", 0},
		{"Inf", "", "", maxRetryAfter},
		{"1e300", "", "", maxRetryAfter},
		{"soon", "", "", 0},
		{date(time.Minute), "", "", time.Minute},
		{date(-time.Minute), "", "", 0},
		{date(time.Minute), "", date(50 * time.Second), 10 * time.Second},
		{"Monday, 30-Nov-26 12:00:30 GMT", "", "", 30 * time.Second},
		{"60", "1500", "", 1500 * time.Millisecond},
		{"60", "x", "", time.Minute},
	} {
		h := http.Header{}
		h.Set("Retry-After", c.after)
		h.Set("Retry-After-Ms", c.ms)
		h.Set("Date", c.server)
		if got := RetryAfter(h, now); got != c.want {
			t.Errorf("Retry-After %q, in ms %q, Date %q: %v, want %v", c.after, c.ms, c.server, got, c.want)
		}
	}
}

func TestRedactor(t *testing.T) {
	hide := NewRedactor("s3cr3t/key+value", "abc", "")
	for in, want := range map[string]string{
		"":                                      "",
		"all is well, token":                    "all is well, token",
		"the limit of tokens: 4096 is exceeded": "the limit of tokens: 4096 is exceeded",
		"skateboards and pkzip":                 "skateboards and pkzip",
		"bad key s3cr3t/key+value.":             "bad key [hidden].",
		"in a URL s3cr3t%2Fkey%2Bvalue":         "in a URL [hidden]",
		"in base 64 czNjcjN0L2tleSt2YWx1ZQ==":   "in base 64 [hidden]",
		"abc is too short to be one":            "abc is too short to be one",
		"Authorization: Bearer abcdefgh12345":   "Authorization: Bearer [hidden]",
		"Incorrect API key provided: sk-pr****wxyz. See the docs": "Incorrect API key provided: [hidden] See the docs",
		"gsk_0123456789abcdef":                                      "[hidden]",
		`Post "https://host/v1?key=xyz&a=b": refused`:               `Post "https://host/v1?[hidden]": refused`,
		"see https://me:pw@host/x":                                  "see https://[hidden]@host/x",
		"maximum context length is 10 tokens, you sent 12, see doc": "maximum context length is 10 tokens, you sent 12, see doc",
	} {
		if got := hide.Text(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	long := hide.Message(strings.Repeat("é\n\x00", 1000))
	if n := utf8.RuneCountInString(long); n != maxMessage+1 || strings.ContainsAny(long, "\n\x00") {
		t.Errorf("a message of %d characters: %q", n, long)
	}
	// A key that stands across the cut is not told in part.
	if got := NewRedactor("averylongsecret").Message(strings.Repeat("x", maxMessage-4) + "averylongsecret"); strings.Contains(got, "aver") {
		t.Errorf("half a key: %q", got)
	}
	req := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "My neighbour's diagnosis is a secret that nobody may read in a log."}}}
	if got := hide.For(req).Message("bad input: neighbour's diagnosis is a secret that nobody may read, sorry"); strings.Contains(got, "diagnosis") {
		t.Errorf("told %q", got)
	}
	if got := hide.For(req).Message("model not found"); got != "model not found" {
		t.Errorf("told %q", got)
	}
}

func TestCauseKeepsTheKindAndLosesTheAddress(t *testing.T) {
	err := NewRedactor().Cause(&url.Error{Op: "Post", URL: "http://host/?key=secret", Err: fmt.Errorf("dial: %w", syscall.ECONNREFUSED)})
	var u *url.Error
	if !errors.Is(err, syscall.ECONNREFUSED) || errors.As(err, &u) || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for in, want := range map[string][]string{
		"":                         nil,
		"\n":                       {""},
		"a\r\n\nb":                 {"a", "", "b"},
		long + "\n" + long + "\nz": {long, long, "z"},
	} {
		for _, r := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in))} {
			var got []string
			for line, err := range Lines(r) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(line))
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%.20q: got %d lines, want %d", in, len(got), len(want))
			}
		}
	}
	for _, c := range []struct {
		r    io.Reader
		want error
	}{
		{strings.NewReader(strings.Repeat("x", maxLine+1)), llm.ErrBadReply},
		{io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(io.ErrUnexpectedEOF)), io.ErrUnexpectedEOF},
		{&Bounded{R: strings.NewReader("a\nb\nc\n"), Limit: 3}, llm.ErrBadReply},
	} {
		var last error
		for _, err := range Lines(c.r) {
			last = err
		}
		if !errors.Is(last, c.want) {
			t.Errorf("error %v, want %v", last, c.want)
		}
	}
}

func TestBounded(t *testing.T) {
	for limit, want := range map[int64]error{4: llm.ErrBadReply, 5: nil, 6: nil} {
		got, err := io.ReadAll(&Bounded{R: iotest.HalfReader(strings.NewReader("12345")), Limit: limit})
		if !errors.Is(err, want) || int64(len(got)) != min(limit, 5) {
			t.Errorf("limit %d: %q, %v", limit, got, err)
		}
	}
}

// Whatever a server sends as an error, the error is short, in one line and of a
// known kind.
func FuzzStatusError(f *testing.F) {
	for _, seed := range []string{
		`{"error":{"message":"m","type":"t","code":"c","param":"p"}}`, `{"error":"m"}`, `[{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT"}}]`,
		`{"detail":"Not Found"}`, `{"detail":[{"loc":["body",0],"msg":"m","input":"x"}]}`, `{"object":"error","message":"maximum context length is 5 tokens. However, you requested 9"}`,
		`{"error":{"type":"exceed_context_size_error","n_prompt_tokens":-1,"n_ctx":99999999999999999999}}`, `{"error":{}}`, `{"error":null}`, `null`, `[]`, `<html>`, "\xff", "",
	} {
		f.Add(400, []byte(seed), "application/json", "5")
	}
	f.Add(398, []byte("x"), strings.Repeat("i", 5000), "")
	f.Add(398, []byte("x"), strings.Repeat("é", 5000), "")
	f.Fuzz(func(t *testing.T, status int, body []byte, kind, after string) {
		h := http.Header{"Content-Type": {kind}, "Retry-After": {after}}
		hide := NewRedactor("topsecret")
		e := StatusError(status, h, body, hide, true)
		if e == nil || e.RetryAfter < 0 || e.RetryAfter > maxRetryAfter {
			t.Fatalf("%+v", e)
		}
		if s := e.Error(); len(s) > 4*maxMessage+300 || !utf8.ValidString(s) || strings.ContainsAny(s, "\n\r\x00") || strings.Contains(s, "topsecret") {
			t.Errorf("%d bytes: %q", len(s), s)
		}
		if status >= 400 && status < 600 && e.Kind == nil {
			t.Errorf("no kind for status %d", status)
		}
		if e, ok := EventError(body, hide, false); ok && e.Kind == nil {
			t.Errorf("no kind for %q", body)
		}
	})
}

// Whatever events a stream has, the reply is their text, and is whole only where
// the stream said so.
func FuzzJoiner(f *testing.F) {
	for _, seed := range []string{
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":null}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
		"data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"b\"}],\"refusal\":\"no\"},\"logprobs\":{\"content\":[{\"token\":\"b\",\"logprob\":-1,\"top_logprobs\":[]}]}}]}\n",
		"data: [DONE]\ndata: x\n", ": ping\n\ndata: {\"error\":{\"message\":\"m\"}}\n", "data: {\"choices\":[]}\n", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		var j Joiner
		var text strings.Builder
		for line, err := range Lines(bytes.NewReader(stream)) {
			if err != nil {
				return
			}
			data, ok := Data(line)
			if !ok {
				continue
			}
			piece, err := j.Add(data, NewRedactor(), false)
			if err != nil {
				return
			}
			text.WriteString(piece)
		}
		r, err := j.Response(nil)
		if err != nil && (r.Stop != llm.StopUnknown || !errors.Is(err, llm.ErrTruncated)) {
			t.Errorf("%+v, %v", r, err)
		}
		if err == nil && r.Stop == "" {
			t.Errorf("no stop reason: %+v", r)
		}
		if r.Text != text.String() && r.Stop != llm.StopRefused {
			t.Errorf("reply %q, pieces %q", r.Text, text.String())
		}
		for _, p := range r.LogProbs {
			if math.IsNaN(p.LogProb) || math.IsInf(p.LogProb, 0) || p.LogProb > 0 {
				t.Errorf("log-probability %v", p.LogProb)
			}
		}
	})
}

// Whatever stands around a secret, it is hidden.
func FuzzRedactor(f *testing.F) {
	for _, seed := range []string{"", "key topsecret", "topsectopsecretret", "https://a?b", "Bearer x", "api_key=topsecret&x", "sk-0123456789"} {
		f.Add(seed)
	}
	hide := NewRedactor("topsecret")
	f.Fuzz(func(t *testing.T, s string) {
		once := hide.Message(s)
		if strings.Contains(hide.Text(s), "topsecret") || strings.Contains(once, "topsecret") {
			t.Errorf("%q became %q", s, once)
		}
		if !utf8.ValidString(once) || utf8.RuneCountInString(once) > maxMessage+1 {
			t.Errorf("%q", once)
		}
	})
}
