// Package llm holds the interface to text-generating language models: one
// request, one response, and errors that a caller can branch on.
package llm

import (
	"context"
	"encoding/json"
	"time"
)

// Role says who speaks a Message.
type Role string

// The roles.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one turn of a conversation.
type Message struct {
	Role Role   `json:"role"`
	Text string `json:"text"`
}

// Request is what a model is asked. A nil pointer leaves a setting to the
// model; a pointer to 0 is sent as 0.
type Request struct {
	Messages    []Message       `json:"messages"`
	Temperature *float64        `json:"temperature,omitempty"`
	TopP        *float64        `json:"top_p,omitempty"`
	TopK        *int            `json:"top_k,omitempty"`
	Seed        *int64          `json:"seed,omitempty"`
	MaxTokens   int             `json:"max_tokens,omitempty"` // 0: the model's own limit
	Stop        []string        `json:"stop,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"` // JSON Schema that the reply must satisfy
}

// StopReason says why a model stopped.
type StopReason string

// The stop reasons. Anything but StopEnd means that the text may be incomplete.
const (
	StopEnd     StopReason = "end"     // the model was done, or met a stop string
	StopLength  StopReason = "length"  // the token limit cut it
	StopRefused StopReason = "refused" // a content filter or a refusal
	StopUnknown StopReason = "unknown" // the backend did not say
)

// Usage counts tokens; 0 where the backend does not say.
type Usage struct {
	Input  int `json:"input"`
	Output int `json:"output"`
}

// Response is what a model said.
type Response struct {
	Text    string        `json:"text"`
	Stop    StopReason    `json:"stop"`
	Usage   Usage         `json:"usage"`
	Model   string        `json:"model"`
	Latency time.Duration `json:"latency"`
}

// Model generates text.
//
// Generate returns the reply to one request. An error wraps the context's
// error when the context ended, so that errors.Is(err, context.Canceled) and
// errors.Is(err, context.DeadlineExceeded) hold; a reply that was cut is a
// Response with StopLength, never a silent success. A request without messages
// is ErrEmptyRequest (see Validate). Implementations must be safe for concurrent
// use.
type Model interface {
	Generate(ctx context.Context, req Request) (Response, error)

	// ID names the backend and the model, for caches and results.
	ID() string
}
