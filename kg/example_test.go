package kg_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/kgeval/kgeval/kg"
)

func ExampleTriple_Sentence() {
	fmt.Println(kg.Triple{Head: "aspirin", Relation: "has_target", Tail: "COX-1"}.Sentence())
	fmt.Println(kg.Triple{Head: "Marie_Curie", Relation: "isKnownFor", Tail: "radioactivity"}.Sentence())
	fmt.Println(kg.Triple{Head: "Smith, Jones & Co.", Relation: "bought", Tail: "Acme (UK), Ltd."}.Sentence())
	// Output:
	// Aspirin has target COX-1.
	// Marie Curie is known for radioactivity.
	// Smith, Jones & Co. bought Acme (UK), Ltd.
}

func ExampleGraph() {
	g := kg.NewGraph(
		kg.Triple{Head: "Ana", Relation: "likes", Tail: "Bo"},
		kg.Triple{Head: "Ana", Relation: "sued", Tail: "Bo"},
		kg.Triple{Head: "Bo", Relation: "lives in", Tail: "Rome"},
		kg.Triple{Head: "Ana", Relation: "likes", Tail: "Bo"}, // again: held once
	)
	fmt.Println(g.Len(), "triples,", len(g.Entities()), "entities")
	for _, t := range g.Between("Bo", "Ana") {
		fmt.Println(t)
	}
	fmt.Println(g.Neighbors("Bo"))
	// Output:
	// 3 triples, 3 entities
	// (Ana, likes, Bo)
	// (Ana, sued, Bo)
	// [Ana Rome]
}

func ExampleGraph_Triples() {
	g := kg.NewGraph(kg.Triple{Head: "Ana", Relation: "likes", Tail: "Bo"})
	for t := range g.Triples() {
		fmt.Println(t.Head, "→", t.Tail)
	}
	// Output: Ana → Bo
}

// A failure message for a test.
func ExampleDiff() {
	want := kg.NewGraph(
		kg.Triple{Head: "Orbix", Relation: "acquired", Tail: "Acme"},
		kg.Triple{Head: "Orbix", Relation: "founded in", Tail: "1998"},
		kg.Triple{Head: "Lena", Relation: "leads", Tail: "Orbix"},
	)
	got := kg.NewGraph(
		kg.Triple{Head: "Acme", Relation: "acquired", Tail: "Orbix"},
		kg.Triple{Head: "Orbix", Relation: "founded in", Tail: "2001"},
		kg.Triple{Head: "Lena", Relation: "leads", Tail: "Orbix"},
	)
	fmt.Print(kg.Diff(want, got))
	// Output:
	//   … 1 common
	// - (Orbix, acquired, Acme)
	// + (Acme, acquired, Orbix)  // reversed
	// - (Orbix, founded in, 1998)
	// + (Orbix, founded in, 2001)  // other tail
}

func ExampleNormalizer() {
	g := kg.NewGraph(
		kg.Triple{Head: "The Nobel Prize", Relation: "wasWonBy", Tail: "Marie Curie"},
		kg.Triple{Head: "nobel prize", Relation: "was won by", Tail: "“Marie Curie”"},
		kg.Triple{Head: "Nobel Prize", Relation: "wasn't won by", Tail: "Freud"},
	)
	n := (&kg.Normalizer{}).Normalize(g)
	for t := range n.Graph.Triples() {
		fmt.Println(t, "shown as", n.Surface(t))
	}
	fmt.Printf("%q\n", n.Entities["nobel prize"])
	// Output:
	// (nobel prize, was won by, marie curie) shown as (The Nobel Prize, wasWonBy, Marie Curie)
	// (nobel prize, was not won by, freud) shown as (The Nobel Prize, wasn't won by, Freud)
	// ["The Nobel Prize" "nobel prize" "Nobel Prize"]
}

func ExampleLocate() {
	const text = "Marie Curie, who was born in Warsaw, won the Nobel Prize twice."
	for _, s := range kg.Locate(text, kg.Triple{Head: "Marie Curie", Relation: "wins", Tail: "Nobel Prize"}) {
		fmt.Println(s, s.Of(text))
	}
	fmt.Println(kg.Locate(text, kg.Triple{Head: "Marie Curie", Relation: "refused", Tail: "Nobel Prize"}))
	// Output:
	// [0:11) Marie Curie
	// [37:56) won the Nobel Prize
	// []
}

func ExampleLocator_Find() {
	const text = "It rained. Lena, a chemist, has worked at Orbix since 2019."
	l := kg.NewLocator(text) // once for many triples
	loc, ok := l.Find(kg.Triple{Head: "Lena", Relation: "works at", Tail: "Orbix"})
	fmt.Println(ok, loc.Head[0].Of(text), "|", loc.Relation[0].Of(text), "|", loc.Tail[0].Of(text))
	fmt.Println(loc.Sentence.Of(text))
	// Output:
	// true Lena | worked | Orbix
	// Lena, a chemist, has worked at Orbix since 2019.
}

func ExampleEncode() {
	g := kg.NewGraph(
		kg.Triple{Head: "D'Arcy's Café", Relation: "opened in", Tail: "1998"},
		kg.Triple{Head: `C:\tmp`, Relation: "is", Tail: `a "path"`},
	)
	for _, f := range kg.Formats() {
		fmt.Println("#", f)
		if err := kg.Encode(os.Stdout, f, g); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// # json
	// [
	//   ["D'Arcy's Café", "opened in", "1998"],
	//   ["C:\\tmp", "is", "a \"path\""]
	// ]
	// # json-objects
	// [
	//   {"head": "D'Arcy's Café", "relation": "opened in", "tail": "1998"},
	//   {"head": "C:\\tmp", "relation": "is", "tail": "a \"path\""}
	// ]
	// # jsonl
	// ["D'Arcy's Café", "opened in", "1998"]
	// ["C:\\tmp", "is", "a \"path\""]
	// # python
	// [
	//     ("D'Arcy's Café", 'opened in', '1998'),
	//     ('C:\\tmp', 'is', 'a "path"')
	// ]
	// # csv
	// head,relation,tail
	// D'Arcy's Café,opened in,1998
	// C:\tmp,is,"a ""path"""
	// # ntriples
	// <urn:kgeval:entity/D%27Arcy%27s%20Café> <urn:kgeval:relation/opened%20in> <urn:kgeval:entity/1998> .
	// <urn:kgeval:entity/C%3A%5Ctmp> <urn:kgeval:relation/is> <urn:kgeval:entity/a%20%22path%22> .
	// # dot
	// digraph {
	//   "n1" [label="C:\\tmp"];
	//   "D'Arcy's Café" -> "1998" [label="opened in"];
	//   "n1" -> "a \"path\"" [label="is"];
	// }
}

// What a language model may write as a list, and where a list is broken.
func ExampleDecode() {
	g, err := kg.Decode(strings.NewReader(`triples = [
  ['Noor', "leads", 'Team Red'],   # tuples and lists, either quote
  (“Noor”, 'joined', 2021,),
]`), kg.Python)
	fmt.Println(g.Slice(), err)

	_, err = kg.Decode(strings.NewReader("[['Noor', 'leads', 'Team Red'],\n ['Noor', None, 'x']]"), kg.Python)
	var syntax *kg.SyntaxError
	if errors.As(err, &syntax) {
		fmt.Println(syntax.Line, syntax.Column, syntax.Msg)
	}
	// Output:
	// [(Noor, leads, Team Red) (Noor, joined, 2021)] <nil>
	// 2 11 None is no label
}

// Two runs of an extractor can be compared by one word in a golden file.
func ExampleGraph_Hash() {
	a := kg.NewGraph(kg.Triple{Head: "a", Relation: "r", Tail: "b"}, kg.Triple{Head: "b", Relation: "r", Tail: "c"})
	b := kg.NewGraph(kg.Triple{Head: "b", Relation: "r", Tail: "c"}, kg.Triple{Head: "a", Relation: "r", Tail: "b"})
	fmt.Println(a.Hash() == b.Hash(), a.Hash()[:12])
	// Output: true kg1:c0560b7e
}

func ExampleGraph_MarshalJSON() {
	g := kg.NewGraph(kg.Triple{Head: "Ana", Relation: "likes", Tail: "Bo"})
	var b bytes.Buffer
	_ = kg.Encode(&b, kg.JSONL, g)
	fmt.Print(b.String())
	raw, _ := g.MarshalJSON()
	fmt.Println(string(raw))
	// Output:
	// ["Ana", "likes", "Bo"]
	// [["Ana", "likes", "Bo"]]
}
