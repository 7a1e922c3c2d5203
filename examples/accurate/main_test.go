package main

import (
	"context"
	"strings"
	"testing"
)

// What the letter does not say is flagged, and the report says which model judged.
func TestTheWrongFactIsFound(t *testing.T) {
	var out strings.Builder
	if err := run(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "kgeval/nli-accurate-1/") {
		t.Errorf("another model judged:\n%s", &out)
	}
	if !strings.Contains(out.String(), "unsupported: Tom was killed in the war.") && !strings.Contains(out.String(), "contradicted: Tom was killed in the war.") {
		t.Errorf("what the letter does not say is not flagged:\n%s", &out)
	}
}
