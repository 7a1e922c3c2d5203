package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// verbatim looks for hypothesis word for word in the premise, with word borders
// around it, white space and closing punctuation aside, and returns the place.
// A place does not count when what stands around it in its sentence could
// change what it says: a negation or a hedge, a condition, a question, or a
// preposition in front that makes its subject part of another phrase.
func verbatim(premise, hypothesis string) (segment.Span, bool) {
	h := strings.TrimRightFunc(strings.TrimSpace(hypothesis), closing)
	h = strings.TrimLeftFunc(h, opening)
	if h == "" {
		return segment.Span{}, false
	}
	for _, f := range forms(h) {
		for from, tries := 0, 0; tries < 64; tries++ {
			k := strings.Index(premise[from:], f)
			if k < 0 {
				break
			}
			s := segment.Span{Start: from + k, End: from + k + len(f)}
			if bordered(premise, s) && plainContext(premise, s) {
				return s, true
			}
			from = s.Start + 1
			for from < len(premise) && !utf8.RuneStart(premise[from]) {
				from++
			}
		}
	}
	return segment.Span{}, false
}

// forms are the ways in which the hypothesis may be written in the premise: as
// it is, and with its first letter in the other case.
func forms(h string) []string {
	out := []string{h}
	r, n := utf8.DecodeRuneInString(h)
	switch {
	case unicode.IsUpper(r):
		out = append(out, string(unicode.ToLower(r))+h[n:])
	case unicode.IsLower(r):
		out = append(out, string(unicode.ToUpper(r))+h[n:])
	}
	return out
}

func closing(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune(".!,;:。．！，、؛،।…\"”’»)", r)
}

func opening(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("\"“‘«(-–—*•", r)
}

// bordered reports whether s begins and ends at word borders. In scripts that
// are written without blanks every rune is one.
func bordered(text string, s segment.Span) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:s.Start])
	first, _ := utf8.DecodeRuneInString(text[s.Start:])
	last, _ := utf8.DecodeLastRuneInString(text[:s.End])
	after, n := utf8.DecodeRuneInString(text[s.End:])
	if s.Start > 0 && joined(before, first) || s.End < len(text) && joined(last, after) {
		return false
	}
	// Nor an address: "example.org/a" does not stand in "example.org/a/b".
	if s.End < len(text) && (after == '/' || after == '@') && goesOn(text, s.End) && strings.ContainsAny(lastField(text[s.Start:s.End]), "./@") {
		return false
	}
	// A number must not go on: "3" does not stand in "3.5" or "3,000".
	if s.End < len(text) && unicode.IsDigit(last) && (after == '.' || after == ',') {
		next, _ := utf8.DecodeRuneInString(text[s.End+n:])
		if unicode.IsDigit(next) {
			return false
		}
	}
	if s.Start > 0 && unicode.IsDigit(first) && (before == '.' || before == ',' || before == '-' || before == '$') {
		if before == '-' || before == '$' {
			return false
		}
		prev, _ := utf8.DecodeLastRuneInString(text[:s.Start-1])
		return !unicode.IsDigit(prev)
	}
	return true
}

func joined(a, b rune) bool {
	if unspaced(a) || unspaced(b) {
		return false
	}
	word := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) || r == '_'
	}
	return word(a) && word(b) || word(a) && (b == '\'' || b == '’' || b == '-' || b == '%') || (a == '\'' || a == '’' || a == '-') && word(b)
}

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// negators are marks of negation and doubt in other languages, so that a part
// of a negated sentence does not count as said.
var negators = wordSet(`nicht kein keine keinen keiner nie niemals ohne falls wenn pas jamais ne aucun sans si no nunca jamás sin non mai senza se não nem sem
 niet geen nooit zonder als inte ingen aldrig utan om nie bez jeśli не нет ни никогда без если ikke ingen aldri uten hvis ei eivät değil yok`)

const negatorRunes = "不没沒無无未非否莫勿"

// look is how far around a place its sentence is read.
const look = 2000

// plainContext reports whether nothing in the sentence around s changes what s
// says.
func plainContext(text string, s segment.Span) bool {
	b, e := sentenceAround(text, s)
	before, after := text[b:s.Start], text[s.End:e]
	if strings.TrimSpace(before) == "" && strings.Trim(after, " \t.!。") == "" {
		return true // the whole sentence
	}
	if strings.ContainsAny(after, "?？") && !strings.ContainsAny(after[:strings.IndexAny(after, "?？")], ".!;") {
		return false
	}
	if strings.ContainsAny(before, negatorRunes) || strings.ContainsAny(after, negatorRunes) {
		return false
	}
	for _, part := range [2]string{before, after} {
		for _, w := range segment.Words(part) {
			if negators[strings.ToLower(w.Of(part))] {
				return false
			}
		}
	}
	words := segment.Words(before)
	if len(words) > 0 {
		last := words[len(words)-1]
		if strings.TrimSpace(before[last.End:]) == "" && dependent[lower(last.Of(before))] {
			return false
		}
	}
	sentence := text[b:e]
	at := s.Shift(-b)
	for _, x := range slot.Find(sentence) {
		if x.Kind != slot.Negation && x.Kind != slot.Hedge || at.Overlaps(x.Span) {
			continue
		}
		if x.Scope.Overlaps(at) {
			return false
		}
		// "…, it was denied": a negation of what was said before it.
		if x.Span.Start >= at.End && x.Span.Start-at.End < 3 {
			return false
		}
	}
	return true
}

// dependent are the words after which a phrase is part of a larger one.
var dependent = wordSet("of by with than who whose if whether like without except unless against for from")

// sentenceAround returns the borders of the sentence that holds s, or of what
// is within reach of it.
func sentenceAround(text string, s segment.Span) (int, int) {
	b, e := max(0, s.Start-look), min(len(text), s.End+look)
	for b > 0 && b < s.Start && !utf8.RuneStart(text[b]) {
		b++
	}
	for e < len(text) && e > s.End && !utf8.RuneStart(text[e]) {
		e--
	}
	for _, x := range segment.Sentences(text[b:e]) {
		x = x.Shift(b)
		if x.Contains(s) {
			return x.Start, x.End
		}
	}
	return b, e
}

// lastField returns what stands behind the last white space of s.
func lastField(s string) string {
	return s[strings.LastIndexAny(s, " \t\n")+1:]
}
