package openie

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file from what is extracted now")

// TestGolden shows a whole paragraph of our own: triples, claims, places and
// what was dropped. Read the difference before accepting it with -update.
func TestGolden(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "paragraph.txt"))
	if err != nil {
		t.Fatal(err)
	}
	x := extract(t, extractor(t, Options{}), string(text))[0]
	checkInvariants(t, string(text), x)
	var b strings.Builder
	for _, s := range x.Statements {
		fmt.Fprintf(&b, "%s | %s | %s\n\t%s\n\t", s.Triple.Head, s.Triple.Relation, s.Triple.Tail, s.Claim)
		for _, sp := range s.Spans {
			fmt.Fprintf(&b, "[%s] ", sp.Of(string(text)))
		}
		fmt.Fprintf(&b, "%.2f\n", s.Confidence)
	}
	for _, d := range x.Dropped {
		fmt.Fprintf(&b, "dropped: %s: %s\n", d.Reason, d.Raw)
	}
	golden := filepath.Join("testdata", "paragraph.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
