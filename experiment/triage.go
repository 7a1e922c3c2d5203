package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
)

// Need is how much an answer needs a human's eye.
type Need struct {
	// Value is in [0,1]; see NeedOf.
	Value float64
	// Reasons say why, the weightiest first.
	Reasons []string
}

// NeedOf returns how much a checked answer needs a human's eye. Four things call for one,
// and are taken together as if they were independent,
//
//	need = 1 - (1-p) (1-u/2) (1-c/2) (1-d/2)
//
// where p is the output's P(inconsistent), u how near it is to the point where the verdict
// turns (exp of minus the distance in log-odds), c is 1 if sources disagree about a claim,
// and d is how far apart the parts of the model are that judge the worst claim (their
// largest difference in log-odds, halved with every 4 units that they lack). An answer
// that could not be judged has the need 1, one without claims 0.1: there is nothing to
// look at but that.
//
// It ranks; it is no probability.
func NeedOf(r claim.Result) Need {
	switch r.Outcome {
	case claim.NoClaims:
		return Need{0.1, []string{"it states nothing that can be checked"}}
	case claim.OutcomeUnknown:
		return Need{1, append([]string{"it could not be judged"}, causes(r)...)}
	}
	p, _ := r.Score()
	u := math.Exp(-math.Abs(logit(p) - logit(r.Cutoff)))
	c := 0.0
	if r.Counts.Conflicting > 0 {
		c = 1
	}
	d := 0.0
	flagged := r.Flagged()
	if len(flagged) > 0 {
		d = apart(r.Claims[flagged[0]])
	}
	n := Need{Value: 1 - (1-p)*(1-u/2)*(1-c/2)*(1-d/2)}
	if r.Outcome == claim.Inconsistent {
		n.Reasons = append(n.Reasons, fmt.Sprintf("it is judged inconsistent (P %.2f)", p))
	}
	for i, at := range flagged {
		if i == 3 {
			n.Reasons = append(n.Reasons, fmt.Sprintf("and %d claims more", len(flagged)-i))
			break
		}
		n.Reasons = append(n.Reasons, claimReason(r.Claims[at]))
	}
	if u > 0.5 {
		n.Reasons = append(n.Reasons, fmt.Sprintf("the verdict is close: P %.2f, and it turns at %.2f", p, r.Cutoff))
	}
	if d > 0.5 {
		n.Reasons = append(n.Reasons, "the network and the rules disagree")
	}
	return n
}

func claimReason(c claim.Claim) string {
	what := "not in the sources"
	switch c.Verdict {
	case claim.Contradicted:
		what = "the sources say otherwise"
	case claim.Conflicting:
		what = "the sources disagree"
	case claim.Unknown:
		what = "could not be judged"
	}
	out := fmt.Sprintf("%s: %q", what, short(c.Text, 120))
	for _, e := range c.Evidence {
		if c.Verdict != claim.Unsupported && e.Text != "" {
			return out + fmt.Sprintf(", against %q in %s", short(e.Text, 120), e.Source)
		}
	}
	return out
}

// causes are why claims could not be judged, each once.
func causes(r claim.Result) []string {
	var out []string
	for _, c := range r.Claims {
		if c.Err != nil {
			if s := short(c.Err.Error(), 120); !slices.Contains(out, s) && len(out) < 3 {
				out = append(out, s)
			}
		}
	}
	for _, n := range r.Notes {
		if len(out) < 3 {
			out = append(out, short(n.Detail, 120))
		}
	}
	return out
}

// short cuts a text behind so many bytes, at a rune's end.
func short(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// apart is in [0,1]: how much the parts of a claim's support contradict each other.
func apart(c claim.Claim) float64 {
	low, high := 0.0, 0.0
	for _, p := range c.Parts {
		low, high = min(low, p.LogOdds), max(high, p.LogOdds)
	}
	// Both a part that speaks for and one that speaks against are needed.
	return 1 - math.Exp2(-min(high, -low)/4)
}

// logit of a probability, within ±20.
func logit(p float64) float64 {
	return max(-20, min(20, math.Log(p)-math.Log1p(-p)))
}

// Labelled is a checked answer that a human looked at.
type Labelled struct {
	// P is the P(inconsistent) that was reported, in [0,1].
	P float64
	// Inconsistent is what the human says.
	Inconsistent bool
	// Group names answers that are not independent; empty stands alone.
	Group string
}

// Point is what a threshold on P(inconsistent) does to labelled answers: those above it
// are flagged.
type Point struct {
	Threshold float64
	// Flagged is how many are above it, and Right how many of these are inconsistent.
	Flagged, Right int
	// Precision is Right of Flagged (1 if none is flagged), Recall the share of the
	// inconsistent ones that are flagged, FalseAlarms that of the consistent ones.
	Precision, Recall, FalseAlarms float64
}

// BalancedAccuracy is the mean of Recall and of the share of consistent answers that are
// not flagged.
func (p Point) BalancedAccuracy() float64 { return (p.Recall + 1 - p.FalseAlarms) / 2 }

// Curve returns what thresholds do, ascending: one that flags all answers (unless P is 0
// for some), one midway between each two neighbouring values of P, and one that flags
// none. It is empty without answers of both labels.
func Curve(answers []Labelled) []Point {
	positive := 0
	thresholds := []float64{0}
	for _, a := range answers {
		if a.Inconsistent {
			positive++
		}
		thresholds = append(thresholds, a.P)
	}
	if positive == 0 || positive == len(answers) {
		return nil
	}
	slices.Sort(thresholds)
	thresholds = slices.Compact(thresholds)
	sorted := slices.Clone(answers)
	slices.SortFunc(sorted, func(a, b Labelled) int {
		switch {
		case a.P < b.P:
			return -1
		case a.P > b.P:
			return 1
		}
		return 0
	})
	out := make([]Point, len(thresholds))
	at, right := 0, positive // right: inconsistent ones from at on
	for i, t := range thresholds {
		for at < len(sorted) && sorted[at].P <= t {
			if sorted[at].Inconsistent {
				right--
			}
			at++
		}
		if i+1 < len(thresholds) {
			t += (thresholds[i+1] - t) / 2
		}
		flagged := len(sorted) - at
		p := Point{Threshold: t, Flagged: flagged, Right: right, Precision: 1,
			Recall:      float64(right) / float64(positive),
			FalseAlarms: float64(flagged-right) / float64(len(sorted)-positive)}
		if flagged > 0 {
			p.Precision = float64(right) / float64(flagged)
		}
		out[i] = p
	}
	return out
}

// Choose returns the point with the largest balanced accuracy among those with at most the
// given share of false alarms; of equal ones the one with fewer of them. The last point of
// a curve flags nothing, so that there always is one; the zero Point without a curve.
func Choose(curve []Point, maxFalseAlarms float64) Point {
	var best Point
	found := false
	for _, p := range curve {
		if p.FalseAlarms > maxFalseAlarms {
			continue
		}
		if !found || p.BalancedAccuracy() > best.BalancedAccuracy() ||
			p.BalancedAccuracy() == best.BalancedAccuracy() && p.FalseAlarms < best.FalseAlarms {
			best, found = p, true
		}
	}
	return best
}

// Bin is a range of P(inconsistent) with what was found there.
type Bin struct {
	// Low and High bound the range; High belongs to it, and 0 to the first.
	Low, High float64
	Answers   int
	// Said is the mean P, Found the share that is inconsistent; 0 without answers.
	Said, Found float64
}

// Reliability cuts [0,1] into n bins of equal width, at least 1, and returns how far what
// was said is from what was found.
func Reliability(answers []Labelled, n int) []Bin {
	n = max(1, n)
	bins := make([]Bin, n)
	for i := range bins {
		bins[i].Low, bins[i].High = float64(i)/float64(n), float64(i+1)/float64(n)
	}
	for _, a := range answers {
		i := max(0, min(n-1, int(math.Ceil(a.P*float64(n)))-1))
		bins[i].Answers++
		bins[i].Said += a.P
		if a.Inconsistent {
			bins[i].Found++
		}
	}
	for i := range bins {
		if k := float64(bins[i].Answers); k > 0 {
			bins[i].Said /= k
			bins[i].Found /= k
		}
	}
	return bins
}

// CalibrationError is the mean distance of said and found, weighed by answers (the
// expected calibration error); 0 without any.
func CalibrationError(bins []Bin) float64 {
	sum, n := 0.0, 0
	for _, b := range bins {
		sum += math.Abs(b.Said-b.Found) * float64(b.Answers)
		n += b.Answers
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
