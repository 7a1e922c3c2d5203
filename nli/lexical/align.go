package lexical

import (
	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// How well two words match, 1 for the same lemma.
const (
	synonymQuality = 0.9
	derivedQuality = 0.75
)

// alignment pairs the words and slots of a hypothesis with those of a candidate
// passage.
type alignment struct {
	p    *premise
	h, c *analysis
	// span is the passage in the premise; sentences is how many it holds.
	span      segment.Span
	sentences int

	// match gives for each word of h the word of c, -1 for none; quality how
	// well they match.
	match   []int
	quality []float64
	// slots gives for each slot of h the slot of c that states it, -1 for none.
	slots []int
	// taken marks the slots of c that state one of h.
	taken []bool

	clashes []clash
	// agreed marks words of h that are matched to their opposite under the
	// opposite polarity ("not open", "closed").
	agreed map[int]bool
	// negations are the scopes of pairs that deny the same, in h and in c.
	negations [][2]segment.Span
	// settled marks words of h whose relation was compared as a whole; related
	// says that the relation was found to agree.
	settled map[int]bool
	related bool
	// plain marks words of c that are matched to a word of h outside names.
	plain []bool
	// apart says that the passage is about another thing, or leaves h open, so
	// that what clashes contradicts nothing.
	apart bool
	// denied says that a negation which only one side has turns h.
	denied bool
	// excepted says that the passage leaves h open: it asks, or makes an exception.
	excepted bool
}

// align pairs h with the passage span of p.
func (p *premise) align(h *analysis, span segment.Span, sentences int) *alignment {
	a := &alignment{p: p, h: h, c: p.analysis(span), span: span, sentences: sentences}
	a.pairWords()
	a.pairSlots()
	a.findClashes()
	return a
}

// pairWords matches words: the same lemma first, then synonyms, then derived
// forms; of several places the one that goes on where the last match stood.
func (a *alignment) pairWords() {
	h, c := a.h.words, a.c.words
	a.match = make([]int, len(h))
	a.quality = make([]float64, len(h))
	at := make(map[string][]int, len(c))
	for j := range c {
		at[c[j].lemma] = append(at[c[j].lemma], j)
	}
	used := make([]bool, len(c))
	last := -1
	for i := range h {
		a.match[i] = -1
		best, quality := -1, 0.0
		try := func(j int, q float64) {
			if used[j] {
				q *= 0.6
			}
			if best < 0 || q > quality || q == quality && near(j, last) < near(best, last) {
				best, quality = j, q
			}
		}
		for _, j := range at[h[i].lemma] {
			try(j, 1)
		}
		if best < 0 && h[i].content() {
			for j := range c {
				if !c[j].content() {
					continue
				}
				switch {
				case synonymous(h[i].lemma, c[j].lemma):
					try(j, synonymQuality)
				case len(h[i].lemma) > 5 && len(c[j].lemma) > 5 && derived(h[i].lemma, c[j].lemma):
					try(j, derivedQuality)
				}
			}
		}
		if best < 0 {
			continue
		}
		if used[best] {
			// A word said twice is matched by one place.
			quality /= 0.6
		}
		a.match[i], a.quality[i] = best, min(quality, 1)
		if h[i].content() {
			used[best] = true
			last = best
		}
	}
}

// near is the distance of place j from the one behind last; going back costs
// double.
func near(j, last int) int {
	if d := j - (last + 1); d >= 0 {
		return d
	} else {
		return -2 * d
	}
}

// pairSlots finds for each value and name of h the slot of c that states it.
// The words of a name that is stated in another form count as matched.
func (a *alignment) pairSlots() {
	a.slots = make([]int, len(a.h.slots))
	a.taken = make([]bool, len(a.c.slots))
	for i, hs := range a.h.slots {
		a.slots[i] = -1
		if hs.Kind == slot.Negation || hs.Kind == slot.Hedge {
			continue
		}
		best, bestRank := -1, 0
		for j, cs := range a.c.slots {
			rank := 0
			switch slot.Compare(cs, hs) {
			case slot.Equal:
				rank = 4
			case slot.Narrower:
				rank = 3
			default:
				continue
			}
			if a.taken[j] {
				rank -= 2
			}
			if hs.Of != "" && cs.Of != "" && a.p.m.lemma(hs.Of) == a.p.m.lemma(cs.Of) {
				rank += 2
			}
			if rank > bestRank {
				best, bestRank = j, rank
			}
		}
		if best < 0 {
			continue
		}
		a.slots[i] = best
		a.taken[best] = true
		if hs.Kind == slot.Name {
			for k := range a.h.words {
				if a.h.words[k].name == i && a.match[k] < 0 && a.c.first[best] >= 0 {
					a.match[k], a.quality[k] = a.c.first[best], 1
				}
			}
		}
	}
}

// stated reports whether slot i of h is stated in the passage, be it as words
// (a name in a text without capitals).
func (a *alignment) stated(i int) bool {
	if a.slots[i] >= 0 {
		return true
	}
	if a.h.slots[i].Kind != slot.Name {
		return false
	}
	n := 0
	for k, w := range a.h.words {
		if w.name != i {
			continue
		}
		if slot.FunctionWord(w.lower) {
			continue
		}
		n++
		if a.match[k] < 0 {
			return false
		}
	}
	return n > 0
}

// coverage returns the weighted share of h's content words that the passage
// states, and the share of values that it states (1 when h has none); a value
// that another sentence holds counts half.
func (a *alignment) coverage() (words, values float64) {
	words, values = a.coverageWithout(nil), 1
	n, ok := 0, 0.0
	for i, s := range a.h.slots {
		if !isValue(s.Kind) {
			continue
		}
		n++
		switch {
		case a.slots[i] >= 0:
			ok++
		case a.elsewhere(i):
			ok += 0.5
		}
	}
	if n > 0 {
		values = ok / float64(n)
	}
	return words, values
}

// coverageWithout is the weighted share of h's content words that the passage
// states, those that skip names left out. With no word at all to cover it is 1,
// with none left 0.
func (a *alignment) coverageWithout(skip func(i int) bool) float64 {
	var have, all float64
	for i := range a.h.words {
		w := &a.h.words[i]
		if !w.content() || skip != nil && skip(i) {
			continue
		}
		weight := w.weight * (0.4 + 0.6*a.p.rarity(w.lemma))
		all += weight
		have += weight * a.quality[i]
	}
	switch {
	case all > 0:
		return have / all
	case skip == nil:
		return 1
	}
	return 0
}

func isValue(k slot.Kind) bool {
	switch k {
	case slot.Name, slot.Negation, slot.Hedge:
		return false
	}
	return true
}

// order returns the share of neighbouring matched content words of h that stand
// near each other and in the same order in the passage; 1 for fewer than two.
func (a *alignment) order() float64 {
	prev, n, ok := -1, 0, 0
	for i := range a.h.words {
		if !a.h.words[i].content() || a.match[i] < 0 {
			continue
		}
		if prev >= 0 {
			n++
			if d := a.match[i] - prev; d >= 0 && d <= 6 {
				ok++
			}
		}
		prev = a.match[i]
	}
	if n == 0 {
		return 1
	}
	return float64(ok) / float64(n)
}

// place guesses where in the passage slot i of h would stand: beside the
// matches of its neighbours. -1 when no neighbour is matched.
func (a *alignment) place(i int) int {
	first, last := -1, -1
	for k, w := range a.h.words {
		if w.value == i || w.name == i {
			if first < 0 {
				first = k
			}
			last = k
		}
	}
	if first < 0 {
		return -1
	}
	for d := 1; d <= 6; d++ {
		if k := last + d; k < len(a.h.words) && a.h.words[k].content() && a.match[k] >= 0 {
			return a.match[k]
		}
		if k := first - d; k >= 0 && a.h.words[k].content() && a.match[k] >= 0 {
			return a.match[k]
		}
	}
	return -1
}
