package extending

import (
	"context"
	"time"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/llm"
)

// Chat is a language model behind a function of yours. Ask returns the reply
// and whether it was cut at the token limit.
type Chat struct {
	Name string
	Ask  func(ctx context.Context, messages []llm.Message) (reply string, cut bool, err error)
}

var _ kgeval.LLM = Chat{}

// ID names the backend and the model.
func (c Chat) ID() string { return "chat/" + c.Name }

// Generate returns the reply to one request.
func (c Chat) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	if err := llm.Validate(req); err != nil {
		return llm.Response{}, err
	}
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	start := time.Now()
	reply, cut, err := c.Ask(ctx, req.Messages)
	if err != nil {
		return llm.Response{}, err
	}
	stop := llm.StopEnd
	if cut {
		stop = llm.StopLength
	}
	return llm.Response{Text: reply, Stop: stop, Model: c.Name, Latency: time.Since(start)}, nil
}
