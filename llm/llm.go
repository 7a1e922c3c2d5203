// Package llm holds the interface to text-generating language models: one
// request, one response, and errors that a caller can branch on. It speaks no
// protocol itself and reaches no client library.
//
// Models come from elsewhere: llm/openai for any OpenAI-compatible endpoint,
// llm/langchain for whatever langchaingo speaks to, or a type of yours with two
// methods. What a careful caller wants around a model is a Model around a
// Model, each in a package of its own: llm/retry, llm/limit, llm/cache,
// llm/cassette, llm/usage, llm/slogtrace, llm/oteltrace. docs/llm.md says in
// which order they belong.
//
// The package is not for reading replies: whether a text holds the triples or
// verdicts that were asked for is a matter of who asked.
package llm

import "context"

// Model generates text.
//
// Generate returns the reply to one request.
//
//   - A reply that ended early is a Response whose Stop says so, never a silent
//     success; Response.Complete turns that into an error.
//   - A request without messages is ErrEmptyRequest (see Validate).
//   - A field that the backend can't carry is ErrUnsupported, never dropped,
//     but for LogProbs: a backend without them gives a Response without them.
//   - Any other failure wraps one of the package's errors, where the cause is
//     known, and is never an empty Response with a nil error.
//   - An error wraps the context's error when the context ended, so that
//     errors.Is(err, context.Canceled) and errors.Is(err,
//     context.DeadlineExceeded) hold.
//   - The Response beside an error is not a reply; its Text may hold what had
//     come by then, to show to a reader.
//   - The request is not changed.
//
// Implementations must be safe for concurrent use.
type Model interface {
	Generate(ctx context.Context, req Request) (Response, error)

	// ID names the backend and the model, for caches and results. It holds no
	// secret, and does not change. Models that may answer the same request
	// differently have different IDs.
	ID() string
}
