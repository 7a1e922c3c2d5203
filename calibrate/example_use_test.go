package calibrate_test

import (
	"path/filepath"
	"testing"

	"github.com/kgeval/kgeval/embed/hashed"
)

// The constructors of the example read what was saved.
func TestConstructorsReadTheFile(t *testing.T) {
	dir := t.TempDir()
	matches, verdicts := filepath.Join(dir, "matches.json"), filepath.Join(dir, "verdicts.json")
	if err := matchFile().Save(matches); err != nil {
		t.Fatal(err)
	}
	if err := verdictFile().Save(verdicts); err != nil {
		t.Fatal(err)
	}
	if _, err := matcher(matches, hashed.New()); err != nil {
		t.Error(err)
	}
	if _, err := judged(verdicts, sure{id: "m"}); err != nil {
		t.Error(err)
	}
	for _, file := range []string{matches, verdicts, filepath.Join(dir, "none.json")} {
		if _, err := judged(file, sure{id: "another"}); err == nil {
			t.Errorf("%s served another model", file)
		}
		if _, err := matcher(file, angles{"another"}); err == nil {
			t.Errorf("%s served another embedder", file)
		}
	}
}
