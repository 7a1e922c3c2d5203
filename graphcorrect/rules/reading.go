package rules

import (
	"context"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// reading is a claim's sentence beside its evidence. All spans are in the
// output and in the source as a whole.
type reading struct {
	p        *Proposer
	claim    claim.Claim
	output   string
	source   string
	evidence claim.Evidence

	said      []nlp.Token // of the output's sentence
	saidSlots []slot.Slot
	saidNames []nlp.Name
	told      []nlp.Token // of the evidence
	toldSlots []slot.Slot
	toldNames []nlp.Name
	toldLemma map[string]bool

	hypothesis []nlp.Token     // of the claim's text
	differs    map[string]bool // the words of all differences, in small letters
}

// difference is one thing that the evidence says otherwise.
type difference struct {
	kind   string
	output segment.Span
	source segment.Span // the zero Span when the evidence has no such place
}

// read looks at a claim; nil when there is no evidence to correct it from.
func (p *Proposer) read(ctx context.Context, s claim.Sample, c claim.Claim) (*reading, error) {
	if len(c.Evidence) == 0 || !inside(c.Sentence, s.Output) {
		return nil, nil
	}
	e := c.Evidence[0]
	if e.Index < 0 || e.Index >= len(s.Sources) || !inside(e.Span, s.Sources[e.Index].Text) {
		return nil, nil
	}
	k := &reading{p: p, claim: c, output: s.Output, source: s.Sources[e.Index].Text, evidence: e}
	k.evidence.Text = e.Span.Of(k.source)
	var err error
	if k.said, k.saidSlots, k.saidNames, err = p.tokens(ctx, k.output, c.Sentence); err != nil {
		return nil, err
	}
	if k.told, k.toldSlots, k.toldNames, err = p.tokens(ctx, k.source, e.Span); err != nil {
		return nil, err
	}
	if k.hypothesis, _, _, err = p.tokens(ctx, c.Text, segment.Span{End: len(c.Text)}); err != nil {
		return nil, err
	}
	k.toldLemma = make(map[string]bool, len(k.told))
	for _, t := range k.told {
		k.toldLemma[t.Lemma] = true
	}
	return k, nil
}

func (p *Proposer) tokens(ctx context.Context, text string, at segment.Span) ([]nlp.Token, []slot.Slot, []nlp.Name, error) {
	part := at.Of(text)
	d, err := p.nlp.Analyze(ctx, part)
	if err != nil {
		return nil, nil, nil, err
	}
	toks := slices.Clone(d.Tokens)
	for i := range toks {
		toks[i].Span = toks[i].Span.Shift(at.Start)
	}
	slots := slot.Find(part)
	for i := range slots {
		slots[i].Span = slots[i].Span.Shift(at.Start)
		if !slots[i].Scope.Empty() {
			slots[i].Scope = slots[i].Scope.Shift(at.Start)
		}
	}
	names := slices.Clone(d.Names)
	for i := range names {
		names[i].Span = names[i].Span.Shift(at.Start)
	}
	return toks, slots, names, nil
}

func inside(s segment.Span, text string) bool {
	return s.Start >= 0 && s.End <= len(text) && !s.Empty()
}

// differences lists what may be corrected: what the model found, and values of
// one kind of which each side has one that the other has not. Only those are kept
// whose surroundings say the same on both sides.
func (k *reading) differences() []difference {
	var all []difference
	for _, r := range k.claim.Reasons {
		if r.Source != k.evidence.Index || !inside(r.OutputSpan, k.output) {
			continue
		}
		d := difference{kind: r.Kind, output: r.OutputSpan}
		switch r.Kind {
		case "number", "date", "unit", "name", "antonym", "role":
			if !inside(r.SourceSpan, k.source) || !k.evidence.Span.Contains(r.SourceSpan) {
				continue
			}
			d.source = r.SourceSpan
		case "negation":
			if inside(r.SourceSpan, k.source) {
				d.source = r.SourceSpan
			}
		default:
			continue // nothing to take a correction from
		}
		all = append(all, d)
	}
	for _, d := range k.unlikeValues() {
		if !slices.ContainsFunc(all, func(x difference) bool { return x.output.Overlaps(d.output) || x.source.Overlaps(d.source) }) {
			all = append(all, d)
		}
	}
	k.differs = make(map[string]bool)
	for _, d := range all {
		if d.kind == "role" {
			continue // both sides have its words
		}
		text := d.output.Of(k.output)
		for _, w := range segment.Words(text) {
			k.differs[strings.ToLower(w.Of(text))] = true
		}
	}
	var kept []difference
	used := make(map[segment.Span]bool)
	for _, d := range all {
		if !d.source.Empty() && used[d.source] {
			continue
		}
		if k.frame(d, minFrame) {
			used[d.source] = true
			kept = append(kept, d)
		}
	}
	return kept
}

// unlikeValues pairs values of the claim with those of one kind in the evidence,
// where the evidence holds exactly one that the claim does not.
func (k *reading) unlikeValues() []difference {
	var out []difference
	for _, a := range k.saidSlots {
		if a.Kind == slot.Negation || a.Kind == slot.Hedge || !k.inClaim(a.Span) || k.holds(k.toldSlots, a) {
			continue
		}
		var other []slot.Slot
		for _, b := range k.toldSlots {
			if b.Kind == a.Kind && slot.Compare(a, b) == slot.Different && !k.holds(k.saidSlots, b) {
				other = append(other, b)
			}
		}
		if len(other) == 1 {
			out = append(out, difference{kind: kindOf(a.Kind), output: a.Span, source: other[0].Span})
		}
	}
	return out
}

func (k *reading) inClaim(s segment.Span) bool {
	return slices.ContainsFunc(k.claim.Spans, func(c segment.Span) bool { return c.Overlaps(s) })
}

// holds reports whether slots hold a value that can be the same as a.
func (k *reading) holds(slots []slot.Slot, a slot.Slot) bool {
	return slices.ContainsFunc(slots, func(b slot.Slot) bool { return slot.Compare(a, b).Compatible() })
}

func kindOf(s slot.Kind) string {
	switch s {
	case slot.Name:
		return "name"
	case slot.Date, slot.Clock:
		return "date"
	}
	return "number"
}

// frame reports whether the evidence says the rest of the claim: at least the
// given share of the content words of its hypothesis that no difference touches
// stand in it, and one of the words next to the difference does.
func (k *reading) frame(d difference, share float64) bool {
	have, total, beside := 0, 0, false
	at := -1
	for i, t := range k.hypothesis {
		if k.differs[strings.ToLower(t.Text)] {
			if at < 0 && strings.Contains(d.output.Of(k.output), t.Text) {
				at = i
			}
		}
	}
	for i, t := range k.hypothesis {
		if !content(t) || k.differs[strings.ToLower(t.Text)] {
			continue
		}
		total++
		if !k.toldLemma[t.Lemma] {
			continue
		}
		have++
		if at < 0 || i-at <= 6 && at-i <= 6 {
			beside = true
		}
	}
	return total > 0 && float64(have) >= share*float64(total) && beside
}

// minFrame is the share from which the evidence counts as being about the same.
const minFrame = 0.5

// content reports whether a token carries meaning of its own.
func content(t nlp.Token) bool {
	if t.Tag == "" || slot.FunctionWord(strings.ToLower(t.Text)) {
		return false
	}
	switch t.Tag[0] {
	case 'N', 'V', 'J', 'R', 'C', 'F':
		return t.Tag != "CC" && t.Lemma != "be"
	}
	return false
}
