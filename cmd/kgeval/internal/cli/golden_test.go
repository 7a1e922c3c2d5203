package cli

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var update = flag.Bool("update", false, "write the goldens instead of comparing with them")

// golden compares got with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	got = figure.ReplaceAllString(folder.ReplaceAllString(got, "$1"), "$1#")
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test ./cmd/kgeval/internal/cli -update writes it anew)\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}

// What the goldens leave open: the folders of files, and figures that the
// library's own tests are about.
var (
	folder = regexp.MustCompile(`[^\s"]*[/\\]([a-z]+\.[a-z]+)`)
	figure = regexp.MustCompile(`\b(0\.)[0-9]+`)
)
