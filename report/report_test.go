package report_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/report"
	"github.com/kgeval/kgeval/segment"
	"github.com/kgeval/kgeval/tau"
)

func span(text, part string) segment.Span {
	i := strings.Index(text, part)
	return segment.Span{Start: i, End: i + len(part)}
}

// bridge is a check with a claim of each verdict.
func bridge() (claim.Sample, claim.Result) {
	source := "The bridge opened in 1932. It crosses the Wen. It has four lanes. It has six lanes."
	output := "The bridge opened in 1935.\nIt crosses the Wen. It is green. It has four lanes. It hums."
	s := claim.Sample{Sources: []claim.Source{{ID: "article", Text: source}}, Output: output}
	at := func(part string) segment.Span { return span(output, part) }
	t := func(h, r, tail string) kg.Triple { return kg.Triple{Head: h, Relation: r, Tail: tail} }
	r := claim.Result{Outcome: claim.Inconsistent, PInconsistent: 0.97, Cutoff: 0.5, Model: "model/1", Extractor: "rules/1", Claims: []claim.Claim{
		{
			Triple: t("The bridge", "opened in", "1935"), Text: "The bridge opened in 1935.", Spans: []segment.Span{at("The bridge opened in 1935.")},
			Sentence: at("The bridge opened in 1935."), Verdict: claim.Contradicted, PInconsistent: 0.97,
			Reasons:  []claim.Reason{{Kind: string(nli.ReasonDate), Detail: "1935 against 1932", OutputSpan: at("1935"), SourceSpan: span(source, "1932")}},
			Evidence: []claim.Evidence{{Source: "article", Span: span(source, "The bridge opened in 1932."), Role: claim.Contradicts}},
		},
		{
			Triple: t("the bridge", "crosses", "the Wen"), Text: "The bridge crosses the Wen.", Spans: []segment.Span{at("It crosses the Wen.")},
			Sentence: at("It crosses the Wen."), Verdict: claim.Supported, PInconsistent: 0.02,
			Evidence: []claim.Evidence{{Source: "article", Span: span(source, "It crosses the Wen."), Role: claim.Supports}},
		},
		{Triple: t("the bridge", "is", "green"), Text: "The bridge is green.", Spans: []segment.Span{at("It is green.")}, Sentence: at("It is green."), Verdict: claim.Unsupported, PInconsistent: 0.8},
		{
			Triple: t("the bridge", "has", "four lanes"), Text: "The bridge has four lanes.", Spans: []segment.Span{at("It has four lanes.")},
			Sentence: at("It has four lanes."), Verdict: claim.Conflicting, PInconsistent: 0.4,
			Evidence: []claim.Evidence{
				{Source: "article", Span: span(source, "It has four lanes."), Role: claim.Supports},
				{Source: "article", Span: span(source, "It has six lanes."), Role: claim.Contradicts},
			},
		},
		{Whole: true, Text: "The bridge hums.", Spans: []segment.Span{at("It hums.")}, Sentence: at("It hums."), Verdict: claim.Unknown, PInconsistent: 1, Err: errors.New("no reply")},
	}, Notes: []claim.Note{{Kind: claim.NoteConflict, Detail: "the sources disagree on the lanes"}}}
	r.Counts = claim.Count(r.Claims)
	return s, r
}

func check(t *testing.T, s claim.Sample, r claim.Result, o report.Options) string {
	t.Helper()
	var b strings.Builder
	if err := report.Check(&b, s, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// visible returns the text of a fragment, and fails if it is not well-formed or
// holds what could run or load something.
func visible(t *testing.T, fragment string) string {
	t.Helper()
	known := " article header section h2 h3 p span mark a ol ul li details summary dl dt dd q cite figure figcaption footer div table caption thead tbody tr th td " +
		"svg title desc g path rect text tspan "
	var b strings.Builder
	dec := xml.NewDecoder(strings.NewReader(fragment))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return strings.Join(strings.Fields(b.String()), " ")
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, fragment)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if !strings.Contains(known, " "+tok.Name.Local+" ") {
				t.Fatalf("unexpected element <%s> in\n%s", tok.Name.Local, fragment)
			}
			for _, a := range tok.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "src" || a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") {
					t.Fatalf("unexpected attribute %s=%q", a.Name.Local, a.Value)
				}
			}
		case xml.CharData:
			b.Write(tok)
			b.WriteByte(' ')
		}
	}
}

func TestCheckShowsEachVerdictInWordsMarkAndEvidence(t *testing.T) {
	s, r := bridge()
	got := check(t, s, r, report.Options{Name: "answer.txt"})
	text := visible(t, got)
	for _, want := range []string{
		"The sources say something else",
		"5 statements checked: 1 supported, 1 contradicted, 1 not in the sources, 1 on which the sources disagree, 1 that could not be judged.",
		"Estimated probability that something is wrong: 97%.",
		"the sources say otherwise", "1935 against 1932", "But the source says", "nothing in the context is close to it",
		"could not be judged: no reply", "1 statement is supported by the sources", "Note: the sources disagree on the lanes", "Judged by model/1; statements found by rules/1",
		"1 statement checked as a whole sentence, and not drawn.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	for _, want := range []string{
		// The words that are wrong are marked, not the sentence; in the text, in the
		// finding's quote, and in the source what stands against them.
		`The bridge opened in <mark class="kg-bad" title="the sources say otherwise">1935<a href="#kg-1" aria-label="finding 1">1</a></mark>.`,
		`<q dir="auto">The bridge opened in <mark class="kg-bad">1935</mark>.</q>`,
		`<q dir="auto">The bridge opened in <mark class="kg-good">1932</mark>.</q>`,
		`<mark class="kg-doubtful" title="not in the sources">It is green.`,
		`<mark class="kg-disputed"`, `<mark class="kg-unsure"`,
		`<li id="kg-1"><details open="">`, `<li id="kg-2"><details>`,
		`class="kg-fact kg-bad"`, `class="kg-fact kg-doubtful"`, `stroke-dasharray`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the fragment lacks %s:\n%s", want, got)
		}
	}
	// "The bridge" and "the bridge" are one entity to a reader.
	if n := strings.Count(got, `<g class="kg-entity"><title>`); n != 5 {
		t.Errorf("%d entities drawn, want 5", n)
	}
}

func TestCheckSaysTheOutcome(t *testing.T) {
	good := claim.Claim{Text: "It is so.", Verdict: claim.Supported, Spans: []segment.Span{{Start: 0, End: 2}}, Whole: true}
	doubt := claim.Claim{Text: "It may be.", Verdict: claim.Unsupported, Spans: []segment.Span{{Start: 0, End: 2}}, Whole: true}
	for want, r := range map[string]claim.Result{
		"The text is true to its sources 1 statement":              {Outcome: claim.Consistent, Claims: []claim.Claim{good}},
		"The text is true to its sources on the whole":             {Outcome: claim.Consistent, Claims: []claim.Claim{good, doubt}},
		"Not everything here is in the sources":                    {Outcome: claim.Inconsistent, Claims: []claim.Claim{doubt}},
		"Nothing here can be checked The text makes no statement":  {Outcome: claim.NoClaims},
		"This could not be judged as a whole":                      {Outcome: claim.OutcomeUnknown, PInconsistent: 1},
		"This could not be judged as a whole 0 statements checked": {Outcome: "new outcome"},
	} {
		r.Counts = claim.Count(r.Claims)
		got := visible(t, check(t, claim.Sample{Output: "It is so."}, r, report.Options{}))
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
}

// Whatever a text, a name or a graph holds stays text.
func TestNothingInATextBecomesMarkup(t *testing.T) {
	for _, evil := range []string{
		"<script>alert(1)</script>", `" onmouseover="alert(1)`, "</style><script>", "{{.}}", "\x00\x1b[31m\u202e", "]]>", "&amp;<b>", "javascript:alert(1)", "\ufffe",
	} {
		s, r := bridge()
		s.Output = evil + s.Output + evil
		s.Sources[0].Text = evil + s.Sources[0].Text
		s.Sources[0].ID = evil
		r.Model, r.Extractor, r.Notes[0].Detail = evil, evil, evil
		for i := range r.Claims {
			c := &r.Claims[i]
			c.Text, c.Triple.Head, c.Triple.Relation = evil, evil, evil
			c.Spans[0].Start, c.Spans[0].End = c.Spans[0].Start+len(evil), c.Spans[0].End+len(evil)
			for k := range c.Reasons {
				c.Reasons[k].Detail = evil
			}
			for k := range c.Evidence {
				c.Evidence[k].Source = evil
			}
		}
		visible(t, check(t, s, r, report.Options{Name: evil, ID: evil}))

		var b strings.Builder
		tr := kg.Triple{Head: evil, Relation: evil, Tail: evil}
		rep := tau.Report{Findings: []tau.Finding{{Class: tau.TailMismatch, Reference: tr, Answer: tr}, {Class: tau.Extra, Answer: tr}}}
		if err := report.TAU(&b, rep, evil, report.Options{Name: evil}); err != nil {
			t.Fatal(err)
		}
		visible(t, b.String())
		b.Reset()
		if err := report.Graph(&b, kg.NewGraph(tr), report.Options{Name: evil}); err != nil {
			t.Fatal(err)
		}
		visible(t, b.String())
		b.Reset()
		if err := report.CheckPage(&b, s, r, report.Options{Name: evil}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "<script") || strings.Contains(b.String(), " onmouseover=\"") {
			t.Errorf("%q became markup", evil)
		}
	}
}

// A page that holds everything needs nothing else: no address is in it.
func TestCheckPageLoadsNothing(t *testing.T) {
	s, r := bridge()
	var b strings.Builder
	if err := report.CheckPage(&b, s, r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(b.String(), "http://www.w3.org/2000/svg", "")
	for _, bad := range []string{"http:", "https:", "//cdn", "@import", "url(", "<script", "ZgotmplZ"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %s", bad)
		}
	}
}

func TestSpansThatFitNothingDoNoHarm(t *testing.T) {
	for _, spans := range [][]segment.Span{nil, {{Start: -5, End: 3}}, {{Start: 4, End: 99999}}, {{Start: 9, End: 2}}, {{Start: 1, End: 2}, {Start: 1, End: 30}}} {
		s, r := bridge()
		s.Output = "é" + s.Output
		for i := range r.Claims {
			r.Claims[i].Spans, r.Claims[i].Reasons = spans, nil
			for k := range r.Claims[i].Evidence {
				r.Claims[i].Evidence[k].Index = k * 7
			}
		}
		visible(t, check(t, s, r, report.Options{}))
	}
}

func TestALongTextIsCutAndSaysSo(t *testing.T) {
	s, r := bridge()
	s.Output = strings.Repeat("x", 10<<20)
	for range 1000 {
		r.Claims = append(r.Claims, r.Claims[0])
	}
	r.Counts = claim.Count(r.Claims)
	begin := time.Now()
	got := check(t, s, r, report.Options{})
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	if len(got) > 2<<20 || !strings.Contains(got, "bytes more that are not shown") || !strings.Contains(got, "… and 804 more.") {
		t.Errorf("%d bytes", len(got))
	}
}

func TestTAUSaysDriftOmissionAndAddition(t *testing.T) {
	tr := func(h, r, tail string) kg.Triple { return kg.Triple{Head: h, Relation: r, Tail: tail} }
	r := tau.Report{Findings: []tau.Finding{
		{Class: tau.Aligned, Reference: tr("Ada", "lives in", "Rome"), Answer: tr("Ada", "lives in", "Rome")},
		{Class: tau.RelationMismatch, Opposite: true, Reference: tr("Ada", "sold", "a boat"), Answer: tr("Ada", "bought", "a boat")},
		{Class: tau.Reversed, Reference: tr("Ada", "met", "Bo"), Answer: tr("Bo", "met", "Ada")},
		{Class: tau.Missing, Reference: tr("Bo", "sings", "well")},
		{Class: tau.Extra, Answer: tr("Cy", "knows", "Bo")},
	}}
	var b strings.Builder
	if err := report.TAU(&b, r, "the gold answer", report.Options{}); err != nil {
		t.Fatal(err)
	}
	text := visible(t, b.String())
	for _, want := range []string{
		"The answer says something else",
		"Of 4 facts of the gold answer the answer has 1, says 2 otherwise (drift), leaves out 1 (omission); it adds 1 of its own (addition).",
		"≠ the opposite relation Ada — sold → a boat Ada — bought → a boat", "≠ turned round", "− missing Bo — sings → well –", "+ added – Cy — knows → Bo", "in both",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if n := strings.Count(b.String(), "<svg xmlns"); n != 2 {
		t.Errorf("%d drawings, want one of each graph", n)
	}
	for want, r := range map[string]tau.Report{
		"Neither says anything":                    {},
		"The answer says all of it":                {Findings: r.Findings[:1]},
		"The answer leaves something out Of":       {Findings: r.Findings[3:4]},
		"The answer adds something Of 0":           {Findings: r.Findings[4:]},
		"leaves something out and adds something ": {Findings: r.Findings[3:]},
	} {
		b.Reset()
		if err := report.TAU(&b, r, "gold", report.Options{}); err != nil {
			t.Fatal(err)
		}
		if got := visible(t, b.String()); !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
}

// What a context has and an answer does not repeat is no fault.
func TestTAUOfTheAnswerAloneSpeaksOfNoOmission(t *testing.T) {
	tr := func(tail string) kg.Triple { return kg.Triple{Head: "Ada", Relation: "met", Tail: tail} }
	same := tau.Finding{Class: tau.Aligned, Reference: tr("Bo"), Answer: tr("Bo")}
	other := tau.Finding{Class: tau.TailMismatch, Reference: tr("Bo"), Answer: tr("Cy")}
	own := tau.Finding{Class: tau.Extra, Answer: tr("Di")}
	for want, findings := range map[string][]tau.Finding{
		"The answer says nothing": nil,
		"All that the answer says is in the context Of 1 fact of the answer 1 is there.":                                         {same},
		"Not all that the answer says is in the context Of 2 facts of the answer 1 is there, 1 is its own (addition).":           {same, own},
		"The answer says something else than the context Of 3 facts of the answer 1 is there, 1 is said otherwise (drift), 1 is": {same, other, own},
	} {
		var b strings.Builder
		if err := report.TAU(&b, tau.Report{Findings: findings}, "the context", report.Options{AnswerOnly: true}); err != nil {
			t.Fatal(err)
		}
		if got := visible(t, b.String()); !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
}

func TestAnalysisShowsBothReferences(t *testing.T) {
	tr := kg.Triple{Head: "Ada", Relation: "met", Tail: "Bo"}
	f := tau.Finding{Class: tau.Aligned, Reference: tr, Answer: tr}
	rep := &tau.Report{Findings: []tau.Finding{f}}
	var b strings.Builder
	err := report.Analysis(&b, tau.Analysis{ID: "7", Gold: rep, Context: rep, Facts: []tau.Fact{{Triple: tr, Reading: tau.Confirmed, Gold: &f, Context: &f}}}, report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := visible(t, b.String()); !strings.Contains(got, "confirmed") || strings.Count(b.String(), "<svg xmlns") != 2 {
		t.Error(got)
	}
	b.Reset()
	if err := report.Analysis(&b, tau.Analysis{Err: errors.New("no graph")}, report.Options{}); err != nil || !strings.Contains(b.String(), "Could not be compared: no graph") {
		t.Error(b.String(), err)
	}
}

// Light and dark have the same properties, and no rule reaches out of a fragment.
func TestCSSKeepsToItsFragments(t *testing.T) {
	for line := range strings.Lines(report.CSS()) {
		if sel, _, ok := strings.Cut(line, "{"); ok && !strings.HasPrefix(strings.TrimSpace(sel), "@") && strings.TrimSpace(sel) != "" {
			for s := range strings.SplitSeq(sel, ",") {
				if s = strings.TrimSpace(s); s != "" && !strings.Contains(s, ".kg") {
					t.Errorf("the rule for %q reaches elements of others", s)
				}
			}
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestAWriterThatFailsIsAnError(t *testing.T) {
	s, r := bridge()
	for name, err := range map[string]error{
		"Check":     report.Check(broken{}, s, r, report.Options{}),
		"CheckPage": report.CheckPage(broken{}, s, r, report.Options{}),
		"Graph":     report.Graph(broken{}, nil, report.Options{}),
		"TAU":       report.TAU(broken{}, tau.Report{}, "", report.Options{}),
	} {
		if err == nil || !strings.Contains(err.Error(), "disk full") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCheckTextColoursOnlyWhenWanted(t *testing.T) {
	s, r := bridge()
	s.Output = strings.Replace(s.Output, "hums", "hu\x1bms", 1)
	var plain, coloured strings.Builder
	if err := report.CheckText(&plain, s, r, report.TextOptions{Columns: 30}); err != nil {
		t.Fatal(err)
	}
	if err := report.CheckText(&coloured, s, r, report.TextOptions{Columns: 30, Color: true}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(plain.String(), "\x1b") {
		t.Error("escape codes in plain text")
	}
	if !strings.Contains(coloured.String(), "\x1b[1;31m^^^^\x1b[0m") {
		t.Errorf("no coloured marks in %q", coloured.String())
	}
	if !strings.Contains(plain.String(), "\n  ^ the sources say otherwise\n  ! the sources disagree\n  ~ not in the sources\n  ? could not be judged\n") {
		t.Errorf("no legend in %s", plain.String())
	}
	for line := range strings.Lines(plain.String()) {
		if strings.Contains(line, " | ") && len([]rune(line)) > 31 {
			t.Errorf("too wide: %q", line)
		}
	}
}

// Whatever the texts, the labels and the spans: one well-formed fragment.
func FuzzCheck(f *testing.F) {
	f.Add("The bridge opened in 1935.", "The bridge opened in 1932.", "opened in", 4, 10)
	f.Add("\xff<b>", "»a« b", "</svg>", -1, 1<<30)
	f.Add("It rains.", "It snows.", "x", -3, 4)
	f.Fuzz(func(t *testing.T, output, source, label string, from, to int) {
		at := segment.Span{Start: from, End: to}
		s := claim.Sample{Question: label, Sources: []claim.Source{{ID: label, Text: source}}, Output: output}
		c := claim.Claim{
			Triple: kg.Triple{Head: label, Relation: output, Tail: source}, Text: output, Spans: []segment.Span{at}, Sentence: at, Verdict: claim.Contradicted,
			Reasons:  []claim.Reason{{Detail: label, OutputSpan: at, SourceSpan: at}, {Kind: string(nli.ReasonMissing), OutputSpan: at}},
			Evidence: []claim.Evidence{{Source: label, Span: at, Role: claim.Contradicts}, {Index: from, Span: at}},
		}
		other := c
		other.Verdict, other.Whole = claim.Verdict(label), true
		r := claim.Result{Outcome: claim.Inconsistent, Claims: []claim.Claim{c, other}, Notes: []claim.Note{{Detail: source}}}
		r.Counts = claim.Count(r.Claims)
		visible(t, check(t, s, r, report.Options{Name: label, ID: label}))
	})
}
