package extending

import (
	"context"
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
)

// contains stands for a model: what the premise says word for word is entailed.
func contains(_ context.Context, premise, hypothesis string) ([3]float64, error) {
	if strings.Contains(premise, strings.TrimSuffix(hypothesis, ".")) {
		return [3]float64{0.98, 0.01, 0.01}, nil
	}
	return [3]float64{0.01, 0.98, 0.01}, nil
}

func TestConform(t *testing.T) {
	t.Run("extractor", func(t *testing.T) {
		conform.Extractor(t, func() kgeval.Extractor { return Ends{} })
	})
	t.Run("nli", func(t *testing.T) {
		conform.NLI(t, func() kgeval.NLI {
			return Remote{Name: "contains", Score: contains}
		})
	})
	t.Run("embedder", func(t *testing.T) {
		conform.Embedder(t, func() kgeval.Embedder { return Runes{} })
	})
	t.Run("llm", func(t *testing.T) {
		conform.LLM(t, func() kgeval.LLM {
			return Chat{Name: "echo", Ask: func(_ context.Context, m []llm.Message) (string, bool, error) {
				return m[len(m)-1].Text, false, nil
			}}
		})
	})
}

// Put parts of your own into the place of the offline ones.
func Example() {
	parts, err := kgeval.Offline()
	if err != nil {
		log.Fatal(err)
	}
	parts.Extractor = Ends{}
	parts.NLI = Remote{Name: "contains", Score: contains}
	checker, err := parts.Checker(grapheval.Options{})
	if err != nil {
		log.Fatal(err)
	}
	result, err := checker.Check(context.Background(), kgeval.Sample{
		Sources: []kgeval.Source{{Text: "Ann leads Kappa. Bob owns Delta."}},
		Output:  "Ann leads Kappa. Bob owns Omega.",
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
