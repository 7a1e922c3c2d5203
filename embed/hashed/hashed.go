// Package hashed holds an embedder that needs no model: it hashes a text's words
// and the pieces of its words into a vector of fixed length.
//
// It measures spelling, not meaning. "Marie Curie" is near "M. Curie" and "works
// for" is near "worked for", while "works for" is as far from "is employed by" as
// from anything, and "Austria" is nearer to "Australia" than to "Österreich". It
// is for work without a model: tests, first steps, labels that repeat each other
// in other inflections, as those of two graphs of one text mostly do. Where
// meaning counts, give a trained embedder in its place.
package hashed

import (
	"context"
	"math"

	"github.com/kgeval/kgeval/embed"
)

// Dimensions is the length of the vectors.
const Dimensions = 1024

// id names the method; the number rises with each change of any vector.
const id = "hashed-ngram-1024/2"

// Embedder hashes texts into vectors. The zero value is ready for use. It is
// stateless, safe for concurrent use, and takes time linear in the text.
//
// A text is brought to compatibility form (NFKD) without the accents of European
// scripts, case-folded, and split into words: runs of letters, marks and digits,
// split again where a small letter meets a capital ("hasTarget") and between a
// digit and a letter that is not ("RS3"). Each word is cut back to its stem by a
// few rules for English endings. Its features are the stem, the stem's pieces of
// 3 and 4 characters with the word's borders marked, or, in scripts that put no
// blanks between words, its single characters and pairs of them; and each pair of
// neighbouring stems. The pieces of a word have together the norm 1, the whole
// word 0.3 and a pair of words 1/8; function words of English weigh a fifth of
// others. A feature that occurs
// n times counts sqrt(n) times. Each is added to one of the 1024 dimensions with a
// sign (feature hashing: Weinberger et al., "Feature Hashing for Large Scale
// Multitask Learning", ICML 2009), place and sign from the 64-bit FNV-1a hash of
// its bytes, mixed; then the vector is scaled to unit norm. All sums are of
// integers, so that the same text gives the same bits on every machine.
//
// Signs that change what they stand beside are words of their own: currency signs,
// % and °, mathematical symbols but arrows, < > =, + and # behind a letter or
// digit, - behind a short word ("A-") or in front of a number, ' and " behind a
// number ("5'") if no quotation is open. All other marks count for nothing.
//
// A text without any letter, digit or sign is hashed as its characters that are not
// white space; blanks alone, and the empty text, give the zero vector.
type Embedder struct{}

var _ embed.Thresholder = Embedder{}

// New returns the embedder.
func New() Embedder { return Embedder{} }

// ID names the method and its version.
func (Embedder) ID() string { return id }

// Embed returns the vectors of texts; see Embedder. The error is the context's.
func (Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vectors[i] = vector(t)
	}
	return vectors, nil
}

// Weights are integers in units of 1/one, so that sums are exact in any order.
const (
	one            = 1 << 16
	functionWeight = one / 5      // of a function word, beside other words
	wordWeight     = one * 3 / 10 // of a whole word, beside its pieces
	pairWeight     = one / 8
)

// Kinds of features, hashed in front of their text.
const (
	wordFeature  = 'w'
	pieceFeature = 'p'
	pairFeature  = '2'
)

func vector(text string) []float32 {
	type count struct {
		n      int
		weight int64
	}
	features := map[uint64]count{}
	add := func(kind byte, a, b string, weight int64) {
		h := hash(kind, a, b)
		c := features[h]
		c.n++
		c.weight += weight
		features[h] = c
	}
	previous := ""
	eachWord(text, func(w word) {
		weight := int64(one)
		if w.function {
			weight = functionWeight
		}
		add(wordFeature, w.stem, "", weight*wordWeight/one)
		if n := w.pieces(func(string) {}); n > 0 {
			each := weight * one / int64(math.Sqrt(float64(n))*one)
			w.pieces(func(p string) { add(pieceFeature, p, "", each) })
		}
		if previous != "" {
			add(pairFeature, previous, w.stem, pairWeight)
		}
		previous = w.stem
	})

	var sums [Dimensions]int64
	for h, c := range features {
		// n occurrences of mean weight w count sqrt(n)*w. The square root is
		// exact to the last bit everywhere; the division truncates integers.
		w := c.weight
		if c.n > 1 {
			w = w * one / int64(math.Sqrt(float64(c.n))*one)
		}
		if h>>63 == 1 {
			w = -w
		}
		sums[h%Dimensions] += w
	}
	var norm float64
	for _, s := range sums {
		norm += float64(float64(s) * float64(s))
	}
	v := make([]float32, Dimensions)
	if norm == 0 {
		if len(features) > 0 { // features that cancel each other
			v[hash(wordFeature, text, "")%Dimensions] = 1
		}
		return v
	}
	norm = math.Sqrt(norm)
	for i, s := range sums {
		v[i] = float32(float64(s) / norm)
	}
	return v
}

// hash is FNV-1a over kind, a, a separator and b, then the finaliser of
// splitmix64, since the low bits of FNV-1a are weak for short texts.
func hash(kind byte, a, b string) uint64 {
	const prime = 1099511628211
	h := uint64(14695981039346656037)
	h = (h ^ uint64(kind)) * prime
	for i := range len(a) {
		h = (h ^ uint64(a[i])) * prime
	}
	h = (h ^ 0xff) * prime // no byte of UTF-8
	for i := range len(b) {
		h = (h ^ uint64(b[i])) * prime
	}
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
