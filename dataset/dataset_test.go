package dataset_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/dataset"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/segment"
)

func source(id, text string) []claim.Source { return []claim.Source{{ID: id, Text: text}} }

// Each published form, with small rows of our own.
func TestEachFormIsRead(t *testing.T) {
	for _, c := range []struct {
		name string
		load dataset.Loader
		text string
		want []dataset.Row
	}{
		{
			"PubMedQA", dataset.PubMedQA,
			"{\n  \"7\": {\n  \"QUESTION\": \"Do owls hoot?\", \"CONTEXTS\": [\"Owls were heard.\", \"All hooted.\"], \"LONG_ANSWER\": \"Owls hoot.\", \"final_decision\": \"yes\"},\n  \"9\": {\"QUESTION\": \"Q?\", \"CONTEXTS\": [\"C.\"], \"LONG_ANSWER\": \"A.\", \"final_decision\": \"no\"}\n}",
			[]dataset.Row{
				{ID: "7", Group: "7", Question: "Do owls hoot?", Gold: "Owls hoot.", Class: "yes", Line: 2,
					Sources: []claim.Source{{ID: "7/1", Text: "Owls were heard."}, {ID: "7/2", Text: "All hooted."}}},
				{ID: "9", Group: "9", Question: "Q?", Gold: "A.", Class: "no", Line: 4, Sources: source("9/1", "C.")},
			},
		},
		{
			"MedQuAD", dataset.MedQuAD,
			`{"id":"1-1","focus":"Gout","question":"What is gout?","answer":"A disease."}`,
			[]dataset.Row{{ID: "f:1", Group: "Gout", Question: "What is gout?", Gold: "A disease.", Line: 1}},
		},
		{
			"QAGS: the majority decides a sentence, every sentence the output", dataset.QAGS,
			`{"article":"A ran.","summary_sentences":[{"sentence":"A ran.","responses":[{"response":"yes"},{"response":"no"},{"response":"yes"}]},{"sentence":"B sat.","responses":[{"response":"yes"},{"response":"no"}]}]}`,
			[]dataset.Row{{ID: "f:1", Sources: source("context", "A ran."), Output: "A ran. B sat.", Label: dataset.Inconsistent, Line: 1,
				Claims: []dataset.Claim{{Text: "A ran.", Label: dataset.Consistent}, {Text: "B sat.", Label: dataset.Inconsistent}}}},
		},
		{
			"SummEval, both forms", dataset.SummEval,
			`{"id":"a/M1","context":"C.","output":"O.","label":"consistent"}` + "\n" +
				`{"id":"a","model_id":"M2","text":"C.","decoded":"O.","expert_annotations":[{"consistency":5},{"consistency":4}]}`,
			[]dataset.Row{
				{ID: "a/M1", Sources: source("context", "C."), Output: "O.", Label: dataset.Consistent, Class: "consistent", Line: 1},
				{ID: "a/M2", Model: "M2", Sources: source("context", "C."), Output: "O.", Label: dataset.Inconsistent, Line: 2},
			},
		},
		{
			"SummEdits", dataset.SummEdits,
			`{"id":"s1","context":"C.","output":"Not C.","label":"inconsistent","original":"C.","edit_types":["antonym_swap","entity_modification"],"domain":"news"}` + "\n" +
				`{"id":"s2","doc":"C.","summary":"C.","label":1,"original_summary":"C.","edit_types":[],"domain":"news"}`,
			[]dataset.Row{
				{ID: "s1", Set: "news", Sources: source("context", "C."), Output: "Not C.", Gold: "C.", Label: dataset.Inconsistent, Class: "antonym_swap + entity_modification", Line: 1},
				{ID: "s2", Set: "news", Sources: source("context", "C."), Output: "C.", Gold: "C.", Label: dataset.Consistent, Line: 2},
			},
		},
		{
			"BEGIN as JSON lines", dataset.BEGIN,
			`{"context":"Chalk came first.","question":"Which?","output":"Chalk.","label":"consistent"}`,
			[]dataset.Row{{ID: "f:1", Question: "Which?", Sources: source("context", "Chalk came first."), Output: "Chalk.", Label: dataset.Consistent, Class: "consistent", Line: 1}},
		},
		{
			"BEGIN as published", dataset.BEGIN,
			"model\tdata_source\tknowledge\tmessage\tresponse\tbegin_label\nT5\tWoW\tChalk came first.\tWhich?\tCrayons.\tNot attributable\nT5\tWoW\tChalk.\tWhich?\t\"Chalk\", it was.\tFully attributable\n",
			[]dataset.Row{
				{ID: "f:2", Model: "T5", Set: "WoW", Question: "Which?", Sources: source("context", "Chalk came first."), Output: "Crayons.", Label: dataset.Inconsistent, Class: "Not attributable", Line: 2},
				{ID: "f:3", Model: "T5", Set: "WoW", Question: "Which?", Sources: source("context", "Chalk."), Output: `"Chalk", it was.`, Label: dataset.Consistent, Class: "Fully attributable", Line: 3},
			},
		},
		{
			"AggreFact as CSV, with a quoted line break", dataset.AggreFact,
			"dataset,doc,claim,label\nWice,\"One.\nTwo.\",One is there.,1\nRAGTruth,Doc.,\"He said \"\"no\"\".\",0\n",
			[]dataset.Row{
				{ID: "f:2", Set: "Wice", Sources: source("context", "One.\nTwo."), Output: "One is there.", Label: dataset.Consistent, Class: "1", Line: 2},
				{ID: "f:4", Set: "RAGTruth", Sources: source("context", "Doc."), Output: `He said "no".`, Label: dataset.Inconsistent, Class: "0", Line: 4},
			},
		},
		{
			"AggreFact as JSON lines", dataset.AggreFact,
			`{"dataset":"Wice","doc":"D.","claim":"C.","label":0}`,
			[]dataset.Row{{ID: "f:1", Set: "Wice", Sources: source("context", "D."), Output: "C.", Label: dataset.Inconsistent, Class: "0", Line: 1}},
		},
		{
			"WiCE", dataset.WiCE,
			`{"claim":"It rained.","evidence":["Rain fell.","It was wet."],"label":"partially_supported","meta":{"id":"dev1","claim_title":"Rain"}}`,
			[]dataset.Row{{ID: "dev1", Group: "Rain", Sources: source("context", "Rain fell. It was wet."), Output: "It rained.", Label: dataset.Inconsistent, Class: "partially_supported", Line: 1}},
		},
		{
			"RefChecker, answers", dataset.RefChecker,
			`[{"id":"1","response":"A is B.","claude2_response_kg":[{"triplet":["A","is","B"],"human_label":"Entailment"},{"triplet":["A","is","C"],"human_label":"Neutral"}]},` + "\n" +
				`{"id":"2","question":"Q?","context":["P.","R."],"response":"I cannot say.","claude2_response_kg":[]}]`,
			[]dataset.Row{
				{ID: "1", Group: "1", Output: "A is B.", Label: dataset.Inconsistent, Line: 1, Claims: []dataset.Claim{
					{Triple: kg.Triple{Head: "A", Relation: "is", Tail: "B"}, Label: dataset.Consistent, Class: "Entailment"},
					{Triple: kg.Triple{Head: "A", Relation: "is", Tail: "C"}, Label: dataset.Inconsistent, Class: "Neutral"},
				}},
				{ID: "2", Group: "2", Question: "Q?", Output: "I cannot say.", Line: 2,
					Sources: []claim.Source{{ID: "context/1", Text: "P."}, {ID: "context/2", Text: "R."}}},
			},
		},
		{
			"RefChecker, triplets", dataset.RefChecker,
			`{"setting":"noisy_context","file":"m","id":"3","triplet":["A","is","B"],"label":"Contradiction"}`,
			[]dataset.Row{{ID: "f:1", Group: "noisy_context/3", Set: "noisy_context", Model: "m", Label: dataset.Inconsistent, Class: "Contradiction", Line: 1,
				Claims: []dataset.Claim{{Triple: kg.Triple{Head: "A", Relation: "is", Tail: "B"}, Label: dataset.Inconsistent, Class: "Contradiction"}}}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, bad, err := dataset.Collect(c.load("folder/f.x.json", strings.NewReader(c.text)))
			if err != nil || bad != nil {
				t.Fatal(err, bad)
			}
			for i := range got { // groups by content are tested on their own
				if i < len(c.want) && c.want[i].Group == "" {
					if len(got[i].Group) != 16 {
						t.Errorf("group %q is not that of the texts", got[i].Group)
					}
					got[i].Group = ""
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestRAGTruthJoinsResponsesWithTheirSources(t *testing.T) {
	info := `{"source_id":"1","task_type":"QA","source":"M","source_info":{"question":"how?","passages":"passage 1:So. \n\npassage 2:Or so.\n\n"}}
{"source_id":"2","task_type":"Summary","source_info":"Zoë ran."}
{"source_id":3,"task_type":"Data2txt","source_info":{"name":"Café","stars":3.0}}
`
	load, err := dataset.RAGTruth("source_info.jsonl", strings.NewReader(info))
	if err != nil {
		t.Fatal(err)
	}
	rows, bad, err := dataset.Collect(load("response.jsonl", strings.NewReader(
		`{"id":"a","source_id":"1","model":"m","labels":[],"split":"test","response":"So."}
{"id":"b","source_id":"2","model":"m","labels":[{"start":4,"end":8,"text":"flew","label_type":"Evident Conflict"}],"split":"train","response":"Zoë flew."}
{"id":"c","source_id":"2","labels":[{"start":0,"end":4,"text":"flew","label_type":"X"}],"response":"Zoë flew."}
{"id":"d","source_id":"2","labels":[{"start":0,"end":4,"text":"swam","label_type":"X"}],"response":"Zoë flew."}
{"id":"e","source_id":"9","labels":[],"response":"Zoë flew."}
{"id":"f","source_id":3,"labels":[],"response":"A café."}
`)))
	if err != nil {
		t.Fatal(err)
	}
	span := []dataset.Span{{Span: segment.Span{Start: 5, End: 9}, Class: "Evident Conflict"}}
	moved := []dataset.Span{{Span: segment.Span{Start: 5, End: 9}, Class: "X"}}
	want := []dataset.Row{
		{ID: "a", Group: "1", Question: "how?", Sources: []claim.Source{{ID: "passage 1", Text: "So."}, {ID: "passage 2", Text: "Or so."}}, Output: "So.", Label: dataset.Consistent, Class: "QA", Split: "test", Model: "m", Line: 1},
		{ID: "b", Group: "2", Sources: source("context", "Zoë ran."), Output: "Zoë flew.", Label: dataset.Inconsistent, Spans: span, Class: "Summary", Split: "train", Model: "m", Line: 2},
		{ID: "c", Group: "2", Sources: source("context", "Zoë ran."), Output: "Zoë flew.", Label: dataset.Inconsistent, Spans: moved, Class: "Summary", Line: 3},
		{ID: "f", Group: "3", Sources: source("data", `{"name":"Café","stars":3.0}`), Output: "A café.", Label: dataset.Consistent, Class: "Data2txt", Line: 6},
	}
	if d := cmp.Diff(want, rows); d != "" {
		t.Error(d)
	}
	for i, part := range []string{`response.jsonl:4: label 1: characters 0 to 4 of the response are not "swam"`, `response.jsonl:5: source_id "9" is not in source_info.jsonl`} {
		if i >= len(bad) || bad[i].Error() != part {
			t.Errorf("bad rows %v, want %q", bad, part)
		}
	}
	if _, err := dataset.RAGTruth("i.jsonl", strings.NewReader("{\"source_id\":\"1\",\"source_info\":\"x\"}\n{")); err == nil || !strings.HasPrefix(err.Error(), "i.jsonl:2: not JSON") {
		t.Errorf("broken source_info: %v", err)
	}
}

func TestPairs(t *testing.T) {
	mrpc, bad, err := dataset.Collect(dataset.MRPC("m.txt", strings.NewReader("\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n1\t1\t2\tA \"b\".\tB a.\r\n0\t1\t2\tC.\tD.\r\n2\t1\t2\tC.\tD.\r\nx\r\n")))
	want := []dataset.Pair{{ID: "m:2", Group: "m:2", A: `A "b".`, B: "B a.", Similarity: 1, Scale: 1, Line: 2}, {ID: "m:3", Group: "m:3", A: "C.", B: "D.", Scale: 1, Line: 3}}
	if d := cmp.Diff(want, mrpc); d != "" || err != nil || len(bad) != 2 || bad[0].Line != 4 || bad[1].Line != 5 {
		t.Error(d, bad, err)
	}
	sts, bad, err := dataset.Collect(dataset.STS("s.tsv", strings.NewReader("4.200\tA.\tB.\nNaN\tA.\tB.\n6\tA.\tB.\n1\tA.\n")))
	if len(sts) != 1 || sts[0].Similarity != 4.2 || sts[0].Scale != 5 || len(bad) != 3 || err != nil {
		t.Error(sts, bad, err)
	}
	graphs, bad, err := dataset.Collect(dataset.SemanticKG("k.csv", strings.NewReader(
		"subgraph_triples,perturbed_subgraph_triples,perturbation_log,similarity,subgraph_hash\n"+
			`"[('a','r','b')]","[('a','s','b')]","[{'type': 'edge_replacement'}, {'type': 'edge_deletion'}, {'type': 'edge_deletion'}]",0.5,h1`+"\n"+
			`"[('a','r','b')]",nonsense,x,0.5,h1`+"\n"+`"[('a','r','b')]","[]",x,7,h1`+"\n")))
	if len(graphs) != 1 || graphs[0].Kind != "edge_deletion + edge_replacement" || graphs[0].GraphB.Slice()[0].Relation != "s" || graphs[0].Group != "h1" || len(bad) != 2 || err != nil {
		t.Error(graphs, bad, err)
	}
}

// What is wrong with a row is said with file and line, by kind, and the rows behind it
// are read.
func TestABadRowIsNamedAndSkipped(t *testing.T) {
	good := `{"question":"Q?"}`
	for _, c := range []struct {
		name, line, want string
		kind             error
	}{
		{"broken JSON", `{"question":"Q?"`, "f.jsonl:2: not JSON: unexpected end of JSON input, at byte 16 of the row", dataset.ErrSyntax},
		{"no object", `["a"]`, `f.jsonl:2: a JSON object is expected, not "[\"a\"]"`, dataset.ErrSyntax},
		{"two values", good + good, "f.jsonl:2: not JSON: invalid character '{' after top-level value, at byte 18 of the row", dataset.ErrSyntax},
		{"not UTF-8", "{\"question\":\"\xe9?\"}", "f.jsonl:2: byte 14 of the row is not UTF-8 (0xe9); save the file as UTF-8", dataset.ErrUTF8},
		{"a list for a text", `{"question":["Q?"]}`, `f.jsonl:2: field "question" is not a text, but "[\"Q?\"]"`, dataset.ErrField},
		{"nothing to ask or check", `{"context":"C."}`, "f.jsonl:2: the row has neither a question nor an output; say which fields hold them (question=…, output=…)", dataset.ErrField},
		{"a number for the context", `{"question":"Q?","context":3}`, `f.jsonl:2: field "context" is neither a text, nor a list of texts or of objects with id and text`, dataset.ErrField},
		{"a source without text", `{"question":"Q?","context":[{"id":"1"}]}`, `f.jsonl:2: source 1 in field "context" has no text`, dataset.ErrField},
		{"an unknown label", `{"output":"O.","label":"perhaps"}`, `f.jsonl:2: the label "perhaps" is not known; say which values mean what (consistent=…, inconsistent=…)`, dataset.ErrField},
		{"longer than a row may be", `{"question":"` + strings.Repeat("x", dataset.MaxRow) + `"}`, "f.jsonl:2: the row is longer than 64 MB", dataset.ErrTooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, bad, err := dataset.Collect(dataset.JSONL(dataset.Fields{})("f.jsonl", strings.NewReader(good+"\r\n"+c.line+"\n\n"+good)))
			if err != nil || len(rows) != 2 || rows[1].Line != 4 || len(bad) != 1 {
				t.Fatal(rows, bad, err)
			}
			if bad[0].Error() != c.want || !errors.Is(bad[0], c.kind) {
				t.Errorf("got  %v\nwant %s", bad[0], c.want)
			}
		})
	}
}

// An error that leaves no way to find the next row ends the sequence, by name and line.
func TestWhatEndsAFile(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, c := range []struct {
		name string
		load dataset.Loader
		r    io.Reader
		rows int
		want string
	}{
		{"an object that is cut", dataset.PubMedQA, strings.NewReader("{\"1\":{\"QUESTION\":\"Q\",\"CONTEXTS\":[\"C\"]},\n\"2\":{\"QUEST"), 1, "f:2: not JSON: unexpected EOF"},
		{"an object that breaks", dataset.PubMedQA, strings.NewReader("{\"1\":{\"QUESTION\":\"Q\",\"CONTEXTS\":[\"C\"]}\n,\n\"2\" 3}"), 1, "f:3: not JSON: expected colon after object key"},
		{"an array for an object", dataset.PubMedQA, strings.NewReader("[]"), 0, "f:1: the file must be one JSON object"},
		{"an empty file for an object", dataset.PubMedQA, strings.NewReader(""), 0, "f:1: not JSON: unexpected EOF"},
		{"a table without the column", dataset.CSV(',', dataset.Fields{Question: "ask"}), strings.NewReader("a,b\n1,2\n"), 0, `f:1: the header has no column "ask"; it has "a, b"`},
		{"UTF-16", dataset.JSONL(dataset.Fields{}), strings.NewReader("\xff\xfe{\x00"), 0, "f:1: the file is UTF-16; save it as UTF-8"},
		{"a reader that fails", dataset.JSONL(dataset.Fields{}), io.MultiReader(strings.NewReader("{\"question\":\"Q\"}\n{\"q"), failing{broken}), 1, "f:2: the disk is gone"},
		{"a table whose reader fails", dataset.CSV(',', dataset.Fields{}), io.MultiReader(strings.NewReader("question\nQ\n"), failing{broken}), 1, "f:3: the disk is gone"},
		{"gzip that is cut", dataset.JSONL(dataset.Fields{}), bytes.NewReader(zip(t, "{\"question\":\"Q\"}\n")[:20]), 0, "f:1: unexpected EOF"},
		{"gzip in name only", dataset.JSONL(dataset.Fields{}), strings.NewReader("\x1f\x8bnot gzip at all"), 0, "f: not gzip, though it begins so: gzip: invalid header"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, _, err := dataset.Collect(c.load("f", c.r))
			var file *dataset.FileError
			if len(rows) != c.rows || err == nil || err.Error() != c.want || !errors.As(err, &file) {
				t.Errorf("%d rows, %v; want %d, %s", len(rows), err, c.rows, c.want)
			}
		})
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func zip(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.Bytes()
}

func TestABadMemberOfAnObjectIsSkipped(t *testing.T) {
	rows, bad, err := dataset.Collect(dataset.PubMedQA("f", strings.NewReader(
		"{\"1\":{\"QUESTION\":7},\n\"2\":{\"QUESTION\":\"\xff\"},\n\"3\":{\"CONTEXTS\":[\"C\"]},\n\"4\":{\"QUESTION\":\"Q\"},\n\"5\":{\"QUESTION\":\"Q\",\"CONTEXTS\":[\"C\"]}}")))
	if err != nil || len(rows) != 1 || rows[0].ID != "5" || rows[0].Line != 5 {
		t.Fatal(rows, err)
	}
	want := []string{`f:1: field "QUESTION" is a JSON number`, "f:2: byte 14 of the row is not UTF-8 (0xff); save the file as UTF-8", `f:3: field "QUESTION" is missing`, `f:4: field "CONTEXTS" is missing`}
	for i, w := range want {
		if i >= len(bad) || bad[i].Error() != w {
			t.Errorf("got %v, want %s", bad, w)
		}
	}
}

// A file is the same with a byte order mark, other line ends or compressed, and a row
// of a megabyte is a row.
func TestOutwardFormsOfAFile(t *testing.T) {
	long := strings.Repeat("owl ", 1<<18)
	plain := `{"id":"1","question":"Q?","context":"` + long + `"}` + "\n" + `{"id":2,"question":"R?","context":["a","b"]}` + "\n"
	read := func(r io.Reader) []dataset.Row {
		t.Helper()
		rows, bad, err := dataset.Collect(dataset.JSONL(dataset.Fields{})("f", r))
		if err != nil || bad != nil {
			t.Fatal(bad, err)
		}
		return rows
	}
	want := read(strings.NewReader(plain))
	if len(want) != 2 || want[0].Sources[0].Text != long || want[1].ID != "2" {
		t.Fatal("the plain file is misread")
	}
	for name, text := range map[string]string{
		"byte order mark": "\ufeff" + plain,
		"CR LF":           strings.ReplaceAll(plain, "\n", "\r\n"),
		"no last end":     strings.TrimSuffix(plain, "\n"),
		"gzip":            string(zip(t, plain)),
		"all of them":     string(zip(t, "\ufeff"+strings.ReplaceAll(plain, "\n", "\r\n"))),
	} {
		if d := cmp.Diff(want, read(strings.NewReader(text))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestFieldsNameColumns(t *testing.T) {
	f, err := dataset.ParseFields("id=meta.key, context=docs,output=answer,label=ok,consistent=good|fine")
	if err != nil {
		t.Fatal(err)
	}
	rows, bad, err := dataset.Collect(dataset.JSONL(f)("f", strings.NewReader(
		`{"meta":{"key":"k1"},"docs":[{"id":"d","text":"T."},{"text":"U."}],"answer":"A.","ok":"FINE"}
{"meta":{"key":"k2"},"docs":"T.","answer":"A.","ok":"bad"}
{"meta":{"key":"k3"},"docs":"T.","answer":"A."}
`)))
	want := []dataset.Row{
		{ID: "k1", Sources: []claim.Source{{ID: "d", Text: "T."}, {ID: "context/2", Text: "U."}}, Output: "A.", Label: dataset.Consistent, Class: "FINE", Line: 1},
		{ID: "k2", Sources: source("context", "T."), Output: "A.", Label: dataset.Inconsistent, Class: "bad", Line: 2},
	}
	for i := range rows {
		rows[i].Group = ""
	}
	if d := cmp.Diff(want, rows); d != "" || err != nil {
		t.Error(d, err)
	}
	if len(bad) != 1 || bad[0].Error() != `f:3: field "ok" is missing` {
		t.Error(bad)
	}
	table, bad, err := dataset.Collect(dataset.CSV(';', dataset.Fields{Question: "ask", Context: "doc", ID: "-"})("t.csv", strings.NewReader(
		"ask;doc;id\nQ?;C.;9\nQ?;;9\nonly\nQ?;\"a\"b;3\nQ?;C2.;4\n")))
	if err != nil || len(table) != 3 || table[0].ID != "t:2" || table[2].Sources[0].Text != "C2." {
		t.Error(table, err)
	}
	if len(bad) != 2 || bad[0].Line != 4 || bad[1].Line != 5 {
		t.Error(bad)
	}
	for text, want := range map[string]string{
		"context":            `dataset: "context" is not of the form field=column`,
		"contxt=a":           `dataset: there is no field "contxt"; fields are id, group, question, context, gold, output, label, class, set, split, model, consistent and inconsistent`,
		"gold=a,gold=b":      `dataset: field "gold" is named twice`,
		"gold=a,,question=b": `dataset: "" is not of the form field=column`,
	} {
		if _, err := dataset.ParseFields(text); err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestRowsAboutTheSameTextsAreAGroup(t *testing.T) {
	rows, _, _ := dataset.Collect(dataset.JSONL(dataset.Fields{})("f", strings.NewReader(
		`{"output":"1","context":["a","b"]}`+"\n"+`{"output":"2","context":["a","b"]}`+"\n"+`{"output":"3","context":["ab"]}`+"\n"+`{"output":"4"}`)))
	if len(rows) != 4 || rows[0].Group != rows[1].Group || rows[0].Group == rows[2].Group || rows[3].Group != "f:4" {
		t.Error(rows)
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	jsonl := write("a.jsonl.gz", string(zip(t, `{"question":"Q?"}`)))
	csv := write("a.csv", "question\nQ?\n")
	tsv := write("a.tsv", "ask\tdoc\nQ?\tC.\n")
	write("source_info.jsonl", `{"source_id":"1","source_info":"x"}`)
	rag := write("response.jsonl", `{"id":"1","source_id":"1","labels":[],"response":"x"}`)
	mrpc := write("m.txt", "1\t1\t2\ta\tb\n")
	for _, rows := range [][]dataset.Row{
		all(t, "", jsonl), all(t, "", csv), all(t, "", tsv, dataset.Fields{Question: "ask"}), all(t, "ragtruth", rag),
	} {
		if len(rows) != 1 {
			t.Errorf("%d rows, want 1", len(rows))
		}
	}
	if pairs, _, err := dataset.Collect(dataset.OpenPairs("mrpc", mrpc)); len(pairs) != 1 || err != nil {
		t.Error(pairs, err)
	}
	seq := dataset.Open("jsonl", jsonl)
	for range 2 { // it can be ranged over again
		if rows, _, err := dataset.Collect(seq); len(rows) != 1 || err != nil {
			t.Error(rows, err)
		}
	}
	for _, c := range []struct{ format, path, want string }{
		{"pubmed", csv, `dataset: there is no format "pubmed"; there are pubmedqa,`},
		{"", write("a.txt", ""), "tells no format; name one of pubmedqa,"},
		{"qags", filepath.Join(dir, "absent"), "absent: no such file or directory"},
		{"qags", dir, "a folder, not a file"},
		{"ragtruth", filepath.Join(dir, "x", "response.jsonl"), "source_info.jsonl: no such file or directory"},
	} {
		if _, _, err := dataset.Collect(dataset.Open(c.format, c.path)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v", c.format, c.path, err)
		}
	}
	if _, _, err := dataset.Collect(dataset.Open("qags", jsonl, dataset.Fields{Gold: "g"})); err == nil || !strings.Contains(err.Error(), "has fields of its own") {
		t.Error(err)
	}
	if _, _, err := dataset.Collect(dataset.OpenPairs("qags", mrpc)); err == nil {
		t.Error("no error for an unknown format of pairs")
	}
	names := map[string]bool{}
	for _, f := range dataset.Formats() {
		if names[f.Name] || f.About == "" {
			t.Errorf("format %q", f.Name)
		}
		names[f.Name] = true
	}
}

func all(t *testing.T, format, path string, f ...dataset.Fields) []dataset.Row {
	t.Helper()
	rows, bad, err := dataset.Collect(dataset.Open(format, path, f...))
	if err != nil || bad != nil {
		t.Fatal(bad, err)
	}
	return rows
}

// Leaving a sequence early reads no further.
func TestLeavingEarly(t *testing.T) {
	r := &counting{r: strings.NewReader(strings.Repeat(`{"question":"Q?"}`+"\n", 1<<16))}
	for range dataset.JSONL(dataset.Fields{})("f", r) {
		break
	}
	if r.n > 1<<17 {
		t.Errorf("%d bytes were read for one row", r.n)
	}
}

type counting struct {
	r io.Reader
	n int
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

func ExampleFields() {
	fields, err := dataset.ParseFields("context=article,output=summary")
	if err != nil {
		fmt.Println(err)
		return
	}
	file := strings.NewReader("article,summary\nThe mill closed in 1998.,The mill closed.\n")
	for row, err := range dataset.CSV(',', fields)("mills.csv", file) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(row.ID, row.Output)
	}
	// Output: mills:2 The mill closed.
}
