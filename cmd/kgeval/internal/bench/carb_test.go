package bench

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testData returns the data folder seen from this package, or skips.
func testData(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("KGEVAL_DATA")
	if dir == "" {
		dir = filepath.FromSlash("../../../../../shared/data")
	}
	if _, err := os.Stat(filepath.Join(dir, "extract")); err != nil {
		t.Skip("needs the data sets: set KGEVAL_DATA to the folder that holds extract/")
	}
	return dir
}

func TestMatchCaRB(t *testing.T) {
	gold := oieTuple{rel: "was born in", args: []string{"Ada", "Rome", "in 1950"}}
	for _, c := range []struct {
		name string
		pred oieTuple
		want [2]float64
	}{
		{"all tokens, later arguments together", oieTuple{rel: "was born in", args: []string{"Ada", "Rome in 1950"}}, [2]float64{1, 1}},
		{"part of the tail", oieTuple{rel: "was born in", args: []string{"Ada", "Rome"}}, [2]float64{1, 5. / 7}},
		{"no token of the relation", oieTuple{rel: "lives", args: []string{"Ada", "Rome in 1950"}}, [2]float64{0, 0}},
		{"an argument missing", oieTuple{rel: "was born in", args: []string{"Ada"}}, [2]float64{0, 0}},
		{"a token counts once", oieTuple{rel: "was was", args: []string{"Ada", "Rome"}}, [2]float64{3. / 4, 3. / 7}},
		{"be stands for its forms", oieTuple{rel: "be", args: []string{"Ada", "Rome"}}, [2]float64{1, 3. / 7}},
	} {
		if got := matchCaRB(gold, c.pred); math.Abs(got[0]-c.want[0]) > 1e-12 || math.Abs(got[1]-c.want[1]) > 1e-12 {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
	said := oieTuple{rel: "said", args: []string{"it rains", "Ada"}}
	if got := matchCaRB(said, oieTuple{rel: "said", args: []string{"Ada", "it rains"}}); got != [2]float64{1, 1} {
		t.Errorf("speech may be turned round: got %v", got)
	}
}

func TestScoreCaRB(t *testing.T) {
	gold := map[string][]oieTuple{"s": {{rel: "owns", args: []string{"Bo", "cats"}}, {rel: "sells", args: []string{"Bo", "dogs"}}}}
	if got := scoreCaRB(gold, gold); got.F1 != 1 || got.AUC != 1 {
		t.Errorf("gold against itself: %+v", got)
	}
	if got := scoreCaRB(gold, nil); got != (oieResult{}) {
		t.Errorf("no prediction: %+v", got)
	}
	// A second prediction of the same fact costs precision: the match is one to one.
	one := map[string][]oieTuple{"s": {{rel: "owns", args: []string{"Bo", "cats"}, conf: 1}, {rel: "owns", args: []string{"Bo", "cats"}, conf: 1}}}
	if got := scoreCaRB(gold, one); got.Precision != 0.5 || got.Recall != 0.5 {
		t.Errorf("repeated prediction: %+v", got)
	}
}

func TestTreebank(t *testing.T) {
	for in, want := range map[string]string{
		"Yaromir's bride":     "Yaromir 's bride",
		"the workers' strike": "the workers ' strike",
		"did not, at 5%":      "did not , at 5 %",
		`the "Five Stars"`:    "the `` Five Stars ''",
	} {
		if got := treebank(in); got != want {
			t.Errorf("treebank(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCaRBRuns(t *testing.T) {
	dir := testData(t)
	out := filepath.Join(t.TempDir(), "tab")
	var a, b strings.Builder
	if err := CaRB.Run(context.Background(), &a, dir, []string{"--out", out}); err != nil {
		t.Fatal(err)
	}
	t.Log(a.String())
	if err := CaRB.Run(context.Background(), &b, dir, []string{"--score", out}); err != nil {
		t.Fatal(err)
	}
	// What was written scores as what was extracted.
	if table, _, _ := strings.Cut(a.String(), "\n\n"); strings.TrimSpace(table) != strings.TrimSpace(b.String()) {
		t.Errorf("scores differ:\n%s\n%s", a.String(), b.String())
	}
	if err := CaRB.Run(context.Background(), &b, t.TempDir(), nil); !errors.Is(err, ErrNoData) {
		t.Errorf("without data: %v", err)
	}
}
