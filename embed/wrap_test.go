package embed_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/kgeval/kgeval/embed"
)

// lengths embeds a text as its length in a unit vector's direction, and records
// what it was asked.
type lengths struct {
	mu    sync.Mutex
	calls [][]string
	// change, if set, spoils the answer.
	change func(texts []string, v [][]float32) ([][]float32, error)
}

func (l *lengths) ID() string { return "lengths" }

func (l *lengths) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	l.mu.Lock()
	l.calls = append(l.calls, slices.Clone(texts))
	l.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v := make([][]float32, len(texts))
	for i, t := range texts {
		a := float64(len(t))
		v[i] = []float32{float32(math.Cos(a)), float32(math.Sin(a))}
	}
	if l.change != nil {
		return l.change(texts, v)
	}
	return v, nil
}

func numbered(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = strings.Repeat("x", 1+i%97) + fmt.Sprint(i)
	}
	return texts
}

func TestBatchedSplitsAndKeepsOrder(t *testing.T) {
	texts := numbered(2500)
	want, _ := new(lengths).Embed(t.Context(), texts)
	for _, limit := range []int{0, -1, 1, 10, 100, 2048, 2500, 9999} {
		inner := new(lengths)
		got, err := embed.Batched(inner, limit).Embed(t.Context(), texts)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("limit %d: other vectors than in one call", limit)
		}
		for _, c := range inner.calls {
			if limit > 0 && len(c) > limit {
				t.Errorf("limit %d: a call of %d texts", limit, len(c))
			}
		}
		if limit < 1 && len(inner.calls) != 1 {
			t.Errorf("limit %d: %d calls, want 1", limit, len(inner.calls))
		}
	}
}

func TestBatchedRefusesBrokenAnswers(t *testing.T) {
	inner := func(change func(texts []string, v [][]float32) ([][]float32, error)) embed.Embedder {
		return embed.Batched(&lengths{change: change}, 10)
	}
	texts := numbered(25)
	// In each case the answer to the third call, of texts 20 to 24, is broken.
	third := func(f func(v [][]float32) [][]float32) func([]string, [][]float32) ([][]float32, error) {
		calls := 0
		return func(_ []string, v [][]float32) ([][]float32, error) {
			if calls++; calls == 3 {
				v = f(v)
			}
			return v, nil
		}
	}

	_, err := inner(third(func(v [][]float32) [][]float32 { return v[:3] })).Embed(t.Context(), texts)
	if e := new(embed.CountError); !errors.As(err, &e) || e.Want != 5 || e.Got != 3 {
		t.Errorf("fewer vectors: %v", err)
	}
	_, err = inner(third(func(v [][]float32) [][]float32 { return append(v, v[0]) })).Embed(t.Context(), texts)
	if e := new(embed.CountError); !errors.As(err, &e) || e.Want != 5 || e.Got != 6 {
		t.Errorf("more vectors: %v", err)
	}
	_, err = inner(third(func(v [][]float32) [][]float32 { v[1] = v[1][:1]; return v })).Embed(t.Context(), texts)
	if e := new(embed.LengthError); !errors.As(err, &e) || e.Index != 21 || e.Want != 2 || e.Got != 1 {
		t.Errorf("a shorter vector: %v", err)
	}
	_, err = inner(third(func(v [][]float32) [][]float32 { v[4] = nil; return v })).Embed(t.Context(), texts)
	if e := new(embed.LengthError); !errors.As(err, &e) || e.Index != 24 || e.Got != 0 {
		t.Errorf("no vector: %v", err)
	}
	_, err = inner(third(func(v [][]float32) [][]float32 {
		for i := range v {
			v[i] = append(v[i], 0)
		}
		return v
	})).Embed(t.Context(), texts)
	if e := new(embed.LengthError); !errors.As(err, &e) || e.Index != 20 || e.Want != 2 || e.Got != 3 {
		t.Errorf("another length in another call: %v", err)
	}
	_, err = inner(third(func(v [][]float32) [][]float32 { v[2][1] = float32(math.NaN()); return v })).Embed(t.Context(), texts)
	if e := new(embed.ValueError); !errors.As(err, &e) || e.Index != 22 || e.Dimension != 1 {
		t.Errorf("not a number: %v", err)
	}
	_, err = inner(third(func(v [][]float32) [][]float32 { v[2] = []float32{0, 0}; return v })).Embed(t.Context(), texts)
	if e := new(embed.ZeroError); !errors.As(err, &e) || e.Index != 22 {
		t.Errorf("zero vector: %v", err)
	}
	cause := errors.New("service down")
	_, err = inner(func([]string, [][]float32) ([][]float32, error) { return nil, cause }).Embed(t.Context(), texts)
	if !errors.Is(err, cause) {
		t.Errorf("failure: %v", err)
	}
}

func TestBatchedBlankTexts(t *testing.T) {
	inner := new(lengths)
	e := embed.Batched(inner, 2)
	got, err := e.Embed(t.Context(), []string{"", "ab", " \n", "abc", "abcd"})
	if err != nil {
		t.Fatal(err)
	}
	for i, zero := range []bool{true, false, true, false, false} {
		if len(got[i]) != 2 || (embed.Cosine(got[i], got[i]) == 0) != zero {
			t.Errorf("vector %d is %v", i, got[i])
		}
	}
	for _, c := range inner.calls {
		for _, text := range c {
			if strings.TrimSpace(text) == "" {
				t.Errorf("the blank text %q was sent", text)
			}
		}
	}
	// Nothing but blanks, before and after the length is known.
	for _, e := range []embed.Embedder{embed.Batched(new(lengths), 2), e} {
		got, err = e.Embed(t.Context(), []string{" ", ""})
		if err != nil || len(got) != 2 || len(got[0]) != 2 || len(got[1]) != 2 {
			t.Errorf("blanks alone: %v, %v", got, err)
		}
	}
	got, err = e.Embed(t.Context(), nil)
	if err != nil || len(got) != 0 {
		t.Errorf("no text: %v, %v", got, err)
	}
}

func TestBatchedStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	inner := new(lengths)
	inner.change = func(_ []string, v [][]float32) ([][]float32, error) {
		if len(inner.calls) == 2 {
			cancel()
		}
		return v, nil
	}
	if _, err := embed.Batched(inner, 1).Embed(ctx, numbered(10)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if len(inner.calls) != 2 {
		t.Errorf("%d calls, want 2", len(inner.calls))
	}
}

func TestCachedAsksOnce(t *testing.T) {
	inner := new(lengths)
	e := embed.Cached(inner, 100)
	for range 3 {
		got, err := e.Embed(t.Context(), []string{"a", "bb", "a", "ccc"})
		if err != nil {
			t.Fatal(err)
		}
		want, _ := new(lengths).Embed(t.Context(), []string{"a", "bb", "a", "ccc"})
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	if fmt.Sprint(inner.calls) != "[[a bb ccc]]" {
		t.Errorf("asked %v, want each text once", inner.calls)
	}
	if got, err := e.Embed(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("no text: %v, %v", got, err)
	}
}

func TestCachedForgetsTheLeastRecent(t *testing.T) {
	inner := new(lengths)
	e := embed.Cached(inner, 2)
	for _, text := range []string{"a", "b", "a", "c", "a", "b"} {
		if _, err := e.Embed(t.Context(), []string{text}); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(inner.calls); got != "[[a] [b] [c] [b]]" {
		t.Errorf("asked %v; c should have pushed out b, and a stayed", got)
	}
	// More texts than entries in one call still give a whole answer.
	got, err := e.Embed(t.Context(), numbered(50))
	if err != nil || len(got) != 50 || got[0] == nil || got[49] == nil {
		t.Errorf("got %d vectors, %v", len(got), err)
	}
}

func TestCachedDoesNotRememberFailures(t *testing.T) {
	cause := errors.New("down")
	fail := true
	inner := &lengths{change: func(_ []string, v [][]float32) ([][]float32, error) {
		if fail {
			return nil, cause
		}
		return v, nil
	}}
	e := embed.Cached(inner, 10)
	if _, err := e.Embed(t.Context(), []string{"a"}); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
	fail = false
	if _, err := e.Embed(t.Context(), []string{"a"}); err != nil {
		t.Errorf("got %v after the failure had passed", err)
	}
	inner.change = func(_ []string, v [][]float32) ([][]float32, error) { return v[1:], nil }
	if _, err := e.Embed(t.Context(), []string{"b", "c"}); !errors.As(err, new(*embed.CountError)) {
		t.Errorf("a short answer gave %v", err)
	}
}

// A text that several ask for at once is asked for once; when the one who asks
// gives up, another takes over.
func TestCachedSingleFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		var calls atomic.Int64
		inner := embedFunc(func(ctx context.Context, texts []string) ([][]float32, error) {
			calls.Add(1)
			select {
			case <-gate:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			return [][]float32{{1, 0}}, nil
		})
		e := embed.Cached(inner, 10)
		first, giveUp := context.WithCancel(t.Context())
		var firstErr error
		var others [5]error
		var wg sync.WaitGroup
		wg.Go(func() { _, firstErr = e.Embed(first, []string{"a"}) })
		synctest.Wait()
		for i := range others {
			wg.Go(func() { _, others[i] = e.Embed(t.Context(), []string{"a"}) })
		}
		synctest.Wait()
		if n := calls.Load(); n != 1 {
			t.Errorf("%d calls while the first is under way, want 1", n)
		}
		giveUp()
		synctest.Wait()
		if n := calls.Load(); n != 2 {
			t.Errorf("%d calls after the first gave up, want one more", n)
		}
		close(gate)
		wg.Wait()
		if !errors.Is(firstErr, context.Canceled) {
			t.Errorf("the first got %v", firstErr)
		}
		for _, err := range others {
			if err != nil {
				t.Errorf("one who waited got %v", err)
			}
		}
		if n := calls.Load(); n != 2 {
			t.Errorf("%d calls in all, want 2", n)
		}
	})
}

// One who waits can leave before the answer comes.
func TestCachedWaitingStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		e := embed.Cached(embedFunc(func(context.Context, []string) ([][]float32, error) {
			<-gate
			return [][]float32{{1}}, nil
		}), 10)
		var wg sync.WaitGroup
		wg.Go(func() { e.Embed(t.Context(), []string{"a"}) })
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := e.Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
		close(gate)
		wg.Wait()
	})
}

func TestCachedConcurrently(t *testing.T) {
	e := embed.Cached(new(lengths), 30)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			texts := numbered(60)
			slices.Reverse(texts[:g*5])
			want, _ := new(lengths).Embed(context.Background(), texts)
			for range 20 {
				got, err := e.Embed(t.Context(), texts)
				if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("goroutine %d: wrong vectors or %v", g, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

type embedFunc func(context.Context, []string) ([][]float32, error)

func (f embedFunc) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return f(ctx, texts)
}
func (f embedFunc) ID() string { return "func" }

func TestThresholdsPassThrough(t *testing.T) {
	plain := new(lengths)
	set := embed.Thresholds{Entity: 0.6, Relation: 0.7}
	calibrated := embed.WithThresholds(plain, set)
	for name, wrap := range map[string]func(embed.Embedder) embed.Embedder{
		"Batched": func(e embed.Embedder) embed.Embedder { return embed.Batched(e, 3) },
		"Cached":  func(e embed.Embedder) embed.Embedder { return embed.Cached(e, 3) },
	} {
		if _, ok := wrap(plain).(embed.Thresholder); ok {
			t.Errorf("%s invents thresholds", name)
		}
		if e, ok := wrap(calibrated).(embed.Thresholder); !ok || e.Thresholds() != set || e.ID() != "lengths" {
			t.Errorf("%s loses the thresholds or the ID", name)
		}
	}
	got := embed.ThresholdsOf(embed.Cached(calibrated, 1), embed.Thresholds{Entity: 0.1, Relation: 0.1, Triple: 0.1})
	if want := (embed.Thresholds{Entity: 0.6, Relation: 0.7, Triple: 0.1}); got != want {
		t.Errorf("ThresholdsOf = %v, want %v", got, want)
	}
}

func ExampleBatched() {
	// A service that takes two texts a call.
	service := new(lengths)
	vectors, err := embed.Batched(service, 2).Embed(context.Background(), []string{"a", "bb", "ccc"})
	fmt.Println(len(vectors), err)
	fmt.Println(service.calls)
	// Output:
	// 3 <nil>
	// [[a bb] [ccc]]
}

func ExampleCached() {
	service := new(lengths)
	e := embed.Cached(service, 1000)
	e.Embed(context.Background(), []string{"a", "bb"})
	e.Embed(context.Background(), []string{"bb", "a", "ccc"})
	fmt.Println(service.calls)
	// Output:
	// [[a bb] [ccc]]
}
