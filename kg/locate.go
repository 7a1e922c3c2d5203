package kg

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"
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
//   - An empty label needs nothing; a triple of empty labels is nowhere.
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
	at := 0
	for _, w := range segment.Words(text) {
		w = withoutPossessive(text, w)
		for at+1 < len(l.sentences) && l.sentences[at].End <= w.Start {
			at++
		}
		form := smallForm(w.Of(text))
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
		f, ok := l.forms[form]
		if !ok {
			f = int32(len(l.forms))
			l.forms[form] = f
		}
		l.places[id] = append(l.places[id], int32(len(l.words)))
		l.words = append(l.words, w)
		l.sentence = append(l.sentence, int32(at))
		l.stem = append(l.stem, id)
		l.form = append(l.form, f)
	}
	return l
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

func smallForm(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return strings.ToLower(compose(s))
		}
	}
	return strings.ToLower(s)
}

// labelWord is one word of a label.
type labelWord struct {
	form  string
	stem  int32 // in the locator, -1 when the text has no such word
	upper bool  // begins with a capital
	must  bool  // a number or a negation
	empty bool  // a function word
}

func (l *Locator) labelWords(label string) []labelWord {
	var out []labelWord
	for _, w := range segment.Words(label) {
		w = withoutPossessive(label, w)
		form := smallForm(w.Of(label))
		x := labelWord{form: form, stem: -1, must: isNegation(form) || strings.ContainsFunc(form, unicode.IsNumber)}
		x.empty = functionWords[form] && !x.must
		r, _ := utf8.DecodeRuneInString(w.Of(label))
		x.upper = unicode.IsUpper(r)
		s, ok := l.stemOf[form]
		if !ok {
			s = l.stemWord(form)
		}
		if id, ok := l.stems[s]; ok {
			x.stem = id
		}
		out = append(out, x)
	}
	return out
}

// mention is a place that names an entity.
type mention struct {
	words   []int32 // ascending
	span    segment.Span
	quality float64 // in (0,1]
}

func (m mention) first() int32 { return m.words[0] }
func (m mention) last() int32  { return m.words[len(m.words)-1] }

// mentions holds the places that name one entity, each list ascending.
type mentions struct {
	full, partial []mention
}

func (m mentions) none() bool { return len(m.full)+len(m.partial) == 0 }

func (l *Locator) mentions(label string) mentions {
	label = readableEntity(label)
	ws := l.labelWords(label)
	if len(ws) == 0 {
		return mentions{full: l.verbatim(label)}
	}
	edge := labelEdges(label)
	if len(ws) > 1 && isDeterminer(ws[0].form) {
		ws = ws[1:]
	}
	var m mentions
	m.full = l.sequence(ws, edge)
	m.partial = l.partial(ws, m.full)
	return m
}

// verbatim finds a label without words.
func (l *Locator) verbatim(label string) []mention {
	if label == "" {
		return nil
	}
	var out []mention
	for from := 0; ; {
		i := strings.Index(l.text[from:], label)
		if i < 0 || len(l.words) == 0 {
			return out
		}
		s := segment.Span{Start: from + i, End: from + i + len(label)}
		w := sort.Search(len(l.words), func(k int) bool { return l.words[k].End > s.Start })
		w = min(w, len(l.words)-1)
		out = append(out, mention{words: []int32{int32(w)}, span: s, quality: 1})
		from = s.End
	}
}

// labelEdges returns the symbols of a label before its first and after its last
// word that change what it names: a sign, a currency, "C++", "5%".
func labelEdges(label string) [2]string {
	ws := segment.Words(label)
	symbol := func(r rune) bool {
		return unicode.In(r, unicode.Sc, unicode.Sm) || strings.ContainsRune("+-−%‰#°", r)
	}
	before, after := label[:ws[0].Start], label[ws[len(ws)-1].End:]
	if i := strings.LastIndexFunc(before, func(r rune) bool { return !symbol(r) }); i >= 0 {
		_, n := utf8.DecodeRuneInString(before[i:])
		before = before[i+n:]
	}
	if i := strings.IndexFunc(after, func(r rune) bool { return !symbol(r) }); i >= 0 {
		after = after[:i]
	}
	return [2]string{before, after}
}

// sequence finds the label's words in their order, next to each other.
func (l *Locator) sequence(ws []labelWord, edge [2]string) []mention {
	rare := 0
	for i, w := range ws {
		if w.stem < 0 {
			return nil
		}
		if len(l.places[w.stem]) < len(l.places[ws[rare].stem]) {
			rare = i
		}
	}
	var out []mention
next:
	for _, p := range l.places[ws[rare].stem] {
		start := int(p) - rare
		if start < 0 || start+len(ws) > len(l.words) {
			continue
		}
		exact := true
		for i, w := range ws {
			at := start + i
			if l.stem[at] != w.stem || l.sentence[at] != l.sentence[start] {
				continue next
			}
			if f, ok := l.forms[w.form]; !ok || l.form[at] != f {
				exact = false
			}
		}
		m := mention{quality: 1, span: segment.Span{Start: l.words[start].Start, End: l.words[start+len(ws)-1].End}}
		for i := range ws {
			m.words = append(m.words, int32(start+i))
		}
		if !exact {
			m.quality = 0.95
		}
		if edge[0] != "" {
			if strings.HasSuffix(l.text[:m.span.Start], edge[0]) {
				m.span.Start -= len(edge[0])
			} else {
				m.quality -= 0.3
			}
		}
		if edge[1] != "" {
			if strings.HasPrefix(l.text[m.span.End:], edge[1]) {
				m.span.End += len(edge[1])
			} else {
				m.quality -= 0.3
			}
		} else if m.span.End < len(l.text) && strings.IndexByte("+#%", l.text[m.span.End]) >= 0 {
			m.quality -= 0.1
		}
		out = append(out, m)
	}
	return out
}

// partial finds sentences that hold enough of the label's content words, except
// where full has a mention.
func (l *Locator) partial(ws []labelWord, full []mention) []mention {
	var content []labelWord
	seen := make(map[int32]bool)
	want, names, musts := 0, true, 0
	forms := make(map[string]bool)
	for _, w := range ws {
		if w.empty || forms[w.form] {
			continue
		}
		forms[w.form] = true
		want++
		if w.must {
			musts++
		}
		names = names && (w.upper || w.must)
		if w.stem >= 0 && !seen[w.stem] {
			seen[w.stem] = true
			content = append(content, w)
		}
	}
	if want < 2 || len(content) == 0 {
		return nil
	}
	must := make(map[int32]bool)
	for _, w := range content {
		if w.must {
			must[w.stem] = true
		}
	}
	if len(must) < musts {
		return nil
	}
	var at []int32
	for _, w := range content {
		at = append(at, l.places[w.stem]...)
	}
	slices.Sort(at)
	var out []mention
	for len(at) > 0 {
		s := l.sentence[at[0]]
		n := 1
		for n < len(at) && l.sentence[at[n]] == s {
			n++
		}
		group := at[:n]
		at = at[n:]
		for len(full) > 0 && l.sentence[full[0].first()] < s {
			full = full[1:]
		}
		if len(full) > 0 && l.sentence[full[0].first()] == s {
			continue
		}
		if m, ok := l.cover(group, seen, must, want, names); ok {
			out = append(out, m)
		}
	}
	return out
}

// cover makes a mention of the tightest window of group, the places of one
// sentence, that holds all of the label's words that the sentence has.
func (l *Locator) cover(group []int32, seen map[int32]bool, must map[int32]bool, want int, names bool) (mention, bool) {
	count := make(map[int32]int)
	for _, p := range group {
		count[l.stem[p]]++
	}
	distinct := len(count)
	for s := range must {
		if count[s] == 0 {
			return mention{}, false
		}
	}
	share := float64(distinct) / float64(want)
	if share <= 0.5 && !(names && 2*distinct >= want) {
		return mention{}, false
	}
	clear(count)
	best, bestLen := [2]int{0, len(group) - 1}, int32(1<<30)
	from := 0
	for to, p := range group {
		count[l.stem[p]]++
		for len(count) == distinct {
			if n := p - group[from]; n < bestLen {
				best, bestLen = [2]int{from, to}, n
			}
			first := l.stem[group[from]]
			if count[first]--; count[first] == 0 {
				delete(count, first)
			}
			from++
		}
	}
	var words []int32
	used := make(map[int32]bool)
	for _, p := range group[best[0] : best[1]+1] {
		if !used[l.stem[p]] {
			used[l.stem[p]] = true
			words = append(words, p)
		}
	}
	if names && distinct == 1 && l.otherName(words[0], seen) {
		return mention{}, false
	}
	gaps := float64(words[len(words)-1]-words[0]) + 1 - float64(len(words))
	return mention{
		words:   words,
		span:    l.words[words[0]].Union(l.words[words[len(words)-1]]),
		quality: max(0.1, 0.9*share-0.02*gaps),
	}, true
}

// otherName reports whether the word at p stands in a longer name that has words
// which the label lacks, as "Curie" in "Pierre Curie" for "Marie Curie".
func (l *Locator) otherName(p int32, label map[int32]bool) bool {
	capital := func(q int32) bool {
		if q < 0 || int(q) >= len(l.words) || label[l.stem[q]] || l.sentence[q] != l.sentence[p] {
			return false
		}
		s := l.words[q].Of(l.text)
		r, _ := utf8.DecodeRuneInString(s)
		return unicode.IsUpper(r) && !functionWords[strings.ToLower(s)]
	}
	adjacent := func(a, b int32) bool {
		gap := l.text[l.words[a].End:l.words[b].Start]
		return gap == " " || gap == "-" || gap == ". "
	}
	return capital(p-1) && adjacent(p-1, p) || capital(p+1) && adjacent(p, p+1)
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

// candidate is a place under consideration; head or tail is nil when the triple
// has none.
type candidate struct {
	head, tail *mention
	rel        []int32
	score      float64
	lo, hi     int32
}

type chooser struct {
	l     *Locator
	rel   relationWords
	self  bool // head and tail are the same thing
	best  candidate
	found bool
}

func (c *chooser) alone(ms mentions, head bool) {
	for _, list := range [...][]mention{ms.full, ms.partial} {
		for i := range list {
			if head {
				c.try(&list[i], nil)
			} else {
				c.try(nil, &list[i])
			}
		}
	}
}

// pairs tries each mention of either side with the nearest ones of the other, on
// both sides and among full and partial ones: a number of candidates linear in
// the number of mentions.
func (c *chooser) pairs(head, tail mentions) {
	for _, hs := range [...][]mention{head.full, head.partial} {
		for _, ts := range [...][]mention{tail.full, tail.partial} {
			nearest(hs, ts, func(h, t *mention) { c.try(h, t) })
			nearest(ts, hs, func(t, h *mention) { c.try(h, t) })
		}
	}
}

// nearest calls f for each of as with the mentions of bs that stand next to it:
// the two that begin before it or with it and the two that begin after.
func nearest(as, bs []mention, f func(a, b *mention)) {
	k := 0
	for i := range as {
		for k < len(bs) && bs[k].first() <= as[i].first() {
			k++
		}
		for j := max(0, k-2); j < min(len(bs), k+2); j++ {
			f(&as[i], &bs[j])
		}
	}
}

func (c *chooser) try(h, t *mention) {
	l := c.l
	x := candidate{head: h, tail: t}
	switch {
	case h != nil && t != nil:
		if h.span.Overlaps(t.span) && !(c.self && h.span == t.span) {
			return
		}
		x.lo, x.hi = min(h.first(), t.first()), max(h.last(), t.last())
		x.score = h.quality + t.quality
		if t.first() < h.first() {
			x.score -= 0.05
		}
		if h.span == t.span {
			x.score -= 0.5 // a second mention is better
		}
	case h != nil:
		x.lo, x.hi, x.score = h.first(), h.last(), h.quality
	default:
		x.lo, x.hi, x.score = t.first(), t.last(), t.quality
	}
	apart := l.sentence[x.hi] - l.sentence[x.lo]
	if apart > maxApart {
		return
	}
	x.score -= 0.6 * float64(apart)
	words, enough := c.rel.in(l, x.lo, x.hi)
	switch {
	case enough:
		x.rel = words
	case !c.loose():
		return
	default:
		x.score -= 2
	}
	if c.rel.want > 0 && enough {
		x.score += 0.8 * float64(len(words)) / float64(c.rel.want)
	}
	lo, hi := x.lo, x.hi
	if len(x.rel) > 0 {
		lo, hi = min(lo, x.rel[0]), max(hi, x.rel[len(x.rel)-1])
	}
	x.score -= 0.02 * float64(min(hi-lo, 40))
	if !c.rel.denies && l.denied(lo, hi) {
		x.score -= 0.5
	}
	if !c.found || x.score > c.best.score || x.score == c.best.score && x.lo < c.best.lo {
		c.best, c.found = x, true
	}
}

func (c *chooser) loose() bool { return c.l.loose }

// denied reports whether a negation stands among the words lo to hi.
func (l *Locator) denied(lo, hi int32) bool {
	for p := lo; p <= hi && p < lo+60; p++ {
		if w := l.words[p]; w.Len() <= 12 && isNegation(smallForm(w.Of(l.text))) {
			return true
		}
	}
	return false
}

func (l *Locator) location(c candidate) Location {
	var loc Location
	var all []segment.Span
	lo, hi := c.lo, c.hi
	if c.head != nil {
		loc.Head = l.spans(*c.head)
		all = append(all, loc.Head...)
	}
	if c.tail != nil {
		loc.Tail = l.spans(*c.tail)
		all = append(all, loc.Tail...)
	}
	for _, p := range c.rel {
		loc.Relation = append(loc.Relation, l.words[p])
		lo, hi = min(lo, p), max(hi, p)
	}
	loc.Relation = l.join(loc.Relation)
	all = append(all, loc.Relation...)
	loc.Spans = l.join(all)
	if len(l.sentences) > 0 {
		loc.Sentence = l.sentences[l.sentence[lo]].Union(l.sentences[l.sentence[hi]])
	}
	return loc
}

// spans returns the parts of a mention.
func (l *Locator) spans(m mention) []segment.Span {
	if n := int(m.last()-m.first()) + 1; n == len(m.words) {
		return []segment.Span{m.span}
	}
	var out []segment.Span
	for _, p := range m.words {
		out = append(out, l.words[p])
	}
	return l.join(out)
}

// join sorts spans and unites those that overlap or have nothing but function
// words, blanks and light punctuation between them.
func (l *Locator) join(spans []segment.Span) []segment.Span {
	if len(spans) == 0 {
		return nil
	}
	slices.SortFunc(spans, func(a, b segment.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	out := []segment.Span{spans[0]}
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		if s.Start <= last.End || l.light(last.End, s.Start) {
			*last = last.Union(s)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// light reports whether text[from:to] holds nothing of content.
func (l *Locator) light(from, to int) bool {
	if to-from > 40 {
		return false
	}
	gap := l.text[from:to]
	at := 0
	for _, w := range segment.Words(gap) {
		word := smallForm(w.Of(gap))
		if !functionWords[word] && word != "s" || !lightMarks(gap[at:w.Start]) {
			return false
		}
		at = w.End
	}
	return lightMarks(gap[at:])
}

func lightMarks(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r != ' ' && r != '-' && r != ',' && r != '\'' && r != '’' && r != '\n' }) < 0 &&
		!strings.Contains(s, "\n\n")
}

// functionWords carry no content of a label: without them it is still known.
var functionWords = wordSet(`a an the this that these those of in on at by for from to into onto with
	as and or is are was were be been being am has have had having do does did will would shall
	should can could may might must it its his her their our who whom whose which s`)
