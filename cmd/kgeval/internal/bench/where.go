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
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/segment"
)

// Where measures whether the places that a check shows are the places where a
// text was changed: SummEdits holds each output before its edits.
var Where = Bench{
	Name:  "where",
	Short: "flagged places of SummEdits outputs against the words that were edited",
	Run:   runWhere,
}

func runWhere(ctx context.Context, w io.Writer, dir string, args []string) error {
	fs := flag.NewFlagSet("where", flag.ContinueOnError)
	fs.SetOutput(w)
	limit := fs.Int("limit", 0, "use at most this many rows (0: all)")
	seed := fs.Uint64("seed", 1, "seed of the choice under -limit")
	half := fs.String("half", "report", "documents to use: report (not seen by any fit or tuning), fit, all")
	show := fs.Int("show", 0, "print this many detected rows whose places miss every change")
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if !validHalf(*half) {
		return fmt.Errorf("bench where: -half must be report, fit or all, not %q", *half)
	}
	var rows []correctRow
	err := jsonRows(dir, "grounding/summedits.dev.jsonl", func(r correctRow) {
		if inHalf(*half, r.Context) && r.Original != "" && r.Label != "consistent" {
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
	c, err := parts.Checker(grapheval.Options{})
	if err != nil {
		return err
	}
	checked := make([]groundingRow, len(rows))
	for i, r := range rows {
		checked[i] = groundingRow{context: r.Context, output: r.Output}
	}
	results, err := checkRows(ctx, c, checked)
	if err != nil {
		return fmt.Errorf("bench where: %w", err)
	}
	found := 0
	for _, r := range results {
		if r.Outcome == claim.Inconsistent {
			found++
		}
	}
	fmt.Fprintf(w, "SummEdits, %d inconsistent rows (half: %s; seed %d), %d of them detected (called inconsistent); model %s, extractor %s.\n", len(rows), *half, *seed, found, parts.NLI.ID(), parts.Extractor.ID())
	fmt.Fprintf(w, "Of the detected rows. Hit: a flagged place overlaps a changed region; by chance: the same places moved through the output, mean over all shifts. Words: all tokens of letters or digits.\n\n")
	fmt.Fprintf(w, "| places | hit | by chance | changed words inside flagged places | flagged words outside of changes | mean length of a place | all places together |\n|---|---|---|---|---|---|---|\n")
	for _, v := range []struct {
		name   string
		places func(claim.Result) []segment.Span
	}{
		{"words at fault (Claim.Faults), deciding claims", func(r claim.Result) []segment.Span { return faultPlaces(r, r.Deciding()) }},
		{"words at fault (Claim.Faults), all flagged claims", func(r claim.Result) []segment.Span { return faultPlaces(r, r.Flagged()) }},
		{"what the claim states (Claim.Spans), deciding claims", func(r claim.Result) []segment.Span { return statedPlaces(r, r.Deciding()) }},
		{"what the claim states (Claim.Spans), all flagged claims", func(r claim.Result) []segment.Span { return statedPlaces(r, r.Flagged()) }},
		{"sentences of deciding claims", func(r claim.Result) []segment.Span {
			var out []segment.Span
			for _, i := range r.Deciding() {
				out = append(out, r.Claims[i].Sentence)
			}
			return claim.Merge(out)
		}},
	} {
		var t whereTally
		for i, r := range results {
			if r.Outcome == claim.Inconsistent {
				t.add(rows[i].Original, rows[i].Output, v.places(r))
			}
		}
		t.write(w, v.name)
	}
	showMisses(w, *show, rows, results)
	return nil
}

func faultPlaces(r claim.Result, claims []int) []segment.Span {
	var out []segment.Span
	for _, i := range claims {
		out = append(out, r.Claims[i].Places()...)
	}
	return claim.Merge(out)
}

func statedPlaces(r claim.Result, claims []int) []segment.Span {
	var out []segment.Span
	for _, i := range claims {
		out = append(out, r.Claims[i].Spans...)
	}
	return claim.Merge(out)
}

// whereTally sums over detected rows.
type whereTally struct {
	rows, hit            int
	chance               float64
	changed, inside      int // words
	flagged, outside     int // words
	places               int
	placeShare, allShare float64 // of the output's words
}

func (t *whereTally) add(original, output string, places []segment.Span) {
	words := segment.Words(output)
	if len(words) == 0 {
		return
	}
	changed, regions := changedWords(original, output)
	flagged := make([]bool, len(words))
	n := 0
	for i, x := range words {
		if slices.ContainsFunc(places, x.Overlaps) {
			flagged[i] = true
			n++
		}
	}
	t.rows++
	if hits(flagged, regions, 0) {
		t.hit++
	}
	by := 0
	for shift := range words {
		if hits(flagged, regions, shift) {
			by++
		}
	}
	t.chance += float64(by) / float64(len(words))
	t.flagged += n
	for i := range words {
		switch {
		case changed[i] && flagged[i]:
			t.inside++
			t.changed++
		case changed[i]:
			t.changed++
		case flagged[i]:
			t.outside++
		}
	}
	for _, p := range places {
		k := 0
		for _, x := range words {
			if x.Overlaps(p) {
				k++
			}
		}
		t.places++
		t.placeShare += float64(k) / float64(len(words))
	}
	t.allShare += float64(n) / float64(len(words))
}

// hits reports whether flagged words, moved on by shift and around the end, meet
// a region.
func hits(flagged, regions []bool, shift int) bool {
	for i, f := range flagged {
		if f && regions[(i+shift)%len(regions)] {
			return true
		}
	}
	return false
}

func (t *whereTally) write(w io.Writer, name string) {
	of := func(a float64, n int) float64 { return 100 * a / float64(max(n, 1)) }
	fmt.Fprintf(w, "| %s | %d of %d (%.1f%%) | %.1f%% | %.1f%% of %d | %.1f%% of %d | %.1f%% of the output | %.1f%% |\n", name,
		t.hit, t.rows, of(float64(t.hit), t.rows), of(t.chance, t.rows), of(float64(t.inside), t.changed), t.changed,
		of(float64(t.outside), t.flagged), t.flagged, of(t.placeShare, t.places), of(t.allShare, t.rows))
}

// changedWords tells for each word of output whether it was changed, and whether
// it belongs to a changed region: changed itself, or next to a place where words
// of original are missing without others in their stead.
func changedWords(original, output string) (changed, regions []bool) {
	a, b := segment.Words(original), segment.Words(output)
	// Longest common subsequence of words.
	n := make([][]int, len(a)+1)
	for i := range n {
		n[i] = make([]int, len(b)+1)
	}
	same := func(i, j int) bool { return strings.EqualFold(a[i].Of(original), b[j].Of(output)) }
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if same(i, j) {
				n[i][j] = n[i+1][j+1] + 1
			} else {
				n[i][j] = max(n[i+1][j], n[i][j+1])
			}
		}
	}
	changed, regions = make([]bool, len(b)), make([]bool, len(b))
	for i, j := 0, 0; i < len(a) || j < len(b); {
		from, lost := j, 0
		for i < len(a) || j < len(b) {
			switch {
			case i < len(a) && j < len(b) && same(i, j):
			case i < len(a) && (j == len(b) || n[i+1][j] >= n[i][j+1]):
				i++
				lost++
				continue
			default:
				changed[j], regions[j] = true, true
				j++
				continue
			}
			break
		}
		if lost > 0 && from == j { // words were taken out
			for _, k := range []int{j - 1, j} {
				if k >= 0 && k < len(b) {
					regions[k] = true
				}
			}
		}
		i, j = i+1, j+1
	}
	return changed, regions
}

func showMisses(w io.Writer, n int, rows []correctRow, results []claim.Result) {
	for i, r := range results {
		if n == 0 {
			return
		}
		if r.Outcome != claim.Inconsistent {
			continue
		}
		var t whereTally
		t.add(rows[i].Original, rows[i].Output, faultPlaces(r, r.Deciding()))
		if t.hit > 0 {
			continue
		}
		n--
		fmt.Fprintf(w, "\n%v\n  output   %s\n  original %s\n", rows[i].EditTypes, strings.TrimSpace(rows[i].Output), strings.TrimSpace(rows[i].Original))
		for _, k := range r.Deciding() {
			c := r.Claims[k]
			fmt.Fprintf(w, "  claim    %q %s support %.2f risk %.2f\n", c.Text, c.Verdict, c.Support, c.Risk)
			for _, f := range c.Faults {
				fmt.Fprintf(w, "  fault    %q (%s: %s)\n", f.Span.Of(rows[i].Output), f.Kind, f.Detail)
			}
			if len(c.Evidence) > 0 {
				fmt.Fprintf(w, "  evidence %q\n", c.Evidence[0].Text)
			}
		}
	}
}
