package cus

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/openie"
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

var (
	founded = triple("Ana Berg", "founded", "Orbix")
	based   = triple("Orbix", "is based in", "Graz")
	makes   = triple("Bo Lind", "painted", "Heron")
	sails   = triple("Cleo Wick", "sails", "dinghies")
)

func one(t *testing.T, it Item, o Options) Score {
	t.Helper()
	got, err := Evaluate(t.Context(), scorer(t), []Item{it}, o)
	if err != nil || len(got) != 1 || got[0].Err != nil {
		t.Fatal(got, err)
	}
	return got[0]
}

func TestScore(t *testing.T) {
	context := graph(founded, based, makes)
	for _, c := range []struct {
		name                string
		answer, gold        *kg.Graph
		goldSim, ctxSim     float64
		paperGold, paperCtx float64
	}{
		{"right, from the context", graph(founded), graph(founded), 1, 1, 1, 1},
		{"right, but not in the context", graph(sails), graph(sails), 1, 0, 1, 0},
		{"from the context, but not asked", graph(makes), graph(founded), 0, 1, 0, 1},
		// The paper asks how well gold covers the answer: what is left out is free.
		{"half of it", graph(founded), graph(founded, makes), 2.0 / 3, 1, 1, 1},
		// Half of the answer is in gold and context.
		{"more than there is", graph(founded, sails), graph(founded), 2.0 / 3, 0.5, 0.5, 0.5},
	} {
		for _, form := range []struct {
			name            string
			o               Options
			goldSim, ctxSim float64
		}{{"default", Options{}, c.goldSim, c.ctxSim}, {"paper", Paper(), c.paperGold, c.paperCtx}} {
			got := one(t, Item{ID: "x", Answer: c.answer, Gold: c.gold, Context: context}, form.o)
			want := 0.0
			if form.goldSim > 0 && form.ctxSim > 0 {
				want = 2 / (1/form.goldSim + 1/form.ctxSim)
			}
			if math.Abs(got.GoldSim-form.goldSim) > 1e-9 || math.Abs(got.CtxSim-form.ctxSim) > 1e-9 || math.Abs(got.CUS-want) > 1e-9 || !got.Counted() || got.ID != "x" {
				t.Errorf("%s, %s: got %+v, want %g", c.name, form.name, got, want)
			}
		}
	}
}

func TestDegenerate(t *testing.T) {
	full := graph(founded)
	for name, c := range map[string]struct {
		it   Item
		want Side
	}{
		"an answer that states nothing": {Item{Answer: graph(), Gold: full, Context: full}, Answer},
		"nothing at all":                {Item{}, Answer},
		"no gold answer":                {Item{Answer: full, Context: full}, Gold},
		"no context":                    {Item{Answer: full, Gold: full}, Context},
		"neither":                       {Item{Answer: full}, Gold},
	} {
		if got := one(t, c.it, Options{}); got.Degenerate != c.want || got.Counted() {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Texts without a graph are compared as sentences, and counted.
func TestOfTexts(t *testing.T) {
	x, err := openie.New(openie.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := s3kg.New(s3kg.Options{Embedder: hashed.New(), Extractor: x})
	if err != nil {
		t.Fatal(err)
	}
	score := func(answer, gold, source string) Score {
		t.Helper()
		g, err := s.CompareTexts(t.Context(), answer, gold)
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.CompareTexts(t.Context(), answer, source)
		if err != nil {
			t.Fatal(err)
		}
		return Of(g, c, Options{})
	}
	if got := score("42", "42", "42"); got.CUS != 1 || !got.Fallback || !got.Counted() {
		t.Errorf("got %+v", got)
	}
	if got := score("", "Ana founded Orbix.", "Ana founded Orbix."); got.Degenerate != Answer {
		t.Errorf("a blank answer: %+v", got)
	}
	if got := score("Ana founded Orbix.", "Ana founded Orbix.", "Ana founded Orbix. Bo painted Heron."); got.CUS != 1 || got.Fallback {
		t.Errorf("got %+v", got)
	}
}

// brokenEmbedder fails for one text.
type brokenEmbedder struct{ embed.Embedder }

func (e brokenEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	for _, t := range texts {
		if t == "poison" {
			return nil, errors.New("no vector for poison")
		}
	}
	return e.Embedder.Embed(ctx, texts)
}

// One item's failure does not take the others with it.
func TestEvaluateKeepsGoing(t *testing.T) {
	s, err := s3kg.New(s3kg.Options{Embedder: brokenEmbedder{hashed.New()}})
	if err != nil {
		t.Fatal(err)
	}
	good := Item{ID: "good", Answer: graph(founded), Gold: graph(based, founded), Context: graph(founded)}
	bad := Item{ID: "bad", Answer: graph(triple("poison", "is", "here")), Gold: graph(founded), Context: graph(founded)}
	got, err := Evaluate(t.Context(), s, []Item{good, bad, good}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var failed *s3kg.EmbedError
	if !errors.As(got[1].Err, &failed) || got[1].ID != "bad" || got[1].Counted() || got[0].Err != nil || got[2] != got[0] {
		t.Errorf("got %+v", got)
	}
	sum, err := Summarize(t.Context(), got, metrics.Resampling{})
	if err != nil || sum.Failed != 1 || sum.Counted != 2 || sum.CUS.Value != got[0].CUS {
		t.Errorf("got %+v, %v", sum, err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Evaluate(cancelled, s, []Item{good}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestSummarize(t *testing.T) {
	scores := []Score{
		{ID: "1", CUS: 0.2, GoldSim: 0.2, CtxSim: 0.2, Group: "a"},
		{ID: "2", CUS: 0.4, GoldSim: 0.4, CtxSim: 0.4, Group: "a", Fallback: true},
		{ID: "3", CUS: 0.6, GoldSim: 0.6, CtxSim: 0.6, Group: "b"},
		{ID: "4", CUS: 1, Degenerate: Answer},
		{ID: "5", CUS: 1, Degenerate: Context},
		{ID: "6", Err: errors.New("failed")},
	}
	got, err := Summarize(t.Context(), scores, metrics.Resampling{Samples: 200, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got.CUS.Value-0.4) > 1e-12 || got.Counted != 3 || got.Failed != 1 || got.Degenerate[Answer] != 1 || got.Degenerate[Context] != 1 || got.Fallback != 1 {
		t.Errorf("got %+v", got)
	}
	// Whole groups are drawn: the least sample is group a alone, the largest b alone.
	if math.Abs(got.CUS.Low-0.3) > 1e-12 || math.Abs(got.CUS.High-0.6) > 1e-12 {
		t.Errorf("interval %+v", got.CUS)
	}
	none, err := Summarize(t.Context(), scores[3:], metrics.Resampling{})
	if err != nil || none.Counted != 0 || none.CUS != (metrics.Interval{}) {
		t.Errorf("got %+v, %v", none, err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Summarize(cancelled, scores, metrics.Resampling{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A small gain on items of very different hardness: each model's own interval is wide,
// that of the difference is not.
func TestComparePairs(t *testing.T) {
	var a, b []Score
	for i := range 60 {
		hard := float64(i%6) / 10
		a = append(a, Score{ID: fmt.Sprint(i), CUS: 0.9 - hard})
		b = append(b, Score{ID: fmt.Sprint(59 - i), CUS: 0.85 - float64((59-i)%6)/10})
	}
	d, err := Compare(t.Context(), a, b, metrics.Resampling{Seed: 1})
	if err != nil || math.Abs(d.CUS.Value-0.05) > 1e-9 || d.CUS.Low <= 0 || d.Pairs != 60 || d.Better != 60 || d.Worse != 0 || d.Unpaired != 0 {
		t.Errorf("got %+v, %v", d, err)
	}
	own, err := Summarize(t.Context(), a, metrics.Resampling{Seed: 1})
	if err != nil || own.CUS.High-own.CUS.Low < 0.05 {
		t.Errorf("its own: %+v, %v", own, err)
	}
	// Another way round.
	back, err := Compare(t.Context(), b, a, metrics.Resampling{Samples: -1})
	if err != nil || math.Abs(back.CUS.Value+0.05) > 1e-9 || back.Worse != 60 {
		t.Errorf("got %+v, %v", back, err)
	}
	// What is not counted in both, or has no partner, is left out.
	a[0].Degenerate, b[0].Err = Answer, errors.New("failed")
	d, err = Compare(t.Context(), a[:59], b[:58], metrics.Resampling{Samples: -1})
	if err != nil || d.Pairs+d.Unpaired != 60 || d.Unpaired < 3 {
		t.Errorf("got %+v, %v", d, err)
	}
	var twice *IDError
	if _, err := Compare(t.Context(), append(a, a[3]), b, metrics.Resampling{}); !errors.As(err, &twice) || twice.ID != "3" {
		t.Errorf("one ID twice: %v", err)
	}
	if _, err := Compare(t.Context(), a, append(b, b[0]), metrics.Resampling{}); !errors.As(err, &twice) {
		t.Errorf("one ID twice: %v", err)
	}
	if d, err := Compare(t.Context(), nil, nil, metrics.Resampling{}); err != nil || d.Pairs != 0 {
		t.Errorf("none: %+v, %v", d, err)
	}
}

func ExampleSummarize() {
	s, err := s3kg.New(s3kg.Options{Embedder: hashed.New()})
	if err != nil {
		panic(err)
	}
	source := graph(founded, based, makes)
	scores, err := Evaluate(context.Background(), s, []Item{
		{ID: "who", Answer: graph(founded), Gold: graph(founded), Context: source},
		{ID: "where", Answer: graph(triple("Orbix", "is based in", "Linz")), Gold: graph(based), Context: source},
		{ID: "why", Answer: graph(), Gold: graph(sails), Context: source},
	}, Options{})
	if err != nil {
		panic(err)
	}
	sum, err := Summarize(context.Background(), scores, metrics.Resampling{Samples: -1})
	if err != nil {
		panic(err)
	}
	fmt.Print(sum)
	// Output:
	// CUS      0.750
	// GoldSim  0.750
	// CtxSim   0.750
	// items    3, counted 2, failed 0; with nothing to compare: answer 1, gold 0, context 0
}
