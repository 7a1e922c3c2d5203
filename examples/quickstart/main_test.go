package main

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden instead of comparing with it")

// The golden is also the picture in README (see docs_test.go in the root).
func TestOutput(t *testing.T) {
	const golden = "testdata/output.txt"
	var b strings.Builder
	if err := run(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

// What the quickstart is there to show, whatever the wording.
func TestPromises(t *testing.T) {
	var b strings.Builder
	if err := run(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	check, rest, _ := strings.Cut(b.String(), "2. What should it have said?")
	correction, similarity, _ := strings.Cut(rest, "3. How alike")
	for _, want := range []string{"inconsistent", "450 metres", "412", "Oskar Brandt", "Tomas Lind", "prize"} {
		if !strings.Contains(check, want) {
			t.Errorf("the check does not speak of %q:\n%s", want, check)
		}
	}
	text := strings.Join(strings.Fields(correction), " ")
	for _, want := range []string{
		"opened in 1932 by Mayor Ruth Ellison. It is 412 metres long and carries two lanes of traffic over the River Tarn.",
		"designed by the engineer Tomas Lind.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the corrected text lacks %q:\n%s", want, correction)
		}
	}
	var scores []string
	for line := range strings.Lines(similarity) {
		if f := strings.Fields(line); len(f) > 1 && strings.Contains(f[0], ".") && f[0] < "2" {
			scores = append(scores, f[0])
		}
	}
	if len(scores) != 2 || scores[0] < "0.90" || scores[1] > "0.60" {
		t.Errorf("a paraphrase must score high and a reversed relation clearly lower: %v", scores)
	}
}
