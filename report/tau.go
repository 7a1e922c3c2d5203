package report

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/kgeval/kgeval/internal/draw"
	"github.com/kgeval/kgeval/internal/mark"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
	"github.com/kgeval/kgeval/tau"
)

type tauView struct {
	ID, Name, Reference string
	Headline, Sum       string
	Rows                []tauRow
	More                int
	Pair                pairView
}

type tauRow struct {
	Class, Sign, Word string
	Reference, Answer string
}

// TAU writes how an answer departs from one reference as an HTML fragment, an
// <article>: in a sentence, fact by fact in a table (what is alike last), and as
// two drawings. Options.Name is what the answer is called, reference what it was
// held against, such as "the gold answer". For a terminal print the report
// itself. Of over 200 findings the first are listed. Errors are those of w.
func TAU(w io.Writer, r tau.Report, reference string, o Options) error {
	if o.Name == "" {
		o.Name = "the answer"
	}
	o = o.withDefaults()
	v := tauView{ID: o.ID, Name: mark.Plain(o.Name), Reference: mark.Plain(reference)}
	v.Headline, v.Sum = tauWords(r, v.Reference)
	if o.AnswerOnly {
		v.Headline, v.Sum = answerWords(r, v.Reference)
	}
	errors := r.Errors()
	for _, f := range errors {
		v.row(f)
	}
	for _, f := range r.Findings {
		if f.Class == tau.Aligned {
			v.row(f)
		}
	}
	if len(v.Rows) > shownFindings {
		v.More = len(v.Rows) - shownFindings
		v.Rows = v.Rows[:shownFindings]
	}
	var err error
	if !o.NoGraph {
		v.Pair, err = newPair(r, reference, o.Name, o)
	}
	if err != nil {
		return err
	}
	return pages.ExecuteTemplate(w, "tau", v)
}

func (v *tauView) row(f tau.Finding) {
	k := tauKind(f.Class)
	row := tauRow{Class: k.Class(), Sign: k.Sign(), Word: tauWord(f)}
	if f.Class != tau.Extra {
		row.Reference = fact(f.Reference)
	}
	if f.Class != tau.Missing {
		row.Answer = fact(f.Answer)
	}
	v.Rows = append(v.Rows, row)
}

func tauKind(c tau.Class) draw.Kind {
	switch c {
	case tau.Aligned:
		return draw.Common
	case tau.Missing:
		return draw.Missing
	case tau.Extra:
		return draw.Extra
	}
	return draw.Changed
}

// tauWord says a class so that nobody has to look it up.
func tauWord(f tau.Finding) string {
	switch {
	case f.Class == tau.RelationMismatch && f.Opposite:
		return "the opposite relation"
	case f.Class == tau.RelationMismatch:
		return "another relation"
	case f.Class == tau.HeadMismatch:
		return "another subject"
	case f.Class == tau.TailMismatch:
		return "another object"
	case f.Class == tau.EntityMismatch:
		return "another entity"
	case f.Class == tau.Reversed:
		return "turned round"
	case f.Class == tau.Aligned:
		return "in both"
	case f.Class == tau.Extra:
		return "added"
	}
	return string(f.Class)
}

func fact(t kg.Triple) string {
	return label(t.Head) + " — " + label(t.Relation) + " → " + label(t.Tail)
}

// label is a part of a fact, harmless and at most as long as a quote.
func label(s string) string {
	return mark.Quote(s, segment.Span{End: len(s)}, shownQuote)
}

// tauWords says a report in a headline and a sentence.
func tauWords(r tau.Report, reference string) (headline, sum string) {
	n := map[tau.Kind]int{}
	for _, f := range r.Findings {
		n[f.Class.Kind()]++
	}
	switch {
	case len(r.Findings) == 0:
		return "Neither says anything", "Both graphs are empty."
	case len(r.Errors()) == 0:
		headline = "The answer says all of it, and nothing else"
	case n[tau.Drift] > 0:
		headline = "The answer says something else"
	case n[tau.Omission] > 0 && n[tau.Addition] > 0:
		headline = "The answer leaves something out and adds something"
	case n[tau.Omission] > 0:
		headline = "The answer leaves something out"
	default:
		headline = "The answer adds something"
	}
	all := len(r.Findings) - n[tau.Addition]
	parts := []string{fmt.Sprintf("Of %s of %s the answer has %d", count(all, "fact"), reference, n[tau.None])}
	if n[tau.Drift] > 0 {
		parts = append(parts, fmt.Sprintf("says %d otherwise (drift)", n[tau.Drift]))
	}
	if n[tau.Omission] > 0 {
		parts = append(parts, fmt.Sprintf("leaves out %d (omission)", n[tau.Omission]))
	}
	sum = strings.Join(parts, ", ")
	if n[tau.Addition] > 0 {
		sum += fmt.Sprintf("; it adds %d of its own (addition)", n[tau.Addition])
	}
	return headline, sum + "."
}

// answerWords is tauWords for a report about the answer's facts alone.
func answerWords(r tau.Report, reference string) (headline, sum string) {
	n := map[tau.Kind]int{}
	for _, f := range r.Findings {
		n[f.Class.Kind()]++
	}
	switch {
	case len(r.Findings) == 0:
		return "The answer says nothing", "There was nothing to compare."
	case n[tau.Drift] > 0:
		headline = "The answer says something else than " + reference
	case n[tau.Addition] > 0:
		headline = "Not all that the answer says is in " + reference
	default:
		headline = "All that the answer says is in " + reference
	}
	are := func(n int) string {
		if n == 1 {
			return "1 is"
		}
		return fmt.Sprint(n, " are")
	}
	sum = fmt.Sprintf("Of %s of the answer %s there", count(len(r.Findings)-n[tau.Omission], "fact"), are(n[tau.None]))
	if n[tau.Drift] > 0 {
		sum += fmt.Sprintf(", %s said otherwise (drift)", are(n[tau.Drift]))
	}
	if n[tau.Addition] > 0 {
		sum += fmt.Sprintf(", %s its own (addition)", are(n[tau.Addition]))
	}
	return headline, sum + "."
}

// Analysis writes an answer beside gold answer and context: tau's own table in
// the style of this package, with the drawings of gold answer and answer where
// there is a gold answer, else of context and answer. Errors are those of w.
func Analysis(w io.Writer, a tau.Analysis, o Options) error {
	o = o.withDefaults()
	var table strings.Builder
	if err := a.WriteHTML(&table); err != nil {
		return err
	}
	v := struct {
		ID    string
		Table template.HTML
		Pair  pairView
	}{ID: o.ID, Table: template.HTML(table.String())}
	var err error
	switch {
	case o.NoGraph || a.Err != nil:
	case a.Gold != nil:
		v.Pair, err = newPair(*a.Gold, "the gold answer", "the answer", o)
	case a.Context != nil:
		v.Pair, err = newPair(*a.Context, "the context", "the answer", o)
	}
	if err != nil {
		return err
	}
	return pages.ExecuteTemplate(w, "analysis", v)
}
