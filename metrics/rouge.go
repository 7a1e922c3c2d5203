package metrics

import (
	"math/bits"
	"strings"
)

// Score is precision, recall and their harmonic mean, each in [0,1]. The zero value
// is the score of nothing in common.
type Score struct {
	Precision, Recall, F1 float64
}

// newScore returns the score for a number of hits among what was said and what was
// wanted.
func newScore(hits, said, wanted float64) Score {
	if hits <= 0 || said <= 0 || wanted <= 0 {
		return Score{}
	}
	p, r := hits/said, hits/wanted
	return Score{p, r, 2 * p * r / (p + r)}
}

// ROUGE compares the words of a candidate text with those of a reference (C.-Y. Lin,
// "ROUGE: A Package for Automatic Evaluation of Summaries", 2004, sections 2 and 3.1).
// The zero value gives what Google's rouge-score gives with its stemmer. It is safe
// for concurrent use.
type ROUGE struct {
	// Unstemmed compares words as they are written (in small letters), without
	// Porter's stemmer.
	Unstemmed bool

	// Tokenize cuts a text into the words that are compared; the stemmer is not
	// applied to them. Nil means rouge-score's way: runs of the letters a to z and
	// the digits 0 to 9 of the text in small letters, of which those over three
	// characters are stemmed. It sees nothing of other scripts, so that two Greek
	// texts have the score 0.
	Tokenize func(text string) []string
}

// N is ROUGE-N: the n-grams that both texts have, each as often as both have it. A
// text without an n-gram has the zero Score, and so has n < 1. Time is linear in n
// and in the length of both texts.
func (r ROUGE) N(n int, reference, candidate string) Score {
	return rougeN(n, r.words(reference), r.words(candidate))
}

// L is ROUGE-L of the texts as one sequence each: the longest common subsequence of
// their words. For texts of n and m words the time is in the order of n m / 64 and
// the memory linear.
func (r ROUGE) L(reference, candidate string) Score {
	return rougeL(r.words(reference), r.words(candidate))
}

// All returns ROUGE-1, ROUGE-2 and ROUGE-L, and cuts and stems each text once.
func (r ROUGE) All(reference, candidate string) (one, two, l Score) {
	want, got := r.words(reference), r.words(candidate)
	return rougeN(1, want, got), rougeN(2, want, got), rougeL(want, got)
}

func (r ROUGE) words(text string) []string {
	if r.Tokenize != nil {
		return r.Tokenize(text)
	}
	var out []string
	// Python makes two characters of the Turkish capital I with a dot: i, and a mark
	// that parts words.
	text = strings.ToLower(strings.ReplaceAll(text, "\u0130", "i "))
	for i := 0; i < len(text); {
		if !asciiWord(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && asciiWord(text[i]) {
			i++
		}
		w := text[start:i]
		if !r.Unstemmed && len(w) > 3 {
			w = stem(w)
		}
		out = append(out, w)
	}
	return out
}

func asciiWord(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }

func rougeN(n int, want, got []string) Score {
	if n < 1 {
		return Score{}
	}
	in := newGrams()
	a, b := in.of(n, want), in.of(n, got)
	return newScore(float64(overlap(a, b)), float64(len(b)), float64(len(a)))
}

func rougeL(want, got []string) Score {
	return newScore(float64(commonSubsequence(want, got)), float64(len(got)), float64(len(want)))
}

// grams numbers n-grams, so that equal ones have equal numbers.
type grams struct {
	words map[string]int
	pairs map[[2]int]int // an (n-1)-gram and the word behind it
}

func newGrams() *grams { return &grams{map[string]int{}, map[[2]int]int{}} }

// of returns the numbers of the n-grams of words, in order.
func (g *grams) of(n int, words []string) []int {
	if len(words) < n {
		return nil
	}
	single := make([]int, len(words))
	for i, w := range words {
		id, ok := g.words[w]
		if !ok {
			id = len(g.words) + len(g.pairs)
			g.words[w] = id
		}
		single[i] = id
	}
	out := single
	for k := 1; k < n; k++ {
		longer := make([]int, len(words)-k)
		for i := range longer {
			key := [2]int{out[i], single[i+k]}
			id, ok := g.pairs[key]
			if !ok {
				id = len(g.words) + len(g.pairs)
				g.pairs[key] = id
			}
			longer[i] = id
		}
		out = longer
	}
	return out
}

// overlap is the size of the intersection of two multisets.
func overlap(a, b []int) int {
	count := make(map[int]int, len(a))
	for _, x := range a {
		count[x]++
	}
	n := 0
	for _, x := range b {
		if count[x] > 0 {
			count[x]--
			n++
		}
	}
	return n
}

// commonSubsequence returns the length of the longest common subsequence, 64 words
// of a at a time: M. Crochemore, C. S. Iliopoulos, Y. J. Pinzon and J. F. Reid, "A fast
// and practical bit-vector algorithm for the longest common subsequence problem",
// Information Processing Letters 80, 2001. A zero bit of row marks a word of a with
// which a longer common subsequence ends.
func commonSubsequence(a, b []string) int {
	places := make(map[string][]int)
	for i, w := range a {
		places[w] = append(places[w], i)
	}
	row := make([]uint64, (len(a)+63)/64)
	for i := range row {
		row[i] = ^uint64(0)
	}
	for _, w := range b {
		at := places[w]
		if len(at) == 0 {
			continue
		}
		var carry uint64
		for i := at[0] / 64; i < len(row) && (len(at) > 0 || carry > 0); i++ {
			var match uint64
			for len(at) > 0 && at[0]/64 == i {
				match |= 1 << (at[0] % 64)
				at = at[1:]
			}
			old := row[i]
			var sum uint64
			sum, carry = bits.Add64(old, old&match, carry)
			row[i] = sum | old&^match
		}
	}
	n := 0
	for i, x := range row {
		if rest := len(a) - 64*i; rest < 64 {
			x |= ^uint64(0) << rest
		}
		n += 64 - bits.OnesCount64(x)
	}
	return n
}
