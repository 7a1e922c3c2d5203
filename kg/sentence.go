package kg

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentence returns t as one readable sentence: head, relation and tail with
// blanks between, a capital at the start and a full stop at the end. It is what
// a model of entailment or an embedder reads.
//
//   - A relation written as an identifier reads as words: "has_target" and
//     "hasTarget" are "has target", "BORN_IN" is "born in", and of an IRI only
//     the last part is read. An entity written as a wiki title ("Marie_Curie")
//     reads with blanks.
//   - White space inside a label becomes one blank; all else in it stays as it
//     is, also punctuation. The capital is set only where the first word is
//     made of small letters ("f(x)" and "iPhone" stay).
//   - An empty label is left out. Without any label the sentence is empty.
//   - A sentence that ends in a mark of its own ("Acme Ltd.") gets no second
//     one. Labels in Chinese or Japanese characters alone are written without
//     blanks and end in "。".
//   - A byte that is not UTF-8 reads as U+FFFD.
func (t Triple) Sentence() string {
	parts := make([]string, 0, 3)
	for _, p := range [...]string{readableEntity(t.Head), readableRelation(t.Relation), readableEntity(t.Tail)} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	sep, stop := " ", "."
	if eastAsian(parts) {
		sep, stop = "", "。"
	}
	s := capital(strings.Join(parts, sep))
	if endsSentence(s) {
		return s
	}
	return s + stop
}

// oneLine makes any white space in s one blank and repairs its UTF-8.
func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
}

func readableEntity(label string) string {
	s := oneLine(label)
	if isWikiTitle(s) {
		s = strings.TrimSpace(strings.ReplaceAll(s, "_", " "))
	}
	return s
}

func readableRelation(label string) string {
	s := oneLine(label)
	if w := strings.Join(identifierWords(localName(s)), " "); w != "" {
		return w
	}
	return s
}

// isWikiTitle reports whether s is a title as wikis write it in addresses:
// blanks as underscores, and a capital or digit at the start.
func isWikiTitle(s string) bool {
	if !strings.Contains(s, "_") || strings.ContainsAny(s, " /\\:<>|#@=") {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsUpper(r) && !unicode.IsDigit(r) {
		return false
	}
	// FOO_BAR is a constant's name, not a title.
	return strings.IndexFunc(s, unicode.IsLower) >= 0
}

// localName returns what follows the last '#' or '/' of an http(s) IRI, and s
// itself when it is none or nothing follows.
func localName(s string) string {
	if !strings.HasPrefix(s, "http://") && !strings.HasPrefix(s, "https://") {
		return s
	}
	rest := s[strings.Index(s, "://")+3:]
	if i := strings.LastIndexAny(rest, "#/"); i >= 0 && i+1 < len(rest) {
		return rest[i+1:]
	}
	return s
}

// identifierWords splits a relation label that is one identifier (no blanks)
// into its words: at underscores, and at a capital after a small letter or
// digit ("isPartOf", "hasDOIPrefix"). Words of a label in capitals alone
// ("BORN_IN") come in small letters, as do the capitalised words that the split
// made; abbreviations ("DOI") stay. Any other label is one word.
func identifierWords(s string) []string {
	if s == "" {
		return nil
	}
	ident := strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_' && r != '-'
	}) < 0
	if !ident {
		if strings.Contains(s, "_") && isWordsWithUnderscores(s) {
			return strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == ' ' })
		}
		return []string{s}
	}
	snake := strings.Trim(s, "_") != "" && strings.Contains(s, "_")
	shout := snake && strings.IndexFunc(s, unicode.IsLower) < 0
	var out []string
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return r == '_' }) {
		if shout {
			out = append(out, strings.ToLower(w))
			continue
		}
		out = append(out, camelWords(w)...)
	}
	return out
}

// isWordsWithUnderscores reports whether s mixes blanks and underscores between
// letters and digits only ("is_part of").
func isWordsWithUnderscores(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_' && r != '-' && r != ' ' && r != '\''
	}) < 0
}

// camelWords splits w at its humps. A word that begins with a capital and has
// but one hump more ("McDonald", "PhD") could be a name and is split only if it
// begins with a small letter.
func camelWords(w string) []string {
	rs := []rune(w)
	var cuts []int
	for i := 1; i < len(rs); i++ {
		if !unicode.IsUpper(rs[i]) {
			continue
		}
		after := unicode.IsLower(rs[i-1]) || unicode.IsDigit(rs[i-1])
		acronymEnds := unicode.IsUpper(rs[i-1]) && i+1 < len(rs) && unicode.IsLower(rs[i+1])
		// The D of "hasPhD" belongs to its word, the A of "isA" is one.
		lone := i+1 == len(rs) && len(cuts) > 0 && i-cuts[len(cuts)-1] > 1 && unicode.IsUpper(rs[cuts[len(cuts)-1]])
		if after && !lone || acronymEnds {
			cuts = append(cuts, i)
		}
	}
	if len(cuts) == 0 || unicode.IsUpper(rs[0]) && len(cuts) == 1 && cuts[0] <= 2 {
		return []string{w}
	}
	var out []string
	start := 0
	for _, c := range append(cuts, len(rs)) {
		p := rs[start:c]
		if len(p) == 1 || strings.IndexFunc(string(p[1:]), unicode.IsUpper) < 0 {
			p[0] = unicode.ToLower(p[0])
		}
		out = append(out, string(p))
		start = c
	}
	return out
}

// capital sets the first letter of s in upper case when the first word is made
// of small letters, apostrophes and hyphens and is more than a symbol.
func capital(s string) string {
	word, _, _ := strings.Cut(s, " ")
	n := 0
	for _, r := range word {
		if unicode.IsLetter(r) && !unicode.IsUpper(r) {
			n++
		} else if r != '\'' && r != '’' && r != '-' && r != ',' {
			return s
		}
	}
	if n < 2 && word != "a" {
		return s
	}
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

const closers = "\"'”’»)]}）」』"

// endsSentence reports whether s already ends in a sentence's final mark,
// perhaps inside closing quotes or brackets.
func endsSentence(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, closers))
	return strings.ContainsRune(".!?…。！？｡।؟", r)
}

// eastAsian reports whether all letters of parts are Han or kana, and there is
// at least one.
func eastAsian(parts []string) bool {
	n := 0
	for _, p := range parts {
		for _, r := range p {
			switch {
			case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー':
				n++
			case unicode.IsLetter(r):
				return false
			}
		}
	}
	return n > 0
}
