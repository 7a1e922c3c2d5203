package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/internal/draw"
	"github.com/kgeval/kgeval/internal/mark"
	"github.com/kgeval/kgeval/segment"
)

// Bounds of what a fragment shows; what is left out is said.
const (
	shownText     = 256 << 10 // bytes of the output
	shownFindings = 200
	shownQuote    = 400 // characters of a quote
)

// Options say how a fragment is written. The zero value is the default.
type Options struct {
	// Name is what the text is called, such as a file's name; empty means "the text".
	Name string
	// ID begins the ids in the fragment, which must differ from fragment to
	// fragment on a page; empty means "kg". What is no ASCII letter, digit, hyphen
	// or underscore in it becomes a hyphen.
	ID string
	// Width is the width in pixels that drawings should keep to if they can; 0
	// means 860.
	Width float64
	// NoGraph leaves the drawing out.
	NoGraph bool
	// AnswerOnly says of a TAU report that what only the reference has was left out
	// of it, as a context is under no duty to be repeated; the words then speak of
	// the answer's facts alone.
	AnswerOnly bool
}

func (o Options) withDefaults() Options {
	if o.Name == "" {
		o.Name = "the text"
	}
	if o.ID == "" {
		o.ID = "kg"
	}
	o.ID = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, o.ID)
	if !(o.Width > 0) {
		o.Width = 860
	}
	return o
}

//go:embed *.html
var files embed.FS

var pages = template.Must(template.New("").ParseFS(files, "*.html"))

// piece is a stretch of the output.
type piece struct {
	Text, Class, Title string
	Refs               []int // numbers of the findings
}

type finding struct {
	Number      int
	Class, Sign string
	Verdict     string
	Fact, At    string
	Quote       []piece
	Why         []string
	Passages    []passage
	Nothing     string
	Open        bool
}

type passage struct {
	Lead, Source, At string
	Quote            []piece
}

type checkView struct {
	ID, Name                  string
	Class, Sign, Verdict, Sum string
	Chance                    string
	Pieces                    []piece
	Cut                       int
	Legend                    []key
	Findings                  []finding
	MoreFindings              int
	Good                      []finding
	GoodCount                 string
	Graph                     figure
	Undrawn                   string
	GraphLegend               []key
	Notes                     []string
	Fine                      string
}

// key is an entry of a legend.
type key struct {
	Class, Word string
	Line        template.HTML
}

// Check writes a check as an HTML fragment, an <article>: the verdict in plain
// words, the text with what is flagged underlined, each flagged statement with
// its evidence to expand, and the facts as a drawing in which flagged ones have
// another colour, dash and sign. r must be the result of checking s. Of a text
// of over 256 kB the beginning is shown, of over 200 findings the worst, and it
// says so. Errors are those of w.
func Check(w io.Writer, s claim.Sample, r claim.Result, o Options) error {
	v, err := newCheckView(s, r, o.withDefaults())
	if err != nil {
		return err
	}
	return pages.ExecuteTemplate(w, "check", v)
}

// CheckPage writes the same as a page of its own that loads nothing.
func CheckPage(w io.Writer, s claim.Sample, r claim.Result, o Options) error {
	o = o.withDefaults()
	v, err := newCheckView(s, r, o)
	if err != nil {
		return err
	}
	return pages.ExecuteTemplate(w, "checkpage", struct {
		Title string
		CSS   template.CSS
		Check checkView
	}{mark.Plain(o.Name), template.CSS(css), v})
}

func newCheckView(s claim.Sample, r claim.Result, o Options) (checkView, error) {
	v := checkView{ID: o.ID, Name: mark.Plain(o.Name)}
	v.headline(r)
	number := map[int]int{} // of claims that are listed
	flagged := r.Flagged()
	if n := len(flagged) - shownFindings; n > 0 {
		v.MoreFindings = n
		flagged = flagged[:shownFindings]
	}
	for n, i := range flagged {
		number[i] = n + 1
		f := newFinding(s, r.Claims[i], n+1)
		f.Open = n == 0
		v.Findings = append(v.Findings, f)
	}
	for _, c := range r.Claims {
		if c.Flagged() {
			continue
		}
		if len(v.Good) == shownFindings {
			break
		}
		v.Good = append(v.Good, newFinding(s, c, 0))
	}
	switch n := r.Counts.Supported; {
	case n == 1:
		v.GoodCount = "1 statement is supported by the sources"
	case n > 0:
		v.GoodCount = fmt.Sprintf("%d statements are supported by the sources", n)
	}
	v.Pieces, v.Cut = pieces(s.Output, r.Claims, number)
	v.Legend = legend(r.Claims)
	if !o.NoGraph {
		if err := v.drawing(r, o); err != nil {
			return v, err
		}
	}
	for _, n := range r.Notes {
		v.Notes = append(v.Notes, mark.Plain(n.Detail))
	}
	v.Fine = "Judged by " + mark.Plain(r.Model)
	if r.Extractor != "" {
		v.Fine += "; statements found by " + mark.Plain(r.Extractor)
	}
	return v, nil
}

// headline says the outcome for someone who has never seen a report.
func (v *checkView) headline(r claim.Result) {
	n := r.Counts
	look := n.Claims - n.Supported
	switch r.Outcome {
	case claim.Consistent:
		v.Class, v.Sign = "good", "✓"
		v.Verdict = "The text is true to its sources"
		if look > 0 {
			v.Verdict = "The text is true to its sources on the whole"
		}
	case claim.Inconsistent:
		v.Class, v.Sign = "bad", "✕"
		v.Verdict = "Not everything here is in the sources"
		if n.Contradicted > 0 {
			v.Verdict = "The sources say something else"
		}
	case claim.NoClaims:
		v.Class, v.Sign, v.Verdict = "unsure", "–", "Nothing here can be checked"
		v.Sum = "The text makes no statement that a source could support or deny."
		return
	default:
		v.Class, v.Sign, v.Verdict = "unsure", "?", "This could not be judged as a whole"
	}
	v.Sum = capital(count(n.Claims, "statement") + " checked: " + tally(n) + ".")
	if p, ok := r.Score(); ok {
		v.Chance = fmt.Sprintf("Estimated probability that something is wrong: %s. From %s on the text counts as wrong.", percent(p), percent(r.Cutoff))
	}
}

func tally(n claim.Counts) string {
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{
		{n.Supported, "supported"}, {n.Contradicted, "contradicted"}, {n.Unsupported, "not in the sources"},
		{n.Conflicting, "on which the sources disagree"}, {n.Unknown, "that could not be judged"}, {n.Cut, "not read"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	return strings.Join(parts, ", ")
}

func count(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// percent never says 0% or 100% of what is only nearly so.
func percent(p float64) string {
	switch {
	case p > 0 && p < 0.005:
		return "under 1%"
	case p < 1 && p >= 0.995:
		return "over 99%"
	}
	return fmt.Sprintf("%.0f%%", 100*p)
}

func newFinding(s claim.Sample, c claim.Claim, n int) finding {
	m := mark.NewFinding(s, c, shownQuote)
	k := draw.ForVerdict(c.Verdict)
	f := finding{
		Number: n, Class: k.Class(), Sign: k.Sign(), Verdict: mark.Meaning(c.Verdict),
		Fact: label(c.Text), Quote: quoted(m.Quote, k.Class()), At: m.At, Why: m.Why, Nothing: m.Nothing,
	}
	if c.Verdict == claim.Supported {
		f.Sign = "✓"
	}
	for _, e := range c.Evidence {
		if e.Index < 0 || e.Index >= len(s.Sources) {
			continue
		}
		text := s.Sources[e.Index].Text
		p := passage{Source: mark.Plain(e.Source), At: mark.At(text, e.Span.Start)}
		switch e.Role {
		case claim.Supports:
			p.Lead = "The source says"
		case claim.Contradicts:
			p.Lead = "But the source says"
		default:
			p.Lead = "Nearest in the source"
		}
		var words []segment.Span
		for _, r := range c.Reasons {
			if r.Source == e.Index && !r.SourceSpan.Empty() {
				words = append(words, r.SourceSpan)
			}
		}
		p.Quote = quoted(mark.Quote(text, e.Span, shownQuote, claim.Merge(words)...), "good")
		f.Passages = append(f.Passages, p)
	}
	return f
}

// quoted turns the marks of a quote into pieces of a class.
func quoted(s, class string) []piece {
	var out []piece
	for i, part := range strings.Split(s, "»") {
		if i == 0 {
			out = append(out, piece{Text: part})
			continue
		}
		in, rest, ok := strings.Cut(part, "«")
		if !ok { // the text's own character
			out = append(out, piece{Text: "»" + part})
			continue
		}
		out = append(out, piece{Text: in, Class: class}, piece{Text: rest})
	}
	return out
}

// pieces cuts the output at the borders of what is flagged, and returns how many
// bytes at its end are not shown.
func pieces(output string, claims []claim.Claim, number map[int]int) (out []piece, cut int) {
	shown := segment.Span{End: len(output)}
	if len(output) > shownText {
		shown.End = shownText
		for shown.End > 0 && output[shown.End]&0xc0 == 0x80 {
			shown.End--
		}
	}
	at := 0
	text := func(to int) {
		if to > at {
			out = append(out, piece{Text: lines(output[at:to])})
			at = to
		}
	}
	for _, m := range mark.Stretches(claims) {
		from, to := max(m.Span.Start, at), min(m.Span.End, shown.End)
		if from >= to {
			continue
		}
		text(from)
		p := piece{Text: lines(output[from:to]), Class: draw.ForVerdict(m.Verdict).Class(), Title: mark.Meaning(m.Verdict)}
		// The number stands where the last stretch of a finding ends.
		for _, c := range m.Claims {
			if n := number[c]; n > 0 && lastEnd(claims[c]) == m.Span.End {
				p.Refs = append(p.Refs, n)
			}
		}
		out = append(out, p)
		at = to
	}
	text(shown.End)
	return out, len(output) - shown.End
}

// lastEnd is where the last place of a claim ends.
func lastEnd(c claim.Claim) int {
	end := 0
	for _, s := range mark.Places(c) {
		end = max(end, s.End)
	}
	return end
}

// lines makes a text harmless and keeps its line ends.
func lines(s string) string {
	parts := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, p := range parts {
		parts[i] = mark.Plain(p)
	}
	return strings.Join(parts, "\n")
}

// legend explains the marks that occur in the text.
func legend(claims []claim.Claim) []key {
	var out []key
	for _, v := range []claim.Verdict{claim.Contradicted, claim.Conflicting, claim.Unsupported, claim.Unknown} {
		for _, c := range claims {
			if c.Verdict == v {
				out = append(out, key{Class: draw.ForVerdict(v).Class(), Word: mark.Meaning(v)})
				break
			}
		}
	}
	return out
}

// drawing draws the claims that are triples.
func (v *checkView) drawing(r claim.Result, o Options) error {
	var edges []draw.Edge
	whole := 0
	for _, c := range r.Claims {
		if c.Whole {
			whole++
			continue
		}
		edges = append(edges, draw.Edge{Triple: c.Triple, Kind: draw.ForVerdict(c.Verdict)})
	}
	if len(edges) == 0 {
		return nil
	}
	edges = merged(edges)
	f, err := newFigure(edges, "Facts of "+o.Name, o.Width)
	v.Graph, v.GraphLegend = f, keys(edges)
	if whole > 0 {
		v.Undrawn = count(whole, "statement") + " checked as a whole sentence, and not drawn."
	}
	return err
}

func svg(d draw.Drawing) (template.HTML, error) {
	var b strings.Builder
	err := d.WriteSVG(&b)
	return template.HTML(b.String()), err
}

// keys is the legend of a drawing.
func keys(edges []draw.Edge) []key {
	var out []key
	for _, k := range draw.Kinds() {
		for _, e := range edges {
			if e.Kind == k && k.Word() != "" {
				out = append(out, key{Class: k.Class(), Word: k.Word(), Line: template.HTML(k.Key())})
				break
			}
		}
	}
	return out
}
