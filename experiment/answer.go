package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/answer"
	"github.com/kgeval/kgeval/llm/prompt"
	"github.com/kgeval/kgeval/segment"
)

// Answerer answers questions from contexts. Implementations must be safe for concurrent
// use.
type Answerer interface {
	// Answer returns the reply to a question. A reply beside an error was cut; what it
	// used is counted.
	Answer(ctx context.Context, q Question) (Reply, error)
	// ID names the method with everything that changes its answers, for the log's header.
	ID() string
}

// Question is what an Answerer is asked.
type Question struct {
	Text        string
	Sources     []claim.Source
	Temperature float64
	// Seed makes the draw repeatable, where the model can; it differs between repeats.
	Seed int64
}

// Reply is an answer with what it used.
type Reply struct {
	Text    string
	Backend string // as the server names the model
	Usage   llm.Usage
}

// Estimator is an Answerer that can tell what an answer will use at most. A run with a
// budget takes no other.
type Estimator interface {
	Answerer
	Most(q Question) llm.Usage
}

// LLM is a language model as an Answerer.
type LLM struct {
	model     llm.Model
	prompt    prompt.Prompt
	maxTokens int
	ratio     ratio
}

// DefaultMaxTokens bounds an answer, unless it is said otherwise.
const DefaultMaxTokens = 512

// NewLLM returns an answerer that asks m by a prompt with the slots of llm/answer (the
// zero Prompt stands for answer.Default). maxTokens bounds each answer; 0 stands for
// DefaultMaxTokens. An answer that is cut there is a failure, not an answer.
func NewLLM(m llm.Model, p prompt.Prompt, maxTokens int) (*LLM, error) {
	if maxTokens == 0 {
		maxTokens = DefaultMaxTokens
	}
	if p.Zero() {
		p = answer.Default()
	}
	l := &LLM{model: m, prompt: p, maxTokens: maxTokens}
	_, err := l.answerer(0, 0)
	return l, err
}

func (l *LLM) answerer(temperature float64, seed int64) (*answer.Answerer, error) {
	return answer.New(l.model, answer.Options{Prompt: l.prompt, Temperature: temperature, Seed: &seed, MaxTokens: l.maxTokens})
}

// ID names the model, the prompt with its version, and the bound of an answer.
func (l *LLM) ID() string {
	return fmt.Sprintf("llm(%s, %s, max %d)", l.model.ID(), l.prompt.ID(), l.maxTokens)
}

// Answer asks.
func (l *LLM) Answer(ctx context.Context, q Question) (Reply, error) {
	a, err := l.answerer(q.Temperature, q.Seed)
	if err != nil {
		return Reply{}, err
	}
	var texts []string
	for _, s := range q.Sources {
		texts = append(texts, s.Text)
	}
	all, err := a.Ask(ctx, q.Text, texts...)
	if err != nil {
		return Reply{}, err
	}
	l.ratio.saw(l.bytes(q), all[0].Usage.Input)
	return Reply{Text: all[0].Text, Backend: all[0].Model, Usage: all[0].Usage}, all[0].Err
}

// bytes is the length of a request, without what a server puts around messages.
func (l *LLM) bytes(q Question) int {
	texts := make([]string, len(q.Sources))
	for i, s := range q.Sources {
		texts[i] = s.Text
	}
	messages, err := l.prompt.Messages(prompt.Slots{
		answer.SlotQuestion: prompt.Fenced(q.Text), answer.SlotContext: prompt.FencedAll(func(int) string { return "" }, texts...),
	})
	if err != nil { // its slots were checked, so that this is not reached
		return len(q.Text) + len(strings.Join(texts, ""))
	}
	n := 0
	for _, m := range messages {
		n += len(m.Text)
	}
	return n
}

// Most counts the request by the largest number of tokens a byte that was met so far
// (before the first answer, half a token), and the whole of the answer's bound.
func (l *LLM) Most(q Question) llm.Usage {
	return llm.Usage{Input: l.ratio.tokens(l.bytes(q)) + 32, Output: l.maxTokens}
}

// Extractive is the baseline that writes nothing of its own: its answer is the context's
// sentences that are nearest to the question. It needs no network and gives the same
// answer at any temperature.
type Extractive struct {
	embedder  embed.Embedder
	sentences int
}

// NewExtractive returns a baseline that answers with up to n sentences; 0 stands for 2.
func NewExtractive(e embed.Embedder, n int) (*Extractive, error) {
	if e == nil || n < 0 {
		return nil, errors.New("experiment: an extractive answerer needs an embedder, and a number of sentences that is not negative")
	}
	if n == 0 {
		n = 2
	}
	return &Extractive{e, n}, nil
}

// ID names the embedder and the number of sentences.
func (x *Extractive) ID() string {
	return fmt.Sprintf("extractive(%s, %d sentences)", x.embedder.ID(), x.sentences)
}

// Most is nothing.
func (x *Extractive) Most(Question) llm.Usage { return llm.Usage{} }

// Answer picks the sentences whose embeddings have the largest cosine with the
// question's; between equal ones, and in the answer, they are in the context's order.
func (x *Extractive) Answer(ctx context.Context, q Question) (Reply, error) {
	texts := []string{q.Text}
	for _, s := range q.Sources {
		for _, span := range segment.Sentences(s.Text) {
			if t := strings.TrimSpace(span.Of(s.Text)); t != "" {
				texts = append(texts, t)
			}
		}
	}
	if strings.TrimSpace(q.Text) == "" || len(texts) == 1 {
		return Reply{}, errors.New("extractive: there is no question, or no sentence to answer it with")
	}
	vectors, err := x.embedder.Embed(ctx, texts)
	if err != nil {
		return Reply{}, fmt.Errorf("extractive: %w", err)
	}
	if err := embed.Check(texts, vectors); err != nil {
		return Reply{}, fmt.Errorf("extractive: %s: %w", x.embedder.ID(), err)
	}
	order := make([]int, len(texts)-1)
	for i := range order {
		order[i] = i + 1
	}
	near := make([]float64, len(texts))
	for i := range near {
		near[i] = embed.Cosine(vectors[0], vectors[i])
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case near[a] > near[b]:
			return -1
		case near[a] < near[b]:
			return 1
		}
		return 0
	})
	order = order[:min(x.sentences, len(order))]
	slices.Sort(order)
	picked := make([]string, len(order))
	for i, at := range order {
		picked[i] = texts[at]
	}
	return Reply{Text: strings.Join(picked, " ")}, nil
}
