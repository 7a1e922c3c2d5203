package runreport

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/cmd/kgeval/internal/runreport/samplerun"
	"github.com/kgeval/kgeval/cus"
	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/metrics"
)

var small = samplerun.Options{Items: 12, Models: 2, Temperatures: []float64{0, 0.7}, Odd: true}

func sample(t testing.TB, o samplerun.Options, ro Options) *Report {
	t.Helper()
	r, err := New(context.Background(), samplerun.New(o), ro)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func written(t testing.TB, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSummaryIsThatOfExperiment(t *testing.T) {
	r := sample(t, small, Options{})
	sum, err := experiment.Summarize(t.Context(), r.Run, metrics.Resampling{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Series) != len(sum.Rows) || len(r.Series) != 4 {
		t.Fatalf("%d series, %d rows", len(r.Series), len(sum.Rows))
	}
	for i, s := range r.Series {
		if s.Similarity.CUS != sum.Rows[i].Similarity.CUS || s.Failed != sum.Rows[i].Failed {
			t.Errorf("series %s differs from experiment's row", s.Name)
		}
	}
	if len(r.Pairs) != 6 {
		t.Errorf("%d pairs of 4 series, want 6", len(r.Pairs))
	}
	if r.Series[1].Name != "small-instruct at 0.7" {
		t.Errorf("got the name %q", r.Series[1].Name)
	}
}

func TestMoreThanSixSeriesAreComparedInPart(t *testing.T) {
	r := sample(t, samplerun.Options{Items: 6, Models: 3, Temperatures: []float64{0, 0.3, 1}}, Options{})
	// Three at each of three temperatures, and two neighbours for each model.
	if len(r.Pairs) != 9+6 || r.Paired == "" {
		t.Errorf("%d pairs, %q", len(r.Pairs), r.Paired)
	}
}

func TestLeadSaysWhetherTheLeadIsBeyondNoise(t *testing.T) {
	series := func(name string, v float64) Series {
		s := Series{Name: name}
		s.Similarity = cus.Summary{Counted: 9, CUS: metrics.Interval{Value: v, Low: v - 0.1, High: v + 0.1, Samples: 10}}
		return s
	}
	pair := func(a, b string, low, high float64) Difference {
		return Difference{A: a, B: b, Difference: cus.Difference{Pairs: 9, CUS: metrics.Interval{Value: (low + high) / 2, Low: low, High: high, Samples: 10}}}
	}
	for want, r := range map[string]*Report{
		"No answer could be scored.":                                  {Series: []Series{{Name: "a"}}},
		"a has a context understanding score of 0.500 [0.400, 0.600]": {Series: []Series{series("a", 0.5)}},
		"its lead is beyond noise in every comparison made":           {Series: []Series{series("a", 0.5), series("b", 0.7)}, Pairs: []Difference{pair("a", "b", -0.3, -0.1)}},
		"b has the highest context understanding score":               {Series: []Series{series("a", 0.5), series("b", 0.7)}, Pairs: []Difference{pair("a", "b", -0.3, 0.1)}},
		"its lead over a is within noise":                             {Series: []Series{series("a", 0.5), series("b", 0.7)}, Pairs: []Difference{pair("a", "b", -0.3, 0.1)}},
		"its lead over 4 others is within noise":                      {Series: []Series{series("x", 1)}, Pairs: []Difference{pair("a", "x", -1, 1), pair("b", "x", -1, 1), pair("x", "c", -1, 1), pair("d", "x", -1, 1)}},
	} {
		if strings.Contains(want, "4 others") {
			r.Series = append(r.Series, series("a", 0.1))
		}
		if got := r.Lead(); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q in it", got, want)
		}
	}
}

func TestNothingToReport(t *testing.T) {
	if _, err := New(t.Context(), &experiment.Run{}, Options{}); !errors.Is(err, ErrEmpty) {
		t.Errorf("got %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := New(ctx, samplerun.New(small), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A run of failures alone has tables, no plots of nothing, and no NaN.
func TestARunOfFailures(t *testing.T) {
	run := samplerun.New(small)
	for i, x := range run.Records {
		run.Records[i] = experiment.Record{Task: x.Task, Failure: &experiment.Failure{Task: x.Task, Stage: "answer", Kind: "network", Error: "refused"}}
	}
	r, err := New(t.Context(), run, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, out := range map[string]string{"html": written(t, r.WriteHTML), "md": written(t, r.WriteMarkdown), "csv": written(t, r.WriteCSV)} {
		if strings.Contains(out, "NaN") || strings.Contains(out, "Inf]") {
			t.Errorf("%s holds no number where it should", name)
		}
	}
	if !strings.Contains(r.Incomplete(), "68 answers failed") {
		t.Errorf("got %q", r.Incomplete())
	}
}

var addresses = regexp.MustCompile(`(?i)(?:https?:)?//[a-z0-9]|@import|url\(|<link[^>]+href="[^d]|<img|<iframe|<object`)

func TestHTMLLoadsNothing(t *testing.T) {
	page := written(t, sample(t, small, Options{}).WriteHTML)
	// Packed texts are base64, in which // may stand.
	plain := regexp.MustCompile(`(?s)<script type="application/json".*?</script>`).ReplaceAllString(page, "")
	plain = strings.ReplaceAll(plain, "http://www.w3.org/2000/svg", "")
	plain = strings.ReplaceAll(plain, "http://www.w3.org/1999/xlink", "")
	if m := addresses.FindString(plain); m != "" {
		t.Errorf("the page holds %q", m)
	}
	if strings.Contains(page, "ZgotmplZ") {
		t.Error("a value was refused by its template")
	}
	// One script runs, and the policy names it.
	if n := strings.Count(page, "<script>"); n != 1 {
		t.Errorf("%d scripts", n)
	}
	if !strings.Contains(page, "default-src &#39;none&#39;") || !strings.Contains(page, "script-src &#39;sha256-") {
		t.Error("no policy")
	}
	if strings.Contains(page, samplerun.Evil) {
		t.Error("a text of the run stands in the page as markup")
	}
}

// The same run gives the same files, byte by byte.
func TestReportsAreDeterministic(t *testing.T) {
	first, second := sample(t, small, Options{}), sample(t, small, Options{})
	for name, write := range map[string]func(*Report, io.Writer) error{"html": (*Report).WriteHTML, "md": (*Report).WriteMarkdown, "csv": (*Report).WriteCSV} {
		a := written(t, func(w io.Writer) error { return write(first, w) })
		b := written(t, func(w io.Writer) error { return write(second, w) })
		if a != b {
			t.Errorf("%s differs", name)
		}
	}
}

// Plots are well-formed SVG whose words are text, in the page's colours.
func TestPlotsAreTextInThePagesColours(t *testing.T) {
	figures, err := sample(t, small, Options{}).figures()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"temperature": "CUS", "scatter": "GoldSim: like the gold answer", "distribution": "small-instruct at 0.7", "taxonomy": "share of findings", "lowest-gold": "100%", "lowest-context": "100%"}
	for _, f := range figures {
		var text strings.Builder
		dec := xml.NewDecoder(strings.NewReader(string(f.SVG)))
		inText := false
		for {
			tok, err := dec.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", f.ID, err)
			}
			switch tok := tok.(type) {
			case xml.StartElement:
				inText = tok.Name.Local == "text"
			case xml.EndElement:
				inText = false
			case xml.CharData:
				if inText {
					text.Write(tok)
					text.WriteByte('|')
				}
			}
		}
		if !strings.Contains(text.String(), want[f.ID]) {
			t.Errorf("%s: the text is %q, want %q in it", f.ID, text.String(), want[f.ID])
		}
		if strings.Contains(string(f.SVG), "#0102") || !strings.Contains(string(f.SVG), "var(--kg-") {
			t.Errorf("%s: colours of its own", f.ID)
		}
		if !strings.Contains(string(f.SVG), `role="img" aria-label="`+html.EscapeString(f.Title)) {
			t.Errorf("%s: no name", f.ID)
		}
		delete(want, f.ID)
	}
	for id := range want {
		t.Errorf("no plot %s", id)
	}
	// Each stand-in has a property, and the style sheet defines it.
	for i := range colours {
		if p := property(16 + i); !strings.Contains(pageCSS, p+":") {
			t.Errorf("%s is not defined", p)
		}
	}
}

// What does not fit is left out from the end of the list, and the page says so.
func TestSizeIsBounded(t *testing.T) {
	o := samplerun.Options{Items: 400, Models: 1, Temperatures: []float64{0}}
	r := sample(t, o, Options{Bytes: 60_000})
	d, texts, details, full, err := r.pack()
	if err != nil {
		t.Fatal(err)
	}
	if full == 0 || full >= len(d.Rows) || len(d.Rows) != 400 {
		t.Fatalf("%d of %d answers have texts", full, len(d.Rows))
	}
	if n := texts.size + details.size; n > 60_000+2*chunkBytes {
		t.Errorf("%d bytes of texts", n)
	}
	for i, row := range d.Rows {
		if (row.Detail >= 0) != (i < full) {
			t.Fatalf("row %d of %d: texts %t", i, full, row.Detail >= 0)
		}
	}
	if page := written(t, r.WriteHTML); !strings.Contains(page, strconv.Itoa(full)+" of 400 answers have their texts") {
		t.Error("the page does not say what it leaves out")
	}
	// Of an item of a megabyte, a part is shown.
	if page := written(t, sample(t, small, Options{}).WriteHTML); len(page) > 1<<20 {
		t.Errorf("%d bytes", len(page))
	}
}

func TestRowsComeWorstFirst(t *testing.T) {
	d, _, _, _, err := sample(t, small, Options{}).pack()
	if err != nil {
		t.Fatal(err)
	}
	last, stage := -1.0, 0
	for i, r := range d.Rows {
		at := 1
		switch {
		case r.Status == "failed":
			at = 0
		case r.CUS == nil:
			at = 2
		}
		if at < stage || at == 1 && *r.CUS < last-1e-4 {
			t.Errorf("row %d is out of order", i)
		}
		stage = at
		if r.CUS != nil {
			last = *r.CUS
		}
	}
	if _, err := json.Marshal(d); err != nil {
		t.Error(err)
	}
}

// Marks in the sources count UTF-16 units of the text that the page shows.
func TestVisibleKeepsLengths(t *testing.T) {
	units := func(s string) int {
		n := 0
		for _, r := range s {
			n++
			if r > 0xffff {
				n++
			}
		}
		return n
	}
	for _, s := range []string{"", "plain", "a\nb\tc", "\x00\x1b[31m", "長江 🏳️‍🌈", "\u202eevil", "\U0001ffffx", "é"} {
		if got := visible(s); units(got) != units(s) || strings.ContainsAny(got, "\x00\x1b\u202e") {
			t.Errorf("visible(%q) = %q", s, got)
		}
	}
}

func TestMarkdownTablesHold(t *testing.T) {
	run := samplerun.New(small)
	evil := "a|b\n<script>`x` *y* [z](w)"
	run.Header.Name = evil
	for i := range run.Records {
		if run.Records[i].Model == run.Header.Models[0] {
			run.Records[i].Model = evil
		}
	}
	r, err := New(t.Context(), run, Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := written(t, r.WriteMarkdown)
	columns := 0
	for line := range strings.Lines(out) {
		line = strings.ReplaceAll(line, `\|`, "")
		n := strings.Count(line, "|")
		if strings.HasPrefix(line, "|") && columns > 0 && n != columns {
			t.Errorf("a row of %d cells in a table of %d: %s", n, columns, line)
		}
		columns = 0
		if strings.HasPrefix(line, "|") {
			columns = n
		}
	}
	if strings.Contains(strings.ReplaceAll(out, `\<`, ""), "<script") {
		t.Errorf("markup in Markdown:\n%s", out)
	}
	for _, want := range []string{"| model | temperature | CUS |", "has the highest context understanding score", "| first | second | pairs |", "lowest 5% by GoldSim"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q", want)
		}
	}
}

func TestCSVHasARowForEachAnswer(t *testing.T) {
	r := sample(t, small, Options{})
	rows, err := csv.NewReader(strings.NewReader(written(t, r.WriteCSV))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1+len(r.Run.Records) {
		t.Fatalf("%d rows of %d answers", len(rows)-1, len(r.Run.Records))
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for i, row := range rows[1:] {
		x := r.Run.Records[i]
		if row[column["item"]] != x.Item || row[column["model"]] != x.Model {
			t.Fatalf("row %d is of another answer", i)
		}
		switch v := row[column["cus"]]; {
		case x.Score == nil || !x.Score.Counted():
			if v != "" {
				t.Errorf("row %d: CUS %q of an answer without a score", i, v)
			}
		default:
			if f, err := strconv.ParseFloat(v, 64); err != nil || f != x.Score.CUS {
				t.Errorf("row %d: CUS %q, want %v", i, v, x.Score.CUS)
			}
		}
		if (row[column["failure"]] != "") != (x.Failure != nil) {
			t.Errorf("row %d: failure %q", i, row[column["failure"]])
		}
	}
}

// A report without texts has every number and no word of question, context, answer
// or fact.
func TestNoTexts(t *testing.T) {
	r := sample(t, small, Options{NoTexts: true})
	d, texts, details, full, err := r.pack()
	if err != nil {
		t.Fatal(err)
	}
	if full != 0 || texts.size != 0 || details.size != 0 {
		t.Errorf("%d answers with texts, %d and %d bytes", full, texts.size, details.size)
	}
	for _, i := range d.Items {
		if i.Question != "" || i.Text >= 0 {
			t.Errorf("%+v", i)
		}
	}
	page := written(t, r.WriteHTML)
	for _, i := range r.Run.Items {
		if i.Question != "" && strings.Contains(page, html.EscapeString(i.Question)) {
			t.Errorf("the page holds %q", i.Question)
		}
	}
	with, _, _, full, err := sample(t, small, Options{}).pack()
	if err != nil || full == 0 || len(with.Rows) != len(d.Rows) {
		t.Errorf("%d rows with texts, %d without; %v", len(with.Rows), len(d.Rows), err)
	}
}
