package bench

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPythonStrings(t *testing.T) {
	for in, want := range map[string][]string{
		`[]`:                              nil,
		`['a', "b's", 'c\'d\n']`:          {"a", "b's", "c'd "},
		`["one, 'two'", 'x\\y']`:          {"one, 'two'", `x\y`},
		`['cut`:                           nil,
		`['cut]`:                          nil,
		`[1, 2]`:                          nil,
		``:                                nil,
		`['\u00e4 is left as it is', '']`: {`u00e4 is left as it is`, ""},
	} {
		if got := pythonStrings(in); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func FuzzPythonStrings(f *testing.F) {
	f.Add(`['a', "b's"]`)
	f.Add(`["\`)
	f.Fuzz(func(t *testing.T, s string) {
		for _, x := range pythonStrings(s) {
			if len(x) > len(s) {
				t.Errorf("%q gives %q", s, x)
			}
		}
	})
}

func TestOwnPairs(t *testing.T) {
	for _, c := range []struct{ line, fault string }{
		{`{"id":"1","a":"Ana left.","b":"Ana went.","same":true}`, ""},
		{`{"graph_a":[["Ana","left","Rome"]],"graph_b":[],"same":false}`, ""},
		{`{"a":"Ana left.","b":"Ana went."}`, `no "same"`},
		{`{"a":"Ana left.","b":" ","same":true}`, "neither two texts"},
		{`{"graph_a":[["Ana","left","Rome"]],"same":true}`, "neither two texts"},
		{`{"graph_a":"Ana","graph_b":[],"same":true}`, "cannot unmarshal"},
	} {
		p, err := readOwnPair(c.line)
		switch {
		case c.fault == "" && err != nil, c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%s: %v", c.line, err)
		case err == nil && (p.ga == nil) != strings.Contains(c.line, `"a"`):
			t.Errorf("%s: %+v", c.line, p)
		}
	}
}

// Sets without data are named, and do not end the run; pairs that were measured are not
// measured again.
func TestSimilarityResumes(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "similarity"), 0o755); err != nil {
		t.Fatal(err)
	}
	rows := `{"graph_a":[["Ana","left","Rome"],["Bo","saw","Cleo"]],"graph_b":[["Ana","left","Rome"],["Bo","saw","Cleo"]],"same":true}
{"graph_a":[["Ana","left","Rome"]],"graph_b":[["Ana","left","Oslo"]],"same":false}
`
	if err := os.WriteFile(filepath.Join(dir, "similarity", "findkg.jsonl"), []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	log, table := filepath.Join(dir, "log.jsonl"), filepath.Join(dir, "table.csv")
	run := func() string {
		t.Helper()
		var b bytes.Buffer
		args := []string{"--sets", "findkg,globi", "--half", "all", "--samples", "0", "--log", log, "--csv", table}
		if err := runSimilarity(t.Context(), &b, dir, args); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	first := run()
	if !strings.Contains(first, "GloBI\n\nNot run: data set not found") || !strings.Contains(first, "| S3KG, alpha 0.5 | 1.000 |") {
		t.Error(first)
	}
	kept, err := os.ReadFile(log)
	if err != nil || bytes.Count(kept, []byte("\n")) != 2 {
		t.Fatalf("%s, %v", kept, err)
	}
	// As after a crash: the last line was cut.
	if err := os.WriteFile(log, kept[:len(kept)-20], 0o644); err != nil {
		t.Fatal(err)
	}
	if again := run(); again != first {
		t.Errorf("resumed:\n%s\nfirst:\n%s", again, first)
	}
	if now, err := os.ReadFile(log); err != nil || !bytes.Equal(now, kept) {
		t.Errorf("the log is\n%s\nwas\n%s\n%v", now, kept, err)
	}
	if csv, err := os.ReadFile(table); err != nil || bytes.Count(csv, []byte("\n")) != 18 {
		t.Errorf("%s, %v", csv, err)
	}
	if err := os.WriteFile(log, []byte("no record\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := runSimilarity(t.Context(), &bytes.Buffer{}, dir, []string{"--sets", "findkg", "--log", log}); err == nil || !strings.Contains(err.Error(), "log.jsonl:1") {
		t.Errorf("a file that is no log: %v", err)
	}
	if err := runSimilarity(t.Context(), &bytes.Buffer{}, dir, []string{"--sets", "nosuch"}); err == nil || errors.Is(err, ErrNoData) {
		t.Errorf("an unknown set: %v", err)
	}
}
