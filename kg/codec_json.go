package kg

import (
	"bufio"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// appendJSON appends s as a JSON string. Unlike encoding/json it leaves <, >
// and & readable.
func appendJSON(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r < 0x20 || r == 0x7f:
			dst = append(dst, `\u00`...)
			dst = append(dst, hexDigits[r>>4], hexDigits[r&15])
		case r == '\u2028' || r == '\u2029' || r == '\ufeff':
			dst = append(dst, `\u`...)
			for shift := 12; shift >= 0; shift -= 4 {
				dst = append(dst, hexDigits[r>>shift&15])
			}
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

func appendJSONArray(dst []byte, t Triple) []byte {
	dst = append(dst, '[')
	dst = appendJSON(dst, t.Head)
	dst = append(dst, ", "...)
	dst = appendJSON(dst, t.Relation)
	dst = append(dst, ", "...)
	dst = appendJSON(dst, t.Tail)
	return append(dst, ']')
}

func appendJSONObject(dst []byte, t Triple) []byte {
	dst = append(dst, `{"head": `...)
	dst = appendJSON(dst, t.Head)
	dst = append(dst, `, "relation": `...)
	dst = appendJSON(dst, t.Relation)
	dst = append(dst, `, "tail": `...)
	dst = appendJSON(dst, t.Tail)
	return append(dst, '}')
}

// MarshalJSON writes t as [head, relation, tail]. A label that is not UTF-8 is a
// *LabelError.
func (t Triple) MarshalJSON() ([]byte, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	return appendJSONArray(nil, t), nil
}

// UnmarshalJSON reads [head, relation, tail] or an object with the parts under
// head, subject, source, source_node or from; relation, predicate, type, label
// or edge; tail, object, target, target_node or to (in any case, further keys
// are ignored). A part is a string, a number or truth value (read as spelled),
// or an object with a name, id or label. Anything else is a *SyntaxError, with
// places in b; t is unchanged then.
func (t *Triple) UnmarshalJSON(b []byte) error {
	v, err := jsonValue(JSON, string(b))
	if err != nil {
		return err
	}
	r := tripleReader{format: JSON, src: string(b)}
	got, err := r.triple(v)
	if err != nil {
		return err
	}
	*t = got
	return nil
}

// MarshalJSON writes g as an array of [head, relation, tail] arrays; [] for an
// empty or nil graph.
func (g *Graph) MarshalJSON() ([]byte, error) {
	dst := []byte{'['}
	for t := range g.Triples() {
		if err := t.Validate(); err != nil {
			return nil, err
		}
		if len(dst) > 1 {
			dst = append(dst, ',')
		}
		dst = appendJSONArray(dst, t)
	}
	return append(dst, ']'), nil
}

// UnmarshalJSON replaces g by the graph in b, in any form that the format JSON
// reads; g is unchanged on an error.
func (g *Graph) UnmarshalJSON(b []byte) error {
	if at := invalidUTF8(string(b)); at >= 0 {
		return syntaxError(JSON, string(b), at, "invalid UTF-8")
	}
	got, err := decodeJSON(string(b), codecOptions{})
	if err != nil {
		return err
	}
	*g = *got
	return nil
}

func encodeJSON(w *bufio.Writer, g *Graph, _ codecOptions) error {
	return encodeJSONList(w, g, appendJSONArray)
}

func encodeJSONObjects(w *bufio.Writer, g *Graph, _ codecOptions) error {
	return encodeJSONList(w, g, appendJSONObject)
}

func encodeJSONList(w *bufio.Writer, g *Graph, form func([]byte, Triple) []byte) error {
	if g.Len() == 0 {
		_, err := w.WriteString("[]\n")
		return err
	}
	sep := "[\n  "
	var buf []byte
	for t := range g.Triples() {
		buf = form(append(buf[:0], sep...), t)
		if _, err := w.Write(buf); err != nil {
			return err
		}
		sep = ",\n  "
	}
	_, err := w.WriteString("\n]\n")
	return err
}

func encodeJSONL(w *bufio.Writer, g *Graph, _ codecOptions) error {
	var buf []byte
	for t := range g.Triples() {
		buf = append(appendJSONArray(buf[:0], t), '\n')
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

// jsonValue reads src as one JSON value. encoding/json decides what is JSON;
// the reader of literals then finds values with their places.
func jsonValue(f Format, src string) (value, error) {
	if at := invalidUTF8(src); at >= 0 {
		return value{}, syntaxError(f, src, at, "invalid UTF-8")
	}
	var raw json.RawMessage
	if err := json.Unmarshal([]byte(src), &raw); err != nil {
		at := len(src)
		var syn *json.SyntaxError
		if errors.As(err, &syn) {
			at = int(syn.Offset)
			if !strings.Contains(syn.Error(), "unexpected end") {
				at--
			}
		}
		e := syntaxError(f, src, at, "%s", strings.TrimPrefix(err.Error(), "json: "))
		e.Err = err
		return value{}, e
	}
	r := literalReader{format: f, src: src, json: true}
	return r.value(0)
}

func decodeJSON(src string, _ codecOptions) (*Graph, error) {
	// The mark is blanked, not cut, so that offsets stay those of the input.
	if strings.HasPrefix(src, bom) {
		src = "   " + src[len(bom):]
	}
	if strings.TrimSpace(src) == "" {
		return nil, syntaxError(JSON, src, len(src), "empty input")
	}
	v, err := jsonValue(JSON, src)
	if err != nil {
		return nil, err
	}
	g := NewGraph()
	r := tripleReader{format: JSON, src: src, add: func(t Triple) { g.Add(t) }}
	if err := r.read(v, true); err != nil {
		return nil, err
	}
	return g, nil
}

func decodeJSONL(src string, _ codecOptions) (*Graph, error) {
	g := NewGraph()
	if strings.HasPrefix(src, bom) {
		src = "   " + src[len(bom):]
	}
	offset := 0
	for n, line := range splitLines(src) {
		if strings.TrimSpace(line) != "" {
			t, err := jsonlTriple(line)
			if err != nil {
				var syn *SyntaxError
				if errors.As(err, &syn) {
					syn.Line = n + 1
					syn.Offset += int64(offset)
				}
				return nil, err
			}
			g.Add(t)
		}
		offset += len(line) + 1
	}
	return g, nil
}

func jsonlTriple(line string) (Triple, error) {
	v, err := jsonValue(JSONL, line)
	if err != nil {
		return Triple{}, err
	}
	r := tripleReader{format: JSONL, src: line}
	return r.triple(v)
}
