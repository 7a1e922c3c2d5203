package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/experiment"
	"github.com/kgeval/kgeval/grapheval"
)

// questions writes a data set of n rows and returns its folder.
func questions(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"q%d","question":"Who leads Kappa%d?","context":"Ann%d leads Kappa%d. Bob owns Delta.","gold":"Ann%d leads Kappa%d."}`+"\n", i, i, i, i, i, i)
	}
	put(t, dir, "qa.jsonl", b.String())
	return dir
}

func put(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const extractiveRun = `# the baseline alone
name: small
data: {path: qa.jsonl}
models:
  - name: base
    kind: extractive
    sentences: 1
`

func TestRunOfTheBaseline(t *testing.T) {
	dir := questions(t, 4)
	config := put(t, dir, "small.yaml", extractiveRun)
	got := kgevalRun(t, "", "run", config)
	if got.code != exitOK || !strings.Contains(got.stdout, "| base | 0 | 1.000 (1.000 to 1.000) |") {
		t.Fatalf("%+v", got)
	}
	log := filepath.Join(dir, "small.run.jsonl")
	r, err := experiment.Read(log)
	if err != nil || len(r.Records) != 4 || r.Header.Settings["scoring.nli"] != "literal/1" {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(log)
	if again := kgevalRun(t, "", "run", config, "--format", "csv"); again.code != exitOK || !strings.HasPrefix(again.stdout, "model,temperature,cus,cus_low,") {
		t.Errorf("%+v", again)
	}
	if after, _ := os.ReadFile(log); string(after) != string(before) {
		t.Error("a finished run was done again")
	}

	// Another configuration is refused by name; --restart begins anew.
	changed := put(t, dir, "small.yaml", strings.Replace(extractiveRun, "sentences: 1", "sentences: 2", 1))
	refused := kgevalRun(t, "", "run", changed)
	if refused.code != exitUsage || !strings.Contains(refused.stderr, "models.base was") || !strings.Contains(refused.stderr, "--restart") {
		t.Errorf("%+v", refused)
	}
	if anew := kgevalRun(t, "", "run", changed, "--restart"); anew.code != exitOK {
		t.Errorf("%+v", anew)
	}
	// JSON is the same as YAML.
	asJSON := put(t, dir, "small.json", `{"name":"small","data":{"path":"qa.jsonl"},"models":[{"name":"base","kind":"extractive","sentences":2}]}`)
	if same := kgevalRun(t, "", "run", asJSON, "--out", log, "--format", "none"); same.code != exitOK || same.stdout != "" {
		t.Errorf("%+v", same)
	}
}

func TestMistakesOfRun(t *testing.T) {
	dir := questions(t, 2)
	put(t, dir, "other.jsonl", "hello\n")
	good := put(t, dir, "good.yaml", extractiveRun)
	for _, c := range []struct{ name, config, args, want string }{
		{"no file", "", filepath.Join(dir, "none.yaml"), "none.yaml: no such file"},
		{"an unknown key", strings.Replace(extractiveRun, "sentences", "sentence", 1), "", `models[0].sentence: there is no such key; did you mean "sentences"?`},
		{"broken YAML", "data: [", "", "bad.yaml: "},
		{"a key twice", extractiveRun + "name: again\n", "", `"name" already defined`},
		{"no text for a key", extractiveRun + "1: 2\n", "", `1: there is no such key`},
		{"a list", "- a\n", "", "bad.yaml: "},
		{"a missing key of a service", "data: {path: qa.jsonl}\nmodels: [{name: m, kind: openai, model: x, key_env: KGEVAL_TEST_UNSET}]\n", "", "models[0].key_env: the environment variable KGEVAL_TEST_UNSET is not set"},
		{"no such data", strings.Replace(extractiveRun, "qa.jsonl", "qb.jsonl", 1), "", "qb.jsonl: no such file"},
		{"a form that is not known", "", good + " --format html", `--format must be markdown, csv or none, not "html"`},
		{"a log that is none", "", good + " --out " + filepath.Join(dir, "other.jsonl"), "no log of a run"},
		{"a restart over something else", "", good + " --restart --out " + filepath.Join(dir, "other.jsonl"), "choose another --out"},
		{"a folder that is not there", "", good + " --out " + filepath.Join(dir, "none", "x.jsonl"), "no such file or directory"},
		{"two files", "", good + " " + good, "kgeval run CONFIG"},
	} {
		args := strings.Fields("run " + c.args)
		if c.config != "" {
			args = append(args, put(t, dir, "bad.yaml", c.config))
		}
		got := kgevalRun(t, "", args...)
		if got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, c.want) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v\nwant %s", c.name, got, c.want)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "other.jsonl")); string(b) != "hello\n" {
		t.Error("a file that is no log was changed")
	}
}

// A folder that cannot be written to, even by root.
func TestRunIntoAReadOnlyFolder(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs a folder that even root cannot write to, which /proc is: run it on Linux")
	}
	config := put(t, questions(t, 1), "c.yaml", extractiveRun)
	got := kgevalRun(t, "", "run", config, "--out", "/proc/self/run.jsonl")
	if got.code != exitUsage || !strings.Contains(got.stderr, "/proc/self/run.jsonl") {
		t.Errorf("%+v", got)
	}
}

// answering is a server that answers every question with what a function says.
func answering(t *testing.T, say func(question string) (int, string)) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		status, body := say(string(b))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		if status != 200 {
			fmt.Fprintf(w, `{"error":{"message":%q}}`, body)
			return
		}
		text, _ := json.Marshal(body)
		fmt.Fprintf(w, `{"model":"served","choices":[{"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":50,"completion_tokens":10}}`, text)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestRunOfAModelWithinABudget(t *testing.T) {
	asked := 0
	url := answering(t, func(q string) (int, string) {
		asked++
		if !strings.Contains(q, `"temperature":0`) || !strings.Contains(q, `"max_tokens":20`) {
			return 400, "no temperature 0 or no bound in the request"
		}
		return 200, "Ann1 leads Kappa1."
	})
	dir := questions(t, 12)
	config := fmt.Sprintf("name: m\ndata: {path: qa.jsonl}\nmodels:\n- {name: m, kind: openai, url: %q, model: x, max_tokens: 20, price: {input: 10, output: 100}}\ntemperatures: [0]\n", url)
	name := put(t, dir, "m.yaml", config+"budget: {tokens: 700}\n")
	got := kgevalRun(t, "", "run", name)
	r, err := experiment.Read(filepath.Join(dir, "m.run.jsonl"))
	if err != nil {
		t.Fatal(got, err)
	}
	used := 0
	for _, x := range r.Records {
		used += x.Answer.Usage.Input + x.Answer.Usage.Output
		if x.Answer.Backend != "served" || x.Answer.Cost != (50*10+10*100)/1e6 {
			t.Errorf("%+v", x.Answer)
		}
	}
	if got.code != exitUnknown || used > 700 || used == 0 || used != 60*asked || !strings.Contains(got.stderr, "the budget of 700 tokens is nearly spent") ||
		!strings.Contains(got.stdout, "The run is not finished") {
		t.Errorf("%d used, %+v", used, got)
	}
	put(t, dir, "m.yaml", config)
	if got := kgevalRun(t, "", "run", name); got.code != exitOK || asked != 12 {
		t.Errorf("asked %d times, %+v", asked, got)
	}
}

func TestRunOfAnUnknownModel(t *testing.T) {
	asked := 0
	url := answering(t, func(string) (int, string) { asked++; return 404, "model 'x' not found" })
	dir := questions(t, 6)
	name := put(t, dir, "m.yaml", fmt.Sprintf("data: {path: qa.jsonl}\nmodels:\n- {name: m, kind: openai, url: %q, model: x}\n- {name: base, kind: extractive}\ntemperatures: [0]\n", url))
	got := kgevalRun(t, "", "run", name)
	if got.code != exitUnknown || asked != 1 || !strings.Contains(got.stderr, "model m: ") || !strings.Contains(got.stderr, "not found") || !strings.Contains(got.stdout, "| base | 0 |") {
		t.Errorf("asked %d times, %+v", asked, got)
	}
}

func TestDiff(t *testing.T) {
	dir := questions(t, 12)
	config := put(t, dir, "a.yaml", extractiveRun)
	if got := kgevalRun(t, "", "run", config, "--format", "none"); got.code != exitOK {
		t.Fatal(got)
	}
	// Another baseline says more than was asked.
	longer := put(t, dir, "b.yaml", strings.Replace(extractiveRun, "sentences: 1", "sentences: 2", 1))
	if got := kgevalRun(t, "", "run", longer, "--format", "none"); got.code != exitOK {
		t.Fatal(got)
	}
	a, b := filepath.Join(dir, "a.run.jsonl"), filepath.Join(dir, "b.run.jsonl")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{a + " " + a, exitOK, "| base | 0 | CUS | 1.000 | 1.000 | +0.000 (+0.000 to +0.000) | 12 | same |"},
		{a + " " + b, exitBad, "worse"},
		{b + " " + a, exitOK, "better"},
		{a + " " + b + " --bound 0.9", exitOK, "worse"},
		{a + " " + b + " --metric CtxSim", exitOK, "worse"},
		{a + " " + b + " --metric goldsim --format csv", exitBad, "base,0,GoldSim,1,"},
		{a + " " + b + " --rename base=base", exitBad, "* models.base:"},
	} {
		got := kgevalRun(t, "", strings.Fields("diff "+c.args)...)
		if got.code != c.code || !strings.Contains(got.stdout, c.want) {
			t.Errorf("%s: %+v, want %d and %s", c.args, got, c.code, c.want)
		}
	}
	for args, want := range map[string]string{
		a:                                      "kgeval diff OLD NEW",
		a + " none":                            "none: no such file",
		a + " " + b + " --bound 1":             "--bound must be",
		a + " " + b + " --metric F1":           "--metric must be",
		a + " " + b + " --rename x=y":          `has no model "x"; it has base`,
		a + " " + b + " --rename base=other":   "no scored answer in common",
		a + " " + filepath.Join(dir, "a.yaml"): "no log of a run",
		a + " " + b + " --level 2":             "--level must be",
	} {
		if got := kgevalRun(t, "", strings.Fields("diff "+args)...); got.code != exitUsage || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %+v, want %s", args, got, want)
		}
	}
}

const triageRows = `{"id":"good","context":"Ann leads Kappa. Bob owns Delta.","output":"Ann leads Kappa."}
{"id":"bad","context":"Ann leads Kappa. Bob owns Delta.","output":"Ann leads Omega."}
{"id":"silent","context":"Ann leads Kappa.","output":"I don't know."}
{"id":"unknown","context":"Ann leads Kappa.","output":"Ann leads broken."}
`

func TestTriageRanksWithReasons(t *testing.T) {
	dir := t.TempDir()
	name := put(t, dir, "answers.jsonl", triageRows)
	got := kgevalRun(t, "", "triage", name)
	var order []string
	for _, l := range strings.Split(got.stdout, "\n") {
		if f := strings.Fields(l); len(f) > 2 && strings.HasSuffix(f[0], ".") {
			order = append(order, f[1])
		}
	}
	if got.code != exitOK || strings.Join(order, " ") != "unknown bad silent good" && strings.Join(order, " ") != "unknown bad good silent" {
		t.Fatalf("%v %+v", order, got)
	}
	for _, want := range []string{"it could not be judged", "model out of order", `the sources say otherwise: "Ann leads Omega`, `against "Ann leads Kappa`, "it states nothing that can be checked"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%q is missing in\n%s", want, got.stdout)
		}
	}
	if top := kgevalRun(t, "", "triage", name, "--top", "1"); strings.Count(top.stdout, "need") != 1 {
		t.Errorf("%+v", top)
	}
	// Rows that cannot be checked are ranked first and make the exit code 3.
	put(t, dir, "answers.jsonl", triageRows+`{"id":"empty","context":" ","output":"x"}`+"\nbroken\n")
	if odd := kgevalRun(t, "", "triage", name); odd.code != exitUnknown || !strings.Contains(odd.stdout, "empty context") || !strings.Contains(odd.stderr, "answers.jsonl:6: not JSON") {
		t.Errorf("%+v", odd)
	}
	// A log's verdicts are taken as they are.
	folder := questions(t, 3)
	if run := kgevalRun(t, "", "run", put(t, folder, "r.yaml", extractiveRun), "--format", "none"); run.code != exitOK {
		t.Fatal(run)
	}
	if log := kgevalRun(t, "", "triage", filepath.Join(folder, "r.run.jsonl")); log.code != exitOK || !strings.Contains(log.stdout, "q0/base/0/0") {
		t.Errorf("%+v", log)
	}
}

// The way of labels: out into a table, filled in, and back as a threshold.
func TestLabelsGoOutAndComeBack(t *testing.T) {
	dir := t.TempDir()
	var rows strings.Builder
	for i := range 40 {
		output := fmt.Sprintf("Ann leads Kappa%d.", i)
		if i%2 == 1 {
			output = fmt.Sprintf("=Ann leads Omega%d.", i)
		}
		fmt.Fprintf(&rows, `{"id":"a%d","context":"Ann leads Kappa%d. Bob owns Delta.","output":%q}`+"\n", i, i, output)
	}
	table := filepath.Join(dir, "labels.csv")
	if got := kgevalRun(t, "", "triage", put(t, dir, "answers.jsonl", rows.String()), "--export", table); got.code != exitOK || got.stdout != "" {
		t.Fatalf("%+v", got)
	}
	b, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(string(b))).ReadAll()
	if err != nil || len(records) != 41 || strings.Join(records[0], ",") != strings.Join(labelColumns, ",") {
		t.Fatalf("%v %v", err, records[0])
	}
	if empty := kgevalRun(t, "", "calibrate", "check", table); empty.code != exitUsage || !strings.Contains(empty.stderr, `fill in the column "label"`) {
		t.Errorf("%+v", empty)
	}
	for i, r := range records[1:] {
		if strings.HasPrefix(r[7], "=") {
			t.Errorf("a spreadsheet would take %q for a formula", r[7])
		}
		if i%10 == 9 {
			continue // nobody looked at it
		}
		r[1] = "consistent"
		if strings.Contains(r[7], "Omega") {
			r[1] = "inconsistent"
		}
	}
	var filled strings.Builder
	csv.NewWriter(&filled).WriteAll(records)
	put(t, dir, "labels.csv", filled.String())
	plot, thresholds := filepath.Join(dir, "plot.svg"), filepath.Join(dir, "mine.json")
	got := kgevalRun(t, "", "calibrate", "check", table, "--svg", plot, "--out", thresholds)
	for _, want := range []string{"36 answers with a label, 18 of them inconsistent; 4 without. AUROC 1.000", "<- chosen", "On rows that it was not chosen on: balanced accuracy 1.000", "Reliability"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%q is missing in\n%s%s", want, got.stdout, got.stderr)
		}
	}
	if got.code != exitOK {
		t.Errorf("%+v", got)
	}
	svg, err := os.ReadFile(plot)
	if err != nil || !strings.HasPrefix(string(svg), "<svg ") || !strings.Contains(string(svg), "<circle ") {
		t.Errorf("%v %s", err, svg)
	}
	// The file is one that kgeval check takes, for this model.
	check := kgevalRun(t, "", "check", "--context-text", context1, "--output-text", "Ann leads Kappa.", "--calibration", thresholds)
	if check.code != exitOK {
		t.Errorf("%+v", check)
	}
	put(t, dir, "labels.csv", strings.Replace(filled.String(), ",inconsistent,inconsistent,", ",perhaps,inconsistent,", 1))
	if bad := kgevalRun(t, "", "calibrate", "check", table); bad.code != exitUsage || !strings.Contains(bad.stderr, `the label "perhaps" is not known`) {
		t.Errorf("%+v", bad)
	}
}

// Where a threshold is moved to, there the verdict turns.
func TestMovedCutoff(t *testing.T) {
	for _, model := range []string{"", "combined("} {
		c := grapheval.CalibrationFor(model)
		for _, at := range []float64{0, 0.01, 0.2, 0.5, 0.8, 0.999, 1} {
			for _, few := range []bool{false, true} {
				m := movedCutoff(c, at, few)
				if err := m.Validate(); err != nil {
					t.Errorf("%q at %v: %v", model, at, err)
				}
				// The probability of one claim with risk r, before and after.
				p := func(c grapheval.Calibration, r float64) float64 {
					x := c.Slope * (math.Log(r/(1-r)) - math.Log(c.Center/(1-c.Center)))
					return 1 / (1 + math.Exp(-x))
				}
				for r := 0.005; r < 1; r += 0.01 {
					if was, is := p(c, r) > at, p(m, r) > m.Balanced; was != is && math.Abs(p(c, r)-at) > 1e-5 {
						t.Errorf("%q at %v: risk %v was flagged %t and is %t", model, at, r, was, is)
					}
				}
			}
		}
	}
}
