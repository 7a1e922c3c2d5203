package report

import (
	"io"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/internal/mark"
)

// TextOptions say how CheckText writes. The zero value is plain text in 80 columns.
type TextOptions struct {
	// Name is what the text is called; empty means "output".
	Name string
	// Columns is the width to wrap at, counted as a terminal does (an East Asian
	// character takes two); 0 means 80, and less than 24 is taken for 24.
	Columns int
	// Color writes ANSI colours. Nothing is said by colour alone: every mark has a
	// character of its own under it. Whether colours are wanted (a terminal, no
	// NO_COLOR) is for the caller to know.
	Color bool
}

// CheckText writes a check for a terminal, in the form of the command "kgeval
// check": the verdict in words, the text with marks under what is flagged, what
// the marks mean, and each flagged statement with its place, the reasons and the
// evidence, the worst first. r must be the result of checking s. No character of
// s can steer the terminal. Errors are those of w.
func CheckText(w io.Writer, s claim.Sample, r claim.Result, o TextOptions) error {
	style := mark.Style{Name: o.Name, Columns: o.Columns}
	if o.Columns != 0 {
		style.Columns = max(o.Columns, 24)
	}
	if o.Color {
		const good, bad, warn, strong = "32", "1;31", "1;33", "1"
		ansi := func(code, s string) string { return "\x1b[" + code + "m" + s + "\x1b[0m" }
		style.Strong = func(s string) string { return ansi(strong, s) }
		style.Verdict = func(v claim.Verdict, s string) string {
			switch v {
			case claim.Supported:
				return ansi(good, s)
			case claim.Contradicted:
				return ansi(bad, s)
			}
			return ansi(warn, s)
		}
		style.Outcome = func(o claim.Outcome, s string) string {
			switch o {
			case claim.Consistent:
				return ansi(good, s)
			case claim.Inconsistent:
				return ansi(bad, s)
			}
			return ansi(warn, s)
		}
	}
	return mark.Report(w, s, r, style)
}
