package combined

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"
)

// The parts of an opinion, in the order of Opinion.Parts.
var names = []string{"trained", "rules"}

// Names returns the names of the parts, in their order.
func Names() []string { return slices.Clone(names) }

// Weights say what each part counts: the log-odds of entailment are Bias and the
// sum of every part's value times its weight.
type Weights struct {
	Bias float64            `json:"bias"`
	Of   map[string]float64 `json:"weights"`
}

// features are the values of the parts.
func features(o *Opinion) []float64 {
	return []float64{
		logit(o.Trained.Entailment),
		logit(o.Rules.Probs.Entailment),
	}
}

// logit of a probability, bounded: no model is surer than 1 in 1,000.
func logit(p float64) float64 {
	const least = 1e-3
	p = min(max(p, least), 1-least)
	return math.Log(p / (1 - p))
}

// Entailment is the probability that these weights give to an opinion: that of
// the rules where they judged alone, 0 where nothing could be judged.
func (w Weights) Entailment(o Opinion) float64 {
	switch {
	case o.Probs.Err != nil:
		return 0
	case len(o.Parts) == 0:
		return o.Rules.Probs.Entailment
	}
	w.weigh(&o)
	return o.Probs.Entailment
}

func (w Weights) validate() error {
	finite := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	if !finite(w.Bias) {
		return fmt.Errorf("nli/combined: bias %v is no number", w.Bias)
	}
	for name, x := range w.Of {
		if !slices.Contains(names, name) {
			return fmt.Errorf("nli/combined: there is no part %q to weigh; the parts are %q", name, names)
		}
		if !finite(x) {
			return fmt.Errorf("nli/combined: weight %v of %q is no number", x, name)
		}
	}
	return nil
}

// sum is a short checksum of the weights.
func (w Weights) sum() string {
	h := sha256.New()
	fmt.Fprintf(h, "%v", w.Bias)
	for _, n := range names {
		fmt.Fprintf(h, " %s %v", n, w.Of[n])
	}
	return fmt.Sprintf("%.4x", h.Sum(nil))
}

// FittedFor returns the weights for a trained model, told by the beginning of its
// ID: those of builtin.Accurate for its family, those of builtin.New for every
// other. They were fitted by
//
//	kgeval bench combine
//
// on one half of the documents of the development data of grounding/, all sets
// and both labels of each weighing alike. docs/results/combine.md has what they
// do on the other half, and on each set when it is left out.
func FittedFor(modelID string) Weights {
	if strings.HasPrefix(modelID, "kgeval/nli-accurate-") {
		return Weights{Bias: 0.305, Of: map[string]float64{"trained": 0.564, "rules": 0.626}}
	}
	return Weights{Bias: 0.239, Of: map[string]float64{"trained": 0.16, "rules": 0.532}}
}
