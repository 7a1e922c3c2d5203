package graphcorrect

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
)

// RejectedError says that what a model wrote is no correction of one claim alone:
// it was read, and not used.
type RejectedError struct {
	// Step is 1 for the correction of the triple, 2 for the rewriting.
	Step int
	// Reason says in words what is wrong with it.
	Reason string
	// Raw is what the model wrote.
	Raw string
	// Err is the reader's error, if the reply could not be read.
	Err error
}

// Error says the step and the reason.
func (e *RejectedError) Error() string {
	return fmt.Sprintf("step %d was rejected: %s", e.Step, e.Reason)
}

// Unwrap returns Err.
func (e *RejectedError) Unwrap() error { return e.Err }

// sameTriple reports whether two triples differ in nothing but case and blanks.
func sameTriple(a, b kg.Triple) bool {
	return sameLabel(a.Head, b.Head) && sameLabel(a.Relation, b.Relation) && sameLabel(a.Tail, b.Tail)
}

func sameLabel(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}

// related reports whether b can be a correction of a: they share a word of their
// heads and tails.
func related(a, b kg.Triple) bool {
	words := func(t kg.Triple) map[string]bool {
		m := make(map[string]bool)
		for _, l := range []string{t.Head, t.Tail} {
			for _, w := range segment.Words(l) {
				m[strings.ToLower(w.Of(l))] = true
			}
		}
		return m
	}
	x := words(a)
	for w := range words(b) {
		if x[w] {
			return true
		}
	}
	return len(x) == 0
}

// sentencesOf returns the sentences of text that state c, merged.
func sentencesOf(text string, c claim.Claim) []segment.Span {
	own := []segment.Span{c.Sentence}
	for _, s := range segment.Sentences(text) {
		if slices.ContainsFunc(c.Spans, s.Overlaps) {
			own = append(own, s)
		}
	}
	var in []segment.Span
	for _, s := range own {
		if s.Start >= 0 && s.End <= len(text) {
			in = append(in, s)
		}
	}
	return claim.Merge(in)
}

// changes returns the edits that turn text into rewritten, if they put claim c
// right and touch nothing else; else why not.
func changes(text, rewritten string, c claim.Claim) (edits []claim.Edit, reason string) {
	allowed := sentencesOf(text, c)
	if len(allowed) == 0 {
		return nil, "the claim has no sentence in the text"
	}
	for _, e := range diff(text, rewritten) {
		if slices.ContainsFunc(allowed, func(s segment.Span) bool { return inside(s, e.Span) }) {
			edits = append(edits, e)
			continue
		}
		if sameButForm(e.Span.Of(text), e.New) {
			continue // blanks and quotes: the old ones stay
		}
		return nil, fmt.Sprintf("it changes text outside the claim's sentence: %q to %q", short(e.Span.Of(text)), short(e.New))
	}
	out, sorted, err := Apply(text, edits)
	switch {
	case err != nil:
		return nil, err.Error()
	case !slices.ContainsFunc(sorted, func(e claim.Edit) bool { return !sameButForm(e.Old, e.New) }):
		return nil, "it changes nothing"
	}
	for _, s := range allowed {
		was, is := s.Of(text), moved(s, sorted).Of(out)
		switch n := len(segment.Sentences(is)); {
		case n == 0:
			return nil, "it takes the sentence out"
		case n > len(segment.Sentences(was)):
			return nil, "it adds a sentence"
		case len(is) > 2*len(was)+80:
			return nil, "it makes the sentence more than twice as long"
		}
	}
	return edits, ""
}

// inside reports whether the edit of span e lies in the sentence s. What is
// inserted at its end is behind it, at its start before it.
func inside(s, e segment.Span) bool {
	if e.Empty() {
		return s.Start < e.Start && e.Start < s.End
	}
	return s.Contains(e)
}

// sameButForm reports whether two texts differ in white space and the form of
// quotes and dashes only.
func sameButForm(a, b string) bool { return plainForm(a) == plainForm(b) }

func plainForm(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return -1
		case strings.ContainsRune("“”„«»", r):
			return '"'
		case strings.ContainsRune("‘’", r):
			return '\''
		case unicode.Is(unicode.Pd, r):
			return '-'
		}
		return r
	}, s)
}

func short(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	n := most
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// maxDiff bounds the product of the numbers of tokens that are compared one by
// one; what is longer is one edit.
const maxDiff = 4_000_000

// diff returns edits that turn a into b: words, marks and runs of blanks that both
// have, in a longest common sequence, stay.
func diff(a, b string) []claim.Edit {
	if a == b {
		return nil
	}
	whole, y := tokens(a), tokens(b)
	x := whole
	from := 0
	for from < len(x) && from < len(y) && x[from].Of(a) == y[from].Of(b) {
		from++
	}
	endX, endY := len(x), len(y)
	for endX > from && endY > from && x[endX-1].Of(a) == y[endY-1].Of(b) {
		endX, endY = endX-1, endY-1
	}
	x, y = x[from:endX], y[from:endY]
	start := 0 // where a has nothing left: behind the common part
	if from > 0 {
		start = whole[from-1].End
	}
	var edits []claim.Edit
	add := func(i, j, k, l int) { // x[i:j] becomes y[k:l]
		e := claim.Edit{}
		switch {
		case i == j && k == l:
			return
		case i < j:
			e.Span = segment.Span{Start: x[i].Start, End: x[j-1].End}
		case i < len(x):
			e.Span = segment.Span{Start: x[i].Start, End: x[i].Start}
		case len(x) > 0:
			e.Span = segment.Span{Start: x[i-1].End, End: x[i-1].End}
		default:
			e.Span = segment.Span{Start: start, End: start}
		}
		if k < l {
			e.New = b[y[k].Start:y[l-1].End]
		}
		edits = append(edits, e)
	}
	if len(x)*len(y) > maxDiff {
		add(0, len(x), 0, len(y))
		return edits
	}
	// Longest common sequence, from the ends.
	w := len(y) + 1
	best := make([]int32, (len(x)+1)*w)
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i].Of(a) == y[j].Of(b) {
				best[i*w+j] = best[(i+1)*w+j+1] + 1
			} else {
				best[i*w+j] = max(best[(i+1)*w+j], best[i*w+j+1])
			}
		}
	}
	i, j, fromX, fromY := 0, 0, 0, 0
	for i < len(x) && j < len(y) {
		switch {
		case x[i].Of(a) == y[j].Of(b):
			add(fromX, i, fromY, j)
			i, j = i+1, j+1
			fromX, fromY = i, j
		case best[(i+1)*w+j] >= best[i*w+j+1]:
			i++
		default:
			j++
		}
	}
	add(fromX, len(x), fromY, len(y))
	return joinEdits(a, edits)
}

// joinEdits makes one of neighbouring edits that have only blanks between them.
func joinEdits(text string, edits []claim.Edit) []claim.Edit {
	var out []claim.Edit
	for _, e := range edits {
		if n := len(out); n > 0 {
			between := text[out[n-1].Span.End:e.Span.Start]
			if strings.TrimSpace(between) == "" {
				out[n-1].Span.End = e.Span.End
				out[n-1].New += between + e.New
				continue
			}
		}
		out = append(out, e)
	}
	return out
}

// tokens cuts text into words, runs of blanks and single marks; together they are
// the text.
func tokens(text string) []segment.Span {
	var out []segment.Span
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		kind := class(r)
		end := i + n
		for end < len(text) && kind != 0 {
			r, m := utf8.DecodeRuneInString(text[end:])
			if class(r) != kind {
				break
			}
			end += m
		}
		out = append(out, segment.Span{Start: i, End: end})
		i = end
	}
	return out
}

func class(r rune) int {
	switch {
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		return 1
	case unicode.IsSpace(r):
		return 2
	}
	return 0
}
