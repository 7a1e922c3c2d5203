package kgtest_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kgtest"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

// recorder is a testing.TB that remembers instead of failing.
type recorder struct {
	testing.TB
	ctx    context.Context
	helper bool
	log    string
	failed bool
	fatal  bool
}

func (r *recorder) Helper()                  { r.helper = true }
func (r *recorder) Context() context.Context { return r.ctx }
func (r *recorder) Logf(format string, args ...any) {
	r.log += fmt.Sprintf(format, args...) + "\n"
}
func (r *recorder) Errorf(format string, args ...any) {
	r.failed = true
	r.Logf(format, args...)
}
func (r *recorder) Fatalf(format string, args ...any) {
	r.fatal = true
	r.Errorf(format, args...)
	runtime.Goexit()
}

// record runs f as a test would.
func record(t *testing.T, f func(testing.TB)) *recorder {
	t.Helper()
	r := &recorder{ctx: t.Context()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	if !r.helper {
		t.Error("t.Helper was not called: the failure would point into package kgtest")
	}
	return r
}

// sentences takes each sentence for a fact about its first word.
type sentences struct{}

func (sentences) ID() string { return "sentences/1" }

func (sentences) Extract(ctx context.Context, texts []kg.Text) ([]kg.Extraction, error) {
	out := make([]kg.Extraction, len(texts))
	for i, t := range texts {
		out[i].TextID = t.ID
		for _, s := range segment.Sentences(t.Text) {
			head, rest, ok := strings.Cut(strings.TrimRight(s.Of(t.Text), "."), " ")
			relation, tail, ok2 := strings.Cut(rest, " ")
			if ok && ok2 {
				out[i].Statements = append(out[i].Statements, kg.Statement{
					Triple: kg.Triple{Head: head, Relation: relation, Tail: tail}, Spans: []segment.Span{s}, Sentence: s,
				})
			}
		}
	}
	return out, ctx.Err()
}

// lastWord contradicts what differs from the premise in its last word only,
// and can tell where.
type lastWord struct{ broken bool }

func (lastWord) ID() string { return "last-word/1" }

func (m lastWord) Classify(ctx context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	out := make([]nli.Probs, len(pairs))
	for i, p := range pairs {
		e, err := m.Explain(ctx, p)
		if err != nil {
			return nil, err
		}
		out[i] = e.Probs
	}
	return out, ctx.Err()
}

func (m lastWord) Explain(_ context.Context, p nli.Pair) (nli.Explanation, error) {
	if m.broken {
		return nli.Explanation{Probs: nli.Probs{Err: errors.New("out of order")}}, nil
	}
	h := strings.TrimRight(p.Hypothesis, ".")
	at := strings.LastIndexByte(h, ' ') + 1
	for _, s := range segment.Sentences(p.Premise) {
		said := strings.TrimRight(s.Of(p.Premise), ".")
		switch {
		case said == h:
			return nli.Explanation{Probs: nli.Probs{Entailment: 1}, Evidence: s}, nil
		case strings.HasPrefix(said, h[:at]):
			return nli.Explanation{
				Probs:    nli.Probs{Contradiction: 0.999, Neutral: 0.001},
				Evidence: s,
				Reasons: []nli.Reason{{
					Kind: nli.ReasonName, Detail: h[at:] + " against " + said[at:],
					Hypothesis: segment.Span{Start: at, End: len(h)},
					Premise:    segment.Span{Start: s.Start + at, End: s.Start + len(said)},
				}},
			}, nil
		}
	}
	return nli.Explanation{Probs: nli.Probs{Neutral: 0.999, Entailment: 0.001}}, nil
}

var with = []kgtest.Option{kgtest.WithExtractor(sentences{}), kgtest.WithNLI(lastWord{})}

const article = "Ann leads the team in Kappa. Bob owns a boat.\nThe boat is called Delta."

func grounded(context, output string, opts ...kgtest.Option) func(testing.TB) {
	return func(t testing.TB) { kgtest.Grounded(t, context, output, append(with, opts...)...) }
}

func similar(want, got string, min float64, opts ...kgtest.Option) func(testing.TB) {
	return func(t testing.TB) { kgtest.Similar(t, want, got, min, append(with, opts...)...) }
}

var update = flag.Bool("update", false, "write the goldens instead of comparing with them")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}

func TestPasses(t *testing.T) {
	for name, f := range map[string]func(testing.TB){
		"all facts supported":      grounded(article, "Bob owns a boat."),
		"facts from two sources":   grounded("", "Eve sold the mill. Bob owns a boat.", kgtest.WithSources(kgeval.Source{ID: "a", Text: "Eve sold the mill."}, kgeval.Source{ID: "b", Text: article})),
		"no claims where allowed":  grounded(article, "I don't know.", kgtest.AllowNoClaims()),
		"empty output, if allowed": grounded(article, "", kgtest.AllowNoClaims()),
		"the same text":            similar(article, article, 1),
		"a nil option":             grounded(article, "Bob owns a boat.", nil),
	} {
		if r := record(t, f); r.failed {
			t.Errorf("%s: %s", name, r.log)
		}
	}
}

func TestFailureMessages(t *testing.T) {
	for name, f := range map[string]func(testing.TB){
		"contradicted.txt": grounded(article, "Bob owns a boat.\nAnn leads the team in Omega."),
		"unsupported.txt":  grounded(article, "Cid likes tea.\nBob owns a boat."),
		"many.txt":         grounded(article, strings.Repeat("Cid likes tea. Dee likes ink. Eva likes oak. ", 2)+"Fay likes ash. Gus likes elm. Hal likes yew. Ida likes fir. Jon likes ivy. Kim likes box. Leo likes nut. Mia likes fig. Ned likes fern."),
		"no-claims.txt":    grounded(article, "I don't know."),
		"balanced.txt":     grounded(article, "Ann leads the team in Omega.", kgtest.Balanced()),
	} {
		r := record(t, f)
		if !r.failed || r.fatal {
			t.Errorf("%s: failed %t, fatal %t", name, r.failed, r.fatal)
		}
		golden(t, name, r.log)
	}
	r := record(t, similar(article, "Ann leads the team in Omega. Zoe paints.", 0.9))
	if !r.failed || r.fatal {
		t.Errorf("similar: %+v", r)
	}
	for _, want := range []string{"is below 0.9", "said otherwise:", "differs: want", `"Ann leads the team in Omega."`, "missing in got:", `"Bob owns a boat."`} {
		if !strings.Contains(r.log, want) {
			t.Errorf("no %q in:\n%s", want, r.log)
		}
	}
}

// What cannot be judged stops the test, whatever else is allowed.
func TestFatal(t *testing.T) {
	for name, c := range map[string]struct {
		f    func(testing.TB)
		want string
	}{
		"empty context":           {grounded("", "Bob owns a boat."), "empty context"},
		"blank context":           {grounded(" \n\t", "Bob owns a boat."), "empty context"},
		"blank sources":           {grounded("", "Bob owns a boat.", kgtest.WithSources(kgeval.Source{ID: "a", Text: " "})), "empty context"},
		"output not UTF-8":        {grounded(article, "Bob \xff"), "output is not UTF-8 at byte 4"},
		"context not UTF-8":       {grounded("Bob \xff", "Bob owns a boat."), "not UTF-8 at byte 4"},
		"model out of order":      {grounded(article, "Bob owns a boat.", kgtest.WithNLI(lastWord{broken: true}), kgtest.AllowNoClaims()), "could not be judged"},
		"threshold of zero":       {grounded(article, "Bob owns a boat.", kgtest.WithThreshold(0)), "threshold"},
		"threshold of one":        {grounded(article, "Bob owns a boat.", kgtest.WithThreshold(1)), "below 1, not 1"},
		"threshold not a number":  {grounded(article, "Bob owns a boat.", kgtest.WithThreshold(math.NaN())), "not NaN"},
		"minimum of zero":         {similar(article, article, 0), "min must be above 0 and at most 1, not 0"},
		"negative minimum":        {similar(article, article, -1), "not -1"},
		"minimum above one":       {similar(article, article, 1.01), "not 1.01"},
		"minimum not a number":    {similar(article, article, math.NaN()), "not NaN"},
		"nothing to compare with": {similar("  ", article, 0.5), "want is empty"},
		"got not UTF-8":           {similar(article, "\xff", 0.5), "got"},
	} {
		r := record(t, c.f)
		if !r.fatal || !strings.Contains(r.log, c.want) {
			t.Errorf("%s: fatal %t: %s", name, r.fatal, r.log)
		}
	}
}

func TestCancelledTest(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := &recorder{ctx: ctx}
	done := make(chan struct{})
	go func() { defer close(done); grounded(article, "Bob owns a boat.")(r) }()
	<-done
	if !r.fatal || !strings.Contains(r.log, context.Canceled.Error()) {
		t.Errorf("fatal %t: %s", r.fatal, r.log)
	}
}

// The offline parts, as a user has them.
func TestOffline(t *testing.T) {
	const source = "The ferry Aurora sank on 4 June 1953 near Port Ellis. All 112 passengers were rescued by the trawler Maud."
	kgtest.Grounded(t, source, "All 112 passengers were rescued by the trawler Maud.")
	kgtest.Grounded(t, source, "1953.", kgtest.WithQuestion("When did the ferry Aurora sink?"), kgtest.AllowNoClaims())
	r := record(t, func(t testing.TB) {
		kgtest.Grounded(t, source, "The ferry Aurora sank on 4 June 1958 near Port Ellis.")
	})
	if !r.failed || r.fatal || !strings.Contains(r.log, "1958") || !strings.Contains(r.log, "1953") {
		t.Errorf("a wrong year passed: %s", r.log)
	}
}
