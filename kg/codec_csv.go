package kg

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
)

func encodeCSV(w *bufio.Writer, g *Graph, o codecOptions) error {
	c := csv.NewWriter(w)
	if !o.noHeader {
		if err := c.Write([]string{"head", "relation", "tail"}); err != nil {
			return err
		}
	}
	for t := range g.Triples() {
		if err := c.Write([]string{t.Head, t.Relation, t.Tail}); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// csvHeader returns the columns of head, relation and tail when rec is a header:
// it names each of the three exactly once.
func csvHeader(rec []string) (cols [3]int, ok bool) {
	names := [3][]string{
		{"head", "subject", "source"},
		{"relation", "predicate", "type"},
		{"tail", "object", "target"},
	}
	for role, keys := range names {
		found := 0
		for i, f := range rec {
			for _, k := range keys {
				if strings.EqualFold(strings.TrimSpace(f), k) {
					cols[role] = i
					found++
				}
			}
		}
		if found != 1 {
			return cols, false
		}
	}
	return cols, true
}

func decodeCSV(src string, o codecOptions) (*Graph, error) {
	text := strings.TrimPrefix(src, bom)
	c := csv.NewReader(bytes.NewReader(keepCRLF(text)))
	c.FieldsPerRecord = -1
	fault := func(at int, format string, args ...any) *SyntaxError {
		return syntaxError(CSV, src, at+len(src)-len(text), format, args...)
	}
	g := NewGraph()
	cols, width := [3]int{0, 1, 2}, 3
	for first := true; ; first = false {
		rec, err := c.Read()
		if errors.Is(err, io.EOF) {
			return g, nil
		}
		if err != nil {
			var p *csv.ParseError
			if errors.As(err, &p) {
				e := fault(lineOffset(text, p.Line)+p.Column-1, "%v", p.Err)
				e.Err = err
				return nil, e
			}
			return nil, err
		}
		if first && !o.noHeader {
			if h, ok := csvHeader(rec); ok {
				cols, width = h, len(rec)
				continue
			}
		}
		if len(rec) != width {
			line, _ := c.FieldPos(0)
			return nil, fault(lineOffset(text, line), "%d fields, want %d", len(rec), width)
		}
		g.Add(Triple{rec[cols[0]], rec[cols[1]], rec[cols[2]]})
	}
}

// lineOffset returns where line (from 1) begins.
func lineOffset(s string, line int) int {
	at := 0
	for ; line > 1; line-- {
		i := strings.IndexByte(s[at:], '\n')
		if i < 0 {
			return len(s)
		}
		at += i + 1
	}
	return at
}

// keepCRLF doubles the carriage return of a CR LF inside a quoted field, since
// csv.Reader takes one away before every line feed, also there, and labels must
// come back as they were.
func keepCRLF(s string) []byte {
	out := make([]byte, 0, len(s))
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case quoted && s[i] == '\n' && i > 0 && s[i-1] == '\r':
			out = append(out, '\r')
		}
		out = append(out, s[i])
	}
	return out
}
