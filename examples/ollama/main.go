// Command ollama finds the facts of a text with a model that Ollama serves, by
// way of langchaingo:
//
//	ollama pull llama3.2
//	go run ./examples/ollama llama3.2
//
// OLLAMA_HOST is Ollama's address, if it is another than http://127.0.0.1:11434.
// Whoever has no other use for langchaingo can do without: llm/openai speaks to
// Ollama too, at http://127.0.0.1:11434/v1.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"time"

	lcollama "github.com/tmc/langchaingo/llms/ollama"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/llmkg"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/langchain"
)

// model makes langchaingo's model and the adapter around it. Both must have the
// same HTTP client: Ollama's stop reason, a schema and a seed of 0 go by it.
func model(name string, options ...lcollama.Option) (llm.Model, error) {
	client := langchain.Client(nil)
	inner, err := lcollama.New(append(options, lcollama.WithModel(name), lcollama.WithHTTPClient(client),
		lcollama.WithRunnerNumCtx(8192))...) // Ollama's own default cuts long texts silently
	if err != nil {
		return nil, err
	}
	return langchain.New(inner, langchain.Config{Model: name, Client: client})
}

func run(ctx context.Context, out io.Writer, m llm.Model, text string) error {
	extractor, err := llmkg.New(m, llmkg.Options{Seed: new(int64(0))})
	if err != nil {
		return err
	}
	found, err := extractor.Extract(ctx, []kg.Text{{Text: text}})
	if err != nil {
		return err
	}
	if found[0].Err != nil {
		return found[0].Err
	}
	for _, s := range found[0].Statements {
		fmt.Fprintf(out, "%s | %s | %s\n", s.Triple.Head, s.Triple.Relation, s.Triple.Tail)
	}
	return nil
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("name a model, such as llama3.2")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	m, err := model(os.Args[1])
	if err == nil {
		err = run(ctx, os.Stdout, m, "The mill at Stonebrook closed in 1998 after a flood. Its owner, Ada Finch, sold the land to the town.")
	}
	if err != nil {
		log.Fatal(err)
	}
}
