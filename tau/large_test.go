package tau

import (
	"fmt"
	"testing"
	"time"

	"github.com/kgeval/kgeval/kg"
)

// Graphs that are hard to match stay within a time bound: a hub all of whose facts
// differ, only self loops, the same label everywhere, chains that share nothing.
func TestLargeGraphs(t *testing.T) {
	if testing.Short() {
		t.Skip("large graphs; run without -short to turn this test on")
	}
	const n = 5_000
	build := func(f func(i int) kg.Triple) *kg.Graph {
		g := kg.NewGraph()
		for i := range n {
			g.Add(f(i))
		}
		return g
	}
	for name, pair := range map[string][2]*kg.Graph{
		"one hub": {
			build(func(i int) kg.Triple { return triple("hub", "knows", fmt.Sprint("left ", i)) }),
			build(func(i int) kg.Triple { return triple("hub", "knows", fmt.Sprint("right ", n+i)) }),
		},
		"self loops": {
			build(func(i int) kg.Triple { s := fmt.Sprint("node ", i); return triple(s, "likes", s) }),
			build(func(i int) kg.Triple { s := fmt.Sprint("node ", i); return triple(s, "sued", s) }),
		},
		"one label": {
			build(func(i int) kg.Triple { return triple("x", fmt.Sprint("rel ", i), "x") }),
			build(func(i int) kg.Triple { return triple("x", fmt.Sprint("rel ", n+i), "x") }),
		},
		"all reversed": {
			build(func(i int) kg.Triple { return triple(fmt.Sprint("node ", i), "sued", fmt.Sprint("node ", i+1)) }),
			build(func(i int) kg.Triple { return triple(fmt.Sprint("node ", i+1), "sued", fmt.Sprint("node ", i)) }),
		},
	} {
		start := time.Now()
		r, err := Compare(t.Context(), scorer(t), pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		reference := 0
		for _, f := range r.Findings {
			if f.Class != Extra {
				reference++
			}
		}
		if reference != pair[0].Len() {
			t.Errorf("%s: %d findings for %d facts", name, reference, pair[0].Len())
		}
		t.Logf("%s: %v, approximate %v, %v", name, r.Counts(), r.Approximate, time.Since(start).Round(time.Millisecond))
	}
}
