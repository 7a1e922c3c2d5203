package llmhttp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/kgeval/kgeval/llm"
)

// maxLine is the longest line of a stream, in bytes.
const maxLine = 1 << 20

// Lines yields the lines of a stream without their ends, and an error where it
// can't be read on; io.EOF is no error, and a last line without an end is
// yielded. A line of more than 1 MB is llm.ErrBadReply. The bytes are valid
// until the next pull.
func Lines(r io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		br := bufio.NewReaderSize(r, 16<<10)
		var long []byte
		for {
			part, err := br.ReadSlice('\n')
			if len(long)+len(part) > maxLine {
				yield(nil, &llm.Error{Kind: llm.ErrBadReply, Message: fmt.Sprintf("a line of more than %d bytes", maxLine)})
				return
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				long = append(long, part...)
				continue
			}
			line := part
			if len(long) > 0 {
				long = append(long, part...)
				line = long
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield(nil, err)
				return
			}
			if line = bytes.TrimRight(line, "\r\n"); err == nil || len(line) > 0 {
				if !yield(line, nil) {
					return
				}
			}
			if err != nil {
				return
			}
			long = long[:0]
		}
	}
}

// Data returns what a line of an event stream carries; ok is false for a
// comment, a blank line or another field. See the HTML standard, 9.2.6.
func Data(line []byte) (data []byte, ok bool) {
	data, ok = bytes.CutPrefix(line, []byte("data:"))
	return bytes.TrimSpace(data), ok
}
