package perturb

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kgeval/kgeval/nlp"
)

func swapsOf(t testing.TB, text string, o SwapOptions) []TextEdit {
	t.Helper()
	a, err := nlp.New()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Swaps(t.Context(), a, text, o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestSwaps(t *testing.T) {
	for _, c := range []struct {
		text string
		kind TextKind
		old  []string // what is made wrong, in order
	}{
		{"Ana Weber moved to Bern in 1987 and sold 12 clocks.", NumberSwap, []string{"12"}},
		{"Ana Weber moved to Bern in 1987 and sold 12 clocks.", DateSwap, []string{"1987"}},
		{"Ana Weber moved to Bern in 1987 and sold 12 clocks.", NameSwap, []string{"Ana Weber", "Bern"}},
		{"Ana Weber moved to Bern. Ana left Bern.", NameSwap, nil}, // each stands twice
		{"The shop opened on Monday, 3 May.", DateSwap, []string{"May"}},
		{"Seven ships sank.", NumberSwap, []string{"Seven"}},
		{"The tower fell and was rebuilt.", NegationSwap, []string{"fell", "was"}},
		{"The tower was not rebuilt.", NegationSwap, []string{"was not "}},
		{"The tower did not fall.", NegationSwap, []string{"did not fall"}},
		{"One ship sank.", NumberSwap, nil}, // its noun and verb would change too
	} {
		var old []string
		for _, e := range swapsOf(t, c.text, SwapOptions{Kinds: []TextKind{c.kind}, Names: []string{"Rolf Hager", "Oslo"}}) {
			old = append(old, e.Old)
		}
		if !slices.Equal(old, c.old) {
			t.Errorf("%s, %s: %q, want %q", c.text, c.kind, old, c.old)
		}
	}
}

func TestSwapsUnknownKind(t *testing.T) {
	a, err := nlp.New()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Swaps(t.Context(), a, "x", SwapOptions{Kinds: []TextKind{VerbAntonym}}); err == nil {
		t.Error("a kind of Text is taken for one of Swaps")
	}
}

// FuzzSwaps: every swap is one place, changes the text, keeps it UTF-8 where it
// was, and the draw depends on the seed alone.
func FuzzSwaps(f *testing.F) {
	for _, s := range []string{
		"Ana Weber moved to Bern in 1987 and sold 12 clocks for $3.5 million.", "The tower did not fall. It was rebuilt on 3 May.",
		"", "\x00\xff 12 \xff", "0007 one 1 99999999999999999999", "Émile Zola n’a pas dit 12", strings.Repeat("is not 7 ", 300),
	} {
		f.Add(s, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		o := SwapOptions{Seed: seed, Names: []string{"Rolf Hager", "", "\xff", "Oslo"}}
		got := swapsOf(t, text, o)
		again := swapsOf(t, text, o)
		if len(got) != len(again) {
			t.Fatalf("%d swaps, then %d", len(got), len(again))
		}
		for i, e := range got {
			if e.New != again[i].New || len(e.Spans) != 1 {
				t.Fatalf("%+v, then %+v", e, again[i])
			}
			out, err := ApplyText(text, []TextEdit{e})
			if err != nil || out == text {
				t.Fatalf("%+v: %v", e, err)
			}
			if utf8.ValidString(text) && !utf8.ValidString(out) {
				t.Fatalf("%+v breaks a rune", e)
			}
		}
	})
}
