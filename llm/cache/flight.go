package cache

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/kgeval/kgeval/llm"
)

// flight joins equal calls. It differs from x/sync/singleflight in that a call
// lives as long as any of its callers wants it, so that the first caller's
// context decides for nobody else.
type flight struct {
	mu    sync.Mutex
	calls map[string]*call
}

// call is a call under way. Its waiters are guarded by the flight's mutex; its
// outcome may be read when done is closed.
type call struct {
	waiters int
	cancel  context.CancelFunc
	done    chan struct{}

	response llm.Response
	err      error
	panicked any
}

// errEnded stands until fn has returned; it stays where fn never does.
var errEnded = errors.New("cache: the model ended its goroutine")

// do makes the call of key with fn, or joins the one under way. joined is true
// for all of its callers but the first. A context that ends ends the wait.
func (f *flight) do(ctx context.Context, key string, fn func(context.Context) (llm.Response, error)) (r llm.Response, joined bool, err error) {
	f.mu.Lock()
	c, joined := f.calls[key]
	if !joined {
		c = f.start(ctx, key, fn)
	}
	c.waiters++
	f.mu.Unlock()

	select {
	case <-c.done:
	case <-ctx.Done():
		f.leave(key, c)
		return llm.Response{}, joined, fmt.Errorf("cache: %w", ctx.Err())
	}
	f.leave(key, c)
	if c.panicked != nil {
		panic(c.panicked) // as it would have without the cache
	}
	return c.response.Clone(), joined, c.err
}

// start begins the call of key; f.mu is held.
func (f *flight) start(ctx context.Context, key string, fn func(context.Context) (llm.Response, error)) *call {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c := &call{cancel: cancel, done: make(chan struct{})}
	c.err = errEnded
	if f.calls == nil {
		f.calls = map[string]*call{}
	}
	f.calls[key] = c
	go func() {
		defer func() {
			c.panicked = recover()
			f.mu.Lock()
			if f.calls[key] == c {
				delete(f.calls, key)
			}
			f.mu.Unlock()
			close(c.done)
		}()
		c.response, c.err = fn(own)
	}()
	return c
}

// leave is called by each caller once. The last one ends the call; who comes
// after that begins another.
func (f *flight) leave(key string, c *call) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c.waiters--
	if c.waiters == 0 {
		c.cancel()
		if f.calls[key] == c {
			delete(f.calls, key)
		}
	}
}
