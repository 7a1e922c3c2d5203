package grapheval_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/segment"
)

func checker(t testing.TB, m nli.Model, change ...func(*grapheval.Options)) *grapheval.Checker {
	t.Helper()
	o := grapheval.Options{Extractor: clauses{}, Model: m}
	for _, f := range change {
		f(&o)
	}
	c, err := grapheval.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func check(t testing.TB, c *grapheval.Checker, output string, sources ...string) claim.Result {
	t.Helper()
	s := claim.Sample{Output: output}
	for _, x := range sources {
		s.Sources = append(s.Sources, claim.Source{Text: x})
	}
	r, err := c.Check(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	sound(t, r, s)
	return r
}

// sound checks what holds for every result.
func sound(t testing.TB, r claim.Result, s claim.Sample) {
	t.Helper()
	in := func(x float64) bool { return x >= 0 && x <= 1 }
	if !in(r.PInconsistent) {
		t.Errorf("PInconsistent %v", r.PInconsistent)
	}
	if r.Outcome == claim.Inconsistent && r.Counts.Contradicted+r.Counts.Unsupported+r.Counts.Conflicting == 0 {
		t.Error("inconsistent without a claim that fails")
	}
	if (r.Outcome == claim.NoClaims) != (len(r.Claims) == 0) && r.Outcome != claim.OutcomeUnknown {
		t.Errorf("outcome %q with %d claims", r.Outcome, len(r.Claims))
	}
	if (r.Outcome == claim.Inconsistent) != (len(r.Deciding()) > 0) {
		t.Errorf("outcome %q with %d deciding claims", r.Outcome, len(r.Deciding()))
	}
	last := -1
	for i, c := range r.Claims {
		if !in(c.PInconsistent) || !in(c.Support) || !in(c.Contradiction) {
			t.Errorf("claim %d: probabilities out of range: %+v", i, c)
		}
		if c.Verdict == "" {
			t.Errorf("claim %d has no verdict", i)
		}
		if c.Verdict == claim.Unknown && (c.PInconsistent != 1 || c.Err == nil) {
			t.Errorf("claim %d is unknown with P %v and cause %v", i, c.PInconsistent, c.Err)
		}
		if len(c.Spans) == 0 {
			t.Fatalf("claim %d has no place", i)
		}
		if c.Spans[0].Start < last {
			t.Errorf("claim %d stands before its predecessor", i)
		}
		last = c.Spans[0].Start
		for _, p := range c.Spans {
			if p.Empty() || p.Start < 0 || p.End > len(s.Output) {
				t.Errorf("claim %d: span %v is no place in the output", i, p)
			}
		}
		for _, e := range c.Evidence {
			if e.Index < 0 || e.Index >= len(s.Sources) || e.Span.End > len(s.Sources[e.Index].Text) || e.Span.Of(s.Sources[e.Index].Text) != e.Text {
				t.Errorf("claim %d: evidence %+v is no place in its source", i, e)
			}
		}
		if w := c.Window; w != nil {
			for _, e := range c.Evidence[:min(1, len(c.Evidence))] {
				if e.Index != w.Index || !w.Span.Contains(e.Span) {
					t.Errorf("claim %d: the first evidence %v is not in the window %v", i, e.Span, *w)
				}
			}
		}
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

func verdicts(r claim.Result) []claim.Verdict {
	var out []claim.Verdict
	for _, c := range r.Claims {
		out = append(out, c.Verdict)
	}
	return out
}

func TestVerdicts(t *testing.T) {
	const source = "Ada runs Orbix. The office is in Oslo. Not: Ada left Orbix."
	c := checker(t, lookup())
	for _, test := range []struct {
		name, output string
		want         []claim.Verdict
		outcome      claim.Outcome
		role         claim.Role
		evidence     string
	}{
		{"supported", "Ada | runs | Orbix.", []claim.Verdict{claim.Supported}, claim.Consistent, claim.Supports, "Ada runs Orbix."},
		{"contradicted", "Ada | left | Orbix.", []claim.Verdict{claim.Contradicted}, claim.Inconsistent, claim.Contradicts, "Not: Ada left Orbix."},
		{"unsupported", "Ada | sued | Orbix.", []claim.Verdict{claim.Unsupported}, claim.Inconsistent, claim.Nearest, "Ada runs Orbix."},
		{"a sentence that no triple covers", "The office is in Oslo.", []claim.Verdict{claim.Supported}, claim.Consistent, claim.Supports, "The office is in Oslo."},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := check(t, c, test.output, source)
			if d := cmp.Diff(test.want, verdicts(r)); d != "" {
				t.Fatal(d)
			}
			if r.Outcome != test.outcome {
				t.Errorf("outcome %q, want %q", r.Outcome, test.outcome)
			}
			e := r.Claims[0].Evidence[0]
			if e.Role != test.role || e.Text != test.evidence || e.Source != "0" {
				t.Errorf("evidence %+v, want %s %q", e, test.role, test.evidence)
			}
		})
	}
}

func TestClaimsHavePlaces(t *testing.T) {
	const output = "Hello! Ada | runs | Orbix. Ünder the roof lives a cat. Is that so? Bo | owns | Zed."
	for _, x := range []clauses{{}, {noSpans: true}} {
		r := check(t, checker(t, lookup(), func(o *grapheval.Options) { o.Extractor = x }), output, "Nothing of that.")
		var got []string
		for _, c := range r.Claims {
			got = append(got, fmt.Sprint(c.Whole, " ", c.Sentence.Of(output)))
		}
		want := []string{"false Ada | runs | Orbix.", "true Ünder the roof lives a cat.", "false Bo | owns | Zed."}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		if r.Counts.Sentences != 5 || r.Counts.Skipped != 2 || r.Counts.Whole != 1 {
			t.Errorf("counts %+v", r.Counts)
		}
	}
}

// Sources that disagree: both passages are shown, and their order does not
// matter.
func TestSourcesThatDisagree(t *testing.T) {
	c := checker(t, lookup())
	const says, denies = "Trial is 30 days in Chile.", "Not: Trial is 30 days in Canada."
	const output = "Trial | is | 30 days."
	a := check(t, c, output, says, denies)
	b := check(t, c, output, denies, says)
	for _, r := range []claim.Result{a, b} {
		k := r.Claims[0]
		if k.Verdict != claim.Conflicting || len(k.Evidence) != 2 {
			t.Fatalf("verdict %q with %d passages", k.Verdict, len(k.Evidence))
		}
		if k.Evidence[0].Role != claim.Contradicts || k.Evidence[0].Text != denies || k.Evidence[1].Role != claim.Supports || k.Evidence[1].Text != says {
			t.Errorf("evidence %+v", k.Evidence)
		}
	}
	if a.Outcome != b.Outcome || a.PInconsistent != b.PInconsistent || a.Outcome != claim.Consistent || len(a.Notes) != 1 {
		t.Errorf("outcomes %q %v and %q %v", a.Outcome, a.PInconsistent, b.Outcome, b.PInconsistent)
	}
	paper := grapheval.Paper()
	paper.Extractor, paper.Model = clauses{}, lookup()
	p, err := grapheval.New(paper)
	if err != nil {
		t.Fatal(err)
	}
	if r := check(t, p, output, says, denies); r.Outcome != claim.Consistent {
		t.Errorf("the paper counts support alone, got %q", r.Outcome)
	}
}

// What supports a sentence supports what the sentence says, unless the claim
// names what the sentence only refers to and is contradicted as it stands.
func TestSupportOfTheSentence(t *testing.T) {
	for _, test := range []struct {
		name          string
		output        string
		own, sentence nli.Probs
		extractor     rewriting
		none          bool
		want          claim.Verdict
		bySentence    bool
	}{
		{name: "awkward triple", output: "Ada | runs | Orbix.", own: maybe, sentence: yes, want: claim.Supported, bySentence: true},
		{name: "switched off", output: "Ada | runs | Orbix.", own: maybe, sentence: yes, none: true, want: claim.Unsupported},
		{name: "both fail", output: "Ada | runs | Orbix.", own: maybe, sentence: maybe, want: claim.Unsupported},
		{name: "the triple alone holds", output: "Ada | runs | Orbix.", own: yes, sentence: no, want: claim.Supported},
		{name: "contradicted in the sentence's own words", output: "Ada | runs | Orbix.", own: no, sentence: yes, want: claim.Supported, bySentence: true},
		{name: "pronoun resolved, not contradicted", output: "It | runs | Orbix.", own: maybe, sentence: yes, want: claim.Supported, bySentence: true},
		{name: "pronoun resolved, perhaps contradicted", output: "It | runs | Orbix.", own: no, sentence: yes, want: claim.Supported, bySentence: true},
		{name: "pronoun resolved, contradicted", output: "It | runs | Orbix.", own: nli.Probs{Neutral: 0.05, Contradiction: 0.95}, sentence: yes, want: claim.Contradicted},
		{name: "the triple cannot be judged", output: "Ada | runs | Orbix.", own: nli.Probs{Err: errModel}, sentence: yes, want: claim.Unknown},
		{name: "the sentence cannot be judged", output: "Ada | runs | Orbix.", own: yes, sentence: nli.Probs{Err: errModel}, want: claim.Supported},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := &scripted{answer: func(_, h string) nli.Probs {
				if strings.Contains(h, "|") {
					return test.sentence
				}
				return test.own
			}}
			r := check(t, checker(t, m, func(o *grapheval.Options) { o.Extractor = test.extractor; o.NoSentences = test.none }), test.output, "Anything.")
			k := r.Claims[0]
			if k.Verdict != test.want || k.BySentence != test.bySentence {
				t.Errorf("%s, by sentence %v", k.Verdict, k.BySentence)
			}
			if k.Verdict != claim.Unknown && k.Support != max(test.own.Entailment, k.Support) {
				t.Errorf("support %v", k.Support)
			}
		})
	}
}

// The order of sources never changes a verdict, a probability or the text of
// the evidence.
func TestOrderOfSources(t *testing.T) {
	c := checker(t, lookup())
	sources := []string{"Ada runs Orbix. It rains.", "Ada runs Orbix.", "Not: Bo owns Zed.", "Bo owns Zed today.", "", "Rain fell."}
	const output = "Ada | runs | Orbix. Bo | owns | Zed. It rains. It snows."
	want := check(t, c, output, sources...)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		rng.Shuffle(len(sources), func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
		got := check(t, c, output, sources...)
		for i := range want.Claims {
			a, b := want.Claims[i], got.Claims[i]
			if a.Verdict != b.Verdict || a.Support != b.Support || a.Contradiction != b.Contradiction || len(a.Evidence) != len(b.Evidence) {
				t.Fatalf("order of sources changes claim %d: %+v and %+v", i, a, b)
			}
			for k := range a.Evidence {
				if a.Evidence[k].Text != b.Evidence[k].Text {
					t.Errorf("order of sources changes the evidence: %q and %q", a.Evidence[k].Text, b.Evidence[k].Text)
				}
			}
		}
	}
}

func TestNoClaims(t *testing.T) {
	c := checker(t, lookup())
	for _, output := range []string{"", "  \n", "I don't know.", "The documents do not say.", "Hi! Happy to help.", "Das steht nicht im Text.", "What is it?", "...", "👍"} {
		for _, unit := range []grapheval.Unit{grapheval.Triples, grapheval.TriplesOnly, grapheval.Sentences, grapheval.Output} {
			c := checker(t, lookup(), func(o *grapheval.Options) { o.Unit = unit })
			r := check(t, c, output, "Anything.")
			if r.Outcome != claim.NoClaims || len(r.Claims) != 0 {
				t.Errorf("unit %d: %q gives %q with %d claims", unit, output, r.Outcome, len(r.Claims))
			}
			if _, ok := r.Score(); ok {
				t.Errorf("%q has a score", output)
			}
			b, err := json.Marshal(r)
			if err != nil || !bytes.Contains(b, []byte(`"p_inconsistent":null`)) {
				t.Errorf("%q: %s, %v", output, b, err)
			}
		}
	}
	if r := check(t, c, "Hi! Ada | runs | Orbix.", "Ada runs Orbix."); r.Outcome != claim.Consistent {
		t.Errorf("a greeting before a claim: %q", r.Outcome)
	}
}

func TestWindows(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "Line %d says nothing much at all. ", i)
	}
	source := b.String() + "Ada runs Orbix. " + b.String()
	m := windowed{lookup(), 64}
	c := checker(t, m, func(o *grapheval.Options) { o.Nearest = -1 })
	r := check(t, c, "Ada | runs | Orbix.", source)
	k := r.Claims[0]
	if k.Verdict != claim.Supported || k.Evidence[0].Text != "Ada runs Orbix." {
		t.Fatalf("%q %+v", k.Verdict, k.Evidence)
	}
	if r.Windows < 50 || k.Windows != r.Windows {
		t.Errorf("%d of %d windows", k.Windows, r.Windows)
	}
	if !strings.Contains(k.Window.Span.Of(source), "Ada runs Orbix.") {
		t.Errorf("the deciding window is %q", k.Window.Span.Of(source))
	}
	// A claim beyond the reserve gets smaller windows, and one that leaves no
	// room is an error of its own.
	long := strings.Repeat("very ", 40)
	r = check(t, c, "Ada | runs | "+long+"big Orbix.", source)
	if k := r.Claims[0]; k.Windows <= r.Windows {
		t.Errorf("a long claim was read against %d windows of %d", k.Windows, r.Windows)
	}
	r = check(t, c, "Ada | runs | "+long+long+"big Orbix. Ada | runs | Orbix.", source)
	var tooLong *nli.HypothesisTooLongError
	if k := r.Claims[0]; k.Verdict != claim.Unknown || !errors.As(k.Err, &tooLong) {
		t.Errorf("%q %v", k.Verdict, k.Err)
	}
	if r.Claims[1].Verdict != claim.Supported || r.Outcome != claim.OutcomeUnknown {
		t.Errorf("%q %q", r.Claims[1].Verdict, r.Outcome)
	}
}

func TestReasonsStandInOutputAndSource(t *testing.T) {
	const source = "Some noise. Zed has 12 offices in Oslo."
	m := explaining{&scripted{answer: func(p, _ string) nli.Probs {
		if strings.Contains(p, "Zed") {
			return no
		}
		return maybe
	}}, func(p nli.Pair) (nli.Explanation, error) {
		h, e := strings.Index(p.Hypothesis, "15 offices"), strings.Index(p.Premise, "12 offices")
		return nli.Explanation{
			Probs:    no,
			Evidence: segment.Span{Start: strings.Index(p.Premise, "Zed has"), End: len(p.Premise)},
			Reasons: []nli.Reason{
				{Kind: nli.ReasonNumber, Hypothesis: segment.Span{Start: h, End: h + 10}, Premise: segment.Span{Start: e, End: e + 10}, Detail: "15 against 12"},
				{Kind: nli.ReasonName, Hypothesis: segment.Span{Start: 0, End: 3}, Detail: "the subject"},
			},
		}, nil
	}}
	const output = "In 1990 it rained. It | has | 15 offices."
	c := checker(t, m, func(o *grapheval.Options) {
		o.Extractor = rewriting{} // "It" becomes "Zed" in the claim
	})
	r := check(t, c, output, "Nothing.", source)
	k := r.Claims[len(r.Claims)-1]
	if len(k.Reasons) != 2 {
		t.Fatalf("reasons %+v", k.Reasons)
	}
	first := k.Reasons[0]
	if first.OutputSpan.Of(output) != "15 offices" || first.SourceSpan.Of(source) != "12 offices" || first.Source != 1 || first.Kind != "number" {
		t.Errorf("%+v", first)
	}
	if second := k.Reasons[1]; second.OutputSpan != (segment.Span{}) || second.SourceSpan != (segment.Span{}) {
		t.Errorf("a word that the output does not have stands at %v, %v", second.OutputSpan, second.SourceSpan)
	}
	if k.Evidence[0].Text != "Zed has 12 offices in Oslo." {
		t.Errorf("evidence %q", k.Evidence[0].Text)
	}
}

func TestShortAnswers(t *testing.T) {
	statement := grapheval.AnswererFunc(func(q, a string) (string, bool) {
		if q == "Does Ada run Orbix?" && strings.HasPrefix(a, "Yes") {
			return "Ada runs Orbix.", true
		}
		return "", false
	})
	for _, test := range []struct {
		name, question, output, source string
		answerer                       grapheval.Answerer
		outcome                        claim.Outcome
		text                           string
	}{
		{"a statement is made", "Does Ada run Orbix?", "Yes.", "Ada runs Orbix.", statement, claim.Consistent, "Ada runs Orbix."},
		{"a statement that fails", "Does Ada run Orbix?", "Yes.", "Bo runs Orbix.", statement, claim.Inconsistent, "Ada runs Orbix."},
		{"yes that no statement can be made of", "Is it open?", "Yes.", "Ada runs Orbix. Yes.", statement, claim.OutcomeUnknown, "Yes."},
		{"yes against yes", "Is it open?", "Yes", "Yes", nil, claim.Consistent, "Yes"},
		{"yes without a question", "", "Yes.", "Ada runs Orbix.", statement, claim.NoClaims, ""},
		{"the same word", "", "柿子", "柿子", nil, claim.Consistent, "柿子"},
		{"the same number", "", "42", "42", nil, claim.Consistent, "42"},
		{"a number in a sentence", "When?", "1998", "It opened in 1998.", nil, claim.Consistent, "1998"},
		{"a part of a number is not it", "When?", "199", "It opened in 1998.", nil, claim.Inconsistent, "199"},
		{"not in the sources", "When?", "1999", "It opened in 1998.", nil, claim.Inconsistent, "1999"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := lookup()
			if test.answerer == nil { // what no model supports
				m = &scripted{answer: func(string, string) nli.Probs { return maybe }}
			}
			c := checker(t, m, func(o *grapheval.Options) { o.Answerer = test.answerer })
			s := claim.Sample{Question: test.question, Sources: []claim.Source{{Text: test.source}}, Output: test.output}
			r, err := c.Check(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			sound(t, r, s)
			if r.Outcome != test.outcome {
				t.Errorf("outcome %q, want %q", r.Outcome, test.outcome)
			}
			if test.text != "" && (len(r.Claims) != 1 || r.Claims[0].Text != test.text) {
				t.Errorf("claims %+v", r.Claims)
			}
		})
	}
}

func TestPlainCheckers(t *testing.T) {
	const output = "Hello! Ada runs Orbix. It snows."
	for name, test := range map[string]struct {
		o      grapheval.Options
		claims []string
	}{
		"sentences": {grapheval.PerSentence(), []string{"Ada runs Orbix.", "It snows."}},
		"whole":     {grapheval.WholeOutput(), []string{output}},
	} {
		test.o.Model = lookup()
		c, err := grapheval.New(test.o)
		if err != nil {
			t.Fatal(err)
		}
		r := check(t, c, output, "Ada runs Orbix.")
		var got []string
		for _, k := range r.Claims {
			got = append(got, k.Text)
		}
		if d := cmp.Diff(test.claims, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if r.Outcome != claim.Inconsistent || r.PInconsistent != 0.9 || r.Extractor != "" {
			t.Errorf("%s: %q %v %q", name, r.Outcome, r.PInconsistent, r.Extractor)
		}
	}
}

// The paper's rule: triples alone, any P(inconsistent) > 0.5.
func TestPaper(t *testing.T) {
	o := grapheval.Paper()
	o.Extractor, o.Model = clauses{}, lookup()
	c, err := grapheval.New(o)
	if err != nil {
		t.Fatal(err)
	}
	r := check(t, c, "Ada | runs | Orbix. It snows.", "Ada runs Orbix.")
	if len(r.Claims) != 1 || r.Outcome != claim.Consistent || r.Claims[0].Text != "Ada runs Orbix" && r.Claims[0].Text != "Ada runs Orbix." {
		t.Errorf("%q %+v", r.Outcome, r.Claims)
	}
}

// Evidence is an addition: verdicts and probabilities do not depend on it, and a
// model that fails to explain itself is asked about the sentences instead.
func TestEvidenceIsAnAddition(t *testing.T) {
	const source = "Some noise. Ada runs Orbix. More noise."
	const output = "Ada | runs | Orbix. Bo | owns | Zed. It rains."
	failing := func(nli.Pair) (nli.Explanation, error) { return nli.Explanation{}, errModel }
	outside := func(p nli.Pair) (nli.Explanation, error) {
		return nli.Explanation{Evidence: segment.Span{Start: -3, End: len(p.Premise) + 9}}, nil
	}
	plain := check(t, checker(t, lookup()), output, source)
	if got := plain.Claims[0].Evidence[0].Text; got != "Ada runs Orbix." {
		t.Errorf("evidence %q", got)
	}
	without := check(t, checker(t, lookup(), func(o *grapheval.Options) { o.NoEvidence = true }), output, source)
	for i := range without.Claims {
		if len(without.Claims[i].Evidence) > 0 {
			t.Error("evidence that nobody asked for")
		}
		without.Claims[i].Evidence = plain.Claims[i].Evidence
	}
	if d := cmp.Diff(plain, without); d != "" {
		t.Error(d)
	}
	for name, f := range map[string]func(nli.Pair) (nli.Explanation, error){"failing": failing, "outside": outside} {
		got := check(t, checker(t, explaining{lookup(), f}), output, source)
		if d := cmp.Diff(plain, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
