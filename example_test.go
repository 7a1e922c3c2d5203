package kgeval_test

import (
	"context"
	"fmt"
	"log"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/s3kg"
)

var (
	ctx     = context.Background()
	report  = "The mill at Stonebrook closed in 1998 after a flood. 40 people lost their jobs."
	summary = "The mill at Stonebrook closed in 1989 after a flood."
)

// Check an output against its sources.
func Example() {
	parts, err := kgeval.Offline()
	if err != nil {
		log.Fatal(err)
	}
	checker, err := parts.Checker(grapheval.Options{})
	if err != nil {
		log.Fatal(err)
	}
	result, err := checker.Check(ctx, kgeval.Sample{
		Sources: []kgeval.Source{{ID: "report", Text: report}},
		Output:  summary,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Outcome)
	// Output: inconsistent
}

// Guard a service: read the sources once, and check each answer before it
// leaves.
func ExampleParts_Checker() {
	sources := []kgeval.Source{{ID: "report", Text: report}}
	parts, err := kgeval.Offline()
	if err != nil {
		log.Fatal(err)
	}
	checker, err := parts.Checker(grapheval.Options{Point: grapheval.FewFalseAlarms})
	if err != nil {
		log.Fatal(err)
	}
	ready, err := checker.Prepare(ctx, sources) // once for all answers
	if err != nil {
		log.Fatal(err)
	}
	for _, answer := range []string{"40 people lost their jobs.", summary} {
		result, err := ready.Check(ctx, "", answer)
		if err != nil || result.Outcome != claim.Consistent {
			answer = "I could not verify my answer."
		}
		fmt.Println(answer)
	}
	// Output:
	// 40 people lost their jobs.
	// I could not verify my answer.
}

// Correct an output; what was right stays byte for byte.
func ExampleParts_Corrector() {
	parts, err := kgeval.Offline()
	if err != nil {
		log.Fatal(err)
	}
	corrector, err := parts.Corrector(grapheval.Options{}, graphcorrect.Options{})
	if err != nil {
		log.Fatal(err)
	}
	correction, err := corrector.Correct(ctx, kgeval.Sample{
		Sources: []kgeval.Source{{ID: "report", Text: report}},
		Output:  summary,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(correction.Text)
	// Output: The mill at Stonebrook closed in 1998 after a flood.
}

// Compare texts by what they say, not by their words.
func ExampleParts_Scorer() {
	parts, err := kgeval.Offline()
	if err != nil {
		log.Fatal(err)
	}
	scorer, err := parts.Scorer(s3kg.Options{})
	if err != nil {
		log.Fatal(err)
	}
	same, err := scorer.CompareTexts(ctx, "Ana Ruiz hired Bo Lindqvist.", "Bo Lindqvist was hired by Ana Ruiz.")
	if err != nil {
		log.Fatal(err)
	}
	reversed, err := scorer.CompareTexts(ctx, "Ana Ruiz hired Bo Lindqvist.", "Bo Lindqvist hired Ana Ruiz.")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(same.Score > 0.9, reversed.Score < 0.5)
	// Output: true true
}
