package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kgeval/kgeval/kg"
)

// Locate measures kg.Locator: the share of the triples that people wrote for a
// text which it finds in that text, and in the text half a data set further on,
// which does not state them. EDC's triples have relations of an ontology ("date
// of birth") that their texts seldom spell out, so they need LooseRelation.
var Locate = Bench{
	Name:  "locate",
	Short: "locating triples in texts: found in their own, found in a strange one",
	Run:   runLocate,
}

type statedText struct {
	text    string
	triples []kg.Triple
}

func runLocate(ctx context.Context, w io.Writer, dir string, _ []string) error {
	fmt.Fprintln(w, "| set | texts | triples | own text | own text, loose | strange text | strange text, loose | µs a triple |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|")
	carb, err := locateCaRB(dir)
	if err != nil {
		return err
	}
	if err := locateRow(ctx, w, "CaRB dev", carb); err != nil {
		return err
	}
	for _, name := range []string{"rebel", "webnlg", "wiki-nre"} {
		texts, err := locateEDC(dir, name)
		if err != nil {
			return err
		}
		if err := locateRow(ctx, w, "EDC "+name, texts); err != nil {
			return err
		}
	}
	return nil
}

func locateRow(ctx context.Context, w io.Writer, name string, texts []statedText) error {
	var total int
	var found [4]int
	var took time.Duration
	for i, s := range texts {
		if err := ctx.Err(); err != nil {
			return err
		}
		strange := texts[(i+len(texts)/2)%len(texts)].text
		begin := time.Now()
		locators := [4]*kg.Locator{kg.NewLocator(s.text)}
		for _, t := range s.triples {
			if locators[0].Locate(t) != nil {
				found[0]++
			}
		}
		took += time.Since(begin)
		locators[1] = kg.NewLocator(s.text, kg.LooseRelation())
		locators[2] = kg.NewLocator(strange)
		locators[3] = kg.NewLocator(strange, kg.LooseRelation())
		for _, t := range s.triples {
			total++
			for k := 1; k < 4; k++ {
				if locators[k].Locate(t) != nil {
					found[k]++
				}
			}
		}
	}
	if total == 0 {
		return fmt.Errorf("%w: %s has no triples", ErrNoData, name)
	}
	fmt.Fprintf(w, "| %s | %d | %d |", name, len(texts), total)
	for _, n := range found {
		fmt.Fprintf(w, " %.1f%% |", 100*float64(n)/float64(total))
	}
	fmt.Fprintf(w, " %.0f |\n", float64(took.Microseconds())/float64(total))
	return nil
}

// locateCaRB reads CaRB's gold tuples as triples: relation and first two
// arguments.
func locateCaRB(dir string) ([]statedText, error) {
	lines, err := locateLines(dir, "extract/carb/dev.tsv")
	if err != nil {
		return nil, err
	}
	var out []statedText
	at := make(map[string]int)
	for _, line := range lines {
		f := strings.Split(line, "\t")
		if len(f) < 4 {
			continue
		}
		i, ok := at[f[0]]
		if !ok {
			i = len(out)
			at[f[0]] = i
			out = append(out, statedText{text: f[0]})
		}
		out[i].triples = append(out[i].triples, kg.Triple{Head: f[2], Relation: f[1], Tail: f[3]})
	}
	return out, nil
}

func locateEDC(dir, name string) ([]statedText, error) {
	texts, err := locateLines(dir, "extract/edc/"+name+".txt")
	if err != nil {
		return nil, err
	}
	refs, err := locateLines(dir, "extract/edc/"+name+".reference.txt")
	if err != nil {
		return nil, err
	}
	if len(texts) != len(refs) {
		return nil, fmt.Errorf("%s has %d texts and %d lists of triples", name, len(texts), len(refs))
	}
	out := make([]statedText, len(texts))
	for i := range texts {
		g, err := kg.Decode(strings.NewReader(refs[i]), kg.Python)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, i+1, err)
		}
		out[i] = statedText{texts[i], g.Slice()}
	}
	return out, nil
}

func locateLines(dir, name string) ([]string, error) {
	f, err := Open(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []string
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		out = append(out, sc.Text())
	}
	return out, sc.Err()
}
