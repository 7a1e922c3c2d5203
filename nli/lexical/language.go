package lexical

import (
	"strings"

	"github.com/kgeval/kgeval/internal/language"
	"github.com/kgeval/kgeval/nli"
)

// knows returns a *nli.LanguageError when text is in another language than
// English. A text too short to tell passes.
func knows(text string) error {
	if name, script, foreign := language.Foreign(text); foreign {
		return &nli.LanguageError{Language: name, Script: script}
	}
	return nil
}

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
