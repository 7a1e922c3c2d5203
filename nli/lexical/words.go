package lexical

import (
	"strconv"
	"strings"

	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// word is one word of an analysed text.
type word struct {
	segment.Span
	lower, lemma string
	// weight is what the word counts for in coverage before its rarity: 0 for
	// function words, for values (which are compared as slots) and for cues of
	// negation and hedge.
	weight float64
	// value is the position in slots of the number, date or other value that
	// the word belongs to, name of the name; -1 for none.
	value, name int
	// negations and hedges count the scopes that the word stands in.
	negations, hedges int
}

func (w *word) content() bool { return w.weight > 0 }

// negated reports whether the word stands under an odd number of negations.
func (w *word) negated() bool { return w.negations%2 == 1 }

// analysis is a text as words and slots.
type analysis struct {
	text  string
	words []word
	slots []slot.Slot
	// first[i] is the position of the first word of slot i, -1 for none.
	first []int
}

// lightVerbs say little: a claim is seldom wrong in them alone.
var lightVerbs = wordSet("say tell get make take go come use include become want give know see put keep let call ask show set")

// analyze reads text.
func (m *Model) analyze(text string) *analysis {
	a := &analysis{text: text, slots: slot.Find(text)}
	spans := segment.Words(text)
	a.words = make([]word, 0, len(spans))
	a.first = make([]int, len(a.slots))
	for i := range a.first {
		a.first[i] = -1
	}
	k := 0         // the first slot that can still cover a word
	var open []int // scopes that can still cover a word
	next := 0      // the next scope to open
	scopes := scopesOf(a.slots)
	for _, s := range spans {
		w := word{Span: s, lower: lower(s.Of(text)), value: -1, name: -1}
		w.lemma = m.lemma(w.lower)
		w.weight = 1
		switch {
		case slot.FunctionWord(w.lower):
			w.weight = 0
		case lightVerbs[w.lemma]:
			w.weight = 0.4
		case strings.ContainsAny(w.lower, "0123456789"):
			w.weight = 1.5
		}
		if n := len(a.words); n > 0 && isLabel(text, a.words[n-1].Span, s) {
			w.lemma, w.weight = label+w.lower, 1.6
		}
		for k < len(a.slots) && a.slots[k].Span.End <= s.Start {
			k++
		}
		for i := k; i < len(a.slots) && a.slots[i].Span.Start < s.End; i++ {
			if !a.slots[i].Span.Overlaps(s) {
				continue
			}
			if a.first[i] < 0 {
				a.first[i] = len(a.words)
			}
			switch a.slots[i].Kind {
			case slot.Name:
				w.name = i
				w.weight = 1.6
			case slot.Negation, slot.Hedge:
				w.weight = 0
			default:
				w.value = i
				w.weight = 0
			}
		}
		for next < len(scopes) && a.slots[scopes[next]].Scope.Start <= s.Start {
			open = append(open, scopes[next])
			next++
		}
		live := open[:0]
		for _, i := range open {
			if a.slots[i].Scope.End <= s.Start {
				continue
			}
			live = append(live, i)
			if a.slots[i].Kind == slot.Negation {
				w.negations++
			} else {
				w.hedges++
			}
		}
		open = live
		a.words = append(a.words, w)
	}
	return a
}

// scopesOf returns the negations and hedges that govern something, by the
// start of their scope.
func scopesOf(slots []slot.Slot) []int {
	var out []int
	for i, s := range slots {
		if (s.Kind == slot.Negation || s.Kind == slot.Hedge) && !s.Scope.Empty() {
			out = append(out, i)
		}
	}
	for i := 1; i < len(out); i++ {
		for j := i; j > 0 && slots[out[j]].Scope.Start < slots[out[j-1]].Scope.Start; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

// lower lowers a word, writes its apostrophe plainly and drops a possessive.
func lower(s string) string {
	s = strings.ToLower(s)
	if strings.Contains(s, "’") {
		s = strings.ReplaceAll(s, "’", "'")
	}
	if len(s) > 3 {
		s = strings.TrimSuffix(s, "'s")
	}
	return s
}

// lemma returns the dictionary form of a lower-case word.
func (m *Model) lemma(w string) string {
	if len(w) > 64 {
		// No word of English; a key that tells long strings apart.
		return w[:32] + "\x00" + strconv.Itoa(len(w)) + "\x00" + w[len(w)-32:]
	}
	if strings.ContainsAny(w, "0123456789") {
		return w
	}
	if f, ok := irregular[w]; ok {
		return f
	}
	return m.nlp.Lemma(w, "")
}

// irregular are forms that are another word too, but in most sentences the
// past of these verbs.
var irregular = map[string]string{
	"left": "leave", "found": "find", "saw": "see", "felt": "feel", "fell": "fall", "lay": "lie", "rose": "rise",
	"broke": "break", "shot": "shoot", "bore": "bear", "known": "know", "given": "give", "dying": "die",
}

// root is the start of a word that its derivations share ("approv" for
// approve, approval, approved); "" for a word too short to have one.
func root(lemma string) string {
	if len(lemma) < 6 {
		return ""
	}
	return lemma[:5]
}

// derived reports whether lemmas a and b, that share their root, are likely
// forms of one word: all but a short ending is the same.
func derived(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= 5 && n*3 >= 2*max(len(a), len(b)) && len(a)-n <= 4 && len(b)-n <= 4
}

// label marks the lemma of a letter that is a name ("Plant A"), not a word.
const label = "\x00"

// isLabel reports whether the capital at s, which could be an article, names one
// of several: it follows a word without a mark between, and a word in small
// letters or the end follows.
func isLabel(text string, before, s segment.Span) bool {
	if s.End-s.Start != 1 || text[s.Start] != 'A' || before.End+1 != s.Start || text[before.End] != ' ' {
		return false
	}
	if c := text[before.End-1]; c >= '0' && c <= '9' {
		return false
	}
	rest := strings.TrimLeft(text[s.End:min(len(text), s.End+8)], " ")
	return rest == "" || rest[0] < 'A' || rest[0] > 'Z'
}
