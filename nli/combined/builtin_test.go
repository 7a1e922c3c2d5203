package combined_test

import (
	"testing"
	"time"

	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/builtin"
	"github.com/kgeval/kgeval/nli/combined"
)

// What kgeval.Offline judges with keeps the whole contract, which the trained
// model alone does not.
func TestTheDefaultConforms(t *testing.T) {
	conform.NLI(t, func() nli.Model {
		trained, err := builtin.New(builtin.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := combined.New(trained, rules(t), combined.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}, conform.Timeout(5*time.Minute), conform.MaxText(longest()))
}

// longest is the length of the suite's longest text: with -short one that is
// read in seconds where the machine has no vector instructions.
func longest() int {
	if testing.Short() {
		return 10_000
	}
	return 1_000_000
}
