package langchain

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/kgeval/kgeval/internal/llmhttp"
	"github.com/kgeval/kgeval/llm"
)

// Client returns an HTTP client to build a langchaingo model with
// (WithHTTPClient) and to name in Config.Client. It sends requests as base does
// (nil: with connections of its own), writes into the adapter's requests what
// langchaingo can't carry, and keeps what their responses say. It follows no
// redirect. Requests of others pass unchanged. One client may serve any number
// of models at the same time.
func Client(base *http.Client) *http.Client {
	var c http.Client
	if base != nil {
		c = *base
	}
	t := &transport{base: c.Transport}
	if t.base == nil {
		t.base = http.DefaultTransport
		if own, ok := http.DefaultTransport.(*http.Transport); ok {
			t.base = own.Clone()
		}
	}
	c.Transport = t
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &c
}

type transport struct{ base http.RoundTripper }

// CloseIdleConnections lets http.Client do so.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

type exchangeKey struct{}

// RoundTrip returns an error for whatever is no reply: langchaingo would make a
// text of it, and sometimes a reply.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if x, ok := r.Context().Value(vectorsKey{}).(*vectorExchange); ok && embeds(r.URL.Path) {
		return x.roundTrip(t.base, r)
	}
	x, ok := r.Context().Value(exchangeKey{}).(*exchange)
	if !ok || !x.dialect.chats(r.URL.Path) {
		return t.base.RoundTrip(r)
	}
	hide := x.begin(r.Header)
	sent, err := x.edit(r)
	if err != nil {
		return nil, x.fail(&llm.Error{Kind: llm.ErrBadRequest, Message: "the request that langchaingo made could not be read", Cause: hide.Cause(err)})
	}
	resp, err := t.base.RoundTrip(sent)
	if err != nil {
		return nil, x.fail(llmhttp.ConnectionError(r.Context(), err, hide))
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		return nil, x.fail(llmhttp.ReadFailure(resp, hide, len(x.req.Schema) > 0))
	}
	if kinds := x.dialect.streams(); resp.Header.Get("Content-Type") != "" && llmhttp.CheckType(resp.Header, kinds) == nil {
		resp.Body = newFilter(r.Context(), resp.Body, x)
		resp.ContentLength = -1
		resp.Header.Del("Content-Length")
		return resp, nil
	}
	defer resp.Body.Close()
	body, err := llmhttp.ReadBody(r.Context(), resp, x.limit, hide)
	if err == nil {
		body, err = x.whole(body)
	}
	if err != nil {
		return nil, x.fail(err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
	resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return resp, nil
}

// chats reports whether a path is the one that chats go to.
func (d Dialect) chats(path string) bool {
	switch d {
	case OpenAI:
		return strings.HasSuffix(path, "/chat/completions")
	case Ollama:
		return strings.HasSuffix(path, "/api/chat")
	}
	return strings.HasSuffix(path, "/messages")
}

// streams is the content type of the dialect's streams.
func (d Dialect) streams() string {
	if d == Ollama {
		return "ndjson"
	}
	return "event-stream"
}

// exchange is what is known of one call's request and response. The transport
// fills it, langchaingo in between.
type exchange struct {
	dialect Dialect
	req     llm.Request
	limit   int64
	secrets []string

	mu     sync.Mutex
	seen   bool // a request came by
	hide   *llmhttp.Redactor
	failed error        // what the response was in place of a reply
	reply  llm.Response // of a whole body
	reader reader       // of a stream, or nil
	read   bool         // the stream was read to its end
	broken error        // why the stream broke off
}

// keysOf are the keys that a request bears.
func keysOf(header http.Header) []string {
	var keys []string
	for _, name := range []string{"Authorization", "Api-Key", "X-Api-Key"} {
		for _, v := range header[http.CanonicalHeaderKey(name)] {
			keys = append(keys, strings.TrimPrefix(v, "Bearer "))
		}
	}
	return keys
}

// begin notes that a request came by, and the keys that it bears.
func (x *exchange) begin(header http.Header) *llmhttp.Redactor {
	secrets := slices.Concat(x.secrets, keysOf(header))
	x.mu.Lock()
	defer x.mu.Unlock()
	// Another request of the same call is another try.
	x.seen, x.failed, x.reply, x.reader, x.read, x.broken = true, nil, llm.Response{}, nil, false, nil
	x.hide = llmhttp.NewRedactor(secrets...).For(x.req)
	return x.hide
}

// fail keeps the first error, and returns it.
func (x *exchange) fail(err error) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.failed == nil {
		x.failed = err
	}
	return x.failed
}

// errNotUsed: settings were lost, and the reply is to another request than was
// asked.
var errNotUsed = errors.New("langchain: the model did not send its request through Config.Client; build it with WithHTTPClient and the same client")

// result is the response as the wire had it, or what went wrong. err is what
// langchaingo said; an empty response without an error means that this is all
// there is.
func (x *exchange) result(err error) (llm.Response, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case !x.seen && err != nil:
		return llm.Response{}, nil // it never came so far
	case !x.seen:
		return llm.Response{}, errNotUsed
	case x.failed != nil:
		return llm.Response{}, x.failed
	case x.reader != nil && err != nil && !x.read && x.broken == nil:
		return llm.Response{}, nil // langchaingo stopped reading
	case x.reader != nil:
		return x.reader.end(x.broken)
	}
	return x.reply, nil
}

// edit returns the request with the settings that langchaingo can't carry.
func (x *exchange) edit(r *http.Request) (*http.Request, error) {
	if r.Body == nil {
		return nil, io.ErrUnexpectedEOF
	}
	old, err := io.ReadAll(r.Body)
	_ = r.Body.Close()
	if err != nil {
		return nil, err
	}
	body, err := x.dialect.write(old, x.req, r.URL)
	if err != nil {
		return nil, err
	}
	sent := r.Clone(r.Context())
	sent.Body = io.NopCloser(bytes.NewReader(body))
	sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	sent.ContentLength = int64(len(body))
	return sent, nil
}

// filter is a stream's body: it passes on, line by line, what the reader has
// read, and ends in an error where the reader found one.
type filter struct {
	ctx  context.Context
	body io.ReadCloser
	x    *exchange

	mu   sync.Mutex // Close may come while a Read waits
	next func() ([]byte, error, bool)
	stop func()
	out  []byte
	err  error
}

func newFilter(ctx context.Context, body io.ReadCloser, x *exchange) *filter {
	f := &filter{ctx: ctx, body: body, x: x}
	f.next, f.stop = iter.Pull2(llmhttp.Lines(&llmhttp.Bounded{R: body, Limit: x.limit}))
	x.mu.Lock()
	defer x.mu.Unlock()
	x.reader = x.dialect.reader(x.hide, len(x.req.Schema) > 0)
	return f
}

func (f *filter) Read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.out) == 0 {
		if f.err != nil {
			return 0, f.err
		}
		f.fill()
	}
	n := copy(p, f.out)
	f.out = f.out[n:]
	return n, nil
}

// fill reads one line.
func (f *filter) fill() {
	line, err, ok := f.next()
	f.x.mu.Lock()
	defer f.x.mu.Unlock()
	if !ok {
		f.err, f.x.read = io.EOF, true
		return
	}
	if err != nil {
		f.err = llmhttp.ReadError(f.ctx, err, f.x.hide)
		if errors.Is(f.err, llm.ErrBadReply) {
			f.x.failed = f.err
		} else {
			f.x.broken = f.err
		}
		return
	}
	pass, err := f.x.reader.line(line)
	if err != nil {
		f.err, f.x.failed = err, err
		return
	}
	if pass {
		f.out = append(append(f.out[:0], line...), '\n')
	}
}

// Close ends a Read that waits, and what it reads from.
func (f *filter) Close() error {
	err := f.body.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stop()
	if f.err == nil {
		f.err = io.EOF
	}
	return err
}
