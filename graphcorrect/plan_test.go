package graphcorrect

import (
	"math/rand/v2"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

// A place that no edit touches moves to where the same text stands; one that is
// edited grows to hold the new text.
func TestMoved(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	const old = "abcdefghijklmnopqrstuvwxyz"
	words := []string{"", "1", "22", "333"}
	for range 5000 {
		var edits []claim.Edit
		for at := 0; at < len(old); {
			at += 1 + rng.IntN(8)
			end := at + rng.IntN(4)
			if end > len(old) {
				break
			}
			edits = append(edits, claim.Edit{Span: segment.Span{Start: at, End: end}, New: words[rng.IntN(len(words))]})
			at = end + 1
		}
		text, sorted, err := Apply(old, edits)
		if err != nil {
			t.Fatal(err)
		}
		a, b := rng.IntN(len(old)), rng.IntN(len(old))
		s := segment.Span{Start: min(a, b), End: max(a, b) + 1}
		got := moved(s, sorted)
		if got.Start < 0 || got.End > len(text) || got.End < got.Start {
			t.Fatalf("%v moves to %v in a text of %d bytes", s, got, len(text))
		}
		free := true
		for _, e := range sorted {
			if e.Span.Start <= s.End && s.Start <= e.Span.End {
				free = false
			}
			if s.Contains(e.Span) && !e.Span.Empty() && !got.Contains(e.NewSpan) {
				t.Fatalf("%v with %+v moves to %v", s, sorted, got)
			}
		}
		if free && got.Of(text) != s.Of(old) {
			t.Fatalf("%v with %+v moves to %v: %q, not %q", s, sorted, got, got.Of(text), s.Of(old))
		}
	}
}

func TestBetter(t *testing.T) {
	c := func(v claim.Verdict, p float64, reasons int) claim.Claim {
		return claim.Claim{Verdict: v, PInconsistent: p, Reasons: make([]claim.Reason, reasons)}
	}
	for _, test := range []struct {
		was, now claim.Claim
		want     bool
	}{
		{c(claim.Contradicted, 0.9, 1), c(claim.Supported, 0.1, 0), true},
		{c(claim.Contradicted, 0.9, 2), c(claim.Contradicted, 0.2, 2), false},
		{c(claim.Contradicted, 0.9, 2), c(claim.Contradicted, 0.9, 1), false},
		{c(claim.Contradicted, 0.9, 2), c(claim.Contradicted, 0.9, 2), false},
		{c(claim.Contradicted, 0.9, 2), c(claim.Contradicted, 0.95, 1), false},
		{c(claim.Contradicted, 0.9, 2), c(claim.Unsupported, 0.95, 3), false},
		{c(claim.Contradicted, 0.9, 2), c(claim.Unsupported, 0.75, 3), true},
		{c(claim.Unsupported, 0.9, 2), c(claim.Unsupported, 0.75, 2), true},
		{c(claim.Unsupported, 0.9, 2), c(claim.Unsupported, 0.85, 1), false},
		{c(claim.Unsupported, 0.9, 2), c(claim.Contradicted, 0.6, 1), false},
		{c(claim.Unsupported, 0.9, 2), c(claim.Conflicting, 0.1, 1), false},
		{c(claim.Contradicted, 0.9, 2), c(claim.Unknown, 1, 0), false},
	} {
		if got := better(test.was, test.now); got != test.want {
			t.Errorf("%s %v to %s %v: %v", test.was.Verdict, test.was.PInconsistent, test.now.Verdict, test.now.PInconsistent, got)
		}
	}
}
