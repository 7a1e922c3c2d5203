package openie_test

import (
	"context"
	"fmt"
	"log"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/openie"
)

func ExampleExtractor_Extract() {
	e, err := openie.New(openie.Options{})
	if err != nil {
		log.Fatal(err)
	}
	text := "Lena Vogt, who founded Orbix in 1999, did not sell the firm. She may retire in May."
	xs, err := e.Extract(context.Background(), []kg.Text{{ID: "answer", Text: text}})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range xs[0].Statements {
		fmt.Printf("%s | %s | %s\n", s.Triple.Head, s.Triple.Relation, s.Triple.Tail)
		for _, sp := range s.Spans {
			fmt.Printf("  %q", sp.Of(text))
		}
		fmt.Println()
	}
	// Output:
	// Lena Vogt | founded | Orbix in 1999
	//   "Lena Vogt"  "founded Orbix in 1999"
	// Lena Vogt | did not sell | the firm
	//   "Lena Vogt"  "did not sell the firm"
	// Lena Vogt | may retire in | May
	//   "She may retire in May"
}
