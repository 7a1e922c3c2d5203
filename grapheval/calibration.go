package grapheval

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
)

// Calibration turns the claims' P(inconsistent) into the output's.
//
// A claim's risk is its P(inconsistent) p, and for a contradicted claim, with the
// contradiction q over one half,
//
//	risk = sigmoid(logit(p) + Denial*logit(q))
//
// since a source that says the contrary weighs more than silence. For a
// conflicting claim it is the greater of p and the denial's share q/(q+support),
// which counts for more than one half only where the denial is clearly the
// stronger (by 0.1). With r the largest risk among n claims, the output's is
//
//	P = sigmoid(Slope*(logit(r) - logit(Center)) - Claims*ln(n))
//
// so the more claims an output has, the surer the worst one must be. (With a
// fixed threshold per claim, 5% false alarms a claim are 46% over 12 claims.)
// Because Claims is not negative and Center not below Threshold, an output is
// never inconsistent without a claim that is not supported.
type Calibration struct {
	// Threshold is the P(inconsistent) in (0,1) above which a claim is not
	// supported.
	Threshold float64
	// Denial is the weight of contradiction in a contradicted claim's risk, at
	// least 0.
	Denial float64
	// Center is the risk in [Threshold,1) at which an output of one
	// claim has P = 1/2.
	Center float64
	// Slope is positive; 1 leaves the claim's probability as it is.
	Slope float64
	// Claims is the weight of ln(number of claims), at least 0.
	Claims float64
	// Balanced and FewFalseAlarms are the cutoffs in (0,1) of P for the two
	// operating points: an output is inconsistent when P is greater.
	Balanced       float64
	FewFalseAlarms float64
	// Measured says that the numbers were fitted for the model at hand; false
	// for the fallback.
	Measured bool
}

// Uncalibrated takes the largest P(inconsistent) of any claim as the output's,
// with a threshold and cutoff of 0.5, as the paper does.
func Uncalibrated() Calibration {
	return Calibration{Threshold: 0.5, Center: 0.5, Slope: 1, Balanced: 0.5, FewFalseAlarms: 0.95}
}

func uncalibrated() *Calibration {
	c := Uncalibrated()
	return &c
}

// measured holds the calibrations by the beginning of the model's ID, so that
// one holds for all versions of a family until it is measured again.
// docs/grapheval.md says on which halves of which data they were fitted.
func measured() []struct {
	family string
	Calibration
} {
	return []struct {
		family string
		Calibration
	}{
		{"kgeval/combined-2(kgeval/nli-small-", Calibration{Threshold: 0.5, Denial: 0.5, Center: 0.505, Slope: 0.701, Claims: 0, Balanced: 0.5, FewFalseAlarms: 0.737, Measured: true}},
		{"kgeval/combined-2(kgeval/nli-accurate-", Calibration{Threshold: 0.457, Denial: 0.5, Center: 0.457, Slope: 0.919, Claims: 0.246, Balanced: 0.5, FewFalseAlarms: 0.708, Measured: true}},
		{"kgeval/lexical-", Calibration{Threshold: 0.5, Denial: 0.5, Center: 0.546, Slope: 0.65, Claims: 0, Balanced: 0.5, FewFalseAlarms: 0.744, Measured: true}},
	}
}

// CalibrationFor returns the calibration that was measured for the family of a
// model, told by the beginning of its ID, or a fallback with Measured false:
// threshold 0.5, half a unit of log-odds for each factor e in the number of
// claims. To calibrate a model of your own, check labelled outputs, fit with
// Fit, and set Options.Calibration.
func CalibrationFor(modelID string) Calibration {
	for _, m := range measured() {
		if strings.HasPrefix(modelID, m.family) {
			return m.Calibration
		}
	}
	return Calibration{Threshold: 0.5, Center: 0.5, Slope: 1, Claims: 0.5, Balanced: 0.5, FewFalseAlarms: 0.95}
}

// Validate reports the first number that is out of its range.
func (c Calibration) Validate() error {
	in := func(x float64) bool { return x > 0 && x < 1 }
	switch {
	case !in(c.Threshold):
		return fmt.Errorf("grapheval: calibration: threshold %v is not in (0,1)", c.Threshold)
	case !(c.Center >= c.Threshold && c.Center < 1):
		return fmt.Errorf("grapheval: calibration: center %v is not in [%v,1)", c.Center, c.Threshold)
	case !(c.Slope > 0) || math.IsInf(c.Slope, 0):
		return fmt.Errorf("grapheval: calibration: slope %v is not positive", c.Slope)
	case !(c.Denial >= 0) || math.IsInf(c.Denial, 0):
		return fmt.Errorf("grapheval: calibration: weight of denial %v is negative", c.Denial)
	case !(c.Claims >= 0) || math.IsInf(c.Claims, 0):
		return fmt.Errorf("grapheval: calibration: weight of claims %v is negative", c.Claims)
	case !(c.Balanced >= 0.5 && c.Balanced < 1):
		return fmt.Errorf("grapheval: calibration: balanced cutoff %v is not in [0.5,1)", c.Balanced)
	case !(c.FewFalseAlarms >= 0.5 && c.FewFalseAlarms < 1):
		return fmt.Errorf("grapheval: calibration: cutoff for few false alarms %v is not in [0.5,1)", c.FewFalseAlarms)
	}
	return nil
}

// clearly is how much stronger a denial must be than the support beside it to
// weigh more than one half.
const clearly = 0.1

// risk is what a judged claim weighs in the output's probability.
func (c Calibration) risk(k claim.Claim, ignoreConflicts bool) float64 {
	p, q := k.PInconsistent, k.Contradiction
	switch {
	case k.Verdict == claim.Unknown:
		return 1
	case k.Verdict == claim.Contradicted && c.Denial > 0 && q > 0.5 && p > 0 && p < 1:
		return sigmoid(logit(p) + c.Denial*logit(q))
	case k.Verdict == claim.Conflicting && !ignoreConflicts:
		share := q / (q + k.Support)
		if q <= k.Support+clearly {
			share = min(share, 0.5)
		}
		return max(p, share)
	}
	return p
}

// Output returns the P(inconsistent) of an output whose worst of n claims has the
// given risk, as Worst tells both; 0 for no claims. It is in [0,1] and grows with the
// risk.
func (c Calibration) Output(worst float64, n int) float64 { return c.output(worst, n) }

// output returns the output's P(inconsistent) for the largest risk p of n claims.
// The result is in [0,1] and grows with p.
func (c Calibration) output(p float64, n int) float64 {
	if n <= 0 {
		return 0
	}
	if c.Slope == 1 && c.Claims == 0 && c.Center == 0.5 {
		return p // exactly, without a detour through logits
	}
	return sigmoid(c.Slope*(logit(p)-logit(c.Center)) - c.Claims*math.Log(float64(n)))
}

// claimCutoff returns the p at which output reaches the cutoff of a point.
func (c Calibration) claimCutoff(point OperatingPoint, n int) float64 {
	x := logit(c.cutoff(point)) + c.Claims*math.Log(float64(max(n, 1)))
	return sigmoid(logit(c.Center) + x/c.Slope)
}

// cutoff returns the cutoff of an operating point.
func (c Calibration) cutoff(p OperatingPoint) float64 {
	if p == FewFalseAlarms {
		return c.FewFalseAlarms
	}
	return c.Balanced
}

// logit is bounded to what a probability of 1e-6 gives, so that a model which
// is sure of itself cannot make a result infinite.
func logit(p float64) float64 {
	p = min(max(p, 1e-6), 1-1e-6)
	return math.Log(p / (1 - p))
}

func sigmoid(x float64) float64 {
	if x >= 0 {
		return 1 / (1 + math.Exp(-x))
	}
	e := math.Exp(x)
	return e / (1 + e)
}

// ErrNoConsistent says that a calibration set holds no consistent output.
var ErrNoConsistent = errors.New("grapheval: calibration needs at least one consistent output")

// Calibrate returns the lowest cutoff at which at most the share
// maxFalseAlarm, in [0,1), of the consistent outputs has a greater score.
// Scores are the outputs' PInconsistent in [0,1]; inconsistent says which
// outputs are. Use it to find the cutoff of an operating point on labelled
// outputs of your own; never report its false alarms on those same outputs.
func Calibrate(scores []float64, inconsistent []bool, maxFalseAlarm float64) (float64, error) {
	if len(scores) != len(inconsistent) {
		return 0, fmt.Errorf("grapheval: %d scores for %d labels", len(scores), len(inconsistent))
	}
	if !(maxFalseAlarm >= 0 && maxFalseAlarm < 1) {
		return 0, fmt.Errorf("grapheval: share of false alarms %v is not in [0,1)", maxFalseAlarm)
	}
	var good []float64
	for i, s := range scores {
		if !(s >= 0 && s <= 1) {
			return 0, fmt.Errorf("grapheval: score %v of output %d is not in [0,1]", s, i)
		}
		if !inconsistent[i] {
			good = append(good, s)
		}
	}
	if len(good) == 0 {
		return 0, ErrNoConsistent
	}
	slices.Sort(good)
	allowed := int(maxFalseAlarm * float64(len(good))) // how many may lie above
	return good[len(good)-1-allowed], nil
}
