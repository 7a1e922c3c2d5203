package openie

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
)

// A text that is read in sections gives what it gives as a whole: the same
// statements at the same places, and names of one section in all of them.
func TestSections(t *testing.T) {
	var b strings.Builder
	for range 40 {
		b.WriteString("Marta Keller founded Orbix in 1998. She sold it in 2004. Was it cheap? Keller lives in Basel.\n\n")
	}
	text := b.String()
	whole := extractor(t, Options{})
	parts := extractor(t, Options{})
	parts.section = 400
	want, err := whole.Extract(context.Background(), []kg.Text{{ID: "x", Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := parts.Extract(context.Background(), []kg.Text{{ID: "x", Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	if len(want[0].Statements) < 100 {
		t.Fatalf("only %d statements", len(want[0].Statements))
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("in sections %d statements and %d dropped, as a whole %d and %d; or other places",
			len(got[0].Statements), len(got[0].Dropped), len(want[0].Statements), len(want[0].Dropped))
	}
}

func TestSectionsCoverTheText(t *testing.T) {
	for _, text := range []string{"", "a", strings.Repeat("One is two. ", 90), strings.Repeat("x", 900), strings.Repeat("柿子。", 200)} {
		at := 0
		for _, s := range sections(text, 100) {
			if s.Start != at || s.End < s.Start {
				t.Fatalf("%.20q: section %v after %d", text, s, at)
			}
			at = s.End
		}
		if at != len(text) {
			t.Errorf("%.20q: sections end at %d of %d", text, at, len(text))
		}
		if err := segment.CheckUTF8(text); err != nil {
			t.Fatal(err)
		}
	}
}
