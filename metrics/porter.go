package metrics

import "strings"

// stem returns the stem of a word in small ASCII letters: Porter's algorithm
// (M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980) with the
// departures of NLTK's default mode, which rouge-score uses: a list of irregular
// forms, words of one or two letters left alone, "ies" and "ied" of four-letter
// words, y after a consonant only, and some endings more in step 2.
func stem(w string) string {
	if s, ok := porterIrregular[w]; ok {
		return s
	}
	if len(w) <= 2 {
		return w
	}
	w = plural(w)
	w = pastOrGerund(w)
	if n := len(w); n > 2 && w[n-1] == 'y' && consonants(w)[n-2] {
		w = w[:n-1] + "i"
	}
	w = doubleSuffix(w)
	w, _ = replaceSuffix(w, step3, positive)
	w = bareSuffix(w)
	return finalE(w)
}

var porterIrregular = map[string]string{
	"sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
	"innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing",
	"cannings": "canning", "canning": "canning", "howe": "howe",
	"proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}

// consonants says which letters are consonants: all but a, e, i, o, u, and y behind
// a consonant.
func consonants(w string) []bool {
	out := make([]bool, len(w))
	for i := range len(w) {
		switch w[i] {
		case 'a', 'e', 'i', 'o', 'u':
		case 'y':
			out[i] = i == 0 || !out[i-1]
		default:
			out[i] = true
		}
	}
	return out
}

// measure is Porter's m: how often a consonant follows a vowel.
func measure(w string) int {
	m, c := 0, consonants(w)
	for i := 1; i < len(c); i++ {
		if c[i] && !c[i-1] {
			m++
		}
	}
	return m
}

func positive(w string) bool { return measure(w) > 0 }

// endsShort is Porter's *o: consonant, vowel, consonant other than w, x and y; or
// the whole word a vowel and a consonant.
func endsShort(w string) bool {
	c, n := consonants(w), len(w)
	switch {
	case n == 2:
		return !c[0] && c[1]
	case n < 3:
		return false
	}
	return c[n-3] && !c[n-2] && c[n-1] && !strings.ContainsRune("wxy", rune(w[n-1]))
}

// plural is step 1a.
func plural(w string) string {
	switch {
	case len(w) == 4 && strings.HasSuffix(w, "ies"):
		return w[:3]
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "ies"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ss"):
		return w
	}
	return strings.TrimSuffix(w, "s")
}

// pastOrGerund is step 1b.
func pastOrGerund(w string) string {
	if s, ok := strings.CutSuffix(w, "ied"); ok {
		if len(w) == 4 {
			return s + "ie"
		}
		return s + "i"
	}
	if s, ok := strings.CutSuffix(w, "eed"); ok {
		if positive(s) {
			return s + "ee"
		}
		return w
	}
	s, ok := cutVoiced(w, "ed")
	if !ok {
		if s, ok = cutVoiced(w, "ing"); !ok {
			return w
		}
	}
	n := len(s)
	switch {
	case strings.HasSuffix(s, "at"), strings.HasSuffix(s, "bl"), strings.HasSuffix(s, "iz"):
		return s + "e"
	case n >= 2 && s[n-1] == s[n-2] && consonants(s)[n-1]:
		if strings.ContainsRune("lsz", rune(s[n-1])) {
			return s
		}
		return s[:n-1]
	case measure(s) == 1 && endsShort(s):
		return s + "e"
	}
	return s
}

// cutVoiced cuts a suffix off if a vowel is left.
func cutVoiced(w, suffix string) (string, bool) {
	s, ok := strings.CutSuffix(w, suffix)
	if !ok {
		return w, false
	}
	for _, c := range consonants(s) {
		if !c {
			return s, true
		}
	}
	return w, false
}

// suffix is an ending and what takes its place.
type suffix struct{ from, to string }

var step2 = []suffix{
	{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"}, {"bli", "ble"},
	{"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"}, {"ization", "ize"}, {"ation", "ate"},
	{"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},
	{"iviti", "ive"}, {"biliti", "ble"}, {"fulli", "ful"},
}

var step3 = []suffix{
	{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
}

var step4 = []suffix{
	{"al", ""}, {"ance", ""}, {"ence", ""}, {"er", ""}, {"ic", ""}, {"able", ""}, {"ible", ""}, {"ant", ""},
	{"ement", ""}, {"ment", ""}, {"ent", ""}, {"ion", ""}, {"ou", ""}, {"ism", ""}, {"ate", ""}, {"iti", ""},
	{"ous", ""}, {"ive", ""}, {"ize", ""},
}

// replaceSuffix replaces the first ending of the list that w has, if the stem before
// it passes; no other ending is tried. found says that w has one.
func replaceSuffix(w string, list []suffix, pass func(stem string) bool) (_ string, found bool) {
	for _, s := range list {
		if rest, ok := strings.CutSuffix(w, s.from); ok {
			if pass(rest) {
				return rest + s.to, true
			}
			return w, true
		}
	}
	return w, false
}

// doubleSuffix is step 2. "alli" comes before "(a)bli", and what is left is looked at
// again.
func doubleSuffix(w string) string {
	for {
		s, ok := strings.CutSuffix(w, "alli")
		if !ok || !positive(s) {
			break
		}
		w = s + "al"
	}
	out, found := replaceSuffix(w, step2, positive)
	if !found && strings.HasSuffix(w, "logi") && positive(w[:len(w)-3]) {
		return w[:len(w)-1]
	}
	return out
}

// bareSuffix is step 4.
func bareSuffix(w string) string {
	out, _ := replaceSuffix(w, step4, func(s string) bool {
		if measure(s) <= 1 {
			return false
		}
		return !strings.HasSuffix(w, "ion") || s[len(s)-1] == 's' || s[len(s)-1] == 't'
	})
	return out
}

// finalE is step 5.
func finalE(w string) string {
	if s, ok := strings.CutSuffix(w, "e"); ok {
		if m := measure(s); m > 1 || m == 1 && !endsShort(s) {
			w = s
		}
	}
	if strings.HasSuffix(w, "ll") && measure(w[:len(w)-1]) > 1 {
		w = w[:len(w)-1]
	}
	return w
}
