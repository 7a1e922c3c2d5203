// Package claim holds the plain values that checking and correcting share: the
// sample to check, the claims of its output, the evidence for and against each,
// and the verdicts. It holds no method of judging; see grapheval for that.
package claim

import (
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
)

// Source is one document of a sample's context. ID may be empty; evidence then
// names it by its position ("0", "1", …).
type Source struct {
	ID   string `json:"id,omitempty"`
	Text string `json:"text"`
}

// Sample is one thing to check: an output that a model wrote from sources,
// perhaps to answer a question. In JSON its sources are called "context"; see
// UnmarshalJSON for the forms that are read.
type Sample struct {
	ID       string   `json:"id,omitempty"`
	Question string   `json:"question,omitempty"`
	Sources  []Source `json:"context"`
	Output   string   `json:"output"`
}

// Verdict is what the sources say of one claim. With support the largest
// P(entailment) and contradiction the largest P(contradiction) over the windows
// of all sources, and a threshold t, the first rule that applies decides: the
// model failed (Unknown); support >= 1-t and contradiction > 1/2 (Conflicting);
// support >= 1-t (Supported); contradiction > 1/2 (Contradicted); else
// Unsupported. Values may be added.
type Verdict string

// The verdicts.
const (
	// Unknown: the model failed or its reply could not be read, or the language
	// is not one it knows. Never counted as good.
	Unknown Verdict = "unknown"
	// Conflicting: support and contradiction both pass; the sources disagree.
	Conflicting Verdict = "conflicting"
	// Supported: support is at least 1 - threshold.
	Supported Verdict = "supported"
	// Contradicted: not supported, and contradiction is over one half.
	Contradicted Verdict = "contradicted"
	// Unsupported: neither; the sources do not say it.
	Unsupported Verdict = "unsupported"
)

// Outcome is the verdict on a whole output. Values may be added.
type Outcome string

// The outcomes of an output.
const (
	// Consistent: every claim was judged, and together they pass.
	Consistent Outcome = "consistent"
	// Inconsistent: at least one claim is not supported beyond what the
	// threshold allows.
	Inconsistent Outcome = "inconsistent"
	// NoClaims: nothing in the output can be checked ("I don't know."). Counted
	// apart, never in a mean.
	NoClaims Outcome = "no claims"
	// OutcomeUnknown: no claim failed, but at least one could not be judged.
	OutcomeUnknown Outcome = "unknown"
)

// Role says what a piece of evidence does to a claim.
type Role string

// The roles of evidence.
const (
	Supports    Role = "supports"
	Contradicts Role = "contradicts"
	// Nearest: nothing supports or contradicts the claim; this is what the
	// sources hold that is closest to it.
	Nearest Role = "nearest"
)

// Evidence is a place in a source that bears on a claim.
type Evidence struct {
	// Source is the ID of the Source, or its position where it has no ID.
	Source string `json:"source"`
	// Index is the position of the source in Sample.Sources.
	Index int `json:"index"`
	// Span is in bytes of that source's own text.
	Span segment.Span `json:"span"`
	Role Role         `json:"role"`
	// Text is the part of the source that Span covers.
	Text string `json:"text"`
}

// Reason is one cause of a verdict. OutputSpan is in the output, and
// SourceSpan in the source with position Source; either is the zero Span where
// there is no such place.
type Reason struct {
	Kind       string       `json:"kind"`
	Detail     string       `json:"detail"`
	OutputSpan segment.Span `json:"output_span"`
	Source     int          `json:"source"`
	SourceSpan segment.Span `json:"source_span"`
}

// Part is one opinion that a claim's support is made of.
type Part struct {
	// Name says what it is, such as "trained" or "rules".
	Name string `json:"name"`
	// Value is what it says, in its own measure; LogOdds what it adds to the
	// log-odds of support.
	Value   float64 `json:"value"`
	LogOdds float64 `json:"log_odds"`
}

// Claim is one checkable statement of an output, with its verdict.
type Claim struct {
	// Triple is the fact; the zero Triple when Whole.
	Triple kg.Triple `json:"triple"`
	// Text is the sentence that was given to the model as hypothesis.
	Text string `json:"text"`
	// Whole says that this is a sentence which no triple covers, checked as it
	// stands.
	Whole bool `json:"whole,omitempty"`
	// Spans are the places in the output, ascending; never empty.
	Spans []segment.Span `json:"spans"`
	// Sentence is the sentence of the output that states the claim.
	Sentence segment.Span `json:"sentence"`

	Verdict Verdict `json:"verdict"`
	// PInconsistent is 1 - Support, in [0,1]; 1 when Verdict is Unknown.
	PInconsistent float64 `json:"p_inconsistent"`
	// Support and Contradiction are the maxima over the premise's windows, in
	// [0,1]; both 0 when Verdict is Unknown.
	Support       float64 `json:"support"`
	Contradiction float64 `json:"contradiction"`
	// Risk in [0,1] is what the claim weighs in the output's probability:
	// PInconsistent, raised where the sources surely deny the claim, and for a
	// conflicting claim by how much stronger the denial is than the support. It
	// is compared with Result.ClaimCutoff. 1 when Verdict is Unknown.
	Risk float64 `json:"risk"`

	// BySentence says that Support is that of the whole sentence, which the
	// sources support better than the claim taken out of it.
	BySentence bool `json:"by_sentence,omitempty"`

	// Evidence is ordered: what decided first.
	Evidence []Evidence `json:"evidence,omitempty"`
	// Reasons is what the model found against the claim, if it can tell.
	Reasons []Reason `json:"reasons,omitempty"`
	// Faults are the words of the output that a flagged claim fails by, ascending
	// and not overlapping: the wrong year, not the sentence around it. Empty where
	// they cannot be told from the rest; see Places.
	Faults []Fault `json:"faults,omitempty"`
	// Parts is what the support is made of, where the model weighs several
	// opinions and evidence was looked for.
	Parts []Part `json:"parts,omitempty"`
	// Windows is how many premise windows were read.
	Windows int `json:"windows"`
	// Window is the window that decided the verdict; nil when none did (the
	// verdict is Unknown, or rests on no model).
	Window *Window `json:"window,omitempty"`
	// Err is why Verdict is Unknown; in JSON its text is "error".
	Err error `json:"-"`
}

// Window is a part of a source that the model read at once.
type Window struct {
	// Index is the position of the source in Sample.Sources.
	Index int `json:"index"`
	// Span is in bytes of that source's own text.
	Span segment.Span `json:"span"`
}

// Flagged reports whether the claim is not simply supported: contradicted,
// unsupported, conflicting or unknown.
func (c Claim) Flagged() bool { return c.Verdict != Supported }

// Edit is one change to an output: Span of the old text becomes New.
type Edit struct {
	// Span is in the output before any edit.
	Span segment.Span `json:"span"`
	// NewSpan is where New stands in the corrected text.
	NewSpan segment.Span `json:"new_span"`
	Old     string       `json:"old"`
	New     string       `json:"new"`
	// Reason says in words why, for a reader.
	Reason string `json:"reason"`
	// Claim is the position of the claim that the edit puts right.
	Claim int `json:"claim"`
	// Evidence is the place that the correction was taken from, if any.
	Evidence *Evidence `json:"evidence,omitempty"`
}
