package bench

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/kgeval/kgeval/embed/builtin"
	"github.com/kgeval/kgeval/internal/bert/kernel"
	"github.com/kgeval/kgeval/kg"
)

// Embed measures time and memory of the built-in embedder.
var Embed = Bench{
	Name:  "embed",
	Short: "built-in embedder: time to load, texts a second, memory (--workers, --scale)",
	Run:   runEmbed,
}

// embedBatch is how many texts one call has.
const embedBatch = 32

func runEmbed(ctx context.Context, w io.Writer, dir string, args []string) error {
	flags := flag.NewFlagSet("embed", flag.ContinueOnError)
	flags.SetOutput(w)
	workers := flags.Int("workers", 1, "goroutines")
	scale := flags.Float64("scale", 1, "share of the texts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	sets, err := embedTexts(dir, *scale)
	if err != nil {
		return err
	}
	k, err := kernel.Best()
	if err != nil {
		return err
	}
	e := builtin.New(builtin.Options{Workers: *workers})
	before, start := cpuTime(), time.Now()
	if _, err := e.Embed(ctx, []string{"load"}); err != nil {
		return err
	}
	fmt.Fprintf(w, "%s, kernels %s, %d workers, calls of %d texts. Loading and one word: %.0f ms, CPU %.0f ms.\n\n",
		e.ID(), k.Name(), *workers, embedBatch, 1e3*time.Since(start).Seconds(), 1e3*(cpuTime()-before).Seconds())
	fmt.Fprint(w, "| texts | number | mean characters | texts/s | texts per CPU second |\n|---|---|---|---|---|\n")
	for _, set := range sets {
		characters := 0
		before, start := cpuTime(), time.Now()
		for from := 0; from < len(set.texts); from += embedBatch {
			batch := set.texts[from:min(from+embedBatch, len(set.texts))]
			for _, t := range batch {
				characters += len(t)
			}
			if _, err := e.Embed(ctx, batch); err != nil {
				return err
			}
		}
		n := float64(len(set.texts))
		fmt.Fprintf(w, "| %s | %d | %.0f | %.0f | %.0f |\n", set.name, len(set.texts), float64(characters)/n,
			n/time.Since(start).Seconds(), n/(cpuTime()-before).Seconds())
	}
	fmt.Fprintf(w, "\nPeak memory of the process: %s.\n", peakMemory())
	return nil
}

type embedSet struct {
	name  string
	texts []string
}

// embedTexts reads labels, sentences and articles.
func embedTexts(dir string, scale float64) ([]embedSet, error) {
	sets := []embedSet{{name: "labels (EDC, WebNLG)"}, {name: "sentences (WikiSplit)"}, {name: "articles (QAGS-XSum)"}}
	take := func(set, n int, file string, texts func(line string) ([]string, error)) error {
		n = max(1, int(float64(n)*scale))
		return eachLine(dir, file, func(line string) error {
			if len(sets[set].texts) >= n {
				return nil
			}
			t, err := texts(line)
			t = t[:min(len(t), n-len(sets[set].texts))]
			sets[set].texts = append(sets[set].texts, t...)
			return err
		})
	}
	field := func(name string) func(string) ([]string, error) {
		return func(line string) ([]string, error) {
			var row map[string]json.RawMessage
			var text string
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				return nil, err
			}
			err := json.Unmarshal(row[name], &text)
			return []string{text}, err
		}
	}
	if err := take(0, 2000, "extract/edc/webnlg.reference.txt", func(line string) ([]string, error) {
		g, err := kg.Decode(strings.NewReader(line), kg.Python)
		if err != nil {
			return nil, err
		}
		return append(g.Entities(), g.Relations()...), nil
	}); err != nil {
		return nil, err
	}
	if err := take(1, 1000, "rephrase/wikisplit.jsonl", field("complex")); err != nil {
		return nil, err
	}
	if err := take(2, 100, "grounding/qags/mturk_xsum.dev.jsonl", field("article")); err != nil {
		return nil, err
	}
	return sets, nil
}

// cpuTime is the processor time that the process took so far, in steps of 10 ms;
// 0 where the system does not tell it in Linux's way.
func cpuTime() time.Duration {
	b, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	// The name in brackets may hold blanks; the times are the 12th and 13th
	// fields behind it.
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// peakMemory is the most memory that the process ever had resident.
func peakMemory() string {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "not known on this system"
	}
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kB, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(v), " kB"))
			if err == nil {
				return fmt.Sprintf("%.0f MB", float64(kB)/1e3)
			}
		}
	}
	return "not known on this system"
}
