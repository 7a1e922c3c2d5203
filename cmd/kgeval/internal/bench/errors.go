package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/nlimodel"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/nli/builtin"
)

// Errors prints the outputs on which the default checker is wrong, for people to
// read and to name the causes (docs/errors.md).
var Errors = Bench{
	Name:  "errors",
	Short: "outputs that the default checker judges wrongly, with their claims and evidence, to read",
	Run:   runErrors,
}

func runErrors(ctx context.Context, w io.Writer, dir string, args []string) error {
	fs := flag.NewFlagSet("errors", flag.ContinueOnError)
	fs.SetOutput(w)
	limit := fs.Int("limit", 40, "check this many rows of each set (0: all)")
	seed := fs.Uint64("seed", 1, "seed of the choice under -limit")
	half := fs.String("half", "fit", "documents to use: fit, report, all; never read errors of report rows to change anything")
	sets := fs.String("sets", "", "only these sets, names with commas between")
	name := fs.String("model", "", "judge by this model: "+nlimodel.Help)
	source := fs.Bool("source", false, "print the sources too")
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if !validHalf(*half) {
		return fmt.Errorf("bench errors: -half must be report, fit or all, not %q", *half)
	}
	parts, err := kgeval.Offline()
	if err != nil {
		return err
	}
	if *name != "" {
		if parts.NLI, err = nlimodel.Open(*name, builtin.Options{}); err != nil {
			return fmt.Errorf("bench errors: %w", err)
		}
	}
	checker, err := parts.Checker(grapheval.Options{})
	if err != nil {
		return err
	}
	found := false
	for _, set := range groundingSets {
		if *sets != "" && !slices.Contains(strings.Split(strings.ToLower(*sets), ","), strings.ToLower(set.name)) {
			continue
		}
		rows, err := set.read(dir)
		if errors.Is(err, ErrNoData) {
			continue
		}
		if err != nil {
			return err
		}
		found = true
		rows = slices.DeleteFunc(rows, func(r groundingRow) bool { return !inHalf(*half, r.context) })
		rng := rand.New(rand.NewPCG(*seed, 0))
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		if *limit > 0 && len(rows) > *limit {
			rows = rows[:*limit]
		}
		results, err := checkRows(ctx, checker, rows)
		if err != nil {
			return fmt.Errorf("bench errors: %s: %w", set.name, err)
		}
		wrong := 0
		for i, r := range results {
			if passes(r.Outcome) == rows[i].consistent {
				continue
			}
			wrong++
			printError(w, rows[i], r, *source)
		}
		fmt.Fprintf(w, "%s: %d of %d rows judged wrongly.\n\n", set.name, wrong, len(rows))
	}
	if !found {
		return fmt.Errorf("bench errors: %w: set KGEVAL_DATA to the folder that holds grounding/", ErrNoData)
	}
	return nil
}

// passes reports whether an outcome counts as consistent: nothing that could be
// checked failed.
func passes(o claim.Outcome) bool { return o == claim.Consistent || o == claim.NoClaims }

func printError(w io.Writer, row groundingRow, r claim.Result, source bool) {
	kind := "missed"
	if row.consistent {
		kind = "false alarm"
	}
	fmt.Fprintf(w, "%s: %s, P(inconsistent) %.2f, cutoff of a claim %.2f\n  output: %s\n", row.id, kind, r.PInconsistent, r.ClaimCutoff, row.output)
	if source {
		fmt.Fprintf(w, "  source: %s\n", row.context)
	}
	for _, c := range r.Claims {
		mark := " "
		if c.Verdict != claim.Unknown && c.Risk > r.ClaimCutoff {
			mark = "*"
		}
		how := ""
		switch {
		case c.Whole:
			how = ", whole sentence"
		case c.BySentence:
			how = ", by its sentence"
		}
		fmt.Fprintf(w, "  %s %s (risk %.2f, support %.2f, contradiction %.2f%s) %q\n", mark, c.Verdict, c.Risk, c.Support, c.Contradiction, how, c.Text)
		if c.Verdict == claim.Supported && mark == " " && row.consistent {
			continue
		}
		for _, x := range c.Reasons {
			fmt.Fprintf(w, "      %s: %s\n", x.Kind, x.Detail)
		}
		for _, p := range c.Parts {
			fmt.Fprintf(w, "      [%s %.2f -> %+.2f]", p.Name, p.Value, p.LogOdds)
		}
		if len(c.Parts) > 0 {
			fmt.Fprintln(w)
		}
		for _, e := range c.Evidence {
			fmt.Fprintf(w, "      %s: %q\n", e.Role, e.Text)
		}
	}
	if c := r.Counts; c.Skipped > 0 {
		fmt.Fprintf(w, "    %d of %d sentences hold nothing to check\n", c.Skipped, c.Sentences)
	}
}
