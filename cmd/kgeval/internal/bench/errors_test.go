package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const errorDocs = "../../../../docs"

// labelledErrors reads docs/errors.tsv: row, kind of error, cause.
func labelledErrors(t *testing.T) [][]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(errorDocs, "errors.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for i, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			t.Fatalf("errors.tsv:%d has %d fields", i+1, len(f))
		}
		if i > 0 {
			out = append(out, f)
		}
	}
	return out
}

// The tables of docs/errors.md count what docs/errors.tsv lists.
func TestErrorTables(t *testing.T) {
	columns := []string{"mturk_cnndm.dev", "mturk_xsum.dev", "summeval.dev", "summedits.dev", "begin_wow.dev"}
	counts := map[string]map[string]int{} // by kind and cause, then by file
	seen := map[string]bool{}
	all := labelledErrors(t)
	for _, f := range all {
		file, _, _ := strings.Cut(f[0], ":")
		if seen[f[0]] {
			t.Errorf("%s stands there twice", f[0])
		}
		seen[f[0]] = true
		key := f[1] + " " + f[2]
		if counts[key] == nil {
			counts[key] = map[string]int{}
		}
		counts[key][file]++
	}
	if len(all) < 100 {
		t.Errorf("%d errors: too few to tell", len(all))
	}
	b, err := os.ReadFile(filepath.Join(errorDocs, "errors.md"))
	if err != nil {
		t.Fatal(err)
	}
	kind, found := "", 0
	for _, line := range strings.Split(string(b), "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if k, _, ok := strings.Cut(cells[0], ":"); ok && (k == "missed" || k == "false alarm") && len(cells) == 7 {
			kind = k
			continue
		}
		c := counts[kind+" "+cells[0]]
		if kind == "" || len(cells) != 7 || c == nil {
			continue
		}
		found++
		sum := 0
		for i, file := range columns {
			sum += c[file]
			if cells[i+1] != strconv.Itoa(c[file]) {
				t.Errorf("%s, %s: %s in the table, %d in errors.tsv", line, file, cells[i+1], c[file])
			}
		}
		if cells[6] != fmt.Sprint(sum) {
			t.Errorf("%s: the sum is %d", line, sum)
		}
	}
	if found != len(counts) {
		t.Errorf("%d causes in the tables, %d in errors.tsv", found, len(counts))
	}
}

// Every labelled row is one of the half that rules may be written on.
func TestErrorsAreOfTheFitHalf(t *testing.T) {
	dir := testData(t)
	half := map[string]bool{}
	for _, set := range groundingSets {
		rows, err := set.read(dir)
		if err != nil {
			t.Skip(err)
		}
		for _, r := range rows {
			half[r.id] = inHalf("fit", r.context)
		}
	}
	for _, f := range labelledErrors(t) {
		if fit, ok := half[f[0]]; !fit || !ok {
			t.Errorf("%s: fit half %v, known %v", f[0], fit, ok)
		}
	}
}

func TestErrorsRuns(t *testing.T) {
	if err := Errors.Run(t.Context(), io.Discard, t.TempDir(), nil); !errors.Is(err, ErrNoData) {
		t.Error(err)
	}
	if err := Errors.Run(t.Context(), io.Discard, t.TempDir(), []string{"-half", "both"}); err == nil {
		t.Error("-half both is no error")
	}
	dir := testData(t)
	var out bytes.Buffer
	if err := Errors.Run(t.Context(), &out, dir, []string{"-model", "lexical", "-limit", "12", "-sets", "qags-cnn"}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "of 12 rows judged wrongly") {
		t.Errorf("%s", out.String())
	}
}
