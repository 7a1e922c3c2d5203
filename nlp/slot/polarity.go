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
		unable to,deny,denies,denied,denying,instead of,rather than,free of,yet to,far from,hardly ever,scarcely ever,false that,untrue that,
		forgot to,forgets to,forget to,forgotten to,neglected to,neglects to,omitted to,omits to,ceased to,ceases to,cease to`)
	add(Hedge, `may,might,could,would,should,possibly,perhaps,probably,maybe,likely,unlikely,potentially,presumably,apparently,
		reportedly,allegedly,supposedly,seemingly,arguably,if,unless,whether,suspected,alleged,rumoured,rumored,hypothesized,
		seems,seem,seemed,appears to,appear to,appeared to,suggests,suggest,suggested,
		believe,believes,believed,thinks,think,expects,expect,expected,hopes,hope,hoped,hoping,fears,feared,
		claims,claimed,claim that,alleges,plans to,plan to,planned to,planning to,wants to,want to,wanted to,
		tries to,try to,tried to,trying to,attempts to,attempted to,intends to,intended to,aims to,aim to,aimed to,
		consider,considers,considering,proposes,proposed,threatened to,threatens to,set to,due to be,is to be,
		rarely,seldom,either,nearly,almost,going to,about to,supposed to,pretended to,pretends to,pretended that,dreamed,dreamt,imagined,wished,
		provided that,in case,argues that,argued that,argue that,insists that,insisted that,insist that,contends that,contended that,
		rumours that,rumors that,rumour that,rumor that,reports that,report that,claims that,allegations that,allegation that,suggestions that,
		suggestion that,speculation that,idea that,myth that,belief that,accusations that,accusation that,fears that,hopes that,theory that,
		according to critics,according to opponents,according to some,according to rumours,according to rumors`)
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
	if n := f.word(i + 1); ends[w] && len(n) > 4 && strings.HasSuffix(n, "ing") || drops[w] && n == "support" {
		return Negation, 1
	}
	if n := f.word(i + 1); partisans[w] && saying[n] {
		return Hedge, 2
	}
	if w == "according" && f.word(i+1) == "to" {
		for k := i + 2; k < i+5; k++ {
			if partisans[f.word(k)] {
				return Hedge, k + 1 - i
			}
		}
	}
	if w == "nor" && f.neither(i) {
		return "", 0 // the "neither" before it governs both
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
	case "nearly", "almost":
		// An approximation of a number or a quantifier.
		return f.used[min(i+1, len(f.toks)-1)] || functionWords[next] || next == "always" || next == "entirely" || next == "half"
	case "either":
		// Of two, one: a hedge before "or" only.
		for k := i + 1; k < len(f.toks) && k < i+12; k++ {
			switch f.word(k) {
			case "or":
				return false
			case ".", ";", "!", "?":
				return true
			}
		}
		return true
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
	return f.joint(i)
}

// joint reports whether a statement begins at token i without a mark before it.
func (f *finder) joint(i int) bool {
	k := i - 1
	for k > 0 && i-k < 4 && f.toks[k].kind == markTok && strings.Trim(f.word(k), closing) == "" {
		k--
	}
	return k >= 0 && i+1 < len(f.toks) && Joint(f.text, f.toks[k].Span, f.toks[i].Span, f.toks[i+1].Span)
}

// opening are words that begin a statement where they stand in capitals in the
// middle of a line; "A" is not one ("vitamin A tablets").
var opening = set("the an he she they it we his her its their our this these those there but however when while after before in on at")

// speech introduces what another says, without a mark in hurried text.
var speech = set("said says say saying added adds asked asks told tells wrote writes called named titled entitled reads read")

// closing are marks that end what stands before a statement.
const closing = ")]'’”\""

// Joint reports whether b, one of three words of text that follow each other,
// begins a statement though no full stop stands before it: a caption, a heading or
// a quotation that runs into the text, as in "selling the mill The ferry carried
// 120 cars" and "interest in him Olsen signed".
func Joint(text string, a, b, c segment.Span) bool {
	first, second, third := a.Of(text), b.Of(text), c.Of(text)
	if second == "" || second[0] < 'A' || second[0] > 'Z' || !small(third) || b.Start <= a.End || strings.Trim(text[a.End:b.Start], closing+" \t\n\r\u00a0") != "" {
		return false
	}
	before, low := strings.ToLower(first), strings.ToLower(second)
	if second[1:] != low[1:] || speech[before] {
		return false
	}
	if before == "him" || before == "them" {
		return !functionWords[low] && (strings.HasSuffix(third, "ed") || auxiliaries[third])
	}
	return opening[low] && !functionWords[before]
}

// small reports whether a word begins with a small letter or a digit.
func small(w string) bool {
	return w != "" && (w[0] >= 'a' && w[0] <= 'z' || w[0] >= '0' && w[0] <= '9')
}

// scope returns the tokens that the cue [i, j) governs, in a clause that ends
// at end.
func (f *finder) scope(i, j, end int) (b, e int) {
	b, e = j, max(end, j)
	if k := f.secondVerb(j, e); k > 0 {
		e = k
	}
	switch f.word(i) {
	case "if", "unless", "provided":
		if f.word(i-1) == "even" {
			return b, e
		}
		// The main clause holds under the condition only, on whichever side of it.
		if i == 0 || f.opens(i) {
			return b, max(f.sentenceEnd(j), e)
		}
		return f.clauseStart(i), e
	case "according":
		if i > 0 && !f.opens(i) {
			return f.clauseStart(i), i
		}
		return b, max(f.sentenceEnd(j), e)
	case "neither":
		if k := f.afterNor(j, e); k > 0 {
			return k, e
		}
	}
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

// ends are verbs that deny the action that follows ("stopped smoking"), drops
// those that deny support.
var (
	ends  = set("stop stops stopped stopping quit quits quitting cease ceases ceased avoid avoids avoided")
	drops = set("drop drops dropped dropping end ends ended ending withdraw withdraws withdrew")
)

// partisans are people whose saying does not make a thing so, saying the verbs
// that report it.
var (
	partisans = set("critics opponents rivals sceptics skeptics detractors supporters proponents activists protesters rumours rumors some many conspiracists")
	saying    = set("say says said claim claims claimed argue argues argued insist insisted maintain maintained assert asserted warn warned believe believed think thought contend contended")
)

// neither reports whether a "neither" stands in the clause before token i.
func (f *finder) neither(i int) bool {
	for k := i - 1; k >= 0 && k > i-16; k-- {
		switch f.word(k) {
		case "neither":
			return true
		case ".", ";", "!", "?":
			return false
		}
	}
	return false
}

// afterNor returns the first token behind the two subjects of a "neither" whose
// first stands at j: behind "nor" and its noun; 0 where there is none.
func (f *finder) afterNor(j, end int) int {
	if j > 1 && !f.opens(j-1) {
		return 0
	}
	for k := j; k < end && k < j+12; k++ {
		if auxiliaries[f.word(k)] {
			return k
		}
		if f.word(k) != "nor" {
			continue
		}
		for k++; k < end && (f.word(k) == "the" || f.word(k) == "a" || f.word(k) == "his" || f.word(k) == "her" || f.word(k) == "its"); k++ {
		}
		if k++; k < end {
			for k < end && f.used[k] && f.used[k-1] {
				k++
			}
			return k
		}
		return 0
	}
	return 0
}

// sentenceEnd returns the token that closes the sentence of token j.
func (f *finder) sentenceEnd(j int) int {
	for k := j; k < len(f.toks); k++ {
		if k > j && (f.toks[k].newline || f.joint(k)) {
			return k
		}
		switch f.word(k) {
		case ".", "!", "?", ";", ":":
			return k
		}
		if k-j > 40 {
			return k
		}
	}
	return len(f.toks)
}

// clauseStart returns the first token of the clause before token i.
func (f *finder) clauseStart(i int) int {
	k := i
	for k > 0 && i-k < 100 && !f.toks[k].newline && !f.joint(k) {
		switch f.word(k - 1) {
		case ".", "!", "?", ";", ":", "but", "\"", "“":
			return k
		}
		k--
	}
	return k
}

// secondVerb returns the "and" in [j, e) that joins a second verb in the present
// or past to the one at j ("no longer runs on X and takes 6 GB"), which has a
// polarity of its own; 0 for none. A noun in the plural looks alike: what follows
// must begin an object.
func (f *finder) secondVerb(j, e int) int {
	ending := func(w string) string {
		switch {
		case functionWords[w] || len(w) < 4 || strings.HasSuffix(w, "ss"):
			return ""
		case strings.HasSuffix(w, "ed"):
			return "ed"
		case strings.HasSuffix(w, "s"):
			return "s"
		}
		return ""
	}
	first := ending(f.word(j))
	if first == "" && drops[f.word(j-1)] {
		first = ending(f.word(j - 1))
	}
	if first == "" {
		return 0
	}
	for k := j + 1; k+2 < e; k++ {
		if f.word(k) != "and" || ending(f.word(k+1)) != first {
			continue
		}
		switch f.word(k + 2) {
		case "the", "a", "an", "at", "its", "his", "her", "their", "no", "any", "all", "only", "more":
			return k
		}
		if f.kind(k+2) == numTok {
			return k
		}
	}
	return 0
}
