package perturb

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/segment"
)

// TextKind is a way to change a text.
type TextKind string

// The kinds of edits of Text.
const (
	// EntityReplacement puts another name into the place of one, wherever the text has it.
	EntityReplacement TextKind = "entity replacement"
	// EntityDeletion takes a name out wherever the text has it, with a preposition before
	// it.
	EntityDeletion TextKind = "entity deletion"
	// ClauseDeletion takes out a clause behind a comma or a conjunction, or a sentence
	// where the text has several.
	ClauseDeletion TextKind = "clause deletion"
	// VerbAntonym puts the WordNet antonym of a verb into its place, in the same form.
	VerbAntonym TextKind = "verb antonym"
)

// TextKinds returns all kinds, in a fixed order.
func TextKinds() []TextKind {
	return []TextKind{EntityReplacement, EntityDeletion, ClauseDeletion, VerbAntonym}
}

// TextOptions say how Text draws.
type TextOptions struct {
	Seed uint64
	// Edits is the number of edits; 0 means 1.
	Edits int
	// Kinds are the kinds of edits to draw from, each with the same chance; nil means all.
	Kinds []TextKind
	// Entities are names that EntityReplacement draws from; those that the text has are
	// passed over. Without any it takes a name of the text that names another thing of
	// the same kind, a person for a person.
	Entities []string
	// Mentions are labels that count as the text's names, for the edits of entities, in
	// place of what the analyzer takes for names: those of the graph that the text tells.
	// They are found as whole words in any case.
	Mentions []string
}

// TextEdit is one change of a text, an entry of the log.
type TextEdit struct {
	Kind TextKind `json:"kind"`
	// Spans are the places that it replaces, in bytes of the original text, ascending and
	// not overlapping.
	Spans []segment.Span `json:"spans"`
	// Old is what stands at the first place, New what takes the place of each; New is empty
	// for what is taken out.
	Old string `json:"old"`
	New string `json:"new,omitempty"`
}

// TextResult is a perturbed text with its log.
type TextResult struct {
	Text string
	// Edits is the log, in the order in which they were drawn; ApplyText does them again.
	// It is shorter than TextOptions.Edits where nothing was left to change.
	Edits []TextEdit
	// Kept is the share of the text's words that no edit touched, in [0,1]; 1 for a text
	// without words.
	Kept float64
}

// Text draws edits and does them on an English text (section "perturbation" of the
// S3KG paper). The edits do not overlap. The error is the context's, or names an unknown
// kind. Bytes that are not UTF-8 stay where they are. What is taken out leaves one blank;
// the rest of a sentence is not rewritten, so that it may read badly.
func Text(ctx context.Context, a *nlp.Analyzer, text string, o TextOptions) (TextResult, error) {
	kinds := o.Kinds
	if kinds == nil {
		kinds = TextKinds()
	}
	for _, k := range kinds {
		if !slices.Contains(TextKinds(), k) {
			return TextResult{}, fmt.Errorf("perturb: unknown kind %q; the kinds are %q", k, TextKinds())
		}
	}
	doc, err := a.Analyze(ctx, text)
	if err != nil {
		return TextResult{}, err
	}
	random := rand.New(rand.NewPCG(o.Seed, 0))
	candidates := map[TextKind][]TextEdit{}
	for _, k := range TextKinds() { // all, so that one kind's draw does not depend on the others
		if slices.Contains(kinds, k) {
			candidates[k] = textCandidates(a, doc, k, o, random)
		}
	}
	var r TextResult
	var taken []segment.Span
	for range max(1, o.Edits) {
		if err := ctx.Err(); err != nil {
			return TextResult{}, err
		}
		var left []TextKind
		for _, k := range kinds {
			candidates[k] = slices.DeleteFunc(candidates[k], func(e TextEdit) bool {
				return slices.ContainsFunc(e.Spans, func(s segment.Span) bool {
					return slices.ContainsFunc(taken, s.Overlaps)
				})
			})
			if len(candidates[k]) > 0 {
				left = append(left, k)
			}
		}
		if len(left) == 0 {
			break
		}
		list := candidates[left[random.IntN(len(left))]]
		e := list[random.IntN(len(list))]
		r.Edits = append(r.Edits, e)
		taken = append(taken, e.Spans...)
	}
	r.Text, err = ApplyText(text, r.Edits)
	if err != nil {
		return TextResult{}, err
	}
	words := segment.Words(text)
	kept := 0
	for _, w := range words {
		if !slices.ContainsFunc(taken, w.Overlaps) {
			kept++
		}
	}
	r.Kept = 1
	if len(words) > 0 {
		r.Kept = float64(kept) / float64(len(words))
	}
	return r, nil
}

// ApplyText does the edits of a log on the text that it was made from. The error says
// which edit is out of the text or overlaps another.
func ApplyText(text string, edits []TextEdit) (string, error) {
	type place struct {
		segment.Span
		edit int
	}
	var places []place
	for i, e := range edits {
		for _, s := range e.Spans {
			if s.Start < 0 || s.Start >= s.End || s.End > len(text) {
				return "", fmt.Errorf("perturb: edit %d (%s): %v is no place of a text of %d bytes", i, e.Kind, s, len(text))
			}
			places = append(places, place{s, i})
		}
	}
	slices.SortFunc(places, func(p, q place) int { return cmp.Compare(p.Start, q.Start) })
	var out strings.Builder
	at := 0
	for _, p := range places {
		if p.Start < at {
			return "", fmt.Errorf("perturb: edit %d (%s) overlaps another at byte %d", p.edit, edits[p.edit].Kind, p.Start)
		}
		out.WriteString(text[at:p.Start])
		out.WriteString(edits[p.edit].New)
		at = p.End
	}
	out.WriteString(text[at:])
	return out.String(), nil
}

// textCandidates returns the edits of one kind that the text allows.
func textCandidates(a *nlp.Analyzer, d *nlp.Document, k TextKind, o TextOptions, random *rand.Rand) []TextEdit {
	var out []TextEdit
	add := func(e TextEdit) {
		e.Kind = k
		e.Spans = merged(e.Spans)
		if len(e.Spans) > 0 {
			e.Old = e.Spans[0].Of(d.Text)
			out = append(out, e)
		}
	}
	switch k {
	case EntityReplacement, EntityDeletion:
		for _, n := range namesOf(d, o.Mentions) {
			e := TextEdit{Spans: n.spans}
			if k == EntityDeletion {
				e.Spans = nil
				for _, s := range n.spans {
					e.Spans = append(e.Spans, withPreposition(d, s))
				}
			} else if e.New = otherName(d, n, o, random); e.New == "" {
				continue
			}
			add(e)
		}
	case ClauseDeletion:
		for _, s := range clauses(d) {
			add(TextEdit{Spans: []segment.Span{s}})
		}
	case VerbAntonym:
		for _, t := range d.Tokens {
			if antonym, ok := verbAntonyms[t.Lemma]; ok && strings.HasPrefix(t.Tag, "VB") {
				add(TextEdit{Spans: []segment.Span{t.Span}, New: likeCase(a.VerbForm(antonym, t.Tag), t.Text)})
			}
		}
	}
	return out
}

// merged joins spans that overlap, in ascending order.
func merged(spans []segment.Span) []segment.Span {
	slices.SortFunc(spans, func(a, b segment.Span) int { return cmp.Compare(a.Start, b.Start) })
	var out []segment.Span
	for _, s := range spans {
		if n := len(out); n > 0 && s.Start < out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// named is a thing with the places that name it.
type named struct {
	label string
	kind  nlp.NameKind
	spans []segment.Span
}

// namesOf returns what the text names: the analyzer's names, or the given labels.
func namesOf(d *nlp.Document, mentions []string) []named {
	var out []named
	if len(mentions) == 0 {
		at := map[int]int{}
		for _, n := range d.Names {
			i, ok := at[n.Entity]
			if !ok {
				i = len(out)
				at[n.Entity] = i
				out = append(out, named{label: n.Of(d.Text), kind: n.Kind})
			}
			out[i].spans = append(out[i].spans, n.Span)
		}
		return out
	}
	for _, m := range mentions {
		if strings.TrimSpace(m) == "" || !utf8.ValidString(m) {
			continue
		}
		n := named{label: m}
		for _, at := range regexp.MustCompile("(?i)"+regexp.QuoteMeta(m)).FindAllStringIndex(d.Text, -1) {
			before, _ := utf8.DecodeLastRuneInString(d.Text[:at[0]])
			after, _ := utf8.DecodeRuneInString(d.Text[at[1]:])
			if !wordRune(before) && !wordRune(after) {
				n.spans = append(n.spans, segment.Span{Start: at[0], End: at[1]})
			}
		}
		if n.spans != nil {
			out = append(out, n)
		}
	}
	return out
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// otherName draws what takes the place of n.
func otherName(d *nlp.Document, n named, o TextOptions, random *rand.Rand) string {
	if len(o.Entities) == 0 {
		var pool []string
		for _, m := range namesOf(d, o.Mentions) {
			if m.label != n.label && m.kind == n.kind {
				pool = append(pool, m.label)
			}
		}
		if len(pool) == 0 {
			return ""
		}
		return pool[random.IntN(len(pool))]
	}
	start := random.IntN(len(o.Entities))
	for j := range o.Entities {
		if e := o.Entities[(start+j)%len(o.Entities)]; e != "" && !strings.Contains(d.Text, e) {
			return e
		}
	}
	return ""
}

// withPreposition widens a place to a preposition and a determiner before it, and the
// blank before them.
func withPreposition(d *nlp.Document, s segment.Span) segment.Span {
	first, _ := slices.BinarySearchFunc(d.Tokens, s.Start, func(t nlp.Token, at int) int { return cmp.Compare(t.Start, at) })
	if first > 0 && first <= len(d.Tokens) && d.Tokens[first-1].Tag == "DT" {
		first--
	}
	if first > 0 && first <= len(d.Tokens) && d.Tokens[first-1].Tag == "IN" {
		first--
	}
	if first < len(d.Tokens) {
		s.Start = min(s.Start, d.Tokens[first].Start)
	}
	return gap(d.Text, s)
}

// gap widens a place that is taken out by one of the blanks around it.
func gap(text string, s segment.Span) segment.Span {
	blank := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t')
	}
	switch {
	case blank(s.Start - 1):
		s.Start--
	case blank(s.End):
		s.End++
	}
	return s
}

// clauses are the clauses that can be taken out: from a comma or a conjunction with a
// finite verb behind it up to the next comma or the end of the sentence, where a finite
// verb is left before it; and whole sentences where there are several.
func clauses(d *nlp.Document) []segment.Span {
	var out []segment.Span
	for _, s := range d.Sentences {
		if len(d.Sentences) > 1 && s.End > s.First {
			out = append(out, gap(d.Text, s.Span))
		}
		end := s.End
		for end > s.First && !wordToken(d.Tokens[end-1]) { // the full stop stays
			end--
		}
		finite := false // before the border
		for i := s.First; i < end; i++ {
			t := d.Tokens[i]
			if finite && (t.Text == "," || clauseWords[strings.ToLower(t.Text)] && d.Tokens[i-1].Text != ",") {
				stop := i + 1
				verb := false
				for stop < end && d.Tokens[stop].Text != "," {
					verb = verb || finiteTags[d.Tokens[stop].Tag]
					stop++
				}
				if verb {
					out = append(out, gap(d.Text, segment.Span{Start: t.Start, End: d.Tokens[stop-1].Span.End}))
				}
			}
			finite = finite || finiteTags[t.Tag]
		}
	}
	return out
}

func wordToken(t nlp.Token) bool {
	return strings.ContainsFunc(t.Text, func(r rune) bool { return r > 127 || letter(byte(r)) || '0' <= r && r <= '9' })
}

var (
	finiteTags  = map[string]bool{"VBD": true, "VBZ": true, "VBP": true, "MD": true}
	clauseWords = map[string]bool{"and": true, "but": true, "or": true, "because": true, "although": true, "while": true,
		"when": true, "if": true, "which": true, "who": true, "where": true, "after": true, "before": true, "since": true, "so": true}
)
