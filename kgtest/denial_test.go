package kgtest_test

import (
	"testing"

	"github.com/kgeval/kgeval/kgtest"
)

// What the context plainly denies fails, and what it says in other words or not
// quite passes.
func TestPlainDenialsFail(t *testing.T) {
	for _, test := range []struct{ context, output string }{
		{"The new valve did not reduce the noise.", "The new valve reduced the noise."},
		{"The new valve reduced the noise.", "The new valve did not reduce the noise."},
		{"Ines hired Karl in spring.", "Karl hired Ines in spring."},
		{"The harbour was not frozen in March.", "The harbour was frozen in March."},
		{"The harbour is open on Sundays.", "The harbour is not open on Sundays."},
		{"The ferry was built in 1961. It carries 80 cars.", "The ferry carries 80 cars. It was built in 1967."},
		{"The song was written by Ines Holm.", "The song was written by Karl Berg."},
	} {
		if r := record(t, func(tb testing.TB) { kgtest.Grounded(tb, test.context, test.output) }); !r.failed {
			t.Errorf("%q passes against %q:\n%s", test.output, test.context, r.log)
		}
		if r := record(t, func(tb testing.TB) { kgtest.Grounded(tb, test.context, test.context) }); r.failed {
			t.Errorf("%q fails against itself:\n%s", test.context, r.log)
		}
	}
}
