package gonumkg_test

import (
	"fmt"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/network"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/topo"

	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/kg/gonumkg"
)

func curies() *kg.Graph {
	return kg.NewGraph(
		kg.Triple{Head: "Marie Curie", Relation: "married", Tail: "Pierre Curie"},
		kg.Triple{Head: "Pierre Curie", Relation: "taught at", Tail: "Sorbonne"},
		kg.Triple{Head: "Sorbonne", Relation: "lies in", Tail: "Paris"},
		kg.Triple{Head: "Marie Curie", Relation: "discovered", Tail: "polonium"},
		kg.Triple{Head: "polonium", Relation: "named after", Tail: "Poland"},
		kg.Triple{Head: "Orbix", Relation: "bought", Tail: "Acme"},
	)
}

// How two things hang together: the shortest path of facts.
func Example_path() {
	v := gonumkg.New(curies())
	from, _ := v.NodeOf("Marie Curie")
	to, _ := v.NodeOf("Paris")
	nodes, _ := path.DijkstraFrom(from, v).To(to.ID())
	for i := 1; i < len(nodes); i++ {
		fmt.Println(v.Edge(nodes[i-1].ID(), nodes[i].ID()).(gonumkg.Edge).Triples()[0].Sentence())
	}
	// Output:
	// Marie Curie married Pierre Curie.
	// Pierre Curie taught at Sorbonne.
	// Sorbonne lies in Paris.
}

// What does not hang together: components, and an order without cycles.
func Example_topo() {
	v := gonumkg.New(curies())
	for _, c := range topo.ConnectedComponents(graph.Undirect{G: v}) {
		fmt.Println(len(c), "entities")
	}
	_, err := topo.Sort(v)
	fmt.Println("cycles:", err)
	// Unordered output:
	// 6 entities
	// 2 entities
	// cycles: <nil>
}

// What a graph is about: PageRank.
func Example_pageRank() {
	v := gonumkg.New(kg.NewGraph(
		kg.Triple{Head: "Ana", Relation: "cites", Tail: "Cy"},
		kg.Triple{Head: "Bo", Relation: "cites", Tail: "Cy"},
		kg.Triple{Head: "Cy", Relation: "cites", Tail: "Ana"},
	))
	best, top := "", 0.0
	for id, rank := range network.PageRank(v, 0.85, 1e-6) {
		if rank > top {
			best, top = v.Node(id).(gonumkg.Node).Entity(), rank
		}
	}
	fmt.Println(best)
	// Output: Cy
}
