package kg

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// value is a JSON or Python literal with its place.
type value struct {
	kind  valueKind
	text  string   // of a string its content, of a number or word its spelling
	items []value  // of a list, and the values of an object
	keys  []string // of an object, parallel to items
	at    int
}

type valueKind uint8

const (
	stringValue valueKind = iota
	numberValue
	boolValue
	nullValue
	listValue
	objectValue
)

func (k valueKind) String() string {
	return [...]string{"a string", "a number", "a truth value", "null", "a list", "an object"}[k]
}

func (v value) scalar() bool { return v.kind <= nullValue }

// maxDepth bounds how deep lists and objects may nest.
const maxDepth = 100

// tripleRoles lists the keys under which objects hold each part, the first that
// is there wins.
var tripleRoles = [3][]string{
	{"head", "subject", "source", "source_node", "from"},
	{"relation", "predicate", "type", "label", "edge"},
	{"tail", "object", "target", "target_node", "to"},
}

// listKeys hold the triples of a wrapping object, wrapKeys an object or list
// that holds them in turn.
var (
	listKeys = []string{"triples", "relations", "relationships", "edges", "facts"}
	wrapKeys = []string{"graph", "knowledge_graph", "result", "data"}
)

func (v value) member(keys []string) (value, bool) {
	for _, want := range keys {
		for i, k := range v.keys {
			if strings.EqualFold(k, want) {
				return v.items[i], true
			}
		}
	}
	return value{}, false
}

// tripleReader turns values into triples.
type tripleReader struct {
	format Format
	src    string
	add    func(Triple)
}

func (r *tripleReader) errorf(at int, format string, args ...any) error {
	return syntaxError(r.format, r.src, at, format, args...)
}

// read reads all triples of v. Only a list that is the whole input (top) may be
// flat, that is, hold the labels of several triples one after the other.
func (r *tripleReader) read(v value, top bool) error {
	switch v.kind {
	case objectValue:
		return r.readObject(v, top)
	case listValue:
		for _, it := range v.items {
			if it.scalar() {
				return r.readLabels(v, top)
			}
		}
		for _, it := range v.items {
			if err := r.read(it, false); err != nil {
				return err
			}
		}
		return nil
	}
	return r.errorf(v.at, "%v is no triple and no list of triples", v.kind)
}

func (r *tripleReader) readObject(v value, top bool) error {
	n := 0
	for _, keys := range tripleRoles {
		if _, ok := v.member(keys); ok {
			n++
		}
	}
	if n >= 2 {
		t, err := r.triple(v)
		if err != nil {
			return err
		}
		r.add(t)
		return nil
	}
	if list, ok := v.member(listKeys); ok {
		if list.kind != listValue {
			return r.errorf(list.at, "%v where a list of triples should be", list.kind)
		}
		return r.read(list, top)
	}
	if inner, ok := v.member(wrapKeys); ok {
		return r.read(inner, top)
	}
	return r.errorf(v.at, `an object with neither the parts of a triple ("head", "relation", "tail") nor a list of "triples"`)
}

// readLabels reads a list that holds labels itself.
func (r *tripleReader) readLabels(v value, top bool) error {
	n := len(v.items)
	if n%3 != 0 || n > 3 && !top {
		if top {
			return r.errorf(v.at, "a flat list of %d labels: neither a triple nor several (not a multiple of 3)", n)
		}
		return r.errorf(v.at, "a triple has 3 parts, this one has %d", n)
	}
	for i := 0; i < n; i += 3 {
		t, err := r.labels(v.items[i : i+3])
		if err != nil {
			return err
		}
		r.add(t)
	}
	return nil
}

func (r *tripleReader) labels(parts []value) (Triple, error) {
	var l [3]string
	for i, p := range parts {
		s, err := r.label(p)
		if err != nil {
			return Triple{}, err
		}
		l[i] = s
	}
	return Triple{l[0], l[1], l[2]}, nil
}

// triple reads v as exactly one triple: a list of three labels or an object.
func (r *tripleReader) triple(v value) (Triple, error) {
	switch v.kind {
	case listValue:
		if len(v.items) != 3 {
			return Triple{}, r.errorf(v.at, "a triple has 3 parts, this one has %d", len(v.items))
		}
		return r.labels(v.items)
	case objectValue:
		var parts [3]value
		for i, keys := range tripleRoles {
			p, ok := v.member(keys)
			if !ok {
				return Triple{}, r.errorf(v.at, "an object without %q", keys[0])
			}
			parts[i] = p
		}
		return r.labels(parts[:])
	}
	return Triple{}, r.errorf(v.at, "%v is no triple", v.kind)
}

// label reads a string, a number or truth value as it is spelled, or an object
// that has a name.
func (r *tripleReader) label(v value) (string, error) {
	switch v.kind {
	case stringValue, numberValue, boolValue:
		return v.text, nil
	case objectValue:
		for _, key := range []string{"name", "id", "label"} {
			if n, ok := v.member([]string{key}); ok && n.scalar() && n.kind != nullValue {
				return n.text, nil
			}
		}
		return "", r.errorf(v.at, `an object without a "name" is no label`)
	}
	if v.kind == nullValue {
		return "", r.errorf(v.at, "%s is no label", v.text)
	}
	return "", r.errorf(v.at, "%v is no label", v.kind)
}

// literalReader reads the literals of Python, of which those of JSON are a part
// as far as values go. For JSON the caller has checked the syntax before.
type literalReader struct {
	format Format
	src    string
	pos    int
	json   bool
}

func (r *literalReader) errorf(at int, format string, args ...any) error {
	return syntaxError(r.format, r.src, at, format, args...)
}

// space skips white space and, in Python, comments and line continuations.
func (r *literalReader) space() {
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			r.pos++
		case r.json:
			return
		case c == '#':
			if i := strings.IndexByte(r.src[r.pos:], '\n'); i >= 0 {
				r.pos += i + 1
			} else {
				r.pos = len(r.src)
			}
		case c == '\\' && strings.HasPrefix(r.src[r.pos+1:], "\n"):
			r.pos += 2
		case c == '\f' || c == '\v':
			r.pos++
		case c >= utf8.RuneSelf:
			// A model may set a no-break or an ideographic space.
			x, n := utf8.DecodeRuneInString(r.src[r.pos:])
			if !unicode.IsSpace(x) {
				return
			}
			r.pos += n
		default:
			return
		}
	}
}

func (r *literalReader) peek() byte {
	if r.pos < len(r.src) {
		return r.src[r.pos]
	}
	return 0
}

func (r *literalReader) end() bool { return r.pos >= len(r.src) }

// value reads one value; white space around it is skipped.
func (r *literalReader) value(depth int) (value, error) {
	r.space()
	at := r.pos
	if r.end() {
		return value{}, r.errorf(at, "unexpected end of input")
	}
	if depth > maxDepth {
		return value{}, r.errorf(at, "nested deeper than %d", maxDepth)
	}
	switch c := r.peek(); {
	case c == '[':
		return r.list(']', depth)
	case c == '(' && !r.json:
		return r.list(')', depth)
	case c == '{':
		return r.object(depth)
	case c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9':
		for !r.end() && strings.IndexByte("+-.eE_0123456789jJxXabcdfABCDF", r.peek()) >= 0 {
			r.pos++
		}
		text := r.src[at:r.pos]
		if !strings.ContainsAny(text, "0123456789") {
			return value{}, r.errorf(at, "%q is no number", text)
		}
		return value{kind: numberValue, text: text, at: at}, nil
	}
	if v, ok, err := r.str(); ok || err != nil {
		return v, err
	}
	for !r.end() {
		x, n := utf8.DecodeRuneInString(r.src[r.pos:])
		if !unicode.IsLetter(x) && x != '_' && !unicode.IsDigit(x) {
			break
		}
		r.pos += n
	}
	switch w := r.src[at:r.pos]; w {
	case "true", "false", "True", "False":
		return value{kind: boolValue, text: w, at: at}, nil
	case "null", "None":
		return value{kind: nullValue, text: w, at: at}, nil
	case "":
		x, _ := utf8.DecodeRuneInString(r.src[at:])
		return value{}, r.errorf(at, "unexpected %q", x)
	default:
		return value{}, r.errorf(at, "a name (%s) where a quoted label should be", clip(w))
	}
}

// clip shortens s for a message.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	n := most
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

func (r *literalReader) list(closer byte, depth int) (value, error) {
	v := value{kind: listValue, at: r.pos}
	opener := r.src[r.pos]
	r.pos++
	for {
		r.space()
		if r.peek() == closer && !r.end() {
			r.pos++
			return v, nil
		}
		if r.end() {
			return v, r.errorf(v.at, "%q is never closed", opener)
		}
		it, err := r.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.items = append(v.items, it)
		r.space()
		switch {
		case r.end():
			return v, r.errorf(v.at, "%q is never closed", opener)
		case r.peek() == ',':
			r.pos++
		case r.peek() != closer:
			return v, r.unexpected(closer)
		}
	}
}

func (r *literalReader) unexpected(closer byte) error {
	x, _ := utf8.DecodeRuneInString(r.src[r.pos:])
	return r.errorf(r.pos, "unexpected %q, want a comma or %q", x, closer)
}

// object reads a JSON object or a Python dict; a Python set is a list.
func (r *literalReader) object(depth int) (value, error) {
	v := value{kind: objectValue, at: r.pos}
	seen := make(map[string]bool)
	r.pos++
	for {
		r.space()
		if r.peek() == '}' && !r.end() {
			r.pos++
			return v, nil
		}
		if r.end() {
			return v, r.errorf(v.at, "%q is never closed", '{')
		}
		key, err := r.value(depth + 1)
		if err != nil {
			return v, err
		}
		r.space()
		if isSet := !r.json && (r.peek() == ',' || r.peek() == '}') && !r.end(); isSet && (v.kind == listValue || len(v.items) == 0) {
			v.kind = listValue
			v.items = append(v.items, key)
		} else {
			if v.kind == listValue || r.peek() != ':' {
				return v, r.errorf(r.pos, "want a colon after a key")
			}
			if key.kind != stringValue {
				return v, r.errorf(key.at, "%v is no key", key.kind)
			}
			r.pos++
			it, err := r.value(depth + 1)
			if err != nil {
				return v, err
			}
			if seen[key.text] {
				return v, r.errorf(key.at, "key %q twice in one object", clip(key.text))
			}
			seen[key.text] = true
			v.keys = append(v.keys, key.text)
			v.items = append(v.items, it)
			r.space()
		}
		switch {
		case r.end():
			return v, r.errorf(v.at, "%q is never closed", '{')
		case r.peek() == ',':
			r.pos++
		case r.peek() != '}':
			return v, r.unexpected('}')
		}
	}
}
