package combined_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/combined"
	"github.com/kgeval/kgeval/nli/lexical"
)

const source = "The ferry to Ravnsund leaves at nine. Captain Ilse Brandt has sailed it for twenty years. In winter it stays in the harbour."

// scripted is a trained model that says what the test wants.
type scripted struct {
	say func(nli.Pair) nli.Probs
	err error

	mu    sync.Mutex
	asked []nli.Pair
}

func (s *scripted) ID() string { return "test/scripted" }

func (s *scripted) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.asked = append(s.asked, pairs...)
	s.mu.Unlock()
	out := make([]nli.Probs, len(pairs))
	for i, p := range pairs {
		out[i] = s.say(p)
	}
	return out, s.err
}

func always(e, n, c float64) func(nli.Pair) nli.Probs {
	return func(nli.Pair) nli.Probs { return nli.Probs{Entailment: e, Neutral: n, Contradiction: c} }
}

func rules(t testing.TB) *lexical.Model {
	t.Helper()
	m, err := lexical.New()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func combine(t testing.TB, s *scripted) *combined.Model {
	t.Helper()
	m, err := combined.New(s, rules(t), combined.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func weigh(t *testing.T, m *combined.Model, premise, hypothesis string) combined.Opinion {
	t.Helper()
	os, err := m.Weigh(context.Background(), []nli.Pair{{Premise: premise, Hypothesis: hypothesis}})
	if err != nil {
		t.Fatal(err)
	}
	return os[0]
}

func TestConform(t *testing.T) {
	conform.NLI(t, func() nli.Model {
		return combine(t, &scripted{say: func(p nli.Pair) nli.Probs {
			if strings.Contains(p.Premise, p.Hypothesis) {
				return nli.Probs{Entailment: 1}
			}
			return nli.Probs{Entailment: 0.2, Neutral: 0.5, Contradiction: 0.3}
		}})
	})
}

func TestBothOpinionsCount(t *testing.T) {
	h := "Ilse Brandt sails the ferry."
	believes := weigh(t, combine(t, &scripted{say: always(0.95, 0.04, 0.01)}), source, h)
	doubts := weigh(t, combine(t, &scripted{say: always(0.05, 0.9, 0.05)}), source, h)
	if !(believes.Probs.Entailment > doubts.Probs.Entailment) {
		t.Errorf("a model that believes gives %.3f, one that doubts %.3f", believes.Probs.Entailment, doubts.Probs.Entailment)
	}
	copied := weigh(t, combine(t, &scripted{say: always(0.5, 0.4, 0.1)}), source, "Captain Ilse Brandt has sailed it for twenty years")
	strange := weigh(t, combine(t, &scripted{say: always(0.5, 0.4, 0.1)}), source, "Captain Petra Vogt has sailed it for thirty years.")
	if !(copied.Probs.Entailment > strange.Probs.Entailment) {
		t.Errorf("of equal belief, what is copied has %.3f, what names another %.3f", copied.Probs.Entailment, strange.Probs.Entailment)
	}
}

func TestPartsSumToTheAnswer(t *testing.T) {
	m := combine(t, &scripted{say: always(0.7, 0.2, 0.1)})
	for _, h := range []string{"Ilse Brandt sails the ferry.", "The ferry leaves at ten.", "Quartz is a mineral.", "It is not in the harbour in winter."} {
		o := weigh(t, m, source, h)
		z := combined.FittedFor("").Bias
		for _, p := range o.Parts {
			z += p.LogOdds
		}
		if got := 1 / (1 + math.Exp(-z)); math.Abs(got-o.Probs.Entailment) > 1e-12 {
			t.Errorf("%q: the parts give %.6f, the answer is %.6f", h, got, o.Probs.Entailment)
		}
		if s := o.Probs.Entailment + o.Probs.Neutral + o.Probs.Contradiction; math.Abs(s-1) > 1e-9 || o.Probs.Neutral < 0 {
			t.Errorf("%q: %+v", h, o.Probs)
		}
		if n := len(o.Parts); n < len(combined.Names()) || n > len(combined.Names())+1 {
			t.Errorf("%q: %d parts for %d names", h, n, len(combined.Names()))
		}
	}
}

func TestWhatStandsThereIsNotAsked(t *testing.T) {
	s := &scripted{say: always(0, 1, 0)}
	o := weigh(t, combine(t, s), source, "The ferry to Ravnsund leaves at nine.")
	if len(s.asked) != 0 || o.Probs.Entailment < 0.9 || !o.Coverage.Verbatim {
		t.Errorf("asked %d times, %+v", len(s.asked), o.Probs)
	}
}

func TestADenialOfTheRulesIsHeard(t *testing.T) {
	o := weigh(t, combine(t, &scripted{say: always(0.1, 0.88, 0.02)}), source, "The ferry to Ravnsund leaves at ten.")
	if !(o.Probs.Contradiction > o.Probs.Neutral) {
		t.Errorf("another number in a statement that agrees otherwise: %+v", o.Probs)
	}
}

func TestNoOpinionOutvotesWhatTheRulesCanName(t *testing.T) {
	m := combine(t, &scripted{say: always(0.999, 0.001, 0)})
	for _, h := range []string{
		"The ferry to Ravnsund leaves at ten.",
		"The ferry to Ravnsund does not leave at nine.",
		"Captain Ilse Brandt has sailed it for thirty years.",
	} {
		o := weigh(t, m, source, h)
		if o.Probs.Entailment > o.Rules.Probs.Entailment+1e-12 || o.Parts[len(o.Parts)-1].Name != combined.Clash {
			t.Errorf("%q: %.3f, the rules say %.3f: %+v", h, o.Probs.Entailment, o.Rules.Probs.Entailment, o.Parts)
		}
	}
}

func TestUnknownStaysUnknown(t *testing.T) {
	cannot := errors.New("cannot read this")
	m := combine(t, &scripted{say: func(nli.Pair) nli.Probs { return nli.Probs{Err: cannot} }})
	if o := weigh(t, m, source, "Ilse Brandt sails the ferry."); !errors.Is(o.Probs.Err, cannot) || o.Probs.Entailment != 0 {
		t.Errorf("%+v", o.Probs)
	}
	m = combine(t, &scripted{say: always(1, 0, 0)})
	if o := weigh(t, m, source, " "); !errors.Is(o.Probs.Err, nli.ErrEmptyHypothesis) {
		t.Errorf("%+v", o.Probs)
	}
	if o := weigh(t, m, "", "Ilse"); !errors.Is(o.Probs.Err, nli.ErrEmptyPremise) {
		t.Errorf("%+v", o.Probs)
	}
}

func TestTooLongForTheModelIsJudgedByTheRules(t *testing.T) {
	m := combine(t, &scripted{say: func(nli.Pair) nli.Probs {
		return nli.Probs{Err: &nli.HypothesisTooLongError{Cost: 300, Budget: 256}}
	}})
	o := weigh(t, m, source, "Ilse Brandt sails the ferry.")
	if o.Probs != o.Rules.Probs || o.Probs.Err != nil || len(o.Parts) != 0 {
		t.Errorf("%+v", o.Probs)
	}
}

func TestAFailedCallIsAnError(t *testing.T) {
	down := errors.New("down")
	m := combine(t, &scripted{say: always(1, 0, 0), err: down})
	if _, err := m.Classify(context.Background(), []nli.Pair{{Premise: source, Hypothesis: "Ilse sails."}}); !errors.Is(err, down) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Classify(ctx, []nli.Pair{{Premise: source, Hypothesis: "Ilse sails."}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestBadWeightsAreRefused(t *testing.T) {
	for name, w := range map[string]combined.Weights{
		"NaN":     {Bias: math.NaN()},
		"Inf":     {Of: map[string]float64{"rules": math.Inf(1)}},
		"no part": {Of: map[string]float64{"moon": 1}},
	} {
		if _, err := combined.New(&scripted{}, rules(t), combined.Options{Weights: &w}); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if _, err := combined.New(nil, rules(t), combined.Options{}); !errors.Is(err, combined.ErrNoModel) {
		t.Errorf("error %v", err)
	}
}

func TestWeightsAreInTheID(t *testing.T) {
	s := &scripted{say: always(1, 0, 0)}
	w := combined.FittedFor("")
	a, _ := combined.New(s, rules(t), combined.Options{Weights: &w})
	w.Bias++
	b, _ := combined.New(s, rules(t), combined.Options{Weights: &w})
	if a.ID() == b.ID() {
		t.Errorf("two sets of weights have the ID %s", a.ID())
	}
}
