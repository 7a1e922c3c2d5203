// Quickstart checks an answer against its context, shows what is wrong with it,
// corrects it, and compares texts by what they say. It needs nothing but Go:
//
//	go run ./examples/quickstart
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/s3kg"
)

const article = `The Harlow Bridge was opened on 3 May 1932 by Mayor Ruth Ellison. It is
412 metres long and carries two lanes of traffic over the River Tarn. The
bridge was designed by the engineer Tomas Lind. It was closed for repairs in
2011 and reopened in 2013.`

// A wrong number, a wrong name, and something that nobody said.
const answer = `The Harlow Bridge was opened in 1932 by Mayor Ruth Ellison. It is
450 metres long and carries two lanes of traffic over the River Tarn. The
bridge was designed by the engineer Oskar Brandt. It won a prize for its
lighting.`

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, w io.Writer) error {
	parts, err := kgeval.Offline()
	if err != nil {
		return err
	}

	fmt.Fprintf(w, "1. Is the answer true to the article?\n\n")
	sample := kgeval.Sample{
		Sources: []kgeval.Source{{ID: "article", Text: article}},
		Output:  answer,
	}
	checker, err := parts.Checker(grapheval.Options{})
	if err != nil {
		return err
	}
	result, err := checker.Check(ctx, sample)
	if err != nil {
		return err
	}
	if err := kgeval.Explain(w, sample, result); err != nil {
		return err
	}

	fmt.Fprintf(w, "\n2. What should it have said?\n\n")
	corrector, err := parts.Corrector(grapheval.Options{}, graphcorrect.Options{Unfixable: graphcorrect.Remove})
	if err != nil {
		return err
	}
	correction, err := corrector.CorrectResult(ctx, sample, result)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, correction.Text)
	fmt.Fprintln(w)
	for _, e := range correction.Edits {
		fmt.Fprintf(w, "  %q -> %q (%s)\n", e.Old, e.New, e.Reason)
	}
	for _, l := range correction.Left {
		fmt.Fprintf(w, "  left: %q (%s)\n", correction.Before.Claims[l.Claim].Text, l.Reason)
	}

	fmt.Fprintf(w, "\n3. How alike are two texts in what they say?\n\n")
	scorer, err := parts.Scorer(s3kg.Options{})
	if err != nil {
		return err
	}
	const said = "Ana Ruiz hired Bo Lindqvist."
	fmt.Fprintf(w, "        %s\n", said)
	for _, other := range []string{
		"Bo Lindqvist was hired by Ana Ruiz.",
		"Bo Lindqvist hired Ana Ruiz.",
	} {
		r, err := scorer.CompareTexts(ctx, said, other)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  %.2f  %s\n", r.Score, other)
	}
	return nil
}
