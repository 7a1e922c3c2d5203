package kg

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// str reads a string literal when one begins here.
func (r *literalReader) str() (value, bool, error) {
	at := r.pos
	v := value{kind: stringValue, at: at}
	raw := false
	if !r.json {
		// Prefixes: r and u are strings, b and f are not labels.
		i := at
		for i < len(r.src) && i < at+2 && strings.IndexByte("rRuUbBfF", r.src[i]) >= 0 {
			i++
		}
		if i > at && i < len(r.src) && (r.src[i] == '\'' || r.src[i] == '"') {
			prefix := strings.ToLower(r.src[at:i])
			if strings.ContainsAny(prefix, "bf") {
				return v, false, r.errorf(at, "a %s-string is no label", prefix)
			}
			raw = strings.Contains(prefix, "r")
			r.pos = i
		}
	}
	rest := r.src[r.pos:]
	var open, closer string
	switch {
	case strings.HasPrefix(rest, `"`):
		open, closer = `"`, `"`
		if !r.json && strings.HasPrefix(rest, `"""`) {
			open, closer = `"""`, `"""`
		}
	case r.json:
		return v, false, nil
	case strings.HasPrefix(rest, `'''`):
		open, closer = `'''`, `'''`
	case strings.HasPrefix(rest, `'`):
		open, closer = `'`, `'`
	case strings.HasPrefix(rest, "“"), strings.HasPrefix(rest, "”"):
		open, closer = rest[:len("“")], "”"
	case strings.HasPrefix(rest, "‘"):
		open, closer = "‘", "’"
	default:
		return v, false, nil
	}
	r.pos += len(open)
	curly := len(open) == len("“") && open[0] >= utf8.RuneSelf
	var b strings.Builder
	for {
		if r.end() {
			return v, false, r.errorf(at, "a string is never closed")
		}
		rest := r.src[r.pos:]
		if strings.HasPrefix(rest, closer) && !(curly && !endsPart(rest[len(closer):])) {
			r.pos += len(closer)
			v.text = b.String()
			return v, true, nil
		}
		c := rest[0]
		switch {
		case c == '\\' && raw:
			// In a raw string a backslash stays, and what it stands before too.
			if len(rest) < 2 {
				return v, false, r.errorf(at, "a string is never closed")
			}
			_, n := utf8.DecodeRuneInString(rest[1:])
			b.WriteString(rest[:1+n])
			r.pos += 1 + n
		case c == '\\':
			if err := r.escape(&b); err != nil {
				return v, false, err
			}
		case c == '\n' && len(open) == 1:
			return v, false, r.errorf(r.pos, "a line break inside a string")
		default:
			n := 1
			for n < len(rest) && rest[n] != '\\' && rest[n] != '\n' && rest[n] != closer[0] {
				n++
			}
			b.WriteString(rest[:n])
			r.pos += n
		}
	}
}

// endsPart reports whether s, what follows a curly closing quote, goes on as a
// literal does; else the quote is an apostrophe or belongs to the label.
func endsPart(s string) bool {
	s = strings.TrimLeft(s, " \t\r\n")
	return s == "" || strings.IndexByte(",])}:#", s[0]) >= 0
}

var simpleEscapes = map[byte]string{
	'\\': `\`, '\'': `'`, '"': `"`, '/': `/`, 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'a': "\a", 'v': "\v",
}

// escape reads the escape that stands at r.pos. Python keeps the backslash of an
// escape that it does not know, and has no \/.
func (r *literalReader) escape(b *strings.Builder) error {
	at := r.pos
	if at+1 >= len(r.src) {
		return r.errorf(at, "a string is never closed")
	}
	c := r.src[at+1]
	if s, ok := simpleEscapes[c]; ok && !(c == '/' && !r.json) {
		b.WriteString(s)
		r.pos += 2
		return nil
	}
	switch {
	case c == 'u':
		return r.unicodeEscape(b, 4)
	case c == 'U':
		return r.unicodeEscape(b, 8)
	case c == 'x':
		return r.unicodeEscape(b, 2)
	case c == 'N' && strings.HasPrefix(r.src[at+2:], "{"):
		return r.errorf(at, `\N{…} is not read, write the character itself`)
	case c == '\n':
		r.pos += 2
	case c >= '0' && c <= '7':
		end := at + 1
		for end < len(r.src) && end < at+4 && r.src[end] >= '0' && r.src[end] <= '7' {
			end++
		}
		n, _ := strconv.ParseUint(r.src[at+1:end], 8, 32)
		b.WriteRune(rune(n))
		r.pos = end
	default:
		_, n := utf8.DecodeRuneInString(r.src[at+1:])
		b.WriteString(r.src[at : at+1+n])
		r.pos = at + 1 + n
	}
	return nil
}

// hexAt returns the number that n hexadecimal digits at i spell.
func (r *literalReader) hexAt(i, n int) (rune, bool) {
	if i+n > len(r.src) {
		return 0, false
	}
	x, err := strconv.ParseUint(r.src[i:i+n], 16, 32)
	if err != nil || strings.ContainsAny(r.src[i:i+n], "_+-") {
		return 0, false
	}
	return rune(x), x <= utf8.MaxRune
}

// unicodeEscape reads \xHH, \uHHHH (also a surrogate pair of two) or \UHHHHHHHH.
func (r *literalReader) unicodeEscape(b *strings.Builder, digits int) error {
	at := r.pos
	x, ok := r.hexAt(at+2, digits)
	if !ok {
		return r.errorf(at, "a \\%c escape needs %d hexadecimal digits of a character", r.src[at+1], digits)
	}
	r.pos = at + 2 + digits
	if utf16.IsSurrogate(x) {
		var pair rune = utf8.RuneError
		if strings.HasPrefix(r.src[r.pos:], `\u`) {
			if y, ok := r.hexAt(r.pos+2, 4); ok {
				pair = utf16.DecodeRune(x, y)
			}
		}
		if digits != 4 || pair == utf8.RuneError {
			return r.errorf(at, "half of a surrogate pair is no character")
		}
		r.pos += 6
		x = pair
	}
	b.WriteRune(x)
	return nil
}
