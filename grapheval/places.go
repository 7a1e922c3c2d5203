package grapheval

import (
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

// places tells where in the output a part of a claim's hypothesis stands. The
// hypothesis may differ from the output's sentence: pronouns resolved, words
// left out, clauses made sentences.
type places struct {
	hypothesis string
	output     string
	region     segment.Span   // the sentence in the output
	words      []segment.Span // of the hypothesis
	aligned    []segment.Span // for each word its place in the output; zero: none
}

// maxAligned bounds the work of aligning two sentences, in pairs of words.
const maxAligned = 1 << 20

// maxRegion bounds a sentence that is aligned, in bytes: many claims may stand in
// one.
const maxRegion = 1 << 16

// newPlaces aligns a hypothesis about c with the sentence that states c.
func newPlaces(c claim.Claim, hypothesis, output string) places {
	p := places{hypothesis: hypothesis, output: output, region: c.Sentence}
	if p.region.Empty() && len(c.Spans) > 0 {
		p.region = c.Spans[0].Union(c.Spans[len(c.Spans)-1])
	}
	if !inside(p.region, output) || p.region.Len() > maxRegion {
		return p
	}
	p.words = segment.Words(hypothesis)
	there := segment.Words(p.region.Of(output))
	for i := range there {
		there[i] = there[i].Shift(p.region.Start)
	}
	p.aligned = make([]segment.Span, len(p.words))
	if len(p.words)*len(there) > maxAligned {
		return p
	}
	// The common subsequence of the two sentences' words with the greatest
	// weight. A word inside the claim's own spans counts more, so that of two
	// equal names the one that the claim is about is taken.
	n, m := len(p.words), len(there)
	score := make([][]int32, n+1)
	for i := range score {
		score[i] = make([]int32, m+1)
	}
	weight := func(i, j int) int32 {
		if !strings.EqualFold(p.words[i].Of(hypothesis), there[j].Of(output)) {
			return 0
		}
		for _, s := range c.Spans {
			if s.Contains(there[j]) {
				return 3
			}
		}
		return 2
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			score[i][j] = max(score[i+1][j], score[i][j+1])
			if w := weight(i, j); w > 0 {
				score[i][j] = max(score[i][j], score[i+1][j+1]+w)
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		w := weight(i, j)
		switch {
		case w > 0 && score[i][j] == score[i+1][j+1]+w:
			p.aligned[i] = there[j]
			i, j = i+1, j+1
		case score[i][j] == score[i+1][j]:
			i++
		default:
			j++
		}
	}
	return p
}

// find returns where the part s of the hypothesis stands in the output, or the
// zero Span when it does not stand there as such.
func (p places) find(s segment.Span) segment.Span {
	if !inside(s, p.hypothesis) || !inside(p.region, p.output) {
		return segment.Span{}
	}
	part := s.Of(p.hypothesis)
	if p.region.Of(p.output) == p.hypothesis {
		return s.Shift(p.region.Start)
	}
	// By the alignment of its words: they must stand next to each other.
	var place segment.Span
	first, last, whole := -1, -1, true
	for i, w := range p.words {
		if !w.Overlaps(s) {
			continue
		}
		if p.aligned[i].Empty() {
			whole = false
			break
		}
		if first < 0 {
			first = i
		}
		last = i
	}
	if whole && first >= 0 {
		place = p.aligned[first].Union(p.aligned[last])
		// What of s lies outside words (a currency sign, a per cent sign).
		place.Start -= common(p.hypothesis[s.Start:max(p.words[first].Start, s.Start)], p.output[p.region.Start:place.Start], true)
		place.End += common(p.hypothesis[min(p.words[last].End, s.End):s.End], p.output[place.End:p.region.End], false)
		if place.Len() <= 2*len(part)+8 {
			return place
		}
	}
	// By its text, at word borders.
	if at := findWord(p.region.Of(p.output), part); at >= 0 {
		at += p.region.Start
		return segment.Span{Start: at, End: at + len(part)}
	}
	return segment.Span{}
}

// common returns the length of edge if text has it next to the place: at its end
// when before, else at its start; otherwise 0.
func common(edge, text string, before bool) int {
	if before && strings.HasSuffix(text, edge) || !before && strings.HasPrefix(text, edge) {
		return len(edge)
	}
	return 0
}

// findWord returns the offset of the first place where part stands in text
// between word borders, or -1.
func findWord(text, part string) int {
	if part == "" {
		return -1
	}
	for from := 0; ; {
		k := strings.Index(text[from:], part)
		if k < 0 {
			return -1
		}
		at := from + k
		if !cutsWord(text, at) && !cutsWord(text, at+len(part)) {
			return at
		}
		from = at + 1
	}
}

// cutsWord reports whether the offset lies inside a word of text. It looks no
// farther than 64 bytes.
func cutsWord(text string, at int) bool {
	from, to := max(at-64, 0), min(at+64, len(text))
	for from < at && !onRune(text, from) {
		from++
	}
	for to > at && !onRune(text, to) {
		to--
	}
	for _, w := range segment.Words(text[from:to]) {
		if w.Start+from < at && at < w.End+from {
			return true
		}
	}
	return false
}
