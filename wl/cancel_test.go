package wl_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/kgeval/kgeval/wl"
)

// lateContext is cancelled when it was asked for its error so many times.
type lateContext struct {
	context.Context
	left atomic.Int64
}

func after(looks int) *lateContext {
	c := &lateContext{Context: context.Background()}
	c.left.Store(int64(looks))
	return c
}

func (c *lateContext) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Whenever the context ends, the error is the context's, and what was in use
// can be used again.
func TestCancelledAtAnyMoment(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 1))
	a, b := random(t, rng, 3000, 6000, 3, 2), random(t, rng, 3000, 6000, 3, 2)
	o := wl.Options{Iterations: 4}
	want := compare(t, a, b, o)
	var w wl.Workspace
	r, err := wl.NewRefiner(o)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(ctx context.Context) error{
		"Compare": func(ctx context.Context) error {
			got, err := w.Compare(ctx, a, b, o)
			if err == nil && got != want {
				t.Errorf("Compare after cancelled ones gives %v, want %v", got, want)
			}
			return err
		},
		"Gram": func(ctx context.Context) error {
			got, err := wl.Gram(ctx, []*wl.Graph{a, b}, o)
			if err == nil && got.At(0, 1) != want.Gram[0][1] {
				t.Errorf("Gram gives %v, want %v", got.At(0, 1), want.Gram[0][1])
			}
			return err
		},
		"Features": func(ctx context.Context) error {
			v, err := r.Features(ctx, a)
			if err == nil && wl.Dot(v, v) != want.Gram[0][0] {
				t.Errorf("Features after cancelled ones gives %v, want %v", wl.Dot(v, v), want.Gram[0][0])
			}
			return err
		},
	} {
		cancelled := 0
		for looks := 0; ; looks++ {
			err := f(after(looks))
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s, cancelled at look %d: error %v", name, looks, err)
			}
			cancelled++
		}
		if cancelled < 5 {
			t.Errorf("%s looked at its context only %d times", name, cancelled)
		}
	}
}
