package cassette

import (
	"os"

	"github.com/kgeval/kgeval/llm"
)

// Env is the environment variable that says what ForTest does: "replay" (or
// nothing), "record" or "extend".
const Env = "KGEVAL_CASSETTE"

// TB is the part of testing.TB that ForTest needs.
type TB interface {
	Helper()
	Cleanup(func())
	Failed() bool
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// ForTest returns m behind the cassette at path, for the length of a test. It
// replays, unless Env says otherwise. At the end of the test recordings that
// nobody asked for fail it, unless it failed already: they are left from
// requests that have since changed. In Replay m may be nil; see Cassette.Model.
func ForTest(t TB, path string, m llm.Model) *Model {
	t.Helper()
	var o Options
	switch mode := os.Getenv(Env); mode {
	case "", "replay":
	case "record":
		o.Mode = Record
	case "extend":
		o.Mode = Extend
	default:
		t.Fatalf("%s=%s: want replay, record or extend", Env, mode)
	}
	c, err := Open(path, o)
	if err != nil {
		t.Fatalf("%v (%s=record go test records it)", err, Env)
	}
	t.Cleanup(func() {
		t.Helper()
		if err := c.Close(); err != nil {
			t.Errorf("%v", err)
		}
		if t.Failed() {
			return
		}
		for _, r := range c.Unused() {
			t.Errorf("cassette: %s: unused %s (%s=record go test records anew)", path, r, Env)
		}
	})
	return c.Model(m)
}
