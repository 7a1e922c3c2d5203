package kg

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// hardLabels are texts that some format has to escape, or that look like its
// syntax.
var hardLabels = []string{
	"", " ", "  two  blanks ", "plain", "Smith, Jones & Co.", "Acme (UK), Ltd.", `Robert "Bob" Ray`, "D'Arcy's Café",
	"f(x) -> y", "a <|> b ## c", `C:\tmp\new`, `C:\`, `\`, `\\`, `a\"b`, `'`, `"`, `"'`, `'''`, `"""`, "“curly”", "‘single’ D’Arcy’s",
	"tab\there", "line\nfeed", "cr\rhere", "crlf\r\nhere", "\n", "\r", "\r\n", "\r\r\n", "a\n\n\nb", "end\r", "\\\n", "nul\x00byte", "\x00", "\x1f\x7f\u0085",
	"柿子", "𝔊raph 🦫", "e\u0301", "\uFEFFbom", "\u2028\u2029", "\u200b", "\u202etxet", "\uFFFD", "\U0010FFFF", "\uFFFE",
	"[", "]", "{}", "()", "['a', 'b', 'c']", `["a","b","c"]`, `{"head": 1}`, "None", "null", "True", "1", "1.0", "-0.0", "NaN",
	"head", "relation", "tail", "subject", "# comment", "// comment", "/* x */", "-- >", "->", ";", ":", "=", "a:b", "n1", "n2", "N1", `\N`, `\G\E\H\T\L`, `\l\r`, `\n`,
	"_:b0", "_:", "_:b.", "_:b-1.x", "<x>", "http://example.com/a b", "http://example.com/a", "https://x/é#f", "urn:x:y", "urn:kgeval:entity/a", "urn:kgeval:relation/a%20b", "urn:kgeval:", "%", "%20", "%zz", "100%",
	"@en", `"x"@en`, `"1"^^<t>`, ".", "a.", "digraph", "strict", "node", "subgraph", "edge", "graph", "<b>bold</b>", "<", ">", "&amp;", "=1+1", `\.`, "#", "\\u0041", `\x41`,
	strings.Repeat("long ", 3000),
}

func hardGraph() *Graph {
	g := NewGraph(Triple{"head", "relation", "tail"}, Triple{"subject", "predicate", "object"})
	n := len(hardLabels)
	for i := range hardLabels {
		g.Add(Triple{hardLabels[i], hardLabels[(i+7)%n], hardLabels[(i*3+1)%n]})
		g.Add(Triple{hardLabels[i], hardLabels[i], hardLabels[i]})
		g.Add(Triple{"n1", hardLabels[i], hardLabels[(i+1)%n]})
	}
	return g
}

func checkRoundTrip(t *testing.T, f Format, g *Graph, opts ...Option) {
	t.Helper()
	b, err := Marshal(f, g, opts...)
	if err != nil {
		t.Fatalf("%s: %v", f, err)
	}
	if !utf8.Valid(b) {
		t.Fatalf("%s: output is not UTF-8", f)
	}
	got, err := Decode(bytes.NewReader(b), f, opts...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", f, err, clip(string(b)))
	}
	if d := cmp.Diff(g.Slice(), got.Slice()); d != "" {
		t.Fatalf("%s: decode(encode(g)) differs (-g +got):\n%s", f, d)
	}
	again, err := Marshal(f, got, opts...)
	if err != nil || !bytes.Equal(b, again) {
		t.Fatalf("%s: the second encoding differs from the first (%v)", f, err)
	}
}

func TestEveryLabelSurvivesEveryFormat(t *testing.T) {
	for _, f := range Formats() {
		t.Run(string(f), func(t *testing.T) {
			checkRoundTrip(t, f, hardGraph())
			checkRoundTrip(t, f, NewGraph())
			checkRoundTrip(t, f, nil)
			for _, l := range hardLabels {
				checkRoundTrip(t, f, NewGraph(Triple{l, l, l}))
				checkRoundTrip(t, f, NewGraph(Triple{l, "is", "x"}, Triple{"x", l, l}))
			}
		})
	}
	t.Run("options", func(t *testing.T) {
		checkRoundTrip(t, CSV, hardGraph(), NoHeader())
		checkRoundTrip(t, CSV, NewGraph(Triple{"head", "relation", "tail"}), NoHeader())
		checkRoundTrip(t, NTriples, hardGraph(), Base("https://example.com/kg#"))
	})
}

// randomLabel mixes characters that mean something in some format.
func randomLabel(r *rand.Rand) string {
	alphabet := []rune("ab \t\n\r\"'\\`,;:.()[]{}<>|#@%^_-=+/*&?!0129uUxnrNGT\x00\x7f\u00a0é’“”‘柿🦫\u2028\ufeff\U0010FFFF")
	out := make([]rune, r.IntN(9))
	for i := range out {
		out[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(out)
}

func TestRandomLabelsSurviveEveryFormat(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		g := NewGraph()
		for range 1 + r.IntN(12) {
			g.Add(Triple{randomLabel(r), randomLabel(r), randomLabel(r)})
		}
		for _, f := range Formats() {
			checkRoundTrip(t, f, g)
		}
	}
}

func TestEncodeRefusesInvalidUTF8(t *testing.T) {
	g := NewGraph(Triple{"a", "b", "c"}, Triple{"x", "y", "ok\xffno"})
	for _, f := range Formats() {
		var w bytes.Buffer
		err := Encode(&w, f, g)
		var le *LabelError
		if !errors.As(err, &le) || le.Part != Tail || le.Offset != 2 {
			t.Errorf("%s: got %v, want a LabelError for the tail at byte 2", f, err)
		}
		if w.Len() > 0 {
			t.Errorf("%s: wrote %d bytes before the error", f, w.Len())
		}
	}
}

func TestDecodeRefusesInvalidUTF8(t *testing.T) {
	for _, f := range Formats() {
		_, err := Decode(strings.NewReader("ab\ncd\xffe"), f)
		var se *SyntaxError
		if !errors.As(err, &se) {
			t.Fatalf("%s: got %v, want a SyntaxError", f, err)
		}
		if se.Offset != 5 || se.Line != 2 || se.Column != 3 || se.Format != f {
			t.Errorf("%s: fault at %+v, want offset 5, line 2, column 3", f, se)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFail }
func (failing) Read([]byte) (int, error)  { return 0, errFail }

var errFail = errors.New("disk full")

func TestErrorsOfReaderAndWriterComeThrough(t *testing.T) {
	for _, f := range Formats() {
		if err := Encode(failing{}, f, hardGraph()); !errors.Is(err, errFail) {
			t.Errorf("%s: Encode gave %v", f, err)
		}
		if _, err := Decode(failing{}, f); !errors.Is(err, errFail) {
			t.Errorf("%s: Decode gave %v", f, err)
		}
	}
	if err := Encode(failing{}, "yaml", nil); err == nil {
		t.Error("Encode knows yaml")
	}
	if _, err := Decode(failing{}, "yaml"); err == nil || errors.Is(err, errFail) {
		t.Errorf("Decode of yaml gave %v", err)
	}
}

func TestFormatNames(t *testing.T) {
	for _, f := range Formats() {
		if got, err := FormatByName(strings.ToUpper(string(f))); got != f || err != nil {
			t.Errorf("FormatByName(%q) = %v, %v", f, got, err)
		}
	}
	for name, want := range map[string]Format{
		"a.json": JSON, "b/c.JSONL": JSONL, "x.ndjson": JSONL, "x.py": Python, "x.csv": CSV, "x.nt": NTriples, `C:\x.y\g.gv`: DOT, "g.dot": DOT,
		"text.txt": "", "json": "", "": "", ".": "",
	} {
		if got, _ := FormatByPath(name); got != want {
			t.Errorf("FormatByPath(%q) = %q, want %q", name, got, want)
		}
	}
	if f, err := FormatByName(" nt"); f != NTriples || err != nil {
		t.Errorf("FormatByName(nt) = %v, %v", f, err)
	}
	if _, err := FormatByName("yaml"); err == nil || !strings.Contains(err.Error(), "ntriples") {
		t.Errorf("an unknown name gives %v, want the list of names", err)
	}
}

// decodeCase is an input with what it must give: triples, or an error that says
// msg at line and column.
type decodeCase struct {
	name, in  string
	want      []Triple
	msg       string
	line, col int
	opts      []Option
}

func runDecodeCases(t *testing.T, f Format, cases []decodeCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g, err := Decode(strings.NewReader(c.in), f, c.opts...)
			if c.msg == "" {
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(c.want, g.Slice()); d != "" {
					t.Errorf("-want +got:\n%s", d)
				}
				return
			}
			var se *SyntaxError
			if !errors.As(err, &se) {
				t.Fatalf("got %v, want a SyntaxError", err)
			}
			if g != nil {
				t.Error("a graph came with the error")
			}
			if !strings.Contains(se.Msg, c.msg) {
				t.Errorf("message %q, want it to say %q", se.Msg, c.msg)
			}
			if c.line > 0 && (se.Line != c.line || se.Column != c.col) {
				t.Errorf("fault at line %d column %d, want %d, %d (%v)", se.Line, se.Column, c.line, c.col, se)
			}
			if int(se.Offset) > len(c.in) || se.Offset < 0 {
				t.Errorf("offset %d outside the input", se.Offset)
			}
		})
	}
}

// fuzzDecoder checks for any input that the decoder does not panic, and that what
// it reads survives being written and read again.
func fuzzDecoder(f *testing.F, format Format, seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	if b, err := Marshal(format, hardGraph()); err == nil && len(b) < 1<<20 {
		f.Add(string(b))
	}
	f.Fuzz(func(t *testing.T, in string) {
		g, err := Decode(strings.NewReader(in), format)
		if err != nil {
			var se *SyntaxError
			if !errors.As(err, &se) {
				t.Fatalf("untyped error %v", err)
			}
			if se.Offset < 0 || int(se.Offset) > len(in) || se.Line < 1 || se.Column < 1 {
				t.Fatalf("fault at %+v of %d bytes", se, len(in))
			}
			return
		}
		checkRoundTrip(t, format, g)
	})
}

// FuzzLabels checks for any three labels that a graph of them survives every format.
func FuzzLabels(f *testing.F) {
	for i, l := range hardLabels {
		f.Add(l, hardLabels[(i+5)%len(hardLabels)], hardLabels[(i+11)%len(hardLabels)])
	}
	f.Fuzz(func(t *testing.T, h, r, ta string) {
		tr := Triple{h, r, ta}
		if tr.Validate() != nil {
			return
		}
		g := NewGraph(tr, Triple{h, ta, r}, Triple{r, h, h})
		for _, format := range Formats() {
			checkRoundTrip(t, format, g)
		}
	})
}

func BenchmarkFormats(b *testing.B) {
	g := NewGraph()
	for i := range 20000 {
		g.Add(Triple{"Entity number " + strconv.Itoa(i%3000), "is related to", "the \"other\" one, " + strconv.Itoa(i*7%5000)})
	}
	for _, f := range Formats() {
		raw, err := Marshal(f, g)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("encode/"+string(f), func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				_ = Encode(io.Discard, f, g)
			}
		})
		b.Run("decode/"+string(f), func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if _, err := Decode(bytes.NewReader(raw), f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Inputs of a megabyte that a careless reader takes quadratic time for. The bound
// is generous: a quadratic reader needs minutes.
func TestDecodersAreLinear(t *testing.T) {
	const n = 1 << 20
	rep := strings.Repeat
	keys := func() string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString("\"k" + strconv.Itoa(i) + "\": 1, ")
		}
		return "{" + b.String() + "\"head\": 1, \"relation\": 2, \"tail\": 3}"
	}
	for _, c := range []struct {
		f  Format
		in string
	}{
		{JSON, keys()}, {Python, keys()}, {JSON, "[" + rep("[", n)}, {Python, rep("(", n)}, {Python, rep("{", n)},
		{Python, "[" + rep("“a”b", n/8)}, {Python, "“" + rep("” ", n/4)}, {Python, rep("'a'\n", n/4)}, {Python, rep("\\\n", n/2)}, {Python, "'" + rep("\\ud83e", n/6)},
		{JSON, "[" + rep("[\"a\",\"b\",\"c\"],", n/16) + "[]]"}, {JSON, "[" + rep("\"a\",", n/4) + "\"a\"]"}, {JSONL, rep("\n", n)}, {JSONL, rep("[\"a\",\"b\",\"c\"]\n", n/16) + "x"},
		{CSV, rep("\"", n)}, {CSV, rep("\"\r\n", n/3)}, {CSV, rep("a,b,c\n", n/6) + "x"}, {CSV, rep("\n", n)},
		{NTriples, rep("_:a", n/3)}, {NTriples, "_:a" + rep(".", n)}, {NTriples, rep("#\r", n/2)}, {NTriples, rep("<a:b> <c:d> _:e .\n", n/18) + "x"}, {NTriples, "<a:b> <c:d> \"" + rep("\\u0041", n/6)},
		{DOT, "digraph{" + rep("a->", n/3)}, {DOT, "digraph{" + rep("a->", n/3) + "a}"}, {DOT, "digraph{a" + rep(":a", n/2)}, {DOT, "digraph{" + rep("{a ", n/3)}, {DOT, "digraph{" + rep("a;{}", n/4) + "}"}, {DOT, rep("/**/", n/4)},
		{DOT, "digraph{" + rep("<", n)}, {DOT, "digraph{" + rep("\"a\"+", n/4)}, {DOT, "digraph{a[" + rep("x=y,", n/4)}, {DOT, "digraph{" + rep("a[label=\"\\N\\N\\N\"];", n/22) + "}"}, {DOT, "digraph{" + rep("#\n", n/2) + "}"},
	} {
		begin := time.Now()
		_, err := Decode(strings.NewReader(c.in), c.f)
		if d := time.Since(begin); d > 10*time.Second {
			t.Errorf("%s: %v for %s… (%v)", c.f, d, clip(c.in), err)
		}
	}
}
