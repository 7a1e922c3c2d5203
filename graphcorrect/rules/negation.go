package rules

import (
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

type token = nlp.Token

// negation puts a "not" in or takes it out, as the evidence has it.
func (k *reading) negation(d difference) []claim.Edit {
	for _, s := range k.saidSlots {
		if s.Kind == slot.Negation && (s.Span.Overlaps(d.output) || !s.Scope.Empty() && s.Scope.Overlaps(d.output)) && k.inClaim(s.Span.Union(d.output)) {
			if !k.affirmed(s) {
				return nil
			}
			return k.affirm(s)
		}
	}
	return k.deny(d)
}

// affirm takes the negation s out: "did not lower" becomes "lowered". Only verbs
// negated with not, n't and never, and "failed to", are put right; for others
// ("no", "neither") the rest of the sentence would have to change too.
func (k *reading) affirm(s slot.Slot) []claim.Edit {
	first := slices.IndexFunc(k.said, func(t token) bool { return t.End > s.Span.Start })
	last := slices.IndexFunc(k.said, func(t token) bool { return t.End >= s.Span.End })
	if first < 0 || last < first || last+1 >= len(k.said) {
		return nil
	}
	next := last + 1 // the first word after the negation
	switch cue := strings.ToLower(s.Text); {
	case cue == "never" && first > 0:
		return []claim.Edit{k.cut(first, next)}
	case cue == "cannot", cue == "can't", cue == "can’t":
		return []claim.Edit{{Span: s.Span, New: like("can", s.Text)}}
	case cue == "won't", cue == "won’t":
		return []claim.Edit{{Span: s.Span, New: like("will", s.Text)}}
	case strings.HasSuffix(cue, "n't"), strings.HasSuffix(cue, "n’t"):
		if cue == "n't" || cue == "n’t" {
			if first == 0 {
				return nil
			}
			first-- // the verb that it hangs on
		}
		span := segment.Span{Start: k.said[first].Start, End: s.Span.End}
		stem := strings.TrimSuffix(strings.TrimSuffix(span.Of(k.output), "n't"), "n’t")
		switch strings.ToLower(stem) {
		case "do", "does", "did":
			return k.inflected(first, next, strings.ToLower(stem))
		case "ca":
			stem += "n"
		case "wo":
			stem = stem[:1] + "ill"
		}
		return []claim.Edit{{Span: span, New: stem}}
	case cue == "not" && first > 0:
		switch aux := strings.ToLower(k.said[first-1].Text); aux {
		case "do", "does", "did":
			return k.inflected(first-1, next, aux)
		case "can":
			return []claim.Edit{k.cut(first, next)}
		default:
			if aux == "but" || aux == "or" || aux == "if" || aux == "why" {
				return nil
			}
			return []claim.Edit{k.cut(first, next)}
		}
	case strings.HasPrefix(cue, "fail") && strings.HasSuffix(cue, " to"):
		aux := map[string]string{"failed": "did", "fails": "does", "fail": "do"}[strings.Fields(cue)[0]]
		if aux == "" {
			return nil
		}
		return k.inflected(first, next, aux)
	case cue == "without" && k.toldLemma["with"]:
		return []claim.Edit{{Span: s.Span, New: like("with", s.Text)}}
	}
	return nil
}

// affirmed reports whether the evidence has what the negation s of the output
// denies: the first word of meaning after it, not negated.
func (k *reading) affirmed(s slot.Slot) bool {
	for _, t := range k.said {
		if t.Start < s.Span.End || !content(t) || strings.HasPrefix(t.Tag, "RB") || t.Lemma == "have" || t.Lemma == "do" {
			continue
		}
		for i, e := range k.told {
			if e.Lemma == t.Lemma && !k.governed(i) {
				return true
			}
		}
		return false
	}
	return false
}

// governed reports whether a negation of the evidence governs its token at i: no
// verb of meaning stands between the two.
func (k *reading) governed(i int) bool {
	return slices.ContainsFunc(k.toldSlots, func(s slot.Slot) bool {
		if s.Kind != slot.Negation || s.Scope.Empty() || !s.Scope.Overlaps(k.told[i].Span) || indirect[strings.ToLower(s.Text)] {
			return false
		}
		for _, t := range k.told[:i] {
			if t.Start >= s.Span.End && strings.HasPrefix(t.Tag, "VB") && !auxiliary(t) {
				return false
			}
		}
		return true
	})
}

// indirect are negations that do not deny what a clause says.
var indirect = map[string]bool{
	"without": true, "instead of": true, "rather than": true, "free of": true, "lack of": true,
	"lacking": true, "devoid of": true, "in the absence of": true, "far from": true,
}

// cut deletes the tokens [first, next) with the blank after them.
func (k *reading) cut(first, next int) claim.Edit {
	return claim.Edit{Span: segment.Span{Start: k.said[first].Start, End: k.said[next].Start}}
}

// inflected deletes the tokens [first, next) of a negated auxiliary and gives the
// verb after them the auxiliary's form.
func (k *reading) inflected(first, next int, aux string) []claim.Edit {
	verb := next
	for verb < len(k.said) && strings.HasPrefix(k.said[verb].Tag, "RB") {
		verb++
	}
	if verb >= len(k.said) || first == 0 {
		return nil
	}
	form, ok := k.form(k.said[verb], aux)
	if !ok {
		return nil
	}
	edit := k.cut(first, next)
	if verb == next {
		edit.Span.End = k.said[verb].End
		edit.New = form
		return []claim.Edit{edit}
	}
	return []claim.Edit{edit, {Span: k.said[verb].Span, New: form}}
}

// form returns a verb's form for the auxiliary that it loses: the evidence's own
// where it has that verb in that form, else one by rule, if the dictionary knows
// it for a form of the verb.
func (k *reading) form(verb token, aux string) (string, bool) {
	base := strings.ToLower(verb.Text)
	if aux == "do" {
		return verb.Text, true
	}
	tag, made := "VBD", past(base)
	if aux == "does" {
		tag, made = "VBZ", third(base)
	}
	for _, t := range k.told {
		if t.Lemma == base && (t.Tag == tag || tag == "VBD" && t.Tag == "VBN" && strings.EqualFold(t.Text, made)) {
			return strings.ToLower(t.Text), true
		}
	}
	if k.p.nlp.Lemma(made, tag) != base {
		return "", false
	}
	return made, true
}

// deny negates the verb at d: "lowered" becomes "did not lower".
func (k *reading) deny(d difference) []claim.Edit {
	v := k.verb(d)
	if v < 0 || k.negated(v) || !k.denied(v) {
		return nil
	}
	return k.denial(v)
}

// denial negates the verb at v, whatever the evidence says.
func (k *reading) denial(v int) []claim.Edit {
	// The first verb of its group carries the negation.
	first := v
	for i := v - 1; i >= 0; i-- {
		t := k.said[i]
		if strings.HasPrefix(t.Tag, "RB") {
			continue
		}
		if t.Tag == "MD" || t.Tag == "TO" || auxiliary(t) {
			first = i
			if t.Tag == "TO" || t.Tag == "MD" {
				break
			}
			continue
		}
		break
	}
	t := k.said[first]
	low := strings.ToLower(t.Text)
	switch {
	case t.Tag == "TO":
		return []claim.Edit{{Span: t.Span, New: "not " + t.Text}}
	case low == "can":
		return []claim.Edit{{Span: t.Span, New: like("cannot", t.Text)}}
	case t.Tag == "MD", t.Lemma == "be" && t.Tag != "VB" && t.Tag != "VBN" && t.Tag != "VBG", k.head(first) != first && auxiliary(t):
		return []claim.Edit{{Span: t.Span, New: t.Text + " not"}}
	case first != v:
		return nil
	}
	base := t.Lemma
	if base == "" || first == 0 {
		return nil
	}
	switch t.Tag {
	case "VBD":
		return []claim.Edit{{Span: t.Span, New: "did not " + base}}
	case "VBZ":
		return []claim.Edit{{Span: t.Span, New: "does not " + base}}
	case "VBP":
		return []claim.Edit{{Span: t.Span, New: "do not " + base}}
	}
	return nil
}

// verbal are the negations that negate a verb; "no sons" and "nobody" negate
// something else, and no "not" at the verb says the same.
var verbal = map[string]bool{"not": true, "n't": true, "n’t": true, "never": true, "cannot": true}

func verbalCue(s slot.Slot) bool {
	cue := strings.ToLower(s.Text)
	return verbal[cue] || strings.HasSuffix(cue, "n't") || strings.HasSuffix(cue, "n’t")
}

// negated reports whether the clause after the verb at v has a negation of its
// own already.
func (k *reading) negated(v int) bool {
	return slices.ContainsFunc(k.saidSlots, func(s slot.Slot) bool {
		return s.Kind == slot.Negation && s.Span.Start >= k.said[v].Start && k.inClaim(s.Span)
	})
}

// denied reports whether the evidence negates the verb whose group holds v: the
// same verb, with a negation that is the verb's own; for "be" and "have" what
// the claim says after it must be denied too.
func (k *reading) denied(v int) bool {
	v = k.head(v)
	lemma := k.said[v].Lemma
	same := false
	for i, t := range k.told {
		if t.Lemma == lemma && strings.HasPrefix(t.Tag, "VB") && k.own(i) {
			same = true
		}
	}
	if !same || lemma != "be" && lemma != "have" {
		return same
	}
	said := make(map[string]bool)
	for _, t := range k.said[v+1:] {
		if content(t) && k.inClaim(t.Span) {
			said[t.Lemma] = true
		}
	}
	for i, t := range k.told {
		if said[t.Lemma] && k.governed(i) {
			return true
		}
	}
	return false
}

// own reports whether a verbal negation stands at the verb group of the
// evidence's token at i: right before it or, for a form of "be" or an auxiliary,
// right after it; adverbs and auxiliaries between do not count.
func (k *reading) own(i int) bool {
	return slices.ContainsFunc(k.toldSlots, func(s slot.Slot) bool {
		if s.Kind != slot.Negation || !verbalCue(s) {
			return false
		}
		from, to := k.told[i].Span, s.Span
		if to.Start < from.Start {
			from, to = to, from
		}
		for _, t := range k.told {
			if t.Start >= from.End && t.End <= to.Start && !strings.HasPrefix(t.Tag, "RB") && !auxiliary(t) && t.Tag != "MD" {
				return false
			}
		}
		return s.Span.Start <= k.told[i].Start || auxiliary(k.told[i])
	})
}

// head returns the position of the main verb of the group that v is in: "been
// hampered" for "has".
func (k *reading) head(v int) int {
	for v+1 < len(k.said) && (auxiliary(k.said[v]) || k.said[v].Tag == "MD") {
		next := v + 1
		for next < len(k.said) && strings.HasPrefix(k.said[next].Tag, "RB") {
			next++
		}
		if next == len(k.said) || !strings.HasPrefix(k.said[next].Tag, "VB") {
			break
		}
		v = next
	}
	return v
}

// verb returns the position of the verb that is to be negated: the one at the
// difference, else the first finite one of the claim that the evidence has too,
// else the claim's first; -1 when there is none.
func (k *reading) verb(d difference) int {
	first := -1
	for i, t := range k.said {
		if !strings.HasPrefix(t.Tag, "VB") {
			continue
		}
		if t.Overlaps(d.output) {
			return i
		}
		if (t.Tag == "VBD" || t.Tag == "VBZ" || t.Tag == "VBP") && k.inClaim(t.Span) && (first < 0 || k.toldLemma[t.Lemma] && !k.toldLemma[k.said[first].Lemma]) {
			first = i
		}
	}
	return first
}

func auxiliary(t token) bool {
	return strings.HasPrefix(t.Tag, "VB") && (t.Lemma == "be" || t.Lemma == "have" || t.Lemma == "do")
}

// like writes word with a capital where old has one.
func like(word, old string) string {
	if properName(old) {
		return capital(word)
	}
	return word
}

// opposite replaces a word by its opposite in the evidence, in the same form.
func (k *reading) opposite(d difference) []claim.Edit {
	i := slices.IndexFunc(k.said, func(t token) bool { return t.Overlaps(d.output) })
	j := slices.IndexFunc(k.told, func(t token) bool { return t.Overlaps(d.source) })
	if i < 0 || j < 0 || !k.frame(d, 0.7) {
		return nil
	}
	a, b := k.said[i], k.told[j]
	if a.Span != d.output || b.Span != d.source || strings.HasPrefix(a.Tag, "N") {
		return nil // a part of a compound ("26-year-old"); "man" and "woman" are not opposites of one thing
	}
	word := strings.ToLower(b.Text)
	if a.Tag != b.Tag {
		// A tagger takes many bare verbs for nouns ("did decrease").
		verb := strings.HasPrefix(b.Tag, "VB") || k.p.nlp.Lemma(past(b.Lemma), "VBD") == b.Lemma
		switch {
		case a.Tag == "VBD" && verb, a.Tag == "VBN" && verb && !irregular(b.Lemma):
			word = past(b.Lemma)
		case a.Tag == "VBZ" && verb:
			word = third(b.Lemma)
		case (a.Tag == "VB" || a.Tag == "VBP") && verb:
			word = b.Lemma
		case a.Tag[:1] != b.Tag[:1] || a.Tag == "VBN" || a.Tag == "VBG" || b.Tag == "VBG":
			return nil
		}
		if strings.HasPrefix(a.Tag, "VB") && k.p.nlp.Lemma(word, a.Tag) != b.Lemma {
			return nil
		}
	}
	e := claim.Edit{Span: a.Span, New: k.cased(like(word, a.Text), a.Text, a.Start)}
	return append([]claim.Edit{e}, k.indefinite(e)...)
}
