package nlp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jdkato/prose/v3/tag"
)

// tagWords sets the tags of the tokens of one sentence. The perceptron tagger
// reads a plain form of each word (straight quotes, names in capitals); what it
// gets wrong by rule is then repaired.
func (a *Analyzer) tagWords(ts []Token, cased bool) {
	// An emoji, an arrow or a sign of quoting in front is no first word.
	for len(ts) > 1 && ornament(ts[0].Text) {
		ts[0].Tag = "SYM"
		if p := punctuationTag(ts, 0); p != "" {
			ts[0].Tag = p
		}
		ts = ts[1:]
	}
	if !slices.ContainsFunc(ts, func(t Token) bool { return strings.IndexFunc(t.Text, wordRune) >= 0 }) {
		// Marks alone have nothing for the tagger to read.
		for i := range ts {
			ts[i].Tag = "SYM"
			if p := punctuationTag(ts, i); p != "" {
				ts[i].Tag = p
			}
		}
		return
	}
	in := make([]tag.Token, len(ts))
	shout := allCapitals(ts)
	if !cased {
		// As they stand first: what is an adjective or a verb is no name.
		for i, t := range ts {
			in[i].Text = t.Text
			if len(t.Text) > 60 {
				in[i].Text = "x"
			}
		}
		a.tagger.TagTokens(in)
		for i := range ts {
			ts[i].Tag = in[i].Tag
		}
	}
	for i, t := range ts {
		in[i].Text = a.plainForm(ts, i, withoutInvisible(t.Text), cased)
		if shout {
			in[i].Text = a.quiet(in[i].Text)
		}
	}
	a.tagger.TagTokens(in)
	for i := range ts {
		ts[i].Tag = in[i].Tag
		if p := punctuationTag(ts, i); p != "" {
			ts[i].Tag = p
		}
	}
	a.repair(ts, in, cased)
}

// ornament reports whether w is made of marks that no sentence starts with.
func ornament(w string) bool {
	for _, r := range w {
		if !unicode.IsSymbol(r) && r != '*' && r != '#' && r != '•' && r != '·' || unicode.Is(unicode.Sc, r) || r == '`' || r == '+' {
			return false
		}
	}
	return w != ""
}

// allCapitals reports whether a sentence of several words is written in capital
// letters throughout, so that they say nothing of names.
func allCapitals(ts []Token) bool {
	words := 0
	for _, t := range ts {
		upper := false
		for _, r := range t.Text {
			if unicode.IsLower(r) {
				return false
			}
			upper = upper || unicode.IsUpper(r)
		}
		if upper && len(t.Text) > 1 {
			words++
		}
	}
	return words >= 3
}

// quiet returns the word of a sentence in capitals as it is written elsewhere:
// names keep the first one.
func (a *Analyzer) quiet(w string) string {
	lw := strings.ToLower(w)
	if r, n := utf8.DecodeRuneInString(w); unicode.IsUpper(r) && len(w) > 1 &&
		(givenName(lw) || places[lw] || calendar[lw] || !function[lw] && !a.dict.has(lw) && lowerWord(lw)) {
		return string(r) + lw[min(n, len(lw)):]
	}
	return lw
}

// punctuationTag returns the Penn tag of a mark, or "" for a word.
func punctuationTag(ts []Token, i int) string {
	w := ts[i].Text
	r, n := utf8.DecodeRuneInString(w)
	if strings.IndexByte(w, '@') > 0 || address(w) == len(w) || path(w) == len(w) {
		return "NN" // an address or a path names a thing
	}
	if unicode.IsLetter(r) {
		switch {
		case r > 0x24F && !unicode.Is(unicode.Latin, r):
			return "FW"
		case strings.HasSuffix(w, "$"):
			return "$" // US$, HK$
		}
		return ""
	}
	switch w {
	case ",", "،", "、", "，":
		return ","
	case ".", "!", "?", "。", "！", "？", "؟", "।":
		return "."
	case ":", ";", "...", "…", "-", "--", "–", "—", "―":
		return ":"
	case "(", "[", "{", "-LRB-", "-LSB-", "-LCB-", "（":
		return "("
	case ")", "]", "}", "-RRB-", "-RSB-", "-RCB-", "）":
		return ")"
	case "``", "`", "“", "‘", "«":
		return "``"
	case "''", "”", "»":
		return "''"
	case "$", "€", "£", "¥", "₹":
		return "$"
	case "#":
		return "#"
	case "%", "°":
		return "NN"
	case "&":
		return "CC"
	}
	switch {
	case w == "\"":
		// Open and closed in turn, within the sentence.
		open := false
		for _, t := range ts[max(0, i-200):i] {
			if t.Text == "\"" {
				open = !open
			}
		}
		if open {
			return "''"
		}
		return "``"
	case (w == "'" || w == "’") && i > 0 && strings.EqualFold(at(ts, i+1).Text, "s"):
		return "POS" // the two parts of a possessive that stand apart: "show ’ s"
	case w == "'" || w == "’":
		if i > 0 && ts[i-1].End == ts[i].Start && strings.HasSuffix(strings.ToLower(ts[i-1].Text), "s") && !openQuote(ts[:i]) {
			return "POS"
		}
		return "''"
	case isApostrophe(r) && len(w) > n:
		return ""
	case numeric(w):
		return "CD"
	case unicode.IsPunct(r) && n == len(w):
		return ":"
	case strings.Trim(w, ".") == "":
		return ":"
	case unicode.IsSymbol(r) && n == len(w):
		return "SYM"
	}
	return ""
}

func openQuote(ts []Token) bool {
	for i := len(ts) - 1; i >= 0 && i > len(ts)-60; i-- {
		switch ts[i].Text {
		case "‘", "`":
			return true
		case "'":
			return ts[i].Tag == "``"
		}
	}
	return false
}

// numeric reports whether w is a number, a year, a fraction, a date or a time in
// figures.
func numeric(w string) bool {
	digits := 0
	for i, r := range w {
		switch {
		case isDigit(r) || r == '½' || r == '¼' || r == '¾':
			digits++
		case strings.ContainsRune(".,:/–-", r) && i > 0, (r == '+' || r == '-' || r == '−' || r == '.') && i == 0:
		default:
			return false
		}
	}
	return digits > 0
}

func isNoun(tag string) bool { return strings.HasPrefix(tag, "NN") }

func isName(tag string) bool { return tag == "NNP" || tag == "NNPS" }

func isVerb(tag string) bool { return strings.HasPrefix(tag, "VB") || tag == "MD" }

func finite(tag string) bool { return tag == "VBZ" || tag == "VBD" || tag == "VBP" || tag == "MD" }

func at(ts []Token, i int) Token {
	if i < 0 || i >= len(ts) {
		return Token{}
	}
	return ts[i]
}

// titleCase reports whether most words of the sentence start with a capital, as
// in a headline, so that a capital says nothing.
func titleCase(ts []Token) bool {
	up, low := 0, 0
	for _, t := range ts {
		r, _ := utf8.DecodeRuneInString(t.Text)
		switch {
		case unicode.IsUpper(r):
			up++
		case unicode.IsLower(r) && len(t.Text) > 3:
			low++
		}
	}
	return up >= 3 && low == 0
}

func ordinal(w string) bool {
	if len(w) < 3 || !isDigit(rune(w[0])) {
		return false
	}
	switch w[len(w)-2:] {
	case "st", "nd", "rd", "th":
		return strings.Trim(w[:len(w)-2], "0123456789,") == ""
	}
	return false
}

// nationality reports whether w looks like the adjective of a place.
func nationality(w string) bool {
	return nationalities[w] || len(w) > 5 && (strings.HasSuffix(w, "ian") || strings.HasSuffix(w, "ish") && !strings.HasSuffix(w, "dish") || strings.HasSuffix(w, "ese"))
}

// function are the closed classes: determiners, pronouns, prepositions,
// conjunctions, auxiliaries and common adverbs.
var function = set(`a an the this that these those each every either neither no any some all both many much few
	several such other another more most less least enough
	i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
	herself it its itself they them their theirs themselves one ones who whom whose which what whoever whatever
	someone somebody something anyone anybody anything everyone everybody everything nobody nothing none
	of in on at by for with about against between into through during before after above below to from up down
	out off over under again further then once here there when where why how as until while since because
	although though unless if whether than and but or nor so yet not only own same too very just also even still
	am is are was were be been being have has had having do does did doing will would shall should can could may
	might must ought let already always never often sometimes perhaps maybe however moreover therefore thus hence
	instead meanwhile furthermore nevertheless nonetheless otherwise besides additionally finally firstly secondly
	yes now today yesterday tomorrow ago within without upon across along around among amid beyond despite except
	inside outside near onto per via toward towards throughout like unlike versus following including according
	first second third last next later soon early earlier well much n't 's 'll 're 've 'm 'd ca wo`)
