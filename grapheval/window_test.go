package grapheval_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
)

// With Nearest a claim is judged against those windows alone that share most
// words with it, wherever they stand.
func TestNearestWindows(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "Station %d recorded %d millimetres of rain. ", i, 7*i%53)
	}
	b.WriteString("Ada runs Orbix. ")
	b.WriteString(strings.Repeat("Nothing else was recorded. ", 30))
	for _, nearest := range []int{0, -1, 1, 2, 1000} {
		m := windowed{lookup(), 64}
		c := checker(t, m, func(o *grapheval.Options) {
			o.Unit, o.Nearest, o.NoEvidence = grapheval.Sentences, nearest, true
		})
		r, err := c.Check(t.Context(), claim.Sample{Sources: []claim.Source{{Text: b.String()}}, Output: "Ada runs Orbix. Zebras graze."})
		if err != nil {
			t.Fatal(err)
		}
		want := nearest
		switch {
		case nearest == 0:
			want = 3
		case nearest < 0 || nearest > r.Windows:
			want = r.Windows
		}
		if r.Windows < 9 {
			t.Fatalf("%d windows: too few for this test", r.Windows)
		}
		for i, verdict := range []claim.Verdict{claim.Supported, claim.Unsupported} {
			if k := r.Claims[i]; k.Verdict != verdict || k.Windows != want {
				t.Errorf("nearest %d, claim %d: %s after %d windows, want %s after %d", nearest, i, k.Verdict, k.Windows, verdict, want)
			}
		}
		if n := m.pairs.Load(); n != int64(2*want) {
			t.Errorf("nearest %d: %d pairs, want %d", nearest, n, 2*want)
		}
	}
}
