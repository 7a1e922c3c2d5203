package grapheval

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

// Checkable reports whether a sentence states anything that sources could
// support or deny. Not checkable are
//
//   - what has no letter and no digit;
//   - questions, unless they carry a statement ("Did you know that …?", "…,
//     isn't it?");
//   - a writer's own not knowing, and that the sources do not say: "I don't
//     know.", "The documents do not say when it opened.";
//   - words that only point at another statement ("It really is.", "They do too.");
//   - greetings, thanks, apologies, offers of help, praise of the question, and
//     bare assent ("Hi! Happy to help.", "Sure.", "Yes.");
//   - headings, and lines that only lead to a list ("Here are the facts:");
//   - the fence of a code block, and lines of nothing but markup.
//
// It knows the phrases of English, German, French, Spanish, Portuguese, Italian,
// Dutch, Swedish, Polish, Russian, Turkish, Chinese, Japanese, Korean and
// Arabic, and greetings and the commonest "I don't know" of some thirty more,
// whatever the language of the sources. It is conservative: what it does
// not recognise as one of these is checkable, and so is a phrase that goes on
// with "but …" or brings a number with it.
func Checkable(sentence string) bool {
	text := bare(sentence)
	if !strings.ContainsFunc(text, wordRune) || markupOnly.MatchString(sentence) {
		return false
	}
	if isHeading(sentence, text) {
		return false
	}
	if len(text) > maxPhrase {
		return true // no phrase is that long
	}
	low := fold(text)
	if isQuestion(low) && !quotes(sentence) || polar.MatchString(low) {
		return false
	}
	if !states(low) || pointing.MatchString(low) {
		return false
	}
	if k := len(regret.FindString(low)); k > 0 && k < len(low) && !states(low[k:]) {
		return false // "I'm sorry, but the text does not say."
	}
	if i := strings.IndexAny(low, ",!，！、"); i > 0 && alone(low[:i]) {
		// "Sorry, …", "Of course! …": what comes after it counts.
		return Checkable(low[i:])
	}
	return true
}

// markupOnly is a fence of a code block with its language, or a line of tags,
// entities and commands that set text.
var markupOnly = regexp.MustCompile("^\\s*(?:(?:```|~~~)[^\\s`]*(?:\\s+\\{[^}]*\\})?|(?:</?[A-Za-z][^<>]*>|<!--.*?-->|&[a-z]+;|!\\[\\]\\([^)]*\\)|\\s)+|\\\\(?:begin|end)\\{[^}]*\\})\\s*$")

// pointing is a sentence of nothing but words that stand for others, over folded
// text.
var pointing = regexp.MustCompile(`^(?:(?:yes|no|yeah|oh|well|ah|so|and|but|of course|i know|i think|i agree|i guess),? )*` +
	`(?:it|that|this|they|those|these|he|she|we|you|i|there)(?: ` + pointers + `)*` +
	`(?: ?'s| ?'re| is| are| was| were| am| do| does| did| has| have| had| can| could| will| would| might| may| should| must)(?:n't| not)?(?:,? ` + pointers + `)*$`)

const pointers = `(?:really|so|too|indeed|truly|definitely|certainly|absolutely|actually|probably|maybe|perhaps|sure|right|true|also|all|much|very|for sure|not|as well|of course|though|yes|no|already|again)`

// regret is how a refusal begins, over folded text.
var regret = regexp.MustCompile(`^(?:(?:(?:i'm|i am|we're|we are) )?(?:so |very |really |terribly )?(?:sorry|afraid)(?: to say)?(?: that)?|(?:my |our )?apologies|i apologi[sz]e|unfortunately|regrettably|sadly` +
	`|(?:es )?tut mir leid|leider|entschuldigung|désolée?|malheureusement|je suis désolée?|lo siento|lamentablemente|desafortunadamente|desculpe|infelizmente|lamento|mi dispiace|purtroppo` +
	`|sorry|helaas|het spijt me|tyvärr|förlåt|jag är ledsen|przepraszam|przykro mi|niestety|к сожалению|извините|простите|üzgünüm|maalesef)` +
	`[,.;:!]? (?:(?:but|aber|mais|pero|mas|ma|maar|men|ale|но|ama|however|dass|que|che|that),? )?`)

// alone reports whether a folded text is a phrase that states nothing in any of
// the languages.
func alone(low string) bool {
	for _, l := range phrasebook {
		if l.alone.MatchString(low) {
			return true
		}
	}
	return false
}

// states reports whether a folded sentence without such a phrase before it
// states anything.
func states(low string) bool {
	number := strings.ContainsFunc(low, unicode.IsNumber)
	for _, l := range phrasebook {
		if l.alone.MatchString(low) {
			return false
		}
		if number {
			continue
		}
		if m := l.open.FindString(low); m != "" && !l.turn.MatchString(low[len(m):]) {
			return false
		}
		if l.greeting.MatchString(low) && len(segment.Words(low)) <= maxGreeting {
			return false
		}
		if containsAny(low, l.negative) && l.meta.MatchString(low) && !l.turn.MatchString(low) {
			return false
		}
	}
	return true
}

const (
	// maxPhrase is the length in bytes beyond which a sentence is no mere phrase.
	maxPhrase = 400
	// maxGreeting is how many words a greeting has with the name that it greets.
	maxGreeting = 4
)

func containsAny(text string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// polarAnswer reports whether text is nothing but "yes" or "no".
func polarAnswer(text string) bool {
	return len(text) <= maxPhrase && polar.MatchString(fold(bare(text)))
}

// bare returns a sentence without list marker, Markdown emphasis and quotes
// around it.
func bare(sentence string) string {
	t := strings.TrimSpace(sentence)
	t = listMarker.ReplaceAllString(t, "")
	return strings.Trim(t, " \t\r\n*_\"“”„«»`>,，、！!")
}

var listMarker = regexp.MustCompile(`^(?:[-*•‣–·]|\(?\d{1,2}[.)])\s+`)

// fold returns text in lower case, with straight apostrophes, single blanks, and
// without punctuation at its end except a question mark.
func fold(text string) string {
	t := strings.ToLower(text)
	t = strings.NewReplacer("’", "'", "‘", "'", "`", "'", "\u00a0", " ").Replace(t)
	t = strings.Join(strings.Fields(t), " ")
	return strings.TrimRightFunc(t, func(r rune) bool {
		if r == '?' || r == '？' || r == '؟' {
			return false
		}
		return unicode.IsPunct(r) || unicode.IsSymbol(r) || unicode.IsSpace(r) || r == '\uFE0F'
	})
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// isQuestion reports whether a folded sentence asks and does not state.
func isQuestion(low string) bool {
	end, _ := utf8.DecodeLastRuneInString(low)
	if end != '?' && end != '？' && end != '؟' {
		return false
	}
	return !statingQuestion.MatchString(low) && !(statementThenQuestion.MatchString(low) && !asksFirst.MatchString(low))
}

// quotes reports whether a sentence ends with a quotation that begins inside it:
// 'He asked: "Who did it?"' states that he asked.
func quotes(sentence string) bool {
	const marks = "\"'’”»`"
	t := strings.TrimRight(sentence, " \t\r\n")
	last, _ := utf8.DecodeLastRuneInString(t)
	if !strings.ContainsRune(marks, last) {
		return false
	}
	open := strings.IndexAny(strings.TrimRight(t, marks), "\"“„«`‘")
	if open < 0 {
		open = strings.Index(t, " '")
	}
	return len(segment.Words(t[:max(open, 0)])) >= 2
}

// statementThenQuestion is a statement with a question behind it ("It opened in
// May, did you go?"), if the sentence does not ask from its first word on.
var (
	statementThenQuestion = regexp.MustCompile(`^\S+(?: \S+){2,}, (?:so |and |but )?(?:do|did|have|are|were|would|will|can|could) (?:you|we|they) [^,]*\?$`)
	asksFirst             = regexp.MustCompile(`^(?:(?:and|but|so|well|oh|hey|hi|hello|ok|okay),? )*(?:if|when|because|since|as|who|whom|whose|what|which|when|where|why|how|do|does|did|is|are|was|were|am|has|have|had|can|could|will|would|shall|should|may|might|must)\b`)
)

// statingQuestion: questions that carry a statement.
var statingQuestion = regexp.MustCompile(`\b(did|do) you know that |^wusstest du, dass |^wussten sie, dass |^saviez-vous que |^¿sab[ií]as? que ` +
	`|, (is|are|was|were|do|does|did|has|have|had|can|could|will|would)(n't| not)? (it|he|she|they|we|you|i|there)( not)?\?$` +
	`|, (right|correct|oder|nicht wahr|n'est-ce pas|verdad)\?$`)

// isHeading reports whether a line is a heading or only leads to what follows.
func isHeading(sentence, text string) bool {
	t := strings.TrimSpace(sentence)
	if strings.HasPrefix(t, "#") {
		if rest := strings.TrimLeft(t, "#"); (strings.HasPrefix(rest, " ") || rest == "") && !strings.HasSuffix(rest, ".") {
			return true
		}
	}
	if headingWord.MatchString(fold(text)) {
		return true
	}
	if !strings.HasSuffix(strings.TrimRight(text, "*_ "), ":") && !strings.HasSuffix(text, "：") {
		return false
	}
	// A lead-in: no number, and no name after its first word.
	if strings.ContainsFunc(text, unicode.IsNumber) || len(text) > maxPhrase {
		return false
	}
	words := segment.Words(text)
	for i, w := range words {
		r, _ := utf8.DecodeRuneInString(w.Of(text))
		if i > 0 && unicode.IsUpper(r) && !titled(words, text) {
			return false
		}
	}
	return len(words) <= 12
}

// titled reports whether most words begin with a capital, as in a title, where a
// capital tells nothing about names.
func titled(words []segment.Span, text string) bool {
	upper := 0
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w.Of(text)); unicode.IsUpper(r) {
			upper++
		}
	}
	return len(words) <= 4 && upper*3 >= len(words)*2
}
