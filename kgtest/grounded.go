package kgtest

import (
	"fmt"
	"testing"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/internal/mark"
	"github.com/kgeval/kgeval/segment"
)

// Grounded fails the test when output holds facts that context does not
// support, and says which, where, and what the context says instead.
//
// It works at the operating point FewFalseAlarms, which was set to at most 5%
// false alarms on consistent development outputs on the average over their sets
// (docs/results/check.md has what it gives on others), and says so in the
// message. It stops the test (Fatal)
// when the context is empty, when a text is not UTF-8, and when the output
// could not be judged; it fails it (Error) when the output is inconsistent, or
// holds nothing that can be checked and AllowNoClaims was not given.
func Grounded(t testing.TB, context, output string, opts ...Option) {
	t.Helper()
	s := newSettings(opts)
	sample := kgeval.Sample{Question: s.question, Output: output}
	if !claim.Blank(context) {
		sample.Sources = append(sample.Sources, kgeval.Source{ID: "context", Text: context})
	}
	sample.Sources = append(sample.Sources, s.sources...)
	if err := claim.Validate(sample); err != nil {
		t.Fatalf("kgtest.Grounded: %v", err)
		return
	}
	p := s.parts(t)
	if s.thresholdSet && !(s.threshold > 0 && s.threshold < 1) {
		t.Fatalf("kgtest.Grounded: the threshold must be above 0 and below 1, not %g", s.threshold)
		return
	}
	options := grapheval.Options{Point: s.point, Threshold: s.threshold}
	checker, err := p.Checker(options)
	if err != nil {
		t.Fatalf("kgtest.Grounded: %v", err)
		return
	}
	r, err := checker.Check(t.Context(), sample)
	if err != nil {
		t.Fatalf("kgtest.Grounded: %v", err)
		return
	}
	point := pointWords(s, p.NLI.ID())
	switch r.Outcome {
	case claim.Consistent:
		if len(r.Flagged()) > 0 {
			t.Logf("kgtest.Grounded: passed, but not every fact is supported (%s)%s", point, mark.List(sample, r, 3))
		}
	case claim.NoClaims:
		if !s.allowNoClaims {
			t.Errorf("kgtest.Grounded: nothing in the output can be checked: %s\nIf that is right, say so with kgtest.AllowNoClaims().",
				quoteAll(output))
		}
	case claim.Inconsistent:
		t.Errorf("kgtest.Grounded: %s (%s)%s", headline(r.Counts), point, mark.List(sample, r, 10))
	default:
		t.Fatalf("kgtest.Grounded: the output could not be judged, and what cannot be judged does not pass%s", mark.List(sample, r, 10))
	}
}

func headline(n claim.Counts) string {
	bad := n.Claims - n.Supported - n.Unknown
	verb := "are"
	if bad == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%d of %d facts in the output %s not supported by the context", bad, n.Claims, verb)
}

func pointWords(s settings, model string) string {
	words := "few false alarms"
	if s.point == grapheval.Balanced {
		return "operating point: missed errors and false alarms weigh alike"
	}
	if !grapheval.CalibrationFor(model).Measured {
		return fmt.Sprintf("operating point: %s, but that was never measured for the model %s", words, model)
	}
	return "operating point: " + words + ", set to at most 5% of true development outputs on the average; other texts may give more"
}

func quoteAll(s string) string {
	if claim.Blank(s) {
		return "it is empty"
	}
	return `"` + mark.Quote(s, segment.Span{Start: 0, End: len(s)}, 120) + `"`
}
