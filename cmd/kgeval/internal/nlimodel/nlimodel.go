// Package nlimodel turns what a user names on the command line into an entailment
// model.
package nlimodel

import (
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
const Help = "combined (rules and network together, the default), lexical (rules), builtin (the network), accurate (the larger one), or a weights file (several: with commas)"

// Open returns the model that name names: see Help. Options are for networks.
func Open(name string, o builtin.Options) (nli.Model, error) {
	switch name {
	case "lexical":
		return lexical.New()
	case "combined":
		rules, err := lexical.New()
		if err != nil {
			return nil, err
		}
		network, err := builtin.New(o)
		if err != nil {
			return nil, err
		}
		return combined.New(network, rules, combined.Options{})
	case "builtin":
		return builtin.New(o)
	case "accurate":
		return nil, fmt.Errorf("this build has no accurate weights; name a weights file")
	case "":
		return nil, fmt.Errorf("no model is named: %s", Help)
	}
	m, err := builtin.Load(files{}, strings.Split(name, ","), o)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	return m, nil
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
