package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// MaxRow is the length in bytes up to which a row is read.
const MaxRow = 64 << 20

// rowID names the row at a line of a file.
func rowID(name string, line int) string {
	base := path.Base(filepath.ToSlash(name))
	base, _, _ = strings.Cut(base, ".")
	return fmt.Sprintf("%s:%d", base, line)
}

// open returns r without compression and byte order mark.
func open(name string, r io.Reader) (*bufio.Reader, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	if head, _ := b.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, &FileError{File: name, Err: fmt.Errorf("not gzip, though it begins so: %w", err)}
		}
		b = bufio.NewReaderSize(z, 64<<10)
	}
	head, err := b.Peek(3)
	switch {
	case bytes.Equal(head, []byte("\ufeff")):
		b.Discard(3)
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return nil, &FileError{File: name, Line: 1, Err: fault(ErrUTF8, "the file is UTF-16; save it as UTF-8")}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, &FileError{File: name, Err: err}
	}
	return b, nil
}

// line is one line of a file without its end.
type line struct {
	number int
	text   []byte
	err    error // of this line
}

// lines yields the lines that are not blank. The error ends the sequence. The text
// is valid until the next line is asked for.
func lines(name string, r io.Reader) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		b, err := open(name, r)
		if err != nil {
			yield(line{}, err)
			return
		}
		var buf []byte
		for n := 1; ; n++ {
			buf = buf[:0]
			long := false
			for {
				part, err := b.ReadSlice('\n')
				if len(buf)+len(part) <= MaxRow {
					buf = append(buf, part...)
				} else {
					long = true
				}
				if err == nil {
					break
				}
				if errors.Is(err, bufio.ErrBufferFull) {
					continue
				}
				if !errors.Is(err, io.EOF) {
					yield(line{}, &FileError{File: name, Line: n, Err: err})
					return
				}
				if len(buf) == 0 && !long {
					return
				}
				if l := checked(n, buf, long); l.err != nil || len(bytes.TrimSpace(l.text)) > 0 {
					yield(l, nil)
				}
				return
			}
			if l := checked(n, buf, long); l.err != nil || len(bytes.TrimSpace(l.text)) > 0 {
				if !yield(l, nil) {
					return
				}
			}
		}
	}
}

func checked(n int, text []byte, long bool) line {
	text = bytes.TrimSuffix(text, []byte("\n"))
	text = bytes.TrimSuffix(text, []byte("\r"))
	l := line{number: n, text: text}
	if long {
		l.err = fault(ErrTooLong, "the row is longer than %d MB", MaxRow>>20)
	} else {
		l.err = checkUTF8(text)
	}
	return l
}

func checkUTF8(text []byte) error {
	if utf8.Valid(text) {
		return nil
	}
	at := 0
	for at < len(text) {
		c, n := utf8.DecodeRune(text[at:])
		if c == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return fault(ErrUTF8, "byte %d of the row is not UTF-8 (%#02x); save the file as UTF-8", at+1, text[at])
}

// fromLines makes rows of lines.
func fromLines[R any](name string, r io.Reader, parse func(line) (R, error)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		var zero R
		for l, err := range lines(name, r) {
			if err != nil {
				yield(zero, err)
				return
			}
			var row R
			if err = l.err; err == nil {
				row, err = parse(l)
			}
			if err != nil {
				row, err = zero, &RowError{File: name, Line: l.number, Err: err}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// fromJSONL makes rows of lines that are JSON objects.
func fromJSONL[T any](parse func(T) (Row, error)) Loader {
	return func(name string, r io.Reader) iter.Seq2[Row, error] {
		return fromLines(name, r, func(l line) (Row, error) {
			var v T
			if err := unmarshal(l.text, &v); err != nil {
				return Row{}, err
			}
			row, err := parse(v)
			if err != nil {
				return Row{}, err
			}
			return complete(row, name, l.number), nil
		})
	}
}

// unmarshal reads one JSON object and says in words what is wrong.
func unmarshal(text []byte, v any) error {
	if t := bytes.TrimSpace(text); len(t) > 0 && t[0] != '{' && json.Valid(t) {
		return fault(ErrSyntax, "a JSON object is expected, not %s", shown(string(t)))
	}
	err := json.Unmarshal(text, v)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var ours *kindError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ours):
		return ours
	case errors.As(err, &syntax):
		return fault(ErrSyntax, "not JSON: %v, at byte %d of the row", syntax, syntax.Offset)
	case errors.As(err, &kind):
		return fault(ErrField, "field %q is a JSON %s", kind.Field, kind.Value)
	}
	return fault(ErrSyntax, "not JSON: %v", err)
}

// newlines counts the lines of what a decoder has taken. It remembers the line ends
// that were read ahead.
type newlines struct {
	r    io.Reader
	read int64
	line int
	ends []int64
}

func (c *newlines) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.read+int64(i))
		}
	}
	c.read += int64(n)
	return n, err
}

// at returns the line of an offset; offsets must not go back.
func (c *newlines) at(offset int64) int {
	i := 0
	for i < len(c.ends) && c.ends[i] < offset {
		i++
	}
	c.line += i
	c.ends = c.ends[i:]
	return c.line + 1
}

// bounded fails when more than MaxRow bytes are read without a reset.
type bounded struct {
	r    io.Reader
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fault(ErrTooLong, "the row is longer than %d MB (is a quotation mark or a bracket missing?)", MaxRow>>20)
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

func (b *bounded) reset() { b.left = MaxRow }

// member is a member of a JSON object or an element of an array.
type member struct {
	key  string // empty in an array
	line int
	text json.RawMessage
}

// members yields the members of the one object or array that a file is. Where the
// JSON breaks it ends: what follows cannot be told apart.
func members(name string, r io.Reader, delim json.Delim) iter.Seq2[member, error] {
	return func(yield func(member, error) bool) {
		b, err := open(name, r)
		if err != nil {
			yield(member{}, err)
			return
		}
		bound := &bounded{r: b}
		bound.reset()
		count := &newlines{r: bound}
		d := json.NewDecoder(count)
		fail := func(err error) {
			// A reader's error comes back as it is, a broken text as a SyntaxError.
			line := count.at(d.InputOffset())
			var syntax *json.SyntaxError
			if errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
				if errors.Is(err, io.EOF) {
					err = io.ErrUnexpectedEOF
				}
				err = fault(ErrSyntax, "not JSON: %v", err)
			}
			yield(member{}, &FileError{File: name, Line: line, Err: err})
		}
		t, err := d.Token()
		if err != nil {
			fail(err)
			return
		}
		if t != delim {
			fail(fault(ErrSyntax, "the file must be one JSON %s", map[json.Delim]string{'{': "object", '[': "array"}[delim]))
			return
		}
		for d.More() {
			bound.reset()
			var m member
			if delim == '{' {
				if t, err = d.Token(); err != nil {
					fail(err)
					return
				}
				m.key, _ = t.(string)
			}
			if err := d.Decode(&m.text); err != nil {
				fail(err)
				return
			}
			end := d.InputOffset()
			m.line = count.at(end - int64(len(m.text)) + 1)
			if !yield(m, nil) {
				return
			}
		}
		if _, err := d.Token(); err != nil {
			fail(err)
		}
	}
}

// fromMembers makes rows of the members of one JSON value.
func fromMembers[T any](delim json.Delim, parse func(key string, v T) (Row, error)) Loader {
	return func(name string, r io.Reader) iter.Seq2[Row, error] {
		return func(yield func(Row, error) bool) {
			for m, err := range members(name, r, delim) {
				if err != nil {
					yield(Row{}, err)
					return
				}
				var v T
				var row Row
				if err = checkUTF8(m.text); err == nil {
					err = unmarshal(m.text, &v)
				}
				if err == nil {
					row, err = parse(m.key, v)
				}
				if err != nil {
					row, err = Row{}, &RowError{File: name, Line: m.line, Err: err}
				} else {
					row = complete(row, name, m.line)
				}
				if !yield(row, err) {
					return
				}
			}
		}
	}
}
