package kg

import (
	"strings"
	"unicode/utf8"
)

type dotKind uint8

const (
	dotEnd    dotKind = iota
	dotWord           // a bare identifier or number
	dotString         // a quoted string
	dotHTML           // <…>
	dotPunct          // { } [ ] ; , = : -> --
)

type dotToken struct {
	kind dotKind
	text string
	at   int
}

// is reports whether t is the punctuation or, in any case, the keyword s.
func (t dotToken) is(s string) bool {
	return t.kind == dotPunct && t.text == s || t.kind == dotWord && strings.EqualFold(t.text, s)
}

func (t dotToken) id() bool { return t.kind == dotWord || t.kind == dotString || t.kind == dotHTML }

type dotLexer struct {
	src string
	pos int
}

func (l *dotLexer) errorf(at int, format string, args ...any) error {
	return syntaxError(DOT, l.src, at, format, args...)
}

// space skips white space, // and /* comments, and lines that begin with '#'.
func (l *dotLexer) space() error {
	for l.pos < len(l.src) {
		rest := l.src[l.pos:]
		lineStart := l.pos == 0 || l.src[l.pos-1] == '\n'
		switch {
		case strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0:
			l.pos++
		case strings.HasPrefix(rest, "//"), rest[0] == '#' && lineStart:
			if i := strings.IndexByte(rest, '\n'); i >= 0 {
				l.pos += i
			} else {
				l.pos = len(l.src)
			}
		case strings.HasPrefix(rest, "/*"):
			i := strings.Index(rest[2:], "*/")
			if i < 0 {
				return l.errorf(l.pos, "a comment is never closed")
			}
			l.pos += i + 4
		default:
			return nil
		}
	}
	return nil
}

func dotWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

func (l *dotLexer) next() (dotToken, error) {
	if err := l.space(); err != nil {
		return dotToken{}, err
	}
	at := l.pos
	if at >= len(l.src) {
		return dotToken{at: at}, nil
	}
	switch c := l.src[at]; {
	case strings.HasPrefix(l.src[at:], "->"), strings.HasPrefix(l.src[at:], "--"):
		l.pos += 2
		return dotToken{dotPunct, l.src[at:l.pos], at}, nil
	case strings.IndexByte("{}[];,=:", c) >= 0:
		l.pos++
		return dotToken{dotPunct, l.src[at:l.pos], at}, nil
	case c == '"':
		return l.quoted()
	case c == '<':
		return l.html()
	case c >= '0' && c <= '9' || c == '.' || c == '-':
		return l.number()
	case dotWordByte(c):
		for l.pos < len(l.src) && dotWordByte(l.src[l.pos]) {
			l.pos++
		}
		return dotToken{dotWord, l.src[at:l.pos], at}, nil
	}
	x, _ := utf8.DecodeRuneInString(l.src[at:])
	return dotToken{}, l.errorf(at, "unexpected %q", x)
}

// number reads -?(.d+ | d+(.d*)?).
func (l *dotLexer) number() (dotToken, error) {
	at := l.pos
	digits := 0
	i := at
	if l.src[i] == '-' {
		i++
	}
	for dot := false; i < len(l.src); i++ {
		if c := l.src[i]; c >= '0' && c <= '9' {
			digits++
		} else if c == '.' && !dot {
			dot = true
		} else {
			break
		}
	}
	if digits == 0 {
		return dotToken{}, l.errorf(at, "unexpected %q", l.src[at])
	}
	if i < len(l.src) && dotWordByte(l.src[i]) {
		return dotToken{}, l.errorf(at, "a name that begins with a digit must be quoted")
	}
	l.pos = i
	return dotToken{dotWord, l.src[at:i], at}, nil
}

// quoted reads "…" and any further strings joined to it by '+'. Only \" and a
// backslash before a line break are escapes; all other backslashes stay.
func (l *dotLexer) quoted() (dotToken, error) {
	t := dotToken{kind: dotString, at: l.pos}
	var b strings.Builder
	for {
		start := l.pos
		l.pos++
	str:
		for {
			n := strings.IndexAny(l.src[l.pos:], `"\`)
			if n < 0 {
				return t, l.errorf(start, "a string is never closed")
			}
			b.WriteString(l.src[l.pos : l.pos+n])
			l.pos += n
			rest := l.src[l.pos:]
			switch {
			case rest[0] == '"':
				l.pos++
				break str
			case strings.HasPrefix(rest, `\"`):
				b.WriteByte('"')
				l.pos += 2
			case strings.HasPrefix(rest, `\\`):
				b.WriteString(`\\`)
				l.pos += 2
			case strings.HasPrefix(rest, "\\\n"):
				l.pos += 2
			case strings.HasPrefix(rest, "\\\r\n"):
				l.pos += 3
			default:
				b.WriteByte('\\')
				l.pos++
			}
		}
		t.text = b.String()
		end := l.pos
		if err := l.space(); err != nil {
			return t, err
		}
		if l.pos >= len(l.src) || l.src[l.pos] != '+' {
			l.pos = end
			return t, nil
		}
		l.pos++
		if err := l.space(); err != nil {
			return t, err
		}
		if l.pos >= len(l.src) || l.src[l.pos] != '"' {
			return t, l.errorf(l.pos, "want a quoted string after +")
		}
	}
}

// html reads <…>, angle brackets balanced. Its text is what stands inside.
func (l *dotLexer) html() (dotToken, error) {
	at, depth := l.pos, 0
	for i := at; i < len(l.src); i++ {
		switch l.src[i] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				l.pos = i + 1
				return dotToken{dotHTML, l.src[at+1 : i], at}, nil
			}
		}
	}
	return dotToken{}, l.errorf(at, "an HTML string is never closed")
}
