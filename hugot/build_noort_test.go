//go:build !cgo || (!ORT && !ALL)

package hugot

import (
	"context"
	"errors"
	"testing"
)

// ofBuild are what this build has.
var ofBuild = []Backend{Go}

func testOptions(Backend) Options { return Options{} }

func TestORTIsNotInThisBuild(t *testing.T) {
	_, err := LoadEmbedder(context.Background(), tinyEncoder().write(t), EmbedderOptions{Options: Options{Backend: ORT}})
	if !errors.Is(err, ErrBackend) {
		t.Errorf("%v, want one that wraps ErrBackend", err)
	}
}
