package grapheval_test

import (
	"encoding/json"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
)

// Answers with citations: documents that disagree are cited both, each by its name
// and its own place, in whichever order they are given, and among others that have
// nothing to do with it.
func TestOfflineCitations(t *testing.T) {
	c := offline(t, grapheval.Options{})
	for _, test := range []struct {
		name, output   string
		says, denies   string
		saysAt, denyAt string // the sentences to be cited
	}{
		{"a number", "The ferry carries 120 cars.",
			"It sails daily. The ferry carries 120 cars.", "The ferry carries 80 cars. It is white.", "The ferry carries 120 cars.", "The ferry carries 80 cars."},
		{"a year", "The mill burned down in 1890.",
			"The mill burned down in 1890, people say.", "In short, the mill burned down in 1902.", "The mill burned down in 1890, people say.", "In short, the mill burned down in 1902."},
		{"a negation", "The museum is open on Mondays.",
			"Visitors ask. The museum is open on Mondays.", "The museum is not open on Mondays.", "The museum is open on Mondays.", "The museum is not open on Mondays."},
	} {
		var want string
		for i := range 3 {
			says, denies := claim.Source{ID: "says", Text: test.says}, claim.Source{ID: "denies", Text: test.denies}
			other := claim.Source{ID: "other", Text: "Tova has a boat, which she painted red."}
			sources := [][]claim.Source{{says, other, denies}, {denies, says, other}, {other, denies, says}}[i]
			s := claim.Sample{Sources: sources, Output: test.output}
			r, err := c.Check(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			sound(t, r, s)
			k := r.Claims[0]
			if k.Verdict != claim.Conflicting || len(k.Evidence) != 2 {
				t.Errorf("%s: %s with %d passages (support %.2f, contradiction %.2f)", test.name, k.Verdict, len(k.Evidence), k.Support, k.Contradiction)
				continue
			}
			for _, e := range k.Evidence {
				id, text := "says", test.saysAt
				if e.Role == claim.Contradicts {
					id, text = "denies", test.denyAt
				}
				if e.Source != id || e.Text != text || sources[e.Index].ID != id || e.Span.Of(sources[e.Index].Text) != text {
					t.Errorf("%s: evidence %+v, want %q of %q", test.name, e, text, id)
				}
			}
			if len(r.Notes) != 1 || r.Notes[0].Kind != claim.NoteConflict {
				t.Errorf("%s: notes %+v", test.name, r.Notes)
			}
			// But for the positions of the sources all is the same.
			for j := range r.Claims {
				r.Claims[j].Window = nil
				for e := range r.Claims[j].Evidence {
					r.Claims[j].Evidence[e].Index = 0
				}
				for e := range r.Claims[j].Reasons {
					r.Claims[j].Reasons[e].Source = 0
				}
			}
			b, err := json.Marshal([]any{r.Outcome, r.PInconsistent, r.Claims})
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				want = string(b)
			}
			if string(b) != want {
				t.Errorf("%s: in another order\n%s\nin the first\n%s", test.name, b, want)
			}
		}
	}
}
