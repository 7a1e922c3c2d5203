package mark

import (
	"errors"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

const (
	source = "The bridge opened in 1932.\nIt has two lanes."
	output = "The bridge opened in 1935. Birds nest there. It is old."
)

func example() (claim.Sample, claim.Result) {
	s := claim.Sample{Sources: []claim.Source{{ID: "article", Text: source}}, Output: output}
	sentences := segment.Sentences(output)
	year := span(output, "1935")
	r := claim.Result{Outcome: claim.Inconsistent, PInconsistent: 0.97, Cutoff: 0.5, Claims: []claim.Claim{
		{
			Triple: kg.Triple{Head: "The bridge", Relation: "opened in", Tail: "1935"}, Text: "The bridge opened in 1935.",
			Spans: []segment.Span{sentences[0]}, Sentence: sentences[0], Verdict: claim.Contradicted, PInconsistent: 0.97,
			Reasons:  []claim.Reason{{Kind: string(nli.ReasonDate), Detail: "1935 against 1932", OutputSpan: year}},
			Evidence: []claim.Evidence{{Source: "article", Span: span(source, "The bridge opened in 1932."), Role: claim.Contradicts}},
		},
		{
			Text: "Birds nest there.", Whole: true, Spans: []segment.Span{sentences[1]}, Sentence: sentences[1],
			Verdict: claim.Unsupported, PInconsistent: 0.9,
			Reasons: []claim.Reason{
				{Kind: string(nli.ReasonMissing), OutputSpan: span(output, "Birds")},
				{Kind: string(nli.ReasonMissing), OutputSpan: span(output, "nest")},
				{Kind: string(nli.ReasonMissing), OutputSpan: span(output, "nest")},
			},
		},
		{
			Text: "The bridge is old.", Spans: []segment.Span{sentences[2]}, Sentence: sentences[2],
			Verdict: claim.Unknown, PInconsistent: 1, Err: errors.New("model out of order"),
		},
	}}
	r.Counts = claim.Count(r.Claims)
	return s, r
}

func TestReport(t *testing.T) {
	s, r := example()
	r.Notes = []claim.Note{{Kind: claim.NoteCut, Detail: "a claim was left out"}}
	var b strings.Builder
	if err := Report(&b, s, r, Style{}); err != nil {
		t.Fatal(err)
	}
	want := `output: inconsistent: the sources say something else
3 claims: 1 contradicted, 1 unsupported, 1 unknown
P(inconsistent) 0.97; over 0.50 the output counts as inconsistent

1 | The bridge opened in 1935. Birds nest there. It is old.
                         ^^^^  ~~~~~~~~~~~~~~~~~ ??????????

  ^ the sources say otherwise   ~ not in the sources   ? could not be judged

contradicted: The bridge opened in 1935.
  output:1:22: The bridge opened in »1935«.
  why: 1935 against 1932
  but article:1:1: The bridge opened in 1932.

unsupported: Birds nest there.
  output:1:28: Birds nest there.
  why: nothing there on: Birds, nest
  nothing in the context is close to it

unknown: The bridge is old.
  output:1:46: It is old.
  could not be judged: model out of order

note: a claim was left out
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

func TestList(t *testing.T) {
	s, r := example()
	got := List(s, r, 2)
	if !strings.HasPrefix(got, "\n\n1. contradicted: The bridge opened in 1935.\n   output:1:22: ") || !strings.HasSuffix(got, "\n\nand 1 more") {
		t.Errorf("got %s", got)
	}
}

func TestSummary(t *testing.T) {
	for want, n := range map[string]claim.Counts{
		"nothing in the output can be checked": {},
		"1 claim: 1 supported":                 {Claims: 1, Supported: 1},
		"3 claims: 2 conflicting, 1 not read":  {Claims: 3, Conflicting: 2, Cut: 1},
		"2 claims: 1 contradicted, 1 unknown":  {Claims: 2, Contradicted: 1, Unknown: 1},
	} {
		if got := Summary(n); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
