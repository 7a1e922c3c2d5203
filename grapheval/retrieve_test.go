package grapheval_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/nli"
)

// topics is an embedder of three meanings: each word on its list points one way.
type topics struct {
	err   error
	odd   bool // vectors of several lengths
	mu    sync.Mutex
	texts int
	calls int
}

func (*topics) ID() string { return "topics@1" }

func (e *topics) Embed(_ context.Context, texts []string) ([][]float32, error) {
	e.mu.Lock()
	e.texts += len(texts)
	e.calls++
	e.mu.Unlock()
	if e.err != nil {
		return nil, e.err
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = []float32{0.1, 0.1, 0.1}
		for k, words := range [][]string{{"boat", "ship"}, {"doctor", "physician"}} {
			for _, w := range words {
				if strings.Contains(t, w) {
					out[i][k+1] = 1
				}
			}
		}
		if e.odd && i == 1 {
			out[i] = out[i][:2]
		}
	}
	return out, nil
}

// pages are many sources about nothing, with the given ones among them.
func pages(n int, among ...string) []claim.Source {
	var out []claim.Source
	for i := range n {
		out = append(out, claim.Source{ID: fmt.Sprint("page ", i), Text: fmt.Sprintf("Station %d recorded %d millimetres of rain in week %d.", i, 7*i%53, i%52)})
	}
	for i, text := range among {
		at := (i + 1) * n / (len(among) + 1)
		out[at] = claim.Source{ID: fmt.Sprint("among ", i), Text: text}
	}
	return out
}

// Where there are many sources a claim is judged against the nearest, whether
// they share its words or, with an embedder, only its meaning.
func TestRetrieval(t *testing.T) {
	meant := &scripted{answer: func(premise, _ string) nli.Probs {
		if strings.Contains(premise, "physician") {
			return yes
		}
		return maybe
	}}
	for _, test := range []struct {
		name string
		e    *topics
		want claim.Verdict
	}{
		{"by words alone the other wording is not found", nil, claim.Unsupported},
		{"by meaning it is", &topics{}, claim.Supported},
	} {
		c := checker(t, meant, func(o *grapheval.Options) {
			o.Unit = grapheval.Sentences
			if test.e != nil {
				o.Embedder = test.e
			}
		})
		p, err := c.Prepare(t.Context(), pages(100, "Dr Holm, a physician, came late."))
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			r, err := p.Check(t.Context(), "", "The doctor arrived after the others of that week.")
			if err != nil {
				t.Fatal(err)
			}
			if k := r.Claims[0]; k.Verdict != test.want || k.Windows != 3 {
				t.Errorf("%s: %s after %d windows", test.name, k.Verdict, k.Windows)
			}
		}
		if e := test.e; e != nil && e.texts != 100+3 {
			t.Errorf("%d texts embedded: the sources' must be once", e.texts)
		}
	}
}

// With few sources nothing is embedded, and all are read.
func TestFewSourcesAreAllRead(t *testing.T) {
	e := &topics{}
	r, err := checker(t, lookup(), func(o *grapheval.Options) { o.Embedder = e }).Check(t.Context(), claim.Sample{Sources: pages(8), Output: "It rained."})
	if err != nil || r.Claims[0].Windows != 8 || e.calls != 0 {
		t.Errorf("%d windows, %d calls, %v", r.Claims[0].Windows, e.calls, err)
	}
}

// Neither the order of many sources, nor what else is asked, changes a verdict or
// its evidence, and two of them that disagree are both found and cited.
func TestOrderOfManySources(t *testing.T) {
	const output = "Trial | is | 30 days. It rains in Lund. Station 7 recorded 49 millimetres of rain in week 7."
	sources := pages(60, "Trial is 30 days in Chile.", "Not: Trial is 30 days in Canada.", "It rains in Lund.")
	c := checker(t, lookup(), func(o *grapheval.Options) { o.Embedder = &topics{} })
	rng := rand.New(rand.NewPCG(1, 1))
	var want []string
	for i := range 30 {
		r, err := c.Check(t.Context(), claim.Sample{Sources: sources, Output: output})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, k := range r.Claims {
			line := fmt.Sprint(k.Text, k.Verdict, k.Support, k.Contradiction)
			for _, e := range k.Evidence {
				line += fmt.Sprint(" | ", e.Source, e.Role, e.Text)
				if e.Span.Of(sources[e.Index].Text) != e.Text || sources[e.Index].ID != e.Source {
					t.Errorf("evidence %+v is not where it says", e)
				}
			}
			got = append(got, line)
		}
		if i == 0 {
			want = got
			if v := verdicts(r); v[0] != claim.Conflicting || v[1] != claim.Supported || len(r.Claims[0].Evidence) != 2 {
				t.Fatalf("%q", got)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
		rng.Shuffle(len(sources), func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
	}
}

// An embedder that fails is an error for the sources and makes claims unknown,
// never unsupported and never good.
func TestEmbeddersThatFail(t *testing.T) {
	for _, e := range []*topics{{err: errModel}, {odd: true}} {
		if _, err := checker(t, lookup(), func(o *grapheval.Options) { o.Embedder = e }).Prepare(t.Context(), pages(20)); err == nil || !strings.Contains(err.Error(), "topics@1") {
			t.Errorf("%v", err)
		}
	}
	e := &topics{}
	p, err := checker(t, lookup(), func(o *grapheval.Options) { o.Embedder = e }).Prepare(t.Context(), pages(20))
	if err != nil {
		t.Fatal(err)
	}
	e.err = errModel
	r, err := p.Check(t.Context(), "", "It rains in Lund.")
	if err != nil || r.Outcome != claim.OutcomeUnknown || !errors.Is(r.Claims[0].Err, errModel) {
		t.Errorf("%q, %v", r.Outcome, err)
	}
}

// One Prepared serves many checks at once.
func TestRetrievalConcurrently(t *testing.T) {
	p, err := checker(t, lookup(), func(o *grapheval.Options) { o.Embedder = &topics{} }).Prepare(t.Context(), pages(50, "The ship sank."))
	if err != nil {
		t.Fatal(err)
	}
	want, err := p.Check(t.Context(), "", "The ship sank. Ada | runs | Orbix.")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := p.Check(context.Background(), "", "The ship sank. Ada | runs | Orbix.")
			if err != nil || !cmp.Equal(want, got) {
				t.Errorf("%v: %s", err, cmp.Diff(want, got))
			}
		})
	}
	wg.Wait()
}

// Pages that hold nothing an embedder could read do not stop the others.
func TestRetrievalOfOddPages(t *testing.T) {
	sources := pages(20, "\x00\x01\x02", "\u200b\ufeff", "Ada runs Orbix.", "\ufe0f\ufe0f", "")
	r, err := offline(t, grapheval.Options{}).Check(t.Context(), claim.Sample{Sources: sources, Output: "Ada runs Orbix."})
	if err != nil || r.Outcome != claim.Consistent {
		t.Errorf("%q, %v", r.Outcome, err)
	}
}
