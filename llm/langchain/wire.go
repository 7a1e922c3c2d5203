package langchain

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/kgeval/kgeval/internal/llmhttp"
	"github.com/kgeval/kgeval/llm"
)

// whole reads a body that holds a whole reply, and returns it for langchaingo.
func (x *exchange) whole(body []byte) ([]byte, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	schema := len(x.req.Schema) > 0
	var err error
	switch x.dialect {
	case OpenAI:
		var c llmhttp.Chat
		if c, err = llmhttp.DecodeChat(body, x.hide, schema); err != nil {
			return nil, err
		}
		if x.reply, err = c.Response(); err != nil {
			return nil, err
		}
		return plain(body, c, x.reply.Text)
	case Ollama: // as a stream of one line or more
		r := &ollamaReader{hide: x.hide, schema: schema}
		for line, err := range llmhttp.Lines(bytes.NewReader(body)) {
			if err != nil {
				return nil, err
			}
			if _, err := r.line(line); err != nil {
				return nil, err
			}
		}
		x.reply, err = r.end(nil)
	default:
		x.reply, err = anthropicReply(body, x.hide)
	}
	if err != nil {
		return nil, err
	}
	return body, nil
}

// plain returns a completion so that langchaingo finds the reply: it takes the
// first choice for the first, and text for a string.
func plain(body []byte, c llmhttp.Chat, text string) ([]byte, error) {
	first, ok := c.First()
	if !ok || first.Message == nil || c.Choices[0].Index == 0 && (len(first.Message.Content) == 0 || first.Message.Content[0] != '[') {
		return body, nil
	}
	var m members
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, err
	}
	choice := map[string]any{
		"index":         0,
		"message":       map[string]any{"role": "assistant", "content": text},
		"finish_reason": first.Finish,
	}
	if err := set(m, "choices", []any{choice}); err != nil {
		return nil, err
	}
	return json.Marshal(m)
}

// reader follows a stream, line by line.
type reader interface {
	// line reports whether langchaingo should see the line.
	line(line []byte) (pass bool, err error)
	// end returns the reply; broken is why the stream broke off, or nil.
	end(broken error) (llm.Response, error)
}

func (d Dialect) reader(hide *llmhttp.Redactor, schema bool) reader {
	switch d {
	case OpenAI:
		return &openAIReader{hide: hide, schema: schema}
	case Ollama:
		return &ollamaReader{hide: hide, schema: schema}
	}
	return &anthropicReader{hide: hide}
}

type openAIReader struct {
	join   llmhttp.Joiner
	hide   *llmhttp.Redactor
	schema bool
}

func (r *openAIReader) line(line []byte) (bool, error) {
	data, ok := llmhttp.Data(line)
	if !ok || len(data) == 0 {
		return false, nil
	}
	piece, err := r.join.Add(data, r.hide, r.schema)
	if err != nil || r.join.Over() {
		return true, err
	}
	// langchaingo takes whatever choice comes first in an event.
	var c llmhttp.Chat
	if json.Unmarshal(data, &c) == nil && len(c.Choices) > 0 && c.Choices[0].Index != 0 {
		return piece != "", nil
	}
	return true, nil
}

func (r *openAIReader) end(broken error) (llm.Response, error) { return r.join.Response(broken) }

// truncated is the error of a stream that ended before the reply did.
func truncated(broken error) error {
	if broken != nil {
		return &llm.Error{Kind: llm.ErrTruncated, Message: "the stream broke off", Cause: broken}
	}
	return &llm.Error{Kind: llm.ErrTruncated, Message: "the stream ended before the reply did"}
}

// unreadable is the error of an event or a body that is not JSON.
func unreadable() error {
	return &llm.Error{Kind: llm.ErrBadReply, Message: "not a whole JSON object of the expected kind"}
}

type ollamaReader struct {
	hide   *llmhttp.Redactor
	schema bool
	reply  llm.Response
	done   bool
}

func (r *ollamaReader) line(line []byte) (bool, error) {
	if len(bytes.TrimSpace(line)) == 0 {
		return false, nil
	}
	var e struct {
		Model   string          `json:"model"`
		Error   json.RawMessage `json:"error"`
		Done    bool            `json:"done"`
		Reason  string          `json:"done_reason"`
		Input   int             `json:"prompt_eval_count"`
		Output  int             `json:"eval_count"`
		Message *struct{ Content string }
	}
	if json.Unmarshal(line, &e) != nil {
		return false, unreadable()
	}
	if len(e.Error) > 0 {
		if err, ok := llmhttp.EventError(line, r.hide, r.schema); ok {
			return false, err
		}
	}
	if r.done {
		return false, &llm.Error{Kind: llm.ErrBadReply, Message: "the stream goes on behind its end"}
	}
	if e.Message == nil && !e.Done {
		return false, &llm.Error{Kind: llm.ErrBadReply, Message: "an event without a message"}
	}
	if e.Model != "" {
		r.reply.Model = e.Model
	}
	if e.Done {
		stop, err := llmhttp.StopReason(e.Reason)
		if err != nil {
			return false, err
		}
		r.done, r.reply.Stop = true, stop
		r.reply.Usage = llm.Usage{Input: max(0, e.Input), Output: max(0, e.Output)}
	}
	return true, nil
}

func (r *ollamaReader) end(broken error) (llm.Response, error) {
	if !r.done {
		return llm.Response{}, truncated(broken)
	}
	return r.reply, nil
}

type anthropicUsage struct {
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"`
	Cached int `json:"cache_read_input_tokens"`
}

// tokens counts what was read from a cache as input too, as the others do.
func (u anthropicUsage) tokens() llm.Usage {
	cached := max(0, u.Cached)
	return llm.Usage{Input: max(0, u.Input) + cached, Output: max(0, u.Output), CachedInput: cached}
}

// anthropicReply reads a whole message.
func anthropicReply(body []byte, hide *llmhttp.Redactor) (llm.Response, error) {
	var m struct {
		Model   string            `json:"model"`
		Content []json.RawMessage `json:"content"`
		Stop    string            `json:"stop_reason"`
		Usage   anthropicUsage    `json:"usage"`
	}
	if json.Unmarshal(body, &m) != nil {
		return llm.Response{}, unreadable()
	}
	if len(m.Content) == 0 && m.Stop == "" {
		if err, ok := llmhttp.EventError(body, hide, false); ok {
			return llm.Response{}, err
		}
		return llm.Response{}, &llm.Error{Kind: llm.ErrBadReply, Message: "no message in it"}
	}
	stop, err := llmhttp.StopReason(m.Stop)
	if err != nil {
		return llm.Response{}, err
	}
	return llm.Response{Model: m.Model, Stop: stop, Usage: m.Usage.tokens()}, nil
}

type anthropicReader struct {
	hide  *llmhttp.Redactor
	reply llm.Response
	usage anthropicUsage
	over  bool // message_stop has come
}

func (r *anthropicReader) line(line []byte) (bool, error) {
	data, ok := llmhttp.Data(line)
	if !ok || len(data) == 0 {
		return false, nil
	}
	var e struct {
		Type    string `json:"type"`
		Message struct {
			Model string         `json:"model"`
			Usage anthropicUsage `json:"usage"`
		} `json:"message"`
		Delta struct {
			Stop string `json:"stop_reason"`
		} `json:"delta"`
		Usage anthropicUsage `json:"usage"`
	}
	if json.Unmarshal(data, &e) != nil {
		return false, unreadable()
	}
	if r.over {
		return false, &llm.Error{Kind: llm.ErrBadReply, Message: "the stream goes on behind its end"}
	}
	switch e.Type {
	case "error":
		if err, ok := llmhttp.EventError(data, r.hide, false); ok {
			return false, err
		}
		return false, &llm.Error{Kind: llm.ErrUnavailable, Message: "an error without a message"}
	case "message_start":
		r.reply.Model, r.usage = e.Message.Model, e.Message.Usage
	case "message_delta":
		stop, err := llmhttp.StopReason(e.Delta.Stop)
		if err != nil {
			return false, err
		}
		r.reply.Stop = stop
		r.usage.Output = max(r.usage.Output, e.Usage.Output)
	case "message_stop":
		r.over = true
	case "content_block_start", "content_block_delta", "content_block_stop":
	case "ping":
		return false, nil
	default:
		// New kinds of events are announced to come; langchaingo would fail.
		return false, nil
	}
	return true, nil
}

func (r *anthropicReader) end(broken error) (llm.Response, error) {
	if !r.over {
		return llm.Response{}, truncated(broken)
	}
	if r.reply.Stop == "" {
		return llm.Response{}, &llm.Error{Kind: llm.ErrBadReply, Message: fmt.Sprintf("a stream without a %q", "message_delta")}
	}
	r.reply.Usage = r.usage.tokens()
	return r.reply, nil
}
