package kg

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

// Locate returns the parts of text that state t, ascending and not overlapping,
// in bytes of text; nil when text does not state it. It is
// NewLocator(text).Locate(t); use one Locator for many triples of a text.
func Locate(text string, t Triple) []segment.Span { return NewLocator(text).Locate(t) }

// Locator finds where one text states triples. It is prepared once, in time
// linear in the text, and then read-only: safe for concurrent use, if its
// Lemmatizer is.
//
// A text states a triple where, in one sentence or in neighbouring ones, it
// names the head and the tail and says the relation:
//
//   - An entity is named by its words in their order, in any inflection. Less
//     good, but enough, are more than half of its content words in one sentence,
//     or one word of a name ("Curie" for "Marie Curie", not in "Pierre Curie").
//     Every number and negation of the label must be there.
//   - A relation is said by at least half of its content words, in any inflection
//     and order, its numbers and negations among them. A relation of function
//     words alone ("is", "of") needs none.
//   - An empty label needs nothing; a triple of empty labels is nowhere. Of a
//     label of more than 64 words the first 64 count.
//
// Of several such places the best is taken: labels as written before partial
// ones, one sentence before two, the tightest, then the first.
//
// Locator compares words. It is not for judging: it does not see that "not" in
// the text denies the triple (it only prefers places without), nor paraphrases.
type Locator struct {
	text      string
	lemmas    Lemmatizer
	loose     bool
	words     []segment.Span // without a possessive 's
	sentence  []int32        // of each word, its position in sentences
	sentences []segment.Span
	form      []int32 // of each word, its spelling in small letters
	stem      []int32 // of each word, its stem
	forms     map[string]int32
	stems     map[string]int32
	stemOf    map[string]string // of a spelling
	places    [][]int32         // by stem, the words that have it, ascending
	denials   []int32           // how many negations stand before each word
}

// LocatorOption changes how a Locator works.
type LocatorOption func(*Locator)

// WithLemmas makes a Locator take words for the same when their lemmas are, not
// only when simple English endings differ.
func WithLemmas(l Lemmatizer) LocatorOption { return func(x *Locator) { x.lemmas = l } }

// LooseRelation makes a Locator take a place that names head and tail but does
// not say the relation, when there is none that does.
func LooseRelation() LocatorOption { return func(x *Locator) { x.loose = true } }

// Location is a place that states a triple.
type Location struct {
	// Spans are the parts of the text that state the triple, ascending and not
	// overlapping. Parts with nothing but function words between them are one.
	Spans []segment.Span
	// Head, Relation and Tail are the words of each part, ascending. Relation
	// is nil when the relation has function words only or was not found.
	Head, Relation, Tail []segment.Span
	// Sentence is the sentence, or the run of neighbouring sentences, around
	// Spans.
	Sentence segment.Span
}

// NewLocator prepares text.
func NewLocator(text string, opts ...LocatorOption) *Locator {
	l := &Locator{
		text:      text,
		sentences: segment.Sentences(text),
		forms:     make(map[string]int32),
		stems:     make(map[string]int32),
		stemOf:    make(map[string]string),
	}
	for _, o := range opts {
		o(l)
	}
	type ids struct {
		form, stem int32
		denies     bool
	}
	known := make(map[string]ids) // by the word as written
	at, denials := 0, int32(0)
	for _, w := range segment.Words(text) {
		w = withoutPossessive(text, w)
		for at+1 < len(l.sentences) && l.sentences[at].End <= w.Start {
			at++
		}
		id, ok := known[w.Of(text)]
		if !ok {
			form := smallForm(w.Of(text))
			id = ids{l.formID(form), l.stemID(form), isNegation(form)}
			known[w.Of(text)] = id
		}
		l.places[id.stem] = append(l.places[id.stem], int32(len(l.words)))
		l.words = append(l.words, w)
		l.sentence = append(l.sentence, int32(at))
		l.stem = append(l.stem, id.stem)
		l.form = append(l.form, id.form)
		l.denials = append(l.denials, denials)
		if id.denies {
			denials++
		}
	}
	l.denials = append(l.denials, denials)
	return l
}

func (l *Locator) formID(form string) int32 {
	f, ok := l.forms[form]
	if !ok {
		f = int32(len(l.forms))
		l.forms[form] = f
	}
	return f
}

func (l *Locator) stemID(form string) int32 {
	stem, ok := l.stemOf[form]
	if !ok {
		stem = l.stemWord(form)
		l.stemOf[form] = stem
	}
	id, ok := l.stems[stem]
	if !ok {
		id = int32(len(l.places))
		l.stems[stem] = id
		l.places = append(l.places, nil)
	}
	return id
}

// stemWord returns the stem of a spelling. Every "…n't" is "not".
func (l *Locator) stemWord(form string) string {
	if form == "cannot" || strings.HasSuffix(form, "n't") {
		return "not"
	}
	if l.lemmas != nil && lemmaWord(form) {
		if m := smallForm(l.lemmas.Lemma(form, "")); m != "" {
			return stem(m)
		}
	}
	return stem(form)
}

// withoutPossessive cuts 's off the word.
func withoutPossessive(text string, w segment.Span) segment.Span {
	s := w.Of(text)
	for _, end := range [...]string{"'s", "’s", "'S", "’S"} {
		if len(s) > len(end) && strings.HasSuffix(s, end) {
			w.End -= len(end)
			break
		}
	}
	return w
}

// smallForm is a word in small letters and composed; of a number the thousands
// separators fall away.
func smallForm(s string) string {
	if strings.Contains(s, ",") && strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != ',' && r != '.' }) < 0 {
		s = strings.ReplaceAll(s, ",", "")
	}
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return strings.ToLower(compose(s))
		}
	}
	return strings.ToLower(s)
}

// relationWords is what the text has of a relation.
type relationWords struct {
	want   int     // how many content words the relation has
	stems  []int32 // those of them that the text has
	must   map[int32]bool
	denies bool // the relation holds a negation
	absent bool // a number or negation is not in the text
}

func (l *Locator) relation(label string) relationWords {
	r := relationWords{must: make(map[int32]bool)}
	seen := make(map[string]bool)
	for _, w := range l.labelWords(readableRelation(label)) {
		r.denies = r.denies || isNegation(w.form)
		if w.empty || seen[w.form] {
			continue
		}
		seen[w.form] = true
		r.want++
		switch {
		case w.stem < 0:
			r.absent = r.absent || w.must
		case !slices.Contains(r.stems, w.stem):
			r.stems = append(r.stems, w.stem)
			if w.must {
				r.must[w.stem] = true
			}
		}
	}
	return r
}

// in returns the words of the relation that stand in the sentences of the words
// lo to hi, for each the place nearest to them, and whether they are enough.
func (r relationWords) in(l *Locator, lo, hi int32) (words []int32, enough bool) {
	missing := r.absent
	for _, s := range r.stems {
		ps := l.places[s]
		i, _ := slices.BinarySearch(ps, lo) // the first at lo or later
		best, bestDist := int32(-1), int32(1<<30)
		for _, k := range [...]int{i, i - 1} {
			if k < 0 || k >= len(ps) {
				continue
			}
			p := ps[k]
			if l.sentence[p] < l.sentence[lo] || l.sentence[p] > l.sentence[hi] {
				continue
			}
			if d := max(0, lo-p, p-hi); d < bestDist {
				best, bestDist = p, d
			}
		}
		if best >= 0 {
			words = append(words, best)
		} else if r.must[s] {
			missing = true
		}
	}
	slices.Sort(words)
	return words, !missing && 2*len(words) >= r.want
}

// Locate returns Find's Spans, nil when the text does not state t.
func (l *Locator) Locate(t Triple) []segment.Span {
	loc, _ := l.Find(t)
	return loc.Spans
}

// maxApart is how many sentence borders may lie between head and tail.
const maxApart = 1

// Find returns the best place that states t, and false when there is none.
func (l *Locator) Find(t Triple) (Location, bool) {
	hasHead, hasTail := strings.TrimSpace(t.Head) != "", strings.TrimSpace(t.Tail) != ""
	head, tail := l.mentions(t.Head), l.mentions(t.Tail)
	if hasHead && head.none() || hasTail && tail.none() {
		return Location{}, false
	}
	c := chooser{l: l, rel: l.relation(t.Relation)}
	switch {
	case hasHead && hasTail:
		c.self = smallForm(t.Head) == smallForm(t.Tail)
		c.pairs(head, tail)
	case hasHead:
		c.alone(head, true)
	case hasTail:
		c.alone(tail, false)
	case strings.TrimSpace(t.Relation) != "":
		c.rel = relationWords{}
		c.alone(l.mentions(readableRelation(t.Relation)), true)
		if c.found {
			c.best.rel, c.best.head = c.best.head.words, nil
		}
	}
	if !c.found {
		return Location{}, false
	}
	return l.location(c.best), true
}
