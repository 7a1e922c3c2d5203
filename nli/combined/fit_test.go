package combined

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/kgeval/kgeval/nli"
)

// outputs makes examples whose label is drawn from what the trained model says
// of the least sure statement, while the rules say nothing of worth.
func outputs(set string, n int, seed uint64) []Example {
	r := rand.New(rand.NewPCG(seed, 1))
	var out []Example
	for range n {
		ex := Example{Set: set}
		least := math.Inf(1)
		for range 1 + r.IntN(4) {
			var o Opinion
			o.Trained.Entailment = r.Float64()
			o.Rules.Probs.Entailment = r.Float64()
			least = min(least, logit(o.Trained.Entailment))
			ex.Opinions = append(ex.Opinions, o)
		}
		ex.Consistent = r.Float64() < 1/(1+math.Exp(-2*(least+0.7)))
		out = append(out, ex)
	}
	return out
}

func TestFitFindsWhatTells(t *testing.T) {
	w, err := Fit(outputs("a", 3000, 1))
	if err != nil {
		t.Fatal(err)
	}
	if w.Of["trained"] < 1 || math.Abs(w.Of["rules"]) > 0.3 {
		t.Errorf("the trained model alone tells: %+v", w)
	}
}

func TestFitIsTheSameInAnyOrderOfTheSets(t *testing.T) {
	a, b := outputs("a", 200, 1), outputs("b", 300, 2)
	x, err := Fit(append(append([]Example{}, a...), b...))
	if err != nil {
		t.Fatal(err)
	}
	y, err := Fit(append(append([]Example{}, b...), a...))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range Names() {
		if math.Abs(x.Of[n]-y.Of[n]) > 2e-3 {
			t.Errorf("%s: %v in one order, %v in the other", n, x.Of[n], y.Of[n])
		}
	}
}

func TestFitRefuses(t *testing.T) {
	one := outputs("a", 50, 3)
	for i := range one {
		one[i].Consistent = true
	}
	if _, err := Fit(one); !errors.Is(err, ErrOneSided) {
		t.Errorf("one label: %v", err)
	}
	if _, err := Fit(nil); !errors.Is(err, ErrOneSided) {
		t.Errorf("no examples: %v", err)
	}
	if _, err := Fit(outputs("a", 50, 4), "moon"); err == nil {
		t.Error("a part that there is not was fitted")
	}
}

func TestFitLeavesOutWhatCouldNotBeJudged(t *testing.T) {
	a := outputs("a", 400, 5)
	x, err := Fit(a)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a {
		a[i].Opinions = append(a[i].Opinions, Opinion{Probs: nli.Probs{Err: errors.New("unread")}})
	}
	y, err := Fit(a)
	if err != nil {
		t.Fatal(err)
	}
	if x.Bias != y.Bias {
		t.Errorf("bias %v, with unread statements %v", x.Bias, y.Bias)
	}
}

// Each built-in network is weighed as was fitted for it, whatever its version; any
// other as the small one, until somebody fits it.
func TestFittedForItsModel(t *testing.T) {
	small, accurate := FittedFor("kgeval/nli-small-2/1@ab+cd"), FittedFor("kgeval/nli-accurate-9/1@ab+cd")
	if small.Of["trained"] >= accurate.Of["trained"] {
		t.Errorf("the larger network counts %v, the small one %v", accurate.Of["trained"], small.Of["trained"])
	}
	if other := FittedFor("acme/nli"); other.Bias != small.Bias || other.Of["rules"] != small.Of["rules"] {
		t.Errorf("an unknown model: %v, want %v", other, small)
	}
}
