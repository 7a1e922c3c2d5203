package tau

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/perturb"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/s3kg"
)

func triple(h, r, t string) kg.Triple { return kg.Triple{Head: h, Relation: r, Tail: t} }

func graph(triples ...kg.Triple) *kg.Graph { return kg.NewGraph(triples...) }

func scorer(t testing.TB) *s3kg.Scorer {
	t.Helper()
	s, err := s3kg.New(s3kg.Options{Embedder: hashed.New()})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Each class on its own, beside a fact that is aligned.
func TestClasses(t *testing.T) {
	fact := triple("Ana Berg", "founded", "Orbix")
	beside := triple("Bo Lind", "lives in", "Graz")
	for _, c := range []struct {
		name     string
		answer   []kg.Triple
		want     Class
		opposite bool
	}{
		{"as it is", []kg.Triple{fact}, Aligned, false},
		{"written otherwise", []kg.Triple{triple("ana berg", "Founded", "the Orbix")}, Aligned, false},
		{"another relation", []kg.Triple{triple("Ana Berg", "bought", "Orbix")}, RelationMismatch, false},
		{"its denial", []kg.Triple{triple("Ana Berg", "did not found", "Orbix")}, RelationMismatch, true},
		{"another head", []kg.Triple{triple("Cleo Wick", "founded", "Orbix")}, HeadMismatch, false},
		{"another tail", []kg.Triple{triple("Ana Berg", "founded", "Heron Boats")}, TailMismatch, false},
		{"turned round", []kg.Triple{triple("Orbix", "founded", "Ana Berg")}, Reversed, false},
		{"in the passive", []kg.Triple{triple("Orbix", "was founded by", "Ana Berg")}, Aligned, false},
		{"nothing like it", nil, Missing, false},
		{"only its head", []kg.Triple{triple("Ana Berg", "dislikes", "rain")}, Missing, false},
		// Not two thirds of a match where the whole fact is there the wrong way round.
		{"turned round, and another head", []kg.Triple{triple("Cleo Wick", "founded", "Orbix"), triple("Orbix", "founded", "Ana Berg")}, Reversed, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Compare(t.Context(), scorer(t), graph(fact, beside), graph(append(c.answer, beside)...))
			if err != nil {
				t.Fatal(err)
			}
			if f := r.Findings[0]; f.Class != c.want || f.Reference != fact || f.Opposite != c.opposite {
				t.Errorf("got %+v", f)
			}
			if f := r.Findings[1]; f.Class != Aligned || f.Reference != beside {
				t.Errorf("beside: %+v", f)
			}
			var extra []kg.Triple
			for _, f := range r.Findings[2:] {
				if f.Class != Extra || f.Reference != (kg.Triple{}) {
					t.Errorf("got %+v", f)
				}
				extra = append(extra, f.Answer)
			}
			if left := len(c.answer); c.want != Missing && len(extra) != left-1 || c.want == Missing && len(extra) != left {
				t.Errorf("extra: %v", extra)
			}
		})
	}
}

// Of two wrong heads the one that the reference does not know is the replacement.
func TestNewcomerIsTheReplacement(t *testing.T) {
	reference := graph(triple("Ana Berg", "founded", "Orbix"), triple("Bo Lind", "lives in", "Graz"))
	for _, order := range [][]kg.Triple{
		{triple("Bo Lind", "founded", "Orbix"), triple("Cleo Wick", "founded", "Orbix"), triple("Bo Lind", "lives in", "Graz")},
		{triple("Cleo Wick", "founded", "Orbix"), triple("Bo Lind", "founded", "Orbix"), triple("Bo Lind", "lives in", "Graz")},
	} {
		r, err := Compare(t.Context(), scorer(t), reference, graph(order...))
		if err != nil {
			t.Fatal(err)
		}
		if f := r.Findings[0]; f.Class != HeadMismatch || f.Answer.Head != "Cleo Wick" {
			t.Errorf("got %v", f)
		}
	}
}

// The facts of a symmetric relation are compared either way round, and the class names
// the end as it is written.
func TestSymmetricRelation(t *testing.T) {
	reference := graph(triple("Ana Berg", "married to", "Bo Lind"))
	for want, answer := range map[Class]kg.Triple{
		Aligned:      triple("Bo Lind", "married to", "Ana Berg"),
		TailMismatch: triple("Ana Berg", "married to", "Cleo Wick"),
		HeadMismatch: triple("Cleo Wick", "married to", "Bo Lind"),
	} {
		r, err := Compare(t.Context(), scorer(t), reference, graph(answer))
		if err != nil || r.Findings[0].Class != want {
			t.Errorf("%v: got %v, %v", answer, r.Findings, err)
		}
	}
}

func TestDegenerate(t *testing.T) {
	fact := triple("Ana", "founded", "Orbix")
	for _, c := range []struct {
		name              string
		reference, answer *kg.Graph
		want              []Class
	}{
		{"both empty", graph(), nil, nil},
		{"an empty answer", graph(fact), graph(), []Class{Missing}},
		{"an empty reference", nil, graph(fact), []Class{Extra}},
	} {
		r, err := Compare(t.Context(), scorer(t), c.reference, c.answer)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []Report{r, SetCompare(nil, c.reference, c.answer)} {
			var got []Class
			for _, f := range r.Findings {
				got = append(got, f.Class)
			}
			if !r.Degenerate || !slices.Equal(got, c.want) {
				t.Errorf("%s: %+v", c.name, r)
			}
		}
	}
}

// For random graphs: each triple of the reference has a finding, in order; each triple
// of the answer has at most one; the order of triples changes no class.
func TestFindingsPartition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	draw := func() *kg.Graph {
		g := kg.NewGraph()
		for range r.IntN(15) {
			g.Add(triple(fmt.Sprint("entity", r.IntN(6)), fmt.Sprint("rel", r.IntN(4)), fmt.Sprint("entity", r.IntN(6))))
		}
		return g
	}
	s := scorer(t)
	for range 200 {
		a, b := draw(), draw()
		got, err := Compare(t.Context(), s, a, b)
		if err != nil {
			t.Fatal(err)
		}
		var reference []kg.Triple
		answers := kg.NewGraph()
		for _, f := range got.Findings {
			if f.Class != Extra {
				reference = append(reference, f.Reference)
			}
			if f.Class != Missing && (!b.Has(f.Answer) || !answers.Add(f.Answer)) {
				t.Fatalf("%v is not of the answer, or there twice", f)
			}
			if !(f.Similarity >= 0 && f.Similarity <= 1) {
				t.Fatalf("%+v", f)
			}
		}
		if !slices.Equal(reference, a.Slice()) || !answers.Equal(b) {
			t.Fatalf("%v\nand\n%v\ngave %v", a, b, got.Findings)
		}
		shuffled := b.Slice()
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		again, err := Compare(t.Context(), s, a, graph(shuffled...))
		if err != nil {
			t.Fatal(err)
		}
		for class, n := range got.Counts() {
			if again.Counts()[class] != n {
				t.Fatalf("in another order: %v, then %v", got.Counts(), again.Counts())
			}
		}
	}
}

// What was done to a graph is what is found; kgeval bench tau measures it on real ones.
func TestFindsWhatPerturbDid(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	classes := map[perturb.Outcome]Class{
		perturb.Kept: Aligned, perturb.RelationChanged: RelationMismatch, perturb.HeadChanged: HeadMismatch,
		perturb.TailChanged: TailMismatch, perturb.Reversed: Reversed, perturb.Lost: Missing, perturb.Added: Extra,
	}
	people := strings.Fields("Ana Bo Cleo Dora Emil Finn Gerd Hana Ida Jon Kai Lena")
	relations := []string{"trained", "hired", "sued", "painted"}
	all := map[Class]metrics.Counts{}
	for i := range 100 {
		g := kg.NewGraph()
		for range 6 {
			h, k := r.IntN(len(people)), r.IntN(len(people))
			if h != k {
				g.Add(triple(people[h], relations[r.IntN(4)], people[k]))
			}
		}
		p, err := perturb.Graph(t.Context(), g, perturb.Options{Seed: uint64(i), Steps: 2, Entities: []string{"Mona", "Nils", "Olga"}})
		if err != nil {
			t.Fatal(err)
		}
		var known []Finding
		for _, f := range p.Fates {
			known = append(known, Finding{Class: classes[f.Outcome], Reference: f.Old, Answer: f.New})
		}
		got, err := Compare(t.Context(), scorer(t), g, p.Graph)
		if err != nil {
			t.Fatal(err)
		}
		for c, n := range Agreement(got.Findings, known, false) {
			all[c] = all[c].Plus(n)
		}
	}
	if f1 := metrics.MicroF1(all); f1 < 0.95 {
		t.Errorf("micro F1 %g: %+v", f1, all)
	}
}

func TestSetCompare(t *testing.T) {
	r := SetCompare(nil,
		graph(triple("Ana", "founded", "Orbix"), triple("Bo", "owns", "Heron")),
		graph(triple("ana", "founded", "the Orbix"), triple("Bo", "sold", "Heron")))
	want := []Finding{
		{Class: Aligned, Reference: triple("Ana", "founded", "Orbix"), Answer: triple("ana", "founded", "the Orbix"), Similarity: 1},
		{Class: Missing, Reference: triple("Bo", "owns", "Heron")},
		{Class: Extra, Answer: triple("Bo", "sold", "Heron")},
	}
	if !slices.Equal(r.Findings, want) {
		t.Errorf("got %v", r.Findings)
	}
}

func TestAgreement(t *testing.T) {
	a, b, c := triple("a", "r", "b"), triple("b", "r", "a"), triple("a", "r", "c")
	known := []Finding{{Class: Reversed, Reference: a, Answer: b}, {Class: Missing, Reference: c}}
	got := []Finding{{Class: TailMismatch, Reference: a, Answer: b}, {Class: Missing, Reference: c}}
	fine := Agreement(got, known, false)
	if fine[Reversed] != (metrics.Counts{FN: 1}) || fine[TailMismatch] != (metrics.Counts{FP: 1}) || fine[Missing] != (metrics.Counts{TP: 1}) {
		t.Errorf("got %+v", fine)
	}
	coarse := Agreement(got, known, true)
	if coarse[EntityMismatch] != (metrics.Counts{TP: 1}) || len(coarse) != 2 {
		t.Errorf("coarse: %+v", coarse)
	}
}

func TestCompareRefuses(t *testing.T) {
	bad := graph(triple("\xff", "r", "b"))
	var label *kg.LabelError
	if _, err := Compare(t.Context(), scorer(t), bad, graph()); !errors.As(err, &label) {
		t.Errorf("not UTF-8: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compare(cancelled, scorer(t), graph(), graph()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func ExampleCompare() {
	s, err := s3kg.New(s3kg.Options{Embedder: hashed.New()})
	if err != nil {
		panic(err)
	}
	gold := kg.NewGraph(
		kg.Triple{Head: "Ana Berg", Relation: "founded", Tail: "Orbix"},
		kg.Triple{Head: "Orbix", Relation: "is based in", Tail: "Graz"},
		kg.Triple{Head: "Orbix", Relation: "bought", Tail: "Heron Boats"})
	answer := kg.NewGraph(
		kg.Triple{Head: "Ana Berg", Relation: "founded", Tail: "Orbix"},
		kg.Triple{Head: "Heron Boats", Relation: "bought", Tail: "Orbix"},
		kg.Triple{Head: "Ana Berg", Relation: "sails", Tail: "dinghies"})
	r, err := Compare(context.Background(), s, gold, answer)
	if err != nil {
		panic(err)
	}
	fmt.Print(r)
	// Output:
	// missing: (Orbix, is based in, Graz)
	// reversed: (Heron Boats, bought, Orbix) for (Orbix, bought, Heron Boats)
	// extra: (Ana Berg, sails, dinghies)
}
