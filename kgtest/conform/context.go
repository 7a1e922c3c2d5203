package conform

import (
	"context"
	"sync"
	"time"
)

// countdown is a context that is cancelled when it was asked for its error, or
// for its channel, a number of times: a call is cancelled in the middle of what
// it does, wherever that is, without waiting. Calls that never ask are
// cancelled by the clock.
type countdown struct {
	context.Context
	cancel context.CancelFunc

	mu   sync.Mutex
	left int
}

// cancelAfter returns a context that is cancelled after so many looks at it,
// and at the latest after 50 milliseconds.
func cancelAfter(looks int) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	timer := time.AfterFunc(50*time.Millisecond, cancel)
	return &countdown{Context: ctx, cancel: cancel, left: looks}, func() {
		timer.Stop()
		cancel()
	}
}

func (c *countdown) look() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		c.cancel()
	}
}

func (c *countdown) Err() error {
	c.look()
	return c.Context.Err()
}

func (c *countdown) Done() <-chan struct{} {
	c.look()
	return c.Context.Done()
}
