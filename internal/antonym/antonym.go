// Package antonym holds the English words that s3kg knows to exclude each other,
// and says which words are kept for testing it, so that a test of antonyms never asks
// for a word that the product was given.
package antonym

import (
	_ "embed"
	"iter"
	"strings"
)

// wordNet holds half of the pairs of verbs that WordNet 3.0 calls antonyms. The pairs that
// are left out share no word with these: pairs that are joined by a word, over
// any number of others, went to one half, by the hash (32-bit FNV-1a, even) of the
// first word among them in the alphabet. WORDNET_LICENSE is their licence.
//
//go:embed wordnet.tsv
var wordNet string

// WordNet gives the pairs of verbs, in dictionary form, that are half of those which WordNet
// 3.0 calls antonyms.
func WordNet() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for line := range strings.Lines(wordNet) {
			if a, b, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && !yield(a, b) {
				return
			}
		}
	}
}

// Listed gives the pairs of the list of our own, in the forms in which they stand there.
func Listed() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for p := range strings.SplitSeq(listed, ",") {
			if f := strings.Fields(p); len(f) == 2 && !yield(f[0], f[1]) {
				return
			}
		}
	}
}

// Known reports whether a word, in dictionary form, is in one of the lists.
func Known(word string) bool { return known[word] }

var known = func() map[string]bool {
	m := map[string]bool{}
	for _, list := range [...]iter.Seq2[string, string]{WordNet(), Listed()} {
		for a, b := range list {
			m[a], m[b] = true, true
		}
	}
	return m
}()
