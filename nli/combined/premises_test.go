package combined

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/nli"
)

type neutral struct{}

func (neutral) ID() string { return "neutral" }

func (neutral) Classify(_ context.Context, pairs []nli.Pair) ([]nli.Probs, error) {
	out := make([]nli.Probs, len(pairs))
	for i := range out {
		out[i] = nli.Probs{Neutral: 1}
	}
	return out, nil
}

func TestPremisesAreKeptWithinBounds(t *testing.T) {
	var p premises
	get := func(text string) *nli.Premise {
		t.Helper()
		ready, err := p.get(neutral{}, text, nli.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return ready
	}
	first := get("first")
	for i := range maxPremises - 1 {
		get(fmt.Sprint("text ", i))
	}
	if get("first") != first {
		t.Error("a premise within the bounds was made again")
	}
	get("one more") // "text 0" was used longest ago
	if len(p.last) != maxPremises || get("first") != first {
		t.Errorf("%d premises, or not the last used", len(p.last))
	}
	large := strings.Repeat("x", maxPremiseBytes+1)
	if l := get(large); l != get(large) || len(p.last) != 1 {
		t.Errorf("a premise beyond the bound: %d kept", len(p.last))
	}
	if _, err := p.get(neutral{}, " ", nli.Options{}); err == nil {
		t.Error("a blank premise is no error")
	}
}
