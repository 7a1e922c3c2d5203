package bench

import (
	"errors"
	"testing"

	"github.com/kgeval/kgeval/internal/antonym"
	"github.com/kgeval/kgeval/nlp"
)

// The words of the test set are none that the product was given.
func TestRelationVerbsAreNotKnown(t *testing.T) {
	v, err := readRelationVerbs(testData(t))
	if errors.Is(err, ErrNoData) {
		t.Skip("no lexicon: set KGEVAL_DATA to the folder of the data sets to turn this test on")
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(v.list) < 100 {
		t.Errorf("%d verbs, want at least 100", len(v.list))
	}
	for _, verb := range v.list {
		for _, words := range [][]string{{verb}, v.antonyms[verb], v.synonyms[verb]} {
			for _, w := range words {
				if antonym.Known(w) {
					t.Errorf("%s is in the product", w)
				}
			}
		}
	}
}

// Every variant differs from its graph, and by as much as it says.
func TestRelationCases(t *testing.T) {
	a, err := nlp.New()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := relationCases(testData(t), "fit", 3, 1, a)
	if errors.Is(err, ErrNoData) {
		t.Skip("no semantic_kg, edc or lexicon: set KGEVAL_DATA to the folder of the data sets to turn this test on")
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range cases {
		n := c.graph.Len()
		for k, want := range []int{n, n, n, n, n - 1, n + 1} {
			v := c.variants[k]
			same := 0
			for x := range v.Triples() {
				if c.graph.Has(x) {
					same++
				}
			}
			if v.Len() > want || same == n && v.Len() == n {
				t.Errorf("%s: variant %d of %d triples has %d, %d of them equal", c.set, k, n, v.Len(), same)
			}
		}
	}
}
