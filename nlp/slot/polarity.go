package slot

import (
	"strings"

	"github.com/kgeval/kgeval/segment"
)

// cues maps a first word to the words that may follow it to make a negation or
// a hedge; an empty string means that the word alone does.
type cue struct {
	kind Kind
	rest []string
}

var cues = buildCues()

func buildCues() map[string][]cue {
	m := map[string][]cue{}
	add := func(kind Kind, list string) {
		for line := range strings.SplitSeq(list, ",") {
			w := strings.Fields(line)
			if len(w) > 0 {
				m[w[0]] = append(m[w[0]], cue{kind, w[1:]})
			}
		}
	}
	add(Negation, `no longer,no,not,never,without,neither,nor,none,nobody,nothing,nowhere,cannot,n't,hardly,scarcely,
		in the absence of,lack of,lacks,lacked,lacking,devoid of,
		fail to,fails to,failed to,failing to,failure to,refuse to,refuses to,refused to,refusing to,decline to,declines to,declined to,
		unable to,deny,denies,denied,denying,instead of,rather than,free of,yet to,far from`)
	add(Hedge, `may,might,could,would,should,possibly,perhaps,probably,maybe,likely,unlikely,potentially,presumably,apparently,
		reportedly,allegedly,supposedly,seemingly,arguably,if,unless,whether,suspected,alleged,rumoured,rumored,hypothesized,
		seems,seem,seemed,appears to,appear to,appeared to,suggests,suggest,suggested,
		believe,believes,believed,thinks,think,expects,expect,expected,hopes,hope,hoped,hoping,fears,feared,
		claims,claimed,claim that,alleges,plans to,plan to,planned to,planning to,wants to,want to,wanted to,
		tries to,try to,tried to,trying to,attempts to,attempted to,intends to,intended to,aims to,aim to,aimed to,
		consider,considers,considering,proposes,proposed,threatened to,threatens to,set to,due to be,is to be`)
	// Longer cues first, so that "no longer" is one.
	for w := range m {
		list := m[w]
		for i := 1; i < len(list); i++ {
			for j := i; j > 0 && len(list[j].rest) > len(list[j-1].rest); j-- {
				list[j], list[j-1] = list[j-1], list[j]
			}
		}
	}
	return m
}

var auxiliaries = set(`am is are was were be been being have has had do does did will would shall should can could may might must
 isn't aren't wasn't weren't don't doesn't didn't won't wouldn't can't cannot couldn't shouldn't haven't hasn't hadn't`)

// polarity finds negations and hedges with their scopes.
func (f *finder) polarity() {
	ends := f.clauseEnds()
	for i := 0; i < len(f.toks); i++ {
		t := f.toks[i]
		if t.kind != wordTok {
			continue
		}
		kind, n := f.cue(i)
		if n == 0 {
			continue
		}
		s := Slot{Kind: kind, Span: segment.Span{Start: t.Start, End: f.toks[i+n-1].End}}
		s.Text = s.Span.Of(f.text)
		if b, e := f.scope(i, i+n, ends[i]); b < e {
			s.Scope = segment.Span{Start: f.toks[b].Start, End: f.toks[e-1].End}
		}
		f.out = append(f.out, s)
		i += n - 1
	}
}

// cue returns the kind of the cue at token i and how many tokens it has.
func (f *finder) cue(i int) (Kind, int) {
	w := f.word(i)
	if len(w) > 3 && strings.HasSuffix(w, "n't") {
		return Negation, 1
	}
	for _, c := range cues[w] {
		ok := true
		for k, r := range c.rest {
			if f.word(i+1+k) != r {
				ok = false
				break
			}
		}
		if !ok || f.idle(i) {
			continue
		}
		return c.kind, 1 + len(c.rest)
	}
	return "", 0
}

// idle reports whether the cue at i does not work as one here.
func (f *finder) idle(i int) bool {
	next := f.word(i + 1)
	switch f.word(i) {
	case "not":
		return next == "only" || next == "just" || next == "merely" || next == "least"
	case "no":
		return next == "doubt" || next == "." || next == "matter"
	case "nothing":
		return next == "but"
	case "may":
		return f.used[i] || f.kind(i+1) == numTok
	case "might":
		return f.word(i-1) == "the"
	case "should", "would", "could":
		return false
	case "if":
		return f.word(i-1) == "as"
	}
	return false
}

// clauseEnds gives for each token the end of its clause (a token position).
func (f *finder) clauseEnds() []int {
	ends := make([]int, len(f.toks))
	end := len(f.toks)
	for i := len(f.toks) - 1; i >= 0; i-- {
		ends[i] = end
		if f.toks[i].newline || f.breaks(i) {
			// The clause of what comes before ends here.
			end = i
			if f.toks[i].kind == markTok {
				ends[i] = i
			}
		}
	}
	return ends
}

// breaks reports whether a new clause starts at token i.
func (f *finder) breaks(i int) bool {
	switch w := f.word(i); w {
	case ".", ";", ":", "!", "?", ",", "—", "–", "(", ")", "\"", "“", "”":
		return !(w == "." && f.glued(i) && f.glued(i+1))
	case "but", "because", "although", "though", "while", "whereas", "unless", "however", "which", "who", "until":
		return true
	case "and", "or":
		n := f.word(i + 1)
		return auxiliaries[n] || n == "he" || n == "she" || n == "it" || n == "they" || n == "we" || n == "i" || n == "then" || n == "the" && auxiliaries[f.word(i+3)]
	}
	return false
}

// scope returns the tokens that the cue [i, j) governs, in a clause that ends
// at end.
func (f *finder) scope(i, j, end int) (b, e int) {
	b, e = j, max(end, j)
	switch f.word(i) {
	case "no", "none", "neither", "nobody", "nothing":
		// "No patient was …" negates what is said of the patient, not the
		// patient; "there was no evidence" negates the evidence.
		if i == 0 || f.opens(i) || f.breaks(i-1) {
			for k := j; k < e && k < j+8; k++ {
				if auxiliaries[f.word(k)] {
					return k, e
				}
			}
			return min(j+1, e), e
		}
	}
	return b, e
}

// Negations returns how many of the negations among slots govern the whole of
// at; an even number affirms.
func Negations(slots []Slot, at segment.Span) int { return governing(slots, Negation, at) }

// Hedges returns how many of the hedges among slots govern the whole of at.
func Hedges(slots []Slot, at segment.Span) int { return governing(slots, Hedge, at) }

func governing(slots []Slot, kind Kind, at segment.Span) int {
	n := 0
	for _, s := range slots {
		if s.Kind == kind && s.Scope.Contains(at) && !s.Scope.Empty() {
			n++
		}
	}
	return n
}
