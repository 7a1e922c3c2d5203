package rules

import "strings"

// irregularPasts are the simple pasts that are not formed with -ed, as
// "verb past" pairs.
const irregularPasts = `arise arose be was bear bore beat beat become became begin began bend bent bet bet bind bound bite bit
 bleed bled blow blew break broke bring brought build built burst burst buy bought catch caught choose chose come came cost cost
 cut cut deal dealt dig dug do did draw drew drink drank drive drove eat ate fall fell feed fed feel felt fight fought find found
 flee fled fly flew forbid forbade forget forgot forgive forgave freeze froze get got give gave go went grow grew hang hung have had
 hear heard hide hid hit hit hold held hurt hurt keep kept know knew lay laid lead led leave left lend lent let let lie lay lose lost
 make made mean meant meet met outgrow outgrew overcome overcame overtake overtook pay paid put put quit quit read read rebuild rebuilt
 ride rode ring rang rise rose run ran say said see saw seek sought sell sold send sent set set shake shook shed shed shoot shot shrink
 shrank shut shut sing sang sink sank sit sat sleep slept slide slid speak spoke spend spent spin spun split split spread spread stand
 stood steal stole stick stuck strike struck strive strove swear swore sweep swept swim swam swing swung take took teach taught tear
 tore tell told think thought throw threw undergo underwent understand understood undertake undertook uphold upheld wake woke wear wore
 weave wove weep wept win won wind wound withdraw withdrew withhold withheld withstand withstood write wrote`

var pasts = func() map[string]string {
	f := strings.Fields(irregularPasts)
	m := make(map[string]string, len(f)/2)
	for i := 0; i+1 < len(f); i += 2 {
		m[f[i]] = f[i+1]
	}
	return m
}()

func irregular(verb string) bool { return pasts[verb] != "" }

// past returns the simple past of a verb's dictionary form. A last consonant is
// doubled where the verb is one syllable of consonant, vowel, consonant.
func past(verb string) string {
	if p, ok := pasts[verb]; ok {
		return p
	}
	n := len(verb)
	switch {
	case n == 0:
		return ""
	case verb[n-1] == 'e':
		return verb + "d"
	case verb[n-1] == 'y' && n > 1 && !vowel(verb[n-2]):
		return verb[:n-1] + "ied"
	case doubles(verb):
		return verb + verb[n-1:] + "ed"
	}
	return verb + "ed"
}

// third returns the third person singular of a verb's dictionary form.
func third(verb string) string {
	n := len(verb)
	switch {
	case verb == "be":
		return "is"
	case verb == "have":
		return "has"
	case n > 1 && verb[n-1] == 'y' && !vowel(verb[n-2]):
		return verb[:n-1] + "ies"
	}
	for _, end := range []string{"s", "sh", "ch", "x", "z", "o"} {
		if strings.HasSuffix(verb, end) {
			return verb + "es"
		}
	}
	return verb + "s"
}

func vowel(b byte) bool { return strings.IndexByte("aeiou", b) >= 0 }

// doubles reports whether a verb of one syllable doubles its last consonant.
func doubles(verb string) bool {
	n := len(verb)
	if n < 3 || vowel(verb[n-1]) || strings.IndexByte("wxy", verb[n-1]) >= 0 || !vowel(verb[n-2]) || vowel(verb[n-3]) {
		return false
	}
	groups := 0
	for i := 0; i < n; i++ {
		if vowel(verb[i]) && (i == 0 || !vowel(verb[i-1])) {
			groups++
		}
	}
	return groups == 1
}
