package grapheval_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/nli"
)

// A limit of pairs judges the first claims as if there were none and leaves the
// others unknown with the reason, whatever the concurrency.
func TestMaxPairs(t *testing.T) {
	var output, source strings.Builder
	for i := range 10 {
		fmt.Fprintf(&output, "A%d | r | B%d. ", i, i)
		fmt.Fprintf(&source, "A%d r B%d. ", i, i)
	}
	all := check(t, checker(t, lookup()), output.String(), source.String())
	// A claim costs two pairs here: its own, and its sentence's.
	for pairs, judged := range map[int]int{1: 0, 2: 1, 3: 1, 7: 3, 19: 9, 20: 10, 1000: 10} {
		for _, n := range []int{1, 8} {
			m := lookup()
			r := check(t, checker(t, m, func(o *grapheval.Options) {
				o.MaxPairs, o.Concurrency, o.NoEvidence = pairs, n, true
			}), output.String(), source.String())
			if got := m.pairs.Load(); got > int64(pairs) {
				t.Errorf("%d pairs allowed, %d asked", pairs, got)
			}
			if len(r.Claims) != 10 || r.Counts.Unknown != 10-judged {
				t.Fatalf("%d pairs: %+v", pairs, r.Counts)
			}
			for i, k := range r.Claims {
				if i < judged && (k.Verdict != all.Claims[i].Verdict || k.Support != all.Claims[i].Support) {
					t.Errorf("%d pairs, claim %d: %s, without a limit %s", pairs, i, k.Verdict, all.Claims[i].Verdict)
				}
				if i >= judged && !errors.Is(k.Err, grapheval.ErrMaxPairs) {
					t.Errorf("%d pairs, claim %d: %s, %v", pairs, i, k.Verdict, k.Err)
				}
			}
			want, notes := claim.OutcomeUnknown, 1
			if judged == 10 {
				want, notes = claim.Consistent, 0
			}
			if r.Outcome != want || len(r.Notes) != notes {
				t.Errorf("%d pairs: %q, %+v", pairs, r.Outcome, r.Notes)
			}
		}
	}
}

// What was judged already costs no pairs: a claim that repeats another is judged
// whatever is left.
func TestMaxPairsAndRepeatedClaims(t *testing.T) {
	r := check(t, checker(t, lookup(), func(o *grapheval.Options) { o.MaxPairs, o.Unit = 1, grapheval.Sentences }),
		"Ada runs Orbix. It snows. Ada runs Orbix.", "Ada runs Orbix.")
	if got := verdicts(r); got[0] != claim.Supported || got[1] != claim.Unknown || got[2] != claim.Supported {
		t.Errorf("%q", got)
	}
}

// A limit never hides a claim that was found to be wrong before it.
func TestMaxPairsKeepsWhatWasFound(t *testing.T) {
	r := check(t, checker(t, lookup(), func(o *grapheval.Options) { o.MaxPairs, o.Unit = 1, grapheval.Sentences }),
		"Bo left. Ada runs Orbix.", "Not: Bo left. Ada runs Orbix.")
	if r.Outcome != claim.Inconsistent || r.Counts.Unknown != 1 || r.Counts.Contradicted != 1 {
		t.Errorf("%q %+v", r.Outcome, r.Counts)
	}
}

// timed is a model that takes a second a call, and ends when its context does.
type timed struct{ *scripted }

func (m timed) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	select {
	case <-time.After(time.Second):
		return m.scripted.Classify(ctx, pairs)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// When the time is over the remaining claims are unknown with the reason; the
// check itself is no failure.
func TestMaxTime(t *testing.T) {
	output := "A | a | b. C | c | d. E | e | f. G | g | h."
	synctest.Test(t, func(t *testing.T) {
		c := checker(t, timed{lookup()}, func(o *grapheval.Options) {
			o.Concurrency, o.MaxTime, o.NoSentences = 1, 2500*time.Millisecond, true
		})
		began := time.Now()
		r := check(t, c, output, "A a b. Zed. C c d. E e f. G g h.")
		if took := time.Since(began); took != 2500*time.Millisecond {
			t.Errorf("took %v", took)
		}
		if r.Outcome != claim.OutcomeUnknown || r.Counts.Supported != 2 || r.Counts.Unknown != 2 {
			t.Fatalf("%q %+v", r.Outcome, r.Counts)
		}
		if !errors.Is(r.Claims[2].Err, grapheval.ErrMaxTime) || !errors.Is(r.Claims[3].Err, grapheval.ErrMaxTime) {
			t.Errorf("%v, %v", r.Claims[2].Err, r.Claims[3].Err)
		}
		if e := r.Claims[1].Evidence; len(e) != 1 || e[0].Text != "C c d." {
			t.Errorf("evidence found by words: %+v", e)
		}
		if len(r.Notes) != 1 || r.Notes[0].Kind != claim.NoteCut {
			t.Errorf("notes %+v", r.Notes)
		}
	})
	t.Run("the context's own deadline is an error", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := checker(t, timed{lookup()}, func(o *grapheval.Options) { o.MaxTime = time.Hour })
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			if _, err := c.Check(ctx, claim.Sample{Sources: []claim.Source{{Text: "x"}}, Output: output}); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		})
	})
	t.Run("an extractor that takes too long", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := checker(t, timed{lookup()}, func(o *grapheval.Options) { o.Extractor, o.MaxTime = late{}, time.Second })
			r := check(t, c, output, "A a b.")
			if r.Outcome != claim.OutcomeUnknown || r.Counts.Unknown != 4 || !errors.Is(r.Claims[0].Err, grapheval.ErrMaxTime) {
				t.Errorf("%q %+v", r.Outcome, r.Counts)
			}
			if _, err := json.Marshal(r); err != nil {
				t.Error(err)
			}
		})
	})
	if _, err := grapheval.New(grapheval.Options{Model: lookup(), Unit: grapheval.Sentences, MaxTime: -1}); err == nil {
		t.Error("a negative time is no error")
	}
	if _, err := grapheval.New(grapheval.Options{Model: lookup(), Unit: grapheval.Sentences, MaxPairs: -1}); err == nil {
		t.Error("a negative number of pairs is no error")
	}
}

// late is an extractor that waits for the end of its context.
type late struct{ clauses }

func (late) Extract(ctx context.Context, _ []kg.Text) ([]kg.Extraction, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}
