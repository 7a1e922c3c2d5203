package metrics

import (
	"math"
	"regexp"
	"strings"
)

// BLEU compares the n-grams of a candidate sentence, n from 1 to 4, with those of a
// reference (K. Papineni et al., "BLEU: a Method for Automatic Evaluation of Machine
// Translation", ACL 2002). The zero value gives what sacrebleu gives for a sentence,
// divided by 100: its tokenizer 13a, exponential smoothing, effective order. It is
// safe for concurrent use.
type BLEU struct {
	// Lowercase compares words in small letters; sacrebleu keeps the case by
	// default.
	Lowercase bool

	// Tokenize cuts a text into words. Nil means the tokenizer 13a, for languages
	// that put blanks between words.
	Tokenize func(text string) []string
}

// bleuOrder is the longest n-gram.
const bleuOrder = 4

// Sentence returns the BLEU of candidate, in [0,1]: the geometric mean of the
// precisions of its n-grams times the brevity penalty exp(1-r/c) of a candidate of c
// words for a reference of r > c. n-grams longer than the candidate are left out
// (effective order); the k-th precision that is zero counts as 1/2^k of one n-gram
// (B. Chen and C. Cherry, "A Systematic Comparison of Smoothing Techniques for
// Sentence-Level BLEU", WMT 2014, method 3). Without a common word it is 0. Time is
// linear in the length of both.
func (b BLEU) Sentence(reference, candidate string) float64 {
	want, got := b.words(reference), b.words(candidate)
	if len(got) == 0 {
		return 0
	}
	in := newGrams()
	logs, order, smoothing := 0.0, 0, 1.0
	for n := 1; n <= bleuOrder; n++ {
		said := in.of(n, got)
		if len(said) == 0 {
			break
		}
		order++
		hits := float64(overlap(in.of(n, want), said))
		if hits == 0 {
			if n == 1 {
				return 0 // no longer n-gram can match either
			}
			smoothing *= 2
			hits = 1 / smoothing
		}
		logs += math.Log(hits / float64(len(said)))
	}
	penalty := 0.0
	if len(got) < len(want) {
		penalty = 1 - float64(len(want))/float64(len(got))
	}
	return min(1, math.Exp(penalty+logs/float64(order)))
}

func (b BLEU) words(text string) []string {
	if b.Lowercase {
		text = strings.ToLower(text)
	}
	if b.Tokenize != nil {
		return b.Tokenize(text)
	}
	return tokenize13a(text)
}

var (
	// In this order: "&amp;lt;" becomes "<".
	entities13a = [...][2]string{{"&quot;", `"`}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}}
	rules13a    = []struct {
		find    *regexp.Regexp
		replace string
	}{
		{regexp.MustCompile("([{-~\\[-` -&(-+:-@/])"), " ${1} "},
		{regexp.MustCompile(`([^0-9])([.,])`), "${1} ${2} "},
		{regexp.MustCompile(`([.,])([^0-9])`), " ${1} ${2}"},
		{regexp.MustCompile(`([0-9])(-)`), "${1} ${2} "},
	}
)

// tokenize13a is the tokenizer of mteval-v13a: marks stand alone, but for those
// inside numbers, apostrophes, and hyphens between letters.
func tokenize13a(text string) []string {
	text = strings.TrimRight(text, " \t\n\v\f\r\x1c\x1d\x1e\x1f\u0085\u00a0")
	text = strings.ReplaceAll(text, "<skipped>", "")
	text = strings.ReplaceAll(text, "-\n", "")
	text = strings.ReplaceAll(text, "\n", " ")
	for _, e := range entities13a {
		text = strings.ReplaceAll(text, e[0], e[1])
	}
	text = " " + text + " "
	for _, r := range rules13a {
		text = r.find.ReplaceAllString(text, r.replace)
	}
	return strings.Fields(text)
}
