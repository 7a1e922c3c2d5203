package s3kg_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
)

func graphOf(triples ...[3]string) *kg.Graph {
	g := kg.NewGraph()
	for _, t := range triples {
		g.Add(kg.Triple{Head: t[0], Relation: t[1], Tail: t[2]})
	}
	return g
}

var (
	employs  = graphOf([3]string{"Ana", "employs", "Bo"}, [3]string{"Bo", "owns", "a boat"})
	reversed = graphOf([3]string{"Bo", "employs", "Ana"}, [3]string{"Bo", "owns", "a boat"})
	dislikes = graphOf([3]string{"Ana", "dislikes", "Bo"}, [3]string{"Bo", "owns", "a boat"})
)

// What the published methods see, and what they do not.
func TestPublished(t *testing.T) {
	make := func(o s3kg.Options) *s3kg.Scorer {
		o.Embedder = hashed.New()
		return scorer(t, o)
	}
	paper, reference, ours := make(s3kg.Paper()), make(s3kg.Reference()), make(s3kg.Options{})
	for name, s := range map[string]*s3kg.Scorer{"paper": paper, "reference": reference} {
		if r := score(t, s, employs, employs); math.Abs(r.Score-1) > 1e-6 || r.Form != s3kg.Cover {
			t.Errorf("%s: equal graphs have %v in form %s", name, r.Score, r.Form)
		}
		// What only the second graph has costs nothing.
		more := graphOf([3]string{"Ana", "employs", "Bo"})
		if r := score(t, s, more, employs); math.Abs(r.Score-1) > 1e-6 {
			t.Errorf("%s: a part of the other graph has %v", name, r.Score)
		}
		if r := score(t, s, employs, more); r.Score > 0.95 {
			t.Errorf("%s: a graph that lacks a fact has %v", name, r.Score)
		}
		if _, err := s.Prepare(t.Context(), employs); !errors.Is(err, s3kg.ErrPublished) {
			t.Errorf("%s: Prepare gives %v", name, err)
		}
	}
	// The authors' kernel sees no relations; the paper's does.
	if r := score(t, reference, employs, dislikes); r.Structure != 1 {
		t.Errorf("reference: another relation has structure %v, want 1", r.Structure)
	}
	if r := score(t, paper, employs, dislikes); r.Structure >= 0.9 {
		t.Errorf("paper: another relation has structure %v", r.Structure)
	}
	if p, o := score(t, paper, employs, reversed), score(t, ours, employs, reversed); o.Score >= p.Score {
		t.Errorf("a reversal has %v by default and %v in the paper", o.Score, p.Score)
	}
	// The weights of the authors' code are exchanged.
	zero := 0.0
	o := s3kg.Reference()
	o.Alpha = &zero
	if r := score(t, make(o), employs, dislikes); r.Score != r.Meaning {
		t.Errorf("reference: alpha 0 gives %v, want meaning, %v", r.Score, r.Meaning)
	}
	o = s3kg.Paper()
	o.Alpha = &zero
	if r := score(t, make(o), employs, dislikes); r.Score != r.Structure {
		t.Errorf("paper: alpha 0 gives %v, want structure, %v", r.Score, r.Structure)
	}
	if r := score(t, reference, kg.NewGraph(), kg.NewGraph()); r.Score != 0 || !r.Degenerate {
		t.Errorf("reference: two empty graphs have %v", r.Score)
	}
}

// What a triple does to the score is what the same scorer gives without it, by every
// method.
func TestLeaveOneOut(t *testing.T) {
	for name, o := range map[string]s3kg.Options{"default": {}, "paper": s3kg.Paper(), "reference": s3kg.Reference()} {
		t.Run(name, func(t *testing.T) {
			o.Embedder = hashed.New()
			leaveOneOut(t, scorer(t, o))
		})
	}
}

func leaveOneOut(t *testing.T, s *s3kg.Scorer) {
	a := graphOf([3]string{"Ana", "hired", "Bo"}, [3]string{"Bo", "owns", "a boat"}, [3]string{"Carl", "sold", "the mill"})
	b := graphOf([3]string{"Ana", "hired", "Bo"}, [3]string{"Bo", "owns", "a boat"}, [3]string{"the mill", "sold", "Carl"}, [3]string{"Dina", "left", "Oslo"})
	r := score(t, s, a, b)
	got, err := s.LeaveOneOut(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 {
		t.Fatalf("%d influences, want those of the three triples that are not equal: %v", len(got), got)
	}
	for _, x := range got {
		x2, y2 := kg.NewGraph(), kg.NewGraph()
		for u := range a.Triples() {
			if x.Side != s3kg.SideA || u != x.Triple {
				x2.Add(u)
			}
		}
		for u := range b.Triples() {
			if x.Side != s3kg.SideB || u != x.Triple {
				y2.Add(u)
			}
		}
		if want := score(t, s, x2, y2).Score; x.Score != want || x.Gain != want-r.Score {
			t.Errorf("without %v of %s: %v, gain %v; want %v", x.Triple, x.Side, x.Score, x.Gain, want)
		}
	}
	for i := range got[1:] {
		if got[i].Gain < got[i+1].Gain {
			t.Errorf("not in order: %v", got)
		}
	}
	if got, err := s.LeaveOneOut(t.Context(), score(t, s, a, a)); err != nil || len(got) != 0 {
		t.Errorf("equal graphs: %v, %v", got, err)
	}
}

// unmeasured hides that thresholds were measured for an embedder.
type unmeasured struct{ inner embed.Embedder }

func (u unmeasured) ID() string { return u.inner.ID() }
func (u unmeasured) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return u.inner.Embed(ctx, texts)
}

// A threshold that nobody measured or chose is named as such in the result.
func TestAssumedThresholds(t *testing.T) {
	chosen := embed.Thresholds{Entity: 0.7, Relation: 0.7}
	for _, c := range []struct {
		name string
		o    s3kg.Options
		want bool
	}{
		{"measured", s3kg.Options{Embedder: hashed.New()}, false},
		{"chosen", s3kg.Options{Embedder: unmeasured{hashed.New()}, Thresholds: chosen}, false},
		{"neither", s3kg.Options{Embedder: unmeasured{hashed.New()}}, true},
		{"one of two", s3kg.Options{Embedder: unmeasured{hashed.New()}, Thresholds: embed.Thresholds{Entity: 0.7}}, true},
	} {
		if got := score(t, scorer(t, c.o), employs, reversed).Method; strings.Contains(got, "thresholds=assumed") != c.want {
			t.Errorf("%s: method %q", c.name, got)
		}
	}
}

func TestPrepared(t *testing.T) {
	s := scorer(t, s3kg.Options{Embedder: hashed.New()})
	p, err := s.Prepare(t.Context(), employs, dislikes, nil)
	if err != nil {
		t.Fatal(err)
	}
	many, err := s.ScoreMany(t.Context(), employs, []*kg.Graph{employs, dislikes, nil})
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range []*kg.Graph{employs, dislikes, nil} {
		r, err := s.ScorePrepared(t.Context(), p[0], p[i])
		if want := score(t, s, employs, b); err != nil || r.F1 != want.F1 || many[i].F1 != want.F1 {
			t.Errorf("graph %d: %v, %v, %v; want %v", i, r.F1, many[i].F1, err, want.F1)
		}
	}
	other := scorer(t, s3kg.Options{Embedder: hashed.New()})
	if _, err := other.ScorePrepared(t.Context(), p[0], p[1]); !errors.Is(err, s3kg.ErrOtherScorer) {
		t.Errorf("another scorer gives %v", err)
	}
	if _, err := s.ScorePrepared(t.Context(), nil, p[1]); !errors.Is(err, s3kg.ErrOtherScorer) {
		t.Errorf("nil gives %v", err)
	}
}

// A relation in another form of its verb is the same relation; "has" and a bare passive
// exchange the ends.
func TestInflectedRelations(t *testing.T) {
	s := scorer(t, s3kg.Options{Embedder: hashed.New()})
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"located in", "was located in", true},
		{"wrote", "has written", true},
		{"located in", "was not located in", false},
		{"has parent", "is parent", false},
		{"hired", "was hired", false},
	} {
		r := score(t, s, graphOf([3]string{"Ana", c.a, "Bo"}), graphOf([3]string{"Ana", c.b, "Bo"}))
		if same := r.Score == 1; same != c.same {
			t.Errorf("%q, %q: %v", c.a, c.b, r.Score)
		}
	}
}

func TestWhole(t *testing.T) {
	for _, weight := range []float64{-1, 1.5, math.NaN()} {
		var wrong *s3kg.OptionError
		if _, err := s3kg.New(s3kg.Options{Embedder: hashed.New(), Whole: weight}); !errors.As(err, &wrong) {
			t.Errorf("Whole %v: %v", weight, err)
		}
	}
}
