package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/numeric"
)

// Numbers measures package numeric on claims made out of texts, and a peer beside
// it.
var Numbers = Bench{
	Name:  "numbers",
	Short: "numbers of claims that were made true, changed, converted and computed: package numeric, and groundlens with --peer",
	Run:   runNumbers,
}

// numberVerdicts judges claims: a verdict for each, or an error.
type numberVerdicts struct {
	name    string
	judge   func(ctx context.Context, claims []madeClaim) ([]string, error)
	got     []string
	seconds float64
}

func runNumbers(ctx context.Context, w io.Writer, dir string, args []string) error {
	fs := flag.NewFlagSet("numbers", flag.ContinueOnError)
	fs.SetOutput(w)
	per := fs.Int("per", 75, "claims of each class")
	seed := fs.Uint64("seed", 1, "seed of the claims and of the bootstrap")
	half := fs.String("half", "report", "texts to use: report (not seen when the rules were written), fit, all")
	peer := fs.String("peer", "", "Python with groundlens (bench/peers/groundlens), to measure it beside")
	script := fs.String("script", "bench/peers/groundlens/peer.py", "the peer's script")
	samples := fs.Int("bootstrap", 1000, "bootstrap samples over texts")
	show := fs.Bool("wrong", false, "list the claims that numeric got wrong")
	dump := fs.Bool("claims", false, "write the claims as JSON lines instead of measuring")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if !validHalf(*half) {
		return fmt.Errorf("bench numbers: -half must be report, fit or all, not %q", *half)
	}
	texts, err := numberTexts(dir, *half)
	if err != nil {
		return fmt.Errorf("bench numbers: %w", err)
	}
	claims := makeClaims(texts, *per, *seed)
	if *dump {
		enc := json.NewEncoder(w)
		for _, c := range claims {
			if err := enc.Encode(c); err != nil {
				return err
			}
		}
		return nil
	}
	checkers := []*numberVerdicts{{name: "numeric", judge: judgeNumeric}}
	if *peer != "" {
		checkers = append(checkers, &numberVerdicts{name: "groundlens", judge: func(ctx context.Context, claims []madeClaim) ([]string, error) {
			return judgePeer(ctx, *peer, *script, claims)
		}})
	}
	for _, c := range checkers {
		began := time.Now()
		if c.got, err = c.judge(ctx, claims); err != nil {
			return fmt.Errorf("bench numbers: %s: %w", c.name, err)
		}
		c.seconds = time.Since(began).Seconds()
	}
	fmt.Fprintf(w, "%d claims out of %d texts (half: %s), seed %d; intervals: 95%%, bootstrap over texts (%d samples).\n", len(claims), len(texts), *half, *seed, *samples)
	fmt.Fprintf(w, "A claim is right when the verdict on it is the expected one: contradicted when one of its numbers is, else not found when one of them is, else supported. \"Not supported\" counts a changed number that was merely not found as right, too.\n\n")
	fmt.Fprintf(w, "| class | claims |")
	for _, c := range checkers {
		fmt.Fprintf(w, " %s: right | %s: right, not supported is enough |", c.name, c.name)
	}
	fmt.Fprintf(w, "\n|---|---|%s\n", strings.Repeat("---|---|", len(checkers)))
	for _, class := range append([]string{"all but unsaid"}, madeClasses...) {
		n := 0
		for _, c := range claims {
			if inClass(c, class) {
				n++
			}
		}
		fmt.Fprintf(w, "| %s | %d |", class, n)
		for _, c := range checkers {
			fmt.Fprintf(w, " %s | %s |", shareRight(ctx, claims, c.got, class, false, *samples, *seed), shareRight(ctx, claims, c.got, class, true, *samples, *seed))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	for _, c := range checkers {
		fmt.Fprintf(w, "%s: %.1f ms a claim, reading the text included.\n", c.name, 1000*c.seconds/float64(max(len(claims), 1)))
	}
	if *show {
		for i, c := range claims {
			if c.Expected != checkers[0].got[i] {
				fmt.Fprintf(w, "\n%s, %s, %s: expected %s, got %s\n  %s\n", c.ID, c.Class, c.Way, c.Expected, checkers[0].got[i], c.Claim)
				found, err := numeric.Check(ctx, c.Claim, c.Context, numeric.Options{})
				if err != nil {
					return err
				}
				for _, f := range found {
					fmt.Fprintf(w, "    %s: %s, %s\n", f.Quantity.Text, f.Verdict, f.How)
				}
			}
		}
	}
	return nil
}

func inClass(c madeClaim, class string) bool {
	return c.Class == class || class == "all but unsaid" && c.Class != "unsaid"
}

// shareRight formats the share of right verdicts of a class.
func shareRight(ctx context.Context, claims []madeClaim, got []string, class string, lenient bool, samples int, seed uint64) string {
	var points []metrics.Point
	for i, c := range claims {
		if !inClass(c, class) {
			continue
		}
		right := got[i] == c.Expected || c.Expected == "not found" && got[i] == "no number" || lenient && c.Expected != "supported" && got[i] != "supported"
		x := 0.0
		if right {
			x = 1
		}
		points = append(points, metrics.Point{Score: x, Positive: right, Group: c.ID})
	}
	return interval(ctx, points, samples, seed, 100, "%.1f", func(ps []metrics.Point) (float64, bool) {
		sum := 0.0
		for _, p := range ps {
			sum += p.Score
		}
		return sum / float64(max(len(ps), 1)), len(ps) > 0
	})
}

// judgeNumeric is package numeric, claim by claim.
func judgeNumeric(ctx context.Context, claims []madeClaim) ([]string, error) {
	out := make([]string, len(claims))
	for i, c := range claims {
		found, err := numeric.Check(ctx, c.Claim, c.Context, numeric.Options{})
		if err != nil {
			return nil, err
		}
		var verdicts []string
		for _, f := range found {
			verdicts = append(verdicts, string(f.Verdict))
		}
		out[i] = overall(verdicts)
	}
	return out, nil
}

// overall joins the verdicts on the numbers of one claim.
func overall(verdicts []string) string {
	worst := "no number"
	for _, v := range verdicts {
		switch {
		case v == "contradicted":
			return v
		case v != "supported":
			worst = "not found"
		case worst == "no number":
			worst = v
		}
	}
	return worst
}

// judgePeer sends the claims to the peer's script, one JSON object a line, and
// reads a list of its verdicts for each.
func judgePeer(ctx context.Context, python, script string, claims []madeClaim) ([]string, error) {
	cmd := exec.CommandContext(ctx, python, script)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("the peer did not start: %w", err)
	}
	sent := make(chan error, 1)
	go func() {
		enc := json.NewEncoder(stdin)
		for _, c := range claims {
			if err := enc.Encode(map[string]string{"context": c.Context, "claim": c.Claim}); err != nil {
				sent <- err
				return
			}
		}
		sent <- stdin.Close()
	}()
	var out []string
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<20)
	var bad error
	for lines.Scan() {
		var r struct {
			Verdicts []string `json:"verdicts"`
		}
		if bad = json.Unmarshal(lines.Bytes(), &r); bad != nil {
			break
		}
		out = append(out, overall(r.Verdicts))
	}
	// The process ends first, so that nothing waits for a reader that is gone.
	if bad != nil && cmd.Process != nil {
		_ = cmd.Process.Kill()
	}
	sendErr := <-sent
	if err := errors.Join(bad, lines.Err(), cmd.Wait(), sendErr); err != nil {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
	}
	if len(out) != len(claims) {
		return nil, fmt.Errorf("the peer answered %d of %d claims", len(out), len(claims))
	}
	return out, nil
}

// numberTexts reads the texts that claims are made of.
func numberTexts(dir, half string) ([]numberText, error) {
	var out []numberText
	seen := map[string]bool{}
	put := func(id, text string) {
		if len(text) < 300 || len(text) > 8000 || seen[text] || !inHalf(half, text) {
			return
		}
		seen[text] = true
		out = append(out, numberText{id, text})
	}
	type section struct {
		Text string `json:"text"`
	}
	n := 0
	if err := jsonRows(dir, "docs/wikitext2.jsonl", func(r section) {
		n++
		put(rowID("docs/wikitext2.jsonl", n-1), r.Text)
	}); err != nil {
		return nil, err
	}
	for _, set := range groundingSets {
		rows, err := set.read(dir)
		if err != nil {
			return nil, err
		}
		if set.name == "BEGIN" {
			continue
		}
		for _, r := range rows {
			put(r.id, r.context)
		}
	}
	type study struct {
		Contexts []string `json:"CONTEXTS"`
	}
	f, err := Open(dir, "qa/pubmedqa/ori_pqal.json")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	studies := map[string]study{}
	if err := json.NewDecoder(f).Decode(&studies); err != nil {
		return nil, fmt.Errorf("qa/pubmedqa/ori_pqal.json: %w", err)
	}
	for _, id := range slices.Sorted(maps.Keys(studies)) {
		put("pubmedqa:"+id, strings.Join(studies[id].Contexts, "\n"))
	}
	type answer struct {
		Answer string `json:"answer"`
	}
	n = 0
	if err := jsonRows(dir, "qa/medquad.jsonl", func(r answer) {
		n++
		put(rowID("qa/medquad.jsonl", n-1), r.Answer)
	}); err != nil {
		return nil, err
	}
	return out, nil
}
