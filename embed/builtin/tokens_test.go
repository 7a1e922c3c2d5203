package builtin

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/metrics"
)

// bert-score 0.3.13 with the last layer of all-MiniLM-L6-v2 in float32, on 255 sentence
// pairs of MRPC (bench/peers/metrics). The weights here have fewer bits.
func TestBERTScoreIsBertScore(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 510 sentences; run without -short to turn this test on")
	}
	dir := os.Getenv("KGEVAL_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	f, err := os.Open("testdata/bertscore.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	type row struct {
		Set   string     `json:"set"`
		Row   int        `json:"row"`
		Plain [3]float64 `json:"plain"`
	}
	var rows []row
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var r row
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r.Set != "" { // the first line names what made the file
			rows = append(rows, r)
		}
	}
	if len(rows) < 200 {
		t.Fatalf("%d rows", len(rows))
	}
	b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(rows[0].Set)))
	if err != nil {
		t.Skipf("no %s: set KGEVAL_DATA to the folder of the data sets to turn this test on", rows[0].Set)
	}
	lines := strings.Split(strings.TrimPrefix(string(b), "\ufeff"), "\n")[1:]
	pairs := make([]metrics.TextPair, len(rows))
	for i, r := range rows {
		parts := strings.Split(strings.TrimSuffix(lines[r.Row], "\r"), "\t")
		pairs[i] = metrics.TextPair{Reference: parts[len(parts)-2], Candidate: parts[len(parts)-1]}
	}
	got, err := metrics.BERTScore(t.Context(), New(Options{}), pairs, nil)
	if err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for i, r := range rows {
		for k, x := range []float64{got[i].Precision, got[i].Recall, got[i].F1} {
			d := math.Abs(x - r.Plain[k])
			worst = max(worst, d)
			if d > 1e-3 {
				t.Errorf("row %d: got %v, want %v", r.Row, got[i], r.Plain)
			}
		}
	}
	t.Logf("largest difference: %.5f", worst)
}

func TestEmbedTokens(t *testing.T) {
	e := New(Options{})
	got, err := e.EmbedTokens(t.Context(), []string{"", "Ana founded Orbix", strings.Repeat("word ", 1000), "\x00\xff"})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{0, 4, MaxTokens - 2, 0} {
		x := got[i]
		if n := x.End - x.First; (i != 1 && n != want) || (i == 1 && n < 3) || len(x.IDs) != n+2 || len(x.States) != n+2 || len(x.States[0]) != Dimensions {
			t.Errorf("text %d: %d tokens of content, %d ids, %d states", i, n, len(x.IDs), len(x.States))
		}
	}
	alone, err := e.EmbedTokens(t.Context(), []string{"Ana founded Orbix"})
	if err != nil {
		t.Fatal(err)
	}
	for k, s := range alone[0].States {
		for j, x := range s {
			if x != got[1].States[k][j] {
				t.Fatalf("token %d: another state among other texts", k)
			}
		}
	}
	if none, err := e.EmbedTokens(t.Context(), nil); err != nil || len(none) != 0 {
		t.Errorf("no texts: %v, %v", none, err)
	}
}
