package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/kgeval/kgeval/embed/builtin"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/openie"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/s3kg"
)

// Similarity measures whether scores of pairs of texts tell those that say the same from
// the others.
var Similarity = Bench{
	Name:  "similarity",
	Short: "pairs of texts: AUROC of S3KG over alpha and of text baselines (MRPC, STS 2012)",
	Run:   runSimilarity,
}

// similarPair is two texts, and whether they say the same.
type similarPair struct {
	a, b string
	same bool
}

func runSimilarity(ctx context.Context, w io.Writer, dir string, args []string) error {
	flags := flag.NewFlagSet("similarity", flag.ContinueOnError)
	flags.SetOutput(w)
	rows := flags.Int("rows", 400, "pairs of each class and set, drawn by the seed")
	seed := flags.Uint64("seed", 1, "seed of the rows")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if *rows < 1 {
		return errors.New("bench similarity: --rows must be at least 1")
	}
	e, err := embedderNamed("builtin")
	if err != nil {
		return err
	}
	analyzer, err := nlp.New()
	if err != nil {
		return err
	}
	extractor, err := openie.New(openie.Options{})
	if err != nil {
		return err
	}
	// Structure and meaning are the same for every alpha, so that one comparison serves
	// all; with Whole the result holds the whole texts' score, too.
	scorer, err := s3kg.New(s3kg.Options{Embedder: e, Extractor: extractor, Normalizer: &kg.Normalizer{Lemmatizer: analyzer}, Whole: 0.5})
	if err != nil {
		return err
	}
	tokens := builtin.New(builtin.Options{})
	fmt.Fprintf(w, "Up to %d pairs of each class and set, seed %d; extractor %s; embedder %s. Sentence-T5 is not run: its weights are not at hand.\n", *rows, *seed, extractor.ID(), e.ID())
	for _, set := range []struct {
		name string
		read func(dir string) ([]similarPair, error)
	}{{"MRPC, training part", readMRPC}, {"STS 2012, MSRpar and SMTeuroparl: same from 4, different to 2.5", readSTS12}} {
		all, err := set.read(dir)
		if err != nil {
			return err
		}
		pairs := balancedPairs(all, *rows, *seed)
		texts := make([]metrics.TextPair, len(pairs))
		for i, p := range pairs {
			texts[i] = metrics.TextPair{Reference: p.a, Candidate: p.b}
		}
		results := make([]s3kg.Result, len(pairs))
		without := 0
		for i, p := range pairs {
			if results[i], err = scorer.CompareTexts(ctx, p.a, p.b); err != nil {
				return err
			}
			if results[i].Fallback {
				without++
			}
		}
		cosines, err := metrics.Cosines(ctx, e, texts)
		if err != nil {
			return err
		}
		bert, err := metrics.BERTScore(ctx, tokens, texts, nil)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "\n## %s: %d pairs, of which %d are compared as whole texts\n\n| | AUROC | largest F1 |\n|---|---|---|\n", set.name, len(pairs), without)
		row := func(name string, score func(i int) float64) {
			points := make([]metrics.Point, len(pairs))
			for i, p := range pairs {
				points[i] = metrics.Point{Score: score(i), Positive: p.same}
			}
			area, _ := metrics.AUROC(points)
			f1, _, _ := metrics.MaxF1(points)
			fmt.Fprintf(w, "| %s | %.3f | %.3f |\n", name, area, f1)
		}
		for n := range 3 {
			row([]string{"ROUGE-1", "ROUGE-2", "ROUGE-L"}[n], func(i int) float64 {
				one, two, l := metrics.ROUGE{}.All(pairs[i].a, pairs[i].b)
				return []metrics.Score{one, two, l}[n].F1
			})
		}
		row("BLEU", func(i int) float64 { return metrics.BLEU{}.Sentence(pairs[i].a, pairs[i].b) })
		row("BERTScore", func(i int) float64 { return bert[i].F1 })
		row("embeddings, cosine", func(i int) float64 { return cosines[i] })
		for step := range 5 {
			alpha := float64(step) / 4
			row(fmt.Sprintf("S3KG, alpha %g", alpha), func(i int) float64 { return blended(results[i], alpha, 0) })
		}
		for _, whole := range []float64{0.5, 0.75, 0.9} {
			row(fmt.Sprintf("S3KG, alpha %g, whole texts %g", s3kg.DefaultAlpha, whole), func(i int) float64 { return blended(results[i], s3kg.DefaultAlpha, whole) })
		}
	}
	return nil
}

// blended is the F1 score of a result for another alpha and weight of the whole texts.
func blended(r s3kg.Result, alpha, whole float64) float64 {
	if r.Fallback {
		return r.Score
	}
	cover := func(p s3kg.Parts) float64 {
		return (1-whole)*((1-alpha)*p.Structure+alpha*p.Meaning) + whole*r.Whole
	}
	x, y := cover(r.AB), cover(r.BA)
	if x+y == 0 {
		return 0
	}
	return 2 * x * y / (x + y)
}

// balancedPairs draws up to n pairs of each class.
func balancedPairs(all []similarPair, n int, seed uint64) []similarPair {
	random := rand.New(rand.NewPCG(seed, 0))
	var out []similarPair
	taken := map[bool]int{}
	for _, i := range random.Perm(len(all)) {
		if p := all[i]; taken[p.same] < n {
			taken[p.same]++
			out = append(out, p)
		}
	}
	return out
}

func readMRPC(dir string) ([]similarPair, error) {
	var out []similarPair
	err := eachLine(dir, "paraphrase/mrpc/msr_paraphrase_train.txt", func(line string) error {
		f := strings.Split(strings.TrimPrefix(line, "\ufeff"), "\t")
		if len(f) != 5 {
			return fmt.Errorf("%d fields, want 5", len(f))
		}
		if f[0] != "Quality" {
			out = append(out, similarPair{f[3], f[4], f[0] == "1"})
		}
		return nil
	})
	return out, err
}

func readSTS12(dir string) ([]similarPair, error) {
	var out []similarPair
	for _, name := range []string{"MSRpar.train", "SMTeuroparl.train"} {
		if err := eachLine(dir, "paraphrase/sts12/"+name+".tsv", func(line string) error {
			f := strings.Split(line, "\t")
			if len(f) < 3 {
				return fmt.Errorf("%d fields, want 3", len(f))
			}
			gold, err := strconv.ParseFloat(f[0], 64)
			if err != nil {
				return err
			}
			if gold >= 4 || gold <= 2.5 {
				out = append(out, similarPair{f[1], f[2], gold >= 4})
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}
