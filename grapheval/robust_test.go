package grapheval_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/nli"
)

func TestNotUTF8(t *testing.T) {
	bad := claim.Sample{Sources: []claim.Source{{Text: "good"}, {ID: "b", Text: "Ada\xff runs Orbix."}}, Output: "Ada runs\xfe Orbix."}
	c := checker(t, lookup())
	var e *claim.InvalidUTF8Error
	_, err := c.Check(context.Background(), bad)
	if !errors.As(err, &e) || e.Part != "source" || e.Source != "b" || e.Index != 1 || e.Offset != 3 {
		t.Errorf("source: %v", err)
	}
	bad.Sources[1].Text = "Ada runs Orbix."
	_, err = c.Check(context.Background(), bad)
	if !errors.As(err, &e) || e.Part != "output" || e.Offset != 8 {
		t.Errorf("output: %v", err)
	}
	r, err := checker(t, lookup(), func(o *grapheval.Options) { o.Repair = true }).Check(context.Background(), bad)
	if err != nil || len(r.Notes) != 1 || r.Notes[0].Kind != claim.NoteRepaired {
		t.Errorf("repaired: %+v, %v", r.Notes, err)
	}
}

// A model that fails or lies makes its claims unknown, never good.
func TestModelsThatFail(t *testing.T) {
	for _, how := range []string{"NaN", "infinite", "negative", "sum", "zero", "too few", "too many", "none"} {
		t.Run(how, func(t *testing.T) {
			r := check(t, checker(t, lying{how}), "Ada | runs | Orbix. It rains.", "Ada runs Orbix. It rains.")
			if r.Outcome != claim.OutcomeUnknown || r.PInconsistent != 1 || r.Counts.Unknown != 2 {
				t.Errorf("outcome %q, P %v, %+v", r.Outcome, r.PInconsistent, r.Counts)
			}
			if _, ok := r.Score(); ok {
				t.Error("an unknown output has a score")
			}
			var probs *nli.ProbsError
			if err := r.Claims[0].Err; !errors.As(err, &probs) && !errors.Is(err, grapheval.ErrShortReply) {
				t.Errorf("cause %v", err)
			}
		})
	}
	t.Run("dying", func(t *testing.T) {
		m := &dying{}
		m.left.Store(2)
		c := checker(t, m, func(o *grapheval.Options) { o.Concurrency = 1; o.NoEvidence = true; o.NoSentences = true })
		r := check(t, c, "A | a | b. C | c | d. E | e | f. G | g | h.", "Anything.")
		if r.Counts.Supported != 2 || r.Counts.Unknown != 2 || r.Outcome != claim.OutcomeUnknown {
			t.Errorf("%+v %q", r.Counts, r.Outcome)
		}
		if !errors.Is(r.Claims[3].Err, errModel) {
			t.Errorf("cause %v", r.Claims[3].Err)
		}
	})
	t.Run("one claim fails, another is inconsistent", func(t *testing.T) {
		m := &scripted{answer: func(_, h string) nli.Probs {
			if strings.HasPrefix(h, "Bad") {
				return nli.Probs{Err: errModel}
			}
			return no
		}}
		r := check(t, checker(t, m), "Bad | is | that. Ada | left | Orbix.", "Anything.")
		if r.Outcome != claim.Inconsistent || r.Counts.Unknown != 1 {
			t.Errorf("%q %+v", r.Outcome, r.Counts)
		}
	})
	t.Run("a window that fails beside one that supports", func(t *testing.T) {
		m := &scripted{answer: func(p, h string) nli.Probs {
			switch {
			case strings.HasPrefix(p, "bad"):
				return nli.Probs{Err: errModel}
			case strings.HasPrefix(h, "Ada"):
				return yes
			}
			return no
		}}
		r := check(t, checker(t, m), "Ada | runs | Orbix. Bo | left | Zed.", "bad window", "good window")
		if d := cmp.Diff([]claim.Verdict{claim.Supported, claim.Unknown}, verdicts(r)); d != "" {
			t.Error(d)
		}
		if len(r.Notes) != 1 || r.Notes[0].Kind != claim.NotePartial {
			t.Errorf("notes %+v", r.Notes)
		}
	})
}

// miscounting gives so many results more than there are texts.
type miscounting struct {
	clauses
	more int
}

func (x miscounting) Extract(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	out, err := x.clauses.Extract(ctx, texts)
	if x.more < 0 {
		return out[:len(out)+x.more], err
	}
	return append(out, make([]kg.Extraction, x.more)...), err
}

func TestExtractorsThatFail(t *testing.T) {
	const output = "Ada | runs | Orbix. It rains."
	const source = "Ada runs Orbix. It rains."
	with := func(x clauses) *grapheval.Checker {
		return checker(t, lookup(), func(o *grapheval.Options) { o.Extractor = x })
	}
	_, err := with(clauses{err: errModel}).Check(context.Background(), claim.Sample{Sources: []claim.Source{{Text: source}}, Output: output})
	if !errors.Is(err, errModel) {
		t.Errorf("call: %v", err)
	}
	for _, n := range []int{-1, 1} {
		c := checker(t, lookup(), func(o *grapheval.Options) { o.Extractor = miscounting{clauses{}, n} })
		_, err := c.Check(context.Background(), claim.Sample{Sources: []claim.Source{{Text: source}}, Output: output})
		if err == nil {
			t.Errorf("%d results more than texts: no error", n)
		}
	}
	if r := check(t, with(clauses{textErr: errModel}), output, source); len(r.Notes) != 1 || r.Notes[0].Kind != claim.NoteExtractor || r.Outcome != claim.OutcomeUnknown || r.Counts.Supported != 2 {
		t.Errorf("text: %q %+v", r.Outcome, r.Counts)
	}
	r := check(t, with(clauses{cut: true}), output, source)
	if r.Outcome != claim.Consistent || len(r.Notes) != 1 || r.Notes[0].Kind != claim.NoteExtractor {
		t.Errorf("cut: %q %+v", r.Outcome, r.Notes)
	}
}

func TestLimits(t *testing.T) {
	c := checker(t, lookup(), func(o *grapheval.Options) { o.MaxClaims = 2 })
	r := check(t, c, "A | a | b. C | c | d. E | e | f.", "A a b. C c d. E e f.")
	if r.Counts.Claims != 2 || r.Counts.Cut != 1 || r.Outcome != claim.OutcomeUnknown || len(r.Notes) != 1 || r.Notes[0].Kind != claim.NoteCut {
		t.Errorf("%+v %q %+v", r.Counts, r.Outcome, r.Notes)
	}
}

// The result does not depend on concurrency, batches, or the way it was asked.
func TestDeterminism(t *testing.T) {
	var out, src strings.Builder
	for i := range 60 {
		fmt.Fprintf(&out, "A%d | r | B%d. ", i%40, i)
		if i%3 > 0 {
			fmt.Fprintf(&src, "A%d r B%d. ", i%40, i)
		}
	}
	s := claim.Sample{ID: "x", Sources: []claim.Source{{Text: src.String()}, {Text: "Not: A3 r B3."}}, Output: out.String()}
	var want []byte
	for _, n := range []int{1, 2, 7, 64} {
		c := checker(t, windowed{lookup(), 40}, func(o *grapheval.Options) { o.Concurrency = n; o.Batch = n })
		for range 3 {
			r, err := c.Check(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !bytes.Equal(want, got) {
				t.Fatalf("concurrency %d changes the result", n)
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	c := checker(t, lookup())
	p, err := c.Prepare(context.Background(), []claim.Source{{Text: "Ada runs Orbix."}})
	if err != nil {
		t.Fatal(err)
	}
	want, err := p.Check(context.Background(), "", "Ada | runs | Orbix. It snows.")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := p.Check(context.Background(), "", "Ada | runs | Orbix. It snows.")
			if err != nil || !cmp.Equal(want, got) {
				t.Errorf("%v: %s", err, cmp.Diff(want, got))
			}
		})
	}
	wg.Wait()
}

func TestCancel(t *testing.T) {
	c := checker(t, slow{time.Hour})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := c.Check(ctx, claim.Sample{Sources: []claim.Source{{Text: "x y"}}, Output: strings.Repeat("A | a | b. It rains so much. ", 50)})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v to end", d)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := c.Check(ended, claim.Sample{Sources: []claim.Source{{Text: "x"}}, Output: "y"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// Ten megabytes go through in linear time outside the model, and words without
// blanks, NUL bytes and other scripts do no harm.
func TestLargeAndOdd(t *testing.T) {
	if testing.Short() {
		t.Skip("10 MB are read without -short only")
	}
	m := windowed{&scripted{answer: func(string, string) nli.Probs { return maybe }}, 20000}
	c := checker(t, m, func(o *grapheval.Options) { o.NoEvidence = true; o.MaxClaims = 3 })
	for name, source := range map[string]string{
		"prose":          strings.Repeat("Ada runs Orbix and it rains. ", 10<<20/29),
		"without blanks": strings.Repeat("x", 10<<20),
		"han":            strings.Repeat("公司成立于一九九八年", 1<<18),
		"nul":            strings.Repeat("\x00 a. ", 1<<18),
	} {
		start := time.Now()
		check(t, c, "Ada | runs | Orbix.", source)
		if d := time.Since(start); d > 2*time.Minute {
			t.Errorf("%s took %v", name, d)
		}
	}
	// A claim without end is an error of its own, whatever the model reads.
	r := check(t, checker(t, lookup()), strings.Repeat("x", 1<<20), strings.Repeat("y", 1<<20))
	var tooLong *nli.HypothesisTooLongError
	if r.Outcome != claim.OutcomeUnknown || !errors.As(r.Claims[0].Err, &tooLong) {
		t.Errorf("%q %v", r.Outcome, r.Claims[0].Err)
	}
	start := time.Now()
	r = check(t, c, strings.Repeat("Ada runs Orbix and it rains. ", 20_000), "Rain.")
	if r.Counts.Cut == 0 || time.Since(start) > 2*time.Minute {
		t.Errorf("large output: %+v in %v", r.Counts, time.Since(start))
	}
}

func TestNew(t *testing.T) {
	good := grapheval.Options{Extractor: clauses{}, Model: lookup()}
	bad := map[string]func(*grapheval.Options){
		"no model":       func(o *grapheval.Options) { o.Model = nil },
		"no extractor":   func(o *grapheval.Options) { o.Extractor = nil },
		"threshold":      func(o *grapheval.Options) { o.Threshold = 1 },
		"concurrency":    func(o *grapheval.Options) { o.Concurrency = -1 },
		"unit":           func(o *grapheval.Options) { o.Unit = 9 },
		"point":          func(o *grapheval.Options) { o.Point = 9 },
		"claims' weight": func(o *grapheval.Options) { c := grapheval.Uncalibrated(); c.Claims = -1; o.Calibration = &c },
	}
	for name, change := range bad {
		o := good
		change(&o)
		if _, err := grapheval.New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestContext(t *testing.T) {
	c := checker(t, lookup())
	for _, sources := range [][]claim.Source{nil, {}, {{Text: ""}}, {{ID: "a", Text: " \n\t"}, {Text: "\u200b"}}} {
		_, err := c.Check(context.Background(), claim.Sample{Sources: sources, Output: "Zed was founded in 1990."})
		if !errors.Is(err, claim.ErrNoContext) {
			t.Errorf("%+v: %v", sources, err)
		}
	}
	// An empty member among good ones keeps its place.
	r, err := c.Check(context.Background(), claim.Sample{
		Sources: []claim.Source{{}, {Text: "  "}, {ID: "doc", Text: "Ada runs Orbix."}},
		Output:  "Ada | runs | Orbix.",
	})
	if err != nil {
		t.Fatal(err)
	}
	if e := r.Claims[0].Evidence[0]; e.Index != 2 || e.Source != "doc" {
		t.Errorf("evidence %+v", e)
	}
	if r.Windows != 1 {
		t.Errorf("%d windows", r.Windows)
	}
}
