package cache_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/kgeval/kgeval/kgtest/conform"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/cache"
	"github.com/kgeval/kgeval/llm/llmtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func ask(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

// Only a whole reply is kept. All else is asked again.
func TestWhatIsKept(t *testing.T) {
	reply := func(text string, stop llm.StopReason) llmtest.Step {
		return llmtest.Step{Response: llm.Response{Text: text, Stop: stop}}
	}
	all := func(llm.Response) bool { return true }
	for _, c := range []struct {
		name string
		step llmtest.Step
		keep func(llm.Response) bool
		want bool
	}{
		{"whole", reply("yes", llm.StopEnd), nil, true},
		{"truncated", reply("ye", llm.StopLength), nil, false},
		{"refused", reply("I can't", llm.StopRefused), nil, false},
		{"end unknown", reply("yes", llm.StopUnknown), nil, false},
		{"empty", reply("", llm.StopEnd), nil, false},
		{"truncated, asked for", reply("ye", llm.StopLength), all, true},
		{"refused, asked for", reply("I can't", llm.StopRefused), all, true},
		{"an error", llmtest.Step{Response: llm.Response{Text: "ye", Stop: llm.StopEnd}, Err: errors.New("sad")}, all, false},
		{"rate limited", llmtest.Fail(&llm.Error{Kind: llm.ErrRateLimited}), all, false},
	} {
		for _, streamed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, streamed %v", c.name, streamed), func(t *testing.T) {
				inner := llmtest.Script(c.step, c.step)
				m := cache.New(inner, cache.NewMemory(0), cache.Options{Keep: c.keep})
				for turn := range 2 {
					var r llm.Response
					var err error
					if streamed {
						r, err = llm.Collect(m.Stream(t.Context(), ask("hi")))
					} else {
						r, err = m.Generate(t.Context(), ask("hi"))
					}
					if !errors.Is(err, c.step.Err) || r.Text != c.step.Response.Text {
						t.Errorf("turn %d: %q, %v", turn, r.Text, err)
					}
					if cached := turn == 1 && c.want; r.Cached != cached {
						t.Errorf("turn %d: Cached is %v", turn, r.Cached)
					}
				}
				if kept := len(inner.Requests()) == 1; kept != c.want {
					t.Errorf("kept: %v, want %v", kept, c.want)
				}
			})
		}
	}
}

// A reply comes back as it was, with every field.
func TestRoundTrip(t *testing.T) {
	want := llm.Response{
		Text: "a\xff\x00b\r\n", Stop: llm.StopEnd, Usage: llm.Usage{Input: 1, Output: 2, CachedInput: 3},
		Model: "m", Latency: time.Second,
		LogProbs: []llm.TokenLogProbs{{TokenProb: llm.TokenProb{Token: "a\xff", LogProb: -0.5}, Top: []llm.TokenProb{{Token: "b", LogProb: -1e-300}}}},
	}
	// A field that is added later must be in here too.
	v := reflect.ValueOf(want)
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; name != "Cached" && v.Field(i).IsZero() {
			t.Errorf("the test does not set %s", name)
		}
	}
	m := cache.New(llmtest.Script(llmtest.Step{Response: want}), cache.NewMemory(0), cache.Options{})
	first, err := m.Generate(t.Context(), ask("hi"))
	if err != nil || !reflect.DeepEqual(first, want) {
		t.Errorf("got %+v, %v", first, err)
	}
	second, err := m.Generate(t.Context(), ask("hi"))
	want.Cached = true
	if err != nil || !reflect.DeepEqual(second, want) {
		t.Errorf("got %+v, %v, want %+v", second, err, want)
	}
	second.LogProbs[0].Top[0].LogProb = math.NaN() // the caller's own copy
	if third, _ := m.Generate(t.Context(), ask("hi")); !reflect.DeepEqual(third, want) {
		t.Errorf("got %+v, want %+v", third, want)
	}
}

func TestOtherRequestsAreOtherEntries(t *testing.T) {
	m := cache.New(llmtest.New(llmtest.Echo), cache.NewMemory(0), cache.Options{})
	other := ask("hi")
	other.Sample = 1
	for _, req := range []llm.Request{ask("hi"), ask("ho"), other} {
		if r, err := m.Generate(t.Context(), req); err != nil || r.Cached {
			t.Errorf("%+v: cached %v, %v", req, r.Cached, err)
		}
	}
	if s := m.Stats(); s != (cache.Stats{Misses: 3, Kept: 3}) {
		t.Errorf("%+v", s)
	}
}

// gate returns a model that answers when the gate opens.
func gate(err error) (m *llmtest.Model, open func()) {
	ch := make(chan struct{})
	return llmtest.New(func(ctx context.Context, n int, req llm.Request) (llm.Response, error) {
		select {
		case <-ch:
			return llm.Response{Text: "yes"}, err
		case <-ctx.Done():
			return llm.Response{}, ctx.Err()
		}
	}), func() { close(ch) }
}

func TestEqualRequestsMakeOneCall(t *testing.T) {
	for name, store := range map[string]cache.Store{"with a store": cache.NewMemory(0), "without": nil} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				inner, open := gate(nil)
				m := cache.New(inner, store, cache.Options{})
				var fresh int
				var mu sync.Mutex
				for range 20 {
					go func() {
						r, err := m.Generate(t.Context(), ask("hi"))
						if err != nil || r.Text != "yes" {
							t.Errorf("got %q, %v", r.Text, err)
						}
						mu.Lock()
						defer mu.Unlock()
						if !r.Cached {
							fresh++
						}
					}()
				}
				synctest.Wait()
				open()
				synctest.Wait()
				if n := len(inner.Requests()); n != 1 || fresh != 1 {
					t.Errorf("%d calls, %d replies not marked as cached", n, fresh)
				}
				if s := m.Stats(); s.Joined != 19 || s.Misses != 1 {
					t.Errorf("%+v", s)
				}
			})
		})
	}
}

// An error is shared with those who waited for it, and with nobody else.
func TestASharedErrorIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sad := errors.New("sad")
		inner, open := gate(sad)
		m := cache.New(inner, cache.NewMemory(0), cache.Options{})
		for range 3 {
			go func() {
				if r, err := m.Generate(t.Context(), ask("hi")); !errors.Is(err, sad) || r.Cached {
					t.Errorf("got %+v, %v", r, err)
				}
			}()
		}
		synctest.Wait()
		open()
		synctest.Wait()
		if _, err := m.Generate(t.Context(), ask("hi")); !errors.Is(err, sad) || len(inner.Requests()) != 2 {
			t.Errorf("error %v after %d calls", err, len(inner.Requests()))
		}
	})
}

// The first caller's context is its own affair; the call goes on for the others.
func TestCancelOfOneFailsNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner, open := gate(nil)
		m := cache.New(inner, nil, cache.Options{})
		first, cancel := context.WithCancel(t.Context())
		go func() {
			if _, err := m.Generate(first, ask("hi")); !errors.Is(err, context.Canceled) {
				t.Errorf("first: %v", err)
			}
		}()
		synctest.Wait()
		go func() {
			if r, err := m.Generate(t.Context(), ask("hi")); err != nil || r.Text != "yes" {
				t.Errorf("second: %q, %v", r.Text, err)
			}
		}()
		synctest.Wait()
		cancel()
		synctest.Wait()
		open()
		synctest.Wait()
		if n := len(inner.Requests()); n != 1 {
			t.Errorf("%d calls", n)
		}
	})
}

// When all have given up the call is cancelled, and the next caller begins anew.
func TestCancelOfAllEndsTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner, open := gate(nil)
		m := cache.New(inner, nil, cache.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		for range 3 {
			go m.Generate(ctx, ask("hi"))
		}
		synctest.Wait()
		cancel()
		synctest.Wait() // synctest fails if the call's goroutine stays
		open()
		if r, err := m.Generate(t.Context(), ask("hi")); err != nil || r.Text != "yes" || len(inner.Requests()) != 2 {
			t.Errorf("got %q, %v after %d calls", r.Text, err, len(inner.Requests()))
		}
	})
}

// The caller may change its request once Generate has returned, though the call
// for others goes on.
func TestTheRequestIsCopied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := make(chan struct{})
		inner := llmtest.New(func(_ context.Context, _ int, req llm.Request) (llm.Response, error) {
			<-ch
			return llm.Response{Text: req.Messages[0].Text}, nil
		})
		m := cache.New(inner, nil, cache.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		req := ask("hi")
		go m.Generate(ctx, req)
		synctest.Wait()
		go func() {
			if r, err := m.Generate(t.Context(), ask("hi")); err != nil || r.Text != "hi" {
				t.Errorf("got %q, %v", r.Text, err)
			}
		}()
		synctest.Wait()
		cancel()
		synctest.Wait()
		req.Messages[0].Text = "changed"
		close(ch)
		synctest.Wait()
	})
}

func TestPanicReachesTheCaller(t *testing.T) {
	m := cache.New(llmtest.New(func(context.Context, int, llm.Request) (llm.Response, error) { panic("oh") }), nil, cache.Options{})
	defer func() {
		if p := recover(); p != "oh" {
			t.Errorf("recovered %v", p)
		}
	}()
	m.Generate(t.Context(), ask("hi"))
}

// badStore fails, or gives what nobody has put there.
type badStore struct {
	value []byte
	err   error
}

func (s badStore) Get(context.Context, string) ([]byte, bool, error) {
	return s.value, s.err == nil, s.err
}
func (s badStore) Put(context.Context, string, []byte) error { return s.err }

// A broken store costs calls, never a reply, and is reported.
func TestABrokenStore(t *testing.T) {
	for name, store := range map[string]badStore{
		"fails":         {err: errors.New("disk full")},
		"nothing":       {value: nil},
		"garbage":       {value: []byte("garbage")},
		"other version": {value: []byte{9, 0, 0, 0, 0}},
		"bad checksum":  {value: []byte("\x01abcdefgh")},
		"not gob":       {value: []byte("\x01\x00\x00\x00\x00")},
	} {
		var told []error
		m := cache.New(llmtest.New(llmtest.Echo), store, cache.Options{OnStoreError: func(_ context.Context, err error) { told = append(told, err) }})
		r, err := m.Generate(t.Context(), ask("hi"))
		if err != nil || r.Text != "You said: hi" || r.Cached || len(told) == 0 || m.Stats().StoreErrors == 0 {
			t.Errorf("%s: %+v, %v; told %v", name, r, err, told)
		}
	}
}

// Memory holds what was used last, and never more than it may.
func TestMemory(t *testing.T) {
	ctx := t.Context()
	s := cache.NewMemory(10_000)
	rng := rand.New(rand.NewPCG(1, 2))
	size := func(i int) int { return 100 + i*13%400 }
	for range 5000 {
		i := rng.IntN(100)
		if rng.IntN(2) == 0 {
			if err := s.Put(ctx, fmt.Sprint(i), []byte(strings.Repeat("x", size(i)))); err != nil {
				t.Fatal(err)
			}
			if _, ok, _ := s.Get(ctx, fmt.Sprint(i)); !ok {
				t.Fatalf("what was just put is gone")
			}
		} else if v, ok, err := s.Get(ctx, fmt.Sprint(i)); err != nil || ok && len(v) != size(i) {
			t.Fatalf("got %d bytes of %d, %v", len(v), size(i), err)
		}
		if s.Len() > 10_000/300 {
			t.Fatalf("%d entries of at least 300 bytes", s.Len())
		}
	}
	if err := s.Put(ctx, "big", make([]byte, 20_000)); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := s.Get(ctx, "big"); ok || s.Len() == 0 {
		t.Errorf("a value that is too large is kept, or drove out the others (%d left)", s.Len())
	}

	lru := cache.NewMemory(3 * 300)
	for _, key := range []string{"a", "b", "c"} {
		lru.Put(ctx, key, make([]byte, 90))
	}
	lru.Get(ctx, "a")
	lru.Put(ctx, "d", make([]byte, 90))
	var left []string
	for _, key := range []string{"a", "b", "c", "d"} {
		if _, ok, _ := lru.Get(ctx, key); ok {
			left = append(left, key)
		}
	}
	if !slices.Equal(left, []string{"a", "c", "d"}) {
		t.Errorf("left: %v", left)
	}
}

func TestConforms(t *testing.T) {
	for name, store := range map[string]cache.Store{"with a store": cache.NewMemory(0), "without": nil} {
		t.Run(name, func(t *testing.T) {
			conform.LLM(t, func() llm.Model { return cache.New(llmtest.New(llmtest.Echo), store, cache.Options{}) }, conform.Deterministic(true))
		})
	}
}
