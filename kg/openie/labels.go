package openie

import (
	"strings"
	"unicode"

	"github.com/kgeval/kgeval/nlp"
)

// labels is what the texts of one call call their things by: it writes the
// same thing the same way in all of them.
type labels struct {
	// full maps a surname to the one full name that ends with it, and an acronym
	// to what the text says it stands for. "" marks an ambiguous one.
	full map[string]string
}

func newLabels() *labels { return &labels{full: map[string]string{}} }

// read takes the names and the bracketed acronyms of a document.
func (l *labels) read(d *nlp.Document) {
	set := func(short, long string) {
		if old, ok := l.full[short]; ok && old != long {
			l.full[short] = ""
			return
		}
		l.full[short] = long
	}
	for _, n := range d.Names {
		if n.Kind != nlp.Person || n.End-n.First < 2 {
			continue
		}
		words := make([]string, 0, n.End-n.First)
		for i := n.First; i < n.End; i++ {
			words = append(words, d.Tokens[i].Text)
		}
		for len(words) > 0 && titles.has(strings.ToLower(words[0])) {
			words = words[1:]
		}
		last := ""
		if len(words) > 0 {
			last = words[len(words)-1]
		}
		if len(words) < 2 || len(words) > 4 || len(last) < 3 || !capital(last) || !capital(words[0]) || strings.HasSuffix(last, ".") {
			continue
		}
		set(last, strings.Join(words, " "))
	}
	for i := 1; i+2 < len(d.Tokens); i++ {
		if d.Tokens[i].Text != "(" || d.Tokens[i+2].Text != ")" {
			continue
		}
		if a := d.Tokens[i+1].Text; acronym(a) {
			if first := expansion(d, i, a); first >= 0 {
				set(a, d.Text[d.Tokens[first].Start:d.Tokens[i-1].End])
			}
		}
	}
}

func capital(s string) bool { return unicode.IsUpper(firstRune(s)) }

// acronym reports two to eight capitals, digits or ampersands, most of them
// capitals.
func acronym(s string) bool {
	n := 0
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			n++
		case unicode.IsDigit(r) || r == '&' || r == '-':
		default:
			return false
		}
	}
	return n >= 2 && len(s) <= 8
}

// expansion returns the first token of the words before the bracket at i whose
// initials spell a, or -1.
func expansion(d *nlp.Document, i int, a string) int {
	var letters []rune
	for _, r := range a {
		if unicode.IsUpper(r) {
			letters = append(letters, r)
		}
	}
	k := i
	for n := len(letters) - 1; n >= 0; {
		k--
		if k < 0 || i-k > 2*len(letters)+2 {
			return -1
		}
		t := d.Tokens[k].Text
		r := unicode.ToUpper(firstRune(t))
		switch {
		case r == letters[n]:
			n--
		case unicode.IsLower(firstRune(t)) && n < len(letters)-1: // "of", "the", "and"
		default:
			return -1
		}
	}
	return k
}

// apply returns the label as all texts write it.
func (l *labels) apply(label string) string {
	if l == nil {
		return label
	}
	if f := l.full[label]; f != "" {
		return f
	}
	if rest, ok := strings.CutPrefix(label, "the "); ok {
		if f := l.full[rest]; f != "" && acronym(rest) {
			return "the " + f
		}
	}
	if rest, ok := strings.CutPrefix(label, "The "); ok {
		if f := l.full[rest]; f != "" && acronym(rest) {
			return "The " + f
		}
	}
	// "Mr. Smith", "President Bush"
	if t, last, ok := strings.Cut(label, " "); ok && titles.has(strings.ToLower(t)) {
		if f := l.full[last]; f != "" && !acronym(last) {
			return f
		}
	}
	return label
}
