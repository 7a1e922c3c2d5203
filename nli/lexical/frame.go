package lexical

import (
	"strings"

	"github.com/kgeval/kgeval/nlp/slot"
)

// comparable reports whether slot j of the passage could stand where slot i of h
// does: a name for a name in the same place of the sentence, a count of the same
// noun, a measure of the same thing.
func (a *alignment) comparable(i, j int) bool {
	hs, cs := &a.h.slots[i], &a.c.slots[j]
	switch hs.Kind {
	case slot.Name:
		return a.comparableNames(i, j)
	case slot.Number, slot.Ordinal:
		if cs.Kind != hs.Kind {
			return true
		}
		if hs.Kind == slot.Number && hs.Of != "" && cs.Of != "" {
			return a.sameCount(i, j)
		}
		return a.sameBefore(i, j) || a.sameAfter(i, j)
	case slot.Quantity, slot.Percent:
		return a.sameMeasure(i, j)
	case slot.Date:
		return dateSide(before(a.h, i)) == dateSide(before(a.c, j))
	}
	return true
}

// comparableNames reports whether two names stand in places of one kind: behind
// prepositions of one kind, or both before or both behind the word that they
// are nearest to. A word that is no name in h is none in the passage.
func (a *alignment) comparableNames(i, j int) bool {
	for k := a.c.first[j]; k < len(a.c.words) && a.c.words[k].name == j; k++ {
		if a.plain[k] {
			return false
		}
	}
	ph, pc := placeClass(before(a.h, i)), placeClass(before(a.c, j))
	if ph != pc {
		return false
	}
	if ph != "" {
		return true
	}
	// Subject against subject, object against object.
	vh := a.verbBeside(i)
	if vh < 0 {
		return true
	}
	vc := a.match[vh]
	if passiveAt(a.h.words, vh) != passiveAt(a.c.words, vc) {
		return true
	}
	if (a.h.first[i] < vh) == (a.c.first[j] < vc) {
		return true
	}
	// "X is the engineer" and "the engineer Y".
	if d := a.c.first[j] - vc; d == 1 && a.h.first[i] < vh {
		for k := a.h.first[i]; k < vh; k++ {
			if beForms[a.h.words[k].lower] {
				return true
			}
		}
	}
	return false
}

// passiveAt reports whether word v follows a form of "be" and ends like a
// participle.
func passiveAt(words []word, v int) bool {
	if v == 0 || words[v].lower == words[v].lemma {
		return false
	}
	for k := v - 1; k >= 0 && k >= v-3; k-- {
		if beForms[words[k].lower] {
			return true
		}
		if words[k].content() {
			return false
		}
	}
	return false
}

// verbBeside returns the matched content word outside names that is nearest to
// slot i of h, -1 for none.
func (a *alignment) verbBeside(i int) int {
	at := a.h.first[i]
	for d := 1; d <= 12; d++ {
		for _, k := range [2]int{at - d, at + d} {
			if k < 0 || k >= len(a.h.words) {
				continue
			}
			if w := &a.h.words[k]; w.content() && w.name < 0 && a.match[k] >= 0 {
				return k
			}
		}
	}
	return -1
}

// before returns the preposition right before slot i, articles and adjectives in
// small letters aside ("in the old town of"); "" for none.
func before(x *analysis, i int) string {
	for k := x.first[i] - 1; k >= 0 && k >= x.first[i]-3; k-- {
		w := x.words[k].lower
		if placing[w] {
			return w
		}
		switch w {
		case "the", "a", "an", "early", "late", "mid", "about", "around", "nearly":
			continue
		}
		return ""
	}
	return ""
}

var placing = wordSet("in at on near inside within from to into towards toward by for of with until till since before after during through via under against about over between through")

// placeClass puts the prepositions before names into classes of one meaning.
// What does the deed in the passive counts as what does it.
func placeClass(p string) string {
	switch p {
	case "in", "at", "on", "near", "inside", "within":
		return "in"
	case "to", "into", "toward", "towards":
		return "to"
	case "by":
		return ""
	}
	return p
}

// dateSide puts the prepositions before dates into classes: at a time, from it
// on, up to it.
func dateSide(p string) string {
	switch p {
	case "since", "from", "after":
		return "from"
	case "until", "till", "to", "by", "before":
		return "to"
	}
	return ""
}

// nouns returns the words behind slot i up to a function word, at most three:
// what it counts ("12 young workers").
func nouns(x *analysis, i int) []*word {
	var out []*word
	for k := x.first[i]; k >= 0 && k < len(x.words) && len(out) < 3; k++ {
		w := &x.words[k]
		if w.value == i {
			continue
		}
		if !w.content() || w.value >= 0 {
			break
		}
		out = append(out, w)
	}
	return out
}

// sameCount reports whether counts i of h and j of the passage share a noun.
func (a *alignment) sameCount(i, j int) bool {
	for _, x := range nouns(a.h, i) {
		for _, y := range nouns(a.c, j) {
			if x.lemma == y.lemma || synonymous(x.lemma, y.lemma) {
				return true
			}
		}
	}
	return false
}

// contentBefore returns the content word before slot i within four words, -1
// for none.
func contentBefore(x *analysis, i int) int {
	for k := x.first[i] - 1; k >= 0 && k >= x.first[i]-4; k-- {
		if x.words[k].content() && x.words[k].value < 0 {
			return k
		}
	}
	return -1
}

// sameBefore reports whether one word stands before both numbers.
func (a *alignment) sameBefore(i, j int) bool {
	x, y := contentBefore(a.h, i), contentBefore(a.c, j)
	if x < 0 || y < 0 {
		return x < 0 && y < 0
	}
	u, v := &a.h.words[x], &a.c.words[y]
	return a.match[x] == y || u.lemma == v.lemma || synonymous(u.lemma, v.lemma) || slot.Opposite(u.lemma, v.lemma)
}

// sameAfter reports whether one word stands right behind both values.
func (a *alignment) sameAfter(i, j int) bool {
	x, y := nouns(a.h, i), nouns(a.c, j)
	return len(x) > 0 && len(y) > 0 && (x[0].lemma == y[0].lemma || synonymous(x[0].lemma, y[0].lemma))
}

var dimensions = wordSet("long wide tall high deep thick old heavy broad away")

// sameMeasure reports whether nothing behind two measures tells that they
// measure different things: "3 miles long" and "2 miles wide", "8 GB of memory"
// and "2 GB of disk".
func (a *alignment) sameMeasure(i, j int) bool {
	x, y := behind(a.h, i), behind(a.c, j)
	switch {
	case x == "" && y == "":
		return true
	case dimensions[x] || dimensions[y]:
		// "30 years" and "30 years old".
		if x == "" || y == "" {
			return x != "old" && y != "old" || a.sameBefore(i, j)
		}
		return x == y || x == "tall" && y == "high" || x == "high" && y == "tall"
	case x == "" || y == "":
		return true
	}
	lx, ly := a.p.m.lemma(x), a.p.m.lemma(y)
	return lx == ly || synonymous(lx, ly) || a.sameBefore(i, j)
}

// behind returns the word that tells what slot i measures: the adjective of
// dimension behind it, or the noun behind "of".
func behind(x *analysis, i int) string {
	k := x.first[i]
	for k >= 0 && k < len(x.words) && x.words[k].value == i {
		k++
	}
	if k < 0 || k >= len(x.words) {
		return ""
	}
	if dimensions[x.words[k].lower] {
		return x.words[k].lower
	}
	if x.words[k].lower != "of" {
		return ""
	}
	for k++; k < len(x.words); k++ {
		if x.words[k].content() {
			return x.words[k].lower
		}
		if x.words[k].value >= 0 {
			break
		}
	}
	return ""
}

// anotherThing reports whether the passage has the shape of h but is about
// something else: beside what differs, something that picks the fact out (a
// name, a date, the word before a noun) differs too, or its subject is named and
// is not that of h.
func (a *alignment) anotherThing() bool {
	n, picking := 0, 0
	dates, values := 0, 0
	for _, c := range a.clashes {
		if !c.against {
			continue
		}
		n++
		switch {
		case c.kind == "role":
			return false // the same things, exchanged
		case c.slot == slot.Name || c.picks:
			picking++
		case c.slot == slot.Date:
			dates++
		default:
			values++
		}
	}
	if n == 0 {
		return false
	}
	for i, s := range a.h.slots {
		if isValue(s.Kind) && a.slots[i] < 0 && !a.clashesAgainst(s.Span) {
			n++ // not stated, in a passage that differs
			if s.Kind == slot.Date {
				dates++
			} else {
				values++
			}
		}
	}
	if n > 1 && (picking > 0 || dates > 0 && values > 0) {
		return true
	}
	return a.otherSubject()
}

// pronouns may stand for what a sentence before names.
var pronouns = wordSet("he she it they his her its their him them this these that who which")

// covering begin subjects that hold whatever h is about.
var covering = wordSet("everyone everybody every all each no none nobody everything nothing")

// otherSubject reports whether h names its subject and the passage, which holds
// no such name, has a subject of its own: a new one ("a driver") or a name.
func (a *alignment) otherSubject() bool {
	i := subjectName(a.h)
	if i < 0 || a.stated(i) {
		// And the other way round: the passage is on somebody, h on a new thing.
		j := subjectName(a.c)
		return i < 0 && j >= 0 && !a.taken[j] && len(a.h.words) > 0 && !a.subjectMatched() && !pronouns[a.h.words[0].lower]
	}
	for _, c := range a.clashes {
		if c.against && c.h.Overlaps(a.h.slots[i].Span) {
			return false // the clash itself is on the subject
		}
	}
	for _, s := range a.c.slots {
		if slot.Compare(s, a.h.slots[i]).Compatible() {
			return false // told by a part of the name
		}
	}
	if len(a.c.words) > 0 && (pronouns[a.c.words[0].lower] || covering[a.c.words[0].lower]) {
		return false
	}
	if !a.elsewhere(i) {
		return true
	}
	for k := range a.c.words {
		w := &a.c.words[k]
		if pronouns[w.lower] || k == 0 && w.lower == "the" {
			return false
		}
	}
	return len(a.c.words) > 0 && (a.c.words[0].lower == "a" || a.c.words[0].lower == "an" || subjectName(a.c) >= 0)
}

// subjectName returns the name that h begins with, an article and a title
// aside; -1 for none.
func subjectName(x *analysis) int {
	for k := 0; k < len(x.words) && k < 3; k++ {
		w := &x.words[k]
		switch {
		case w.name >= 0 && len(x.slots[w.name].Words) > 0:
			return w.name
		case w.content() && k > 0, placing[w.lower], w.lower == "when", w.lower == "if":
			return -1
		}
	}
	return -1
}

// subjectMatched reports whether the first content word of h is matched.
func (a *alignment) subjectMatched() bool {
	for k := range a.h.words {
		if a.h.words[k].content() {
			return a.match[k] >= 0
		}
	}
	return true
}

// codeClashes finds addresses, versions and numbers of telephones in h that the
// passage does not hold character for character.
func (a *alignment) codeClashes() {
	for from := 0; from < len(a.h.text); {
		rest := a.h.text[from:]
		b := strings.IndexFunc(rest, func(r rune) bool { return r > ' ' })
		if b < 0 {
			return
		}
		e := strings.IndexFunc(rest[b:], func(r rune) bool { return r <= ' ' })
		if e < 0 {
			e = len(rest) - b
		}
		field := rest[b : b+e]
		core := strings.Trim(field, ".,;:!?()[]<>\"'“”‘’")
		if isCode(core) && !holdsWhole(strings.ToLower(a.c.text), strings.ToLower(core)) {
			at := from + b + strings.Index(field, core)
			span := a.h.words[0].Span
			span.Start, span.End = at, at+len(core)
			a.clashes = append(a.clashes, clash{kind: "missing", h: span, weight: 2, detail: "nothing on " + quoted(core)})
		}
		from += b + e
	}
}

// holdsWhole reports whether code stands in text and does not go on there:
// "example.org/a" is not in "example.org/a/b".
func holdsWhole(text, code string) bool {
	for from := 0; ; {
		k := strings.Index(text[from:], code)
		if k < 0 {
			return false
		}
		b, e := from+k, from+k+len(code)
		if (b == 0 || !inCode(text[b-1]) || strings.Contains("/.", text[b-1:b]) && !strings.Contains(code, "@")) && !goesOn(text, e) {
			return true
		}
		from = b + 1
	}
}

func inCode(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 || strings.IndexByte("/@_-.", c) >= 0
}

// goesOn reports whether an address or code that ends at e of text goes on.
func goesOn(text string, e int) bool {
	if e >= len(text) || !inCode(text[e]) {
		return false
	}
	return text[e] != '.' && text[e] != '-' && text[e] < 0x80 || text[e] == '.' && e+1 < len(text) && text[e+1] > ' ' && inCode(text[e+1]) && text[e+1] != '.'
}

// domain reports whether s is the name of a host: labels of letters and digits,
// the last of small letters.
func domain(s string) bool {
	labels := strings.Split(s, ".")
	if len(labels) < 2 || len(labels) > 6 {
		return false
	}
	for _, l := range labels {
		if len(l) < 2 || strings.Trim(l, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	last := labels[len(labels)-1]
	return strings.Trim(last, "abcdefghijklmnopqrstuvwxyz") == "" && len(last) <= 6
}

// isCode reports whether s is an address of the web or of mail, or a version of
// three numbers.
func isCode(s string) bool {
	if len(s) < 5 || len(s) > 500 {
		return false
	}
	if strings.Contains(s, "://") || strings.HasPrefix(s, "www.") {
		return true
	}
	if host, _, _ := strings.Cut(s, "/"); domain(host) {
		return true
	}
	if k := strings.IndexByte(s, '@'); k > 0 && strings.IndexByte(s[k:], '.') > 1 {
		return true
	}
	points, digits := 0, 0
	for _, r := range strings.TrimPrefix(s, "v") {
		switch {
		case r == '.':
			points++
		case r >= '0' && r <= '9':
			digits++
		default:
			return false
		}
	}
	return points >= 2 && digits >= 3
}

// labels reports whether slot i, a number in the subject, picks a thing out
// instead of counting: "room 12", "the second stage".
func (x *analysis) labels(i int) bool {
	f := x.first[i]
	switch x.slots[i].Kind {
	case slot.Ordinal:
		return f >= 0 && f <= 2
	case slot.Number:
		return f > 0 && f <= 3 && x.slots[i].Of == "" && x.words[f-1].content()
	}
	return false
}

// heads reports whether word i of h is the head of a short subject: "her sister
// is".
func (a *alignment) heads(i int) bool {
	w := a.h.words
	return i > 0 && i <= 2 && !w[i-1].content() && i+1 < len(w) && (beForms[w[i+1].lower] || w[i+1].lemma == "have" || w[i+1].lemma == "do")
}
