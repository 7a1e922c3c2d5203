package grapheval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/nli"
)

// ErrShortReply says that a model did not give one result for each pair. The
// claim it concerns is unknown.
var ErrShortReply = errors.New("model returned another number of results than it was asked for")

// judgement is the verdict on one hypothesis.
type judgement struct {
	hypothesis             string
	verdict                claim.Verdict
	support, contradiction float64
	read                   []window // that the model was asked about
	unread                 int      // how many of them it could not judge
	entails, denies        int      // the windows with the greatest probabilities
	bySentence             bool     // support is that of the sentence
	passages               []passage
	err                    error
}

// judgeOne judges one hypothesis against all windows. The error is for what ends
// the run: the context's.
func (p *Prepared) judgeOne(ctx context.Context, q question) (judgement, error) {
	hypothesis := q.text
	j := judgement{hypothesis: hypothesis, verdict: claim.Unknown}
	ws, err := p.forClaim(ctx, q)
	if err != nil {
		if ctx.Err() != nil {
			return j, err
		}
		j.err = err
		return j, nil
	}
	pairs := make([]nli.Pair, len(ws))
	for i, w := range ws {
		pairs[i] = nli.Pair{Premise: w.text, Hypothesis: hypothesis}
	}
	probs, err := p.classify(ctx, pairs)
	if ctx.Err() != nil {
		return j, fmt.Errorf("grapheval: %w", ctx.Err())
	}
	if err != nil {
		j.err = err
		return j, nil
	}
	j.read = ws
	j.entails = best(ws, func(i int) float64 { return probs[i].Entailment }, func(i int) float64 { return -probs[i].Contradiction })
	j.denies = best(ws, func(i int) float64 { return probs[i].Contradiction }, func(i int) float64 { return -probs[i].Entailment })
	j.support, j.contradiction = probs[j.entails].Entailment, probs[j.denies].Contradiction
	j.verdict = verdict(j.support, j.contradiction, p.checker.opts.Threshold)
	for i := range probs {
		if probs[i].Err == nil {
			continue
		}
		j.unread++
		// Support that was found stands whatever could not be read beside it.
		// Everything else might have become support.
		if j.verdict != claim.Supported && j.verdict != claim.Conflicting && j.err == nil {
			j.err = fmt.Errorf("model %s: %w", p.checker.opts.Model.ID(), probs[i].Err)
		}
	}
	if j.err != nil {
		j.verdict = claim.Unknown
	}
	return j, nil
}

// sure is the contradiction beyond which the support of a sentence does not
// outweigh it. Chosen on the development half for fitting, see docs/grapheval.md.
const sure = 0.9

// countsFor reports whether the support of the sentence that states c counts for
// c: both were judged, and c is either in the sentence's own words or not
// surely contradicted.
func (p *Prepared) countsFor(sentence, own judgement, c claim.Claim) bool {
	if sentence.err != nil || own.err != nil || sentence.support <= own.support {
		return false
	}
	if own.contradiction <= sure {
		return true
	}
	words := wordSet(sentence.hypothesis)
	for w := range wordSet(c.Triple.Head + " " + c.Triple.Tail) {
		if !words[w] {
			return false
		}
	}
	return true
}

// withSentence is j with the greater support of its sentence. Where that makes it
// supported, everything else is the sentence's too; otherwise what was found on
// the claim itself tells more about it.
func (j judgement) withSentence(sentence judgement, threshold float64) judgement {
	if v := verdict(sentence.support, sentence.contradiction, threshold); v == claim.Supported || v == claim.Conflicting {
		sentence.bySentence = true
		return sentence
	}
	j.support, j.bySentence = sentence.support, true
	j.verdict = verdict(j.support, j.contradiction, threshold)
	return j
}

// roles returns the windows that bear on the verdict, what decides first.
func (j judgement) roles() (windows []window, roles []claim.Role) {
	if len(j.read) == 0 || j.err != nil {
		return nil, nil
	}
	entails, denies := j.read[j.entails], j.read[j.denies]
	switch j.verdict {
	case claim.Supported:
		return []window{entails}, []claim.Role{claim.Supports}
	case claim.Contradicted:
		return []window{denies}, []claim.Role{claim.Contradicts}
	case claim.Conflicting:
		return []window{denies, entails}, []claim.Role{claim.Contradicts, claim.Supports}
	}
	return []window{entails}, []claim.Role{claim.Nearest}
}

// findEvidence finds the passages of j, by words alone when the time is over. The
// error is the context's.
func (p *Prepared) findEvidence(ctx context.Context, j *judgement, until time.Time) error {
	if p.checker.opts.NoEvidence {
		return nil
	}
	windows, roles := j.roles()
	for i, w := range windows {
		timed, cancel := within(ctx, until)
		e, err := p.passage(timed, w, j.hypothesis, roles[i])
		if timed.Err() != nil && ctx.Err() == nil {
			e, err = p.byWords(w, j.hypothesis, roles[i]), nil
		}
		cancel()
		if err != nil {
			return err
		}
		j.passages = append(j.passages, e)
	}
	return nil
}

// verdict applies the rules of claim.Verdict to what was read of all windows.
func verdict(support, contradiction, threshold float64) claim.Verdict {
	// 1-support against the threshold, as PInconsistent is reported, so that a
	// reader who compares the two numbers comes to the same verdict.
	supported := 1-support <= threshold
	contradicted := contradiction > 0.5
	switch {
	case supported && contradicted:
		return claim.Conflicting
	case supported:
		return claim.Supported
	case contradicted:
		return claim.Contradicted
	}
	return claim.Unsupported
}

// classify asks the model about pairs, in batches. What the model says of one
// pair that it could not judge, or numbers that are no probabilities, are in
// Probs.Err, with the numbers 0. The error is for a call that failed as a whole.
func (p *Prepared) classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	o := p.checker.opts
	out := make([]nli.Probs, 0, len(pairs))
	for len(out) < len(pairs) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		batch := pairs[len(out):min(len(out)+o.Batch, len(pairs))]
		probs, err := guarded(func() ([]nli.Probs, error) { return o.Model.Classify(ctx, batch) })
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", o.Model.ID(), err)
		}
		if len(probs) != len(batch) {
			return nil, fmt.Errorf("model %s: %w: %d for %d pairs", o.Model.ID(), ErrShortReply, len(probs), len(batch))
		}
		for _, q := range probs {
			if err := sound(q); err != nil {
				q = nli.Probs{Err: err}
			}
			out = append(out, q)
		}
	}
	return out, nil
}

// sound reports why q cannot be used.
func sound(q nli.Probs) error {
	if q.Err != nil {
		return q.Err
	}
	sum := 0.0
	for _, x := range [...]float64{q.Entailment, q.Neutral, q.Contradiction} {
		if !(x >= 0 && x <= 1) {
			return &nli.ProbsError{Probs: q}
		}
		sum += x
	}
	// Looser than the contract: a sum of float32 softmaxes may be off by more
	// than 1e-6, and that is no reason to lose a verdict.
	if math.Abs(sum-1) > 1e-3 {
		return &nli.ProbsError{Probs: q}
	}
	return nil
}

// best returns the window with the greatest value; ties go to the greater
// second value, then to the text itself, so that the order of the sources does
// not matter.
func best(ws []window, value, second func(int) float64) int {
	k := 0
	for i := 1; i < len(ws); i++ {
		a, b := value(i), value(k)
		if a < b {
			continue
		}
		if a > b {
			k = i
			continue
		}
		if c, d := second(i), second(k); c > d || c == d && ws[i].before(ws[k]) {
			k = i
		}
	}
	return k
}

// fill writes the judgement into a claim of output.
func (j judgement) fill(c *claim.Claim, output string) {
	c.Verdict, c.Windows, c.Err = j.verdict, len(j.read), j.err
	if j.verdict == claim.Unknown {
		c.PInconsistent = 1
		return
	}
	c.Support, c.Contradiction, c.PInconsistent = j.support, j.contradiction, 1-j.support
	c.BySentence = j.bySentence
	if windows, _ := j.roles(); len(windows) > 0 {
		c.Window = &claim.Window{Index: windows[0].source, Span: windows[0].Span}
	}
	if len(j.passages) > 0 {
		for _, part := range j.passages[0].parts {
			c.Parts = append(c.Parts, claim.Part(part))
		}
	}
	var places places
	for _, e := range j.passages {
		c.Evidence = append(c.Evidence, e.evidence)
		if len(e.reasons) > 0 && places.output == "" {
			places = newPlaces(*c, j.hypothesis, output)
		}
		for _, r := range e.reasons {
			c.Reasons = append(c.Reasons, claim.Reason{
				Kind:       string(r.Kind),
				Detail:     r.Detail,
				OutputSpan: places.find(r.Hypothesis),
				Source:     e.evidence.Index,
				SourceSpan: e.inSource(r.Premise),
			})
		}
	}
}

// decide judges an output by its claims. incomplete says that something of the
// output was not checked.
func (o Options) decide(r *claim.Result, incomplete bool) {
	for i := range r.Claims {
		r.Claims[i].Risk = o.Calibration.risk(r.Claims[i], o.IgnoreConflicts)
	}
	r.Outcome, r.PInconsistent = o.outcome(r.Claims, incomplete)
	_, n, _ := worst(r.Claims)
	r.ClaimCutoff = o.Calibration.claimCutoff(o.Point, n)
}

func (o Options) outcome(claims []claim.Claim, incomplete bool) (claim.Outcome, float64) {
	if len(claims) == 0 {
		if incomplete {
			return claim.OutcomeUnknown, 1
		}
		return claim.NoClaims, 0
	}
	risk, n, unknown := worst(claims)
	p := o.Calibration.output(risk, n)
	switch {
	case p > o.Calibration.cutoff(o.Point):
		return claim.Inconsistent, p
	case unknown || incomplete:
		return claim.OutcomeUnknown, 1
	}
	return claim.Consistent, p
}

// worst returns the largest risk among the claims that were judged, the number of
// different claims, and whether any could not be judged.
func worst(claims []claim.Claim) (risk float64, distinct int, unknown bool) {
	texts := make(map[string]struct{}, len(claims))
	for _, c := range claims {
		texts[c.Text] = struct{}{}
		if c.Verdict == claim.Unknown {
			unknown = true
			continue
		}
		risk = max(risk, c.Risk)
	}
	return risk, len(texts), unknown
}
