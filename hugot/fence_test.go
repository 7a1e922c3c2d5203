package hugot

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kgeval/kgeval/nli"
)

// each runs a test with every backend of the build.
func each(t *testing.T, f func(t *testing.T, o Options)) {
	for _, b := range ofBuild {
		t.Run(string(b), func(t *testing.T) { f(t, testOptions(b)) })
	}
}

func vector(t testing.TB, e *Embedder, text string) []float32 {
	t.Helper()
	out, err := e.Embed(context.Background(), []string{text})
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
}

func verdict(t testing.TB, m nli.Model, premise, hypothesis string) nli.Probs {
	t.Helper()
	out, err := m.Classify(context.Background(), []nli.Pair{{Premise: premise, Hypothesis: hypothesis}})
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
}

// hugot: an empty batch panics in a goroutine of its own, which ends the process.
func TestFenceEmptyBatch(t *testing.T) {
	each(t, func(t *testing.T, o Options) {
		for _, texts := range [][]string{nil, {}} {
			if out, err := mustEmbedder(t, tinyEncoder(), EmbedderOptions{Options: o}).Embed(context.Background(), texts); err != nil || len(out) != 0 {
				t.Errorf("%v, %v", out, err)
			}
		}
		if out, err := mustNLI(t, tinyNLI("entailment", "not_entailment"), NLIOptions{Options: o}).Classify(context.Background(), nil); err != nil || len(out) != 0 {
			t.Errorf("%v, %v", out, err)
		}
	})
}

// hugot: MaxLen is ignored, and a text beyond the positions fails or reads wild
// positions. Here the model's length holds, and tokenizer.json's own cutting
// and padding, which is a leftover of training, does not.
func TestFenceTruncation(t *testing.T) {
	each(t, func(t *testing.T, o Options) {
		e := mustEmbedder(t, tinyEncoder(), EmbedderOptions{Options: o})
		if e.MaxTokens() != 512 {
			t.Errorf("%d tokens, config.json has 512 positions", e.MaxTokens())
		}
		long := strings.Repeat("x ", 510) // with the special ones 512
		want := vector(t, e, long)
		if got := vector(t, e, long+"and more, far behind what is read"); !slices.Equal(got, want) {
			t.Error("what stands behind the last token that is read changes the vector")
		}
		if got := vector(t, e, long[:len(long)-2]+"y"); slices.Equal(got, want) {
			t.Error("the last token that is read does not change the vector")
		}
		o.MaxTokens = 16
		short := mustEmbedder(t, tinyEncoder(), EmbedderOptions{Options: o})
		if got := vector(t, short, strings.Repeat("x ", 14)); !slices.Equal(got, vector(t, short, long)) {
			t.Error("MaxTokens 16 does not read 14 and the special ones")
		}
		if short.ID() == e.ID() {
			t.Errorf("another length has the same ID %s", e.ID())
		}
		o.MaxTokens = 5000
		if n := mustEmbedder(t, tinyEncoder(), EmbedderOptions{Options: o}).MaxTokens(); n != 512 {
			t.Errorf("MaxTokens 5000 reads %d tokens, there are 512 positions", n)
		}
	})
}

// hugot: races in concurrent use. Here calls take turns; see also the suites of
// kgtest/conform, and go test -race.
func TestFenceConcurrentUse(t *testing.T) {
	each(t, func(t *testing.T, o Options) {
		e := mustEmbedder(t, tinyEncoder(), EmbedderOptions{Options: o})
		n := mustNLI(t, tinyNLI("neutral", "contradiction", "entailment"), NLIOptions{Options: o})
		var group sync.WaitGroup
		for i := range 8 {
			text := fmt.Sprintf("station %d has %d birds", i, 7*i)
			v, p := vector(t, e, text), verdict(t, n, text, "birds "+text)
			group.Go(func() {
				for range 20 {
					if got := vector(t, e, text); !slices.Equal(got, v) {
						t.Errorf("%q has another vector beside other calls", text)
					}
					if got := verdict(t, n, text, "birds "+text); got != p {
						t.Errorf("%q: %+v beside other calls, alone %+v", text, got, p)
					}
				}
			})
		}
		group.Wait()
	})
}

// hugot: a special token that stands in a text is one. "… [SEP] …" would end the
// premise, and let a text write its own hypothesis.
func TestFenceSpecialTokensInText(t *testing.T) {
	each(t, func(t *testing.T, o Options) {
		n := mustNLI(t, tinyNLI("entailment", "neutral", "contradiction"), NLIOptions{Options: o})
		const cls, sep = 2, 3
		s, err := n.sequence("ana [SEP] not [CLS] bo", "[SEP] [MASK] [PAD]")
		if err != nil {
			t.Fatal(err)
		}
		for id, want := range map[uint32]int{0: 0, cls: 1, sep: 2, 4: 0} {
			got := 0
			for _, x := range s.ids {
				if x == id {
					got++
				}
			}
			if got != want {
				t.Errorf("id %d stands %d times in the sequence, want %d: %v", id, got, want, s.ids)
			}
		}
		if border := slices.Index(s.kinds, 1); s.ids[border-1] != sep {
			t.Errorf("the hypothesis' type begins at %d, not behind the border: %v %v", border, s.ids, s.kinds)
		}
	})
}

// hugot: spans are wrong behind characters of several bytes. Here windows are cut
// from the text itself, so that the place of evidence is exact.
func TestFenceSpansAfterMultiByteText(t *testing.T) {
	each(t, func(t *testing.T, o Options) {
		n := mustNLI(t, tinyNLI("entailment", "neutral", "contradiction"), NLIOptions{Options: o})
		parts := []string{
			strings.Repeat("Zoë öffnete 3 Türen für 5 € – naïvely. ", 6),
			"Ana 👩‍🔬 did not hire Bo 玛丽. ",
			strings.Repeat("Çağla içti çay, ¡señor! ", 8),
		}
		o.MaxTokens = 200
		short := mustNLI(t, tinyNLI("entailment", "neutral", "contradiction"), NLIOptions{Options: o})
		for _, m := range []*NLI{n, short} {
			premise := strings.Join(parts, "")
			js, err := nli.Judge(context.Background(), m, premise, []string{"Ana did not hire Bo."}, nli.Options{Overlap: -1})
			if err != nil || js[0].Err != nil {
				t.Fatal(err, js)
			}
			if w := js[0].Supporting.Of(premise); !strings.Contains(w, "did not hire Bo 玛丽.") {
				t.Errorf("the window that supports is %q", w)
			}
			if m == short && js[0].Windows < 3 {
				t.Errorf("%d windows: the premise is too short for this test", js[0].Windows)
			}
		}
	})
}

// hugot: Unigram tokenizers are read by taking the longest piece, which is not their
// rule. The Go backend refuses them; the reference of the ORT build reads them.
func TestFenceUnigram(t *testing.T) {
	tok := bertTokenizer()
	tok["normalizer"], tok["pre_tokenizer"] = nil, object{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true}
	// The best cut of "▁abc" is ▁a + bc (-2 -2); the longest first gives ▁ab + c (-3 -9).
	pieces := [][]any{{"[PAD]", 0.}, {"[UNK]", 0.}, {"[CLS]", 0.}, {"[SEP]", 0.}, {"[MASK]", 0.}, {"▁ab", -3.}, {"c", -9.}, {"▁a", -2.}, {"bc", -2.}, {"b", -9.}, {"a", -9.}, {"▁", -9.}}
	tok["model"] = object{"type": "Unigram", "unk_id": 1, "vocab": pieces, "byte_fallback": false}
	f := tinyEncoder().with("tokenizer.json", tok)
	_, err := LoadEmbedder(context.Background(), f.write(t), EmbedderOptions{})
	if !errors.Is(err, ErrTokenizer) || !strings.Contains(err.Error(), "ORT") {
		t.Errorf("%v, want ErrTokenizer with the advice to use ORT", err)
	}
	if !slices.Contains(ofBuild, ORT) {
		return
	}
	e := mustEmbedder(t, f, EmbedderOptions{Options: testOptions(ORT)})
	if ids, err := e.m.encode("abc", 100); err != nil || !slices.Equal(ids, []uint32{7, 8}) {
		t.Errorf("ids %v, %v; the most likely cut is [7 8]", ids, err)
	}
}

// hugot: a hypothesis template without "{}" is ignored, and one in a text is filled.
// Here a hypothesis is read as it stands, and what a text holds is never a place.
func TestFenceTemplates(t *testing.T) {
	each(t, func(t *testing.T, o Options) {
		n := mustNLI(t, tinyNLI("entailment", "neutral", "contradiction"), NLIOptions{Options: o})
		if a, b := verdict(t, n, "ana hired bo", "this is {}"), verdict(t, n, "ana hired bo", "this is bo"); a == b {
			t.Errorf("\"{}\" gives %+v, as another hypothesis", a)
		}
		f := tinyNLI("entailment", "not_entailment")
		m := mustNLI(t, f, NLIOptions{Options: o, Template: "[PAD] if {premise} then: {hypothesis}?"})
		ids := func(premise, hypothesis string) []uint32 {
			s, err := m.sequence(premise, hypothesis)
			if err != nil {
				t.Fatal(err)
			}
			return s.ids
		}
		got, err := m.m.encode("if the {hypothesis} [SEP] then: {premise}?", 1000)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Concat([]uint32{2, 0}, got, []uint32{3})
		if got := ids("the {hypothesis} [SEP]", "{premise}"); !slices.Equal(got, want) {
			t.Errorf("ids %v, want %v", got, want)
		}
		if p := verdict(t, m, strings.Repeat("ana hired bo. ", 200)+"cleo did not.", "cleo did not."); p.Err != nil || p.Entailment == 0 {
			t.Errorf("a premise of several windows: %+v", p)
		}
		for _, bad := range []string{"{premise}", "{premise} {premise} {hypothesis}", "no places"} {
			if _, err := LoadNLI(context.Background(), f.write(t), NLIOptions{Options: o, Template: bad}); !errors.Is(err, ErrConfig) {
				t.Errorf("template %q: %v, want ErrConfig", bad, err)
			}
		}
	})
}

// A context that ends in the middle of many texts ends the call between two of them;
// nothing keeps running, and the model is as good as before. hugot leaves the run
// behind, and frees its tensors under it.
func TestFenceCancellation(t *testing.T) {
	each(t, func(t *testing.T, o Options) {
		e := mustEmbedder(t, tinyEncoder(), EmbedderOptions{Options: o})
		n := mustNLI(t, tinyNLI("entailment", "neutral", "contradiction"), NLIOptions{Options: o})
		want := vector(t, e, "ana hired bo")
		texts := make([]string, 10_000)
		pairs := make([]nli.Pair, len(texts))
		for i := range texts {
			texts[i] = fmt.Sprintf("text %d of many", i)
			pairs[i] = nli.Pair{Premise: texts[i], Hypothesis: texts[i]}
		}
		before := runtime.NumGoroutine()
		for _, call := range []func(ctx context.Context) (int, error){
			func(ctx context.Context) (int, error) { out, err := e.Embed(ctx, texts); return len(out), err },
			func(ctx context.Context) (int, error) { out, err := n.Classify(ctx, pairs); return len(out), err },
		} {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(30*time.Millisecond, cancel)
			if got, err := call(ctx); !errors.Is(err, context.Canceled) || got != 0 {
				t.Errorf("%d results, %v; want the context's error", got, err)
			}
		}
		for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
			}
		}
		if got := vector(t, e, "ana hired bo"); !slices.Equal(got, want) {
			t.Error("after a cancelled call the vector is another")
		}
	})
}

// 10,000 texts at once: all there, in order, and nothing grows with them.
func TestManyTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("10,000 texts take too long with -short")
	}
	each(t, func(t *testing.T, o Options) {
		e := mustEmbedder(t, tinyEncoder(), EmbedderOptions{Options: o})
		texts := make([]string, 10_000)
		for i := range texts {
			texts[i] = fmt.Sprintf("text %d", i%100)
		}
		out, err := e.Embed(context.Background(), texts)
		if err != nil || len(out) != len(texts) {
			t.Fatal(len(out), err)
		}
		for i, v := range out {
			if !slices.Equal(v, out[i%100]) {
				t.Fatalf("text %d has another vector than text %d, which is the same", i, i%100)
			}
		}
	})
}

func TestClosed(t *testing.T) {
	each(t, func(t *testing.T, o Options) {
		ctx := context.Background()
		e, err := LoadEmbedder(ctx, tinyEncoder().write(t), EmbedderOptions{Options: o})
		if err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for {
					if _, err := e.Embed(ctx, []string{"ana"}); err != nil {
						if !errors.Is(err, ErrClosed) {
							t.Errorf("%v, want ErrClosed", err)
						}
						return
					}
				}
			})
		}
		time.Sleep(10 * time.Millisecond)
		for range 2 {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}
		group.Wait()
	})
}
