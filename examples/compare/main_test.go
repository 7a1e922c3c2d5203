package main

import (
	"context"
	"fmt"
	"log"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/s3kg"
)

func Example() {
	parts, err := kgeval.Offline()
	if err != nil {
		log.Fatal(err)
	}
	scorer, err := parts.Scorer(s3kg.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"Bo Lindqvist was hired by Ana Ruiz.", "Bo Lindqvist hired Ana Ruiz."} {
		result, err := scorer.CompareTexts(context.Background(), "Ana Ruiz hired Bo Lindqvist.", text)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.2f %s\n", result.Score, text)
	}
	// Output:
	// 1.00 Bo Lindqvist was hired by Ana Ruiz.
	// 0.25 Bo Lindqvist hired Ana Ruiz.
}
