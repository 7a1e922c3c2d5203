package s3kg

import (
	"strings"
	"unicode"
)

// spaced makes runs of white space and underscores one blank.
func spaced(label string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(label, "\uFFFD"), func(r rune) bool {
		return r == '_' || unicode.IsSpace(r)
	}), " ")
}

// readable writes an identifier as words: "has_target" and "hasTarget" are "has
// target". It is what the embedder reads of a relation.
func readable(label string) string {
	label = spaced(label)
	if strings.Contains(label, " ") {
		return label
	}
	var b strings.Builder
	var last rune
	for _, r := range label {
		if unicode.IsLower(last) && unicode.IsUpper(r) {
			b.WriteByte(' ')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}
