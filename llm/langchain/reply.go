package langchain

import (
	"bufio"
	"errors"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"github.com/kgeval/kgeval/internal/llmhttp"
	"github.com/kgeval/kgeval/llm"
)

// read returns what langchaingo took for the reply.
func (k *call) read(resp *llms.ContentResponse) (llm.Response, error) {
	if resp == nil || len(resp.Choices) == 0 || resp.Choices[0] == nil {
		return llm.Response{}, &llm.Error{Kind: llm.ErrBadReply, Message: "langchaingo gave no choice"}
	}
	choices := resp.Choices[:1]
	if k.model.dialect == Anthropic {
		choices = resp.Choices // the blocks of one message
	}
	var text strings.Builder
	var info map[string]any
	word := ""
	for _, c := range choices {
		if c == nil {
			continue
		}
		if len(c.ToolCalls) > 0 || c.FuncCall != nil {
			return llm.Response{}, &llm.Error{Kind: llm.ErrBadReply, Message: "the model called a tool, and none was offered"}
		}
		text.WriteString(c.Content)
		word, info = c.StopReason, c.GenerationInfo
	}
	stop, err := llmhttp.StopReason(word)
	if err != nil {
		return llm.Response{}, err
	}
	return llm.Response{
		Text:  text.String(),
		Stop:  stop,
		Model: k.model.config.Model,
		Usage: llm.Usage{
			Input:       count(info, "PromptTokens", "InputTokens", "input_tokens"),
			Output:      count(info, "CompletionTokens", "OutputTokens", "output_tokens"),
			CachedInput: count(info, "PromptCachedTokens", "CacheReadInputTokens", "CachedTokens"),
		},
	}, nil
}

// count returns the first of the named numbers; providers use ints of any size.
func count(info map[string]any, names ...string) int {
	for _, n := range names {
		if v := reflect.ValueOf(info[n]); v.IsValid() && v.CanInt() && v.Int() > 0 {
			return int(v.Int())
		}
	}
	return 0
}

// The kinds of langchaingo's own errors, of which few providers make use.
var kinds = map[llms.ErrorCode]error{
	llms.ErrCodeAuthentication:      llm.ErrAuth,
	llms.ErrCodeQuotaExceeded:       llm.ErrAuth,
	llms.ErrCodeRateLimit:           llm.ErrRateLimited,
	llms.ErrCodeTokenLimit:          llm.ErrContextTooLong,
	llms.ErrCodeContentFilter:       llm.ErrRefused,
	llms.ErrCodeProviderUnavailable: llm.ErrUnavailable,
	llms.ErrCodeTimeout:             llm.ErrUnavailable,
	llms.ErrCodeInvalidRequest:      llm.ErrBadRequest,
	llms.ErrCodeResourceNotFound:    llm.ErrBadRequest,
	llms.ErrCodeNotImplemented:      llm.ErrUnsupported,
}

// status finds the one thing that langchaingo's providers keep of a response
// in their texts.
var status = regexp.MustCompile(`(?i)\bstatus(?: code)?:? ([1-5]\d\d)\b(?:: ?(.*))?`)

// network are langchaingo's own texts for a connection that failed, in place of
// the error.
var network = []string{
	"network error: failed to reach API server",
	"request timeout: network operation exceeded timeout",
	"request timeout: API call exceeded deadline", // and it was not the context's
}

// classify makes a typed error of what langchaingo said where nothing else is
// known.
func classify(err error, hide *llmhttp.Redactor, stream, schema bool) error {
	e := &llm.Error{Cause: hide.Cause(err)}
	var known *llm.Error
	var typed *llms.Error
	said := err.Error()
	switch {
	case errors.As(err, &known): // by way of a RoundTripper
		return known
	case errors.As(err, &typed):
		e.Kind = kinds[typed.Code]
	case errors.Is(err, io.ErrUnexpectedEOF), isNetwork(said):
		e.Kind = llm.ErrUnavailable
	case errors.Is(err, bufio.ErrTooLong), errors.Is(err, io.EOF):
		e.Kind = llm.ErrBadReply
	default:
		if m := status.FindStringSubmatch(said); m != nil {
			code, _ := strconv.Atoi(m[1])
			body := []byte(m[2])
			if !strings.HasPrefix(m[2], "{") {
				body = quoteError(m[2])
			}
			return llmhttp.StatusError(code, nil, body, hide, schema)
		}
	}
	if stream && e.Kind != nil {
		return &llm.Error{Kind: llm.ErrTruncated, Cause: e}
	}
	return e
}

func isNetwork(said string) bool {
	for _, n := range network {
		if strings.Contains(said, n) {
			return true
		}
	}
	return false
}

// quoteError makes an error object of a provider's message.
func quoteError(message string) []byte {
	m := members{}
	if message == "" || set(m, "error", message) != nil {
		return nil
	}
	return []byte(`{"error":` + string(m["error"]) + `}`)
}
