// Ownmodel checks an answer with a user's own ONNX models, a sentence encoder and an
// entailment model, in pure Go:
//
//	go run ./examples/ownmodel ENCODER-FOLDER NLI-FOLDER
//
// docs/models/own-onnx.md says what the folders hold; `bash .ci/onnx-models` makes
// two.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/hugot"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: ownmodel ENCODER-FOLDER NLI-FOLDER")
	}
	if err := run(context.Background(), os.Stdout, os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

var sample = kgeval.Sample{
	Sources: []kgeval.Source{{ID: "report", Text: "The mill at Stonebrook closed in 1998 after a flood."}},
	Output:  "The mill at Stonebrook closed after a flood. It closed in 1989.",
}

func run(ctx context.Context, w io.Writer, encoder, judge string) error {
	embedder, err := hugot.LoadEmbedder(ctx, encoder, hugot.EmbedderOptions{})
	if err != nil {
		return err
	}
	defer embedder.Close()
	model, err := hugot.LoadNLI(ctx, judge, hugot.NLIOptions{})
	if err != nil {
		return err
	}
	defer model.Close()
	parts, err := kgeval.Offline()
	if err != nil {
		return err
	}
	parts.Embedder, parts.NLI = embedder, model
	checker, err := parts.Checker(grapheval.Options{})
	if err != nil {
		return err
	}
	result, err := checker.Check(ctx, sample)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\n%s\n", embedder.ID(), model.ID())
	return kgeval.Explain(w, sample, result)
}
