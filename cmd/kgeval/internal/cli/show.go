package cli

import (
	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/internal/mark"
)

const defaultColumns = 80

// width is the width to wrap text at.
func (a *app) width() int {
	if a.columns > 0 {
		return min(a.columns, 120)
	}
	return defaultColumns
}

// outcome colours s by an output's verdict.
func (a *app) outcome(o claim.Outcome, s string) string {
	switch o {
	case claim.Consistent:
		return a.paint.good(s)
	case claim.Inconsistent:
		return a.paint.bad(s)
	}
	return a.paint.warn(s)
}

// verdict colours s by a claim's verdict.
func (a *app) verdict(v claim.Verdict, s string) string {
	switch v {
	case claim.Supported:
		return a.paint.good(s)
	case claim.Contradicted:
		return a.paint.bad(s)
	}
	return a.paint.warn(s)
}

// showCheck prints a result for people.
func (a *app) showCheck(s kgeval.Sample, name string, r claim.Result) error {
	return mark.Report(a.stdout, s, r, mark.Style{
		Name: name, Columns: a.width(), Verdict: a.verdict, Outcome: a.outcome, Strong: a.paint.strong,
	})
}
