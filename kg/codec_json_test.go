package kg

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestDecodeJSON(t *testing.T) {
	noor := []Triple{{"Noor", "leads", "Team Red"}}
	runDecodeCases(t, JSON, []decodeCase{
		{name: "array of arrays", in: `[["Noor","leads","Team Red"]]`, want: noor},
		{name: "one array", in: `["Noor","leads","Team Red"]`, want: noor},
		{name: "bare object", in: `{"head":"Noor","relation":"leads","tail":"Team Red"}`, want: noor},
		{name: "subject predicate object", in: `[{"subject":"Noor","predicate":"leads","object":"Team Red"}]`, want: noor},
		{name: "source type target, in any case, other keys ignored", in: `[{"Source":"Noor","TYPE":"leads","Target":"Team Red","weight":{"x":[1]}}]`, want: noor},
		{name: "source relation target", in: `[{"source":"Noor","relation":"leads","target":"Team Red"}]`, want: noor},
		{name: "relation before type", in: `[{"head":"Noor","type":"triple","relation":"leads","tail":"Team Red"}]`, want: noor},
		{name: "nested names", in: `[{"source_node":{"name":"Noor"},"relation":{"name":"leads"},"target_node":{"name":"Team Red"}}]`, want: noor},
		{name: "nodes with id", in: `[{"source":{"id":"Noor","type":"Person"},"target":{"id":"Team Red"},"type":"leads"}]`, want: noor},
		{name: "wrapper triples", in: `{"triples":[["Noor","leads","Team Red"]]}`, want: noor},
		{name: "wrapper relations, entities ignored", in: `{"entities":["Noor","Team Red"],"relations":[["Noor","leads","Team Red"]]}`, want: noor},
		{name: "wrapped wrapper", in: `{"result":{"triples":[["Noor","leads","Team Red"]]}}`, want: noor},
		{name: "nested one level too deep", in: `[[["Noor","leads","Team Red"]]]`, want: noor},
		{name: "flat list of 6", in: `["Noor","leads","Team Red","Noor","joined","2021"]`, want: []Triple{{"Noor", "leads", "Team Red"}, {"Noor", "joined", "2021"}}},
		{name: "flat list in a wrapper", in: `{"triples":["Noor","leads","Team Red","Noor","joined","2021"]}`, want: []Triple{{"Noor", "leads", "Team Red"}, {"Noor", "joined", "2021"}}},
		{name: "numbers and truth values as spelled", in: `[["Noor","age",30],["Noor","height",1.50],["Noor","member",true]]`, want: []Triple{{"Noor", "age", "30"}, {"Noor", "height", "1.50"}, {"Noor", "member", "true"}}},
		{name: "escapes", in: `["\u0041\ud83e\uddab","\/\b\f\n\r\t\"\\","x"]`, want: []Triple{{"A🦫", "/\b\f\n\r\t\"\\", "x"}}},
		{name: "duplicates once", in: `[["a","b","c"],["a","b","c"]]`, want: []Triple{{"a", "b", "c"}}},
		{name: "byte order mark", in: "\uFEFF" + `[["a","b","c"]]`, want: []Triple{{"a", "b", "c"}}},
		{name: "empty list", in: `[]`},
		{name: "empty triples", in: `{"triples":[]}`},

		{name: "flat list of 5", in: ` ["Noor","leads","Team Red","Noor","joined"]`, msg: "flat list of 5 labels", line: 1, col: 2},
		{name: "row of 4", in: "[[\"a\",\"b\",\"c\"],\n [\"a\",\"b\",\"c\",\"d\"]]", msg: "this one has 4", line: 2, col: 2},
		{name: "row of 6", in: `[["a","b","c","d","e","f"]]`, msg: "this one has 6"},
		{name: "row of 2", in: `[["a","b"]]`, msg: "this one has 2"},
		{name: "null label", in: `[["a",null,"c"]]`, msg: "null is no label", line: 1, col: 7},
		{name: "list as label", in: `[["a",["b"],"c"]]`, msg: "a list is no label"},
		{name: "object as label without name", in: `[["a",{"x":1},"c"]]`, msg: `without a "name"`},
		{name: "missing part", in: `[{"head":"a","tail":"c"}]`, msg: `without "relation"`},
		{name: "empty object", in: `{}`, msg: "neither"},
		{name: "null", in: `null`, msg: "null is no triple"},
		{name: "JSON in a string", in: `"[[\"Noor\",\"leads\",\"Team Red\"]]"`, msg: "a string is no triple"},
		{name: "empty input", in: ``, msg: "empty input"},
		{name: "blank input", in: " \n", msg: "empty input"},
		{name: "word", in: `ok`, msg: "invalid character"},
		{name: "prose around", in: `Sure! [["a","b","c"]]`, msg: "invalid character", line: 1, col: 1},
		{name: "two values", in: "[]\n[]", msg: "after top-level value", line: 2, col: 1},
		{name: "cut", in: `[["a","b","c"],["d`, msg: "unexpected end", line: 1, col: 19},
		{name: "trailing comma", in: `[["a","b","c"],]`, msg: "invalid character"},
		{name: "single quotes", in: `[['a','b','c']]`, msg: "invalid character"},
		{name: "key twice", in: `[{"head":"a","head":"b","relation":"r","tail":"c"}]`, msg: "twice"},
		{name: "half a surrogate pair", in: `[["\ud83e","b","c"]]`, msg: "surrogate"},
		{name: "swapped surrogates", in: `[["\uddab\ud83e","b","c"]]`, msg: "surrogate"},
		{name: "too deep", in: strings.Repeat("[", 5000) + strings.Repeat("]", 5000), msg: "nested deeper"},
	})
}

func TestDecodeJSONDepthIsBounded(t *testing.T) {
	for _, f := range []Format{JSON, JSONL, Python, DOT} {
		open := map[Format]string{DOT: "{"}[f]
		if open == "" {
			open = "["
		}
		in := strings.Repeat(open, 1<<20)
		if f == DOT {
			in = "digraph " + in
		}
		if _, err := Decode(strings.NewReader(in), f); err == nil {
			t.Errorf("%s: no error for a million open brackets", f)
		}
	}
}

func TestDecodeJSONL(t *testing.T) {
	abc := []Triple{{"a", "b", "c"}}
	runDecodeCases(t, JSONL, []decodeCase{
		{name: "arrays and objects", in: "[\"a\",\"b\",\"c\"]\r\n\n{\"subject\":\"d\",\"predicate\":\"e\",\"object\":\"f\"}", want: []Triple{{"a", "b", "c"}, {"d", "e", "f"}}},
		{name: "empty"},
		{name: "blank lines", in: "\n \n"},
		{name: "mark", in: "\uFEFF[\"a\",\"b\",\"c\"]\n", want: abc},
		{name: "bad line", in: "[\"a\",\"b\",\"c\"]\n  [\"a\"]\n", msg: "this one has 1", line: 2, col: 3},
		{name: "place after a mark", in: "\uFEFF[\"a\"]", msg: "this one has 1", line: 1, col: 4},
		{name: "two triples on a line", in: `[["a","b","c"],["d","e","f"],["g","h","i"]]`, msg: "a list is no label"},
		{name: "not JSON", in: "[\"a\",\"b\",\"c\"]\nnope", msg: "invalid character", line: 2, col: 2},
	})
}

func TestTripleJSON(t *testing.T) {
	b, err := json.Marshal(Triple{`a "b"`, "<|>", "柿子"})
	if err != nil {
		t.Fatal(err)
	}
	var back Triple
	if err := json.Unmarshal(b, &back); err != nil || back != (Triple{`a "b"`, "<|>", "柿子"}) {
		t.Errorf("%s came back as %v, %v", b, back, err)
	}
	keep := Triple{"x", "y", "z"}
	for _, in := range []string{`["a","b"]`, `[["a","b","c"]]`, `{}`, `null`, `"x"`, `3`, `{"head":"a"}`} {
		got := keep
		err := json.Unmarshal([]byte(in), &got)
		var se *SyntaxError
		if !errors.As(err, &se) {
			t.Errorf("%s: got %v, want a SyntaxError", in, err)
		}
		if got != keep {
			t.Errorf("%s: the triple changed to %v", in, got)
		}
	}
	if _, err := json.Marshal(Triple{"a", "b\xff", "c"}); err == nil {
		t.Error("a label that is not UTF-8 was marshalled")
	}
	if _, err := json.Marshal(NewGraph(Triple{"a", "b\xff", "c"})); err == nil {
		t.Error("a graph with a label that is not UTF-8 was marshalled")
	}
}

func TestGraphJSON(t *testing.T) {
	type holder struct {
		G *Graph `json:"g"`
	}
	b, err := json.Marshal(holder{hardGraph()})
	if err != nil {
		t.Fatal(err)
	}
	var back holder
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if !back.G.Equal(hardGraph()) {
		t.Error("the graph changed")
	}
	if b, _ := json.Marshal(holder{NewGraph()}); string(b) != `{"g":[]}` {
		t.Errorf("an empty graph is %s", b)
	}
	g := NewGraph(Triple{"a", "b", "c"})
	if err := g.UnmarshalJSON([]byte(`[["x","y"]]`)); err == nil || g.Len() != 1 {
		t.Errorf("got %v with %d triples, want an error and the old graph", err, g.Len())
	}
}

func FuzzDecodeJSON(f *testing.F) {
	fuzzDecoder(f, JSON, `[["a","b","c"]]`, `{"triples":[{"head":"a","relation":1,"tail":{"name":"\ud83e\uddab"}}]}`, `["a","b","c","d","e","f"]`, `{"result":{"edges":[]}}`, "\uFEFF[]")
}

func FuzzDecodeJSONL(f *testing.F) {
	fuzzDecoder(f, JSONL, "[\"a\",\"b\",\"c\"]\n{\"subject\":\"d\",\"predicate\":\"e\",\"object\":\"f\"}\n", "\n\n")
}
