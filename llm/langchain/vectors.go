package langchain

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/kgeval/kgeval/internal/embedhttp"
	"github.com/kgeval/kgeval/internal/llmhttp"
	"github.com/kgeval/kgeval/llm"
)

type vectorsKey struct{}

// vectorExchange is what is known of the requests and responses of one call for
// vectors. The transport fills it, langchaingo in between.
type vectorExchange struct {
	texts   []string
	limit   int64
	secrets []string

	mu      sync.Mutex
	seen    bool
	failed  error
	vectors [][]float32 // of all its requests, in order
}

// embeds reports whether a path is one that texts go to: OpenAI's and Ollama's.
func embeds(path string) bool {
	return strings.HasSuffix(path, "/embeddings") || strings.HasSuffix(path, "/api/embed")
}

// roundTrip sends the request and reads the vectors of its response. langchaingo
// takes them in the order in which they come, and makes texts of errors.
func (x *vectorExchange) roundTrip(base http.RoundTripper, r *http.Request) (*http.Response, error) {
	hide := llmhttp.NewRedactor(append(keysOf(r.Header), x.secrets...)...).ForTexts(x.texts)
	body, err := x.exchange(base, r, hide)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.seen = true
	if err != nil {
		if x.failed == nil {
			x.failed = err
		}
		return nil, err
	}
	return body, nil
}

func (x *vectorExchange) exchange(base http.RoundTripper, r *http.Request, hide *llmhttp.Redactor) (*http.Response, error) {
	if r.Body == nil {
		return nil, &llm.Error{Kind: llm.ErrBadRequest, Message: "langchaingo made a request without a body"}
	}
	asked, err := io.ReadAll(r.Body)
	_ = r.Body.Close()
	if err != nil {
		return nil, &llm.Error{Kind: llm.ErrBadRequest, Cause: hide.Cause(err)}
	}
	n := inputs(asked)
	sent := r.Clone(r.Context())
	sent.Body = io.NopCloser(bytes.NewReader(asked))
	sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(asked)), nil }
	sent.ContentLength = int64(len(asked))
	resp, err := base.RoundTrip(sent)
	if err != nil {
		return nil, llmhttp.ConnectionError(r.Context(), err, hide)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, llmhttp.ReadFailure(resp, hide, false)
	}
	body, err := llmhttp.ReadBody(r.Context(), resp, x.limit, hide)
	if err != nil {
		return nil, err
	}
	decode := embedhttp.DecodeOpenAI
	if strings.HasSuffix(r.URL.Path, "/api/embed") {
		decode = embedhttp.DecodeOllama
	}
	vectors, err := decode(body, n)
	if err != nil {
		if e, ok := llmhttp.EventError(body, hide, false); ok {
			return nil, e
		}
		return nil, &llm.Error{Kind: llm.ErrBadReply, Cause: err}
	}
	x.mu.Lock()
	x.vectors = append(x.vectors, vectors...)
	x.mu.Unlock()
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
	resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return resp, nil
}

// inputs is how many texts a request is about.
func inputs(body []byte) int {
	var f struct {
		Input json.RawMessage `json:"input"`
	}
	var list []json.RawMessage
	if json.Unmarshal(body, &f) != nil || json.Unmarshal(f.Input, &list) != nil {
		return 1
	}
	return len(list)
}

// result is what the wire had, or what went wrong; both are nil where err is all
// there is to know.
func (x *vectorExchange) result(err error) ([][]float32, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case !x.seen && err != nil:
		return nil, nil // it never came so far
	case !x.seen:
		return nil, errNotUsed
	case x.failed != nil:
		return nil, x.failed
	case err != nil && len(x.vectors) != len(x.texts):
		return nil, nil
	}
	return x.vectors, nil
}
