package kg

import (
	"bufio"
	"fmt"
	"iter"
	"strings"
	"unicode"
)

// splitLines yields the lines of s with their numbers from 0, without the line
// feed; nothing after a last line feed.
func splitLines(s string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for n := 0; s != ""; n++ {
			line, rest, _ := strings.Cut(s, "\n")
			if !yield(n, line) {
				return
			}
			s = rest
		}
	}
}

// appendPython appends s as Python's repr writes it.
func appendPython(dst []byte, s string) []byte {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	dst = append(dst, quote)
	for _, r := range s {
		switch {
		case r == rune(quote) || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r == ' ' || unicode.IsPrint(r):
			dst = append(dst, string(r)...)
		case r <= 0xff:
			dst = fmt.Appendf(dst, `\x%02x`, r)
		case r <= 0xffff:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = fmt.Appendf(dst, `\U%08x`, r)
		}
	}
	return append(dst, quote)
}

func encodePython(w *bufio.Writer, g *Graph, _ codecOptions) error {
	if g.Len() == 0 {
		_, err := w.WriteString("[]\n")
		return err
	}
	sep := "[\n    ("
	var buf []byte
	for t := range g.Triples() {
		buf = append(buf[:0], sep...)
		buf = append(appendPython(buf, t.Head), ", "...)
		buf = append(appendPython(buf, t.Relation), ", "...)
		buf = append(appendPython(buf, t.Tail), ')')
		if _, err := w.Write(buf); err != nil {
			return err
		}
		sep = ",\n    ("
	}
	_, err := w.WriteString("\n]\n")
	return err
}

// decodePython reads one or more literals, separated by commas or line breaks.
func decodePython(src string, _ codecOptions) (*Graph, error) {
	if strings.HasPrefix(src, bom) {
		src = "   " + src[len(bom):]
	}
	r := literalReader{format: Python, src: src}
	r.space()
	if r.end() {
		return nil, syntaxError(Python, src, len(src), "empty input")
	}
	r.assignment()
	all := value{kind: listValue, at: r.pos}
	for !r.end() {
		v, err := r.value(0)
		if err != nil {
			return nil, err
		}
		all.items = append(all.items, v)
		from := r.pos
		r.space()
		if r.end() {
			break
		}
		if r.peek() == ',' {
			r.pos++
			r.space()
		} else if !strings.Contains(src[from:r.pos], "\n") {
			return nil, r.errorf(r.pos, "unexpected text after a value")
		}
	}
	if len(all.items) == 1 {
		all = all.items[0]
	}
	g := NewGraph()
	t := tripleReader{format: Python, src: src, add: func(t Triple) { g.Add(t) }}
	if err := t.read(all, true); err != nil {
		return nil, err
	}
	return g, nil
}

// assignment skips "name =" in front of a literal.
func (r *literalReader) assignment() {
	i := r.pos
	for i < len(r.src) && (r.src[i] == '_' || r.src[i] >= '0' && r.src[i] <= '9' || r.src[i]|0x20 >= 'a' && r.src[i]|0x20 <= 'z') {
		i++
	}
	rest := strings.TrimLeft(r.src[i:], " \t")
	if i > r.pos && strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") {
		r.pos = len(r.src) - len(rest) + 1
		r.space()
	}
}
