package s3kg

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/embed"
	"github.com/kgeval/kgeval/metrics"
	"github.com/kgeval/kgeval/segment"
)

// Evidence is what speaks for and against two texts saying the same, beside the numbers
// of their graphs. All fields are in [0,1] and the same in either order of the texts.
// In the first group more means more alike, in the second less.
type Evidence struct {
	// Cosine of the texts' embeddings, 0 if negative.
	Cosine float64
	// Sentences is the F1 of the best cosines of each sentence with the other text's; equal
	// to Cosine where both texts are one sentence. Of a
	// text the first 64 sentences are read.
	Sentences float64
	// Tokens is BERTScore's F1 (see metrics.BERTScore) of the first 2 kB of each text; 0, as the next two, without
	// Options.Tokens.
	Tokens float64
	// WeakestEither and WeakestBoth look at the tenth of each text's tokens, at least one,
	// that the other text has least for: the mean of their largest cosines, of the text
	// where that is lower and of the one where it is higher. An added word lowers the
	// first, a word in another's place both.
	WeakestEither, WeakestBoth float64
	// Words, Pairs and Sequence are the F1 of ROUGE-1, ROUGE-2 and ROUGE-L of the first
	// 64 kB of each text.
	Words, Pairs, Sequence float64
	// Content is the F1 of the content words, numbers and names that both have.
	Content float64
	// Length is the smaller number of content words over the larger.
	Length float64
	// Structure and Meaning are the F1 of the graphs' covers, Entities the share of the
	// graphs' entities that were aligned. Where a text has no graph all are Cosine.
	Structure, Meaning, Entities float64

	// Exchanged is the number of content words that either text has for others of the
	// other one, n, over the larger number of content words.
	Exchanged float64
	// ExchangedNames and ExchangedNumbers are n/(n+1) for n names and numbers of which
	// each text has others. What only one text leaves out does not count.
	ExchangedNames, ExchangedNumbers float64
	// LeftOutNames and LeftOutNumbers are n/(n+1) for the names and numbers that one text
	// has more of than the other, beyond those exchanged.
	LeftOutNames, LeftOutNumbers float64
	// Denied is 1 if one text is negated once more than the other, or one has a word and
	// the other its opposite (see Conflict), else 0.
	Denied float64
	// Reordered is 1 less the factor for the order of words (see CompareTexts).
	Reordered float64
	// Contradicted is n/(n+1) for n facts that the other graph reverses or denies.
	Contradicted float64
}

// TextModel blends Evidence into one score: the logistic function of
//
//	Bias + sum of Weights times Evidence
//
// that is, how probable it is that two texts say the same where half of all pairs do.
// Weights that were learnt with one embedder mean little with another.
type TextModel struct {
	Bias    float64
	Weights Evidence
}

// Score returns the blend, strictly between 0 and 1.
func (m TextModel) Score(e Evidence) float64 {
	x := m.Bias
	w, v := m.Weights.list(), e.list()
	for i := range w {
		x += *w[i] * *v[i]
	}
	return 1 / (1 + math.Exp(-max(-30, min(30, x))))
}

// list returns the fields in order.
func (e *Evidence) list() []*float64 {
	return []*float64{
		&e.Cosine, &e.Sentences, &e.Tokens, &e.WeakestEither, &e.WeakestBoth, &e.Words, &e.Pairs, &e.Sequence, &e.Content, &e.Length, &e.Structure, &e.Meaning, &e.Entities,
		&e.Exchanged, &e.ExchangedNames, &e.ExchangedNumbers, &e.LeftOutNames, &e.LeftOutNumbers, &e.Denied, &e.Reordered, &e.Contradicted,
	}
}

// sum names the weights, for results.
func (m TextModel) sum() string {
	h := fnv.New32a()
	fmt.Fprint(h, m.Bias)
	for _, w := range m.Weights.list() {
		fmt.Fprint(h, " ", *w)
	}
	return fmt.Sprintf("%08x", h.Sum32())
}

// valid reports whether all weights are finite.
func (m TextModel) valid() bool {
	sum := m.Bias
	for _, w := range m.Weights.list() {
		sum += *w
	}
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// evidence collects what speaks for and against two texts; r is the result of their
// graphs.
func (s *Scorer) evidence(ctx context.Context, r *Result, a, b string) (Evidence, error) {
	var e Evidence
	sa, sb := sentences(a), sentences(b)
	a, b = strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " ")
	texts := slices.Concat([]string{a, b}, sa, sb)
	slices.Sort(texts)
	vectors, err := s.embed(ctx, slices.Compact(texts))
	if err != nil {
		return e, err
	}
	cosine := func(x, y string) float64 { return max(0, min(1, embed.Cosine(vectors[x], vectors[y]))) }
	e.Cosine = cosine(a, b)
	e.Sentences = harmonic(bestOf(sa, sb, cosine), bestOf(sb, sa, cosine))
	if s.opts.Tokens != nil {
		m, err := metrics.TokenMatches(ctx, s.opts.Tokens, []metrics.TextPair{{Reference: start(a, maxEncoded), Candidate: start(b, maxEncoded)}})
		if err != nil {
			if ctx.Err() != nil {
				return e, ctx.Err()
			}
			return e, &EmbedError{s.opts.Tokens.ID(), err}
		}
		e.Tokens = m[0].Score().F1
		x, y := weakest(m[0].Reference), weakest(m[0].Candidate)
		e.WeakestEither, e.WeakestBoth = min(x, y), max(x, y)
	}
	one, two, l := metrics.ROUGE{}.All(start(a, maxCompared), start(b, maxCompared))
	e.Words, e.Pairs, e.Sequence = one.F1, two.F1, l.F1

	x, y := readContent(a), readContent(b)
	x.compare(y, &e)
	e.Reordered = 1 - orderFactor(a, b)

	if r.Fallback {
		e.Structure, e.Meaning, e.Entities = e.Cosine, e.Cosine, e.Cosine
	} else {
		e.Structure, e.Meaning = r.F1.Structure, r.F1.Meaning
		if n := r.entities; n > 0 {
			e.Entities = 2 * float64(len(r.Entities)) / float64(n)
		}
		n := 0
		for _, m := range r.Matches {
			if m.Class == Opposite || m.Class == Reversed {
				n++
			}
		}
		e.Contradicted = saturated(n)
	}
	for _, f := range e.list() {
		*f = round(max(0, min(1, *f)))
	}
	return e, ctx.Err()
}

// maxCompared bounds the bytes of a text whose sequence of words is compared, maxEncoded
// those whose tokens are compared, each with each.
const (
	maxCompared = 1 << 16
	maxEncoded  = 1 << 11
)

// start returns the first bytes of a text, most at most.
func start(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

// weakest returns the mean of the lowest tenth of x.
func weakest(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	x = slices.Sorted(slices.Values(x))[:(len(x)+9)/10]
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// maxSentences bounds the sentences of a text that are embedded on their own.
const maxSentences = 64

func sentences(text string) []string {
	var out []string
	for _, s := range segment.Sentences(text) {
		if t := strings.Join(strings.Fields(text[s.Start:s.End]), " "); t != "" {
			if out = append(out, t); len(out) == maxSentences {
				break
			}
		}
	}
	return out
}

// bestOf returns the mean, over x, of the largest cosine with one of y.
func bestOf(x, y []string, cosine func(x, y string) float64) float64 {
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	sum := 0.0
	for _, s := range x {
		best := 0.0
		for _, t := range y {
			best = max(best, cosine(s, t))
		}
		sum += round(best) // exact in any order
	}
	return sum / float64(len(x))
}

// saturated returns n/(n+1): the first counts most.
func saturated(n int) float64 { return float64(n) / float64(n+1) }

type contentKind int

const (
	contentWord contentKind = iota
	contentName
	contentNumber
)

// content holds how often a text has each content word, number and name, by root.
type content struct {
	count   map[string]int
	kind    map[string]contentKind
	size    int
	negated int
}

// readContent reads the words of a text: numbers in plain form, names (in capitals inside
// a sentence, or letters with digits), other words but those of grammar by their roots.
func readContent(text string) content {
	c := content{count: map[string]int{}, kind: map[string]contentKind{}}
	opening := true // of a sentence
	for w := range strings.FieldsSeq(text) {
		ends := strings.ContainsAny(w[len(w)-1:], ".!?:")
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if w == "" {
			continue
		}
		lower := strings.ToLower(w)
		lower = strings.TrimSuffix(strings.TrimSuffix(lower, "'s"), "’s")
		first, _ := utf8.DecodeRuneInString(w)
		digits, letters := strings.IndexFunc(w, unicode.IsDigit) >= 0, strings.IndexFunc(w, unicode.IsLetter) >= 0
		add := func(key string, kind contentKind) {
			c.count[key]++
			c.size++
			if kind > c.kind[key] {
				c.kind[key] = kind
			}
		}
		switch {
		case isNegation(lower):
			c.negated++
		case digits && !letters:
			n, _ := numbersIn(w)
			for _, k := range n {
				add(k, contentNumber)
			}
		case cardinals[lower] != "" && lower != "one":
			add(cardinals[lower], contentNumber)
		case digits:
			add(lower, contentName)
		case grammar[lower] || roleWords[lower] != "" || listWords[lower]:
		case unicode.IsUpper(first) && !opening:
			add(rootOf(lower), contentName)
		default:
			add(rootOf(lower), contentWord)
		}
		opening = ends
	}
	return c
}

// maxUnlike bounds the words that are looked up as opposites of each other.
const maxUnlike = 64

// compare fills in what the content of two texts says.
func (c content) compare(d content, e *Evidence) {
	common := 0
	only := func(x, y content) (n [3]int, words []string) {
		for k, i := range x.count {
			if left := i - y.count[k]; left > 0 {
				n[max(x.kind[k], y.kind[k])] += left
				words = append(words, k)
			}
		}
		slices.Sort(words)
		return n, words[:min(len(words), maxUnlike)]
	}
	for k, i := range c.count {
		common += min(i, d.count[k])
	}
	x, wordsX := only(c, d)
	y, wordsY := only(d, c)
	if c.size+d.size > 0 {
		e.Content = 2 * float64(common) / float64(c.size+d.size)
		e.Length = float64(min(c.size, d.size)) / float64(max(c.size, d.size))
		e.Exchanged = float64(min(c.size, d.size)-common) / float64(max(c.size, d.size))
	}
	exchanged := func(k contentKind) float64 { return saturated(min(x[k], y[k])) }
	leftOut := func(k contentKind) float64 { return saturated(max(x[k], y[k]) - min(x[k], y[k])) }
	e.ExchangedNames, e.LeftOutNames = exchanged(contentName), leftOut(contentName)
	e.ExchangedNumbers, e.LeftOutNumbers = exchanged(contentNumber), leftOut(contentNumber)
	if (c.negated-d.negated)%2 != 0 {
		e.Denied = 1
		return
	}
	for _, s := range wordsX {
		for _, t := range wordsY {
			if opposite(s, t) {
				e.Denied = 1
				return
			}
		}
	}
}
