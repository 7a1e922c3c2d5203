package kgeval_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what is generated in README instead of comparing with it")

// blocks returns the fenced blocks of a Markdown file in the given language.
func blocks(t *testing.T, name, language string) []string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, part := range strings.Split("\n"+string(b), "\n```") {
		if body, ok := strings.CutPrefix(part, language+"\n"); ok && i%2 == 1 {
			out = append(out, body)
		}
	}
	return out
}

// dedent returns the lines of code without indentation and blank lines, so that
// a snippet is found wherever it stands.
func dedent(code string) string {
	var lines []string
	for line := range strings.Lines(code) {
		if s := strings.TrimSpace(line); s != "" {
			lines = append(lines, s)
		}
	}
	return "\n" + strings.Join(lines, "\n") + "\n"
}

// Go code in README and docs stands in a file that is compiled and tested.
func TestSnippetsAreCompiled(t *testing.T) {
	var compiled []string
	for _, pattern := range []string{"example_test.go", "examples/*/*.go", "dataset/*_test.go", "kgtest/*.go", "llm/example_test.go", "llm/cassette/*_test.go", "embed/openai/example_test.go", "calibrate/example_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			compiled = append(compiled, dedent(string(b)))
		}
	}
	found := 0
	for _, doc := range []string{"README.md", "docs/extending.md", "docs/concepts.md", "docs/llm.md", "docs/experiments.md", "docs/datasets.md", "docs/extract-llm.md", "docs/embed-http.md", "docs/calibrate.md"} {
	block:
		for _, code := range blocks(t, doc, "go") {
			found++
			for _, file := range compiled {
				if strings.Contains(file, dedent(code)) {
					continue block
				}
			}
			t.Errorf("%s: no compiled file holds this snippet:\n%s", doc, code)
		}
	}
	if found < 6 {
		t.Errorf("found only %d snippets", found)
	}
}

// The picture in README is what the quickstart prints.
func TestReadmeShowsTheQuickstart(t *testing.T) {
	const begin, end = "<!-- go run ./examples/quickstart -->\n```text\n", "```\n<!-- end -->"
	output, err := os.ReadFile("examples/quickstart/testdata/output.txt")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(readme), begin)
	shown, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("README.md has no block between %q and %q", begin, end)
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(before+begin+string(output)+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if shown != string(output) {
		t.Error("README.md shows another output; go test . -update writes it anew")
	}
}

// Each relative link of README and docs leads to a file.
func TestLinksLeadSomewhere(t *testing.T) {
	docs, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range append(docs, "README.md", "CONTRIBUTING.md") {
		b, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(b), "](")[1:] {
			target, _, _ := strings.Cut(part, ")")
			target, _, _ = strings.Cut(target, "#")
			if target == "" || strings.Contains(target, "://") || strings.Contains(target, " ") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(doc), filepath.FromSlash(target))); err != nil {
				t.Errorf("%s links to %s, which is not there", doc, target)
			}
		}
	}
}

// docs/results.md lists the measured tables by their titles.
func TestResultsAreIndexed(t *testing.T) {
	const begin = "<!-- docs/results/*.md -->\n"
	index, err := os.ReadFile("docs/results.md")
	if err != nil {
		t.Fatal(err)
	}
	before, listed, ok := strings.Cut(string(index), begin)
	if !ok {
		t.Fatalf("docs/results.md has no line %q", begin)
	}
	tables, err := filepath.Glob("docs/results/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, name := range tables {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		title, _, _ := strings.Cut(string(b), "\n")
		want.WriteString("* [" + strings.TrimLeft(title, "# ") + "](results/" + filepath.Base(name) + ")\n")
	}
	if *update {
		if err := os.WriteFile("docs/results.md", []byte(before+begin+want.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if listed != want.String() {
		t.Error("docs/results.md lists other tables than docs/results has; go test . -update writes it anew")
	}
}
