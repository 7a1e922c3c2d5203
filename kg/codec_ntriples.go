package kg

import (
	"bufio"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// N-Triples has three kinds of terms. A label is written as
//
//   - itself, when it is an absolute http, https or urn IRI that needs no escape
//     and does not lie under the base;
//   - itself, when it is the name of a blank node ("_:b0") and not a relation;
//   - base + "entity/" or "relation/" + the label percent-encoded otherwise.
//
// Decoding is the reverse; a literal reads as its text, without its language or
// datatype.

func encodeNTriples(w *bufio.Writer, g *Graph, o codecOptions) error {
	if at := strings.IndexFunc(o.base, func(r rune) bool { return !iriRune(r) }); at >= 0 || !hasScheme(o.base) {
		return &BaseError{Base: o.base}
	}
	var buf []byte
	for t := range g.Triples() {
		buf = appendTerm(buf[:0], t.Head, Head, o.base)
		buf = append(buf, ' ')
		buf = appendTerm(buf, t.Relation, Relation, o.base)
		buf = append(buf, ' ')
		buf = appendTerm(buf, t.Tail, Tail, o.base)
		buf = append(buf, " .\n"...)
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

// BaseError says that the option Base is no absolute IRI.
type BaseError struct{ Base string }

func (e *BaseError) Error() string {
	return "kg: base " + quoteLabel(e.Base) + " is not an absolute IRI"
}

// iriRune reports whether r may stand in an IRIREF as it is.
func iriRune(r rune) bool {
	return r > 0x20 && !strings.ContainsRune("<>\"{}|^`\\", r) && r != utf8.RuneError
}

func hasScheme(iri string) bool {
	i := strings.IndexByte(iri, ':')
	if i <= 0 {
		return false
	}
	for j, c := range []byte(iri[:i]) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (j == 0 || !(c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.')) {
			return false
		}
	}
	return true
}

func isPlainIRI(s, base string) bool {
	if !strings.HasPrefix(s, "http://") && !strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "urn:") {
		return false
	}
	return !strings.HasPrefix(s, base) && strings.IndexFunc(s, func(r rune) bool { return !iriRune(r) }) < 0
}

func appendTerm(dst []byte, label string, p Part, base string) []byte {
	switch {
	case p != Relation && isBlankNode(label):
		return append(dst, label...)
	case isPlainIRI(label, base):
		dst = append(dst, '<')
		dst = append(dst, label...)
		return append(dst, '>')
	}
	dst = append(dst, '<')
	dst = append(dst, base...)
	if p == Relation {
		dst = append(dst, "relation/"...)
	} else {
		dst = append(dst, "entity/"...)
	}
	const upperHex = "0123456789ABCDEF"
	for i, r := range label {
		size := utf8.RuneLen(r)
		switch {
		case r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-._~", r)),
			// Letters of other scripts stay readable, as IRIs allow.
			r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)):
			dst = append(dst, label[i:i+size]...)
		default:
			for _, b := range []byte(label[i : i+size]) {
				dst = append(dst, '%', upperHex[b>>4], upperHex[b&15])
			}
		}
	}
	return append(dst, '>')
}

// isBlankNode reports whether s is a BLANK_NODE_LABEL.
func isBlankNode(s string) bool {
	return strings.HasPrefix(s, "_:") && blankNodeEnd(s) == len(s) && len(s) > 2
}

// blankNodeEnd returns where the blank node label that begins s ends.
func blankNodeEnd(s string) int {
	end := 2
	for i, r := range s[2:] {
		at := i + 2
		word := r == '_' || r == ':' || unicode.IsLetter(r) || r >= '0' && r <= '9'
		later := at > 2 && (r == '-' || r == 0xB7 || unicode.IsMark(r))
		if word || later {
			end = at + utf8.RuneLen(r)
		} else if r != '.' || at == 2 {
			break
		}
	}
	return end // a dot at the end is the statement's
}

type ntriplesReader struct {
	src string
	pos int
	o   codecOptions
}

func (r *ntriplesReader) errorf(at int, format string, args ...any) error {
	return syntaxError(NTriples, r.src, at, format, args...)
}

func (r *ntriplesReader) blanks() {
	for r.pos < len(r.src) && (r.src[r.pos] == ' ' || r.src[r.pos] == '\t') {
		r.pos++
	}
}

func (r *ntriplesReader) lineEnd() bool {
	return r.pos >= len(r.src) || r.src[r.pos] == '\n' || r.src[r.pos] == '\r'
}

func decodeNTriples(src string, o codecOptions) (*Graph, error) {
	g := NewGraph()
	r := &ntriplesReader{src: src, o: o}
	if strings.HasPrefix(src, bom) {
		r.pos = len(bom)
	}
	for r.pos < len(src) {
		r.blanks()
		if !r.lineEnd() && src[r.pos] != '#' {
			t, err := r.statement()
			if err != nil {
				return nil, err
			}
			g.Add(t)
			r.blanks()
		}
		if !r.lineEnd() && src[r.pos] == '#' {
			for !r.lineEnd() {
				r.pos++
			}
		}
		if !r.lineEnd() {
			return nil, r.errorf(r.pos, "text after the end of a statement")
		}
		r.pos++
	}
	return g, nil
}

func (r *ntriplesReader) statement() (Triple, error) {
	var l [3]string
	for i, p := range [...]Part{Head, Relation, Tail} {
		s, err := r.term(p)
		if err != nil {
			return Triple{}, err
		}
		l[i] = s
		r.blanks()
	}
	if r.pos >= len(r.src) || r.src[r.pos] != '.' {
		return Triple{}, r.errorf(r.pos, "want a full stop after the third term")
	}
	r.pos++
	return Triple{l[0], l[1], l[2]}, nil
}

func (r *ntriplesReader) term(p Part) (string, error) {
	at := r.pos
	if r.lineEnd() {
		return "", r.errorf(at, "the line ends where the %s should be", p)
	}
	switch c := r.src[at]; {
	case c == '<':
		return r.iri(p)
	case c == '"' && p == Tail:
		return r.literal()
	case c == '"':
		return "", r.errorf(at, "a literal cannot be a %s", p)
	case strings.HasPrefix(r.src[at:], "_:") && p != Relation:
		n := blankNodeEnd(r.src[at:])
		if n == 2 {
			return "", r.errorf(at, "a blank node without a name")
		}
		r.pos += n
		return r.src[at:r.pos], nil
	case strings.HasPrefix(r.src[at:], "_:"):
		return "", r.errorf(at, "a blank node cannot be a relation")
	}
	x, _ := utf8.DecodeRuneInString(r.src[at:])
	return "", r.errorf(at, "unexpected %q where the %s should be", x, p)
}

// iri reads an IRIREF and returns the label that it stands for.
func (r *ntriplesReader) iri(p Part) (string, error) {
	at := r.pos
	r.pos++
	var b strings.Builder
	for {
		if r.lineEnd() {
			return "", r.errorf(at, "an IRI is never closed")
		}
		x, n := utf8.DecodeRuneInString(r.src[r.pos:])
		switch {
		case x == '>':
			r.pos++
			iri := b.String()
			if !hasScheme(iri) {
				return "", r.errorf(at, "IRI <%s> is not absolute", clip(iri))
			}
			return r.iriLabel(iri, at, p)
		case x == '\\':
			if err := r.uchar(&b, true); err != nil {
				return "", err
			}
		case !iriRune(x) && x != utf8.RuneError:
			return "", r.errorf(r.pos, "%q cannot stand in an IRI", x)
		default:
			b.WriteString(r.src[r.pos : r.pos+n])
			r.pos += n
		}
	}
}

func (r *ntriplesReader) iriLabel(iri string, at int, p Part) (string, error) {
	kind := "entity/"
	if p == Relation {
		kind = "relation/"
	}
	if enc, ok := strings.CutPrefix(iri, r.o.base+kind); ok {
		label, ok := percentDecode(enc)
		if !ok {
			return "", r.errorf(at, "<%s> under the base is not percent-encoded UTF-8", clip(iri))
		}
		return label, nil
	}
	if r.o.localNames {
		cut := strings.LastIndexAny(iri, "#/")
		if cut < 0 {
			cut = strings.LastIndexByte(iri, ':')
		}
		if name, ok := percentDecode(iri[cut+1:]); ok && name != "" {
			return name, nil
		}
	}
	return iri, nil
}

func percentDecode(s string) (string, bool) {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b = append(b, s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", false
		}
		hi, lo := strings.IndexByte(hexDigits, s[i+1]|hexCase(s[i+1])), strings.IndexByte(hexDigits, s[i+2]|hexCase(s[i+2]))
		if hi < 0 || lo < 0 {
			return "", false
		}
		b = append(b, byte(hi<<4|lo))
		i += 2
	}
	return string(b), utf8.Valid(b)
}

// hexCase is the bit that puts a letter in lower case.
func hexCase(c byte) byte {
	if c >= 'A' && c <= 'F' {
		return 0x20
	}
	return 0
}

// uchar reads \uHHHH or \UHHHHHHHH, and in a literal also the short escapes.
func (r *ntriplesReader) uchar(b *strings.Builder, inIRI bool) error {
	at := r.pos
	if at+1 >= len(r.src) {
		return r.errorf(at, "an escape without a character")
	}
	digits := 0
	switch c := r.src[at+1]; c {
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		i := strings.IndexByte(`tbnrf"'\`, c)
		if i < 0 || inIRI {
			return r.errorf(at, "\\%c is no escape here", c)
		}
		b.WriteByte("\t\b\n\r\f\"'\\"[i])
		r.pos += 2
		return nil
	}
	lit := literalReader{src: r.src}
	x, ok := lit.hexAt(at+2, digits)
	if !ok || utf16.IsSurrogate(x) {
		return r.errorf(at, "a \\%c escape needs %d hexadecimal digits of a character", r.src[at+1], digits)
	}
	if inIRI && !iriRune(x) {
		return r.errorf(at, "%q cannot stand in an IRI, not even escaped", x)
	}
	b.WriteRune(x)
	r.pos = at + 2 + digits
	return nil
}

func (r *ntriplesReader) literal() (string, error) {
	at := r.pos
	r.pos++
	var b strings.Builder
	for {
		if r.lineEnd() {
			return "", r.errorf(at, "a literal is never closed")
		}
		switch c := r.src[r.pos]; c {
		case '"':
			r.pos++
			return b.String(), r.suffix()
		case '\\':
			if err := r.uchar(&b, false); err != nil {
				return "", err
			}
		default:
			b.WriteByte(c)
			r.pos++
		}
	}
}

// suffix skips the language or datatype of a literal.
func (r *ntriplesReader) suffix() error {
	rest := r.src[r.pos:]
	switch {
	case strings.HasPrefix(rest, "^^<"):
		r.pos += 2
		_, err := r.iri(Tail)
		return err
	case strings.HasPrefix(rest, "^^"):
		return r.errorf(r.pos, "a datatype must be an IRI")
	case strings.HasPrefix(rest, "@"):
		at := r.pos
		r.pos++
		start, letters := r.pos, true
		for ; r.pos < len(r.src); r.pos++ {
			c := r.src[r.pos]
			letter := c|0x20 >= 'a' && c|0x20 <= 'z'
			if c == '-' && r.pos > start {
				letters, start = false, r.pos+1
			} else if !letter && (letters || c < '0' || c > '9') {
				break
			}
		}
		if r.pos == start {
			return r.errorf(at, "a language tag without a language")
		}
	}
	return nil
}
