package nlimodel

import (
	"errors"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/nli/builtin"
)

// Every name that Help gives is a model with an ID of its own, or says how to get
// it.
func TestNames(t *testing.T) {
	for name, id := range map[string]string{
		"lexical":          "kgeval/lexical-",
		"builtin":          "kgeval/nli-small-",
		"combined":         "kgeval/combined-2(kgeval/nli-small-",
		"builtin-accurate": "kgeval/nli-accurate-",
		"accurate":         "kgeval/combined-2(kgeval/nli-accurate-",
	} {
		if !strings.Contains(Help, name) {
			t.Errorf("Help does not name %q", name)
		}
		m, err := Open(name, builtin.Options{})
		if !withAccurate && strings.Contains(name, "accurate") {
			if !errors.Is(err, errNoWeights) || !strings.Contains(err.Error(), "-tags accurate") {
				t.Errorf("%s: %v, want how to get the weights", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !strings.HasPrefix(m.ID(), id) {
			t.Errorf("%s is %s, want %s…", name, m.ID(), id)
		}
	}
}

// What is neither a name nor a file is an error that says which was meant.
func TestUnknownNames(t *testing.T) {
	if _, err := Open("", builtin.Options{}); err == nil || !strings.Contains(err.Error(), "lexical") {
		t.Errorf("no name: %v, want the list of names", err)
	}
	if _, err := Open("acurate", builtin.Options{}); err == nil || !strings.Contains(err.Error(), `"acurate" is neither`) {
		t.Errorf("a name with a typing error: %v, want it named", err)
	}
}
