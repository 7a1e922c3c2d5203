package hashed_test

import (
	"testing"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kgtest/conform"
)

func TestConform(t *testing.T) {
	conform.Embedder(t, func() embed.Embedder { return hashed.New() })
}
