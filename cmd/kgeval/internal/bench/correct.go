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

	"golang.org/x/sync/errgroup"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/internal/edit"
)

// Correct measures the offline corrector on SummEdits, whose rows hold the right
// text.
var Correct = Bench{
	Name:  "correct",
	Short: "graphcorrect on SummEdits: how often the right text comes back, and what is harmed",
	Run:   runCorrect,
}

// correctRow is one SummEdits row.
type correctRow struct {
	Context   string   `json:"context"`
	Output    string   `json:"output"`
	Label     string   `json:"label"`
	Original  string   `json:"original"`
	EditTypes []string `json:"edit_types"`
}

func runCorrect(ctx context.Context, w io.Writer, dir string, args []string) error {
	fs := flag.NewFlagSet("correct", flag.ContinueOnError)
	fs.SetOutput(w)
	limit := fs.Int("limit", 0, "use at most this many rows (0: all)")
	seed := fs.Uint64("seed", 1, "seed of the choice under -limit")
	half := fs.String("half", "report", "documents to use: report (not seen by any fit or tuning), fit, all")
	show := fs.Int("show", 0, "print this many corrections of each variant after its line")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if !validHalf(*half) {
		return fmt.Errorf("bench correct: -half must be report, fit or all, not %q", *half)
	}
	var rows []correctRow
	err := jsonRows(dir, "grounding/summedits.dev.jsonl", func(r correctRow) {
		if inHalf(*half, r.Context) && (r.Original != "" || r.Label == "consistent") {
			rows = append(rows, r)
		}
	})
	if err != nil {
		return err
	}
	if *limit > 0 && len(rows) > *limit {
		rng := rand.New(rand.NewPCG(*seed, 0))
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		rows = rows[:*limit]
	}
	parts, err := kgeval.Offline()
	if err != nil {
		return err
	}
	documents := map[string]bool{}
	for _, r := range rows {
		documents[r.Context] = true
	}
	fmt.Fprintf(w, "SummEdits, %d rows of %d documents (half: %s; seed %d); model %s, extractor %s, proposer %s.\n", len(rows), len(documents), *half, *seed, parts.NLI.ID(), parts.Extractor.ID(), parts.Proposers[0].ID())
	fmt.Fprintf(w, "Distance: words to insert, delete or replace to reach the right text, mean over the inconsistent rows. Nearer, farther: rows whose distance fell, rose.\n\n")
	fmt.Fprintf(w, "| rows | variant | changed | right text reached | distance before | after | nearer | farther | consistent rows left as they are |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, v := range []struct {
		name  string
		check grapheval.Options
		opts  graphcorrect.Options
	}{
		{"leave what can't be put right", grapheval.Options{}, graphcorrect.Options{}},
		{"the same, without checking again", grapheval.Options{}, graphcorrect.Options{NoRecheck: true}},
		{"remove what can't be put right, few false alarms", grapheval.Options{Point: grapheval.FewFalseAlarms}, graphcorrect.Options{Unfixable: graphcorrect.Remove}},
	} {
		c, err := parts.Corrector(v.check, v.opts)
		if err != nil {
			return err
		}
		got, err := correctRows(ctx, c, rows)
		if err != nil {
			return fmt.Errorf("bench correct: %w", err)
		}
		for _, kind := range []string{"", "entity_modification", "antonym_swap", "negation_insertion_removal", "hallucinated_fact_insertion"} {
			correctLine(w, v.name, kind, rows, got)
		}
		showCorrections(w, *show, rows, got)
	}
	return correctHarm(ctx, w, dir, *half, parts)
}

// correctHarm writes how many consistent outputs of the other sets are left as
// they are.
func correctHarm(ctx context.Context, w io.Writer, dir, half string, parts kgeval.Parts) error {
	c, err := parts.Corrector(grapheval.Options{}, graphcorrect.Options{})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n| set | consistent outputs | left as they are |\n|---|---|---|\n")
	for _, set := range groundingSets {
		if set.name == "SummEdits" {
			continue // in the table above
		}
		rows, err := set.read(dir)
		if errors.Is(err, ErrNoData) {
			fmt.Fprintf(w, "| %s | skipped: %v |\n", set.name, err)
			continue
		}
		if err != nil {
			return err
		}
		var good []correctRow
		for _, r := range rows {
			if r.consistent && inHalf(half, r.context) {
				good = append(good, correctRow{Context: r.context, Output: r.output})
			}
		}
		got, err := correctRows(ctx, c, good)
		if err != nil {
			return fmt.Errorf("bench correct: %s: %w", set.name, err)
		}
		untouched := 0
		for i, r := range good {
			if got[i].Text == r.Output {
				untouched++
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d (%.1f%%) |\n", set.name, len(good), untouched, 100*float64(untouched)/float64(max(len(good), 1)))
	}
	return nil
}

func correctRows(ctx context.Context, c *graphcorrect.Corrector, rows []correctRow) ([]graphcorrect.Correction, error) {
	out := make([]graphcorrect.Correction, len(rows))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for i, r := range rows {
		g.Go(func() error {
			var err error
			out[i], err = c.Correct(ctx, claim.Sample{Sources: []claim.Source{{Text: r.Context}}, Output: r.Output})
			return err
		})
	}
	return out, g.Wait()
}

// correctLine writes one line of the table: all rows, or those whose only edit
// is of one kind.
func correctLine(w io.Writer, variant, kind string, rows []correctRow, got []graphcorrect.Correction) {
	var n, changed, reached, nearer, farther, before, after, consistent, untouched int
	for i, r := range rows {
		text := got[i].Text
		if r.Label == "consistent" {
			consistent++
			if text == r.Output {
				untouched++
			}
			continue
		}
		if kind != "" && !slices.Equal(r.EditTypes, []string{kind}) {
			continue
		}
		n++
		if text != r.Output {
			changed++
		}
		want := strings.Fields(r.Original)
		if slices.Equal(strings.Fields(text), want) {
			reached++
		}
		b, a := edit.Distance(strings.Fields(r.Output), want), edit.Distance(strings.Fields(text), want)
		before, after = before+b, after+a
		if a < b {
			nearer++
		}
		if a > b {
			farther++
		}
	}
	name, harm := "all inconsistent", fmt.Sprintf("%d of %d (%.1f%%)", untouched, consistent, 100*float64(untouched)/float64(max(consistent, 1)))
	if kind != "" {
		name, harm = "only "+kind, ""
	}
	mean := func(x int) float64 { return float64(x) / float64(max(n, 1)) }
	fmt.Fprintf(w, "| %s | %s | %d of %d (%.1f%%) | %d (%.1f%%) | %.2f | %.2f | %d | %d | %s |\n", name, variant,
		changed, n, 100*mean(changed), reached, 100*mean(reached), mean(before), mean(after), nearer, farther, harm)
}

func showCorrections(w io.Writer, n int, rows []correctRow, got []graphcorrect.Correction) {
	for i, c := range got {
		if n == 0 {
			return
		}
		if !c.Changed() {
			continue
		}
		n--
		fmt.Fprintf(w, "\n%s %v\n  output   %s\n  original %s\n", rows[i].Label, rows[i].EditTypes, strings.TrimSpace(rows[i].Output), strings.TrimSpace(rows[i].Original))
		for _, e := range c.Edits {
			k := c.Before.Claims[e.Claim]
			fmt.Fprintf(w, "  edit     %q to %q (%s; claim %q, %s)\n", e.Old, e.New, e.Reason, k.Text, k.Verdict)
			if len(k.Evidence) > 0 {
				fmt.Fprintf(w, "  evidence %q\n", k.Evidence[0].Text)
			}
		}
	}
}
