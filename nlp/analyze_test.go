package nlp

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func analyze(t testing.TB, text string) *Document {
	t.Helper()
	d, err := analyzer(t).Analyze(context.Background(), text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func ExampleAnalyzer_Analyze() {
	a, err := New()
	if err != nil {
		panic(err)
	}
	d, err := a.Analyze(context.Background(), "Ida Berg left Graz in 1901. She didn't return.")
	if err != nil {
		panic(err)
	}
	for _, t := range d.Tokens[:4] {
		fmt.Println(t.Text, t.Tag, t.Lemma)
	}
	for i, r := range d.References {
		fmt.Println(d.Tokens[i].Text, "is", d.Tokens[r.First].Text, d.Tokens[r.End-1].Text)
	}
	// Output:
	// Ida NNP ida
	// Berg NNP berg
	// left VBD leave
	// Graz NNP graz
	// She is Ida Berg
}

// checkDocument fails unless the document keeps what its comments promise.
func checkDocument(t testing.TB, d *Document) {
	t.Helper()
	at, sent := 0, 0
	for i, k := range d.Tokens {
		if k.Start < at || k.Empty() || k.End > len(d.Text) || k.Of(d.Text) != k.Text {
			t.Fatalf("token %d %q stands at %v", i, k.Text, k.Span)
		}
		if utf8.ValidString(d.Text) && !utf8.ValidString(k.Text) {
			t.Fatalf("token %q is cut inside a rune", k.Text)
		}
		for at < k.Start {
			r, n := utf8.DecodeRuneInString(d.Text[at:])
			m := markup(d.Text, at, len(d.Text))
			if r != 0 && !unicode.IsSpace(r) && !invisible(r) && m == 0 {
				t.Fatalf("%q is in no token", d.Text[at:k.Start])
			}
			at += max(m, n)
		}
		if k.Tag == "" {
			t.Fatalf("token %q has no tag", k.Text)
		}
		at = k.End
	}
	for i, s := range d.Sentences {
		if s.First != sent || s.End <= s.First || s.Span.Start > d.Tokens[s.First].Start || s.Span.End < d.Tokens[s.End-1].End {
			t.Fatalf("sentence %d is %+v", i, s)
		}
		sent = s.End
		last := s.First
		for _, p := range d.NounPhrases(s) {
			if p.First < last || p.Head < p.First || p.Head >= p.End || p.End > s.End ||
				p.Span.Start != d.Tokens[p.First].Start || p.Span.End != d.Tokens[p.End-1].End {
				t.Fatalf("phrase %+v in sentence %+v", p, s)
			}
			last = p.End
		}
		if d.SentenceAt(s.First) != i || d.SentenceAt(s.End-1) != i {
			t.Fatalf("SentenceAt doesn't find sentence %d", i)
		}
	}
	if sent != len(d.Tokens) {
		t.Fatalf("%d tokens in sentences, %d in all", sent, len(d.Tokens))
	}
	last := 0
	for i, n := range d.Names {
		if n.First < last || n.End <= n.First || n.Entity < 0 || n.Entity > i || d.Names[n.Entity].Entity != n.Entity {
			t.Fatalf("name %d is %+v", i, n)
		}
		last = n.End
	}
	for i, r := range d.References {
		if i < 0 || i >= len(d.Tokens) || r.First < 0 || r.End <= r.First || r.End > len(d.Tokens) || r.First <= i && i < r.End {
			t.Fatalf("token %d refers to %+v", i, r)
		}
	}
}

var oddTexts = []string{
	"<b>x</b> <", "[a](b.c) [a] (b)", "a\u200db", "", " ", "\x00", "a\x00b", "\xff\xfe\xfd", "\xe6\xbc", "我爱北京。他走了。", "ภาษาไทย", "مرحبا بالعالم.", "🙂🙂 👩‍👩‍👧", "'", "''", "'s", "n't",
	"He said . ' I ca n't . '", "\"\"\"\"", "((((", "a.b.c.d", "U.S.A.", "$$$", "1,2,3", "http://", "@", "#", "x@y", "-LRB- -RRB-",
	"He he him his she her it its they who which that.", "who", ", who", "When he came, Bo left.", "of of of", "the the the the",
	strings.Repeat("he ", 100), strings.Repeat("Bo and ", 50), "e\u0301 \u0301", "\u200b\ufeff", "A\u00a0B",
}

func FuzzAnalyze(f *testing.F) {
	for _, s := range oddTexts {
		f.Add(s)
	}
	f.Add("Mr. Li, who'd left the U.S. in '99, didn't say \"It's 5 p.m.\" to his son (Bo).")
	f.Fuzz(func(t *testing.T, text string) {
		d := analyze(t, text)
		checkDocument(t, d)
		if diff := cmp.Diff(d, analyze(t, text)); diff != "" {
			t.Fatalf("two analyses differ: %s", diff)
		}
	})
}

func TestAnalyzeCases(t *testing.T) {
	for _, s := range oddTexts {
		checkDocument(t, analyze(t, s))
	}
}

func TestAnalyzeIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("long texts are read without -short only")
	}
	prose := "Ida Berg, who was born in Graz, founded the firm in 1901. She sold it to her brother, and he renamed it. It didn't last. "
	inputs := map[string]string{
		"prose":         strings.Repeat(prose, 500_000/len(prose)),
		"one sentence":  strings.Repeat("the old man and his dog saw Bo near her house ", 5_000),
		"no blanks":     strings.Repeat("abcdefghij", 50_000),
		"digits":        strings.Repeat("12,3", 100_000),
		"dots":          strings.Repeat(".", 250_000),
		"quotes":        strings.Repeat("\" ' ", 62_000),
		"apostrophes":   strings.Repeat("'", 250_000),
		"contractions":  strings.Repeat("n't", 75_000),
		"names":         strings.Repeat("Bo Li ", 50_000),
		"pronouns":      strings.Repeat("he ", 75_000),
		"brackets":      strings.Repeat("( ", 75_000),
		"commas":        strings.Repeat("a , ", 50_000),
		"Han":           strings.Repeat("漢字", 50_000),
		"hyphens":       strings.Repeat("a-", 75_000),
		"dotted":        strings.Repeat("a.", 75_000),
		"at signs":      strings.Repeat("a@", 75_000),
		"who":           strings.Repeat("Bo, who ", 25_000),
		"possessives":   strings.Repeat("Bo's ", 37_000),
		"prepositional": strings.Repeat("of Bo ", 37_000),
	}
	for name, text := range inputs {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			d := analyze(t, text)
			took := time.Since(begin)
			t.Logf("%d bytes, %d tokens: %v", len(text), len(d.Tokens), took)
			if took > 20*time.Second {
				t.Errorf("%d bytes took %v", len(text), took)
			}
		})
	}
}

func TestAnalyzeBoundsMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("10 MB are read without -short only")
	}
	text := strings.Repeat("Ida Berg left Graz in 1901, and she sold the firm to her brother. ", 10<<20/66)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	d := analyze(t, text)
	runtime.GC()
	runtime.ReadMemStats(&after)
	kept := float64(after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc)) / float64(len(text))
	t.Logf("%d tokens, %.0f bytes kept for each byte of text", len(d.Tokens), kept)
	if kept > 60 {
		t.Errorf("the document keeps %.0f bytes for each byte of text", kept)
	}
	runtime.KeepAlive(d)
}

func TestAnalyzeStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := analyzer(t).Analyze(ctx, "One. Two."); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gives %v", err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	begin := time.Now()
	_, err := analyzer(t).Analyze(ctx, strings.Repeat("no stop in here and ", 500_000))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a passed deadline gives %v", err)
	}
	if d := time.Since(begin); d > 5*time.Second {
		t.Errorf("stopped after %v", d)
	}
}

func TestAnalyzeConcurrently(t *testing.T) {
	text := "Bo Li met Ada in Graz. He gave her the leaves she had left. It rained."
	want := analyze(t, text)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if d := cmp.Diff(want, analyze(t, text)); d != "" {
					t.Errorf("%s", d)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkAnalyze(b *testing.B) {
	text := strings.Repeat("Ida Berg, who was born in Graz, founded the firm in 1901. She sold it to her brother, and he renamed it. ", 100)
	a := analyzer(b)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := a.Analyze(context.Background(), text); err != nil {
			b.Fatal(err)
		}
	}
}
