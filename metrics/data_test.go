package metrics

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dataLines returns the lines of a data file, and skips the test where it is not
// there.
func dataLines(t *testing.T, name string) []string {
	t.Helper()
	dir := os.Getenv("KGEVAL_DATA")
	if dir == "" {
		dir = "../../shared/data"
	}
	b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Skipf("no %s: set KGEVAL_DATA to the folder of the data sets to turn this test on", name)
	}
	return strings.Split(strings.TrimPrefix(string(b), "\ufeff"), "\n")
}

// golden reads a file of JSON lines in testdata: first a line that names what made
// it, then the rows.
func golden[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	var out []T
	for n := 0; lines.Scan(); n++ {
		if n == 0 {
			t.Logf("%s was made by %s", name, lines.Text())
			continue
		}
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s, line %d: %v", name, n+1, err)
		}
		out = append(out, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// pairRow is a row of bench/peers/metrics/text.py.
type pairRow struct {
	Set    string     `json:"set"`
	Row    int        `json:"row"`
	Stems  uint32     `json:"stems"`
	Rouge1 [3]float64 `json:"rouge1"`
	Rouge2 [3]float64 `json:"rouge2"`
	RougeL [3]float64 `json:"rougeL"`
	Plain1 [3]float64 `json:"plain1"`
	PlainL [3]float64 `json:"plainL"`
	BLEU   float64    `json:"bleu"`

	reference, candidate string
}

// pairRows returns the golden rows with their texts.
func pairRows(t *testing.T) []pairRow {
	t.Helper()
	rows := golden[pairRow](t, "text.jsonl")
	files := map[string][]string{}
	for i := range rows {
		r := &rows[i]
		if files[r.Set] == nil {
			lines := dataLines(t, r.Set)
			if strings.Contains(r.Set, "mrpc") {
				lines = lines[1:] // header
			}
			files[r.Set] = lines
		}
		parts := strings.Split(strings.TrimSuffix(files[r.Set][r.Row], "\r"), "\t")
		r.reference, r.candidate = parts[len(parts)-2], parts[len(parts)-1]
	}
	return rows
}
