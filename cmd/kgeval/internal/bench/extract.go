package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/segment"
)

// Extract measures the share of triples that no model of entailment should ever
// see, on real outputs: by definite rules, and by a person's judgements.
var Extract = Bench{
	Name:  "extract",
	Short: "triples that are no statement (empty, a pronoun, half a sentence) on real outputs",
	Run:   runExtract,
}

// extractedTriple is one triple of one output.
type extractedTriple struct {
	row string // the output's row, as rowID writes it
	kg.Statement
}

// claimText is what a model of entailment reads.
func (t extractedTriple) claimText() string {
	if t.Claim != "" {
		return t.Claim
	}
	return t.Triple.Sentence()
}

// key names the triple by its row and its content.
func (t extractedTriple) key() string {
	h := fnv.New64a()
	for _, s := range []string{t.Triple.Head, t.Triple.Relation, t.Triple.Tail, t.claimText()} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return fmt.Sprintf("%s\t%016x", t.row, h.Sum64())
}

func runExtract(ctx context.Context, w io.Writer, dir string, args []string) error {
	fs := flag.NewFlagSet("extract", flag.ContinueOnError)
	fs.SetOutput(w)
	n := fs.Int("n", 500, "outputs to draw, by turns from the five sets")
	seed := fs.Uint64("seed", 5, "seed of the draw; the judgements are of triples drawn with 5")
	half := fs.String("half", "report", "documents to use: report (not read while rules were written), fit, all")
	show := fs.Int("show", 0, "print this many triples that a rule names")
	sample := fs.Int("sample", 0, "print this many triples drawn at random, with the keys of -judged")
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if !validHalf(*half) {
		return fmt.Errorf("bench extract: -half must be report, fit or all, not %q", *half)
	}
	rows, err := realOutputs(dir, *half, *n, *seed)
	if err != nil {
		return err
	}
	parts, err := kgeval.Offline()
	if err != nil {
		return err
	}
	triples, err := extractRows(ctx, parts.Extractor, rows)
	if err != nil {
		return fmt.Errorf("bench extract: %w", err)
	}
	if len(triples) == 0 {
		return fmt.Errorf("bench extract: no triples in %d outputs", len(rows))
	}
	analyzer, err := nlp.New()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d outputs of five sets (half: %s; seed %d), %d triples; extractor %s.\n\n", len(rows), *half, *seed, len(triples), parts.Extractor.ID())
	fmt.Fprintf(w, "| rule | triples | share |\n|---|---|---|\n")
	count := map[string]int{}
	all := 0
	for _, t := range triples {
		why, err := noStatement(ctx, analyzer, t)
		if err != nil {
			return err
		}
		if len(why) == 0 {
			continue
		}
		all++
		for _, k := range why {
			count[k]++
		}
	}
	for _, r := range statementRules {
		fmt.Fprintf(w, "| %s | %d | %.2f%% |\n", r, count[r], 100*float64(count[r])/float64(len(triples)))
	}
	fmt.Fprintf(w, "| **any of them** | %d | **%.2f%%** |\n", all, 100*float64(all)/float64(len(triples)))
	labels, err := readJudged("extract.tsv")
	if err != nil {
		return err
	}
	judged, fragments := map[string]bool{}, 0
	for _, t := range triples {
		if label := labels[t.key()]; label != "" && !judged[t.key()] {
			judged[t.key()] = true
			if label == "half" {
				fragments++
			}
		}
	}
	fmt.Fprintf(w, "\nJudged by hand: %d triples, of which %d are among these; no statement: %d (%.1f%%).\n", len(labels), len(judged), fragments, 100*float64(fragments)/float64(max(len(judged), 1)))
	for _, t := range triples {
		if *show == 0 {
			break
		}
		why, err := noStatement(ctx, analyzer, t)
		if err != nil {
			return err
		}
		if len(why) > 0 {
			*show--
			fmt.Fprintf(w, "%v\t%s\t%v\t%s\n", why, t.row, t.Triple, t.claimText())
		}
	}
	if *sample > 0 {
		rng := rand.New(rand.NewPCG(*seed, 1))
		order := rng.Perm(len(triples))
		for _, i := range order[:min(*sample, len(order))] {
			fmt.Fprintf(w, "%s\t%q\t%s\n", triples[i].key(), triples[i].Triple, triples[i].claimText())
		}
	}
	return nil
}

// realOutputs draws n different outputs, by turns from the sets, so that none
// outweighs the others.
func realOutputs(dir, half string, n int, seed uint64) ([]groundingRow, error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	seen := map[string]bool{}
	var sets [][]groundingRow
	for _, set := range groundingSets {
		rows, err := set.read(dir)
		if err != nil {
			return nil, err
		}
		rows = slices.DeleteFunc(rows, func(r groundingRow) bool {
			again := seen[r.output]
			seen[r.output] = true
			return again || !inHalf(half, r.context)
		})
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		sets = append(sets, rows)
	}
	var out []groundingRow
	for k := 0; len(out) < n; k++ {
		before := len(out)
		for _, rows := range sets {
			if k < len(rows) && len(out) < n {
				out = append(out, rows[k])
			}
		}
		if len(out) == before {
			break // nothing left
		}
	}
	return out, nil
}

func extractRows(ctx context.Context, x kg.Extractor, rows []groundingRow) ([]extractedTriple, error) {
	var out []extractedTriple
	for _, r := range rows {
		got, err := x.Extract(ctx, []kg.Text{{ID: r.id, Text: r.output}})
		if err != nil {
			return nil, err
		}
		if got[0].Err != nil {
			return nil, fmt.Errorf("%s: %w", r.id, got[0].Err)
		}
		for _, s := range got[0].Statements {
			out = append(out, extractedTriple{r.id, s})
		}
	}
	return out, nil
}

// The rules of noStatement, in the order of the table.
var statementRules = []string{
	"an empty label", "a pronoun as entity", "no verb in the relation", "begins or ends in the middle", "a label begins or ends in the middle", "open bracket or quotation",
}

var (
	entityPronouns = wordsOf("he she it they him her them i we you us me himself herself itself themselves this that these those who whom which what one ones his hers theirs its their mine yours ours such")
	// A sentence doesn't end with a word that opens a phrase or clause.
	openingWords = wordsOf("the a an and or but nor which who whom whose that than if because although though while whereas unless of to from with by for as at into onto upon his her its their our my your when where whether during until since between among very")
	auxiliaries  = wordsOf("is are was were be been has have had will would could should may might must can")
	// Participles that are no past as well.
	bareParticiples = wordsOf("given taken seen written driven eaten stolen broken chosen known shown drawn born")
	// A sentence doesn't begin with one that needs something before it.
	leaningWords = wordsOf("and or but nor which who whom whose than of")
)

func wordsOf(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// noStatement names the rules by which a triple is no statement.
func noStatement(ctx context.Context, a *nlp.Analyzer, t extractedTriple) ([]string, error) {
	var out []string
	says := func(k int, yes bool) {
		if yes {
			out = append(out, statementRules[k])
		}
	}
	wordless := func(s string) bool {
		return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSymbol(r) })
	}
	head, rel, tail := t.Triple.Head, t.Triple.Relation, t.Triple.Tail
	says(0, wordless(head) || wordless(rel) || wordless(tail))
	says(1, entityPronouns[strings.ToLower(head)] || entityPronouns[strings.ToLower(tail)])
	text := t.claimText()
	doc, err := a.Analyze(ctx, text)
	if err != nil {
		return nil, err
	}
	finite := 0
	for _, k := range doc.Tokens {
		if slices.Contains([]string{"VBD", "VBZ", "VBP", "MD"}, k.Tag) {
			finite++
		}
	}
	// The tagger misses verbs that are nouns as well ("the agent offers plans"),
	// so a word of the relation that can be one counts.
	verb := false
	for _, x := range segment.Words(rel) {
		word := x.Of(rel)
		verb = verb || a.CanBeVerb(word) && !strings.HasSuffix(word, "ing")
	}
	says(2, !verb || finite == 0 && bareParticiples[strings.ToLower(rel)])
	first, last := edges(text)
	says(3, leaningWords[first] || openingWords[last] || auxiliaries[last] && finite < 2)
	hf, hl := edges(head)
	tf, tl := edges(tail)
	says(4, leaningWords[hf] || openingWords[hl] || leaningWords[tf] && tf != "of" && tf != "who" && tf != "which" || openingWords[tl] && last != tl)
	says(5, unbalanced(text))
	return out, nil
}

// edges returns the first and the last word in small letters.
func edges(text string) (first, last string) {
	words := segment.Words(text)
	if len(words) == 0 {
		return "", ""
	}
	return strings.ToLower(words[0].Of(text)), strings.ToLower(words[len(words)-1].Of(text))
}

func unbalanced(text string) bool {
	depth := 0
	for _, r := range text {
		switch r {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		}
		if depth < 0 {
			return true
		}
	}
	return depth != 0 || strings.Count(text, "\"")%2 != 0 || strings.Count(text, "“") != strings.Count(text, "”")
}
