package bench

import (
	"context"
	_ "embed" // for the texts below
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cmd/kgeval/internal/nlimodel"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/internal/bert/kernel"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/builtin"
)

// Cost measures what one check takes.
var Cost = Bench{
	Name:  "cost",
	Short: "time and memory of one check: three sentences against 400 words, with -model; pairs and tokens of it",
	Run:   runCost,
}

// The article and the answer were written for this benchmark. One of the
// answer's sentences has a wrong detail.
var (
	//go:embed texts/harbour.txt
	costSource string
	//go:embed texts/harbour-answer.txt
	costOutput string
)

func runCost(ctx context.Context, w io.Writer, _ string, args []string) error {
	fs := flag.NewFlagSet("cost", flag.ContinueOnError)
	fs.SetOutput(w)
	name := fs.String("model", "", nlimodel.Help+" (default: what kgeval check uses)")
	cores := fs.Int("cores", 1, "processors to use")
	rounds := fs.Int("rounds", 5, "checks of each kind; the median counts")
	nearest := fs.Int("nearest", 0, "windows read for a claim, those that share most words with it (0: all)")
	noEvidence := fs.Bool("no-evidence", false, "leave out the search for evidence sentences")
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if *cores < 1 || *rounds < 1 {
		return fmt.Errorf("bench cost: -cores and -rounds must be at least 1")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(*cores))

	k, err := kernel.Best()
	if err != nil {
		return fmt.Errorf("bench cost: %w", err)
	}
	var model nli.Model
	began, cpuBegan := time.Now(), cpuTime()
	if *name == "" {
		parts, err := kgeval.Offline()
		if err != nil {
			return fmt.Errorf("bench cost: %w", err)
		}
		model = parts.NLI
	} else if model, err = nlimodel.Open(*name, builtin.Options{}); err != nil {
		return fmt.Errorf("bench cost: %w", err)
	}
	if _, err := model.Classify(ctx, []nli.Pair{{Premise: "The mill closed.", Hypothesis: "The mill is closed."}}); err != nil {
		return fmt.Errorf("bench cost: %w", err)
	}
	load, loadCPU := time.Since(began), cpuTime()-cpuBegan
	afterLoad := peakMemory()
	fmt.Fprintf(w, "Model %s, kernels %s, %d of %d processors, median of %d checks.\n", model.ID(), k.Name(), *cores, runtime.NumCPU(), *rounds)
	fmt.Fprintf(w, "A source of %d words, an output of %d words. Nearest %d, evidence %v.\n\n", len(strings.Fields(costSource)), len(strings.Fields(costOutput)), *nearest, !*noEvidence)
	fmt.Fprintf(w, "Load and first pair: %.0f ms, %.0f ms of processor time; resident at most until then: %s.\n\n", load.Seconds()*1000, loadCPU.Seconds()*1000, afterLoad)
	fmt.Fprintf(w, "| claims are | claims | pairs | windows read | tokens | seconds | of processor time |\n|---|---|---|---|---|---|---|\n")

	parts, err := kgeval.Offline()
	if err != nil {
		return fmt.Errorf("bench cost: %w", err)
	}
	if _, err := parts.Extractor.Extract(ctx, nil); err != nil {
		return fmt.Errorf("bench cost: %w", err)
	}
	for _, kind := range []struct {
		name string
		unit grapheval.Unit
	}{{"whole sentences", grapheval.Sentences}, {"triples, and their sentences", grapheval.Triples}} {
		parts.NLI = model
		checker, err := parts.Checker(grapheval.Options{Unit: kind.unit, Concurrency: *cores, Nearest: *nearest, NoEvidence: *noEvidence})
		if err != nil {
			return fmt.Errorf("bench cost: %w", err)
		}
		var times, cpu []time.Duration
		var r claim.Result
		before := workOf(model)
		for i := range *rounds {
			// More blanks between the sentences: the model remembers pairs, and a round
			// must not live on the one before.
			blanks := "." + strings.Repeat(" ", i+1)
			began, cpuBegan := time.Now(), cpuTime()
			r, err = checker.Check(ctx, claim.Sample{Sources: []claim.Source{{Text: strings.ReplaceAll(costSource, ". ", blanks)}}, Output: costOutput})
			if err != nil {
				return fmt.Errorf("bench cost: %w", err)
			}
			times, cpu = append(times, time.Since(began)), append(cpu, cpuTime()-cpuBegan)
		}
		slices.Sort(times)
		slices.Sort(cpu)
		n := workOf(model)
		per := int64(*rounds)
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %.2f | %.2f |\n", kind.name, len(r.Claims),
			(n.Pairs-before.Pairs)/per, (n.Windows-before.Windows)/per, (n.Tokens-before.Tokens)/per, times[len(times)/2].Seconds(), cpu[len(cpu)/2].Seconds())
	}
	fmt.Fprintf(w, "\nResident at most, with the extractor's models: %s.\n", peakMemory())
	return nil
}

func workOf(m nli.Model) builtin.Work {
	work, _ := nlimodel.Work(m)
	return work
}
