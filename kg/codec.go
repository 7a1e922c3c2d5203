package kg

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// Format names a file format of graphs. docs/formats.md shows each.
type Format string

// The formats. Decode and Encode know all of them; Decode(Encode(g)) equals g,
// with the same order, for every graph of valid UTF-8 labels.
const (
	// JSON is an array of [head, relation, tail] arrays. Read as well: triples
	// as objects, and wrappers such as {"triples": [...]}.
	JSON Format = "json"
	// JSONObjects is an array of {"head", "relation", "tail"} objects. It reads
	// what JSON reads.
	JSONObjects Format = "json-objects"
	// JSONL is one triple a line, in any form that JSON reads.
	JSONL Format = "jsonl"
	// Python is a list of tuples or lists as Python writes it, and as language
	// models do.
	Python Format = "python"
	// CSV is RFC 4180 with a header line.
	CSV Format = "csv"
	// NTriples is W3C RDF 1.1 N-Triples.
	NTriples Format = "ntriples"
	// DOT is the language of Graphviz.
	DOT Format = "dot"
)

var formats = [...]Format{JSON, JSONObjects, JSONL, Python, CSV, NTriples, DOT}

// Formats returns all formats in a fixed order.
func Formats() []Format { return slices.Clone(formats[:]) }

// FormatByName returns the format that name stands for: the name of a format or
// an ending that FormatByPath knows, in any case.
func FormatByName(name string) (Format, error) {
	n := strings.ToLower(strings.TrimSpace(name))
	for _, f := range formats {
		if n == string(f) {
			return f, nil
		}
	}
	if f, ok := FormatByPath("." + strings.TrimPrefix(n, ".")); ok {
		return f, nil
	}
	return "", fmt.Errorf("kg: no format %q (there are %s)", name, formatNames())
}

func formatNames() string {
	var s []string
	for _, f := range formats {
		s = append(s, string(f))
	}
	return strings.Join(s, ", ")
}

// FormatByPath returns the format that the ending of a file's name stands for:
// .json; .jsonl, .ndjson; .py, .python; .csv; .nt, .ntriples; .dot, .gv.
func FormatByPath(name string) (Format, bool) {
	switch strings.ToLower(path.Ext(strings.ReplaceAll(name, `\`, "/"))) {
	case ".json":
		return JSON, true
	case ".jsonl", ".ndjson":
		return JSONL, true
	case ".py", ".python":
		return Python, true
	case ".csv":
		return CSV, true
	case ".nt", ".ntriples":
		return NTriples, true
	case ".dot", ".gv":
		return DOT, true
	}
	return "", false
}

// SyntaxError is what a decoder found wrong, and where.
type SyntaxError struct {
	Format Format
	// Line and Column count from 1; Column counts bytes.
	Line, Column int
	// Offset is the byte of the input, from 0.
	Offset int64
	// Msg says what is wrong, in words for a reader.
	Msg string
	// Err is the cause that another package gave, or nil.
	Err error
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("kg: %s, line %d column %d: %s", e.Format, e.Line, e.Column, e.Msg)
}

// Unwrap returns e.Err.
func (e *SyntaxError) Unwrap() error { return e.Err }

// syntaxError places a fault at byte at of src.
func syntaxError(f Format, src string, at int, format string, args ...any) *SyntaxError {
	at = min(max(at, 0), len(src))
	before := src[:at]
	return &SyntaxError{
		Format: f,
		Line:   strings.Count(before, "\n") + 1,
		Column: at - (strings.LastIndexByte(before, '\n') + 1) + 1,
		Offset: int64(at),
		Msg:    fmt.Sprintf(format, args...),
	}
}

// Option changes how Encode writes or Decode reads. An option that a format has
// no use for does nothing.
type Option func(*codecOptions)

type codecOptions struct {
	base       string
	noHeader   bool
	localNames bool
}

// DefaultBase is the start of the IRIs that NTriples makes of labels, unless
// the option Base says otherwise. Nothing is served there.
const DefaultBase = "urn:kgeval:"

// Base sets the start of the IRIs that NTriples makes of labels: an entity's IRI
// is base + "entity/" + label, a relation's base + "relation/" + label, the
// label percent-encoded. Decode must be given the base that Encode was given. An
// empty base stands for DefaultBase.
func Base(iri string) Option {
	return func(o *codecOptions) { o.base = iri }
}

// NoHeader makes CSV write no header line, and take the first line for a triple
// whatever it says.
func NoHeader() Option {
	return func(o *codecOptions) { o.noHeader = true }
}

// LocalNames makes NTriples read an IRI outside the base as its last part, after
// the last '#' or '/', percent-decoded: <http://dbpedia.org/resource/Marie_Curie>
// is "Marie_Curie". Without it the label is the whole IRI, which keeps apart what
// the file keeps apart.
func LocalNames() Option {
	return func(o *codecOptions) { o.localNames = true }
}

func newCodecOptions(opts []Option) codecOptions {
	var o codecOptions
	for _, f := range opts {
		f(&o)
	}
	if o.base == "" {
		o.base = DefaultBase
	}
	return o
}

// Encode writes g to w in format f, in the graph's order. The bytes depend on g
// and the options only. Errors are those of w, a *LabelError for a label that is
// not UTF-8 (nothing is written then), and an unknown format.
func Encode(w io.Writer, f Format, g *Graph, opts ...Option) error {
	o := newCodecOptions(opts)
	var enc func(*bufio.Writer, *Graph, codecOptions) error
	switch f {
	case JSON:
		enc = encodeJSON
	case JSONObjects:
		enc = encodeJSONObjects
	case JSONL:
		enc = encodeJSONL
	case Python:
		enc = encodePython
	case CSV:
		enc = encodeCSV
	case NTriples:
		enc = encodeNTriples
	case DOT:
		enc = encodeDOT
	default:
		return fmt.Errorf("kg: no format %q (there are %s)", f, formatNames())
	}
	for t := range g.Triples() {
		if err := t.Validate(); err != nil {
			return err
		}
	}
	bw := bufio.NewWriter(w)
	if err := enc(bw, g, o); err != nil {
		return err
	}
	return bw.Flush()
}

// Decode reads a graph in format f from r, to the end of r. The whole input is
// held in memory. Errors are those of r, a *SyntaxError for what is not in the
// format (also for input that is not UTF-8), and an unknown format. With an
// error the graph is nil: a part of a file is never taken for the whole. A
// leading byte order mark is skipped.
func Decode(r io.Reader, f Format, opts ...Option) (*Graph, error) {
	var dec func(string, codecOptions) (*Graph, error)
	switch f {
	case JSON, JSONObjects:
		dec = decodeJSON
	case JSONL:
		dec = decodeJSONL
	case Python:
		dec = decodePython
	case CSV:
		dec = decodeCSV
	case NTriples:
		dec = decodeNTriples
	case DOT:
		dec = decodeDOT
	default:
		return nil, fmt.Errorf("kg: no format %q (there are %s)", f, formatNames())
	}
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("kg: reading %s: %w", f, err)
	}
	src := string(b)
	if at := invalidUTF8(src); at >= 0 {
		return nil, syntaxError(f, src, at, "invalid UTF-8")
	}
	g, err := dec(src, newCodecOptions(opts))
	if err != nil {
		return nil, err
	}
	return g, nil
}

// Marshal returns g in format f, as Encode writes it.
func Marshal(f Format, g *Graph, opts ...Option) ([]byte, error) {
	var b bytes.Buffer
	if err := Encode(&b, f, g, opts...); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// bom is the byte order mark that some editors put in front of a file.
const bom = "\uFEFF"
