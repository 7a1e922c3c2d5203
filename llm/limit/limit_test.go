package limit_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/limit"
	"github.com/kgeval/kgeval/llm/llmtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func ask(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

// spent returns a model whose every reply has this usage.
func spent(in, out int) *llmtest.Model {
	return llmtest.New(func(context.Context, int, llm.Request) (llm.Response, error) {
		return llm.Response{Text: "yes", Usage: llm.Usage{Input: in, Output: out}}, nil
	})
}

// sequence makes n calls one after another and returns how long they took.
func sequence(t *testing.T, m llm.Model, n int, req llm.Request) time.Duration {
	t.Helper()
	start := time.Now()
	for range n {
		if _, err := m.Generate(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	return time.Since(start)
}

// In the long run no rate is exceeded, whether estimates are too low, too high
// or right, and none is far from being used up.
func TestRateHoldsInTheLongRun(t *testing.T) {
	long := strings.Repeat("word", 1000) // 1000 tokens by estimate
	for _, c := range []struct {
		name  string
		rates limit.Rates
		inner llm.Model
		req   llm.Request
		calls int
		want  time.Duration
	}{
		{"requests", limit.Rates{RequestsPerMinute: 30}, spent(0, 0), ask("hi"), 61, 120 * time.Second},
		{"many requests", limit.Rates{RequestsPerMinute: 6000}, spent(0, 0), ask("hi"), 6100, 60 * time.Second},
		{"tokens, estimate right", limit.Rates{TokensPerMinute: 60000}, spent(1000, 0), ask(long), 101, 100 * time.Second},
		{"tokens, estimate low", limit.Rates{TokensPerMinute: 60000}, spent(1500, 500), ask("hi"), 51, 100 * time.Second},
		{"tokens, estimate high", limit.Rates{TokensPerMinute: 60000}, spent(100, 0), ask(long), 500, 50 * time.Second},
		{"tokens, no usage reported", limit.Rates{TokensPerMinute: 60000}, spent(0, 0), ask(long), 101, 100 * time.Second},
		{"both; requests are scarcer", limit.Rates{RequestsPerMinute: 30, TokensPerMinute: 60000}, spent(100, 0), ask("hi"), 61, 120 * time.Second},
		{"no bound", limit.Rates{}, spent(1000, 1000), ask(long), 1000, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got := sequence(t, limit.Rate(c.inner, c.rates), c.calls, c.req)
				if slack := c.want/50 + time.Second; got < c.want-slack || got > c.want+slack {
					t.Errorf("%d calls took %v, want about %v", c.calls, got, c.want)
				}
			})
		})
	}
}

func TestBurstAfterAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := limit.Rate(spent(0, 0), limit.Rates{RequestsPerMinute: 60, Burst: 10 * time.Second})
		if d := sequence(t, m, 10, ask("hi")); d != 0 {
			t.Errorf("ten calls took %v", d)
		}
		time.Sleep(time.Hour)
		if d := sequence(t, m, 12, ask("hi")); d < 1900*time.Millisecond || d > 2100*time.Millisecond {
			t.Errorf("after an idle hour twelve calls took %v, want 2 s", d)
		}
	})
}

// Callers at once get one turn each, a second apart.
func TestConcurrentCallersShareTheRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := limit.Rate(spent(0, 0), limit.Rates{RequestsPerMinute: 60})
		start := time.Now()
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if _, err := m.Generate(t.Context(), ask("hi")); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if d := time.Since(start); d < 18900*time.Millisecond || d > 19100*time.Millisecond {
			t.Errorf("20 calls took %v, want 19 s", d)
		}
	})
}

func TestATurnAfterTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := limit.Rate(spent(0, 0), limit.Rates{RequestsPerMinute: 1})
		sequence(t, m, 1, ask("hi"))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		start := time.Now()
		_, err := m.Generate(ctx, ask("hi"))
		after, ok := llm.RetryAfter(err)
		if !errors.Is(err, llm.ErrRateLimited) || !ok || after < 59*time.Second || time.Since(start) != 0 {
			t.Errorf("error %v (retry after %v) after %v", err, after, time.Since(start))
		}
	})
}

func TestCancelGivesTheTurnBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := limit.Rate(spent(0, 0), limit.Rates{RequestsPerMinute: 1})
		sequence(t, m, 1, ask("hi"))
		start := time.Now()
		for range 5 {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			if _, err := m.Generate(ctx, ask("hi")); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
		}
		sequence(t, m, 1, ask("hi"))
		if d := time.Since(start); d < 59*time.Second || d > 61*time.Second {
			t.Errorf("the next call went after %v, want 1 min", d)
		}
	})
}

// A backend that asks one caller for quiet gets it from all, those who wait for
// their turn already among them.
func TestRetryAfterHoldsForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := llmtest.Script(
			llmtest.Fail(&llm.Error{Kind: llm.ErrRateLimited, RetryAfter: 20 * time.Second}),
			llmtest.Say("yes"), llmtest.Say("yes"),
		)
		m := limit.Rate(inner, limit.Rates{RequestsPerMinute: 60})
		start := time.Now()
		if _, err := m.Generate(t.Context(), ask("hi")); !errors.Is(err, llm.ErrRateLimited) {
			t.Errorf("error %v", err)
		}
		sequence(t, m, 2, ask("hi"))
		if d := time.Since(start); d < 20*time.Second || d > 22*time.Second {
			t.Errorf("the next calls went after %v, want 20 s", d)
		}
	})
}

func TestConcurrent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		now, most := 0, 0
		inner := llmtest.New(func(context.Context, int, llm.Request) (llm.Response, error) {
			mu.Lock()
			now++
			most = max(most, now)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			now--
			mu.Unlock()
			return llm.Response{Text: "yes"}, nil
		})
		m := limit.Concurrent(inner, 3)
		start := time.Now()
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				var err error
				if i%2 == 0 {
					_, err = m.Generate(t.Context(), ask("hi"))
				} else {
					_, err = llm.Collect(m.Stream(t.Context(), ask("hi")))
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if most != 3 || time.Since(start) != 4*time.Second {
			t.Errorf("%d at once, %v in all", most, time.Since(start))
		}
	})
}

func TestConcurrentHeedsTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		inner := llmtest.New(func(context.Context, int, llm.Request) (llm.Response, error) {
			<-release
			return llm.Response{Text: "yes"}, nil
		})
		m := limit.Concurrent(inner, 1)
		go m.Generate(t.Context(), ask("hi"))
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := m.Generate(ctx, ask("hi")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		close(release)
		synctest.Wait()
		if _, err := m.Generate(t.Context(), ask("hi")); err != nil { // the place is free again
			t.Error(err)
		}
	})
}

// Streams count as calls do: their usage is charged when they are whole, and the
// estimate stays where they are not.
func TestRateOfStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := limit.Rate(spent(1500, 500), limit.Rates{TokensPerMinute: 60000})
		start := time.Now()
		for range 51 {
			if _, err := llm.Collect(m.Stream(t.Context(), ask("hi"))); err != nil {
				t.Fatal(err)
			}
		}
		if d := time.Since(start); d < 98*time.Second || d > 102*time.Second {
			t.Errorf("51 streams took %v, want 100 s", d)
		}
		busy := limit.Rate(llmtest.Script(llmtest.Fail(&llm.Error{Kind: llm.ErrRateLimited, RetryAfter: time.Minute}), llmtest.Say("yes")), limit.Rates{})
		if _, err := llm.Collect(busy.Stream(t.Context(), ask("hi"))); !errors.Is(err, llm.ErrRateLimited) {
			t.Errorf("error %v", err)
		}
		start = time.Now()
		if _, err := llm.Collect(busy.Stream(t.Context(), ask("hi"))); err != nil || time.Since(start) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// What a cache within answers takes nothing from the rate.
func TestCachedRepliesAreFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := llmtest.New(func(context.Context, int, llm.Request) (llm.Response, error) {
			return llm.Response{Text: "yes", Cached: true, Usage: llm.Usage{Input: 1e6}}, nil
		})
		if d := sequence(t, limit.Rate(inner, limit.Rates{RequestsPerMinute: 1, TokensPerMinute: 1}), 100, ask("hi")); d != 0 {
			t.Errorf("a hundred took %v", d)
		}
	})
}

// A stream that is left early frees its place.
func TestLeavingAStreamFreesThePlace(t *testing.T) {
	m := limit.Concurrent(llmtest.New(llmtest.Echo), 1)
	for range 3 {
		for range m.Stream(t.Context(), ask("one two three")) {
			break
		}
	}
}

func TestConforms(t *testing.T) {
	t.Run("rate", func(t *testing.T) {
		conform.LLM(t, func() llm.Model {
			return limit.Rate(llmtest.New(llmtest.Echo), limit.Rates{RequestsPerMinute: 1e9, TokensPerMinute: 1e12})
		}, conform.Deterministic(true))
	})
	t.Run("concurrent", func(t *testing.T) {
		conform.LLM(t, func() llm.Model { return limit.Concurrent(llmtest.New(llmtest.Echo), 2) }, conform.Deterministic(true))
	})
}
