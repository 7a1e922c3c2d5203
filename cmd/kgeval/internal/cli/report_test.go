package cli

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/kg/openie"
	"github.com/kgeval/kgeval/s3kg"
)

// smallRun makes the log of a run of the baseline on three questions.
func smallRun(t *testing.T) string {
	t.Helper()
	extractor, err := openie.New(openie.Options{})
	if err != nil {
		t.Fatal(err)
	}
	scorer, err := s3kg.New(s3kg.Options{Embedder: hashed.New(), Extractor: extractor})
	if err != nil {
		t.Fatal(err)
	}
	baseline, err := experiment.NewExtractive(hashed.New(), 1)
	if err != nil {
		t.Fatal(err)
	}
	o := experiment.Options{
		Name: "towers", Temperatures: []float64{0}, Scoring: experiment.Scoring{Extractor: extractor, Scorer: scorer},
		Models: []experiment.Model{{Name: "baseline", Answerer: baseline, Once: true}},
	}
	for i, town := range []string{"Ardle", "Brome", "Corran"} {
		text := fmt.Sprintf("%s tower was built in 19%d2. It rains there.", town, i)
		o.Items = append(o.Items, experiment.Item{
			ID: "=" + town, Question: "When was " + town + " tower built?", Gold: text, Sources: []claim.Source{{ID: "s", Text: text}},
		})
	}
	log := filepath.Join(t.TempDir(), "run.jsonl")
	if _, err := experiment.Start(t.Context(), log, o); err != nil {
		t.Fatal(err)
	}
	return log
}

func TestReport(t *testing.T) {
	log := smallRun(t)
	folder := t.TempDir()
	page, table := filepath.Join(folder, "report.HTML"), filepath.Join(folder, "answers.csv")
	got := kgevalRun(t, "", "report", log, "-o", page, "-o", table)
	if got.code != exitOK || !strings.Contains(got.stdout, page+": ") || !strings.Contains(got.stdout, " kB\n") {
		t.Fatalf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if b, err := os.ReadFile(page); err != nil || !strings.Contains(string(b), "<title>towers – kgeval report</title>") {
		t.Errorf("no page: %v", err)
	}
	f, err := os.Open(table)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	got = kgevalRun(t, "", "report", log)
	if got.code != exitOK || !strings.HasPrefix(got.stdout, "# towers\n") || !strings.Contains(got.stdout, "| baseline | 0 |") {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}

	// A run that has not ended is reported as far as it is, and says so.
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	torn := file(t, "torn.jsonl", string(b[:len(b)-40]))
	got = kgevalRun(t, "", "report", torn, "-o", page)
	if got.code != exitUnknown || !strings.Contains(got.stderr, "The run has not ended: 1 of 3 answers are open.") {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

func TestMistakesOfReport(t *testing.T) {
	log := smallRun(t)
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	header := string(b[:strings.IndexByte(string(b), '\n')+1])
	for args, want := range map[string]string{
		"report":                                  "say which run: kgeval report RUN",
		"report " + log + " -o report.pdf":        `--out must end in .html, .md or .csv, which says what is written; "report.pdf" does not`,
		"report " + log + " --size 0":             "--size must be above 0",
		"report " + log + " --samples -1":         "must not be negative",
		"report " + file(t, "x.jsonl", "{}\n"):    "no log of a run",
		"report " + file(t, "y.jsonl", header):    "the run has no answer yet",
		"report nowhere.jsonl":                    "nowhere.jsonl",
		"report " + log + " -o no/such/folder.md": "cannot write no/such/folder.md",
	} {
		got := kgevalRun(t, "", strings.Fields(args)...)
		if got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d, %q, want %q\n%s", args, got.code, got.stderr, want, got.stdout)
		}
	}
}

func TestCheckPage(t *testing.T) {
	source := file(t, "source.txt", context1)
	page := filepath.Join(t.TempDir(), "check.html")
	args := []string{"check", "--context", source, "--output-text", badText + "<script>alert(1)</script>", "--html"}
	got := kgevalRun(t, "", append(args, page)...)
	if got.code != exitBad || !strings.Contains(got.stdout, "inconsistent") {
		t.Fatalf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	html := string(b)
	if !strings.HasPrefix(html, "<!DOCTYPE html>") || !strings.Contains(html, "<mark") || strings.Contains(html, "<script") {
		t.Errorf("got %s", html)
	}
	got = kgevalRun(t, "", append(args, "-")...)
	if got.code != exitBad || got.stdout != html {
		t.Errorf("--html - gives exit code %d and another page than a file", got.code)
	}
}

// A page that cannot be written is a mistake, and leaves nothing half written.
func TestPageThatCannotBeWritten(t *testing.T) {
	source := file(t, "source.txt", context1)
	folder := t.TempDir()
	for _, name := range []string{filepath.Join(folder, "no", "such.html"), folder} {
		got := kgevalRun(t, "", "check", "--context", source, "--output-text", badText, "--html", name)
		if got.code != exitUsage || !strings.Contains(got.stderr, "cannot write "+name) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("exit code %d, %q", got.code, got.stderr)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(folder), "."+filepath.Base(folder)+"-*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}
