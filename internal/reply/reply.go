// Package reply reads what language models say: triples, one triple, verdicts,
// or a corrected text, out of replies that are seldom what was asked for.
//
// It reads JSON and what resembles it (Python lists, comments, either quote,
// trailing commas, missing brackets), in fences of any tag, in tags, after
// reasoning and among prose, and plain lines where a reply has no brackets. Each
// reader says in its Report what was repaired, dropped and cut, and fails with
// an *Error that holds the reply where it can't be sure: an unreadable reply is
// never an empty result.
//
// It is not for deciding what a reply is worth, and it asks no model.
//
// The time is linear in the length of the reply, replies over MaxBytes are
// refused, and no result has more than Options.Limit triples.
package reply

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/llm"
)

// MaxBytes is the length of the longest reply that is read.
const MaxBytes = 16 << 20

// Kinds of failure, for errors.Is.
var (
	// ErrEmpty: the reply holds nothing: no text, an empty fence, "", null, {}.
	ErrEmpty = errors.New("empty reply")
	// ErrNone: the reply says that there is no triple, where one was asked for.
	ErrNone = errors.New("the reply says that there is no triple")
	// ErrUnreadable: the reply holds text, but not what was asked for.
	ErrUnreadable = errors.New("no parseable output")
	// ErrRefused: the model declined. It is an llm.ErrRefused.
	ErrRefused = fmt.Errorf("the model declined: %w", llm.ErrRefused)
	// ErrAmbiguous: the reply can be read in more than one way.
	ErrAmbiguous = errors.New("ambiguous reply")
	// ErrCut: the reply ended before anything in it was whole, or is of a kind
	// that can't be used in part. It is an llm.ErrTruncated.
	ErrCut = fmt.Errorf("reply cut: %w", llm.ErrTruncated)
	// ErrTooLong: the reply is longer than MaxBytes.
	ErrTooLong = errors.New("reply too long")
)

// Error is why a reply could not be read.
type Error struct {
	// Kind is one of the package's errors.
	Kind error
	// Detail says in words what was found instead.
	Detail string
	// Raw is the reply as the model gave it.
	Raw string
}

// Error shows the kind, the detail and the beginning of the reply.
func (e *Error) Error() string {
	s := "reply: " + e.Kind.Error()
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if raw := clip(strings.Join(strings.Fields(strings.ToValidUTF8(e.Raw, "\uFFFD")), " "), 80); raw != "" {
		s += fmt.Sprintf(" (the reply begins %q)", raw)
	}
	return s
}

// Unwrap returns the Kind.
func (e *Error) Unwrap() error { return e.Kind }

// Drop is a part of a reply that was not used.
type Drop struct {
	// Raw is the part, clipped to 200 bytes.
	Raw string
	// Reason says in a few words why, the same words for the same cause.
	Reason string
}

// Report is what reading a reply did to it.
type Report struct {
	// Repaired says what had to be put right or guessed, each thing once, in
	// order. Empty for a reply that was as asked.
	Repaired []string
	// Truncated says that the reply ended early, so that what was read is a
	// lower bound.
	Truncated bool
	// Dropped are the first parts that were left out, at most maxDrops.
	Dropped []Drop
	// Counts is how many parts were dropped, by reason.
	Counts map[string]int
}

// maxDrops bounds Report.Dropped; Counts goes on counting.
const maxDrops = 100

func (r *Report) repaired(what string) {
	if !slices.Contains(r.Repaired, what) {
		r.Repaired = append(r.Repaired, what)
	}
}

func (r *Report) drop(raw, reason string) {
	if r.Counts == nil {
		r.Counts = make(map[string]int)
	}
	r.Counts[reason]++
	if len(r.Dropped) < maxDrops {
		r.Dropped = append(r.Dropped, Drop{Raw: clip(strings.TrimSpace(raw), 200), Reason: reason})
	}
}

// clip shortens s to at most n bytes, on a rune border.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// open checks what holds for replies of every kind and returns the text without
// reasoning. It reports a refusal only where the backend marked one.
func open(r llm.Response, rep *Report) (string, *Error) {
	fail := func(kind error, detail string) (string, *Error) {
		return "", &Error{Kind: kind, Detail: detail, Raw: r.Text}
	}
	if len(r.Text) > MaxBytes {
		return fail(ErrTooLong, fmt.Sprintf("%d bytes, at most %d are read", len(r.Text), MaxBytes))
	}
	if r.Stop == llm.StopRefused {
		return fail(ErrRefused, "")
	}
	text := r.Text
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		rep.repaired("bytes that are not UTF-8")
	}
	if t := strings.TrimLeft(text, "\ufeff"); t != text {
		text = t
		rep.repaired("a byte order mark")
	}
	if r.Stop == llm.StopLength {
		rep.Truncated = true
	}
	text, unfinished := withoutReasoning(text)
	if blank(text) {
		switch {
		case unfinished:
			rep.Truncated = true
			return fail(ErrCut, "the reasoning has no end")
		case r.Stop == llm.StopLength:
			return fail(ErrCut, "nothing came before the token limit")
		case !blank(r.Text):
			return fail(ErrEmpty, "reasoning and no answer")
		}
		return fail(ErrEmpty, "no text")
	}
	return text, nil
}

// blank reports whether s holds nothing that can be seen.
func blank(s string) bool {
	for _, r := range s {
		if !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) {
			return false
		}
	}
	return true
}

// nothing returns the error for a reply without anything that was asked for.
func nothing(raw, text string, rep *Report) *Error {
	kind, detail := ErrUnreadable, ""
	bare := strings.TrimSpace(text)
	switch {
	case refusal(bare):
		kind = ErrRefused
	case emptyFence(bare):
		kind, detail = ErrEmpty, "an empty fence"
	case bare == `""` || bare == `''` || bare == "{}" || bare == "null" || bare == "None" || bare == "()":
		kind, detail = ErrEmpty, bare
	case rep.Truncated:
		kind, detail = ErrCut, "nothing in it is whole"
	}
	return &Error{Kind: kind, Detail: detail, Raw: raw}
}
