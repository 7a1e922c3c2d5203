// Package nlimodel turns what a user names on the command line into an entailment
// model.
package nlimodel

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nli/builtin"
	"github.com/kgeval/kgeval/nli/combined"
	"github.com/kgeval/kgeval/nli/lexical"
)

// Help says what Open takes, for help texts.
const Help = "combined (rules and network together, the default), lexical (rules), builtin (the network), accurate and builtin-accurate (the same with the larger network, in a command built with -tags accurate), or a weights file (several: with commas)"

// errNoWeights says that the command was built without the larger network, whose
// weights nobody should have to fetch unasked.
var errNoWeights = errors.New("this command has no accurate weights: build it with them, go install -tags accurate github.com/kgeval/kgeval/cmd/kgeval@latest, or name a weights file")

// Open returns the model that name names: see Help. Options are for networks.
func Open(name string, o builtin.Options) (nli.Model, error) {
	switch name {
	case "lexical":
		return lexical.New()
	case "combined":
		return withRules(builtin.New(o))
	case "builtin":
		return builtin.New(o)
	case "accurate":
		return withRules(builtinAccurate(o))
	case "builtin-accurate":
		return builtinAccurate(o)
	case "":
		return nil, fmt.Errorf("no model is named: %s", Help)
	}
	m, err := builtin.Load(files{}, strings.Split(name, ","), o)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, `/\.,`) {
		return nil, fmt.Errorf("%q is neither a model nor a file; the models are %s", name, Help)
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	return m, nil
}

// withRules is the combination of a network with the rules.
func withRules(network *builtin.Model, err error) (nli.Model, error) {
	if err != nil {
		return nil, err
	}
	rules, err := lexical.New()
	if err != nil {
		return nil, err
	}
	return combined.New(network, rules, combined.Options{})
}

// Work returns what a network read since it was opened, also one that is asked
// beside the rules; false for a model that has none.
func Work(m nli.Model) (builtin.Work, bool) {
	if c, ok := m.(*combined.Model); ok {
		m = c.Trained()
	}
	b, ok := m.(*builtin.Model)
	if !ok {
		return builtin.Work{}, false
	}
	return b.Work(), true
}

// files opens what the user names, wherever it is.
type files struct{}

func (files) Open(name string) (fs.File, error) { return os.Open(name) }
