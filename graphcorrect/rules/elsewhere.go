package rules

import (
	"context"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

// subject reports whether the name at s stands before the claim's first verb.
func (k *reading) subject(s segment.Span) bool {
	for _, t := range k.said {
		if t.Start >= s.End && strings.HasPrefix(t.Tag, "VB") {
			return true
		}
		if t.End <= s.Start && (strings.HasPrefix(t.Tag, "VB") || t.Tag == "IN" || t.Tag == "TO") {
			return false
		}
	}
	return false
}

const (
	// maxMentions is how many places of a name are looked at.
	maxMentions = 8
	// mentionReach is how far around a mention its sentence is looked for, in
	// bytes.
	mentionReach = 600
)

// elsewhere puts right what is said of a subject that the evidence does not tell
// of: from the one sentence of the sources that says the same of this subject
// with one other value. ("Bo lives in Oslo" against "Ann lives in Oslo." and "Bo
// lives in Rome.") None where the sources have no such sentence, or several that
// differ.
func (k *reading) elsewhere(ctx context.Context, s claim.Sample, d difference) ([]claim.Edit, error) {
	if !k.subject(d.output) {
		return nil, nil
	}
	name := strings.TrimSuffix(strings.TrimSuffix(d.output.Of(k.output), "'s"), "’s")
	var found []claim.Edit
	for i, src := range s.Sources {
		for from, n := 0, 0; n < maxMentions; n++ {
			at := strings.Index(src.Text[from:], name)
			if name == "" || at < 0 {
				break
			}
			at += from
			from = at + len(name)
			place := sentenceAt(src.Text, segment.Span{Start: at, End: from})
			if place.Empty() || i == k.evidence.Index && place.Overlaps(k.evidence.Span) {
				continue
			}
			c := k.claim
			c.Reasons = nil
			c.Evidence = []claim.Evidence{{Source: src.Name(i), Index: i, Span: place, Role: claim.Contradicts, Text: place.Of(src.Text)}}
			other, err := k.p.read(ctx, s, c)
			if err != nil {
				return nil, err
			}
			if other == nil {
				continue
			}
			all := other.differences()
			if len(all) != 1 || all[0].output.Overlaps(d.output) || !other.frame(all[0], 0.8) {
				continue
			}
			e := other.correct(all[0])
			if len(e) == 0 {
				continue
			}
			if found != nil && (found[0].Span != e[0].Span || found[0].New != e[0].New) {
				return nil, nil
			}
			found = e
		}
	}
	return found, nil
}

// sentenceAt returns the sentence of text that holds a place.
func sentenceAt(text string, at segment.Span) segment.Span {
	from, to := max(at.Start-mentionReach, 0), min(at.End+mentionReach, len(text))
	for from < at.Start && from > 0 && text[from-1] != ' ' && text[from-1] != '\n' {
		from++
	}
	for to > at.End && to < len(text) && text[to] != ' ' && text[to] != '\n' {
		to--
	}
	for _, s := range segment.Sentences(text[from:to]) {
		if s = s.Shift(from); s.Contains(at) {
			return s
		}
	}
	return segment.Span{}
}
