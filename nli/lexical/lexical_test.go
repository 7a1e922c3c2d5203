package lexical

import (
	"context"
	"testing"

	"github.com/kgeval/kgeval/nli"
)

func TestMeaning(t *testing.T) {
	m, err := New()
	if err != nil {
		t.Fatal(err)
	}
	b15 := "Drug K did not lower blood pressure. It may help sleep. No patient was without a fever."
	for _, c := range []struct{ premise, hypothesis, want string }{
		{b15, "Drug K lowered blood pressure.", "contradiction"},
		{b15, "Drug K did not lower blood pressure.", "entailment"},
		{b15, "Drug K helps sleep.", "not entailment"},
		{b15, "Every patient had a fever.", "entailment"},
		{"Canada was beaten by Brazil in 2014.", "Brazil beat Canada.", "entailment"},
		{"Brazil beat Canada in 2014.", "Canada beat Brazil.", "contradiction"},
		{"Brazil beat Canada in 2014.", "Brazil beat Canada in 2015.", "contradiction"},
		{"Marie Curie was born in Warsaw in 1867.", "Curie was born in Paris.", "contradiction"},
		{"Marie Curie was born in Warsaw in 1867.", "Curie was born in 1867.", "entailment"},
		{"The bridge is 3 miles long.", "The bridge is 4.8 km long.", "entailment"},
		{"The bridge is 3 miles long.", "The bridge is 9 km long.", "contradiction"},
		{"Prices rose in May.", "Prices fell in May.", "contradiction"},
	} {
		e, err := m.Explain(context.Background(), nli.Pair{Premise: c.premise, Hypothesis: c.hypothesis})
		if err != nil {
			t.Fatal(err)
		}
		p := e.Probs
		ok := false
		switch c.want {
		case "entailment":
			ok = p.Entailment > 0.5
		case "contradiction":
			ok = p.Contradiction > 0.5
		case "not entailment":
			ok = p.Entailment < 0.5
		}
		if !ok || p.Err != nil {
			t.Errorf("%q of %q: %+v, want %s (evidence %q, reasons %+v)", c.hypothesis, c.premise, p, c.want, e.Evidence.Of(c.premise), e.Reasons)
		}
	}
}
