package grapheval

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// bySentence returns the claims of each sentence.
func bySentence(sentences []segment.Span, claims []claim.Claim) [][]claim.Claim {
	out := make([][]claim.Claim, len(sentences))
	for _, c := range claims {
		first, last := sentenceRange(sentences, []segment.Span{c.Sentence})
		for i := first; i <= last; i++ {
			out[i] = append(out[i], c)
		}
	}
	return out
}

// uncovered returns the parts of a sentence that none of its claims states, where
// they say something of their own: a number, a name, or several words with a
// meaning. What an extractor leaves out would otherwise pass unseen, with the
// sentence's other facts supported.
func uncovered(output string, sentence segment.Span, claims []claim.Claim) []segment.Span {
	stated := map[string]bool{}
	var spans []segment.Span
	for _, c := range claims {
		spans = append(spans, c.Spans...)
		for _, w := range segment.Words(c.Text) {
			stated[root(w.Of(c.Text))] = true
		}
	}
	spans = claim.Merge(spans)
	var rest []segment.Span
	words, weight, all := 0, 0, 0
	for _, w := range segment.Words(sentence.Of(output)) {
		w = w.Shift(sentence.Start)
		word := w.Of(output)
		if slot.FunctionWord(strings.ToLower(word)) {
			continue
		}
		all++
		if stated[root(word)] || covers(spans, w) {
			continue
		}
		words++
		weight++
		r, _ := utf8.DecodeRuneInString(word)
		if strings.ContainsFunc(word, unicode.IsDigit) || unicode.IsUpper(r) && w.Start > sentence.Start {
			weight += 2
		}
		// Words that follow each other with little between are one part.
		if k := len(rest) - 1; k >= 0 && !strings.ContainsAny(output[rest[k].End:w.Start], ",;:()") && w.Start-rest[k].End <= 12 {
			rest[k].End = w.End
		} else {
			rest = append(rest, w)
		}
	}
	if weight < 3 || words*4 < all && weight == words {
		return nil
	}
	return rest
}

// covers reports whether one of the spans, ascending and apart, holds w.
func covers(spans []segment.Span, w segment.Span) bool {
	k := sort.Search(len(spans), func(i int) bool { return spans[i].End >= w.End })
	return k < len(spans) && spans[k].Contains(w)
}
