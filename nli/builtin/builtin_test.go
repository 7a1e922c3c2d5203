package builtin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/kgeval/kgeval/internal/bert"
	"github.com/kgeval/kgeval/internal/bert/kernel"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

const story = "Ana sold the boat in may. Bo bought a house for 12 coins. The house is red and has a garden. Bo did not sell it. " +
	"Cleo lives near the river. The boat of Ana sank in june. Nobody was on it."

func classify(t *testing.T, m nli.Model, pairs ...nli.Pair) []nli.Probs {
	t.Helper()
	out, err := m.Classify(context.Background(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The head is what it is said to be: a linear layer over the mean of all states,
// and mean and maximum of the hypothesis', divided by the temperature.
func TestProbabilitiesEqualDefinition(t *testing.T) {
	for name, c := range map[string]bert.Config{"bert": shape, "mpnet": mpnetShape} {
		file := random(c, nil)
		got := classify(t, mustLoad(t, file, Options{}), nli.Pair{Premise: "the boat is red", Hypothesis: "boat sold"})[0]

		net, err := bert.LoadStrings([]string{file})
		if err != nil {
			t.Fatal(err)
		}
		ids := func(s string) []int32 { return net.Tokenizer().Encode(nil, s) }
		seq := net.Pair(ids("the boat is red"), ids("boat sold"))
		n, h := len(seq.IDs), c.Hidden
		var views []float64
		err = net.Encode(context.Background(), []bert.Sequence{seq}, 1, func(_ int, hidden []float32) {
			at := func(t, j int) float64 { return float64(hidden[t*h+j]) }
			first := n - 1 - len(ids("boat sold"))
			for j := range h {
				sum := 0.0
				for k := range n {
					sum += at(k, j)
				}
				views = append(views, sum/float64(n))
			}
			for j := range h {
				sum := 0.0
				for k := first; k < n-1; k++ {
					sum += at(k, j)
				}
				views = append(views, sum/float64(n-1-first))
			}
			for j := range h {
				top := at(first, j)
				for k := first; k < n-1; k++ {
					top = max(top, at(k, j))
				}
				views = append(views, top)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		w, _ := net.Tensor("head.weight", classes, 3*h)
		b, _ := net.Tensor("head.bias", classes)
		var e [classes]float64
		sum := 0.0
		for k := range e {
			z := float64(b[k])
			for j, v := range views {
				z += float64(w[k*3*h+j]) * v
			}
			e[k] = math.Exp(z / 1.5)
			sum += e[k]
		}
		for k, x := range []float64{got.Entailment, got.Neutral, got.Contradiction} {
			if math.Abs(x-e[k]/sum) > 1e-9 {
				t.Errorf("%s: class %d has %v, want %v", name, k, x, e[k]/sum)
			}
		}
	}
}

func TestLongPremiseIsReadInWindows(t *testing.T) {
	m := tiny(t, Options{Budget: 80})
	h := "Bo bought a house"
	cost := m.Cost(h)
	room := windowRoom(m.Budget(), cost)
	windows := segment.Windows(story, room, room/4, m.Cost)
	if len(windows) < 3 {
		t.Fatalf("%d windows: the story is too short for this test", len(windows))
	}
	var e, c float64
	for _, w := range windows {
		if n := m.Cost(w.Of(story)) + cost; n > m.Budget() {
			t.Errorf("a window of %d tokens with its hypothesis, budget %d", n, m.Budget())
		}
		p := classify(t, m, nli.Pair{Premise: w.Of(story), Hypothesis: h})[0]
		e, c = max(e, p.Entailment), max(c, p.Contradiction)
	}
	before := m.Work()
	got := classify(t, m, nli.Pair{Premise: story, Hypothesis: h})[0]
	if got.Entailment != e || got.Contradiction != min(c, 1-e) {
		t.Errorf("%+v, the windows' greatest are %v and %v", got, e, c)
	}
	if w := m.Work(); w.Windows-before.Windows != int64(len(windows)) || w.Pairs-before.Pairs != 1 || w.Tokens <= before.Tokens {
		t.Errorf("work %+v after %+v, want %d windows more", w, before, len(windows))
	}
}

// nli.Judge and Classify cut a premise at the same places.
func TestJudgeAgreesWithClassify(t *testing.T) {
	m := tiny(t, Options{})
	for _, h := range []string{"Bo", "The house is red", "Ana sold the boat and Bo bought the house near the river"} {
		js, err := nli.Judge(context.Background(), m, story, []string{h}, nli.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p := classify(t, m, nli.Pair{Premise: story, Hypothesis: h})[0]; js[0].Support != p.Entailment {
			t.Errorf("%q: Judge says %v, Classify %v", h, js[0].Support, p.Entailment)
		}
	}
}

func TestPool(t *testing.T) {
	a := nli.Probs{Entailment: .7, Neutral: .2, Contradiction: .1}
	b := nli.Probs{Entailment: .1, Neutral: .1, Contradiction: .8}
	c := nli.Probs{Entailment: .2, Neutral: .75, Contradiction: .05}
	bad := nli.Probs{Err: errors.New("bad")}
	want := pool(pool(a, b), c)
	if math.Abs(want.Entailment-.7) > 1e-12 || math.Abs(want.Contradiction-.3) > 1e-12 || math.Abs(want.Neutral) > 1e-12 {
		t.Errorf("%+v", want)
	}
	for _, o := range [][3]nli.Probs{{a, c, b}, {b, a, c}, {b, c, a}, {c, a, b}, {c, b, a}} {
		if got := pool(pool(o[0], o[1]), o[2]); got != want {
			t.Errorf("in another order: %+v, want %+v", got, want)
		}
	}
	if pool(a, bad).Err == nil || pool(bad, a).Err == nil {
		t.Error("a window that fails makes no verdict")
	}
}

func TestPairsThatCannotBeJudged(t *testing.T) {
	m := tiny(t, Options{})
	long := strings.Repeat("house ", 60)
	for _, c := range []struct {
		name string
		pair nli.Pair
		want error
	}{
		{"no premise", nli.Pair{Premise: " \n", Hypothesis: "a"}, nli.ErrEmptyPremise},
		{"no hypothesis", nli.Pair{Premise: "a", Hypothesis: "\t"}, nli.ErrEmptyHypothesis},
		{"only control characters", nli.Pair{Premise: "a", Hypothesis: "\x00\x01"}, ErrUnreadable},
		{"not UTF-8", nli.Pair{Premise: "\xff\xfe", Hypothesis: "a"}, ErrUnreadable},
		{"one word of 1 MB", nli.Pair{Premise: "a", Hypothesis: strings.Repeat("a", 1<<20)}, ErrUnreadable},
	} {
		got := classify(t, m, c.pair, nli.Pair{Premise: "a b", Hypothesis: "b"})
		if p := got[0]; !errors.Is(p.Err, c.want) || p.Entailment+p.Neutral+p.Contradiction != 0 {
			t.Errorf("%s: %+v, want %v", c.name, p, c.want)
		}
		if got[1].Err != nil {
			t.Errorf("%s: the pair beside it fails: %v", c.name, got[1].Err)
		}
	}
	var tooLong *nli.HypothesisTooLongError
	p := classify(t, m, nli.Pair{Premise: "a", Hypothesis: long})[0]
	if !errors.As(p.Err, &tooLong) || tooLong.Budget != m.Budget() || tooLong.Cost != m.Cost(long) {
		t.Errorf("a hypothesis beyond the budget: %+v", p)
	}
	fits := strings.Repeat("e ", m.Budget()-m.Budget()/8)
	if p := classify(t, m, nli.Pair{Premise: story, Hypothesis: fits})[0]; p.Err != nil {
		t.Errorf("a hypothesis of seven eighths: %v", p.Err)
	}
}

// Text can't pretend to be a border between premise and hypothesis.
func TestSpecialTokensAreCharacters(t *testing.T) {
	m := tiny(t, Options{})
	if n := m.Cost("[SEP]"); n < 3 {
		t.Errorf("[SEP] costs %d tokens: it is not read as characters", n)
	}
}

// The same bits alone, in any company, in any order, with any number of workers.
func TestPairIsIndependentOfItsCompany(t *testing.T) {
	var pairs []nli.Pair
	for i := range 40 {
		pairs = append(pairs, nli.Pair{Premise: story[:20+3*i], Hypothesis: fmt.Sprintf("the house has %d gardens", i%7)})
	}
	want := make([]nli.Probs, len(pairs))
	for i, p := range pairs {
		want[i] = classify(t, tiny(t, Options{Workers: 1}), p)[0]
	}
	for _, workers := range []int{0, 1, 3} {
		m := tiny(t, Options{Workers: workers})
		back := slices.Clone(pairs)
		slices.Reverse(back)
		got := classify(t, m, back...)
		slices.Reverse(got)
		if !slices.Equal(got, want) {
			t.Errorf("%d workers: not the same bits", workers)
		}
		if again := classify(t, m, pairs...); !slices.Equal(again, want) {
			t.Errorf("%d workers: what is remembered is not the same bits", workers)
		}
	}
}

func TestManyPairsRunInSeveralBatches(t *testing.T) {
	m := tiny(t, Options{})
	var pairs []nli.Pair
	for i := range 1200 { // some 60,000 tokens
		pairs = append(pairs, nli.Pair{Premise: "Bo bought a house for coins", Hypothesis: fmt.Sprint(i, " houses")})
	}
	got := classify(t, m, pairs...)
	if m.Work().Tokens <= batchTokens {
		t.Fatalf("%d tokens: too few for this test", m.Work().Tokens)
	}
	for _, i := range []int{0, 599, 1199} {
		if one := classify(t, tiny(t, Options{}), pairs[i])[0]; one != got[i] {
			t.Errorf("pair %d: %+v, alone %+v", i, got[i], one)
		}
	}
}

func TestCancellation(t *testing.T) {
	m := tiny(t, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	var pairs []nli.Pair
	for i := range 20_000 {
		pairs = append(pairs, nli.Pair{Premise: story[:60], Hypothesis: fmt.Sprint("house ", i)})
	}
	time.AfterFunc(20*time.Millisecond, cancel)
	began := time.Now()
	if _, err := m.Classify(ctx, pairs); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("stopped after %v", d)
	}
	if _, err := m.Explain(ctx, pairs[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("Explain: %v", err)
	}
}

func TestConcurrentUse(t *testing.T) {
	m := tiny(t, Options{})
	want := classify(t, tiny(t, Options{}), nli.Pair{Premise: story, Hypothesis: "red"})[0]
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 20 {
				out, err := m.Classify(context.Background(), []nli.Pair{{Premise: story, Hypothesis: "red"}, {Premise: story, Hypothesis: fmt.Sprint(i)}})
				if err != nil || out[0] != want {
					t.Errorf("%+v, %v", out, err)
					return
				}
				m.Cost(story)
			}
		})
	}
	wg.Wait()
}

// A verdict and its evidence read the pair once.
func TestExplainReadsThePairOnce(t *testing.T) {
	m := tiny(t, Options{})
	p := nli.Pair{Premise: "Bo bought a house. Ana sold boats.", Hypothesis: "Bo has a house"}
	want := classify(t, m, p)[0]
	before := m.Work()
	e, err := m.Explain(context.Background(), p)
	if err != nil || e.Probs != want {
		t.Errorf("%+v, %v, want %+v", e, err, want)
	}
	if got := e.Evidence.Of(p.Premise); got != "Bo bought a house." {
		t.Errorf("evidence %q", got)
	}
	if m.Work() != before {
		t.Errorf("%+v after %+v: the one sentence with shared words was read again", m.Work(), before)
	}
}

func TestNearest(t *testing.T) {
	premise := "The cat sleeps. The dog barks at the cat. The bird sings. Nothing else. The old dog of Bo sleeps."
	var got []string
	for _, s := range nearest(nli.Pair{Premise: premise, Hypothesis: "The dog of Bo sleeps"}, 2) {
		got = append(got, s.Of(premise))
	}
	if want := []string{"The old dog of Bo sleeps.", "The cat sleeps."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if n := nearest(nli.Pair{Premise: "Nothing else.", Hypothesis: "cats"}, 3); len(n) != 0 {
		t.Errorf("%v", n)
	}
}

func TestID(t *testing.T) {
	m := tiny(t, Options{})
	if !strings.HasPrefix(m.ID(), "test/1@") || m.ID() != tiny(t, Options{Workers: 2}).ID() {
		t.Errorf("%q, %q", m.ID(), tiny(t, Options{Workers: 2}).ID())
	}
	if a, b := m.ID(), tiny(t, Options{Budget: 60}).ID(); a == b {
		t.Errorf("another budget has the same ID %q", a)
	}
	other := mustLoad(t, random(shape, func(_ *bert.Header, ts []tensor) []tensor {
		ts[len(ts)-1] = floats("head.temperature", []float32{2}, 1)
		return ts
	}), Options{})
	if other.ID() == m.ID() {
		t.Errorf("other weights have the same ID %q", m.ID())
	}
}

func TestBadWeights(t *testing.T) {
	good := random(shape, nil)
	damaged := []byte(good)
	damaged[len(damaged)-5] ^= 1
	without := func(name string) string {
		return random(shape, func(_ *bert.Header, ts []tensor) []tensor {
			return slices.DeleteFunc(ts, func(t tensor) bool { return t.Name == name })
		})
	}
	with := func(name string, v ...float32) string {
		return random(shape, func(_ *bert.Header, ts []tensor) []tensor {
			ts = slices.DeleteFunc(ts, func(t tensor) bool { return t.Name == name })
			return append(ts, floats(name, v, len(v)))
		})
	}
	budget := func(s string) string {
		return random(shape, func(h *bert.Header, ts []tensor) []tensor {
			h.Meta["budget"] = s
			return ts
		})
	}
	for _, c := range []struct {
		name, file string
		want       error
	}{
		{"empty", "", ErrTruncated},
		{"something else", strings.Repeat("no weights ", 9), ErrFormat},
		{"header cut", good[:40], ErrTruncated},
		{"data cut", good[:len(good)-100], ErrTruncated},
		{"a bit turned", string(damaged), ErrChecksum},
		{"no head", without("head.weight"), ErrMissing},
		{"no bias", without("head.bias"), ErrMissing},
		{"no temperature", without("head.temperature"), ErrMissing},
		{"a head of two classes", with("head.bias", 1, 2), ErrMissing},
		{"temperature 0", with("head.temperature", 0), ErrFormat},
		{"temperature not a number", with("head.temperature", float32(math.NaN())), ErrFormat},
		{"budget in words", budget("many"), ErrFormat},
		{"budget beyond the positions", budget("298"), ErrFormat},
		{"words only", random(shape, func(h *bert.Header, ts []tensor) []tensor {
			h.Config = nil
			return ts[:2]
		}), ErrFormat},
	} {
		_, err := Load(fstest.MapFS{"w": {Data: []byte(c.file)}}, []string{"w"}, Options{})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if _, err := Load(fstest.MapFS{}, []string{"w"}, Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Load(fstest.MapFS{}, nil, Options{}); err == nil {
		t.Error("no files are no error")
	}
	if _, err := Load(fstest.MapFS{"w": {Data: []byte(good)}}, []string{"w"}, Options{Budget: 7}); err == nil {
		t.Error("a budget of 7 is no error")
	}
	// Weights that are whole and make no sense.
	m := mustLoad(t, with("head.bias", float32(math.Inf(1)), 0, 0), Options{})
	if p := classify(t, m, nli.Pair{Premise: "a", Hypothesis: "b"})[0]; !errors.Is(p.Err, ErrFormat) {
		t.Errorf("infinite bias: %+v", p)
	}
}

// The lazy form reads nothing but headers before the first pair, and says then
// what is wrong with the rest.
func TestAccurateIsLazy(t *testing.T) {
	good := random(mpnetShape, func(h *bert.Header, ts []tensor) []tensor {
		h.Meta = nil
		return ts
	})
	if _, err := Accurate([]string{good}, Options{}); !errors.Is(err, ErrFormat) {
		t.Errorf("positions for less than the default budget: %v", err)
	}
	m, err := Accurate([]string{good}, Options{Budget: 100})
	if err != nil {
		t.Fatal(err)
	}
	want := classify(t, mustLoad(t, good, Options{Budget: 100}), nli.Pair{Premise: story, Hypothesis: "red"})
	if got := classify(t, m, nli.Pair{Premise: story, Hypothesis: "red"}); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	damaged := []byte(good)
	damaged[len(damaged)-5] ^= 1
	if m, err = Accurate([]string{string(damaged)}, Options{Budget: 100}); err != nil {
		t.Fatal(err)
	}
	if n := m.Cost("some words"); n <= 0 {
		t.Errorf("cost %d", n)
	}
	if _, err := m.Classify(context.Background(), []nli.Pair{{Premise: "a", Hypothesis: "b"}}); !errors.Is(err, ErrChecksum) {
		t.Errorf("damaged: %v", err)
	}
	if _, err := Accurate([]string{"KGWEI"}, Options{}); !errors.Is(err, ErrTruncated) {
		t.Errorf("cut: %v", err)
	}
}

// A file without a vocabulary takes the built-in words; here they do not fit.
func TestBuiltInWordsAreAdded(t *testing.T) {
	file := random(shape, func(_ *bert.Header, ts []tensor) []tensor { return ts[2:] })
	_, err := Load(fstest.MapFS{"w": {Data: []byte(file)}}, []string{"w"}, Options{})
	if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "embed.word has shape [30522 384]") {
		t.Errorf("%v", err)
	}
}

// Every kernel gives the same probabilities but for the last digits: a processor
// without the large registers is slower, not of another opinion.
func TestKernelsAgree(t *testing.T) {
	pairs := []nli.Pair{
		{Premise: story, Hypothesis: "Bo bought a house for 12 coins"},
		{Premise: "the boat is red", Hypothesis: "the boat is not red"},
		{Premise: story[:90], Hypothesis: "nobody sold it"},
	}
	for name, c := range map[string]bert.Config{"bert": shape, "mpnet": mpnetShape} {
		file := random(c, nil)
		var want []nli.Probs
		for _, k := range kernel.Available() {
			t.Setenv(kernel.Env, k.Name())
			got := classify(t, mustLoad(t, file, Options{Budget: 120}), pairs...)
			if want == nil {
				want = got
			}
			for i := range got {
				d := max(math.Abs(got[i].Entailment-want[i].Entailment), math.Abs(got[i].Contradiction-want[i].Contradiction))
				if !(d <= 1e-5) {
					t.Errorf("%s, %s: pair %d: %+v, another kernel %+v", name, k.Name(), i, got[i], want[i])
				}
			}
		}
	}
}
