package llmfault

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/kgeval/kgeval/llm"
)

// Key is the key that clients bear in the tests. The server quotes it wherever
// it can; no error may.
const Key = "sk-test-0123456789abcdefghij"

// Question is what clients ask in the tests. Servers that quote the request
// quote it; no error may.
const Question = "Which colour has the boat that Ines bought from her uncle in Porto last summer?"

// Case is something that goes wrong, or seems to.
type Case struct {
	Name  string
	Serve http.HandlerFunc
	// Want are the errors that errors.Is must find; none means a reply with
	// the text Reply and the stop reason Stop.
	Want       []error
	RetryAfter time.Duration
	Window     *llm.WindowError
	Reply      string
	Stop       llm.StopReason
	// Hangs says that the server says nothing more, so that the client's own
	// time limit must end the call.
	Hangs bool
}

// Bounds that clients set in the tests, so that huge is not really huge and
// hanging does not last.
const (
	MaxReply = 1 << 20
	Timeout  = 300 * time.Millisecond
)

const (
	html  = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>"
	event = "text/event-stream"
	plain = "application/json"
)

// fail is a body in the shape of most servers.
func fail(message, kind string) string {
	return `{"error":{"message":` + quote(message) + `,"type":` + quote(kind) + `,"param":null,"code":null}}`
}

// quoting answers with an error that holds the last message of the request.
func quoting(status int, format string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var f struct {
			Messages []struct{ Content string }
		}
		last := ""
		if json.NewDecoder(r.Body).Decode(&f) == nil && len(f.Messages) > 0 {
			last = f.Messages[len(f.Messages)-1].Content
		}
		JSON(status, fmt.Sprintf(format, quote("could not read: "+last)))(w, r)
	}
}

// Whole are the cases of a request for a whole reply.
func Whole() []Case {
	good := Completion(Text, "stop")
	return append(Statuses(), []Case{
		{Name: "a good reply", Serve: Good(), Reply: Text, Stop: llm.StopEnd},
		{Name: "no content type", Serve: Raw(200, "", good), Reply: Text, Stop: llm.StopEnd},
		{Name: "the token limit", Serve: JSON(200, Completion("The boat", "length")), Reply: "The boat", Stop: llm.StopLength},
		{Name: "a content filter", Serve: JSON(200, Completion("", "content_filter")), Stop: llm.StopRefused},
		{Name: "a refusal in its own field", Serve: JSON(200, `{"model":"faulty-1","choices":[{"index":0,"message":{"role":"assistant","content":null,"refusal":"I can't."},"finish_reason":"stop"}]}`), Reply: "I can't.", Stop: llm.StopRefused},
		{Name: "no finish reason", Serve: JSON(200, `{"model":"faulty-1","choices":[{"index":0,"message":{"content":"The boat"},"finish_reason":null}]}`), Reply: "The boat", Stop: llm.StopUnknown},
		{Name: "a finish reason that nobody knows", Serve: JSON(200, Completion("The boat", "moonrise")), Reply: "The boat", Stop: llm.StopUnknown},
		{Name: "choices out of order", Serve: JSON(200, `{"model":"faulty-1","choices":[{"index":1,"message":{"content":"Wrong."},"finish_reason":"length"},{"index":0,"message":{"content":"The boat is red."},"finish_reason":"stop"}]}`), Reply: Text, Stop: llm.StopEnd},

		{Name: "connection refused half way", Serve: HangUp(), Want: []error{llm.ErrUnavailable}},
		{Name: "half a body, broken off", Serve: BreakOff(plain, good[:len(good)/2]), Want: []error{llm.ErrUnavailable}},
		{Name: "half a body, cleanly ended", Serve: JSON(200, good[:len(good)/2]), Want: []error{llm.ErrBadReply}},
		{Name: "an empty body", Serve: JSON(200, ""), Want: []error{llm.ErrBadReply}},
		{Name: "null", Serve: JSON(200, "null"), Want: []error{llm.ErrBadReply}},
		{Name: "a list", Serve: JSON(200, "[]"), Want: []error{llm.ErrBadReply}},
		{Name: "no choices", Serve: JSON(200, `{"model":"faulty-1","choices":[]}`), Want: []error{llm.ErrBadReply}},
		{Name: "a choice without a message", Serve: JSON(200, `{"model":"faulty-1","choices":[{"index":0,"finish_reason":"stop"}]}`), Want: []error{llm.ErrBadReply}},
		{Name: "a message without a text", Serve: JSON(200, `{"model":"faulty-1","choices":[{"index":0,"message":{"role":"assistant","content":null},"finish_reason":"stop"}]}`), Want: []error{llm.ErrBadReply}},
		{Name: "a tool call that nobody offered", Serve: JSON(200, `{"model":"faulty-1","choices":[{"index":0,"message":{"content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`), Want: []error{llm.ErrBadReply}},
		{Name: "HTML with status 200", Serve: Raw(200, "text/html; charset=utf-8", html), Want: []error{llm.ErrBadReply}},
		{Name: "HTML that says it is JSON", Serve: JSON(200, html), Want: []error{llm.ErrBadReply}},
		{Name: "a good reply that says it is an image", Serve: Raw(200, "image/png", good), Want: []error{llm.ErrBadReply}},
		{Name: "an error with status 200", Serve: JSON(200, fail("upstream is overloaded", "overloaded_error")), Want: []error{llm.ErrUnavailable}},
		{Name: "a huge reply", Serve: Endless(plain, `{"choices":[{"index":0,"message":{"content":"`, "boats and more boats "), Want: []error{llm.ErrBadReply}},
		{Name: "no answer at all", Serve: Begin("", ""), Want: []error{llm.ErrUnavailable}, Hangs: true},
		{Name: "an answer that stops half way", Serve: Begin(plain, good[:len(good)/2]), Want: []error{llm.ErrUnavailable}, Hangs: true},
	}...)
}

// Statuses are the cases that a status tells, whatever was asked for.
func Statuses() []Case {
	date := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	return []Case{
		{Name: "429 with seconds", Serve: JSON(429, fail("slow down", "rate_limit_error"), "Retry-After", "7"), Want: []error{llm.ErrRateLimited}, RetryAfter: 7 * time.Second},
		{Name: "429 with a date", Serve: JSON(429, fail("slow down", ""), "Date", date.Format(http.TimeFormat), "Retry-After", date.Add(90*time.Second).Format(http.TimeFormat)), Want: []error{llm.ErrRateLimited}, RetryAfter: 90 * time.Second},
		{Name: "429 with milliseconds", Serve: JSON(429, fail("slow down", ""), "Retry-After-Ms", "250", "Retry-After", "1"), Want: []error{llm.ErrRateLimited}, RetryAfter: 250 * time.Millisecond},
		{Name: "429 without Retry-After", Serve: JSON(429, fail("slow down", "")), Want: []error{llm.ErrRateLimited}},
		{Name: "429 with a Retry-After that is none", Serve: JSON(429, fail("slow down", ""), "Retry-After", "soon"), Want: []error{llm.ErrRateLimited}},
		{Name: "429 without a body", Serve: Raw(429, "", ""), Want: []error{llm.ErrRateLimited}},
		{Name: "429 without credit", Serve: JSON(429, `{"error":{"message":"You exceeded your current quota.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`), Want: []error{llm.ErrAuth}},
		{Name: "401 that quotes the key", Serve: JSON(401, `{"error":{"message":"Incorrect API key provided: `+Key+`. See https://example.com/?key=`+Key+`","type":"invalid_request_error","code":"invalid_api_key"}}`), Want: []error{llm.ErrAuth}},
		{Name: "401 that masks the key's middle", Serve: JSON(401, `{"error":{"message":"Incorrect API key provided: sk-te****************ghij."}}`), Want: []error{llm.ErrAuth}},
		{Name: "403 in HTML", Serve: Raw(403, "text/html", html), Want: []error{llm.ErrAuth}},
		{Name: "402", Serve: JSON(402, `{"error":"payment required"}`), Want: []error{llm.ErrAuth}},
		{Name: "404 for an unknown model", Serve: JSON(404, `{"error":{"message":"The model does not exist","type":"invalid_request_error","code":"model_not_found"}}`), Want: []error{llm.ErrBadRequest}},
		{Name: "404 in text", Serve: Raw(404, "text/plain", "404 page not found"), Want: []error{llm.ErrBadRequest}},
		{Name: "404 from Ollama", Serve: JSON(404, `{"error":"model 'x' not found, try pulling it first"}`), Want: []error{llm.ErrBadRequest}},
		{Name: "400 that quotes the request", Serve: quoting(400, `{"error":{"message":%s,"type":"invalid_request_error"}}`), Want: []error{llm.ErrBadRequest}},
		{Name: "422 that quotes the request", Serve: quoting(422, `{"detail":[{"loc":["body","messages",0],"msg":"field required","type":"missing","input":%s}]}`), Want: []error{llm.ErrBadRequest}},
		{Name: "422 of Mistral", Serve: quoting(422, `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted","input":%s}]},"type":"invalid_request_error","param":null,"code":null}`), Want: []error{llm.ErrBadRequest}},
		{Name: "400 of Google", Serve: JSON(400, `[{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"seed\": Cannot find field.","status":"INVALID_ARGUMENT"}}]`), Want: []error{llm.ErrBadRequest}},
		{Name: "a redirect", Serve: Raw(307, "", "", "Location", "https://example.com/v1/chat/completions"), Want: []error{llm.ErrBadRequest}},
		{Name: "204", Serve: Raw(204, "", ""), Want: []error{llm.ErrBadReply}},
		{Name: "500", Serve: JSON(500, fail("internal error", "server_error")), Want: []error{llm.ErrUnavailable}},
		{Name: "500 in HTML", Serve: Raw(500, "text/html", html), Want: []error{llm.ErrUnavailable}},
		{Name: "502 of a proxy", Serve: Raw(502, "text/html", "<html>bad gateway</html>"), Want: []error{llm.ErrUnavailable}},
		{Name: "503 while the model loads", Serve: JSON(503, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`, "Retry-After", "2"), Want: []error{llm.ErrUnavailable}, RetryAfter: 2 * time.Second},
		{Name: "529 overloaded", Serve: JSON(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), Want: []error{llm.ErrUnavailable}},
		{Name: "a huge error", Serve: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(500)
			_, _ = w.Write([]byte(`{"error":"` + strings.Repeat("sorry ", 1<<18) + `"}`))
		}, Want: []error{llm.ErrUnavailable}},

		{Name: "overflow, llama.cpp", Serve: JSON(400, `{"error":{"code":400,"message":"request (431 tokens) exceeds the available context size (256 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":431,"n_ctx":256}}`), Want: []error{llm.ErrContextTooLong}, Window: &llm.WindowError{Tokens: 431, Window: 256}},
		{Name: "overflow, OpenAI", Serve: JSON(400, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`), Want: []error{llm.ErrContextTooLong}, Window: &llm.WindowError{Tokens: 8227, Window: 8192}},
		{Name: "overflow, vLLM", Serve: JSON(400, `{"object":"error","message":"This model's maximum context length is 16384 tokens. However, you requested 19591 tokens (9591 in the messages, 10000 in the completion).","type":"BadRequestError","param":null,"code":400}`), Want: []error{llm.ErrContextTooLong}, Window: &llm.WindowError{Tokens: 19591, Window: 16384}},
		{Name: "overflow, Anthropic", Serve: JSON(400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 208310 tokens > 200000 maximum"}}`), Want: []error{llm.ErrContextTooLong}, Window: &llm.WindowError{Tokens: 208310, Window: 200000}},
		{Name: "overflow without sizes", Serve: JSON(400, fail("context length exceeded", "")), Want: []error{llm.ErrContextTooLong}},
		{Name: "413", Serve: Raw(413, "text/html", html), Want: []error{llm.ErrContextTooLong}},
		{Name: "413 for a rate", Serve: JSON(413, `{"error":{"message":"Request too large, tokens per minute","type":"tokens","code":"rate_limit_exceeded"}}`), Want: []error{llm.ErrRateLimited}},
		{Name: "400 of a content filter", Serve: JSON(400, `{"error":{"message":"The prompt was filtered","code":"content_filter","status":400}}`), Want: []error{llm.ErrRefused}},
	}
}

// Streams are the cases of a request for a stream.
func Streams() []Case {
	half := []string{Event("The ", ""), Event("boat ", "")}
	with := func(more ...string) http.HandlerFunc { return Events(append(half[:2:2], more...)...) }
	return append(Statuses(), []Case{
		{Name: "a good stream", Serve: Good(), Reply: Text, Stop: llm.StopEnd},
		{Name: "a stream without [DONE]", Serve: with(Event("is red.", "stop")), Reply: Text, Stop: llm.StopEnd},
		{Name: "a stream without usage", Serve: with(Event("is red.", "stop"), DoneEvent), Reply: Text, Stop: llm.StopEnd},
		{Name: "comments, other fields, no blanks", Serve: Events(": ping\n\n", "event: message\nid: 1\nretry: 10\n", strings.ReplaceAll(Event(Text, "stop"), "data: ", "data:"), "\r\n", DoneEvent), Reply: Text, Stop: llm.StopEnd},
		{Name: "the token limit", Serve: with(Event("", "length"), DoneEvent), Reply: "The boat ", Stop: llm.StopLength},
		{Name: "a content filter", Serve: with(Event("", "content_filter"), DoneEvent), Reply: "The boat ", Stop: llm.StopRefused},
		{Name: "another choice in between", Serve: with(`data: {"choices":[{"index":1,"delta":{"content":"Wrong."}}]}`+"\n\n", Event("is red.", "stop"), DoneEvent), Reply: Text, Stop: llm.StopEnd},
		{Name: "[DONE] before a finish reason", Serve: with(DoneEvent), Reply: "The boat ", Stop: llm.StopUnknown},

		{Name: "a stream that ends early", Serve: with(), Want: []error{llm.ErrTruncated}},
		{Name: "a stream of nothing", Serve: Events(), Want: []error{llm.ErrTruncated}},
		{Name: "a stream that breaks off", Serve: BreakOff(event, half[0]), Want: []error{llm.ErrTruncated, llm.ErrUnavailable}},
		{Name: "an event cut in the middle", Serve: with(Event("is red.", "stop")[:60]), Want: []error{llm.ErrBadReply}},
		{Name: "an event that is no JSON", Serve: with("data: oops\n\n", Event("is red.", "stop"), DoneEvent), Want: []error{llm.ErrBadReply}},
		{Name: "an error in the middle", Serve: with(`data: {"error":{"message":"upstream failed, Bearer `+Key+`","type":"server_error","code":500}}`+"\n\n", DoneEvent), Want: []error{llm.ErrUnavailable}},
		{Name: "events out of order", Serve: with(Event("", "stop"), Event("is red.", ""), DoneEvent), Want: []error{llm.ErrBadReply}},
		{Name: "HTML with status 200", Serve: Raw(200, "text/html", html), Want: []error{llm.ErrBadReply}},
		{Name: "a huge stream", Serve: Endless(event, "", Event("boats and more boats ", "")), Want: []error{llm.ErrBadReply}},
		{Name: "a huge line", Serve: Endless(event, "data: ", "boats"), Want: []error{llm.ErrBadReply}},
		{Name: "a stream that stops", Serve: Begin(event, half[0]), Want: []error{llm.ErrUnavailable}, Hangs: true},
		{Name: "a stream of pings", Serve: Endless(event, half[0], ": ping\n\n"), Want: []error{llm.ErrBadReply}},
	}...)
}
