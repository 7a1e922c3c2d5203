// Package language tells that a text is in another language than English, for
// models that know English alone. It is no general guesser of languages: it names
// scripts, and those languages in Latin letters whose function words it lists.
package language

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/segment"
)

// sample is how many bytes of a text are read to tell its language.
const sample = 1 << 14

// foreign are words that are frequent in one language and rare in English.
var foreign = []struct {
	language string
	words    map[string]bool
}{
	{"German", wordSet("der das und ist nicht ein eine einer einem einen mit auf für von dem den sich auch wird wurde sind war aber oder nach bei zur zum über im steht hat")},
	{"French", wordSet("le les des est une dans pour que qui sur pas avec sont au aux du ce cette mais ou et la il elle nous vous était été")},
	{"Spanish", wordSet("el los las una por para con del que es en se no al como más pero sus fue está son y ha este esta")},
	{"Italian", wordSet("il gli della delle di che è non per una con sono del nel alla anche più ma dei ha questo nella era")},
	{"Portuguese", wordSet("o os uma não que em para com do da dos das é por mais como mas foi ao ele ela são seu sua no na um")},
	{"Dutch", wordSet("het een van en niet dat op zijn voor met aan er maar ook om wordt werd bij naar uit deze heeft hij ze")},
	{"Swedish", wordSet("och att det som på är av för med den till inte om ett han men sig från var har")},
	{"Polish", wordSet("się nie jest na do że z jak ale po przez który od są dla został była było")},
}

var english = wordSet(`the of and to a in is it that was for on are with as his they at be this from have or by one had not but what all were when
 we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see
 could no make than first been its who now did get may over under after before between during without who's it's he i you my our`)

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// Foreign reports whether text is in another language than English: its name in
// English, "" where only the script is known, and the Unicode name of the script
// that most letters belong to. A text too short to tell is not foreign. The first
// 16 kB are read.
func Foreign(text string) (language, script string, foreign bool) {
	if len(text) > sample {
		text = text[:sample]
		for len(text) > 0 && !utf8.ValidString(text[max(0, len(text)-4):]) {
			text = text[:len(text)-1]
			if len(text) < sample-4 {
				break
			}
		}
	}
	latin, letters := 0, 0
	scripts := map[string]int{}
	for _, r := range text {
		if r == utf8.RuneError || !unicode.IsLetter(r) {
			continue
		}
		letters++
		if r < 0x250 || unicode.Is(unicode.Latin, r) {
			latin++
			continue
		}
		scripts[scriptOf(r)]++
	}
	if letters == 0 {
		return "", "", false
	}
	if latin*2 < letters {
		best := ""
		for s, n := range scripts {
			if best == "" || n > scripts[best] || n == scripts[best] && s < best {
				best = s
			}
		}
		return "", best, true
	}
	if l := latinLanguage(text); l != "" {
		return l, "Latin", true
	}
	return "", "", false
}

// latinLanguage names the language of a text in Latin letters when it is one of
// foreign's and not English, "" otherwise.
func latinLanguage(text string) string {
	words := segment.Words(text)
	if len(words) < 3 {
		return ""
	}
	known := 0
	counts := make([]int, len(foreign))
	for i, w := range words {
		s := strings.ToLower(w.Of(text))
		if english[s] {
			known++
		}
		if i > 0 && capitalised(text, w) {
			continue // a name, or a noun
		}
		for k := range foreign {
			if foreign[k].words[s] {
				counts[k]++
			}
		}
	}
	best := 0
	for k := range counts {
		if counts[k] > counts[best] {
			best = k
		}
	}
	if counts[best] >= 2 && counts[best] > known && counts[best]*6 >= len(words) {
		return foreign[best].language
	}
	if len(words) <= shortText {
		return shortLanguage(text, words)
	}
	return ""
}

// shortText is how many words a text may have for a single word to tell its
// language.
const shortText = 14

// telling are words of one language each that are no words of English, and
// beside them words that English or other languages have too: of two words one
// must be telling.
var telling = []struct {
	language       string
	strong, shared map[string]bool
	letters        string
}{
	{"German", wordSet("der das und ist nicht ein eine einen einem einer auf für dem sich auch wird wurde wurden sind aber oder nach bei zur zum über im steht haben seit vom wir ihr sie ich kein keine gebaut"),
		wordSet("die war in an am es er so hat des was mit von den"), "äöüß"},
	{"French", wordSet("les est une dans pour que qui avec sont aux cette et elle nous vous était été ont ses leur je n'est c'est"),
		wordSet("le la des du ce au ou il de a en mais plus son sa un sur pas"), "éèêàçùîôûëœ"},
	{"Spanish", wordSet("el los las una por para es que y fue está son este esta su muy hay pero como ser se"),
		wordSet("la un de en no al era a más del con ha"), "ñáíóúé¿¡"},
	{"Italian", wordSet("gli della delle che è una sono nel nella alla questo stato stata più anche sua suo il"),
		wordSet("la un per ma era in i da e a al di dei del non con lo fu ha"), "èàùòì"},
	{"Portuguese", wordSet("uma não em por foi ao são seu sua na pelo pela muito está um"),
		wordSet("o a os as no do da de e para mais era como dos das que com é"), "ãõçáéíóúâêô"},
	{"Dutch", wordSet("het een niet dat zijn voor aan maar ook wordt werd bij naar uit deze heeft hij gebouwd geen zij ik"),
		wordSet("de en is in op er om was die ze we met van"), "ëï"},
}

// shortLanguage names the language of a few words: no word of English alone is
// among them, and two of the language are, one of them telling. Words with a
// capital inside the text are names and tell nothing.
func shortLanguage(text string, words []segment.Span) string {
	type count struct{ strong, shared int }
	var counts [6]count
	letters := strings.ToLower(text)
	best, score := -1, 0
	for k := range telling {
		t, c := &telling[k], &counts[k]
		english2 := 0
		for i, w := range words {
			raw := w.Of(text)
			s := strings.ToLower(raw)
			if r, _ := utf8.DecodeRuneInString(raw); unicode.IsUpper(r) && (i > 0 || raw == strings.ToUpper(raw) && len(raw) > 1 || t.language != "German" && capitalised(text, words[1])) {
				continue
			}
			// Elision: "l'église", "dell'anno".
			if p := strings.IndexAny(s, "'’"); p > 0 && (t.language == "French" && (s[:p] == "l" || s[:p] == "d" || s[:p] == "qu" || s[:p] == "n" || s[:p] == "s") ||
				t.language == "Italian" && (s[:p] == "l" || s[:p] == "dell" || s[:p] == "nell" || s[:p] == "all" || s[:p] == "un")) {
				c.strong++
				continue
			}
			switch {
			case t.strong[s]:
				c.strong++
			case t.shared[s]:
				c.shared++
			case english[s] || englishOnly[s]:
				english2++
			}
		}
		n := 2*c.strong + c.shared
		if strings.ContainsAny(letters, t.letters) {
			n++
		}
		if english2 == 0 && c.strong > 0 && n >= 3 && n > score {
			best, score = k, n
		}
	}
	if best < 0 {
		return ""
	}
	return telling[best].language
}

func capitalised(text string, w segment.Span) bool {
	r, _ := utf8.DecodeRuneInString(w.Of(text))
	return unicode.IsUpper(r)
}

// englishOnly are common words of English that none of the languages has.
var englishOnly = wordSet("the and with was were has had she they their there this that these those which what when where who his her its from into about after before would could should been being not are have does did made said new year years")

// scriptOf names the script of a letter that is not Latin.
func scriptOf(r rune) string {
	for _, s := range []struct {
		name  string
		table *unicode.RangeTable
	}{
		{"Han", unicode.Han}, {"Hiragana", unicode.Hiragana}, {"Katakana", unicode.Katakana}, {"Hangul", unicode.Hangul},
		{"Cyrillic", unicode.Cyrillic}, {"Greek", unicode.Greek}, {"Arabic", unicode.Arabic}, {"Hebrew", unicode.Hebrew},
		{"Devanagari", unicode.Devanagari}, {"Bengali", unicode.Bengali}, {"Tamil", unicode.Tamil}, {"Thai", unicode.Thai},
		{"Lao", unicode.Lao}, {"Khmer", unicode.Khmer}, {"Myanmar", unicode.Myanmar}, {"Armenian", unicode.Armenian},
		{"Georgian", unicode.Georgian}, {"Ethiopic", unicode.Ethiopic},
	} {
		if unicode.Is(s.table, r) {
			return s.name
		}
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return name // scripts do not overlap: the order does not matter
		}
	}
	return ""
}
