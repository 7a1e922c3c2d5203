package grapheval_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/nli"
)

// reader entails what stands in the premise word for word, and denies with most
// of its words at hand: what many models do with a part of a text.
func reader() *scripted {
	return &scripted{answer: func(premise, hypothesis string) nli.Probs {
		h := strings.TrimRight(hypothesis, ".")
		if strings.Contains(premise, h) {
			return yes
		}
		if words := strings.Fields(h); strings.Contains(premise, words[0]) {
			return no
		}
		return maybe
	}}
}

// A model that reads texts of any length is given each source whole, so that
// what else stands in a source, and how much, does not turn a supported claim
// into one on which the sources disagree.
func TestPaddingKeepsTheVerdict(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, size := range []int{0, 1 << 10, 60_000, 65_500, 65_536, 70_000, 200_000, 1 << 20} {
		for _, where := range []string{"between", "before", "after"} {
			var pad strings.Builder
			for pad.Len() < size {
				fmt.Fprintf(&pad, "Barge %d carries gravel. ", rng.IntN(1000))
			}
			a, b := "Tova | leads | the mill.", "Tova | owns | a boat."
			source := map[string]string{"between": a + " " + pad.String() + b, "before": pad.String() + a + " " + b, "after": a + " " + b + " " + pad.String()}[where]
			r := check(t, checker(t, reader()), a+" "+b, strings.ReplaceAll(source, " | ", " "))
			if r.Outcome != claim.Consistent || r.Counts.Supported != 2 || r.Windows != 1 {
				t.Errorf("%d bytes %s: %q, %+v over %d windows", size, where, r.Outcome, r.Counts, r.Windows)
			}
		}
	}
}

// MaxWindow is for who wants it.
func TestMaxWindowIsAnOption(t *testing.T) {
	long := strings.Repeat("Barge 7 carries gravel. ", 1000)
	r := check(t, checker(t, lookup(), func(o *grapheval.Options) { o.MaxWindow = 2000 }), "Barge 7 | carries | gravel.", long)
	if r.Windows < 12 {
		t.Errorf("%d windows", r.Windows)
	}
}

// Windows of a source that is cut in parts are those of a source cut at once:
// no sentence is lost, and none is cut.
func TestWindowsOfALongSource(t *testing.T) {
	var b strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&b, "Barge %d carries gravel. ", i)
	}
	m := windowed{lookup(), 400}
	p, err := checker(t, m).Prepare(context.Background(), []claim.Source{{Text: b.String()}})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"0", "10399", "10400", "10401", "25000", "39999"} {
		r, err := p.Check(context.Background(), "", "Barge "+n+" | carries | gravel.")
		if err != nil || r.Counts.Supported != 1 {
			t.Errorf("barge %s: %+v, %v", n, r.Counts, err)
		}
	}
}

// Who denies more strongly than the other supports makes the output
// inconsistent; who denies as strongly, or less, is cited and noted.
func TestHowSourcesThatDisagreeWeigh(t *testing.T) {
	for _, test := range []struct {
		support, denial float64
		want            claim.Outcome
	}{
		{0.98, 0.98, claim.Consistent},
		{0.98, 0.6, claim.Consistent},
		{0.9, 0.99, claim.Consistent},
		{0.55, 0.97, claim.Inconsistent},
		{0.7, 0.95, claim.Inconsistent},
	} {
		m := &scripted{answer: func(premise, _ string) nli.Probs {
			if strings.Contains(premise, "one") {
				return nli.Probs{Entailment: test.support, Neutral: 1 - test.support}
			}
			return nli.Probs{Contradiction: test.denial, Neutral: 1 - test.denial}
		}}
		r := check(t, checker(t, m), "Ada | is | here.", "Source one.", "Source two.")
		k := r.Claims[0]
		if k.Verdict != claim.Conflicting || len(k.Evidence) != 2 || len(r.Notes) != 1 || r.Notes[0].Kind != claim.NoteConflict {
			t.Errorf("%+v: %q with %d passages, notes %v", test, k.Verdict, len(k.Evidence), r.Notes)
		}
		if r.Outcome != test.want || (len(r.Deciding()) == 1) != (test.want == claim.Inconsistent) {
			t.Errorf("%+v: %q, risk %v, deciding %v", test, r.Outcome, k.Risk, r.Deciding())
		}
	}
}

// What a source denies weighs more than what no source says.
func TestDenialWeighsMoreThanSilence(t *testing.T) {
	at := func(contradiction float64) claim.Result {
		m := &scripted{answer: func(string, string) nli.Probs {
			return nli.Probs{Entailment: 0.1, Contradiction: contradiction, Neutral: 0.9 - contradiction}
		}}
		return check(t, checker(t, m, func(o *grapheval.Options) {
			c := grapheval.Uncalibrated()
			c.Denial = 1
			o.Calibration = &c
		}), "Ada | is | here.", "Anything.")
	}
	silent, denied, sure := at(0.2), at(0.7), at(0.89)
	if !(silent.PInconsistent == 0.9 && silent.PInconsistent < denied.PInconsistent && denied.PInconsistent < sure.PInconsistent) {
		t.Errorf("%v, %v, %v", silent.PInconsistent, denied.PInconsistent, sure.PInconsistent)
	}
}

// bursting panics with what it is given.
type bursting struct{ with any }

func (b bursting) ID() string { return "bursting@1" }

func (b bursting) Classify(context.Context, []nli.Pair) ([]nli.Probs, error) { panic(b.with) }

func (b bursting) Extract(context.Context, []kg.Text) ([]kg.Extraction, error) { panic(b.with) }

// A part that panics has failed, and no more.
func TestPartsThatPanic(t *testing.T) {
	for _, with := range []any{"no", errModel, 7, any(nil)} {
		r := check(t, checker(t, bursting{with}), "Ada | is | here. Bo | is | gone.", "Anything.")
		if r.Outcome != claim.OutcomeUnknown || r.Counts.Unknown != 2 {
			t.Fatalf("%v: %q, %+v", with, r.Outcome, r.Counts)
		}
		var p *grapheval.PanicError
		if !errors.As(r.Claims[0].Err, &p) || with == errModel && !errors.Is(r.Claims[0].Err, errModel) {
			t.Errorf("%v: cause %v", with, r.Claims[0].Err)
		}
		c, err := grapheval.New(grapheval.Options{Extractor: bursting{with}, Model: lookup()})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Check(context.Background(), claim.Sample{Sources: []claim.Source{{Text: "x"}}, Output: "Ada is here."})
		if !errors.As(err, &p) {
			t.Errorf("extractor, %v: %v", with, err)
		}
	}
	m := explaining{lookup(), func(nli.Pair) (nli.Explanation, error) { panic("no") }}
	if r := check(t, checker(t, m), "Ada | is | here.", "Ada is here."); r.Outcome != claim.Consistent || len(r.Claims[0].Evidence) != 1 {
		t.Errorf("%q with %+v", r.Outcome, r.Claims[0])
	}
}

// What was not made by New says so.
func TestNotMadeByNew(t *testing.T) {
	s := claim.Sample{Sources: []claim.Source{{Text: "x"}}, Output: "Ada is here."}
	for _, c := range []*grapheval.Checker{nil, {}} {
		if _, err := c.Check(context.Background(), s); err == nil {
			t.Error("no error")
		}
	}
	for _, p := range []*grapheval.Prepared{nil, {}} {
		if _, err := p.Check(context.Background(), "", "Ada is here."); err == nil {
			t.Error("no error")
		}
	}
	var none context.Context
	if _, err := checker(t, lookup()).Check(none, s); err == nil {
		t.Error("no error for a nil context")
	}
}

// A context that ends while a long source is cut ends Prepare.
func TestPrepareEndsWithItsContext(t *testing.T) {
	text := strings.Repeat("Barge 7 carries gravel. ", 400_000)
	for _, m := range []nli.Model{lookup(), windowed{lookup(), 400}} {
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		start := time.Now()
		_, err := checker(t, m).Prepare(ctx, []claim.Source{{Text: text}})
		cancel()
		took := time.Since(start)
		if !errors.Is(err, context.DeadlineExceeded) && took > 100*time.Millisecond || took > 400*time.Millisecond {
			t.Errorf("%s: %v after %v", m.ID(), err, took)
		}
	}
}

// The paper has triples and nothing else: an output without any has no claims,
// whatever else could be made of it.
func TestPaperWithoutTriples(t *testing.T) {
	o := grapheval.Paper()
	o.Extractor, o.Model = clauses{}, lookup()
	c, err := grapheval.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, output := range []string{"Oslo.", "Yes.", "1991", "The mill is old."} {
		r, err := c.Check(context.Background(), claim.Sample{Question: "Where?", Sources: []claim.Source{{Text: "Oslo. Yes. 1991"}}, Output: output})
		if err != nil || r.Outcome != claim.NoClaims {
			t.Errorf("%q: %q, %v", output, r.Outcome, err)
		}
	}
}
