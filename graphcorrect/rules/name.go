package rules

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/internal/edit"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// name replaces a name by the one that the evidence has in its place.
func (k *reading) name(d difference) []claim.Edit {
	text := d.source.Of(k.source)
	old := d.output.Of(k.output)
	if k.states(text, d.output) {
		return nil // the claim names it elsewhere already: it has another part
	}
	if strings.HasPrefix(k.source[d.source.End:], ":") || abbreviates(text, old) || abbreviates(old, text) {
		return nil // who speaks in a transcript; the same name in short
	}
	spelling := respelled(text, old)
	if !k.samePart(d) || !spelling && k.otherKind(d) {
		return nil
	}
	if spelling && (k.inSource(old) || !k.frame(d, 0.8)) {
		return nil // one name in two spellings; a slip only where all else is the same
	}
	if k.subject(d.output) && k.inSource(old) {
		return nil // the sources know who it is said of: what is said may be put right instead
	}
	if k.modifies(k.said, d.output) && !k.modifies(k.told, d.source) {
		return nil // "a TV show", "Sims-based": a kind of thing, not who or where
	}
	if k.inSource(old) && !k.frame(d, 0.8) {
		return nil // the sources know the name: what it is said to be may be wrong instead
	}
	text = strings.TrimSuffix(strings.TrimSuffix(text, "'s"), "’s")
	if i := strings.LastIndexAny(old, "'’"); i > 0 && (strings.HasSuffix(old, "'s") || strings.HasSuffix(old, "’s")) {
		d.output.End -= len(old) - i
		old = d.output.Of(k.output)
	}
	e := k.replace(d.output, k.cased(oneLine(text), old, d.output.Start))
	edits := []claim.Edit{e}
	if e.Span.Start != d.output.Start {
		return edits
	}
	// "the Danube", "Paris": the article goes with the name.
	hadThe, has := k.articleBefore(k.output, d.output.Start), k.articleBefore(k.source, d.source.Start)
	switch {
	case hadThe.Empty() && !has.Empty() && !k.wordBefore(d.output.Start):
		edits[0].New = "the " + edits[0].New
		if k.startsSentence(d.output.Start) {
			edits[0].New = "The " + edits[0].New[len("the "):]
		}
	case !hadThe.Empty() && has.Empty() && properName(text) && k.bareName(d.source.Start):
		if k.startsSentence(hadThe.Start) {
			edits[0].New = capital(edits[0].New)
		}
		edits[0].Span.Start = hadThe.Start
	}
	return append(edits, k.indefinite(edits[0])...)
}

// samePart reports whether both names play the same part in their sentences, as
// far as the words next to them tell: after the same preposition, or before a
// verb (or, for a passive, after "by").
func (k *reading) samePart(d difference) bool {
	oldPrep, oldVerb := neighbours(k.said, d.output)
	newPrep, newVerb := neighbours(k.told, d.source)
	switch {
	case oldPrep == "by" && newPrep == "" && newVerb, newPrep == "by" && oldPrep == "" && oldVerb:
		return true
	case oldPrep != newPrep:
		return false
	}
	return !oldVerb || newVerb
}

// neighbours returns the preposition right before a name (articles and words
// that belong to the name's own phrase do not count), and whether a verb follows.
func neighbours(toks []token, s segment.Span) (prep string, verb bool) {
	i := slices.IndexFunc(toks, func(t token) bool { return t.End > s.Start })
	for i--; i >= 0; i-- {
		t := toks[i]
		if t.Tag == "DT" || t.Tag == "PRP$" || strings.HasPrefix(t.Tag, "JJ") || strings.HasPrefix(t.Tag, "NN") {
			continue
		}
		if t.Tag == "IN" || t.Tag == "TO" {
			prep = t.Lemma
		}
		break
	}
	i = slices.IndexFunc(toks, func(t token) bool { return t.Start >= s.End })
	for n := 0; i >= 0 && i < len(toks) && n < 3; i, n = i+1, n+1 {
		t := toks[i]
		if strings.HasPrefix(t.Tag, "VB") || t.Tag == "MD" {
			return prep, true
		}
		if !strings.HasPrefix(t.Tag, "RB") && t.Tag != "WP" && t.Tag != "WDT" && t.Tag != "," {
			break
		}
	}
	return prep, false
}

// otherKind reports whether the names are known to name things of two kinds.
func (k *reading) otherKind(d difference) bool {
	a, b := kindAt(k.saidNames, d.output), kindAt(k.toldNames, d.source)
	return a != b && a != nlp.OtherName && b != nlp.OtherName
}

func kindAt(names []nlp.Name, s segment.Span) nlp.NameKind {
	for _, n := range names {
		if n.Overlaps(s) && n.Kind != "" {
			return n.Kind
		}
	}
	return nlp.OtherName
}

// respelled reports whether the names are one name in two spellings: of six
// letters or more, and at most two of them differ.
func respelled(a, b string) bool {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	if min(len(x), len(y)) < 6 || len(x)-len(y) > 2 || len(y)-len(x) > 2 || len(x) > 200 {
		return false
	}
	return edit.Distance(x, y) <= 2
}

// roles exchanges the two names at the ends of a stretch in which the evidence
// has them the other way round.
func (k *reading) roles(d difference) []claim.Edit {
	var names []slot.Slot
	for _, s := range k.saidSlots {
		if s.Kind == slot.Name && d.output.Contains(s.Span) {
			names = append(names, s)
		}
	}
	if len(names) != 2 || !k.frame(d, 0.7) {
		return nil
	}
	a, b := names[0].Span, names[1].Span
	if k.articleBefore(k.output, a.Start).Empty() != k.articleBefore(k.output, b.Start).Empty() ||
		slot.Compare(names[0], names[1]).Compatible() || k.modifies(k.said, a) || k.modifies(k.said, b) {
		return nil
	}
	return []claim.Edit{
		{Span: a, New: k.cased(b.Of(k.output), a.Of(k.output), a.Start)},
		{Span: b, New: a.Of(k.output)},
	}
}

// abbreviates reports whether short is made of the first letters of long.
func abbreviates(short, long string) bool {
	var initials strings.Builder
	for _, w := range segment.Words(long) {
		r, _ := utf8.DecodeRuneInString(w.Of(long))
		initials.WriteRune(unicode.ToUpper(r))
	}
	short = strings.TrimSuffix(strings.ReplaceAll(short, ".", ""), "s")
	return utf8.RuneCountInString(short) > 1 && short == initials.String()
}

// states reports whether the claim's sentence states the name outside the span,
// in capitals or not.
func (k *reading) states(name string, except segment.Span) bool {
	sentence := k.claim.Sentence
	before := strings.ToLower(k.output[sentence.Start:max(except.Start, sentence.Start)])
	after := strings.ToLower(k.output[min(except.End, sentence.End):sentence.End])
	if low := strings.ToLower(oneLine(name)); strings.Contains(before, low) || strings.Contains(after, low) {
		return true
	}
	found := slot.Find(name)
	for _, s := range k.saidSlots {
		if s.Kind != slot.Name || s.Span.Overlaps(except) || !k.inClaim(s.Span) {
			continue
		}
		for _, n := range found {
			if n.Kind == slot.Name && slot.Compare(s, n).Compatible() {
				return true
			}
		}
	}
	return false
}

// modifies reports whether a noun follows the name at s at once, or a hyphen.
func (k *reading) modifies(toks []token, s segment.Span) bool {
	i := slices.IndexFunc(toks, func(t token) bool { return t.Start >= s.End })
	if i < 0 {
		return false
	}
	return strings.HasPrefix(toks[i].Tag, "NN") || toks[i].Start == s.End && strings.HasPrefix(toks[i].Text, "-") ||
		toks[i].Start == s.End && toks[i].Tag == "HYPH"
}

// inSource reports whether every word of the name stands in the source, next to
// each other.
func (k *reading) inSource(name string) bool {
	return name != "" && strings.Contains(strings.ToLower(k.source), strings.ToLower(name))
}

// articleBefore returns the place of "the" with its blank right before at.
func (k *reading) articleBefore(text string, at int) segment.Span {
	if at >= 4 && strings.EqualFold(text[at-4:at], "the ") && (at == 4 || !wordRuneBefore(text, at-4)) {
		return segment.Span{Start: at - 4, End: at}
	}
	return segment.Span{}
}

func wordRuneBefore(text string, at int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// wordBefore reports whether a determiner or adjective stands right before the
// place, so that no article may be put there.
func (k *reading) wordBefore(at int) bool {
	for i, t := range k.said {
		if t.Start == at {
			return i > 0 && slices.Contains([]string{"DT", "PRP$", "JJ", "POS", "CD", "NNP", "NN"}, k.said[i-1].Tag)
		}
	}
	return true
}

// bareName reports whether nothing that would take the place of an article
// stands before the name in the evidence.
func (k *reading) bareName(at int) bool {
	for i, t := range k.told {
		if t.Start == at {
			return i == 0 || !slices.Contains([]string{"DT", "PRP$", "JJ", "POS", "CD", "NNP", "NN"}, k.told[i-1].Tag)
		}
	}
	return false
}

func properName(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// cased writes text as the output writes old: all in capitals, all in small
// letters where the whole sentence is, with a capital at a sentence's start.
func (k *reading) cased(text, old string, at int) string {
	sentence := k.claim.Sentence.Of(k.output)
	switch {
	case allUpper(old) && len(segment.Words(old)) > 0 && utf8.RuneCountInString(old) > 3 && !allUpper(text):
		return strings.ToUpper(text)
	case !strings.ContainsFunc(sentence, unicode.IsUpper):
		return strings.ToLower(text)
	case k.startsSentence(at):
		return capital(text)
	}
	return text
}

func allUpper(s string) bool {
	letters := false
	for _, r := range s {
		if unicode.IsLower(r) {
			return false
		}
		letters = letters || unicode.IsUpper(r)
	}
	return letters
}

// startsSentence reports whether the claim's sentence starts at the place.
func (k *reading) startsSentence(at int) bool {
	return len(k.said) > 0 && k.said[0].Start == at
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// oneLine joins a name that the source breaks over two lines.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// indefinite is the edit that makes "a" and "an" agree with e, if one stands
// right before it.
func (k *reading) indefinite(e claim.Edit) []claim.Edit {
	if e.New == "" {
		return nil
	}
	for i, t := range k.said {
		if t.Start < e.Span.Start {
			continue
		}
		if t.Start > e.Span.Start || i == 0 {
			return nil
		}
		a := k.said[i-1]
		want := "a"
		if vowelSound(e.New) {
			want = "an"
		}
		is := strings.ToLower(a.Text)
		if is != "a" && is != "an" || is == want {
			return nil
		}
		if a.Text[0] == 'A' {
			want = capital(want)
		}
		return []claim.Edit{{Span: a.Span, New: want}}
	}
	return nil
}

// vowelSound reports whether text begins with a vowel as it is spoken.
func vowelSound(text string) bool {
	w := strings.ToLower(strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }))
	for _, p := range []string{"uni", "use", "usa", "uk", "eu", "one", "once", "ubiq", "uter"} {
		if strings.HasPrefix(w, p) && !strings.HasPrefix(w, "unin") && !strings.HasPrefix(w, "unim") {
			return false
		}
	}
	for _, p := range []string{"hour", "honest", "honor", "honour", "heir", "8", "11,", "18,"} {
		if strings.HasPrefix(w, p) {
			return true
		}
	}
	if w == "11" || w == "18" || strings.HasPrefix(w, "11 ") || strings.HasPrefix(w, "18 ") || strings.HasPrefix(w, "11-") || strings.HasPrefix(w, "18-") || strings.HasPrefix(w, "11th") || strings.HasPrefix(w, "18th") {
		return true
	}
	return w != "" && strings.IndexByte("aeiou", w[0]) >= 0
}
