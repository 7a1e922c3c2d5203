package dataset

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/claim"
)

// Fields names the columns of a CSV file, or the members of JSON objects, that hold
// what a Row has; a dot leads into an object ("meta.id"). An empty name means the
// row's own: ID is "id", Group "group", Question "question", Context "context", Gold
// "gold", Output "output", Label "label", and so on. A field that was named must be in
// every row; of the others, what is absent stays empty. The name "-" leaves a field out.
//
// In JSON, the context is a text, a list of texts, or a list of objects with id and
// text; anything else is a text, a number or a truth value.
type Fields struct {
	ID, Group, Question, Context, Gold, Output, Label, Class, Set, Split, Model string

	// Consistent and Inconsistent are values of the label, in any case. If both are
	// empty, these are known: consistent, supported, entailment, faithful, true, yes,
	// 1; inconsistent, not_supported, unsupported, partially_supported,
	// contradiction, neutral, not_entailment, hallucinated, false, no, 0.
	Consistent, Inconsistent []string
}

var fieldNames = []string{"id", "group", "question", "context", "gold", "output", "label", "class", "set", "split", "model"}

func (f *Fields) at(name string) *string {
	return []*string{&f.ID, &f.Group, &f.Question, &f.Context, &f.Gold, &f.Output, &f.Label, &f.Class, &f.Set, &f.Split, &f.Model}[slices.Index(fieldNames, name)]
}

// ParseFields reads a mapping as users write it: "context=article,gold=answer",
// and "consistent=good|fine" for values of the label. An empty text is the zero
// Fields.
func ParseFields(text string) (Fields, error) {
	var f Fields
	if strings.TrimSpace(text) == "" {
		return f, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case !ok || value == "":
			return f, fmt.Errorf("dataset: %q is not of the form field=column", strings.TrimSpace(part))
		case name == "consistent":
			f.Consistent = strings.Split(value, "|")
		case name == "inconsistent":
			f.Inconsistent = strings.Split(value, "|")
		case slices.Contains(fieldNames, name):
			if *f.at(name) != "" {
				return f, fmt.Errorf("dataset: field %q is named twice", name)
			}
			*f.at(name) = value
		default:
			return f, fmt.Errorf("dataset: there is no field %q; fields are %s, consistent and inconsistent", name, strings.Join(fieldNames, ", "))
		}
	}
	return f, nil
}

func (f Fields) label(value string) (Label, error) {
	value = strings.TrimSpace(value)
	in := func(all []string) bool {
		return slices.ContainsFunc(all, func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), value) })
	}
	if f.Consistent == nil && f.Inconsistent == nil {
		f.Consistent, f.Inconsistent = consistentWords, inconsistentWords
	}
	switch {
	case in(f.Consistent):
		return Consistent, nil
	case in(f.Inconsistent):
		return Inconsistent, nil
	// With one list, all else is the other.
	case f.Inconsistent == nil:
		return Inconsistent, nil
	case f.Consistent == nil:
		return Consistent, nil
	}
	return "", fault(ErrField, "the label %s is not known; say which values mean what (consistent=…, inconsistent=…)", shown(value))
}

var (
	consistentWords   = []string{"consistent", "supported", "entailment", "faithful", "true", "yes", "1"}
	inconsistentWords = []string{"inconsistent", "not_supported", "unsupported", "partially_supported", "contradiction", "neutral", "not_entailment", "hallucinated", "false", "no", "0"}
)

// labelOf reads a label as text, number or truth value.
func labelOf(field string, raw json.RawMessage) (Label, string, error) {
	word := plain(raw)
	if word == "" || word == "null" {
		return "", "", missing(field)
	}
	l, err := Fields{}.label(word)
	return l, word, err
}

// JSONL returns a loader of JSON lines with the given fields. An object may have
// other members; they are not read.
func JSONL(f Fields) Loader {
	return func(name string, r io.Reader) iter.Seq2[Row, error] {
		return fromLines(name, r, func(l line) (Row, error) {
			var v map[string]json.RawMessage
			if err := unmarshal(l.text, &v); err != nil {
				return Row{}, err
			}
			row, err := f.row(func(field string) (json.RawMessage, bool) { return find(v, field) })
			if err != nil {
				return Row{}, err
			}
			return complete(row, name, l.number), nil
		})
	}
}

// find finds a member, also within objects; one whose own name has a dot wins.
func find(v map[string]json.RawMessage, field string) (json.RawMessage, bool) {
	if raw, ok := v[field]; ok {
		return raw, !bytes.Equal(bytes.TrimSpace(raw), []byte("null"))
	}
	first, rest, ok := strings.Cut(field, ".")
	if !ok {
		return nil, false
	}
	var inner map[string]json.RawMessage
	if raw, ok := v[first]; !ok || json.Unmarshal(raw, &inner) != nil {
		return nil, false
	}
	return find(inner, rest)
}

// row reads a row; get returns the JSON of a field.
func (f Fields) row(get func(field string) (json.RawMessage, bool)) (Row, error) {
	var row Row
	var label string
	for _, x := range []struct {
		name string
		to   *string
	}{
		{"id", &row.ID}, {"group", &row.Group}, {"question", &row.Question}, {"gold", &row.Gold}, {"output", &row.Output},
		{"label", &label}, {"class", &row.Class}, {"set", &row.Set}, {"split", &row.Split}, {"model", &row.Model},
	} {
		raw, field, err := f.get(x.name, get)
		if err != nil {
			return Row{}, err
		}
		if raw == nil {
			continue
		}
		if *x.to = plain(raw); raw[0] == '{' || raw[0] == '[' {
			return Row{}, fault(ErrField, "field %q is not a text, but %s", field, shown(*x.to))
		}
	}
	raw, field, err := f.get("context", get)
	if err != nil {
		return Row{}, err
	}
	if raw != nil {
		if row.Sources, err = sourcesOf(field, raw); err != nil {
			return Row{}, err
		}
	}
	if label != "" {
		if row.Label, err = f.label(label); err != nil {
			return Row{}, err
		}
		if row.Class == "" {
			row.Class = label
		}
	}
	if row.Question == "" && row.Output == "" {
		return Row{}, fault(ErrField, "the row has neither a question nor an output; say which fields hold them (question=…, output=…)")
	}
	return row, nil
}

// get returns the JSON of what a Row calls name, nil if there is none, and what the
// file calls it.
func (f Fields) get(name string, get func(string) (json.RawMessage, bool)) (json.RawMessage, string, error) {
	field := *f.at(name)
	switch field {
	case "-":
		return nil, field, nil
	case "":
		raw, _ := get(name)
		return raw, name, nil
	}
	raw, ok := get(field)
	if !ok {
		return nil, field, missing(field)
	}
	return raw, field, nil
}

func sourcesOf(field string, raw json.RawMessage) ([]claim.Source, error) {
	var named []struct {
		ID   json.RawMessage `json:"id"`
		Text *string         `json:"text"`
	}
	if json.Unmarshal(raw, &named) == nil {
		var out []claim.Source
		for i, s := range named {
			if s.Text == nil {
				return nil, fault(ErrField, "source %d in field %q has no text", i+1, field)
			}
			id := plain(s.ID)
			if id == "" || id == "null" {
				id = fmt.Sprintf("context/%d", i+1)
			}
			out = append(out, claim.Source{ID: id, Text: *s.Text})
		}
		return out, nil
	}
	var t texts
	if err := t.UnmarshalJSON(raw); err != nil {
		return nil, fault(ErrField, "field %q is neither a text, nor a list of texts or of objects with id and text", field)
	}
	return t.sources(), nil
}

// CSV returns a loader of tables with a header line and comma between the columns, as
// RFC 4180 has them. A row with another number of columns than the header, or a stray
// quotation mark, is a *RowError.
//
// With '\t', a row is a line, and quotation marks are text, as in most files with tabs;
// a cell that is whole within them, with those inside doubled, is taken out of them.
func CSV(comma rune, f Fields) Loader { return table(comma, f) }

func table(comma rune, f Fields) Loader {
	return func(name string, r io.Reader) iter.Seq2[Row, error] {
		return func(yield func(Row, error) bool) {
			var need []string
			for _, n := range fieldNames {
				if c := *f.at(n); c != "" && c != "-" {
					need = append(need, c)
				}
			}
			for rec, err := range records(name, r, comma, need...) {
				if err != nil {
					var bad *RowError
					if !yield(Row{}, err) || !errors.As(err, &bad) {
						return
					}
					continue
				}
				row, err := f.row(func(field string) (json.RawMessage, bool) {
					i, ok := rec.columns[field]
					if !ok || rec.fields[i] == "" {
						return nil, ok && *f.at("context") == field // an empty cell is there
					}
					raw, err := json.Marshal(rec.fields[i])
					return raw, err == nil
				})
				if err != nil {
					row, err = Row{}, &RowError{File: name, Line: rec.line, Err: err}
				} else {
					row = complete(row, name, rec.line)
				}
				if !yield(row, err) {
					return
				}
			}
		}
	}
}

// record is a row of a table.
type record struct {
	line    int
	columns map[string]int
	fields  []string
}

// get returns the cell in a column; "" where there is no such column.
func (r record) get(column string) string {
	if i, ok := r.columns[column]; ok {
		return r.fields[i]
	}
	return ""
}

// records reads a table whose header must have the needed columns.
func records(name string, r io.Reader, comma rune, need ...string) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		b, err := open(name, r)
		if err != nil {
			yield(record{}, err)
			return
		}
		var next func() ([]string, int, error)
		if comma == '\t' {
			var stop func()
			next, stop = tabs(name, b)
			defer stop()
		} else {
			next = commas(name, b, comma)
		}
		header, _, err := next()
		var bad *RowError
		switch {
		case errors.Is(err, io.EOF):
			return // an empty file has no rows
		case errors.As(err, &bad): // without a header no row can be read
			err = &FileError{File: name, Line: bad.Line, Err: bad.Err}
		}
		if err != nil {
			yield(record{}, err)
			return
		}
		columns := map[string]int{}
		for i, h := range header {
			if err := checkUTF8([]byte(h)); err != nil {
				yield(record{}, &FileError{File: name, Line: 1, Err: err})
				return
			}
			columns[strings.TrimSpace(h)] = i
		}
		for _, n := range need {
			if _, ok := columns[n]; !ok {
				yield(record{}, &FileError{File: name, Line: 1, Err: fault(ErrField, "the header has no column %q; it has %s", n, shown(strings.Join(header, ", ")))})
				return
			}
		}
		for {
			fields, line, err := next()
			if errors.Is(err, io.EOF) {
				return
			}
			rec := record{line, columns, fields}
			if err == nil && len(fields) != len(header) {
				err = &RowError{File: name, Line: line, Err: fault(ErrSyntax, "the row has %d columns, and the header %d", len(fields), len(header))}
			}
			for _, field := range fields {
				if e := checkUTF8([]byte(field)); e != nil && err == nil {
					err = &RowError{File: name, Line: line, Err: e}
				}
			}
			if err != nil {
				rec = record{}
			}
			if !yield(rec, err) || err != nil && !errors.As(err, &bad) {
				return
			}
		}
	}
}

// commas reads records as encoding/csv does. The error is io.EOF, a *RowError or a
// *FileError.
func commas(name string, r io.Reader, comma rune) func() ([]string, int, error) {
	bound := &bounded{r: r}
	c := csv.NewReader(bound)
	c.Comma = comma
	c.FieldsPerRecord = -1
	return func() ([]string, int, error) {
		bound.reset()
		fields, err := c.Read()
		var syntax *csv.ParseError
		switch {
		case err == nil:
			line, _ := c.FieldPos(0)
			return fields, line, nil
		case errors.As(err, &syntax):
			return nil, 0, &RowError{File: name, Line: syntax.StartLine, Err: fault(ErrSyntax,
				"not CSV: %v, in line %d, column %d", syntax.Err, syntax.Line, syntax.Column)}
		case errors.Is(err, io.EOF):
			return nil, 0, io.EOF
		}
		line, _ := c.FieldPos(0)
		return nil, 0, &FileError{File: name, Line: line, Err: err}
	}
}

// tabs reads records of lines.
func tabs(name string, r io.Reader) (next func() ([]string, int, error), stop func()) {
	pull, stop := iter.Pull2(lines(name, r))
	return func() ([]string, int, error) {
		l, err, ok := pull()
		switch {
		case !ok:
			return nil, 0, io.EOF
		case err != nil:
			return nil, 0, err
		case l.err != nil:
			return nil, 0, &RowError{File: name, Line: l.number, Err: l.err}
		}
		fields := strings.Split(string(l.text), "\t")
		for i, f := range fields {
			if len(f) < 2 || f[0] != '"' || f[len(f)-1] != '"' {
				continue
			}
			inside := f[1 : len(f)-1]
			if !strings.Contains(strings.ReplaceAll(inside, `""`, ""), `"`) {
				fields[i] = strings.ReplaceAll(inside, `""`, `"`)
			}
		}
		return fields, l.number, nil
	}, stop
}
