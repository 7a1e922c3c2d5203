package nlp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

// plainForm returns the word as the tagger should see it.
func (a *Analyzer) plainForm(ts []Token, i int, w string, cased bool) string {
	switch w {
	case "“", "``", "`":
		return "``"
	case "”", "''":
		return "''"
	case "‘":
		return "`"
	case "’":
		return "'"
	case "-LRB-":
		return "("
	case "-RRB-":
		return ")"
	case "–", "—", "―":
		return "--"
	case "…":
		return "..."
	}
	if len(w) > 60 {
		return "x" // an endless word has no shape worth reading
	}
	if strings.Contains(w, "’") {
		w = strings.ReplaceAll(w, "’", "'")
	}
	if a.lowerName(ts, i, cased) {
		r, n := utf8.DecodeRuneInString(w)
		return string(unicode.ToUpper(r)) + w[n:]
	}
	if !cased && w == "i" {
		return "I"
	}
	return w
}

// lowerName reports whether the token, in lower case, is likely a name: a given
// name with a word after it that is no common word, that word itself, or, in a
// text without capitals, a place, a day, a month, what follows a title or a
// given name, or a noun in no dictionary.
func (a *Analyzer) lowerName(ts []Token, i int, cased bool) bool {
	w := ts[i].Text
	if !lowerWord(w) || len(w) < 3 || function[w] || len(w) > 20 {
		return false
	}
	next, prev := at(ts, i+1), at(ts, i-1)
	lp := strings.ToLower(prev.Text)
	if _, given := givenNames[w]; given && !a.dict.isBase(w) {
		if a.unknown(next.Text) || !cased {
			return true
		}
	}
	if _, given := givenNames[lp]; given && (!lowerWord(prev.Text) || !a.dict.has(lp)) {
		if a.unknown(w) {
			return true
		}
		// "michael knight said"
		if !cased && !a.dict.has(lp) && !inflected(w) && (ts[i].Tag == "NN" || ts[i].Tag == "JJ" && !adjectival(w)) && !isNoun(next.Tag) && !personNouns[w] {
			return true
		}
	}
	if cased {
		return false
	}
	_, title := personTitles[lp]
	switch {
	case places[w] && !namesAndWords[w], a.smallName(w):
		return true
	case (w == "dr" || w == "mr" || w == "mrs" || w == "ms" || w == "sir" || w == "prof") && (givenName(strings.ToLower(next.Text)) || a.unknown(next.Text)):
		return true
	case (w == "united" || w == "city" || w == "county" || w == "university") && places[lp] && !namesAndWords[lp]:
		return true
	case title && len(lp) <= 4 && lp != "don" && lp != "fr" && isNoun(ts[i].Tag):
		return true
	}
	// The dictionary knows few adjectives.
	return a.unknown(w) && (!strings.HasPrefix(ts[i].Tag, "JJ") && !strings.HasPrefix(ts[i].Tag, "RB") || a.unknown(next.Text) || a.unknown(lp))
}

// unknown reports whether w, in lower case, is in no dictionary and doesn't look
// like a common word either.
func (a *Analyzer) unknown(w string) bool {
	if !lowerWord(w) || len(w) < 3 || len(w) > 20 || a.dict.has(w) || function[w] || inflected(w) || adjectival(w) {
		return false
	}
	if strings.HasSuffix(w, "s") && (a.dict.has(w[:len(w)-1]) || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "ies")) {
		return false
	}
	for _, suffix := range [...]string{"ness", "ment", "tion", "sion", "ism", "ist", "ity", "ship", "hood", "ology", "graphy", "ant", "ent", "ate", "ese", "ish"} {
		if strings.HasSuffix(w, suffix) {
			return false
		}
	}
	// "playmaker": a compound that no dictionary lists.
	for _, tail := range [...]string{"maker", "man", "men", "woman", "women", "shine", "park", "parks", "ball", "house", "work", "works", "line", "time",
		"side", "way", "room", "book", "back", "mate", "keeper", "holder", "point", "board", "light", "fire", "water", "paper", "phone", "player"} {
		if first, ok := strings.CutSuffix(w, tail); ok && len(first) > 2 && a.dict.has(first) {
			return false
		}
	}
	return strings.IndexFunc(w, func(r rune) bool { return r > 0x24F }) < 0
}

// inflected reports whether w ends as adverbs and verbs do.
func inflected(w string) bool {
	return strings.HasSuffix(w, "ly") || strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "ed")
}

func lowerWord(w string) bool {
	for _, r := range w {
		if !unicode.IsLower(r) {
			return false
		}
	}
	return w != ""
}

// hasCase reports whether the text writes names with a capital. It does not if
// its sentences start without one and it has hardly any inside, nor if it has
// names of days, months or places in lower case and not more capitals inside
// its sentences than that (summaries made by old models: "Paul merson played on
// sunday"). It reads the first sentences only.
func (a *Analyzer) hasCase(text string, sentences []segment.Span) bool {
	upper, lower, inner, letters, small := 0, 0, 0, 0, 0
	for _, s := range sentences[:min(len(sentences), 2000)] {
		part := text[s.Start:min(s.End, s.Start+2000)]
		first := true
		word := -1
		for i, r := range part {
			if 'a' <= r && r <= 'z' {
				if word < 0 {
					word = i
				}
			} else {
				if word >= 0 && !unicode.IsLetter(r) && !isApostrophe(r) && r != '-' && a.smallName(part[word:i]) && (word == 0 || part[word-1] == ' ') {
					small++
				}
				word = -1
			}
			switch {
			case unicode.IsUpper(r):
				if first {
					upper++
				} else if r != 'I' {
					inner++
				}
				first = false
			case unicode.IsLower(r):
				if first {
					lower++
				}
				letters++
				first = false
			}
		}
	}
	if small > inner {
		return false
	}
	return upper > 0 && upper >= lower || inner*100 > letters
}

// smallName reports whether w, in lower case, is a word that only texts without
// capitals write so.
func (a *Analyzer) smallName(w string) bool {
	if len(w) < 4 || len(w) > 16 {
		return false
	}
	if calendar[w] {
		return strings.HasSuffix(w, "day") || strings.HasSuffix(w, "ber") || w == "january" || w == "february" || w == "april"
	}
	return places[w] && !namesAndWords[w] || givenName(w) && !a.dict.has(w) && !namesAndWords[w]
}

// namesAndWords are names of the lists that are common words too.
var namesAndWords = set(`china turkey chile jordan phoenix reading georgia victoria florence cologne nice bath essex mali lima
	mobile orange hyderabad panama wales dallas sofia sydney virginia cambridge oxford kent cuba malta java`)
