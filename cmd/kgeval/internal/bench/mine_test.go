package bench

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/segment"
)

func TestFactCover(t *testing.T) {
	lex, err := nlp.New()
	if err != nil {
		t.Fatal(err)
	}
	units := []factUnit{
		newFactUnit(lex, "Marta", "founded", "Orbix"),
		newFactUnit(lex, "Orbix", "is based in", "Basel"),
		newFactUnit(lex, "Leo", "sells", "clocks"),
	}
	for _, c := range []struct {
		fact string
		n    int
		want float64
	}{
		{"Marta founded Orbix.", 1, 1},
		{"Orbix was founded by Marta.", 1, 1},
		{"Marta founded Orbix in Basel.", 1, 0.75},
		{"Marta founded Orbix in Basel.", 2, 1},      // two triples that share Orbix
		{"Marta founded Orbix and clocks.", 3, 0.75}, // nothing links Leo's triple
		{"The moon is round.", 3, 0},
	} {
		if got := factCover(contentWords(lex, c.fact), units, c.n); got != c.want {
			t.Errorf("%q with %d triples: %v, want %v", c.fact, c.n, got, c.want)
		}
	}
}

func TestCoveredWords(t *testing.T) {
	text := "Marta sold the old clock."
	n, k := coveredWords(text, segment.Span{Start: 0, End: len(text)}, []segment.Span{{Start: 0, End: 10}})
	if n != 4 || k != 2 {
		t.Errorf("%d content words, %d covered; want 4 and 2", n, k)
	}
}

func TestMINERuns(t *testing.T) {
	if testing.Short() {
		t.Skip("reads whole data sets; run without -short to turn it on")
	}
	dir := testData(t)
	var b strings.Builder
	if err := MINE.Run(context.Background(), &b, dir, nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "| all | 795 |") || strings.Contains(b.String(), "NaN") {
		t.Errorf("table:\n%s", b.String())
	}
	if err := MINE.Run(context.Background(), &b, t.TempDir(), nil); !errors.Is(err, ErrNoData) {
		t.Errorf("without data: %v", err)
	}
}
