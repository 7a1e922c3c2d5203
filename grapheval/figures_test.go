package grapheval

import (
	"context"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/numeric"
	"github.com/kgeval/kgeval/segment"
)

func TestNumbersAreVerifiedBesideTheClaims(t *testing.T) {
	source := "The mill sold 100 looms in May and 120 looms in June. It opened in 1998."
	output := "The mill sold 20 more looms in June than in May. The mill opened in 1989."
	c, err := New(Options{
		Extractor: fakeFigures{
			{Triple: kg.Triple{Head: "The mill", Relation: "sold", Tail: "20 more looms"}, Spans: []segment.Span{{Start: 0, End: 27}}},
			{Triple: kg.Triple{Head: "The mill", Relation: "opened in", Tail: "1989"}, Spans: []segment.Span{{Start: 49, End: 73}}},
		},
		Model: fakeProbs{Entailment: 0.1, Neutral: 0.8, Contradiction: 0.1},
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Check(context.Background(), claim.Sample{Sources: []claim.Source{{ID: "a", Text: source}}, Output: output})
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		text    string
		verdict claim.Verdict
		tail    string // of the claim that states it
	}{
		{"20", claim.Supported, "20 more looms"},
		{"June", claim.Supported, ""},
		{"1989", claim.Contradicted, "1989"},
	}
	if len(r.Figures) < len(want) {
		t.Fatalf("%d figures: %+v", len(r.Figures), r.Figures)
	}
	found := map[string]claim.Figure{}
	for _, f := range r.Figures {
		found[f.Text] = f
		if got := f.Span.Of(output); got != f.Text {
			t.Errorf("figure %q stands at %q", f.Text, got)
		}
		for _, e := range f.Evidence {
			if e.Source != "a" || e.Span.Of(source) != e.Text {
				t.Errorf("figure %q: evidence %+v", f.Text, e)
			}
		}
	}
	for _, w := range want {
		f, ok := found[w.text]
		if !ok || f.Verdict != w.verdict {
			t.Errorf("figure %q: %+v, want %s", w.text, f, w.verdict)
		}
		if w.tail != "" && (len(f.Claims) != 1 || r.Claims[f.Claims[0]].Triple.Tail != w.tail) {
			t.Errorf("figure %q belongs to claims %v of %+v", w.text, f.Claims, r.Claims)
		}
	}
	if r.Fidelity.Entities != 3 || r.Fidelity.Relations != 2 || r.Fidelity.Preserved != 0 {
		t.Errorf("fidelity %+v", r.Fidelity)
	}
}

func TestFidelityCountsDistinctEntitiesAndTriples(t *testing.T) {
	source := "Ann Lee leads the mill. Bob runs the shop with 21 clerks."
	output := "Ann Lee leads the mill. Ann Lee leads the mill. Bob owns a yacht. Bob has twenty-one clerks."
	say := func(h, r, o string, b, e int) kg.Statement {
		return kg.Statement{Triple: kg.Triple{Head: h, Relation: r, Tail: o}, Spans: []segment.Span{{Start: b, End: e}}}
	}
	c, err := New(Options{
		Extractor: fakeFigures{
			say("Ann Lee", "leads", "the mill", 0, 23), say("ann lee", "leads", "the mill", 24, 47),
			say("Bob", "owns", "a yacht", 48, 65), say("Bob", "has", "twenty-one clerks", 66, 91),
		},
		Model: fakeProbs{Entailment: 0.9, Neutral: 0.1},
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Check(context.Background(), claim.Sample{Sources: []claim.Source{{Text: source}}, Output: output})
	if err != nil {
		t.Fatal(err)
	}
	// Ann Lee, the mill, Bob and the clerks, in whatever form their number is; no
	// yacht.
	want := claim.Fidelity{Entities: 5, Grounded: 4, Relations: 3, Preserved: 3}
	if r.Fidelity != want {
		t.Errorf("fidelity %+v, want %+v", r.Fidelity, want)
	}
	if x, ok := r.Fidelity.EntityGrounding(); !ok || x != 0.8 {
		t.Errorf("entity grounding %v, %v", x, ok)
	}
}

func TestNumbersInTheFormOfTheOptions(t *testing.T) {
	c, err := New(Options{Unit: Sentences, Model: fakeProbs{Neutral: 1}, Numbers: numeric.Options{Style: numeric.CommaDecimal}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Check(context.Background(), claim.Sample{
		Sources: []claim.Source{{Text: "The path is 1.234,5 m long."}}, Output: "The path is 1,2345 km long.",
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Figures) != 1 || r.Figures[0].Verdict != claim.Supported || !r.Figures[0].Computed {
		t.Errorf("figures %+v", r.Figures)
	}
}

func TestMissingIsNotSaidOfVerifiedNumbers(t *testing.T) {
	claims := []claim.Claim{{Reasons: []claim.Reason{
		{Kind: string(nli.ReasonMissing), OutputSpan: segment.Span{Start: 10, End: 13}},
		{Kind: string(nli.ReasonMissing), OutputSpan: segment.Span{Start: 20, End: 25}},
		{Kind: string(nli.ReasonNumber), OutputSpan: segment.Span{Start: 10, End: 13}},
	}}}
	figures := []claim.Figure{{Span: segment.Span{Start: 10, End: 16}, Verdict: claim.Supported, Claims: []int{0}}}
	withoutVerified(claims, figures)
	if n := len(claims[0].Reasons); n != 2 {
		t.Errorf("%d reasons are left: %+v", n, claims[0].Reasons)
	}
}

// fakeFigures is an extractor that says what it is given.
type fakeFigures []kg.Statement

func (f fakeFigures) ID() string { return "fake" }

func (f fakeFigures) Extract(_ context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	out := make([]kg.Extraction, len(texts))
	for i := range out {
		out[i] = kg.Extraction{Statements: f}
	}
	return out, nil
}

// fakeProbs is a model that says the same of every pair.
type fakeProbs nli.Probs

func (f fakeProbs) ID() string { return "fake" }

func (f fakeProbs) Classify(_ context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	out := make([]nli.Probs, len(pairs))
	for i := range out {
		out[i] = nli.Probs(f)
	}
	return out, nil
}
