package main

import (
	"strings"
	"testing"
	"time"
)

func TestEvaluate(t *testing.T) {
	begun := time.Now()
	var b strings.Builder
	if err := evaluate(t.Context(), &b, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	for _, want := range []string{
		" of 24 answers scored. Going on.", "| one sentence | 0 |", "| three sentences | 0 |", "| memory | 0 |",
		"From one sentence to memory:", "To be looked at first:",
		// What memory gets wrong against its context.
		", memory (",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if strings.Contains(out, "not finished") {
		t.Errorf("the run did not go on to its end:\n%s", out)
	}
	if d := time.Since(begun); d > time.Minute {
		t.Logf("it took %v, which should be under a minute on an idle machine", d)
	}
}
