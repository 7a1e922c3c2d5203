package nli_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kgeval/kgeval/nli"
)

// fake is a model of exact words: a premise that contains the hypothesis
// entails it, one that contains "not "+hypothesis contradicts it, and one that
// contains "fail" can't be judged.
type fake struct {
	mu      sync.Mutex
	asked   int
	largest int // the most pairs in a call
}

var errFake = errors.New("can't judge")

func (f *fake) ID() string { return "fake" }

func (f *fake) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.asked += len(pairs)
	f.largest = max(f.largest, len(pairs))
	f.mu.Unlock()
	out := make([]nli.Probs, len(pairs))
	for i, p := range pairs {
		switch {
		case strings.Contains(p.Premise, "fail"):
			out[i].Err = errFake
		case strings.Contains(p.Premise, "not "+p.Hypothesis):
			out[i] = nli.Probs{Neutral: 0.1, Contradiction: 0.9}
		case strings.Contains(p.Premise, p.Hypothesis):
			out[i] = nli.Probs{Entailment: 0.8, Neutral: 0.2}
		default:
			out[i] = nli.Probs{Entailment: 0.1, Neutral: 0.9}
		}
	}
	return out, nil
}

// narrow is a fake that reads only so many words at once.
type narrow struct {
	*fake
	budget int
}

func (n narrow) Cost(text string) int { return len(strings.Fields(text)) }
func (n narrow) Budget() int          { return n.budget }

const story = "Ana sold the boat. Bo bought a house. The house is red. Bo did not sell it. Cleo fails. The garden is old."

func TestJudgePoolsOverWindows(t *testing.T) {
	ctx := context.Background()
	m := narrow{&fake{}, 10}
	got, err := nli.Judge(ctx, m, story, []string{"Bo bought a house", "sell it", "red", "nothing of this"}, nli.Options{Overlap: -1})
	if err != nil {
		t.Fatal(err)
	}
	// One window fails ("Cleo fails."): what is supported stands, the rest is
	// unknown, even where another window contradicts.
	if j := got[0]; j.Err != nil || j.Support != 0.8 || !strings.Contains(j.Supporting.Of(story), "Bo bought a house") {
		t.Errorf("supported: %+v", j)
	}
	if j := got[2]; j.Err != nil || j.Support != 0.8 || j.Failed == 0 {
		t.Errorf("supported beside a failure: %+v", j)
	}
	for _, k := range []int{1, 3} {
		if j := got[k]; !errors.Is(j.Err, errFake) || j.Support != 0 || j.Contradiction != 0 || j.Windows < 2 {
			t.Errorf("%d: want unknown: %+v", k, j)
		}
	}
}

func TestJudgeFindsContradiction(t *testing.T) {
	premise := "Bo sold a car. Bo did not sell it. The end."
	got, err := nli.Judge(context.Background(), narrow{&fake{}, 8}, premise, []string{"sell it"}, nli.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if j := got[0]; j.Contradiction != 0.9 || !strings.Contains(j.Contradicting.Of(premise), "not sell it") {
		t.Errorf("%+v", j)
	}
}

func TestJudgeWithoutBudgetReadsOnce(t *testing.T) {
	f := &fake{}
	got, err := nli.Judge(context.Background(), f, "a b c", []string{"b", "x"}, nli.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Windows != 1 || got[0].Supporting.Of("a b c") != "a b c" || got[0].Support != 0.8 || got[1].Support != 0.1 {
		t.Errorf("%+v", got)
	}
}

func TestJudgeErrors(t *testing.T) {
	ctx := context.Background()
	m := narrow{&fake{}, 4}
	for _, premise := range []string{"", " \n\t"} {
		if _, err := nli.Judge(ctx, m, premise, []string{"x"}, nli.Options{}); !errors.Is(err, nli.ErrEmptyPremise) {
			t.Errorf("premise %q: %v", premise, err)
		}
	}
	got, err := nli.Judge(ctx, m, "one two three. four", []string{"a b c d", "", "four"}, nli.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var long *nli.HypothesisTooLongError
	if !errors.As(got[0].Err, &long) || long.Cost != 4 || long.Budget != 4 {
		t.Errorf("long hypothesis: %+v", got[0])
	}
	if !errors.Is(got[1].Err, nli.ErrEmptyHypothesis) {
		t.Errorf("empty hypothesis: %+v", got[1])
	}
	if got[2].Err != nil || got[2].Support != 0.8 {
		t.Errorf("the others must be judged: %+v", got[2])
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := nli.Judge(gone, m, "one two", []string{"x"}, nli.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// broken returns numbers that are no probabilities, or too few answers.
type broken struct {
	probs nli.Probs
	short bool
}

func (b broken) ID() string { return "broken" }
func (b broken) Classify(_ context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	if b.short {
		return nil, nil
	}
	return slices.Repeat([]nli.Probs{b.probs}, len(pairs)), nil
}

func TestJudgeRefusesWhatIsNoProbability(t *testing.T) {
	zero := 0.0
	for _, p := range []nli.Probs{{}, {Entailment: 2, Neutral: -1}, {Entailment: 0.9, Neutral: 0.9}, {Entailment: zero / zero}} {
		got, err := nli.Judge(context.Background(), broken{probs: p}, "a", []string{"b"}, nli.Options{})
		var pe *nli.ProbsError
		if err != nil || !errors.As(got[0].Err, &pe) {
			t.Errorf("%+v: %v, %+v", p, err, got)
		}
	}
	if _, err := nli.Judge(context.Background(), broken{short: true}, "a", []string{"b"}, nli.Options{}); err == nil {
		t.Error("a short answer is no error")
	}
}

// A judgment depends on nothing but premise, hypothesis and model.
func TestJudgeIsIndependentOfItsCompany(t *testing.T) {
	ctx := context.Background()
	hypotheses := []string{"red", "Bo bought a house", "x", "the boat", "a very long hypothesis of eight words here", "sell it"}
	all, err := nli.Judge(ctx, narrow{&fake{}, 12}, story, hypotheses, nli.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, batch := range []int{1, 2, 1000} {
		f := &fake{}
		for i := range hypotheses {
			one, err := nli.Judge(ctx, narrow{f, 12}, story, hypotheses[i:i+1], nli.Options{Batch: batch})
			if err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(one[0]) != fmt.Sprint(all[i]) {
				t.Errorf("%q alone in batches of %d: %+v, in company %+v", hypotheses[i], batch, one[0], all[i])
			}
		}
		if f.largest > batch {
			t.Errorf("a call with %d pairs, want at most %d", f.largest, batch)
		}
	}
}

func TestCached(t *testing.T) {
	ctx := context.Background()
	f := &fake{}
	m := nli.Cached(f, 2)
	ask := func(premise, hypothesis string) nli.Probs {
		t.Helper()
		p, err := m.Classify(ctx, []nli.Pair{{Premise: premise, Hypothesis: hypothesis}, {Premise: premise, Hypothesis: hypothesis}})
		if err != nil || len(p) != 2 || p[0] != p[1] {
			t.Fatalf("%v %v", p, err)
		}
		return p[0]
	}
	for _, step := range []struct {
		premise, hypothesis string
		asked               int // pairs that the model has seen after this step
	}{
		{"a b", "b", 1}, {"a b", "b", 1}, // remembered
		{"a ", "bb", 2},                // another split of the same bytes
		{"a b", "b", 2}, {"c", "c", 3}, // "a " was used longest ago and goes
		{"a b", "b", 3}, {"a ", "bb", 4},
		{"fail", "x", 5}, {"fail", "x", 6}, // failures are not remembered
	} {
		want, _ := (&fake{}).Classify(ctx, []nli.Pair{{Premise: step.premise, Hypothesis: step.hypothesis}})
		if got := ask(step.premise, step.hypothesis); got != want[0] {
			t.Errorf("%+v: got %+v, want %+v", step, got, want[0])
		}
		if f.asked != step.asked {
			t.Errorf("%+v: the model has seen %d pairs", step, f.asked)
		}
	}
	if m.ID() != "fake" {
		t.Errorf("ID %q", m.ID())
	}
}

type explainer struct{ *fake }

func (explainer) Explain(context.Context, nli.Pair) (nli.Explanation, error) {
	return nli.Explanation{Probs: nli.Probs{Neutral: 1}}, nil
}

// The wrapper can do what the model can do, and no more.
func TestCachedKeepsExtensions(t *testing.T) {
	f := &fake{}
	for _, c := range []struct {
		m                 nli.Model
		windows, explains bool
	}{
		{f, false, false},
		{narrow{f, 7}, true, false},
		{explainer{f}, false, true},
		{struct {
			narrow
			explains
		}{narrow{f, 7}, explains{}}, true, true},
	} {
		m := nli.Cached(c.m, 1)
		w, isW := m.(nli.Windower)
		_, isE := m.(nli.Explainer)
		if isW != c.windows || isE != c.explains {
			t.Errorf("%T: Windower %v, Explainer %v", c.m, isW, isE)
		}
		if isW && (w.Budget() != 7 || w.Cost("a b") != 2) {
			t.Errorf("%T: budget %d", c.m, w.Budget())
		}
	}
}

type explains struct{}

func (explains) Explain(context.Context, nli.Pair) (nli.Explanation, error) {
	return nli.Explanation{}, nil
}

func TestCachedIsSafeForConcurrentUse(t *testing.T) {
	m := nli.Cached(&fake{}, 8)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				p := nli.Pair{Premise: fmt.Sprint((g + i) % 20), Hypothesis: "1"}
				if _, err := m.Classify(context.Background(), []nli.Pair{p}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func ExampleJudge() {
	model := narrow{&fake{}, 8} // stands for a model with a short window
	premise := "Ana sold the boat. Bo bought a house. The house is red."
	judgments, err := nli.Judge(context.Background(), model, premise, []string{"The house is red"}, nli.Options{})
	if err != nil {
		panic(err)
	}
	j := judgments[0]
	fmt.Printf("%.1f by %q, %d windows read\n", j.Support, j.Supporting.Of(premise), j.Windows)
	// Output: 0.8 by "The house is red.", 3 windows read
}

// A premise is cut once, whoever asks, and gives what Judge gives.
func TestPremiseServesManyCallers(t *testing.T) {
	ctx := context.Background()
	hypotheses := []string{"red", "Bo bought a house", "a very long hypothesis of eight words here", "sell it"}
	want, err := nli.Judge(ctx, narrow{&fake{}, 12}, story, hypotheses, nli.Options{Nearest: 2})
	if err != nil {
		t.Fatal(err)
	}
	p, err := nli.NewPremise(narrow{&fake{}, 12}, story, nli.Options{Nearest: 2})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			i := g % len(hypotheses)
			got, err := p.Judge(ctx, hypotheses[i:i+1])
			if err != nil || fmt.Sprint(got[0]) != fmt.Sprint(want[i]) {
				t.Errorf("%q: %+v, %v, want %+v", hypotheses[i], got, err, want[i])
			}
		})
	}
	wg.Wait()
	if _, err := nli.NewPremise(&fake{}, "\n", nli.Options{}); !errors.Is(err, nli.ErrEmptyPremise) {
		t.Errorf("blank: %v", err)
	}
}
