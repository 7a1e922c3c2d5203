package s3kg

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// frame is a triple taken apart: its relation, its tail, and when and where, which
// extractors leave at the tail's end ("radium in 1898") or in the middle ("was
// discovered in", "1898 by Marie Curie"). Two facts can then be compared although
// one names the time at another place.
type frame struct {
	relation string
	tail     string
	// circumstances are at most maxCircumstances phrases, without "in", "on" and
	// "at", with other prepositions ("Porto", "1898", "since 2020").
	circumstances []string
}

const maxCircumstances = 2

// readFrame takes a relation and its tail apart. It knows English prepositions,
// years, dates and centuries, and takes names for places after "in" and "at". If
// there is nothing to take apart the frame holds both as they are.
func readFrame(relation, tail string) frame {
	f := frame{relation: relation, tail: tail}
	if r, t, c, ok := lateAgent(relation, tail); ok {
		return frame{r, t, c}
	}
	if r, t, ok := comparedWith(relation, tail); ok {
		return frame{relation: r, tail: t}
	}
	if w := strings.Fields(tail); len(w) > 1 && circumstancePrepositions[w[0]] &&
		(isDate(w[1:]) || placePrepositions[w[0]] && isName(w[1:])) {
		// "opened" and "in 1932" is "opened in" and "1932".
		return frame{relation: relation + " " + w[0], tail: strings.Join(w[1:], " ")}
	}
	for len(f.circumstances) < maxCircumstances {
		core, c, ok := cutCircumstance(f.tail)
		if !ok {
			break
		}
		f.tail, f.circumstances = core, append(f.circumstances, c)
	}
	return f
}

// comparedWith reads "is" and "older than Bo" as "is older than" and "Bo", so that
// what the comparison is with is an entity.
func comparedWith(relation, tail string) (string, string, bool) {
	verb := strings.Fields(strings.ToLower(relation))
	w := strings.Fields(tail)
	if len(verb) == 0 || !copula[verb[0]] || len(verb) > 1 && !isNegation(verb[1]) || len(verb) > 2 {
		return "", "", false
	}
	n := 1
	if len(w) > 2 && (w[0] == "the" || w[0] == "a" || w[0] == "an") {
		w, n = w[1:], 2
	}
	if len(w) < 3 || !(w[1] == "than" && n == 1 && (compared[w[0]] || strings.HasSuffix(w[0], "er")) || w[1] == "of" && compared[w[0]]) {
		return "", "", false
	}
	return relation + " " + w[0] + " " + w[1], strings.Join(w[2:], " "), true
}

var copula = words(`is are was were be been being am`)

// compared are the words of converse, of either side.
var compared = func() map[string]bool {
	m := map[string]bool{}
	for a, b := range converse {
		m[a], m[b] = true, true
	}
	return m
}()

// lateAgent reads "was discovered in" and "1898 by Marie Curie" as "was discovered
// by", "Marie Curie" and "1898".
func lateAgent(relation, tail string) (string, string, []string, bool) {
	words := strings.Fields(relation)
	n := len(words)
	if n < 2 || !circumstancePrepositions[words[n-1]] {
		return "", "", nil, false
	}
	passive := strings.Join(words[:n-1], " ") + " by"
	if _, ok := Active(passive); !ok {
		return "", "", nil, false
	}
	before, agent, ok := strings.Cut(tail, " by ")
	if !ok {
		return "", "", nil, false
	}
	if d := strings.Fields(agent); len(d) == 0 || isDate(d) {
		return "", "", nil, false // "by 1990"
	}
	var found []string
	// "discovered in" + "1898 in Paris": the last phrases first.
	rest := "it " + words[n-1] + " " + before
	for rest != "it" {
		core, c, ok := cutCircumstance(rest)
		if !ok || len(found) == maxCircumstances {
			return "", "", nil, false
		}
		rest, found = core, append(found, c)
	}
	return passive, agent, found, true
}

// cutCircumstance cuts the last phrase off that says when or where.
func cutCircumstance(s string) (core, circumstance string, ok bool) {
	words := strings.Fields(s)
	for i := len(words) - 1; i > 0; i-- {
		w := words[i]
		if !circumstancePrepositions[w] {
			continue
		}
		object := words[i+1:]
		if len(object) == 0 {
			return s, "", false
		}
		if !isDate(object) && !(placePrepositions[w] && isName(object)) {
			// "from 1924 to 1932" and "between" have a second part, which is
			// still read as a date; anything else is part of the thing.
			return s, "", false
		}
		if plainPrepositions[w] {
			return strings.Join(words[:i], " "), strings.Join(object, " "), true
		}
		return strings.Join(words[:i], " "), strings.Join(words[i:], " "), true
	}
	return s, "", false
}

var (
	circumstancePrepositions = words(`in on at since until till during between from before after around circa throughout`)
	plainPrepositions        = words(`in on at`)
	placePrepositions        = words(`in at`)
	dateWords                = words(`of the and to early late mid bc ad bce ce century centuries decade
		january february march april may june july august september october november december
		jan feb mar apr jun jul aug sep sept oct nov dec
		monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter`)
	weakDateWords = words(`of the and to early late mid may march`)
	nameWords     = words(`of the and de la du der da do di`)
)

// isDate reports whether words are a date, a time, or a span of them.
func isDate(words []string) bool {
	strong := false
	for _, w := range words {
		w = strings.ToLower(strings.Trim(w, ",.'’"))
		switch {
		case isYear(strings.TrimRight(w, "'’s")): // also "1990s"
			strong = true
		case w != "" && strings.Trim(strings.TrimRight(w, "sthndr"), "0123456789") == "" && w[0] <= '9':
			// a day, an ordinal
		case dateWords[w]:
			strong = strong || !weakDateWords[w]
		default:
			return false
		}
	}
	return strong
}

func isYear(w string) bool {
	for part := range strings.FieldsFuncSeq(w, func(r rune) bool { return r == '-' || r == '–' }) {
		if len(part) != 4 || strings.Trim(part, "0123456789") != "" || part[0] != '1' && part[0] != '2' {
			return false
		}
	}
	return w != ""
}

// isName reports whether words are written as a name: capitals, and small words
// only inside.
func isName(words []string) bool {
	for i, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		if !unicode.IsUpper(r) && !(i > 0 && i+1 < len(words) && nameWords[w]) {
			return false
		}
	}
	return len(words) > 0
}
