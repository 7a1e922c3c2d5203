package nlp

import "testing"

func TestVerbForm(t *testing.T) {
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][5]string{ // base, VBZ, VBD, VBN, VBG
		{"carry", "carries", "carried", "carried", "carrying"},
		{"stop", "stops", "stopped", "stopped", "stopping"},
		{"lower", "lowers", "lowered", "lowered", "lowering"},
		{"write", "writes", "wrote", "written", "writing"},
		{"lose", "loses", "lost", "lost", "losing"},
		{"lie", "lies", "lay", "lain", "lying"},
		{"agree", "agrees", "agreed", "agreed", "agreeing"},
		{"pass", "passes", "passed", "passed", "passing"},
		{"be", "is", "was", "been", "being"},
	} {
		for i, tag := range []string{"VB", "VBZ", "VBD", "VBN", "VBG"} {
			if got := a.VerbForm(c[0], tag); got != c[i] {
				t.Errorf("%s as %s: got %q", c[0], tag, got)
			}
		}
	}
	if got := a.VerbForm("", "VBG"); got != "" {
		t.Errorf("of nothing: %q", got)
	}
	if got := a.VerbForm("é", "VBG") + a.VerbForm("x", "VBD"); got != "éingxed" {
		t.Errorf("got %q", got)
	}
}

func TestCanBeVerb(t *testing.T) {
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]bool{
		"run": true, "runs": true, "Running": true, "went": true, "is": true, "offers": true,
		"stadium": false, "zoo": false, "the": false, "": false, "qwrtz": false,
	} {
		if got := a.CanBeVerb(word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}
