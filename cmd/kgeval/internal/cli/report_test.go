package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckPage(t *testing.T) {
	source := file(t, "source.txt", context1)
	page := filepath.Join(t.TempDir(), "check.html")
	args := []string{"check", "--context", source, "--output-text", badText + "<script>alert(1)</script>", "--html"}
	got := kgevalRun(t, "", append(args, page)...)
	if got.code != exitBad || !strings.Contains(got.stdout, "inconsistent") {
		t.Fatalf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	html := string(b)
	if !strings.HasPrefix(html, "<!DOCTYPE html>") || !strings.Contains(html, "<mark") || strings.Contains(html, "<script") {
		t.Errorf("got %s", html)
	}
	got = kgevalRun(t, "", append(args, "-")...)
	if got.code != exitBad || got.stdout != html {
		t.Errorf("--html - gives exit code %d and another page than a file", got.code)
	}
}

// A page that cannot be written is a mistake, and leaves nothing half written.
func TestPageThatCannotBeWritten(t *testing.T) {
	source := file(t, "source.txt", context1)
	folder := t.TempDir()
	for _, name := range []string{filepath.Join(folder, "no", "such.html"), folder} {
		got := kgevalRun(t, "", "check", "--context", source, "--output-text", badText, "--html", name)
		if got.code != exitUsage || !strings.Contains(got.stderr, "cannot write "+name) || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("exit code %d, %q", got.code, got.stderr)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(folder), "."+filepath.Base(folder)+"-*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}
