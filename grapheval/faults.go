package grapheval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/nli"
	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// vocabulary is the words of all sources, each by what its forms share.
type vocabulary map[string]struct{}

func vocabularyOf(sources []claim.Source) vocabulary {
	v := vocabulary{}
	for _, s := range sources {
		for _, w := range segment.Words(s.Text) {
			v[root(w.Of(s.Text))] = struct{}{}
		}
	}
	return v
}

func (v vocabulary) has(word string) bool {
	_, ok := v[root(word)]
	return ok
}

// root is what most forms of a word share: in lower case, without an ending of
// inflection, its first six letters.
func root(word string) string {
	word = strings.ToLower(word)
	for _, ending := range [...]string{"'s", "’s", "ing", "ed", "es", "s", "e"} {
		if stem, ok := strings.CutSuffix(word, ending); ok && len(stem) >= 3 {
			word = stem
			break
		}
	}
	end := 0
	for range 6 {
		_, n := utf8.DecodeRuneInString(word[end:])
		end += n
	}
	return word[:end]
}

// tellers are words by which a text speaks of another one ("the article
// mentions"). What is said with them is seldom wrong in them.
var tellers = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`document text article passage report paper study story summary transcript conversation
dialogue discussion episode author writer speaker host narrator discuss mention describe explain state note say tell talk
cover include involve provide present feature highlight emphasize emphasise address outline detail introduce focus
express suggest report concern relate topic importance various several such well`) {
		set[root(w)] = true
	}
	return set
}()

// faults tells by which words of the output a claim fails: those that a reason
// names as standing against the evidence, and those that no source has; only
// where there is neither, those that the evidence lacks.
func (p *Prepared) faults(c claim.Claim, output string) []claim.Fault {
	if !c.Flagged() || c.Verdict == claim.Unknown {
		return nil
	}
	var out []claim.Fault
	add := func(f claim.Fault) {
		if !f.Span.Empty() && !slices.ContainsFunc(out, func(g claim.Fault) bool { return g.Span.Overlaps(f.Span) }) {
			out = append(out, f)
		}
	}
	for _, r := range c.Reasons {
		if r.Kind != string(nli.ReasonMissing) {
			add(claim.Fault{Span: r.OutputSpan, Kind: r.Kind, Detail: r.Detail})
		}
	}
	known := p.vocabulary()
	for _, s := range c.Spans {
		for _, w := range segment.Words(s.Of(output)) {
			w = w.Shift(s.Start)
			// A number has many forms; the model compares its value.
			word := w.Of(output)
			if slot.FunctionWord(strings.ToLower(word)) || strings.ContainsAny(word, "0123456789") || tellers[root(word)] || known.has(word) {
				continue
			}
			add(claim.Fault{Span: w, Kind: claim.FaultNowhere, Detail: fmt.Sprintf("no source has %q", word)})
		}
	}
	if len(out) == 0 {
		for _, r := range c.Reasons {
			if r.Kind == string(nli.ReasonMissing) {
				add(claim.Fault{Span: r.OutputSpan, Kind: claim.FaultElsewhere, Detail: r.Detail})
			}
		}
	}
	slices.SortFunc(out, func(a, b claim.Fault) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return out
}
