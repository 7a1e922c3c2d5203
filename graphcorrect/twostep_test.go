package graphcorrect_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/llmtest"
	"github.com/kgeval/kgeval/segment"
)

// facts is a checker for tests: each triple that the output states by its three
// labels, in one sentence, is a claim; those that are not in the list of true ones
// are contradicted.
type facts struct{ all, right []kg.Triple }

func (f facts) Check(ctx context.Context, s claim.Sample) (claim.Result, error) {
	if err := ctx.Err(); err != nil {
		return claim.Result{}, err
	}
	r := claim.Result{Outcome: claim.Consistent}
	for _, sentence := range segment.Sentences(s.Output) {
		text := sentence.Of(s.Output)
		for _, t := range f.all {
			if !strings.Contains(text, t.Head) || !strings.Contains(text, t.Tail) {
				continue
			}
			at := sentence.Start + strings.Index(text, t.Head)
			tail := sentence.Start + strings.Index(text, t.Tail)
			spans := claim.Merge([]segment.Span{{Start: at, End: at + len(t.Head)}, {Start: tail, End: tail + len(t.Tail)}})
			c := claim.Claim{Triple: t, Text: t.Sentence(), Spans: spans, Sentence: sentence, Verdict: claim.Contradicted, PInconsistent: 0.9, Risk: 0.9}
			for _, ok := range f.right {
				if ok == t {
					c.Verdict, c.PInconsistent, c.Support, c.Risk = claim.Supported, 0.1, 0.9, 0.1
				}
			}
			if c.Flagged() {
				r.Outcome = claim.Inconsistent
			}
			r.Claims = append(r.Claims, c)
		}
	}
	return r, nil
}

var (
	turku   = kg.Triple{Head: "Aurora", Relation: "was launched in", Tail: "Turku"}
	tampere = kg.Triple{Head: "Aurora", Relation: "was launched in", Tail: "Tampere"}
	y1964   = kg.Triple{Head: "Aurora", Relation: "was launched in", Tail: "1964"}
	y1946   = kg.Triple{Head: "Aurora", Relation: "was launched in", Tail: "1946"}
	ferry   = facts{all: []kg.Triple{turku, tampere, y1964, y1946}, right: []kg.Triple{turku, y1964}}
)

const (
	ferryContext = "The ferry Aurora was launched in Turku in 1964. SECRET OF THE CONTEXT."
	ferryOutput  = "Hear of  the boats.\nThe Aurora, launched in Tampere in 1946, was a ferry. SECRET OF THE OUTPUT."
)

func twoStep(t testing.TB, m llm.Model) *graphcorrect.TwoStep {
	t.Helper()
	p, err := graphcorrect.NewTwoStep(m, graphcorrect.TwoStepOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func correctFerry(t testing.TB, m llm.Model, o graphcorrect.Options, output string) graphcorrect.Correction {
	t.Helper()
	o.Checker, o.Proposers = ferry, []graphcorrect.Proposer{twoStep(t, m)}
	c, err := graphcorrect.New(o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Correct(context.Background(), claim.Sample{ID: "7", Sources: []claim.Source{{Text: ferryContext}}, Output: output})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, output, got)
	return got
}

// oracle corrects triples to the true ones and replaces the first place of the old
// tail in whatever text it is given.
func oracle(right map[kg.Triple]kg.Triple) *llmtest.Model {
	return llmtest.New(func(_ context.Context, _ int, req llm.Request) (llm.Response, error) {
		body := req.Messages[len(req.Messages)-1].Text
		var triples []kg.Triple
		for _, line := range strings.Split(body, "\n") {
			var l []string
			if json.Unmarshal([]byte(line), &l) == nil && len(l) == 3 {
				triples = append(triples, kg.Triple{Head: l[0], Relation: l[1], Tail: l[2]})
			}
		}
		if strings.HasPrefix(body, "Wrong triple:") {
			r := right[triples[0]]
			return llm.Response{Text: fmt.Sprintf(`{"triple": [%q, %q, %q]}`, r.Head, r.Relation, r.Tail)}, nil
		}
		text, _, _ := strings.Cut(strings.SplitN(body, "\n", 3)[2], "\n</data-")
		return llm.Response{Text: strings.Replace(text, triples[0].Tail, triples[1].Tail, 1)}, nil
	})
}

var ferryOracle = map[kg.Triple]kg.Triple{tampere: turku, y1946: y1964}

const ferryRight = "Hear of  the boats.\nThe Aurora, launched in Turku in 1964, was a ferry. SECRET OF THE OUTPUT."

func TestTwoStepInSequence(t *testing.T) {
	m := oracle(ferryOracle)
	got := correctFerry(t, m, graphcorrect.Options{Sequential: true}, ferryOutput)
	if got.Text != ferryRight || len(got.Left) != 0 || got.After == nil || got.After.Outcome != claim.Consistent {
		t.Errorf("got %q, left %+v", got.Text, got.Left)
	}
	if len(got.Edits) != 2 || got.Edits[0].Old != "Tampere" || got.Edits[1].New != "1964" {
		t.Errorf("edits %+v", got.Edits)
	}
	// The second rewriting starts from the text that the first one made.
	reqs := m.Requests()
	if len(reqs) != 4 {
		t.Fatalf("%d requests", len(reqs))
	}
	if last := reqs[3].Messages; !strings.Contains(last[len(last)-1].Text, "launched in Turku in 1946") {
		t.Errorf("the second claim was written into %q", last[len(last)-1].Text)
	}
}

// The first step never sees the output, the second never the context.
func TestStepsSeeOnlyTheirOwn(t *testing.T) {
	for _, sequential := range []bool{false, true} {
		m := oracle(ferryOracle)
		correctFerry(t, m, graphcorrect.Options{Sequential: sequential}, ferryOutput)
		first, second := 0, 0
		for _, r := range m.Requests() {
			all := ""
			for _, msg := range r.Messages {
				all += msg.Text + "\n"
			}
			switch context, output := strings.Contains(all, "SECRET OF THE CONTEXT"), strings.Contains(all, "SECRET OF THE OUTPUT"); {
			case context && output:
				t.Error("a request holds both the context and the output")
			case context:
				first++
			case output:
				second++
			default:
				t.Error("a request holds neither")
			}
			if r.Temperature == nil || *r.Temperature != 0 {
				t.Error("the temperature is not 0")
			}
		}
		if first != 2 || second != 2 {
			t.Errorf("sequential %v: %d first and %d second steps", sequential, first, second)
		}
	}
}

// What a step gives is used only if it is a correction of this claim alone.
func TestGuards(t *testing.T) {
	const output = "The Aurora, launched in Tampere, was a ferry. She carried mail."
	step1 := `{"triple": ["Aurora", "was launched in", "Turku"]}`
	for _, c := range []struct {
		name          string
		first, second string
		kind          graphcorrect.LeftKind
		reason        string // a part of it
	}{
		{"good", step1, "The Aurora, launched in Turku, was a ferry. She carried mail.", "", ""},
		{"good, announced", step1, "Here is the changed text:\n\nThe Aurora, launched in Turku, was a ferry. She carried mail.", "", ""},
		{"blanks elsewhere stay", step1, "The Aurora, launched in Turku, was a ferry.\n\nShe carried mail.", "", ""},

		{"no triple", "Turku is right.", "", graphcorrect.Rejected, "step 1 was rejected: no triple"},
		{"refusal", "I'm sorry, I can't help with that.", "", graphcorrect.Rejected, "declined"},
		{"nothing", "", "", graphcorrect.Rejected, "empty reply"},
		{"two triples", `[["Aurora","was launched in","Turku"],["Aurora","was","a ferry"]]`, "", graphcorrect.Rejected, "ambiguous"},
		{"the same triple", `["Aurora", "was launched in", "tampere"]`, "", graphcorrect.Rejected, "step 1 was rejected: it changes nothing"},
		{"another fact", `["Bo", "left", "Oslo"]`, "", graphcorrect.Rejected, "about something else"},
		{"the context does not say", `{"triple": null}`, "", graphcorrect.NoCorrection, ""},

		{"unchanged", step1, output, graphcorrect.Rejected, "step 2 was rejected: it changes nothing"},
		{"another sentence", step1, "The Aurora, launched in Turku, was a ferry. She carried passengers.", graphcorrect.Rejected, "outside the claim's sentence"},
		{"a new sentence behind", step1, "The Aurora, launched in Turku, was a ferry. She carried mail. She was fast.", graphcorrect.Rejected, "outside the claim's sentence"},
		{"a new sentence inside", step1, "The Aurora, launched in Turku, was a ferry. It was big. She carried mail.", graphcorrect.Rejected, ""},
		{"the sentence goes", step1, "She carried mail.", graphcorrect.Rejected, ""},
		{"a refusal", step1, "I cannot change this text.", graphcorrect.Rejected, "declined"},
		{"nothing comes", step1, "```\n```", graphcorrect.Rejected, "empty"},
		{"it grows", step1, "The Aurora, launched in Turku" + strings.Repeat(" after a very long time", 20) + ", was a ferry. She carried mail.", graphcorrect.Rejected, "more than twice as long"},
		{"not better", step1, "The Aurora, launched near Tampere, was a ferry. She carried mail.", graphcorrect.Withdrawn, ""},
	} {
		for _, sequential := range []bool{false, true} {
			m := llmtest.Script(llmtest.Say(c.first), llmtest.Say(c.second))
			got := correctFerry(t, m, graphcorrect.Options{Sequential: sequential}, output)
			switch {
			case c.kind == "":
				if got.Text != "The Aurora, launched in Turku, was a ferry. She carried mail." || len(got.Left) > 0 {
					t.Errorf("%s: got %q, left %+v", c.name, got.Text, got.Left)
				}
			case got.Text != output:
				t.Errorf("%s: the text became %q", c.name, got.Text)
			case len(got.Left) != 1 || got.Left[0].Kind != c.kind || !strings.Contains(got.Left[0].Reason, c.reason):
				t.Errorf("%s: left %+v, want %s: %s", c.name, got.Left, c.kind, c.reason)
			case !strings.HasPrefix(got.Left[0].Reason, "not corrected"):
				t.Errorf("%s: reason %q", c.name, got.Left[0].Reason)
			}
		}
	}
}

func TestACutTextIsNotUsed(t *testing.T) {
	m := llmtest.Script(llmtest.Say(`["Aurora", "was launched in", "Turku"]`),
		llmtest.Step{Response: llm.Response{Text: "The Aurora, launched in Turku, was a ferry.", Stop: llm.StopLength}})
	got := correctFerry(t, m, graphcorrect.Options{}, "The Aurora, launched in Tampere, was a ferry.")
	if got.Changed() || len(got.Left) != 1 || !errors.Is(got.Left[0].Err, llm.ErrTruncated) {
		t.Errorf("got %q, left %+v", got.Text, got.Left)
	}
}

func TestTwoStepFails(t *testing.T) {
	m := llmtest.Script(llmtest.Fail(&llm.Error{Kind: llm.ErrUnavailable, Status: 503}), llmtest.Say(`["Aurora", "was launched in", "1964"]`),
		llmtest.Say(strings.Replace(ferryOutput, "1946", "1964", 1)))
	got := correctFerry(t, m, graphcorrect.Options{Sequential: true}, ferryOutput)
	if left(got) != "0 failed" || !strings.Contains(got.Text, "Tampere in 1964") {
		t.Errorf("left %s, text %q", left(got), got.Text)
	}
}

// A claim that an earlier correction put right too is not asked about again.
func TestSequentialSkipsWhatIsRight(t *testing.T) {
	m := llmtest.Script(llmtest.Say(`["Aurora", "was launched in", "Turku"]`), llmtest.Say(ferryRight))
	got := correctFerry(t, m, graphcorrect.Options{Sequential: true}, ferryOutput)
	if got.Text != ferryRight || len(got.Left) > 0 || len(m.Requests()) != 2 {
		t.Errorf("got %q, left %+v, %d requests", got.Text, got.Left, len(m.Requests()))
	}
}

func TestSequentialTakesWholeEdits(t *testing.T) {
	p := proposer(func(s claim.Sample, c claim.Claim) ([]claim.Edit, error) {
		for _, step := range [][2]string{{"b!x", "b?x long"}, {"b?x", "c"}} {
			if k := strings.Index(c.Sentence.Of(s.Output), step[0]); k >= 0 {
				at := c.Sentence.Start + k
				return []claim.Edit{{Span: segment.Span{Start: at, End: at + len(step[0])}, New: step[1], Reason: "test"}}, nil
			}
		}
		return nil, nil
	})
	got := correct(t, graphcorrect.Options{Proposers: []graphcorrect.Proposer{p}, Sequential: true, NoRecheck: true}, "A is b!x. B is b?x. C is d.")
	if got.Text != "A is b?x long. B is c. C is d." {
		t.Errorf("got %q", got.Text)
	}
	if _, err := graphcorrect.New(graphcorrect.Options{Checker: marks{}, Proposers: []graphcorrect.Proposer{p}, Sequential: true, Unfixable: graphcorrect.Remove}); err == nil {
		t.Error("Sequential with Remove is no error")
	}
}

func TestSequentialIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := llmtest.New(func(ctx context.Context, n int, _ llm.Request) (llm.Response, error) {
		cancel()
		return llm.Response{}, ctx.Err()
	})
	c, err := graphcorrect.New(graphcorrect.Options{Checker: ferry, Proposers: []graphcorrect.Proposer{twoStep(t, m)}, Sequential: true})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Correct(ctx, claim.Sample{Sources: []claim.Source{{Text: ferryContext}}, Output: ferryOutput})
	if !errors.Is(err, context.Canceled) || got.Text != ferryOutput {
		t.Errorf("got %q, %v", got.Text, err)
	}
}

// A long context gives way to the passages that the check read.
func TestLongContext(t *testing.T) {
	filler := strings.Repeat("Seven barges carried gravel along the canal. ", 2000)
	source := filler + ferryContext
	at := segment.Span{Start: len(filler), End: len(source)}
	c := claim.Claim{Triple: tampere, Verdict: claim.Contradicted, Spans: []segment.Span{{Start: 4, End: 10}}, Sentence: segment.Span{End: 32}, Window: &claim.Window{Span: at}}
	m := llmtest.Script(llmtest.Say(`{"triple": null}`))
	if _, err := twoStep(t, m).Propose(context.Background(), claim.Sample{Sources: []claim.Source{{Text: source}}, Output: "The Aurora, launched in Tampere."}, c); err != nil {
		t.Fatal(err)
	}
	msgs := m.Requests()[0].Messages
	if s := msgs[len(msgs)-1].Text; !strings.Contains(s, ferryContext) || len(s) > 1000 {
		t.Errorf("the request has %d bytes", len(s))
	}
}

func TestDirectPrompt(t *testing.T) {
	direct := func(m llm.Model, output string) graphcorrect.Correction {
		d, err := graphcorrect.NewDirectPrompt(m, graphcorrect.DirectOptions{Checker: ferry})
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Correct(context.Background(), claim.Sample{ID: "7", Sources: []claim.Source{{Text: ferryContext}}, Output: output})
		if err != nil {
			t.Fatal(err)
		}
		sound(t, output, got)
		return got
	}
	m := llmtest.Script(llmtest.Say(ferryRight))
	if got := direct(m, ferryOutput); got.Text != ferryRight || got.After == nil || got.After.Outcome != claim.Consistent {
		t.Errorf("got %+v", got)
	}
	if msgs := m.Requests()[0].Messages; !strings.Contains(msgs[len(msgs)-1].Text, "SECRET OF THE CONTEXT") || !strings.Contains(msgs[len(msgs)-1].Text, "SECRET OF THE OUTPUT") {
		t.Error("the baseline's request lacks the context or the output")
	}
	m = llmtest.Script()
	if got := direct(m, ferryRight); got.Changed() || len(m.Requests()) != 0 {
		t.Errorf("a consistent output was sent: %+v", got)
	}
	for _, bad := range []string{"", "I'm sorry, I can't do that.", ferryOutput} {
		if got := direct(llmtest.Script(llmtest.Say(bad)), ferryOutput); got.Text != ferryOutput || len(got.Left) != 2 {
			t.Errorf("%q: got %q, left %+v", bad, got.Text, got.Left)
		}
	}
}

func TestSummarize(t *testing.T) {
	good := correctFerry(t, oracle(ferryOracle), graphcorrect.Options{Sequential: true}, ferryOutput)
	bad := correctFerry(t, llmtest.New(func(context.Context, int, llm.Request) (llm.Response, error) {
		return llm.Response{Text: "no"}, nil
	}), graphcorrect.Options{}, ferryOutput)
	fine := correctFerry(t, llmtest.Script(), graphcorrect.Options{}, ferryRight)
	s := graphcorrect.Summarize([]graphcorrect.Correction{good, bad, fine})
	if s.Outputs != 3 || s.Inconsistent != 2 || s.Changed != 1 || s.Believed != 1 || s.Flagged != 4 || s.Left != 2 || s.LeftBy[graphcorrect.Rejected] != 2 {
		t.Errorf("got %+v", s)
	}
	if rate, ok := s.BelievedRate(); rate != 0.5 || !ok {
		t.Errorf("rate %v, %v", rate, ok)
	}
	if rate, ok := graphcorrect.Summarize(nil).BelievedRate(); rate != 0 || ok {
		t.Errorf("rate of nothing %v, %v", rate, ok)
	}
}

func ExampleNewTwoStep() {
	// Any llm.Model: llm/openai.New(…), or one that a test scripts.
	model := llmtest.Script(
		llmtest.Say(`{"triple": ["Aurora", "was launched in", "Turku"]}`),
		llmtest.Say("The Aurora, launched in Turku, was a ferry."))
	proposer, err := graphcorrect.NewTwoStep(model, graphcorrect.TwoStepOptions{})
	if err != nil {
		panic(err)
	}
	c, err := graphcorrect.New(graphcorrect.Options{Checker: ferry, Proposers: []graphcorrect.Proposer{proposer}, Sequential: true})
	if err != nil {
		panic(err)
	}
	got, err := c.Correct(context.Background(), claim.Sample{
		Sources: []claim.Source{{Text: "The ferry Aurora was launched in Turku in 1964."}},
		Output:  "The Aurora, launched in Tampere, was a ferry.",
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(got.Text)
	// Output:
	// The Aurora, launched in Turku, was a ferry.
}
