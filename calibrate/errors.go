package calibrate

import (
	"errors"
	"fmt"
)

// An IDError says that a file's thresholds are for another model.
type IDError struct {
	File, Model string
}

func (e *IDError) Error() string {
	return fmt.Sprintf("calibrate: the thresholds were measured for %q and say nothing about %q; calibrate that model too (kgeval calibrate)", e.File, e.Model)
}

// An ExtractorError says that a file's thresholds are for claims that were found in
// another way.
type ExtractorError struct {
	// File and Extractor are IDs; "" stands for sentences or whole outputs.
	File, Extractor string
}

func (e *ExtractorError) Error() string {
	name := func(id string) string {
		if id == "" {
			return "sentences or whole outputs"
		}
		return fmt.Sprintf("facts found by %q", id)
	}
	return fmt.Sprintf("calibrate: the thresholds were measured on %s, not on %s; calibrate the model on these", name(e.File), name(e.Extractor))
}

var errNoModel = errors.New("calibrate: Options.Model is nil")

// A KindError says that a file is for the other kind of model.
type KindError struct {
	Want, Got Kind
}

func (e *KindError) Error() string {
	return fmt.Sprintf("calibrate: the file is for a model of the kind %q, not %q", e.Got, e.Want)
}

// A VersionError says that a file has a version that this package does not read.
type VersionError struct {
	Got int
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("calibrate: the file has version %d, and this one reads %d; calibrate the model anew", e.Got, Version)
}

// ErrFormat says that what was read is no file of thresholds, or that a number in it
// is out of its range.
var ErrFormat = errors.New("calibrate: no file of thresholds")

// A TooFewError says that there are too few rows to tell a threshold by.
type TooFewError struct {
	// What is short: "different pairs of entities".
	What       string
	Have, Need int
}

func (e *TooFewError) Error() string {
	if e.Have == 0 {
		return fmt.Sprintf("calibrate: there are no %s; at least %d are needed", e.What, e.Need)
	}
	return fmt.Sprintf("calibrate: %d %s are too few to tell a threshold by; at least %d are needed", e.Have, e.What, e.Need)
}

// An OneClassError says that all rows have the same label.
type OneClassError struct {
	// Unit is what the rows are ("relation", "output"), Label the only label.
	Unit, Label string
}

func (e *OneClassError) Error() string {
	return fmt.Sprintf("calibrate: every %s row is labelled %q; rows of both labels are needed", e.Unit, e.Label)
}

// ErrApart says that no cosine keeps the rate of false matches: too many of the
// different pairs have the same vector.
var ErrApart = errors.New("calibrate: no threshold keeps the rate of false matches")

// A RowError says what is wrong with a row of a file of rows.
type RowError struct {
	Line int // from 1
	Err  error
}

func (e *RowError) Error() string { return fmt.Sprintf("calibrate: line %d: %v", e.Line, e.Err) }

// Unwrap returns what is wrong.
func (e *RowError) Unwrap() error { return e.Err }

// An UnjudgedError says that too many outputs could not be judged for the others to
// stand for all.
type UnjudgedError struct {
	Unjudged, Of int
	// Err is the first failure of the model; nil where there was none.
	Err error
}

func (e *UnjudgedError) Error() string {
	s := fmt.Sprintf("calibrate: %d of %d outputs have no claim that could be judged", e.Unjudged, e.Of)
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the first failure of the model.
func (e *UnjudgedError) Unwrap() error { return e.Err }
