package nlp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

// Declarative turns a question with its short answer into one sentence that
// can be checked by itself:
//
//	"Does aspirin lower fever?", "Yes."        Aspirin lowers fever.
//	"Does aspirin lower fever?", "No."         Aspirin does not lower fever.
//	"Who wrote it?", "Mary Shelley"            Mary Shelley wrote it.
//	"When was the bridge built?", "1932"       The bridge was built in 1932.
//
// It knows yes/no questions and the common kinds with who, what, which, whom,
// where, when, why and how. ok is false where it is not sure: the answer is a
// sentence of its own, says nothing ("I don't know"), or the question is of
// another kind. Pronouns stay as they are. It is safe for concurrent use.
func Declarative(question, answer string) (statement string, ok bool) {
	a, err := New()
	if err != nil {
		return "", false
	}
	return a.Declarative(question, answer)
}

// Declarative is the function of that name with the receiver's models.
func (a *Analyzer) Declarative(question, answer string) (statement string, ok bool) {
	if len(question) > 2000 || len(answer) > 400 {
		return "", false
	}
	q, ok := a.newQuestion(question)
	if !ok {
		return "", false
	}
	ans, pol := a.readAnswer(answer)
	if pol == noAnswer {
		return "", false
	}
	var s string
	if q.wh == "" {
		if pol != yes && pol != no {
			return "", false
		}
		s = q.polar(pol == no)
	} else {
		if pol != other {
			return "", false
		}
		s = q.filled(ans)
	}
	if s == "" {
		return "", false
	}
	if q.lead != "" {
		s = q.lead + " " + s
	}
	return sentenceCase(strings.TrimSuffix(s, ".")) + ".", true
}

func sentenceCase(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// polarity is what kind of answer one is.
type polarity uint8

const (
	other polarity = iota // names a thing, a place, a time …
	yes
	no
	noAnswer
)

var (
	yesWords = set(`yes yeah yep yup correct true right indeed certainly definitely absolutely`)
	noWords  = set(`no nope false incorrect wrong never`)
	nothings = set(`unknown unclear unsure unspecified maybe perhaps possibly n/a none idk sometimes`)
)

// readAnswer tells yes from no, and cleans an answer that names something.
func (a *Analyzer) readAnswer(s string) (string, polarity) {
	s = strings.TrimSpace(s)
	s = strings.TrimSpace(strings.TrimRight(s, "!"))
	if n := len(segment.Sentences(s)); n != 1 {
		return "", noAnswer
	}
	if t := strings.TrimSuffix(s, "."); t != s && !strings.HasSuffix(t, ".") && !keepsStop(lastWord(t), strings.Contains(lastWord(t), "."), false) {
		s = t
	}
	s = strings.Trim(s, "\"“” ")
	if s == "" || strings.HasSuffix(s, "?") {
		return "", noAnswer
	}
	ts := a.tokens(s)
	first := strings.ToLower(ts[0].Text)
	if nothings[first] && len(ts) < 3 {
		return "", noAnswer
	}
	pol := other
	switch {
	case yesWords[first]:
		pol = yes
	case noWords[first] && (len(ts) == 1 || ts[1].Text == "," || ts[1].Text == ";"):
		pol = no
	}
	if pol != other {
		if len(ts) == 1 {
			return "", pol
		}
		// "Yes, it does." says no more than "Yes."
		rest := ts[1:]
		if rest[0].Text == "," || rest[0].Text == ";" {
			rest = rest[1:]
		}
		if echo(rest) {
			return "", pol
		}
		return "", noAnswer
	}
	if len(ts) <= 4 && echo(ts) {
		// "It does." "They aren't."
		if negated(ts) {
			return "", no
		}
		return "", yes
	}
	if len(ts) > 24 {
		return "", noAnswer
	}
	if len(ts) >= 4 || ts[0].Tag == "PRP" {
		// A sentence of its own, or "I don't know".
		for i, t := range ts {
			if finite(t.Tag) && i > 0 && at(ts, i-1).Tag != "WP" && at(ts, i-1).Tag != "WDT" && first != "because" && first != "when" {
				return "", noAnswer
			}
		}
	}
	if first == "not" {
		return "", noAnswer
	}
	// Inside a sentence only a name keeps its capital.
	if r, n := utf8.DecodeRuneInString(s); unicode.IsUpper(r) && !isName(ts[0].Tag) && len(ts[0].Text) > 1 && function[first] {
		s = string(unicode.ToLower(r)) + s[n:]
	}
	return s, other
}

func lastWord(s string) string {
	return s[strings.LastIndexAny(s, " \t\n")+1:]
}

// echo reports whether the tokens are only a pronoun with an auxiliary.
func echo(ts []Token) bool {
	if len(ts) < 2 || len(ts) > 4 || ts[0].Tag != "PRP" && !strings.EqualFold(ts[0].Text, "that") && !strings.EqualFold(ts[0].Text, "there") {
		return false
	}
	for _, t := range ts[1:] {
		lw := strings.ToLower(t.Text)
		if !auxiliary(lw) && lw != "not" && lw != "n't" && lw != "." {
			return false
		}
	}
	return true
}

func negated(ts []Token) bool {
	for _, t := range ts {
		if lw := strings.ToLower(t.Text); lw == "not" || lw == "n't" {
			return true
		}
	}
	return false
}

func auxiliary(w string) bool {
	return doForms[w] || beForms[w] && w != "be" && w != "been" && w != "being" || haveForms[w] && w != "having" || modals[w]
}

// tokens returns the tagged tokens of s as one sentence, with lemmas.
func (a *Analyzer) tokens(s string) []Token {
	var ts []Token
	for _, sp := range tokenize(nil, s, segment.Span{Start: 0, End: len(s)}) {
		ts = append(ts, Token{Span: sp, Text: sp.Of(s)})
	}
	if len(ts) == 0 {
		return []Token{{}}
	}
	a.tagWords(ts, true)
	for i := range ts {
		ts[i].Lemma = a.Lemma(ts[i].Text, ts[i].Tag)
	}
	return ts
}

// question is a question without its mark, in parts:
//
//	[lead] [preposition] [wh [noun]] aux subject rest
type question struct {
	a    *Analyzer
	text string
	ts   []Token
	// lead is what stands before the question proper ("In 1990,").
	lead string
	// prep is the preposition before the question word ("in which year").
	prep string
	// wh is the question word in lower case, "" in a yes/no question; noun is
	// what it asks of ("which country", "how many people", "how old").
	wh, noun string
	// at is the position of the auxiliary or verb.
	at int
}

var whWords = set(`who whom what which where when why how whose`)

func (a *Analyzer) newQuestion(s string) (*question, bool) {
	ss := segment.Sentences(s)
	if len(ss) == 0 {
		return nil, false
	}
	// The last sentence is the question; what stands before sets the scene.
	s = ss[len(ss)-1].Of(s)
	s = strings.TrimSpace(strings.TrimRight(s, "? !."))
	if s == "" {
		return nil, false
	}
	q := &question{a: a, text: s}
	q.ts = a.tokens(s)
	// "Which is larger, Jupiter or Saturn?": the choice is no part of the answer.
	if k := strings.LastIndex(s, ", "); k > 0 && strings.Contains(s[k:], " or ") && whWords[strings.ToLower(q.ts[0].Text)] {
		q.text = s[:k]
		q.ts = a.tokens(q.text)
	}
	ts := q.ts
	if len(ts) < 2 || len(ts) > 60 {
		return nil, false
	}
	i := 0
	if lw := strings.ToLower(ts[0].Text); lw == "so" || lw == "and" || lw == "but" || lw == "well" || lw == "then" || lw == "ok" || lw == "now" {
		i++
		if ts[i].Text == "," {
			i++
		}
	}
	if i < len(ts) && !q.starts(i) {
		// "In the book, who …", "According to the text, does …"
		for j := i; j < len(ts)-2; j++ {
			if ts[j].Text == "," && q.starts(j+1) {
				if lead := s[ts[i].Start:ts[j].End]; !hasPrefixFold(lead, "according to the ") && !hasPrefixFold(lead, "based on the ") {
					q.lead = lead
				}
				i = j + 1
				break
			}
		}
	}
	if i >= len(ts) || !q.starts(i) {
		return nil, false
	}
	if ts[i].Tag == "IN" || ts[i].Tag == "TO" {
		q.prep = strings.ToLower(ts[i].Text)
		i++
	}
	lw := strings.ToLower(ts[i].Text)
	if !whWords[lw] {
		q.at = i
		return q, true
	}
	q.wh = lw
	i++
	// what year, which of the two, how many people, how old
	start := i
	switch lw {
	case "what", "which", "whose":
		for i < len(ts) && !auxiliary(strings.ToLower(ts[i].Text)) && !finite(ts[i].Tag) {
			i++
		}
	case "how":
		for i < len(ts) && !auxiliary(strings.ToLower(ts[i].Text)) && !finite(ts[i].Tag) {
			i++
		}
	}
	if i >= len(ts) {
		return nil, false
	}
	if i > start {
		q.noun = s[ts[start].Start:ts[i-1].End]
	}
	q.at = i
	return q, true
}

// starts reports whether a question can start at token i: with an auxiliary, a
// question word, or a preposition before one.
func (q *question) starts(i int) bool {
	lw := strings.ToLower(q.ts[i].Text)
	if whWords[lw] || auxiliary(lw) {
		return true
	}
	return (q.ts[i].Tag == "IN" || q.ts[i].Tag == "TO") && i+2 < len(q.ts) && whWords[strings.ToLower(q.ts[i+1].Text)]
}

// between returns the words [i, j) as written.
func (q *question) between(i, j int) string {
	if i >= j || i >= len(q.ts) {
		return ""
	}
	return q.text[q.ts[i].Start:q.ts[min(j, len(q.ts))-1].End]
}

// aux returns the auxiliary at q.at in plain form, its negation, and where the
// subject starts.
func (q *question) aux() (aux string, neg bool, next int) {
	aux = strings.ToLower(q.ts[q.at].Text)
	next = q.at + 1
	if next < len(q.ts) {
		if lw := strings.ToLower(q.ts[next].Text); lw == "n't" {
			neg = true
			next++
			switch aux {
			case "ca":
				aux = "can"
			case "wo":
				aux = "will"
			case "sha":
				aux = "shall"
			case "ai":
				return "", true, next
			}
		}
	}
	return aux, neg, next
}

// subjectEnd returns where the subject that starts at i ends, given the
// auxiliary that has been moved before it; ok is false when unsure.
func (q *question) subjectEnd(i int, aux string) (end int, ok bool) {
	ts := q.ts
	if i >= len(ts) {
		return 0, false
	}
	first := strings.ToLower(ts[i].Text)
	if ts[i].Tag == "PRP" || ts[i].Tag == "EX" || first == "there" ||
		(first == "this" || first == "that" || first == "these" || first == "those") && i+1 < len(ts) && !isNoun(ts[i+1].Tag) && !strings.HasPrefix(ts[i+1].Tag, "JJ") {
		return i + 1, true
	}
	// First where the tagger sees the verb, then where there can be one.
	if k, ok := q.part(i, aux, true); ok {
		return k, true
	}
	return q.part(i, aux, false)
}

// part is subjectEnd for a subject of several words; strict wants the tag of a
// verb after it.
func (q *question) part(i int, aux string, strict bool) (end int, ok bool) {
	ts := q.ts
	be := beForms[aux]
	for k := i + 1; k <= len(ts); k++ {
		if k == len(ts) {
			return k, be // "Where is the red house?"
		}
		// Read the words in the order of a statement and see whether they part.
		moved := make([]Token, 0, len(ts)+1)
		for _, t := range ts[i:k] {
			moved = append(moved, Token{Span: t.Span, Text: t.Text})
		}
		moved = append(moved, Token{Text: aux})
		for _, t := range ts[k:] {
			moved = append(moved, Token{Span: t.Span, Text: t.Text})
		}
		q.a.tagWords(moved, true)
		n := k - i
		if !q.nominal(moved[:n]) {
			continue
		}
		rest := moved[n+1:]
		v := 0
		for v < len(rest)-1 && strings.HasPrefix(rest[v].Tag, "RB") && !be {
			v++
		}
		head := rest[v]
		lw := strings.ToLower(head.Text)
		switch {
		case be:
			if isNoun(head.Tag) && isNoun(moved[n-1].Tag) || head.Tag == "POS" || lw == "of" || isNoun(ts[k].Tag) && adjectival(ts[k-1].Text) || head.Tag == "CC" && v == 0 {
				continue
			}
			return k, true
		case haveForms[aux] && !doForms[aux]:
			if head.Tag == "VBN" || head.Tag == "VBD" || lw == "been" || lw == "had" {
				return k, true
			}
		default:
			if !q.a.dict.isBase(lw) || !q.a.dict.verbs[lw] && lw != "be" && lw != "have" && lw != "do" || strict && head.Tag != "VB" && head.Tag != "VBP" {
				continue
			}
			if v+1 < len(rest) && (rest[v+1].Tag == "VB" || rest[v+1].Tag == "VBP" || rest[v+1].Tag == "MD") && lw != "help" && lw != "let" && lw != "make" {
				continue
			}
			return k, true
		}
	}
	return 0, false
}

// nominal reports whether the tokens are one noun phrase with what hangs on it.
func (q *question) nominal(ts []Token) bool {
	last := ts[len(ts)-1]
	if !isNoun(last.Tag) && last.Tag != "PRP" && last.Tag != "CD" && last.Tag != "FW" && last.Tag != ")" && last.Tag != "''" &&
		!(last.Tag == "," && len(ts) > 3 && isNoun(ts[len(ts)-2].Tag)) &&
		!(last.Tag == "VBG" && len(ts) == 1) {
		return false
	}
	if last.Tag != "CD" && !q.a.dict.has(strings.ToLower(last.Text)) && lowerWord(last.Text) && adjectival(last.Text) {
		return false // an adjective that the tagger doesn't know: "laparoscopic"
	}
	depth, commas := 0, 0
	for i, t := range ts {
		switch {
		case t.Tag == ",":
			commas++
		case t.Tag == "CC" && commas > 0:
			commas = 0 // "salt, oil and water"
		case t.Tag == "(":
			depth++
		case t.Tag == ")":
			depth--
		case finite(t.Tag) && t.Tag != "MD":
			// Only in a relative clause.
			rel := false
			for _, p := range ts[:i] {
				if p.Tag == "WP" || p.Tag == "WDT" || strings.EqualFold(p.Text, "that") {
					rel = true
				}
			}
			if !rel {
				return false
			}
		}
	}
	return depth == 0 && commas%2 == 0
}

func adjectival(w string) bool {
	for _, s := range [...]string{"ic", "al", "ous", "ive", "ary", "able", "ible", "less", "ful"} {
		if strings.HasSuffix(w, s) {
			return true
		}
	}
	return false
}

// clause puts a question with an auxiliary into the order of a statement. It
// returns the subject, the verb group in its right form and where the rest of
// the question starts.
func (q *question) clause(negative bool) (subj, verb string, rest int, ok bool) {
	aux, _, i := q.aux()
	if aux == "" {
		return "", "", 0, false
	}
	k, ok := q.subjectEnd(i, aux)
	if !ok {
		return "", "", 0, false
	}
	subj = q.between(i, k)
	ts := q.ts
	if !doForms[aux] {
		verb = aux
		if negative {
			if aux == "can" {
				verb = "cannot"
			} else {
				verb += " not"
			}
		}
		return subj, verb, k, true
	}
	// do, does, did: the verb takes their form.
	v := k
	for v < len(ts)-1 && strings.HasPrefix(ts[v].Tag, "RB") && !q.a.dict.verbs[strings.ToLower(ts[v].Text)] {
		v++
	}
	if v >= len(ts) {
		return "", "", 0, false
	}
	base := strings.ToLower(ts[v].Text)
	adverbs := q.between(k, v)
	switch {
	case negative:
		verb = aux + " not " + join(adverbs, base)
	case aux == "does":
		verb = join(adverbs, thirdPersonForm(base))
	case aux == "did":
		verb = join(adverbs, q.a.dict.pastForm(base))
	default:
		verb = join(adverbs, base)
	}
	return subj, verb, v + 1, true
}

func join(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

// polar answers a yes/no question.
func (q *question) polar(negative bool) string {
	subj, verb, rest, ok := q.clause(negative)
	if !ok {
		return ""
	}
	aux, _, _ := q.aux()
	tail := q.between(rest, len(q.ts))
	if tail == "" && beForms[aux] {
		return "" // "Is Graz Austria" does not part
	}
	if strings.Contains(" "+strings.ToLower(tail)+" ", " or ") && !negative {
		return "" // "Is it red or blue?" asks for a choice
	}
	if strings.EqualFold(subj, "there") && negative {
		// There is not any -> reads well enough.
		return join(subj, verb, tail)
	}
	return join(subj, verb, strings.Replace(tail, "any ", anyTo(negative), 1))
}

func anyTo(negative bool) string {
	if negative {
		return "any "
	}
	return "some "
}

// filled answers a question with a question word.
func (q *question) filled(ans string) string {
	ts := q.ts
	aux := strings.ToLower(ts[q.at].Text)
	asksSubject := !auxiliary(aux)
	switch q.wh {
	case "who", "what", "which", "whose", "how":
		if beForms[aux] && q.prep == "" {
			if s, done := q.copula(ans, aux); done {
				return s
			}
		}
		if !asksSubject && !doForms[aux] {
			// Who has won? Which team will play? Verb right after the auxiliary.
			if n := q.at + 1; n < len(ts) && (ts[n].Tag == "VB" || ts[n].Tag == "VBN" || ts[n].Tag == "VBG" || ts[n].Tag == "RB") {
				asksSubject = true
			}
		}
		if asksSubject {
			if q.prep != "" || q.wh == "whose" {
				return ""
			}
			if q.wh == "how" {
				many, ok := q.quantity(ans)
				if !ok {
					return ""
				}
				ans = many
			}
			return join(ans, q.between(q.at, len(ts)))
		}
	}
	subj, verb, rest, ok := q.clause(false)
	if !ok {
		return ""
	}
	tail := q.between(rest, len(ts))
	switch q.wh {
	case "where":
		return join(subj, verb, tail, placed(q.a, ans))
	case "when":
		return join(subj, verb, tail, timed(q.a, ans))
	case "why":
		if !startsWith(ans, "because", "to", "due", "since", "for", "so", "as") {
			return ""
		}
		return join(subj, verb, tail, ans)
	case "whose":
		return ""
	case "how":
		if q.noun == "" {
			if !startsWith(ans, "by", "with", "through", "via", "from", "using", "on", "in") {
				return ""
			}
			return join(subj, verb, tail, ans)
		}
		switch n := strings.ToLower(q.noun); n {
		case "long", "far", "often", "fast", "soon", "high", "deep":
			return join(subj, verb, tail, ans)
		case "old", "tall", "big", "wide", "large", "heavy":
			return join(subj, verb, ans)
		}
		many, ok := q.quantity(ans)
		if !ok {
			return ""
		}
		ans = many
	}
	if q.prep != "" {
		if startsWith(ans, q.prep) {
			return join(subj, verb, tail, ans)
		}
		return join(subj, verb, tail, q.prep, ans)
	}
	noun := strings.ToLower(lastWord(q.noun))
	switch noun {
	case "year", "month", "day", "date", "century", "decade", "time":
		return join(subj, verb, tail, timed(q.a, ans))
	case "city", "country", "town", "state", "village", "place", "region", "continent":
		if tail != "" || rest >= len(ts) && beForms[aux] {
			if t := ts[len(ts)-1]; t.Tag != "IN" && t.Tag != "TO" {
				return join(subj, verb, tail, placed(q.a, ans))
			}
		}
	}
	if q.wh == "what" && strings.HasSuffix(verb, "do") || strings.HasSuffix(verb, "does") || strings.HasSuffix(verb, " did") || verb == "did" {
		return "" // "What does it do?" wants a verb
	}
	// The object stands after the verb, or where a preposition was left.
	if rest < len(ts) {
		last := ts[len(ts)-1]
		if last.Tag == "IN" || last.Tag == "TO" || last.Tag == "RP" {
			return join(subj, verb, tail, ans)
		}
		if t := ts[rest]; t.Tag == "IN" || t.Tag == "TO" && ts[rest].Text == "to" && !nextIsVerb(ts, rest) {
			return join(subj, verb, ans, tail)
		} else if t.Tag == "TO" {
			return join(subj, verb, tail, ans)
		} else if strings.HasPrefix(t.Tag, "VB") {
			// "What was X awarded in 1990?"
			return join(subj, verb, t.Text, ans, q.between(rest+1, len(ts)))
		} else if isNoun(t.Tag) || t.Tag == "DT" || t.Tag == "PRP" {
			return ""
		}
	}
	return join(subj, verb, ans, tail)
}

func nextIsVerb(ts []Token, i int) bool {
	return i+1 < len(ts) && strings.HasPrefix(ts[i+1].Tag, "VB")
}

// copula answers "Who is the mayor?", "What was the name of …?", "How old is
// Ida?", "What colour is it?".
func (q *question) copula(ans, aux string) (string, bool) {
	ts := q.ts
	n := q.at + 1
	if n >= len(ts) {
		return "", true
	}
	neg := strings.EqualFold(ts[n].Text, "not") || strings.EqualFold(ts[n].Text, "n't")
	if neg {
		return "", true
	}
	next := ts[n]
	if next.Tag == "VBN" || next.Tag == "VBG" || next.Tag == "IN" || strings.HasPrefix(next.Tag, "JJ") || next.Tag == "RB" {
		// Who was elected? Which is older?
		if q.wh == "how" {
			many, ok := q.quantity(ans)
			if !ok {
				return "", true
			}
			ans = many
		}
		return join(ans, q.between(q.at, len(ts))), true
	}
	k, ok := q.subjectEnd(n, aux)
	if !ok {
		return "", true
	}
	subj, tail := q.between(n, k), q.between(k, len(ts))
	if k < len(ts) && (ts[k].Tag == "VBN" || ts[k].Tag == "VBG" || strings.HasPrefix(ts[k].Tag, "VB")) {
		return "", false // a passive or progressive with its subject: see filled
	}
	if strings.EqualFold(subj, "there") {
		return "", true
	}
	switch q.wh {
	case "how":
		if q.noun == "" {
			return "", true
		}
		last := strings.ToLower(lastWord(ans))
		measure := strings.ToLower(q.noun)
		if measure == "many" || measure == "much" {
			return join(subj, aux, tail, ans), measure == "much"
		}
		if measure == "old" && numeric(ans) {
			ans += " years"
		}
		if last == measure {
			measure = ""
		}
		return join(subj, aux, ans, measure, tail), true
	case "who":
		// The answer is the subject unless it describes.
		lead := strings.ToLower(strings.SplitN(ans, " ", 2)[0])
		if isName(next.Tag) && (lead == "a" || lead == "an" || lead == "the" || lead == "one") || next.Tag == "PRP" {
			return join(subj, tail, aux, ans), true
		}
		return join(ans, aux, subj, tail), true
	case "whose":
		return "", true
	}
	return join(subj, tail, aux, ans), true
}

// quantity joins an amount with what was counted.
func (q *question) quantity(ans string) (string, bool) {
	n := strings.ToLower(q.noun)
	for _, p := range [...]string{"many ", "much "} {
		if strings.HasPrefix(n, p) {
			noun := q.noun[len(p):]
			if strings.Contains(strings.ToLower(ans), strings.ToLower(lastWord(noun))) {
				return ans, true
			}
			if ts := q.a.tokens(ans); ts[len(ts)-1].Tag == "CD" || len(ts) == 1 {
				return ans + " " + noun, true
			}
			return ans, true
		}
	}
	return ans, n == "many" || n == "much"
}

func startsWith(s string, words ...string) bool {
	first := strings.ToLower(strings.SplitN(s, " ", 2)[0])
	for _, w := range words {
		if first == w {
			return true
		}
	}
	return false
}

// placed gives the answer to "where" its preposition.
func placed(a *Analyzer, ans string) string {
	ts := a.tokens(ans)
	lw := strings.ToLower(ts[0].Text)
	if ts[0].Tag == "IN" || ts[0].Tag == "TO" || ts[0].Tag == "RB" || lw == "near" || lw == "home" || lw == "abroad" || lw == "outside" || lw == "inside" {
		return ans
	}
	return "in " + ans
}

// timed gives the answer to "when" its preposition.
func timed(a *Analyzer, ans string) string {
	ts := a.tokens(ans)
	lw := strings.ToLower(ts[0].Text)
	if ts[0].Tag == "IN" || ts[0].Tag == "RB" || ts[0].Tag == "WRB" || lw == "yesterday" || lw == "today" || lw == "tomorrow" || lw == "last" || lw == "next" ||
		lw == "this" || lw == "every" || lw == "around" || lw == "about" || lw == "before" || lw == "after" || lw == "during" || lw == "since" || lw == "between" {
		return ans
	}
	month, day, clock := false, false, false
	for _, t := range ts {
		w := strings.ToLower(t.Text)
		switch {
		case strings.Contains(w, ":"), w == "noon", w == "midnight", w == "o'clock", w == "a.m.", w == "p.m.", w == "am", w == "pm":
			clock = true
		case calendar[w] && strings.HasSuffix(w, "day"):
			return "on " + ans
		case calendar[w]:
			month = true
		case ordinal(w), numeric(w) && len(w) <= 2:
			day = true
		}
		if strings.Count(w, "-") == 2 || strings.Count(w, "/") == 2 {
			return "on " + ans
		}
	}
	switch {
	case clock:
		return "at " + ans
	case month && day:
		return "on " + ans
	}
	return "in " + ans
}
