package claim

import "github.com/kgeval/kgeval/segment"

// Fault is a word or phrase of the output that a flagged claim fails by.
type Fault struct {
	// Span is in the output; never empty.
	Span segment.Span `json:"span"`
	// Kind is the kind of the Reason that points here ("number", "name",
	// "negation", …), or one of the kinds below. Values may be added.
	Kind string `json:"kind"`
	// Detail says it in words for a reader.
	Detail string `json:"detail"`
}

// Kinds of Fault beside those of Reason.
const (
	// FaultNowhere: no source has the word, in any of its forms.
	FaultNowhere = "nowhere"
	// FaultElsewhere: a source has the word, but not where it speaks of the rest
	// of the claim.
	FaultElsewhere = "elsewhere"
)

// Places returns where a reader should look for c in the output: its Faults, or
// all of its Spans where it has none. Ascending, merged.
func (c Claim) Places() []segment.Span {
	if len(c.Faults) == 0 {
		return Merge(c.Spans)
	}
	out := make([]segment.Span, len(c.Faults))
	for i, f := range c.Faults {
		out[i] = f.Span
	}
	return Merge(out)
}
