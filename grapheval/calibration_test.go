package grapheval_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/nli"
)

func TestCalibrate(t *testing.T) {
	scores := []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 0.95, 0.99}
	labels := []bool{false, false, false, false, false, false, false, false, false, false, true, true}
	for _, test := range []struct{ share, want float64 }{{0, 1}, {0.05, 1}, {0.1, 0.9}, {0.25, 0.8}, {0.5, 0.5}, {0.99, 0.1}} {
		got, err := grapheval.Calibrate(scores, labels, test.share)
		if err != nil || got != test.want {
			t.Errorf("%v: %v, %v, want %v", test.share, got, err, test.want)
		}
	}
	if _, err := grapheval.Calibrate([]float64{1}, []bool{true}, 0.05); !errors.Is(err, grapheval.ErrNoConsistent) {
		t.Errorf("%v", err)
	}
	for _, bad := range []struct {
		scores []float64
		labels []bool
		share  float64
	}{{[]float64{1, 1}, []bool{false}, 0}, {[]float64{math.NaN()}, []bool{false}, 0}, {[]float64{2}, []bool{false}, 0}, {[]float64{1}, []bool{false}, 1}, {[]float64{1}, []bool{false}, math.NaN()}} {
		if _, err := grapheval.Calibrate(bad.scores, bad.labels, bad.share); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
}

// No more than the allowed share of consistent outputs lies above the cutoff,
// and no lower score would do.
func TestCalibrateHoldsItsPromise(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		n := 1 + rng.IntN(40)
		scores, labels := make([]float64, n), make([]bool, n)
		consistent := 0
		for i := range scores {
			scores[i], labels[i] = float64(rng.IntN(10))/9, rng.IntN(3) == 0
			if !labels[i] {
				consistent++
			}
		}
		share := rng.Float64() * 0.9
		cut, err := grapheval.Calibrate(scores, labels, share)
		if consistent == 0 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		above := func(x float64) int {
			k := 0
			for i, s := range scores {
				if !labels[i] && s > x {
					k++
				}
			}
			return k
		}
		allowed := int(share * float64(consistent))
		if above(cut) > allowed {
			t.Fatalf("%d of %d consistent outputs above %v, allowed %d", above(cut), consistent, cut, allowed)
		}
		if cut > 0 && above(cut-1e-9) <= allowed {
			t.Fatalf("%v is not the lowest cutoff", cut)
		}
	}
}

// A fit finds the parameters that made the data, more claims need a surer worst
// one, and at most 5% of the consistent outputs pass the stricter cutoff.
func TestFit(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	logit := func(p float64) float64 { return math.Log(p / (1 - p)) }
	var outputs []grapheval.Labelled
	for range 4000 {
		o := grapheval.Labelled{Worst: 0.02 + 0.96*rng.Float64(), Claims: 1 + rng.IntN(12)}
		x := 1.5*(logit(o.Worst)-logit(0.6)) - 0.7*math.Log(float64(o.Claims)) + 0.5
		o.Inconsistent = rng.Float64() < 1/(1+math.Exp(-x))
		outputs = append(outputs, o)
	}
	c, err := grapheval.Fit(outputs)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(c.Slope-1.5) > 0.2 || math.Abs(c.Claims-0.7) > 0.2 || !c.Measured || c.Threshold > c.Center {
		t.Errorf("%+v", c)
	}
	if c.FewFalseAlarms <= c.Balanced {
		t.Errorf("cutoffs %v and %v", c.Balanced, c.FewFalseAlarms)
	}
	for _, bad := range [][]grapheval.Labelled{nil, {{Worst: 0.5, Claims: 1}}, {{Worst: 0.5, Claims: 1, Inconsistent: true}}, {{Worst: 2, Claims: 1}, {Claims: 1, Inconsistent: true}}, {{Claims: 0}, {Claims: 1, Inconsistent: true}}} {
		if _, err := grapheval.Fit(bad); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
	// A set in which everything has many claims and is consistent does not teach
	// that many claims are good.
	mixed := append([]grapheval.Labelled(nil), outputs...)
	for i := range mixed {
		mixed[i].Set, mixed[i].Claims = "few", 2
	}
	for range 1000 {
		o := grapheval.Labelled{Set: "many", Worst: 0.02 + 0.96*rng.Float64(), Claims: 12}
		o.Inconsistent = rng.IntN(20) == 0
		mixed = append(mixed, o)
	}
	if m, err := grapheval.Fit(mixed); err != nil || m.Claims > 0.3 {
		t.Errorf("%+v, %v", m, err)
	}
	// Data that a line separates, and data without any order, stay finite.
	for _, odd := range [][]grapheval.Labelled{
		{{Worst: 0, Claims: 1}, {Worst: 1, Claims: 1, Inconsistent: true}},
		{{Worst: 1, Claims: 1}, {Worst: 0, Claims: 9, Inconsistent: true}},
		{{Worst: 0.5, Claims: 1}, {Worst: 0.5, Claims: 1, Inconsistent: true}},
	} {
		c, err := grapheval.Fit(odd)
		if err != nil || math.IsNaN(c.Slope+c.Center+c.Claims+c.FewFalseAlarms) || c.Slope <= 0 {
			t.Errorf("%+v: %+v, %v", odd, c, err)
		}
		if _, err := grapheval.New(grapheval.Options{Extractor: clauses{}, Model: lookup(), Calibration: &c}); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// The output's probability grows with the worst claim, and falls with the number
// of claims.
func TestOutputProbability(t *testing.T) {
	at := func(p float64, n int) claim.Result {
		m := &scripted{answer: func(_, h string) nli.Probs {
			if strings.HasPrefix(h, "A0") {
				return nli.Probs{Entailment: 1 - p, Neutral: p}
			}
			return nli.Probs{Entailment: 1}
		}}
		output := ""
		for i := range n {
			output += "A" + string(rune('0'+i)) + " | r | bees. "
		}
		return check(t, checker(t, m), output, "Anything.")
	}
	last := -1.0
	for _, p := range []float64{0, 0.1, 0.3, 0.5, 0.51, 0.7, 0.9, 0.99, 1} {
		r := at(p, 1)
		if r.PInconsistent <= last {
			t.Errorf("P does not grow at %v", p)
		}
		last = r.PInconsistent
		if (p > 0.5) != (r.Outcome == claim.Inconsistent) {
			t.Errorf("one claim with %v: %q", p, r.Outcome)
		}
		if many := at(p, 8); many.PInconsistent >= r.PInconsistent || many.ClaimCutoff <= r.ClaimCutoff {
			t.Errorf("at %v eight claims give %v, one gives %v", p, many.PInconsistent, r.PInconsistent)
		}
	}
	// A claim said twice is one claim.
	twice := check(t, checker(t, lookup()), "Ada | r | bees. Ada | r | bees.", "Anything.")
	once := check(t, checker(t, lookup()), "Ada | r | bees.", "Anything.")
	if twice.PInconsistent != once.PInconsistent || len(twice.Claims) != 2 {
		t.Errorf("%v and %v", twice.PInconsistent, once.PInconsistent)
	}
}

func TestOperatingPoints(t *testing.T) {
	m := &scripted{answer: func(string, string) nli.Probs { return nli.Probs{Entailment: 0.3, Neutral: 0.7} }}
	balanced := check(t, checker(t, m), "A | r | B.", "Anything.")
	guarded := check(t, checker(t, m, func(o *grapheval.Options) { o.Point = grapheval.FewFalseAlarms }), "A | r | B.", "Anything.")
	if balanced.Outcome != claim.Inconsistent || guarded.Outcome != claim.Consistent || balanced.PInconsistent != guarded.PInconsistent {
		t.Errorf("%q and %q", balanced.Outcome, guarded.Outcome)
	}
	if guarded.Claims[0].Verdict != claim.Unsupported {
		t.Error("the operating point changes the claim's verdict")
	}
}

func TestCalibrationFor(t *testing.T) {
	if c := grapheval.CalibrationFor("a model that nobody knows"); c.Measured || c.Threshold != 0.5 {
		t.Errorf("%+v", c)
	}
	a, b := grapheval.CalibrationFor("kgeval/lexical-1"), grapheval.CalibrationFor("kgeval/lexical-2")
	if !a.Measured || a != b {
		t.Errorf("%+v, %+v", a, b)
	}
}

func TestWorst(t *testing.T) {
	r := claim.Result{Claims: []claim.Claim{
		{Text: "a", Verdict: claim.Supported, PInconsistent: 0.2, Risk: 0.2},
		{Text: "b", Verdict: claim.Conflicting, PInconsistent: 0.1, Contradiction: 0.8, Risk: 0.8},
		{Text: "b", Verdict: claim.Conflicting, PInconsistent: 0.1, Contradiction: 0.8, Risk: 0.8},
		{Text: "c", Verdict: claim.Unknown, PInconsistent: 1, Risk: 1},
	}}
	if p, n, ok := grapheval.Worst(r); p != 0.8 || n != 3 || !ok {
		t.Errorf("%v %v %v", p, n, ok)
	}
	if _, _, ok := grapheval.Worst(claim.Result{Claims: r.Claims[3:]}); ok {
		t.Error("an output of unknown claims can be fitted")
	}
}
