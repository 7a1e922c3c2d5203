package segment

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

func TestWords(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"punctuation", "Hello, world! (yes)", "Hello|world|yes"},
		{"apostrophes", "didn't O’Hara's dogs' 'quoted'", "didn't|O’Hara's|dogs|quoted"},
		{"hyphens", "well-known co-op", "well|known|co|op"},
		{"numbers", "3.14 1,000,000 1,2,3 2000,2001 30.11.2026 5. $4.5m 50%", "3.14|1,000,000|1|2|3|2000|2001|30.11.2026|5|4.5m|50"},
		{"acronyms", "the U.S. and e.g. home.The", "the|U.S|and|e.g|home|The"},
		{"Han", "我是2026年的", "我|是|2026|年|的"},
		{"mixed", "iPhoneを買う", "iPhone|を|買|う"},
		{"Thai keeps marks", "กี่", "กี่"},
		{"accents", "naïve cafe\u0301 Über", "naïve|cafe\u0301|Über"},
		{"Arabic and Hindi", "نعم هذا यह है", "نعم|هذا|यह|है"},
		{"Korean", "안녕 세상", "안녕|세상"},
		{"underscore", "snake_case _x", "snake_case|x"},
		{"bad bytes", "a\xffb", "a|b"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, s := range Words(c.text) {
				got = append(got, s.Of(c.text))
			}
			if d := cmp.Diff(c.want, strings.Join(got, "|")); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkSpans(t, text, Words(text), false, func(r rune) bool {
			return r == unicode.ReplacementChar || !unicode.IsLetter(r) && !unicode.IsNumber(r)
		})
	})
}
