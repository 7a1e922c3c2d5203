package llm

import (
	"encoding/json"
	"fmt"
	"math"
)

// RequestError says which part of a request no model could take. It is an
// ErrBadRequest.
type RequestError struct {
	// Field names the field of Request, with the position for a message
	// ("Messages[2].Role").
	Field string
	// Reason says what is wrong with it.
	Reason string
}

func (e *RequestError) Error() string { return fmt.Sprintf("llm: %s: %s", e.Field, e.Reason) }

// Unwrap returns ErrBadRequest.
func (e *RequestError) Unwrap() error { return ErrBadRequest }

// maxLogProbs is the largest Request.LogProbs.
const maxLogProbs = 20

// Validate reports what is wrong with a request before it is sent anywhere:
// ErrEmptyRequest, or a *RequestError for the first field that
//
//   - has a role that is none of the constants, or a system message behind
//     another kind of message, or nothing but system messages;
//   - has a number out of its range: Temperature is finite and not negative,
//     TopP in (0,1], TopK at least 1, MaxTokens and Sample not negative,
//     LogProbs in [0,20];
//   - is an empty stop string, or a Schema that is not JSON.
//
// Limits of a particular model (its context, its largest temperature) are its
// own to check. An empty Text is allowed.
func Validate(r Request) error {
	if len(r.Messages) == 0 {
		return ErrEmptyRequest
	}
	asked := false
	for i, m := range r.Messages {
		field := fmt.Sprintf("Messages[%d].Role", i)
		switch m.Role {
		case System:
			if asked {
				return &RequestError{field, "a system message must stand before all others"}
			}
		case User, Assistant:
			asked = true
		default:
			return &RequestError{field, fmt.Sprintf("unknown role %q", m.Role)}
		}
	}
	if !asked {
		return &RequestError{"Messages", "nothing but system messages"}
	}
	if t := r.Temperature; t != nil && (math.IsNaN(*t) || math.IsInf(*t, 0) || *t < 0) {
		return &RequestError{"Temperature", fmt.Sprintf("%g is not a finite number of at least 0", *t)}
	}
	if p := r.TopP; p != nil && !(*p > 0 && *p <= 1) {
		return &RequestError{"TopP", fmt.Sprintf("%g is not in (0,1]", *p)}
	}
	if k := r.TopK; k != nil && *k < 1 {
		return &RequestError{"TopK", fmt.Sprintf("%d is less than 1", *k)}
	}
	if r.MaxTokens < 0 {
		return &RequestError{"MaxTokens", fmt.Sprintf("%d is negative", r.MaxTokens)}
	}
	for i, s := range r.Stop {
		if s == "" {
			return &RequestError{fmt.Sprintf("Stop[%d]", i), "empty stop string"}
		}
	}
	if r.LogProbs < 0 || r.LogProbs > maxLogProbs {
		return &RequestError{"LogProbs", fmt.Sprintf("%d is not in [0,%d]", r.LogProbs, maxLogProbs)}
	}
	if r.Sample < 0 {
		return &RequestError{"Sample", fmt.Sprintf("%d is negative", r.Sample)}
	}
	if len(r.Schema) > 0 && !json.Valid(r.Schema) {
		return &RequestError{"Schema", "not JSON"}
	}
	return nil
}
