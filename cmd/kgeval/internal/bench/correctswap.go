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
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/internal/edit"
	"github.com/kgeval/kgeval/kg/perturb"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// CorrectSwaps measures the offline corrector where one value of a right text was
// made wrong, so that there is one right answer.
var CorrectSwaps = Bench{
	Name:  "correct-swaps",
	Short: "graphcorrect on one wrong name, number, date or negation in a right text: restored byte for byte",
	Run:   runCorrectSwaps,
}

// swapRow is a text with one value made wrong.
type swapRow struct {
	source, right, wrong string
	edit                 perturb.TextEdit
	kind                 string // of the table
}

func runCorrectSwaps(ctx context.Context, w io.Writer, dir string, args []string) error {
	fs := flag.NewFlagSet("correct-swaps", flag.ContinueOnError)
	fs.SetOutput(w)
	n := fs.Int("n", 75, "texts of each kind")
	seed := fs.Uint64("seed", 1, "seed of the swaps and of the choice")
	half := fs.String("half", "report", "documents to use: report (not seen by any fit or tuning), fit, all")
	good := fs.Int("consistent", 500, "consistent outputs to correct, drawn from all sets")
	show := fs.Int("show", 0, "print this many texts that were not restored")
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if !validHalf(*half) {
		return fmt.Errorf("bench correct-swaps: -half must be report, fit or all, not %q", *half)
	}
	parts, err := kgeval.Offline()
	if err != nil {
		return err
	}
	c, err := parts.Corrector(grapheval.Options{}, graphcorrect.Options{})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Half: %s; seed %d; model %s, extractor %s, proposer %s.\n\n", *half, *seed, parts.NLI.ID(), parts.Extractor.ID(), parts.Proposers[0].ID())
	if *n > 0 {
		if err := correctSwaps(ctx, w, dir, *half, *n, *seed, *show, c); err != nil {
			return fmt.Errorf("bench correct-swaps: %w", err)
		}
	}
	if *good > 0 {
		if err := correctConsistent(ctx, w, dir, *half, *good, *seed, *show, c); err != nil {
			return fmt.Errorf("bench correct-swaps: %w", err)
		}
	}
	return nil
}

// correctSwaps corrects n texts of each kind of swap and writes the table.
func correctSwaps(ctx context.Context, w io.Writer, dir, half string, n int, seed uint64, show int, c *graphcorrect.Corrector) error {
	rows, err := swapRows(ctx, dir, half, n, seed)
	if err != nil {
		return err
	}
	asked := make([]correctRow, len(rows))
	for i, r := range rows {
		asked[i] = correctRow{Context: r.source, Output: r.wrong}
	}
	got, err := correctRows(ctx, c, asked)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Right texts of SummEdits (each once) with one value made wrong whose right form stands in the context.\n")
	fmt.Fprintf(w, "Flagged: a claim that is not supported overlaps the value. Nearer, farther: by words to change.\n\n")
	fmt.Fprintf(w, "| kind | texts | flagged | changed | restored byte for byte | nearer | farther |\n|---|---|---|---|---|---|---|\n")
	var all [6]int
	var kinds []string
	for _, r := range rows {
		if !slices.Contains(kinds, r.kind) {
			kinds = append(kinds, r.kind)
		}
	}
	for _, kind := range append(kinds, "") {
		var t [6]int
		for i, r := range rows {
			if r.kind != kind {
				continue
			}
			t[0]++
			for _, k := range got[i].Before.Flagged() {
				if slices.ContainsFunc(got[i].Before.Claims[k].Spans, r.edit.Spans[0].Overlaps) {
					t[1]++
					break
				}
			}
			if got[i].Text != r.wrong {
				t[2]++
			}
			if got[i].Text == r.right {
				t[3]++
			}
			want := strings.Fields(r.right)
			before, after := edit.Distance(strings.Fields(r.wrong), want), edit.Distance(strings.Fields(got[i].Text), want)
			if after < before {
				t[4]++
			}
			if after > before {
				t[5]++
			}
		}
		name := kind
		if kind == "" {
			t, name = all, "**all**"
		}
		for k := range t {
			if kind != "" {
				all[k] += t[k]
			}
		}
		share := func(k int) float64 { return 100 * float64(t[k]) / float64(max(t[0], 1)) }
		fmt.Fprintf(w, "| %s | %d | %d (%.0f%%) | %d | %d (%.1f%%) | %d | %d |\n", name, t[0], t[1], share(1), t[2], t[3], share(3), t[4], t[5])
	}
	for i, r := range rows {
		if show == 0 {
			break
		}
		if got[i].Text == r.right {
			continue
		}
		show--
		fmt.Fprintf(w, "\n%s: %q for %q\n  right %s\n  now   %s\n", r.kind, r.edit.New, r.edit.Old, strings.TrimSpace(r.right), strings.TrimSpace(got[i].Text))
		for _, e := range got[i].Edits {
			fmt.Fprintf(w, "  edit  %q to %q (%s)\n", e.Old, e.New, e.Reason)
		}
		for _, l := range got[i].Left {
			fmt.Fprintf(w, "  left  %q: %s\n", got[i].Before.Claims[l.Claim].Text, l.Reason)
		}
		for _, k := range got[i].Before.Claims {
			if slices.ContainsFunc(k.Spans, r.edit.Spans[0].Overlaps) {
				fmt.Fprintf(w, "  claim %q %s %.2f %.2f\n", k.Text, k.Verdict, k.Support, k.Contradiction)
				for _, e := range k.Evidence {
					fmt.Fprintf(w, "  evid. %q\n", e.Text)
				}
			}
		}
	}
	return nil
}

// swapRows makes n texts of each kind: the right texts of SummEdits, each with at
// most one swap of a kind.
func swapRows(ctx context.Context, dir, half string, n int, seed uint64) ([]swapRow, error) {
	type text struct{ source, right string }
	var texts []text
	seen := map[string]bool{}
	err := jsonRows(dir, "grounding/summedits.dev.jsonl", func(r correctRow) {
		right := r.Original
		if right == "" && r.Label == "consistent" {
			right = r.Output
		}
		if right != "" && inHalf(half, r.Context) && !seen[right] {
			seen[right] = true
			texts = append(texts, text{r.Context, right})
		}
	})
	if err != nil {
		return nil, err
	}
	a, err := nlp.New()
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	var out []swapRow
	for _, group := range []struct {
		name  string
		kind  perturb.TextKind
		names func(own text) []string
	}{
		{"name of another text", perturb.NameSwap, func(text) []string { return otherNames(texts[0].source, texts[len(texts)-1].source) }},
		{"name of the same context", perturb.NameSwap, func(own text) []string { return otherNames(own.source) }},
		{"number", perturb.NumberSwap, nil},
		{"date", perturb.DateSwap, nil},
		{"negation", perturb.NegationSwap, nil},
	} {
		made := 0
		// A second and third round take further swaps of the same texts, since
		// dates and numbers are few.
		for round := 0; round < 3 && made < n; round++ {
			for _, t := range texts {
				if made == n {
					break
				}
				o := perturb.SwapOptions{Seed: seed, Kinds: []perturb.TextKind{group.kind}}
				if group.names != nil {
					o.Names = group.names(t)
				}
				edits, err := perturb.Swaps(ctx, a, t.right, o)
				if err != nil {
					return nil, err
				}
				edits = slices.DeleteFunc(edits, func(e perturb.TextEdit) bool { return !stated(t.source, e) })
				if round >= len(edits) {
					continue
				}
				e := edits[round]
				wrong, err := perturb.ApplyText(t.right, []perturb.TextEdit{e})
				if err != nil {
					return nil, err
				}
				out = append(out, swapRow{t.source, t.right, wrong, e, group.name})
				made++
			}
		}
	}
	return out, nil
}

// otherNames are the names of texts.
func otherNames(texts ...string) []string {
	var out []string
	for _, t := range texts {
		for _, s := range slot.Find(t) {
			if s.Kind == slot.Name && len(s.Text) > 3 && len(s.Text) < 30 && !strings.ContainsAny(s.Text, "\n'’") {
				out = append(out, s.Text)
			}
		}
	}
	return out
}

// stated reports whether the source has the right value of a swap: its words,
// whole, and of a negation the word that it denies.
func stated(source string, e perturb.TextEdit) bool {
	old := e.Old
	if e.Kind == perturb.NegationSwap {
		old = strings.TrimSpace(e.Old)
	}
	words := segment.Words(source)
	want := segment.Words(old)
	if len(want) == 0 {
		return false
	}
next:
	for i := 0; i+len(want) <= len(words); i++ {
		for k, x := range want {
			if !strings.EqualFold(words[i+k].Of(source), x.Of(old)) {
				continue next
			}
		}
		return true
	}
	return false
}

// correctConsistent corrects consistent outputs of all sets: what changes is
// harm unless it reads as well as before.
func correctConsistent(ctx context.Context, w io.Writer, dir, half string, n int, seed uint64, show int, c *graphcorrect.Corrector) error {
	rng := rand.New(rand.NewPCG(seed, 1))
	var sets [][]correctRow
	for _, set := range groundingSets {
		rows, err := set.read(dir)
		if err != nil {
			return err
		}
		var good []correctRow
		seen := map[string]bool{}
		for _, r := range rows {
			if r.consistent && inHalf(half, r.context) && !seen[r.output] {
				seen[r.output] = true
				good = append(good, correctRow{Context: r.context, Output: r.output})
			}
		}
		rng.Shuffle(len(good), func(i, j int) { good[i], good[j] = good[j], good[i] })
		sets = append(sets, good)
	}
	var rows []correctRow
	for k := 0; len(rows) < n; k++ {
		before := len(rows)
		for _, s := range sets {
			if k < len(s) && len(rows) < n {
				rows = append(rows, s[k])
			}
		}
		if before == len(rows) {
			break
		}
	}
	got, err := correctRows(ctx, c, rows)
	if err != nil {
		return err
	}
	changed := 0
	for i, r := range rows {
		if got[i].Text != r.Output {
			changed++
		}
	}
	fmt.Fprintf(w, "\nConsistent outputs of the five sets: %d, of them changed: %d (%.1f%%).\n", len(rows), changed, 100*float64(changed)/float64(max(len(rows), 1)))
	for i, r := range rows {
		if got[i].Text != r.Output && show > 0 {
			show--
			fmt.Fprintf(w, "\n  was %s\n", strings.TrimSpace(r.Output))
			for _, e := range got[i].Edits {
				fmt.Fprintf(w, "  edit %q to %q (%s)\n", e.Old, e.New, e.Reason)
			}
		}
	}
	return nil
}
