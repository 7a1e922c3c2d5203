// Package langchain makes a llm.Model of any langchaingo llms.Model, and repairs
// what gets lost on the way: settings that langchaingo can't carry or changes,
// errors that are only texts, streams that end early without an error, and why
// a model stopped.
//
// Much of that is nowhere but in the HTTP exchange, which langchaingo keeps to
// itself. So give the model an HTTP client of ours, and tell the adapter:
//
//	client := langchain.Client(nil)
//	inner, err := openai.New(openai.WithModel("gpt-4o-mini"), openai.WithHTTPClient(client))
//	...
//	m, err := langchain.New(inner, langchain.Config{Model: "gpt-4o-mini", Client: client})
//
// This works for langchaingo's openai, ollama and anthropic. Without it, and for
// other providers, the adapter does with langchaingo's own means what can be
// done soundly, and refuses the rest with llm.ErrUnsupported; a stop reason that
// the provider drops is llm.StopUnknown.
//
// A langchaingo model that ignores its context makes calls that outlive theirs.
//
// NewEmbedder makes an embed.Embedder of any langchaingo embeddings.Embedder, and
// repairs what gets lost there.
package langchain

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"

	"github.com/kgeval/kgeval/internal/llmhttp"
	"github.com/kgeval/kgeval/llm"
)

// The defaults of a Config.
const (
	DefaultTimeout  = 10 * time.Minute
	DefaultMaxReply = 16 << 20
)

// Config says what the adapter must know of a model. Only Model is needed.
type Config struct {
	// Model is the model's name at its provider. It is asked for by each call,
	// and part of the ID.
	Model string
	// Client is what the function Client gave and the model was built with, or
	// nil if it was built with another.
	Client *http.Client
	// Dialect is the provider's protocol; "" finds it by the model's type.
	Dialect Dialect
	// Name becomes the ID; "" makes one of dialect and model.
	Name string

	// Carries names the fields of llm.Request that a model of an unknown
	// provider is known to carry ("Temperature", "MaxTokens"), however it does.
	// A request with another field set is llm.ErrUnsupported.
	Carries []string
	// Secrets are removed from the texts of errors. With Client, the keys that
	// requests bear are found without.
	Secrets []string

	// Timeout bounds one call; 0 stands for DefaultTimeout.
	Timeout time.Duration
	// MaxReply bounds the bytes that are read of one response, with Client; 0
	// stands for DefaultMaxReply.
	MaxReply int64
}

// Model is a langchaingo model as a llm.Streamer. It is safe for concurrent use
// if the langchaingo model is.
type Model struct {
	inner   llms.Model
	config  Config
	dialect Dialect
	hide    *llmhttp.Redactor
}

var _ llm.Streamer = (*Model)(nil)

// New returns an adapter around m.
func New(m llms.Model, c Config) (*Model, error) {
	if m == nil {
		return nil, errors.New("langchain: no model")
	}
	if c.Model == "" {
		return nil, errors.New("langchain: Config.Model is empty; name the model to ask")
	}
	if c.Timeout < 0 || c.MaxReply < 0 {
		return nil, errors.New("langchain: Config.Timeout and Config.MaxReply must not be negative")
	}
	if c.Client != nil {
		if _, ok := c.Client.Transport.(*transport); !ok {
			return nil, errors.New("langchain: Config.Client was not made by langchain.Client")
		}
	}
	for _, f := range c.Carries {
		if !slices.Contains(fields, f) {
			return nil, fmt.Errorf("langchain: Config.Carries: llm.Request has no optional field %q", f)
		}
	}
	d := c.Dialect
	switch d {
	case "":
		d = dialectOf(m)
	case OpenAI, Ollama, Anthropic, GoogleAI, Other:
	default:
		return nil, fmt.Errorf("langchain: unknown dialect %q", d)
	}
	if c.Client != nil && !d.wired() {
		return nil, fmt.Errorf("langchain: Config.Client: the protocol of %T (dialect %s) is not one that the adapter reads; leave it out", m, d)
	}
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	if c.MaxReply == 0 {
		c.MaxReply = DefaultMaxReply
	}
	return &Model{inner: m, config: c, dialect: d, hide: llmhttp.NewRedactor(c.Secrets...)}, nil
}

// ID is Config.Name, or the dialect and the model.
func (m *Model) ID() string {
	if m.config.Name != "" {
		return m.config.Name
	}
	return "langchain/" + string(m.dialect) + "/" + m.config.Model
}

// String is the ID.
func (m *Model) String() string { return m.ID() }

// GoString is the ID.
func (m *Model) GoString() string { return m.ID() }

// Generate returns the reply to req. With Config.Client, the response names the
// model that answered, as the provider does.
func (m *Model) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	k, err := m.begin(ctx, req)
	if err != nil {
		return llm.Response{}, err
	}
	defer k.cancel()
	resp, err := k.ask()
	return k.finish(resp, err)
}

// Stream yields the reply in pieces as it comes.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Piece, error] {
	return func(yield func(llm.Piece, error) bool) {
		k, err := m.begin(ctx, req)
		if err != nil {
			yield(llm.Piece{}, err)
			return
		}
		k.stream = true
		type outcome struct {
			resp *llms.ContentResponse
			err  error
		}
		pieces, ended := make(chan string), make(chan outcome, 1)
		defer func() { // leaving early ends the call, and waits for its end
			k.cancel()
			for range ended { //nolint:revive // until it is closed
			}
		}()
		go func() {
			defer close(ended)
			resp, err := k.ask(llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
				select {
				case pieces <- string(chunk):
					return nil
				case <-k.ctx.Done():
					return k.ctx.Err()
				}
			}))
			ended <- outcome{resp, err}
		}()
		var text strings.Builder
		for {
			select {
			case p := <-pieces:
				text.WriteString(p)
				if p != "" && !yield(llm.Piece{Text: p}, nil) {
					return
				}
			case o := <-ended:
				r, err := k.finish(o.resp, o.err)
				if err != nil {
					yield(llm.Piece{}, err)
					return
				}
				// A provider that can't stream gives all at once.
				var rest string
				switch sent := text.String(); {
				case sent == "":
					rest = r.Text
				case sent != r.Text:
					yield(llm.Piece{}, &llm.Error{Kind: llm.ErrBadReply, Message: "the pieces are not the reply that langchaingo made of them"})
					return
				}
				yield(llm.Piece{Text: rest, Done: &r}, nil)
				return
			}
		}
	}
}

// call is one request on its way.
type call struct {
	model    *Model
	req      llm.Request
	parent   context.Context // the caller's
	ctx      context.Context
	cancel   context.CancelFunc
	start    time.Time
	stream   bool
	options  []llms.CallOption
	exchange *exchange // nil without Config.Client
}

var errTimeout = errors.New("timeout of the adapter")

func (m *Model) begin(ctx context.Context, req llm.Request) (*call, error) {
	if err := llm.Validate(req); err != nil {
		return nil, err
	}
	if err := llm.ContextError(ctx, nil); err != nil {
		return nil, err
	}
	options, err := m.options(req)
	if err != nil {
		return nil, err
	}
	k := &call{model: m, req: req, parent: ctx, start: time.Now(), options: options}
	k.ctx, k.cancel = context.WithTimeoutCause(ctx, m.config.Timeout, errTimeout)
	if m.config.Client != nil {
		k.exchange = &exchange{dialect: m.dialect, req: req, limit: m.config.MaxReply, secrets: m.config.Secrets}
		k.ctx = context.WithValue(k.ctx, exchangeKey{}, k.exchange)
	}
	return k, nil
}

// ask calls langchaingo. A panic of its own is a reply that it could not read.
func (k *call) ask(more ...llms.CallOption) (resp *llms.ContentResponse, err error) {
	defer func() {
		if p := recover(); p != nil {
			resp, err = nil, &llm.Error{Kind: llm.ErrBadReply, Message: "langchaingo panicked over it"}
		}
	}()
	return k.model.inner.GenerateContent(k.ctx, k.messages(), slices.Concat(k.options, more)...)
}

func (k *call) messages() []llms.MessageContent {
	var out []llms.MessageContent
	for _, m := range k.req.Messages {
		role := llms.ChatMessageTypeHuman
		switch m.Role {
		case llm.System:
			role = llms.ChatMessageTypeSystem
			// langchaingo joins Anthropic's without anything in between.
			if n := len(out); k.model.dialect == Anthropic && n > 0 {
				out[n-1] = llms.TextParts(role, out[n-1].Parts[0].(llms.TextContent).Text+"\n\n"+m.Text)
				continue
			}
		case llm.Assistant:
			role = llms.ChatMessageTypeAI
		}
		out = append(out, llms.TextParts(role, m.Text))
	}
	return out
}

// finish decides what came of a call. Whatever langchaingo says, the context
// comes first, then what was seen on the wire.
func (k *call) finish(resp *llms.ContentResponse, err error) (llm.Response, error) {
	if ended := llm.ContextError(k.parent, nil); ended != nil {
		return llm.Response{}, ended
	}
	if errors.Is(context.Cause(k.ctx), errTimeout) {
		return llm.Response{}, &llm.Error{Kind: llm.ErrUnavailable, Message: fmt.Sprintf("no whole reply within %v", k.model.config.Timeout)}
	}
	var seen llm.Response
	if k.exchange != nil {
		var failed error
		if seen, failed = k.exchange.result(err); failed != nil {
			return llm.Response{Stop: llm.StopUnknown}, failed
		}
	}
	if err != nil {
		return llm.Response{}, classify(err, k.model.hide.For(k.req), k.stream, len(k.req.Schema) > 0)
	}
	r, err := k.read(resp)
	if err != nil {
		return llm.Response{}, err
	}
	if k.exchange != nil {
		r.Stop, r.Usage, r.LogProbs = seen.Stop, seen.Usage, seen.LogProbs
		if seen.Model != "" {
			r.Model = seen.Model
		}
		if r.Text == "" { // a refusal, which langchaingo does not know
			r.Text = seen.Text
		}
	} else if err := k.unseen(r); err != nil {
		return llm.Response{Text: r.Text, Stop: llm.StopUnknown}, err
	}
	r.Latency = time.Since(k.start)
	return r, nil
}

// unseen reports a reply that can't be believed where only langchaingo has seen
// the wire: it makes an empty one of much that is none, and ends a stream that
// was cut without an error.
func (k *call) unseen(r llm.Response) error {
	switch {
	case k.stream && r.Stop == llm.StopUnknown && (k.model.dialect == OpenAI || k.model.dialect == Anthropic):
		return &llm.Error{Kind: llm.ErrTruncated, Message: "the stream ended without saying that the reply has"}
	case r.Text == "" && r.Stop != llm.StopRefused && r.Stop != llm.StopLength:
		return &llm.Error{Kind: llm.ErrBadReply, Message: "the reply has no text"}
	}
	return nil
}
