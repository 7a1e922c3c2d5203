package perturb

import (
	_ "embed"
	"strings"

	"github.com/kgeval/kgeval/nlp"
)

// antonymList holds verbs with their antonyms, a pair a line: those of one word in
// WordNet 3.0, the first antonym of each verb, without auxiliaries. WORDNET_LICENSE
// beside it is their licence.
//
//go:embed antonyms.tsv
var antonymList string

// verbAntonyms maps a verb to its antonym, both in dictionary form.
var verbAntonyms = func() map[string]string {
	m := make(map[string]string)
	for line := range strings.Lines(antonymList) {
		verb, antonym, _ := strings.Cut(strings.TrimSpace(line), "\t")
		m[verb] = antonym
	}
	return m
}()

// verbTags are the forms in which an antonym is looked for, the likeliest of a relation
// first.
var verbTags = []string{"VBZ", "VBD", "VBN", "VBG", "VB"}

// Antonyms returns a function for Options.Antonym: it puts the WordNet antonym of the
// first verb that has one into its place, in the same form. "increases the risk of"
// becomes "decreases the risk of"; a relation without such a verb has no opposite. Words
// are parted by anything but letters, so that "decrease_efficacy" becomes
// "increase_efficacy". The function is safe for concurrent use.
func Antonyms(a *nlp.Analyzer) func(relation string) (opposite string, ok bool) {
	return func(relation string) (string, bool) {
		for start := 0; start < len(relation); {
			if !letter(relation[start]) {
				start++
				continue
			}
			end := start
			for end < len(relation) && letter(relation[end]) {
				end++
			}
			word := strings.ToLower(relation[start:end])
			for _, tag := range verbTags {
				base := a.Lemma(word, tag)
				if antonym, ok := verbAntonyms[base]; ok && a.VerbForm(base, tag) == word {
					return relation[:start] + likeCase(a.VerbForm(antonym, tag), relation[start:end]) + relation[end:], true
				}
			}
			start = end
		}
		return "", false
	}
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// likeCase writes w in capitals where model is, or with a capital first letter.
func likeCase(w, model string) string {
	switch {
	case len(model) > 1 && model == strings.ToUpper(model):
		return strings.ToUpper(w)
	case model != "" && 'A' <= model[0] && model[0] <= 'Z':
		return strings.ToUpper(w[:1]) + w[1:]
	}
	return w
}
