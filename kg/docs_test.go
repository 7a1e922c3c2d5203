package kg

import (
	"os"
	"regexp"
	"testing"
)

// docs/formats.md shows for each format what Encode writes.
func TestDocumentedFormats(t *testing.T) {
	md, err := os.ReadFile("../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	g := NewGraph(Triple{"D'Arcy's Café", "opened in", "1998"}, Triple{`C:\tmp`, "is", `a "path"`})
	order := []Format{JSON, JSONL, Python, CSV, NTriples, DOT}
	blocks := regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```$").FindAllStringSubmatch(string(md), -1)
	if len(blocks) != len(order) {
		t.Fatalf("%d examples, want %d", len(blocks), len(order))
	}
	for i, f := range order {
		b, err := Marshal(f, g)
		if err != nil {
			t.Fatal(err)
		}
		if got := blocks[i][1]; got != string(b) {
			t.Errorf("%s: the document shows\n%sEncode writes\n%s", f, got, b)
		}
	}
}
