package boltcache_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
	"go.uber.org/goleak"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/cache"
	"github.com/kgeval/kgeval/llm/cache/boltcache"
	"github.com/kgeval/kgeval/llm/llmtest"
)

// childEnv makes this test binary the second process of TestTwoProcesses.
const childEnv = "BOLTCACHE_TEST_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		calls, err := askAll(path)
		if err != nil {
			fmt.Println("FAILED:", err)
			os.Exit(1)
		}
		fmt.Println("calls:", calls)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func open(t *testing.T, path string) *boltcache.Store {
	t.Helper()
	s, err := boltcache.Open(t.Context(), path, boltcache.Options{Wait: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ask(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	s := open(t, path)
	if _, ok, err := s.Get(t.Context(), "a"); ok || err != nil {
		t.Errorf("an empty store has a: %v, %v", ok, err)
	}
	big := bytes.Repeat([]byte{0, 0xff, 'x'}, 1<<20)
	for _, v := range [][]byte{{}, []byte("one"), []byte("two"), big} {
		if err := s.Put(t.Context(), "a", v); err != nil {
			t.Fatal(err)
		}
		if got, ok, err := open(t, path).Get(t.Context(), "a"); !ok || err != nil || !bytes.Equal(got, v) {
			t.Errorf("put %d bytes, got %d, %v, %v", len(v), len(got), ok, err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// Many at once are all there or none, and absent keys are left out.
func TestMany(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "c.db"))
	values := map[string][]byte{}
	var keys []string
	for i := range 500 {
		k := fmt.Sprint("key ", i)
		keys = append(keys, k, k+" not there")
		values[k] = bytes.Repeat([]byte{byte(i)}, i)
	}
	if err := s.PutAll(t.Context(), values); err != nil {
		t.Fatal(err)
	}
	got, err := s.GetAll(t.Context(), keys)
	if err != nil || !maps.EqualFunc(got, values, bytes.Equal) {
		t.Errorf("%d values of %d, %v", len(got), len(values), err)
	}
	if err := s.PutAll(t.Context(), map[string][]byte{"good": nil, "": []byte("bbolt takes no empty key")}); err == nil {
		t.Error("an empty key was taken")
	}
	if got, err := s.GetAll(t.Context(), []string{"good"}); err != nil || len(got) != 0 {
		t.Errorf("half of a failed call is there: %v, %v", got, err)
	}
	if err := s.PutAll(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// A store that is removed while in use is empty, and works on.
func TestRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	s := open(t, path)
	if err := s.Put(t.Context(), "a", []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := s.Get(t.Context(), "a"); ok || err != nil {
		t.Errorf("got %v, %v", ok, err)
	}
	if err := s.Put(t.Context(), "a", []byte("two")); err != nil {
		t.Fatal(err)
	}
	if v, _, _ := s.Get(t.Context(), "a"); string(v) != "two" {
		t.Errorf("got %q", v)
	}
}

// What is in the place of the file, or left of it, gives errors, no panic and no
// wrong reply; it is left as it is and not locked, and a new file in its place
// works.
func TestDamaged(t *testing.T) {
	const entries = 25
	question := func(i int) string { return fmt.Sprintf("%d %s", i, strings.Repeat("?", 3000)) }
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.db")
	filled := cache.New(llmtest.New(llmtest.Echo), open(t, whole), cache.Options{})
	for i := range entries {
		if _, err := filled.Generate(t.Context(), ask(question(i))); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	damaged := func(from, step int) []byte {
		b := bytes.Clone(data)
		for i := from; i < len(b); i += step {
			b[i] ^= byte(i*7 + 1)
		}
		return b
	}
	for _, c := range []struct {
		name string
		data []byte
	}{
		{"text", []byte(strings.Repeat("not a database\n", 1000))},
		{"cut behind the meta pages", data[:2*os.Getpagesize()]},
		{"cut in the middle", data[:len(data)/2]},
		{"one page", data[:os.Getpagesize()]},
		{"ten bytes", data[:10]},
		{"noise", damaged(2*os.Getpagesize(), 1)},
		{"some noise", damaged(2*os.Getpagesize(), 997)},
		{"noise in the meta pages", damaged(0, 57)},
	} {
		path := filepath.Join(dir, c.name)
		copyOf := func(b []byte) {
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		copyOf(data)
		s := open(t, path) // opened while it was whole
		copyOf(c.data)
		errs := 0
		m := cache.New(llmtest.New(llmtest.Echo), s, cache.Options{OnStoreError: func(_ context.Context, err error) {
			if errs++; errors.Is(err, boltcache.ErrBusy) {
				t.Errorf("%s: %v", c.name, err)
			}
		}})
		for i := range entries {
			if r, err := m.Generate(t.Context(), ask(question(i))); err != nil || r.Text != "You said: "+question(i) {
				t.Errorf("%s: %q, %v", c.name, r.Text, err)
			}
		}
		if errs == 0 {
			t.Errorf("%s: no error", c.name)
		}
		if _, err := boltcache.Open(t.Context(), path, boltcache.Options{Wait: 300 * time.Millisecond}); errors.Is(err, boltcache.ErrBusy) {
			t.Errorf("%s: still locked", c.name)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := s.Put(t.Context(), "a", []byte("one")); err != nil {
			t.Errorf("%s: a new file: %v", c.name, err)
		}
		if v, ok, err := s.Get(t.Context(), "a"); string(v) != "one" || !ok || err != nil {
			t.Errorf("%s: a new file: %q, %v, %v", c.name, v, ok, err)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "none", "c.db")} {
		if _, err := boltcache.Open(t.Context(), path, boltcache.Options{}); err == nil {
			t.Errorf("%s opened", path)
		}
	}
}

// A program that keeps the file open makes operations ErrBusy in time, and the
// cache works on without its store.
func TestBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	s, err := boltcache.Open(t.Context(), path, boltcache.Options{Wait: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	other, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), "a", nil); !errors.Is(err, boltcache.ErrBusy) {
		t.Errorf("Put: %v", err)
	}
	if _, _, err := s.Get(t.Context(), "a"); !errors.Is(err, boltcache.ErrBusy) {
		t.Errorf("Get: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, _, err := s.Get(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Get with a deadline: %v", err)
	}
	var told []error
	m := cache.New(llmtest.New(llmtest.Echo), s, cache.Options{OnStoreError: func(_ context.Context, err error) { told = append(told, err) }})
	if r, err := m.Generate(t.Context(), ask("hi")); err != nil || r.Text != "You said: hi" || len(told) == 0 || !errors.Is(told[0], boltcache.ErrBusy) {
		t.Errorf("got %q, %v; told %v", r.Text, err, told)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), "a", nil); err != nil {
		t.Errorf("Put after the other has closed: %v", err)
	}
}

// Those who only read leave room for those who write. Two stores of one file
// stand to each other as two processes do.
func TestReadersDoNotStarveAWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	reader := open(t, path)
	if err := reader.Put(t.Context(), "a", []byte("one")); err != nil {
		t.Fatal(err)
	}
	writer, err := boltcache.Open(t.Context(), path, boltcache.Options{Wait: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for ctx.Err() == nil {
				if _, _, err := reader.Get(t.Context(), "a"); err != nil && !errors.Is(err, boltcache.ErrBusy) {
					t.Error(err)
				}
			}
		})
	}
	for i := range 10 {
		if err := writer.Put(t.Context(), fmt.Sprint(i), []byte("two")); err != nil {
			t.Error(err)
		}
	}
	stop()
	wg.Wait()
}

func BenchmarkGet(b *testing.B) {
	s, err := boltcache.Open(b.Context(), filepath.Join(b.TempDir(), "c.db"), boltcache.Options{})
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Put(b.Context(), "a", make([]byte, 2000)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, ok, err := s.Get(b.Context(), "a"); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkPut(b *testing.B) {
	s, err := boltcache.Open(b.Context(), filepath.Join(b.TempDir(), "c.db"), boltcache.Options{})
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for b.Loop() {
		if err := s.Put(b.Context(), fmt.Sprint(n), make([]byte, 2000)); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

const questions = 30

// counted is an embedder that counts the texts that are not blank.
type counted struct {
	hashed.Embedder
	texts, failed atomic.Int64
}

func (c *counted) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	for _, t := range texts {
		if t != "" {
			c.texts.Add(1)
		}
	}
	return c.Embedder.Embed(ctx, texts)
}

// askAll asks the same questions in two goroutines, and embeds them, through caches
// in the file at path, and returns how many calls of the models that took.
func askAll(path string) (calls int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	store, err := boltcache.Open(ctx, path, boltcache.Options{Wait: 30 * time.Second})
	if err != nil {
		return 0, err
	}
	inner := llmtest.New(llmtest.Echo)
	m := cache.New(inner, store, cache.Options{})
	embedder := &counted{}
	vectors := embed.Stored(embedder, store, embed.StoredOptions{OnStoreError: func(_ context.Context, err error) { embedder.failed.Add(1) }})
	errs := make([]error, 2)
	var wg sync.WaitGroup
	for g := range errs {
		wg.Go(func() {
			for i := range questions {
				q := fmt.Sprint("question ", i)
				r, err := m.Generate(ctx, ask(q))
				if err == nil && r.Text != "You said: "+q {
					err = fmt.Errorf("%q for %q", r.Text, q)
				}
				if err == nil {
					_, err = vectors.Embed(ctx, []string{q, "", q + "!"})
				}
				if err != nil {
					errs[g] = err
					return
				}
			}
		})
	}
	wg.Wait()
	if n := m.Stats().StoreErrors; n > 0 {
		errs = append(errs, fmt.Errorf("%d errors of the store", n))
	}
	if n := embedder.failed.Load(); n > 0 {
		errs = append(errs, fmt.Errorf("%d errors of the store of vectors", n))
	}
	return len(inner.Requests()) + int(embedder.texts.Load()), errors.Join(errs...)
}

// Three processes work on one file at once: no reply is wrong, none fails, none
// is lost, and a fourth needs no model at all.
func TestProcessesShareAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			cmd := exec.Command(exe)
			cmd.Env = append(os.Environ(), childEnv+"="+path)
			if out, err := cmd.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "calls:") {
				t.Errorf("a process: %v\n%s", err, out)
			}
		})
	}
	if _, err := askAll(path); err != nil {
		t.Error(err)
	}
	wg.Wait()
	if calls, err := askAll(path); calls != 0 || err != nil {
		t.Errorf("afterwards %d calls, %v", calls, err)
	}
}
