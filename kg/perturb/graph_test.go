package perturb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kgeval/kgeval/kg"
)

func triple(h, r, t string) kg.Triple { return kg.Triple{Head: h, Relation: r, Tail: t} }

func boats() *kg.Graph {
	return kg.NewGraph(
		triple("Ana", "owns", "Heron"), triple("Ana", "trained", "Bo"),
		triple("Bo", "married to", "Cleo"), triple("Heron", "built in", "Graz"), triple("Bo", "bought", "Heron"))
}

func opposite(r string) (string, bool) {
	o, ok := map[string]string{"bought": "sold", "sold": "bought"}[r]
	return o, ok
}

// Each kind on its own: what it changes, what it costs, what remains.
func TestKinds(t *testing.T) {
	base := Options{Entities: []string{"Dora"}, Antonym: opposite, Symmetric: func(r string) bool { return r == "married to" }}
	outcomes := map[Kind][]Outcome{
		NodeReplacement: {HeadChanged, TailChanged},
		NodeRemoval:     {Lost},
		EdgeDeletion:    {Lost},
		EdgeReplacement: {RelationChanged},
		EdgeAntonym:     {RelationChanged},
		EdgeReversal:    {Reversed},
		EdgeAddition:    {Added},
	}
	for _, k := range Kinds() {
		t.Run(string(k), func(t *testing.T) {
			for seed := range uint64(30) {
				g := boats()
				o := base
				o.Seed, o.Kinds = seed, []Kind{k}
				r, err := Graph(t.Context(), g, o)
				if err != nil || len(r.Steps) != 1 || r.Steps[0].Kind != k {
					t.Fatalf("%+v, %v", r, err)
				}
				if !g.Equal(boats()) {
					t.Fatal("the graph itself was changed")
				}
				changed := 0
				for _, f := range r.Fates {
					if f.Outcome == Kept {
						continue
					}
					changed++
					if !slices.Contains(outcomes[k], f.Outcome) {
						t.Errorf("%v", f)
					}
				}
				if changed == 0 {
					t.Error("nothing changed")
				}
				s := r.Steps[0]
				if k == EdgeReversal && s.OldEdge.Relation == "married to" {
					t.Error("a symmetric relation was reversed")
				}
				if k == EdgeAntonym && s.NewEdge != triple("Bo", "sold", "Heron") {
					t.Errorf("%v", s)
				}
				// 5 entities, 5 triples.
				if want := 1 - float64(s.Edits)/10; math.Abs(r.Similarity-want) > 1e-12 {
					t.Errorf("similarity %g, want %g", r.Similarity, want)
				}
			}
		})
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		step Step
		want int
	}{
		{Step{Kind: NodeReplacement, OldNode: "Heron", NewNode: "Swan"}, 1},    // three facts, one entity
		{Step{Kind: NodeRemoval, OldNode: "Ana"}, 3},                           // she and two facts
		{Step{Kind: NodeRemoval, OldNode: "Heron"}, 5},                         // it, three facts, and Graz
		{Step{Kind: EdgeDeletion, OldEdge: triple("Ana", "owns", "Heron")}, 1}, // both ends have others
		{Step{Kind: EdgeDeletion, OldEdge: triple("Heron", "built in", "Graz")}, 2},
		{Step{Kind: EdgeReplacement, OldEdge: triple("Ana", "owns", "Heron"), NewEdge: triple("Ana", "bought", "Heron")}, 1},
		{Step{Kind: EdgeReversal, OldEdge: triple("Ana", "trained", "Bo"), NewEdge: triple("Bo", "trained", "Ana")}, 2},
		{Step{Kind: EdgeAddition, NewEdge: triple("Ana", "owns", "Graz")}, 1},
	} {
		g := boats()
		changes, err := c.step.changes(g)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.step.edits(g, apply(g, changes), changes); got != c.want {
			t.Errorf("%v: got %d, want %d", c.step, got, c.want)
		}
	}
}

// randomGraph has labels that are often the same.
func randomGraph(r *rand.Rand, n int) *kg.Graph {
	g := kg.NewGraph()
	for range n {
		g.Add(triple(fmt.Sprint("e", r.IntN(8)), fmt.Sprint("r", r.IntN(4)), fmt.Sprint("e", r.IntN(8))))
	}
	return g
}

// What holds for every graph and any number of steps.
func TestLogIsTrue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for i := range 500 {
		g := randomGraph(r, r.IntN(25))
		o := Options{Seed: uint64(i), Steps: 1 + r.IntN(8), Entities: []string{"x1", "x2", "x3", "e1"}, Relations: []string{"r9"}, Antonym: func(s string) (string, bool) { return "not " + s, true }}
		got, err := Graph(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := Graph(t.Context(), g, o); !again.Graph.Equal(got.Graph) || !slices.Equal(again.Steps, got.Steps) {
			t.Fatal("the same seed gave something else")
		}
		b, err := json.Marshal(got.Steps)
		if err != nil {
			t.Fatal(err)
		}
		var steps []Step
		if err := json.Unmarshal(b, &steps); err != nil || !slices.Equal(steps, got.Steps) {
			t.Fatalf("%s, read back: %v, %v", b, steps, err)
		}
		replayed, err := Replay(g, steps)
		if err != nil || !slices.Equal(replayed.Slice(), got.Graph.Slice()) {
			t.Fatalf("replayed: %v, %v\nwant %v", replayed, err, got.Graph)
		}
		// The fates are a bijection but for what was lost and added.
		before, after := kg.NewGraph(), kg.NewGraph()
		for _, f := range got.Fates {
			if f.Outcome != Added && !before.Add(f.Old) || f.Outcome != Lost && !after.Add(f.New) {
				t.Fatalf("%v is there twice", f)
			}
		}
		if !before.Equal(g) || !after.Equal(got.Graph) {
			t.Fatalf("the fates are not those of the two graphs")
		}
		for _, f := range got.Fates {
			for _, x := range got.Fates {
				if f.Outcome == Lost && x.New != (kg.Triple{}) && x.Outcome != Kept && f.Old.Head != f.Old.Tail && x.Old != (kg.Triple{}) && alike(f.Old, x.New) {
					t.Fatalf("%v was lost, but %v looks like it", f.Old, x.New)
				}
			}
		}
		if !(got.Similarity >= 0 && got.Similarity <= 1) || len(got.Steps) > o.Steps {
			t.Fatalf("similarity %g, %d steps", got.Similarity, len(got.Steps))
		}
		if len(got.Steps) == 0 && (got.Similarity != 1 || !got.Graph.Equal(g)) {
			t.Fatalf("no step, similarity %g", got.Similarity)
		}
	}
}

// The similarity is one by graph edit distance: on small graphs no way of naming
// entities anew, with facts taken away and added, is cheaper than the logged step.
func TestOneStepIsTheEditDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	for i := range 40 {
		g := kg.NewGraph()
		for range 1 + r.IntN(5) {
			h, k := r.IntN(4), r.IntN(4)
			if h != k {
				g.Add(triple(fmt.Sprint("e", h), fmt.Sprint("r", r.IntN(3)), fmt.Sprint("e", k)))
			}
		}
		for _, k := range []Kind{NodeReplacement, NodeRemoval, EdgeDeletion, EdgeReplacement, EdgeAddition} {
			got, err := Graph(t.Context(), g, Options{Seed: uint64(i), Kinds: []Kind{k}, Entities: []string{"x"}})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Steps) == 0 {
				continue
			}
			if d := editDistance(g, got.Graph); d != got.Steps[0].Edits {
				t.Errorf("%v\nto\n%v\n%s: %d edits, distance %d", g, got.Graph, k, got.Steps[0].Edits, d)
			}
		}
	}
}

// editDistance tries all mappings of a's entities to b's or to nothing; an entity or a
// relation with another label, one that is missing and one that is new cost 1 each.
func editDistance(a, b *kg.Graph) int {
	from, to := a.Entities(), b.Entities()
	best := math.MaxInt
	mapped := map[string]string{}
	var try func(i int)
	try = func(i int) {
		if i < len(from) {
			mapped[from[i]] = ""
			try(i + 1)
			for _, e := range to {
				if !slices.Contains(slices.Collect(valuesUpTo(from[:i], mapped)), e) {
					mapped[from[i]] = e
					try(i + 1)
				}
			}
			delete(mapped, from[i])
			return
		}
		cost, kept := 0, 0
		for _, e := range from {
			if mapped[e] != e {
				cost++
			}
			if mapped[e] != "" {
				kept++
			}
		}
		cost += len(to) - kept
		// Between two entities, relations that are equal stay, others are replaced.
		count := map[[2]string]map[string]int{}
		add := func(h, t, r string, n int) {
			k := [2]string{h, t}
			if count[k] == nil {
				count[k] = map[string]int{}
			}
			count[k][r] += n
		}
		for t := range a.Triples() {
			h, k := mapped[t.Head], mapped[t.Tail]
			if h == "" || k == "" {
				cost++
				continue
			}
			add(h, k, t.Relation, 1)
		}
		for t := range b.Triples() {
			add(t.Head, t.Tail, t.Relation, -1)
		}
		for _, c := range count {
			more, less := 0, 0
			for _, n := range c {
				if n > 0 {
					more += n
				} else {
					less -= n
				}
			}
			cost += max(more, less)
		}
		best = min(best, cost)
	}
	try(0)
	return best
}

func valuesUpTo(keys []string, m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, k := range keys {
			if !yield(m[k]) {
				return
			}
		}
	}
}

func TestReplayRefuses(t *testing.T) {
	for name, s := range map[string]Step{
		"an entity that is not there":   {Kind: NodeRemoval, OldNode: "Zoe"},
		"a replacement that is there":   {Kind: NodeReplacement, OldNode: "Ana", NewNode: "Bo"},
		"a fact that is not there":      {Kind: EdgeDeletion, OldEdge: triple("Bo", "owns", "Graz")},
		"a new fact that is there":      {Kind: EdgeReversal, OldEdge: triple("Ana", "owns", "Heron"), NewEdge: triple("Ana", "trained", "Bo")},
		"an addition that is there":     {Kind: EdgeAddition, NewEdge: triple("Ana", "trained", "Bo")},
		"a kind that nobody knows":      {Kind: "edge bending"},
		"an addition of nothing at all": {Kind: EdgeAddition},
	} {
		_, err := Replay(boats(), []Step{{Kind: EdgeDeletion, OldEdge: triple("Bo", "bought", "Heron")}, s})
		var refused *StepError
		if !errors.As(err, &refused) || refused.Index != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGraphRefuses(t *testing.T) {
	for _, k := range []Kind{NodeReplacement, EdgeAntonym} {
		if _, err := Graph(t.Context(), boats(), Options{Kinds: []Kind{k}}); !errors.Is(err, ErrNeeds) {
			t.Errorf("%s: %v", k, err)
		}
	}
	if _, err := Graph(t.Context(), boats(), Options{Kinds: []Kind{"edge bending"}}); err == nil {
		t.Error("an unknown kind is no error")
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Graph(cancelled, boats(), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for name, g := range map[string]*kg.Graph{"nil": nil, "empty": kg.NewGraph()} {
		if r, err := Graph(t.Context(), g, Options{Steps: 3}); err != nil || r.Similarity != 1 || len(r.Steps) != 0 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

func ExampleGraph() {
	g := kg.NewGraph(
		kg.Triple{Head: "Ana", Relation: "founded", Tail: "Orbix"},
		kg.Triple{Head: "Orbix", Relation: "bought", Tail: "Heron Boats"})
	r, err := Graph(context.Background(), g, Options{Seed: 4, Kinds: []Kind{EdgeReversal}})
	if err != nil {
		panic(err)
	}
	for _, f := range r.Fates {
		fmt.Println(f.Outcome, f.New)
	}
	fmt.Printf("%.1f remains\n", r.Similarity)
	// Output:
	// reversed (Orbix, founded, Ana)
	// kept (Orbix, bought, Heron Boats)
	// 0.6 remains
}
