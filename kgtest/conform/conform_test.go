package conform

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// recorder is a tb that keeps what a rule says.
type recorder struct {
	mu   sync.Mutex
	said []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// quick keeps the suites' tests short.
func quick(deterministic bool) config {
	c := defaults(deterministic)
	c.maxText = 4096
	c.timeout = time.Second
	c.patience = 50 * time.Millisecond
	return c
}

// broken is an implementation that breaks its contract.
type broken[T any] struct {
	name  string
	build func() T
	// rule is the one that must find it, and says what its message holds.
	rule, says string
}

// checkCatches runs the rule that each implementation breaks, and wants a
// message.
func checkCatches[T any](t *testing.T, rules []rule[T], c config, all []broken[T]) {
	t.Helper()
	caught := map[string]bool{}
	for _, b := range all {
		t.Run(b.name, func(t *testing.T) {
			for _, r := range rules {
				if r.name != b.rule {
					continue
				}
				caught[r.name] = true
				var rec recorder
				r.check(&rec, c, b.build)
				if said := strings.Join(rec.said, "\n"); !strings.Contains(said, b.says) || said == "" {
					t.Errorf("the rule %q says %q, want a message with %q", r.name, said, b.says)
				}
				return
			}
			t.Errorf("there is no rule %q", b.rule)
		})
	}
	for _, r := range rules {
		if !caught[r.name] {
			t.Errorf("no broken implementation shows that the rule %q can fail", r.name)
		}
	}
}

// checkPasses runs all rules on a sound implementation.
func checkPasses[T any](t *testing.T, rules []rule[T], c config, build func() T) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			var rec recorder
			r.check(&rec, c, build)
			for _, s := range rec.said {
				t.Error(s)
			}
		})
	}
}

// The names of rules are those of subtests; two alike would hide one.
func TestRulesHaveNamesOfTheirOwn(t *testing.T) {
	check := func(names []string) {
		seen := map[string]bool{}
		for _, n := range names {
			if n == "" || seen[n] {
				t.Errorf("rule %q has no name, or another's", n)
			}
			seen[n] = true
		}
	}
	check(names(extractorRules))
	check(names(embedderRules))
	check(names(nliRules))
	check(names(llmRules))
}

func names[T any](rules []rule[T]) (all []string) {
	for _, r := range rules {
		all = append(all, r.name)
	}
	return all
}

func TestOptions(t *testing.T) {
	c := defaults(true)
	for _, o := range []Option{Deterministic(false), Tolerance(0.5), MaxText(10), Timeout(time.Second)} {
		o(&c)
	}
	if c.deterministic || c.tolerance != 0.5 || c.maxText != 10 || c.timeout != time.Second {
		t.Errorf("options give %+v", c)
	}
	for _, o := range oddTexts(c) {
		if len(o.text) > 10 {
			t.Errorf("%s has %d bytes with MaxText(10)", o.name, len(o.text))
		}
	}
}

func TestOddTextsAreWhatTheirNamesSay(t *testing.T) {
	all := map[string]oddText{}
	for _, o := range oddTexts(defaults(true)) {
		all[o.name] = o
	}
	if n := len(all["long without blanks"].text); n != 1<<20 {
		t.Errorf("the long text has %d bytes", n)
	}
	if s := all["blanks"].text; strings.TrimSpace(s) != "" || s == "" {
		t.Errorf("the blank text is %q", s)
	}
	for _, name := range []string{"not UTF-8", "cut rune", "encoded surrogate"} {
		if s := all[name].text; strings.ToValidUTF8(s, "") == s {
			t.Errorf("%s: %q is UTF-8", name, s)
		}
	}
}

// A leak of one goroutine a call is found; a pool that starts once is none.
func TestLeaks(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	var rec recorder
	checkLeaks(&rec, quick(true), "leaking", func() { go func() { <-stop }() })
	if len(rec.said) != 1 || !strings.Contains(rec.said[0], "goroutines behind") {
		t.Errorf("a leak: %q", rec.said)
	}
	rec = recorder{}
	var once sync.Once
	checkLeaks(&rec, quick(true), "pool", func() {
		once.Do(func() {
			for range 50 {
				go func() { <-stop }()
			}
		})
	})
	if len(rec.said) != 0 {
		t.Errorf("a pool: %q", rec.said)
	}
}

func TestCountdown(t *testing.T) {
	ctx, cancel := cancelAfter(2)
	defer cancel()
	for i, want := range []error{nil, nil, context.Canceled, context.Canceled} {
		if err := ctx.Err(); err != want {
			t.Errorf("look %d: error %v, want %v", i+1, err, want)
		}
	}
	ctx, cancel = cancelAfter(1000)
	defer cancel()
	select {
	case <-ctx.Done():
	case <-time.After(5 * time.Second):
		t.Error("the clock did not cancel the context")
	}
}

// A rule that is known not to hold is not run, and the others are.
func TestExcept(t *testing.T) {
	ran := false
	run(t, []rule[int]{
		{"broken", func(t tb, _ config, _ func() int) { t.Errorf("an excepted rule was run") }},
		{"holds", func(tb, config, func() int) { ran = true }},
	}, func() int { return 0 }, defaults(true), []Option{Except("for this test", "broken")})
	if !ran {
		t.Error("the other rule was not run")
	}
}
