// Package openai asks models behind any OpenAI-compatible chat endpoint: OpenAI,
// Azure, Mistral, Groq, OpenRouter, and llama.cpp, vLLM, Ollama or LM Studio on a
// machine of your own. docs/providers.md says how to use each.
//
// It is a small client over net/http: it sends what a llm.Request has, with 0
// as 0, reads the reply in bounded memory, and tells failures apart by the
// errors of package llm. It asks once: put llm/retry, llm/limit and the like
// around it. It is not a client for the rest of OpenAI's API (tools, images,
// files, audio).
package openai

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/kgeval/kgeval/internal/llmhttp"
	"github.com/kgeval/kgeval/llm"
)

// The defaults of a Config.
const (
	DefaultBaseURL  = "https://api.openai.com/v1"
	DefaultTimeout  = 10 * time.Minute
	DefaultMaxReply = 16 << 20
)

// Config says which model to ask, and where. Only Model is needed.
type Config struct {
	// BaseURL is the API's address, with the version and without
	// "/chat/completions": "http://localhost:11434/v1". "" stands for
	// DefaultBaseURL. A query (Azure's api-version) is kept.
	BaseURL string
	// Model is the model's name at that address.
	Model string
	// Key is sent as a bearer token; "" sends none. It appears in no error and
	// in no text that is made of a Config or a Client.
	Key string `json:"-"`
	// Header holds further headers to send, such as Azure's "Api-Key". Their
	// values are kept as secret as Key.
	Header http.Header `json:"-"`

	// Name becomes the client's ID; "" makes one of the address and the model.
	// Set it where the address changes from run to run and recordings or a cache
	// shall not.
	Name string

	// Lacks names fields of llm.Request that this server is known to ignore
	// ("TopK"), so that a request with one is llm.ErrUnsupported instead of
	// being answered as if it had none. At api.openai.com and Azure, TopK is
	// always among them.
	Lacks []string

	// MaxTokensField is what the server calls the limit of the reply. "" stands
	// for "max_completion_tokens" at api.openai.com and Azure, whose newer
	// models take nothing else, and "max_tokens" everywhere else.
	MaxTokensField string
	// SeedField is what the server calls the seed; "" stands for "seed". Mistral
	// calls it "random_seed".
	SeedField string
	// PlainStream leaves "stream_options" out of a request for a stream, which
	// asks for its usage; Mistral refuses it, and tells the usage without.
	PlainStream bool

	// Timeout bounds one call, from asking to the end of the reply; 0 stands
	// for DefaultTimeout. A context's deadline holds beside it.
	Timeout time.Duration
	// MaxReply bounds the bytes that are read of one response; 0 stands for
	// DefaultMaxReply.
	MaxReply int64

	// HTTPClient does the requests; nil stands for one of the Client's own.
	// Redirects are not followed, whatever it says: they would carry texts and
	// key to another address.
	HTTPClient *http.Client `json:"-"`
}

// String names the model and the address, and no secret.
func (c Config) String() string {
	at, err := url.Parse(c.BaseURL)
	if err != nil {
		return "openai " + c.Model
	}
	return "openai " + c.Model + " at " + llmhttp.Place(at)
}

// GoString is String.
func (c Config) GoString() string { return c.String() }

// LogValue is String.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// Client is a model behind an endpoint. It is safe for concurrent use.
type Client struct {
	id        string
	model     string
	endpoint  string
	lacks     []string
	maxTokens string
	seed      string
	plain     bool
	timeout   time.Duration
	maxReply  int64
	http      *http.Client
	prepare   func(http.Header) // sets headers; closes over the secrets
	hide      *hider
}

// hider keeps the secrets out of what fmt prints of a Client.
type hider struct{ redactor func() *llmhttp.Redactor }

var _ llm.Streamer = (*Client)(nil)

// New returns a client. It opens no connection.
func New(c Config) (*Client, error) {
	if c.Model == "" {
		return nil, errors.New("openai: Config.Model is empty; name the model to ask")
	}
	u, err := llmhttp.BaseURL(c.BaseURL, DefaultBaseURL, "/chat/completions")
	if err != nil {
		return nil, fmt.Errorf("openai: %w", err)
	}
	if c.Timeout < 0 || c.MaxReply < 0 {
		return nil, errors.New("openai: Config.Timeout and Config.MaxReply must not be negative")
	}
	if err := llmhttp.CheckKey(c.Key); err != nil {
		return nil, fmt.Errorf("openai: %w", err)
	}
	for _, f := range c.Lacks {
		if !slices.Contains(fields, f) {
			return nil, fmt.Errorf("openai: Config.Lacks: llm.Request has no optional field %q", f)
		}
	}

	id := c.Name
	if id == "" {
		id = "openai/" + llmhttp.Place(u) + "/" + c.Model
	}
	redactor := llmhttp.NewRedactor(llmhttp.Secrets(c.Key, c.Header, u)...)
	key, header := c.Key, c.Header.Clone()
	cl := &Client{
		id:        id,
		model:     c.Model,
		endpoint:  llmhttp.Endpoint(u, "/chat/completions"),
		lacks:     slices.Clone(c.Lacks),
		maxTokens: c.MaxTokensField,
		seed:      c.SeedField,
		plain:     c.PlainStream,
		timeout:   c.Timeout,
		maxReply:  c.MaxReply,
		http:      llmhttp.Straight(c.HTTPClient),
		prepare: func(h http.Header) {
			if key != "" {
				h.Set("Authorization", "Bearer "+key)
			}
			maps.Copy(h, header)
		},
		hide: &hider{func() *llmhttp.Redactor { return redactor }},
	}
	if isOpenAI(u) {
		cl.lacks = append(cl.lacks, "TopK")
	}
	if cl.maxTokens == "" {
		cl.maxTokens = llmhttp.MaxTokensField(u)
	}
	if cl.seed == "" {
		cl.seed = "seed"
	}
	if cl.timeout == 0 {
		cl.timeout = DefaultTimeout
	}
	if cl.maxReply == 0 {
		cl.maxReply = DefaultMaxReply
	}
	return cl, nil
}

// isOpenAI reports whether an address is OpenAI's own or Azure's, which refuse
// fields that they don't know.
func isOpenAI(u *url.URL) bool { return llmhttp.MaxTokensField(u) != "max_tokens" }

// ID names the address and the model, or is Config.Name.
func (c *Client) ID() string { return c.id }

// Close closes the connections that wait for the next request.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// String is the ID.
func (c *Client) String() string { return c.id }

// GoString is the ID.
func (c *Client) GoString() string { return c.id }

// Generate returns the reply to req. The model that answered is the one that
// the response names: a server with one model may answer whatever name was
// asked for.
func (c *Client) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	start := time.Now()
	ctx, call, err := c.begin(ctx, req)
	if err != nil {
		return llm.Response{}, err
	}
	defer call.end()
	resp, err := call.ask(ctx, req, false)
	if err != nil {
		return llm.Response{}, err
	}
	defer resp.Body.Close()
	body, err := llmhttp.ReadBody(ctx, resp, c.maxReply, call.hide)
	if err != nil {
		return llm.Response{}, call.timed(ctx, err)
	}
	r, err := call.whole(body, len(req.Schema) > 0)
	if err != nil {
		return llm.Response{}, llm.ContextError(call.parent, err)
	}
	r.Latency = time.Since(start)
	return r, nil
}

// Stream yields the reply in pieces as it comes. A server that doesn't stream
// gives it as one.
func (c *Client) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Piece, error] {
	return func(yield func(llm.Piece, error) bool) {
		start := time.Now()
		ctx, call, err := c.begin(ctx, req)
		if err != nil {
			yield(llm.Piece{}, err)
			return
		}
		defer call.end()
		resp, err := call.ask(ctx, req, true)
		if err != nil {
			yield(llm.Piece{}, err)
			return
		}
		defer resp.Body.Close()

		schema := len(req.Schema) > 0
		if llmhttp.CheckType(resp.Header, "json") == nil && resp.Header.Get("Content-Type") != "" {
			body, err := llmhttp.ReadBody(ctx, resp, c.maxReply, call.hide)
			var r llm.Response
			if err == nil {
				r, err = call.whole(body, schema)
			}
			if err != nil {
				yield(llm.Piece{}, call.timed(ctx, err))
				return
			}
			r.Latency = time.Since(start)
			yield(llm.Piece{Text: r.Text, Done: &r}, nil)
			return
		}
		if err := llmhttp.CheckType(resp.Header, "event-stream"); err != nil {
			yield(llm.Piece{}, err)
			return
		}

		var join llmhttp.Joiner
		var broken error
		for line, err := range llmhttp.Lines(&llmhttp.Bounded{R: resp.Body, Limit: c.maxReply}) {
			if err != nil {
				broken = llmhttp.ReadError(ctx, err, call.hide)
				if errors.Is(broken, llm.ErrBadReply) || ctx.Err() != nil {
					yield(llm.Piece{}, call.timed(ctx, broken))
					return
				}
				break
			}
			data, ok := llmhttp.Data(line)
			if !ok || len(data) == 0 {
				continue
			}
			piece, err := join.Add(data, call.hide, schema)
			if err != nil {
				yield(llm.Piece{}, llm.ContextError(call.parent, err))
				return
			}
			if piece != "" && !yield(llm.Piece{Text: piece}, nil) {
				return
			}
			if join.Over() {
				break
			}
		}
		r, err := join.Response(broken)
		if err == nil {
			err = call.parent.Err()
		}
		if err != nil {
			yield(llm.Piece{}, llm.ContextError(call.parent, err))
			return
		}
		if r.Model == "" {
			r.Model = c.model
		}
		r.Latency = time.Since(start)
		yield(llm.Piece{Done: &r}, nil)
	}
}
