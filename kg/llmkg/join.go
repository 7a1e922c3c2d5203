package llmkg

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
)

// joinLabels writes the same thing the same way in all readings: entities that
// differ only in writing (case, articles, blanks) get the spelling that most
// triples have, and a surname or other short form of a name gets the full name
// where exactly one name in the call has it as its last or first words. Which
// spelling wins depends on the set of labels and their counts, not on the order
// of texts or triples.
func joinLabels(found []reading) {
	var norm kg.Normalizer
	spellings := make(map[string]map[string]int) // by normal form
	forms := make(map[string]string)             // of a label
	for _, r := range found {
		for _, t := range r.triples {
			for _, l := range []string{t.Head, t.Tail} {
				f, ok := forms[l]
				if !ok {
					f = norm.Entity(l)
					forms[l] = f
				}
				if spellings[f] == nil {
					spellings[f] = make(map[string]int)
				}
				spellings[f][l]++
			}
		}
	}
	shown := make(map[string]string) // by normal form
	for f, all := range spellings {
		shown[f] = slices.MaxFunc(slices.Sorted(maps.Keys(all)), func(a, b string) int {
			return cmp.Or(cmp.Compare(all[a], all[b]), cmp.Compare(len(a), len(b)), strings.Compare(b, a))
		})
	}
	fuller := fullNames(shown)
	canonical := func(l string) string {
		s := shown[forms[l]]
		if f, ok := fuller[s]; ok {
			s = f
		}
		return s
	}
	for i := range found {
		for k, t := range found[i].triples {
			found[i].triples[k].Head, found[i].triples[k].Tail = canonical(t.Head), canonical(t.Tail)
		}
	}
}

// fullNames maps each short form of a name to the one full name that has it.
func fullNames(shown map[string]string) map[string]string {
	full := make(map[string]map[string]bool) // by short form
	for _, name := range shown {
		words := strings.Fields(name)
		if len(words) < 2 || len(words) > 5 || !properName(words) {
			continue
		}
		for _, short := range []string{words[len(words)-1], words[0]} {
			if full[short] == nil {
				full[short] = make(map[string]bool)
			}
			full[short][name] = true
		}
	}
	out := make(map[string]string)
	for _, name := range shown {
		if len(full[name]) == 1 {
			for f := range full[name] {
				out[name] = f
			}
		}
	}
	return out
}

// properName reports whether all words begin with a capital and are of letters.
func properName(words []string) bool {
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		if !unicode.IsUpper(r) || strings.IndexFunc(w, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '.' && r != '-' && r != '\'' && r != '’'
		}) >= 0 {
			return false
		}
	}
	return true
}

// isName reports whether a label is one to carry over: it has a capital or is
// short, and is no number.
func isName(l string) bool {
	return strings.IndexFunc(l, unicode.IsLetter) >= 0 && !pronoun(l) &&
		(strings.IndexFunc(l, unicode.IsUpper) >= 0 || len(strings.Fields(l)) <= 4)
}

var pronouns = map[string]bool{
	"he": true, "she": true, "it": true, "they": true, "him": true, "her": true, "them": true, "his": true, "hers": true, "its": true, "their": true, "theirs": true,
	"this": true, "that": true, "these": true, "those": true, "who": true, "whom": true, "which": true, "what": true, "himself": true, "herself": true,
	"itself": true, "themselves": true, "the former": true, "the latter": true,
}

// pronoun reports whether a label stands for something else and does not say for
// what. "I", "we" and "you" are whoever speaks.
func pronoun(l string) bool { return pronouns[strings.ToLower(strings.TrimSpace(l))] }

// fill writes a reading into the extraction of its text.
func (r *reading) fill(text string, e *kg.Extraction) {
	e.Err, e.Repaired, e.Dropped = r.err, r.repaired, r.dropped
	e.Truncated = r.truncated
	locator := kg.NewLocator(text, kg.LooseRelation())
	seen := make(map[kg.Triple]bool)
	type placed struct {
		kg.Statement
		at segment.Span // the sentence, or that of the triple before
	}
	var all []placed
	var last segment.Span
	for _, t := range r.triples {
		switch {
		case pronoun(t.Head) || pronoun(t.Tail):
			e.Dropped = append(e.Dropped, kg.Dropped{Raw: t.String(), Reason: "a pronoun that the model did not resolve"})
			continue
		case seen[t]:
			e.Dropped = append(e.Dropped, kg.Dropped{Raw: t.String(), Reason: "repeated"})
			continue
		}
		seen[t] = true
		p := placed{Statement: kg.Statement{Triple: t}, at: last}
		if loc, ok := locator.Find(t); ok {
			p.Spans, p.Sentence = loc.Spans, loc.Sentence
			p.at, last = loc.Sentence, loc.Sentence
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Or(a.at.Start-b.at.Start, a.at.End-b.at.End) })
	for _, p := range all {
		e.Statements = append(e.Statements, p.Statement)
	}
}

func blank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r)
	}) < 0 || len(segment.Sentences(s)) == 0
}

func appendOnce(all []string, s string) []string {
	if slices.Contains(all, s) {
		return all
	}
	return append(all, s)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
