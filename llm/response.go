package llm

import (
	"slices"
	"time"
)

// StopReason says why a model stopped.
type StopReason string

// The stop reasons. Anything but StopEnd means that the text may be incomplete.
const (
	StopEnd     StopReason = "end"     // the model was done, or met a stop string
	StopLength  StopReason = "length"  // the token limit cut it
	StopRefused StopReason = "refused" // a content filter or a refusal that the backend marks as one
	StopUnknown StopReason = "unknown" // the backend did not say
)

// Usage counts tokens; 0 where the backend does not say.
type Usage struct {
	Input  int `json:"input"`
	Output int `json:"output"`

	// CachedInput is the part of Input that the backend had read before and
	// charges less for.
	CachedInput int `json:"cached_input,omitempty"`
}

// TokenProb is a token and the natural logarithm of its probability, at most 0
// and finite.
type TokenProb struct {
	Token   string  `json:"token"`
	LogProb float64 `json:"log_prob"`
}

// TokenLogProbs is one token of a reply, and the likeliest tokens at its place,
// the likeliest first; the token itself need not be among them.
type TokenLogProbs struct {
	TokenProb
	Top []TokenProb `json:"top,omitempty"`
}

// Response is what a model said.
type Response struct {
	Text    string        `json:"text"`
	Stop    StopReason    `json:"stop"`
	Usage   Usage         `json:"usage"`
	Model   string        `json:"model"`   // as the backend names it
	Latency time.Duration `json:"latency"` // of the call that made the reply

	// LogProbs has the tokens of Text in order where the request asked for
	// them and the backend serves them, and is empty otherwise.
	LogProbs []TokenLogProbs `json:"log_probs,omitempty"`

	// Cached says that no model was asked this time: the reply is a cache's
	// or a recording's. Usage and Latency are those of the first time.
	Cached bool `json:"cached,omitempty"`
}

// Complete returns nil for a reply that is whole, which is StopEnd alone.
// Otherwise it returns an *IncompleteError that holds the text; it wraps
// ErrRefused for StopRefused and ErrTruncated for all others: a backend that
// does not say why it stopped may have stopped in the middle.
func (r Response) Complete() error {
	if r.Stop == StopEnd {
		return nil
	}
	return &IncompleteError{Stop: r.Stop, Text: r.Text}
}

// Clone returns a copy of r that shares no memory with it.
func (r Response) Clone() Response {
	r.LogProbs = slices.Clone(r.LogProbs)
	for i := range r.LogProbs {
		r.LogProbs[i].Top = slices.Clone(r.LogProbs[i].Top)
	}
	return r
}
