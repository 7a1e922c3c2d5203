package weights

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// limit is the size in bytes of all files together: what an importer of a
// built-in model has to fetch.
const limit = 45_000_000

// The files are those that docs/models describes, and no others are here.
func TestSums(t *testing.T) {
	files := map[string]struct{ data, sum string }{
		"words.kgw":      {Words(), "cc4ac0f95201d3a3dadd956737cb1693cacde61b5962c7f47ff4dd81ad5880d3"},
		"embedder.kgw":   {Embedder(), "7137e2f5e3cca896d6641bcc4f71deb098edda358ba853b9324aa41e514a31e6"},
		"entailment.kgw": {Entailment(), "48b4d31e989100f464b022feb66c6f3024896afa5a12020e90f2e386947c8482"},
	}
	total := 0
	for name, f := range files {
		total += len(f.data)
		if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(f.data))); sum != f.sum {
			t.Errorf("%s has the SHA-256 sum %s, want %s", name, sum, f.sum)
		}
	}
	if total > limit {
		t.Errorf("%d bytes, at most %d are agreed", total, limit)
	}
	here, err := filepath.Glob("*.kgw")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range here {
		if _, ok := files[name]; !ok {
			t.Errorf("%s has no function and no sum", name)
		}
	}
	if _, err := os.Stat("NOTICE"); err != nil {
		t.Error("the licence asks for a notice: ", err)
	}
}
