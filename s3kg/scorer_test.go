package s3kg_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
)

// concepts stands for a trained embedder: texts that it knows to mean the same
// have the same vector, all others are about at right angles.
type concepts struct {
	same  map[string]string
	calls atomic.Int64
	texts atomic.Int64
}

func (c *concepts) ID() string { return "concepts" }

func (c *concepts) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	c.calls.Add(1)
	c.texts.Add(int64(len(texts)))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		if s := c.same[t]; s != "" {
			t = s
		}
		h := fnv.New64a()
		h.Write([]byte(t))
		r := rand.New(rand.NewPCG(h.Sum64(), 0))
		v := make([]float32, 256)
		for d := range v {
			v[d] = float32(r.NormFloat64())
		}
		embed.Normalize(v)
		out[i] = v
	}
	return out, nil
}

func scorer(t testing.TB, o s3kg.Options) *s3kg.Scorer {
	t.Helper()
	if o.Embedder == nil {
		o.Embedder = hashed.New()
	}
	s, err := s3kg.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func score(t testing.TB, s *s3kg.Scorer, a, b *kg.Graph) s3kg.Result {
	t.Helper()
	r, err := s.Score(t.Context(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// graph reads "head, relation, tail; head, relation, tail".
func graph(facts string) *kg.Graph {
	g := kg.NewGraph()
	for f := range strings.SplitSeq(facts, ";") {
		if p := strings.Split(f, ","); len(p) == 3 {
			g.Add(kg.Triple{Head: strings.TrimSpace(p[0]), Relation: strings.TrimSpace(p[1]), Tail: strings.TrimSpace(p[2])})
		}
	}
	return g
}

// What becomes of one fact, and how much it costs: the paper's worked example and
// its kind.
func TestOneFact(t *testing.T) {
	trained := &concepts{same: map[string]string{"works for": "employ", "is employed by": "employ", "employs": "has staff"}}
	for _, c := range []struct {
		a, b   string
		e      embed.Embedder
		class  s3kg.Class
		lo, hi float64
	}{
		{"Lena, works for, Orbix", "Lena, works for, Orbix", nil, s3kg.Same, 1, 1},
		{"Lena, works for, Orbix", "LENA, works  for, orbix", nil, s3kg.Same, 1, 1},
		{"Lena, works for, Orbix", "Lena, worked for, Orbix", nil, s3kg.Aligned, 1, 1},
		{"Lena, works for, Orbix", "Lena, is employed by, Orbix", trained, s3kg.Aligned, 1, 1},
		{"Lena, works for, Orbix", "Lena, is employed by, Orbix", nil, s3kg.RelationDiffers, 0.5, 0.7},
		{"Orbix, employs, Lena", "Lena, is employed by, Orbix", nil, s3kg.Aligned, 1, 1},
		{"Orbix, employs, Lena", "Orbix, is employed by, Lena", nil, s3kg.Reversed, 0, 0.3},
		{"Hamlet, was written by, Shakespeare", "Shakespeare, wrote, Hamlet", nil, s3kg.Same, 1, 1},
		{"Hamlet, was written by, Shakespeare", "Hamlet, was written by, Shakespeare", nil, s3kg.Same, 1, 1},
		{"Lena, works for, Orbix", "Orbix, works for, Lena", nil, s3kg.Reversed, 0, 0.3},
		{"Lena, works for, Orbix", "Orbix, works for, Lena", trained, s3kg.Reversed, 0, 0.3},
		{"Ana, is married to, Bo", "Bo, is married to, Ana", nil, s3kg.Same, 1, 1},
		{"Ana, is married to, Bo", "Bo, was married to, Ana", nil, s3kg.Aligned, 0.95, 1},
		{"Ana, is married to, Bo", "Bo, is not married to, Ana", nil, s3kg.Opposite, 0, 0.2},
		{"Ana Ruiz, is married to, Bo", "Dr. Bo, is married to, Dr. Ana Ruiz", nil, s3kg.TailDiffers, 0.4, 0.6},
		{"Zoe Ruiz, is married to, Bo Lindqvist", "Bo Lindqvist, is married to, Dr. Zoe Ruiz", nil, s3kg.Aligned, 0.9, 1},
		{"Drug K, lowered, blood pressure", "Drug K, did not lower, blood pressure", nil, s3kg.Opposite, 0, 0.2},
		{"Drug K, increased, blood pressure", "Drug K, decreased, blood pressure", nil, s3kg.Opposite, 0, 0.2},
		{"Ana, likes, Bo", "Ana, sued, Bo", nil, s3kg.RelationDiffers, 0.5, 0.7},
		{"trial, lasts, 14 days", "trial, lasts, 30 days", nil, s3kg.TailDiffers, 0.4, 0.6},
		{"Kim, leads, Orbix", "Noor, leads, Orbix", nil, s3kg.HeadDiffers, 0.4, 0.6},
		{"Kim, leads, Orbix", "Kim, founded, Acme", nil, s3kg.Missing, 0, 0.2},
		{"Rome, lies on, Tiber", "Bach, composed, fugues", nil, s3kg.Missing, 0, 0},
		{"price, is, 1.0", "price, is, 1", nil, s3kg.Same, 1, 1},
		{"price, is, -0.0", "price, is, 0", nil, s3kg.Same, 1, 1},
	} {
		t.Run(c.a+" / "+c.b, func(t *testing.T) {
			r := score(t, scorer(t, s3kg.Options{Embedder: c.e}), graph(c.a), graph(c.b))
			if r.Score < c.lo || r.Score > c.hi {
				t.Errorf("score %v (structure %v, meaning %v), want %v to %v", r.Score, r.Structure, r.Meaning, c.lo, c.hi)
			}
			if len(r.Matches) != 1 || r.Matches[0].Class != c.class {
				t.Errorf("matches %+v, want one of class %q", r.Matches, c.class)
			}
		})
	}
}

// Reversal must cost clearly more than rewording, also inside a larger graph.
func TestReversalCostsMoreThanRewording(t *testing.T) {
	s := scorer(t, s3kg.Options{})
	gold := graph("Lena, works for, Orbix; Orbix, acquired, Acme; Acme, is based in, Porto; Lena, lives in, Porto; Kai, reports to, Lena")
	reworded := graph("Lena, worked for, Orbix; Acme, was acquired by, Orbix; Acme, based in, Porto; Lena, has lived in, Porto; Kai, reported to, Lena")
	reversed := graph("Lena, works for, Orbix; Acme, acquired, Orbix; Acme, is based in, Porto; Lena, lives in, Porto; Kai, reports to, Lena")
	up, down := score(t, s, gold, reworded), score(t, s, gold, reversed)
	if up.Score < 0.95 || down.Score > 0.85 {
		t.Errorf("reworded %v, reversed %v", up.Score, down.Score)
	}
	for _, part := range [][2]float64{{up.Structure, down.Structure}, {up.Meaning, down.Meaning}} {
		if part[0] < part[1]+0.1 {
			t.Errorf("reworded %v, reversed %v in one part", part[0], part[1])
		}
	}
	for i, m := range down.Matches {
		if (m.Class == s3kg.Reversed) != (i == 1) {
			t.Errorf("match %d: %+v", i, m)
		}
	}
}

func TestDegenerate(t *testing.T) {
	s := scorer(t, s3kg.Options{})
	one := graph("Lena, works for, Orbix")
	for _, c := range []struct {
		a, b *kg.Graph
		want float64
	}{{nil, nil, 1}, {kg.NewGraph(), nil, 1}, {one, kg.NewGraph(), 0}, {nil, one, 0}} {
		r := score(t, s, c.a, c.b)
		if r.Score != c.want || r.Structure != c.want || r.Meaning != c.want || !r.Degenerate {
			t.Errorf("%d and %d facts: %+v", c.a.Len(), c.b.Len(), r)
		}
		if len(r.Matches) != c.a.Len() || len(r.Extra) != c.b.Len() {
			t.Errorf("%d and %d facts: matches %v, extra %v", c.a.Len(), c.b.Len(), r.Matches, r.Extra)
		}
	}
	loop := graph("Lena, knows, Lena")
	if r := score(t, s, loop, loop); r.Score != 1 || r.Degenerate {
		t.Errorf("a loop with itself: %+v", r)
	}
	blank := kg.NewGraph(kg.Triple{})
	if r := score(t, s, blank, one); r.Score != 0 {
		t.Errorf("a triple of empty labels: %+v", r)
	}
	if r := score(t, s, blank, blank); r.Score != 1 {
		t.Errorf("a triple of empty labels with itself: %+v", r)
	}
}

func TestParallelFactsCount(t *testing.T) {
	s := scorer(t, s3kg.Options{})
	two := graph("Ana, married, Bo; Ana, sued, Bo")
	if r := score(t, s, two, graph("Ana, sued, Bo")); r.AB.Score >= 1 || r.BA.Score != 1 {
		t.Errorf("one of two parallel facts lost: AB %v, BA %v", r.AB, r.BA)
	}
	if r := score(t, s, two, two); r.Score != 1 {
		t.Errorf("score %v", r.Score)
	}
}

// The alignment is one to one, although one label of a is near two of b.
func TestAlignmentIsOneToOne(t *testing.T) {
	a := graph("Marie Curie, won, Nobel Prize; Pierre, won, Nobel Prize")
	b := graph("Dr. Marie Curie, won, Nobel Prize; Mme. Marie Curie, won, Nobel Prize")
	r := score(t, scorer(t, s3kg.Options{}), a, b)
	used := map[string]bool{}
	for _, p := range r.Entities {
		if used[p.B] {
			t.Errorf("%q is aligned twice: %+v", p.B, r.Entities)
		}
		used[p.B] = true
	}
	if len(r.Entities) != 2 {
		t.Errorf("alignment %+v, want Marie Curie and Nobel Prize", r.Entities)
	}
}

func TestConflictOption(t *testing.T) {
	a, b := graph("it, costs, 14 days"), graph("it, costs, 30 days")
	never := func(string, string) bool { return false }
	e := embed.WithThresholds(hashed.New(), embed.Thresholds{Entity: 0.4, Relation: 0.4})
	if r := score(t, scorer(t, s3kg.Options{Embedder: e}), a, b); r.Matches[0].Class != s3kg.TailDiffers {
		t.Errorf("by default: %+v", r.Matches)
	}
	if r := score(t, scorer(t, s3kg.Options{Embedder: e, Conflict: never}), a, b); r.Matches[0].Class != s3kg.Aligned {
		t.Errorf("without conflicts: %+v", r.Matches)
	}
	always := func(string, string) bool { return true }
	if r := score(t, scorer(t, s3kg.Options{Embedder: e, Conflict: always}), a, a); r.Score != 1 {
		t.Errorf("equal labels conflict: %+v", r)
	}
}

// random returns a graph whose labels are of a small vocabulary, so that graphs
// share labels, parallel facts and loops.
func random(r *rand.Rand, facts int) *kg.Graph {
	entities := []string{"Marie Curie", "marie curie", "M. Curie", "Pierre Curie", "Paris", "Warsaw", "Nobel Prize", "Nobel Prizes",
		"14 days", "30 days", "radium", "", "東京", "東京大学"}
	relations := []string{"won", "wins", "did not win", "was won by", "discovered", "was discovered by", "lives in", "living at", "r1", "is married to", "was married to"}
	g := kg.NewGraph()
	for range facts {
		g.Add(kg.Triple{Head: entities[r.IntN(len(entities))], Relation: relations[r.IntN(len(relations))], Tail: entities[r.IntN(len(entities))]})
	}
	return g
}

func shuffled(r *rand.Rand, g *kg.Graph) *kg.Graph {
	s := g.Slice()
	r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
	return kg.NewGraph(s...)
}

func numbers(r s3kg.Result) []float64 {
	var out []float64
	for _, p := range []s3kg.Parts{r.AB, r.BA, r.F1} {
		out = append(out, p.Score, p.Structure, p.Meaning)
	}
	return out
}

func TestProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 400 {
		s := scorer(t, s3kg.Options{Iterations: new(n % 4), Alpha: new(float64(n%5) / 4)})
		a, b := random(r, r.IntN(9)), random(r, r.IntN(9))
		x := score(t, s, a, b)
		for _, v := range numbers(x) {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("case %d: %v is not in [0,1]", n, v)
			}
		}
		y := score(t, s, b, a)
		if x.F1 != y.F1 || x.AB != y.BA || x.BA != y.AB {
			t.Fatalf("case %d: not symmetric: %+v and %+v", n, x, y)
		}
		z := score(t, s, shuffled(r, a), shuffled(r, b))
		if !slices.Equal(numbers(x), numbers(z)) {
			t.Fatalf("case %d: the order of triples matters: %v, %v", n, numbers(x), numbers(z))
		}
		if again := score(t, s, a, b); !reflect.DeepEqual(x, again) {
			t.Fatalf("case %d: two results for one call", n)
		}
		if self := score(t, s, a, shuffled(r, a)); self.Score != 1 || self.AB != (s3kg.Parts{Score: 1, Structure: 1, Meaning: 1}) {
			t.Fatalf("case %d: a graph with itself: %+v", n, self)
		}
		checkMatches(t, a, b, x)
	}
}

// checkMatches checks that matches and extra triples account for both graphs, and
// that the parts follow from them.
func checkMatches(t *testing.T, a, b *kg.Graph, r s3kg.Result) {
	t.Helper()
	for i, tr := range a.Slice() {
		if m := r.Matches[i]; m.A != tr {
			t.Fatalf("match %d is of %v, not of %v", i, m.A, tr)
		} else if (m.Class == s3kg.Missing) != (m.B == kg.Triple{}) && m.B != (kg.Triple{}) {
			t.Fatalf("match %+v", m)
		} else if m.B != (kg.Triple{}) && !b.Has(m.B) {
			t.Fatalf("%v is not in b", m.B)
		}
	}
	if len(r.Matches) != a.Len() {
		t.Fatalf("%d matches for %d triples", len(r.Matches), a.Len())
	}
	for _, tr := range r.Extra {
		if !b.Has(tr) {
			t.Fatalf("%v is not in b", tr)
		}
		for _, m := range r.Matches {
			if m.B == tr && m.Class != s3kg.Missing {
				t.Fatalf("%v is a partner and extra", tr)
			}
		}
	}
}

// With labels that match only if they are equal: a fact that b loses, reverses or
// replaces lowers the cover of a; one that b adds does not, and lowers that of b.
func TestCoverFollowsLossAndAddition(t *testing.T) {
	s := scorer(t, s3kg.Options{Embedder: new(concepts)})
	deep := scorer(t, s3kg.Options{Embedder: new(concepts), Iterations: new(3)})
	r := rand.New(rand.NewPCG(5, 6))
	name := func(n int) string { return fmt.Sprint("thing ", string(rune('a'+r.IntN(n)))) }
	for n := range 200 {
		a := kg.NewGraph()
		for range 2 + r.IntN(8) {
			a.Add(kg.Triple{Head: name(9), Relation: "rel " + string(rune('p'+r.IntN(4))), Tail: name(9)})
		}
		facts := a.Slice()
		for _, s := range []*s3kg.Scorer{s, deep} {
			b := kg.NewGraph(facts[1:]...)
			lost := score(t, s, a, b)
			if lost.AB.Structure >= 1 || lost.AB.Meaning >= 1 || lost.F1.Score >= 1 || lost.BA.Score != 1 {
				t.Fatalf("case %d: lost %v of %v: %+v", n, facts[0], facts, lost)
			}
			last := lost
			for _, f := range facts[2:] { // lose more and more
				b.Remove(f)
				now := score(t, s, a, b)
				if now.AB.Structure > last.AB.Structure || now.AB.Meaning > last.AB.Meaning {
					t.Fatalf("case %d: losing %v raised the cover: %v, then %v", n, f, last.AB, now.AB)
				}
				last = now
			}
			if f := facts[0]; f.Head != f.Tail && !a.Has(kg.Triple{Head: f.Tail, Relation: f.Relation, Tail: f.Head}) {
				turned := kg.NewGraph(facts[1:]...)
				turned.Add(kg.Triple{Head: f.Tail, Relation: f.Relation, Tail: f.Head})
				x := score(t, s, a, turned)
				if x.AB.Structure >= 1 || x.AB.Meaning >= 1 || x.BA.Score >= 1 {
					t.Fatalf("case %d: reversed %v of %v: %+v", n, f, facts, x)
				}
				if x.Matches[0].Class != s3kg.Reversed {
					t.Fatalf("case %d: reversed %v of %v: %+v", n, f, facts, x.Matches)
				}
			}
			// Whatever b is, what it adds never lowers the cover of a.
			b = kg.NewGraph(facts[len(facts)/2:]...)
			before := score(t, s, a, b)
			b.Add(kg.Triple{Head: name(12), Relation: "rel x", Tail: name(12)})
			b.Add(kg.Triple{Head: facts[0].Head, Relation: "rel y", Tail: name(12)})
			after := score(t, s, a, b)
			if after.AB.Structure < before.AB.Structure || after.AB.Meaning < before.AB.Meaning {
				t.Fatalf("case %d: additions lowered the cover: %v, then %v", n, before.AB, after.AB)
			}
			if after.BA.Score >= before.BA.Score {
				t.Fatalf("case %d: additions did not cost: %v, then %v", n, before.BA, after.BA)
			}
		}
	}
}

func TestForms(t *testing.T) {
	a, b := graph("a x, r, b x; b x, r, c x"), graph("a x, r, b x")
	s := scorer(t, s3kg.Options{Alpha: new(0.25)})
	r := score(t, s, a, b)
	for _, p := range []s3kg.Parts{r.AB, r.BA} {
		if math.Abs(p.Score-(0.75*p.Structure+0.25*p.Meaning)) > 1e-15 {
			t.Errorf("%+v is not the blend", p)
		}
	}
	if want := 2 * r.AB.Score * r.BA.Score / (r.AB.Score + r.BA.Score); math.Abs(r.F1.Score-want) > 1e-15 || r.Score != r.F1.Score {
		t.Errorf("F1 %v, want %v", r.F1.Score, want)
	}
	// By hand, with one refinement: labels 3 entities and 2 facts in a, of which
	// b has 2 and 1; at depth 1 the fact a-b and the entity a look the same, b
	// has lost an edge, and c and its fact are gone.
	if want := (3.0 + 2) / (5 + 5); r.AB.Structure != want {
		t.Errorf("structure %v, want %v", r.AB.Structure, want)
	}
	if r.AB.Meaning != 0.5 || r.BA != (s3kg.Parts{Score: 1, Structure: 1, Meaning: 1}) {
		t.Errorf("AB %+v, BA %+v", r.AB, r.BA)
	}
	cover := score(t, scorer(t, s3kg.Options{Alpha: new(0.25), Form: s3kg.Cover}), a, b)
	if cover.Score != r.AB.Score || cover.Structure != r.AB.Structure || cover.Meaning != r.AB.Meaning || cover.Form != s3kg.Cover {
		t.Errorf("cover %+v", cover)
	}
}

func TestScoreAllEqualsScore(t *testing.T) {
	e := &concepts{same: map[string]string{"wins": "won"}}
	r := rand.New(rand.NewPCG(7, 8))
	var pairs []s3kg.Pair
	for range 60 {
		pairs = append(pairs, s3kg.Pair{A: random(r, 6), B: random(r, 6)})
	}
	pairs = append(pairs, s3kg.Pair{}, s3kg.Pair{A: pairs[0].A, B: pairs[0].A})
	for _, workers := range []int{1, 3, 50} {
		e.calls.Store(0)
		s := scorer(t, s3kg.Options{Embedder: e, Concurrency: workers})
		all, err := s.ScoreAll(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		if n := e.calls.Load(); n != 1 {
			t.Errorf("%d calls of the embedder, want 1", n)
		}
		for i, p := range pairs {
			if one := score(t, s, p.A, p.B); !reflect.DeepEqual(one, all[i]) {
				t.Errorf("%d workers, pair %d: another result than alone", workers, i)
			}
		}
	}
	if all, err := scorer(t, s3kg.Options{}).ScoreAll(t.Context(), nil); err != nil || len(all) != 0 {
		t.Errorf("no pairs: %v, %v", all, err)
	}
}

func TestEqualGraphsNeedNoEmbedder(t *testing.T) {
	e := new(concepts)
	g := graph("a, r, b; b, s, c")
	if r := score(t, scorer(t, s3kg.Options{Embedder: e}), g, g); r.Score != 1 || e.calls.Load() != 0 {
		t.Errorf("score %v, %d calls", r.Score, e.calls.Load())
	}
}

type broken struct {
	vectors [][]float32
	err     error
}

func (b broken) ID() string { return "broken" }
func (b broken) Embed(context.Context, []string) ([][]float32, error) {
	return b.vectors, b.err
}

func TestErrors(t *testing.T) {
	if _, err := s3kg.New(s3kg.Options{}); !errors.Is(err, s3kg.ErrNoEmbedder) {
		t.Errorf("no embedder: %v", err)
	}
	for name, o := range map[string]s3kg.Options{
		"Alpha":               {Alpha: new(1.5)},
		"Alpha not a number":  {Alpha: new(math.NaN())},
		"Iterations":          {Iterations: new(-1)},
		"Form":                {Form: "best"},
		"Thresholds.Entity":   {Thresholds: embed.Thresholds{Entity: 1.1}},
		"Thresholds.Relation": {Thresholds: embed.Thresholds{Relation: -0.1}},
	} {
		o.Embedder = hashed.New()
		var e *s3kg.OptionError
		if _, err := s3kg.New(o); !errors.As(err, &e) || !strings.HasPrefix(name, e.Option) {
			t.Errorf("%s: %v", name, err)
		}
	}
	a, b := graph("a x, r, b x"), graph("a x, r, c x")
	cause := errors.New("model gone")
	for name, e := range map[string]broken{
		"failure": {err: cause}, "short": {vectors: [][]float32{{1}}}, "zero": {vectors: make([][]float32, 3)},
	} {
		_, err := scorer(t, s3kg.Options{Embedder: e}).Score(t.Context(), a, b)
		if x := new(s3kg.EmbedError); !errors.As(err, &x) || x.Embedder != "broken" {
			t.Errorf("%s: %v", name, err)
		}
		if e.err != nil && !errors.Is(err, cause) {
			t.Errorf("%s: the cause is lost: %v", name, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := scorer(t, s3kg.Options{})
	g := graph("a, r, b")
	for _, p := range [][2]*kg.Graph{{g, g}, {g, nil}, {g, graph("c, s, d")}} {
		if _, err := s.Score(ctx, p[0], p[1]); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// Large graphs without a label in common are the worst case for alignment.
func TestLargeGraphsStopInTime(t *testing.T) {
	big := func(seed uint64) *kg.Graph {
		r := rand.New(rand.NewPCG(seed, 0))
		word := func() string {
			b := make([]byte, 8)
			for i := range b {
				b[i] = byte('a' + r.IntN(26))
			}
			return string(b)
		}
		g := kg.NewGraph()
		for range 5_000 {
			g.Add(kg.Triple{Head: word(), Relation: word(), Tail: word()})
		}
		return g
	}
	s := scorer(t, s3kg.Options{Embedder: new(concepts)})
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := s.Score(ctx, big(1), big(2))
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	// The embedder of this test does not look at the context while it works.
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("stopped after %v", d)
	}
}

func TestSymmetricOption(t *testing.T) {
	a, b := graph("Ana, meets, Bo; Bo, leads, Orbix"), graph("Bo, meets, Ana; Bo, leads, Orbix")
	if r := score(t, scorer(t, s3kg.Options{}), a, b); r.Matches[0].Class != s3kg.Reversed || r.Score > 0.8 {
		t.Errorf("by default: %v, %+v", r.Score, r.Matches)
	}
	meets := func(relation string) bool { return relation == "meets" }
	if r := score(t, scorer(t, s3kg.Options{Symmetric: meets}), a, b); r.Score != 1 {
		t.Errorf("symmetric: %v, %+v", r.Score, r.Matches)
	}
	// Both directions of a symmetric fact are one fact.
	both := graph("Ana, meets, Bo; Bo, meets, Ana; Bo, leads, Orbix")
	if r := score(t, scorer(t, s3kg.Options{Symmetric: meets}), a, both); r.Score != 1 || len(r.Extra) != 0 {
		t.Errorf("both directions: %v, extra %v", r.Score, r.Extra)
	}
}

func TestLiteral(t *testing.T) {
	a, b := graph("Orbix, employs, Lena"), graph("Lena, employed by, Orbix")
	if r := score(t, scorer(t, s3kg.Options{Literal: true}), a, b); r.Score > 0.5 {
		t.Errorf("the triples were read: %+v", r)
	}
}

func ExampleScorer_Score() {
	s, err := s3kg.New(s3kg.Options{Embedder: hashed.New()})
	if err != nil {
		fmt.Println(err)
		return
	}
	gold := kg.NewGraph(
		kg.Triple{Head: "Ines Moreau", Relation: "founded", Tail: "Orbix"},
		kg.Triple{Head: "Orbix", Relation: "is based in", Tail: "Porto"},
	)
	answer := kg.NewGraph(
		kg.Triple{Head: "Orbix", Relation: "was founded by", Tail: "Ines Moreau"},
		kg.Triple{Head: "Porto", Relation: "is based in", Tail: "Orbix"},
	)
	r, err := s.Score(context.Background(), gold, answer)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f (structure %.2f, meaning %.2f)\n", r.Score, r.Structure, r.Meaning)
	for _, m := range r.Matches {
		fmt.Printf("%s: %s %s %s\n", m.Class, m.A.Head, m.A.Relation, m.A.Tail)
	}
	// Output:
	// 0.60 (structure 0.70, meaning 0.50)
	// same: Ines Moreau founded Orbix
	// reversed: Orbix is based in Porto
}
