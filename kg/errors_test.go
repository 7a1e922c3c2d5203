package kg

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// What a reader sees: package, format, place, and what is wrong.
func TestErrorTexts(t *testing.T) {
	decode := func(f Format, in string) error {
		_, err := Decode(strings.NewReader(in), f)
		return err
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{decode(Python, "[('a', 'b', 'c'),\n ('a', None, 'c')]"), "kg: python, line 2 column 8: None is no label"},
		{decode(JSON, `["a","b","c","d","e"]`), "kg: json, line 1 column 1: a flat list of 5 labels: neither a triple nor several (not a multiple of 3)"},
		{decode(CSV, "a,b\n"), "kg: csv, line 1 column 1: 2 fields, want 3"},
		{decode(DOT, `digraph { a -> "b" "c" -> }`), "kg: dot, line 1 column 27: unexpected }, want a node or an edge"},
		{decode(DOT, `digraph { a [x="y" "z" = "`+strings.Repeat("é", 100)+`" { ] }`), "kg: dot, line 1 column 229: unexpected {, want the name of an attribute"},
		{decode(DOT, `digraph { a : }`), "kg: dot, line 1 column 15: unexpected }, want the name of a port"},
		{decode(DOT, `digraph { node x }`), `kg: dot, line 1 column 16: unexpected x, want "["`},
		{decode(DOT, `digraph "x" "`+strings.Repeat("é", 100)+`"`), `kg: dot, line 1 column 13: unexpected "` + strings.Repeat("é", 20) + `…", want "{"`},
		{decode(DOT, `digraph { a = }`), "kg: dot, line 1 column 15: unexpected }, want a value"},
		{decode(DOT, `digraph { a -> b`), `kg: dot, line 1 column 9: "{" is never closed`},
		{Encode(&bytes.Buffer{}, JSON, NewGraph(Triple{"a", "b", "c\xff"})), `kg: tail of (a, b, "c\xff"): invalid UTF-8 at byte 1`},
		{Encode(&bytes.Buffer{}, NTriples, nil, Base("x y")), "kg: base x y is not an absolute IRI"},
		{decode("yaml", ""), `kg: no format "yaml" (there are json, json-objects, jsonl, python, csv, ntriples, dot)`},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", c.err, c.want)
		}
	}
	var js *json.SyntaxError
	if err := decode(JSON, "[1,]"); !errors.As(err, &js) {
		t.Errorf("%v hides the error of encoding/json", err)
	}
	if err := decode(CSV, "a,b\"c,d\n"); !errors.Is(err, csv.ErrBareQuote) {
		t.Errorf("%v hides the error of encoding/csv", err)
	}
}

func TestExtractionGraph(t *testing.T) {
	e := Extraction{Statements: []Statement{{Triple: tri("a r b")}, {Triple: tri("b r c")}, {Triple: tri("a r b")}}}
	check(t, "graph", e.Graph().Slice(), tris("a r b;b r c"))
	check(t, "empty", Extraction{}.Graph().Len(), 0)
}

func TestNormalizerTriple(t *testing.T) {
	n := Normalizer{Lemmatizer: someLemmas}
	check(t, "triple", n.Triple(Triple{"The Dogs", "worked_for", "Leaves"}), Triple{"dog", "work for", "leaf"})
}
