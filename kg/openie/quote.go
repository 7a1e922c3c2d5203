package openie

import (
	"strings"
)

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
