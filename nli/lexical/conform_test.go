package lexical_test

import (
	"testing"

	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/lexical"
)

func TestConform(t *testing.T) {
	conform.NLI(t, func() nli.Model {
		m, err := lexical.New()
		if err != nil {
			t.Fatal(err)
		}
		return m
	})
}
