package experiment

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// entry is one line of a log: an object with one of these members, and last the sum of
// what stands before it.
type entry struct {
	Header  *Header  `json:"header,omitempty"`
	Item    *Item    `json:"item,omitempty"`
	Answer  *Answer  `json:"answer,omitempty"`
	Score   *Score   `json:"score,omitempty"`
	Failure *Failure `json:"failure,omitempty"`
}

// A line ends in `,"sum":"` and 16 hexadecimal digits of the SHA-256 over the bytes
// before it, and `"}`.
const (
	sumStart = `,"sum":"`
	sumEnd   = `"}`
	sumLen   = len(sumStart) + 16 + len(sumEnd)
)

func sumOf(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:8])
}

// encode returns the line of an entry, with its end.
func (e entry) encode() ([]byte, error) {
	var b bytes.Buffer
	j := json.NewEncoder(&b)
	j.SetEscapeHTML(false)
	if err := j.Encode(e); err != nil {
		return nil, err
	}
	line := bytes.TrimSuffix(b.Bytes(), []byte("}\n"))
	sum := sumOf(line)
	line = append(line, sumStart...)
	line = append(line, sum...)
	line = append(line, sumEnd...)
	return append(line, '\n'), nil
}

var (
	errSum   = errors.New("its checksum is wrong")
	errEmpty = errors.New("it is no line of a run")
)

// decode reads a line without its end.
func decode(line []byte) (entry, error) {
	var e entry
	if len(line) < sumLen+1 {
		return e, errEmpty
	}
	body, tail := line[:len(line)-sumLen], line[len(line)-sumLen:]
	if !bytes.HasPrefix(tail, []byte(sumStart)) || !bytes.HasSuffix(tail, []byte(sumEnd)) {
		return e, errEmpty
	}
	if string(tail[len(sumStart):len(tail)-len(sumEnd)]) != sumOf(body) {
		return e, errSum
	}
	if err := json.Unmarshal(append(bytes.Clone(body), '}'), &e); err != nil {
		return entry{}, fmt.Errorf("it is not what its version says: %w", err)
	}
	n := 0
	for _, there := range []bool{e.Header != nil, e.Item != nil, e.Answer != nil, e.Score != nil, e.Failure != nil} {
		if there {
			n++
		}
	}
	if n != 1 {
		return entry{}, errEmpty
	}
	return e, nil
}
