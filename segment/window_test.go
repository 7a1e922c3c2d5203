package segment

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func countWords(s string) int { return len(strings.Fields(s)) }

func ExampleWindows() {
	text := "Ada wrote. Bo sang all night. Cy slept. Di ran home. Ed ate."
	for _, w := range Windows(text, 8, 3, countWords) {
		fmt.Println(w.Of(text))
	}
	// Output:
	// Ada wrote. Bo sang all night. Cy slept.
	// Cy slept. Di ran home. Ed ate.
}

func TestWindowsFitAndShare(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "The number %d is here. ", i)
	}
	text := b.String()
	ws := Windows(text, 50, 15, countWords)
	checkSpans(t, text, ws, true, unicode.IsSpace)
	for i, w := range ws {
		if c := countWords(w.Of(text)); c > 50 {
			t.Errorf("window %d costs %d", i, c)
		}
		if i > 0 {
			shared := Span{w.Start, ws[i-1].End}
			if shared.Empty() {
				t.Errorf("windows %d and %d share nothing", i-1, i)
			} else if c := countWords(shared.Of(text)); c > 15 {
				t.Errorf("windows %d and %d share %d", i-1, i, c)
			}
		}
	}
}

func TestWindowsCutLongSentences(t *testing.T) {
	cases := map[string]string{
		"words":    strings.Repeat("word ", 500),
		"one word": strings.Repeat("x", 3000),
		"Han":      strings.Repeat("漢", 1000),
		"Thai":     strings.Repeat("ที่นี่", 300),
		"numbers":  strings.Repeat("12,", 1000),
		"mixed":    "Short. " + strings.Repeat("longer words ", 300) + strings.Repeat("y", 2000) + " end. Short again.",
	}
	costs := map[string]func(string) int{
		"bytes": nil,
		"runes": utf8.RuneCountInString,
		"plus":  func(s string) int { return utf8.RuneCountInString(s) + 2 },
	}
	for name, text := range cases {
		for unit, cost := range costs {
			t.Run(name+" in "+unit, func(t *testing.T) {
				ws := Windows(text, 100, 30, cost)
				checkSpans(t, text, ws, true, unicode.IsSpace)
				for _, w := range ws {
					if cost != nil && cost(w.Of(text)) > 100 || cost == nil && w.Len() > 100 {
						t.Errorf("window %v of %q… is too long", w, w.Of(text)[:10])
					}
				}
			})
		}
	}
}

func TestWindowsOfOddArguments(t *testing.T) {
	text := "One here. Two there. Three."
	for _, budget := range []int{-5, 0, 1, 3, math.MaxInt32} {
		for _, overlap := range []int{-1, 0, 1, math.MaxInt32} {
			checkSpans(t, text, Windows(text, budget, overlap, countWords), true, unicode.IsSpace)
			checkSpans(t, text, Windows(text, budget, overlap, func(string) int { return 7 }), true, unicode.IsSpace)
			checkSpans(t, text, Windows(text, budget, overlap, func(string) int { return 0 }), true, unicode.IsSpace)
		}
	}
	if ws := Windows(" \n\t", 10, 2, nil); ws != nil {
		t.Errorf("a blank text has windows %v", ws)
	}
}

func FuzzWindows(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, 5, 2)
	}
	f.Fuzz(func(t *testing.T, text string, budget, overlap int) {
		ws := Windows(text, budget, overlap, utf8.RuneCountInString)
		checkSpans(t, text, ws, true, unicode.IsSpace)
		for _, w := range ws {
			// 64 bytes of combining marks may have to stay with their rune.
			if c := utf8.RuneCountInString(w.Of(text)); c > max(budget, 1) && c > 66 {
				t.Fatalf("window %v costs %d with budget %d", w, c, budget)
			}
		}
	})
}
