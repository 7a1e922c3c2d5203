package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
)

func longSets(n int) []groundingSet {
	var out []groundingSet
	for s := range 2 {
		set := groundingSet{name: fmt.Sprint("set ", s)}
		for i := range n {
			document := strings.Repeat(fmt.Sprintf("Document %d of set %d tells of the mill. ", i/2, s), 5)
			set.rows = append(set.rows, groundingRow{context: document, output: "The mill is old.", consistent: i%2 == 0, id: fmt.Sprint(s, ":", i)})
		}
		out = append(out, set)
	}
	return out
}

// A padded row has its own document once, others about it, no document twice, and
// as many words as asked for; sets have equal shares.
func TestPaddedSets(t *testing.T) {
	sets := longSets(40)
	for _, oneText := range []bool{false, true} {
		got := paddedSets(sets, 30, 400, oneText, 1)
		again := paddedSets(sets, 30, 400, oneText, 1)
		for i, s := range got {
			if len(s.rows) != 15 {
				t.Errorf("%s has %d rows", s.name, len(s.rows))
			}
			for k, r := range s.rows {
				if n := len(strings.Fields(r.context)); n < 400 || n > 450 {
					t.Errorf("%s: %d words", r.id, n)
				}
				if strings.Count(r.context, r.group) != 1 || r.group == r.context {
					t.Errorf("%s: its own document stands there %d times", r.id, strings.Count(r.context, r.group))
				}
				if again[i].rows[k].context != r.context {
					t.Errorf("%s: another padding with the same seed", r.id)
				}
				if oneText {
					if r.sources != nil {
						t.Errorf("%s: one text has sources", r.id)
					}
					continue
				}
				var texts []string
				for _, x := range r.sources {
					texts = append(texts, x.Text)
				}
				if slices.Sort(texts); len(slices.Compact(slices.Clone(texts))) != len(texts) || !slices.Contains(texts, r.group) {
					t.Errorf("%s: sources %q", r.id, texts)
				}
			}
		}
	}
	if sets[0].rows[0].sources != nil || sets[0].rows[0].group != "" {
		t.Error("the rows given were changed")
	}
}

func TestPagesOf(t *testing.T) {
	var words int
	got := pagesOf(longSets(40), 3)
	for _, p := range got {
		words += len(strings.Fields(p.Text))
	}
	if len(got) != 3 || words < 2*pageWords {
		t.Errorf("%d pages, %d words", len(got), words)
	}
	if short := pagesOf([]groundingSet{{rows: []groundingRow{{context: "One page."}}}}, 5); len(short) != 1 || short[0] != (claim.Source{ID: "page 1", Text: "One page."}) {
		t.Errorf("%+v", short)
	}
}

func TestLongWithoutData(t *testing.T) {
	if err := Long.Run(t.Context(), io.Discard, t.TempDir(), nil); !errors.Is(err, ErrNoData) {
		t.Error(err)
	}
	for _, bad := range [][]string{{"-half", "both"}, {"-form", "page"}, {"-n", "-1"}, {"-claims", "0"}} {
		if err := Long.Run(t.Context(), io.Discard, t.TempDir(), bad); err == nil || errors.Is(err, ErrNoData) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestLongRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("reads with the network; run without -short")
	}
	dir := testData(t)
	var out bytes.Buffer
	if err := Long.Run(t.Context(), &out, dir, []string{"-n", "2", "-sets", "begin", "-words", "300", "-pages", "2", "-claims", "2", "-bootstrap", "5"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| everything |", "| nearest (default) |", "| another answer, all prepared |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
