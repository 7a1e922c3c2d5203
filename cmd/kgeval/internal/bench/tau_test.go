package bench

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/tau"
)

func TestTAUWithoutData(t *testing.T) {
	var out bytes.Buffer
	if err := TAU.Run(context.Background(), &out, t.TempDir(), nil); !errors.Is(err, ErrNoData) {
		t.Errorf("got %v", err)
	}
	for _, args := range [][]string{{"--half", "both"}, {"--steps", "0"}, {"--embedder", "none"}, {"--misspell", "2"}} {
		if err := TAU.Run(context.Background(), &out, t.TempDir(), args); err == nil || errors.Is(err, ErrNoData) {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestTAURuns(t *testing.T) {
	dir := testData(t)
	var one, two bytes.Buffer
	for _, out := range []*bytes.Buffer{&one, &two} {
		if err := TAU.Run(context.Background(), out, dir, []string{"--limit", "8", "--samples", "5", "--misspell", "0.5"}); err != nil {
			t.Fatal(err)
		}
	}
	if one.String() != two.String() || strings.Count(one.String(), "**TAU**") != 4 {
		t.Errorf("two runs, or too few rows:\n%s", one.String())
	}
}

// A label is misspelled the same way in the copy and in what is known of it.
func TestMisspellRows(t *testing.T) {
	old := kg.Triple{Head: "Carlos", Relation: "painted", Tail: "Uruguay"}
	rows := []tauRow{{source: "g", a: kg.NewGraph(old), b: kg.NewGraph(old, kg.Triple{Head: "Uruguay", Relation: "painted", Tail: "x"}),
		known: []tau.Finding{{Class: tau.Aligned, Reference: old, Answer: old}, {Class: tau.Missing, Reference: old}}}}
	got := misspellRows(rows, 1, 1)[0]
	facts := got.b.Slice()
	if len(facts) != 2 || facts[0].Tail != facts[1].Head || facts[0].Tail == "Uruguay" || facts[1].Tail != "x" || !got.a.Has(old) {
		t.Errorf("got %v", facts)
	}
	want := []tau.Finding{{Class: tau.Aligned, Reference: old, Answer: facts[0]}, {Class: tau.Missing, Reference: old}}
	if !slices.Equal(got.known, want) {
		t.Errorf("got %v", got.known)
	}
}
