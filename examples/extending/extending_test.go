package extending

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/grapheval"
)

// Put parts of your own into the place of the offline ones.
func Example() {
	parts, err := kgeval.Offline()
	if err != nil {
		log.Fatal(err)
	}
	parts.Extractor = Arrows{}
	parts.NLI = Remote{Name: "contains", Score: func(_ context.Context, premise, hypothesis string) ([3]float64, error) {
		if strings.Contains(premise, strings.TrimSuffix(hypothesis, ".")) {
			return [3]float64{0.98, 0.01, 0.01}, nil
		}
		return [3]float64{0.01, 0.98, 0.01}, nil
	}}
	checker, err := parts.Checker(grapheval.Options{})
	if err != nil {
		log.Fatal(err)
	}
	result, err := checker.Check(context.Background(), kgeval.Sample{
		Sources: []kgeval.Source{{Text: "Ann leads Kappa. Bob owns Delta."}},
		Output:  "Ann -> leads -> Kappa\nBob -> owns -> Omega",
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range result.Claims {
		fmt.Println(c.Verdict, c.Triple.Sentence())
	}
	// Output:
	// supported Ann leads Kappa.
	// unsupported Bob owns Omega.
}
