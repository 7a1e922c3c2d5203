package tau

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/kg"
)

// item is an answer with one fact of each reading, and two omissions.
func item() Item {
	return Item{
		ID: "q1",
		Gold: graph(triple("Ana Berg", "founded", "Orbix"), triple("Orbix", "makes", "boats"), triple("Orbix", "is based in", "Graz"),
			triple("Bo Lind", "painted", "Heron"), triple("Cleo Wick", "sued", "Emil Roth")),
		Context: graph(triple("Ana Berg", "founded", "Orbix"), triple("Orbix", "is based in", "Graz"),
			triple("Bo Lind", "trained", "Dora Voss"), triple("Cleo Wick", "sued", "Emil Roth")),
		Answer: graph(triple("Ana Berg", "founded", "Orbix"), triple("Orbix", "makes", "boats"), triple("Bo Lind", "trained", "Dora Voss"),
			triple("Emil Roth", "sued", "Cleo Wick"), triple("Jon Falk", "plays", "chess")),
	}
}

func TestAnalyze(t *testing.T) {
	got, err := Analyze(t.Context(), scorer(t), []Item{item()})
	if err != nil || len(got) != 1 || got[0].Err != nil {
		t.Fatal(got, err)
	}
	var readings []Reading
	for _, f := range got[0].Facts {
		readings = append(readings, f.Reading)
	}
	if want := []Reading{Confirmed, GoldOnly, ContextOnly, Drifted, Added}; !slices.Equal(readings, want) {
		t.Errorf("got %q", readings)
	}
	want := []Omitted{{triple("Orbix", "is based in", "Graz"), true}, {triple("Bo Lind", "painted", "Heron"), false}}
	if !slices.Equal(got[0].Omissions, want) {
		t.Errorf("omissions: %v", got[0].Omissions)
	}
	if text := got[0].String(); text != `q1
  confirmed         (Ana Berg, founded, Orbix)
  gold answer only  (Orbix, makes, boats)
  context only      (Bo Lind, trained, Dora Voss)
  drift             (Emil Roth, sued, Cleo Wick)
                    gold: (Cleo Wick, sued, Emil Roth)  (reversed)
                    context: (Cleo Wick, sued, Emil Roth)  (reversed)
  addition          (Jon Falk, plays, chess)
  omission          (Orbix, is based in, Graz)  (in the context)
  omission          (Bo Lind, painted, Heron)
` {
		t.Errorf("got\n%s", text)
	}
}

func TestAnalyzeWithOneReference(t *testing.T) {
	gold, context, neither := item(), item(), item()
	gold.Context, context.Gold = nil, nil
	neither.Gold, neither.Context = nil, nil
	got, err := Analyze(t.Context(), scorer(t), []Item{gold, context, neither})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]Reading{
		{GoldOnly, GoldOnly, Added, Drifted, Added},
		{ContextOnly, Added, ContextOnly, Drifted, Added},
		{Added, Added, Added, Added, Added},
	} {
		for k, f := range got[i].Facts {
			if f.Reading != want[k] {
				t.Errorf("item %d: %v is %q", i, f.Triple, f.Reading)
			}
		}
	}
	if got[0].Context != nil || got[1].Gold != nil || len(got[0].Omissions) != 2 || got[0].Omissions[0].InContext || got[1].Omissions != nil {
		t.Errorf("got %+v", got)
	}
}

// One item that cannot be compared does not take the others with it.
func TestAnalyzeKeepsGoing(t *testing.T) {
	bad := item()
	bad.ID, bad.Answer = "q2", graph(triple("\xff", "r", "b"))
	got, err := Analyze(t.Context(), scorer(t), []Item{item(), bad, item()})
	if err != nil {
		t.Fatal(err)
	}
	var label *kg.LabelError
	if got[0].Err != nil || got[2].Err != nil || !errors.As(got[1].Err, &label) || got[1].ID != "q2" {
		t.Errorf("got %v, %v, %v", got[0].Err, got[1].Err, got[2].Err)
	}
	if len(got[2].Facts) != 5 {
		t.Errorf("got %+v", got[2])
	}
	s := Summarize(got)
	if s.Items != 3 || s.Failed != 1 || s.Gold[Aligned] != (Tally{4, 2}) || s.Readings[Added] != (Tally{2, 2}) || s.Omissions != 4 || s.OmissionsInContext != 2 {
		t.Errorf("got %+v", s)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Analyze(cancelled, scorer(t), []Item{item()}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestLowest(t *testing.T) {
	scores := []float64{0.9, 0.2, math.NaN(), 0.5, 0.2, 0.1, -1}
	score := func(v float64) (float64, bool) { return v, v >= 0 || math.IsNaN(v) }
	for share, want := range map[float64][]float64{
		0:    nil,
		-1:   nil,
		0.05: {0.1},
		0.2:  {0.1},
		0.21: {0.1, 0.2},
		0.6:  {0.1, 0.2, 0.2},
		7:    {0.1, 0.2, 0.2, 0.5, 0.9},
	} {
		if got := Lowest(scores, share, score); !slices.Equal(got, want) {
			t.Errorf("%g: got %v", share, got)
		}
	}
	if got := Lowest(nil, 0.5, score); got != nil {
		t.Errorf("of none: %v", got)
	}
}

func TestSummaryString(t *testing.T) {
	got, err := Analyze(t.Context(), scorer(t), []Item{item()})
	if err != nil {
		t.Fatal(err)
	}
	want := `items: 1, failed: 0, with nothing to compare on one side: 0

class              against gold  items  against context  items
aligned            2             1      2                1
relation mismatch  0             0      0                0
head mismatch      0             0      0                0
tail mismatch      0             0      0                0
reversed           1             1      1                1
missing            2             1      1                1
extra              2             1      2                1

the answers' facts  number  items
confirmed           1       1
gold answer only    1       1
context only        1       1
drift               1       1
addition            1       1

facts of the gold answers omitted: 2, of them in the context: 1
`
	if s := Summarize(got).String(); s != want {
		t.Errorf("got\n%s", s)
	}
}

// Nothing that comes from a graph is markup.
func TestHTMLIsEscaped(t *testing.T) {
	evil := `<script>alert("x")</script>`
	it := Item{ID: evil, Answer: graph(triple(evil, "praised", `a"b'c`)), Gold: graph(triple(evil, "met & liked", `a"b'c`), triple("x", evil, "y"))}
	got, err := Analyze(t.Context(), scorer(t), []Item{it})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := got[0].WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	html := b.String()
	if strings.Contains(html, "<script") || strings.Count(html, "&lt;script&gt;") != 4 {
		t.Errorf("got %s", html)
	}
	for _, want := range []string{`<tr class="tau-drift">`, "relation mismatch: ", "met &amp; liked", `<tr class="tau-omission">`} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in %s", want, html)
		}
	}
	b.Reset()
	if err := (Analysis{Err: errors.New(evil)}).WriteHTML(&b); err != nil || strings.Contains(b.String(), "<script") || !strings.Contains(b.String(), "Could not") {
		t.Errorf("of a failure: %s, %v", b.String(), err)
	}
	b.Reset()
	if err := Summarize(got).WriteHTML(&b); err != nil || !strings.Contains(b.String(), "<td>relation mismatch</td><td>1</td><td>1</td><td>0</td><td>0</td>") {
		t.Errorf("of a summary: %s, %v", b.String(), err)
	}
}
