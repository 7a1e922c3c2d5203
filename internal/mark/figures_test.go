package mark

import (
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

func TestReportListsNumbersThatTellSomething(t *testing.T) {
	s := claim.Sample{Sources: []claim.Source{{Text: "The mill sold 100 looms in May and 120 in June."}}, Output: "Sales rose by 20% to 130 looms in June."}
	r := claim.Result{
		Outcome: claim.Inconsistent,
		Figures: []claim.Figure{
			{Span: segment.Span{Start: 14, End: 17}, Text: "20%", Verdict: claim.Supported, Computed: true, How: "(120 - 100) / 100 = 20%", Evidence: []claim.Evidence{{Source: "0", Span: segment.Span{Start: 35, End: 38}}}},
			{Span: segment.Span{Start: 21, End: 24}, Text: "130", Verdict: claim.Contradicted, How: "130 against 120"},
			{Span: segment.Span{Start: 34, End: 38}, Text: "June", Verdict: claim.Supported, How: "June is stated"},
		},
		Fidelity: claim.Fidelity{Entities: 3, Grounded: 2, Relations: 2, Preserved: 1},
	}
	var b strings.Builder
	if err := Report(&b, s, r, Style{}); err != nil {
		t.Fatal(err)
	}
	want := `
numbers, checked exactly: 2 of 3 supported, 1 contradicted
  ^ 1:22: 130: 130 against 120
  - 1:15: 20%: (120 - 100) / 100 = 20% (0:1:36)

of 3 entities the sources name 2, of 2 relations they support 1
`
	if got := b.String(); !strings.Contains(got, want) {
		t.Errorf("got %s\nwant in it %s", got, want)
	}
}
