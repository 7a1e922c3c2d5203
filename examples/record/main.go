// Command record asks a model through a cassette. The cassette beside it holds
// what was asked and said, so that it runs without any model:
//
//	go run ./examples/record
//
// With -record it asks a real one and writes the cassette anew:
//
//	OPENAI_BASE_URL=http://localhost:8080/v1 OPENAI_MODEL=local go run ./examples/record -record
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/cassette"
	"github.com/kgeval/kgeval/llm/openai"
)

// name is the model's ID, wherever it is served: recordings are found by it.
const name = "example"

var questions = []string{
	"The mill at Stonebrook closed in 1998 after a flood. When did it close?",
	"The mill at Stonebrook closed in 1998 after a flood. Why did it close?",
}

// ask asks each question, and takes no reply for whole that is not.
func ask(ctx context.Context, out io.Writer, m llm.Model) error {
	for _, q := range questions {
		r, err := m.Generate(ctx, llm.Request{
			Messages: []llm.Message{
				{Role: llm.System, Text: "Answer in one short sentence, from the text alone."},
				{Role: llm.User, Text: q},
			},
			Temperature: new(0.0),
			Seed:        new(int64(0)),
			MaxTokens:   40,
		})
		if err == nil {
			err = r.Complete()
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\n  %s\n", q, r.Text)
	}
	return nil
}

func run(ctx context.Context, out io.Writer, path string, record bool, getenv func(string) string) (err error) {
	var m llm.Model
	o := cassette.Options{Mode: cassette.Replay}
	if record {
		client, err := openai.New(openai.Config{
			Name:    name,
			BaseURL: getenv("OPENAI_BASE_URL"),
			Model:   getenv("OPENAI_MODEL"),
			Key:     getenv("OPENAI_API_KEY"),
		})
		if err != nil {
			return err
		}
		defer client.Close()
		m, o = client, cassette.Options{Mode: cassette.Record, Secrets: []string{getenv("OPENAI_API_KEY")}}
	}
	c, err := cassette.Open(path, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	return ask(ctx, out, c.Model(m))
}

func main() {
	record := flag.Bool("record", false, "ask a real model, and write the cassette")
	path := flag.String("cassette", "examples/record/testdata/mill.json", "the cassette")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := run(ctx, os.Stdout, *path, *record, os.Getenv); err != nil {
		log.Fatal(err)
	}
}
