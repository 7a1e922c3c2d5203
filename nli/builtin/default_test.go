package builtin_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/builtin"
)

func TestBuiltInConforms(t *testing.T) {
	conform.NLI(t, func() nli.Model {
		m, err := builtin.New(builtin.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}, conform.Timeout(5*time.Minute), conform.MaxText(longest()))
}

func TestNew(t *testing.T) {
	m, err := builtin.New(builtin.Options{})
	if err != nil || !strings.HasPrefix(m.ID(), "kgeval/nli-small-") {
		t.Fatalf("%v, %v", m, err)
	}
	if _, err := builtin.New(builtin.Options{Budget: 100_000}); err == nil {
		t.Error("a budget beyond the positions is no error")
	}
}

// What the model was made for: one wrong detail in a statement that the premise
// makes otherwise.
func Example() {
	model, err := builtin.New(builtin.Options{})
	if err != nil {
		panic(err)
	}
	probs, err := model.Classify(context.Background(), []nli.Pair{
		{Premise: "The mill on the river closed in 1998.", Hypothesis: "The mill closed in 1998."},
		{Premise: "The mill on the river closed in 1998.", Hypothesis: "The mill did not close in 1998."},
	})
	if err != nil {
		panic(err)
	}
	for _, p := range probs {
		fmt.Println(p.Entailment >= 0.5)
	}
	// Output:
	// true
	// false
}

// longest is the length of the suite's longest text: with -short one that is
// read in seconds where the machine has no vector instructions.
func longest() int {
	if testing.Short() {
		return 10_000
	}
	return 1_000_000
}
