package lexical

import (
	"context"
	"testing"

	"github.com/kgeval/kgeval/nli"
)

const harbour = "The harbour office opened in 1904. Marta Ruiz ran it until 1931 and kept twelve boats. Nobody lived there in winter."

func cover(t *testing.T, premise, hypothesis string) (Coverage, nli.Explanation) {
	t.Helper()
	m, err := New()
	if err != nil {
		t.Fatal(err)
	}
	c, e, err := m.Cover(context.Background(), nli.Pair{Premise: premise, Hypothesis: hypothesis})
	if err != nil {
		t.Fatal(err)
	}
	return c, e
}

func TestCoverageTellsWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		name, hypothesis string
		holds            func(Coverage) bool
	}{
		{"copied word for word", "Marta Ruiz ran it until 1931 and kept twelve boats.", func(c Coverage) bool {
			return c.Verbatim && c.Words == 1 && c.Pairs == 1 && c.Missing == 0 && c.Breaks == 0
		}},
		{"another number", "Marta Ruiz kept thirty boats.", func(c Coverage) bool { return c.Values < 1 && c.OtherValue && c.Names == 1 }},
		{"another name", "Petra Lindqvist kept twelve boats.", func(c Coverage) bool { return c.Names < 1 && c.Values == 1 }},
		{"a word that is nowhere", "Marta Ruiz kept twelve violins.", func(c Coverage) bool { return c.Missing == 1 && c.Words < 1 }},
		{"words of another sentence", "Marta Ruiz kept twelve boats in winter.", func(c Coverage) bool { return c.Elsewhere > 0 || c.Passage == 2 }},
		{"a negation of its own", "Marta Ruiz did not keep twelve boats.", func(c Coverage) bool { return c.Negation }},
		{"nothing shared", "Quartz crystals vibrate steadily.", func(c Coverage) bool {
			return c.Passage == 0 && c.Words == 0 && c.Missing == c.Content && c.Content > 0
		}},
		{"a name that nothing shares", "Petra Lindqvist vibrates.", func(c Coverage) bool { return c.Names == 0 }},
	} {
		if got, _ := cover(t, harbour, c.hypothesis); !c.holds(got) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestCoverExplainsAsExplainDoes(t *testing.T) {
	m, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range []string{"Marta Ruiz kept twelve boats.", "Nobody kept boats.", "", "\x00", "Nur Wasser."} {
		p := nli.Pair{Premise: harbour, Hypothesis: h}
		want, err := m.Explain(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		c, got, err := m.Cover(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		if got.Evidence != want.Evidence || len(got.Reasons) != len(want.Reasons) || got.Probs.Entailment != want.Probs.Entailment {
			t.Errorf("%q: %+v, Explain says %+v", h, got, want)
		}
		if want.Probs.Err != nil && c != (Coverage{}) {
			t.Errorf("%q: coverage %+v beside the error %v", h, c, want.Probs.Err)
		}
	}
}

// Coverage stays in its ranges for anything.
func FuzzCover(f *testing.F) {
	f.Add(harbour, "Marta Ruiz kept 12 boats.")
	f.Add("a", "b c d. 12,5 % 1.1.1999")
	f.Add("", "\xff\x00")
	m, err := New()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, premise, hypothesis string) {
		c, _, err := m.Cover(context.Background(), nli.Pair{Premise: premise, Hypothesis: hypothesis})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []float64{c.Words, c.Elsewhere, c.Values, c.Names, c.Order, c.Pairs} {
			if !(x >= 0 && x <= 1+1e-9) {
				t.Errorf("%+v", c)
			}
		}
		if c.Missing > c.Content || c.Breaks < 0 || c.Passage > 2 {
			t.Errorf("%+v", c)
		}
	})
}
