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
