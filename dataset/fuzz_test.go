package dataset_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kgeval/kgeval/dataset"
)

// seeds are small files of every form, and broken ones.
var seeds = []string{
	"", "\n", "\ufeff", "{", "[", "[]", "{}", "null", "\x00", "\xff\xfe", "\x1f\x8b\x08", `{"a":{}}`,
	`{"1":{"QUESTION":"Q","CONTEXTS":["C"],"LONG_ANSWER":"A","final_decision":"yes"}}`,
	`{"id":"1","focus":"F","question":"Q","answer":"A"}`,
	`{"article":"A","summary_sentences":[{"sentence":"S","responses":[{"response":"yes"}]}]}`,
	`{"id":"1","context":"C","question":"Q","output":"O","label":"consistent","original":"O","edit_types":["x"]}`,
	`{"text":"C","decoded":"O","expert_annotations":[{"consistency":5}]}`,
	`{"dataset":"D","doc":"C","claim":"O","label":1}`, "dataset,doc,claim,label\nD,\"C\n2\",O,0\n",
	"knowledge\tmessage\tresponse\tbegin_label\tmodel\tdata_source\nK\tM\tR\tGeneric\tT\tW\n",
	`{"claim":"C","evidence":["E"],"label":"supported","meta":{"id":"1"}}`,
	`[{"id":"1","response":"R","x_response_kg":[{"triplet":["a","b","c"],"human_label":"Neutral"}]}]`,
	`{"setting":"s","file":"f","id":"1","triplet":["a","b","c"],"label":"Entailment"}`,
	`{"id":"1","source_id":"1","labels":[{"start":0,"end":1,"text":"é","label_type":"T"}],"response":"é"}`,
	"question,context\n\"Q\"x,C\nQ,C\n\"", "1\t2\t3\tA\tB\n", "4.5\tA\tB\n",
	"subgraph_triples,perturbed_subgraph_triples,similarity\n\"[('a','r','b')]\",\"[]\",0.5\n",
}

// fuzzRows checks what holds for every loader and every file.
func fuzzRows(f *testing.F, load dataset.Loader) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		last, ended := 0, false
		for row, err := range load("f", bytes.NewReader(file)) {
			if ended {
				t.Fatal("the sequence went on behind its end")
			}
			var bad *dataset.RowError
			switch {
			case err == nil:
				if row.Line <= last {
					t.Fatalf("line %d behind line %d", row.Line, last)
				}
				last = row.Line
				if row.ID == "" || row.Group == "" {
					t.Fatalf("a row without ID or group: %+v", row)
				}
				for _, s := range []string{row.Question, row.Gold, row.Output} {
					if !utf8.ValidString(s) {
						t.Fatalf("not UTF-8: %q", s)
					}
				}
				for _, s := range row.Spans {
					if s.Start < 0 || s.End > len(row.Output) || s.Start >= s.End {
						t.Fatalf("span %v of %q", s, row.Output)
					}
				}
			case errors.As(err, &bad):
				if bad.Line < 1 || bad.File != "f" || row.ID != "" {
					t.Fatalf("%+v", bad)
				}
			default:
				ended = true
			}
			if err != nil && (err.Error() == "" || !utf8.ValidString(err.Error())) {
				t.Fatalf("error %q", err)
			}
		}
	})
}

func FuzzPubMedQA(f *testing.F)   { fuzzObjects(f, dataset.PubMedQA) }
func FuzzRefChecker(f *testing.F) { fuzzObjects(f, dataset.RefChecker) }

// fuzzObjects is fuzzRows for forms that can hold several rows in a line.
func fuzzObjects(f *testing.F, load dataset.Loader) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		last := 0
		for row, err := range load("f", bytes.NewReader(file)) {
			if err != nil {
				if !strings.HasPrefix(err.Error(), "f:") || !utf8.ValidString(err.Error()) {
					t.Fatalf("error %q", err)
				}
				continue
			}
			if row.Line < last || row.ID == "" && row.Group == "" {
				t.Fatalf("%+v", row)
			}
			last = row.Line
		}
	})
}

func FuzzMedQuAD(f *testing.F)   { fuzzRows(f, dataset.MedQuAD) }
func FuzzQAGS(f *testing.F)      { fuzzRows(f, dataset.QAGS) }
func FuzzSummEval(f *testing.F)  { fuzzRows(f, dataset.SummEval) }
func FuzzSummEdits(f *testing.F) { fuzzRows(f, dataset.SummEdits) }
func FuzzBEGIN(f *testing.F)     { fuzzRows(f, dataset.BEGIN) }
func FuzzAggreFact(f *testing.F) { fuzzRows(f, dataset.AggreFact) }
func FuzzWiCE(f *testing.F)      { fuzzRows(f, dataset.WiCE) }
func FuzzJSONL(f *testing.F)     { fuzzRows(f, dataset.JSONL(dataset.Fields{})) }
func FuzzCSV(f *testing.F)       { fuzzRows(f, dataset.CSV(',', dataset.Fields{})) }

func FuzzRAGTruth(f *testing.F) {
	load, err := dataset.RAGTruth("info", strings.NewReader(`{"source_id":"1","source_info":{"question":"q","passages":"passage 1:a\n\npassage 2:b"}}`))
	if err != nil {
		f.Fatal(err)
	}
	fuzzRows(f, load)
}

func FuzzRAGTruthSources(f *testing.F) {
	f.Add([]byte(`{"source_id":"1","source_info":"x"}`))
	f.Add([]byte(`{"source_id":1,"source_info":{"question":"q","passages":"passage 1:"}}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		if load, err := dataset.RAGTruth("info", bytes.NewReader(file)); (load == nil) == (err == nil) {
			t.Fatal(err)
		}
	})
}

func fuzzPairs(f *testing.F, load dataset.PairLoader) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		for p, err := range load("f", bytes.NewReader(file)) {
			if err == nil && (p.ID == "" || p.Group == "" || !(p.Similarity >= 0 && p.Similarity <= p.Scale) || p.Line < 1) {
				t.Fatalf("%+v", p)
			}
		}
	})
}

func FuzzMRPC(f *testing.F)       { fuzzPairs(f, dataset.MRPC) }
func FuzzSTS(f *testing.F)        { fuzzPairs(f, dataset.STS) }
func FuzzSemanticKG(f *testing.F) { fuzzPairs(f, dataset.SemanticKG) }

func FuzzParseFields(f *testing.F) {
	f.Add("context=a,gold=b")
	f.Add("consistent=x|y,=,")
	f.Fuzz(func(t *testing.T, text string) {
		fields, err := dataset.ParseFields(text)
		if err != nil {
			return
		}
		// Whatever is a mapping can be read with.
		for range dataset.JSONL(fields)("f", io.LimitReader(strings.NewReader(`{"question":"q"}`), 99)) {
		}
	})
}
