package rules

import (
	"regexp"
	"strings"

	"github.com/kgeval/kgeval/segment"
)

var (
	// ruler is the line under the header of a Markdown table.
	ruler = regexp.MustCompile(`^[ \t]*\|?(?:[ \t]*:?-{2,}:?[ \t]*\|)+(?:[ \t]*:?-{2,}:?)?[ \t]*$`)
	fence = regexp.MustCompile("^[ \\t]*(?:```|~~~)")
)

// marked reports whether a place is part of markup or code: a fenced block, code
// in a line, a heading, a table's header, an address. What stands there names
// or lays out, and states nothing that a source could put right.
func marked(text string, at segment.Span) bool {
	lineStart := strings.LastIndexByte(text[:at.Start], '\n') + 1
	lineEnd, next := len(text), ""
	if i := strings.IndexByte(text[at.End:], '\n'); i >= 0 {
		lineEnd = at.End + i
		next, _, _ = strings.Cut(text[lineEnd+1:], "\n")
	}
	line := text[lineStart:lineEnd]
	if strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") || ruler.MatchString(strings.TrimRight(line, "\r")) {
		return true
	}
	if strings.Contains(line, "|") && ruler.MatchString(strings.TrimRight(next, "\r")) {
		return true
	}
	if strings.Count(text[lineStart:at.Start], "`")%2 == 1 {
		return true
	}
	from := strings.LastIndexAny(text[:at.Start], " \t\n") + 1
	to := len(text)
	if i := strings.IndexAny(text[at.End:], " \t\n"); i >= 0 {
		to = at.End + i
	}
	if word := text[from:to]; strings.Contains(word, "://") || strings.Contains(word, "](") && from+strings.Index(word, "](") < at.Start {
		return true
	}
	open := false
	for rest := text[:lineStart]; rest != ""; {
		var l string
		l, rest, _ = strings.Cut(rest, "\n")
		if fence.MatchString(l) {
			open = !open
		}
	}
	return open || fence.MatchString(line)
}
