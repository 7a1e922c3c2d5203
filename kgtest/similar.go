package kgtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/internal/mark"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
	"github.com/kgeval/kgeval/segment"
)

// Similar fails the test when got says something else than want: when the
// score of their graphs of facts (package s3kg, F1 form) is below min, which
// must be above 0 and at most 1. The message lists the facts that got lacks,
// changes or adds.
//
// It stops the test (Fatal) for another min, when want is empty, when a text is
// not UTF-8, and when the texts could not be compared.
func Similar(t testing.TB, want, got string, min float64, opts ...Option) {
	t.Helper()
	switch {
	case !(min > 0 && min <= 1):
		t.Fatalf("kgtest.Similar: min must be above 0 and at most 1, not %v: a score below it fails the test", min)
		return
	case claim.Blank(want):
		t.Fatalf("kgtest.Similar: want is empty: there is nothing to compare with")
		return
	}
	for _, x := range []struct{ name, text string }{{"want", want}, {"got", got}} {
		if err := segment.CheckUTF8(x.text); err != nil {
			t.Fatalf("kgtest.Similar: %s: %v", x.name, err)
			return
		}
	}
	p := newSettings(opts).parts(t)
	scorer, err := p.Scorer(s3kg.Options{})
	if err != nil {
		t.Fatalf("kgtest.Similar: %v", err)
		return
	}
	r, err := scorer.CompareTexts(t.Context(), want, got)
	if err != nil {
		t.Fatalf("kgtest.Similar: %v", err)
		return
	}
	if r.Score < min {
		t.Errorf("kgtest.Similar: score %.3f is below %v (structure %.3f, meaning %.3f)%s", r.Score, min, r.Structure, r.Meaning, differences(want, got, r))
	}
}

// differences lists what sets got apart from want.
func differences(want, got string, r s3kg.Result) string {
	var b strings.Builder
	if r.Fallback {
		b.WriteString("\nA text gave no graph of facts, so both were compared as whole sentences.")
	}
	list := func(title string, lines []string) {
		if len(lines) == 0 {
			return
		}
		fmt.Fprintf(&b, "\n\n%s", title)
		for i, line := range lines {
			if i == 10 {
				fmt.Fprintf(&b, "\n   and %d more", len(lines)-i)
				break
			}
			b.WriteString("\n   " + line)
		}
	}
	var changed, missing, extra []string
	for _, m := range r.Matches {
		switch m.Class {
		case s3kg.Same, s3kg.Aligned:
		case s3kg.Missing:
			missing = append(missing, fact(m.A))
		default:
			changed = append(changed, fmt.Sprintf("%s: want %s, got %s", m.Class, fact(m.A), fact(m.B)))
		}
	}
	for _, t := range r.Extra {
		extra = append(extra, fact(t))
	}
	list("said otherwise:", changed)
	list("missing in got:", missing)
	list("only in got:", extra)
	fmt.Fprintf(&b, "\n\nwant: %s\ngot:  %s", quoteAll(want), quoteAll(got))
	return b.String()
}

func fact(t kg.Triple) string { return `"` + mark.Plain(t.Sentence()) + `"` }
