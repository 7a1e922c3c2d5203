package segment

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func checkOffsets(t *testing.T, text string) {
	t.Helper()
	o := NewOffsets(text)
	r, u := 0, 0
	for b, c := range text {
		if o.Rune(b) != r || o.UTF16(b) != u || o.FromRune(r) != b || o.FromUTF16(u) != b {
			t.Fatalf("%q byte %d: Rune %d want %d, UTF16 %d want %d, FromRune %d, FromUTF16 %d",
				text, b, o.Rune(b), r, o.UTF16(b), u, o.FromRune(r), o.FromUTF16(u))
		}
		r++
		u += len(utf16.Encode([]rune{c}))
	}
	for _, beyond := range []int{len(text), len(text) + 9} {
		if o.Rune(beyond) != r || o.UTF16(beyond) != u {
			t.Fatalf("%q: the end is rune %d, unit %d; want %d, %d", text, o.Rune(beyond), o.UTF16(beyond), r, u)
		}
	}
	if o.FromRune(r+1) != len(text) || o.FromUTF16(u+1) != len(text) || o.Rune(-1) != 0 || o.FromRune(-1) != 0 {
		t.Fatalf("%q: offsets outside the text are not clamped", text)
	}
}

func TestOffsets(t *testing.T) {
	for _, text := range append(seeds, strings.Repeat("aé漢😀", 200), strings.Repeat("a", 500)+"é", "😀") {
		checkOffsets(t, text)
	}
	o := NewOffsets("a😀b")
	if o.Rune(3) != 1 || o.UTF16(3) != 1 || o.FromUTF16(2) != 1 {
		t.Error("an offset inside a rune must count as its start")
	}
}

func FuzzOffsets(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(checkOffsets)
}

func TestUTF8(t *testing.T) {
	cases := []struct {
		text, repaired string
		offset         int
	}{
		{"plain", "plain", -1},
		{"a\x00b\uFFFDc", "a\x00b\uFFFDc", -1},
		{"ab\xff\xfecd", "ab\uFFFDcd", 2},
		{"漢\xe6\xbc", "漢\uFFFD", 3},
		{"\xed\xa0\x80", "\uFFFD", 0},
	}
	for _, c := range cases {
		var bad *InvalidUTF8Error
		switch err := CheckUTF8(c.text); {
		case c.offset < 0 && err != nil:
			t.Errorf("%q: %v", c.text, err)
		case c.offset >= 0 && (!errors.As(err, &bad) || bad.Offset != c.offset):
			t.Errorf("%q: %v, want offset %d", c.text, err, c.offset)
		}
		if got := RepairUTF8(c.text); got != c.repaired || !utf8.ValidString(got) {
			t.Errorf("%q repaired is %q", c.text, got)
		}
	}
}

func BenchmarkSentences(b *testing.B) {
	text := strings.Repeat("Mr. Smith paid $3.5 million to Acme Inc. on Jan. 5. \"It is done,\" he said. ", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Sentences(text)
	}
}
