package kg

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/kgeval/kgeval/segment"
)

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
	x.score -= 0.005 * float64(min(hi-lo, 40))
	if !c.rel.denies && l.denials[lo] < l.denials[hi+1] {
		x.score -= 0.5
	}
	if !c.found || x.score > c.best.score || x.score == c.best.score && x.lo < c.best.lo {
		c.best, c.found = x, true
	}
}

func (c *chooser) loose() bool { return c.l.loose }

func (l *Locator) location(c candidate) Location {
	var loc Location
	var all []segment.Span
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
	}
	loc.Relation = l.join(loc.Relation)
	all = append(all, loc.Relation...)
	loc.Spans = l.join(all)
	first, last := loc.Spans[0], loc.Spans[len(loc.Spans)-1]
	loc.Sentence = l.sentenceAt(first.Start).Union(l.sentenceAt(last.End - 1)).Union(first).Union(last)
	return loc
}

// sentenceAt returns the sentence that holds the byte at, or else the next one.
func (l *Locator) sentenceAt(at int) segment.Span {
	i := sort.Search(len(l.sentences), func(k int) bool { return l.sentences[k].End > at })
	return l.sentences[min(i, len(l.sentences)-1)]
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
