package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// Whatever a line holds, it gives one row that is JSON, has the format's
// fields, and is the same the next time.
func FuzzRows(f *testing.F) {
	f.Add("check", `{"id":1,"context":["Ann leads Kappa.",{"text":"x"}],"output":"Ann leads Omega.","question":"Who?"}`)
	f.Add("correct", `{"context":"Ann leads Kappa.","output":"Ann leads Omega. Ann leads Omega."}`)
	f.Add("compare", `{"a":[["Ann","leads","Kappa"]],"b":[{"head":"x","relation":"y","tail":"z"}]}`)
	f.Add("compare", `{"a":"Ann leads Kappa.","b":""}`)
	f.Add("extract", `{"text":"Ann leads \ud800 Kappa."}`)
	f.Add("embed", `{"id":1,"text":"Ann leads Kappa."}`)
	f.Add("kernel", `{"a":{"nodes":["x"],"edges":[[0,0,"r"]]},"b":{"nodes":[],"edges":[]},"iterations":2,"neighbours":"out","edge_labels":true}`)
	f.Fuzz(func(t *testing.T, command, line string) {
		switch command {
		case "check", "correct", "compare", "extract", "embed", "nli", "kernel":
		default:
			command = "check"
		}
		line = strings.ReplaceAll(line, "\n", " ")
		got := kgevalRun(t, line, command, "--jsonl", "-", "--jobs", "1", "--quiet")
		if strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")) == "" {
			if got.stdout != "" || got.code != exitOK {
				t.Errorf("a blank line gave %+v", got)
			}
			return
		}
		var row map[string]any
		if err := json.Unmarshal([]byte(got.stdout), &row); err != nil || strings.Count(got.stdout, "\n") != 1 {
			t.Fatalf("%v: %q gave %q, %s", err, line, got.stdout, got.stderr)
		}
		if _, ok := row["error"]; !ok || row["format"] != "kgeval."+command || row["line"] != 1.0 {
			t.Errorf("%q gave %s", line, got.stdout)
		}
		if msg, _ := row["error"].(string); strings.Contains(msg, "internal error") && !strings.Contains(line, "panic") {
			t.Errorf("%q made something panic: %s", line, msg)
		}
		if again := kgevalRun(t, line, command, "--jsonl", "-", "--jobs", "2", "--quiet"); again != got {
			t.Errorf("%q gave other bytes the next time", line)
		}
	})
}
