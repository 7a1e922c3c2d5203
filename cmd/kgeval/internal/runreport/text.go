package runreport

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/internal/mark"
	"github.com/kgeval/kgeval/tau"
)

// cell escapes what would end a cell of a Markdown table or become markup.
func cell(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", `\<`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`).Replace(mark.Plain(s))
}

// WriteMarkdown writes experiment's tables of the run, and then what they do not
// have: the differences between models, paired by question. Errors are those of w.
func (r *Report) WriteMarkdown(w io.Writer) error {
	if err := r.summary.WriteMarkdown(w); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	if bad := r.Incomplete(); bad != "" {
		fmt.Fprintf(b, "\n**%s**\n", cell(bad))
	}
	fmt.Fprintf(b, "\n%s\n", cell(r.Lead()))
	if len(r.Pairs) > 0 {
		b.WriteString("\nDifferences on the same questions, first minus second:\n\n| first | second | pairs | CUS | GoldSim | CtxSim | beyond noise |\n|---|---|---|---|---|---|---|\n")
		for _, d := range r.Pairs {
			fmt.Fprintf(b, "| %s | %s | %d | %s | %s | %s | %s |\n", cell(d.A), cell(d.B), d.Pairs, d.value(signed(d.CUS)), d.value(signed(d.GoldSim)), d.value(signed(d.CtxSim)), d.verdict())
		}
		if r.Paired != "" {
			fmt.Fprintf(b, "\n%s\n", r.Paired)
		}
	}
	fmt.Fprintf(b, "\n%s\n", cell(r.method()))
	return b.Flush()
}

func (s Series) share() string {
	if s.Judged() == 0 {
		return "–"
	}
	v := fmt.Sprintf("%.0f%%", 100*s.Inconsistent.Value)
	if s.Inconsistent.Samples > 0 {
		v += fmt.Sprintf(" [%.0f, %.0f]", 100*s.Inconsistent.Low, 100*s.Inconsistent.High)
	}
	return v
}

func (s Series) degenerate() int {
	n := 0
	for _, k := range s.Similarity.Degenerate {
		n += k
	}
	return n
}

func (d Difference) value(v string) string {
	if d.Pairs == 0 {
		return "–"
	}
	return v
}

func (d Difference) verdict() string {
	switch {
	case d.Pairs == 0:
		return "not comparable"
	case d.Clear() && d.CUS.Value > 0:
		return "yes, the first is better"
	case d.Clear():
		return "yes, the second is better"
	}
	return "no"
}

// facts says what the run was.
func (r *Report) facts() string {
	h := r.Run.Header
	s := fmt.Sprintf("%d questions, %d answers by %d models", h.Items, len(r.Run.Records), len(h.Models))
	if !h.Started.IsZero() {
		s += ", begun " + h.Started.UTC().Format("2 January 2006, 15:04 UTC")
	}
	return s + "."
}

// Incomplete says what is missing from a run: answers that are open or failed; ""
// for none.
func (r *Report) Incomplete() string {
	failed := 0
	for _, s := range r.Series {
		failed += s.Failed
	}
	var parts []string
	if open := r.Run.Open(); open > 0 {
		parts = append(parts, fmt.Sprintf("The run has not ended: %d of %d answers are open.", open, r.Run.Header.Tasks))
	}
	switch {
	case failed == 1:
		parts = append(parts, "1 answer failed and enters no mean.")
	case failed > 1:
		parts = append(parts, fmt.Sprintf("%d answers failed and enter no mean.", failed))
	}
	return strings.Join(parts, " ")
}

// method says how the numbers were made.
func (r *Report) method() string {
	o := r.options.Resampling
	samples, level := o.Samples, o.Level
	if samples == 0 {
		samples = 1000
	}
	if !(level > 0 && level < 1) {
		level = 0.95
	}
	return fmt.Sprintf("CUS is the harmonic mean of GoldSim (how alike answer and gold answer are) and CtxSim (how well the context covers the answer), from 0 to 1. "+
		"In brackets: %.0f%% bootstrap intervals over documents (%d samples, seed %d); differences are paired by question. Answers with nothing to compare enter no mean.", 100*level, max(samples, 0), o.Seed)
}

// taxonomy is a selection of answers with the classes of their findings, for
// each series.
type taxonomy struct {
	ID, Title, Note string
	Counts          []map[tau.Class]int
}

// taxonomies are all answers beside the gold answer, and the lowest of them as in
// the paper. One without a finding is left out.
func (r *Report) taxonomies() []taxonomy {
	least := fmt.Sprintf("the lowest %g%%", 100*experiment.LowestShare)
	all := []taxonomy{
		{ID: "taxonomy", Title: "What became of the gold answers' facts", Note: "Shares of all findings: the gold answers' facts, and what the answers add."},
		{ID: "lowest-gold", Title: "The same in " + least + " by GoldSim", Note: "Where answers are least like the gold answer."},
		{ID: "lowest-context", Title: "Beside the context, in " + least + " by CtxSim", Note: "Where the context covers answers least. What only the context has is no fault and not counted."},
	}
	for _, s := range r.Series {
		all[0].Counts = append(all[0].Counts, s.Gold)
		all[1].Counts = append(all[1].Counts, s.LowestGold.Classes)
		all[2].Counts = append(all[2].Counts, s.LowestContext.Classes)
	}
	return slices.DeleteFunc(all, func(t taxonomy) bool {
		return !slices.ContainsFunc(t.Counts, func(n map[tau.Class]int) bool { return len(n) > 0 })
	})
}

// WriteCSV writes a row for each answer, with a header. Numbers that an answer
// does not have are empty. Errors are those of w.
func (r *Report) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	head := []string{"item", "group", "model", "temperature", "repeat", "cus", "gold_sim", "ctx_sim", "degenerate", "fallback", "verdict", "p_inconsistent", "claims", "flagged"}
	for _, k := range tau.Classes() {
		head = append(head, "gold_"+strings.ReplaceAll(string(k), " ", "_"))
	}
	c.Write(append(head, "seconds", "input_tokens", "output_tokens", "cost", "failure")) // errors stay until Flush
	num := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for _, x := range r.Run.Records {
		item := r.item(x.Item)
		row := []string{x.Item, item.Group, x.Model, num(x.Temperature), strconv.Itoa(x.Repeat)}
		if s := x.Score; s != nil {
			if s.Counted() {
				row = append(row, num(s.CUS), num(s.GoldSim), num(s.CtxSim))
			} else {
				row = append(row, "", "", "")
			}
			row = append(row, string(s.Degenerate), strconv.FormatBool(s.Fallback))
			if s.Check != nil {
				p := ""
				if v, ok := s.Check.Score(); ok {
					p = num(v)
				}
				row = append(row, string(s.Check.Outcome), p, strconv.Itoa(s.Check.Counts.Claims), strconv.Itoa(len(s.Check.Flagged())))
			} else {
				row = append(row, "", "", "", "")
			}
			n := map[tau.Class]int{}
			for _, f := range s.Gold {
				n[f.Class]++
			}
			for _, k := range tau.Classes() {
				row = append(row, strconv.Itoa(n[k]))
			}
		} else {
			row = append(row, make([]string, len(head)-5)...)
		}
		if a := x.Answer; a != nil {
			row = append(row, num(a.Seconds), strconv.Itoa(a.Usage.Input), strconv.Itoa(a.Usage.Output), num(a.Cost))
		} else {
			row = append(row, "", "", "", "")
		}
		kind := ""
		if x.Failure != nil {
			kind = x.Failure.Kind
		}
		for i, v := range row {
			row[i] = strings.ToValidUTF8(v, "\ufffd")
		}
		c.Write(append(row, kind))
	}
	c.Flush()
	return c.Error()
}
