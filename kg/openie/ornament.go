package openie

import (
	"strings"
	"unicode"
)

// bare takes out what says nothing: emoji anywhere, and arrows, ticks and signs
// of quoting before the first word.
func (s *sentence) bare() {
	kept := s.toks[:0]
	for i, t := range s.toks {
		if pictograph(t.text) || strings.Trim(t.text, "~") == "" {
			continue
		}
		if len(kept) == 0 && (t.tag == "SYM" || t.text == "#" && !(i+1 < len(s.toks) && s.toks[i+1].tag == "CD")) && !s.wordy(i) {
			continue
		}
		kept = append(kept, t)
	}
	s.toks = kept
}

// pictograph reports whether w is made of emoji, dingbats and the like.
func pictograph(w string) bool {
	for _, r := range w {
		if !(unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) && r > unicode.MaxLatin1) || r == '°' || r == '©' || r == '®' || r == '™' || r == '№' {
			return false
		}
	}
	return w != ""
}

// unbracket takes off the brackets around a whole sentence.
func (s *sentence) unbracket() {
	n := len(s.toks)
	if n < 4 || s.tag(0) != "(" {
		return
	}
	c, ok := s.close[0]
	if !ok {
		return
	}
	for i := c + 1; i < n; i++ {
		if s.tag(i) != "." {
			return
		}
	}
	s.toks = append(s.toks[1:c:c], s.toks[c+1:]...)
	s.match()
}

// invisible reports whether r has no shape of its own: marks of direction,
// joiners, zero-width blanks, variation selectors.
func invisible(r rune) bool {
	return r >= 0xAD && (unicode.Is(unicode.Cf, r) || 0xFE00 <= r && r <= 0xFE0F)
}

// visible returns text without its invisible characters.
func visible(text string) string {
	if strings.IndexFunc(text, invisible) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, text)
}
