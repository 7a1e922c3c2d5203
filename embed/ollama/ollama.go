// Package ollama embeds texts by Ollama's own interface (/api/embed). Ollama's
// OpenAI-compatible address (embed/openai) does the same, but cuts texts that are
// too long without a word; here that is an error, unless it is asked for.
//
// Texts go out in batches and vectors come back in order; each request is asked
// again where that may help, and an answer that is not one sound vector for each
// text is an error, never a made-up vector. Errors are those of package llm. To ask
// only once for a text, put embed.Stored around it.
package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/internal/embedhttp"
	"github.com/kgeval/kgeval/llm/retry"
)

// The defaults of a Config.
const (
	DefaultBaseURL  = "http://localhost:11434"
	DefaultTimeout  = embedhttp.DefaultTimeout
	DefaultMaxReply = embedhttp.DefaultMaxReply
	DefaultBatch    = embedhttp.DefaultBatch
)

// Config says which model to ask, and where. Only Model is needed.
type Config struct {
	// BaseURL is Ollama's address, without "/api/embed". "" stands for
	// DefaultBaseURL.
	BaseURL string
	// Model is the model's name there, with its tag: "nomic-embed-text:v1.5". What
	// "latest" is changes, and the ID does not tell.
	Model string
	// Key is sent as a bearer token, for a proxy that wants one; "" sends none. It
	// appears in no error and in no text that is made of a Config or an Embedder.
	Key string `json:"-"`
	// Header holds further headers to send. Their values are kept as secret as Key.
	Header http.Header `json:"-"`

	// Name becomes the ID; "" makes one of the address and the model. Set it where
	// the address changes from run to run and a cache shall not.
	Name string
	// Dimensions asks the model for shorter vectors, where it can; 0 for its own.
	Dimensions int
	// Prefix goes before each text, for models that want one
	// ("search_document: "). It is part of the ID.
	Prefix string
	// Truncate lets Ollama cut texts that do not fit into the model's window.
	// Without it they are llm.ErrContextTooLong. It is part of the ID.
	Truncate bool
	// KeepAlive is how long the model stays loaded; 0 leaves it to Ollama.
	KeepAlive time.Duration
	// Batch is the most texts of one request; 0 stands for DefaultBatch.
	Batch int
	// Retry says how often and how long a request is asked again; Attempts of 1
	// never.
	Retry retry.Options `json:"-"`

	// Timeout bounds one request, loading the model included; 0 stands for
	// DefaultTimeout. A context's deadline holds beside it.
	Timeout time.Duration
	// MaxReply bounds the bytes that are read of one answer; 0 stands for
	// DefaultMaxReply.
	MaxReply int64
	// HTTPClient does the requests; nil stands for one of the Embedder's own.
	// Redirects are not followed, whatever it says.
	HTTPClient *http.Client `json:"-"`
}

// String names the model and no secret.
func (c Config) String() string { return "ollama embeddings " + c.Model }

// GoString is String.
func (c Config) GoString() string { return c.String() }

// LogValue is String.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// Embedder is an embed.Embedder behind Ollama. It is safe for concurrent use.
type Embedder struct{ client *embedhttp.Client }

var _ embed.Embedder = (*Embedder)(nil)

// New returns an embedder. It opens no connection.
func New(c Config) (*Embedder, error) {
	if c.Model == "" {
		return nil, errors.New("embed/ollama: Config.Model is empty; name the model to ask")
	}
	if c.Dimensions < 0 || c.KeepAlive < 0 {
		return nil, errors.New("embed/ollama: Config.Dimensions and Config.KeepAlive must not be negative")
	}
	alive := ""
	if c.KeepAlive > 0 {
		alive = c.KeepAlive.String()
	}
	client, err := embedhttp.New(embedhttp.Config{
		BaseURL: c.BaseURL, Fallback: DefaultBaseURL, Path: "/api/embed",
		Key: c.Key, Header: c.Header, Prefix: c.Prefix, Batch: c.Batch,
		Timeout: c.Timeout, MaxReply: c.MaxReply, Retry: c.Retry, HTTPClient: c.HTTPClient,
		ID: func(place string) string {
			id := embedhttp.ID("ollama", place, c.Model, c.Name, c.Dimensions, c.Prefix)
			if c.Truncate {
				id += "+cut"
			}
			return id
		},
		Encode: func(texts []string) ([]byte, error) {
			return json.Marshal(struct {
				Model      string   `json:"model"`
				Input      []string `json:"input"`
				Truncate   bool     `json:"truncate"`
				Dimensions int      `json:"dimensions,omitempty"`
				KeepAlive  string   `json:"keep_alive,omitempty"`
			}{c.Model, texts, c.Truncate, c.Dimensions, alive})
		},
		Decode: embedhttp.DecodeOllama,
	})
	if err != nil {
		return nil, fmt.Errorf("embed/ollama: %w", err)
	}
	return &Embedder{client}, nil
}

// ID names the address and the model, or is Config.Name; both with Dimensions,
// Prefix and Truncate where they are set.
func (e *Embedder) ID() string { return e.client.ID() }

// Embed returns the texts' vectors, scaled to unit norm. Bytes that are not UTF-8
// are sent as U+FFFD. Blank texts are not sent and get the zero vector. Requests go
// one after the other, and an error ends the call: an *llm.Error with its kind
// (llm.ErrUnavailable, ErrAuth, ErrContextTooLong, ErrBadRequest, ErrBadReply), or
// the context's. An answer that is short, or holds a vector of another length, a
// zero vector or something that is no number, is llm.ErrBadReply with an error of
// package embed as its cause where there is one.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := e.client.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("embed/ollama: %w", err)
	}
	return vectors, nil
}

// Close closes the connections that wait for the next request.
func (e *Embedder) Close() { e.client.Close() }

// String is the ID.
func (e *Embedder) String() string { return e.ID() }

// GoString is the ID.
func (e *Embedder) GoString() string { return e.ID() }
