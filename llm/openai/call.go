package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/kgeval/kgeval/internal/llmhttp"
	"github.com/kgeval/kgeval/llm"
)

// fields are the optional fields of llm.Request that reach a server.
var fields = []string{"Temperature", "TopP", "TopK", "Seed", "MaxTokens", "Stop", "Schema", "LogProbs"}

// body is what is sent. A nil pointer is left out, a pointer to 0 is 0.
type body struct {
	Model       string          `json:"model"`
	Messages    []message       `json:"messages"`
	Temperature *float64        `json:"temperature,omitempty"`
	TopP        *float64        `json:"top_p,omitempty"`
	TopK        *int            `json:"top_k,omitempty"`
	Stop        []string        `json:"stop,omitempty"`
	Format      *responseFormat `json:"response_format,omitempty"`
	LogProbs    bool            `json:"logprobs,omitempty"`
	TopLogProbs int             `json:"top_logprobs,omitempty"`
	Stream      bool            `json:"stream,omitempty"`
	Options     *streamOptions  `json:"stream_options,omitempty"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type responseFormat struct {
	Type   string `json:"type"`
	Schema struct {
		Name   string          `json:"name"`
		Strict bool            `json:"strict"`
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

func (c *Client) encode(req llm.Request, stream bool) ([]byte, error) {
	b := body{
		Model:       c.model,
		Temperature: req.Temperature,
		TopP:        req.TopP,
		TopK:        req.TopK,
		Stop:        req.Stop,
		Stream:      stream,
	}
	for _, m := range req.Messages {
		b.Messages = append(b.Messages, message{string(m.Role), m.Text})
	}
	if len(req.Schema) > 0 {
		b.Format = &responseFormat{Type: "json_schema"}
		b.Format.Schema.Name = "reply"
		b.Format.Schema.Strict = true
		b.Format.Schema.Schema = req.Schema
	}
	if req.LogProbs > 0 && !slices.Contains(c.lacks, "LogProbs") {
		b.LogProbs, b.TopLogProbs = true, req.LogProbs
	}
	if stream && !c.plain {
		b.Options = &streamOptions{IncludeUsage: true}
	}
	out, err := json.Marshal(b)
	if err != nil {
		return nil, err
	}
	// The fields whose names are the server's.
	if req.MaxTokens > 0 {
		if out, err = with(out, c.maxTokens, int64(req.MaxTokens)); err != nil {
			return nil, err
		}
	}
	if req.Seed != nil {
		return with(out, c.seed, *req.Seed)
	}
	return out, nil
}

// with adds a member to a JSON object that has some.
func with(object []byte, name string, value int64) ([]byte, error) {
	quoted, err := json.Marshal(name)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(object[:len(object)-1], ",%s:%d}", quoted, value), nil
}

// refuse returns an error for the fields that the server is known to ignore.
// LogProbs is only a wish.
func (c *Client) refuse(req llm.Request) error {
	set := map[string]bool{
		"Temperature": req.Temperature != nil,
		"TopP":        req.TopP != nil,
		"TopK":        req.TopK != nil,
		"Seed":        req.Seed != nil,
		"MaxTokens":   req.MaxTokens != 0,
		"Stop":        len(req.Stop) > 0,
		"Schema":      len(req.Schema) > 0,
	}
	var lost []string
	for _, f := range fields {
		if set[f] && slices.Contains(c.lacks, f) {
			lost = append(lost, f)
		}
	}
	if lost != nil {
		return &llm.UnsupportedError{Fields: lost, Reason: "the server ignores or refuses it"}
	}
	return nil
}

// call is one request on its way.
type call struct {
	client *Client
	parent context.Context // the caller's
	cancel context.CancelFunc
	hide   *llmhttp.Redactor
}

// errTimeout is the cause of a context that Config.Timeout ended.
var errTimeout = errors.New("timeout of the client")

func (c *Client) begin(ctx context.Context, req llm.Request) (context.Context, *call, error) {
	if err := llm.Validate(req); err != nil {
		return nil, nil, err
	}
	if err := llm.ContextError(ctx, nil); err != nil {
		return nil, nil, err
	}
	if err := c.refuse(req); err != nil {
		return nil, nil, err
	}
	parent := ctx
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, errTimeout)
	return ctx, &call{client: c, parent: parent, cancel: cancel, hide: c.hide.redactor().For(req)}, nil
}

func (k *call) end() { k.cancel() }

// timed gives an error that Config.Timeout made as llm.ErrUnavailable: the
// caller's context has not ended.
func (k *call) timed(ctx context.Context, err error) error {
	if k.parent.Err() == nil && errors.Is(context.Cause(ctx), errTimeout) {
		return &llm.Error{Kind: llm.ErrUnavailable, Message: fmt.Sprintf("no whole reply within %v", k.client.timeout.Round(time.Millisecond))}
	}
	return llm.ContextError(k.parent, err)
}

// ask sends the request and returns a response with status 200.
func (k *call) ask(ctx context.Context, req llm.Request, stream bool) (*http.Response, error) {
	c := k.client
	b, err := c.encode(req, stream)
	if err != nil {
		return nil, &llm.Error{Kind: llm.ErrBadRequest, Cause: k.hide.Cause(err)}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(b))
	if err != nil {
		return nil, &llm.Error{Kind: llm.ErrBadRequest, Cause: k.hide.Cause(err)}
	}
	r.Header.Set("Content-Type", "application/json")
	if stream {
		r.Header.Set("Accept", "text/event-stream")
	} else {
		r.Header.Set("Accept", "application/json")
	}
	c.prepare(r.Header)
	resp, err := c.http.Do(r)
	if err != nil {
		return nil, k.timed(ctx, llmhttp.ConnectionError(ctx, err, k.hide))
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, llm.ContextError(k.parent, llmhttp.ReadFailure(resp, k.hide, len(req.Schema) > 0))
}

// whole reads a body that holds the whole reply.
func (k *call) whole(body []byte, schema bool) (llm.Response, error) {
	c, err := llmhttp.DecodeChat(body, k.hide, schema)
	if err != nil {
		return llm.Response{}, err
	}
	r, err := c.Response()
	if err != nil {
		return llm.Response{}, err
	}
	if r.Model == "" {
		r.Model = k.client.model
	}
	return r, nil
}
