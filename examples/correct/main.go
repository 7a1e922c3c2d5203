// Command correct puts a wrong fact right and leaves every other byte alone.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/grapheval"
)

func main() {
	parts, err := kgeval.Offline()
	if err != nil {
		log.Fatal(err)
	}
	corrector, err := parts.Corrector(grapheval.Options{}, graphcorrect.Options{})
	if err != nil {
		log.Fatal(err)
	}
	correction, err := corrector.Correct(context.Background(), kgeval.Sample{
		Sources: []kgeval.Source{{ID: "report", Text: "The mill at Stonebrook closed in 1998 after a flood."}},
		Output:  "The mill at Stonebrook closed in 1989 after a flood.",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(correction.Text)
	for _, e := range correction.Edits {
		fmt.Printf("%q -> %q: %s\n", e.Old, e.New, e.Reason)
	}
}
