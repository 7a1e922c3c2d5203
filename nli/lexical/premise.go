package lexical

import (
	"context"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// maxSentence is the most words that are read as one sentence; a longer one is
// cut, so that the work for a candidate is bounded.
const maxSentence = 200

// seed is fixed for the process; the hashes never leave it and order nothing.
var seed = maphash.MakeSeed()

// premise is a premise prepared for many hypotheses: an index of its sentences.
// It holds a few bytes a word; sentences are analysed when they are candidates.
type premise struct {
	m         *Model
	text      string
	sentences []segment.Span
	// posts gives the ascending sentences that hold a lemma.
	posts map[string][]int32
	// roots gives the lemmas that share a root.
	roots map[string][]string
	// groups gives the lemmas of the premise in a group of synonyms.
	groups map[int][]string
	// pairs holds the hashes of all neighbouring lemmas.
	pairs map[uint64]struct{}
	// lowered holds the words seen in lower case inside sentences.
	lowered map[string]bool
	err     error // *nli.LanguageError

	mu       sync.Mutex
	analyses map[segment.Span]*analysis
}

// prepare reads text once.
func (m *Model) prepare(ctx context.Context, text string) (*premise, error) {
	p := &premise{
		m: m, text: text, err: knows(text),
		posts: map[string][]int32{}, roots: map[string][]string{}, groups: map[int][]string{},
		pairs: map[uint64]struct{}{}, lowered: map[string]bool{},
		analyses: map[segment.Span]*analysis{},
	}
	for n, s := range splitJoints(text, joinDecimals(text, segment.Sentences(text))) {
		if n%256 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		words := segment.Words(s.Of(text))
		for len(words) > maxSentence {
			p.add(s.Start, words[:maxSentence])
			words = words[maxSentence:]
		}
		// The last piece keeps the sentence's closing marks.
		if len(words) > 0 {
			p.add(s.Start, words)
			last := &p.sentences[len(p.sentences)-1]
			last.End = s.End
			if len(p.sentences) == 1 || p.sentences[len(p.sentences)-2].End <= s.Start {
				last.Start = s.Start
			}
		}
	}
	return p, nil
}

// add indexes the words, whose spans are relative to base, as one sentence.
func (p *premise) add(base int, words []segment.Span) {
	id := int32(len(p.sentences))
	p.sentences = append(p.sentences, segment.Span{Start: base + words[0].Start, End: base + words[len(words)-1].End})
	prev := ""
	for i, w := range words {
		raw := w.Shift(base).Of(p.text)
		low := lower(raw)
		if low == raw && i > 0 {
			p.lowered[low] = true
		}
		lemma := p.m.lemma(low)
		if i > 0 && isLabel(p.text, words[i-1].Shift(base), w.Shift(base)) {
			lemma = label + low
		}
		post, seen := p.posts[lemma]
		if !seen {
			if r := root(lemma); r != "" {
				p.roots[r] = append(p.roots[r], lemma)
			}
			if g := synonyms[lemma]; g > 0 {
				p.groups[g] = append(p.groups[g], lemma)
			}
		}
		if len(post) == 0 || post[len(post)-1] != id {
			p.posts[lemma] = append(post, id)
		}
		if prev != "" {
			p.pairs[pairHash(prev, lemma)] = struct{}{}
		}
		prev = lemma
	}
}

func pairHash(a, b string) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	h.WriteString(a)
	h.WriteByte(0)
	h.WriteString(b)
	return h.Sum64()
}

// rarity is the inverse document frequency of a lemma over the premise's
// sentences, scaled to (0,1]; 1 for a lemma that it does not hold and for short
// premises.
func (p *premise) rarity(lemma string) float64 {
	n, df := len(p.sentences), len(p.posts[lemma])
	if n < 4 || df == 0 {
		return 1
	}
	return math.Log(1+float64(n)/float64(df)) / math.Log(1+float64(n))
}

// holds returns how well the premise holds the lemma anywhere: 1 for itself,
// less for a synonym or a derived form, 0 for nothing.
func (p *premise) holds(lemma string) float64 {
	if len(p.posts[lemma]) > 0 {
		return 1
	}
	if g := synonyms[lemma]; g > 0 && len(p.groups[g]) > 0 {
		return synonymQuality
	}
	if r := root(lemma); r != "" {
		for _, l := range p.roots[r] {
			if derived(l, lemma) {
				return derivedQuality
			}
		}
	}
	return 0
}

// candidates returns the sentences that share most with h, best first, at most
// k.
func (p *premise) candidates(h *analysis, k int) []int {
	score := make([]float64, len(p.sentences))
	asked := map[string]bool{}
	var touched []int
	post := func(lemma string, w float64) {
		for _, s := range p.posts[lemma] {
			if score[s] == 0 {
				touched = append(touched, int(s))
			}
			score[s] += w
		}
	}
	for i := range h.words {
		w := &h.words[i]
		weight := w.weight
		if w.value >= 0 {
			weight = 1
		}
		if weight == 0 || asked[w.lemma] {
			continue
		}
		asked[w.lemma] = true
		weight *= 0.3 + 0.7*p.rarity(w.lemma)
		post(w.lemma, weight)
		if g := synonyms[w.lemma]; g > 0 {
			for _, l := range p.groups[g] {
				if l != w.lemma {
					post(l, weight*synonymQuality)
				}
			}
		}
		if r := root(w.lemma); r != "" {
			for _, l := range p.roots[r] {
				if l != w.lemma && derived(l, w.lemma) {
					post(l, weight*derivedQuality)
				}
			}
		}
	}
	slices.SortFunc(touched, func(a, b int) int {
		switch {
		case score[a] > score[b]:
			return -1
		case score[a] < score[b]:
			return 1
		}
		return a - b
	})
	if len(touched) > k {
		touched = touched[:k]
	}
	return touched
}

// maxAnalyses bounds the analyses that a premise keeps.
const maxAnalyses = 512

// analysis returns the analysis of a part of the premise, its spans relative to
// the part.
func (p *premise) analysis(s segment.Span) *analysis {
	p.mu.Lock()
	a, ok := p.analyses[s]
	p.mu.Unlock()
	if ok {
		return a
	}
	a = p.m.analyze(s.Of(p.text))
	// A word that opens the sentence with a capital and stands elsewhere in
	// lower case is no name.
	for i, w := range a.words {
		if w.name >= 0 && a.slots[w.name].Span.End == w.End && a.first[w.name] == i && p.lowered[w.lower] {
			a.words[i].weight, a.words[i].name = 1, -1
			a.slots[w.name].Words = nil
		}
	}
	p.mu.Lock()
	if len(p.analyses) >= maxAnalyses {
		clear(p.analyses)
	}
	p.analyses[s] = a
	p.mu.Unlock()
	return a
}

// joinDecimals joins sentences that were parted inside a decimal number, as
// tokenised text writes it: "rose to 98. 7 points".
func joinDecimals(text string, in []segment.Span) []segment.Span {
	out := in[:0:0]
	for _, s := range in {
		if n := len(out); n > 0 && splitNumber(out[n-1].Of(text), s.Of(text)) {
			out[n-1].End = s.End
			continue
		}
		out = append(out, s)
	}
	return out
}

// splitJoints parts sentences where a caption or a heading runs into a statement
// without a mark between: "selling the mill The ferry carried 120 cars". What
// either negates or doubts is none of the other's.
func splitJoints(text string, in []segment.Span) []segment.Span {
	out := in[:0:0]
	for _, s := range in {
		words := segment.Words(s.Of(text))
		begin, last, start := 0, len(words)-1, s.Start
		for i := 1; i < last; i++ {
			if i-begin < 2 || last-i < 2 || !slot.Joint(s.Of(text), words[i-1], words[i], words[i+1]) {
				continue
			}
			out = append(out, segment.Span{Start: start, End: s.Start + words[i-1].End})
			begin, start = i, s.Start+words[i].Start
		}
		out = append(out, segment.Span{Start: start, End: s.End})
	}
	return out
}

// splitNumber reports whether a ends with one to three digits and a point, and b
// begins with one or two digits and a word in small letters or a mark.
func splitNumber(a, b string) bool {
	n := len(a)
	if n < 3 || a[n-1] != '.' {
		return false
	}
	digits := 0
	for digits < 5 && n-2-digits >= 0 && a[n-2-digits] >= '0' && a[n-2-digits] <= '9' {
		digits++
	}
	if digits == 0 || digits > 3 {
		return false
	}
	k := 0
	for k < len(b) && b[k] >= '0' && b[k] <= '9' {
		k++
	}
	if k == 0 || k > 2 || k >= len(b) {
		return false
	}
	rest := strings.TrimLeft(b[k:], " ")
	return rest != "" && (rest[0] >= 'a' && rest[0] <= 'z' || rest[0] == '%')
}
