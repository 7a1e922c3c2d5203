package claim

import (
	"slices"

	"github.com/kgeval/kgeval/segment"
)

// Result is what a check found in one sample. It is a plain value: the same
// sample checked twice by the same checker gives equal results and equal JSON.
type Result struct {
	// ID is the sample's.
	ID string `json:"id,omitempty"`
	// Outcome is the verdict on the whole output.
	Outcome Outcome `json:"verdict"`
	// PInconsistent is the probability in [0,1] that the output is not
	// consistent with the sources, calibrated for the number of claims. It is 1
	// when Outcome is OutcomeUnknown, and means nothing (0 here, null in JSON)
	// when Outcome is NoClaims: use Score.
	PInconsistent float64 `json:"p_inconsistent"`
	// Cutoff is the PInconsistent above which the output is inconsistent.
	Cutoff float64 `json:"cutoff"`
	// Threshold is the P(inconsistent) above which a claim is not supported.
	Threshold float64 `json:"threshold"`
	// ClaimCutoff is the Claim.Risk above which one claim alone makes this
	// output inconsistent; it rises with the number of claims. A claim that is
	// not supported and whose risk is below it is flagged, but does not decide.
	ClaimCutoff float64 `json:"claim_cutoff"`
	// Claims are in the order in which the output states them.
	Claims []Claim `json:"claims"`
	// Counts counts the claims by verdict.
	Counts Counts `json:"counts"`
	// Figures are the numbers of the output, in its order, verified exactly; see
	// Figure.
	Figures []Figure `json:"figures,omitempty"`
	// Fidelity tells how many of the output's entities and relations the sources
	// have.
	Fidelity Fidelity `json:"fidelity"`
	// Windows is how many premise windows the sources were cut into.
	Windows int `json:"windows"`
	// Model and Extractor are the IDs of what judged and what found the claims;
	// Extractor is empty where claims are sentences or the output itself.
	Model     string `json:"model"`
	Extractor string `json:"extractor,omitempty"`
	// Notes says what a reader must know to trust the result: parts that were
	// cut, an extractor's failure, repaired text.
	Notes []Note `json:"notes,omitempty"`
}

// Counts counts an output's claims.
type Counts struct {
	Claims       int `json:"claims"`
	Supported    int `json:"supported"`
	Contradicted int `json:"contradicted"`
	Unsupported  int `json:"unsupported"`
	Conflicting  int `json:"conflicting"`
	Unknown      int `json:"unknown"`
	// Whole is how many of the claims are sentences that no triple covers.
	Whole int `json:"whole"`
	// Sentences is how many sentences the output has, and Skipped how many of
	// them hold nothing to check (greetings, questions, refusals).
	Sentences int `json:"sentences"`
	Skipped   int `json:"skipped"`
	// Cut is how many claims were left out because of a limit.
	Cut int `json:"cut,omitempty"`
}

// Note is a remark on a Result.
type Note struct {
	Kind NoteKind `json:"kind"`
	// Detail says it in words for a reader.
	Detail string `json:"detail"`
}

// NoteKind says what a Note is about. Values may be added.
type NoteKind string

// The kinds of Note.
const (
	// NoteExtractor: the extractor reported a failure on this output
	// (kg.Extraction.Err) or read only a part of it; what it did not cover was
	// checked sentence by sentence, if the checker's unit allows. An extractor
	// whose call fails as a whole is no note, but an error of the check.
	NoteExtractor NoteKind = "extractor"
	// NoteCut: a limit left claims unchecked.
	NoteCut NoteKind = "cut"
	// NoteRepaired: text that was not UTF-8 was repaired; spans are in the
	// repaired text.
	NoteRepaired NoteKind = "repaired"
	// NoteSkippedSource: an empty source was not read.
	NoteSkippedSource NoteKind = "empty source"
	// NoteAnswer: the output is a short answer that was checked as the statement
	// it makes together with its question, or as a mention in the sources.
	NoteAnswer NoteKind = "answer"
	// NotePartial: the model failed on a passage, but another one supports the
	// claim.
	NotePartial NoteKind = "partial"
	// NoteConflict: the sources disagree on a claim.
	NoteConflict NoteKind = "conflict"
)

// Score returns PInconsistent, and whether it may enter a mean: false when the
// output has no claims or could not be judged.
func (r Result) Score() (p float64, ok bool) {
	switch r.Outcome {
	case Consistent, Inconsistent:
		return r.PInconsistent, true
	}
	return 0, false
}

// Flagged returns the positions in Claims of those that are not supported, the
// worst first: contradicted, conflicting, unsupported, unknown, and among equal
// verdicts the higher PInconsistent, then the order of the output.
func (r Result) Flagged() []int {
	var out []int
	for i, c := range r.Claims {
		if c.Flagged() {
			out = append(out, i)
		}
	}
	sortStable(out, func(a, b int) bool {
		x, y := r.Claims[a], r.Claims[b]
		if g, h := gravity(x.Verdict), gravity(y.Verdict); g != h {
			return g > h
		}
		return x.PInconsistent > y.PInconsistent
	})
	return out
}

// Deciding returns the positions of the flagged claims that alone make the output
// inconsistent, in the order of Flagged; none unless Outcome is Inconsistent.
func (r Result) Deciding() []int {
	if r.Outcome != Inconsistent {
		return nil
	}
	var out []int
	for _, i := range r.Flagged() {
		c := r.Claims[i]
		if c.Verdict != Unknown && c.Risk > r.ClaimCutoff {
			out = append(out, i)
		}
	}
	return out
}

// gravity orders verdicts by how much a reader should worry.
func gravity(v Verdict) int {
	switch v {
	case Supported:
		return 0
	case Unknown:
		return 1
	case Unsupported:
		return 2
	case Conflicting:
		return 3
	case Contradicted:
		return 4
	}
	return 1 // a verdict added later is treated like unknown
}

// Count returns the counts of claims by verdict; the fields that only a checker
// knows (Sentences, Skipped, Cut) are 0.
func Count(claims []Claim) Counts {
	n := Counts{Claims: len(claims)}
	for _, c := range claims {
		switch c.Verdict {
		case Supported:
			n.Supported++
		case Contradicted:
			n.Contradicted++
		case Unsupported:
			n.Unsupported++
		case Conflicting:
			n.Conflicting++
		default:
			n.Unknown++
		}
		if c.Whole {
			n.Whole++
		}
	}
	return n
}

// MapSpans returns a copy of r whose spans went through f, for example from
// bytes to UTF-16 units. source is the position of the source that the span
// lies in, or -1 for the output. Zero spans that mean "no place" are kept.
func (r Result) MapSpans(f func(source int, s segment.Span) segment.Span) Result {
	claims := make([]Claim, len(r.Claims))
	for i, c := range r.Claims {
		spans := make([]segment.Span, len(c.Spans))
		for k, s := range c.Spans {
			spans[k] = f(-1, s)
		}
		c.Spans = spans
		c.Sentence = f(-1, c.Sentence)
		evidence := make([]Evidence, len(c.Evidence))
		for k, e := range c.Evidence {
			e.Span = f(e.Index, e.Span)
			evidence[k] = e
		}
		c.Evidence = evidence
		reasons := make([]Reason, len(c.Reasons))
		for k, x := range c.Reasons {
			if x.OutputSpan != (segment.Span{}) {
				x.OutputSpan = f(-1, x.OutputSpan)
			}
			if x.SourceSpan != (segment.Span{}) {
				x.SourceSpan = f(x.Source, x.SourceSpan)
			}
			reasons[k] = x
		}
		c.Reasons = reasons
		c.Faults = slices.Clone(c.Faults)
		for k := range c.Faults {
			c.Faults[k].Span = f(-1, c.Faults[k].Span)
		}
		if c.Window != nil {
			w := *c.Window
			w.Span = f(w.Index, w.Span)
			c.Window = &w
		}
		claims[i] = c
	}
	if r.Claims != nil {
		r.Claims = claims
	}
	r.Figures = mapFigures(r.Figures, f)
	return r
}
