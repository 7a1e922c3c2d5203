package segment

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// Each case is one text with its sentences divided by " | ".
func TestSentences(t *testing.T) {
	cases := map[string]string{
		"titles and initials":      "Mr. Adeyemi met Dr. J. R. Voss. | He left.",
		"initial after a noun":     "She takes vitamin C. | It helps.",
		"acronym inside a name":    "The U.S. Senate voted. | It passed.",
		"acronym at the end":       "She moved to the U.S. | They stayed.",
		"company suffix":           "He sold Brill Inc. to Acme Ltd. | The deal closed.",
		"latin abbreviations":      "Use fruit, e.g. apples, i.e. the red ones. | They last.",
		"months":                   "It opened on Jan. 5 and shut on Nov. 11. | She came late.",
		"numbers":                  "It rose 3.14 percent to 1,000.50. | We sold 5. | The end.",
		"numbered things":          "See Fig. 2 and No. 5. | They differ.",
		"no as an answer":          "No. | He did not.",
		"clock":                    "It starts at 5 p.m. Monday. | We leave at 9 a.m. | The bus waits.",
		"question runs":            "What?! | No way!! | Right.",
		"ellipsis goes on":         "I thought... that it was late. | Then... | The door shut.",
		"quote closes":             "\"I am done.\" | She left. | “Why?” | He shrugged.",
		"quote goes on":            "\"Stop!\" he said. | \"Why?\" asked Ines.",
		"brackets":                 "(See below.) | It was (so they say) cold. | (He left. | She stayed.)",
		"footnotes":                "It was found.[1] | The next was not.[2, 3] | End.",
		"lower case":               "paul went home. | he was sad. | then it rained",
		"missing blank":            "They went home.|The dog slept.",
		"stops inside names":       "Call fmt.Println or see example.com now.",
		"set apart":                "he was gone . | 'He is back , ' she said . | ' I know . ' | They left .",
		"set apart, Penn quotes":   "`` We won . '' | He ran . | ( It rained . ) | She hid .",
		"set apart, quote goes on": "'Why are they late ? ' she asked . | They ran .",
		"set apart, question":      "is it true ? | yes ! | good",
		"exclamation in a name":    "He works at Yahoo! and likes it.",
		"version numbers":          "Version 2.0.1 is out. | 5 people came.",
		"inline bullets":           "Pack: | • rope | • tent",
		"Chinese":                  "我喜欢你。|你呢？|好！",
		"Japanese quote":           "「そうだ。」と言った。|はい。",
		"Hindi":                    "यह है। | वह है।",
		"Arabic":                   "هل هذا؟ | نعم.",
		"Khmer":                    "ខ្ញុំស្រឡាញ់។ | អ្នក៕",
		"name with a middle":       "George W. Bush spoke. | J. K. Rowling wrote it.",
		"only marks":               "...",
		"emphasis":                 "**Note.** | It is late.",
		"closing bracket and stop": "It sank (in 1912). | Nobody knew.",
	}
	for name, want := range cases {
		t.Run(name, func(t *testing.T) {
			sep := " | "
			text := strings.ReplaceAll(want, " | ", " ")
			if !strings.Contains(want, " | ") && strings.Contains(want, "|") {
				sep, text = "|", strings.ReplaceAll(want, "|", "")
			}
			var got []string
			for _, s := range Sentences(text) {
				got = append(got, s.Of(text))
			}
			if d := cmp.Diff(strings.Split(want, sep), got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestSentencesOfLines(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"bullets", "Buy:\n- ripe apples\n- pears and\n* plums\n", "Buy:|- ripe apples|- pears and|* plums"},
		{"numbers", "1. one\n2) two\n(3) three\n", "1. one|2) two|(3) three"},
		{"heading", "# History\nThe town is old\n\nPeople\n\nThey fish.", "# History|The town is old|People|They fish."},
		{"short lines", "Roses\nviolets\ntulips", "Roses|violets|tulips"},
		{"wrapped", "The quick brown fox jumped over the lazy dog and then it\nwent home. It slept until the morning of the day after at\nthe mill.",
			"The quick brown fox jumped over the lazy dog and then it\nwent home.|It slept until the morning of the day after at\nthe mill."},
		{"wrapped before a name", "The old professor taught mathematics for thirty years at the\nUniversity of Graz.",
			"The old professor taught mathematics for thirty years at the\nUniversity of Graz."},
		{"windows line ends", "One is here.\r\nTwo\r\n\r\nThree", "One is here.|Two|Three"},
		{"table", "| a | b |\n| 1 | 2 |", "| a | b ||| 1 | 2 |"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, s := range Sentences(c.text) {
				got = append(got, s.Of(c.text))
			}
			if d := cmp.Diff(c.want, strings.Join(got, "|")); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// checkSpans fails unless spans are ascending, on rune borders, not empty, and
// leave out only what skip allows.
func checkSpans(t *testing.T, text string, spans []Span, overlap bool, skip func(rune) bool) {
	t.Helper()
	at := 0
	for i, s := range spans {
		if s.Empty() || s.Start < 0 || s.End > len(text) {
			t.Fatalf("span %d is %v in a text of %d bytes", i, s, len(text))
		}
		if i > 0 && (s.Start < spans[i-1].Start || s.End <= spans[i-1].End || !overlap && s.Start < spans[i-1].End) {
			t.Fatalf("span %v after %v", s, spans[i-1])
		}
		for _, b := range []int{s.Start, s.End} {
			if b < len(text) && utf8.ValidString(text) && !utf8.RuneStart(text[b]) {
				t.Fatalf("span %v cuts a rune", s)
			}
		}
		if s.Start > at {
			checkSkipped(t, text[at:s.Start], skip)
		}
		at = max(at, s.End)
	}
	checkSkipped(t, text[at:], skip)
}

func checkSkipped(t *testing.T, s string, skip func(rune) bool) {
	t.Helper()
	for _, r := range s {
		if !skip(r) {
			t.Fatalf("%q is in no span", s)
		}
	}
}

var seeds = []string{
	"", " ", ".", "...", "\n\n", "A.", "Mr.", "a\x00b", "\xff\xfe. \xff", "He said . ' I know . '",
	"1. one\n2. two", "我喜欢你。「好。」と", "ภาษาไทยไม่มีช่องว่าง", "e\u0301. \u0301", "U.S.A. e.g. 3.14 1,000 [1].[2]",
	"\u2028.\u0085!\r\n?", "(a)", "( . )", "- ", "-", "1.", "1.\n", "'''\"\"'' . ''", "-RRB- .-RRB-", "*._ **.**",
	"‼ ⁇។x", "…… …", "#\n|\n>", "”.“ ' \" . \"x\"",
}

func FuzzSentences(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkSpans(t, text, Sentences(text), false, unicode.IsSpace)
	})
}

func TestSentencesAreLinear(t *testing.T) {
	inputs := map[string]string{
		"no blanks":        strings.Repeat("abcdefghij", 100_000),
		"digits, commas":   strings.Repeat("12,3", 250_000),
		"full stops":       strings.Repeat(".", 250_000),
		"spaced stops":     strings.Repeat(". ", 100_000),
		"quotes":           strings.Repeat("\"", 250_000),
		"stops and quotes": strings.Repeat(".\"", 125_000),
		"line breaks":      strings.Repeat("\n", 1_000_000),
		"blanks":           strings.Repeat(" ", 1_000_000),
		"brackets":         strings.Repeat(".)", 125_000),
		"combining marks":  strings.Repeat("\u0301", 125_000),
		"initials":         strings.Repeat("A. ", 80_000),
		"bullets":          strings.Repeat("- ", 125_000),
		"Han":              strings.Repeat("漢", 80_000),
		"stop, blanks":     strings.Repeat(". "+strings.Repeat(" ", 1000), 1000),
	}
	for name, text := range inputs {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			Sentences(text)
			Words(text)
			n := 0
			ws := Windows(text, 2000, 200, func(s string) int { n++; return len(s) })
			if d := time.Since(begin); d > 10*time.Second {
				t.Errorf("took %v for %d bytes", d, len(text))
			}
			checkSpans(t, text, ws, true, unicode.IsSpace)
			if n > len(text) {
				t.Errorf("%d calls of cost for %d bytes", n, len(text))
			}
		})
	}
}
