package grapheval

import (
	"slices"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

func TestFaults(t *testing.T) {
	const source = "Ines Holt bought the old mill in Lund for 14 crowns. She repaired its wheel."
	const output = "The text mentions that Ines Holt purchased the mills of Lund for 19 crowns."
	at := func(part string) segment.Span {
		i := strings.Index(output, part)
		return segment.Span{Start: i, End: i + len(part)}
	}
	reason := func(kind nli.ReasonKind, part string) claim.Reason {
		return claim.Reason{Kind: string(kind), Detail: "as it is", OutputSpan: at(part)}
	}
	p := &Prepared{vocabulary: func() vocabulary { return vocabularyOf([]claim.Source{{Text: source}}) }}
	whole := []segment.Span{{End: len(output)}}
	for _, test := range []struct {
		name    string
		verdict claim.Verdict
		spans   []segment.Span
		reasons []claim.Reason
		want    []string
	}{
		{"a supported claim has none", claim.Supported, whole, []claim.Reason{reason(nli.ReasonNumber, "19")}, nil},
		{"one that could not be judged has none", claim.Unknown, whole, nil, nil},
		{"what stands against the evidence, and what no source has", claim.Contradicted, whole, []claim.Reason{reason(nli.ReasonNumber, "19 crowns")}, []string{"purchased", "19 crowns"}},
		{"words in another form are there", claim.Unsupported, []segment.Span{at("the mills of Lund")}, nil, nil},
		{"only the claim's own words", claim.Unsupported, []segment.Span{at("Ines Holt"), at("of Lund")}, nil, nil},
		{"where there is neither, what the evidence lacks", claim.Unsupported, []segment.Span{at("the mills of Lund")}, []claim.Reason{reason(nli.ReasonMissing, "Lund")}, []string{"Lund"}},
		{"no place twice", claim.Contradicted, []segment.Span{at("purchased")}, []claim.Reason{reason(nli.ReasonAntonym, "purchased"), reason(nli.ReasonRole, "Holt purchased")}, []string{"purchased"}},
		{"a reason without a place", claim.Contradicted, []segment.Span{at("Lund")}, []claim.Reason{{Kind: "number"}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := claim.Claim{Verdict: test.verdict, Spans: test.spans, Reasons: test.reasons}
			var got []string
			c.Faults = p.faults(c, output)
			for i, f := range c.Faults {
				got = append(got, f.Span.Of(output))
				if f.Kind == "" || f.Detail == "" {
					t.Errorf("%+v says not why", f)
				}
				if i > 0 && f.Span.Start < c.Faults[i-1].Span.End {
					t.Errorf("%v is not in order", c.Faults)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
			if len(got) == 0 && !slices.Equal(c.Places(), claim.Merge(c.Spans)) {
				t.Errorf("without faults the places are %v, not the spans %v", c.Places(), c.Spans)
			}
		})
	}
}
