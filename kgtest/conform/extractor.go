package conform

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
)

// Extractor tests the contract of kg.Extractor. fresh returns an extractor that
// is ready; every call must give one that behaves the same.
func Extractor(t *testing.T, fresh func() kg.Extractor, options ...Option) {
	t.Helper()
	run(t, extractorRules, fresh, defaults(true), options)
}

var extractorRules = []rule[kg.Extractor]{
	{"the ID is not empty and does not change", extractorID},
	{"one extraction for each text, in order", extractorOrder},
	{"no texts give no extractions", extractorNone},
	{"blank texts give no statements and no error", extractorBlank},
	{"some plain text gives a statement", extractorFinds},
	{"spans lie in their text, on rune borders, and confidences in [0,1]", extractorSpans},
	{"unrelated texts do not disturb each other", extractorIndependent},
	{"the same call gives the same result", extractorDeterministic},
	{"a context that has ended is an error that wraps its error", extractorEnded},
	{"a call ends with its context", extractorCancel},
	{"texts are not changed", extractorInputs},
	{"odd texts neither break the call nor each other", extractorOdd},
	{"safe for concurrent use", extractorConcurrent},
	{"no goroutines stay behind", extractorLeaks},
}

// texts makes an input of the given texts, each with an ID of its own.
func texts(of ...string) []kg.Text {
	in := make([]kg.Text, len(of))
	for i, s := range of {
		in[i] = kg.Text{ID: "text " + strconv.Itoa(i), Text: s}
	}
	return in
}

// extract calls x and checks what holds for every call; then ok is true.
func extract(t tb, c config, x kg.Extractor, in []kg.Text) (out []kg.Extraction, ok bool) {
	t.Helper()
	out, err, ok := call(t, c, fmt.Sprintf("Extract of %d texts", len(in)), func() ([]kg.Extraction, error) {
		return x.Extract(context.Background(), in)
	})
	if !ok {
		return nil, false
	}
	if err != nil {
		t.Errorf("Extract of %d texts: %v", len(in), err)
		return nil, false
	}
	if len(out) != len(in) {
		t.Errorf("Extract of %d texts gives %d extractions", len(in), len(out))
		return nil, false
	}
	return out, true
}

// describe writes all that an extraction says, for comparison and messages.
func describe(e kg.Extraction) string {
	return fmt.Sprintf("text %q: %+v dropped %+v truncated %v error %v", e.TextID, e.Statements, e.Dropped, e.Truncated, e.Err)
}

func extractorID(t tb, c config, fresh func() kg.Extractor) {
	x := fresh()
	before := x.ID()
	extract(t, c, x, texts(plainTexts()[:3]...))
	checkID(t, before, x.ID(), fresh().ID())
}

func extractorOrder(t tb, c config, fresh func() kg.Extractor) {
	in := texts(plainTexts()...)
	in[2].ID = "" // is allowed
	in[4].ID = in[3].ID
	slices.Reverse(in) // IDs do not ascend
	out, ok := extract(t, c, fresh(), in)
	if !ok {
		return
	}
	for i, e := range out {
		if e.TextID != in[i].ID {
			t.Errorf("extraction %d has the TextID %q, want %q", i, e.TextID, in[i].ID)
			return
		}
	}
}

func extractorNone(t tb, c config, fresh func() kg.Extractor) {
	x := fresh()
	extract(t, c, x, nil)
	extract(t, c, x, []kg.Text{})
}

func extractorBlank(t tb, c config, fresh func() kg.Extractor) {
	plain := plainTexts()[0]
	in := texts("", plain, " \t\r\n", "\u00a0\u3000")
	out, ok := extract(t, c, fresh(), in)
	if !ok {
		return
	}
	for i, e := range out {
		if e.Err != nil {
			t.Errorf("text %q: error %v", in[i].Text, e.Err)
		}
		if in[i].Text != plain && len(e.Statements) > 0 {
			t.Errorf("text %q: statements %v", in[i].Text, e.Statements)
		}
	}
}

func extractorFinds(t tb, c config, fresh func() kg.Extractor) {
	in := texts(plainTexts()[:6]...)
	out, ok := extract(t, c, fresh(), in)
	if !ok {
		return
	}
	found := 0
	for i, e := range out {
		if e.Err != nil {
			t.Errorf("text %q: error %v", in[i].Text, e.Err)
		}
		found += len(e.Statements)
	}
	if found == 0 {
		t.Errorf("no statement in any of %d plain sentences", len(in))
	}
}

// checkSpan reports a span that does not lie in text on rune borders.
func checkSpan(t tb, what, text string, s segment.Span) {
	t.Helper()
	if s.Start < 0 || s.End < s.Start || s.End > len(text) {
		t.Errorf("%s: %v is not in the text of %d bytes", what, s, len(text))
		return
	}
	for _, at := range []int{s.Start, s.End} {
		if at < len(text) && !utf8.RuneStart(text[at]) && utf8.ValidString(text) {
			t.Errorf("%s: %v cuts a rune", what, s)
		}
	}
}

func checkExtraction(t tb, text string, e kg.Extraction) {
	t.Helper()
	for i, s := range e.Statements {
		what := fmt.Sprintf("text %.40q, statement %d", text, i)
		for k, span := range s.Spans {
			checkSpan(t, what, text, span)
			if span.Empty() {
				t.Errorf("%s: span %v is empty", what, span)
			}
			if k > 0 && span.Start < s.Spans[k-1].End {
				t.Errorf("%s: spans %v are not ascending, or overlap", what, s.Spans)
			}
		}
		checkSpan(t, what+", sentence", text, s.Sentence)
		if !(s.Confidence >= 0 && s.Confidence <= 1) {
			t.Errorf("%s: confidence %v is not in [0,1]", what, s.Confidence)
		}
		if utf8.ValidString(text) && !utf8.ValidString(s.Triple.Head+s.Triple.Relation+s.Triple.Tail+s.Claim) {
			t.Errorf("%s: %q is not UTF-8, though its text is", what, s.Triple.Head+" | "+s.Triple.Relation+" | "+s.Triple.Tail+" | "+s.Claim)
		}
	}
	for i, d := range e.Dropped {
		checkSpan(t, fmt.Sprintf("text %.40q, dropped %d", text, i), text, d.Span)
	}
}

func extractorSpans(t tb, c config, fresh func() kg.Extractor) {
	in := texts(append(plainTexts(),
		"Élodie a embauché Zoë. “Zoë’s café” — naïve, isn’t it?",
		"玛丽在巴黎工作。Marie Curie worked in Paris, 巴黎. She was born in Warsaw.",
		"😀 Ana hired Bo. 😀😀 Bo moved to Malmö, and Uma stayed.",
		"\ufeffAna hired Bo.\r\n\r\nBo moved to Oslo.",
	)...)
	out, ok := extract(t, c, fresh(), in)
	if !ok {
		return
	}
	for i, e := range out {
		checkExtraction(t, in[i].Text, e)
	}
}

func extractorIndependent(t tb, c config, fresh func() kg.Extractor) {
	if !c.deterministic {
		return
	}
	x := fresh()
	some := plainTexts()[:6]
	forth, ok := extract(t, c, x, texts(some...))
	if !ok {
		return
	}
	reversed := texts(some...)
	slices.Reverse(reversed)
	back, ok := extract(t, c, x, reversed)
	if !ok {
		return
	}
	slices.Reverse(back)
	for i, in := range texts(some...) {
		alone, ok := extract(t, c, x, []kg.Text{in})
		if !ok {
			return
		}
		want := describe(alone[0])
		if got := describe(forth[i]); got != want {
			t.Errorf("alone     %s\nin a call %s", want, got)
		}
		if got := describe(back[i]); got != want {
			t.Errorf("alone              %s\nin a reversed call %s", want, got)
		}
	}
}

func extractorDeterministic(t tb, c config, fresh func() kg.Extractor) {
	if !c.deterministic {
		return
	}
	x := fresh()
	in := texts(plainTexts()[:12]...)
	first, ok := extract(t, c, x, in)
	if !ok {
		return
	}
	for turn, y := range []kg.Extractor{x, x, fresh()} {
		again, ok := extract(t, c, y, in)
		if !ok {
			return
		}
		for i := range in {
			if a, b := describe(first[i]), describe(again[i]); a != b {
				t.Errorf("first   %s\nturn %d  %s", a, turn+2, b)
				return
			}
		}
	}
}

func extractorEnded(t tb, c config, fresh func() kg.Extractor) {
	x := fresh()
	for want, ctx := range ended() {
		_, err, ok := call(t, c, "Extract", func() ([]kg.Extraction, error) {
			return x.Extract(ctx, texts(plainTexts()[:3]...))
		})
		if ok && !errors.Is(err, want) {
			t.Errorf("error %v, want one that wraps %v", err, want)
		}
	}
}

func extractorCancel(t tb, c config, fresh func() kg.Extractor) {
	x := fresh()
	in := texts(slices.Repeat(plainTexts(), 5)...)
	checkCancel(t, c, func(ctx context.Context) (int, error) {
		out, err := x.Extract(ctx, in)
		return len(out), err
	}, len(in))
}

// checkCancel cancels calls at several moments; each must give all results, or
// an error that wraps the context's.
func checkCancel(t tb, c config, f func(ctx context.Context) (results int, err error), want int) {
	t.Helper()
	for _, after := range []int{0, 1, 4} {
		ctx, cancel := cancelAfter(after)
		n, err, ok := call(t, c, "cancelled call", func() (int, error) { return f(ctx) })
		cancel()
		if !ok {
			return
		}
		if err == nil && n != want {
			t.Errorf("cancelled in the middle: %d of %d results and no error", n, want)
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled in the middle: error %v does not wrap context.Canceled", err)
		}
	}
}

func extractorInputs(t tb, c config, fresh func() kg.Extractor) {
	in := texts(append(plainTexts()[:6], "", "  Ana  hired\nBo. ")...)
	whole := append(slices.Clone(in), kg.Text{ID: "behind", Text: "not part of the call"})
	want := slices.Clone(whole)
	extract(t, c, fresh(), whole[:len(in)])
	if !slices.Equal(whole, want) {
		t.Errorf("the caller's slice was changed from %v to %v", want, whole)
	}
}

func extractorOdd(t tb, c config, fresh func() kg.Extractor) {
	x := fresh()
	plain := plainTexts()[0]
	odd := oddTexts(c)
	var in []string
	for _, o := range odd {
		in = append(in, plain, o.text)
	}
	out, ok := extract(t, c, x, texts(in...))
	if !ok {
		return
	}
	for i, e := range out {
		if e.Err != nil {
			if i%2 == 0 {
				t.Errorf("a plain text beside odd ones: error %v", e.Err)
			} else if o := odd[i/2]; !o.refusable {
				t.Errorf("%s: error %v", o.name, e.Err)
			}
		}
		checkExtraction(t, in[i], e)
	}
}

func extractorConcurrent(t tb, c config, fresh func() kg.Extractor) {
	x := fresh()
	plain := plainTexts()
	const callers, each = 8, 6
	part := func(i int) []kg.Text { return texts(plain[each*i : each*i+each]...) }
	var want [callers][]kg.Extraction
	for i := range want {
		var ok bool
		if want[i], ok = extract(t, c, x, part(i)); !ok {
			return
		}
	}
	concurrently(callers, func(i int) {
		for range 3 {
			got, ok := extract(t, c, x, part(i))
			if !ok {
				return
			}
			for k := range got {
				if a, b := describe(want[i][k]), describe(got[k]); c.deterministic && a != b {
					t.Errorf("alone             %s\nbeside other calls %s", a, b)
					return
				}
			}
		}
	})
}

func extractorLeaks(t tb, c config, fresh func() kg.Extractor) {
	x := fresh()
	in := texts(plainTexts()[:4]...)
	checkLeaks(t, c, "calling Extract", func() {
		call(t, c, "Extract", func() ([]kg.Extraction, error) { return x.Extract(context.Background(), in) })
	})
	checkLeaks(t, c, "cancelling Extract", func() {
		ctx, cancel := cancelAfter(1)
		defer cancel()
		call(t, c, "Extract", func() ([]kg.Extraction, error) { return x.Extract(ctx, in) })
	})
}
