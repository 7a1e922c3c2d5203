package embed_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/hashed"
	"github.com/kgeval/kgeval/kgtest/conform"
)

// shelf is a Store in memory that fails when it is told to.
type shelf struct {
	mu         sync.Mutex
	values     map[string][]byte
	get, put   error
	gets, puts int
}

func (s *shelf) GetAll(_ context.Context, keys []string) (map[string][]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gets++
	out := map[string][]byte{}
	for _, k := range keys {
		if v, ok := s.values[k]; ok {
			out[k] = slices.Clone(v)
		}
	}
	return out, s.get
}

func (s *shelf) PutAll(_ context.Context, values map[string][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.puts++
	if s.put != nil {
		return s.put
	}
	if s.values == nil {
		s.values = map[string][]byte{}
	}
	maps.Copy(s.values, values)
	return nil
}

func TestStoredConforms(t *testing.T) {
	for name, size := range map[string]int{"small batches": 3, "one batch": 0} {
		shared := &shelf{}
		for _, turn := range []string{"empty", "filled"} {
			t.Run(name+", "+turn, func(t *testing.T) {
				conform.Embedder(t, func() embed.Embedder {
					return embed.Stored(hashed.New(), shared, embed.StoredOptions{Batch: size})
				}, conform.MaxText(20_000))
			})
		}
	}
}

// Each text is asked for once, by whatever call, and a store out of another process
// gives the same bits.
func TestStoredAsksOnce(t *testing.T) {
	s := &shelf{}
	texts := append(numbered(600), "x10", "x10", "", " ")
	want, _ := new(lengths).Embed(t.Context(), texts)
	for turn := range 3 {
		inner := new(lengths)
		got, err := embed.Stored(inner, s, embed.StoredOptions{Batch: 100}).Embed(t.Context(), texts)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("turn %d: other vectors than without the store", turn)
		}
		asked := 0
		for _, c := range inner.calls {
			if len(c) > 100 {
				t.Errorf("a call of %d texts", len(c))
			}
			asked += len(c)
		}
		// Blank texts are not kept: what they get is the embedder's own affair.
		if want := map[bool]int{true: 603, false: 2}[turn == 0]; asked != want {
			t.Errorf("turn %d: %d texts asked for, want %d", turn, asked, want)
		}
	}
}

type other struct{ embed.Embedder }

func (other) ID() string { return "lengths, another version" }

// Another model finds nothing of this one's.
func TestStoredByID(t *testing.T) {
	s := &shelf{}
	for _, e := range []embed.Embedder{new(lengths), other{new(lengths)}} {
		if _, err := embed.Stored(e, s, embed.StoredOptions{}).Embed(t.Context(), []string{"a", "b"}); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.values) != 4 {
		t.Errorf("%d values for two texts of two models", len(s.values))
	}
}

// A call that fails half way keeps what came before, and the next goes on there.
func TestStoredKeepsWhatCame(t *testing.T) {
	s := &shelf{}
	down := errors.New("down")
	calls := 0
	inner := &lengths{change: func(_ []string, v [][]float32) ([][]float32, error) {
		if calls++; calls == 3 {
			return nil, down
		}
		return v, nil
	}}
	e := embed.Stored(inner, s, embed.StoredOptions{Batch: 10})
	if v, err := e.Embed(t.Context(), numbered(50)); !errors.Is(err, down) || v != nil {
		t.Fatalf("%d vectors, %v", len(v), err)
	}
	if len(s.values) != 20 {
		t.Errorf("%d kept, want 20", len(s.values))
	}
	if _, err := e.Embed(t.Context(), numbered(50)); err != nil || calls != 6 {
		t.Errorf("%d calls, %v; want 3 and 3 more", calls, err)
	}
}

// Neither zero vectors nor broken answers are kept, and the error tells the text's
// place in the call.
func TestStoredRefusesBrokenAnswers(t *testing.T) {
	texts := numbered(12)
	for name, change := range map[string]func(v [][]float32) [][]float32{
		"short":   func(v [][]float32) [][]float32 { return v[:len(v)-1] },
		"length":  func(v [][]float32) [][]float32 { v[1] = v[1][:1]; return v },
		"zero":    func(v [][]float32) [][]float32 { v[1] = []float32{0, 0}; return v },
		"missing": func(v [][]float32) [][]float32 { v[1] = nil; return v },
	} {
		s := &shelf{}
		e := embed.Stored(&lengths{change: func(texts []string, v [][]float32) ([][]float32, error) {
			if texts[0] == numbered(12)[5] {
				v = change(v)
			}
			return v, nil
		}}, s, embed.StoredOptions{Batch: 5})
		v, err := e.Embed(t.Context(), texts)
		if err == nil || v != nil || len(s.values) != 5 {
			t.Errorf("%s: %d vectors, %d kept, %v", name, len(v), len(s.values), err)
		}
		var length *embed.LengthError
		var zero *embed.ZeroError
		if errors.As(err, &length) && length.Index != 6 || errors.As(err, &zero) && zero.Index != 6 {
			t.Errorf("%s: %v, want the text at 6", name, err)
		}
	}
}

// A store that fails, or holds rubbish, costs calls and nothing else.
func TestStoredWithoutItsStore(t *testing.T) {
	texts := []string{"a", "b", "c"}
	want, _ := new(lengths).Embed(t.Context(), texts)
	full := &shelf{}
	if _, err := embed.Stored(new(lengths), full, embed.StoredOptions{}).Embed(t.Context(), texts); err != nil {
		t.Fatal(err)
	}
	spoiled := func(change func(b []byte) []byte) *shelf {
		s := &shelf{values: map[string][]byte{}}
		for k, v := range full.values {
			s.values[k] = change(slices.Clone(v))
		}
		return s
	}
	broken := errors.New("the disk is full")
	for name, s := range map[string]*shelf{
		"get fails":       {get: broken},
		"put fails":       {put: broken},
		"empty values":    spoiled(func([]byte) []byte { return nil }),
		"cut":             spoiled(func(b []byte) []byte { return b[:len(b)-1] }),
		"cut at a number": spoiled(func(b []byte) []byte { return b[:len(b)-4] }),
		"a bit":           spoiled(func(b []byte) []byte { b[7] ^= 1; return b }),
		"another version": spoiled(func(b []byte) []byte { b[0]++; return b }),
	} {
		var told []error
		inner := new(lengths)
		e := embed.Stored(inner, s, embed.StoredOptions{OnStoreError: func(_ context.Context, err error) { told = append(told, err) }})
		got, err := e.Embed(t.Context(), texts)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) || len(told) == 0 || len(inner.calls) != 1 {
			t.Errorf("%s: %v, %v; told %v, %d calls", name, got, err, told, len(inner.calls))
		}
	}
}

// A model that changed behind its ID is found out.
func TestStoredVectorsOfAnotherLength(t *testing.T) {
	s := &shelf{}
	e := embed.Stored(new(lengths), s, embed.StoredOptions{})
	if _, err := e.Embed(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	changed := embed.Stored(&lengths{change: func(_ []string, v [][]float32) ([][]float32, error) {
		for i := range v {
			v[i] = []float32{0, 0, 1}
		}
		return v, nil
	}}, s, embed.StoredOptions{})
	_, err := changed.Embed(t.Context(), []string{"a", "b"})
	if e := new(embed.LengthError); !errors.As(err, &e) || e.Index != 1 || e.Got != 3 {
		t.Errorf("error %v", err)
	}
}

func TestStoredPassesOn(t *testing.T) {
	e := embed.Stored(embed.WithThresholds(new(lengths), embed.Thresholds{Entity: 0.5}), nil, embed.StoredOptions{})
	if got := embed.ThresholdsOf(e, embed.Thresholds{}); got.Entity != 0.5 || e.ID() != "lengths" {
		t.Errorf("%+v, %s", got, e.ID())
	}
	if v, err := e.Embed(t.Context(), []string{"a"}); err != nil || len(v) != 1 {
		t.Errorf("without a store: %v, %v", v, err)
	}
}
