package kg

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestDecodeNTriples(t *testing.T) {
	const e, r = "urn:kgeval:entity/", "urn:kgeval:relation/"
	runDecodeCases(t, NTriples, []decodeCase{
		{name: "our own terms", in: "<" + e + "Marie%20Curie> <" + r + "born%20in> <" + e + "柿子> .\n", want: []Triple{{"Marie Curie", "born in", "柿子"}}},
		{name: "foreign IRIs stay whole", in: "<http://dbpedia.org/resource/Marie_Curie> <http://dbpedia.org/ontology/birthPlace> <http://dbpedia.org/resource/Warsaw> .",
			want: []Triple{{"http://dbpedia.org/resource/Marie_Curie", "http://dbpedia.org/ontology/birthPlace", "http://dbpedia.org/resource/Warsaw"}}},
		{name: "local names by option", in: "<http://dbpedia.org/resource/Marie_Curie> <http://x.org/o#birthPlace> <urn:isbn:1%202> .\n<http://x.org/> <http://x.org/p> \"l\" .", opts: []Option{LocalNames()},
			want: []Triple{{"Marie_Curie", "birthPlace", "1 2"}, {"http://x.org/", "p", "l"}}},
		{name: "another base", in: "<http://me.example/entity/a%2Fb> <http://me.example/relation/> <http://me.example/entity/%00> .", opts: []Option{Base("http://me.example/")},
			want: []Triple{{"a/b", "", "\x00"}}},
		{name: "literals lose language and datatype", in: "_:a <p:q> \"x\"@en-GB .\n_:a <p:q> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n_:a <p:q> \"\" .",
			want: []Triple{{"_:a", "p:q", "x"}, {"_:a", "p:q", "1"}, {"_:a", "p:q", ""}}},
		{name: "string escapes", in: `<a:b> <c:d> "\t\b\n\r\f\"\'\\\u00E9\U0001F9AB" .`, want: []Triple{{"a:b", "c:d", "\t\b\n\r\f\"'\\é🦫"}}},
		{name: "escapes in an IRI", in: `<http://x/\u00e9> <c:d> <e:f> .`, want: []Triple{{"http://x/é", "c:d", "e:f"}}},
		{name: "no white space at all", in: `_:a<b:c>_:d.`, want: []Triple{{"_:a", "b:c", "_:d"}}},
		{name: "blank node names", in: "_:a.b-c·1 <b:c> _:é. # x", want: []Triple{{"_:a.b-c·1", "b:c", "_:é"}}},
		{name: "comments and blank lines", in: "# head\n\n<a:b>\t<c:d> <e:f>.# tail\r\n   \r\n#end", want: []Triple{{"a:b", "c:d", "e:f"}}},
		{name: "a # inside terms", in: "<a:b#c> <c:d> \"# not a comment\" .", want: []Triple{{"a:b#c", "c:d", "# not a comment"}}},
		{name: "carriage returns end lines", in: "<a:b> <c:d> <e:f> .\r<a:b> <c:d> <e:g> .", want: []Triple{{"a:b", "c:d", "e:f"}, {"a:b", "c:d", "e:g"}}},
		{name: "mark", in: "\uFEFF<a:b> <c:d> <e:f> .", want: []Triple{{"a:b", "c:d", "e:f"}}},
		{name: "empty"},

		{name: "no full stop", in: "<a:b> <c:d> <e:f>\n", msg: "full stop", line: 1, col: 18},
		{name: "four terms", in: "<a:b> <c:d> <e:f> <g:h> .", msg: "full stop"},
		{name: "two statements on a line", in: "<a:b> <c:d> <e:f> . <a:b> <c:d> <e:f> .", msg: "after the end"},
		{name: "two terms", in: "<a:b> <c:d>\n", msg: "line ends where the tail"},
		{name: "relative IRI", in: "<a> <c:d> <e:f> .", msg: "not absolute", line: 1, col: 1},
		{name: "blank in an IRI", in: "<a:b c> <c:d> <e:f> .", msg: "cannot stand in an IRI", line: 1, col: 5},
		{name: "escaped blank in an IRI", in: `<a:b\u0020c> <c:d> <e:f> .`, msg: "not even escaped"},
		{name: "string escape in an IRI", in: `<a:b\tc> <c:d> <e:f> .`, msg: "no escape here"},
		{name: "IRI never closed", in: "<a:b\n", msg: "never closed"},
		{name: "literal never closed", in: "<a:b> <c:d> \"x\n\" .", msg: "never closed", line: 1, col: 13},
		{name: "literal as head", in: `"x" <c:d> <e:f> .`, msg: "a literal cannot be a head"},
		{name: "literal as relation", in: `<c:d> "x" <e:f> .`, msg: "a literal cannot be a relation"},
		{name: "blank node as relation", in: `<c:d> _:x <e:f> .`, msg: "a blank node cannot be a relation"},
		{name: "blank node without name", in: `_: <c:d> <e:f> .`, msg: "without a name"},
		{name: "surrogate", in: `<a:b> <c:d> "\uD800" .`, msg: "hexadecimal digits of a character"},
		{name: "beyond Unicode", in: `<a:b> <c:d> "\UFFFFFFFF" .`, msg: "hexadecimal digits of a character"},
		{name: "unknown escape", in: `<a:b> <c:d> "\x41" .`, msg: "no escape here"},
		{name: "empty language", in: `<a:b> <c:d> "x"@ .`, msg: "language"},
		{name: "bad language", in: `<a:b> <c:d> "x"@en- .`, msg: "language"},
		{name: "datatype without IRI", in: `<a:b> <c:d> "x"^^xsd:int .`, msg: "datatype"},
		{name: "bad percent under the base", in: "<" + e + "a%2> <c:d> <e:f> .", msg: "percent"},
		{name: "percent-encoded bytes that are not UTF-8", in: "<" + e + "%FF> <c:d> <e:f> .", msg: "percent"},
		{name: "Turtle", in: "@prefix x: <y:> .", msg: "unexpected '@'"},
	})
}

func TestNTriplesIsASCIIWhereItMatters(t *testing.T) {
	b, err := Marshal(NTriples, NewGraph(Triple{"a <b> \"c\"", "100%", "C:\\tmp"}))
	if err != nil {
		t.Fatal(err)
	}
	want := "<urn:kgeval:entity/a%20%3Cb%3E%20%22c%22> <urn:kgeval:relation/100%25> <urn:kgeval:entity/C%3A%5Ctmp> .\n"
	if string(b) != want {
		t.Errorf("got  %swant %s", b, want)
	}
}

func TestNTriplesBaseMustBeAbsolute(t *testing.T) {
	for _, base := range []string{"me", "/x/", "1:x", "http://a b/", "x>:y"} {
		var be *BaseError
		if err := Encode(&bytes.Buffer{}, NTriples, NewGraph(), Base(base)); !errors.As(err, &be) {
			t.Errorf("base %q: got %v, want a BaseError", base, err)
		}
	}
}

// What is read from a foreign file is written back as it was.
func TestNTriplesKeepsForeignTerms(t *testing.T) {
	const in = "<http://example.com/é?q=1&r=(2)> <https://x.org/p#q> _:b0 .\n<urn:isbn:123> <http://x/y> <http://x/%20> .\n"
	g, err := Decode(strings.NewReader(in), NTriples)
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := Marshal(NTriples, g); string(b) != in {
		t.Errorf("got\n%swant\n%s", b, in)
	}
}

func FuzzDecodeNTriples(f *testing.F) {
	fuzzDecoder(f, NTriples,
		"<http://a/b> <c:d> \"x\\u00e9\"@en-GB . # c\n_:a <urn:kgeval:relation/x%20y> _:b .\n",
		"<urn:kgeval:entity/%E6%9F%BF> <c:d> \"1\"^^<e:f>.", "_:a.b. <a:b> _:c.")
}
