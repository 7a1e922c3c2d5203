package openie

import (
	"strings"
	"unicode"
)

// scripts names the scripts that tell a language apart from English at sight.
var scripts = []struct {
	table *unicode.RangeTable
	name  string
}{
	{unicode.Hiragana, "Japanese"}, {unicode.Katakana, "Japanese"},
	{unicode.Hangul, "Korean"}, {unicode.Han, "Chinese"},
	{unicode.Cyrillic, "Cyrillic script"}, {unicode.Arabic, "Arabic script"},
	{unicode.Hebrew, "Hebrew"}, {unicode.Greek, "Greek"}, {unicode.Thai, "Thai"},
	{unicode.Devanagari, "Devanagari script"}, {unicode.Bengali, "Bengali script"},
	{unicode.Tamil, "Tamil"}, {unicode.Telugu, "Telugu"}, {unicode.Georgian, "Georgian"},
	{unicode.Armenian, "Armenian"}, {unicode.Ethiopic, "Ethiopic script"},
	{unicode.Khmer, "Khmer"}, {unicode.Myanmar, "Burmese"}, {unicode.Lao, "Lao"},
	{unicode.Gujarati, "Gujarati"}, {unicode.Gurmukhi, "Gurmukhi script"},
	{unicode.Kannada, "Kannada"}, {unicode.Malayalam, "Malayalam"}, {unicode.Sinhala, "Sinhala"},
	{unicode.Tibetan, "Tibetan"},
}

// functionWords are frequent words that hardly occur in another of the
// languages listed. Words that English shares ("in", "an", "die") are left out.
var functionWords = []struct {
	name  string
	words set
}{
	{"German", words(`der das und ist nicht ein eine einen einem einer mit von zu den dem des im auf für sich wurde werden wird sind auch aus bei nach es steht sie ich wir ihr haben hatte oder über durch zum zur kein keine`)},
	{"French", words(`le la les des est et une du dans qui que pour pas sur avec il elle ils sont au aux ce cette été était par plus ne se son sa ses leur nous vous je`)},
	{"Spanish", words(`el los las una es y del que por con para no se su sus como más pero está fue ser son al lo este esta muy también`)},
	{"Italian", words(`il lo gli una è di che non per con del della dei nel nella sono anche più come ma si ha stato questo suo sua al alla`)},
	{"Portuguese", words(`os uma é não com para do da dos das em que por mais como foi são ao no na se também pelo pela seu sua`)},
	{"Dutch", words(`het een van niet dat zijn op te voor met aan er ook als maar bij uit naar wordt werd hij zij deze dit worden heeft`)},
	{"Swedish", words(`och att det som en på är av för med den till inte har om ett han var jag från`)},
	{"Polish", words(`w i na z nie się do to jest że o jak po od przez był była są oraz dla`)},
	{"Turkish", words(`ve bir bu için ile de da olarak olan daha çok gibi en kadar sonra`)},
	{"Indonesian", words(`yang dan di dengan untuk dari ini itu pada tidak adalah dalam ke akan oleh`)},
	{"Vietnamese", words(`là và của có không được trong cho một các người này với những`)},
}

var englishWords = words(`the of and to in is was for on that with as by at from it
	he she they are were be been has have had his her their its an this but not or
	which who will would can could may said says after before about over when than
	also into out up more most some there what if so no a i you we all no only new`)

// foreign returns the name of the language or script of a sentence that is not
// English, and "" for English and for what is too short to tell.
func foreign(text string) string {
	letters, other := 0, 0
	counts := make([]int, len(scripts))
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			continue
		}
		letters++
		if r < 0x250 {
			continue
		}
		other++
		for i, s := range scripts {
			if unicode.Is(s.table, r) {
				counts[i]++
				break
			}
		}
	}
	if letters == 0 {
		return ""
	}
	if other*2 > letters {
		best := -1
		for i, n := range counts {
			if n > 0 && (best < 0 || n > counts[best]) {
				best = i
			}
		}
		// Japanese mixes kana with more Han characters than kana.
		if counts[0]+counts[1] > 0 && counts[3] > 0 {
			return "Japanese"
		}
		if best < 0 {
			return "an unknown script"
		}
		return scripts[best].name
	}
	fields := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	if len(fields) < 3 {
		return ""
	}
	if len(fields) > 400 {
		fields = fields[:400]
	}
	// Inside a sentence a function word has no capital; a name has ("El Salvador").
	fields[0] = strings.ToLower(fields[0])
	english := 0
	for _, f := range fields {
		if englishWords.has(f) {
			english++
		}
	}
	best, name := 0, ""
	for _, l := range functionWords {
		n := 0
		for _, f := range fields {
			if l.words.has(f) {
				n++
			}
		}
		if n > best {
			best, name = n, l.name
		}
	}
	// Foreign function words must be frequent and outnumber the English ones.
	if best >= 2 && best > english && best*5 >= len(fields) {
		return name
	}
	return ""
}
