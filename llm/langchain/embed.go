package langchain

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/tmc/langchaingo/embeddings"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/internal/embedhttp"
	"github.com/kgeval/kgeval/internal/llmhttp"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/retry"
)

// EmbedConfig says what the adapter must know of an embedder. Only Model is needed.
type EmbedConfig struct {
	// Model is the model's name; it is part of the ID. (langchaingo's embedders are
	// built with their model, and do not tell it.)
	Model string
	// Client is what the function Client gave and the embedder's provider was built
	// with, or nil if it was built with another. With it, errors are typed by the
	// response itself, vectors are put into the order of their indices, and answers
	// are bounded by MaxReply.
	Client *http.Client
	// Name becomes the ID; "" makes one of the model.
	Name string
	// Prefix goes before each text, for models that want one ("query: "). It is
	// part of the ID.
	Prefix string
	// Batch is the most texts of one call of langchaingo; 0 stands for 100.
	Batch int
	// Retry says how often and how long a call is made again; Attempts of 1 never.
	Retry retry.Options
	// Secrets are removed from the texts of errors. With Client, the keys that
	// requests bear are found without.
	Secrets []string
	// Timeout bounds one call; 0 stands for 5 minutes.
	Timeout time.Duration
	// MaxReply bounds the bytes that are read of one response, with Client; 0
	// stands for 64 MiB.
	MaxReply int64
}

// Embedder is a langchaingo embedder as an embed.Embedder. It is safe for concurrent
// use if the langchaingo embedder is.
type Embedder struct {
	id      string
	batched embed.Embedder
}

var _ embed.Embedder = (*Embedder)(nil)

// NewEmbedder returns an adapter around e. What embeddings.NewEmbedder gives has its
// replacement of line breaks switched off, which would give two texts one vector, and
// the batch size of the Config; other embedders that do so (voyageai, jina, huggingface) have an option of their
// own for it.
func NewEmbedder(e embeddings.Embedder, c EmbedConfig) (*Embedder, error) {
	switch {
	case e == nil:
		return nil, errors.New("langchain: no embedder")
	case c.Model == "":
		return nil, errors.New("langchain: EmbedConfig.Model is empty; name the embedder's model")
	case c.Timeout < 0 || c.MaxReply < 0 || c.Batch < 0:
		return nil, errors.New("langchain: EmbedConfig.Timeout, EmbedConfig.MaxReply and EmbedConfig.Batch must not be negative")
	}
	if c.Client != nil {
		if _, ok := c.Client.Transport.(*transport); !ok {
			return nil, errors.New("langchain: EmbedConfig.Client was not made by langchain.Client")
		}
	}
	if c.Timeout == 0 {
		c.Timeout = embedhttp.DefaultTimeout
	}
	if c.MaxReply == 0 {
		c.MaxReply = embedhttp.DefaultMaxReply
	}
	if c.Batch == 0 {
		c.Batch = embedhttp.DefaultBatch
	}
	if impl, ok := e.(*embeddings.EmbedderImpl); ok && impl != nil {
		own := *impl
		own.StripNewLines, own.BatchSize = false, c.Batch
		e = &own
	}
	id := embedhttp.ID("langchain", "langchaingo", c.Model, c.Name, 0, c.Prefix)
	return &Embedder{id: id, batched: embed.Batched(&vectorCalls{inner: e, config: c, id: id, hide: llmhttp.NewRedactor(c.Secrets...)}, c.Batch)}, nil
}

// ID is EmbedConfig.Name, or made of the model; with the Prefix where it is set.
func (e *Embedder) ID() string { return e.id }

// String is the ID.
func (e *Embedder) String() string { return e.id }

// GoString is the ID.
func (e *Embedder) GoString() string { return e.id }

// Embed returns the texts' vectors, scaled to unit norm. Blank texts are not sent and
// get the zero vector. Calls go one after the other, and an error ends them: the
// context's, or an *llm.Error. An answer that is short, or holds a vector of another
// length, a zero vector or something that is no number, is llm.ErrBadReply.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := e.batched.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("langchain: %w", err)
	}
	return vectors, nil
}

// vectorCalls makes one call of langchaingo for all its texts.
type vectorCalls struct {
	inner  embeddings.Embedder
	config EmbedConfig
	id     string
	hide   *llmhttp.Redactor
}

func (v *vectorCalls) ID() string { return v.id }

func (v *vectorCalls) Embed(ctx context.Context, texts []string) (vectors [][]float32, err error) {
	if err := llm.ContextError(ctx, nil); err != nil {
		return nil, err
	}
	if len(texts) == 0 {
		return [][]float32{}, nil
	}
	err = retry.Do(ctx, v.config.Retry, func(ctx context.Context) error {
		vectors, err = v.once(ctx, texts)
		return err
	})
	if err != nil {
		return nil, err
	}
	return vectors, nil
}

func (v *vectorCalls) once(parent context.Context, texts []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeoutCause(parent, v.config.Timeout, errTimeout)
	defer cancel()
	sent := make([]string, len(texts))
	for i, t := range texts {
		sent[i] = v.config.Prefix + t
	}
	var x *vectorExchange
	if v.config.Client != nil {
		x = &vectorExchange{texts: sent, secrets: v.config.Secrets, limit: v.config.MaxReply}
		ctx = context.WithValue(ctx, vectorsKey{}, x)
	}
	got, err := v.ask(ctx, sent)
	if ended := llm.ContextError(parent, nil); ended != nil {
		return nil, ended
	}
	if errors.Is(context.Cause(ctx), errTimeout) {
		return nil, &llm.Error{Kind: llm.ErrUnavailable, Message: fmt.Sprintf("no whole answer within %v", v.config.Timeout)}
	}
	if x != nil {
		seen, wireErr := x.result(err)
		if wireErr != nil {
			return nil, wireErr
		}
		if seen != nil {
			got, err = seen, nil
		}
	}
	if err != nil {
		return nil, classify(err, v.hide.ForTexts(sent), false, false)
	}
	vectors := make([][]float32, len(got))
	for i := range got { // langchaingo's own may be shared
		vectors[i] = slices.Clone(got[i])
		embed.Normalize(vectors[i])
	}
	if err := embed.Check(texts, vectors); err != nil {
		return nil, &llm.Error{Kind: llm.ErrBadReply, Cause: err}
	}
	return vectors, nil
}

// ask calls langchaingo, which changes the slice that it is given. A panic of its own
// is an answer that it could not read.
func (v *vectorCalls) ask(ctx context.Context, texts []string) (got [][]float32, err error) {
	defer func() {
		if p := recover(); p != nil {
			got, err = nil, &llm.Error{Kind: llm.ErrBadReply, Message: "langchaingo panicked over it"}
		}
	}()
	return v.inner.EmbedDocuments(ctx, slices.Clone(texts))
}
