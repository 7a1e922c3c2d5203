package experiment

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/tau"
)

// cell makes a text harmless in a table of Markdown.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ", "<", "&lt;", "`", "'").Replace(s)
}

func interval(i metrics.Interval) string {
	if i.Samples == 0 {
		return fmt.Sprintf("%.3f", i.Value)
	}
	return fmt.Sprintf("%.3f (%.3f to %.3f)", i.Value, i.Low, i.High)
}

// WriteMarkdown writes the summary as tables of Markdown. Errors are those of w.
func (s Summary) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	if s.Header.Name != "" {
		fmt.Fprintf(&b, "# %s\n\n", cell(s.Header.Name))
	}
	fmt.Fprintf(&b, "%d items; kgeval %s; %s.\n\n", s.Header.Items, cell(s.Header.Settings["library"]), cell(s.Header.Settings["scoring.similarity"]))
	b.WriteString("| model | temperature | CUS | GoldSim | CtxSim | inconsistent | answers | not counted | failed | tokens | cost | s an answer |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range s.Rows {
		inconsistent := "-"
		if n := r.Verdicts[claim.Consistent] + r.Verdicts[claim.Inconsistent]; n > 0 {
			inconsistent = interval(r.Inconsistent)
		}
		cus, gold, ctx := "-", "-", "-"
		if r.Similarity.Counted > 0 {
			cus, gold, ctx = interval(r.Similarity.CUS), interval(r.Similarity.GoldSim), interval(r.Similarity.CtxSim)
		}
		fmt.Fprintf(&b, "| %s | %g | %s | %s | %s | %s | %d | %d | %d | %d | %.4g | %.2f |\n", cell(r.Model), r.Temperature,
			cus, gold, ctx, inconsistent, r.Answers, r.Answers-r.Similarity.Counted, r.Failed, r.Tokens, r.Cost, r.Seconds)
	}
	fmt.Fprintf(&b, "\nErrors of the answers with the lowest %g%% by GoldSim (against the gold answer) and by CtxSim (against the context):\n\n| model | temperature | by | answers |", LowestShare*100)
	classes := errorClasses()
	for _, c := range classes {
		fmt.Fprintf(&b, " %s |", c)
	}
	b.WriteString("\n|---|---|---|---|" + strings.Repeat("---|", len(classes)) + "\n")
	for _, r := range s.Rows {
		for i, l := range []Lowest{r.LowestGold, r.LowestContext} {
			fmt.Fprintf(&b, "| %s | %g | %s | %d |", cell(r.Model), r.Temperature, []string{"GoldSim", "CtxSim"}[i], l.Answers)
			for _, c := range classes {
				if i == 1 && c == tau.Missing {
					b.WriteString(" |") // no fault of an answer
					continue
				}
				fmt.Fprintf(&b, " %d |", l.Classes[c])
			}
			b.WriteByte('\n')
		}
	}
	if s.Open > 0 {
		fmt.Fprintf(&b, "\nThe run is not finished: %d of %d answers are open.\n", s.Open, s.Header.Tasks)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func errorClasses() []tau.Class {
	var out []tau.Class
	for _, c := range tau.Classes() {
		if c != tau.Aligned {
			out = append(out, c)
		}
	}
	return out
}

// WriteCSV writes the summary as a table with a header line and a row for each model and
// temperature. An empty cell is a number that there is not. Errors are those of w.
func (s Summary) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	head := []string{"model", "temperature"}
	for _, m := range []string{"cus", "gold_sim", "ctx_sim", "inconsistent"} {
		head = append(head, m, m+"_low", m+"_high")
	}
	head = append(head, "answers", "counted", "failed", "consistent", "inconsistent_answers", "no_claims", "unknown", "tokens", "cost", "seconds")
	for _, of := range []string{"gold", "context"} {
		for _, class := range errorClasses() {
			head = append(head, "lowest_"+of+"_"+strings.ReplaceAll(string(class), " ", "_"))
		}
	}
	c.Write(head)
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	for _, r := range s.Rows {
		row := []string{r.Model, number(r.Temperature)}
		add := func(i metrics.Interval, n int) {
			if n == 0 {
				row = append(row, "", "", "")
				return
			}
			row = append(row, number(i.Value), number(i.Low), number(i.High))
		}
		add(r.Similarity.CUS, r.Similarity.Counted)
		add(r.Similarity.GoldSim, r.Similarity.Counted)
		add(r.Similarity.CtxSim, r.Similarity.Counted)
		add(r.Inconsistent, r.Verdicts[claim.Consistent]+r.Verdicts[claim.Inconsistent])
		for _, n := range []int{r.Answers, r.Similarity.Counted, r.Failed, r.Verdicts[claim.Consistent], r.Verdicts[claim.Inconsistent], r.Verdicts[claim.NoClaims], r.Verdicts[claim.OutcomeUnknown], r.Tokens} {
			row = append(row, strconv.Itoa(n))
		}
		row = append(row, number(r.Cost), number(r.Seconds))
		for _, l := range []Lowest{r.LowestGold, r.LowestContext} {
			for _, class := range errorClasses() {
				row = append(row, strconv.Itoa(l.Classes[class]))
			}
		}
		c.Write(row)
	}
	c.Flush()
	return c.Error()
}

// WriteMarkdown writes the difference as a table of Markdown. Errors are those of w.
func (d Difference) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| model | temperature | | before | after | change | answers | |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range d.Rows {
		fmt.Fprintf(&b, "| %s | %g | %s | %.3f | %.3f | %+.3f (%+.3f to %+.3f) | %d | %s |\n", cell(r.Model), r.Temperature, r.Metric,
			r.Old, r.New, r.Change.Value, r.Change.Low, r.Change.High, r.Pairs, r.Direction)
	}
	if len(d.Settings) > 0 {
		b.WriteString("\nSettings that differ:\n\n")
		for _, c := range d.Settings {
			fmt.Fprintf(&b, "* %s: %s, now %s\n", cell(c.Name), cell(value(c.Was)), cell(value(c.Is)))
		}
	}
	if len(d.Unpaired) > 0 {
		b.WriteString("\nNot compared:\n\n")
		for _, u := range d.Unpaired {
			fmt.Fprintf(&b, "* %s\n", cell(u))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteCSV writes the rows of the difference with a header line. Errors are those of w.
func (d Difference) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"model", "temperature", "metric", "before", "after", "change", "change_low", "change_high", "pairs", "unpaired", "direction"})
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	for _, r := range d.Rows {
		c.Write([]string{r.Model, number(r.Temperature), string(r.Metric), number(r.Old), number(r.New), number(r.Change.Value), number(r.Change.Low), number(r.Change.High), strconv.Itoa(r.Pairs), strconv.Itoa(r.Unpaired), string(r.Direction)})
	}
	c.Flush()
	return c.Error()
}
