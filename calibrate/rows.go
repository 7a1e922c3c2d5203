package calibrate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// maxRow bounds one row, in bytes.
const maxRow = 16 << 20

// ReadPairs reads labelled pairs for an embedder, one JSON object a line:
//
//	{"a": "M. Curie", "b": "Marie Curie", "same": true, "unit": "entity", "group": "article 1"}
//
// unit is entity, relation or triple; group may be left out. Blank lines are skipped.
// A row that can't be used is a *RowError.
func ReadPairs(r io.Reader) ([]Pair, error) {
	var out []Pair
	err := rows(r, func(line []byte) error {
		var row struct {
			A, B  *string
			Same  *bool
			Unit  Unit
			Group string
		}
		if err := strict(line, &row); err != nil {
			return err
		}
		switch {
		case row.A == nil || row.B == nil:
			return errors.New(`"a" and "b" are needed`)
		case row.Same == nil:
			return errors.New(`"same" is missing: true or false`)
		case !slices.Contains(units, row.Unit):
			return fmt.Errorf(`"unit" is %.40q, none of %v`, row.Unit, units)
		}
		out = append(out, Pair{A: *row.A, B: *row.B, Same: *row.Same, Unit: row.Unit, Group: row.Group})
		return nil
	})
	return out, err
}

// ReadOutputs reads labelled outputs for an entailment model, one JSON object a line,
// in either of the forms
//
//	{"context": "…", "output": "…", "label": "consistent", "set": "mine"}
//	{"premise": "…", "hypothesis": "…", "label": "entailment"}
//
// label is consistent or inconsistent, or entailment, neutral or contradiction, of
// which the first is consistent; set may be left out. Blank lines are skipped. A row
// that can't be used is a *RowError.
func ReadOutputs(r io.Reader) ([]Output, error) {
	var out []Output
	err := rows(r, func(line []byte) error {
		var row struct {
			Context, Output, Premise, Hypothesis *string
			Label, Set                           string
		}
		if err := strict(line, &row); err != nil {
			return err
		}
		o := Output{Set: row.Set}
		switch {
		case row.Context != nil && row.Output != nil && row.Premise == nil && row.Hypothesis == nil:
			o.Source, o.Text = *row.Context, *row.Output
		case row.Premise != nil && row.Hypothesis != nil && row.Context == nil && row.Output == nil:
			o.Source, o.Text = *row.Premise, *row.Hypothesis
		default:
			return errors.New(`"context" and "output" are needed, or "premise" and "hypothesis"`)
		}
		switch row.Label {
		case "consistent", "entailment":
			o.Consistent = true
		case "inconsistent", "neutral", "contradiction":
		default:
			return fmt.Errorf(`"label" is %.40q; it is consistent or inconsistent, or entailment, neutral or contradiction`, row.Label)
		}
		out = append(out, o)
		return nil
	})
	return out, err
}

// strict decodes a row. A member of another name would be a label that is not read.
func strict(line []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if d.More() {
		return errors.New("more than one JSON value in the line")
	}
	return nil
}

// rows gives each line that is not blank to use.
func rows(r io.Reader, use func(line []byte) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 64<<10), maxRow)
	n := 0
	for s.Scan() {
		n++
		line := bytes.TrimSpace(s.Bytes())
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(line) == 0 {
			continue
		}
		if err := use(line); err != nil {
			return &RowError{Line: n, Err: err}
		}
	}
	switch err := s.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return &RowError{Line: n + 1, Err: fmt.Errorf("longer than %d bytes", maxRow)}
	case err != nil:
		return fmt.Errorf("calibrate: %w", err)
	}
	return nil
}
