package llmhttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/kgeval/kgeval/llm"
)

// ConnectionError returns the error of a request that got no response, or whose
// response broke off: llm.ErrUnavailable, or the context's error where ctx has
// ended.
func ConnectionError(ctx context.Context, err error, hide *Redactor) error {
	if ctx.Err() != nil {
		// The rest would say the same once more.
		return llm.ContextError(ctx, nil)
	}
	return &llm.Error{Kind: llm.ErrUnavailable, Cause: hide.Cause(err)}
}

// ErrTooLarge is a body that is longer than the reader's limit.
var errTooLarge = errors.New("larger than the limit")

// Bounded reads at most limit bytes of r; reading more than that is
// llm.ErrBadReply.
type Bounded struct {
	R     io.Reader
	Limit int64
	read  int64
}

// Read reads from R.
func (b *Bounded) Read(p []byte) (int, error) {
	if b.read >= b.Limit {
		// Is there more?
		var one [1]byte
		n, err := b.R.Read(one[:])
		if n > 0 {
			return 0, &llm.Error{Kind: llm.ErrBadReply, Message: fmt.Sprintf("more than %d bytes", b.Limit), Cause: errTooLarge}
		}
		return 0, err
	}
	if left := b.Limit - b.read; int64(len(p)) > left {
		p = p[:left]
	}
	n, err := b.R.Read(p)
	b.read += int64(n)
	return n, err
}

// ReadBody reads the body of a response with status 200 that must be JSON. ctx
// is the request's. A body that is too large or of another type is
// llm.ErrBadReply, one that breaks off llm.ErrUnavailable.
func ReadBody(ctx context.Context, resp *http.Response, limit int64, hide *Redactor) ([]byte, error) {
	if err := CheckType(resp.Header, "json"); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(&Bounded{R: resp.Body, Limit: limit})
	if err != nil {
		return nil, ReadError(ctx, err, hide)
	}
	return body, nil
}

// ReadError returns the error of a body that could not be read to its end.
func ReadError(ctx context.Context, err error, hide *Redactor) error {
	var e *llm.Error
	if errors.As(err, &e) {
		return e
	}
	return ConnectionError(ctx, err, hide)
}

// CheckType reports a content type other than the kinds ("json", "event-stream",
// "ndjson") as llm.ErrBadReply. A response that states none passes.
func CheckType(header http.Header, kinds ...string) error {
	stated := header.Get("Content-Type")
	if stated == "" {
		return nil
	}
	media, _, err := mime.ParseMediaType(stated)
	if err == nil {
		_, sub, _ := strings.Cut(media, "/")
		sub = sub[strings.LastIndexByte(sub, '+')+1:]
		for _, k := range kinds {
			if strings.TrimPrefix(sub, "x-") == k {
				return nil
			}
		}
	}
	if len(stated) > 60 {
		stated = stated[:60]
	}
	return &llm.Error{Kind: llm.ErrBadReply, Message: fmt.Sprintf("content type %q; is the base URL that of the API?", oneLine(stated))}
}

// ReadFailure reads the body of a response with a status other than 200 and
// returns what it means.
func ReadFailure(resp *http.Response, hide *Redactor, schema bool) *llm.Error {
	// A body that breaks off says no more than its status.
	body, _ := io.ReadAll(io.LimitReader(resp.Body, MaxErrorBody))
	return StatusError(resp.StatusCode, resp.Header, body, hide, schema)
}
