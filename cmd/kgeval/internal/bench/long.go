package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/nlimodel"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/builtin"
	"github.com/kgeval/kgeval/nli/combined"
	"github.com/kgeval/kgeval/nli/lexical"
)

// Long measures checking against long contexts: what is lost by reading only the
// passages near a claim, and what a long answer takes.
var Long = Bench{
	Name:  "long",
	Short: "long contexts: the nearest passages against all of them, and the time of 50 claims against 100 pages",
	Run:   runLong,
}

func runLong(ctx context.Context, w io.Writer, dir string, args []string) error {
	fs := flag.NewFlagSet("long", flag.ContinueOnError)
	fs.SetOutput(w)
	n := fs.Int("n", 200, "rows of the sets, in equal shares, for the loss (0: leave it out)")
	words := fs.Int("words", 5000, "words that each row's context is padded to with other rows' documents")
	form := fs.String("form", "documents", "the padded context: documents (each one source) or text (one source of all)")
	pages := fs.Int("pages", 100, "pages of 500 words for the time (0: leave it out)")
	claims := fs.Int("claims", 50, "claims of the answer for the time")
	seed := fs.Uint64("seed", 1, "seed of rows and padding, and of the bootstrap")
	half := fs.String("half", "report", "documents to use: report (not seen by any fit), fit, all")
	samples := fs.Int("bootstrap", 1000, "bootstrap samples over source documents; below 0 none")
	only := fs.String("sets", "", "only these sets, names with commas between")
	var o groundingOptions
	fs.StringVar(&o.journal, "journal", "", "file that keeps each row's result, so that a run goes on where the last one ended")
	fs.BoolVar(&o.only, "table", false, "judge nothing: make the table of what the journal holds")
	fs.DurationVar(&o.time, "for", 0, "begin no row after this time, and report what is done (0: no bound)")
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	switch {
	case !validHalf(*half):
		return fmt.Errorf("bench long: -half must be report, fit or all, not %q", *half)
	case *form != "documents" && *form != "text":
		return fmt.Errorf("bench long: -form must be documents or text, not %q", *form)
	case *n < 0 || *pages < 0 || *claims < 1 || *words < 1:
		return errors.New("bench long: -n and -pages must not be negative, -claims and -words at least 1")
	}
	if *samples == 0 {
		*samples = -1
	}
	sets, skipped, err := groundingData(dir, *half, *only, 0, *seed, nil)
	if err != nil {
		return fmt.Errorf("bench long: %w", err)
	}
	if len(sets) == 0 {
		return fmt.Errorf("bench long: %w: set KGEVAL_DATA to the folder that holds grounding/", ErrNoData)
	}
	for _, line := range skipped {
		fmt.Fprintf(w, "%s\n", line)
	}
	if *pages > 0 {
		if err := longTime(ctx, w, sets, *pages, *claims, *seed); err != nil {
			return fmt.Errorf("bench long: %w", err)
		}
	}
	if *n > 0 {
		padded := paddedSets(sets, *n, *words, *form == "text", *seed)
		if err := longLoss(ctx, w, padded, o, *samples, *seed); err != nil {
			return fmt.Errorf("bench long: %w", err)
		}
	}
	return nil
}

// paddedSets takes n rows of the sets, each with its share, and hides each row's
// context among other documents until there are so many words.
func paddedSets(sets []groundingSet, n, words int, oneText bool, seed uint64) []groundingSet {
	rng := rand.New(rand.NewPCG(seed, 1))
	var documents []string
	seen := map[string]bool{}
	for _, s := range sets {
		for _, r := range s.rows {
			if !seen[r.context] {
				seen[r.context] = true
				documents = append(documents, r.context)
			}
		}
	}
	out := make([]groundingSet, len(sets))
	for i, s := range sets {
		rows := slices.Clone(s.rows)
		rng.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
		share := (n*(i+1))/len(sets) - (n*i)/len(sets)
		rows = rows[:min(share, len(rows))]
		for k := range rows {
			rows[k] = padded(rows[k], documents, words, oneText, rng)
		}
		out[i] = groundingSet{name: s.name, rows: rows}
	}
	return out
}

// padded is a row whose context stands among others, at a place of chance.
func padded(r groundingRow, documents []string, words int, oneText bool, rng *rand.Rand) groundingRow {
	texts := []string{r.context}
	have := len(strings.Fields(r.context))
	for _, i := range rng.Perm(len(documents)) {
		if have >= words {
			break
		}
		if documents[i] != r.context {
			texts = append(texts, documents[i])
			have += len(strings.Fields(documents[i]))
		}
	}
	rng.Shuffle(len(texts), func(a, b int) { texts[a], texts[b] = texts[b], texts[a] })
	r.group = r.context
	r.context = strings.Join(texts, "\n\n")
	r.sources = nil
	if !oneText {
		for i, t := range texts {
			r.sources = append(r.sources, claim.Source{ID: fmt.Sprint(i + 1), Text: t})
		}
	}
	return r
}

// longWays are the ways to read a long context that are compared; the first reads
// all of it.
func longWays() ([]groundingWay, error) {
	parts, err := kgeval.Offline()
	if err != nil {
		return nil, err
	}
	network, err := builtin.New(builtin.Options{})
	if err != nil {
		return nil, err
	}
	rules, err := lexical.New()
	if err != nil {
		return nil, err
	}
	all, err := combined.New(network, rules, combined.Options{Windows: -1})
	if err != nil {
		return nil, err
	}
	some, err := combined.New(network, rules, combined.Options{})
	if err != nil {
		return nil, err
	}
	var out []groundingWay
	for _, v := range []struct {
		name    string
		model   *combined.Model
		nearest int
		words   bool
	}{{"everything", all, -1, false}, {"nearest (default)", some, 0, false}, {"nearest by words alone", some, 0, true}} {
		with := parts
		if v.words {
			with.Embedder = nil
		}
		c, err := with.Checker(grapheval.Options{Model: v.model, Nearest: v.nearest, NoEvidence: true})
		if err != nil {
			return nil, err
		}
		out = append(out, groundingWay{
			model: v.name, method: wayDefault, id: v.model.ID() + " " + parts.Extractor.ID() + " " + v.name, check: c.Check,
			work: func() builtin.Work { w, _ := nlimodel.Work(v.model); return w },
		})
	}
	return out, nil
}

func longLoss(ctx context.Context, w io.Writer, sets []groundingSet, o groundingOptions, samples int, seed uint64) error {
	ways, err := longWays()
	if err != nil {
		return err
	}
	scores, left, err := o.judge(ctx, sets, ways)
	if err != nil {
		return err
	}
	report := groundingReport{ctx, w, sets, ways, scores, samples, seed}
	rows, documents := 0, 0
	for _, s := range sets {
		rows += len(s.rows)
		for _, r := range s.rows {
			documents += max(len(r.sources), 1)
		}
	}
	fmt.Fprintf(w, "\n%d rows, each with its document among others: %.1f sources a row. Balanced accuracy (points) as the mean over sets, weighed by rows, at the checker's own threshold; the difference to reading everything is paired.\n\n", rows, float64(documents)/float64(max(rows, 1)))
	if left > 0 {
		fmt.Fprintf(w, "%d of the results are not there yet; run the same command again with -journal. A line needs all rows.\n\n", left)
	}
	fmt.Fprintf(w, "| read | balanced accuracy | against everything | AUROC, all rows together | same call as everything | seconds an output | tokens |\n|---|---|---|---|---|---|---|\n")
	var first []judged
	for i, way := range ways {
		var all []judged
		whole := true
		for _, s := range sets {
			part, ok := report.of(s, way)
			whole = whole && (ok || len(s.rows) == 0)
			all = append(all, part...)
		}
		if !whole {
			continue
		}
		if i == 0 {
			first = all
		}
		difference, same := "", ""
		if i > 0 && first != nil {
			equal := 0
			for k := range all {
				all[k].raw, all[k].hasRaw = first[k].score, true
				if all[k].flagged() == all[k].rawFlagged() {
					equal++
				}
			}
			difference = report.measured(all, 100, "%+.1f", gain(acrossSets))
			same = fmt.Sprintf("%.1f%%", 100*float64(equal)/float64(len(all)))
		}
		var seconds, tokens float64
		for _, j := range all {
			seconds += j.score.Seconds
			tokens += float64(j.score.Tokens)
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %.2f | %.0f |\n", way.model,
			report.measured(all, 100, "%.1f", func(rows []judged) (float64, bool) { return acrossSets(rows, judged.flagged) }), difference,
			report.measured(all, 1, "%.3f", auroc), same, seconds/float64(len(all)), tokens/float64(len(all)))
	}
	return nil
}

// pageWords is how many words a page has.
const pageWords = 500

// longTime measures one answer against many pages, from nothing and with the pages
// prepared. The two answers are different ones: the model remembers pairs.
func longTime(ctx context.Context, w io.Writer, sets []groundingSet, pages, claims int, seed uint64) error {
	began := time.Now()
	parts, err := kgeval.Offline()
	if err != nil {
		return err
	}
	checker, err := parts.Checker(grapheval.Options{})
	if err != nil {
		return err
	}
	sources := pagesOf(sets, pages)
	answers := make([]string, 2)
	for i := range answers {
		if answers[i], err = longAnswer(ctx, parts, sets, claims, seed+uint64(i)); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%d pages of about %d words, each one source; %d processors.\n\n", len(sources), pageWords, runtime.GOMAXPROCS(0))
	fmt.Fprintf(w, "| | seconds | of processor time | claims | windows read | tokens |\n|---|---|---|---|---|---|\n")
	line := func(name string, do func() (int, error)) error {
		work, cpu, at := workOf(parts.NLI), cpuTime(), time.Now()
		n, err := do()
		if err != nil {
			return err
		}
		now := workOf(parts.NLI)
		fmt.Fprintf(w, "| %s | %.1f | %.1f | %d | %d | %d |\n", name, time.Since(at).Seconds(), (cpuTime() - cpu).Seconds(), n, now.Windows-work.Windows, now.Tokens-work.Tokens)
		return nil
	}
	var p *grapheval.Prepared
	if err := line("prepare, weights loaded on the way", func() (int, error) {
		p, err = checker.Prepare(ctx, sources)
		return 0, err
	}); err != nil {
		return err
	}
	for i, name := range []string{"first answer", "another answer, all prepared"} {
		if err := line(name, func() (int, error) {
			r, err := p.Check(ctx, "", answers[i])
			return len(r.Claims), err
		}); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "\nCold is the first two lines together. The whole took %.1f s.\n", time.Since(began).Seconds())
	return nil
}

// pagesOf cuts the documents of the sets, in their order, into pages.
func pagesOf(sets []groundingSet, pages int) []claim.Source {
	var words []string
	seen := map[string]bool{}
	for k := 0; len(words) < pages*pageWords; k++ {
		grown := false
		for _, s := range sets {
			if k >= len(s.rows) {
				continue
			}
			grown = true
			if c := s.rows[k].context; !seen[c] {
				seen[c] = true
				words = append(words, strings.Fields(c)...)
			}
		}
		if !grown {
			break
		}
	}
	var out []claim.Source
	for len(words) > 0 && len(out) < pages {
		n := min(pageWords, len(words))
		out = append(out, claim.Source{ID: fmt.Sprint("page ", len(out)+1), Text: strings.Join(words[:n], " ")})
		words = words[n:]
	}
	return out
}

// longAnswer joins sentences of outputs about the pages until they have so many
// claims.
func longAnswer(ctx context.Context, parts kgeval.Parts, sets []groundingSet, claims int, seed uint64) (string, error) {
	rng := rand.New(rand.NewPCG(seed, 2))
	var sentences []string
	for _, s := range sets {
		for _, r := range s.rows[:min(len(s.rows), 40)] {
			for _, t := range sentencesOf(r.output) {
				if grapheval.Checkable(t) && strings.HasSuffix(strings.TrimSpace(t), ".") {
					sentences = append(sentences, strings.TrimSpace(t))
				}
			}
		}
	}
	slices.Sort(sentences)
	sentences = slices.Compact(sentences)
	rng.Shuffle(len(sentences), func(i, j int) { sentences[i], sentences[j] = sentences[j], sentences[i] })
	// Without a model that judges, claims are counted in no time.
	counter, err := parts.Checker(grapheval.Options{Model: countOnly{}, NoEvidence: true})
	if err != nil {
		return "", err
	}
	p, err := counter.Prepare(ctx, []claim.Source{{Text: "."}})
	if err != nil {
		return "", err
	}
	var answer strings.Builder
	have := 0
	for _, t := range sentences {
		if have >= claims {
			break
		}
		r, err := p.Check(ctx, "", t)
		if err != nil {
			return "", err
		}
		have += len(r.Claims)
		answer.WriteString(t + " ")
	}
	return answer.String(), nil
}

// countOnly is a model that judges nothing, for counting claims.
type countOnly struct{}

// ID implements nli.Model.
func (countOnly) ID() string { return "count only" }

// Classify says of every pair that it says nothing.
func (countOnly) Classify(_ context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	out := make([]nli.Probs, len(pairs))
	for i := range out {
		out[i].Neutral = 1
	}
	return out, nil
}
