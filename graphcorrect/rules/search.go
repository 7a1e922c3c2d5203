package rules

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nlp/slot"
)

const (
	// maxJudged bounds the corrections of one claim that the judge is asked about.
	maxJudged = 8
	// maxSentence is the longest sentence that is searched, in bytes.
	maxSentence = 2000
	// maxValues bounds the values that are tried in one place, maxForms the places
	// of one value that are looked at.
	maxValues, maxForms = 200, 50
	// sure is the least share of all likelihood that the best correction must have,
	// gain the least by which the judge must hold the sentence to be more supported
	// with it; gainKnown where what it replaces stands in a source.
	sure      = 0.5
	gain      = 0.05
	gainKnown = 0.15
)

// What speaks for a correction, in log-odds. They were fitted on the fit half of
// the documents of SummEdits, with one value of a right text made wrong (kgeval
// bench correct-swaps), as a choice among all attempts for a text.
const (
	byRule      = 17   // a difference from the evidence, put right by rule
	byCut       = 8.5  // a negation that the evidence has not, taken out
	bySurprise  = 4.1  // the value that it replaces stands in no source
	byAbsence   = 1.5  // the output has the new value nowhere
	byNearest   = 0.9  // as much around its place as around any other's
	byNear      = 0.24 // for each word of the sentence that stands around its place
	byJudge     = 0.55 // for each unit of log-odds that the judge's support rises
	againstLone = 2.9  // a word that opens sentences, and may be no name
	againstNum  = 0.6  // a number or date
	mostNear    = 60
)

// attempt is a correction that may be right.
type attempt struct {
	edits  []claim.Edit
	source int     // that the judge reads
	score  float64 // log-odds
	known  bool    // a source has the value that is replaced
}

// search tries the values of the sources in the place of each value of the claim,
// and its negations the other way round, and returns the correction that is
// likeliest by where the value stands and by what the judge holds of the sentence
// with it; none where it is not sure.
func (k *reading) search(ctx context.Context, s claim.Sample) ([]claim.Edit, error) {
	size := 0
	for _, src := range s.Sources {
		size += len(src.Text)
	}
	if size > maxForeign || k.claim.Sentence.Len() > maxSentence {
		return nil, nil
	}
	tries, err := k.attempts(ctx, s)
	if err != nil || len(tries) == 0 {
		return nil, err
	}
	pairs := []nli.Pair{{Premise: k.source, Hypothesis: k.claim.Sentence.Of(k.output)}}
	for _, t := range tries {
		pairs = append(pairs, nli.Pair{Premise: s.Sources[t.source].Text, Hypothesis: k.with(t.edits)})
	}
	probs, err := k.p.judge.Classify(ctx, pairs)
	if err != nil {
		return nil, err
	}
	if len(probs) != len(pairs) {
		return nil, fmt.Errorf("rules: %s answered %d of %d pairs", k.p.judge.ID(), len(probs), len(pairs))
	}
	was := probs[0]
	best := -1
	for i := range tries {
		if now := probs[i+1]; now.Err != nil || was.Err != nil {
			tries[i].score = math.Inf(-1)
		} else {
			tries[i].score += byJudge * (logOdds(now.Entailment) - logOdds(was.Entailment))
		}
		if best < 0 || tries[i].score > tries[best].score {
			best = i
		}
	}
	need := gain
	if tries[best].known {
		need = gainKnown
	}
	if math.IsInf(tries[best].score, -1) || probs[best+1].Entailment < was.Entailment+need {
		return nil, nil
	}
	all := 0.0 // of what would change the same place otherwise, or another place instead
	for _, t := range tries {
		all += math.Exp(t.score - tries[best].score)
	}
	if 1/all <= sure {
		return nil, nil
	}
	return tries[best].edits, nil
}

// logOdds of a probability, bounded: no judge is surer than 1 in 1,000.
func logOdds(p float64) float64 {
	p = min(max(p, 1e-3), 1-1e-3)
	return math.Log(p / (1 - p))
}

// with is the claim's sentence after edits, which lie inside of it.
func (k *reading) with(edits []claim.Edit) string {
	var b strings.Builder
	at := k.claim.Sentence.Start
	for _, e := range slices.SortedFunc(slices.Values(edits), func(a, b claim.Edit) int { return a.Span.Start - b.Span.Start }) {
		b.WriteString(k.output[at:e.Span.Start])
		b.WriteString(e.New)
		at = e.Span.End
	}
	b.WriteString(k.output[at:k.claim.Sentence.End])
	return b.String()
}

// attempts are the likeliest corrections to try, each text once, the likeliest
// first, before the judge is asked.
func (k *reading) attempts(ctx context.Context, s claim.Sample) ([]attempt, error) {
	there, err := mentions(ctx, s)
	if err != nil {
		return nil, err
	}
	var out []attempt
	var together []claim.Edit
	for _, d := range k.differences() {
		if e := k.correct(d); len(e) > 0 {
			out = append(out, attempt{edits: e, source: k.evidence.Index, score: byRule})
			if !clash(together, e) {
				together = append(together, e...)
			}
		}
	}
	if len(out) > 1 { // where several things are wrong, one put right may help nothing
		out = append(out, attempt{edits: together, source: k.evidence.Index, score: byRule})
	}
	for _, a := range k.saidSlots {
		switch {
		case !k.inClaim(a.Span):
		case a.Kind == slot.Negation:
			if e := k.affirm(a); len(e) > 0 && !k.deniedToo(a) {
				out = append(out, attempt{edits: k.borneOut(e), source: k.evidence.Index, score: byCut})
			}
		case searched(a.Kind) && !vague(a):
			more, err := k.values(ctx, s, a, there)
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
		}
	}
	for v, t := range k.said {
		if strings.HasPrefix(t.Tag, "VB") && k.inClaim(t.Span) && !k.negated(v) {
			if e := k.denial(v); len(e) > 0 {
				out = append(out, attempt{edits: k.borneOut(e), source: k.evidence.Index})
			}
		}
	}
	out = slices.DeleteFunc(out, func(t attempt) bool {
		return slices.ContainsFunc(t.edits, func(e claim.Edit) bool {
			return !k.claim.Sentence.Contains(e.Span) || e.Span.Of(k.output) == e.New || marked(k.output, e.Span) || strings.ContainsAny(e.New, "|`\n\r")
		})
	})
	slices.SortStableFunc(out, func(a, b attempt) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	seen := map[string]bool{}
	out = slices.DeleteFunc(out, func(t attempt) bool {
		text := k.with(t.edits)
		again := seen[text]
		seen[text] = true
		return again
	})
	return out[:min(len(out), maxJudged)], nil
}

// deniedToo reports whether the evidence negates any word of meaning that the
// negation s of the output governs.
func (k *reading) deniedToo(s slot.Slot) bool {
	for _, t := range k.said {
		if !content(t) || !s.Scope.Contains(t.Span) {
			continue
		}
		for i, e := range k.told {
			if e.Lemma == t.Lemma && k.governed(i) {
				return true
			}
		}
	}
	return false
}

// borneOut gives edits of a negation the evidence as their reason.
func (k *reading) borneOut(edits []claim.Edit) []claim.Edit {
	e := k.evidence
	e.Role = claim.Contradicts
	for i := range edits {
		edits[i].Reason, edits[i].Evidence = fmt.Sprintf("negation: the source says %q", k.evidence.Text), &e
	}
	return edits
}

// values are the attempts to put another value of the sources into a's place, each
// value once.
func (k *reading) values(ctx context.Context, s claim.Sample, a slot.Slot, there []mention) ([]attempt, error) {
	want := k.wanted(a)
	sought := slices.Sorted(maps.Keys(want))
	var all [][]mention // the places of each value, the one with most around it first
	most := 1.0
	for _, m := range there {
		b := m.slot
		if b.Kind != a.Kind || b.Unit != a.Unit || slot.Compare(a, b).Compatible() || k.holds(k.saidSlots, b) {
			continue
		}
		if a.Kind == slot.Name && (len(b.Words) == 0 || k.states(b.Text, a.Span)) || vague(b) {
			continue
		}
		at := slices.IndexFunc(all, func(v []mention) bool { return slot.Compare(v[0].slot, b).Compatible() })
		if at < 0 && len(all) == maxValues || at >= 0 && len(all[at]) == maxForms {
			continue
		}
		words, err := k.surroundings(ctx, s.Sources[m.source].Text, b.Span)
		if err != nil {
			return nil, err
		}
		for _, w := range sought { // in a fixed order: the sum of floats depends on it
			m.score += words[w] * want[w]
		}
		most = max(most, m.score)
		switch {
		case at < 0:
			all = append(all, []mention{m})
		case m.score > all[at][0].score:
			all[at] = append([]mention{m}, all[at]...)
		default:
			all[at] = append(all[at], m)
		}
	}
	base, inSources := 0.0, known(a, there, s.Sources)
	if !inSources {
		base += bySurprise
	}
	if a.Kind != slot.Name {
		base -= againstNum
	}
	var out []attempt
	for _, v := range all {
		m := v[0]
		if a.Kind == slot.Name {
			m = asLong(v, len(a.Words))
		}
		e := k.substitute(s, a, m, fmt.Sprintf("%s: where the source speaks of this it has %q", kindOf(a.Kind), oneLine(m.slot.Text)))
		if len(e) == 0 {
			continue
		}
		if inSources && a.Kind == slot.Name {
			// What the sources know is changed for its like only.
			if ok, err := k.fits(ctx, s, a, v[0]); err != nil {
				return nil, err
			} else if !ok {
				continue
			}
		}
		score := base + byNear*min(v[0].score, mostNear) + byNearest*v[0].score/most
		if !strings.Contains(k.output, e[0].New) {
			score += byAbsence
		}
		if a.Kind == slot.Name && lone(v, s.Sources) {
			score -= againstLone
		}
		out = append(out, attempt{edits: e, source: m.source, score: score, known: inSources})
	}
	return out, nil
}

// vague reports whether a number is a word like "one" or "a couple of", which often
// counts nothing.
func vague(a slot.Slot) bool {
	return a.Kind == slot.Number && a.Value <= 2 && !strings.ContainsAny(a.Text, "0123456789")
}

// asLong returns the first form of a name with so many words, or else the first.
func asLong(forms []mention, words int) mention {
	for _, f := range forms {
		if len(f.slot.Words) == words {
			return f
		}
	}
	return forms[0]
}

// lone reports whether a name is one word that stands at the beginning of
// sentences only: it may be a word like any other.
func lone(forms []mention, sources []claim.Source) bool {
	for _, m := range forms {
		if len(m.slot.Words) > 1 {
			return false
		}
		before := strings.TrimRight(sources[m.source].Text[:m.slot.Span.Start], " \t\n\r'\"“‘(")
		if before != "" && !strings.ContainsAny(before[len(before)-1:], ".!?:;-") {
			return false
		}
	}
	return true
}

// wanted are the claim's words of meaning other than those of a, those near it
// counting double.
func (k *reading) wanted(a slot.Slot) map[string]float64 {
	want := map[string]float64{}
	for _, t := range k.said {
		if !content(t) || t.Overlaps(a.Span) {
			continue
		}
		w := 1.0
		if t.Start-a.Span.End < 30 && a.Span.Start-t.End < 30 {
			w = 2
		}
		want[t.Lemma] = max(want[t.Lemma], w)
	}
	return want
}
