package kg

import "testing"

func TestDecodePython(t *testing.T) {
	two := []Triple{{"a", "b", "c"}, {"d", "e", "f"}}
	runDecodeCases(t, Python, []decodeCase{
		{name: "lists and tuples, either quote", in: `[['a','b','c'],("d","e","f")]`, want: two},
		{name: "JSON", in: `[["a","b","c"],["d","e","f"]]`, want: two},
		{name: "trailing commas and line breaks", in: "[\n ('a', 'b', 'c',),\n ('d', 'e', 'f',),\n]\n", want: two},
		{name: "comments", in: "# found\n[('a','b','c'), # first\n ('d','e','f')] # done", want: two},
		{name: "assignment", in: "triples = [('a','b','c'), ('d','e','f')]", want: two},
		{name: "no outer list", in: "('a','b','c'),\n('d','e','f')", want: two},
		{name: "a line each", in: "('a','b','c')\n['d','e','f']\n", want: two},
		{name: "one tuple", in: "('a','b','c')", want: two[:1]},
		{name: "bare words after one another", in: "'a','b','c'", want: two[:1]},
		{name: "nested", in: "[[('a','b','c')],[[('d','e','f')]]]", want: two},
		{name: "set", in: "{('a','b','c'), ('d','e','f')}", want: two},
		{name: "dicts", in: "[{'source_node': {'name': 'a'}, 'relation': {'name': 'b'}, 'target_node': {'name': 'c'}}, {'head': 'd', 'relation': 'e', 'tail': 'f',}]", want: two},
		{name: "flat list of 6", in: "['a','b','c','d','e','f']", want: two},
		{name: "numbers and truth values", in: "[('Eiffel Tower', 'height', 330), ('x', 'is', True), ('t', 'is', -1.5e3)]", want: []Triple{{"Eiffel Tower", "height", "330"}, {"x", "is", "True"}, {"t", "is", "-1.5e3"}}},
		{name: "escapes", in: `['\'\"\\\n\t\x41\101\u00e9\U0001F9AB', 'keep \p', r'C:\tmp\new']`, want: []Triple{{"'\"\\\n\tAAé🦫", `keep \p`, `C:\tmp\new`}}},
		{name: "surrogate pair", in: `['\ud83e\uddab', '', u'x']`, want: []Triple{{"🦫", "", "x"}}},
		{name: "continued string", in: "['a\\\nb', 'c', 'd']", want: []Triple{{"ab", "c", "d"}}},
		{name: "triple quotes", in: "['''it's\n\"so\"''', \"\"\"x\"\"\", '']", want: []Triple{{"it's\n\"so\"", "x", ""}}},
		{name: "curly quotes", in: "[“Smith, Jones & Co.”, ‘D’Arcy’s’, “say “hi” now”]", want: []Triple{{"Smith, Jones & Co.", "D’Arcy’s", "say “hi” now"}}},
		{name: "curly quotes inside straight ones", in: "['“a”', \"D’Arcy\", '‘x’']", want: []Triple{{"“a”", "D’Arcy", "‘x’"}}},
		{name: "empty list", in: "[]"},
		{name: "empty set of lists", in: "[[], ()]"},

		{name: "flat list of 5", in: "['a','b','c','d','e']", msg: "flat list of 5 labels", line: 1, col: 1},
		{name: "None", in: "[('a', None, 'c')]", msg: "None is no label", line: 1, col: 8},
		{name: "four parts", in: "[('a','b','c','d')]", msg: "this one has 4"},
		{name: "missing comma", in: "[('a' 'b', 'c')]", msg: "want a comma", line: 1, col: 7},
		{name: "no quotes", in: "[(a, b, c)]", msg: "a name (a)"},
		{name: "cut in a string", in: "[('a','b','c'),\n('d", msg: "never closed", line: 2, col: 2},
		{name: "cut in a list", in: "[('a','b','c'),", msg: "never closed", line: 1, col: 1},
		{name: "line break in a string", in: "[('a\nb','c','d')]", msg: "line break", line: 1, col: 5},
		{name: "bytes", in: "[(b'a','b','c')]", msg: "b-string"},
		{name: "format string", in: "[(f'a','b','c')]", msg: "f-string"},
		{name: "wrong bracket", in: "[('a','b','c']]", msg: "want a comma"},
		{name: "prose", in: "Here you go: [('a','b','c')]", msg: "a name (Here)"},
		{name: "prose after", in: "[('a','b','c')] Hope this helps", msg: "unexpected text"},
		{name: "half a surrogate pair", in: `['\ud83e', 'b', 'c']`, msg: "surrogate"},
		{name: "beyond Unicode", in: `['\U00110000', 'b', 'c']`, msg: "8 hexadecimal digits"},
		{name: "short escape", in: `['\x4', 'b', 'c']`, msg: "2 hexadecimal digits"},
		{name: "named character", in: `['\N{BEAVER}', 'b', 'c']`, msg: "write the character"},
		{name: "mixed set and dict", in: "{'a', 'b': 'c'}", msg: "colon"},
		{name: "empty", in: "", msg: "empty input"},
		{name: "comment only", in: "# nothing", msg: "empty input"},
		{name: "lone sign", in: "[('a','b',-)]", msg: "no number"},
	})
}

func FuzzDecodePython(f *testing.F) {
	fuzzDecoder(f, Python, `[['a','b','c'],("d","e","f")]`, "x = [(1, True, r'\\')]", "{'head': 'a', \"relation\": \"b\", 'tail': '''c'''}", "[“a”, ‘b’, 'c']", "('a','b','c')\n('d','e','\\U0001F9AB')")
}
