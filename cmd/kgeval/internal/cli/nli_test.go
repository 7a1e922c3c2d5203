package cli

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNLIRows(t *testing.T) {
	in := strings.Join([]string{
		`{"id":7,"premise":"Ann leads Kappa.","hypothesis":"Ann leads Kappa."}`,
		`{"premise":"Ann leads Kappa.","hypothesis":"Ann leads Omega."}`,
		`{"id":"h","premise":"Ann leads Kappa."}`,
		`{"id":"p","premise":3,"hypothesis":"x"}`,
		`{"id":"e","premise":" ","hypothesis":"Ann leads Kappa."}`,
		`{"id":"b","premise":"Ann leads Kappa.","hypothesis":"Ann is broken."}`,
		"{\"premise\":\"bad\xff\",\"hypothesis\":\"x\"}",
	}, "\n")
	got := kgevalRun(t, in, "nli", "--jsonl", "-", "--model", "lexical")
	if got.code != exitUnknown {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
	all := rows(t, got.stdout)
	if len(all) != 7 {
		t.Fatalf("%d rows", len(all))
	}
	for i, want := range []struct {
		id   any
		most string
		err  string
	}{
		{7.0, "entailment", ""},
		{"2", "", ""},
		{"h", "", `line 3: "hypothesis" is missing`},
		{"p", "", `line 4: "premise" is a JSON number and should be a string`},
		{"e", "", "line 5: empty premise"},
		{"b", "", ""},
		{"7", "", "line 7: text is not UTF-8"},
	} {
		r := all[i]
		msg, _ := r["error"].(string)
		if r["format"] != "kgeval.nli" || r["id"] != want.id || (msg == "") != (want.err == "") || !strings.HasPrefix(msg, want.err) {
			t.Errorf("row %d: id %v, error %q, want %q", i+1, r["id"], msg, want.err)
		}
		sum := 0.0
		for _, k := range []string{"entailment", "neutral", "contradiction"} {
			p, ok := r[k].(float64)
			if ok != (want.err == "") {
				t.Errorf("row %d: %s is %v", i+1, k, r[k])
			}
			sum += p
		}
		if want.err == "" && math.Abs(sum-1) > 1e-6 {
			t.Errorf("row %d: probabilities sum to %v", i+1, sum)
		}
		if want.most != "" && r[want.most].(float64) < 0.5 {
			t.Errorf("row %d: %v", i+1, r)
		}
	}
	// The parts' own model fails on "broken".
	got = kgevalRun(t, in, "nli", "--jsonl", "-")
	if r := rows(t, got.stdout)[5]; r["error"] == nil {
		t.Errorf("the default is not the model of the parts: %v", r)
	}
}

func TestNLIRefusesWhatIsNoModel(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.kgw")
	if err := os.WriteFile(bad, []byte("these are no weights at all"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--model", bad}, "not a valid weights file"},
		{[]string{"--model", bad + "x"}, "no such file"},
		{nil, "say which pairs"},
		{[]string{"pairs.jsonl"}, "name the file with --jsonl"},
	} {
		args := append([]string{"nli"}, c.args...)
		if len(c.args) > 1 {
			args = append(args, "--jsonl", "-")
		}
		got := kgevalRun(t, "", args...)
		if got.code != exitUsage || !strings.Contains(got.stderr, c.want) {
			t.Errorf("%v: exit code %d, %q, want %q", args, got.code, got.stderr, c.want)
		}
	}
}
