package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	context1 = "Ann leads Kappa. Bob owns Delta."
	badText  = "Ann leads Omega. Bob owns Delta. Cid likes tea."
)

// file writes a file and returns its name.
func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestExitCodes(t *testing.T) {
	source := file(t, "source.txt", context1)
	for _, c := range []struct {
		name  string
		stdin string
		args  string
		want  int
	}{
		{"consistent", "Bob owns Delta.", "check --output - --context " + source, exitOK},
		{"nothing to check", "I don't know.", "check --output - --context " + source, exitOK},
		{"empty output", "", "check --output - --context " + source, exitOK},
		{"inconsistent", badText, "check --output - --context " + source, exitBad},
		{"a claim that could not be judged", "Bob owns broken.", "check --output - --context " + source, exitUnknown},
		{"empty context", context1, "check --context-text= --output -", exitUsage},
		{"blank context", context1, "check --context - --output-text x", exitOK},
		{"corrected", "Ann leads Omega.", "correct --output - --context " + source, exitOK},
		{"not all corrected", badText, "correct --output - --context " + source, exitBad},
		{"alike", context1, "compare --min 0.9 - " + source, exitOK},
		{"not alike", "Eve sold Zeta.", "compare --min 0.9 - " + source, exitBad},
		{"no minimum", "Eve sold Zeta.", "compare - " + source, exitOK},
		{"extracted", context1, "extract -", exitOK},
		{"help", "", "help", exitOK},
		{"help for a command", "", "check --help", exitOK},
		{"list of benchmarks", "", "bench", exitOK},
		{"version", "", "version", exitOK},
		{"no command", "", "", exitOK},
	} {
		if c.name == "blank context" {
			c.stdin, c.want = " \n\t ", exitUsage
		}
		got := kgevalRun(t, c.stdin, strings.Fields(c.args)...)
		if got.code != c.want {
			t.Errorf("%s: exit code %d, want %d\n%s%s", c.name, got.code, c.want, got.stdout, got.stderr)
		}
	}
}

// A mistake gives one line that says what was wrong and what to do, exit code
// 2, and nothing on standard output.
func TestMistakes(t *testing.T) {
	source := file(t, "source.txt", context1)
	latin := file(t, "latin1.txt", "caf\xe9")
	for args, want := range map[string]string{
		"chekc":                           `there is no command "chekc"; see kgeval help`,
		"check --contxt x":                "unknown flag: --contxt; see kgeval check --help",
		"check":                           "say which context to check against: --context FILE or --context-text TEXT",
		"check stray.txt":                 `takes no argument "stray.txt"; name the files with --context and --output`,
		"check --context " + source:       "say what the model wrote: --output FILE or --output-text TEXT",
		"check --context none --output -": "--context: open none: no such file",
		"check --context - --output -":    "both --context and --output would read standard input",
		"check --context-text x --output-text y --output z":                                                            "--output and --output-text were both given",
		"check --context-text x --context y --output-text y":                                                           "--context and --context-text were both given",
		"check --context-text x --output " + latin:                                                                     "not UTF-8 at byte 3; save it as UTF-8, or repair it with --repair",
		"check --context-text x --output-text y --threshold 0":                                                         "--threshold must be above 0 and below 1, not 0",
		"check --context-text x --output-text y --threshold NaN":                                                       "--threshold must be above 0 and below 1",
		"check --context-text x --output-text y --method magic":                                                        `--method must be facts, paper, sentences or output, not "magic"`,
		"check --context-text x --output-text y --offsets inch":                                                        "must be byte, rune or utf16",
		"check --context-text x --output-text y --max-pairs -1":                                                        "--max-pairs and --max-time must not be negative",
		"check --context-text x --output-text y --max-time -1s":                                                        "--max-pairs and --max-time must not be negative",
		"check --context-text x --output-text y --max-time 10":                                                         `invalid argument "10" for "--max-time"`,
		"check --context-text x --output-text y --model magic":                                                         `--model: "magic" is neither a model nor a file`,
		"correct --context-text x --output-text y --model accurate":                                                    "-tags accurate",
		"check --context-text x --output-text y --model lexical --llm-judge --llm http://localhost:1/v1 --llm-model m": "--model and --llm-judge both say who judges",
		"check --context-text x --output-text y --out z":                                                               "--out needs --jsonl",
		"check --jsonl x --output-text y":                                                                              "--output-text gives one item and --jsonl many",
		"check --jsonl x --jobs 0":                                                                                     "--jobs must be at least 1, not 0",
		"check --jsonl x --restart":                                                                                    "--restart needs --out",
		"check --jsonl none.jsonl":                                                                                     "--jsonl: open none.jsonl: no such file",
		"check --jsonl " + t.TempDir():                                                                                 "is a folder, not a file",
		"check --jsonl " + source + " --out " + source:                                                                 "--out and --jsonl are the same file",
		"check --jsonl " + source + " --out " + t.TempDir() + "/a/b":                                                   "--out: open",
		"compare " + source:                                                                                            "say what to compare: two files",
		"compare a b c":                                                                                                "accepts at most 2 arg(s)",
		"compare --min 0 a b":                                                                                          "--min must be above 0 and at most 1, not 0",
		"compare --min 1.5 a b":                                                                                        "--min must be above 0 and at most 1, not 1.5",
		"compare --mode best a b":                                                                                      `--mode must be f1 or cover, not "best"`,
		"compare --triples " + source + " " + source:                                                                   "line 1",
		"compare --triples --a-text x " + source:                                                                       "--triples is for files",
		"extract":                                                                                                      "say which text: a file, - for standard input, --text TEXT",
		"extract --text x " + source:                                                                                   "--text and the file",
		"extract --text x --format xml":                                                                                `no format "xml"`,
		"kernel":                                                                                                       "say which pairs of graphs: --jsonl FILE",
		"embed":                                                                                                        "say which texts: --jsonl FILE",
		"model info all":                                                                                               `takes no argument "all"`,
		"bench nothing":                                                                                                `there is no benchmark "nothing"; kgeval bench lists them`,
		"version now":                                                                                                  `takes no argument "now"`,
	} {
		got := kgevalRun(t, "", strings.Fields(args)...)
		if got.code != exitUsage || got.stdout != "" {
			t.Errorf("%s: exit code %d, standard output %q", args, got.code, got.stdout)
		}
		if !strings.Contains(got.stderr, want) || !strings.HasPrefix(got.stderr, "kgeval: ") || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s:\ngot  %q\nwant one line with %q", args, got.stderr, want)
		}
	}
}

func TestCheckView(t *testing.T) {
	got := kgevalRun(t, badText, "check", "--context", file(t, "a.txt", context1), "--output", "-")
	golden(t, "check.txt", got.stdout)
	if strings.Contains(got.stdout, "\x1b") {
		t.Error("colour without a terminal")
	}
}

func TestViews(t *testing.T) {
	source, answer := file(t, "a.txt", context1), file(t, "b.txt", badText)
	for name, args := range map[string][]string{
		"check.json":           {"check", "--context", source, "--output", answer, "--json"},
		"correct.txt":          {"correct", "--context", source, "--output", answer},
		"correct.json":         {"correct", "--context", source, "--output", answer, "--json"},
		"correct-remove.txt":   {"correct", "--context", source, "--output", answer, "--remove", "--text"},
		"compare.txt":          {"compare", source, answer},
		"compare.json":         {"compare", source, answer, "--json", "--mode", "cover"},
		"extract.txt":          {"extract", "--dropped", source, file(t, "c.txt", "Too short.")},
		"extract.json":         {"extract", answer, "--json"},
		"extract.csv":          {"extract", answer, "--format", "csv"},
		"extract.dot":          {"extract", answer, "--format", "dot"},
		"extract.nt":           {"extract", answer, "--format", "nt"},
		"extract-python.txt":   {"extract", answer, "--format", "python"},
		"check-no-claims.txt":  {"check", "--context", source, "--output-text", "I don't know."},
		"check-conflict.txt":   {"check", "--context", source, "--context", file(t, "z.txt", "Ann leads Omega."), "--output-text", "Ann leads Omega."},
		"check-unknown.txt":    {"check", "--context", source, "--output-text", "Bob owns broken."},
		"compare-fallback.txt": {"compare", source, "--b-text", "Too short."},
	} {
		got := kgevalRun(t, "", args...)
		golden(t, name, got.stdout+got.stderr)
		again := kgevalRun(t, "", args...)
		if again.stdout != got.stdout {
			t.Errorf("%s: the same input gave other bytes", name)
		}
	}
}

// What a hostile text holds must not reach the terminal as it is.
func TestViewsAreHarmless(t *testing.T) {
	evil := "Ann leads \x1b[2J\x07Omega.\u202e Bob owns \x00."
	for _, args := range [][]string{
		{"check", "--context-text", context1 + evil, "--output-text", evil},
		{"correct", "--context-text", context1 + evil, "--output-text", evil},
		{"compare", "--a-text", evil, "--b-text", evil},
		{"extract", "--text", evil, "--dropped"},
	} {
		got := kgevalRun(t, "", args...)
		if strings.ContainsAny(got.stdout, "\x1b\x07\x00\u202e") {
			t.Errorf("%s let control characters through: %q", args[0], got.stdout)
		}
	}
}

func TestOffsets(t *testing.T) {
	// 𝄞 is one rune, two UTF-16 units and four bytes; é one, one and two.
	text := "𝄞é leads Kappa. Ann leads Omega."
	for unit, want := range map[string]string{
		"byte": `"spans":[[20,36]]`, "rune": `"spans":[[16,32]]`, "utf16": `"spans":[[17,33]]`,
	} {
		got := kgevalRun(t, "", "check", "--json", "--offsets", unit, "--context-text", "𝄞é leads Kappa. Ann leads Kappa.", "--output-text", text)
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%s: no %s in %s", unit, want, got.stdout)
		}
	}
}

// What a bound leaves unjudged is unknown, with the reason, and never supported.
func TestBounds(t *testing.T) {
	text := "Ann leads Kappa. Bob owns Delta."
	for _, bound := range []string{"--max-pairs=1", "--max-time=1ns"} {
		got := kgevalRun(t, "", "check", "--json", bound, "--context-text", text, "--output-text", text)
		if got.code != exitUnknown || !strings.Contains(got.stdout, `"verdict":"unknown"`) || !strings.Contains(got.stdout, `"error":"not judged: the `) {
			t.Errorf("%s: %+v", bound, got)
		}
	}
}

// The model that --model names judges in place of the default one, and what a claim
// fails by is in the row.
func TestModelOfACheck(t *testing.T) {
	for model, want := range map[string]int{"": exitBad, "lexical": exitOK} { // the fake knows no other word order
		args := []string{"check", "--json", "--context-text", "Kappa is led by Ann.", "--output-text", "Ann leads Kappa."}
		if model != "" {
			args = append(args, "--model", model)
		}
		if got := kgevalRun(t, "", args...); got.code != want {
			t.Errorf("model %q: %+v", model, got)
		}
	}
	got := kgevalRun(t, "", "check", "--json", "--model", "lexical", "--context-text", "The Kappa mill sold 40 boats in May.", "--output-text", "Mill sold 50 boats.")
	if !strings.Contains(got.stdout, `"faults":[{"span":[10,12],"kind":"number"`) {
		t.Errorf("no fault at the wrong number: %s", got.stdout)
	}
}

func TestRepair(t *testing.T) {
	got := kgevalRun(t, "Bob owns \xff\xfeDelta.", "check", "--repair", "--json", "--context-text", "Bob owns \ufffdDelta.", "--output", "-")
	if got.code != exitOK || !strings.Contains(got.stdout, "Bob owns \ufffdDelta.") {
		t.Errorf("%+v", got)
	}
}

func TestTextOnly(t *testing.T) {
	got := kgevalRun(t, "Ann leads Omega.", "correct", "--text", "--context-text", context1, "--output", "-")
	if got.stdout != "Ann leads Kappa." {
		t.Errorf("got %q: the corrected text and nothing else", got.stdout)
	}
}

func TestTriplesFromFiles(t *testing.T) {
	json := file(t, "a.json", `[["Ann","leads","Kappa"]]`)
	for _, other := range []string{
		file(t, "b.py", `[('Ann', 'leads', 'Kappa')]`),
		file(t, "b.csv", "head,relation,tail\nAnn,leads,Kappa\n"),
		file(t, "b.jsonl", `{"head":"Ann","relation":"leads","tail":"Kappa"}`),
	} {
		got := kgevalRun(t, "", "compare", "--triples", "--json", json, other)
		if got.code != exitOK || !strings.Contains(got.stdout, `"score":1,`) {
			t.Errorf("%s: %+v", filepath.Ext(other), got)
		}
	}
}
