package hashed

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kgeval/kgeval/embed"
)

func vectors(t testing.TB, texts ...string) [][]float32 {
	t.Helper()
	v, err := New().Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func cosine(t testing.TB, a, b string) float64 {
	t.Helper()
	v := vectors(t, a, b)
	return embed.Cosine(v[0], v[1])
}

var scripts = []string{
	"Marie Curie", "works for", "hasTarget", "GABRR1", "U.S. dollar", "naïve café", "Straße", "Москва", "Ελλάδα",
	"القاهرة", "ירושלים", "東京大学", "柿子", "ひらがな", "서울특별시", "กรุงเทพมหานคร", "हिन्दी", "தமிழ்", "42", "3.14", "?!", "→", "🙂🙃",
	"one two three two one", "\u0301", "\x00\x01", "a\xffb", "ﬁne", "Ⅷ",
	"$5", "5%", "C++", "A-", "5 < 6", "±5", "5'", "well-known",
}

func TestContract(t *testing.T) {
	all := vectors(t, scripts...)
	if err := embed.Check(scripts, all); err != nil {
		t.Fatal(err)
	}
	for i, text := range scripts {
		var norm float64
		for _, x := range all[i] {
			norm += float64(x) * float64(x)
		}
		if math.Abs(norm-1) > 1e-6 || len(all[i]) != Dimensions {
			t.Errorf("%q: squared norm %v, length %d", text, norm, len(all[i]))
		}
		if alone := vectors(t, text)[0]; !slices.Equal(alone, all[i]) {
			t.Errorf("%q: the vector depends on the rest of the call", text)
		}
	}
	for _, blank := range []string{"", " ", "\t\n", "\u00a0"} {
		if v := vectors(t, blank)[0]; len(v) != Dimensions || slices.Max(v) != 0 || slices.Min(v) != 0 {
			t.Errorf("%q: not the zero vector", blank)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New().Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The bits of the vectors are the same on every machine and in every release with
// the same ID.
func TestBits(t *testing.T) {
	h := fnv.New64a()
	for _, v := range vectors(t, scripts...) {
		binary.Write(h, binary.LittleEndian, v)
	}
	got := fmt.Sprintf("%s %x", New().ID(), h.Sum64())
	if want := "hashed-ngram-1024/2 5ca63ef8b5d98c72"; got != want {
		t.Errorf("the vectors have changed: %s, want %s; a change needs a new ID", got, want)
	}
}

func TestSpelling(t *testing.T) {
	for _, same := range [][2]string{
		{"works for", "worked for"}, {"working for", "works for"}, {"studies", "studied"}, {"has_target", "hasTarget"},
		{"Müller", "Muller"}, {"MARIE CURIE", "marie curie"}, {"U.S.", "US"}, {"Swords,_Dublin", "Swords, Dublin"},
		{"ﬁne", "fine"}, {"Ｔｏｋｙｏ", "Tokyo"}, {"stopped", "stops"}, {"Curie's", "Curie"}, {"cities", "city"},
	} {
		if c := cosine(t, same[0], same[1]); c < 0.999 {
			t.Errorf("%q and %q have the cosine %.3f, want 1", same[0], same[1], c)
		}
	}
	// Near before far, in each row.
	for _, row := range [][3]string{
		{"Steven Spielberg", "Stephen Spielberg", "Steven Soderbergh"},
		{"located in", "is located at", "was born in"},
		{"東京大学", "東京大学院", "京都大学"},
		{"Москва", "Москвы", "Минск"},
		{"United States", "United States of America", "United Kingdom"},
		{"dog bites man", "dogs bite man", "man bites dog"},
	} {
		if near, far := cosine(t, row[0], row[1]), cosine(t, row[0], row[2]); near <= far {
			t.Errorf("%q is %.3f from %q and %.3f from %q", row[0], near, row[1], far, row[2])
		}
	}
	// What the package says that it cannot do.
	if c := cosine(t, "works for", "is employed by"); c > 0.3 {
		t.Errorf("words that share no letters have the cosine %.3f", c)
	}
}

// Marks that change a value are part of the text, others are not.
func TestSigns(t *testing.T) {
	for _, group := range [][]string{
		{"$7", "€7", "¥7", "7"}, {"7%", "7", "7°"}, {"C++", "C#", "C"}, {"B+", "B-", "B"}, {"Ca+", "Ca-"}, {"BB", "BB-"}, {"G#", "G"},
		{"7 < 8", "7 > 8", "7 8"}, {"<7", ">7", "7"}, {"±7", "7"}, {"7'", `7"`, "7"}, {"-7", "7"}, {"x + y", "x = y", "x y"},
	} {
		for i, a := range group {
			for _, b := range group[:i] {
				if c := cosine(t, a, b); c > 0.99 {
					t.Errorf("%q and %q have the cosine %.3f", a, b, c)
				}
			}
		}
	}
	for _, same := range [][2]string{
		{"well-known", "well known"}, {"Acme Inc.", "Acme Inc"}, {"7%", "7 percent"}, {"pre- and post-war", "pre and post war"},
		{`"7"`, "7"}, {"the '90s", "the 90s"}, {"a -> b", "a b"}, {"+5", "5"}, {"#5", "5"}, {"a|b", "a b"}, {"(x)", "x"}, {"R&D", "R D"},
	} {
		if c := cosine(t, same[0], same[1]); c < 0.999 {
			t.Errorf("%q and %q have the cosine %.3f, want 1", same[0], same[1], c)
		}
	}
}

func TestThresholdsSeparate(t *testing.T) {
	th := New().Thresholds()
	if th.Triple != 0 {
		t.Error("no threshold was measured for triples")
	}
	if c := cosine(t, "is located in", "located in"); c < th.Relation {
		t.Errorf("%.3f is below the threshold", c)
	}
	if c := cosine(t, "place of birth", "place of death"); c >= th.Relation {
		t.Errorf("%.3f reaches the threshold", c)
	}
}

func TestLongText(t *testing.T) {
	start := time.Now()
	for _, text := range []string{
		strings.Repeat("x", 1<<18), strings.Repeat("東", 1<<16), strings.Repeat("ab cd ", 1<<15), strings.Repeat("1,", 1<<16),
		strings.Repeat("e\u0301", 1<<16), strings.Repeat("\u0301", 1<<16),
	} {
		v := vectors(t, text)
		if err := embed.Check([]string{"x"}, v); err != nil {
			t.Error(err)
		}
	}
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("a megabyte took %v", d)
	}
}

func FuzzEmbed(f *testing.F) {
	for _, s := range scripts {
		f.Add(s)
	}
	f.Add("'''")
	f.Add("a.b.c.")
	f.Add("\u0301\u0301")
	f.Fuzz(func(t *testing.T, text string) {
		v := vectors(t, text, text)
		if !slices.Equal(v[0], v[1]) {
			t.Fatal("two vectors for one text")
		}
		var norm float64
		for _, x := range v[0] {
			norm += float64(x) * float64(x)
		}
		if norm != 0 && math.Abs(norm-1) > 1e-5 || norm != norm {
			t.Fatalf("squared norm %v", norm)
		}
	})
}

func BenchmarkEmbed(b *testing.B) {
	texts := []string{"Marie Curie", "works for", "International Finance Corporation", "country of citizenship"}
	for b.Loop() {
		vectors(b, texts...)
	}
}

func ExampleEmbedder() {
	e := New()
	v, err := e.Embed(context.Background(), []string{"works for", "worked for", "is employed by"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f %.2f\n", embed.Cosine(v[0], v[1]), embed.Cosine(v[0], v[2]))
	// Output:
	// 1.00 0.00
}
