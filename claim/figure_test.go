package claim_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

func TestFidelityInJSON(t *testing.T) {
	for _, c := range []struct {
		f    claim.Fidelity
		want string
	}{
		{claim.Fidelity{Entities: 4, Grounded: 3, Relations: 2, Preserved: 1}, `"entity_grounding":0.75,"relation_preservation":0.5`},
		{claim.Fidelity{}, `"entity_grounding":null,"relation_preservation":null`},
		{claim.Fidelity{Entities: 2}, `"entity_grounding":0,"relation_preservation":null`},
	} {
		b, err := json.Marshal(c.f)
		if err != nil || !strings.Contains(string(b), c.want) {
			t.Errorf("%+v: %s, %v", c.f, b, err)
		}
		var back claim.Fidelity
		if err := json.Unmarshal(b, &back); err != nil || back != c.f {
			t.Errorf("%s came back as %+v, %v", b, back, err)
		}
	}
}

func TestFiguresInJSONAndMapped(t *testing.T) {
	r := claim.Result{
		Outcome: claim.Consistent, Claims: []claim.Claim{},
		Figures: []claim.Figure{{
			Span: segment.Span{Start: 3, End: 5}, Text: "20", Verdict: claim.Supported, Computed: true, How: "120 - 100 = 20", Claims: []int{0},
			Evidence: []claim.Evidence{{Source: "a", Index: 1, Span: segment.Span{Start: 7, End: 10}, Role: claim.Supports, Text: "120"}},
		}},
		Fidelity: claim.Fidelity{Entities: 1, Grounded: 1},
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back claim.Result
	if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, r) {
		t.Errorf("%s came back as %+v, %v", b, back, err)
	}
	mapped := r.MapSpans(func(source int, s segment.Span) segment.Span {
		return segment.Span{Start: s.Start + 100*(source+1), End: s.End + 100*(source+1)}
	})
	if f := mapped.Figures[0]; f.Span.Start != 3 || f.Evidence[0].Span.Start != 207 {
		t.Errorf("mapped %+v", f)
	}
	if r.Figures[0].Evidence[0].Span.Start != 7 {
		t.Error("MapSpans changed the result it was given")
	}
}
