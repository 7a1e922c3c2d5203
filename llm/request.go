package llm

import (
	"encoding/json"
	"slices"
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
// model; a pointer to 0 is sent as 0. With Go 1.26, new(0.0) is such a pointer.
//
// Validate says which values are sound.
type Request struct {
	// Messages is the conversation so far, system messages first.
	Messages []Message `json:"messages"`

	// Temperature of the draw, at least 0; 0 is the likeliest token each time.
	Temperature *float64 `json:"temperature,omitempty"`
	// TopP draws from the likeliest tokens that together hold this share of
	// the probability, in (0,1].
	TopP *float64 `json:"top_p,omitempty"`
	// TopK draws from this many likeliest tokens, at least 1.
	TopK *int `json:"top_k,omitempty"`
	// Seed makes the draw repeatable, where the backend can. 0 is a seed.
	Seed *int64 `json:"seed,omitempty"`

	// MaxTokens bounds the reply; 0 leaves it to the model.
	MaxTokens int `json:"max_tokens,omitempty"`
	// Stop are texts before which the reply ends; they are not part of it.
	Stop []string `json:"stop,omitempty"`

	// Schema is a JSON Schema that the reply must satisfy; empty for any text.
	// A backend that can't constrain its reply gives ErrUnsupported.
	Schema json.RawMessage `json:"schema,omitempty"`

	// LogProbs asks for the log-probabilities of this many likeliest tokens at
	// each place of the reply, up to 20; 0 asks for none. It is a wish: see
	// Response.LogProbs.
	LogProbs int `json:"log_probs,omitempty"`

	// Sample tells apart several draws of what is otherwise the same request.
	// It is never sent to a backend; a cache keeps one reply for each.
	Sample int `json:"sample,omitempty"`
}

// Clone returns a copy of r that shares no memory with it.
func (r Request) Clone() Request {
	r.Messages = slices.Clone(r.Messages)
	r.Temperature = clonePointer(r.Temperature)
	r.TopP = clonePointer(r.TopP)
	r.TopK = clonePointer(r.TopK)
	r.Seed = clonePointer(r.Seed)
	r.Stop = slices.Clone(r.Stop)
	r.Schema = slices.Clone(r.Schema)
	return r
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
