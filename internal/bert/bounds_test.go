package bert

import (
	"context"
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kgeval/kgeval/internal/bert/kernel"
)

// A machine without vector instructions gives the same result within 1e-5, and
// so does every other set of kernels.
func TestEverySetGivesTheSame(t *testing.T) {
	for name, c := range map[string]Config{"bert": tinyBERT, "mpnet": tinyMPNet} {
		file := tiny(c, 13)
		sets := kernel.Available()
		plain := mustLoad(t, file, WithKernel(sets[0]))
		if plain.Kernel() != "scalar" {
			t.Fatalf("the slowest set is %s", plain.Kernel())
		}
		seqs := randomSequences(plain, 6, 17)
		want := encodeAll(t, plain, seqs, 1)
		for _, k := range sets[1:] {
			worst := 0.0
			for i, h := range encodeAll(t, mustLoad(t, file, WithKernel(k)), seqs, 1) {
				for j, v := range h {
					worst = max(worst, math.Abs(float64(v)-float64(want[i][j])))
				}
			}
			t.Logf("%s, %s: largest difference %.2g", name, k.Name(), worst)
			if !(worst <= 1e-5) {
				t.Errorf("%s, %s: differs from scalar by %.2g, want at most 1e-5", name, k.Name(), worst)
			}
		}
	}
}

// manyShort are n sequences of 8 to 30 tokens.
func manyShort(m *Model, n int) []Sequence {
	seqs := make([]Sequence, n)
	for i := range seqs {
		seqs[i].IDs = make([]int32, 8+i%23)
		for j := range seqs[i].IDs {
			seqs[i].IDs[j] = int32((i*31 + j*7) % m.tokenizer.Size())
		}
	}
	return seqs
}

// Ten thousand texts allocate nothing but the list of groups once the buffers
// are there: a worker has one set of them, as large as its largest group.
func TestEncodeMemoryDoesNotGrow(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 500
	}
	m := mustLoad(t, tiny(tinyMPNet, 3))
	seqs := manyShort(m, n)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would empty the pool of buffers
	least := int64(math.MaxInt64)
	for range 5 { // the race detector makes a pool forgetful
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := m.Encode(context.Background(), seqs, 1, func(int, []float32) {}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		least = min(least, int64(after.TotalAlloc-before.TotalAlloc))
	}
	t.Logf("%d texts: %d bytes", n, least)
	if least > int64(n)*16+4096 {
		t.Errorf("%d texts allocate %d bytes", n, least)
	}
}

// With several workers too the end of the context stops the work within the
// groups that are under way, and leaves no goroutine behind.
func TestEncodeStopsEveryWorker(t *testing.T) {
	m := mustLoad(t, tiny(tinyBERT, 1))
	seqs := manyShort(m, 2000)
	before := runtime.NumGoroutine()
	for _, workers := range []int{1, 2, 8} {
		ctx, cancel := context.WithCancel(context.Background())
		var n atomic.Int64
		err := m.Encode(ctx, seqs, workers, func(int, []float32) {
			n.Add(1)
			cancel()
		})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers: error is %v", workers, err)
		}
		// A group has at most 216 tokens, or 27 of these sequences; each
		// worker may have one more under way.
		if got := n.Load(); got > int64(2*27*workers) {
			t.Errorf("%d workers: %d of %d sequences ran", workers, got, len(seqs))
		}
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		if err := m.Encode(ended, seqs, workers, func(int, []float32) { t.Error("it ran") }); !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers, context ended before: error is %v", workers, err)
		}
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// Several goroutines use one model at the same time and get the same bits.
func TestEncodeConcurrently(t *testing.T) {
	m := mustLoad(t, tiny(tinyMPNet, 2))
	seqs := manyShort(m, 60)
	want := encodeAll(t, m, seqs, 1)
	done := make(chan bool)
	const callers = 6
	for range callers {
		go func() {
			same := true
			err := m.Encode(context.Background(), seqs[:30], 1, func(i int, h []float32) {
				for j, v := range h {
					same = same && v == want[i][j]
				}
			})
			done <- same && err == nil
		}()
	}
	for range callers {
		if !<-done {
			t.Error("a goroutine got other states")
		}
	}
}
