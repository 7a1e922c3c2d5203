package s3kg

import "strings"

// Active returns the active form of an English relation in the passive voice, and
// true; or relation itself and false. The active fact has head and tail
// exchanged: (Hamlet, was written by, Shakespeare) says what (Shakespeare, wrote,
// Hamlet) says.
//
// A Scorer reads a passive fact so only where one of the two graphs has the same
// verb in the active voice ("employs", "is employed by"): an embedder cannot tell
// "works for" from "employed" by direction, so other pairs are left as they stand.
//
// A relation is passive if it ends in a participle and "by": "is employed by",
// "had been founded in 1900 by" is not, as words stand between. The forms of "be"
// in front of the participle go; any other word stays ("was not founded by" is
// "not founded"). Participles are words in -ed and those of a short list; the past
// tense stands for them ("written by" is "wrote").
func Active(relation string) (active string, ok bool) {
	words := strings.Fields(readable(relation))
	n := len(words)
	if n < 2 || strings.ToLower(words[n-1]) != "by" {
		return relation, false
	}
	participle := strings.ToLower(words[n-2])
	past := irregular[participle]
	if past == "" {
		if len(participle) < 5 || !strings.HasSuffix(participle, "ed") || strings.HasSuffix(participle, "eed") {
			return relation, false
		}
		past = participle
	}
	var kept []string
	for _, w := range words[:n-2] {
		if !be[strings.ToLower(w)] {
			kept = append(kept, w)
		}
	}
	return strings.Join(append(kept, past), " "), true
}

var be = words(`is are was were be been being am has have had`)

// irregular maps participles to their past tense.
var irregular = pairs(`written wrote, made made, led led, built built, held held, won won, sold sold, bought bought,
	sung sang, drawn drew, run ran, given gave, taken took, taught taught, found found, caught caught, told told,
	sent sent, paid paid, met met, beaten beat, eaten ate, driven drove, chosen chose, worn wore, shot shot, struck struck,
	begun began, broken broke, brought brought, flown flew, grown grew, known knew, laid laid, left left, lost lost, read read,
	said said, seen saw, set set, shown showed, spoken spoke, spent spent, stolen stole, thrown threw, understood understood,
	overseen oversaw, overthrown overthrew, hit hit, cut cut, put put, born bore, borne bore, fed fed, fought fought, sought sought`)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// pairs reads "a b, c d".
func pairs(list string) map[string]string {
	m := map[string]string{}
	for p := range strings.SplitSeq(list, ",") {
		if f := strings.Fields(p); len(f) == 2 {
			m[f[0]] = f[1]
		}
	}
	return m
}
