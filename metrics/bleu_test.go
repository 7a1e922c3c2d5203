package metrics

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// sacrebleu 2.6.0, sentence_score with effective_order, on 561 sentence pairs.
func TestBLEUIsSacrebleu(t *testing.T) {
	for _, r := range pairRows(t) {
		if got := 100 * (BLEU{}).Sentence(r.reference, r.candidate); math.Abs(got-r.BLEU) > 1e-9 {
			t.Errorf("%s row %d: got %v, want %v", r.Set, r.Row, got, r.BLEU)
		}
	}
}

func TestBLEU(t *testing.T) {
	for _, c := range []struct {
		name, reference, candidate string
		want                       float64
	}{
		{"equal", "The boat is very old.", "The boat is very old.", 1},
		{"equal, shorter than four words", "Old boat", "Old boat", 1},
		{"case", "old", "Old", 0},
		{"no common word", "a b c", "d e f", 0},
		{"empty candidate", "a b", "", 0},
		{"empty reference", "", "a b", 0},
		// Precisions 1, 1; brevity exp(1-4/2).
		{"brevity", "a b c d", "a b", math.Exp(-1)},
		// Precisions 2/2 and, smoothed, 1/2 of one.
		{"smoothed", "b a", "a b", math.Sqrt(0.5)},
	} {
		if got := (BLEU{}).Sentence(c.reference, c.candidate); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
	if got := (BLEU{Lowercase: true}).Sentence("old", "Old"); got != 1 {
		t.Errorf("lowercase: got %v", got)
	}
}

func TestTokenize13a(t *testing.T) {
	for text, want := range map[string]string{
		"It's 1,000.5 at well-known (old) places.": "It's 1,000.5 at well-known ( old ) places .",
		"pages 5-7, p.m.":                          "pages 5 - 7 , p . m .",
		"Smith &amp; Co. &quot;x&quot;":            `Smith & Co . " x "`,
		"one-\ntwo\nthree":                         "onetwo three",
		"":                                         "",
	} {
		if got := strings.Join(tokenize13a(text), " "); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

func ExampleBLEU() {
	fmt.Printf("%.3f\n", BLEU{}.Sentence("Ana founded Orbix in Graz in 1998.", "Ana founded Orbix in 1998."))
	// Output: 0.507
}

func FuzzBLEU(f *testing.F) {
	f.Add("The cat sat, 1,000 times.", "a &lt; b-\nc")
	f.Add("\x00\xff", "5-7")
	f.Fuzz(func(t *testing.T, a, b string) {
		if got := (BLEU{}).Sentence(a, b); !(got >= 0 && got <= 1) {
			t.Fatal(got)
		}
		if len(tokenize13a(a)) > 0 {
			if got := (BLEU{}).Sentence(a, a); got != 1 {
				t.Fatalf("with itself: %v", got)
			}
		}
	})
}
