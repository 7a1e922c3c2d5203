package reply

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// value is one value of a reply: of JSON, or of what resembles it.
type value struct {
	kind  kind
	text  string   // of a string its content, of a number or word its spelling
	items []value  // of a list, and the values of an object
	keys  []string // of an object, parallel to items
	at    int      // where it begins
	end   int      // behind its last byte
	cut   bool     // the reply ended inside it
	quote byte     // of a string its first byte; 0 for a bare word
}

type kind uint8

const (
	stringValue kind = iota
	numberValue
	boolValue
	nullValue
	listValue
	objectValue
)

func (v value) scalar() bool { return v.kind <= nullValue }

// maxDepth bounds how deep lists and objects may nest.
const maxDepth = 64

// parser reads values tolerantly. It never fails: what it can't read it skips
// and reports, and a value that the reply ends in is marked as cut.
type parser struct {
	src string
	pos int
	rep *Report
	// deep is set where brackets nest deeper than maxDepth.
	deep bool
	// bareOnly says that no quoted string was seen so far.
	quoted bool
}

func (p *parser) end() bool { return p.pos >= len(p.src) }

func (p *parser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

// space skips white space, invisible characters and comments.
func (p *parser) space() {
	for p.pos < len(p.src) {
		rest := p.src[p.pos:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v' || c == 0:
			p.pos++
		case strings.HasPrefix(rest, "//"):
			p.line("comments")
		case c == '#' && !p.hashWord():
			p.line("comments")
		case strings.HasPrefix(rest, "/*"):
			p.rep.repaired("comments")
			if i := strings.Index(rest[2:], "*/"); i >= 0 {
				p.pos += i + 4
			} else {
				p.pos = len(p.src)
			}
		case c == '\\' && len(rest) > 1 && (rest[1] == '\n' || rest[1] == '\r'):
			p.pos += 2
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(rest)
			if !unicode.IsSpace(r) && r != '\ufeff' && r != '\u200b' {
				return
			}
			p.pos += n
		default:
			return
		}
	}
}

// hashWord reports whether the '#' here begins a bare word ("#1") and no
// comment.
func (p *parser) hashWord() bool {
	return p.pos+1 < len(p.src) && p.src[p.pos+1] > ' ' && p.src[p.pos+1] != '#'
}

// line skips to the end of the line.
func (p *parser) line(why string) {
	p.rep.repaired(why)
	if i := strings.IndexByte(p.src[p.pos:], '\n'); i >= 0 {
		p.pos += i + 1
	} else {
		p.pos = len(p.src)
	}
}

// closers of the brackets that are read.
func closer(open byte) byte {
	switch open {
	case '[':
		return ']'
	case '(':
		return ')'
	}
	return '}'
}

// value reads the value that begins here, up to one of the bytes in until when
// it is a bare word.
func (p *parser) value(depth int, until string) value {
	p.space()
	v := value{at: p.pos, end: p.pos, kind: nullValue}
	if p.end() {
		v.cut = true
		return v
	}
	switch c := p.peek(); c {
	case '[', '(':
		if depth >= maxDepth {
			return p.tooDeep(v)
		}
		return p.list(depth)
	case '{':
		if depth >= maxDepth {
			return p.tooDeep(v)
		}
		return p.object(depth)
	}
	if v, ok := p.str(); ok {
		return v
	}
	return p.word(until)
}

// tooDeep gives up on the rest of the reply.
func (p *parser) tooDeep(v value) value {
	p.deep = true
	p.pos = len(p.src)
	v.end = p.pos
	return v
}

// list reads a list, tuple or call's arguments.
func (p *parser) list(depth int) value {
	open := p.peek()
	end := closer(open)
	v := value{kind: listValue, at: p.pos}
	p.pos++
	if open == '(' {
		p.rep.repaired("tuples")
	}
	for {
		p.space()
		switch {
		case p.end():
			v.cut, v.end = true, p.pos
			return v
		case p.peek() == end:
			p.pos++
			v.end = p.pos
			return v
		case p.peek() == ',' || p.peek() == ';':
			p.rep.repaired("stray commas")
			p.pos++
			continue
		case strings.IndexByte("])}", p.peek()) >= 0:
			// A bracket of another kind closes what was opened last.
			p.rep.repaired("brackets that do not match")
			if p.peek() != '}' || open != '[' {
				p.pos++
			}
			v.end = p.pos
			return v
		}
		it := p.value(depth+1, ",;"+string(end))
		if p.deep {
			v.cut, v.end = true, p.pos
			return v
		}
		if it.at == it.end && !it.cut { // nothing that can be read
			p.pos++
			continue
		}
		v.items = append(v.items, it)
		if it.cut {
			v.cut, v.end = true, p.pos
			return v
		}
		p.space()
		if p.end() {
			v.cut, v.end = true, p.pos
			return v
		}
		if c := p.peek(); c == ',' {
			p.pos++
			p.space()
			if p.peek() == end {
				p.rep.repaired("trailing commas")
			}
		} else if c == ':' && it.kind == stringValue { // a pair in a list: ["id": 1]
			p.rep.repaired("pairs in a list")
			p.pos++
		} else if c != end && c != ';' {
			p.rep.repaired("missing commas")
		}
	}
}

// object reads a JSON object, a Python dict, or a set, which is a list.
func (p *parser) object(depth int) value {
	v := value{kind: objectValue, at: p.pos}
	p.pos++
	set := false
	for {
		p.space()
		switch {
		case p.end():
			v.cut, v.end = true, p.pos
			return v
		case p.peek() == '}':
			p.pos++
			v.end = p.pos
			return v
		case p.peek() == ',' || p.peek() == ';':
			p.rep.repaired("stray commas")
			p.pos++
			continue
		case p.peek() == ']' || p.peek() == ')':
			p.rep.repaired("brackets that do not match")
			v.end = p.pos // the list around it closes
			return v
		}
		key := p.value(depth+1, ",:;}=")
		if p.deep || key.cut {
			v.cut, v.end = true, p.pos
			return v
		}
		if key.at == key.end {
			p.pos++
			continue
		}
		p.space()
		if c := p.peek(); c != ':' && c != '=' {
			if len(v.items) == 0 || set {
				set = true
				v.kind = listValue
				v.items = append(v.items, key)
			} else {
				p.rep.drop(p.src[key.at:key.end], "stray text between members")
			}
			if c == ',' {
				p.pos++
			}
			continue
		}
		p.pos++
		if p.peek() == '>' { // Ruby's and PHP's =>
			p.pos++
		}
		it := p.value(depth+1, ",;}\n")
		if p.deep {
			v.cut, v.end = true, p.pos
			return v
		}
		if !set {
			v.keys = append(v.keys, key.text)
			v.items = append(v.items, it)
		}
		if it.cut {
			v.cut, v.end = true, p.pos
			return v
		}
		p.space()
		switch c := p.peek(); {
		case c == ',' && !p.end():
			p.pos++
			p.space()
			if p.peek() == '}' {
				p.rep.repaired("trailing commas")
			}
		case c != '}' && !p.end():
			p.rep.repaired("missing commas")
		}
	}
}

// word reads a bare word or number, up to a byte of until or the end of the
// line.
func (p *parser) word(until string) value {
	at := p.pos
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		if c == '\n' || c == '\r' || strings.IndexByte(until, c) >= 0 {
			break
		}
		if c == ']' || c == '}' {
			break
		}
		p.pos++
	}
	text := strings.TrimSpace(p.src[at:p.pos])
	v := value{kind: stringValue, text: text, at: at, end: p.pos}
	if p.end() {
		v.cut = true
	}
	if text == "" {
		v.end = at
		if !v.cut {
			p.pos = at
		}
		return v
	}
	switch text {
	case "true", "false", "True", "False", "TRUE", "FALSE":
		v.kind = boolValue
		if c := text[0]; c == 'T' || c == 'F' {
			p.rep.repaired("words of other languages than JSON")
		}
	case "null", "None", "none", "nil", "NULL", "NaN", "nan", "undefined":
		v.kind = nullValue
		if text != "null" {
			p.rep.repaired("words of other languages than JSON")
		}
	default:
		if _, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64); err == nil && strings.ContainsAny(text, "0123456789") {
			v.kind = numberValue
		} else {
			p.rep.repaired("labels without quotes")
		}
	}
	return v
}

// str reads a string when one begins here.
func (p *parser) str() (value, bool) {
	at := p.pos
	rest := p.src[p.pos:]
	raw := false
	if n := strings.IndexAny(rest[:min(3, len(rest))], `'"`); n > 0 && strings.Trim(rest[:n], "rRuUbBfF") == "" {
		raw = strings.ContainsAny(rest[:n], "rR")
		rest = rest[n:]
		p.pos += n
	}
	open, end := "", ""
	switch {
	case strings.HasPrefix(rest, `"""`) && len(rest) > 3:
		open, end = `"""`, `"""`
	case strings.HasPrefix(rest, `'''`) && len(rest) > 3:
		open, end = `'''`, `'''`
	case rest[0] == '"', rest[0] == '\'', rest[0] == '`':
		open, end = rest[:1], rest[:1]
	case strings.HasPrefix(rest, "“"), strings.HasPrefix(rest, "”"), strings.HasPrefix(rest, "„"):
		open, end = rest[:3], "”"
	case strings.HasPrefix(rest, "‘"):
		open, end = rest[:3], "’"
	case strings.HasPrefix(rest, "«"):
		open, end = "«", "»"
	case strings.HasPrefix(rest, "「"):
		open, end = "「", "」"
	default:
		p.pos = at
		return value{}, false
	}
	if open[0] != '"' || len(open) > 1 {
		p.rep.repaired("quotes that are not JSON's")
	}
	if strings.HasPrefix(rest, `""`) && open == `"` {
		p.pos += 2
		p.quoted = true
		return value{kind: stringValue, at: at, end: p.pos, quote: '"'}, true
	}
	p.quoted = true
	p.pos += len(open)
	var b strings.Builder
	v := value{kind: stringValue, at: at, quote: open[0]}
	for {
		if p.end() {
			v.text, v.end, v.cut = b.String(), p.pos, true
			return v, true
		}
		rest := p.src[p.pos:]
		if strings.HasPrefix(rest, end) || open == "“" && rest[0] == '"' && p.closes(rest[1:]) {
			n := len(end)
			if !strings.HasPrefix(rest, end) {
				n = 1
			}
			if len(open) == 3 && open[0] < utf8.RuneSelf || p.closes(rest[n:]) {
				p.pos += n
				v.text, v.end = b.String(), p.pos
				return v, true
			}
			p.rep.repaired("quotes inside a string")
			b.WriteString(rest[:n])
			p.pos += n
			continue
		}
		switch c := rest[0]; {
		case c == '\\' && !raw && len(rest) > 1:
			p.escape(&b)
		case c == '\n' || c == '\r':
			if len(open) == 1 {
				p.rep.repaired("line breaks inside a string")
			}
			p.pos++
			for p.pos < len(p.src) && (p.src[p.pos] == '\n' || p.src[p.pos] == '\r' || p.src[p.pos] == ' ' || p.src[p.pos] == '\t') {
				p.pos++
			}
			if len(open) == 3 && open[0] < utf8.RuneSelf {
				b.WriteByte('\n')
			} else {
				b.WriteByte(' ')
			}
		default:
			n := 1
			for n < len(rest) && rest[n] != '\\' && rest[n] != '\n' && rest[n] != '\r' && rest[n] != end[0] && rest[n] != '"' {
				n++
			}
			b.WriteString(rest[:n])
			p.pos += n
		}
	}
}

// closes reports whether s, which follows a closing quote, goes on as a value
// does. Else the quote is an apostrophe or belongs to the string.
func (p *parser) closes(s string) bool {
	t := strings.TrimLeft(s, " \t\r\n\u00a0")
	if t == "" {
		return true
	}
	switch t[0] {
	case ',', ']', '}', ')', ':', ';':
		return true
	case '"', '\'':
		return len(t) < len(s) // a comma is missing
	case '#', '/', '=':
		return len(t) < len(s) || t[0] == '='
	}
	// A list on the next line that lacks a comma.
	return len(t) < len(s) && (t[0] == '[' || t[0] == '{' || t[0] == '(') && strings.Contains(s[:len(s)-len(t)], "\n")
}

var escapes = map[byte]string{
	'\\': `\`, '\'': `'`, '"': `"`, '/': `/`, '`': "`", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t",
}

// escape reads the escape at p.pos; one that is unknown keeps its backslash.
func (p *parser) escape(b *strings.Builder) {
	rest := p.src[p.pos:]
	c := rest[1]
	if s, ok := escapes[c]; ok {
		b.WriteString(s)
		p.pos += 2
		return
	}
	digits := map[byte]int{'u': 4, 'U': 8, 'x': 2}[c]
	if x, ok := hexAt(rest, 2, digits); digits > 0 && ok {
		p.pos += 2 + digits
		if utf16.IsSurrogate(x) {
			y, ok := hexAt(p.src[p.pos:], 2, 4)
			if pair := utf16.DecodeRune(x, y); ok && strings.HasPrefix(p.src[p.pos:], `\u`) && pair != utf8.RuneError {
				p.pos += 6
				b.WriteRune(pair)
				return
			}
			p.rep.repaired("half a surrogate pair")
			x = utf8.RuneError
		}
		b.WriteRune(x)
		return
	}
	if c == '\n' || c == '\r' {
		p.pos += 2
		return
	}
	p.rep.repaired("unknown escapes")
	_, n := utf8.DecodeRuneInString(rest[1:])
	b.WriteString(rest[:1+n])
	p.pos += 1 + n
}

// hexAt returns the character that n hexadecimal digits at i spell.
func hexAt(s string, i, n int) (rune, bool) {
	if n == 0 || i+n > len(s) {
		return 0, false
	}
	for _, c := range []byte(s[i : i+n]) {
		if !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f') {
			return 0, false
		}
	}
	x, err := strconv.ParseUint(s[i:i+n], 16, 32)
	return rune(x), err == nil && x <= utf8.MaxRune
}
