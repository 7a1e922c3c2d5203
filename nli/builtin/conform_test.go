package builtin_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/builtin"
)

type files struct{}

func (files) Open(name string) (fs.File, error) { return os.Open(name) }

// trained returns a model with the weights files in KGEVAL_NLI_WEIGHTS (names
// with commas between).
func trained(tb testing.TB) *builtin.Model {
	tb.Helper()
	names := os.Getenv("KGEVAL_NLI_WEIGHTS")
	if names == "" {
		tb.Skip("needs trained weights: set KGEVAL_NLI_WEIGHTS to a file of training/export_nli.py")
	}
	m, err := builtin.Load(files{}, strings.Split(names, ","), builtin.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func TestConform(t *testing.T) {
	m := trained(t)
	conform.NLI(t, func() nli.Model { return m }, conform.Timeout(5*time.Minute))
}

// The probabilities are those of the Python that trained the model.
func TestEqualsPython(t *testing.T) {
	m := trained(t)
	name := os.Getenv("KGEVAL_NLI_REFERENCE")
	if name == "" {
		t.Skip("needs the Python reference: training/export_nli.py --reference FILE, and KGEVAL_NLI_REFERENCE=FILE")
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var pairs []nli.Pair
	var want [][3]float64
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r struct {
			Premise, Hypothesis                string
			Entailment, Neutral, Contradiction float64
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		// Python takes marks that stand in a text for the model's own.
		if strings.Contains(r.Premise+r.Hypothesis, "<mask>") {
			continue
		}
		// What does not fit is cut in Python and read in windows here.
		h := max(m.Cost(r.Hypothesis), m.Budget()/4)
		if m.Cost(r.Premise)+h > m.Budget() {
			continue
		}
		pairs = append(pairs, nli.Pair{Premise: r.Premise, Hypothesis: r.Hypothesis})
		want = append(want, [3]float64{r.Entailment, r.Neutral, r.Contradiction})
	}
	got, err := m.Classify(context.Background(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	worst, compared := 0.0, 0
	for i, p := range got {
		if p.Err != nil {
			t.Logf("%q: %v", pairs[i], p.Err)
			continue
		}
		compared++
		for k, x := range [3]float64{p.Entailment, p.Neutral, p.Contradiction} {
			if d := math.Abs(x - want[i][k]); d > worst {
				worst = d
				if d > 1e-4 {
					t.Errorf("%q: %+v, want %v", pairs[i], p, want[i])
				}
			}
		}
	}
	t.Logf("%d pairs, largest difference %.2g", compared, worst)
	if compared == 0 {
		t.Error("no pair was compared")
	}
}
