package slot

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

var functionWords = set(`a an the this that these those some any each every all both no none neither either another other such
 i me my mine you your yours he him his she her hers it its we us our ours they them their theirs one who whom whose which what
 myself himself herself itself ourselves themselves
 and or but nor so yet if because although though while whereas unless until since as than when where why how whether
 of in on at by for with about against between into through during before after above below to from up down out off over under
 again further then once here there upon within without toward towards across along among around behind beside besides beyond
 despite per via
 am is are was were be been being have has had having do does did doing will would shall should can could may might must ought
 not n't never only just too very also more most less least few fewer much many own same even still already
 isn't aren't wasn't weren't don't doesn't didn't won't wouldn't can't cannot couldn't shouldn't haven't hasn't hadn't
 i'm it's he's she's they're we're you're there's that's`)

// openers are words that start sentences often and are no names.
var openers = set(`however according meanwhile moreover furthermore additionally overall thus therefore hence instead later earlier
 today yesterday tomorrow now recently currently finally initially originally eventually suddenly perhaps maybe yes okay
 people police officials researchers scientists experts patients doctors authorities investigators witnesses residents prosecutors
 children women men students workers players fans critics families parents participants many several various
 despite following based given like unlike since during next last first second third another please thank thanks let see note
 look make take use get go come click read find try show add keep check set put ask tell give visit follow download
 user agent customer speaker doctor patient man woman boy girl nobody somebody everyone everybody someone something nothing everything
 well oh hello hi hey sorry sure right dear good great new old big small young former such most
 what's who's here's let's half part total age name date time data`)

var titles = set("mr mrs ms miss dr prof professor sir lord lady dame rev sgt capt det insp gen col lt hon mister")

// connectors may stand inside a name between capitalised words.
var connectors = set("of de van von der den la le del della di da du dos das al bin ibn el & 'n'")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// opens reports whether token i starts a sentence, line, quotation or bracket.
func (f *finder) opens(i int) bool {
	if i == 0 || f.toks[i].newline {
		return true
	}
	p := f.toks[i-1]
	if p.kind != markTok {
		return false
	}
	switch p.lower {
	case ".", "!", "?", ":", ";", "\"", "“", "”", "(", "[", "'", "‘", "*", "•", "-", "–", "—", "`", "。", "…":
		return true
	}
	return false
}

// names finds runs of capitalised words.
func (f *finder) names() {
	lower := map[string]bool{} // words also seen in lower case
	inner := map[string]bool{} // words seen with a capital inside a sentence
	caps, words := 0, 0
	for i, t := range f.toks {
		if t.kind != wordTok {
			continue
		}
		words++
		if !startsUpper(f.text[t.Start:]) {
			lower[t.lower] = true
			continue
		}
		caps++
		if !f.opens(i) {
			inner[t.lower] = true
		}
	}
	if words >= 6 && caps*4 > words*3 {
		return // a headline or shouting: capitals tell nothing
	}
	upper := func(i int) bool {
		return i < len(f.toks) && !f.used[i] && (f.toks[i].kind == wordTok || f.toks[i].kind == codeTok) && startsUpper(f.text[f.toks[i].Start:])
	}
	for i := 0; i < len(f.toks); {
		if !upper(i) {
			i++
			continue
		}
		w := f.word(i)
		if titles[w] || functionWords[w] || w == "i'm" || w == "i've" || w == "i'd" || w == "i'll" {
			i++
			continue
		}
		j := i + 1
		for j < len(f.toks) && !f.toks[j].newline {
			switch {
			case upper(j) && !functionWords[f.word(j)]:
				j++
				continue
			case f.letter(j):
				j++
				continue
			case f.word(j) == "." && f.toks[j-1].End-f.toks[j-1].Start == 1 && f.glued(j) && upper(j+1):
				j++ // "J. Smith"
				continue
			case f.word(j) == "-" && f.glued(j) && f.glued(j+1) && upper(j+1):
				j++
				continue
			case f.word(j) == "-" && f.glued(j) && f.glued(j+1) && f.kind(j+1) == numTok && !f.used[j+1]:
				j += 2
				continue
			case connectors[f.word(j)] && !f.used[j] && upper(j+1) && !functionWords[f.word(j+1)] && !f.toks[j+1].newline:
				j++
				continue
			case f.word(j) == "of" && f.word(j+1) == "the" && upper(j+2):
				j += 2
				continue
			}
			break
		}
		if !f.isName(i, j, lower, inner) {
			// The first word may be an ordinary one before a name: "Former
			// Hull striker" gives the rest a chance of its own.
			i++
			continue
		}
		s := Slot{Kind: Name}
		for k := i; k < j; k++ {
			if f.toks[k].kind != markTok && !titles[f.word(k)] {
				s.Words = append(s.Words, nameWord(f.word(k)))
			}
		}
		f.add(i, j, s)
		// The possessive mark is no part of the name.
		last := &f.out[len(f.out)-1]
		for _, p := range []string{"'s", "’s"} {
			if strings.HasSuffix(last.Text, p) {
				last.Text = strings.TrimSuffix(last.Text, p)
				last.Span.End -= len(p)
			}
		}
		i = j
	}
}

// isName reports whether the capitalised run [i, j) is a name.
func (f *finder) isName(i, j int, lower, inner map[string]bool) bool {
	w := f.word(i)
	if !f.opens(i) {
		return true
	}
	if openers[w] || smallNumbers[w] > 0 || tens[w] > 0 || ordinals[w] > 0 {
		return false
	}
	base := strings.TrimSuffix(w, "'s")
	if inner[w] || inner[base] || base != w && !lower[base] {
		return true
	}
	if lower[w] || strings.HasSuffix(w, "ly") || strings.HasSuffix(w, "ing") && j == i+1 {
		return false
	}
	if j > i+1 || f.kind(i) == codeTok {
		return true
	}
	switch f.word(j) {
	case "were", "are", "have", "of":
		// "Patients were", "Results of": a plural or an abstract noun.
		return !strings.HasSuffix(w, "s") && f.word(j) != "of"
	}
	return true
}

// umlauts writes "Mueller" as "Müller" is kept, without its marks.
var umlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u", "ß", "ss")

// sameWord reports whether two words of names are one, a plural aside.
func sameWord(a, b string) bool {
	return a == b || len(a) > 2 && len(b) > 2 && (a+"s" == b || b+"s" == a || nicknamed(a, b) || len(a) != len(b) && len(a) > 3 && len(b) > 3 && umlauts.Replace(a) == umlauts.Replace(b))
}

// nameWord is the canonical form of one word of a name.
func nameWord(w string) string {
	w = strings.TrimSuffix(w, "'s")
	w = strings.ReplaceAll(w, ".", "")
	for i := 0; i < len(w); i++ {
		if w[i] >= utf8.RuneSelf {
			var b strings.Builder
			for _, r := range norm.NFD.String(w) {
				if !unicode.Is(unicode.Mn, r) {
					b.WriteRune(r)
				}
			}
			return b.String()
		}
	}
	return w
}

// sameName maps short forms and names of peoples to one form.
var sameName = func() map[string]string {
	m := map[string]string{}
	for line := range strings.SplitSeq(`united states=us,usa,america,american,americans,united states of america
united kingdom=uk,britain,great britain,british,briton,britons
england=english
scotland=scottish,scots
wales=welsh
ireland=irish
france=french
germany=german,germans
italy=italian,italians
spain=spanish,spaniard
portugal=portuguese
netherlands=dutch,holland
belgium=belgian
switzerland=swiss
austria=austrian
poland=polish,pole
sweden=swedish,swede
norway=norwegian
denmark=danish,dane
finland=finnish,finn
greece=greek,greeks
turkey=turkish,turks
russia=russian,russians
ukraine=ukrainian,ukrainians
hungary=hungarian
romania=romanian
china=chinese
japan=japanese
korea=korean
india=indian,indians
pakistan=pakistani
israel=israeli,israelis
iran=iranian
iraq=iraqi
syria=syrian
egypt=egyptian
canada=canadian,canadians
mexico=mexican
brazil=brazilian
argentina=argentine,argentinian
australia=australian,australians
new zealand=nz,new zealander
south africa=south african
nigeria=nigerian
europe=european,europeans
africa=african
asia=asian
european union=eu
united nations=un
new york city=nyc
los angeles=la
`, "\n") {
		name, others, _ := strings.Cut(line, "=")
		for o := range strings.SplitSeq(others, ",") {
			if o != "" {
				m[o] = name
			}
		}
	}
	return m
}()

// compareNames compares names word by word. a is narrower when it says more:
// "Marie Curie" against "Curie".
func compareNames(a, b []string) Relation {
	ja, jb := strings.Join(a, " "), strings.Join(b, " ")
	if s, ok := sameName[ja]; ok {
		ja = s
	}
	if s, ok := sameName[jb]; ok {
		jb = s
	}
	if ja == "" || jb == "" {
		return Incomparable
	}
	if ja == jb || strings.ReplaceAll(ja, " ", "") == strings.ReplaceAll(jb, " ", "") {
		return Equal
	}
	if acronym(ja, jb) || acronym(jb, ja) {
		return Equal
	}
	a, b = strings.Fields(ja), strings.Fields(jb)
	swap := len(a) < len(b)
	if swap {
		a, b = b, a
	}
	// Every word of the shorter must stand in the longer, in order; an initial
	// stands for a word.
	k := 0
	for _, w := range b {
		for k < len(a) && !sameWord(a[k], w) && !(len(w) == 1 && strings.HasPrefix(a[k], w)) && !(len(a[k]) == 1 && strings.HasPrefix(w, a[k])) {
			k++
		}
		if k == len(a) {
			return Different
		}
		k++
	}
	switch {
	case len(a) == len(b):
		if slices.EqualFunc(a, b, sameWord) {
			return Equal
		}
		return Overlapping
	case swap:
		return Broader
	}
	return Narrower
}

// acronym reports whether short is made of the initials of long's words.
func acronym(short, long string) bool {
	if strings.Contains(short, " ") || len(short) < 2 {
		return false
	}
	var all, main []byte
	for w := range strings.FieldsSeq(long) {
		all = append(all, w[0])
		if !functionWords[w] && !connectors[w] {
			main = append(main, w[0])
		}
	}
	return len(all) > 1 && (string(all) == short || string(main) == short)
}

// FunctionWord reports whether word, in lower case, belongs to the closed
// classes of English: articles, pronouns, prepositions, conjunctions,
// auxiliaries and the commonest particles, negations among them.
func FunctionWord(word string) bool { return functionWords[word] }
