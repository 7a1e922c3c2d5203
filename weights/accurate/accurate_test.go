package accurate

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// limit is the size in bytes of all files together: what who asks for this model
// has to fetch. A file stays below what common hosts of git refuse.
const (
	limit = 120_000_000
	file  = 100_000_000
)

// The files are those that docs/models describes, and no others are here.
func TestSums(t *testing.T) {
	names := []string{"words.kgw", "entailment.kgw"}
	sums := []string{
		"7575719d2f8b22fcfc787929981b5fe627626f25bf4a1c1753400ffb4cd1a9a7",
		"ed8c93578e182a8a7959ad24eb690296bc4ef8b7e92835f484ec57efe0ef36a3",
	}
	total := 0
	for i, f := range Files() {
		total += len(f)
		if len(f) > file {
			t.Errorf("%s has %d bytes, at most %d are agreed", names[i], len(f), file)
		}
		if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(f))); sum != sums[i] {
			t.Errorf("%s has the SHA-256 sum %s, want %s", names[i], sum, sums[i])
		}
	}
	if total > limit {
		t.Errorf("%d bytes, at most %d are agreed", total, limit)
	}
	here, err := filepath.Glob("*.kgw")
	if err != nil {
		t.Fatal(err)
	}
	if len(here) != len(names) {
		t.Errorf("the folder holds %q, the program %q", here, names)
	}
	if _, err := os.Stat("NOTICE"); err != nil {
		t.Error("the licence asks for a notice: ", err)
	}
}
