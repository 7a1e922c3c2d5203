package s3kg_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
	"github.com/kgeval/kgeval/segment"
)

// mixed returns random facts of a small vocabulary with both voices, negations,
// times and places.
func mixed(r *rand.Rand, facts int) []kg.Triple {
	entities := []string{"Sue", "Acme", "Bo Lee", "Bo", "Tom", "Paris", "in Paris", "Acme in Paris", "Bo in 1990", "1990", "in 1990", "Acme since May 1990",
		"the capital of France", "no history", "a history", "former judge", "judge", "5", "five", "5%"}
	relations := []string{"works for", "worked for", "is employed by", "employed", "employs", "did not employ", "sued", "was sued by", "was not sued by",
		"opened", "opened in", "is", "is older than", "is younger than", "is married to", "wrote", "was written by", "was written in"}
	var out []kg.Triple
	for range facts {
		out = append(out, kg.Triple{Head: entities[r.IntN(len(entities))], Relation: relations[r.IntN(len(relations))], Tail: entities[r.IntN(len(entities))]})
	}
	return out
}

// A graph covers its parts whole, and what it says besides never lowers how well
// it covers another.
func TestCoverNeverFallsByAddition(t *testing.T) {
	trained := &concepts{same: map[string]string{"works for": "employ", "worked for": "employ", "is employed by": "employ"}}
	for name, e := range map[string]embed.Embedder{"hashed": nil, "trained": trained} {
		r := rand.New(rand.NewPCG(11, 12))
		for n := range 1500 {
			s := scorer(t, s3kg.Options{Embedder: e, Iterations: new(n % 3)})
			all := mixed(r, 2+r.IntN(9))
			super := kg.NewGraph(all...)
			sub := kg.NewGraph(all[:1+r.IntN(len(all))]...)
			if c := score(t, s, sub, super).AB; c != (s3kg.Parts{Score: 1, Structure: 1, Meaning: 1}) {
				t.Fatalf("%s, case %d: %+v of %v in %v", name, n, c, sub.Slice(), all)
			}
			a, b := kg.NewGraph(mixed(r, 1+r.IntN(4))...), kg.NewGraph(mixed(r, 1+r.IntN(4))...)
			before := score(t, s, a, b).AB
			x := mixed(r, 1+r.IntN(3))
			more := kg.NewGraph(b.Slice()...)
			for _, f := range x {
				more.Add(f)
			}
			after := score(t, s, a, more).AB
			if after.Structure < before.Structure || after.Meaning < before.Meaning {
				t.Fatalf("%s, case %d: %v in %v has %+v; with %v added %+v", name, n, a.Slice(), b.Slice(), before, x, after)
			}
		}
	}
}

// The passive of any verb says what its active says.
func TestPassives(t *testing.T) {
	s := scorer(t, s3kg.Options{})
	for _, c := range [][2]string{
		{"sued", "was sued by"}, {"used", "is used by"}, {"tied", "were tied by"}, {"freed", "was freed by"}, {"hurt", "was hurt by"},
		{"kept", "is kept by"}, {"swept", "was swept by"}, {"bred", "was bred by"}, {"hid", "was hidden by"}, {"forgot", "was forgotten by"},
		{"rode", "was ridden by"}, {"bit", "got bitten by"}, {"shook", "was shaken by"}, {"did", "was done by"}, {"hired", "got hired by"},
		{"writes", "is written by"}, {"employs", "is being employed by"}, {"agreed", "was agreed by"}, {"wove", "had been woven by"},
		{"led", "was led by"}, {"dyed", "was dyed by"}, {"is older than", "is younger than"}, {"is taller than", "was shorter than"},
		{"is north of", "is south of"}, {"is above", "is below"}, {"is the employee of", "is the employer of"},
	} {
		r := score(t, s, graph("Mina, "+c[0]+", Olaf"), graph("Olaf, "+c[1]+", Mina"))
		if r.Score < 0.99 {
			t.Errorf("%q and %q of exchanged ends: %v, %+v", c[0], c[1], r.Score, r.Matches)
		}
		r = score(t, s, graph("Mina, "+c[0]+", Olaf"), graph("Mina, "+c[1]+", Olaf"))
		if r.Score > 0.3 || r.Matches[0].Class != s3kg.Reversed {
			t.Errorf("%q and %q of the same ends: %v, %+v", c[0], c[1], r.Score, r.Matches)
		}
	}
	for _, notPassive := range []string{"needed a bed by", "indeed by", "is hundred by"} {
		if _, ok := s3kg.Active(notPassive); ok {
			t.Errorf("%q is taken for a passive", notPassive)
		}
	}
}

// What denies a fact weighs as its opposite, wherever the denial stands.
func TestDenials(t *testing.T) {
	s := scorer(t, s3kg.Options{})
	for _, c := range [][2]string{
		{"Mina, has, a debt", "Mina, has, no debt"}, {"All cats, like, fish", "No cats, like, fish"}, {"Mina, is, a former mayor", "Mina, is, a mayor"},
		{"Mina, always pays, taxes", "Mina, never pays, taxes"}, {"The alleged thief, left, town", "The thief, left, town"},
		{"Mina, entered, the hall", "Mina, left, the hall"}, {"The price, rose in, Oslo", "The price, fell in, Oslo"}, {"Oslo, allowed, cars", "Oslo, banned, cars"},
		{"The mass, is greater than, 5 kg", "The mass, is less than, 5 kg"},
		{"The mass, is, greater than 5 kg", "The mass, is, less than 5 kg"}, {"Mina, owns, a car", "Mina, does not own, a car"},
	} {
		r := score(t, s, graph(c[0]), graph(c[1]))
		if r.Score > 0.25 || r.Matches[0].Class != s3kg.Opposite {
			t.Errorf("%q, %q: %v, %+v", c[0], c[1], r.Score, r.Matches)
		}
	}
	for _, c := range [][2]string{
		{"Mina, didn't sell, the car", "Mina, did not sell, the car"}, {"Mina, can't see, Olaf", "Mina, cannot see, Olaf"}, {"two cats, ate, 3 mice", "2 cats, ate, three mice"},
		{"Bern, is, the capital of Peru", "The capital of Peru, is, Bern"},
		{"Mina, is, older than Olaf", "Olaf, is, younger than Mina"}, {"Mina, is, the parent of Olaf", "Olaf, is, the child of Mina"}, {"Mina, won't sell, it", "Mina, will not sell, it"},
	} {
		if r := score(t, s, graph(c[0]), graph(c[1])); r.Score != 1 {
			t.Errorf("%q, %q: %v, %+v", c[0], c[1], r.Score, r.Matches)
		}
	}
}

func TestInvalidUTF8(t *testing.T) {
	s := scorer(t, s3kg.Options{Extractor: threeWords{}})
	for _, c := range []struct {
		a, b, text string
		offset     int
	}{{"42\xff", "42\xfe", "a", 2}, {"42", "é\xfe", "b", 2}, {"\xff", "\xff", "a", 0}, {"Lena leads Orbix\xc3", "x", "a", 16}} {
		_, err := s.CompareTexts(t.Context(), c.a, c.b)
		var e *s3kg.TextError
		var at *segment.InvalidUTF8Error
		if !errors.As(err, &e) || e.Text != c.text || !errors.As(err, &at) || at.Offset != c.offset {
			t.Errorf("%q, %q: %v", c.a, c.b, err)
		}
	}
	good := graph("a, r, b")
	for _, bad := range []kg.Triple{{Head: "\xff", Relation: "r", Tail: "b"}, {Head: "a", Relation: "r\xfe", Tail: "b"}, {Head: "a", Relation: "r", Tail: "xy\xc3"}} {
		g := kg.NewGraph(bad)
		for _, p := range [][2]*kg.Graph{{g, good}, {good, g}, {g, g}, {g, nil}} {
			var e *kg.LabelError
			if _, err := s.Score(t.Context(), p[0], p[1]); !errors.As(err, &e) || e.Triple != bad {
				t.Errorf("%q: %v", bad, err)
			}
		}
	}
}
