package graphcorrect

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

// Edits upon edits come to the same text as one list of edits of the first text,
// which Apply takes.
func TestCompose(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(text string) []claim.Edit {
		var out []claim.Edit
		at := 0
		for at < len(text) && rng.IntN(3) > 0 {
			start := at + rng.IntN(len(text)-at)
			end := start + rng.IntN(min(len(text)-start, 4)+1)
			out = append(out, claim.Edit{Span: segment.Span{Start: start, End: end}, New: strings.Repeat(string(rune('A'+rng.IntN(26))), rng.IntN(4)), Reason: "test"})
			at = end + 1
		}
		return out
	}
	for range 20_000 {
		text := "abcdefghijklmnop"
		middle, first, err := Apply(text, random(text))
		if err != nil {
			t.Fatal(err)
		}
		want, second, err := Apply(middle, random(middle))
		if err != nil {
			t.Fatal(err)
		}
		both := compose(text, middle, first, second)
		got, _, err := Apply(text, both)
		if err != nil || got != want {
			t.Fatalf("%+v and then %+v: got %q (%v), want %q", first, second, got, err, want)
		}
	}
}

// The edits between two texts lead from one to the other, and leave the words that
// both have.
func TestDiff(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"", "", ""},
		{"", "new", "+new"},
		{"old", "", "-old"},
		{"The Aurora was built in Tampere in 1964.", "The Aurora was built in Turku in 1964.", "-Tampere+Turku"},
		{"a b c", "a x b c", "+x "},
		{"a b.", "a b. c.", "+ c."},
		{"Zoë’s café", "Zoë’s bar", "-café+bar"},
		{"one two three", "one 2 3", "-two three+2 3"},
		{"玛丽在巴黎", "玛丽在华沙", "-玛丽在巴黎+玛丽在华沙"},
	} {
		edits := diff(c.a, c.b)
		text, sorted, err := Apply(c.a, edits)
		if err != nil || text != c.b {
			t.Errorf("%q to %q: got %q, %v", c.a, c.b, text, err)
		}
		var b strings.Builder
		for _, e := range sorted {
			if e.Old != "" {
				b.WriteString("-" + e.Old)
			}
			if e.New != "" {
				b.WriteString("+" + e.New)
			}
		}
		if got := b.String(); got != c.want {
			t.Errorf("%q to %q: %s, want %s", c.a, c.b, got, c.want)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	words := []string{"a", "b", " ", ".", "é", "\n", "cd", "玛"}
	some := func() string {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(words[rng.IntN(len(words))])
		}
		return b.String()
	}
	for range 20_000 {
		a, b := some(), some()
		if text, _, err := Apply(a, diff(a, b)); err != nil || text != b {
			t.Fatalf("%q to %q: got %q, %v", a, b, text, err)
		}
	}
}
