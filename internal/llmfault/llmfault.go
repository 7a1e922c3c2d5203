// Package llmfault is a chat server in OpenAI's dialect that does wrong what a
// test tells it to, and a table of all that servers have been seen to do wrong.
// Each client of a model goes through the whole table in its own tests.
package llmfault

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Text is what the server replies where nothing is wrong, and Model who says so.
const (
	Text  = "The boat is red."
	Model = "faulty-1"
)

// Server remembers what it was asked.
type Server struct {
	// URL is the base URL with the version.
	URL string

	http *httptest.Server
	mu   sync.Mutex
	seen []Asked
}

// Asked is one request as it came over the wire.
type Asked struct {
	Path   string
	Header http.Header
	Body   []byte
}

// Fields returns the members of the body, which must be a JSON object.
func (a Asked) Fields(t testing.TB) map[string]json.RawMessage {
	t.Helper()
	var f map[string]json.RawMessage
	if err := json.Unmarshal(a.Body, &f); err != nil {
		t.Fatalf("the body is no JSON object: %v\n%s", err, a.Body)
	}
	return f
}

// Start runs a server until the test ends. Its n-th request is answered by the
// n-th of the handlers, and those beyond by the last.
func Start(t testing.TB, serve ...http.HandlerFunc) *Server {
	t.Helper()
	s := &Server{}
	s.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client left
		}
		s.mu.Lock()
		n := len(s.seen)
		s.seen = append(s.seen, Asked{Path: r.URL.Path, Header: r.Header.Clone(), Body: body})
		s.mu.Unlock()
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		serve[min(n, len(serve)-1)](w, r)
	}))
	s.URL = s.http.URL + "/v1"
	t.Cleanup(s.Close)
	return s
}

// Close ends the server; a test that counts goroutines calls it before.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Asked returns what came so far, in order.
func (s *Server) Asked() []Asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// JSON answers with a status and a body.
func JSON(status int, body string, header ...string) http.HandlerFunc {
	return Raw(status, "application/json; charset=utf-8", body, header...)
}

// Raw answers with a status, a content type ("" for none) and a body, and with
// further headers as pairs of name and value.
func Raw(status int, kind, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		if kind != "" {
			w.Header().Set("Content-Type", kind)
		}
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Completion is the body of a whole reply.
func Completion(text, finish string) string {
	return fmt.Sprintf(`{"id":"c1","object":"chat.completion","model":%s,"choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":%s}],`+
		`"usage":{"prompt_tokens":7,"completion_tokens":5,"total_tokens":12,"prompt_tokens_details":{"cached_tokens":2}}}`,
		quote(Model), quote(text), quote(finish))
}

// Event is one event of a stream; finish "" is not yet.
func Event(text, finish string) string {
	f := "null"
	if finish != "" {
		f = quote(finish)
	}
	return fmt.Sprintf(`data: {"id":"c1","object":"chat.completion.chunk","model":%s,"choices":[{"index":0,"delta":{"content":%s},"finish_reason":%s}]}`+"\n\n",
		quote(Model), quote(text), f)
}

// The events that end a stream.
const (
	UsageEvent = `data: {"id":"c1","object":"chat.completion.chunk","model":"` + Model + `","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":5,"total_tokens":12}}` + "\n\n"
	DoneEvent  = "data: [DONE]\n\n"
)

// Events answers with a stream that ends where the events do.
func Events(events ...string) http.HandlerFunc {
	return Raw(http.StatusOK, "text/event-stream", strings.Join(events, ""))
}

// Good answers as a server should: with Text, as a stream where that was asked.
func Good() http.HandlerFunc { return Say(Text) }

// Say answers with a text, as a stream where that was asked.
func Say(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !Streaming(r) {
			JSON(http.StatusOK, Completion(text, "stop"))(w, r)
			return
		}
		events := []string{Event("", "")}
		for _, word := range strings.SplitAfter(text, " ") {
			events = append(events, Event(word, ""))
		}
		Events(append(events, Event("", "stop"), UsageEvent, DoneEvent)...)(w, r)
	}
}

// Streaming reports whether a request asks for a stream. It reads the body and
// puts it back.
func Streaming(r *http.Request) bool {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	var f struct {
		Stream bool `json:"stream"`
	}
	return err == nil && json.Unmarshal(body, &f) == nil && f.Stream
}

// BreakOff answers with the beginning of a body and breaks the connection.
func BreakOff(kind, begin string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		hijacker, ok := w.(http.Hijacker)
		if !ok {
			return
		}
		conn, _, err := hijacker.Hijack()
		if err != nil {
			return
		}
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", kind, len(begin)+1000, begin)
		_ = conn.Close()
	}
}

// HangUp breaks the connection without an answer.
func HangUp() http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if hijacker, ok := w.(http.Hijacker); ok {
			if conn, _, err := hijacker.Hijack(); err == nil {
				_ = conn.Close()
			}
		}
	}
}

// Begin answers with the beginning of a body and then with nothing more, until
// the client leaves.
func Begin(kind, begin string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if kind != "" {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(http.StatusOK)
			_, _ = io.WriteString(w, begin)
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
		}
		<-r.Context().Done()
	}
}

// Endless answers with a beginning and then with the same again and again,
// until the client leaves.
func Endless(kind, begin, again string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, err := io.WriteString(w, begin)
		block := strings.Repeat(again, 1+(32<<10)/len(again))
		for err == nil && r.Context().Err() == nil {
			_, err = io.WriteString(w, block)
		}
	}
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}
