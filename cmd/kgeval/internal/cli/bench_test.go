package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// Each benchmark that package bench declares can be run by name.
func TestEachBenchmarkIsListed(t *testing.T) {
	files, err := filepath.Glob("../bench/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	declared := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 && v.Names[0].IsExported() {
				if lit, ok := v.Values[0].(*ast.CompositeLit); ok {
					if id, ok := lit.Type.(*ast.Ident); ok && id.Name == "Bench" {
						declared++
					}
				}
			}
			return true
		})
	}
	if declared != len(benches) {
		t.Errorf("package bench declares %d benchmarks, and kgeval bench lists %d", declared, len(benches))
	}
	names := map[string]bool{}
	for _, b := range benches {
		if b.Name == "" || b.Short == "" || b.Run == nil || names[b.Name] {
			t.Errorf("benchmark %+v lacks a name of its own, a line, or a function", b)
		}
		names[b.Name] = true
	}
}

func TestBenchmarksWithoutData(t *testing.T) {
	none := t.TempDir()
	for _, b := range benches {
		if b.Name == "wl" || b.Name == "cost" || b.Name == "encoder" {
			continue // makes its own graphs; brings its own text; needs a peer
		}
		got := kgevalRun(t, "", "bench", "--data", none, b.Name)
		if got.code != exitUsage || !strings.Contains(got.stderr, "bench "+b.Name+" did not run: data set not found") || !strings.Contains(got.stderr, "KGEVAL_DATA") {
			t.Errorf("%s without data: %+v", b.Name, got)
		}
	}
}
