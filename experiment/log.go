package experiment

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
)

// ErrLocked says that another process is writing the log.
var ErrLocked = errors.New("another process is writing it")

// ChangedError says that a log was begun with other settings than those it is to be
// gone on with.
type ChangedError struct {
	// Changes are in the order of their names.
	Changes []Change
}

// Change is a setting whose value differs. A value that is not set is "".
type Change struct{ Name, Was, Is string }

func (e *ChangedError) Error() string {
	var b strings.Builder
	b.WriteString("the log was begun with other settings: ")
	for i, c := range e.Changes {
		if i > 0 {
			b.WriteString("; ")
		}
		if i == 5 {
			fmt.Fprintf(&b, "and %d more", len(e.Changes)-i)
			break
		}
		fmt.Fprintf(&b, "%s was %s and is %s", c.Name, value(c.Was), value(c.Is))
	}
	return b.String()
}

func value(s string) string {
	if s == "" {
		return "not set"
	}
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + "…"
	}
	return fmt.Sprintf("%q", s)
}

// WriteError says that the log could not be written; the run has then ended, and what
// was written before is whole.
type WriteError struct{ Err error }

func (e *WriteError) Error() string { return fmt.Sprintf("writing the log: %v", e.Err) }

// Unwrap returns Err.
func (e *WriteError) Unwrap() error { return e.Err }

// file is what a log is written to.
type file interface {
	io.Writer
	Sync() error
	Truncate(size int64) error
	Close() error
}

// journal appends to a log. It is safe for concurrent use.
type journal struct {
	mu  sync.Mutex
	f   file
	end int64 // of the last whole line
	err error // of the first write that failed; there is none after it
}

// openLog opens the log at a path for writing, or begins it with a header. An unfinished
// last line is cut off; with anew the whole log is, whatever is wrong with it. It returns
// what the log holds.
func openLog(path string, h Header, anew bool) (*journal, *state, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, nil, err
	}
	j, s, err := begin(f, h, anew)
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return j, s, nil
}

func begin(f *os.File, h Header, anew bool) (*journal, *state, error) {
	if err := lock(f); err != nil {
		return nil, nil, err
	}
	s, err := readState(f)
	if anew && !errors.Is(err, ErrNoRun) {
		if err := f.Truncate(0); err != nil {
			return nil, nil, &WriteError{err}
		}
		s, err = newState(), nil
	}
	if err != nil {
		return nil, nil, err
	}
	j := &journal{f: f, end: s.end}
	if s.run.Torn {
		if err := f.Truncate(s.end); err != nil {
			return nil, nil, &WriteError{err}
		}
		s.run.Torn = false
	}
	if s.end == 0 {
		s.run.Header = h
		return j, s, j.append(entry{Header: &h}, true)
	}
	if changes := changesOf(s.run.Header.Settings, h.Settings); changes != nil {
		return nil, nil, &ChangedError{changes}
	}
	return j, s, nil
}

func changesOf(was, is map[string]string) []Change {
	var out []Change
	names := slices.Sorted(maps.Keys(was))
	for name := range is {
		if _, ok := was[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, n := range names {
		if was[n] != is[n] {
			out = append(out, Change{n, was[n], is[n]})
		}
	}
	return out
}

// append writes a line in one piece. With keep it is on the disk when append returns,
// so that it outlives the machine; without, it outlives the process.
func (j *journal) append(e entry, keep bool) error {
	line, err := e.encode()
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil {
		return j.err
	}
	if _, err = j.f.Write(line); err == nil && keep {
		err = j.f.Sync()
	}
	if err != nil {
		j.err = &WriteError{err}
		// Half a line would be cut off by the next run; a reader need not see it.
		j.f.Truncate(j.end)
		return j.err
	}
	j.end += int64(len(line))
	return nil
}

// close ends the writing.
func (j *journal) close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	err := j.f.Sync()
	if e := j.f.Close(); err == nil {
		err = e
	}
	if err != nil && j.err == nil {
		return &WriteError{err}
	}
	return nil
}
