package builtin

import (
	"sync"

	"github.com/kgeval/kgeval/weights"
)

// builtIn are the built-in weights, loaded at most once. Nothing changes them.
var builtIn = sync.OnceValues(func() (*network, error) {
	return load([]string{weights.Words(), weights.Entailment()})
})

// New returns the model with the built-in weights, which load when the first pair
// comes, once a process (docs/results/nli.md says how long that takes). It fails
// only for an Options.Budget that the model cannot read.
func New(o Options) (*Model, error) {
	headers, _, err := open([]string{weights.Words(), weights.Entailment()})
	if err != nil {
		return nil, err
	}
	return build(headers, o, builtIn)
}
