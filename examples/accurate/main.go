// Accurate checks an answer with the larger entailment model, whose weights are in a
// module of their own:
//
//	go run ./examples/accurate
//
// It sees more than the default and takes several times its time;
// docs/results/check.md has both.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/nli/builtin"
	"github.com/kgeval/kgeval/nli/combined"
	"github.com/kgeval/kgeval/nli/lexical"
	"github.com/kgeval/kgeval/weights/accurate"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

var sample = kgeval.Sample{
	Sources: []kgeval.Source{{ID: "letter", Text: "Mara Holt kept the lighthouse at Skerry Point for thirty years. Her brother Tom, a fisherman, drowned in the storm of 1911."}},
	Output:  "Mara Holt looked after a lighthouse for three decades. Tom was killed in the war.",
}

func run(ctx context.Context, w io.Writer) error {
	network, err := builtin.Accurate(accurate.Files(), builtin.Options{})
	if err != nil {
		return err
	}
	rules, err := lexical.New()
	if err != nil {
		return err
	}
	parts, err := kgeval.Offline()
	if err != nil {
		return err
	}
	// The rules stay beside the network, weighed as was fitted for it.
	if parts.NLI, err = combined.New(network, rules, combined.Options{}); err != nil {
		return err
	}
	checker, err := parts.Checker(grapheval.Options{})
	if err != nil {
		return err
	}
	result, err := checker.Check(ctx, sample)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, parts.NLI.ID())
	return kgeval.Explain(w, sample, result)
}
