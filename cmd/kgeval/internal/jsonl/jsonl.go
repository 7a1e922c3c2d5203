// Package jsonl turns the rows of one JSON Lines stream into the rows of
// another: in order, several at a time, and so that a run which was killed goes
// on where it stopped. It knows nothing of what the rows mean.
//
// Each input line that is not blank gives exactly one output row, in the order
// of the input. An output row begins with a Head that names the input line it
// was made from; that is all a resumed run needs, and there is no second file
// that could disagree with the first.
package jsonl

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Head is what every output row begins with.
type Head struct {
	// Format names the row's kind, such as "kgeval.check".
	Format string `json:"format"`
	// Version counts incompatible changes of the format, from 1.
	Version int `json:"version"`
	// ID is the input row's own id, a string or a number; its line number as a
	// string where it has none.
	ID json.RawMessage `json:"id,omitempty"`
	// Line is the number of the input line, from 1; absent for a single item.
	Line int `json:"line,omitempty"`
	// Input is Sum of the input line; absent for a single item.
	Input string `json:"input,omitempty"`
}

// Line is one line of the input.
type Line struct {
	// Number counts all lines from 1, blank ones too.
	Number int
	// Text has neither line end nor byte order mark.
	Text []byte
}

// Sum returns a short digest of a line together with the settings that it was
// processed with (any text that changes when they change). A row whose digest
// is another was made from another input or with other settings.
func Sum(settings string, text []byte) string {
	h := sha256.New()
	io.WriteString(h, settings)
	h.Write([]byte{0})
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Reader reads lines of any length. It accepts \n and \r\n, a last line without
// an end, and a byte order mark in front; it skips blank lines but counts them.
type Reader struct {
	r *bufio.Reader
	n int
}

// NewReader returns a Reader over r.
func NewReader(r io.Reader) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 64<<10)}
}

// Next returns the next line that is not blank, or io.EOF. The line's bytes
// are the caller's.
func (r *Reader) Next() (Line, error) {
	for {
		text, err := r.r.ReadBytes('\n')
		if err != nil && (!errors.Is(err, io.EOF) || len(text) == 0) {
			return Line{}, err
		}
		r.n++
		text = bytes.TrimSuffix(text, []byte("\n"))
		text = bytes.TrimSuffix(text, []byte("\r"))
		if r.n == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if len(bytes.TrimSpace(text)) > 0 {
			return Line{Number: r.n, Text: text}, nil
		}
	}
}

// Count returns how many lines of r are not blank.
func Count(r io.Reader) (int, error) {
	lines, n := NewReader(r), 0
	for {
		_, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		n++
	}
}

// ChangedError says that an output row was not made from the input line that
// now stands at its place, so that going on would mix two runs.
type ChangedError struct {
	// Row counts output rows from 1.
	Row int
	// Reason says what differs.
	Reason string
}

func (e *ChangedError) Error() string {
	return fmt.Sprintf("row %d of the output %s", e.Row, e.Reason)
}
