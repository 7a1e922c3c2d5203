package mark

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

func span(text, part string) segment.Span {
	i := strings.Index(text, part)
	return segment.Span{Start: i, End: i + len(part)}
}

func TestPosition(t *testing.T) {
	text := "Äb\ncd\n"
	for _, c := range []struct{ offset, line, column int }{
		{-1, 1, 1}, {0, 1, 1}, {2, 1, 2}, {3, 1, 3}, {4, 2, 1}, {6, 2, 3}, {7, 3, 1}, {99, 3, 1},
	} {
		if l, k := Position(text, c.offset); l != c.line || k != c.column {
			t.Errorf("Position(%d) = %d:%d, want %d:%d", c.offset, l, k, c.line, c.column)
		}
	}
}

func TestQuote(t *testing.T) {
	text := "First one. The café opened\nin 1935, they say. Last."
	whole := span(text, "The café opened\nin 1935, they say.")
	for name, c := range map[string]struct {
		limit int
		spans []segment.Span
		want  string
	}{
		"one place":         {0, []segment.Span{span(text, "1935")}, "The café opened in »1935«, they say."},
		"two places":        {0, []segment.Span{span(text, "café"), span(text, "1935")}, "The »café« opened in »1935«, they say."},
		"touching places":   {0, []segment.Span{span(text, "19"), span(text, "35")}, "The café opened in »1935«, they say."},
		"the whole part":    {0, []segment.Span{whole}, "The café opened in 1935, they say."},
		"all but the point": {0, []segment.Span{{Start: whole.Start, End: whole.End - 1}}, "The café opened in 1935, they say."},
		"a place elsewhere": {0, []segment.Span{span(text, "Last")}, "The café opened in 1935, they say."},
		"cut at both ends":  {12, []segment.Span{span(text, "1935")}, "… in »1935«, th…"},
		"cut at the end":    {12, nil, "The café ope…"},
	} {
		if got := Quote(text, whole, c.limit, c.spans...); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestPlainCannotSteerATerminal(t *testing.T) {
	got := Plain("a\x1b[31mb\x00\u202ec\td\xff")
	if want := "a\ufffd[31mb\ufffd\ufffdc d\ufffd"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWrite(t *testing.T) {
	text := "The bridge opened in 1935 and has two lanes.\nIt crosses the 長江 river."
	var b strings.Builder
	err := Write(&b, text, 34,
		Mark{Span: span(text, "1935"), Under: '^'},
		Mark{Span: span(text, "has two"), Under: '~'},
		Mark{Span: span(text, "長江"), Under: '^', Paint: func(s string) string { return "<" + s + ">" }})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"1 | The bridge opened in 1935 and",
		"                         ^^^^",
		"  | has two lanes.",
		"    ~~~~~~~",
		"2 | It crosses the <長江> river.",
		"                   <^^^^>",
		"",
	}, "\n")
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func FuzzQuote(f *testing.F) {
	f.Add("The café opened in 1935.", 0, 20, 3, 9, 7)
	f.Add("\xff\xfe", -3, 1, 2, 1, 0)
	f.Fuzz(func(t *testing.T, text string, a, b, c, d, limit int) {
		got := Quote(text, segment.Span{Start: a, End: b}, limit, segment.Span{Start: c, End: d})
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\x1b\x00") {
			t.Errorf("unsafe quote %q", got)
		}
	})
}
