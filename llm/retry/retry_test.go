package retry_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/llmtest"
	"github.com/kgeval/kgeval/llm/retry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func ask(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

var (
	busy   = &llm.Error{Kind: llm.ErrUnavailable, Status: 503, Message: "loading"}
	denied = &llm.Error{Kind: llm.ErrAuth, Status: 401}
)

func limited(after time.Duration) error {
	return &llm.Error{Kind: llm.ErrRateLimited, Status: 429, RetryAfter: after}
}

func TestWhatIsAskedAgain(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want int // calls, of 4 at most
	}{
		{"unavailable", busy, 4},
		{"rate limited, no word how long", limited(0), 4},
		{"half a body", &llm.Error{Kind: llm.ErrBadReply}, 4},
		{"a stream that broke", &llm.Error{Kind: llm.ErrTruncated}, 4},
		{"wrapped", fmt.Errorf("outer: %w", busy), 4},
		{"no key", denied, 1},
		{"too long", &llm.Error{Kind: llm.ErrContextTooLong, Status: 400}, 1},
		{"bad request", &llm.Error{Kind: llm.ErrBadRequest, Status: 404}, 1},
		{"unsupported", &llm.UnsupportedError{Fields: []string{"Seed"}}, 1},
		{"refused", &llm.Error{Kind: llm.ErrRefused}, 1},
		{"cut at the token limit", &llm.IncompleteError{Stop: llm.StopLength}, 1},
		{"unknown", errors.New("who knows"), 1},
		{"a deadline within the model", context.DeadlineExceeded, 1},
		{"asks for an hour", limited(time.Hour), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				inner := llmtest.New(func(context.Context, int, llm.Request) (llm.Response, error) { return llm.Response{}, c.err })
				_, err := retry.New(inner, retry.Options{}).Generate(t.Context(), ask("hi"))
				if !errors.Is(err, c.err) {
					t.Errorf("error %v does not wrap %v", err, c.err)
				}
				if got := len(inner.Requests()); got != c.want {
					t.Errorf("%d calls, want %d", got, c.want)
				}
			})
		})
	}
}

func TestASecondAttemptSucceeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := llmtest.Script(llmtest.Fail(busy), llmtest.Say("yes"))
		r, err := retry.New(inner, retry.Options{}).Generate(t.Context(), ask("hi"))
		if err != nil || r.Text != "yes" {
			t.Errorf("got %q, %v", r.Text, err)
		}
	})
}

// The wait before attempt n+1 lies in [First·2^(n-1)/2, First·2^(n-1)], and
// never above Max.
func TestWaitsDouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var waits []time.Duration
		inner := llmtest.New(func(context.Context, int, llm.Request) (llm.Response, error) { return llm.Response{}, busy })
		m := retry.New(inner, retry.Options{
			Attempts: 70, First: time.Second, Max: 20 * time.Second,
			OnRetry: func(_ context.Context, f retry.Failure) { waits = append(waits, f.Wait) },
		})
		start := time.Now()
		if _, err := m.Generate(t.Context(), ask("hi")); !errors.Is(err, llm.ErrUnavailable) {
			t.Errorf("error %v", err)
		}
		var sum time.Duration
		longest := time.Second
		for n, w := range waits {
			if w < longest/2 || w > longest {
				t.Errorf("wait %d is %v, want between %v and %v", n+1, w, longest/2, longest)
			}
			longest = min(2*longest, 20*time.Second)
			sum += w
		}
		if len(waits) != 69 || time.Since(start) != sum {
			t.Errorf("%d waits; %v passed, waits are %v", len(waits), time.Since(start), sum)
		}
	})
}

func TestRetryAfterIsHonoured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := llmtest.Script(llmtest.Fail(limited(40*time.Second)), llmtest.Say("yes"))
		start := time.Now()
		if _, err := retry.New(inner, retry.Options{}).Generate(t.Context(), ask("hi")); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(start); d < 40*time.Second || d > 44*time.Second {
			t.Errorf("waited %v, want 40 s and up to a tenth more", d)
		}
	})
}

func TestAWaitBehindTheDeadlineIsNotBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		start := time.Now()
		_, err := retry.New(llmtest.Script(llmtest.Fail(limited(40*time.Second))), retry.Options{}).Generate(ctx, ask("hi"))
		if !errors.Is(err, llm.ErrRateLimited) || time.Since(start) != 0 {
			t.Errorf("error %v after %v", err, time.Since(start))
		}
		if after, ok := llm.RetryAfter(err); !ok || after != 40*time.Second {
			t.Errorf("the error forgot how long to wait: %v, %v", after, ok)
		}
	})
}

func TestCancelEndsAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		start := time.Now()
		_, err := retry.New(llmtest.Script(llmtest.Fail(limited(40*time.Second))), retry.Options{}).Generate(ctx, ask("hi"))
		if !errors.Is(err, context.Canceled) || !errors.Is(err, llm.ErrRateLimited) || time.Since(start) != 3*time.Second {
			t.Errorf("error %v after %v", err, time.Since(start))
		}
	})
}

// An attempt's own deadline is no deadline of the caller.
func TestTimeoutOfAnAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := llmtest.New(func(ctx context.Context, n int, _ llm.Request) (llm.Response, error) {
			if n == 1 {
				return llm.Response{Text: "yes"}, nil
			}
			<-ctx.Done()
			return llm.Response{}, ctx.Err()
		})
		m := retry.New(inner, retry.Options{Attempts: 2, Timeout: 5 * time.Second})
		if r, err := m.Generate(t.Context(), ask("hi")); err != nil || r.Text != "yes" {
			t.Errorf("got %q, %v", r.Text, err)
		}
		if _, err := m.Generate(t.Context(), ask("hi")); !errors.Is(err, llm.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := m.Generate(ctx, ask("hi")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
}

func TestStream(t *testing.T) {
	half := llmtest.Step{Response: llm.Response{Text: "one two "}, Err: busy}
	for _, c := range []struct {
		name  string
		steps []llmtest.Step
		text  string
		err   error
		calls int
	}{
		{"at once", []llmtest.Step{llmtest.Say("one two three")}, "one two three", nil, 1},
		{"fails before the first piece", []llmtest.Step{llmtest.Fail(busy), llmtest.Say("one two")}, "one two", nil, 2},
		{"fails in the middle", []llmtest.Step{half, llmtest.Say("one two three")}, "one two ", llm.ErrUnavailable, 1},
		{"won't pass", []llmtest.Step{llmtest.Fail(denied)}, "", llm.ErrAuth, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				inner := llmtest.Script(c.steps...)
				r, err := llm.Collect(retry.New(inner, retry.Options{}).Stream(t.Context(), ask("hi")))
				if r.Text != c.text || !errors.Is(err, c.err) || len(inner.Requests()) != c.calls {
					t.Errorf("got %q, %v after %d calls", r.Text, err, len(inner.Requests()))
				}
			})
		})
	}
}

// Leaving the loop early neither asks again nor leaves anything running.
func TestLeavingAStream(t *testing.T) {
	inner := llmtest.Script(llmtest.Say("one two three"))
	for p, err := range retry.New(inner, retry.Options{Timeout: time.Minute}).Stream(t.Context(), ask("hi")) {
		if err != nil || p.Text != "one " {
			t.Errorf("got %q, %v", p.Text, err)
		}
		break
	}
	if n := len(inner.Requests()); n != 1 {
		t.Errorf("%d calls", n)
	}
}

func TestConforms(t *testing.T) {
	conform.LLM(t, func() llm.Model {
		return retry.New(llmtest.New(llmtest.Echo), retry.Options{})
	}, conform.Deterministic(true))
}
