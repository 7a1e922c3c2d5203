package tau

import (
	"context"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
)

// Finding is a fact of the reference and what the answer has for it, or an extra fact
// of the answer.
type Finding struct {
	Class Class
	// Reference is the fact of the reference; zero for an extra one.
	Reference kg.Triple
	// Answer is the fact of the answer; zero for a missing one.
	Answer kg.Triple
	// Opposite says of a relation mismatch that the two conflict ("increases",
	// "decreases"; "a history", "no history"; see s3kg.Conflict) and not merely differ.
	Opposite bool
	// Similarity of the two facts, in [0,1], as s3kg.Match has it: 0 for what is opposite
	// or reversed.
	Similarity float64
}

// Report is how an answer departs from one reference.
type Report struct {
	// Findings are in the order of the reference's triples, and then the extra ones in
	// that of the answer's. A triple of the answer is in at most one finding, unless two
	// triples of the reference say the same fact.
	Findings []Finding
	// Degenerate says that one graph is empty at least: there was nothing to match.
	Degenerate bool
	// Approximate says that a part was too large for an optimal matching; see s3kg.Result.
	Approximate bool
	// Method names what matched the facts.
	Method string
}

// Compare matches the facts of two graphs by s and returns the report. The scorer's
// thresholds decide what matches; its form and alpha do not matter. Errors are those of
// Scorer.Score.
func Compare(ctx context.Context, s *s3kg.Scorer, reference, answer *kg.Graph) (Report, error) {
	r, err := s.Score(ctx, reference, answer)
	if err != nil {
		return Report{}, err
	}
	return Of(ctx, r)
}

// SetMethod is the Method of SetCompare.
const SetMethod = "set comparison of normalised triples"

// SetCompare is the plain comparison that TAU is measured against, as KEA makes it: a
// fact of the reference that is in the answer after normalisation is aligned, any
// other missing, and what the answer has besides is extra. A wrong relation or entity is
// both missing and extra to it. A nil normalizer is the zero one. Nil graphs are empty.
func SetCompare(n *kg.Normalizer, reference, answer *kg.Graph) Report {
	if n == nil {
		n = &kg.Normalizer{}
	}
	key := n.Triple
	said := map[kg.Triple]kg.Triple{}
	for t := range answer.Triples() {
		if k := key(t); said[k] == (kg.Triple{}) {
			said[k] = t
		}
	}
	out := Report{Method: SetMethod, Degenerate: reference.Len() == 0 || answer.Len() == 0}
	wanted := map[kg.Triple]bool{}
	for t := range reference.Triples() {
		k := key(t)
		wanted[k] = true
		if a, ok := said[k]; ok {
			out.Findings = append(out.Findings, Finding{Class: Aligned, Reference: t, Answer: a, Similarity: 1})
		} else {
			out.Findings = append(out.Findings, Finding{Class: Missing, Reference: t})
		}
	}
	for t := range answer.Triples() {
		if !wanted[key(t)] {
			out.Findings = append(out.Findings, Finding{Class: Extra, Answer: t})
		}
	}
	return out
}

// Counts returns how many findings each class has; classes without any are absent.
func (r Report) Counts() map[Class]int {
	out := map[Class]int{}
	for _, f := range r.Findings {
		out[f.Class]++
	}
	return out
}

// Errors returns the findings that are not aligned, in order.
func (r Report) Errors() []Finding {
	var out []Finding
	for _, f := range r.Findings {
		if f.Class != Aligned {
			out = append(out, f)
		}
	}
	return out
}
