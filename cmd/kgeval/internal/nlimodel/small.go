//go:build !accurate

package nlimodel

import "github.com/kgeval/kgeval/nli/builtin"

const withAccurate = false

func builtinAccurate(builtin.Options) (*builtin.Model, error) { return nil, errNoWeights }
