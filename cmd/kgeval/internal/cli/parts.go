package cli

import (
	"fmt"
	"sync"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/grapheval"
	"github.com/kgeval/kgeval/s3kg"
)

// parts loads the library's parts when the first command needs them, so that
// help and mistakes in flags cost nothing.
type parts struct {
	load func() (kgeval.Parts, error)
	// thresholds are those of --calibration, in place of the models' own.
	thresholds thresholds
}

func newParts(load func() (kgeval.Parts, error)) *parts {
	return &parts{load: sync.OnceValues(func() (kgeval.Parts, error) {
		p, err := load()
		if err != nil {
			return p, fmt.Errorf("the parts did not load: %w", err)
		}
		return p, nil
	})}
}

func (p *parts) checker(o grapheval.Options) (*grapheval.Checker, error) {
	all, err := p.load()
	if err != nil {
		return nil, err
	}
	if o, err = p.thresholds.checking(o, all.NLI, all.Extractor); err != nil {
		return nil, err
	}
	return all.Checker(o)
}

func (p *parts) corrector(o grapheval.Options, c graphcorrect.Options) (*graphcorrect.Corrector, error) {
	all, err := p.load()
	if err != nil {
		return nil, err
	}
	if o, err = p.thresholds.checking(o, all.NLI, all.Extractor); err != nil {
		return nil, err
	}
	return all.Corrector(o, c)
}

func (p *parts) scorer(form s3kg.Form) (*s3kg.Scorer, error) {
	all, err := p.load()
	if err != nil {
		return nil, err
	}
	e, err := p.thresholds.matching(all.Embedder)
	if err != nil {
		return nil, err
	}
	return all.Scorer(s3kg.Options{Form: form, Embedder: e})
}
