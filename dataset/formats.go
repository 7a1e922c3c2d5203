package dataset

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Format is a form of files that Open knows by its name.
type Format struct {
	Name string
	// About says what it is, in one line.
	About string
	// Gold and Labels say whether rows have gold answers, and labels of outputs.
	Gold, Labels bool
	load         Loader
}

var formats = []Format{
	{"pubmedqa", "PubMedQA: ori_pqal.json", true, false, PubMedQA},
	{"medquad", "MedQuAD as JSON lines; no context", true, false, MedQuAD},
	{"qags", "QAGS: mturk_cnndm.jsonl, mturk_xsum.jsonl", false, true, QAGS},
	{"summeval", "SummEval", false, true, SummEval},
	{"summedits", "SummEdits", true, true, SummEdits},
	{"begin", "BEGIN", false, true, BEGIN},
	{"aggrefact", "LLM-AggreFact as CSV or JSON lines", false, true, AggreFact},
	{"ragtruth", "RAGTruth: response.jsonl, with source_info.jsonl beside it", false, true, nil},
	{"wice", "WiCE", false, true, WiCE},
	{"refchecker", "RefChecker: answers with labelled triplets, or the triplets alone", false, true, RefChecker},
	{"jsonl", "your own JSON lines; see Fields", true, true, nil},
	{"csv", "your own CSV with a header; see Fields", true, true, nil},
	{"tsv", "the same with tabs", true, true, nil},
}

// Formats returns the forms of rows that Open knows, in a fixed order.
func Formats() []Format { return slices.Clone(formats) }

// Open reads the file at a path in the named format. fields is for the formats jsonl,
// csv and tsv alone. An empty format is told by the file's ending: .jsonl, .ndjson,
// .csv or .tsv, and .gz behind it. The file is opened when the sequence is ranged
// over, which can be done many times, and closed behind the last row.
func Open(format, path string, fields ...Fields) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		load, err := loader(format, path, fields)
		if err != nil {
			yield(Row{}, err)
			return
		}
		f, err := openFile(path)
		if err != nil {
			yield(Row{}, err)
			return
		}
		defer f.Close()
		load(path, f)(yield)
	}
}

// OpenPairs reads pairs from the file at a path, in the format "mrpc", "sts" or
// "semantic-kg", as Open does.
func OpenPairs(format, path string) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		load, ok := map[string]PairLoader{"mrpc": MRPC, "sts": STS, "semantic-kg": SemanticKG}[format]
		if !ok {
			yield(Pair{}, fmt.Errorf("dataset: there is no format of pairs %q; there are mrpc, sts and semantic-kg", format))
			return
		}
		f, err := openFile(path)
		if err != nil {
			yield(Pair{}, err)
			return
		}
		defer f.Close()
		load(path, f)(yield)
	}
}

func openFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &FileError{File: path, Err: reason(err)}
	}
	if st, err := f.Stat(); err == nil && st.IsDir() {
		f.Close()
		return nil, &FileError{File: path, Err: fmt.Errorf("a folder, not a file")}
	}
	return f, nil
}

// reason is a path error without the path, which stands in front already.
func reason(err error) error {
	if p, ok := err.(*os.PathError); ok {
		return p.Err
	}
	return err
}

// FormatOf returns the format that a file's ending stands for; "" for none.
func FormatOf(path string) string {
	path = strings.TrimSuffix(strings.ToLower(path), ".gz")
	switch filepath.Ext(path) {
	case ".jsonl", ".ndjson":
		return "jsonl"
	case ".csv":
		return "csv"
	case ".tsv":
		return "tsv"
	}
	return ""
}

func loader(format, path string, fields []Fields) (Loader, error) {
	if format == "" {
		if format = FormatOf(path); format == "" {
			return nil, fmt.Errorf("dataset: the ending of %s tells no format; name one of %s", path, formatNames())
		}
	}
	var f Fields
	if len(fields) > 0 {
		f = fields[0]
	}
	own := map[string]func() Loader{
		"jsonl": func() Loader { return JSONL(f) },
		"csv":   func() Loader { return CSV(',', f) },
		"tsv":   func() Loader { return CSV('\t', f) },
	}
	if make, ok := own[format]; ok {
		return make(), nil
	}
	if len(fields) > 0 && !f.empty() {
		return nil, fmt.Errorf("dataset: the format %s has fields of its own; use jsonl or csv to name them", format)
	}
	if format == "ragtruth" {
		name := filepath.Join(filepath.Dir(path), "source_info.jsonl")
		info, err := openFile(name)
		if err != nil {
			return nil, err
		}
		defer info.Close()
		return RAGTruth(name, info)
	}
	for _, x := range formats {
		if x.Name == format {
			return x.load, nil
		}
	}
	return nil, fmt.Errorf("dataset: there is no format %q; there are %s", format, formatNames())
}

func (f Fields) empty() bool {
	for _, n := range fieldNames {
		if *f.at(n) != "" {
			return false
		}
	}
	return f.Consistent == nil && f.Inconsistent == nil
}

func formatNames() string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}
