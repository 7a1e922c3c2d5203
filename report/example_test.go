package report_test

import (
	"os"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/report"
	"github.com/kgeval/kgeval/segment"
)

func ExampleCheckText() {
	s := claim.Sample{
		Sources: []claim.Source{{ID: "notes", Text: "The ferry leaves at 7."}},
		Output:  "The ferry leaves at 9.",
	}
	// The result is what a grapheval.Checker found.
	r := claim.Result{Outcome: claim.Inconsistent, PInconsistent: 0.98, Cutoff: 0.5, Claims: []claim.Claim{{
		Text: "The ferry leaves at 9.", Verdict: claim.Contradicted, PInconsistent: 0.98,
		Spans: []segment.Span{{Start: 0, End: 22}}, Sentence: segment.Span{Start: 0, End: 22},
		Reasons:  []claim.Reason{{Kind: "number", Detail: "9 against 7", OutputSpan: segment.Span{Start: 20, End: 21}}},
		Evidence: []claim.Evidence{{Source: "notes", Span: segment.Span{Start: 0, End: 22}, Role: claim.Contradicts}},
	}}}
	r.Counts = claim.Count(r.Claims)
	if err := report.CheckText(os.Stdout, s, r, report.TextOptions{}); err != nil {
		panic(err)
	}
	// Output:
	// output: inconsistent: the sources say something else
	// 1 claim: 1 contradicted
	// P(inconsistent) 0.98; over 0.50 the output counts as inconsistent
	//
	// 1 | The ferry leaves at 9.
	//                         ^
	//
	//   ^ the sources say otherwise
	//
	// contradicted: The ferry leaves at 9.
	//   output:1:21: The ferry leaves at »9«.
	//   why: 9 against 7
	//   but notes:1:1: The ferry leaves at 7.
}
