// Package openai embeds texts by any OpenAI-compatible endpoint: OpenAI, Azure,
// Mistral, Voyage, and llama.cpp, vLLM, Ollama, LM Studio or Text Embeddings
// Inference on a machine of your own. docs/embed-http.md says how to use each.
//
// Texts go out in batches and vectors come back in order; each request is asked
// again where that may help, and an answer that is not one sound vector for each
// text is an error, never a made-up vector. Errors are those of package llm. To ask
// only once for a text, put embed.Stored around it.
package openai

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
	DefaultBaseURL  = "https://api.openai.com/v1"
	DefaultTimeout  = embedhttp.DefaultTimeout
	DefaultMaxReply = embedhttp.DefaultMaxReply
	DefaultBatch    = embedhttp.DefaultBatch
)

// Config says which model to ask, and where. Only Model is needed.
type Config struct {
	// BaseURL is the API's address, with the version and without "/embeddings":
	// "http://localhost:8080/v1". "" stands for DefaultBaseURL. A query (Azure's
	// api-version) is kept.
	BaseURL string
	// Model is the model's name at that address.
	Model string
	// Key is sent as a bearer token; "" sends none. It appears in no error and in
	// no text that is made of a Config or an Embedder.
	Key string `json:"-"`
	// Header holds further headers to send, such as Azure's "Api-Key". Their values
	// are kept as secret as Key.
	Header http.Header `json:"-"`

	// Name becomes the ID; "" makes one of the address and the model. Set it where
	// the address changes from run to run and a cache shall not.
	Name string
	// Dimensions asks the model for shorter vectors, where it can; 0 for its own.
	Dimensions int
	// Prefix goes before each text, for models that want one ("query: "). It is
	// part of the ID.
	Prefix string
	// Batch is the most texts of one request; 0 stands for DefaultBatch.
	Batch int
	// Retry says how often and how long a request is asked again; Attempts of 1
	// never.
	Retry retry.Options `json:"-"`

	// Timeout bounds one request, from asking to the end of the answer; 0 stands
	// for DefaultTimeout. A context's deadline holds beside it.
	Timeout time.Duration
	// MaxReply bounds the bytes that are read of one answer; 0 stands for
	// DefaultMaxReply.
	MaxReply int64
	// HTTPClient does the requests; nil stands for one of the Embedder's own.
	// Redirects are not followed, whatever it says.
	HTTPClient *http.Client `json:"-"`
}

// String names the model and no secret.
func (c Config) String() string { return "openai embeddings " + c.Model }

// GoString is String.
func (c Config) GoString() string { return c.String() }

// LogValue is String.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// Embedder is an embed.Embedder behind an endpoint. It is safe for concurrent use.
type Embedder struct{ client *embedhttp.Client }

var _ embed.Embedder = (*Embedder)(nil)

// New returns an embedder. It opens no connection.
func New(c Config) (*Embedder, error) {
	if c.Model == "" {
		return nil, errors.New("embed/openai: Config.Model is empty; name the model to ask")
	}
	if c.Dimensions < 0 {
		return nil, errors.New("embed/openai: Config.Dimensions must not be negative")
	}
	client, err := embedhttp.New(embedhttp.Config{
		BaseURL: c.BaseURL, Fallback: DefaultBaseURL, Path: "/embeddings",
		Key: c.Key, Header: c.Header, Prefix: c.Prefix, Batch: c.Batch,
		Timeout: c.Timeout, MaxReply: c.MaxReply, Retry: c.Retry, HTTPClient: c.HTTPClient,
		ID: func(place string) string {
			return embedhttp.ID("openai", place, c.Model, c.Name, c.Dimensions, c.Prefix)
		},
		Encode: func(texts []string) ([]byte, error) {
			return json.Marshal(struct {
				Model      string   `json:"model"`
				Input      []string `json:"input"`
				Dimensions int      `json:"dimensions,omitempty"`
			}{c.Model, texts, c.Dimensions})
		},
		Decode: embedhttp.DecodeOpenAI,
	})
	if err != nil {
		return nil, fmt.Errorf("embed/openai: %w", err)
	}
	return &Embedder{client}, nil
}

// ID names the address and the model, or is Config.Name; both with Dimensions and
// Prefix where they are set.
func (e *Embedder) ID() string { return e.client.ID() }

// Embed returns the texts' vectors, scaled to unit norm. Bytes that are not UTF-8
// are sent as U+FFFD. Blank texts are not sent and get the zero vector. Requests go
// one after the other, and an error ends the call: an *llm.Error with its kind
// (llm.ErrRateLimited, ErrUnavailable, ErrAuth, ErrContextTooLong, ErrBadRequest,
// ErrBadReply), or the context's. An answer that is short, or holds a vector of
// another length, a zero vector or something that is no number, is
// llm.ErrBadReply with an error of package embed as its cause where there is one.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := e.client.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("embed/openai: %w", err)
	}
	return vectors, nil
}

// Close closes the connections that wait for the next request.
func (e *Embedder) Close() { e.client.Close() }

// String is the ID.
func (e *Embedder) String() string { return e.ID() }

// GoString is the ID.
func (e *Embedder) GoString() string { return e.ID() }
