package experiment

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/kgeval/kgeval/llm"
)

// ErrNoRun says that a file is no log of a run.
var ErrNoRun = errors.New("no log of a run")

// VersionError says that a log was written in another version of the form.
type VersionError struct {
	// Got is the log's, Want the one that is understood here.
	Got, Want int
}

func (e *VersionError) Error() string {
	newer := "older"
	if e.Got > e.Want {
		newer = "newer"
	}
	return fmt.Sprintf("the log is of version %d, and this program reads version %d: use a %s kgeval, or begin another log", e.Got, e.Want, newer)
}

// CorruptError says that a line in the middle of a log is not as it was written.
type CorruptError struct {
	// Line counts from 1.
	Line int
	Err  error
}

func (e *CorruptError) Error() string { return fmt.Sprintf("line %d is damaged: %v", e.Line, e.Err) }

// Unwrap returns Err.
func (e *CorruptError) Unwrap() error { return e.Err }

// Read returns what the log at a path holds; it may be one that is being written. An
// unfinished last line is left out (Run.Torn). The error is the file's, wraps ErrNoRun,
// or is a *VersionError or *CorruptError.
func Read(path string) (*Run, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	defer f.Close()
	s, err := readState(f)
	if err != nil {
		return nil, fmt.Errorf("experiment: %s: %w", path, err)
	}
	if s.run.Header.Format == "" {
		return nil, fmt.Errorf("experiment: %s: %w: it has no header yet", path, ErrNoRun)
	}
	return s.finish(), nil
}

// state is a log as it is read.
type state struct {
	run     Run
	items   map[string]int // place in the data
	records map[Task]*Record
	spent   spending
	// end is where the last whole line ends.
	end int64
}

// spending is what all answers of a log used.
type spending struct {
	tokens int
	cost   float64
}

func (s *spending) add(u llm.Usage, cost float64) {
	s.tokens += u.Input + u.Output
	s.cost += cost
}

func newState() *state { return &state{items: map[string]int{}, records: map[Task]*Record{}} }

func readState(r io.Reader) (*state, error) {
	s := newState()
	b := bufio.NewReaderSize(r, 64<<10)
	if head, _ := b.Peek(16); len(head) > 0 && !bytes.HasPrefix([]byte(`{"header":{"form`), head) {
		return nil, fmt.Errorf("%w: it begins with %q", ErrNoRun, head)
	}
	var bad error // of a line, forgiven if it is the last
	for n := 1; ; n++ {
		line, err := b.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			s.run.Torn = bad != nil || len(line) > 0
			return s, nil
		}
		if err != nil {
			return nil, err
		}
		if bad != nil {
			return nil, bad
		}
		e, err := decode(line[:len(line)-1])
		if err == nil {
			err = s.add(n, e)
		} else if n == 1 {
			// An older program need not understand the rest of a newer header.
			if v := versionOf(line); v != 0 && v != Version {
				return nil, &VersionError{Got: v, Want: Version}
			}
		}
		var version *VersionError
		switch {
		case errors.As(err, &version):
			return nil, err
		case err != nil:
			bad = &CorruptError{Line: n, Err: err}
			continue
		}
		s.end += int64(len(line))
	}
}

func versionOf(line []byte) int {
	var h struct {
		Header struct {
			Format  string `json:"format"`
			Version int    `json:"version"`
		} `json:"header"`
	}
	if json.Unmarshal(line, &h) != nil || h.Header.Format != Format {
		return 0
	}
	return h.Header.Version
}

func (s *state) add(n int, e entry) error {
	if (n == 1) != (e.Header != nil) {
		return errEmpty
	}
	switch {
	case e.Header != nil:
		if e.Header.Format != Format {
			return errEmpty
		}
		if e.Header.Version != Version {
			return &VersionError{Got: e.Header.Version, Want: Version}
		}
		s.run.Header = *e.Header
	case e.Item != nil:
		if _, ok := s.items[e.Item.ID]; !ok {
			s.items[e.Item.ID] = e.Item.Place
			s.run.Items = append(s.run.Items, *e.Item)
		}
	case e.Answer != nil:
		r := s.record(e.Answer.Task)
		r.Answer, r.Failure = e.Answer, nil
		s.spent.add(e.Answer.Usage, e.Answer.Cost)
	case e.Score != nil:
		r := s.record(e.Score.Task)
		r.Score, r.Failure = e.Score, nil
	case e.Failure != nil:
		s.record(e.Failure.Task).Failure = e.Failure
		s.spent.add(e.Failure.Usage, e.Failure.Cost)
	}
	return nil
}

func (s *state) record(t Task) *Record {
	r, ok := s.records[t]
	if !ok {
		r = &Record{Task: t}
		s.records[t] = r
	}
	return r
}

// finish puts the records in order.
func (s *state) finish() *Run {
	slices.SortStableFunc(s.run.Items, func(a, b Item) int { return a.Place - b.Place })
	model := map[string]int{}
	for i, m := range s.run.Header.Models {
		model[m] = i
	}
	s.run.Records = make([]Record, 0, len(s.records))
	for _, r := range s.records {
		s.run.Records = append(s.run.Records, *r)
	}
	slices.SortFunc(s.run.Records, func(a, b Record) int {
		switch {
		case a.Model != b.Model:
			return model[a.Model] - model[b.Model]
		case a.Temperature < b.Temperature:
			return -1
		case a.Temperature > b.Temperature:
			return 1
		case a.Repeat != b.Repeat:
			return a.Repeat - b.Repeat
		}
		return s.items[a.Item] - s.items[b.Item]
	})
	return &s.run
}
