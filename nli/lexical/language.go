package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kgeval/kgeval/nli"
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
	{"French", wordSet("le les des est une dans pour que qui sur pas avec son sont au aux du ce cette mais ou et la il elle nous vous était été")},
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

// knows returns a *nli.LanguageError when text is in another language than
// English. A text too short to tell passes.
func knows(text string) error {
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
		return nil
	}
	if latin*2 < letters {
		best := ""
		for s, n := range scripts {
			if best == "" || n > scripts[best] || n == scripts[best] && s < best {
				best = s
			}
		}
		return &nli.LanguageError{Script: best}
	}
	words := segment.Words(text)
	if len(words) < 3 {
		return nil
	}
	known := 0
	counts := make([]int, len(foreign))
	for _, w := range words {
		s := strings.ToLower(w.Of(text))
		if english[s] {
			known++
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
		return &nli.LanguageError{Language: foreign[best].language, Script: "Latin"}
	}
	return nil
}

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
