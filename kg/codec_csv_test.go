package kg

import (
	"strings"
	"testing"
)

func TestDecodeCSV(t *testing.T) {
	two := []Triple{{"a", "b", "c"}, {"d", "e", "f"}}
	runDecodeCases(t, CSV, []decodeCase{
		{name: "with header", in: "head,relation,tail\na,b,c\nd,e,f\n", want: two},
		{name: "without header", in: "a,b,c\r\nd,e,f", want: two},
		{name: "header in another order with more columns", in: "id,Object, predicate ,Subject\n1,c,b,a\n2,f,e,d\n", want: two},
		{name: "source type target", in: "source,type,target\na,b,c\n", want: two[:1]},
		{name: "header only", in: "head,relation,tail\n"},
		{name: "no header by option", in: "head,relation,tail\n", want: []Triple{{"head", "relation", "tail"}}, opts: []Option{NoHeader()}},
		{name: "quotes", in: "\"a,\"\"x\"\"\",\"b\nb\",\"\"\n", want: []Triple{{`a,"x"`, "b\nb", ""}}},
		{name: "CRLF inside quotes stays, at line ends it does not", in: "\"a\r\nb\",c,d\r\ne,f,g\r\n", want: []Triple{{"a\r\nb", "c", "d"}, {"e", "f", "g"}}},
		{name: "mark", in: "\uFEFFhead,relation,tail\na,b,c\n", want: two[:1]},
		{name: "blank lines", in: "\na,b,c\n\n", want: two[:1]},
		{name: "empty"},

		{name: "too few fields", in: "a,b,c\na,b\n", msg: "2 fields, want 3", line: 2, col: 1},
		{name: "too many fields", in: "a,b,c,d\n", msg: "4 fields, want 3"},
		{name: "fewer fields than the header", in: "id,head,relation,tail\n1,a,b\n", msg: "3 fields, want 4", line: 2, col: 1},
		{name: "place after a mark", in: "\uFEFFa,b\n", msg: "2 fields", line: 1, col: 4},
		{name: "bare quote", in: "a,b,c\na,b\"x,c\n", msg: "bare", line: 2, col: 4},
		{name: "quote never closed", in: "a,b,\"c\n", msg: "\""},
		{name: "text after a quote", in: "\"a\"x,b,c\n", msg: "quote"},
	})
}

// encoding/csv drops every carriage return before a line feed; the decoder must
// not be quadratic in keeping them.
func TestDecodeCSVLarge(t *testing.T) {
	in := strings.Repeat("\"x\r\ny\",b,\"c\"\"\r\n\"\r\n", 50000)
	g, err := Decode(strings.NewReader(in), CSV)
	if err != nil || g.Len() != 1 {
		t.Fatalf("got %d triples, %v", g.Len(), err)
	}
	if !g.Has(Triple{"x\r\ny", "b", "c\"\r\n"}) {
		t.Errorf("got %q", g.Slice())
	}
}

func FuzzDecodeCSV(f *testing.F) {
	fuzzDecoder(f, CSV, "head,relation,tail\na,b,c\n", "a,\"b\r\nc\",d\r\n", "tail,head,relation,x\n1,2,3,4\n", "\"\r\n\r\",\"\"\"\",\r,\n")
}
