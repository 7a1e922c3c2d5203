package llm_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/cache"
	"github.com/kgeval/kgeval/llm/limit"
	"github.com/kgeval/kgeval/llm/llmtest"
	"github.com/kgeval/kgeval/llm/retry"
	"github.com/kgeval/kgeval/llm/slogtrace"
	"github.com/kgeval/kgeval/llm/usage"
)

// faults are what a backend does instead of answering.
var faults = []func(ctx context.Context, answer string) (llm.Response, error){
	func(context.Context, string) (llm.Response, error) {
		return llm.Response{}, &llm.Error{Kind: llm.ErrRateLimited, Status: 429, RetryAfter: 3 * time.Second}
	},
	func(context.Context, string) (llm.Response, error) {
		return llm.Response{}, &llm.Error{Kind: llm.ErrRateLimited, Status: 429}
	},
	func(context.Context, string) (llm.Response, error) {
		return llm.Response{}, &llm.Error{Kind: llm.ErrUnavailable, Status: 500}
	},
	func(_ context.Context, answer string) (llm.Response, error) { // broken off
		return llm.Response{Text: answer[:len(answer)/2]}, &llm.Error{Kind: llm.ErrUnavailable}
	},
	func(context.Context, string) (llm.Response, error) {
		return llm.Response{}, &llm.Error{Kind: llm.ErrBadReply, Message: "HTML"}
	},
	func(context.Context, string) (llm.Response, error) {
		return llm.Response{}, &llm.Error{Kind: llm.ErrAuth, Status: 401}
	},
	func(_ context.Context, answer string) (llm.Response, error) {
		return llm.Response{Text: answer[:len(answer)/2], Stop: llm.StopLength}, nil
	},
	func(context.Context, string) (llm.Response, error) {
		return llm.Response{Text: "I can't help with that.", Stop: llm.StopRefused}, nil
	},
	func(_ context.Context, answer string) (llm.Response, error) {
		return llm.Response{Text: answer[:len(answer)/2], Stop: llm.StopUnknown}, nil
	},
	func(ctx context.Context, _ string) (llm.Response, error) { // hangs
		<-ctx.Done()
		return llm.Response{}, fmt.Errorf("post: %w", ctx.Err())
	},
}

// Everything around one model that fails at random, asked by many at once, with
// contexts that end at any time: each whole reply is the right one for its
// request; when the faults are over everything is answered, so that no failure
// has been kept; and nothing is left running, which synctest checks.
func TestAStackUnderFaults(t *testing.T) {
	for seed := range uint64(8) {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			rng := rand.New(rand.NewPCG(seed, 1))
			draw := func(n int) int {
				mu.Lock()
				defer mu.Unlock()
				return rng.IntN(n)
			}
			healthy := false
			answer := func(req llm.Request) string { return "the answer to " + req.Messages[0].Text }
			inner := llmtest.New(func(ctx context.Context, _ int, req llm.Request) (llm.Response, error) {
				mu.Lock()
				well := healthy
				mu.Unlock()
				if n := draw(2 * len(faults)); !well && n < len(faults) {
					return faults[n](ctx, answer(req))
				}
				time.Sleep(time.Duration(draw(2000)) * time.Millisecond)
				if err := ctx.Err(); err != nil {
					return llm.Response{}, err
				}
				return llm.Response{Text: answer(req), Usage: llm.Usage{Input: 10, Output: 5}}, nil
			})
			meter := usage.NewMeter(usage.Budget{})
			var m llm.Model = inner
			m = limit.Concurrent(m, 4)
			m = limit.Rate(m, limit.Rates{RequestsPerMinute: 6000, TokensPerMinute: 1e6})
			m = retry.New(m, retry.Options{Attempts: 3, Timeout: 30 * time.Second})
			m = cache.New(m, cache.NewMemory(0), cache.Options{})
			m = meter.Model(m, usage.Price{Input: 1})
			m = slogtrace.New(m, slogtrace.Options{Logger: slog.New(slog.DiscardHandler), TextBytes: 10})

			question := func(i int) llm.Request {
				return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: fmt.Sprintf("question %d", i)}}}
			}
			one := func(ctx context.Context, i int, streamed bool) (llm.Response, error) {
				req := question(i)
				var r llm.Response
				var err error
				if streamed {
					r, err = llm.Collect(llm.Stream(ctx, m, req))
				} else {
					r, err = m.Generate(ctx, req)
				}
				if err == nil && r.Complete() == nil && r.Text != answer(req) {
					t.Errorf("seed %d: %q for question %d", seed, r.Text, i)
				}
				if err != nil && ctx.Err() == nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
					t.Errorf("seed %d: the caller's context is alive, and the error is %v", seed, err)
				}
				if err != nil && strings.Contains(err.Error(), "answer to") {
					t.Errorf("seed %d: the error repeats a text: %v", seed, err)
				}
				return r, err
			}
			var wg sync.WaitGroup
			for i := range 200 {
				wg.Go(func() {
					ctx := t.Context()
					if i%4 == 0 {
						var cancel context.CancelFunc
						ctx, cancel = context.WithTimeout(ctx, time.Duration(draw(60_000))*time.Millisecond)
						defer cancel()
					}
					one(ctx, i%60, i%3 == 0)
				})
			}
			wg.Wait()
			mu.Lock()
			healthy = true
			mu.Unlock()
			for i := range 60 {
				if r, err := one(t.Context(), i, i%2 == 0); err != nil || r.Complete() != nil {
					t.Errorf("seed %d: question %d, when all is well: %+v, %v", seed, i, r, err)
				}
			}
			total := meter.Total()
			if total.Calls+total.Cached != 260 {
				t.Errorf("seed %d: %d calls and %d cached replies counted of 260", seed, total.Calls, total.Cached)
			}
		})
	}
}
