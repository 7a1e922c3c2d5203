package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// manyRows is an input with every kind of trouble; each line is one row unless
// it is blank.
var manyRows = strings.Join([]string{
	"\ufeff" + `{"id":"good","context":"Ann leads Kappa.","output":"Ann leads Kappa."}`,
	`{"id":7,"context":"Ann leads Kappa.","output":"Ann leads Omega."}` + "\r",
	``,
	`  ` + "\t",
	`{"context":["Ann leads Kappa.",{"id":"doc","text":"Bob owns Delta."}],"output":"Bob owns Delta."}`,
	`{"id":"cut","context":"Ann`,
	`not JSON at all`,
	`[1,2,3]`,
	`{"id":"no output","context":"Ann leads Kappa."}`,
	`{"id":"no context","output":"Ann leads Kappa."}`,
	`{"id":"empty context","context":"  ","output":"Ann leads Kappa."}`,
	`{"id":"empty list","context":[],"output":"Ann leads Kappa."}`,
	`{"id":"wrong type","context":"Ann leads Kappa.","output":5}`,
	`{"id":{"a":1},"context":"Ann leads Kappa.","output":"x"}`,
	"{\"id\":\"bytes\",\"context\":\"Ann leads Kappa.\",\"output\":\"\xff\"}",
	`{"id":"good","context":"Ann leads Kappa.","output":"Ann leads Kappa."}`,
	`{"id":"null question","question":null,"context":"Ann leads Kappa.","output":"","more":[1]}`,
	`{"id":"unknown","context":"Ann leads Kappa.","output":"Ann leads broken."}`,
	`{"id":"panic","context":"Ann leads Kappa.","output":"panic now please."}`,
	`{"id":"last","context":"Ann leads Kappa.","output":"Ann leads Kappa."}`,
}, "\n")

func rows(t *testing.T, s string) []map[string]any {
	t.Helper()
	var out []map[string]any
	for line := range strings.Lines(s) {
		var row map[string]any
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		out = append(out, row)
	}
	return out
}

func TestRowsOfEveryKind(t *testing.T) {
	got := kgevalRun(t, manyRows, "check", "--jsonl", "-", "--jobs", "8")
	if got.code != exitBad {
		t.Errorf("exit code %d: inconsistent wins over failed", got.code)
	}
	want := []struct {
		id      any
		line    int
		verdict string
		err     string
	}{
		{"good", 1, "consistent", ""},
		{7.0, 2, "inconsistent", ""},
		{"5", 5, "consistent", ""},
		{"6", 6, "unknown", "line 6: not JSON: unexpected end of JSON input"},
		{"7", 7, "unknown", "line 7: not JSON: invalid character"},
		{"8", 8, "unknown", "line 8: not a JSON object"},
		{"no output", 9, "unknown", `line 9: "output" is missing`},
		{"no context", 10, "unknown", `line 10: "context" is missing`},
		{"empty context", 11, "unknown", "line 11: empty context"},
		{"empty list", 12, "unknown", "line 12: empty context"},
		{"wrong type", 13, "unknown", `line 13: "output" is a JSON number and should be a string`},
		{"14", 14, "unknown", `line 14: "id" must be a string or a number`},
		{"15", 15, "unknown", "line 15: text is not UTF-8 at byte 53"},
		{"good", 16, "consistent", ""},
		{"null question", 17, "no claims", ""},
		{"unknown", 18, "unknown", ""},
		{"panic", 19, "unknown", "line 19: extractor three-words/1: panic: the extractor broke"},
		{"last", 20, "consistent", ""},
	}
	all := rows(t, got.stdout)
	if len(all) != len(want) {
		t.Fatalf("%d rows, want %d", len(all), len(want))
	}
	for i, w := range want {
		r := all[i]
		msg, _ := r["error"].(string)
		if r["id"] != w.id || r["line"] != float64(w.line) || r["verdict"] != w.verdict ||
			!strings.Contains(msg, w.err) || (w.err == "") != (r["error"] == nil) {
			t.Errorf("row %d: %v, want %+v", i+1, r, w)
		}
		if r["format"] != "kgeval.check" || r["version"] != 1.0 || r["claims"] == nil {
			t.Errorf("row %d lacks a field: %v", i+1, r)
		}
	}
	if !strings.Contains(got.stderr, "18 rows: 4 consistent, 1 inconsistent, 11 failed, 1 no claims, 1 unknown") {
		t.Errorf("summary: %q", got.stderr)
	}
}

func TestExitCodeOfManyRows(t *testing.T) {
	good := `{"context":"Ann leads Kappa.","output":"Ann leads Kappa."}` + "\n"
	bad := `{"context":"Ann leads Kappa.","output":"Ann leads Omega."}` + "\n"
	unknown := `{"context":"Ann leads Kappa.","output":"Ann leads broken."}` + "\n"
	for name, c := range map[string]struct {
		in   string
		want int
	}{
		"nothing":              {"", exitOK},
		"blank lines":          {"\n\n", exitOK},
		"all good":             {good + good, exitOK},
		"one bad":              {good + bad, exitBad},
		"one unknown":          {good + unknown, exitUnknown},
		"one broken":           {good + "{\n", exitUnknown},
		"bad wins over broken": {"{\n" + bad + unknown, exitBad},
	} {
		if got := kgevalRun(t, c.in, "check", "--jsonl", "-"); got.code != c.want {
			t.Errorf("%s: exit code %d, want %d: %s", name, got.code, c.want, got.stderr)
		}
	}
	pair := `{"a":"Ann leads Kappa.","b":"Eve sold Zeta."}` + "\n"
	if got := kgevalRun(t, pair, "compare", "--jsonl", "-"); got.code != exitOK {
		t.Errorf("compare without --min: %+v", got)
	}
	if got := kgevalRun(t, pair, "compare", "--jsonl", "-", "--min", "0.5"); got.code != exitBad {
		t.Errorf("compare with --min: %+v", got)
	}
}

// A run that was killed while it wrote its last row goes on at any byte, and
// the file is then that of a run that was never stopped.
func TestResumeAtEachByteOfTheLastRow(t *testing.T) {
	in := file(t, "in.jsonl", manyRows)
	out := filepath.Join(t.TempDir(), "out.jsonl")
	first := kgevalRun(t, "", "check", "--jsonl", in, "--out", out, "--jobs", "8")
	whole, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if first.stdout != "" {
		t.Errorf("standard output %q", first.stdout)
	}
	last := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	for cut := last; cut <= len(whole); cut++ {
		if err := os.WriteFile(out, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		got := kgevalRun(t, "", "check", "--jsonl", in, "--out", out, "--jobs", "3")
		if got.code != first.code {
			t.Fatalf("cut at %d: exit code %d: %s", cut, got.code, got.stderr)
		}
		if now, _ := os.ReadFile(out); !bytes.Equal(now, whole) {
			t.Fatalf("cut at %d: the file differs", cut)
		}
	}
}

func TestResumeRefusesWhatChanged(t *testing.T) {
	two := `{"id":1,"context":"Ann leads Kappa.","output":"Ann leads Kappa."}` + "\n" + `{"id":2,"context":"Ann leads Kappa.","output":"Ann leads Omega."}` + "\n"
	out := filepath.Join(t.TempDir(), "out.jsonl")
	if got := kgevalRun(t, "", "check", "--jsonl", file(t, "in.jsonl", two), "--out", out); got.code != exitBad {
		t.Fatal(got)
	}
	before, _ := os.ReadFile(out)
	other := file(t, "other.jsonl", strings.Replace(two, "Omega", "Sigma", 1))
	for name, args := range map[string][]string{
		"another input":   {"check", "--jsonl", other, "--out", out},
		"another flag":    {"check", "--jsonl", file(t, "in.jsonl", two), "--out", out, "--threshold", "0.4"},
		"another command": {"extract", "--jsonl", file(t, "in.jsonl", two), "--out", out},
	} {
		got := kgevalRun(t, "", args...)
		if got.code != exitUsage || strings.Count(got.stderr, "kgeval: ") != 1 {
			t.Errorf("%s: %+v", name, got)
		}
		if now, _ := os.ReadFile(out); !bytes.Equal(now, before) {
			t.Errorf("%s: the file was changed", name)
		}
	}
	// More rows are what is still to do, and --restart begins anew.
	more := file(t, "more.jsonl", two+two)
	if got := kgevalRun(t, "", "check", "--jsonl", more, "--out", out); got.code != exitBad || !strings.Contains(got.stderr, "2 rows are in") {
		t.Errorf("more rows: %+v", got)
	}
	if got := kgevalRun(t, "", "check", "--jsonl", other, "--out", out, "--restart", "--quiet"); got.code != exitBad || got.stderr != "" {
		t.Errorf("restart: %+v", got)
	}
	if now, _ := os.ReadFile(out); !bytes.Contains(now, []byte("Sigma")) || bytes.Count(now, []byte("\n")) != 2 {
		t.Errorf("restart left %s", now)
	}
}

func TestOrderIsKept(t *testing.T) {
	var in strings.Builder
	for i := range 300 {
		fmt.Fprintf(&in, `{"id":%d,"text":%q}`+"\n", i, strings.Repeat("Ann leads Kappa. ", 1+(i*37)%50))
	}
	one := kgevalRun(t, in.String(), "extract", "--jsonl", "-", "--jobs", "1")
	eight := kgevalRun(t, in.String(), "extract", "--jsonl", "-", "--jobs", "8")
	if one.stdout != eight.stdout || one.code != exitOK {
		t.Error("--jobs changes the rows")
	}
	for i, r := range rows(t, eight.stdout) {
		if r["id"] != float64(i) {
			t.Fatalf("row %d has id %v", i, r["id"])
		}
	}
}

func TestLineOfTenMegabytes(t *testing.T) {
	long := strings.Repeat("lorem ipsum dolor sit ", 10<<20/22)
	in := fmt.Sprintf("{\"id\":\"long\",\"text\":%q}\n{\"id\":\"next\",\"text\":\"Ann leads Kappa.\"}\n", long)
	got := kgevalRun(t, in, "extract", "--jsonl", "-")
	if got.code != exitOK || !strings.Contains(got.stdout, `"id":"next"`) || strings.Count(got.stdout, "\n") != 2 {
		t.Errorf("exit code %d, %d bytes: %s", got.code, len(got.stdout), got.stderr)
	}
}

func TestRepairOfRows(t *testing.T) {
	in := "{\"id\":\"a\xff\",\"context\":\"Ann leads \xfeKappa.\",\"output\":\"Ann leads \xfdKappa.\"}\n"
	got := kgevalRun(t, in, "check", "--jsonl", "-", "--repair")
	if got.code != exitOK || !utf8.ValidString(got.stdout) {
		t.Errorf("%+v", got)
	}
}

// Ctrl-C ends a run at once, even while it waits for input; what is done stays.
func TestInterrupt(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.jsonl")
	ctx, cancel := context.WithCancel(t.Context())
	stdin, input := io.Pipe()
	defer input.Close()
	go func() {
		fmt.Fprintln(input, `{"context":"Ann leads Kappa.","output":"Ann leads Kappa."}`)
		for {
			if b, _ := os.ReadFile(out); bytes.HasSuffix(b, []byte("\n")) {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var stdout, stderr bytes.Buffer
	code := run(ctx, newParts(fakeParts), []string{"check", "--jsonl", "-", "--out", out}, stdin, &stdout, &stderr)
	if code != exitInterrupted || !strings.HasSuffix(stderr.String(), "kgeval: interrupted\n") {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	if b, _ := os.ReadFile(out); bytes.Count(b, []byte("\n")) != 1 {
		t.Errorf("kept %q", b)
	}
	// A single item is interrupted too.
	if got := kgevalWith(t, ctx, "", "check", "--context-text", context1, "--output-text", context1); got.code != exitInterrupted {
		t.Errorf("single item: %+v", got)
	}
}

func TestCompareRows(t *testing.T) {
	in := strings.Join([]string{
		`{"id":"texts","a":"Ann leads Kappa.","b":"Ann leads Kappa."}`,
		`{"id":"triples","a":[["Ann","leads","Kappa"]],"b":[{"head":"Ann","relation":"leads","tail":"Kappa"}]}`,
		`{"id":"reversed","a":[["Ann","sued","Bob"]],"b":[["Bob","sued","Ann"]]}`,
		`{"id":"empty","a":[],"b":[]}`,
		`{"id":"mixed","a":"Ann leads Kappa.","b":[["Ann","leads","Kappa"]]}`,
		`{"id":"half","a":"Ann leads Kappa."}`,
		`{"id":"short","a":[["Ann","leads"]],"b":[]}`,
		`{"id":"number","a":1,"b":2}`,
	}, "\n")
	got := kgevalRun(t, in, "compare", "--jsonl", "-")
	if got.code != exitUnknown {
		t.Errorf("exit code %d", got.code)
	}
	all := rows(t, got.stdout)
	for i, want := range []struct {
		score any
		flag  string
		err   string
	}{
		{1.0, "", ""},
		{1.0, "", ""},
		{nil, "", ""},
		{1.0, "degenerate", ""},
		{nil, "", "must both be texts or both be lists of triples"},
		{nil, "", `"b" is missing`},
		{nil, "", `"a"`},
		{nil, "", `"a" must be a text or a list of triples`},
	} {
		r := all[i]
		msg, _ := r["error"].(string)
		if !strings.Contains(msg, want.err) || (want.err == "") != (r["error"] == nil) {
			t.Errorf("%v: error %q, want %q", r["id"], msg, want.err)
		}
		if want.score != nil && r["score"] != want.score || want.err != "" && r["score"] != nil {
			t.Errorf("%v: score %v", r["id"], r["score"])
		}
		if want.flag != "" && fmt.Sprint(r["flags"]) != "["+want.flag+"]" {
			t.Errorf("%v: flags %v", r["id"], r["flags"])
		}
	}
	if s := all[2]["score"].(float64); s >= 0.7 {
		t.Errorf("reversed: score %v", s)
	}
}

func TestKernelRows(t *testing.T) {
	in := strings.Join([]string{
		`{"id":"k","neighbours":"both","edge_labels":false,"iterations":3,"a":{"nodes":["x","y"],"edges":[[0,1]]},"b":{"nodes":["y","z"],"edges":[[0,1]]}}`,
		`{"iterations":1,"a":{"nodes":["x"],"edges":[[0,5]]},"b":{"nodes":[],"edges":[]}}`,
	}, "\n")
	got := kgevalRun(t, in, "kernel", "--jsonl", "-")
	all := rows(t, got.stdout)
	if got.code != exitUnknown || len(all) != 2 {
		t.Fatalf("%+v", got)
	}
	if fmt.Sprint(all[0]["gram"]) != "[[8 1] [1 8]]" || all[0]["normalised"] != 0.125 {
		t.Errorf("kernel row %v", all[0])
	}
	if msg, _ := all[1]["error"].(string); !strings.HasPrefix(msg, "line 2: ") || all[1]["gram"] != nil {
		t.Errorf("broken row %v", all[1])
	}
}

func TestCorrectRows(t *testing.T) {
	in := `{"id":"c","context":"Ann leads Kappa.","output":"So: Ann leads Omega."}` + "\n" +
		`{"id":"d","context":"Ann leads Kappa.","output":"Ann leads Omega."}` + "\n"
	got := kgevalRun(t, in, "correct", "--jsonl", "-")
	all := rows(t, got.stdout)
	if all[1]["text"] != "Ann leads Kappa." || all[1]["verdict"] != "consistent" {
		t.Errorf("row %v", all[1])
	}
	if edits := all[1]["edits"].([]any); fmt.Sprint(edits[0].(map[string]any)["span"]) != "[10 15]" {
		t.Errorf("edits %v", edits)
	}
}
