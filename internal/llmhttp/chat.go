package llmhttp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/llm"
)

// Chat is a chat completion in OpenAI's dialect, or one event of its stream.
type Chat struct {
	Model   string       `json:"model"`
	Choices []ChatChoice `json:"choices"`
	Usage   *ChatUsage   `json:"usage"`
}

// ChatChoice is one of the replies. A whole reply has a Message, an event a
// Delta.
type ChatChoice struct {
	Index    int           `json:"index"`
	Message  *ChatMessage  `json:"message"`
	Delta    *ChatMessage  `json:"delta"`
	Finish   *string       `json:"finish_reason"`
	LogProbs *ChatLogProbs `json:"logprobs"`
}

// ChatMessage is what a choice says.
type ChatMessage struct {
	Content json.RawMessage `json:"content"`
	Refusal string          `json:"refusal"`
}

// ChatUsage counts tokens.
type ChatUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Details    struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// ChatLogProbs are the log-probabilities of a reply's tokens.
type ChatLogProbs struct {
	Content []struct {
		chatToken
		Top []chatToken `json:"top_logprobs"`
	} `json:"content"`
}

type chatToken struct {
	Token   string   `json:"token"`
	LogProb *float64 `json:"logprob"`
}

// DecodeChat reads a body with status 200: a completion or an event. An error
// object in place of one is that error, anything else llm.ErrBadReply.
func DecodeChat(body []byte, hide *Redactor, schema bool) (Chat, error) {
	var c Chat
	if err := json.Unmarshal(body, &c); err != nil {
		return Chat{}, &llm.Error{Kind: llm.ErrBadReply, Message: "not a whole JSON object of the expected kind"}
	}
	if len(c.Choices) == 0 {
		if e, ok := EventError(body, hide, schema); ok {
			return Chat{}, e
		}
	}
	return c, nil
}

// First returns the choice with index 0, wherever it stands; ok is false where
// there is none.
func (c Chat) First() (first ChatChoice, ok bool) {
	i := slices.IndexFunc(c.Choices, func(x ChatChoice) bool { return x.Index == 0 })
	if i < 0 {
		return ChatChoice{}, false
	}
	return c.Choices[i], true
}

// Response returns the reply of a whole completion.
func (c Chat) Response() (llm.Response, error) {
	choice, ok := c.First()
	if !ok || choice.Message == nil {
		return llm.Response{}, &llm.Error{Kind: llm.ErrBadReply, Message: "no choice with a message in it"}
	}
	stop, err := choice.Stop()
	if err != nil {
		return llm.Response{}, err
	}
	r := llm.Response{Stop: stop, Model: c.Model, Usage: c.Usage.tokens(), LogProbs: choice.LogProbs.tokens()}
	text, ok := choice.Message.Text()
	if choice.Message.Refusal != "" {
		r.Stop = llm.StopRefused
		if text == "" {
			text = choice.Message.Refusal
		}
	}
	if !ok && r.Stop == llm.StopEnd {
		return llm.Response{}, &llm.Error{Kind: llm.ErrBadReply, Message: "the reply's message has no text"}
	}
	r.Text = text
	return r, nil
}

// Text returns the message's text; ok is false where it has none, which is not
// the same as an empty one. Parts that are no text (a reasoning part) are left
// out.
func (m *ChatMessage) Text() (s string, ok bool) {
	content := bytes.TrimSpace(m.Content)
	if len(content) == 0 {
		return "", false
	}
	switch content[0] {
	case '"':
		return text(content), true
	case '[':
		var parts []struct{ Type, Text string }
		if json.Unmarshal(content, &parts) != nil {
			return "", false
		}
		var b strings.Builder
		for _, p := range parts {
			if p.Type == "text" {
				b.WriteString(p.Text)
				ok = true
			}
		}
		return b.String(), ok
	}
	return "", false
}

// Stop returns why the choice ended; llm.StopUnknown where it doesn't say.
func (c ChatChoice) Stop() (llm.StopReason, error) {
	if c.Finish == nil {
		return llm.StopUnknown, nil
	}
	return StopReason(*c.Finish)
}

// StopReason returns what a backend's own word for why a model stopped means. A
// call of a tool, which no request offers, is llm.ErrBadReply.
func StopReason(word string) (llm.StopReason, error) {
	switch strings.ToLower(word) {
	case "stop", "eos", "eos_token", "end_turn", "stop_sequence", "finishreasonstop", "complete":
		return llm.StopEnd, nil
	case "length", "max_tokens", "model_length", "max_output_tokens", "finishreasonmaxtokens":
		return llm.StopLength, nil
	case "content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content", "finishreasonsafety":
		return llm.StopRefused, nil
	case "tool_calls", "tool_use", "function_call":
		return "", &llm.Error{Kind: llm.ErrBadReply, Message: "the model called a tool, and none was offered"}
	}
	return llm.StopUnknown, nil
}

func (u *ChatUsage) tokens() llm.Usage {
	if u == nil {
		return llm.Usage{}
	}
	return llm.Usage{Input: max(0, u.Prompt), Output: max(0, u.Completion), CachedInput: max(0, u.Details.Cached)}
}

func (p *ChatLogProbs) tokens() []llm.TokenLogProbs {
	if p == nil {
		return nil
	}
	var out []llm.TokenLogProbs
	for _, c := range p.Content {
		t := llm.TokenLogProbs{TokenProb: c.prob()}
		for _, alt := range c.Top {
			t.Top = append(t.Top, alt.prob())
		}
		slices.SortStableFunc(t.Top, func(a, b llm.TokenProb) int { return cmp.Compare(b.LogProb, a.LogProb) })
		out = append(out, t)
	}
	return out
}

// noProb stands for a probability of 0, which has no finite logarithm; OpenAI
// sends it for tokens outside the likeliest.
const noProb = -9999

func (t chatToken) prob() llm.TokenProb {
	p := llm.TokenProb{Token: t.Token, LogProb: noProb}
	if t.LogProb != nil {
		p.LogProb = math.Max(noProb, math.Min(0, *t.LogProb))
	}
	return p
}

// Joiner joins the events of a stream to a reply.
type Joiner struct {
	text     strings.Builder
	refusal  strings.Builder
	response llm.Response
	ended    bool // a finish reason has come
	over     bool // [DONE] has come
}

// Add takes the data of one event and returns the text that it brings. What
// comes behind the end of the reply, and is more of it, is llm.ErrBadReply.
func (j *Joiner) Add(data []byte, hide *Redactor, schema bool) (string, error) {
	if string(data) == "[DONE]" {
		j.over = true
		return "", nil
	}
	if j.over {
		return "", &llm.Error{Kind: llm.ErrBadReply, Message: "the stream goes on behind its end"}
	}
	c, err := DecodeChat(data, hide, schema)
	if err != nil {
		return "", err
	}
	if c.Model != "" {
		j.response.Model = c.Model
	}
	if c.Usage != nil {
		j.response.Usage = c.Usage.tokens()
	}
	choice, ok := c.First()
	if !ok {
		return "", nil
	}
	var piece string
	if choice.Delta != nil {
		piece, _ = choice.Delta.Text()
		j.refusal.WriteString(choice.Delta.Refusal)
	}
	if piece != "" && j.ended {
		return "", &llm.Error{Kind: llm.ErrBadReply, Message: "events out of order: text behind the end of the reply"}
	}
	j.text.WriteString(piece)
	j.response.LogProbs = append(j.response.LogProbs, choice.LogProbs.tokens()...)
	if choice.Finish != nil && *choice.Finish != "" {
		stop, err := choice.Stop()
		if err != nil {
			return "", err
		}
		j.response.Stop, j.ended = stop, true
	}
	return piece, nil
}

// Over reports whether the stream has said that nothing more comes.
func (j *Joiner) Over() bool { return j.over }

// Response returns the whole reply at the stream's end. A stream that ended
// before the reply did is llm.ErrTruncated; broken is why, where the connection
// broke off.
func (j *Joiner) Response(broken error) (llm.Response, error) {
	r := j.response
	r.Text = j.text.String()
	switch {
	case broken != nil && !j.ended:
		r.Stop = llm.StopUnknown
		return r, &llm.Error{Kind: llm.ErrTruncated, Message: "the stream broke off", Cause: broken}
	case !j.ended && !j.over:
		r.Stop = llm.StopUnknown
		return r, &llm.Error{Kind: llm.ErrTruncated, Message: "the stream ended before the reply did"}
	case !j.ended:
		r.Stop = llm.StopUnknown
	}
	if j.refusal.Len() > 0 {
		r.Stop = llm.StopRefused
		if r.Text == "" {
			r.Text = j.refusal.String()
		}
	}
	return r, nil
}

// MaxTokensField is what the server at an address calls the limit of a reply.
// OpenAI's and Azure's newer models refuse "max_tokens"; most others know
// nothing else, and ignore what they don't know.
func MaxTokensField(at *url.URL) string {
	host := at.Hostname()
	if host == "api.openai.com" || strings.HasSuffix(host, ".openai.azure.com") {
		return "max_completion_tokens"
	}
	return "max_tokens"
}
