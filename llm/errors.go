package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// The kinds of failure, for errors.Is.
var (
	// ErrRateLimited: too many requests or tokens for now. RetryAfter says how
	// long to wait, where the backend did.
	ErrRateLimited = errors.New("rate limited")
	// ErrUnavailable: the backend can't be reached, is overloaded, still
	// loading, failed inside, or broke off. Asking again may help.
	ErrUnavailable = errors.New("model unavailable")
	// ErrContextTooLong: the messages, or they and the reply, don't fit into
	// the model's window. Asking the same again won't help.
	ErrContextTooLong = errors.New("context too long")
	// ErrAuth: the key is missing or wrong, or lacks the right or the credit.
	ErrAuth = errors.New("not authorised")
	// ErrBadRequest: the request is unsound (see Validate), or the backend
	// takes it for unsound: an unknown model, a value out of range.
	ErrBadRequest = errors.New("bad request")
	// ErrUnsupported: the request has a field that the backend can't carry. See
	// UnsupportedError.
	ErrUnsupported = errors.New("unsupported by the backend")
	// ErrBadReply: what came back is no reply in the backend's protocol: half a
	// body, HTML, no choice in it, too large to read.
	ErrBadReply = errors.New("unreadable reply")
	// ErrTruncated: the reply was cut. See Response.Complete.
	ErrTruncated = errors.New("reply truncated")
	// ErrRefused: the model or a filter in front of it won't answer.
	ErrRefused = errors.New("refused")
)

// ErrEmptyRequest says that a request has no messages. It is an ErrBadRequest.
var ErrEmptyRequest = fmt.Errorf("llm: %w: no messages", ErrBadRequest)

// Error is a backend's failure. It wraps its Kind and its Cause.
type Error struct {
	// Kind is one of the package's errors, or nil where none fits.
	Kind error
	// Status is the HTTP status, or 0.
	Status int
	// RetryAfter is how long the backend asks to wait; 0 where it does not say.
	RetryAfter time.Duration
	// Message is what the backend said. Whoever makes an Error keeps it short
	// and free of keys, query strings and the request's texts.
	Message string
	// Cause is the error below, or nil. Its text is shown too, and must be as
	// clean as Message.
	Cause error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("llm: ")
	if e.Kind != nil {
		b.WriteString(e.Kind.Error())
	} else {
		b.WriteString("failed")
	}
	if e.Status != 0 {
		fmt.Fprintf(&b, " (HTTP %d)", e.Status)
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, ", retry after %v", e.RetryAfter)
	}
	if e.Message != "" {
		b.WriteString(": ")
		b.WriteString(e.Message)
	}
	if e.Cause != nil {
		b.WriteString(": ")
		b.WriteString(e.Cause.Error())
	}
	return b.String()
}

// Unwrap returns the Kind and the Cause, as far as there are any.
func (e *Error) Unwrap() []error {
	var all []error
	if e.Kind != nil {
		all = append(all, e.Kind)
	}
	if e.Cause != nil {
		all = append(all, e.Cause)
	}
	return all
}

// RetryAfter returns how long the backend that gave err asks to wait; ok is
// false where it did not say.
func RetryAfter(err error) (wait time.Duration, ok bool) {
	var e *Error
	for errors.As(err, &e) {
		if e.RetryAfter > 0 {
			return e.RetryAfter, true
		}
		err = e.Cause // an Error may stand around another
	}
	return 0, false
}

// UnsupportedError names the fields of a Request that a backend can't carry. It
// is an ErrUnsupported, and an errors.ErrUnsupported.
type UnsupportedError struct {
	Fields []string // "Seed", "TopP"
	Reason string   // what the backend lacks; may be empty
}

func (e *UnsupportedError) Error() string {
	s := "llm: " + strings.Join(e.Fields, ", ") + ": " + ErrUnsupported.Error()
	if e.Reason != "" {
		s += ": " + e.Reason
	}
	return s
}

// Is reports whether target is ErrUnsupported or errors.ErrUnsupported.
func (e *UnsupportedError) Is(target error) bool {
	return target == ErrUnsupported || target == errors.ErrUnsupported
}

// IncompleteError is a reply that is not whole. It wraps ErrRefused or
// ErrTruncated.
type IncompleteError struct {
	Stop StopReason
	Text string // the reply as far as it came; not part of the error's text
}

func (e *IncompleteError) Error() string {
	switch e.Stop {
	case StopLength:
		return "llm: reply truncated: the token limit cut it"
	case StopRefused:
		return "llm: refused"
	}
	return "llm: reply truncated or not: the backend did not say why it stopped"
}

// Unwrap returns ErrRefused or ErrTruncated.
func (e *IncompleteError) Unwrap() error {
	if e.Stop == StopRefused {
		return ErrRefused
	}
	return ErrTruncated
}

// ContextError returns err so that it wraps the error of a context that ended,
// and err itself while ctx is alive or where err says so already. Clients call
// it on whatever a library gave them: libraries often keep a context's error as
// text only. A nil err with a context that ended becomes the context's error.
func ContextError(ctx context.Context, err error) error {
	ended := ctx.Err()
	switch {
	case ended == nil || errors.Is(err, ended):
		return err
	case err == nil:
		return fmt.Errorf("llm: %w", ended)
	}
	return fmt.Errorf("llm: %w: %w", ended, err)
}

// kinds are the names of errors, the closer ones first.
var kinds = []struct {
	err  error
	name string
}{
	{context.Canceled, "canceled"},
	{context.DeadlineExceeded, "deadline_exceeded"},
	{ErrRateLimited, "rate_limited"},
	{ErrContextTooLong, "context_too_long"},
	{ErrAuth, "auth"},
	{ErrUnsupported, "unsupported"},
	{ErrBadRequest, "bad_request"},
	{ErrRefused, "refused"},
	{ErrTruncated, "truncated"},
	{ErrBadReply, "bad_reply"},
	{ErrUnavailable, "unavailable"},
}

// Kind names the kind of an error in a word that stays the same over versions,
// for counting; "" where it is none of the context's or this package's.
func Kind(err error) string {
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return k.name
		}
	}
	return ""
}
