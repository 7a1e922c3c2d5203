package nli

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

// Passages finds, of several passages, those that share most words with a
// hypothesis: a cheap guess at where a model should look. A word weighs less the
// more passages have it, so that "the" decides little; words are compared in lower
// case by their first six letters, so that most forms of a word meet. It is
// read-only and safe for concurrent use.
type Passages struct {
	count int
	in    map[string][]int32 // passages that have a word, ascending
}

// NewPassages makes the index of texts, in time linear in their length.
func NewPassages(texts []string) *Passages {
	p := &Passages{count: len(texts), in: map[string][]int32{}}
	for i, t := range texts {
		for _, w := range segment.Words(t) {
			k := start(w.Of(t))
			if at := p.in[k]; len(at) == 0 || at[len(at)-1] != int32(i) {
				p.in[k] = append(at, int32(i))
			}
		}
	}
	return p
}

// Nearest returns the positions of the n passages that share most with the
// hypothesis, those that share most first, the earlier of equals first. Passages
// that share nothing are left out.
func (p *Passages) Nearest(hypothesis string, n int) []int {
	weight := make([]float64, p.count)
	var order []int
	seen := map[string]bool{}
	for _, w := range segment.Words(hypothesis) {
		k := start(w.Of(hypothesis))
		if seen[k] {
			continue
		}
		seen[k] = true
		at := p.in[k]
		for _, i := range at {
			if weight[i] == 0 {
				order = append(order, int(i))
			}
			weight[i] += 1 / float64(len(at))
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a, b))
	})
	return order[:max(0, min(n, len(order)))]
}

// start is what words are compared by.
func start(word string) string {
	word = strings.ToLower(word)
	end := 0
	for range 6 {
		_, n := utf8.DecodeRuneInString(word[end:])
		end += n
	}
	return word[:end]
}
