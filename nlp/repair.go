package nlp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jdkato/prose/v3/tag"
)

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
		case t.Tag == "FW" && first > 0x24F:
		case lw == "s" && prev.Tag == "POS" && isApostrophe(rune0(prev.Text)):
			t.Tag = "POS"
		case lw == "n't" || lw == "not":
			t.Tag = "RB"
		case (lw == "will" || lw == "might" || lw == "can" || lw == "must") && i > 0 && nounComes(prev):
			t.Tag = "NN" // "a will", "his might"
		case modals[lw] && t.Tag != "NNP" && (lw != "can" && lw != "will" && lw != "may" && lw != "might" || !isNoun(t.Tag) || next.Tag == "VB"):
			if !(lw == "may" && unicode.IsUpper(first) && i > 0) {
				t.Tag = "MD"
			}
		case lw == "her" && t.Tag == "PRP$" && !beginsNoun(ts, i+1):
			t.Tag = "PRP"
		case lw == "her" && t.Tag == "PRP" && isNoun(next.Tag) &&
			(!isName(next.Tag) && prev.Tag != "VBD" || isName(next.Tag) && a.dict.has(strings.ToLower(next.Text)) && !givenName(strings.ToLower(next.Text))):
			t.Tag = "PRP$"
		case numberWords[lw] && t.Tag != "CD" && t.Tag != "NNS" && !isName(t.Tag):
			t.Tag = "CD"
		case ordinalWords[lw] && !isName(t.Tag):
			t.Tag = "JJ"
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
		case unicode.IsUpper(first) && i > 0 && cased && !title && !isName(t.Tag) && t.Tag != "CD" && t.Tag != "$" && len(w) > 1 &&
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
		case (i == 0 || prev.Tag == "``") && isName(t.Tag) && !isName(next.Tag) && (groupNouns[lw] || personNouns[a.dict.noun(lw)] || thingPeople[lw]) && !givenName(lw):
			// "Police said", "Workers left"
			t.Tag = "NN"
			if lw == "police" || lw == "people" || strings.HasSuffix(lw, "s") && !strings.HasSuffix(lw, "ss") || strings.HasSuffix(lw, "men") {
				t.Tag = "NNS"
			}
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
	a.findPredicate(ts)
	for i := 2; i < len(ts); i++ {
		if t := &ts[i]; (t.Tag == "NN" || t.Tag == "VB") && ts[i-1].Tag == "CC" && a.baseVerb(strings.ToLower(t.Text)) && a.joinsPresent(ts, i) {
			t.Tag = "VBP" // after a verb that was found just now
		}
	}
}

// findPredicate gives a sentence that ends with a full stop and has no finite
// verb the likeliest one: "Her grandmother required/VBN high standards."
func (a *Analyzer) findPredicate(ts []Token) {
	if len(ts) < 3 || len(ts) > 100 || ts[len(ts)-1].Tag != "." {
		return
	}
	if k := clauseComma(ts); k > 0 {
		// "When Leo sings, dogs howl": each part has its own.
		a.findOne(ts[1 : k+1])
		a.findOne(ts[k+1:])
		return
	}
	a.findOne(ts)
}

// findOne is findPredicate for one clause with the mark that ends it.
func (a *Analyzer) findOne(ts []Token) {
	if len(ts) < 3 || isVerbAmong(ts) || ts[0].Tag == "VB" {
		return // nothing to find, or an order
	}
	for i := 1; i < len(ts)-1; i++ {
		t, prev, next := &ts[i], ts[i-1], ts[i+1]
		lw := strings.ToLower(t.Text)
		after := isNoun(prev.Tag) || prev.Tag == "PRP" || prev.Tag == "RB" && i > 1 || prev.Tag == "DT" && demonstrative[strings.ToLower(prev.Text)] ||
			prev.Tag == "CD" && isName(at(ts, i-2).Tag)
		switch {
		case !after:
		case t.Tag == "VBN" && !strings.EqualFold(next.Text, "by"):
			t.Tag = "VBD"
			return
		case (t.Tag == "NN" || t.Tag == "JJ" || t.Tag == "VB") && (prev.Tag == "NNS" || i == 1 && (thingPeople[strings.ToLower(prev.Text)] || samePlural[strings.ToLower(prev.Text)])) && a.baseVerb(lw) && bareSubject(ts[:i]) &&
			((next.Tag == "." || next.Tag == ",") && i == len(ts)-2 || objectStart(next) || next.Tag == "IN" || next.Tag == "TO" || next.Tag == "RB"):
			t.Tag = "VBP" // "Dogs chase cats", "Birds sing"
			return
		case t.Tag == "NNS" && prev.Tag == "NN" && i == len(ts)-2 && nounComes(ts[0]) && a.dict.verbOf(lw) && bareSubject(ts[:i]):
			t.Tag = "VBZ" // "The bird sings"
			return
		case t.Tag == "NN" && prev.Tag == "NNS" && a.dict.verbs[lw] && a.dict.isBase(lw) && !isNoun(next.Tag) && next.Tag != ".":
			t.Tag = "VBP"
			if next.Tag == "CC" && i+2 < len(ts) && a.dict.verbs[strings.ToLower(ts[i+2].Text)] {
				ts[i+2].Tag = "VBP"
			}
			return
		case t.Tag == "NNS" && strings.HasSuffix(lw, "s") && a.dict.verbOf(lw) &&
			(next.Tag == "IN" || next.Tag == "DT" || next.Tag == "TO" || next.Tag == "PRP$" || next.Tag == "PRP" || next.Tag == "RB") && prev.Tag != "NN":
			t.Tag = "VBZ"
			return
		}
	}
}

// clauseComma returns the place of the comma that ends the clause which a
// sentence opens with ("When Leo sings, ..."), or 0 where it opens with none.
func clauseComma(ts []Token) int {
	lw := strings.ToLower(ts[0].Text)
	if !subordinators[lw] && lw != "when" && lw != "once" && lw != "after" && lw != "before" && lw != "since" && lw != "as" && lw != "whenever" || lw == "that" {
		return 0
	}
	for i, t := range ts {
		if t.Tag == "," {
			if i > 2 && len(ts)-i > 3 {
				return i
			}
			return 0
		}
	}
	return 0
}

// bareSubject reports whether the tokens, which end with a noun in the plural,
// are one plain noun phrase: quantifiers, adjectives, nouns.
func bareSubject(ts []Token) bool {
	for i, t := range ts {
		switch {
		case isNoun(t.Tag), t.Tag == "DT", t.Tag == "PDT", t.Tag == "PRP$", t.Tag == "CD", t.Tag == "POS", strings.HasPrefix(t.Tag, "JJ"), t.Tag == "RB" && i < 2, t.Tag == "CC",
			t.Tag == "IN" && strings.EqualFold(t.Text, "of"):
		default:
			return false
		}
	}
	return len(ts) > 0
}

// objectStart reports whether an object can start with t.
func objectStart(t Token) bool {
	return isNoun(t.Tag) || t.Tag == "DT" || t.Tag == "PRP" || t.Tag == "PRP$" || t.Tag == "CD" || strings.HasPrefix(t.Tag, "JJ") || t.Tag == "$"
}

// nounComes reports whether a noun must follow the word t somewhere, which no
// auxiliary comes before: an article or a possessive.
func nounComes(t Token) bool {
	return t.Tag == "PRP$" || t.Tag == "POS" || t.Tag == "DT" && (strings.EqualFold(t.Text, "a") || strings.EqualFold(t.Text, "an") || strings.EqualFold(t.Text, "the"))
}

func rune0(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

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
			n == 0 && t.Tag == "POS", n > 0 && (t.Tag == "CC" || t.Tag == "," || t.Tag == "POS"):
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
	case t.Tag == "MD" && !modals[lw] && lw != "need" && lw != "dare" && lw != "used" && lw[0] != '\'':
		t.Tag = "NN"
	case (t.Tag == "VB" || t.Tag == "VBP" || t.Tag == "VBZ") && (isNoun(prev.Tag) || prev.Tag == "DT" || prev.Tag == "PRP$" || prev.Tag == "POS" || prev.Tag == "IN" || prev.Tag == "CD" || strings.HasPrefix(prev.Tag, "JJ")) && a.dict.has(lw) && !a.dict.verbOf(lw) && !beForms[lw] && !haveForms[lw] && !doForms[lw] && !function[lw] && lowerWord(lw):
		// "the zoo on Sunday": a word that the dictionary knows, and not as a verb.
		t.Tag = "NN"
		if strings.HasSuffix(lw, "s") && !a.dict.isBase(lw) {
			t.Tag = "NNS"
		}
	case before.Tag == "MD" && (t.Tag == "NN" || t.Tag == "VBP" || t.Tag == "VBD" || t.Tag == "VBN" || t.Tag == "JJ") &&
		a.dict.isBase(lw) && a.dict.verbs[lw]:
		t.Tag = "VB"
	case t.Tag == "NN" && isNoun(prev.Tag) && a.dict.verbs[lw] && a.dict.isBase(lw) && a.pairActs(ts, i):
		t.Tag = "VBP" // "the farmer and his son sell eggs"
		if next.Tag == "VBZ" {
			ts[i+1].Tag = "NNS"
		}
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
	case t.Tag == "VBN" && isNoun(prev.Tag) && !strings.EqualFold(next.Text, "by") && next.Tag != "." && subordinate(ts, i) && !clauseHasFinite(ts, i):
		t.Tag = "VBD" // "while the others fought for it"
	case t.Tag == "VBN" && i <= 3 && isNoun(prev.Tag) && strings.HasSuffix(lw, "ed") && nominalStart(ts[:i]) &&
		(next.Tag == "DT" || next.Tag == "PRP" || next.Tag == "PRP$"):
		t.Tag = "VBD" // "Ozil compared his watch"
	case t.Tag == "VBN" && prev.Tag == "NNP" && !clauseHasFinite(ts, i) && strings.HasSuffix(lw, "ed") &&
		(next.Tag == "DT" || next.Tag == "PRP" || next.Tag == "PRP$" || next.Tag == "CD" || next.Tag == "NNP" || next.Tag == "TO"):
		t.Tag = "VBD"
	case (t.Tag == "NN" || t.Tag == "JJ" || t.Tag == "NNS") && verbIrregulars[lw] != "" && !a.dict.isBase(lw) && nounIrregulars[lw] == "" &&
		prev.Tag != "DT" && prev.Tag != "PRP$" && prev.Tag != "CD" && prev.Tag != "POS" && !strings.HasPrefix(prev.Tag, "JJ") && lw[0] != '\'':
		t.Tag = "VBD" // "sang", "slept" in a place where the tagger wants a noun
		if haveForms[lb] || beForms[lb] {
			t.Tag = "VBN"
		}
	case (t.Tag == "NN" || t.Tag == "JJ" || t.Tag == "VBN") && isName(prev.Tag) && givenName(strings.ToLower(prev.Text)) && verbIrregulars[lw] != "" && !strings.HasSuffix(lw, "s") &&
		lw[0] != '\'' && (next.Tag == "IN" || next.Tag == "." || next.Tag == "," || next.Tag == "RB" || next.Tag == "TO" || next.Tag == "CC" || objectStart(next)) &&
		!strings.EqualFold(next.Text, "by") && !clauseHasFinite(ts[:i+1], i):
		t.Tag = "VBD" // "Ana left because ..."
	case t.Tag == "VBZ" && !strings.HasSuffix(lw, "s") && verbIrregulars[lw] != "" && lw[0] != '\'':
		t.Tag = "VBD" // "the dog that bit Ana"
	case t.Tag == "NNS" && a.thirdPerson(ts, i, lw), t.Tag == "NN" && strings.HasSuffix(lw, "s") && !a.dict.isBase(lw) && a.dict.verbOf(lw) && a.personActs(ts, i):
		t.Tag = "VBZ"
	case t.Tag == "NNS" && prev.Tag == "," && a.dict.verbOf(lw) && next.Tag == "CC" && at(ts, i+2).Tag == "VBZ" && at(ts, i-2).Tag == "VBZ",
		t.Tag == "NNS" && prev.Tag == "CC" && a.dict.verbOf(lw) && objectStart(next) && afterThird(ts, i-1) && !isVerbAmong(ts[i+1:min(len(ts), i+8)]):
		t.Tag = "VBZ" // "designs, builds and sells ships", "eats bread and drinks milk"
	case t.Tag == "NNS" && prev.Tag == "," && at(ts, i-2).Tag == "VBZ" && a.dict.verbOf(lw) && next.Tag == "CC" && at(ts, i+2).Tag == "NNS" && objectStart(at(ts, i+3)):
		t.Tag, ts[i+2].Tag = "VBZ", "VBZ" // a plural noun stands before no other noun
	case (t.Tag == "NN" || t.Tag == "JJ" || t.Tag == "VB") && prev.Tag == "CC" && a.baseVerb(lw) && a.joinsPresent(ts, i):
		t.Tag = "VBP"
	case (t.Tag == "NN" || t.Tag == "JJ") && (prev.Tag == "WP" || prev.Tag == "WDT") && verbIrregulars[lw] != "" && isNoun(at(ts, i-2).Tag) && objectStart(next):
		t.Tag = "VBD" // "the dog that bit Ana"
	}
}

// pairActs reports whether the noun at i is the verb of two subjects that a
// sentence without another verb begins with ("the farmer and his son sell eggs").
func (a *Analyzer) pairActs(ts []Token, i int) bool {
	next := at(ts, i+1)
	if !(objectStart(next) || isNoun(next.Tag) || next.Tag == "IN" || next.Tag == "TO" || next.Tag == "VBZ" && !beForms[strings.ToLower(next.Text)]) {
		return false
	}
	start, pair := i, 0
	for start > 0 && i-start < 12 && ts[start-1].Tag != "." && ts[start-1].Tag != "" {
		start--
		if ts[start].Tag == "CC" && strings.EqualFold(ts[start].Text, "and") && start < i-1 {
			pair++
		}
	}
	if pair != 1 || !nominalSubjects(ts[start:i]) {
		return false
	}
	for k := i + 1; k < len(ts) && k < i+20 && ts[k].Tag != "."; k++ {
		if g := ts[k].Tag; g == "VBD" || g == "VBP" || g == "MD" || g == "VBZ" && k > i+1 {
			return false
		}
	}
	return true
}

// nominalSubjects reports two noun phrases joined by "and", each but the first
// with a determiner or a name, so that the second one is a subject of its own
// and no part of a compound ("salt and pepper mill").
func nominalSubjects(ts []Token) bool {
	for k, t := range ts {
		switch {
		case t.Tag == "CC":
			if n := at(ts, k+1); n.Tag != "DT" && n.Tag != "PRP$" && !isName(n.Tag) {
				return false
			}
		case t.Tag == "DT", t.Tag == "PRP$", t.Tag == "CD", strings.HasPrefix(t.Tag, "JJ"), isNoun(t.Tag), t.Tag == "POS":
		default:
			return false
		}
	}
	return len(ts) > 0
}

// samePlural are nouns whose plural shows no ending.
var samePlural = set(`fish sheep deer cattle mice geese teeth feet bacteria salmon trout swine aircraft`)

// compounding are verbs that stand as the first noun of a compound more often
// than after "and": "and water pumps", "and market prices".
var compounding = set(`water fire land market house school state air book game film power rock stage star fuel oil gas price fund bank car
	document sign paper plant ship test sport music master bus train phone list model document time place name face head hand foot eye back
	body heart root bridge button station garden mail credit loan salt butter fish iron metal steel tax
	trade service store target border border-line rain snow storm heat light milk cash style weather`)

// joinsPresent reports whether the word at i, after "and", is a second verb of
// the plural subject: the first is in the present, and what follows the two is
// alike ("live in Rome and work in Milan", "build houses and repair roads").
func (a *Analyzer) joinsPresent(ts []Token, i int) bool {
	if w := strings.ToLower(ts[i-1].Text); w != "and" && w != "or" || compounding[strings.ToLower(ts[i].Text)] || !isNoun(at(ts, i-2).Tag) {
		return false
	}
	v := -1
	for k := i - 2; k >= 0 && k > i-8; k-- {
		t := ts[k]
		if t.Tag == "VBP" {
			v = k
			break
		}
		if !isNoun(t.Tag) && !strings.HasPrefix(t.Tag, "JJ") && t.Tag != "IN" && t.Tag != "DT" && t.Tag != "TO" {
			return false
		}
	}
	if v < 1 || beForms[strings.ToLower(ts[v].Text)] || ts[v-1].Tag != "NNS" && ts[v-1].Tag != "NNPS" && ts[v-1].Tag != "PRP" && ts[v-1].Tag != "RB" {
		return false
	}
	after, next := ts[v+1], at(ts, i+1)
	switch {
	case next.Tag == "IN" || next.Tag == "TO":
		return after.Tag == "IN" || after.Tag == "TO"
	case isNoun(next.Tag):
		// The object before "and" is bare, and so is this one.
		return isNoun(after.Tag) && v+1 == i-2 && !isNoun(at(ts, i+2).Tag)
	}
	return false
}

// personActs reports whether the plural noun at i is the verb of the person
// named before it: "Ana likes cake", "Unless Leo pays, ...". A noun that the
// tagger took for the verb after it becomes the object that it is.
func (a *Analyzer) personActs(ts []Token, i int) bool {
	prev, next := at(ts, i-1), at(ts, i+1)
	first := i - 1
	switch lp := strings.ToLower(prev.Text); {
	case isName(prev.Tag):
		for first > 0 && isName(ts[first-1].Tag) {
			first--
		}
		if !givenName(strings.ToLower(ts[first].Text)) {
			return false
		}
	case prev.Tag == "NN" && (personNouns[lp] || genderNouns[lp] != UnknownGender):
		// "My sister bakes bread"
		for first > 0 && strings.HasPrefix(ts[first-1].Tag, "JJ") {
			first--
		}
		if first--; first < 0 || !nounComes(ts[first]) {
			return false
		}
	default:
		return false
	}
	opened := false // a conjunction opens the clause here
	// What can stand before the subject of a clause.
	switch b := at(ts, first-1); {
	case b.Tag == "" || b.Tag == "," || b.Tag == "``" || b.Tag == ":" || b.Tag == "WRB" || b.Tag == "WDT" || b.Tag == "SYM":
	case b.Tag == "IN" && clauseIntroducers[strings.ToLower(b.Text)] || strings.EqualFold(b.Text, "once") || strings.EqualFold(b.Text, "assuming") || strings.EqualFold(b.Text, "supposing"):
		opened = true
	case b.Tag == "CC" && isVerbAmong(ts[max(0, first-12):first]):
		for _, t := range ts[max(0, first-12):first] {
			if isVerb(t.Tag) && twoObjects[a.Lemma(t.Text, t.Tag)] {
				return false
			}
		}
	default:
		return false
	}
	switch {
	case next.Tag == "VBP" || next.Tag == "VB":
		// "likes cake": the word after is a noun where nothing follows it that
		// only a verb has.
		n2 := at(ts, i+2)
		if lw := strings.ToLower(next.Text); a.dict.noun(lw) == lw && a.dict.isBase(lw) && (n2.Tag == "." || n2.Tag == "" || n2.Tag == "," || n2.Tag == "CC" || n2.Tag == "IN") {
			ts[i+1].Tag = "NN"
			return true
		}
		return false
	case next.Tag == "." || next.Tag == "," || next.Tag == "" || next.Tag == "IN" || next.Tag == "TO" || next.Tag == "RB" || next.Tag == "RP" || objectStart(next):
		if opened {
			return !clauseHasFinite(ts[first:], i-first)
		}
		return !clauseHasFinite(ts, i)
	}
	return false
}

func isVerbAmong(ts []Token) bool {
	for _, t := range ts {
		if finite(t.Tag) {
			return true
		}
	}
	return false
}

// afterThird reports whether a verb in the third person stands before i, with
// its object at most between the two.
func afterThird(ts []Token, i int) bool {
	for k := i - 1; k >= 0 && k > i-7; k-- {
		switch t := ts[k]; {
		case t.Tag == "VBZ":
			return !beForms[strings.ToLower(t.Text)] && !strings.EqualFold(t.Text, "is")
		case !isNoun(t.Tag) && !strings.HasPrefix(t.Tag, "JJ") && t.Tag != "DT" && t.Tag != "PRP$" && t.Tag != "CD":
			return false
		}
	}
	return false
}

// baseVerb reports whether w is the dictionary form of a verb.
func (a *Analyzer) baseVerb(w string) bool {
	return a.dict.verbs[w] && a.dict.isBase(w) || irregularPast[w] != ""
}

// twoObjects are verbs with somebody and something after them: "gave Bo and
// Carl books" has one verb.
var twoObjects = set(`give send offer hand lend pay teach bring sell award grant promise owe show tell buy make write read serve deny`)

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
	if a.personActs(ts, i) {
		return true
	}
	switch next.Tag {
	case "DT", "PRP", "PRP$", "NNP", "TO", "CD", "IN", "RB", "RP", "VBG":
	default:
		return false
	}
	switch {
	case prev.Tag == "PRP" && (!objectPronoun[strings.ToLower(prev.Text)] || strings.EqualFold(prev.Text, "it") && !governs(at(ts, i-2))) || prev.Tag == "WP":
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

// nominalStart reports whether all the tokens are of a noun phrase.
func nominalStart(ts []Token) bool {
	for _, t := range ts {
		if !isNoun(t.Tag) && t.Tag != "DT" && t.Tag != "PRP$" && !strings.HasPrefix(t.Tag, "JJ") {
			return false
		}
	}
	return true
}

// governs reports whether an object can stand after t.
func governs(t Token) bool {
	return strings.HasPrefix(t.Tag, "VB") || t.Tag == "IN" && !clauseIntroducers[strings.ToLower(t.Text)] || t.Tag == "TO" || t.Tag == "RP"
}

// subordinate reports whether the clause of i starts with a conjunction, so that
// it must have a finite verb.
func subordinate(ts []Token, i int) bool {
	for n := 1; n < 10; n++ {
		t := at(ts, i-n)
		switch {
		case t.Tag == "" || t.Tag == "," || t.Tag == ":" || t.Tag == "CC" || isVerb(t.Tag) || t.Tag == "``":
			return false
		case t.Tag == "IN" && subordinators[strings.ToLower(t.Text)], t.Tag == "WRB" && strings.EqualFold(t.Text, "when"):
			return true
		}
	}
	return false
}

var (
	subordinators = set(`while because although though if unless whereas that`)
	numberWords   = set(`two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
		eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety`)
	ordinalWords = set(`fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
		sixteenth seventeenth eighteenth nineteenth twentieth thirtieth`)
)
