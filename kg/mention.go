package kg

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

// labelWord is one word of a label.
type labelWord struct {
	form  string
	stem  int32 // in the locator, -1 when the text has no such word
	upper bool  // begins with a capital
	must  bool  // a number or a negation
	empty bool  // a function word
}

// maxLabelWords bounds how many words of a label are compared, the first ones.
const maxLabelWords = 64

func (l *Locator) labelWords(label string) []labelWord {
	var out []labelWord
	for _, w := range segment.Words(label) {
		if len(out) == maxLabelWords {
			break
		}
		w = withoutPossessive(label, w)
		form := smallForm(w.Of(label))
		x := labelWord{form: form, stem: -1, must: isNegation(form) || strings.ContainsFunc(form, unicode.IsNumber)}
		x.empty = functionWords[form] && !x.must
		r, _ := utf8.DecodeRuneInString(w.Of(label))
		x.upper = unicode.IsUpper(r)
		s, ok := l.stemOf[form]
		if !ok {
			s = l.stemWord(form)
		}
		if id, ok := l.stems[s]; ok {
			x.stem = id
		}
		out = append(out, x)
	}
	return out
}

// mention is a place that names an entity.
type mention struct {
	words   []int32 // ascending
	span    segment.Span
	quality float64 // in (0,1]
}

func (m mention) first() int32 { return m.words[0] }
func (m mention) last() int32  { return m.words[len(m.words)-1] }

// mentions holds the places that name one entity, each list ascending.
type mentions struct {
	full, partial []mention
}

func (m mentions) none() bool { return len(m.full)+len(m.partial) == 0 }

func (l *Locator) mentions(label string) mentions {
	label = readableEntity(label)
	ws := l.labelWords(label)
	if len(ws) == 0 {
		return mentions{full: l.verbatim(label)}
	}
	edge := labelEdges(label)
	if len(ws) > 1 && isDeterminer(ws[0].form) {
		ws = ws[1:]
	}
	var m mentions
	m.full = l.sequence(ws, edge)
	m.partial = l.partial(ws, m.full)
	return m
}

// verbatim finds a label without words.
func (l *Locator) verbatim(label string) []mention {
	if label == "" {
		return nil
	}
	var out []mention
	for from := 0; ; {
		i := strings.Index(l.text[from:], label)
		if i < 0 || len(l.words) == 0 {
			return out
		}
		s := segment.Span{Start: from + i, End: from + i + len(label)}
		w := sort.Search(len(l.words), func(k int) bool { return l.words[k].End > s.Start })
		w = min(w, len(l.words)-1)
		out = append(out, mention{words: []int32{int32(w)}, span: s, quality: 1})
		from = s.End
	}
}

// labelEdges returns the symbols of a label before its first and after its last
// word that change what it names: a sign, a currency, "C++", "5%".
func labelEdges(label string) [2]string {
	ws := segment.Words(label)
	symbol := func(r rune) bool {
		return unicode.In(r, unicode.Sc, unicode.Sm) || strings.ContainsRune("+-−%‰#°", r)
	}
	before, after := label[:ws[0].Start], label[ws[len(ws)-1].End:]
	if i := strings.LastIndexFunc(before, func(r rune) bool { return !symbol(r) }); i >= 0 {
		_, n := utf8.DecodeRuneInString(before[i:])
		before = before[i+n:]
	}
	if i := strings.IndexFunc(after, func(r rune) bool { return !symbol(r) }); i >= 0 {
		after = after[:i]
	}
	return [2]string{before, after}
}

// sequence finds the label's words in their order, next to each other.
func (l *Locator) sequence(ws []labelWord, edge [2]string) []mention {
	rare := 0
	for i, w := range ws {
		if w.stem < 0 {
			return nil
		}
		if len(l.places[w.stem]) < len(l.places[ws[rare].stem]) {
			rare = i
		}
	}
	var out []mention
next:
	for _, p := range l.places[ws[rare].stem] {
		start := int(p) - rare
		if start < 0 || start+len(ws) > len(l.words) {
			continue
		}
		exact := true
		for i, w := range ws {
			at := start + i
			if l.stem[at] != w.stem || l.sentence[at] != l.sentence[start] {
				continue next
			}
			if f, ok := l.forms[w.form]; !ok || l.form[at] != f {
				exact = false
			}
		}
		m := mention{quality: 1, span: segment.Span{Start: l.words[start].Start, End: l.words[start+len(ws)-1].End}}
		for i := range ws {
			m.words = append(m.words, int32(start+i))
		}
		if !exact {
			m.quality = 0.9
		}
		if edge[0] != "" {
			if strings.HasSuffix(l.text[:m.span.Start], edge[0]) {
				m.span.Start -= len(edge[0])
			} else {
				m.quality -= 0.3
			}
		}
		if edge[1] != "" {
			if strings.HasPrefix(l.text[m.span.End:], edge[1]) {
				m.span.End += len(edge[1])
			} else {
				m.quality -= 0.3
			}
		} else if m.span.End < len(l.text) && strings.IndexByte("+#%", l.text[m.span.End]) >= 0 {
			m.quality -= 0.1
		}
		out = append(out, m)
	}
	return out
}

// partial finds sentences that hold enough of the label's content words, except
// where full has a mention.
func (l *Locator) partial(ws []labelWord, full []mention) []mention {
	var content []labelWord
	seen := make(map[int32]bool)
	want, names, musts := 0, true, 0
	forms := make(map[string]bool)
	for _, w := range ws {
		if w.empty || forms[w.form] {
			continue
		}
		forms[w.form] = true
		want++
		if w.must {
			musts++
		}
		names = names && (w.upper || w.must)
		if w.stem >= 0 && !seen[w.stem] {
			seen[w.stem] = true
			content = append(content, w)
		}
	}
	if want < 2 || len(content) == 0 {
		return nil
	}
	must := make(map[int32]bool)
	for _, w := range content {
		if w.must {
			must[w.stem] = true
		}
	}
	if len(must) < musts {
		return nil
	}
	var at []int32
	for _, w := range content {
		at = append(at, l.places[w.stem]...)
	}
	slices.Sort(at)
	var out []mention
	for len(at) > 0 {
		s := l.sentence[at[0]]
		n := 1
		for n < len(at) && l.sentence[at[n]] == s {
			n++
		}
		group := at[:n]
		at = at[n:]
		for len(full) > 0 && l.sentence[full[0].first()] < s {
			full = full[1:]
		}
		if len(full) > 0 && l.sentence[full[0].first()] == s {
			continue
		}
		if m, ok := l.cover(group, seen, must, want, names); ok {
			out = append(out, m)
		}
	}
	return out
}

// cover makes a mention of the tightest window of group, the places of one
// sentence, that holds all of the label's words that the sentence has.
func (l *Locator) cover(group []int32, seen map[int32]bool, must map[int32]bool, want int, names bool) (mention, bool) {
	count := make(map[int32]int)
	for _, p := range group {
		count[l.stem[p]]++
	}
	distinct := len(count)
	for s := range must {
		if count[s] == 0 {
			return mention{}, false
		}
	}
	share := float64(distinct) / float64(want)
	if share <= 0.5 && !(names && 2*distinct >= want) {
		return mention{}, false
	}
	clear(count)
	best, bestLen := [2]int{0, len(group) - 1}, int32(1<<30)
	from := 0
	for to, p := range group {
		count[l.stem[p]]++
		for len(count) == distinct {
			if n := p - group[from]; n < bestLen {
				best, bestLen = [2]int{from, to}, n
			}
			first := l.stem[group[from]]
			if count[first]--; count[first] == 0 {
				delete(count, first)
			}
			from++
		}
	}
	var words []int32
	used := make(map[int32]bool)
	for _, p := range group[best[0] : best[1]+1] {
		if !used[l.stem[p]] {
			used[l.stem[p]] = true
			words = append(words, p)
		}
	}
	if names && distinct == 1 && l.otherName(words[0], seen) {
		return mention{}, false
	}
	gaps := float64(words[len(words)-1]-words[0]) + 1 - float64(len(words))
	return mention{
		words:   words,
		span:    l.words[words[0]].Union(l.words[words[len(words)-1]]),
		quality: max(0.1, 0.9*share-0.02*gaps),
	}, true
}

// otherName reports whether the word at p stands in a longer name that has words
// which the label lacks, as "Curie" in "Pierre Curie" for "Marie Curie".
func (l *Locator) otherName(p int32, label map[int32]bool) bool {
	capital := func(q int32) bool {
		if q < 0 || int(q) >= len(l.words) || label[l.stem[q]] || l.sentence[q] != l.sentence[p] {
			return false
		}
		s := l.words[q].Of(l.text)
		r, _ := utf8.DecodeRuneInString(s)
		return unicode.IsUpper(r) && !functionWords[strings.ToLower(s)]
	}
	adjacent := func(a, b int32) bool {
		gap := l.text[l.words[a].End:l.words[b].Start]
		return gap == " " || gap == "-" || gap == ". "
	}
	return capital(p-1) && adjacent(p-1, p) || capital(p+1) && adjacent(p, p+1)
}

// functionWords carry no content of a label: without them it is still known.
var functionWords = wordSet(`a an the this that these those of in on at by for from to into onto with
	as and or is are was were be been being am has have had having do does did will would shall
	should can could may might must it its his her their our who whom whose which s`)
