package numeric

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

// Options say how numbers are read. The zero value reads English digits.
type Options struct {
	// Style is the form of digits in the claims and in the sources.
	Style Style
	// Sources, if not nil, is the form of digits in the sources where it differs.
	Sources *Style
}

// Evidence is an index of the numbers of some sources and of the words around
// them. It is immutable and safe for concurrent use.
type Evidence struct {
	style     Style
	texts     []string
	sentences []sentence
	stems     map[string]int32
	in        [][]int32          // sentences that hold a stem, ascending
	values    map[string][]int32 // sentences that state a value, by its key
	numbers   int                // that were read
	truncated bool               // more than maxNumbers
}

// The bounds of what is read.
const (
	// pieceBytes bounds how much of a text is read at once, so that a long one can
	// be cancelled and is not held in tokens as a whole.
	pieceBytes = 1 << 14
	// maxNumbers bounds the numbers of the evidence, and with it the memory: about
	// 200 MB. Beyond it nothing is contradicted, since what is not read may support.
	maxNumbers = 400_000
	// maxSentence and maxQuantities bound what is taken for one sentence: a longer
	// one, such as a table without points, is cut.
	maxSentence   = 2000
	maxQuantities = 48
)

// sentence is one sentence of the evidence, or of a claim.
type sentence struct {
	source     int
	span       segment.Span
	words      []word
	quantities []Quantity
}

// word is one word of a sentence that carries meaning.
type word struct {
	stem  int32 // -1: not in the evidence
	token int   // its position, counted in tokens of the text
	name  bool  // capital, not at the beginning of its sentence
}

// Prepare reads the sources. Its time is linear in their length, and so is its
// memory, up to 400,000 numbers; later ones are not read, and then no number is
// contradicted. It fails with the context's error only.
func Prepare(ctx context.Context, sources []string, o Options) (*Evidence, error) {
	e := &Evidence{style: o.Style, texts: slices.Clone(sources), stems: map[string]int32{}, values: map[string][]int32{}}
	style := o.Style
	if o.Sources != nil {
		style = *o.Sources
	}
	for i, text := range sources {
		// A sentence at a time would lose the numbers that a point cuts.
		for _, part := range pieces(text) {
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("numeric: %w", err)
			}
			e.add(i, text, part, style)
		}
	}
	return e, nil
}

// pieces cuts text at line or sentence ends into parts of some length.
func pieces(text string) []segment.Span {
	var out []segment.Span
	for b := 0; b < len(text); {
		e := min(b+pieceBytes, len(text))
		if e < len(text) {
			cut := max(strings.LastIndexByte(text[b:e], '\n'), strings.LastIndex(text[b:e], ". "))
			if cut < 0 {
				cut = strings.LastIndexByte(text[b:e], ' ')
			}
			if cut > 0 {
				e = b + cut + 1
			}
			for e < len(text) && !utf8.RuneStart(text[e]) {
				e++
			}
		}
		out = append(out, segment.Span{Start: b, End: e})
		b = e
	}
	return out
}

// add reads one part of a source.
func (e *Evidence) add(source int, text string, part segment.Span, style Style) {
	p := parse(part.Of(text), style)
	intern := func(stem string) int32 {
		id, ok := e.stems[stem]
		if !ok {
			id = int32(len(e.in))
			e.stems[stem] = id
			e.in = append(e.in, nil)
		}
		return id
	}
	for _, s := range p.sentences(intern) {
		n := int32(len(e.sentences))
		s.source = source
		s.span.Start, s.span.End = s.span.Start+part.Start, s.span.End+part.Start
		if e.numbers += len(s.quantities); e.numbers > maxNumbers {
			e.truncated, s.quantities = true, nil
		}
		for k := range s.quantities {
			q := &s.quantities[k]
			q.Span.Start, q.Span.End = q.Span.Start+part.Start, q.Span.End+part.Start
			key := q.key()
			if at := e.values[key]; len(at) == 0 || at[len(at)-1] != n {
				e.values[key] = append(at, n)
			}
		}
		for _, w := range s.words {
			if at := e.in[w.stem]; len(at) == 0 || at[len(at)-1] != n {
				e.in[w.stem] = append(at, n)
			}
		}
		e.sentences = append(e.sentences, s)
	}
}

// key is equal for quantities of the same value in whatever form, but for the
// unit.
func (q *Quantity) key() string {
	if q.Kind == Date {
		if q.Day.Year != 0 {
			return fmt.Sprint("date ", q.Day.Year)
		}
		return fmt.Sprint("date ", q.Day.Month, q.Day.Day, q.Day.Weekday)
	}
	return string(q.Kind[0]) + q.Value.RatString()
}

// sentences cuts what p read into sentences. intern numbers a stem.
func (p *parser) sentences(intern func(string) int32) []sentence {
	var out []sentence
	t, k := 0, 0
	for _, span := range p.spans() {
		s := sentence{span: span}
		for k < len(p.out) && p.out[k].Span.Start < span.End {
			if p.out[k].Span.Start >= span.Start {
				s.quantities = append(s.quantities, p.out[k])
			}
			k++
		}
		n := 0
		first := true
		for t < len(p.tokens) && p.tokens[t].Start < span.End {
			for n < len(s.quantities) && s.quantities[n].last <= t {
				n++
			}
			inside := n < len(s.quantities) && s.quantities[n].first <= t
			kind := p.tokens[t].kind
			if !inside && (kind == wordToken || kind == codeToken) && !function[p.tokens[t].lower] && p.tokens[t].Start >= span.Start {
				if w := stem(p.tokens[t].lower); w != "" {
					s.words = append(s.words, word{stem: intern(w), token: t, name: p.capital(t) && !first})
				}
			}
			if kind != markToken {
				first = false
			}
			t++
		}
		out = append(out, s)
	}
	return out
}

// spans returns the sentences of the text, long ones and those with many numbers
// cut.
func (p *parser) spans() []segment.Span {
	var out []segment.Span
	k := 0
	for _, s := range segment.Sentences(p.text) {
		n := 0
		for k < len(p.out) && p.out[k].Span.Start < s.End {
			start := p.out[k].Span.Start
			if n >= maxQuantities || start-s.Start > maxSentence {
				out = append(out, segment.Span{Start: s.Start, End: start})
				s.Start, n = start, 0
			}
			n++
			k++
		}
		for s.End-s.Start > 2*maxSentence {
			cut := s.Start + maxSentence
			for cut < s.End && !utf8.RuneStart(p.text[cut]) {
				cut++
			}
			out = append(out, segment.Span{Start: s.Start, End: cut})
			s.Start = cut
		}
		out = append(out, s)
	}
	return out
}

// stem cuts the commonest endings off a word in lower case: "closes", "closed"
// and "closing" meet.
func stem(w string) string {
	w = strings.TrimSuffix(w, "'s")
	w = strings.TrimSuffix(w, "'")
	if s := irregular[w]; s != "" {
		return s
	}
	n := len(w)
	switch {
	case n > 4 && strings.HasSuffix(w, "ies"):
		w = w[:n-3] + "y"
	case n > 4 && strings.HasSuffix(w, "sses"):
		w = w[:n-2]
	case n > 3 && w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i':
		w = w[:n-1]
	}
	n = len(w)
	for _, end := range [...]string{"ing", "ed"} {
		if n-len(end) >= 3 && strings.HasSuffix(w, end) && strings.ContainsAny(w[:n-len(end)], "aeiouy") {
			w = w[:n-len(end)]
			if m := len(w); w[m-1] == w[m-2] && w[m-1] != 'l' && w[m-1] != 's' {
				w = w[:m-1]
			}
			break
		}
	}
	if n = len(w); n > 3 && w[n-1] == 'e' {
		w = w[:n-1]
	}
	return w
}

// irregular are forms of common verbs and nouns of reports on numbers.
var irregular = func() map[string]string {
	m := map[string]string{}
	for line := range strings.SplitSeq(`ris rise rises rose risen rising
fall fell fallen falling falls
grow grew grown grows growing growth
sell sold sells selling sale sales
pay paid pays paying
win won wins winning
lose lost loses losing loss losses
die died dies dying dead death deaths
kill killed kills killing
hurt injured injuring injuries injury wounded
begin began begun begins beginning
build built builds building
spend spent spends spending
hold held holds holding
run ran runs running
person people persons
child children
man men
woman women
foot feet
make made makes making
buy bought buys buying
take took taken takes taking
leav leave left leaves leaving
high height
long length
weigh weight weighs weighed weighing
born birth
increas increase increased increases increasing
decreas decrease decreased decreases decreasing
found founded founding foundation founder`, "\n") {
		f := strings.Fields(line)
		for _, w := range f {
			m[w] = f[0]
		}
	}
	return m
}()

// rarity weighs a stem: the fewer sentences have it, the more it says.
func (e *Evidence) rarity(stem int32) float64 {
	n := float64(len(e.sentences)) + 1
	if stem < 0 {
		// Said nowhere: in other words, perhaps.
		return 0.7 * math.Log(1+n)
	}
	return math.Log(1 + n/float64(len(e.in[stem])))
}
