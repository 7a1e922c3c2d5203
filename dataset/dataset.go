// Package dataset reads the data sets that answers are evaluated on, row by row:
// questions with their contexts and gold answers, outputs that people labelled,
// and pairs of texts or graphs whose similarity is known.
//
// Each published form has a function that reads it (PubMedQA, QAGS, RAGTruth and
// others); JSONL and CSV read files of your own, whose columns Fields names. All
// are streams: a file of any size is read in the memory of its longest row.
//
//	for row, err := range dataset.Open("pubmedqa", "ori_pqal.json") {
//		if err != nil {
//			log.Print(err) // ori_pqal.json:17: field "QUESTION" is missing
//			continue
//		}
//		…
//	}
//
// A row that cannot be read is a *RowError that names file and line, and the
// stream goes on behind it; any other error is its end. Files may be compressed
// with gzip, begin with a byte order mark and end their lines with CR LF.
//
// Sample, Balanced and Split choose rows by a seed so that the choice for one row
// does not depend on the others.
//
// The package holds no data, downloads nothing, and does not judge: labels are
// those of the sets, with one meaning given to all (see Row.Label).
package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"iter"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
)

// Label says whether an output is true to its sources, as people judged it.
type Label string

// The labels.
const (
	// Unlabelled: the set does not say.
	Unlabelled Label = ""
	// Consistent: all of the output is supported.
	Consistent Label = "consistent"
	// Inconsistent: a part of it at least is not.
	Inconsistent Label = "inconsistent"
)

func labelled(consistent bool) Label {
	if consistent {
		return Consistent
	}
	return Inconsistent
}

// Row is a question, an output, or both, with what it is held against. Fields that a
// set does not have are empty.
type Row struct {
	// ID names the row in its file: the set's own id, or the file's name without
	// folder and endings, a colon, and the row's line.
	ID string `json:"id"`
	// Group names what rows share that are not independent: the document that they
	// are about. Rows about the same texts have the same group.
	Group string `json:"group,omitempty"`

	Question string `json:"question,omitempty"`
	// Sources is the context.
	Sources []claim.Source `json:"sources,omitempty"`
	// Gold is the right answer, or the right text for a wrong output.
	Gold string `json:"gold,omitempty"`
	// Output is what a model wrote.
	Output string `json:"output,omitempty"`

	// Label of the output.
	Label Label `json:"label,omitempty"`
	// Class is what the set itself calls the row, such as "partially_supported", or
	// "yes" for an answer of PubMedQA.
	Class string `json:"class,omitempty"`
	// Claims are parts of the output that have labels of their own, in order.
	Claims []Claim `json:"claims,omitempty"`
	// Spans are the places in the output that are not supported, in bytes.
	Spans []Span `json:"spans,omitempty"`

	// Set, Split and Model say which part of a collection the row is from, and who
	// wrote the output, where the file tells.
	Set   string `json:"set,omitempty"`
	Split string `json:"split,omitempty"`
	Model string `json:"model,omitempty"`

	// Line is where the row begins in its file, from 1.
	Line int `json:"line"`
}

// Sample returns the row as something to check.
func (r Row) Sample() claim.Sample {
	return claim.Sample{ID: r.ID, Question: r.Question, Sources: r.Sources, Output: r.Output}
}

// Claim is a sentence or a fact of an output, with its label.
type Claim struct {
	// Text is the sentence; empty for a fact.
	Text string `json:"text,omitempty"`
	// Triple is the fact; zero for a sentence.
	Triple kg.Triple `json:"triple,omitzero"`
	Label  Label     `json:"label"`
	// Class is the set's own word, such as "Neutral".
	Class string `json:"class,omitempty"`
}

// Span is a place in an output that is not supported.
type Span struct {
	segment.Span
	// Class is the set's own word for the kind of fault.
	Class string
}

// Pair is two texts or two graphs whose similarity is known.
type Pair struct {
	// ID and Group are as those of Row.
	ID    string
	Group string
	// A and B are the texts; empty where a set has graphs alone.
	A, B string
	// GraphA and GraphB are the graphs; nil where a set has texts alone.
	GraphA, GraphB *kg.Graph
	// Similarity is the true one, from 0 to Scale; Scale is 1 for pairs that are the
	// same or not, and for graphs, and 5 for STS.
	Similarity, Scale float64
	// Kind says how B was made of A, where the set tells.
	Kind string
	// Line is where the pair begins in its file, from 1.
	Line int
}

// Loader reads rows in one form from r; name stands in errors and in the rows' IDs.
// The sequence can be ranged over once. It yields a *RowError for a row that cannot
// be read, with the zero Row, and goes on; after any other error it ends.
type Loader func(name string, r io.Reader) iter.Seq2[Row, error]

// PairLoader is a Loader of pairs.
type PairLoader func(name string, r io.Reader) iter.Seq2[Pair, error]

// Collect reads rows to their end. bad holds the rows that could not be read; err is
// the error that ended the sequence, if one did, and the rows are then those before it.
func Collect[R any](rows iter.Seq2[R, error]) (all []R, bad []*RowError, err error) {
	for r, e := range rows {
		var row *RowError
		switch {
		case e == nil:
			all = append(all, r)
		case errors.As(e, &row):
			bad = append(bad, row)
		default:
			return all, bad, e
		}
	}
	return all, bad, nil
}

// groupOf names texts by what they say.
func groupOf(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		io.WriteString(h, t)
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// complete fills in what a row has not said itself.
func complete(r Row, name string, line int) Row {
	r.Line = line
	if r.ID == "" {
		r.ID = rowID(name, line)
	}
	if r.Group == "" {
		if len(r.Sources) > 0 {
			texts := make([]string, len(r.Sources))
			for i, s := range r.Sources {
				texts[i] = s.Text
			}
			r.Group = groupOf(texts...)
		} else {
			r.Group = r.ID
		}
	}
	return r
}
