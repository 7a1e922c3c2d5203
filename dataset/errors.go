package dataset

import (
	"errors"
	"fmt"
	"strings"
)

// The kinds of a RowError, for errors.Is.
var (
	// ErrSyntax: the row is not JSON, or not CSV.
	ErrSyntax = errors.New("syntax error")
	// ErrUTF8: the row is not UTF-8.
	ErrUTF8 = errors.New("not UTF-8")
	// ErrField: a field is missing, of the wrong type, or has a value that the form
	// does not know.
	ErrField = errors.New("bad field")
	// ErrTooLong: the row is longer than MaxRow.
	ErrTooLong = errors.New("row too long")
)

// RowError says that one row could not be read. Those behind it can.
type RowError struct {
	// File is the name that the loader was given.
	File string
	// Line is where the row begins, from 1.
	Line int
	// Err wraps one of the kinds.
	Err error
}

func (e *RowError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns Err.
func (e *RowError) Unwrap() error { return e.Err }

// FileError says why a file cannot be read any further.
type FileError struct {
	File string
	// Line is where reading stopped, from 1; 0 where nothing was read.
	Line int
	Err  error
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
}

// Unwrap returns Err.
func (e *FileError) Unwrap() error { return e.Err }

// kindError is an error of a kind whose text says it all.
type kindError struct {
	kind error
	text string
}

func (e *kindError) Error() string { return e.text }
func (e *kindError) Unwrap() error { return e.kind }

func fault(kind error, format string, args ...any) error {
	return &kindError{kind, fmt.Sprintf(format, args...)}
}

func missing(field string) error { return fault(ErrField, "field %q is missing", field) }

// shown is a value from a file, short enough for an error.
func shown(s string) string {
	const most = 40
	if len(s) <= most {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%q…", strings.ToValidUTF8(s[:most], ""))
}
