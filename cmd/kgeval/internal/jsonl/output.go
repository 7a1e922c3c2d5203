package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// rowStart is how every row begins (see Head).
const rowStart = `{"format":"`

// Output is an output file whose finished rows are known.
type Output struct {
	f *os.File
	// Rows are the heads of the rows that were there, in order.
	Rows []Head
	// Repaired is how many bytes of an unfinished last row were cut off.
	Repaired int64
}

// OpenOutput opens or makes the file of the given name for rows of a format and
// version. Rows that a former run finished are kept and listed; each is also
// given to seen, whole. A last row that the former run could not finish is cut
// off. A file that holds anything else is left as it is and gives an error.
func OpenOutput(name, format string, version int, seen func(row []byte)) (*Output, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	o := &Output{f: f}
	if err := o.read(format, version, seen); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return o, nil
}

func (o *Output) read(format string, version int, seen func([]byte)) error {
	// A row is cut off only if it can be the beginning of one of ours.
	open, err := json.Marshal(Head{Format: format, Version: version})
	if err != nil {
		return err
	}
	open = bytes.TrimSuffix(open, []byte("}"))

	r := bufio.NewReaderSize(o.f, 64<<10)
	var end int64
	for {
		// Look before reading: what is given by mistake can be a binary of any
		// size, or a device without an end.
		if start, _ := r.Peek(len(rowStart)); !bytes.HasPrefix([]byte(rowStart), start) {
			return fmt.Errorf("line %d is not a row of %s; choose another file", len(o.Rows)+1, format)
		}
		row, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			n := min(len(row), len(open))
			if !bytes.Equal(row[:n], open[:n]) {
				return fmt.Errorf("holds something that is not a row of %s; choose another file", format)
			}
			o.Repaired = int64(len(row))
			break
		}
		if err != nil {
			return err
		}
		var h Head
		if err := json.Unmarshal(row, &h); err != nil || h.Format == "" || h.Line == 0 {
			return fmt.Errorf("line %d is not a row of %s; choose another file", len(o.Rows)+1, format)
		}
		if h.Format != format || h.Version != version {
			return fmt.Errorf("line %d is a row of %s version %d, not of %s version %d; choose another file",
				len(o.Rows)+1, h.Format, h.Version, format, version)
		}
		o.Rows = append(o.Rows, h)
		if seen != nil {
			seen(row)
		}
		end += int64(len(row))
	}
	if o.Repaired > 0 {
		if err := o.f.Truncate(end); err != nil {
			return err
		}
	}
	_, err = o.f.Seek(end, io.SeekStart)
	return err
}

// Write appends to the file.
func (o *Output) Write(b []byte) (int, error) { return o.f.Write(b) }

// Close closes the file.
func (o *Output) Close() error { return o.f.Close() }
