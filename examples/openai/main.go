// Command openai checks an answer with a language model behind any
// OpenAI-compatible address, and corrects what is wrong:
//
//	OPENAI_MODEL=gpt-4o-mini OPENAI_API_KEY=... go run ./examples/openai
//	OPENAI_BASE_URL=http://localhost:8080/v1 OPENAI_MODEL=local go run ./examples/openai
//
// docs/providers.md has the addresses.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/kg/llmkg"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/openai"
	"github.com/kgeval/kgeval/llm/retry"
	"github.com/kgeval/kgeval/nli/llmjudge"
)

var sample = kgeval.Sample{
	Sources: []kgeval.Source{{ID: "report", Text: "The mill at Stonebrook closed in 1998 after a flood. Its owner, Ada Finch, sold the land to the town."}},
	Output:  "The mill at Stonebrook closed in 1989 after a flood.",
}

// model makes the client, and puts what a careful caller wants around it.
func model(getenv func(string) string) (llm.Model, error) {
	if getenv("OPENAI_MODEL") == "" {
		return nil, errors.New("set OPENAI_MODEL, and OPENAI_BASE_URL and OPENAI_API_KEY as your server wants them")
	}
	client, err := openai.New(openai.Config{
		BaseURL: getenv("OPENAI_BASE_URL"), // "" is OpenAI's own
		Model:   getenv("OPENAI_MODEL"),
		Key:     getenv("OPENAI_API_KEY"),
	})
	if err != nil {
		return nil, err
	}
	return retry.New(client, retry.Options{}), nil
}

// run shows what a check of the sample finds, and the corrected output. Each of
// the model's replies has at most so many tokens.
func run(ctx context.Context, out io.Writer, m llm.Model, tokens int) error {
	parts, err := kgeval.Offline()
	if err != nil {
		return err
	}
	// The model finds the facts, judges them, and writes the corrections.
	if parts.Extractor, err = llmkg.New(m, llmkg.Options{MaxTokens: tokens}); err != nil {
		return err
	}
	if parts.NLI, err = llmjudge.New(m, llmjudge.Options{}); err != nil {
		return err
	}
	steps, err := graphcorrect.NewTwoStep(m, graphcorrect.TwoStepOptions{MaxTokens: tokens})
	if err != nil {
		return err
	}
	parts.Proposers = []graphcorrect.Proposer{steps}

	corrector, err := parts.Corrector(grapheval.Options{}, graphcorrect.Options{Sequential: true})
	if err != nil {
		return err
	}
	c, err := corrector.Correct(ctx, sample)
	if err != nil {
		return err
	}
	if err := kgeval.Explain(out, sample, c.Before); err != nil {
		return err
	}
	fmt.Fprintln(out, "corrected:", c.Text)
	return nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	m, err := model(os.Getenv)
	if err != nil {
		log.Fatal(err)
	}
	if err := run(ctx, os.Stdout, m, 400); err != nil {
		log.Fatal(err)
	}
}
