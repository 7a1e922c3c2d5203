package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/hugot"
)

// The built-in models as ONNX folders find the wrong year.
func TestRealModels(t *testing.T) {
	dir := os.Getenv("KGEVAL_ONNX_MODELS")
	if dir == "" {
		t.Skip("set KGEVAL_ONNX_MODELS to the folder that `bash .ci/onnx-models` prints to turn it on")
	}
	var out strings.Builder
	if err := run(context.Background(), &out, filepath.Join(dir, "embedder"), filepath.Join(dir, "nli")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"hugot/1:embedder@", "hugot/1:nli@", "1989", "1998"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, &out)
		}
	}
}

func TestNoFolder(t *testing.T) {
	if err := run(context.Background(), &strings.Builder{}, t.TempDir()+"/none", ""); !errors.Is(err, hugot.ErrFolder) {
		t.Errorf("%v, want one that wraps ErrFolder", err)
	}
}
