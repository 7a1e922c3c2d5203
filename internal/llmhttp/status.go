// Package llmhttp is what the clients of model servers share: what a server's
// answer means is decided here, once, from status, headers and the fields of an
// error, and given to callers as the errors of package llm.
//
// It speaks no dialect's requests; those are the clients' own.
package llmhttp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/kgeval/kgeval/llm"
)

// Limits of what is read and told.
const (
	// MaxErrorBody is how much of an error's body is read, in bytes.
	MaxErrorBody = 64 << 10
	// maxMessage is how much of a server's message is told, in runes.
	maxMessage = 300
	// maxRetryAfter is the longest wait that is believed.
	maxRetryAfter = 7 * 24 * time.Hour
)

// StatusError returns the error that a response with a status other than 200
// means. body is its body, or the beginning of it. hide removes what must not
// be told, and schema says that the request had a llm.Request.Schema.
func StatusError(status int, header http.Header, body []byte, hide *Redactor, schema bool) *llm.Error {
	e := &llm.Error{Status: status, RetryAfter: RetryAfter(header, time.Now())}
	f, ok := parseFailure(body)
	if ok {
		e.Kind = f.kind(status)
		e.Message = hide.Message(f.Message)
	} else {
		e.Kind = statusKind(status)
		e.Message = describe(header, len(body))
	}
	return refine(e, f, schema)
}

// EventError returns the error that an "error" object within a stream or a body
// with status 200 means. body is the JSON that holds it; ok is false where it
// holds none.
func EventError(body []byte, hide *Redactor, schema bool) (*llm.Error, bool) {
	f, ok := parseFailure(body)
	if !ok {
		return nil, false
	}
	status := f.Status
	if status < 400 || status > 599 {
		status = 0
	}
	e := &llm.Error{Status: status, Message: hide.Message(f.Message)}
	if e.Kind = f.kind(status); e.Kind == nil {
		e.Kind = llm.ErrUnavailable
	}
	return refine(e, f, schema), true
}

// refine adds the sizes to a context that is too long, and says that a schema
// was refused where that is what a bad request was about.
func refine(e *llm.Error, f failure, schema bool) *llm.Error {
	switch e.Kind {
	case llm.ErrContextTooLong:
		if w := f.sizes(); w != nil {
			e.Message, e.Cause = "", w
		}
	case llm.ErrBadRequest:
		about := strings.ToLower(f.Param + " " + f.Message)
		if schema && (strings.Contains(about, "response_format") || strings.Contains(about, "schema")) {
			e.Cause = &llm.UnsupportedError{Fields: []string{"Schema"}}
		}
	}
	return e
}

// maxKind bounds the media type that describe names, in bytes: the longest
// registered ones have about 80.
const maxKind = 100

// describe says what a body without a message is.
func describe(header http.Header, size int) string {
	kind, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil || kind == "" {
		kind = "no stated type"
	}
	if size == 0 {
		return "an empty body"
	}
	if len(kind) > maxKind {
		kind = strings.ToValidUTF8(kind[:maxKind], "") + "…"
	}
	return fmt.Sprintf("a body of %s in place of an error", kind)
}

// failure is what servers say about an error, in the shapes that are in use:
//
//	{"error": {"message", "type", "code", "param"}}   OpenAI, llama.cpp, Anthropic
//	{"error": "message"}                              Ollama, Hugging Face
//	{"object": "error", "message", "type", "code"}    vLLM; Mistral, with a detail as message
//	{"detail": "message"} or {"detail": [{"loc", "msg"}]}   FastAPI
type failure struct {
	Message string
	Type    string
	Code    string
	Param   string
	Status  int // where the code is a number
	Tokens  int // llama.cpp: n_prompt_tokens
	Window  int // llama.cpp: n_ctx
}

func parseFailure(body []byte) (f failure, ok bool) {
	body = bytes.TrimSpace(body)
	if len(body) > 0 && body[0] == '[' { // Google wraps its error in a list
		var list []json.RawMessage
		if json.Unmarshal(body, &list) != nil || len(list) == 0 {
			return f, false
		}
		body = list[0]
	}
	type object struct {
		Message json.RawMessage `json:"message"`
		Type    json.RawMessage `json:"type"`
		Code    json.RawMessage `json:"code"`
		Status  json.RawMessage `json:"status"`
		Param   json.RawMessage `json:"param"`
		Tokens  json.RawMessage `json:"n_prompt_tokens"`
		Window  json.RawMessage `json:"n_ctx"`
	}
	var top struct {
		object
		Object string          `json:"object"`
		Error  json.RawMessage `json:"error"`
		Detail json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &top) != nil {
		return f, false
	}
	o := top.object
	switch {
	case isObject(top.Error):
		o = object{}
		if json.Unmarshal(top.Error, &o) != nil {
			return f, false
		}
	case text(top.Error) != "":
		f.Message = text(top.Error)
	case text(top.Detail) != "":
		f.Message = text(top.Detail)
	case len(top.Detail) > 0 && top.Detail[0] == '[':
		f.Message = details(top.Detail)
	case isObject(o.Message):
		var inner struct {
			Detail json.RawMessage `json:"detail"`
		}
		if json.Unmarshal(o.Message, &inner) != nil {
			return f, false
		}
		if f.Message = text(inner.Detail); f.Message == "" {
			f.Message = details(inner.Detail)
		}
	case top.Object == "error" || text(o.Message) != "":
	default:
		return f, false
	}
	if f.Message == "" {
		f.Message = text(o.Message)
	}
	f.Type, f.Param = text(o.Type), text(o.Param)
	if f.Type == "" {
		f.Type = text(o.Status)
	}
	if f.Code = text(o.Code); f.Code == "" {
		f.Status = number(o.Code)
	}
	f.Tokens, f.Window = number(o.Tokens), number(o.Window)
	return f, true
}

// details joins FastAPI's list of what is wrong where. Each entry holds the
// offending input too, which is the request's and not told.
func details(list json.RawMessage) string {
	var all []struct {
		Loc []any  `json:"loc"`
		Msg string `json:"msg"`
	}
	if json.Unmarshal(list, &all) != nil {
		return ""
	}
	var parts []string
	for _, d := range all {
		var where []string
		for _, l := range d.Loc {
			where = append(where, fmt.Sprint(l))
		}
		parts = append(parts, strings.Join(where, ".")+": "+d.Msg)
	}
	return strings.Join(parts, "; ")
}

func isObject(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '{' }

// text returns a JSON string's value, or "" for anything else.
func text(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// number returns a JSON number's value, or 0 for anything else.
func number(raw json.RawMessage) int {
	var n int
	if json.Unmarshal(raw, &n) != nil {
		return 0
	}
	return n
}

// kind tells failures apart: by the codes that have one meaning, then by the
// status, and by words only where servers have no code for it.
func (f failure) kind(status int) error {
	for _, code := range []string{f.Code, f.Type} {
		// llama.cpp says "server_error" for a text that is too long to embed.
		if k, ok := codes[strings.ToLower(code)]; ok && (k != llm.ErrUnavailable || !f.overflows()) {
			return k
		}
	}
	if (status == 0 || status == 400 || status == 413 || status == 422 || status == 500) && f.overflows() {
		return llm.ErrContextTooLong
	}
	return statusKind(status)
}

// codes are the codes and types of errors that say more than the status does,
// or that come without one, in the middle of a stream.
var codes = map[string]error{
	"context_length_exceeded":   llm.ErrContextTooLong, // OpenAI, Groq
	"exceed_context_size_error": llm.ErrContextTooLong, // llama.cpp
	"request_too_large":         llm.ErrContextTooLong, // Anthropic, a body of more than 32 MB

	"insufficient_quota":         llm.ErrAuth, // OpenAI says 429 for an account without credit
	"billing_hard_limit_reached": llm.ErrAuth,
	"billing_error":              llm.ErrAuth,
	"invalid_api_key":            llm.ErrAuth,
	"authentication_error":       llm.ErrAuth,
	"permission_error":           llm.ErrAuth,
	"unauthenticated":            llm.ErrAuth, // Google
	"permission_denied":          llm.ErrAuth,

	"rate_limit_exceeded": llm.ErrRateLimited,
	"rate_limit_error":    llm.ErrRateLimited,
	"resource_exhausted":  llm.ErrRateLimited,

	"unavailable_error": llm.ErrUnavailable, // llama.cpp while it loads
	"overloaded_error":  llm.ErrUnavailable,
	"server_error":      llm.ErrUnavailable,
	"api_error":         llm.ErrUnavailable,
	"unavailable":       llm.ErrUnavailable,

	"content_filter":           llm.ErrRefused, // Azure
	"content_policy_violation": llm.ErrRefused,

	"model_not_found": llm.ErrBadRequest,
	"not_found_error": llm.ErrBadRequest,
}

// statusKind is what a status means by itself; nil for 0.
func statusKind(status int) error {
	switch {
	case status == 0:
		return nil
	case status == http.StatusUnauthorized, status == http.StatusPaymentRequired, status == http.StatusForbidden,
		status == http.StatusProxyAuthRequired:
		return llm.ErrAuth
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly:
		return llm.ErrUnavailable
	case status == http.StatusRequestEntityTooLarge:
		return llm.ErrContextTooLong
	case status == http.StatusTooManyRequests:
		return llm.ErrRateLimited
	case status == http.StatusNotImplemented:
		return llm.ErrBadRequest
	case status >= 500:
		return llm.ErrUnavailable
	case status >= 300: // a redirect would send the texts somewhere else
		return llm.ErrBadRequest
	}
	return llm.ErrBadReply
}

// RetryAfter returns how long a response asks to wait: from Retry-After, in
// seconds or as a date (by the server's own clock, where it tells it), or from
// the finer Retry-After-Ms. It returns 0 where none says so, or says nonsense,
// and at most a week.
func RetryAfter(header http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(header.Get("Retry-After-Ms")), 64); err == nil && ms > 0 {
		return wait(ms / 1000)
	}
	v := strings.TrimSpace(header.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		return wait(s)
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	if server, err := http.ParseTime(header.Get("Date")); err == nil {
		now = server
	}
	return wait(at.Sub(now).Seconds())
}

func wait(seconds float64) time.Duration {
	if !(seconds > 0) { // NaN too
		return 0
	}
	return time.Duration(math.Min(seconds, maxRetryAfter.Seconds()) * float64(time.Second))
}

// oneLine returns s with control characters and runs of blanks as one blank.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}
