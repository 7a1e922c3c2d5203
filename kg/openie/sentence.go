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
	s.name = make([]bool, len(s.toks))
	for i, t := range s.toks {
		s.name[i] = strings.HasPrefix(t.tag, "NNP")
	}
	s.verbs = make([]int, len(s.toks)+1)
	for i := range s.toks {
		s.verbs[i+1] = s.verbs[i]
		if s.finiteAt(i) {
			s.verbs[i+1]++
		}
	}
	return s
}

// add appends a token of the document, split where it is a contraction.
func (s *sentence) add(t nlp.Token, doc int) {
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
		case "“", "``", "‘":
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
		case personal.has(t.low) && t.text != "US" && t.text != "IT":
			if t.low == "her" && t.tag == "PRP$" {
				break
			}
			t.tag = "PRP"
		case t.low == "is":
			t.tag, t.lemma = "VBZ", "be"
		case t.low == "are" || t.low == "am" || t.low == "'re" || t.low == "'m":
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
		case t.low == "whether" || t.low == "because" || t.low == "although" || t.low == "if" || t.low == "unless":
			t.tag = "IN"
		case adverbNouns.has(t.low):
			t.tag = "NN"
		case t.low == "about" && t.tag == "RB":
			t.tag = "IN"
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
			next == "DT" && !s.proper(i-1) || s.low(i+1) == "not" || next == "VBG" && s.proper(i-1) && s.tag(i+2) != "NN" && s.tag(i+2) != "NNS":
			t.tag, t.lemma = "VBZ", "be"
			if next == "VBN" && s.low(i+1) == "been" {
				t.lemma = "have"
			}
		default:
			t.tag = "POS"
		}
		return
	case t.low == "her":
		if s.noun(i+1) || s.adj(i+1) || next == "CD" || next == "VBN" || next == "VBG" {
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
		case s.verb(i+1) && i == 0:
			t.tag = "DT"
		}
		return
	}
	// The auxiliary before decides between past and participle.
	if t.tag == "VBD" || t.tag == "VBN" || t.tag == "VB" || t.tag == "NN" || t.tag == "JJ" || t.tag == "VBP" {
		j := i - 1
		for j >= 0 && (s.adverb(j)) {
			j--
		}
		before := s.low(j)
		switch {
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
	if t.tag == "NNS" && words("he she it").has(s.low(i-1)) && prev == "PRP" {
		t.tag = "VBZ"
	}
	if t.tag == "VBZ" && (prev == "DT" || prev == "PRP$" || prev == "POS") && !beForms.has(t.low) && !haveForms.has(t.low) && !doForms.has(t.low) && s.low(i-1) != "that" && s.low(i-1) != "this" {
		t.tag = "NNS"
	}
	if (t.tag == "VB" || t.tag == "VBP") && (prev == "DT" || prev == "PRP$" || prev == "POS") && !words("that these those all both some which").has(s.low(i-1)) && !beForms.has(t.low) && !haveForms.has(t.low) && !doForms.has(t.low) {
		t.tag = "NN"
	}
	if t.tag == "MD" && unicode.IsUpper(firstRune(t.text)) && i > 0 && t.low == "may" && (prev == "IN" || prev == "CD" || next == "CD") {
		t.tag = "NNP"
	}
	if t.tag == "VBD" && (prev == "DT" || prev == "PRP$" || prev == "POS") && s.low(i-1) != "that" && s.low(i-1) != "this" && (s.noun(i+1) || s.adj(i+1)) {
		t.tag = "VBN"
	}
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

// match pairs quotes and brackets. Straight quotes open and close in turn; a
// single quote opens where a blank stands before it and a letter follows.
func (s *sentence) match() {
	s.close = map[int]int{}
	var quotes, brackets []int
	for i := range s.toks {
		t := &s.toks[i]
		switch t.tag {
		case "\"":
			if len(quotes) > 0 {
				t.tag = "''"
			} else {
				t.tag = "``"
			}
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
