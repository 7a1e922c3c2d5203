package claim

import (
	"encoding/json"

	"github.com/kgeval/kgeval/segment"
)

// Figure is what the sources say of one number, date or quantity of an output, by
// exact arithmetic (package numeric). It stands beside the model's verdict on the
// claims and does not change it.
type Figure struct {
	// Span is the place of the number, with its unit, in the output; Text is what
	// stands there.
	Span segment.Span `json:"span"`
	Text string       `json:"text"`
	// Verdict is Supported, Contradicted (a source states another number of the
	// same thing) or Unsupported (it was not found, and does not follow).
	Verdict Verdict `json:"verdict"`
	// Computed says that the verdict rests on arithmetic over what a source
	// states, a change of units included.
	Computed bool `json:"computed,omitempty"`
	// How says in one line what was compared: "120 - 100 = 20".
	How string `json:"how,omitempty"`
	// Evidence are the numbers of the sources that decided, in the order of How.
	Evidence []Evidence `json:"evidence,omitempty"`
	// Claims are the positions in Result.Claims of those that state the number.
	Claims []int `json:"claims"`
}

// Fidelity holds the two figures of HalluGraph (Noël et al. 2025,
// arXiv:2512.01659, section 3) as counts. Entities are the distinct heads and
// tails of the output's triples, relations its distinct triples.
//
// The paper looks both up in a graph of the sources. Here an entity is grounded
// when a sentence of a source, or the question, has all of its words, a number in
// whatever form; a relation is preserved when the checker found its triple
// supported. Whole sentences that no triple covers count in neither.
type Fidelity struct {
	Entities, Grounded   int
	Relations, Preserved int
}

// EntityGrounding returns the share of entities that the sources name, in [0,1];
// ok is false where the output names none.
func (f Fidelity) EntityGrounding() (share float64, ok bool) {
	return ratio(f.Grounded, f.Entities)
}

// RelationPreservation returns the share of relations that the sources support, in
// [0,1]; ok is false where the output states none.
func (f Fidelity) RelationPreservation() (share float64, ok bool) {
	return ratio(f.Preserved, f.Relations)
}

func ratio(part, whole int) (float64, bool) {
	if whole <= 0 {
		return 0, false
	}
	return float64(part) / float64(whole), true
}

// fidelityJSON is Fidelity with its shares, null where there are none.
type fidelityJSON struct {
	EntityGrounding      *float64 `json:"entity_grounding"`
	RelationPreservation *float64 `json:"relation_preservation"`
	Entities             int      `json:"entities"`
	Grounded             int      `json:"grounded"`
	Relations            int      `json:"relations"`
	Preserved            int      `json:"preserved"`
}

// MarshalJSON writes the counts and both shares, which are null where there is
// nothing to count.
func (f Fidelity) MarshalJSON() ([]byte, error) {
	v := fidelityJSON{Entities: f.Entities, Grounded: f.Grounded, Relations: f.Relations, Preserved: f.Preserved}
	if x, ok := f.EntityGrounding(); ok {
		v.EntityGrounding = &x
	}
	if x, ok := f.RelationPreservation(); ok {
		v.RelationPreservation = &x
	}
	return json.Marshal(v)
}

// UnmarshalJSON reads the counts that MarshalJSON writes.
func (f *Fidelity) UnmarshalJSON(b []byte) error {
	var v fidelityJSON
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*f = Fidelity{Entities: v.Entities, Grounded: v.Grounded, Relations: v.Relations, Preserved: v.Preserved}
	return nil
}

// mapFigures returns figures whose spans went through f; see Result.MapSpans.
func mapFigures(figures []Figure, f func(source int, s segment.Span) segment.Span) []Figure {
	if figures == nil {
		return nil
	}
	out := make([]Figure, len(figures))
	for i, x := range figures {
		x.Span = f(-1, x.Span)
		evidence := make([]Evidence, len(x.Evidence))
		for k, e := range x.Evidence {
			e.Span = f(e.Index, e.Span)
			evidence[k] = e
		}
		x.Evidence = evidence
		out[i] = x
	}
	return out
}
