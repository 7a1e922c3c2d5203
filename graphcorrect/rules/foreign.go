package rules

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

const (
	// maxForeign bounds the sources that are searched for a value's right form, in
	// bytes.
	maxForeign = 1 << 18
	// reach is how far around a value its surroundings are read, in bytes.
	reach = 240
	// clear is how many times the best candidate's surroundings must speak for it
	// more than the next one's.
	clear = 1.15
	// mostRanked is how many of the best values are looked at more closely.
	mostRanked = 6
)

// mention is a value of a source with what stands around it.
type mention struct {
	slot   slot.Slot
	source int
	words  map[string]float64 // lemmas around it, without its own; 2 in its sentence, else 1
	score  float64
}

// foreign puts right a name, number or date of the claim that no source has:
// from the one of its kind whose surroundings share most with the claim's
// sentence. Other than a difference from the evidence it needs no sentence that
// says the rest of the claim in its words. None where two candidates come close.
func (k *reading) foreign(ctx context.Context, s claim.Sample) ([]claim.Edit, error) {
	size := 0
	for _, src := range s.Sources {
		size += len(src.Text)
	}
	if size > maxForeign {
		return nil, nil
	}
	var wrong []slot.Slot
	for _, a := range k.saidSlots {
		if searched(a.Kind) && k.inClaim(a.Span) {
			wrong = append(wrong, a)
		}
	}
	if len(wrong) == 0 {
		return nil, nil
	}
	there, err := mentions(ctx, s)
	if err != nil {
		return nil, err
	}
	wrong = slices.DeleteFunc(wrong, func(a slot.Slot) bool { return known(a, there, s.Sources) })
	if len(wrong) != 1 {
		return nil, nil // which of several is wrong is not told
	}
	a := wrong[0]
	best, ok, err := k.candidate(ctx, s, a, there)
	if !ok || err != nil {
		return nil, err
	}
	return k.substitute(s, a, best, fmt.Sprintf("%s: no source has %q; where they speak of this they have %q", kindOf(a.Kind), a.Text, oneLine(best.slot.Text))), nil
}

// substitute puts the value of a mention into the place of a, in a's way of
// writing; none where that changes nothing or would break markup.
func (k *reading) substitute(s claim.Sample, a slot.Slot, m mention, reason string) []claim.Edit {
	text := oneLine(m.slot.Text)
	switch a.Kind {
	case slot.Name:
		text = strings.TrimSuffix(strings.TrimSuffix(text, "'s"), "’s")
		if old := a.Span.Of(k.output); strings.HasSuffix(old, "'s") || strings.HasSuffix(old, "’s") {
			a.Span.End = a.Span.Start + strings.LastIndexAny(old, "'’")
		}
		text = k.cased(text, a.Span.Of(k.output), a.Span.Start)
	case slot.Date:
		text = dateLike(a, m.slot)
	default:
		text = numberLike(a, m.slot)
	}
	e := k.replace(a.Span, text)
	if e.Span.Of(k.output) == e.New || marked(k.output, e.Span) || strings.ContainsAny(e.New, "|`\n\r") {
		return nil
	}
	edits := []claim.Edit{e}
	if e.Span.Start == a.Span.Start {
		edits = append(edits, k.indefinite(e)...)
	}
	for i := range edits {
		edits[i].Reason = reason
		edits[i].Evidence = &claim.Evidence{
			Source: s.Sources[m.source].Name(m.source), Index: m.source,
			Span: m.slot.Span, Role: claim.Contradicts, Text: m.slot.Span.Of(s.Sources[m.source].Text),
		}
	}
	return edits
}

// mentions are the values of all sources, in order.
func mentions(ctx context.Context, s claim.Sample) ([]mention, error) {
	var out []mention
	for i, src := range s.Sources {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, b := range slot.Find(src.Text) {
			if searched(b.Kind) {
				out = append(out, mention{slot: b, source: i})
			}
		}
	}
	return out, nil
}

// fits reports whether the mention can stand where a stands: a name in the same
// part of its sentence, a number or date of the same thing.
func (k *reading) fits(ctx context.Context, s claim.Sample, a slot.Slot, m mention) (bool, error) {
	src := s.Sources[m.source]
	place := sentenceAt(src.Text, m.slot.Span)
	if place.Empty() {
		return false, nil
	}
	c := k.claim
	c.Reasons = nil
	c.Evidence = []claim.Evidence{{Source: src.Name(m.source), Index: m.source, Span: place, Role: claim.Contradicts, Text: place.Of(src.Text)}}
	other, err := k.p.read(ctx, s, c)
	if other == nil || err != nil {
		return false, err
	}
	if a.Kind != slot.Name {
		return a.Unit != "" || other.sameThing(a, m.slot), nil // a unit says what is measured
	}
	d := difference{kind: "name", output: a.Span, source: m.slot.Span}
	return other.samePart(d) && !other.otherKind(d) && other.modifies(other.said, a.Span) == other.modifies(other.told, m.slot.Span), nil
}

func searched(kind slot.Kind) bool {
	switch kind {
	case slot.Name, slot.Number, slot.Percent, slot.Quantity, slot.Date:
		return true
	}
	return false
}

// known reports whether a source has the value, or a word of the name.
func known(a slot.Slot, there []mention, sources []claim.Source) bool {
	if slices.ContainsFunc(there, func(m mention) bool { return slot.Compare(a, m.slot).Compatible() }) {
		return true
	}
	if a.Kind != slot.Name {
		return false
	}
	for _, src := range sources {
		low := strings.ToLower(src.Text)
		for _, w := range segment.Words(a.Text) {
			if word := strings.ToLower(w.Of(a.Text)); len(word) > 2 && strings.Contains(low, word) {
				return true
			}
		}
	}
	return false
}

// candidate returns the mention of a's kind whose surroundings speak for it.
func (k *reading) candidate(ctx context.Context, s claim.Sample, a slot.Slot, there []mention) (mention, bool, error) {
	want := k.wanted(a)
	if len(want) == 0 {
		return mention{}, false, nil
	}
	var around []mention
	for _, m := range there {
		b := m.slot
		if b.Kind != a.Kind || b.Unit != a.Unit || slot.Compare(a, b).Compatible() || k.holds(k.saidSlots, b) {
			continue
		}
		if a.Kind == slot.Name && (len(b.Words) == 0 || strings.HasPrefix(s.Sources[m.source].Text[b.Span.End:], ":") || k.states(b.Text, a.Span)) {
			continue // who speaks in a transcript; named in the sentence already
		}
		if a.Kind == slot.Name && slices.ContainsFunc(k.saidSlots, func(x slot.Slot) bool { return x.Kind == slot.Name && respelled(x.Text, b.Text) }) {
			continue
		}
		if (a.Kind == slot.Number || a.Kind == slot.Quantity) && a.Of != "" && b.Of != "" && k.lemma(a.Of) != k.lemma(b.Of) {
			continue
		}
		if len(around) == 400 {
			break
		}
		words, err := k.surroundings(ctx, s.Sources[m.source].Text, b.Span)
		if err != nil {
			return mention{}, false, err
		}
		m.words = words
		around = append(around, m)
	}
	// A word that stands around many values tells little of each.
	in := map[string]int{}
	for _, m := range around {
		for w := range m.words {
			in[w]++
		}
	}
	sought := slices.Sorted(maps.Keys(want))
	var ranked []mention // the best place of each value
	for _, m := range around {
		for _, w := range sought { // in a fixed order: the sum of floats depends on it
			if near := m.words[w]; near > 0 {
				m.score += near * want[w] * math.Log(1+float64(len(around))/float64(in[w]))
			}
		}
		at := slices.IndexFunc(ranked, func(x mention) bool { return slot.Compare(x.slot, m.slot).Compatible() })
		switch {
		case at < 0:
			ranked = append(ranked, m)
		case m.score > ranked[at].score:
			ranked[at] = m
		}
	}
	slices.SortStableFunc(ranked, func(x, y mention) int {
		switch {
		case x.score > y.score:
			return -1
		case x.score < y.score:
			return 1
		}
		return 0
	})
	var fit []mention
	for _, m := range ranked[:min(len(ranked), mostRanked)] {
		ok, err := k.fits(ctx, s, a, m)
		if err != nil {
			return mention{}, false, err
		}
		if ok && m.score > 0 {
			fit = append(fit, m)
		}
	}
	if len(fit) == 0 || len(fit) > 1 && fit[0].score < clear*fit[1].score {
		return mention{}, false, nil
	}
	return fit[0], true, nil
}

func (k *reading) lemma(word string) string { return k.p.nlp.Lemma(word, "NNS") }

// surroundings returns the lemmas of the words of meaning around a place, with 2
// for those in its own sentence and 1 for others.
func (k *reading) surroundings(ctx context.Context, text string, at segment.Span) (map[string]float64, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	from, to := max(at.Start-reach, 0), min(at.End+reach, len(text))
	own := sentenceAt(text, at)
	out := map[string]float64{}
	for _, part := range []segment.Span{{Start: from, End: at.Start}, {Start: at.End, End: to}} {
		for _, w := range segment.Words(strings.ToValidUTF8(part.Of(text), " ")) {
			w = w.Shift(part.Start)
			if w.End > part.End {
				continue // behind a byte that is no rune, which took more room
			}
			word := strings.ToLower(w.Of(text))
			if slot.FunctionWord(word) {
				continue
			}
			near := 1.0
			if own.Contains(w) {
				near = 2
			}
			// Without a parse there is no tag: each reading counts.
			for _, tag := range [...]string{"NN", "NNS", "VBD", "VBZ", "VBG"} {
				lemma := k.p.nlp.Lemma(word, tag)
				out[lemma] = max(out[lemma], near)
			}
		}
	}
	return out, nil
}

// undenied takes a negation of the claim out where the evidence negates none of
// its words. It is tried last, and stands only if the claim becomes clearly better
// by it.
func (k *reading) undenied() []claim.Edit {
	for _, s := range k.saidSlots {
		if s.Kind != slot.Negation || !k.inClaim(s.Span) {
			continue
		}
		told := 0
		for _, t := range k.said {
			if content(t) && s.Scope.Contains(t.Span) && k.toldLemma[t.Lemma] {
				told++
			}
		}
		if k.deniedToo(s) {
			return nil
		}
		if told < 2 {
			return nil // the evidence is about something else
		}
		edits := k.affirm(s)
		for i := range edits {
			edits[i].Reason = fmt.Sprintf("negation: the source says %q, and denies nothing of it", k.evidence.Text)
			e := k.evidence
			e.Role = claim.Contradicts
			edits[i].Evidence = &e
		}
		return edits
	}
	return nil
}
