package nlp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jdkato/prose/v3/tag"
)

// tagWords sets the tags of the tokens of one sentence. The perceptron tagger
// reads a plain form of each word (straight quotes, names in capitals); what it
// gets wrong by rule is then repaired.
func (a *Analyzer) tagWords(ts []Token, cased bool) {
	in := make([]tag.Token, len(ts))
	for i, t := range ts {
		in[i].Text = a.plainForm(ts, i, t.Text, cased)
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
// text without capitals, a place of the list or a word in no dictionary.
func (a *Analyzer) lowerName(ts []Token, i int, cased bool) bool {
	w := ts[i].Text
	if !lowerWord(w) || len(w) < 3 {
		return false
	}
	unknown := func(w string) bool {
		return lowerWord(w) && len(w) > 2 && !a.dict.has(w) && !strings.ContainsAny(w, "-'’0123456789") && !function[w]
	}
	if _, given := givenNames[w]; given && !a.dict.isBase(w) {
		if i+1 < len(ts) && unknown(ts[i+1].Text) || !cased {
			return true
		}
	}
	if i > 0 && unknown(w) {
		prev := ts[i-1].Text
		if _, given := givenNames[strings.ToLower(prev)]; given && (!lowerWord(prev) || !a.dict.has(prev)) && !inflected(w) && !adjectival(w) {
			return true
		}
	}
	return !cased && (places[w] || unknown(w) && strings.IndexFunc(w, func(r rune) bool { return r > 0x24F }) < 0 && !inflected(w) &&
		(!strings.HasSuffix(w, "s") || !a.dict.has(w[:len(w)-1]) && !strings.HasSuffix(w, "ss")))
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

// punctuationTag returns the Penn tag of a mark, or "" for a word.
func punctuationTag(ts []Token, i int) string {
	w := ts[i].Text
	r, n := utf8.DecodeRuneInString(w)
	if unicode.IsLetter(r) {
		switch {
		case unspaced(r):
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

var (
	beForms   = set(`am is are was were be been being 'm 're`)
	haveForms = set(`have has had having 've`)
	doForms   = set(`do does did`)
	modals    = set(`can could may might must shall should will would ca wo sha 'll ought cannot`)
)

// repair corrects what the perceptron gets wrong by rule. The conditions look
// only at a few words around, so the time is linear.
func (a *Analyzer) repair(ts []Token, in []tag.Token, cased bool) {
	title := titleCase(ts)
	for i := range ts {
		t := &ts[i]
		w := in[i].Text
		lw := strings.ToLower(w)
		prev, next := at(ts, i-1), at(ts, i+1)
		first, _ := utf8.DecodeRuneInString(w)
		switch {
		case lw == "n't" || lw == "not":
			t.Tag = "RB"
		case modals[lw] && t.Tag != "NNP" && (lw != "can" && lw != "will" && lw != "may" && lw != "might" || !isNoun(t.Tag) || next.Tag == "VB"):
			if !(lw == "may" && unicode.IsUpper(first) && i > 0) {
				t.Tag = "MD"
			}
		case lw == "her" && t.Tag == "PRP$" && !beginsNoun(ts, i+1):
			t.Tag = "PRP"
		case lw == "her" && t.Tag == "PRP" && isNoun(next.Tag) && !isName(next.Tag) && prev.Tag != "VBD":
			t.Tag = "PRP$"
		case lw == "his":
			t.Tag = "PRP$"
			if !beginsNoun(ts, i+1) {
				t.Tag = "PRP"
			}
		case lw == "'s" || lw == "'":
			if lw == "'s" {
				t.Tag = a.apostropheS(ts, i)
			}
		case lw == "to" && t.Tag != "NNP":
			t.Tag = "TO"
		case ordinal(lw):
			t.Tag = "JJ"
		case unicode.IsUpper(first) && i > 0 && cased && !title && !isName(t.Tag) && t.Tag != "CD" && len(w) > 1 &&
			!function[lw] && prev.Tag != "``" && prev.Text != ":" && prev.Tag != ".":
			// A capital inside a sentence: a name, or the adjective of a nation.
			if a.dict.has(lw) && t.Tag == "JJ" || nationality(lw) && (t.Tag == "JJ" || isNoun(next.Tag)) {
				break
			}
			if t.Tag == "NNS" || strings.HasPrefix(t.Tag, "VB") && a.dict.has(lw) && !isName(prev.Tag) && !isName(next.Tag) {
				if a.dict.has(lw) {
					break
				}
			}
			t.Tag = "NNP"
		case unicode.IsUpper(first) && i == 0 && !isName(t.Tag) && len(w) > 1 && givenName(lw) && !function[lw] && !a.commonStart(lw):
			t.Tag = "NNP"
		case unicode.IsUpper(first) && i == 0 && !isName(t.Tag) && len(w) > 2 && !a.dict.has(lw) && !function[lw] && t.Tag != "RB" && t.Tag != "CD" && !nationality(lw):
			t.Tag = "NNP"
		case isName(t.Tag) && lowerWord(t.Text) && w == t.Text && len(w) > 1:
			// The tagger takes an unknown word in lower case for a name.
			if !a.lowerName(ts, i, cased) && !(isName(prev.Tag) && isName(next.Tag)) {
				t.Tag = "NN"
			}
		case (i == 0 || prev.Tag == "``") && isName(t.Tag) && a.dict.has(lw) && !givenName(lw) && !places[lw] && cased &&
			(next.Tag == "," || next.Tag == ".") && prev.Tag != "" && i > 0:
			t.Tag = "UH" // "Sorry," he said
		case i == 0 && isName(t.Tag) && a.dict.verbs[lw] && a.dict.isBase(lw) && !givenName(lw) && !places[lw] && cased &&
			(next.Tag == "DT" || next.Tag == "PRP" || next.Tag == "PRP$"):
			t.Tag = "VB"
		case i == 0 && isName(t.Tag) && a.dict.has(lw) && !isName(next.Tag) && !givenName(lw) && !places[lw] && cased:
			if strings.HasSuffix(lw, "s") && !a.dict.isBase(lw) && next.Tag != "POS" {
				t.Tag = "NNS"
			}
		}
	}
	for i := range ts {
		a.repairVerb(ts, i)
	}
}

// commonStart reports whether a sentence often starts with w as a common word
// although it is a given name too ("Will", "Mark", "Grace").
func (a *Analyzer) commonStart(w string) bool { return a.dict.has(w) }

// beginsNoun reports whether the tokens from i can be what a possessive owns.
func beginsNoun(ts []Token, i int) bool {
	for n := 0; n < 4; n++ {
		t := at(ts, i+n)
		switch {
		case isNoun(t.Tag):
			return true
		case strings.HasPrefix(t.Tag, "JJ"), t.Tag == "CD", t.Tag == "VBN", t.Tag == "VBG", strings.HasPrefix(t.Tag, "RB"), t.Tag == "``", t.Tag == "FW",
			n > 0 && (t.Tag == "CC" || t.Tag == "," || t.Tag == "POS"):
		default:
			return false
		}
	}
	return false
}

// apostropheS tells the possessive from "is" and "has".
func (a *Analyzer) apostropheS(ts []Token, i int) string {
	prev, next := at(ts, i-1), at(ts, i+1)
	if lp := strings.ToLower(prev.Text); lp == "let" {
		return "PRP"
	} else if lp == "it" || lp == "he" || lp == "she" || lp == "that" || lp == "there" || lp == "here" || lp == "what" ||
		lp == "who" || lp == "where" || lp == "how" || lp == "when" || lp == "this" {
		return "VBZ"
	}
	switch next.Tag {
	case "DT", "PRP", "PRP$", "TO", "IN", "EX", "MD":
		return "VBZ"
	case "VBG", "VBN", "RB":
		// "Ana's working late" against "Ana's growing family".
		if nn := at(ts, i+2); !isNoun(nn.Tag) && !strings.HasPrefix(nn.Tag, "JJ") && !strings.HasPrefix(nn.Tag, "VB") {
			return "VBZ"
		}
	case "JJ":
		if nn := at(ts, i+2); (nn.Tag == "." || nn.Tag == "" || nn.Tag == "IN" || nn.Tag == "TO") && ts[i].Tag == "VBZ" {
			return "VBZ"
		}
	}
	return "POS"
}

func (a *Analyzer) repairVerb(ts []Token, i int) {
	t := &ts[i]
	lw := strings.ToLower(t.Text)
	prev, next := at(ts, i-1), at(ts, i+1)
	if len(lw) < 2 || t.Tag == "" || !unicode.IsLetter(rune(lw[0])) || isName(t.Tag) || len(lw) > 30 {
		return
	}
	// The word before, without adverbs.
	k := i - 1
	for k >= 0 && i-k < 4 && (ts[k].Tag == "RB" || strings.EqualFold(ts[k].Text, "n't")) {
		k--
	}
	before := at(ts, k)
	lb := strings.ToLower(before.Text)
	switch {
	case before.Tag == "MD" && (t.Tag == "NN" || t.Tag == "VBP" || t.Tag == "VBD" || t.Tag == "VBN" || t.Tag == "JJ") &&
		a.dict.isBase(lw) && a.dict.verbs[lw]:
		t.Tag = "VB"
	case before.Tag == "MD" && (lw == "be" || lw == "have" || lw == "do"):
		t.Tag = "VB"
	case prev.Tag == "TO" && t.Tag == "NN" && a.dict.verbs[lw] &&
		(next.Tag == "DT" || next.Tag == "PRP" || next.Tag == "PRP$" || next.Tag == "NNP" || next.Tag == "CD"):
		t.Tag = "VB"
	case (doForms[lb] && k >= 0 && k < i-1) && t.Tag != "VB" && a.dict.verbs[lw] && a.dict.isBase(lw):
		t.Tag = "VB" // did not cost
	case (haveForms[lb] || beForms[lb]) && t.Tag == "VBD" && !beForms[lw] && !haveForms[lw]:
		t.Tag = "VBN"
	case t.Tag == "VBN" && (prev.Tag == "PRP" && !objectPronoun[strings.ToLower(prev.Text)] || prev.Tag == "WP") &&
		lw != "been" && lw != "gone" && lw != "done" && lw != "seen" && !invertedAux(ts, i):
		t.Tag = "VBD"
	case t.Tag == "VBN" && prev.Tag == "NNP" && !clauseHasFinite(ts, i) && strings.HasSuffix(lw, "ed") &&
		(next.Tag == "DT" || next.Tag == "PRP" || next.Tag == "PRP$" || next.Tag == "CD" || next.Tag == "NNP" || next.Tag == "TO"):
		t.Tag = "VBD"
	case t.Tag == "NNS" && a.thirdPerson(ts, i, lw):
		t.Tag = "VBZ"
	}
}

var objectPronoun = set(`him her them me us it you`)

// invertedAux reports whether the pronoun before i has its auxiliary before it:
// "had she gone", "was he seen".
func invertedAux(ts []Token, i int) bool {
	w := strings.ToLower(at(ts, i-2).Text)
	return haveForms[w] || beForms[w]
}

// clauseHasFinite reports whether the clause of i, up to 20 words around, has a
// finite verb beside i.
func clauseHasFinite(ts []Token, i int) bool {
	for _, dir := range []int{-1, 1} {
		for n := 1; n <= 20; n++ {
			t := at(ts, i+dir*n)
			if t.Tag == "" || t.Tag == "," && n > 1 || t.Tag == ":" || t.Tag == "CC" || t.Tag == "WP" || t.Tag == "WDT" ||
				t.Tag == "IN" && strings.EqualFold(t.Text, "that") || t.Tag == "``" || t.Tag == "''" {
				break
			}
			if finite(t.Tag) {
				return true
			}
		}
	}
	return false
}

// thirdPerson reports whether the plural noun at i is rather a verb: "Nicole
// flirts with", "and visits her".
func (a *Analyzer) thirdPerson(ts []Token, i int, lw string) bool {
	if !strings.HasSuffix(lw, "s") || !a.dict.verbOf(lw) {
		return false
	}
	prev, next := at(ts, i-1), at(ts, i+1)
	switch next.Tag {
	case "DT", "PRP", "PRP$", "NNP", "TO", "CD", "IN", "RB", "RP", "VBG":
	default:
		return false
	}
	switch {
	case prev.Tag == "PRP" && !objectPronoun[strings.ToLower(prev.Text)] || prev.Tag == "WP":
		return true
	case prev.Tag == "NNP":
		_, person := givenNames[strings.ToLower(prev.Text)]
		return !clauseHasFinite(ts, i) && (person || next.Tag != "IN" && next.Tag != "RB")
	case prev.Tag == "CC" || prev.Tag == "," || prev.Tag == "RB":
		if next.Tag == "IN" || next.Tag == "RB" || next.Tag == "VBG" || next.Tag == "CD" {
			return false
		}
		for n := 2; n < 15; n++ {
			switch at(ts, i-n).Tag {
			case "VBZ":
				return true
			case "VBD", "":
				return false
			}
		}
	}
	return false
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

// hasCase reports whether the text uses capitals for names: it has some inside
// its sentences. It reads the start of the text only.
func hasCase(text string, n int) bool {
	letters, upper := 0, 0
	for i, r := range text {
		if i > n {
			break
		}
		if unicode.IsLower(r) {
			letters++
		} else if unicode.IsUpper(r) {
			upper++
			letters++
		}
	}
	return upper*100 > letters
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
