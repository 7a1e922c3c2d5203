package openie

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/segment"
)

// tok is a token of one sentence. Contractions that the tokenizer leaves whole
// are split, so several toks can share one token of the document.
type tok struct {
	segment.Span
	text, low, tag, lemma string
	// doc is the position of the token in the document.
	doc int
}

// sentence is what the parser reads: the repaired tokens of one sentence.
type sentence struct {
	doc  *nlp.Document
	text string
	toks []tok
	// close maps the position of an opening quote or bracket to its closing one.
	close map[int]int
	// name[i] says that token i is inside a name that the analysis found.
	name []bool
	// verbs[i] is the number of finite verbs before token i.
	verbs []int
}

func newSentence(doc *nlp.Document, first, end int) *sentence {
	s := &sentence{doc: doc, text: doc.Text}
	for i := first; i < end; i++ {
		s.add(doc.Tokens[i], i)
	}
	s.repair()
	s.match()
	s.unquote()
	s.name = make([]bool, len(s.toks))
	for i, t := range s.toks {
		s.name[i] = strings.HasPrefix(t.tag, "NNP")
	}
	s.count()
	return s
}

// count sets verbs from the tags.
func (s *sentence) count() {
	s.verbs = make([]int, len(s.toks)+1)
	for i := range s.toks {
		s.verbs[i+1] = s.verbs[i]
		if s.finiteAt(i) {
			s.verbs[i+1]++
		}
	}
}

// add appends a token of the document, split where it is a contraction.
func (s *sentence) add(t nlp.Token, doc int) {
	// Marks of emphasis ("**Founded:**") belong to no word.
	if n := len(t.Text) - len(strings.TrimLeft(t.Text, "*_#")); n > 0 {
		t.Start, t.Text = t.Start+n, t.Text[n:]
	}
	if n := len(strings.TrimRight(t.Text, "*_")); n < len(t.Text) {
		t.End, t.Text = t.Start+n, t.Text[:n]
	}
	if t.Text == "" {
		return
	}
	low := strings.ToLower(strings.ReplaceAll(t.Text, "’", "'"))
	text := t.Text
	if n := len(s.toks); n > 0 && low == "'" && s.toks[n-1].text == "'" && s.toks[n-1].End == t.Start {
		s.toks[n-1].End = t.End // two single quotes that were one token
		s.toks[n-1].text, s.toks[n-1].low, s.toks[n-1].tag = "''", "''", "''"
		return
	}
	if len(low) == len(text) {
		for _, c := range []string{"n't", "'ve", "'re", "'ll", "'d", "'m"} {
			if len(low) > len(c) && strings.HasSuffix(low, c) {
				cut := len(text) - len(c)
				tag := map[string]string{"n't": "RB", "'ve": "VBP", "'re": "VBP", "'ll": "MD", "'d": "MD", "'m": "VBP"}[c]
				lemma := map[string]string{"n't": "not", "'ve": "have", "'re": "be", "'ll": "will", "'d": "would", "'m": "be"}[c]
				head := t.Tag
				if personal.has(low[:cut]) {
					head = "PRP"
				}
				s.toks = append(s.toks,
					tok{segment.Span{Start: t.Start, End: t.Start + cut}, text[:cut], low[:cut], head, low[:cut], doc},
					tok{segment.Span{Start: t.Start + cut, End: t.End}, text[cut:], c, tag, lemma, doc})
				return
			}
		}
	}
	lemma := t.Lemma
	if lemma == "" {
		lemma = low
	}
	s.toks = append(s.toks, tok{t.Span, text, low, t.Tag, lemma, doc})
}

func (s *sentence) tag(i int) string {
	if i < 0 || i >= len(s.toks) {
		return ""
	}
	return s.toks[i].tag
}

func (s *sentence) low(i int) string {
	if i < 0 || i >= len(s.toks) {
		return ""
	}
	return s.toks[i].low
}

func (s *sentence) lemma(i int) string {
	if i < 0 || i >= len(s.toks) {
		return ""
	}
	return s.toks[i].lemma
}

func (s *sentence) noun(i int) bool { return strings.HasPrefix(s.tag(i), "NN") }
func (s *sentence) proper(i int) bool {
	return strings.HasPrefix(s.tag(i), "NNP")
}
func (s *sentence) adj(i int) bool    { return strings.HasPrefix(s.tag(i), "JJ") }
func (s *sentence) adverb(i int) bool { return strings.HasPrefix(s.tag(i), "RB") }
func (s *sentence) verb(i int) bool {
	return strings.HasPrefix(s.tag(i), "VB") || s.tag(i) == "MD"
}

// wordy reports whether token i has a letter or a digit.
func (s *sentence) wordy(i int) bool {
	for _, r := range s.toks[i].text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
	}
	return false
}

// repair puts right what a tagger without syntax gets wrong in closed classes
// and where the neighbours decide.
func (s *sentence) repair() {
	for i := range s.toks {
		t := &s.toks[i]
		switch t.text {
		case ",", ";", "(", ")", "[", "]", "{", "}":
			t.tag = map[string]string{",": ",", ";": ":", "(": "(", "[": "(", "{": "(", ")": ")", "]": ")", "}": ")"}[t.text]
		case "-LRB-", "-LSB-", "-LCB-":
			t.tag = "("
		case "-RRB-", "-RSB-", "-RCB-":
			t.tag = ")"
		case "--", "–", "—", ":", "...", "…":
			t.tag = ":"
		case ".", "!", "?":
			t.tag = "."
		case "“", "``", "‘", "`":
			t.tag = "``"
		case "”", "''":
			t.tag = "''"
		case "\"":
			t.tag = "\""
		case "%":
			t.tag = "NN"
		case "$", "£", "€", "¥", "#":
			t.tag = "$"
		case "&":
			t.tag = "CC"
		case "•", "*", "·":
			t.tag = ":"
		}
		switch {
		case t.low == "not" || t.low == "n't" || t.low == "never":
			t.tag = "RB"
		case t.low == "to":
			t.tag = "TO"
		case t.low == "and" || t.low == "or" || t.low == "nor" || t.low == "but":
			t.tag = "CC"
		case t.low == "who" || t.low == "whom":
			t.tag = "WP"
		case t.low == "which":
			t.tag = "WDT"
		case t.low == "whose":
			t.tag = "WP$"
		case t.low == "us" && t.text != "us" || t.low == "us" && i+1 < len(s.toks) && (s.noun(i+1) || s.adj(i+1)):
			t.tag = "NNP"
		case personal.has(t.low) && t.text != "US" && t.text != "IT":
			if t.low == "her" && t.tag == "PRP$" {
				break
			}
			t.tag = "PRP"
		case t.low == "is":
			t.tag, t.lemma = "VBZ", "be"
		case t.low == "are" || t.low == "am" && s.tag(i-1) != "CD" || t.low == "'re" || t.low == "'m":
			t.tag, t.lemma = "VBP", "be"
		case t.low == "was" || t.low == "were":
			t.tag, t.lemma = "VBD", "be"
		case t.low == "been":
			t.tag, t.lemma = "VBN", "be"
		case t.low == "being" && t.tag != "NN":
			t.tag, t.lemma = "VBG", "be"
		case t.low == "be":
			t.tag, t.lemma = "VB", "be"
		case t.low == "has":
			t.tag, t.lemma = "VBZ", "have"
		case t.low == "had":
			t.lemma = "have"
		case t.low == "does":
			t.tag, t.lemma = "VBZ", "do"
		case t.low == "did":
			t.tag, t.lemma = "VBD", "do"
		case t.low == "ought":
			t.tag = "MD"
		case t.low == "hence" || t.low == "thus" || t.low == "however" || t.low == "therefore":
			t.tag = "RB"
		case t.low == "am" && s.tag(i-1) == "CD":
			t.tag = "NN"
		case len(t.text) == 1 && t.text >= "A" && t.text <= "Z" && (s.low(i+1) == "&" && i+2 < len(s.toks) || s.low(i-1) == "&" && i > 1):
			t.tag = "NNP"
		case t.low == "neither" || t.low == "either" && i+1 < len(s.toks) && s.tag(i+1) != ".":
			t.tag = "DT"
		case t.low == "have" && t.tag == "VB" && i > 0 && (s.noun(i-1) || s.tag(i-1) == "PRP") && s.noAux(i):
			t.tag = "VBP"
		case t.low == "both":
			t.tag = "DT"
		case t.low == "whether" || t.low == "because" || t.low == "although" || t.low == "if" || t.low == "unless":
			t.tag = "IN"
		case adverbNouns.has(t.low):
			t.tag = "NN"
		case t.low == "about" && t.tag == "RB":
			t.tag = "IN"
		case (t.low == "such" || t.low == "quite" || t.low == "half" || t.low == "many") && (s.low(i+1) == "a" || s.low(i+1) == "an"):
			t.tag = "PDT"
		}
		if modals.has(t.low) && t.text == t.low {
			prev := s.tag(i - 1)
			if prev != "DT" && prev != "JJ" && prev != "PRP$" && prev != "POS" {
				t.tag = "MD"
			}
		}
	}
	for i := range s.toks {
		s.repairAt(i)
	}
}

func (s *sentence) repairAt(i int) {
	t := &s.toks[i]
	prev, next := s.tag(i-1), s.tag(i+1)
	switch {
	case t.low == "'s" || t.low == "’s":
		switch {
		case personal.has(s.low(i-1)) || words("that there here what who where how").has(s.low(i-1)) && i > 0,
			next == "DT" && !s.proper(i-1) || s.low(i+1) == "not" || next == "VBG" && s.proper(i-1) && !s.headAhead(i+1, len(s.toks)):
			t.tag, t.lemma = "VBZ", "be"
			if next == "VBN" && s.low(i+1) == "been" {
				t.lemma = "have"
			}
		default:
			t.tag = "POS"
		}
		return
	case t.low == "her":
		if s.noun(i+1) || s.adj(i+1) || next == "CD" || next == "VBN" || next == "VBG" && s.headAhead(i+1, len(s.toks)) {
			t.tag = "PRP$"
		} else {
			t.tag = "PRP"
		}
		return
	case t.low == "his":
		t.tag = "PRP$"
		return
	case t.low == "that":
		switch {
		case s.noun(i+1) && next != "NNS" && next != "NNPS" && next != "NNP" && (prev == "IN" || prev == "TO" || i == 0 || prev == "VB" || prev == "CC"):
			t.tag = "DT"
		case (s.verb(i+1) || s.low(i+1) == "'s") && (i == 0 || prev == "``" || prev == "\"" || prev == "CC" && i == 1):
			t.tag = "DT"
		}
		return
	}
	if t.tag == "PRP" && !personal.has(t.low) && !strings.HasSuffix(t.low, "self") && !strings.HasSuffix(t.low, "selves") && !words("mine yours hers ours theirs one thee thou ye y'all oneself").has(t.low) {
		t.tag = "NNP"
	}
	if t.low == "united" && s.noun(i-1) && next != "IN" && next != "TO" {
		t.tag = "NNP"
	}
	if t.low == "aged" && next == "CD" {
		t.tag = "VBN"
	}
	if (t.tag == "VB" || t.tag == "VBP") && prev == "IN" && prepositionsOnly.has(s.low(i-1)) && !closedVerb(t.low) {
		t.tag = "NN"
	}
	if t.low == "there" && (beForms.has(s.low(i+1)) || modals.has(s.low(i+1)) && s.low(i+2) == "be") && prev != "IN" {
		t.tag = "EX"
	}
	if t.tag == "VBG" && (prev == "PRP$" || prev == "DT" || prev == "POS") && (next == "IN" || s.finiteAt(i+1) || next == "," || next == ".") {
		t.tag = "NN"
	}
	if t.tag == "VBD" && (i == 0 || prev == "." || prev == ":") && strings.HasSuffix(t.low, "ed") && s.noun(i+1) {
		for k := i + 2; k < len(s.toks) && k < i+6; k++ {
			if s.finiteAt(k) {
				t.tag = "JJ" // "Diminished vision may be treated"
				break
			}
		}
	}
	if t.tag == "VBD" && s.low(i-1) == "that" && (s.noun(i+1) || s.adj(i+1)) && i > 1 && !closedVerb(t.low) && (contentNouns.has(s.lemma(i-2)) || sayVerbs.has(s.lemma(i-2)) || factiveVerbs.has(s.lemma(i-2))) {
		t.tag = "JJ" // "suggest that depressed compliance is ..."
	}
	if (t.tag == "VBP" || t.tag == "VBZ" || t.tag == "VB") && s.noun(i-1) && !closedVerb(t.low) && s.finiteAt(i+1) && closedVerb(s.low(i+1)) {
		t.tag = map[bool]string{true: "NNS", false: "NN"}[strings.HasSuffix(t.low, "s")]
	}
	if (t.low == "both" || t.low == "all" || t.low == "each") && t.text == t.low && (s.noun(i-1) || prev == "PRP") && s.finiteAt(i+1) {
		t.tag = "RB"
	}
	if t.tag == "JJ" && s.finiteAt(i+1) && closedVerb(s.low(i+1)) && s.verb(i-1) && !closedVerb(s.low(i-1)) && s.lemma(i-1) != "be" {
		t.tag = "NN" // "believes arsenal have ..."
	}
	if t.tag == "NN" && (s.noun(i-1) || prev == "PRP") && doForms.has(s.low(i-2)) && commonVerbs.has(t.low) && i > 2 {
		t.tag = "VB" // "did Leo return"
	}
	if t.tag == "JJ" && next == "MD" && (i == 0 || prev == ",") {
		t.tag = "NNS"
	}
	if s.verb(i) && i > 0 && s.low(i+1) == "'s" && s.noun(i-1) && t.tag != "MD" && !closedVerb(t.low) {
		t.tag = "NNP" // "manchester united 's"
	}
	if t.low == "more" && s.low(i+1) == "than" && haveForms.has(s.low(i-1)) && (s.tag(i+2) == "VBN" || s.tag(i+2) == "VBD") {
		t.tag, s.toks[i+1].tag, s.toks[i+2].tag = "RB", "RB", "VBN"
	}
	if t.low == "more" && s.low(i+1) == "than" && s.noun(i-1) && (s.tag(i+2) == "VBN" || s.tag(i+2) == "VBD") && s.noAux(i) {
		t.tag, s.toks[i+1].tag, s.toks[i+2].tag = "RB", "RB", "VBD"
	}
	if t.tag == "VB" && prev == "CC" && s.noun(i-2) && !s.verbBefore(i) {
		t.tag = "NN"
	}
	if t.tag == "VB" && (prev == "NNS" || prev == "NNPS") && s.noAux(i) && !s.verbBefore(i) {
		t.tag = "VBP"
	}
	if t.tag == "VBN" && (s.noun(i-1) || prev == "PRP") && s.noAux(i) && (next == "DT" || next == "CD" || next == "PRP" || next == "PRP$" || next == "$" || s.quantity(i+1)) && !words("named called made given dubbed titled entitled worth").has(t.low) {
		t.tag = "VBD"
	}
	if (t.tag == "VBZ" || t.tag == "VBP") && s.noun(i-1) && !closedVerb(t.low) && !sayVerbs.has(t.lemma) && !factiveVerbs.has(t.lemma) && s.auxAfterNouns(i) {
		t.tag = "NNS"
	}
	if (t.tag == "VBN" || t.tag == "VBD") && strings.Contains(t.low, "-") && !strings.HasPrefix(t.low, "re-") && (s.noun(i+1) || s.adj(i+1)) {
		t.tag = "JJ"
	}
	if (t.tag == "JJ" || t.tag == "NN") && strings.HasSuffix(t.low, "ed") && len(t.low) > 4 && (next == "DT" || next == "PRP$" || next == "PRP") && (s.noun(i-1) || prev == "PRP" || s.adverb(i-1)) && !s.adj(i-1) {
		t.tag = "VBD"
	}
	if t.tag == "VBD" && strings.HasSuffix(t.low, "ed") && i > 0 && s.finiteAt(i-1) && !closedVerb(s.low(i-1)) && (s.noun(i+1) || s.adj(i+1)) {
		t.tag = "JJ" // "boosted reported net sales"
	}
	// The auxiliary before decides between past and participle.
	if t.tag == "VBD" || t.tag == "VBN" || t.tag == "VB" || t.tag == "NN" || t.tag == "JJ" || t.tag == "VBP" {
		j := i - 1
		for j >= 0 && (s.adverb(j)) {
			j--
		}
		before := s.low(j)
		switch {
		case haveForms.has(before) && s.verb(j) && irregularParticiple(t.low) && t.tag != "VBN" && (prev != "DT" && prev != "JJ" && prev != "PRP$"):
			t.tag = "VBN"
		case haveForms.has(before) && s.verb(j) && (t.tag == "VBD" || t.tag == "VBP" && irregularSame(t.low)):
			t.tag = "VBN"
		case beForms.has(before) && s.verb(j) && t.tag == "VBD" && !beForms.has(t.low) && !haveForms.has(t.low) && !doForms.has(t.low):
			t.tag = "VBN"
		case beForms.has(before) && s.verb(j) && t.tag == "JJ" && strings.HasSuffix(t.low, "ed") && next == "IN":
			if t.lemma != t.low {
				t.tag = "VBN"
			}
		case s.tag(j) == "MD" && (t.tag == "NN" || t.tag == "VBP" || t.tag == "JJ" && !s.noun(i+1)) && isASCII(t.low):
			if !(t.tag == "JJ" && j != i-1) {
				t.tag = "VB"
			}
		case prev == "TO" && t.tag == "NN" && (next == "DT" || next == "PRP" || next == "PRP$" || next == "NNP"):
			t.tag = "VB"
		case (prev == "PRP" && words("i we you they").has(s.low(i-1))) && t.tag == "NN":
			t.tag = "VBP"
		}
	}
	if t.low == "first" && t.tag == "JJ" && (beForms.has(s.low(i-1)) || haveForms.has(s.low(i-1))) && (next == "VBN" || next == "VBD") {
		t.tag = "RB"
	}
	if t.tag == "JJ" && strings.HasPrefix(t.low, "re-") && strings.HasSuffix(t.low, "ed") && beForms.has(s.low(i-1)) {
		t.tag = "VBN"
	}
	if t.tag == "NNS" && prev == "RB" && (s.noun(i-2) || s.tag(i-2) == "PRP" || demonstratives.has(s.low(i-2))) && (next == "IN" || next == "TO" || next == "DT" || next == "PRP$") {
		t.tag = "VBZ"
	}
	if (t.tag == "VBZ" && strings.HasSuffix(t.low, "s") || t.tag == "VBP" || t.tag == "VB") && s.noun(i-1) && !closedVerb(t.low) && s.finiteBefore(i) && !s.finiteAt(i+1) {
		if t.tag == "VBZ" {
			t.tag = "NNS"
		} else if t.tag == "VBP" && !strings.HasSuffix(s.low(i-1), "s") {
			t.tag = "NN"
		}
	}
	if t.tag == "NNS" && words("he she it").has(s.low(i-1)) && prev == "PRP" {
		t.tag = "VBZ"
	}
	if t.tag == "VBZ" && (prev == "DT" || prev == "PRP$" || prev == "POS") && !beForms.has(t.low) && !haveForms.has(t.low) && !doForms.has(t.low) && s.low(i-1) != "that" && s.low(i-1) != "this" {
		t.tag = "NNS"
	}
	if (t.tag == "VB" || t.tag == "VBP") && (prev == "DT" || prev == "PRP$" || prev == "POS") && !words("that these those all both some which").has(s.low(i-1)) && !beForms.has(t.low) && !haveForms.has(t.low) && !doForms.has(t.low) {
		t.tag = "NN"
	}
	if t.tag == "MD" && i > 0 && t.low == "may" && (prev == "IN" && s.low(i-1) != "that" || prev == "CD" || prev == "DT" || next == "CD" || s.low(i-1) == "last" || s.low(i-1) == "next") {
		t.tag = "NNP"
	}
	if t.tag == "VBD" && (prev == "DT" || prev == "PRP$" || prev == "POS") && s.low(i-1) != "that" && s.low(i-1) != "this" && (s.noun(i+1) || s.adj(i+1)) {
		t.tag = "VBN"
	}
}

// verbBefore reports whether any verb stands before token i.
func (s *sentence) verbBefore(i int) bool {
	for k := range i {
		if s.verb(k) {
			return true
		}
	}
	return false
}

// noAux reports whether no auxiliary governs the verb form at i.
func (s *sentence) noAux(i int) bool {
	for k := i - 1; k >= 0 && k > i-12; k-- {
		t := s.tag(k)
		if t == "," || t == "CC" || t == ":" || t == "IN" || t == "WP" || t == "WDT" {
			return true
		}
		if closedVerb(s.low(k)) {
			return false
		}
	}
	return true
}

// auxAfterNouns reports whether only nouns stand between token i and a finite
// auxiliary: token i is then one of them ("arriva trains wales has").
func (s *sentence) auxAfterNouns(i int) bool {
	for k := i + 1; k < len(s.toks) && k < i+6; k++ {
		if s.noun(k) || s.tag(k) == "CD" {
			continue
		}
		return k > i+1 && s.finiteAt(k) && closedVerb(s.low(k))
	}
	return false
}

func closedVerb(low string) bool {
	return beForms.has(low) || haveForms.has(low) || doForms.has(low) || modals.has(low)
}

// finiteBefore reports whether the stretch of text that holds token i, up to the
// last comma, conjunction or clause opener, has a finite verb already, other
// than one of saying: a second one is then most likely a noun.
func (s *sentence) finiteBefore(i int) bool {
	for k := i - 1; k >= 0; k-- {
		t := s.tag(k)
		switch {
		case t == "," || t == "CC" || t == ":" || t == "WP" || t == "WDT" || t == "WRB" || t == "``" || t == "''" || t == "(" || t == "." || t == "PRP" || t == "EX":
			return false
		case t == "IN" && (s.low(k) == "that" || subordinators.has(s.low(k))) || s.low(k) == "that":
			return false
		case t == "VBG" || t == "VBN":
			return false
		case s.finiteAt(k):
			l := s.lemma(k)
			return !sayVerbs.has(l) && !factiveVerbs.has(l) && l != "see" && l != "help" && l != "make" && l != "let"
		}
	}
	return false
}

// irregularParticiple reports forms that are a past and a participle at once
// and nothing else ("lent", "won", "brought").
func irregularParticiple(w string) bool {
	return words("bent bound bled bred brought built bought caught clung crept dealt dug fed felt fought fled found ground heard held kept knelt knew led left lent lost made meant met paid rode said sold sent shot slept slid sought spent spun spread stood stuck stung struck strung swept swung taught told thought understood won wept withheld rebuilt begun given taken seen done gone been written driven fallen chosen").has(w)
}

// irregularSame reports verbs whose past participle looks like their present.
func irregularSame(w string) bool {
	return words("become come run cut put set hit let shut cost hurt read split spread quit").has(w)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// unquote takes out the marks of a quotation that opens inside a clause, right
// before its verb: they would hide the clause ("he “ would not tolerate it ”").
func (s *sentence) unquote() {
	drop := map[int]bool{}
	for o, c := range s.close {
		if s.tag(o) == "``" && o > 0 && s.wordy(o-1) && !sayVerbs.has(s.lemma(o-1)) && (s.finiteAt(o+1) || s.adverb(o+1) && (s.finiteAt(o+2) || s.tag(o+2) == "VBN") || s.tag(o+1) == "VBN" || s.tag(o+1) == "VBG" || s.tag(o+1) == "VB" || s.tag(o+1) == "TO") {
			drop[o], drop[c] = true, true
		}
		// "held in "hugely inappropriate" conditions"
		if s.tag(o) == "``" && o > 0 && c-o < 6 && s.wordy(o-1) && (s.adverb(o+1) || s.adj(o+1)) && s.adj(c-1) && (s.noun(c+1) || s.adj(c+1)) {
			drop[o], drop[c] = true, true
		}
	}
	if len(drop) == 0 {
		return
	}
	var kept []tok
	for i, t := range s.toks {
		if !drop[i] {
			kept = append(kept, t)
		}
	}
	s.toks = kept
	s.match()
}

// match pairs quotes and brackets. Straight quotes open and close in turn; a
// single quote opens where a blank stands before it and a letter follows.
func (s *sentence) match() {
	s.close = map[int]int{}
	var quotes, brackets []int
	single := false // a quotation that opened with one mark and closes with one
	for i := range s.toks {
		t := &s.toks[i]
		if t.text == "`" || t.text == "‘" {
			single = true
		} else if t.text == "'" && !single && t.tag == "''" && i > 0 && strings.HasSuffix(s.low(i-1), "s") && s.noun(i-1) && (s.noun(i+1) || s.adj(i+1)) {
			t.tag = "POS"
		} else if single && (t.text == "'" || t.text == "’") {
			t.tag = "''"
			single = false
		}
		if t.text == "'" && t.tag != "''" && i > 0 && strings.HasSuffix(s.low(i-1), "s") && (s.noun(i+1) || s.adj(i+1)) && s.noun(i-1) {
			t.tag = "POS"
		}
		switch t.tag {
		case "\"":
			if len(quotes) > 0 {
				t.tag = "''"
			} else {
				t.tag = "``"
			}
		}
		if t.text == "``" && len(quotes) > 0 && s.toks[quotes[len(quotes)-1]].text == "``" {
			t.tag = "''" // "`` Roots ``"
		}
		switch t.tag {
		case "``":
			quotes = append(quotes, i)
		case "''":
			if n := len(quotes); n > 0 {
				s.close[quotes[n-1]] = i
				quotes = quotes[:n-1]
			}
		case "(":
			brackets = append(brackets, i)
		case ")":
			if n := len(brackets); n > 0 {
				s.close[brackets[n-1]] = i
				brackets = brackets[:n-1]
			}
		}
	}
}
