package builtin_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/embed/builtin"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/s3kg"
	"github.com/kgeval/kgeval/weights"
)

func vectors(t testing.TB, e *builtin.Embedder, texts ...string) [][]float32 {
	t.Helper()
	v, err := e.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if err := embed.Check(texts, v); err != nil {
		t.Fatal(err)
	}
	return v
}

// mixed are texts of many lengths, more than are in memory at a time.
func mixed(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = strings.TrimSpace(strings.Repeat(fmt.Sprintf("Ana sold loom %d. ", i), i%6))
	}
	return texts
}

// The bits of a vector depend on its text alone: not on the other texts, their
// order, the number of workers or what runs at the same time.
func TestSameBits(t *testing.T) {
	texts := mixed(14)
	want := vectors(t, builtin.New(builtin.Options{Workers: 1}), texts...)
	same := func(name string, got [][]float32) {
		for i := range got {
			if !slices.Equal(got[i], want[i]) {
				t.Fatalf("%s: text %d has other bits", name, i)
			}
		}
	}
	for _, workers := range []int{-1, 0, 2, 5} {
		same(fmt.Sprint(workers, " workers"), vectors(t, builtin.New(builtin.Options{Workers: workers}), texts...))
	}
	e := builtin.New(builtin.Options{})
	for i := range texts {
		if got := vectors(t, e, texts[i])[0]; !slices.Equal(got, want[i]) {
			t.Fatalf("text %d alone has other bits", i)
		}
	}
	backward := slices.Clone(texts)
	slices.Reverse(backward)
	got := vectors(t, e, backward...)
	slices.Reverse(got)
	same("backwards", got)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() { same("beside others", vectors(t, e, texts...)) })
	}
	wait.Wait()
}

// More texts than one block has are all there, in order.
func TestManyTexts(t *testing.T) {
	texts := make([]string, 600)
	for i := range texts {
		texts[i] = []string{"one", "two", "", "three"}[i%4]
	}
	e := builtin.New(builtin.Options{})
	want := vectors(t, e, texts[:4]...)
	for i, v := range vectors(t, e, texts...) {
		if !slices.Equal(v, want[i%4]) {
			t.Fatalf("text %d has the vector of another", i)
		}
	}
}

// What is odd about a text has a defined outcome.
func TestOddTexts(t *testing.T) {
	e := builtin.New(builtin.Options{})
	zero := make([]float32, builtin.Dimensions)
	for _, blank := range []string{"", " ", "\t\r\n", "\u00a0\u3000"} {
		if v := vectors(t, e, blank)[0]; !slices.Equal(v, zero) {
			t.Errorf("%q: not the zero vector", blank)
		}
	}
	equal := func(a, b, why string) {
		t.Helper()
		if v := vectors(t, e, a, b); !slices.Equal(v[0], v[1]) {
			t.Errorf("%.40q and %.40q have different vectors: %s", a, b, why)
		}
	}
	equal("Bo\x00 left\x01 early", "Bo left early", "control characters are left out")
	equal("Bo\xff left\xc3 early", "Bo left early", "bytes that are not UTF-8 are left out")
	equal("\x00", "\xff\xfe", "nothing is left of either")
	equal("BO LEFT", "bo left", "case does not count")
	equal("Cafe\u0301", "Café", "composed or not")
	equal(strings.Repeat("x", 101), strings.Repeat("y", 1<<20), "words of more than 100 letters are unknown")
	long := strings.Repeat("the mill paid its weavers. ", 42) // 6 pieces each; 254 are read
	equal(long+"once", long+strings.Repeat("never again ", 1<<16), "only the first pieces count")

	if c := cosine(t, e, "[SEP] Bo left", "Bo left"); c > 0.999 {
		t.Error("a special token in a text is not plain characters")
	}
}

func cosine(t testing.TB, e *builtin.Embedder, a, b string) float64 {
	t.Helper()
	v := vectors(t, e, a, b)
	return embed.Cosine(v[0], v[1])
}

// Time does not depend on how much stands behind what is read.
func TestLongTexts(t *testing.T) {
	e := builtin.New(builtin.Options{})
	vectors(t, e, "load")
	start := time.Now()
	for _, text := range []string{
		strings.Repeat("x", 10<<20), strings.Repeat("東", 1<<20), strings.Repeat("ab cd ", 1<<20), strings.Repeat("\u0301", 1<<20),
		strings.Repeat("\x00", 10<<20), strings.Repeat("\xff", 10<<20), strings.Repeat(" ", 10<<20) + "x",
	} {
		vectors(t, e, text)
	}
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("some megabytes took %v", d)
	}
}

func TestCancel(t *testing.T) {
	e := builtin.New(builtin.Options{Workers: 1})
	vectors(t, e, "load")
	texts := slices.Repeat([]string{strings.Repeat("the mill paid its weavers. ", 42)}, 3000)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	v, err := e.Embed(ctx, texts)
	if !errors.Is(err, context.DeadlineExceeded) || v != nil {
		t.Errorf("%d vectors, error %v", len(v), err)
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("it went on for %v", d)
	}
}

// Meaning, where spelling says nothing.
func TestMeaning(t *testing.T) {
	e := builtin.New(builtin.Options{})
	for _, row := range [][3]string{ // near, then far
		{"was founded in", "was established in", "was found in"},
		{"physician", "doctor", "physicist"},
		{"New York City", "NYC", "Yorkshire"},
		{"The port shut down after a storm.", "Bad weather closed the harbour.", "The port took a new loan."},
	} {
		if near, far := cosine(t, e, row[0], row[1]), cosine(t, e, row[0], row[2]); near <= far {
			t.Errorf("%q is %.3f from %q and %.3f from %q", row[0], near, row[1], far, row[2])
		}
	}
}

// s3kg aligns labels by the thresholds that were measured for this embedder.
func TestThresholdsInScores(t *testing.T) {
	e := builtin.New(builtin.Options{})
	scorer, err := s3kg.New(s3kg.Options{Embedder: e})
	if err != nil {
		t.Fatal(err)
	}
	gold := kg.NewGraph(kg.Triple{Head: "The mill", Relation: "was founded in", Tail: "New York City"})
	for _, c := range []struct {
		triple kg.Triple
		same   bool
	}{
		{kg.Triple{Head: "The mill", Relation: "was established in", Tail: "NYC"}, true},
		{kg.Triple{Head: "The mill", Relation: "was found in", Tail: "New York City"}, false},
		{kg.Triple{Head: "The mill", Relation: "was founded in", Tail: "Chicago"}, false},
	} {
		r, err := scorer.Score(t.Context(), gold, kg.NewGraph(c.triple))
		if err != nil {
			t.Fatal(err)
		}
		if aligned := r.Matches[0].Class == s3kg.Aligned; aligned != c.same {
			t.Errorf("%v: %v, score %.3f; thresholds %v", c.triple, r.Matches[0].Class, r.Score, e.Thresholds())
		}
	}
}

func builtInFiles() fstest.MapFS {
	return fstest.MapFS{
		"words.kgw":    {Data: []byte(weights.Words())},
		"embedder.kgw": {Data: []byte(weights.Embedder())},
	}
}

var names = []string{"words.kgw", "embedder.kgw"}

// The built-in weights from files are the same embedder, thresholds and all.
func TestLoad(t *testing.T) {
	want := builtin.New(builtin.Options{})
	got, err := builtin.Load(builtInFiles(), names, builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.ID() != want.ID() || got.Thresholds() != want.Thresholds() || got.Thresholds() == (embed.Thresholds{}) {
		t.Errorf("%s with %v, want %s with %v", got.ID(), got.Thresholds(), want.ID(), want.Thresholds())
	}
	if a, b := vectors(t, got, "Bo left.")[0], vectors(t, want, "Bo left.")[0]; !slices.Equal(a, b) {
		t.Error("other vectors")
	}
	if strings.Contains(want.ID(), "unreadable") {
		t.Error(want.ID())
	}
}

// A file that is cut, altered or another is a named error, at once.
func TestLoadDamaged(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(b []byte) []byte
		want   error
	}{
		"empty":             {func([]byte) []byte { return nil }, builtin.ErrTruncated},
		"cut in the header": {func(b []byte) []byte { return b[:100] }, builtin.ErrTruncated},
		"cut in the data":   {func(b []byte) []byte { return b[:len(b)-1] }, builtin.ErrTruncated},
		"a bit altered":     {func(b []byte) []byte { b[len(b)/2] ^= 4; return b }, builtin.ErrChecksum},
		"another file":      {func([]byte) []byte { return bytes.Repeat([]byte("no weights "), 10) }, builtin.ErrFormat},
		"another version":   {func(b []byte) []byte { b[8] = 9; return b }, builtin.ErrFormat},
	} {
		for _, file := range names {
			fsys := builtInFiles()
			fsys[file].Data = c.damage(fsys[file].Data)
			if e, err := builtin.Load(fsys, names, builtin.Options{}); !errors.Is(err, c.want) || e != nil {
				t.Errorf("%s, %s: %v", file, name, err)
			}
		}
	}
	if _, err := builtin.Load(builtInFiles(), []string{"none.kgw"}, builtin.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error("no such file: ", err)
	}
	if _, err := builtin.Load(builtInFiles(), names[1:], builtin.Options{}); !errors.Is(err, builtin.ErrMissing) {
		t.Error("without words: ", err)
	}
	if _, err := builtin.Load(builtInFiles(), nil, builtin.Options{}); !errors.Is(err, builtin.ErrFormat) {
		t.Error("no files: ", err)
	}
	half := weights.Embedder()[:len(weights.Embedder())/2]
	if _, err := builtin.LoadReaderAt(strings.NewReader(half), int64(len(half)), builtin.Options{}); !errors.Is(err, builtin.ErrTruncated) {
		t.Error("half a file: ", err)
	}
	broken := io.NewSectionReader(failing{}, 0, 1<<20)
	if _, err := builtin.LoadReaderAt(broken, 1<<20, builtin.Options{}); !errors.Is(err, errDisk) {
		t.Error("a disk that fails: ", err)
	}
}

var errDisk = errors.New("disk on fire")

type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, errDisk }

// Without AVX2 the vectors are the same within 1e-5. Each set of kernels runs in
// a process of its own, since KGEVAL_ISA is read once.
func TestKernelsAgree(t *testing.T) {
	const text = "Ana Brandt sold 14 of her 30 looms to the museum in Oslo."
	if os.Getenv("KGEVAL_TEST_PRINT_VECTOR") != "" {
		fmt.Println("VECTOR", vectors(t, builtin.New(builtin.Options{}), text)[0])
		return
	}
	want := vectors(t, builtin.New(builtin.Options{}), text)[0]
	cmd := exec.Command(os.Args[0], "-test.run=^TestKernelsAgree$", "-test.v")
	cmd.Env = append(os.Environ(), "KGEVAL_ISA=scalar", "KGEVAL_TEST_PRINT_VECTOR=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, rest, _ := strings.Cut(string(out), "VECTOR [")
	rest, _, _ = strings.Cut(rest, "]")
	fields := strings.Fields(rest)
	if len(fields) != len(want) {
		t.Fatalf("%d elements in %.200s", len(fields), out)
	}
	for i, f := range fields {
		var x float64
		if _, err := fmt.Sscan(f, &x); err != nil || !(math.Abs(x-float64(want[i])) <= 1e-5) {
			t.Fatalf("element %d: %s and %v", i, f, want[i])
		}
	}
}

func FuzzEmbed(f *testing.F) {
	for _, s := range []string{"", "a", "[SEP]", "\x00\xff", "e\u0301", "東京", "1,000.5", "\u200b\ufeff", strings.Repeat("a b ", 300)} {
		f.Add(s)
	}
	e := builtin.New(builtin.Options{Workers: 1})
	f.Fuzz(func(t *testing.T, text string) {
		v := vectors(t, e, text, text+" ")
		sum := 0.0
		for _, x := range v[0] {
			sum += float64(x) * float64(x)
		}
		if sum != 0 && math.Abs(sum-1) > 1e-5 {
			t.Fatalf("squared norm %v", sum)
		}
		if !slices.Equal(v[0], v[1]) {
			t.Fatal("a blank behind the text counts")
		}
	})
}

func BenchmarkEmbed(b *testing.B) {
	for name, text := range map[string]string{
		"label":    "International Finance Corporation",
		"sentence": "The harbour of Lindvik was closed for eleven days after the storm of March 1987 had sunk two ferries there.",
		"page":     strings.Repeat("The mill on the river paid three crowns to its weavers. ", 30),
	} {
		for _, n := range []int{1, 64} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				e := builtin.New(builtin.Options{Workers: 1})
				texts := slices.Repeat([]string{text}, n)
				vectors(b, e, "load")
				for b.Loop() {
					vectors(b, e, texts...)
				}
				b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "texts/s")
			})
		}
	}
}

func ExampleEmbedder() {
	e := builtin.New(builtin.Options{})
	v, err := e.Embed(context.Background(), []string{"physician", "doctor", "physicist"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f %.2f\n", embed.Cosine(v[0], v[1]), embed.Cosine(v[0], v[2]))
	// Output:
	// 0.86 0.41
}
