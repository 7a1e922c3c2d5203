package builtin_test

import (
	"testing"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/builtin"
	"github.com/kgeval/kgeval/kgtest/conform"
)

func TestConform(t *testing.T) {
	conform.Embedder(t, func() embed.Embedder { return builtin.New(builtin.Options{}) })
}
