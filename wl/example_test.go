package wl_test

import (
	"context"
	"fmt"

	"github.com/kgeval/kgeval/wl"
)

// A reversed relation is another graph: only the names agree.
func ExampleCompare() {
	var labels wl.Labels
	ana, bo, hired := labels.ID("Ana"), labels.ID("Bo"), labels.ID("hired")
	a, err := wl.NewGraph([]int{ana, bo}, []wl.Edge{{From: 0, To: 1, Label: hired}})
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := wl.NewGraph([]int{ana, bo}, []wl.Edge{{From: 1, To: 0, Label: hired}})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	for _, n := range []wl.Neighbours{wl.Directed, wl.Both} {
		r, err := wl.Compare(ctx, a, b, wl.Options{Iterations: 3, Neighbours: n})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v: %.2f\n", n, r.Normalised)
	}
	// Output:
	// directed: 0.25
	// both: 1.00
}

// All pairs of three graphs: a path, the same path with its middle node named
// otherwise, and a triangle.
func ExampleGram() {
	edges := []wl.Edge{{From: 0, To: 1}, {From: 1, To: 2}}
	path, _ := wl.NewGraph([]int{1, 2, 3}, edges)
	other, _ := wl.NewGraph([]int{1, 9, 3}, edges)
	triangle, _ := wl.NewGraph([]int{1, 2, 3}, append(edges, wl.Edge{From: 2, To: 0}))
	m, err := wl.Gram(context.Background(), []*wl.Graph{path, other, triangle}, wl.Options{Iterations: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range m.Len() {
		for j := range m.Len() {
			fmt.Printf("%5.2f", m.Normalised(i, j))
		}
		fmt.Println()
	}
	// Output:
	//  1.00 0.33 0.67
	//  0.33 1.00 0.33
	//  0.67 0.33 1.00
}

// A Refiner keeps graphs that arrive one by one comparable.
func ExampleRefiner() {
	r, err := wl.NewRefiner(wl.Options{Iterations: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	var seen []wl.Vector
	for _, nodes := range [][]int{{1, 2}, {1, 3}, {1, 2}} {
		g, err := wl.NewGraph(nodes, []wl.Edge{{From: 0, To: 1}})
		if err != nil {
			fmt.Println(err)
			return
		}
		v, err := r.Features(context.Background(), g)
		if err != nil {
			fmt.Println(err)
			return
		}
		for i, old := range seen {
			fmt.Printf("graph %d against graph %d: %.2f\n", len(seen), i, wl.Similarity(v, old))
		}
		seen = append(seen, v)
	}
	// Output:
	// graph 1 against graph 0: 0.25
	// graph 2 against graph 0: 1.00
	// graph 2 against graph 1: 0.25
}
