package openie

import (
	"strings"

	"github.com/kgeval/kgeval/segment"
)

// phrasal are conjunctions of several words, with the one word that they are
// read as. Longer ones come before their own beginnings.
var phrasal = []struct {
	words []string
	as    string
}{
	{strings.Fields("in the event that"), "if"},
	{strings.Fields("on the condition that"), "if"},
	{strings.Fields("on condition that"), "if"},
	{strings.Fields("as long as"), "if"},
	{strings.Fields("so long as"), "if"},
	{strings.Fields("as soon as"), "once"},
	{strings.Fields("in case"), "if"},
}

// wholes makes one token of what must not be taken apart: conjunctions of
// several words and the names of companies ("Smith, Jones & Co.", "Acme (UK),
// Ltd.").
func (s *sentence) wholes() {
	var out []tok
	for i := 0; i < len(s.toks); {
		if e := s.companyEnd(i); e > i+1 {
			out = append(out, s.one(i, e, "NNP", ""))
			i = e
			continue
		}
		if e, as := s.phrasalEnd(i); e > 0 {
			out = append(out, s.one(i, e, "IN", as))
			i = e
			continue
		}
		out = append(out, s.toks[i])
		i++
	}
	s.toks = out
}

// one returns the tokens [i, e) as a single one.
func (s *sentence) one(i, e int, tag, low string) tok {
	at := segment.Span{Start: s.toks[i].Start, End: s.toks[e-1].End}
	text := visible(strings.Join(strings.Fields(at.Of(s.text)), " "))
	if low == "" {
		low = strings.ToLower(text)
	}
	return tok{at, text, low, tag, low, s.toks[i].doc}
}

func (s *sentence) phrasalEnd(i int) (int, string) {
	if !oneOf(s.low(i), "in", "on", "as", "so") {
		return 0, ""
	}
next:
	for _, p := range phrasal {
		for k, w := range p.words {
			if s.low(i+k) != w {
				continue next
			}
		}
		e := i + len(p.words)
		// "in case of fire", "as long as two years" open no clause.
		t := s.tag(e)
		if t == "IN" || t == "CD" || t == "" || t == "," || t == "." || t == "JJ" && p.as != "if" {
			continue
		}
		verb := false
		for k := e; k < len(s.toks) && k < e+12 && s.tag(k) != ","; k++ {
			verb = verb || s.finiteAt(k)
		}
		if verb {
			return e, p.as
		}
	}
	return 0, ""
}

// companyEnd returns the end of the company's name at i where a comma, an
// ampersand or brackets stand inside it, else i.
func (s *sentence) companyEnd(i int) int {
	if !s.proper(i) || i > 0 && s.proper(i-1) {
		return i
	}
	run := func(k int) int {
		for k < len(s.toks) && s.proper(k) && !legalForm(s.low(k)) {
			k++
		}
		return k
	}
	first := run(i)
	if first == i {
		return i
	}
	end := i
	// "Smith, Jones & Co.": a list of names that a company's word closes.
	k := first
	for n := 0; n < 5 && s.tag(k) == "," && run(k+1) > k+1; n++ {
		k = run(k + 1)
	}
	if s.low(k) == "&" || s.low(k) == "and" {
		if f := k + 1; f < len(s.toks) && oneOf(s.low(f), "co", "co.", "company", "sons", "partners", "associates", "brothers", "bros.", "bros") && capital(s.toks[f].text) {
			first, end = f+1, f+1
		}
	}
	// "Acme (UK), Ltd."
	k = first
	if s.tag(k) == "(" {
		f := k + 1
		for f < len(s.toks) && f < k+4 && s.wordy(f) {
			f++
		}
		if s.tag(f) != ")" {
			return end
		}
		k = f + 1
	}
	if k == first && s.tag(k) != "," {
		return end
	}
	if s.tag(k) == "," {
		k++
	}
	if k < len(s.toks) && legalForm(s.low(k)) && capital(s.toks[k].text) {
		return k + 1
	}
	return end
}

// legalForm reports the word that ends a company's name.
func legalForm(low string) bool {
	return oneOf(strings.TrimSuffix(low, "."), "ltd", "inc", "llc", "corp", "plc", "gmbh", "limited", "incorporated", "llp", "s.a", "n.v", "b.v")
}
