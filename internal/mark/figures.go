package mark

import (
	"fmt"
	"io"
	"slices"

	"github.com/kgeval/kgeval/claim"
)

// mostFigures is how many numbers are listed, what is wrong first.
const mostFigures = 12

// figures writes what exact arithmetic says of the output's numbers, and how many
// of its entities and relations the sources have.
func figures(w io.Writer, s claim.Sample, r claim.Result, style Style) {
	if len(r.Figures) > 0 {
		n := map[claim.Verdict]int{}
		for _, f := range r.Figures {
			n[f.Verdict]++
		}
		fmt.Fprintf(w, "\n%s %d of %d supported", style.Strong("numbers, checked exactly:"), n[claim.Supported], len(r.Figures))
		if k := n[claim.Contradicted]; k > 0 {
			fmt.Fprintf(w, ", %d contradicted", k)
		}
		if k := n[claim.Unsupported]; k > 0 {
			fmt.Fprintf(w, ", %d not found", k)
		}
		fmt.Fprintln(w)
	}
	// A number that a source states as it is needs no line.
	order := slices.DeleteFunc(slices.Clone(r.Figures), func(f claim.Figure) bool { return weight(f) == 0 })
	slices.SortStableFunc(order, func(a, b claim.Figure) int { return weight(b) - weight(a) })
	for i, f := range order {
		if i == mostFigures {
			fmt.Fprintf(w, "  and %d more\n", len(order)-i)
			break
		}
		fmt.Fprintf(w, "  %s %s: %s\n", style.Verdict(f.Verdict, string(Letter(f.Verdict))), At(s.Output, f.Span.Start), figure(s, f))
	}
	if f := r.Fidelity; f.Entities > 0 {
		fmt.Fprintf(w, "\nof %d entities the sources name %d", f.Entities, f.Grounded)
		if f.Relations > 0 {
			fmt.Fprintf(w, ", of %d relations they support %d", f.Relations, f.Preserved)
		}
		fmt.Fprintln(w)
	}
}

// weight orders figures by how much they tell a reader.
func weight(f claim.Figure) int {
	switch {
	case f.Verdict == claim.Contradicted:
		return 3
	case f.Verdict == claim.Unsupported:
		return 2
	case f.Computed:
		return 1
	}
	return 0
}

// figure says f on one line.
func figure(s claim.Sample, f claim.Figure) string {
	line := Plain(f.Text)
	switch {
	case f.How != "":
		line += ": " + Plain(f.How)
	case f.Verdict == claim.Unsupported:
		line += ": not in the sources, and not to be computed from them"
	}
	if len(f.Evidence) > 0 {
		e := f.Evidence[0]
		if e.Index >= 0 && e.Index < len(s.Sources) {
			line += fmt.Sprintf(" (%s:%s)", Plain(e.Source), At(s.Sources[e.Index].Text, e.Span.Start))
		}
	}
	return line
}
