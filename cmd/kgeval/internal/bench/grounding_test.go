package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/metrics"
)

// The interval is of whole groups: with one group there is nothing to vary.
func TestIntervalResamplesGroups(t *testing.T) {
	var points []metrics.Point
	for i := range 40 {
		points = append(points, metrics.Point{Score: float64(i%7) / 7, Positive: i%3 == 0, Group: "one document"})
	}
	text := interval(t.Context(), points, 100, 1, 1, "%.3f", metrics.AUROC)
	v, low, _ := strings.Cut(text, " ")
	if low != "["+v+", "+v+"]" {
		t.Errorf("got %s", text)
	}
	if again := interval(t.Context(), points, 100, 1, 1, "%.3f", metrics.AUROC); again != text {
		t.Errorf("%s, then %s", text, again)
	}
}

func TestHalvesAreDisjoint(t *testing.T) {
	for _, d := range []string{"", "a", "b", "some document", "another document"} {
		if inHalf("fit", d) == inHalf("report", d) || !inHalf("all", d) {
			t.Errorf("%q", d)
		}
	}
}

func TestOverlap(t *testing.T) {
	got := overlaps("The boat is old.", []string{"The boat sank.", "Is the boat old?", "!"})
	if len(got) != 3 || math.Abs(got[0]-2.0/3) > 1e-12 || got[1] != 1 || got[2] != 1 {
		t.Errorf("got %g", got)
	}
}

func TestGroundingWithoutData(t *testing.T) {
	for _, b := range []Bench{Grounding, NLI} {
		var out bytes.Buffer
		if err := b.Run(context.Background(), &out, t.TempDir(), nil); !errors.Is(err, ErrNoData) {
			t.Errorf("%s: %v", b.Name, err)
		}
		if err := b.Run(context.Background(), &out, t.TempDir(), []string{"-half", "both"}); err == nil {
			t.Errorf("%s: -half both is no error", b.Name)
		}
	}
}

func TestGroundingRuns(t *testing.T) {
	dir := testData(t)
	for _, b := range []Bench{Grounding, NLI} {
		var one, two bytes.Buffer
		args := []string{"-limit", "4", "-bootstrap", "20"}
		if b.Name == "grounding" {
			args = append(args, "-model", "lexical")
		}
		for _, out := range []*bytes.Buffer{&one, &two} {
			if err := b.Run(context.Background(), out, dir, args); err != nil {
				t.Fatal(err)
			}
		}
		a, _, _ := strings.Cut(one.String(), "## Time") // which differs from run to run
		c, _, _ := strings.Cut(two.String(), "## Time")
		if a != c || strings.Count(a, "\n|") < 10 {
			t.Errorf("%s: two runs, or too few rows:\n%s", b.Name, one.String())
		}
	}
}

// groundingFiles writes small files in forms that the user may have.
func groundingFiles(t *testing.T) (own, rag string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, lines ...string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	var lines []string
	for i, output := range []string{"The mill has 12 rooms.", "The mill has 15 rooms.", "Ida sold the mill.", "Ida burned the mill.", "The mill is old."} {
		label := []string{"consistent", "inconsistent"}[i%2]
		lines = append(lines, fmt.Sprintf(`{"context":"Ida sold the old mill. It has 12 rooms.","output":%q,"label":%q}`, output, label))
	}
	own = write("own.jsonl", lines...)
	write("source_info.jsonl", `{"source_id":"s1","task_type":"Summary","source":"x","source_info":"Ida sold the old mill. It has 12 rooms.","prompt":"Sum up."}`)
	rag = write("response.jsonl",
		`{"id":"1","source_id":"s1","model":"m","labels":[{"start":13,"end":15,"text":"15","label_type":"Evident Conflict"}],"split":"train","quality":"good","response":"The mill has 15 rooms."}`,
		`{"id":"2","source_id":"s1","model":"m","labels":[],"split":"train","quality":"good","response":"Ida sold the mill."}`)
	return own, rag
}

// Files of the user are sets like the others, with the kinds of errors that they
// name.
func TestGroundingFiles(t *testing.T) {
	own, rag := groundingFiles(t)
	var out bytes.Buffer
	err := Grounding.Run(t.Context(), &out, t.TempDir(), []string{"-model", "lexical", "-bootstrap", "10", "-file", "jsonl=" + own, "-file", "ragtruth=" + rag})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| jsonl, own | 5 (1), 3 | kgeval/lexical-2 | default |", "| ragtruth, response | 2 (1), 1 |", "| Evident Conflict | 1 | 100% |", "QAGS-CNN was skipped"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for _, bad := range []string{"own.jsonl", "nosuch=x", "jsonl=" + filepath.Join(t.TempDir(), "missing.jsonl"), "medquad=" + own} {
		if err := Grounding.Run(t.Context(), io.Discard, t.TempDir(), []string{"-model", "lexical", "-file", bad}); err == nil {
			t.Errorf("-file %s is no error", bad)
		}
	}
}

// A run that was ended goes on where it was: nothing is judged twice, and the tables
// are those of a run in one piece.
func TestGroundingGoesOn(t *testing.T) {
	own, _ := groundingFiles(t)
	data := t.TempDir()
	journal := filepath.Join(t.TempDir(), "journal.jsonl")
	run := func(args ...string) string {
		t.Helper()
		var out bytes.Buffer
		args = append([]string{"-model", "lexical", "-bootstrap", "10", "-file", "jsonl=" + own}, args...)
		if err := Grounding.Run(t.Context(), &out, data, args); err != nil {
			t.Fatal(err)
		}
		text, _, _ := strings.Cut(out.String(), "## Time")
		return text
	}
	want := run()
	if got := run("-journal", journal, "-for", "1ns"); strings.Contains(got, "| jsonl, own |") || !strings.Contains(got, "25 of the results are not there yet") {
		t.Errorf("a run without time has\n%s", got)
	}
	run("-journal", journal, "-methods", "raw,paper")
	kept, err := os.ReadFile(journal)
	if err != nil || bytes.Count(kept, []byte("\n")) != 10 {
		t.Fatalf("%d results, %v", bytes.Count(kept, []byte("\n")), err)
	}
	// As a kill leaves it: a line that is not whole.
	if err := os.WriteFile(journal, append(kept, `{"way":"kge`...), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := run("-journal", journal); got != want {
		t.Errorf("in pieces:\n%s\nin one:\n%s", got, want)
	}
	all, err := os.ReadFile(journal)
	if err != nil || !bytes.HasPrefix(all, kept) || bytes.Count(all, []byte("\n")) != 25 {
		t.Errorf("%d results, %v", bytes.Count(all, []byte("\n")), err)
	}
	if got := run("-journal", journal, "-table"); got != want {
		t.Errorf("of the journal alone:\n%s", got)
	}
	if err := os.WriteFile(journal, []byte("no journal\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Grounding.Run(t.Context(), io.Discard, t.TempDir(), []string{"-model", "lexical", "-file", "jsonl=" + own, "-journal", journal}); err == nil {
		t.Error("a file that is no journal is no error")
	}
}

// The measures on rows whose values can be told by hand.
func TestGroundingMeasures(t *testing.T) {
	row := func(consistent bool, p float64) judged {
		o := claim.Consistent
		if p > 0.5 {
			o = claim.Inconsistent
		}
		return judged{set: "a", row: groundingRow{consistent: consistent}, score: groundingScore{P: p, Outcome: o}}
	}
	rows := []judged{row(true, 0.1), row(true, 0.6), row(true, 0.2), row(true, 0.3), row(false, 0.9), row(false, 0.4)}
	if x, ok := balanced(rows, judged.flagged); !ok || math.Abs(x-(0.75+0.5)/2) > 1e-12 {
		t.Errorf("balanced accuracy %v", x)
	}
	if _, ok := balanced(rows[:4], judged.flagged); ok {
		t.Error("balanced accuracy of one class")
	}
	if x, _ := recallAt(rows, 0.05); x != 0.5 {
		t.Errorf("recall at 5%%: %v", x)
	}
	if x, _ := recallAt(rows, 0.25); x != 1 {
		t.Errorf("recall at 25%%: %v", x)
	}
	// Bins: .1, .2, .3 with no error, .4 with one, .6 with none, .9 with one.
	if x, _ := calibrationError(rows); math.Abs(x-(0.1+0.2+0.3+0.6+0.6+0.1)/6) > 1e-12 {
		t.Errorf("calibration error %v", x)
	}
	if x, _ := acrossSets(append(rows, judged{set: "b", row: groundingRow{consistent: true}}, judged{set: "b", score: groundingScore{Outcome: claim.Inconsistent}}), judged.flagged); math.Abs(x-(6*0.625+2*1)/8) > 1e-12 {
		t.Errorf("mean over sets %v", x)
	}
	unknown := judged{score: groundingScore{P: 1, Outcome: claim.OutcomeUnknown}}
	if !unknown.flagged() {
		t.Error("what could not be judged passes")
	}
}
