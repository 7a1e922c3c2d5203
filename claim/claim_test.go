package claim_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
)

func TestValidate(t *testing.T) {
	text := func(texts ...string) []claim.Source {
		var out []claim.Source
		for _, x := range texts {
			out = append(out, claim.Source{Text: x})
		}
		return out
	}
	for _, test := range []struct {
		name   string
		sample claim.Sample
		want   error // nil, ErrNoContext, or an InvalidUTF8Error to compare
	}{
		{"good", claim.Sample{Sources: text("a"), Output: "b"}, nil},
		{"empty output", claim.Sample{Sources: text("a")}, nil},
		{"empty among good", claim.Sample{Sources: text("", " \n", "a"), Output: "b"}, nil},
		{"NUL bytes are text", claim.Sample{Sources: text("a\x00b"), Output: "\x00"}, nil},
		{"U+FFFD written out is text", claim.Sample{Sources: text("\ufffd"), Output: "\ufffd"}, nil},
		{"no sources", claim.Sample{Output: "b"}, claim.ErrNoContext},
		{"empty source", claim.Sample{Sources: text(""), Output: "b"}, claim.ErrNoContext},
		{"blank sources", claim.Sample{Sources: text(" ", "\t\r\n", "\u00a0\u3000", "\u200b\ufeff", "\x00"), Output: "b"}, claim.ErrNoContext},
		{"output", claim.Sample{Sources: text("a"), Output: "bé\xffc"}, &claim.InvalidUTF8Error{Part: "output", Offset: 3}},
		{"question", claim.Sample{Sources: text("a"), Question: "\xc3", Output: "b"}, &claim.InvalidUTF8Error{Part: "question"}},
		{"source by position", claim.Sample{Sources: text("a", "é\xe2\x82"), Output: "b"}, &claim.InvalidUTF8Error{Part: "source", Source: "1", Index: 1, Offset: 2}},
		{"source by ID", claim.Sample{Sources: []claim.Source{{ID: "doc", Text: "\xff"}}, Output: "b"}, &claim.InvalidUTF8Error{Part: "source", Source: "doc"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := claim.Validate(test.sample)
			var want, got *claim.InvalidUTF8Error
			if errors.As(test.want, &want) {
				if !errors.As(err, &got) || *got != *want {
					t.Fatalf("%v, want %v", err, want)
				}
				fixed, changed := claim.Repair(test.sample)
				if !changed || claim.Validate(fixed) != nil {
					t.Errorf("not repaired: %+v", fixed)
				}
				return
			}
			if !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
			if same, changed := claim.Repair(test.sample); changed || !cmp.Equal(same, test.sample) {
				t.Errorf("repaired without need: %+v", same)
			}
		})
	}
}

func TestSampleJSON(t *testing.T) {
	for _, test := range []struct {
		in   string
		want []claim.Source
	}{
		{`{"output":"o","context":"one text"}`, []claim.Source{{Text: "one text"}}},
		{`{"output":"o","context":["a","b"]}`, []claim.Source{{Text: "a"}, {Text: "b"}}},
		{`{"output":"o","context":[{"id":"x","text":"a"}, {"text":"b"}]}`, []claim.Source{{ID: "x", Text: "a"}, {Text: "b"}}},
		{`{"output":"o","context":["a", null, {"text":""}, {"id":"y","text":"b"}]}`, []claim.Source{{Text: "a"}, {}, {}, {ID: "y", Text: "b"}}},
		{`{"output":"o","context":[{"id":3,"text":"a"},{"id":null,"text":null}]}`, []claim.Source{{ID: "3", Text: "a"}, {}}},
		{`{"output":"o","context":[]}`, []claim.Source{}},
		{`{"output":"o","context":null}`, nil},
		{`{"output":"o"}`, nil},
	} {
		var s claim.Sample
		if err := json.Unmarshal([]byte(test.in), &s); err != nil {
			t.Errorf("%s: %v", test.in, err)
			continue
		}
		if d := cmp.Diff(test.want, s.Sources); d != "" || s.Output != "o" {
			t.Errorf("%s: %s", test.in, d)
		}
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var again claim.Sample
		if err := json.Unmarshal(b, &again); err != nil || !cmp.Equal(s, again) {
			t.Errorf("%s comes back as %+v, %v", b, again, err)
		}
	}
	for _, bad := range []string{`{"context":3}`, `{"context":{}}`, `{"context":[3]}`, `{"context":[["a"]]}`, `{"context":"a","output":3}`, `[]`, `{"context":[{"text":1}]}`, `{"context":[{"id":"x"}]}`, `{"context":[{"id":[],"text":"a"}]}`} {
		var s claim.Sample
		if err := json.Unmarshal([]byte(bad), &s); err == nil {
			t.Errorf("%s is read as %+v", bad, s)
		}
	}
}

func result() claim.Result {
	return claim.Result{
		ID: "1", Outcome: claim.Inconsistent, PInconsistent: 0.75, Cutoff: 0.5, Threshold: 0.5, ClaimCutoff: 0.6, Model: "m", Extractor: "x", Windows: 2,
		Claims: []claim.Claim{
			{
				Triple: kg.Triple{Head: "Smith, Jones & Co.", Relation: "bought", Tail: "Acme (UK), \"Ltd\""}, Text: "Smith, Jones & Co. bought Acme.",
				Spans: []segment.Span{{Start: 0, End: 5}}, Sentence: segment.Span{End: 9}, Verdict: claim.Contradicted, PInconsistent: 0.9, Support: 0.1, Contradiction: 0.8, Risk: 0.9,
				Evidence: []claim.Evidence{{Source: "d", Index: 1, Span: segment.Span{Start: 2, End: 4}, Role: claim.Contradicts, Text: "no"}},
				Reasons:  []claim.Reason{{Kind: "number", Detail: "1 against 2", OutputSpan: segment.Span{Start: 1, End: 2}, Source: 1, SourceSpan: segment.Span{Start: 2, End: 3}}, {Kind: "missing"}},
				Windows:  2, Window: &claim.Window{Index: 1, Span: segment.Span{End: 8}},
			},
			{Text: "It rains.", Whole: true, Spans: []segment.Span{{Start: 10, End: 19}}, Verdict: claim.Unknown, PInconsistent: 1, Err: errors.New("no such model")},
			{Text: "So.", Whole: true, Spans: []segment.Span{{Start: 20, End: 23}}, Verdict: claim.Supported, Support: 1},
		},
		Notes: []claim.Note{{Kind: claim.NoteCut, Detail: "3"}},
	}
}

func TestResultJSON(t *testing.T) {
	r := result()
	r.Counts = claim.Count(r.Claims)
	a, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"verdict":"inconsistent"`, `"p_inconsistent":0.75`, `"triple":["Smith, Jones \u0026 Co.","bought","Acme (UK), \"Ltd\""]`,
		`"spans":[[0,5]]`, `"evidence":[{"source":"d","index":1,"span":[2,4],"role":"contradicts","text":"no"}]`, `"error":"no such model"`, `"triple":null`,
	} {
		if !strings.Contains(string(a), want) {
			t.Errorf("%s is not in %s", want, a)
		}
	}
	var back claim.Result
	if err := json.Unmarshal(a, &back); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(back)
	if err != nil || string(a) != string(b) {
		t.Errorf("comes back as %s, %v", b, err)
	}
	if back.Claims[1].Err == nil || back.Claims[0].Triple != r.Claims[0].Triple {
		t.Errorf("%+v", back.Claims)
	}
	none, err := json.Marshal(claim.Result{Outcome: claim.NoClaims})
	if err != nil || !strings.Contains(string(none), `"p_inconsistent":null`) || !strings.Contains(string(none), `"claims":[]`) {
		t.Errorf("%s, %v", none, err)
	}
}

func TestScoreFlaggedDeciding(t *testing.T) {
	r := result()
	if p, ok := r.Score(); !ok || p != 0.75 {
		t.Errorf("score %v %v", p, ok)
	}
	for _, o := range []claim.Outcome{claim.NoClaims, claim.OutcomeUnknown, "", "something new"} {
		r.Outcome = o
		if _, ok := r.Score(); ok {
			t.Errorf("%q has a score", o)
		}
		if len(r.Deciding()) > 0 {
			t.Errorf("%q has deciding claims", o)
		}
	}
	r.Outcome = claim.Inconsistent
	if d := cmp.Diff([]int{0, 1}, r.Flagged()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int{0}, r.Deciding()); d != "" {
		t.Error(d)
	}
	n := claim.Count(r.Claims)
	if n.Claims != n.Supported+n.Contradicted+n.Unsupported+n.Conflicting+n.Unknown || n.Whole != 2 {
		t.Errorf("%+v", n)
	}
}

func TestMapSpans(t *testing.T) {
	r := result()
	before, _ := json.Marshal(r)
	var sources []int
	got := r.MapSpans(func(source int, s segment.Span) segment.Span {
		sources = append(sources, source)
		return s.Shift(100)
	})
	if after, _ := json.Marshal(r); string(before) != string(after) {
		t.Error("the argument was changed")
	}
	c := got.Claims[0]
	if c.Spans[0].Start != 100 || c.Sentence.End != 109 || c.Evidence[0].Span.Start != 102 || c.Reasons[0].SourceSpan.Start != 102 || c.Window.Span.End != 108 {
		t.Errorf("%+v", c)
	}
	if c.Reasons[1].OutputSpan != (segment.Span{}) {
		t.Error("no place became a place")
	}
	for _, s := range sources {
		if s != -1 && s != 1 {
			t.Errorf("source %d", s)
		}
	}
}

func TestMarks(t *testing.T) {
	c := func(v claim.Verdict, spans ...segment.Span) claim.Claim { return claim.Claim{Verdict: v, Spans: spans} }
	s := func(a, b int) segment.Span { return segment.Span{Start: a, End: b} }
	for _, test := range []struct {
		name   string
		claims []claim.Claim
		want   []claim.Mark
	}{
		{"none", nil, nil},
		{"one", []claim.Claim{c(claim.Supported, s(2, 5))}, []claim.Mark{{Span: s(2, 5), Claims: []int{0}, Verdict: claim.Supported}}},
		{"overlap", []claim.Claim{c(claim.Supported, s(0, 6)), c(claim.Contradicted, s(4, 9))}, []claim.Mark{
			{Span: s(0, 4), Claims: []int{0}, Verdict: claim.Supported},
			{Span: s(4, 6), Claims: []int{0, 1}, Verdict: claim.Contradicted},
			{Span: s(6, 9), Claims: []int{1}, Verdict: claim.Contradicted},
		}},
		{"spans of one claim that touch", []claim.Claim{c(claim.Unknown, s(3, 5), s(0, 3), s(4, 4))}, []claim.Mark{{Span: s(0, 5), Claims: []int{0}, Verdict: claim.Unknown}}},
		{"no places", []claim.Claim{c(claim.Unknown, s(4, 4), s(-2, 1))}, nil},
		{"inside", []claim.Claim{c(claim.Unsupported, s(0, 9)), c(claim.Unknown, s(3, 4))}, []claim.Mark{
			{Span: s(0, 3), Claims: []int{0}, Verdict: claim.Unsupported},
			{Span: s(3, 4), Claims: []int{0, 1}, Verdict: claim.Unsupported},
			{Span: s(4, 9), Claims: []int{0}, Verdict: claim.Unsupported},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if d := cmp.Diff(test.want, claim.Marks(test.claims)); d != "" {
				t.Error(d)
			}
		})
	}
}

// Every byte has exactly the claims whose spans cover it.
func TestMarksCoverWhatClaimsCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	verdicts := []claim.Verdict{claim.Supported, claim.Unsupported, claim.Contradicted, claim.Conflicting, claim.Unknown}
	for range 500 {
		claims := make([]claim.Claim, rng.IntN(5))
		for i := range claims {
			claims[i].Verdict = verdicts[rng.IntN(len(verdicts))]
			for range rng.IntN(4) {
				a := rng.IntN(30)
				claims[i].Spans = append(claims[i].Spans, segment.Span{Start: a, End: a + rng.IntN(8)})
			}
		}
		marks := claim.Marks(claims)
		last := 0
		for _, m := range marks {
			if m.Span.Start < last || m.Span.Empty() || len(m.Claims) == 0 {
				t.Fatalf("marks %+v", marks)
			}
			last = m.Span.End
		}
		for at := range 40 {
			var want, got []int
			for i, c := range claims {
				for _, s := range c.Spans {
					if s.Start <= at && at < s.End {
						want = append(want, i)
						break
					}
				}
			}
			for _, m := range marks {
				if m.Span.Start <= at && at < m.Span.End {
					got = m.Claims
				}
			}
			if !cmp.Equal(want, got) {
				t.Fatalf("byte %d of %+v has claims %v, want %v", at, claims, got, want)
			}
		}
	}
}

func FuzzSampleJSON(f *testing.F) {
	for _, s := range []string{`{"context":"a","output":"b"}`, `{"context":["a",{"id":"x","text":"y"},null]}`, `{"context":[[]]}`, `{`, `{"context":"\ud800"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var s claim.Sample
		if json.Unmarshal(b, &s) != nil {
			return
		}
		out, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var again claim.Sample
		if err := json.Unmarshal(out, &again); err != nil {
			t.Fatalf("%s does not come back: %v", out, err)
		}
	})
}

func TestMapSpansMovesFaults(t *testing.T) {
	r := claim.Result{Claims: []claim.Claim{{Spans: []segment.Span{{End: 9}}, Faults: []claim.Fault{{Span: segment.Span{Start: 2, End: 4}, Kind: claim.FaultNowhere}}}, {Spans: []segment.Span{{End: 1}}}}}
	got := r.MapSpans(func(source int, s segment.Span) segment.Span {
		if source != -1 {
			t.Errorf("source %d for a place of the output", source)
		}
		return s.Shift(10)
	})
	if f := got.Claims[0].Faults; len(f) != 1 || f[0].Span.Start != 12 || r.Claims[0].Faults[0].Span.Start != 2 {
		t.Errorf("%+v from %+v", f, r.Claims[0].Faults)
	}
	if got.Claims[1].Faults != nil {
		t.Error("faults where there were none")
	}
}
