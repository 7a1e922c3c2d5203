package bench

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/grapheval"
)

// judgements are our own annotations: keys of rows and labels, no texts.
//
//go:embed testdata/judged
var judgements embed.FS

// Evidence recomputes how often the first piece of evidence holds the sentence
// that decides a claim, as a person judged it.
var Evidence = Bench{
	Name:  "evidence",
	Short: "evidence that holds the deciding sentence, by hand-made judgements",
	Run:   runEvidence,
}

// judgedClaim is a claim of one output.
type judgedClaim struct {
	row   string
	claim claim.Claim
}

// key names the claim by its row, its words, its verdict and its evidence: when
// one of them changes, the judgement is no longer about it.
func (j judgedClaim) key() string {
	h := fnv.New64a()
	h.Write([]byte(j.claim.Text))
	fmt.Fprintf(h, "\x00%s\x00%v", j.claim.Verdict, j.claim.Evidence[0].Span)
	return fmt.Sprintf("%s\t%016x", j.row, h.Sum64())
}

func runEvidence(ctx context.Context, w io.Writer, dir string, args []string) error {
	fs := flag.NewFlagSet("evidence", flag.ContinueOnError)
	fs.SetOutput(w)
	n := fs.Int("n", 100, "outputs to draw, by turns from the five sets; of each one claim")
	seed := fs.Uint64("seed", 1, "seed of the draw")
	show := fs.Bool("show", false, "print each claim with its evidence, and its judgement if there is one")
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	labels, err := readJudged("evidence.tsv")
	if err != nil {
		return err
	}
	rows, err := realOutputs(dir, "all", 2**n, *seed)
	if err != nil {
		return err
	}
	parts, err := kgeval.Offline()
	if err != nil {
		return err
	}
	c, err := parts.Checker(grapheval.Options{})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Model %s, extractor %s; seed %d.\n\n", parts.NLI.ID(), parts.Extractor.ID(), *seed)
	rng := rand.New(rand.NewPCG(*seed, 2))
	drawn := 0
	tally := map[string]int{}
	for _, r := range rows {
		if drawn == *n {
			break
		}
		got, err := c.Check(ctx, claim.Sample{Sources: []claim.Source{{Text: r.context}}, Output: r.output})
		if err != nil {
			return fmt.Errorf("bench evidence: %s: %w", r.id, err)
		}
		var decided []claim.Claim
		for _, k := range got.Claims {
			if (k.Verdict == claim.Supported || k.Verdict == claim.Contradicted) && len(k.Evidence) > 0 {
				decided = append(decided, k)
			}
		}
		if len(decided) == 0 {
			continue
		}
		drawn++
		j := judgedClaim{r.id, decided[rng.IntN(len(decided))]}
		label := labels[j.key()]
		tally[label]++
		if *show {
			fmt.Fprintf(w, "%s\t%s\t%s\n  claim    %s\n  evidence %s\n", j.key(), label, j.claim.Verdict, j.claim.Text, strings.Join(strings.Fields(j.claim.Evidence[0].Text), " "))
		}
	}
	judged := tally["decides"] + tally["partly"] + tally["other"]
	fmt.Fprintf(w, "| claims with a decided verdict | judged | evidence decides | holds a part of it | is about something else |\n|---|---|---|---|---|\n")
	fmt.Fprintf(w, "| %d | %d | %d (%.1f%%) | %d | %d |\n", drawn, judged, tally["decides"], 100*float64(tally["decides"])/float64(max(judged, 1)), tally["partly"], tally["other"])
	if judged < drawn {
		fmt.Fprintf(w, "\n%d of the %d claims were not judged, or their verdict or evidence is another one since, and are not counted.\n", drawn-judged, drawn)
	}
	return nil
}

// readJudged reads a file of annotations: a row, a hash and a label, divided by
// tabs.
func readJudged(name string) (map[string]string, error) {
	b, err := judgements.ReadFile("testdata/judged/" + name)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for n, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			return nil, fmt.Errorf("%s, line %d: want a row, a hash and a label", name, n+1)
		}
		out[f[0]+"\t"+f[1]] = f[2]
	}
	return out, nil
}
