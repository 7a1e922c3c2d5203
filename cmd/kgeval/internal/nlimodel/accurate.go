//go:build accurate

package nlimodel

import (
	"github.com/kgeval/kgeval/nli/builtin"
	"github.com/kgeval/kgeval/weights/accurate"
)

const withAccurate = true

func builtinAccurate(o builtin.Options) (*builtin.Model, error) {
	return builtin.Accurate(accurate.Files(), o)
}
