package kg

import "strings"

// stem returns what a word (in small letters) shares with its inflections, by
// English endings and a list of irregular verbs. It is no word itself. Words
// with anything but a to z stay as they are, so do short ones.
func stem(w string) string {
	for i := 0; i < len(w); i++ {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	if base, ok := irregular[w]; ok {
		w = base
	}
	if len(w) < 4 {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4, strings.HasSuffix(w, "ied") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "zzes"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		w = w[:len(w)-1]
	}
	switch {
	case strings.HasSuffix(w, "ing") && len(w) >= 6 && hasVowel(w[:len(w)-3]):
		w = undouble(w[:len(w)-3])
	case strings.HasSuffix(w, "eed"):
	case strings.HasSuffix(w, "ed") && len(w) >= 5 && hasVowel(w[:len(w)-2]):
		w = undouble(w[:len(w)-2])
	case strings.HasSuffix(w, "ed"):
		w = w[:len(w)-1]
	}
	if len(w) > 3 && strings.HasSuffix(w, "e") {
		w = w[:len(w)-1]
	}
	return w
}

func hasVowel(s string) bool { return strings.ContainsAny(s, "aeiouy") }

// undouble takes the second of two equal consonants at the end away.
func undouble(s string) string {
	n := len(s)
	if n > 3 && s[n-1] == s[n-2] && strings.IndexByte("bdgmnprt", s[n-1]) >= 0 {
		return s[:n-1]
	}
	return s
}

// irregular maps the irregular forms of common verbs and nouns to the base.
var irregular = func() map[string]string {
	m := make(map[string]string)
	for _, line := range strings.Split(`arise arose arisen;awake awoke awoken;bear bore borne;beat beaten;become became;begin began begun;
bend bent;bind bound;bite bit bitten;blow blew blown;break broke broken;bring brought;build built;buy bought;catch caught;choose chose chosen;
come came;deal dealt;dig dug;draw drew drawn;drink drank drunk;drive drove driven;eat ate eaten;fall fell fallen;feed fed;feel felt;fight fought;
find found;flee fled;fly flew flown;forbid forbade forbidden;forget forgot forgotten;forgive forgave forgiven;freeze froze frozen;get got gotten;
give gave given;go went gone;grow grew grown;hang hung;hear heard;hide hid hidden;hold held;keep kept;know knew known;lay laid;lead led;leave left;
lend lent;lose lost;make made;mean meant;meet met;pay paid;ride rode ridden;ring rang rung;rise rose risen;run ran;say said;see saw seen;seek sought;
sell sold;send sent;shake shook shaken;shine shone;shoot shot;show shown;shrink shrank shrunk;sing sang sung;sink sank sunk;sit sat;sleep slept;
speak spoke spoken;spend spent;spin spun;stand stood;steal stole stolen;stick stuck;strike struck;swear swore sworn;swim swam swum;take took taken;
teach taught;tear tore torn;tell told;think thought;throw threw thrown;understand understood;undergo underwent undergone;wake woke woken;wear wore worn;
win won;withdraw withdrew withdrawn;write wrote written;overcome overcame;overtake overtook overtaken;oversee oversaw overseen;
man men;woman women;child children;person people;foot feet;tooth teeth;mouse mice;goose geese;wife wives;life lives;leaf leaves;half halves;wolf wolves`, ";") {
		fs := strings.Fields(line)
		for _, f := range fs[1:] {
			m[f] = fs[0]
		}
	}
	return m
}()
