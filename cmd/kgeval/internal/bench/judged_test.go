package bench

import (
	"slices"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/perturb"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/segment"
)

// The annotations are whole: keys of the form that the benchmarks make, labels that
// they know, and as many as their pages say.
func TestJudgementsAreReadable(t *testing.T) {
	for name, want := range map[string]struct {
		labels []string
		least  int
	}{
		"evidence.tsv": {[]string{"decides", "partly", "other"}, 68},
		"extract.tsv":  {[]string{"ok", "half"}, 200},
	} {
		got, err := readJudged(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) < want.least {
			t.Errorf("%s: %d judgements, want %d", name, len(got), want.least)
		}
		for key, label := range got {
			row, hash, ok := strings.Cut(key, "\t")
			if !ok || row == "" || len(hash) != 16 || !slices.Contains(want.labels, label) {
				t.Errorf("%s: %q: %q", name, key, label)
			}
		}
	}
}

func TestChangedWords(t *testing.T) {
	for _, c := range []struct{ original, output, changed, regions string }{
		{"The mill closed in 1998.", "The mill closed in 1998.", "", ""},
		{"The mill closed in 1998.", "The mill closed in 1889.", "1889", "1889"},
		{"The old mill closed in 1998.", "The mill closed in 1998.", "", "The mill"}, // taken out: both sides of the gap
		{"The mill closed in 1998.", "The old mill closed in 1998.", "old", "old"},
		{"The mill closed.", "The mill closed again.", "again", "again"},
		{"", "All new.", "All new", "All new"},
		{"All gone.", "", "", ""},
	} {
		changed, regions := changedWords(c.original, c.output)
		pick := func(of []bool) string {
			var out []string
			for i, w := range segment.Words(c.output) {
				if of[i] {
					out = append(out, w.Of(c.output))
				}
			}
			return strings.Join(out, " ")
		}
		if pick(changed) != c.changed || pick(regions) != c.regions {
			t.Errorf("%q to %q: changed %q, regions %q", c.original, c.output, pick(changed), pick(regions))
		}
	}
}

// Chance is the share of the places that flags of the same form could stand at.
func TestWhereTally(t *testing.T) {
	output := "The mill closed in 1889."
	at := strings.Index(output, "1889")
	var hit, miss whereTally
	hit.add("The mill closed in 1998.", output, []segment.Span{{Start: at, End: at + 4}})
	miss.add("The mill closed in 1998.", output, []segment.Span{{Start: 0, End: 8}})
	if hit.hit != 1 || hit.inside != 1 || hit.outside != 0 || hit.chance != 0.2 {
		t.Errorf("%+v", hit)
	}
	if miss.hit != 0 || miss.inside != 0 || miss.outside != 2 || miss.chance != 0.4 {
		t.Errorf("%+v", miss)
	}
}

func TestStatedIsOfWholeWords(t *testing.T) {
	for _, c := range []struct {
		source, old string
		want        bool
	}{
		{"It seats 412 people.", "412", true},
		{"It seats 4120 people.", "412", false},
		{"Mayor Ruth Ellison opened it.", "Ruth Ellison", true},
		{"Mayor Ruth met Ellison.", "Ruth Ellison", false},
		{"Nothing.", "", false},
	} {
		if got := stated(c.source, perturb.TextEdit{Old: c.old}); got != c.want {
			t.Errorf("%q in %q: %v", c.old, c.source, got)
		}
	}
}

func TestWhatIsNoStatement(t *testing.T) {
	a, err := nlp.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		triple kg.Triple
		want   string // a part of the rule; "" for none
	}{
		{kg.Triple{Head: "the mill", Relation: "closed in", Tail: "1998"}, ""},
		{kg.Triple{Head: "Ada Falk", Relation: "was born in", Tail: "Bergen"}, ""},
		{kg.Triple{Head: "the mill", Relation: "—", Tail: "1998"}, "empty"},
		{kg.Triple{Head: "he", Relation: "closed", Tail: "the mill"}, "pronoun"},
		{kg.Triple{Head: "the mill", Relation: "of", Tail: "Ardle"}, "verb"},
		{kg.Triple{Head: "the mill", Relation: "closed", Tail: "because"}, "middle"},
		{kg.Triple{Head: "the mill (in Ardle", Relation: "closed in", Tail: "1998"}, "bracket"},
	} {
		got, err := noStatement(t.Context(), a, extractedTriple{Statement: kg.Statement{Triple: c.triple}})
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, c.want) }) {
			t.Errorf("%v: %q, want %q", c.triple, got, c.want)
		}
	}
}
