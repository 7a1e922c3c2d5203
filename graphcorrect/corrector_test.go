package graphcorrect_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/segment"
)

// marks is a checker for tests: each sentence is a claim; one with a word that
// ends in "!x" is contradicted, "?x" unsupported, "~x" conflicting, "_x"
// unknown, others are supported. P grows with the number of such words.
type marks struct{ err error }

func (m marks) Check(ctx context.Context, s claim.Sample) (claim.Result, error) {
	if err := ctx.Err(); err != nil {
		return claim.Result{}, err
	}
	if m.err != nil {
		return claim.Result{}, m.err
	}
	r := claim.Result{Outcome: claim.Consistent}
	for _, sp := range segment.Sentences(s.Output) {
		text := sp.Of(s.Output)
		c := claim.Claim{Text: text, Whole: true, Spans: []segment.Span{sp}, Sentence: sp, Verdict: claim.Supported, PInconsistent: 0.1, Support: 0.9}
		for mark, v := range map[string]claim.Verdict{"!x": claim.Contradicted, "?x": claim.Unsupported, "~x": claim.Conflicting, "_x": claim.Unknown} {
			if n := strings.Count(text, mark); n > 0 {
				c.Verdict = v
				c.PInconsistent = 1 - 1/float64(2+n)
				c.Risk = c.PInconsistent
				r.Outcome = claim.Inconsistent
			}
		}
		r.Claims = append(r.Claims, c)
	}
	return r, nil
}

// proposer is a function as a proposer.
type proposer func(s claim.Sample, c claim.Claim) ([]claim.Edit, error)

func (p proposer) ID() string { return "test@1" }

func (p proposer) Propose(_ context.Context, s claim.Sample, c claim.Claim) ([]claim.Edit, error) {
	return p(s, c)
}

// change proposes to put new for every old in the claim's sentence.
func change(pairs ...string) proposer {
	return func(s claim.Sample, c claim.Claim) ([]claim.Edit, error) {
		var edits []claim.Edit
		for i := 0; i+1 < len(pairs); i += 2 {
			for from := c.Sentence.Start; ; {
				k := strings.Index(s.Output[from:c.Sentence.End], pairs[i])
				if k < 0 {
					break
				}
				at := segment.Span{Start: from + k, End: from + k + len(pairs[i])}
				edits = append(edits, claim.Edit{Span: at, New: pairs[i+1], Reason: "test"})
				from = at.End
			}
		}
		return edits, nil
	}
}

func correct(t testing.TB, o graphcorrect.Options, output string) graphcorrect.Correction {
	t.Helper()
	if o.Checker == nil {
		o.Checker = marks{}
	}
	c, err := graphcorrect.New(o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Correct(context.Background(), claim.Sample{ID: "7", Sources: []claim.Source{{Text: "x"}}, Output: output})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, output, got)
	return got
}

// sound checks that the edits alone lead from the old text to the new one, and
// back.
func sound(t testing.TB, old string, c graphcorrect.Correction) {
	t.Helper()
	back, oldAt, newAt := "", 0, 0
	for i, e := range c.Edits {
		if e.Span.Of(old) != e.Old || e.NewSpan.Of(c.Text) != e.New {
			t.Errorf("edit %d: %+v does not stand in the texts", i, e)
		}
		if old[oldAt:e.Span.Start] != c.Text[newAt:e.NewSpan.Start] {
			t.Errorf("text before edit %d changed: %q to %q", i, old[oldAt:e.Span.Start], c.Text[newAt:e.NewSpan.Start])
		}
		if e.Reason == "" {
			t.Errorf("edit %d has no reason", i)
		}
		back += c.Text[newAt:e.NewSpan.Start] + e.Old
		oldAt, newAt = e.Span.End, e.NewSpan.End
	}
	if back += c.Text[newAt:]; back != old {
		t.Errorf("undoing the edits gives %q, not %q", back, old)
	}
	if c.Changed() != (c.Text != old) {
		t.Error("Changed is wrong")
	}
	if _, err := json.Marshal(c); err != nil {
		t.Error(err)
	}
}

func left(c graphcorrect.Correction) string {
	var out []string
	for _, l := range c.Left {
		out = append(out, fmt.Sprintf("%d %s", l.Claim, l.Kind))
	}
	return strings.Join(out, ", ")
}

func TestCorrect(t *testing.T) {
	for _, test := range []struct {
		name, output string
		opts         graphcorrect.Options
		want, left   string
	}{
		{"nothing flagged", "All  is\twell. Büro.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("well", "bad")}}, "All  is\twell. Büro.", ""},
		{"put right", "A is b!x. C is d.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("b!x", "c")}}, "A is c. C is d.", ""},
		{"only the flagged sentence", "A is b. A is b!x.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("b!x", "c")}}, "A is b. A is c.", ""},
		{"two in one sentence", "A!x is b!x.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("A!x", "Ä", "b!x", "ß")}}, "Ä is ß.", ""},
		{"no correction known", "A is b!x.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("z", "c")}}, "A is b!x.", "0 no correction"},
		{"withdrawn when no better", "A is b!x. C is d!x.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("b!x", "e!x", "d!x", "f")}}, "A is b!x. C is f.", "0 withdrawn"},
		{"kept without a recheck", "A is b!x.", graphcorrect.Options{NoRecheck: true, Proposers: []graphcorrect.Proposer{change("b!x", "e!x")}}, "A is e!x.", ""},
		{"better though still denied", "A!x is b!x.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("b!x", "c")}}, "A!x is b!x.", "0 withdrawn"},
		{"clearly better", "A?x?x?x?x is b.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("?x?x?x", "")}}, "A?x is b.", ""},
		{"a sentence that stands already", "A is b. C is b!x.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("C", "A", "b!x", "b")}}, "A is b. C is b!x.", "1 withdrawn"},
		{"a sentence that stands already, unchecked", "A is b. C is b!x.", graphcorrect.Options{NoRecheck: true, Proposers: []graphcorrect.Proposer{change("C", "A", "b!x", "b")}}, "A is b. C is b!x.", "1 withdrawn"},
		{"two that would become one", "A is b!x. A is c!x.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("b!x", "d", "c!x", "d")}}, "A is d. A is c!x.", "1 withdrawn"},
		{"one that stood twice already", "A is b!x. A is b!x.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("b!x", "d")}}, "A is d. A is d.", ""},
		{"a panic", "A is b!x. C is d!x.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{proposer(func(_ claim.Sample, c claim.Claim) ([]claim.Edit, error) {
			if c.Sentence.Start == 0 {
				panic("no")
			}
			return []claim.Edit{{Span: segment.Span{Start: 15, End: 18}, New: "e", Reason: "test"}}, nil
		})}}, "A is b!x. C is e.", "0 failed"},
		{"worse", "A is b?x.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("b?x", "c!x")}}, "A is b?x.", "0 withdrawn"},
		{"not judged", "A is b_x.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("b_x", "c")}}, "A is b_x.", "0 not judged"},
		{"unreadable afterwards", "A is b!x.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("b!x", "c_x")}}, "A is b!x.", "0 withdrawn"},
		{"the second proposer", "A is b!x.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("z", "y"), change("b!x", "c")}}, "A is c.", ""},
		{"right to left", "قال !x إن المبنى قديم. نعم.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("!x", "أحمد")}}, "قال أحمد إن المبنى قديم. نعم.", ""},
		{"an edit that changes nothing", "A is b!x.", graphcorrect.Options{Proposers: []graphcorrect.Proposer{change("b!x", "b!x")}}, "A is b!x.", "0 no correction"},

		{"removed sentence", "A is b. C is d!x. E is f.", graphcorrect.Options{Unfixable: graphcorrect.Remove, Proposers: []graphcorrect.Proposer{change("z", "y")}}, "A is b. E is f.", ""},
		{"removed first", "A is b?x. C is d.", graphcorrect.Options{Unfixable: graphcorrect.Remove, Proposers: []graphcorrect.Proposer{change("z", "y")}}, "C is d.", ""},
		{"removed last", "A is b.  C is d!x.\n", graphcorrect.Options{Unfixable: graphcorrect.Remove, Proposers: []graphcorrect.Proposer{change("z", "y")}}, "A is b.\n", ""},
		{"removed bullet", "- A is b.\n- C is d!x.\n- E is f.\n", graphcorrect.Options{Unfixable: graphcorrect.Remove, Proposers: []graphcorrect.Proposer{change("z", "y")}}, "- A is b.\n- E is f.\n", ""},
		{"removed everything", "A is b!x.", graphcorrect.Options{Unfixable: graphcorrect.Remove, Proposers: []graphcorrect.Proposer{change("z", "y")}}, "", ""},
		{"one put right, one removed", "Ada is bad!x. Bo is mad!x.", graphcorrect.Options{Unfixable: graphcorrect.Remove, Proposers: []graphcorrect.Proposer{change("bad!x", "good")}}, "Ada is good.", ""},
		{"removed neighbours", "Ada is bad!x. Bo is mad!x. Eva is fine.", graphcorrect.Options{Unfixable: graphcorrect.Remove, Proposers: []graphcorrect.Proposer{change("z", "y")}}, "Eva is fine.", ""},
		{"removed neighbours at the end", "Eva is fine. Ada is bad!x. Bo is mad!x.", graphcorrect.Options{Unfixable: graphcorrect.Remove, Proposers: []graphcorrect.Proposer{change("z", "y")}}, "Eva is fine.", ""},
		{"removed bullet of two sentences", "* Eva is fine.\n* Ada is bad!x. Bo is mad!x.\n* Uma is well.", graphcorrect.Options{Unfixable: graphcorrect.Remove, Proposers: []graphcorrect.Proposer{change("z", "y")}}, "* Eva is fine.\n* Uma is well.", ""},
		{"withdrawn, then removed", "A is b!x. C is d.", graphcorrect.Options{Unfixable: graphcorrect.Remove, Proposers: []graphcorrect.Proposer{change("b!x", "e!x")}}, "C is d.", ""},
		{"not removed when the sources disagree", "A is b~x. C is d.", graphcorrect.Options{Unfixable: graphcorrect.Remove, Proposers: []graphcorrect.Proposer{change("z", "y")}}, "A is b~x. C is d.", "0 no correction"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := correct(t, test.opts, test.output)
			if got.Text != test.want {
				t.Errorf("got  %q\nwant %q", got.Text, test.want)
			}
			if left(got) != test.left {
				t.Errorf("left %q, want %q", left(got), test.left)
			}
			if got.ID != "7" {
				t.Errorf("ID %q", got.ID)
			}
		})
	}
}

var errProposer = errors.New("reply refused: I'm sorry, I can't help with that")

// A proposer that refuses, fails or talks nonsense leaves the text as it was,
// and says so.
func TestProposersThatFail(t *testing.T) {
	const output = "A is b!x. Zoë is d."
	for name, p := range map[string]proposer{
		"error":       func(claim.Sample, claim.Claim) ([]claim.Edit, error) { return nil, errProposer },
		"outside":     func(claim.Sample, claim.Claim) ([]claim.Edit, error) { return edit(5, 999, "c"), nil },
		"negative":    func(claim.Sample, claim.Claim) ([]claim.Edit, error) { return edit(-1, 2, "c"), nil },
		"reversed":    func(claim.Sample, claim.Claim) ([]claim.Edit, error) { return edit(5, 2, "c"), nil },
		"cuts a rune": func(claim.Sample, claim.Claim) ([]claim.Edit, error) { return edit(5, 13, "c"), nil },
		"not UTF-8":   func(claim.Sample, claim.Claim) ([]claim.Edit, error) { return edit(5, 8, "\xff"), nil },
		"overlap": func(claim.Sample, claim.Claim) ([]claim.Edit, error) {
			return append(edit(0, 5, "c"), edit(3, 8, "d")...), nil
		},
		"one bad edit": func(claim.Sample, claim.Claim) ([]claim.Edit, error) {
			return append(edit(5, 8, "c"), edit(20, 999, "d")...), nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := correct(t, graphcorrect.Options{Proposers: []graphcorrect.Proposer{p}}, output)
			if got.Text != output || left(got) != "0 failed" {
				t.Errorf("%q, left %q", got.Text, left(got))
			}
			if err := got.Left[0].Err; !errors.Is(err, errProposer) && !errors.Is(err, graphcorrect.ErrBadEdit) {
				t.Errorf("cause %v", err)
			}
			// Another proposer may still know better.
			got = correct(t, graphcorrect.Options{Proposers: []graphcorrect.Proposer{p, change("b!x", "c")}}, output)
			if got.Text != "A is c. Zoë is d." {
				t.Errorf("second proposer: %q", got.Text)
			}
		})
	}
}

func edit(start, end int, text string) []claim.Edit {
	return []claim.Edit{{Span: segment.Span{Start: start, End: end}, New: text, Reason: "test"}}
}

// two is a checker to which every text is
// consistent, for results given by hand before it.
type two struct{}

func (c two) Check(_ context.Context, s claim.Sample) (claim.Result, error) {
	return claim.Result{Outcome: claim.Consistent, Claims: []claim.Claim{{
		Verdict: claim.Supported, Spans: []segment.Span{{End: len(s.Output)}}, Sentence: segment.Span{End: len(s.Output)},
	}}}, nil
}

func contradicted(output string, p float64, parts ...string) claim.Claim {
	c := claim.Claim{Verdict: claim.Contradicted, PInconsistent: p, Sentence: segment.Span{End: len(output)}}
	for _, part := range parts {
		i := strings.Index(output, part)
		c.Spans = append(c.Spans, segment.Span{Start: i, End: i + len(part)})
	}
	c.Text = strings.Join(parts, " ")
	return c
}

// Claims that share a slot need one edit; of two edits that overlap the one for
// the worse claim is taken.
func TestSharedSlots(t *testing.T) {
	const output = "Nora sold 45 boats in Turku."
	before := claim.Result{Claims: []claim.Claim{contradicted(output, 0.7, "Nora", "sold"), contradicted(output, 0.9, "Nora", "Turku")}}
	c, err := graphcorrect.New(graphcorrect.Options{Checker: two{}, Proposers: []graphcorrect.Proposer{change("Nora", "Ida")}})
	if err != nil {
		t.Fatal(err)
	}
	s := claim.Sample{Output: output}
	got, err := c.CorrectResult(context.Background(), s, before)
	if err != nil {
		t.Fatal(err)
	}
	sound(t, output, got)
	if got.Text != "Ida sold 45 boats in Turku." || len(got.Edits) != 1 || got.Edits[0].Claim != 0 || len(got.Left) != 0 {
		t.Errorf("%+v", got)
	}

	p := proposer(func(s claim.Sample, c claim.Claim) ([]claim.Edit, error) {
		if c.PInconsistent > 0.8 {
			return edit(0, 4, "Ida"), nil
		}
		return edit(0, 9, "Eva bought"), nil
	})
	c, err = graphcorrect.New(graphcorrect.Options{Checker: two{}, Proposers: []graphcorrect.Proposer{p}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err = c.CorrectResult(context.Background(), s, before); err != nil {
		t.Fatal(err)
	}
	if got.Text != "Ida sold 45 boats in Turku." || left(got) != "0 overlap" {
		t.Errorf("%q, left %q", got.Text, left(got))
	}
}

// A clause goes alone when it is set off and nothing else needs it.
func TestRemovedClause(t *testing.T) {
	for _, test := range []struct{ name, output, flagged, supported, want string }{
		{"after and", "Zed was founded in 1990 and owns 50 llamas.", "owns 50 llamas", "Zed was founded in 1990", "Zed was founded in 1990."},
		{"after a comma and but", "Zed was founded in 1990, but it was sold to Orbix!", "it was sold to Orbix", "Zed was founded in 1990", "Zed was founded in 1990!"},
		{"after a semicolon", "Zed sells boats; its owner is Ida.", "its owner is Ida", "Zed sells boats", "Zed sells boats."},
		{"a relative clause", "Zed hired Ida Holm, who won a prize.", "who won a prize", "Zed hired Ida Holm", "Zed hired Ida Holm."},
		{"the first clause stays", "Zed owns llamas and was founded in 1990.", "owns llamas", "was founded in 1990", "Zed owns llamas and was founded in 1990."},
		{"joined names stay", "Zed hired Ida and Nora.", "Nora", "hired Ida", "Zed hired Ida."},
		{"words that others need", "Ida and Nora founded Zed.", "Nora", "founded Zed", "Ida and Nora founded Zed."},
		{"brackets stay whole", "Zed (a firm and a club) sells boats.", "a club", "sells boats", "Zed (a firm and a club) sells boats."},
	} {
		t.Run(test.name, func(t *testing.T) {
			sup := contradicted(test.output, 0.1, test.supported)
			sup.Verdict = claim.Supported
			before := claim.Result{Claims: []claim.Claim{sup, contradicted(test.output, 0.9, test.flagged)}}
			c, err := graphcorrect.New(graphcorrect.Options{Checker: two{}, Unfixable: graphcorrect.Remove, Proposers: []graphcorrect.Proposer{change("#", "")}})
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.CorrectResult(context.Background(), claim.Sample{Output: test.output}, before)
			if err != nil {
				t.Fatal(err)
			}
			sound(t, test.output, got)
			if got.Text != test.want {
				t.Errorf("got  %q\nwant %q", got.Text, test.want)
			}
			if kept := got.Text == test.output; kept != (left(got) == "1 not removable") {
				t.Errorf("left %q", left(got))
			}
		})
	}
}

func TestErrors(t *testing.T) {
	ok := change("a", "b")
	for name, o := range map[string]graphcorrect.Options{
		"no checker":   {Proposers: []graphcorrect.Proposer{ok}},
		"no proposer":  {Checker: marks{}},
		"nil proposer": {Checker: marks{}, Proposers: []graphcorrect.Proposer{nil}},
		"policy":       {Checker: marks{}, Proposers: []graphcorrect.Proposer{ok}, Unfixable: 9},
		"concurrency":  {Checker: marks{}, Proposers: []graphcorrect.Proposer{ok}, Concurrency: -1},
	} {
		if _, err := graphcorrect.New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	c, err := graphcorrect.New(graphcorrect.Options{Checker: marks{err: claim.ErrNoContext}, Proposers: []graphcorrect.Proposer{ok}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Correct(context.Background(), claim.Sample{Output: "A is b!x."})
	if !errors.Is(err, claim.ErrNoContext) || got.Text != "A is b!x." {
		t.Errorf("%q %v", got.Text, err)
	}
}

// waiting is a proposer that waits for the context to end.
type waiting struct{}

func (waiting) ID() string { return "waiting@1" }
func (waiting) Propose(ctx context.Context, _ claim.Sample, _ claim.Claim) ([]claim.Edit, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestCancel(t *testing.T) {
	c, err := graphcorrect.New(graphcorrect.Options{Checker: marks{}, Proposers: []graphcorrect.Proposer{waiting{}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	output := strings.Repeat("A is b!x. ", 20)
	got, err := c.Correct(ctx, claim.Sample{Output: output})
	if !errors.Is(err, context.DeadlineExceeded) || got.Text != output {
		t.Errorf("%q %v", got.Text, err)
	}
}

// The result does not depend on how many claims are proposed for at once.
func TestDeterminism(t *testing.T) {
	output := strings.Repeat("A is b!x. C is d?x. E is f. ", 20)
	var want string
	for _, n := range []int{1, 3, 16} {
		got := correct(t, graphcorrect.Options{Concurrency: n, Unfixable: graphcorrect.Remove, Proposers: []graphcorrect.Proposer{change("b!x", "c")}}, output)
		b, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = string(b)
		}
		if want != string(b) {
			t.Fatal("concurrency changes the result")
		}
	}
}

// For any edits: what lies outside their spans is kept byte for byte.
func TestApplyKeepsTheRest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	alphabet := []string{"a", "é", "柿", "🙂", " ", ".", "\n", "ن"}
	for range 2000 {
		var b strings.Builder
		for range rng.IntN(30) {
			b.WriteString(alphabet[rng.IntN(len(alphabet))])
		}
		text := b.String()
		var edits []claim.Edit
		for range rng.IntN(4) {
			x, y := rng.IntN(len(text)+1), rng.IntN(len(text)+1)
			edits = append(edits, claim.Edit{Span: segment.Span{Start: min(x, y), End: max(x, y)}, New: alphabet[rng.IntN(len(alphabet))]})
		}
		applied(t, text, edits)
	}
}

// applied checks Apply on one input.
func applied(t *testing.T, text string, edits []claim.Edit) {
	t.Helper()
	got, sorted, err := graphcorrect.Apply(text, edits)
	if err != nil {
		if !errors.Is(err, graphcorrect.ErrBadEdit) {
			t.Fatal(err)
		}
		return
	}
	oldAt, newAt := 0, 0
	for _, e := range sorted {
		if text[oldAt:e.Span.Start] != got[newAt:e.NewSpan.Start] || e.Span.Of(text) != e.Old || e.NewSpan.Of(got) != e.New {
			t.Fatalf("%q with %+v gives %q", text, sorted, got)
		}
		oldAt, newAt = e.Span.End, e.NewSpan.End
	}
	if text[oldAt:] != got[newAt:] || len(sorted) != len(edits) {
		t.Fatalf("%q with %+v gives %q", text, sorted, got)
	}
}

func FuzzApply(f *testing.F) {
	f.Add("Zoë is here.", 0, 4, "Ida", 8, 12, "there")
	f.Add("", 0, 0, "x", 0, 0, "y")
	f.Add("a\xffb", 1, 2, "\xff", 2, 3, "")
	f.Add("\xc3\xa9", -1, 1, "é", 1, math.MaxInt32, "")
	f.Fuzz(func(t *testing.T, text string, a, b int, x string, c, d int, y string) {
		applied(t, text, []claim.Edit{{Span: segment.Span{Start: a, End: b}, New: x}, {Span: segment.Span{Start: c, End: d}, New: y}})
	})
}

// What was not made by New, and a nil context, are errors.
func TestNotMadeByNew(t *testing.T) {
	s := claim.Sample{Sources: []claim.Source{{Text: "x"}}, Output: "A is b!x."}
	for _, c := range []*graphcorrect.Corrector{nil, {}} {
		if got, err := c.Correct(context.Background(), s); err == nil || got.Text != s.Output {
			t.Errorf("%q, %v", got.Text, err)
		}
	}
	c, err := graphcorrect.New(graphcorrect.Options{Checker: marks{}, Proposers: []graphcorrect.Proposer{change("b!x", "c")}})
	if err != nil {
		t.Fatal(err)
	}
	var none context.Context
	if _, err := c.Correct(none, s); err == nil {
		t.Error("no error for a nil context")
	}
}

// neighbours is a checker that finds a claim in each half of a sentence, and the
// second contradicted once the first says "c".
type neighbours struct{}

func (neighbours) Check(_ context.Context, s claim.Sample) (claim.Result, error) {
	half := strings.Index(s.Output, ",")
	whole := segment.Span{End: len(s.Output)}
	first := claim.Claim{Text: "first", Spans: []segment.Span{{End: half}}, Sentence: whole, Verdict: claim.Contradicted, PInconsistent: 0.9, Risk: 0.9}
	second := claim.Claim{Text: "second", Spans: []segment.Span{{Start: half + 1, End: len(s.Output)}}, Sentence: whole, Verdict: claim.Supported, PInconsistent: 0.1, Risk: 0.1}
	if strings.Contains(s.Output, "c,") {
		first, second = second, first
		first.Spans, second.Spans = second.Spans, first.Spans
	}
	return claim.Result{Outcome: claim.Inconsistent, Claims: []claim.Claim{first, second}}, nil
}

// An edit that puts its own claim right at the cost of another is withdrawn.
func TestEditsThatHarmOthers(t *testing.T) {
	p := proposer(func(s claim.Sample, c claim.Claim) ([]claim.Edit, error) {
		return []claim.Edit{{Span: segment.Span{Start: 5, End: 6}, New: "c", Reason: "test"}}, nil
	})
	got := correct(t, graphcorrect.Options{Checker: neighbours{}, Proposers: []graphcorrect.Proposer{p}}, "A is b, and so is d.")
	if got.Changed() || left(got) != "0 withdrawn" {
		t.Errorf("%q, left %s", got.Text, left(got))
	}
}
