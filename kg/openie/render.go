package openie

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/segment"
)

// piece is a run of tokens, or a word that the text does not hold ("is" of an
// apposition).
type piece struct {
	span
	lit string
	// lower puts the first letter of the piece in lower case: it stood at the
	// start of the sentence and does not any more.
	lower bool
}

// phrase is a label in the making.
type phrase []piece

func run(r span) phrase {
	if r.empty() {
		return nil
	}
	return phrase{{span: r}}
}

func word(w string) phrase { return phrase{{lit: w}} }

func join(ps ...phrase) phrase {
	var out phrase
	for _, p := range ps {
		out = append(out, p...)
	}
	return out
}

// minus returns r without the cuts.
func minus(r span, cuts []span) phrase {
	parts := []span{r}
	for _, c := range cuts {
		var next []span
		for _, q := range parts {
			if c.end <= q.first || c.first >= q.end {
				next = append(next, q)
				continue
			}
			if q.first < c.first {
				next = append(next, span{q.first, c.first})
			}
			if c.end < q.end {
				next = append(next, span{c.end, q.end})
			}
		}
		parts = next
	}
	var out phrase
	for _, q := range parts {
		out = append(out, run(q)...)
	}
	return out
}

// tokens counts the tokens of p.
func (p phrase) tokens() int {
	n := 0
	for _, q := range p {
		if q.lit != "" {
			n++
		} else {
			n += q.end - q.first
		}
	}
	return n
}

// writer renders phrases of one sentence.
type writer struct {
	s *sentence
	// resolve replaces pronouns by what they stand for.
	resolve bool
	// own holds the document's tokens that the triple shows: a pronoun inside a
	// longer label stays where what it stands for is among them.
	own map[int]bool
	// head, of the writer of a tail, holds the document's tokens that the triple
	// shows, and inHead is the head's label. A pronoun of the tail that means the
	// head gets that label where it is the subject of a clause or stands in one;
	// "her keys" of (Ana, lost, her keys) stays, and so does an object, which is
	// never its own clause's subject.
	head   map[int]bool
	inHead string
	// means reports whether a reference is to the head's own noun.
	means func(nlp.Reference) bool
	// from is the token of the verb whose tail it is.
	from int
	// mid: the phrase does not open the sentence, so the text's first word gets
	// a small letter.
	mid bool
}

// show adds the tokens of p, pronouns apart, to those that the label shows.
func (w *writer) show(p phrase) {
	for _, q := range p {
		for i := q.first; i < q.end; i++ {
			if w.s.tag(i) != "PRP" && w.s.tag(i) != "PRP$" {
				w.own[w.s.toks[i].doc] = true
			}
		}
	}
}

// reference returns what the pronoun at token i stands for.
func (w *writer) reference(i int) (nlp.Reference, bool) {
	t := w.s.toks[i]
	if !w.resolve || !thirdPerson.has(t.low) && !demonstratives.has(t.low) || strings.HasPrefix(t.tag, "V") || t.tag == "POS" {
		return nlp.Reference{}, false
	}
	r, ok := w.s.doc.References[t.doc]
	if !ok || r.End <= r.First || r.First < 0 || r.End > len(w.s.doc.Tokens) {
		return nlp.Reference{}, false
	}
	return r, true
}

// shows reports whether the label shows what r, the reference of the pronoun at
// token i, stands for.
func (w *writer) shows(r nlp.Reference, i int) bool {
	if w.among(w.own, r) {
		return true
	}
	if !w.among(w.head, r) {
		return false
	}
	s := w.s
	if s.tag(i) == "PRP$" || s.tag(i-1) == "VB" || w.inHead == "" || len(w.inHead) > 80 {
		return true
	}
	if !w.means(r) {
		return false
	}
	subject := s.verbStarts(i+1, len(s.toks))
	return !subject && s.verbs[i]-s.verbs[min(i, w.from+1)] == 0
}

func (w *writer) among(shown map[int]bool, r nlp.Reference) bool {
	for i := r.First; i < r.End; i++ {
		if shown[i] && w.s.doc.Tokens[i].Tag != "DT" {
			return true
		}
	}
	return false
}

// expand returns the full word for a clitic verb or a shortened modal ("'s",
// "ca", "n't" after one), or "".
func expand(t tok, s *sentence, i int) string {
	if t.tag == "POS" {
		return ""
	}
	switch t.low {
	case "'s":
		if t.lemma == "have" || s.tag(i+1) == "VBN" && (s.low(i+1) == "been" || s.low(i+1) == "got" || s.low(i+1) == "had" || s.low(i+1) == "made" || s.adj(i+2) || s.noun(i+2) || s.tag(i+2) == "DT" || s.tag(i+2) == "PRP$") {
			return "has" // a passive has no object
		}
		return "is"
	case "'re":
		return "are"
	case "'m":
		return "am"
	case "'ve":
		return "have"
	case "'ll":
		return "will"
	case "'d":
		if s.tag(i+1) == "VBN" {
			return "had"
		}
		return "would"
	}
	return ""
}

// referent returns the text of what a pronoun stands for.
func referent(d *nlp.Document, r nlp.Reference) string {
	var b strings.Builder
	for i := r.First; i < r.End; i++ {
		t := d.Tokens[i]
		if i > r.First && (t.Tag == "MD" || strings.HasPrefix(t.Tag, "VB") && t.Tag != "VBN" && t.Tag != "VBG" || pastForms.has(t.Text)) {
			break // a mention ends where a verb begins
		}
		if i > r.First && !glued(d.Tokens[i-1].Text, t.Text) && d.Tokens[i-1].End != t.Start {
			b.WriteByte(' ')
		}
		text := t.Text
		if low := strings.ToLower(text); i == r.First && r.End > r.First+1 && (low == "a" || low == "an" || low == "the") {
			text = "the" // known by now
		}
		b.WriteString(text)
	}
	return strings.Trim(b.String(), " ,;:")
}

// glued reports whether no blank stands between two tokens, however the text
// writes them.
func glued(a, b string) bool {
	switch b {
	case "%":
		return a != "" && a[len(a)-1] >= '0' && a[len(a)-1] <= '9'
	case ",", ".", ";", ":", "!", "?", ")", "]", "'s", "’s", "n't", "'re", "'ve", "'ll", "'d", "'m":
		return true
	case "'":
		return strings.HasSuffix(a, "s")
	}
	switch a {
	case "(", "[", "$", "£", "€":
		return true
	}
	return false
}

// text renders p. The first word is as written.
func (w *writer) text(p phrase) string {
	s := w.s
	type out struct {
		text  string
		at    int  // token, -1 for a literal
		lower bool // put the first letter in lower case
	}
	var ws []out
	in := map[int]bool{}
	for _, q := range p {
		for i := q.first; q.lit == "" && i < q.end; i++ {
			in[i] = true
		}
	}
	for _, q := range p {
		if q.lit != "" {
			ws = append(ws, out{q.lit, -1, false})
			continue
		}
		for i := q.first; i < q.end; i++ {
			t := s.toks[i]
			txt := t.text
			switch t.tag {
			case "``", "''":
				// A quotation mark without its partner is left out.
				if !w.paired(i, in) {
					continue
				}
				if len(txt) == 2 && (txt == "``" || txt == "''") {
					txt = "\""
				}
			case "(":
				if c, ok := s.close[i]; !ok || !in[c] {
					continue
				}
				if len(txt) > 1 {
					txt = "("
				}
			case ")":
				if !w.paired(i, in) {
					continue
				}
				if len(txt) > 1 {
					txt = ")"
				}
			case "PRP", "PRP$":
				if r, ok := w.reference(i); ok && !(len(in) > 1 && w.shows(r, i)) && !strings.HasSuffix(t.low, "self") && !strings.HasSuffix(t.low, "selves") {
					txt = referent(s.doc, r)
					if w.inHead != "" && t.tag == "PRP" && w.means(r) {
						txt = w.inHead
					}
					if n := len(ws); n > 0 && t.tag == "PRP" && i > q.first && (s.noun(i-1) || s.tag(i-1) == "PRP") && s.verbStarts(i+1, len(s.toks)) {
						ws = append(ws, out{"that", -1, false}) // "told Ana that Bo was ill", not "Ana Bo"
					}
					if t.tag == "PRP$" {
						txt = possessive(txt)
					}
				}
			}
			if full := expand(t, s, i); full != "" && len(ws) == 0 {
				txt = full
			}
			ws = append(ws, out{txt, i, (q.lower || w.mid && i == 0) && i == q.first && txt == t.text})
		}
	}
	// No punctuation at either end, and none doubled where something was cut.
	punct := func(o out) bool {
		if o.at < 0 {
			return false
		}
		t := s.tag(o.at)
		return t == "," || t == ":" || t == "." && len(o.text) == 1
	}
	for len(ws) > 0 && punct(ws[0]) {
		ws = ws[1:]
	}
	for len(ws) > 0 && (punct(ws[len(ws)-1]) || ws[len(ws)-1].at >= 0 && s.tag(ws[len(ws)-1].at) == "CC" && len(ws) > 1) {
		ws = ws[:len(ws)-1]
	}
	// "It is late," at the end: the comma belongs to the sentence around it.
	if n := len(ws); n > 2 && ws[n-1].at >= 0 && s.tag(ws[n-1].at) == "''" && ws[n-2].text == "," {
		ws = append(ws[:n-2], ws[n-1])
	}
	var b strings.Builder
	for n, o := range ws {
		if n > 0 {
			prev := ws[n-1]
			if punct(o) && punct(prev) {
				continue
			}
			sep := true
			if o.at > 0 && prev.at == o.at-1 && s.toks[prev.at].End == s.toks[o.at].Start {
				sep = false
			} else if glued(prev.text, o.text) && (o.at < 0 || s.tag(o.at) != "``") {
				sep = false
			} else if prev.at >= 0 && s.tag(prev.at) == "``" || o.at >= 0 && s.tag(o.at) == "''" {
				sep = false
			}
			if sep {
				b.WriteByte(' ')
			}
		}
		t := o.text
		if o.lower {
			t = w.lowerFirst(t, o.at)
		}
		b.WriteString(t)
	}
	return strings.TrimSpace(b.String())
}

func (w *writer) paired(i int, in map[int]bool) bool {
	if c, ok := w.s.close[i]; ok {
		return in[c]
	}
	for o, c := range w.s.close {
		if c == i {
			return in[o]
		}
	}
	return false
}

// lowerFirst lowers the first letter of the word at token i unless the word is
// written with a capital wherever it stands.
func (w *writer) lowerFirst(t string, i int) string {
	switch w.s.tag(i) {
	case "VBD", "MD", "DT", "PDT", "PRP", "PRP$", "IN", "TO", "RB", "EX", "WP", "WDT", "WRB", "CC", "CD", "VBG", "VBN", "JJR", "RBR":
	case "JJ":
		if !oneOf(w.s.low(i), "further", "many", "several", "other", "such", "high", "low", "new", "recent", "previous", "early", "young", "old", "few", "additional", "various", "different", "certain", "severe", "common", "local", "small", "large", "much", "some", "long", "short", "good") {
			return t
		}
	default:
		return t
	}
	if w.s.low(i) == "i" {
		return t
	}
	r, n := utf8.DecodeRuneInString(t)
	if m, _ := utf8.DecodeRuneInString(t[n:]); unicode.IsUpper(m) {
		return t
	}
	return string(unicode.ToLower(r)) + t[n:]
}

func possessive(s string) string {
	if strings.HasSuffix(s, "'s") || strings.HasSuffix(s, "s'") || strings.HasSuffix(s, "’s") {
		return s
	}
	if strings.HasSuffix(s, "s") {
		return s + "'"
	}
	return s + "'s"
}

// spans returns the byte ranges of the phrases' tokens, ascending, neighbours
// joined over blanks.
func (w *writer) spans(ps ...phrase) []segment.Span {
	toks := w.s.toks
	used := make([]bool, len(toks))
	for _, p := range ps {
		for _, q := range p {
			first, end := q.first, q.end
			for first < end && !w.s.wordy(first) {
				first++
			}
			for end > first && !w.s.wordy(end-1) && w.s.low(end-1) != "%" && !w.s.closer(end-1) {
				end--
			}
			for i := first; i < end; i++ {
				used[i] = true
			}
		}
	}
	var out []segment.Span
	last := -2
	for i, u := range used {
		if !u {
			continue
		}
		if last == i-1 && len(out) > 0 {
			out[len(out)-1].End = max(out[len(out)-1].End, toks[i].End)
		} else {
			out = append(out, toks[i].Span)
		}
		last = i
	}
	return out
}

// closer reports whether token i closes a bracket or quotation.
func (s *sentence) closer(i int) bool { return s.tag(i) == ")" || s.tag(i) == "''" }

// hasVerb reports whether p holds a finite verb.
func (w *writer) hasVerb(p phrase) bool {
	for _, q := range p {
		if q.lit == "" && w.s.verbs[q.end] > w.s.verbs[q.first] {
			return true
		}
	}
	return false
}

// sentenceCase makes a full sentence of text.
func sentenceCase(text string) string {
	if text == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(r)) + text[n:]
	if last, _ := utf8.DecodeLastRuneInString(text); last != '.' && last != '!' {
		if strings.HasSuffix(text, ".\"") || strings.HasSuffix(text, "!\"") {
			return text
		}
		text += "."
	}
	return text
}
