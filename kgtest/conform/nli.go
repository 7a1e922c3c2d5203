package conform

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// NLI tests the contract of nli.Model, and of nli.Explainer and nli.Windower
// where it is one. fresh returns a model that is ready; every call must give one
// that behaves the same. The model must be able to judge plain English pairs:
// a sentence is entailed by itself rather than contradicted, it is not entailed by
// its plain negation rather than contradicted, and an empty premise supports
// nothing. It must read what it says it reads: a model that is no nli.Windower a
// premise of any length (asked with some 60 kB), a Windower what its Budget has
// room for.
func NLI(t *testing.T, fresh func() nli.Model, options ...Option) {
	t.Helper()
	run(t, nliRules, fresh, defaults(true), options)
}

var nliRules = []rule[nli.Model]{
	{"the ID is not empty and does not change", nliID},
	{"no pairs give no results", nliNone},
	{"probabilities are in [0,1] and sum to 1", nliProbs},
	{"a result does not depend on the other pairs or its position", nliIndependent},
	{"the same call gives the same result", nliDeterministic},
	{"different pairs are told apart", nliTells},
	{"plain pairs are judged the right way round", nliDirection},
	{"nothing is supported by an empty premise", nliEmpty},
	{"the end of a long premise is read", nliReads},
	{"a context that has ended is an error that wraps its error", nliEnded},
	{"a call ends with its context", nliCancel},
	{"pairs are not changed", nliInputs},
	{"odd texts neither break the call nor each other", nliOdd},
	{"an explanation agrees with the classification", nliExplains},
	{"costs and budget are usable", nliWindows},
	{"safe for concurrent use", nliConcurrent},
	{"no goroutines stay behind", nliLeaks},
}

// plainPairs are pairs of plain sentences, of every kind of verdict.
func plainPairs() []nli.Pair {
	pairs := []nli.Pair{
		{Premise: "Marie Curie discovered radium in Paris in 1898.", Hypothesis: "Marie Curie discovered radium."},
		{Premise: "Marie Curie discovered radium in Paris in 1898.", Hypothesis: "Marie Curie did not discover radium."},
		{Premise: "Marie Curie discovered radium in Paris in 1898.", Hypothesis: "Marie Curie discovered radium in 1912."},
		{Premise: "The bridge in Oslo was closed on Monday.", Hypothesis: "A falcon can dive faster than any other bird."},
		{Premise: "The committee did not accept the proposal.", Hypothesis: "The committee accepted the proposal."},
	}
	texts := plainTexts()
	for i := range 60 {
		pairs = append(pairs, nli.Pair{Premise: texts[i], Hypothesis: texts[(i*7+i%2)%len(texts)]})
	}
	return pairs
}

// classify calls m; ok is true when there is one result for each pair.
func classify(t tb, c config, m nli.Model, in []nli.Pair) (out []nli.Probs, ok bool) {
	t.Helper()
	out, err, ok := call(t, c, fmt.Sprintf("Classify of %d pairs", len(in)), func() ([]nli.Probs, error) {
		return m.Classify(context.Background(), in)
	})
	if !ok {
		return nil, false
	}
	if err != nil {
		t.Errorf("Classify of %d pairs: %v", len(in), err)
		return nil, false
	}
	if len(out) != len(in) {
		t.Errorf("Classify of %d pairs gives %d results", len(in), len(out))
		return nil, false
	}
	return out, true
}

// checkProbs reports what cannot be a result.
func checkProbs(t tb, what string, p nli.Probs) {
	t.Helper()
	sum := 0.0
	for _, x := range []float64{p.Entailment, p.Neutral, p.Contradiction} {
		if p.Err != nil && x != 0 {
			t.Errorf("%s: failed with %v, and yet gives %v, %v, %v", what, p.Err, p.Entailment, p.Neutral, p.Contradiction)
			return
		}
		if !(x >= 0 && x <= 1) {
			t.Errorf("%s: probability %v is not in [0,1]", what, x)
			return
		}
		sum += x
	}
	if p.Err == nil && math.Abs(sum-1) > 1e-6 {
		t.Errorf("%s: probabilities %v, %v, %v sum to %v", what, p.Entailment, p.Neutral, p.Contradiction, sum)
	}
}

// sameProbs reports whether two results are equal within the tolerance.
func sameProbs(c config, a, b nli.Probs) bool {
	near := func(x, y float64) bool { return x == y || math.Abs(x-y) <= c.tolerance }
	return near(a.Entailment, b.Entailment) && near(a.Neutral, b.Neutral) && near(a.Contradiction, b.Contradiction) &&
		(a.Err == nil) == (b.Err == nil)
}

func nliID(t tb, c config, fresh func() nli.Model) {
	m := fresh()
	before := m.ID()
	classify(t, c, m, plainPairs()[:3])
	checkID(t, before, m.ID(), fresh().ID())
}

func nliNone(t tb, c config, fresh func() nli.Model) {
	m := fresh()
	classify(t, c, m, nil)
	classify(t, c, m, []nli.Pair{})
}

func nliProbs(t tb, c config, fresh func() nli.Model) {
	in := plainPairs()
	out, ok := classify(t, c, fresh(), in)
	if !ok {
		return
	}
	for i, p := range out {
		what := fmt.Sprintf("%q", in[i])
		checkProbs(t, what, p)
		if p.Err != nil {
			t.Errorf("%s: a plain pair fails: %v", what, p.Err)
			return
		}
	}
}

func nliIndependent(t tb, c config, fresh func() nli.Model) {
	m := fresh()
	in := plainPairs()
	in = append(in, nli.Pair{}, in[0], in[3])
	batch, ok := classify(t, c, m, in)
	if !ok {
		return
	}
	reversed := slices.Clone(in)
	slices.Reverse(reversed)
	back, ok := classify(t, c, m, reversed)
	if !ok {
		return
	}
	slices.Reverse(back)
	for i, pair := range in {
		if !sameProbs(c, batch[i], back[i]) {
			t.Errorf("%q: %+v, and when the call is reversed %+v", pair, batch[i], back[i])
			return
		}
		if i >= 10 && i%7 != 0 {
			continue
		}
		alone, ok := classify(t, c, m, []nli.Pair{pair})
		if !ok {
			return
		}
		if !sameProbs(c, batch[i], alone[0]) {
			t.Errorf("%q: %+v at position %d of %d, and alone %+v", pair, batch[i], i, len(in), alone[0])
			return
		}
	}
}

func nliDeterministic(t tb, c config, fresh func() nli.Model) {
	if !c.deterministic {
		return
	}
	m := fresh()
	in := plainPairs()[:12]
	first, ok := classify(t, c, m, in)
	if !ok {
		return
	}
	first = slices.Clone(first)
	for turn, n := range []nli.Model{m, m, fresh()} {
		again, ok := classify(t, c, n, in)
		if !ok {
			return
		}
		for i := range in {
			if !sameProbs(c, first[i], again[i]) {
				t.Errorf("%q: %+v, and in turn %d %+v", in[i], first[i], turn+2, again[i])
				return
			}
		}
	}
}

func nliTells(t tb, c config, fresh func() nli.Model) {
	in := plainPairs()[:5]
	out, ok := classify(t, c, fresh(), in)
	if !ok {
		return
	}
	for _, p := range out[1:] {
		if p != out[0] {
			return
		}
	}
	t.Errorf("an entailed, a negated and an unrelated hypothesis all give %+v", out[0])
}

// plainFacts are sentences with their plain negations.
var plainFacts = [][2]string{
	{"Marie Curie discovered radium in Paris in 1898.", "Marie Curie did not discover radium in Paris in 1898."},
	{"The old bridge in Oslo was closed on Monday.", "The old bridge in Oslo was not closed on Monday."},
	{"The committee accepted the proposal.", "The committee did not accept the proposal."},
}

func nliDirection(t tb, c config, fresh func() nli.Model) {
	var in []nli.Pair
	for _, f := range plainFacts {
		in = append(in, nli.Pair{Premise: f[0], Hypothesis: f[0]}, nli.Pair{Premise: f[0], Hypothesis: f[1]}, nli.Pair{Premise: f[1], Hypothesis: f[0]})
	}
	out, ok := classify(t, c, fresh(), in)
	if !ok {
		return
	}
	for i, p := range out {
		switch {
		case i%3 == 0 && !(p.Entailment > p.Contradiction):
			t.Errorf("%q entails itself, but the model gives entailment %v, contradiction %v", in[i].Premise, p.Entailment, p.Contradiction)
		case i%3 != 0 && p.Entailment > p.Contradiction:
			t.Errorf("%q contradicts %q, but the model gives entailment %v, contradiction %v", in[i].Premise, in[i].Hypothesis, p.Entailment, p.Contradiction)
		}
	}
}

func nliEmpty(t tb, c config, fresh func() nli.Model) {
	var in []nli.Pair
	for _, premise := range []string{"", " ", "\n\t"} {
		in = append(in, nli.Pair{Premise: premise, Hypothesis: plainFacts[0][0]})
	}
	out, ok := classify(t, c, fresh(), in)
	if !ok {
		return
	}
	for i, p := range out {
		if p.Entailment >= 0.5 {
			t.Errorf("the premise %q supports %q with %v", in[i].Premise, in[i].Hypothesis, p.Entailment)
		}
	}
}

// longPremise is how long a premise is by which reading is tried, in bytes.
const longPremise = 60_000

func nliReads(t tb, c config, fresh func() nli.Model) {
	m := fresh()
	fact := plainFacts[0][0]
	fits := func(pad int) bool { return pad+len(fact) <= min(longPremise, c.maxText) }
	if w, ok := m.(nli.Windower); ok {
		if w.Budget() <= 0 {
			return // another rule's
		}
		whole := fits
		pad := strings.Repeat(padding, longPremise/len(padding)+1)
		fits = func(n int) bool {
			return whole(n) && w.Cost(pad[:n]+fact)+w.Cost(fact) <= w.Budget()
		}
	}
	lo, hi := 0, longPremise/len(padding)
	for lo < hi { // the most that fits
		if mid := (lo + hi + 1) / 2; fits(mid * len(padding)) {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	premise := strings.Repeat(padding, lo) + fact
	out, ok := classify(t, c, m, []nli.Pair{{Premise: fact, Hypothesis: fact}, {Premise: premise, Hypothesis: fact}})
	if !ok {
		return
	}
	alone, long := out[0], out[1]
	if long.Err != nil {
		t.Errorf("a premise of %d bytes, which the model says it reads, fails: %v", len(premise), long.Err)
		return
	}
	if !(long.Entailment > long.Contradiction) || long.Entailment < alone.Entailment/2 {
		t.Errorf("the last sentence of a premise of %d bytes, which the model says it reads, is entailed with %v (contradiction %v), and alone with %v", len(premise), long.Entailment, long.Contradiction, alone.Entailment)
	}
}

// padding says nothing that bears on any of plainFacts.
const padding = "Seven barges carried gravel along the canal. "

func nliEnded(t tb, c config, fresh func() nli.Model) {
	m := fresh()
	for want, ctx := range ended() {
		_, err, ok := call(t, c, "Classify", func() ([]nli.Probs, error) { return m.Classify(ctx, plainPairs()[:3]) })
		if ok && !errors.Is(err, want) {
			t.Errorf("error %v, want one that wraps %v", err, want)
		}
		if x, is := m.(nli.Explainer); is {
			_, err, ok := call(t, c, "Explain", func() (nli.Explanation, error) { return x.Explain(ctx, plainPairs()[0]) })
			if ok && !errors.Is(err, want) {
				t.Errorf("Explain: error %v, want one that wraps %v", err, want)
			}
		}
	}
}

func nliCancel(t tb, c config, fresh func() nli.Model) {
	m := fresh()
	in := slices.Repeat(plainPairs(), 5)
	checkCancel(t, c, func(ctx context.Context) (int, error) {
		out, err := m.Classify(ctx, in)
		for i, p := range out {
			// Some made up, or left at zero without an error.
			if err == nil && p == (nli.Probs{}) {
				return i, nil
			}
		}
		return len(out), err
	}, len(in))
}

func nliInputs(t tb, c config, fresh func() nli.Model) {
	whole := append(plainPairs()[:6], nli.Pair{Premise: " Ana  hired\nBo. "}, nli.Pair{Premise: "not part", Hypothesis: "of the call"})
	want := slices.Clone(whole)
	classify(t, c, fresh(), whole[:len(whole)-1])
	if !slices.Equal(whole, want) {
		t.Errorf("the caller's slice was changed from %q to %q", want, whole)
	}
}

func nliOdd(t tb, c config, fresh func() nli.Model) {
	m := fresh()
	plain := plainPairs()[0]
	want, ok := classify(t, c, m, []nli.Pair{plain})
	if !ok {
		return
	}
	for _, o := range oddTexts(c) {
		in := []nli.Pair{
			{Premise: o.text, Hypothesis: plain.Hypothesis},
			{Premise: plain.Premise, Hypothesis: o.text},
			{Premise: o.text, Hypothesis: o.text},
			plain,
		}
		out, err, ok := call(t, c, o.name, func() ([]nli.Probs, error) { return m.Classify(context.Background(), in) })
		switch {
		case !ok:
			return
		case err != nil:
			t.Errorf("%s: the whole call fails: %v", o.name, err)
			continue
		case len(out) != len(in):
			t.Errorf("%s: %d results for %d pairs", o.name, len(out), len(in))
			continue
		}
		for i, p := range out {
			checkProbs(t, fmt.Sprintf("%s, pair %d", o.name, i), p)
		}
		if !sameProbs(c, out[3], want[0]) {
			t.Errorf("%s: the pair beside it gives %+v, and alone %+v", o.name, out[3], want[0])
		}
	}
}

func nliExplains(t tb, c config, fresh func() nli.Model) {
	m, ok := fresh().(nli.Explainer)
	if !ok {
		return
	}
	in := plainPairs()[:20]
	in = append(in, nli.Pair{}, nli.Pair{Premise: "Élodie hired Zoë in Malmö. 玛丽在巴黎工作。", Hypothesis: "Zoë hired Élodie in Århus."})
	probs, ok := classify(t, c, m, in)
	if !ok {
		return
	}
	for i, pair := range in {
		e, err, ok := call(t, c, "Explain", func() (nli.Explanation, error) { return m.Explain(context.Background(), pair) })
		if !ok {
			return
		}
		if err != nil {
			t.Errorf("Explain %q: %v", pair, err)
			return
		}
		checkProbs(t, fmt.Sprintf("Explain %q", pair), e.Probs)
		if !sameProbs(c, e.Probs, probs[i]) {
			t.Errorf("%q: Explain gives %+v, Classify %+v", pair, e.Probs, probs[i])
		}
		checkSpan(t, fmt.Sprintf("evidence for %q", pair), pair.Premise, e.Evidence)
		for k, r := range e.Reasons {
			what := fmt.Sprintf("%q, reason %d", pair, k)
			checkSpan(t, what+", premise", pair.Premise, r.Premise)
			checkSpan(t, what+", hypothesis", pair.Hypothesis, r.Hypothesis)
			if r.Kind == "" {
				t.Errorf("%s has no kind", what)
			}
			if r.Kind == nli.ReasonMissing && r.Premise != (segment.Span{}) {
				t.Errorf("%s: missing, and yet at %v of the premise", what, r.Premise)
			}
		}
	}
}

func nliWindows(t tb, c config, fresh func() nli.Model) {
	m, ok := fresh().(nli.Windower)
	if !ok {
		return
	}
	if b := m.Budget(); b <= 0 {
		t.Errorf("the budget is %d", b)
	}
	pair := plainPairs()[0]
	if cost := m.Cost(pair.Premise) + m.Cost(pair.Hypothesis); cost > m.Budget() {
		t.Errorf("a plain pair costs %d, more than the budget of %d", cost, m.Budget())
	}
	for _, o := range oddTexts(c) {
		cost, _, ok := call(t, c, "Cost of "+o.name, func() (int, error) { return m.Cost(o.text), nil })
		if !ok {
			return
		}
		if cost < 0 {
			t.Errorf("%s costs %d", o.name, cost)
		}
		if hasContent(o.text) && cost == 0 {
			t.Errorf("%s costs nothing", o.name)
		}
		if again := m.Cost(o.text); again != cost {
			t.Errorf("%s costs %d, and then %d", o.name, cost, again)
		}
	}
}

func nliConcurrent(t tb, c config, fresh func() nli.Model) {
	m := fresh()
	plain := plainPairs()
	const callers, each = 8, 6
	part := func(i int) []nli.Pair { return plain[each*i : each*i+each] }
	var want [callers][]nli.Probs
	for i := range want {
		out, ok := classify(t, c, m, part(i))
		if !ok {
			return
		}
		want[i] = slices.Clone(out)
	}
	concurrently(callers, func(i int) {
		for range 5 {
			got, ok := classify(t, c, m, part(i))
			if !ok {
				return
			}
			for k, p := range got {
				checkProbs(t, "beside other calls", p)
				if c.deterministic && !sameProbs(c, p, want[i][k]) {
					t.Errorf("%q: alone %+v, beside other calls %+v", part(i)[k], want[i][k], p)
					return
				}
			}
		}
	})
}

func nliLeaks(t tb, c config, fresh func() nli.Model) {
	m := fresh()
	in := plainPairs()[:4]
	checkLeaks(t, c, "calling Classify", func() {
		call(t, c, "Classify", func() ([]nli.Probs, error) { return m.Classify(context.Background(), in) })
	})
	checkLeaks(t, c, "cancelling Classify", func() {
		ctx, cancel := cancelAfter(1)
		defer cancel()
		call(t, c, "Classify", func() ([]nli.Probs, error) { return m.Classify(ctx, in) })
	})
}
