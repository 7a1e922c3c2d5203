package nlp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

// tokenize appends the spans of the tokens of the sentence s of text, in the
// manner of the Penn Treebank: contractions and possessives are split ("did"
// "n't", "Ana" "'s"), hyphenated words, numbers, dates, abbreviations with
// their stops, addresses of the web and mail are one token. No token is
// rewritten: the span of each is its text. Text that was tokenised before
// ("did n't", "-LRB-") comes out the same. The time is linear.
func tokenize(dst []segment.Span, text string, s segment.Span) []segment.Span {
	for i := s.Start; i < s.End; {
		r, n := decode(text, i, s.End)
		if unicode.IsSpace(r) || r == 0 || invisible(r) {
			i += n
			continue
		}
		if m := markup(text, i, s.End); m > 0 {
			i += m
			continue
		}
		end := tokenEnd(text, i, s.End)
		dst = splitWord(dst, text, segment.Span{Start: i, End: end})
		i = end
	}
	return dst
}

func decode(text string, i, end int) (rune, int) {
	if text[i] < utf8.RuneSelf {
		return rune(text[i]), 1
	}
	return utf8.DecodeRuneInString(text[i:end])
}

// invisible reports whether r has no shape of its own: marks of direction,
// joiners, zero-width blanks, variation selectors.
func invisible(r rune) bool {
	return r >= 0xAD && (unicode.Is(unicode.Cf, r) || 0xFE00 <= r && r <= 0xFE0F)
}

// withoutInvisible returns w without its invisible characters.
func withoutInvisible(w string) string {
	if strings.IndexFunc(w, invisible) < 0 {
		return w
	}
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, w)
}

// maxMarkup bounds how far the end of a piece of markup is looked for.
const maxMarkup = 300

// markup returns the length of the markup that text[i:end] starts with, which is
// no part of the text's language: a tag of HTML ("<b>", "</a>", "<br/>"), the
// parts of a Markdown link around its words ("[", "](address)"), the marks of
// code ("`x`"). 0 when there is none.
func markup(text string, i, end int) int {
	s := text[i:end]
	if s[0] == '`' && (len(s) < 2 || s[1] != '`') && (i == 0 || text[i-1] != '`') {
		if i > 0 && text[i-1] > ' ' && strings.IndexByte("(\"'[*", text[i-1]) < 0 {
			return 1 // closes
		}
		head := s[1:min(len(s), maxMarkup)]
		if e := strings.IndexAny(head, "`'\n"); e > 0 && head[e] == '`' && head[0] > ' ' && head[e-1] > ' ' {
			return 1
		}
		return 0
	}
	if len(s) < 3 {
		return 0
	}
	head := s[:min(len(s), maxMarkup)]
	switch s[0] {
	case '<':
		k := 1
		if s[k] == '/' {
			k++
		}
		if !asciiLetter(s[k]) {
			return 0
		}
		if e := strings.IndexAny(head[k:], "<>\n"); e > 0 && head[k+e] == '>' {
			name := head[k : k+e]
			if b := strings.IndexAny(name, " \t/"); b > 0 && name[b] != '/' && !strings.Contains(name, "=") {
				return 0 // "a < b and c > d"
			}
			return k + e + 1
		}
	case '[':
		if e := strings.IndexAny(head[1:], "[]\n"); e > 0 && head[1+e] == ']' && linkTarget(s[2+e:]) > 0 {
			return 1
		}
	case ']':
		if n := linkTarget(s[1:]); n > 0 {
			return 1 + n
		}
	}
	return 0
}

// linkTarget returns the length of the bracketed address that s starts with, or
// 0 when what is in brackets is no address.
func linkTarget(s string) int {
	if len(s) < 3 || s[0] != '(' {
		return 0
	}
	e := strings.IndexAny(s[:min(len(s), maxMarkup)], ") \n")
	if e < 2 || s[e] != ')' || !strings.ContainsAny(s[1:e], "/#.") {
		return 0
	}
	return e + 1
}

func asciiLetter(b byte) bool { return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' }

func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) && !invisible(r) ||
		r == '_' || r == '½' || r == '¼' || r == '¾' || r == '²' || r == '³' || r == '°'
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

// fixed are marks of several characters that are one token.
var fixed = []string{"...", "''", "``", "--", "-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-", "->", "=>", "<=", ">=", "!=", "=="}

// tokenEnd returns the end of the token that starts at i, contractions not yet
// split.
func tokenEnd(text string, i, end int) int {
	r, n := decode(text, i, end)
	rest := text[i:end]
	if r == '-' || r == '.' || r == '`' || r == '\'' || r == '<' || r == '>' || r == '=' || r == '!' {
		for _, f := range fixed {
			if strings.HasPrefix(rest, f) {
				// A run of the same mark is one token.
				j := len(f)
				for j < len(rest) && (r == '-' || r == '.' || r == '=') && rune(rest[j]) == r && rest[len(f)-1] == rest[0] {
					j++
				}
				return i + j
			}
		}
	}
	if !wordRune(r) {
		// Four and more of one mark are an ornament, not so many marks.
		j := n
		for strings.HasPrefix(rest[j:], rest[:n]) {
			j += n
		}
		if j >= 4*n {
			return i + j
		}
	}
	if isApostrophe(r) {
		if c := cliticAt(rest); c > 0 {
			return i + c
		}
	}
	if r == 'h' || r == 'w' || r == 'H' || r == 'W' {
		if j := address(rest); j > 0 {
			return i + j
		}
	}
	if (r == '@' || r == '#') && n < len(rest) {
		if next, _ := decode(text, i+n, end); wordRune(next) {
			return wordEnd(text, i+n, end)
		}
	}
	if (r == '+' || r == '-' || r == '−' || r == '.') && n < len(rest) && isDigit(rune(rest[n])) {
		return wordEnd(text, i+n, end)
	}
	if j := path(rest); j > 0 && (i == 0 || text[i-1] <= ' ' || strings.IndexByte("(\"'", text[i-1]) >= 0) {
		return i + j
	}
	if wordRune(r) {
		e := wordEnd(text, i, end)
		for e > i {
			r, n := utf8.DecodeLastRuneInString(text[i:e])
			if !invisible(r) {
				break
			}
			e -= n
		}
		return e
	}
	return i + n
}

// path returns the length of the file path that s starts with ("C:\\new\\a.txt",
// "/usr/lib"), or 0.
func path(s string) int {
	first := 0
	switch {
	case len(s) > 3 && asciiLetter(s[0]) && s[1] == ':' && s[2] == '\\':
		first = 3
	case len(s) > 3 && s[0] == '/' && asciiLetter(s[1]):
		first = 1
	default:
		return 0
	}
	j, parts := first, 1
	for j < len(s) && (asciiLetter(s[j]) || isDigit(rune(s[j])) || strings.IndexByte("._-~\\/", s[j]) >= 0 || s[j] >= utf8.RuneSelf && s[j] != 0xE2) {
		if s[j] == '/' || s[j] == '\\' {
			parts++
		}
		j++
	}
	if s[0] == '/' && parts < 2 {
		return 0
	}
	return len(strings.TrimRight(s[:j], ".-"))
}

// cliticAt returns the length of a clitic that stands apart at the start of s
// ("'s", "'ll", "'d"), or 0.
func cliticAt(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	for _, c := range [...]string{"s", "ll", "re", "ve", "m", "d", "t", "em", "tis", "cause"} {
		if len(s) >= n+len(c) && strings.EqualFold(s[n:n+len(c)], c) {
			if n+len(c) == len(s) {
				return n + len(c)
			}
			if r, _ := utf8.DecodeRuneInString(s[n+len(c):]); !wordRune(r) && !isApostrophe(r) {
				return n + len(c)
			}
		}
	}
	// '90s
	if len(s) >= n+3 && isDigit(rune(s[n])) && isDigit(rune(s[n+1])) && s[n+2] == 's' {
		return n + 3
	}
	return 0
}

// address returns the length of the web address that s starts with, or 0.
func address(s string) int {
	if !hasPrefixFold(s, "http://") && !hasPrefixFold(s, "https://") && !hasPrefixFold(s, "www.") {
		return 0
	}
	j := strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("<>\"”’", r) })
	if j < 0 {
		j = len(s)
	}
	return len(strings.TrimRight(s[:j], ".,;:!?)]}'"))
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// wordEnd returns the end of the word that starts at i, with the marks inside
// it that belong to it.
func wordEnd(text string, i, end int) int {
	start := i
	prev, n := decode(text, i, end)
	han := unspaced(prev)
	digits, upper, dotted, mail := isDigit(prev), unicode.IsUpper(prev), false, false
	for i += n; i < end; i += n {
		var r rune
		r, n = decode(text, i, end)
		if wordRune(r) {
			if unspaced(r) != han && !unicode.Is(unicode.M, r) {
				return i
			}
			if prev == '$' || unicode.IsLower(r) {
				upper = false
			}
			prev = r
			continue
		}
		next := rune(0)
		if i+n < end {
			next, _ = decode(text, i+n, end)
		}
		joined := false
		if invisible(r) && !han {
			continue // "A\u200Bna" is one word; a mark at its end belongs to none
		}
		switch {
		case r == '$' && upper && digitAt(text, i+n, end): // US$10
			return i + n
		case r == '-' || r == '‑' || r == '‐':
			joined = wordRune(next) && !han
		case r == '–':
			joined = isDigit(prev) && isDigit(next)
		case isApostrophe(r):
			joined = unicode.IsLetter(prev) && unicode.IsLetter(next)
		case r == ',':
			joined = digits && isDigit(prev) && isDigit(next) && digitRun(text[i+n:end]) == 3
		case r == ':':
			joined = isDigit(prev) && isDigit(next)
		case r == '/':
			joined = isDigit(prev) && isDigit(next) || strings.EqualFold(text[start:i], "and") && hasPrefixFold(text[i+n:end], "or")
		case r == '&':
			joined = unicode.IsUpper(prev) && unicode.IsUpper(next)
		case r == '@':
			mail = unicode.IsLetter(next) && !mail
			joined = mail
		case r == '.':
			switch {
			case isDigit(prev) && isDigit(next), mail && wordRune(next):
				joined = true
			case wordRune(next) && (unicode.IsLower(next) || isDigit(next)):
				joined = true // example.com, a.m
				dotted = true
			case unicode.IsUpper(next) && (dotted || i-start <= 2):
				joined = true // U.S, Ph.D
				dotted = true
			case !wordRune(next) && keepsStop(text[start:i], dotted, i+n < end):
				return i + n
			}
		}
		if !joined {
			return i
		}
		prev = r
	}
	return i
}

func digitAt(text string, i, end int) bool { return i < end && isDigit(rune(text[i])) }

// digitRun returns how many digits s starts with, at most 4.
func digitRun(s string) int {
	n := 0
	for n < len(s) && n < 4 && isDigit(rune(s[n])) {
		n++
	}
	return n
}

func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai,
		unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// keepsStop reports whether the full stop after w is a part of w: an initial,
// an acronym or an abbreviation. More says that something follows the stop.
func keepsStop(w string, dotted, more bool) bool {
	if dotted {
		// U.S., a.m., Ph.D., not example.com.
		k := strings.IndexByte(w, '.')
		return k > 0 && k <= 2 && len(w)-strings.LastIndexByte(w, '.') <= 2
	}
	if len(w) == 1 {
		return w[0] >= 'A' && w[0] <= 'Z' && w != "I" && more
	}
	if len(w) > 8 {
		return false
	}
	lw := strings.ToLower(w)
	return abbreviations[lw] || more && abbreviationsInside[lw]
}

var (
	abbreviations = set(`mr mrs ms dr prof rev hon gov lt col gen maj capt cmdr sgt sen rep sens reps st mt
		inc ltd co corp llc bros jr sr vs etc al e.g i.e messrs mme mlle dept univ ave blvd esq ph.d`)
	// abbreviationsInside are words or word-like, so that a stop at the end of a
	// sentence is not theirs.
	abbreviationsInside = set(`no nos jan feb mar apr jun jul aug sep sept oct nov dec fig vol pp p ed eds est
		approx ca c v art sec ch pres supt det ft`)
)

// splitWord appends the word w, its contraction split off.
func splitWord(dst []segment.Span, text string, w segment.Span) []segment.Span {
	s := w.Of(text)
	cut := 0
	switch {
	case len(s) > 64:
	case strings.EqualFold(s, "cannot"):
		cut = 3
	case strings.EqualFold(s, "gonna"), strings.EqualFold(s, "gotta"), strings.EqualFold(s, "wanna"):
		cut = 3
	default:
		cut = contraction(s)
	}
	if cut > 0 {
		// "shouldn't've" has two.
		dst = splitWord(dst, text, segment.Span{Start: w.Start, End: w.Start + cut})
		return append(dst, segment.Span{Start: w.Start + cut, End: w.End})
	}
	// A number joined to its unit stays whole, but a currency sign before or
	// after a number is a token, which tokenEnd sees to.
	return append(dst, w)
}

// contraction returns where s splits before its clitic, or 0.
func contraction(s string) int {
	k := strings.LastIndexAny(s, "'’")
	if k <= 0 {
		return 0
	}
	_, n := utf8.DecodeRuneInString(s[k:])
	switch strings.ToLower(s[k+n:]) {
	case "s", "ll", "re", "ve", "m", "d":
		return k
	case "t":
		if k >= 2 && (s[k-1] == 'n' || s[k-1] == 'N') {
			return k - 1
		}
	}
	return 0
}

func set(lists ...string) map[string]bool {
	m := map[string]bool{}
	for _, l := range lists {
		for _, w := range strings.Fields(l) {
			m[w] = true
		}
	}
	return m
}
