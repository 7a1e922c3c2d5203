package segment

import "strings"

// Sentences returns the sentences of text in order; what lies between two of
// them is white space only.
func Sentences(text string) []Span {
	var out []Span
	start := 0
	add := func(end int) {
		s := strings.TrimLeft(text[start:end], " \t\r\n")
		b := end - len(s)
		s = strings.TrimRight(s, " \t\r\n")
		if s != "" {
			out = append(out, Span{b, b + len(s)})
		}
		start = end
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '.', '!', '?':
			if i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n' {
				add(i + 1)
			}
		case '\n':
			add(i)
		}
	}
	add(len(text))
	return out
}
