package language

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestForeign(t *testing.T) {
	for _, c := range []struct {
		text, language, script string
	}{
		{"The mill on the river closed in 1998.", "", ""},
		{"Ana, Bo 1998", "", ""},
		{"", "", ""},
		{"12.5 %", "", ""},
		{"Marie", "", ""},
		{"Die Mühle am Fluss wurde im Jahr 1998 geschlossen und nicht wieder eröffnet.", "German", "Latin"},
		{"Le moulin est dans la ville et il a été fermé pour des raisons inconnues.", "French", "Latin"},
		{"玛丽在巴黎工作。", "", "Han"},
		{"تعمل ماري في باريس.", "", "Arabic"},
		{"The word мир means peace in that language.", "", ""},
	} {
		language, script, foreign := Foreign(c.text)
		if language != c.language || script != c.script || foreign != (c.script != "") {
			t.Errorf("%q: %q, %q, %v, want %q, %q", c.text, language, script, foreign, c.language, c.script)
		}
	}
}

func FuzzForeign(f *testing.F) {
	for _, s := range []string{"", "a", "\xff\xfe", "玛丽", strings.Repeat("é", 1<<14), "l'église est là"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		language, script, foreign := Foreign(s)
		if foreign != (script != "") || !foreign && language != "" {
			t.Errorf("%q: %q, %q, %v", s, language, script, foreign)
		}
		if l2, s2, f2 := Foreign(strings.Clone(s)); l2 != language || s2 != script || f2 != foreign {
			t.Errorf("%q: not the same twice", s)
		}
		if len(s) < sample && utf8.ValidString(s) {
			if _, _, spaced := Foreign(" " + s + " "); spaced != foreign {
				t.Errorf("%q: blanks around it matter", s)
			}
		}
	})
}
