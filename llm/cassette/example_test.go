package cassette_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/cassette"
	"github.com/kgeval/kgeval/llm/llmtest"
)

// The one line of docs/llm.md, in a test of its own.
func TestOneLine(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	var client llm.Model = llmtest.Script(llmtest.Say("Noor."))
	for _, mode := range []string{"record", "replay"} {
		t.Run(mode, func(t *testing.T) {
			t.Setenv(cassette.Env, mode)
			m := cassette.ForTest(t, "testdata/team.json", client)
			r, err := m.Generate(t.Context(), ask("Who leads Team Red?"))
			if err != nil || r.Text != "Noor." {
				t.Errorf("%q, %v", r.Text, err)
			}
		})
	}
	if files, _ := filepath.Glob("testdata/*"); len(files) != 1 {
		t.Errorf("left behind: %q", files)
	}
}
