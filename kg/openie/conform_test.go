package openie_test

import (
	"testing"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/openie"
	"github.com/kgeval/kgeval/kgtest/conform"
)

func TestConform(t *testing.T) {
	conform.Extractor(t, func() kg.Extractor {
		x, err := openie.New(openie.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return x
	})
}
