package combined

import (
	"slices"
	"sync"

	"github.com/kgeval/kgeval/nli"
)

// premises keeps the windows of the last premises: the claims of an output come
// one by one and ask about the same sources.
type premises struct {
	mu   sync.Mutex
	last []keptPremise // the last used at the end
}

type keptPremise struct {
	text  string
	ready *nli.Premise
}

// Bounds of what is kept: windows and their index take a few times the text.
const (
	maxPremises     = 16
	maxPremiseBytes = 4 << 20
)

// get returns the premise ready for o, which is the same in each call.
func (p *premises) get(m nli.Model, text string, o nli.Options) (*nli.Premise, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, k := range p.last {
		if k.text == text {
			p.last = append(slices.Delete(p.last, i, i+1), k)
			return k.ready, nil
		}
	}
	ready, err := nli.NewPremise(m, text, o)
	if err != nil {
		return nil, err
	}
	p.last = append(p.last, keptPremise{text, ready})
	bytes := 0
	for i := len(p.last) - 1; i >= 0; i-- {
		if bytes += len(p.last[i].text); i < len(p.last)-1 && (bytes > maxPremiseBytes || len(p.last)-i > maxPremises) {
			p.last = slices.Delete(p.last, 0, i+1)
			break
		}
	}
	return ready, nil
}
