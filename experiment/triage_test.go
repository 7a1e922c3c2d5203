package experiment_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/metrics"
)

func judgedAt(p, cutoff float64, claims ...claim.Claim) claim.Result {
	r := claim.Result{Outcome: claim.Consistent, PInconsistent: p, Cutoff: cutoff, Claims: claims, Counts: claim.Count(claims)}
	if p > cutoff {
		r.Outcome = claim.Inconsistent
	}
	return r
}

// What calls for a human's eye raises the need, one at a time.
func TestNeed(t *testing.T) {
	flagged := claim.Claim{Text: "A is B.", Verdict: claim.Contradicted, PInconsistent: .9, Evidence: []claim.Evidence{{Source: "s", Text: "A is C."}}}
	torn := flagged
	torn.Parts = []claim.Part{{Name: "trained", LogOdds: 4}, {Name: "rules", LogOdds: -5}}
	agreed := flagged
	agreed.Parts = []claim.Part{{Name: "trained", LogOdds: -4}, {Name: "rules", LogOdds: -5}}
	conflict := flagged
	conflict.Verdict = claim.Conflicting
	need := func(r claim.Result) float64 {
		t.Helper()
		n := experiment.NeedOf(r)
		if !(n.Value >= 0 && n.Value <= 1) {
			t.Fatalf("need %v", n.Value)
		}
		return n.Value
	}
	for _, c := range []struct {
		name       string
		less, more claim.Result
	}{
		{"probably wrong", judgedAt(.1, .5), judgedAt(.95, .5, flagged)},
		{"near the turn", judgedAt(.02, .5), judgedAt(.45, .5)},
		{"the cutoff decides what is near", judgedAt(.2, .9), judgedAt(.2, .25)},
		{"sources disagree", judgedAt(.3, .5, flagged), judgedAt(.3, .5, conflict)},
		{"the parts disagree", judgedAt(.7, .5, agreed), judgedAt(.7, .5, torn)},
		{"not judged at all", judgedAt(.99, .5, torn), claim.Result{Outcome: claim.OutcomeUnknown, PInconsistent: 1}},
		{"surely wrong beside nothing to check", claim.Result{Outcome: claim.NoClaims}, judgedAt(.9, .5, flagged)},
	} {
		if need(c.less) >= need(c.more) {
			t.Errorf("%s: %v is not below %v", c.name, need(c.less), need(c.more))
		}
	}
	for _, p := range []float64{0, 1} {
		for _, cutoff := range []float64{0, 1, .5} {
			need(judgedAt(p, cutoff, flagged, torn, conflict, agreed, flagged))
		}
	}
	reasons := strings.Join(experiment.NeedOf(judgedAt(.6, .5, flagged, torn, conflict, agreed)).Reasons, "\n")
	for _, want := range []string{"judged inconsistent (P 0.60)", `the sources say otherwise: "A is B.", against "A is C." in s`, "and 1 claims more", "the verdict is close"} {
		if !strings.Contains(reasons, want) {
			t.Errorf("%q is missing in\n%s", want, reasons)
		}
	}
	failed := claim.Result{Outcome: claim.OutcomeUnknown, PInconsistent: 1, Claims: []claim.Claim{{Verdict: claim.Unknown, Err: errors.New("the model is away")}}}
	if got := experiment.NeedOf(failed).Reasons; len(got) != 2 || got[1] != "the model is away" {
		t.Errorf("%q", got)
	}
}

func TestCurveIsWhatCountingGives(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		rows := make([]experiment.Labelled, 1+random.IntN(30))
		for i := range rows {
			rows[i] = experiment.Labelled{P: float64(random.IntN(6)) / 5, Inconsistent: random.IntN(2) == 0}
		}
		curve := experiment.Curve(rows)
		positive := 0
		points := make([]metrics.Point, len(rows))
		for i, r := range rows {
			points[i] = metrics.Point{Score: r.P, Positive: r.Inconsistent}
			if r.Inconsistent {
				positive++
			}
		}
		if (curve == nil) != (positive == 0 || positive == len(rows)) {
			t.Fatalf("%d of %d, %v", positive, len(rows), curve)
		}
		for _, p := range curve {
			flagged, right := 0, 0
			for _, r := range rows {
				if r.P > p.Threshold {
					flagged++
					if r.Inconsistent {
						right++
					}
				}
			}
			if p.Flagged != flagged || p.Right != right || p.Recall != float64(right)/float64(positive) {
				t.Fatalf("%+v, want %d flagged, %d right", p, flagged, right)
			}
		}
		if curve == nil {
			continue
		}
		for _, most := range []float64{0, .2, 1} {
			best := experiment.Choose(curve, most)
			for _, p := range curve {
				if p.FalseAlarms <= most && p.BalancedAccuracy() > best.BalancedAccuracy() {
					t.Fatalf("%+v is better than %+v", p, best)
				}
			}
			if best.FalseAlarms > most {
				t.Fatalf("%+v", best)
			}
		}
	}
	if (experiment.Choose(nil, 1) != experiment.Point{}) {
		t.Error("a point without a curve")
	}
}

func TestReliability(t *testing.T) {
	rows := []experiment.Labelled{{P: 0}, {P: .1}, {P: .1, Inconsistent: true}, {P: .95, Inconsistent: true}, {P: 1, Inconsistent: true}}
	bins := experiment.Reliability(rows, 10)
	if len(bins) != 10 || bins[0].Answers != 3 || math.Abs(bins[0].Found-1.0/3) > 1e-12 || math.Abs(bins[0].Said-.2/3) > 1e-12 || bins[9].Answers != 2 || bins[9].Found != 1 {
		t.Errorf("%+v", bins)
	}
	want := (3*(1.0/3-.2/3) + 2*(1-.975)) / 5
	if got := experiment.CalibrationError(bins); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
	if experiment.CalibrationError(experiment.Reliability(nil, 0)) != 0 {
		t.Error("an error without answers")
	}
}
