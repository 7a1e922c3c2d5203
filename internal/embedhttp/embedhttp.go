// Package embedhttp is what embedders behind HTTP share: one request for some
// texts, asked again where that may help, in bounded memory and time, whose answer
// is believed only where it is one sound vector for each text.
//
// The dialects, what a request and an answer look like, are their own packages'.
package embedhttp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/internal/llmhttp"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/retry"
	"github.com/kgeval/kgeval/segment"
)

// The defaults of a Config.
const (
	DefaultTimeout  = 5 * time.Minute
	DefaultMaxReply = 64 << 20
	DefaultBatch    = 100
)

// Config is what the dialects' own Configs come to.
type Config struct {
	// BaseURL, Fallback and Path make the address, see llmhttp.BaseURL.
	BaseURL, Fallback, Path string

	Key        string
	Header     http.Header
	Prefix     string
	Batch      int
	Timeout    time.Duration
	MaxReply   int64
	Retry      retry.Options
	HTTPClient *http.Client

	// ID names the embedder that asks at a place (host and path).
	ID func(place string) string
	// Encode makes a request's body of texts, which are valid UTF-8.
	Encode func(texts []string) ([]byte, error)
	// Decode reads the vectors of a body with status 200, in the texts' order. Its
	// errors say what is wrong with the answer.
	Decode func(body []byte, texts int) ([][]float32, error)
}

// Client embeds texts by requests. It is safe for concurrent use.
type Client struct {
	id       string
	prefix   string
	endpoint string
	timeout  time.Duration
	maxReply int64
	retry    retry.Options
	http     *http.Client
	encode   func([]string) ([]byte, error)
	decode   func([]byte, int) ([][]float32, error)
	prepare  func(http.Header)        // sets headers; closes over the secrets
	redactor func() *llmhttp.Redactor // and so does this

	batched embed.Embedder
}

// New returns a client; it opens no connection.
func New(c Config) (*Client, error) {
	u, err := llmhttp.BaseURL(c.BaseURL, c.Fallback, c.Path)
	if err != nil {
		return nil, err
	}
	if err := llmhttp.CheckKey(c.Key); err != nil {
		return nil, err
	}
	if c.Timeout < 0 || c.MaxReply < 0 || c.Batch < 0 {
		return nil, errors.New("Config.Timeout, Config.MaxReply and Config.Batch must not be negative")
	}
	redactor := llmhttp.NewRedactor(llmhttp.Secrets(c.Key, c.Header, u)...)
	key, header := c.Key, c.Header.Clone()
	cl := &Client{
		id:       c.ID(llmhttp.Place(u)),
		prefix:   c.Prefix,
		endpoint: llmhttp.Endpoint(u, c.Path),
		timeout:  c.Timeout,
		maxReply: c.MaxReply,
		retry:    c.Retry,
		http:     llmhttp.Straight(c.HTTPClient),
		encode:   c.Encode,
		decode:   c.Decode,
		prepare: func(h http.Header) {
			if key != "" {
				h.Set("Authorization", "Bearer "+key)
			}
			maps.Copy(h, header)
		},
		redactor: func() *llmhttp.Redactor { return redactor },
	}
	if cl.timeout == 0 {
		cl.timeout = DefaultTimeout
	}
	if cl.maxReply == 0 {
		cl.maxReply = DefaultMaxReply
	}
	batch := c.Batch
	if batch == 0 {
		batch = DefaultBatch
	}
	cl.batched = embed.Batched(request{cl}, batch)
	return cl, nil
}

// ID names the embedder.
func (c *Client) ID() string { return c.id }

// Close closes the connections that wait for the next request.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Embed returns the texts' vectors, of unit norm.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return c.batched.Embed(ctx, texts)
}

// request is a Client that makes one request of all its texts.
type request struct{ *Client }

func (r request) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := llm.ContextError(ctx, nil); err != nil {
		return nil, err
	}
	if len(texts) == 0 {
		return [][]float32{}, nil
	}
	sent := make([]string, len(texts))
	for i, t := range texts {
		sent[i] = segment.RepairUTF8(r.prefix + t)
	}
	hide := r.redactor().ForTexts(sent)
	body, err := r.encode(sent)
	if err != nil {
		return nil, &llm.Error{Kind: llm.ErrBadRequest, Cause: hide.Cause(err)}
	}
	var vectors [][]float32
	err = retry.Do(ctx, r.retry, func(ctx context.Context) (err error) {
		vectors, err = r.once(ctx, body, texts, hide)
		return err
	})
	if err != nil {
		return nil, err
	}
	return vectors, nil
}

// errTimeout is the cause of a context that Config.Timeout ended.
var errTimeout = errors.New("timeout of the client")

// once asks once.
func (r request) once(ctx context.Context, body []byte, texts []string, hide *llmhttp.Redactor) ([][]float32, error) {
	parent := ctx
	ctx, cancel := context.WithTimeoutCause(ctx, r.timeout, errTimeout)
	defer cancel()
	vectors, err := r.exchange(ctx, body, len(texts), hide)
	switch {
	case err != nil && parent.Err() == nil && errors.Is(context.Cause(ctx), errTimeout):
		// The caller's context has not ended: its error must not be in there.
		return nil, &llm.Error{Kind: llm.ErrUnavailable, Message: fmt.Sprintf("no whole answer within %v", r.timeout.Round(time.Millisecond))}
	case err != nil:
		return nil, llm.ContextError(parent, err)
	}
	for _, v := range vectors {
		embed.Normalize(v)
	}
	if err := embed.Check(texts, vectors); err != nil {
		return nil, &llm.Error{Kind: llm.ErrBadReply, Cause: err}
	}
	return vectors, nil
}

func (r request) exchange(ctx context.Context, body []byte, texts int, hide *llmhttp.Redactor) ([][]float32, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, &llm.Error{Kind: llm.ErrBadRequest, Cause: hide.Cause(err)}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	r.prepare(req.Header)
	resp, err := r.http.Do(req)
	if err != nil {
		return nil, llmhttp.ConnectionError(ctx, err, hide)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, llmhttp.ReadFailure(resp, hide, false)
	}
	answer, err := llmhttp.ReadBody(ctx, resp, r.maxReply, hide)
	if err != nil {
		return nil, err
	}
	vectors, err := r.decode(answer, texts)
	if err == nil {
		return vectors, nil
	}
	// An error in place of an answer is more to the point than what the answer lacks.
	if e, ok := llmhttp.EventError(answer, hide, false); ok {
		return nil, e
	}
	return nil, &llm.Error{Kind: llm.ErrBadReply, Cause: err}
}
