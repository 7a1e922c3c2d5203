package mark

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
)

// Style is how Report looks. The zero value is plain text in 80 columns.
type Style struct {
	// Name is what the output is called; empty means "output".
	Name string
	// Columns is the width to wrap at; 0 means 80.
	Columns int
	// Verdict, Outcome and Strong colour words; nil leaves them plain.
	Verdict func(claim.Verdict, string) string
	Outcome func(claim.Outcome, string) string
	Strong  func(string) string
}

func (s Style) withDefaults() Style {
	if s.Name == "" {
		s.Name = "output"
	}
	if s.Columns == 0 {
		s.Columns = 80
	}
	if s.Verdict == nil {
		s.Verdict = func(_ claim.Verdict, w string) string { return w }
	}
	if s.Outcome == nil {
		s.Outcome = func(_ claim.Outcome, w string) string { return w }
	}
	if s.Strong == nil {
		s.Strong = func(w string) string { return w }
	}
	return s
}

// Report writes a result for a reader: the outcome, the output with marks under
// what is flagged, and each flagged claim with its place and its evidence, the
// worst first. r must be the result of checking s.
func Report(w io.Writer, s claim.Sample, r claim.Result, style Style) error {
	style = style.withDefaults()
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s: %s\n%s\n", style.Name, style.Outcome(r.Outcome, Headline(r)), Summary(r.Counts))
	if p, ok := r.Score(); ok {
		fmt.Fprintf(b, "P(inconsistent) %.2f; over %.2f the output counts as inconsistent\n", p, r.Cutoff)
	}
	if !claim.Blank(s.Output) {
		fmt.Fprintln(b)
		if err := Write(b, strings.TrimRight(s.Output, " \t\r\n"), style.Columns, Flagged(r.Claims, style.Verdict)...); err != nil {
			return err
		}
		legend(b, r.Claims, style)
	}
	for _, i := range r.Flagged() {
		f := NewFinding(s, r.Claims[i], 160)
		fmt.Fprintf(b, "\n%s: %s\n", style.Verdict(f.Verdict, string(f.Verdict)), style.Strong(f.Fact))
		f.lines(func(line string) { fmt.Fprintf(b, "  %s\n", line) }, style.Name)
	}
	figures(b, s, r, style)
	if len(r.Notes) > 0 {
		fmt.Fprintln(b)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(b, "note: %s\n", Plain(n.Detail))
	}
	return b.Flush()
}

// Headline says an outcome so that nobody has to look the word up.
func Headline(r claim.Result) string {
	n := r.Counts
	switch r.Outcome {
	case claim.Consistent:
		if n.Supported < n.Claims {
			return "consistent: true to the sources on the whole"
		}
		return "consistent: true to the sources"
	case claim.Inconsistent:
		if n.Contradicted > 0 {
			return "inconsistent: the sources say something else"
		}
		return "inconsistent: not everything is in the sources"
	case claim.NoClaims:
		return "no claims: nothing that a source could support or deny"
	case claim.OutcomeUnknown:
		return "unknown: it could not be judged as a whole"
	}
	return string(r.Outcome)
}

// Meaning says a verdict in words.
func Meaning(v claim.Verdict) string {
	switch v {
	case claim.Supported:
		return "supported by the sources"
	case claim.Contradicted:
		return "the sources say otherwise"
	case claim.Conflicting:
		return "the sources disagree"
	case claim.Unsupported:
		return "not in the sources"
	}
	return "could not be judged"
}

// legend explains the marks that stand under the output.
func legend(w io.Writer, claims []claim.Claim, style Style) {
	var keys []string
	columns := 2
	for _, v := range []claim.Verdict{claim.Contradicted, claim.Conflicting, claim.Unsupported, claim.Unknown} {
		if !slices.ContainsFunc(claims, func(c claim.Claim) bool { return c.Verdict == v }) {
			continue
		}
		columns += len(Meaning(v)) + 5
		keys = append(keys, style.Verdict(v, string(Letter(v)))+" "+Meaning(v))
	}
	if len(keys) == 0 {
		return
	}
	between := "   "
	if columns > style.Columns {
		between = "\n  "
	}
	fmt.Fprintf(w, "\n  %s\n", strings.Join(keys, between))
}

// lines gives the lines of a finding below its headline.
func (f Finding) lines(line func(string), name string) {
	line(fmt.Sprintf("%s:%s: %s", name, f.At, f.Quote))
	for _, why := range f.Why {
		line("why: " + why)
	}
	for _, p := range f.Passages {
		line(fmt.Sprintf("%s %s:%s: %s", p.Lead, p.Source, p.At, p.Quote))
	}
	if f.Nothing != "" {
		line(f.Nothing)
	}
}

// List returns the flagged claims of r, the worst first and at most limit of
// them, numbered, as a test's message lists them.
func List(s claim.Sample, r claim.Result, limit int) string {
	var b strings.Builder
	flagged := r.Flagged()
	for n, i := range flagged {
		if n == limit {
			fmt.Fprintf(&b, "\n\nand %d more", len(flagged)-n)
			break
		}
		f := NewFinding(s, r.Claims[i], 200)
		fmt.Fprintf(&b, "\n\n%d. %s: %s", n+1, f.Verdict, f.Fact)
		f.lines(func(line string) { b.WriteString("\n   " + line) }, "output")
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "\n\nnote: %s", Plain(n.Detail))
	}
	return b.String()
}

// Summary says counts in words.
func Summary(n claim.Counts) string {
	if n.Claims == 0 {
		return "nothing in the output can be checked"
	}
	parts := []string{}
	for _, p := range []struct {
		n    int
		word string
	}{
		{n.Supported, "supported"}, {n.Contradicted, "contradicted"}, {n.Unsupported, "unsupported"},
		{n.Conflicting, "conflicting"}, {n.Unknown, "unknown"}, {n.Cut, "not read"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	unit := "claims"
	if n.Claims == 1 {
		unit = "claim"
	}
	return fmt.Sprintf("%d %s: %s", n.Claims, unit, strings.Join(parts, ", "))
}
