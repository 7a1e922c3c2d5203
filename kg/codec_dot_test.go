package kg

import (
	"os/exec"
	"strings"
	"testing"
)

func TestDecodeDOT(t *testing.T) {
	ab := []Triple{{"a", "", "b"}}
	runDecodeCases(t, DOT, []decodeCase{
		{name: "bare", in: "digraph{a->b}", want: ab},
		{name: "names, keywords in any case, strict", in: "STRICT DiGraph \"my graph\" { a -> b; }", want: ab},
		{name: "labels", in: `digraph { a -> b [color=red, label="born in"; weight=2][fontsize=9] }`, want: []Triple{{"a", "born in", "b"}}},
		{name: "label without quotes", in: `digraph { a -> b [label=knows] }`, want: []Triple{{"a", "knows", "b"}}},
		{name: "chain", in: `digraph { a -> b -> c [label=x] }`, want: []Triple{{"a", "x", "b"}, {"b", "x", "c"}}},
		{name: "node labels stand for nodes, also when declared later", in: `digraph { 1 -> 2 [label=of]; 2 [label="Warsaw"]; 1 [label="capital", shape=box] }`, want: []Triple{{"capital", "of", "Warsaw"}}},
		{name: "quoted names", in: `digraph { "Smith, Jones & Co." -> "say \"hi\"" ; "a->b" -> "C:\tmp" }`, want: []Triple{{"Smith, Jones & Co.", "", `say "hi"`}, {"a->b", "", `C:\tmp`}}},
		{name: "escapes of a label", in: `digraph G { a -> b [label="x\ny\l\\z\q"] a [label="\N of \G"] }`, want: []Triple{{"a of G", "x\ny\n\\zq", "b"}}},
		{name: "escapes of an edge's label", in: `digraph { a -> b [label="\T to \H (\E)"] }`, want: []Triple{{"a", "a to b (a->b)", "b"}}},
		{name: "comments", in: "// one\n# two\ndigraph { /* three\n */ a -> /**/ b // four\n}", want: ab},
		{name: "groups", in: `digraph { {a b} -> {c; d} [label=r] }`, want: []Triple{{"a", "r", "c"}, {"a", "r", "d"}, {"b", "r", "c"}, {"b", "r", "d"}}},
		{name: "subgraphs", in: `digraph { subgraph cluster_0 { label="box"; a -> b; } subgraph { c } -> a }`, want: []Triple{{"a", "", "b"}, {"c", "", "a"}}},
		{name: "defaults", in: `digraph { edge [label=knows]; a -> b; { edge [label=in]; c -> d } e -> f; node [label="?"]; g -> a }`,
			want: []Triple{{"a", "knows", "b"}, {"c", "in", "d"}, {"e", "knows", "f"}, {"?", "knows", "a"}}},
		{name: "graph attributes", in: `digraph { rankdir=LR; graph [label="x"]; node [shape=box] a -> b }`, want: ab},
		{name: "ports", in: `digraph { a:p:nw -> b:s }`, want: ab},
		{name: "undirected", in: `graph { a -- b [label=r] -- c }`, msg: "unexpected --"},
		{name: "undirected chain", in: `graph { a -- b -- c [label=r] }`, want: []Triple{{"a", "r", "b"}, {"b", "r", "c"}}},
		{name: "numbers", in: `digraph { -1.5 -> .5 -> 42 }`, want: []Triple{{"-1.5", "", ".5"}, {".5", "", "42"}}},
		{name: "other scripts", in: `digraph { 柿子 -> é [label=果物] }`, want: []Triple{{"柿子", "果物", "é"}}},
		{name: "joined strings", in: "digraph { \"a\" + \"b\" -> \"c\\\nd\" }", want: []Triple{{"ab", "", "cd"}}},
		{name: "HTML labels as they stand", in: `digraph { a -> b [label=<<b>x</b> \n>] }`, want: []Triple{{"a", `<b>x</b> \n`, "b"}}},
		{name: "nodes without an edge are not in the graph", in: `digraph { a; b -> b; c [label=x] }`, want: []Triple{{"b", "", "b"}}},
		{name: "parallel edges", in: `digraph { a -> b [label=r]; a -> b [label=s]; a -> b [label=r] }`, want: []Triple{{"a", "r", "b"}, {"a", "s", "b"}}},
		{name: "keywords as quoted names", in: `digraph { "node" -> "edge" -> "subgraph" }`, want: []Triple{{"node", "", "edge"}, {"edge", "", "subgraph"}}},
		{name: "mark", in: "\uFEFFdigraph { a -> b }", want: ab},
		{name: "empty graph", in: "digraph { }"},
		{name: "attribute without value", in: `digraph { a -> b [bold] }`, want: ab},

		{name: "no graph", in: "", msg: "want \"digraph\""},
		{name: "another word", in: "diagram { }", msg: "unexpected diagram", line: 1, col: 1},
		{name: "undirected edge in a digraph", in: "digraph { a -- b }", msg: "want -> in a digraph", line: 1, col: 13},
		{name: "directed edge in a graph", in: "graph { a -> b }", msg: "want -- in a graph"},
		{name: "edge to nothing", in: "digraph { a -> }", msg: "unexpected }"},
		{name: "never closed", in: "digraph {\n a -> b", msg: "never closed", line: 1, col: 9},
		{name: "attributes never closed", in: "digraph { a -> b [label=x", msg: "never closed"},
		{name: "string never closed", in: "digraph { a -> \"b }", msg: "never closed", line: 1, col: 16},
		{name: "string that ends in a backslash", in: `digraph { a -> "b\" }`, msg: "never closed"},
		{name: "comment never closed", in: "digraph { /* }", msg: "comment"},
		{name: "HTML never closed", in: "digraph { a -> b [label=<<b>] }", msg: "HTML"},
		{name: "two graphs", in: "digraph {} digraph {}", msg: "nothing after the graph"},
		{name: "strange character", in: "digraph { a -> @ }", msg: "unexpected '@'"},
		{name: "name that begins with a digit", in: "digraph { 1a -> b }", msg: "must be quoted"},
		{name: "value missing", in: "digraph { a -> b [label=] }", msg: "value"},
		{name: "deep subgraphs", in: "digraph " + strings.Repeat("{", 1000), msg: "nested deeper"},
		{name: "groups that multiply", in: "digraph { " + manyGroups() + " }", msg: "more than"},
	})
}

func manyGroups() string {
	var b strings.Builder
	for i := range 3000 {
		b.WriteString(" x")
		b.WriteString(strings.Repeat("y", i%10))
		b.WriteByte(byte('a' + i%26))
		b.WriteByte(byte('a' + i/26%26))
		b.WriteByte(byte('a' + i/676%26))
	}
	return "{" + b.String() + "} -> {" + b.String() + "}"
}

func TestEncodeDOTReadsWell(t *testing.T) {
	b, err := Marshal(DOT, NewGraph(Triple{"Marie Curie", "born in", "Warsaw"}, Triple{`C:\tmp`, "is", "a path"}, Triple{"n1", "is", "line\nfeed"}))
	if err != nil {
		t.Fatal(err)
	}
	const want = `digraph {
  "n2" [label="C:\\tmp"];
  "n3" [label="line\nfeed"];
  "Marie Curie" -> "Warsaw" [label="born in"];
  "n2" -> "a path" [label="is"];
  "n1" -> "n3" [label="is"];
}
`
	if string(b) != want {
		t.Errorf("got\n%swant\n%s", b, want)
	}
}

// Graphviz itself reads what we write, where it is installed.
func TestGraphvizReadsOurDOT(t *testing.T) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("Graphviz is not installed: put its dot into the PATH to turn this test on")
	}
	g := NewGraph()
	for _, l := range hardLabels {
		if !strings.Contains(l, "\x00") && len(l) < 1000 {
			g.Add(Triple{l, l, "x"})
		}
	}
	b, err := Marshal(DOT, g)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(dot, "-Tcanon")
	cmd.Stdin = strings.NewReader(string(b))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	back, err := Decode(strings.NewReader(string(out)), DOT)
	if err != nil {
		t.Fatalf("our reader on Graphviz's own output: %v", err)
	}
	if !back.Equal(g) {
		t.Errorf("through Graphviz the graph became another:\n%s", Diff(g, back))
	}
}

func FuzzDecodeDOT(f *testing.F) {
	fuzzDecoder(f, DOT, "digraph{a->b->c[label=\"x\\ny\"]}", "strict graph G { node[label=x] {a b} -- {c;d} e:p:n -- f /* c */ }", "digraph { edge [label=<<b>x</b>>]; \"a\"+\"b\" -> \"\\N\" # x\n }")
}
