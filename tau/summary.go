package tau

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Tally counts findings and the items that have one.
type Tally struct {
	Findings, Items int
}

// Summary counts the findings of many analyses.
type Summary struct {
	// Items is the number of analyses; Failed of them could not be compared, and in
	// Degenerate an answer or a reference states nothing. What is degenerate is counted
	// with the others: all of a reference is missing, or all of an answer extra.
	Items, Failed, Degenerate int
	// Gold and Context hold a tally for each class; classes without any are absent.
	Gold, Context map[Class]Tally
	// Readings of the answers' facts.
	Readings map[Reading]Tally
	// Omissions of the gold answers' facts, and how many of them the contexts have.
	Omissions, OmissionsInContext int
}

// Summarize counts what analyses found.
func Summarize(analyses []Analysis) Summary {
	out := Summary{Items: len(analyses), Gold: map[Class]Tally{}, Context: map[Class]Tally{}, Readings: map[Reading]Tally{}}
	for _, a := range analyses {
		if a.Err != nil {
			out.Failed++
			continue
		}
		degenerate := false
		for _, side := range []struct {
			report *Report
			tally  map[Class]Tally
		}{{a.Gold, out.Gold}, {a.Context, out.Context}} {
			if side.report == nil {
				continue
			}
			degenerate = degenerate || side.report.Degenerate
			count(side.tally, side.report.Counts())
		}
		if degenerate {
			out.Degenerate++
		}
		readings := map[Reading]int{}
		for _, f := range a.Facts {
			readings[f.Reading]++
		}
		count(out.Readings, readings)
		for _, o := range a.Omissions {
			out.Omissions++
			if o.InContext {
				out.OmissionsInContext++
			}
		}
	}
	return out
}

// count adds the counts of one item.
func count[K comparable](tally map[K]Tally, of map[K]int) {
	for k, n := range of {
		t := tally[k]
		tally[k] = Tally{t.Findings + n, t.Items + 1}
	}
}

// String returns the summary as tables for a terminal. The form may change.
func (s Summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "items: %d, failed: %d, with nothing to compare on one side: %d\n\n", s.Items, s.Failed, s.Degenerate)
	table := func(rows func(w io.Writer)) {
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		rows(w)
		w.Flush() // into memory: it cannot fail
		b.WriteString("\n")
	}
	table(func(w io.Writer) {
		fmt.Fprintln(w, "class\tagainst gold\titems\tagainst context\titems")
		for _, c := range Classes() {
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\n", c, s.Gold[c].Findings, s.Gold[c].Items, s.Context[c].Findings, s.Context[c].Items)
		}
	})
	table(func(w io.Writer) {
		fmt.Fprintln(w, "the answers' facts\tnumber\titems")
		for _, r := range Readings() {
			fmt.Fprintf(w, "%s\t%d\t%d\n", r, s.Readings[r].Findings, s.Readings[r].Items)
		}
	})
	fmt.Fprintf(&b, "facts of the gold answers omitted: %d, of them in the context: %d\n", s.Omissions, s.OmissionsInContext)
	return b.String()
}
