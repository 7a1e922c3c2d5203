package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// docs/cli.md is what kgeval help says.
func TestDocsAreWhatHelpSays(t *testing.T) {
	var b strings.Builder
	b.WriteString("# The kgeval command\n\n" +
		"What `kgeval help` says, command by command (written by `go test ./cmd/kgeval/internal/cli -update`).\n" +
		"docs/rows.md describes the rows of `--jsonl` and `--json`.\n\n" +
		"```text\n" + kgevalRun(t, "", "help").stdout + "```\n")
	for _, name := range []string{"check", "correct", "compare", "extract", "run", "report", "diff", "triage", "embed", "nli", "calibrate embed", "calibrate nli", "calibrate check", "kernel", "model info", "model manifest", "model check", "bench", "version"} {
		b.WriteString("\n## kgeval " + name + "\n\n```text\n" + kgevalRun(t, "", append(strings.Fields(name), "--help")...).stdout + "```\n")
	}
	path := filepath.FromSlash("../../../../docs/cli.md")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != b.String() {
		t.Error("docs/cli.md is not what kgeval help says; go test ./cmd/kgeval/internal/cli -update writes it anew")
	}
}
