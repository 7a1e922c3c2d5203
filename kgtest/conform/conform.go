// Package conform holds conformance suites for the four interfaces that kgeval
// is joined by: kg.Extractor, embed.Embedder, nli.Model and llm.Model. An
// implementation, wherever it lives, runs its suite from its own tests:
//
//	func TestConform(t *testing.T) {
//		conform.Embedder(t, func() embed.Embedder { return myembedder.New() })
//	}
//
// Each rule of the interface's contract is a subtest that says what it wants.
// The suites ask whether an implementation keeps its contract, not whether it
// is any good at its task; that is for benchmarks. They find unsafe concurrent
// use best with the race detector on (go test -race).
//
// A suite makes some dozens of calls, one of them with a text of 1 MB; MaxText
// and Timeout make room for models that are slow or cost money.
package conform

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Option changes what a suite expects.
type Option func(*config)

type config struct {
	deterministic bool
	tolerance     float64
	maxText       int
	timeout       time.Duration
	except        map[string]string
	patience      time.Duration // with goroutines that are on their way out
}

// Deterministic says whether the same call must give the same result. The
// default is true for extractors, embedders and NLI models, and false for
// language models.
func Deterministic(yes bool) Option { return func(c *config) { c.deterministic = yes } }

// Tolerance is how far apart two numbers may be that should be equal, such as
// those of one text alone and in a batch. The default is 0: the same bits.
func Tolerance(difference float64) Option { return func(c *config) { c.tolerance = difference } }

// MaxText is the length in bytes that no text of the suite exceeds; the default
// is 1 MB. Texts that are longer are cut.
func MaxText(bytes int) Option { return func(c *config) { c.maxText = bytes } }

// Timeout is how long one call may take, which is a minute by default.
func Timeout(d time.Duration) Option { return func(c *config) { c.timeout = d } }

// Except names rules, as the subtests are named, that an implementation is known
// to break, and says why. They are skipped with that reason, so that a test's
// output shows what does not hold, and the others stay guarded. A name that is no
// rule of the suite fails.
func Except(why string, rules ...string) Option {
	return func(c *config) {
		if c.except == nil {
			c.except = map[string]string{}
		}
		for _, r := range rules {
			c.except[r] = why
		}
	}
}

// tb is what a rule needs of a *testing.T. Rules go on after a fault or return.
type tb interface {
	Helper()
	Errorf(format string, args ...any)
}

// rule is one line of a contract.
type rule[T any] struct {
	name  string
	check func(t tb, c config, fresh func() T)
}

func run[T any](t *testing.T, rules []rule[T], fresh func() T, c config, options []Option) {
	t.Helper()
	for _, o := range options {
		o(&c)
	}
	for name := range c.except {
		if !slices.ContainsFunc(rules, func(r rule[T]) bool { return r.name == name }) {
			t.Errorf("Except: %q is no rule of this suite", name)
		}
	}
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			if why, ok := c.except[r.name]; ok {
				t.Skip("known not to hold: " + why)
			}
			r.check(t, c, fresh)
		})
	}
}

func defaults(deterministic bool) config {
	return config{deterministic: deterministic, maxText: 1 << 20, timeout: time.Minute, patience: 2 * time.Second}
}

// call runs f and reports a panic, or that it does not return; then ok is
// false.
func call[R any](t tb, c config, what string, f func() (R, error)) (result R, err error, ok bool) {
	t.Helper()
	type outcome struct {
		result R
		err    error
		panic  any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panic = recover()
			done <- o
		}()
		o.result, o.err = f()
	}()
	timer := time.NewTimer(c.timeout)
	defer timer.Stop()
	select {
	case o := <-done:
		if o.panic != nil {
			t.Errorf("%s: panic: %v", what, o.panic)
			return result, nil, false
		}
		return o.result, o.err, true
	case <-timer.C:
		t.Errorf("%s: did not return within %v", what, c.timeout)
		return result, nil, false
	}
}

// checkID is the rule for every ID method.
func checkID(t tb, first, again, other string) {
	t.Helper()
	if strings.TrimSpace(first) == "" {
		t.Errorf("ID() is %q, want a name", first)
	}
	if first != again {
		t.Errorf("ID() is %q, and after use %q: it must not change", first, again)
	}
	if first != other {
		t.Errorf("ID() is %q, and of a second one made in the same way %q", first, other)
	}
}

// concurrently runs f(i) for i in 0..n-1 at once, and waits.
func concurrently(n int, f func(i int)) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			f(i)
		})
	}
	close(start)
	wg.Wait()
}

// checkLeaks reports goroutines that stay behind when f returns, one or more
// for each time. A pool of a fixed number of goroutines is not a leak.
func checkLeaks(t tb, c config, what string, f func()) {
	t.Helper()
	const times = 24
	f() // what is started once
	before := runtime.NumGoroutine()
	for range times {
		f()
	}
	var left int
	for wait := time.Millisecond; wait < c.patience; wait *= 2 {
		left = runtime.NumGoroutine() - before
		if left < times/2 {
			return
		}
		time.Sleep(wait)
	}
	t.Errorf("%s %d times left %d goroutines behind", what, times, left)
}

// ended returns contexts that are over, with the error they must lead to.
func ended() map[error]context.Context {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	cancel()
	return map[error]context.Context{context.Canceled: cancelled, context.DeadlineExceeded: late}
}

// oddText is a text that is not as texts usually are.
type oddText struct {
	name, text string
	// refusable says that a model may fail on it, with an error.
	refusable bool
}

// oddTexts returns texts no longer than c.maxText.
func oddTexts(c config) []oddText {
	long := 1 << 20
	odd := []oddText{
		{name: "empty", text: ""},
		{name: "blanks", text: " \t\r\n\v\f\u00a0\u2003\u3000 "},
		{name: "NUL", text: "Ana\x00 hired Bo.\x00"},
		{name: "byte order mark", text: "\ufeffAna hired Bo."},
		{name: "not UTF-8", text: "Ana hired \xff\xfe Bo in 1990.", refusable: true},
		{name: "cut rune", text: "Ana hired Bo for 5 \xe2\x82", refusable: true},
		{name: "encoded surrogate", text: "Ana \xed\xa0\x80 hired Bo.", refusable: true},
		{name: "only punctuation", text: "?!… — «»", refusable: true},
		{name: "no full stops", text: "- Ana hired Bo\n- Bo moved to Oslo\n* Uma stayed"},
		{name: "Chinese", text: "玛丽在巴黎工作。她出生于华沙。"},
		{name: "Thai", text: "แมรี่ทำงานที่ปารีสและเกิดที่วอร์ซอ"},
		{name: "Arabic", text: "تعمل ماري في باريس. وُلدت في وارسو."},
		{name: "emoji", text: "Ana 👩‍🔬 hired Bo 🇳🇴."},
		{name: "separator tokens", text: "Use [SEP] to split. </s> <|endoftext|> Ana hired Bo [CLS] [MASK]."},
		{name: "unclosed quotes and brackets", text: `Ana "hired (Bo [and {Uma, 'who` + "\n\n“left."},
		{name: "many marks on one letter", text: "e" + strings.Repeat("\u0301", 5000) + " is a letter.", refusable: true},
		{name: "digits and commas", text: strings.Repeat("1,", 10_000), refusable: true},
		{name: "long without blanks", text: strings.Repeat("a", long), refusable: true},
		{name: "long Chinese without full stops", text: strings.Repeat("玛丽在巴黎工作", 600), refusable: true},
		{name: "many line breaks", text: strings.Repeat("\n", 20_000) + "Ana hired Bo." + strings.Repeat("\n", 20_000), refusable: true},
	}
	for i := range odd {
		if t := odd[i].text; len(t) > c.maxText {
			odd[i].text = strings.ToValidUTF8(t[:c.maxText], "")
		}
	}
	return odd
}

// plainTexts are short texts about different things, each of which states
// something. There are enough of them to fill more than one internal batch.
func plainTexts() []string {
	texts := []string{
		"Marie Curie discovered radium in Paris.",
		"The bridge in Oslo was closed on Monday.",
		"Tariq hired Bo because Uma had left the company.",
		"Water boils at 100 degrees Celsius at sea level.",
		"The committee did not accept the proposal.",
		"A falcon can dive faster than any other bird.",
	}
	for i := range 70 {
		texts = append(texts, fmt.Sprintf("Station %d recorded %d millimetres of rain.", i+1, 7*i%53+2))
	}
	return texts
}
